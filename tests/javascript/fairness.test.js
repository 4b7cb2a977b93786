import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { dealtOrder, dealtTo, fromHex, toHex } from "../../src/croupier/web/static/js/fairness/mixing.js";
import { sha256 } from "../../src/croupier/web/static/js/fairness/sha256.js";

const hash = (data) => createHash("sha256").update(data).digest("hex");
const order = Array.from({ length: 52 }, (_, n) => "23456789TJQKA"[n % 13] + "shdc"[Math.floor(n / 13)]);
const deal = { seal: "aa".repeat(32), salt: "bb".repeat(16), order, added: [] };
const added = [{ seat: 3, commitment: "cc".repeat(32), value: "dd".repeat(16) }];

test("SHA-256 is node's own, at every length around a block", () => {
  for (let length = 0; length < 200; length += 1) assert.equal(sha256("x".repeat(length)), hash("x".repeat(length)));
  assert.equal(sha256("§ 2024.96(a) → ♠"), hash("§ 2024.96(a) → ♠"));
  assert.equal(sha256(Uint8Array.of(0, 255, 128)), hash(Buffer.from([0, 255, 128])));
});

test("without players' randomness the deck is dealt as it was sealed", () => {
  assert.deepEqual(dealtOrder(deal), order);
});

test("players' randomness shuffles the deck once more, always in the same way", () => {
  const mixed = dealtOrder({ ...deal, added });
  assert.notDeepEqual(mixed, order);
  assert.deepEqual(mixed.toSorted(), order.toSorted());
  assert.deepEqual(dealtOrder({ ...deal, added }), mixed);
});

test("every part of what was added changes the order", () => {
  const mixed = dealtOrder({ ...deal, added }).join();
  for (const change of [{ seat: 4 }, { value: "ee".repeat(16) }, { value: null }, { commitment: "ff".repeat(32) }])
    assert.notEqual(dealtOrder({ ...deal, added: [{ ...added[0], ...change }] }).join(), mixed);
  assert.notEqual(dealtOrder({ ...deal, salt: "00".repeat(16), added }).join(), mixed);
});

test("the order is the one that the server computes", () => {
  // mixed_order of croupier.randomness.mixing with the same seal, salt and addition
  assert.equal(
    dealtOrder({ ...deal, added })
      .slice(0, 8)
      .join(" "),
    "Ts Jc Ah 4s 9c 2s Jd 7h",
  );
});

test("cards go to their places in the order in which the table deals", () => {
  const dealing = [
    { to: "seat 1", count: 2 },
    { to: "dealer", count: 1 },
    { to: "seat 1", count: 1 },
  ];
  assert.deepEqual(dealtTo({ dealing }, ["a", "b", "c", "d", "e"]), { "seat 1": ["a", "b", "d"], dealer: ["c"] });
});

test("bytes and hexadecimal digits are each other's inverse", () => {
  assert.equal(toHex(fromHex("00ff10")), "00ff10");
  assert.equal(toHex(fromHex("")), "");
});
