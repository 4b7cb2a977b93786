import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { DENOMINATIONS, breakdown } = await import("../../src/croupier/web/static/js/felt/chips.js");
const { RANKS, RANK_WORDS, SUITS, SUIT_WORDS, cardWords } =
  await import("../../src/croupier/web/static/js/felt/glyphs.js");

test("each of the 52 cards has a drawing and words", () => {
  assert.deepEqual(Object.keys(RANKS).sort(), Object.keys(RANK_WORDS).sort());
  assert.deepEqual(Object.keys(SUITS).sort(), Object.keys(SUIT_WORDS).sort());
  const words = Object.keys(RANKS).flatMap((rank) => Object.keys(SUITS).map((suit) => cardWords(rank + suit)));
  assert.equal(new Set(words).size, 52);
  assert.equal(cardWords("Th"), "ten of hearts");
  assert.equal(cardWords(null), "a card face down");
});

test("a stack has the largest chips first and at most six", () => {
  assert.deepEqual(breakdown(12_600), [10_000, 2500, 100]);
  assert.deepEqual(breakdown(500), [500]);
  for (let amount = 100; amount < 60_000; amount += 700) {
    const stack = breakdown(amount);
    assert.ok(stack.length <= 6);
    assert.deepEqual(
      stack,
      stack.toSorted((a, b) => b - a),
    );
    assert.ok(stack.every((value) => DENOMINATIONS.includes(value)));
    assert.ok(stack.reduce((sum, value) => sum + value, 0) <= amount);
  }
});

test("less than the smallest chip is one odd piece", () => assert.deepEqual(breakdown(50), [1]));
