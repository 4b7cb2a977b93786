import assert from "node:assert/strict";
import { test } from "node:test";

import { wager } from "./browser.js";

const layout = await import("../../src/croupier/web/static/js/shared/layout.js");

const rules = {
  wagers: [
    wager("ante"),
    wager("blind", { equals: "ante" }),
    wager("trips", { role: "optional" }),
    wager("jackpot", { role: "optional", progressive: true }),
    wager("gone", { role: "optional", offered: false }),
    wager("play", { role: "decided" }),
  ],
  bonuses: [{ name: "envy", title: "Envy" }],
  layout: {
    spots: { ante: { row: 2 }, blind: { row: 2 }, trips: { row: 1 }, gone: { row: 1 }, play: { row: 3 } },
    areas: [
      { each: true, row: 3, across: 0 },
      { each: true, row: 9, across: 0 },
      { each: false, row: 1, across: 0 },
    ],
  },
  qualifier: { words: "The dealer qualifies with a pair." },
  inscriptions: [{ kind: "payout_limit", words: "The payout limit per hand: $50,000" }],
  decisions: [
    { wager: "play", bets: { "4x": 4, "3x": 3 }, takes_back: "" },
    { wager: "play", bets: { "2x": 2 }, takes_back: "" },
    { wager: "play", bets: { "1x": 1 }, takes_back: "ante" },
  ],
};

test("spots lie in rows from the dealer's side, without wagers that are not offered", () => {
  const rows = layout.layoutRows(rules).map((row) => [row.number, row.spots.map(({ wager: { name } }) => name)]);
  assert.deepEqual(rows, [
    [1, ["trips"]],
    [2, ["ante", "blind"]],
    [3, ["play"]],
  ]);
  assert.deepEqual(
    layout.layoutRows(rules).map((row) => row.areas.length),
    [0, 0, 1],
  );
});

test("wagers are sorted by what they are for", () => {
  const names = Object.fromEntries(
    Object.entries(layout.wagersByRole(rules)).map(([role, list]) => [role, list.map(({ name }) => name)]),
  );
  assert.deepEqual(names, { main: ["ante", "blind"], sides: ["trips"], progressive: ["jackpot"] });
});

test("equal wagers are found from each of them", () => {
  assert.deepEqual(layout.equalGroup(rules, "ante"), ["ante", "blind"]);
  assert.deepEqual(layout.equalGroup(rules, "blind"), ["ante", "blind"]);
  assert.deepEqual(layout.equalGroup(rules, "trips"), ["trips"]);
});

test("titles come from wagers, then from bonuses", () => {
  assert.equal(layout.titleOf(rules, "ante"), "Ante");
  assert.equal(layout.titleOf(rules, "envy"), "Envy");
  assert.equal(layout.titleOf(rules, "match_play"), "Match play coupon");
  assert.equal(layout.inWords("straight_flush"), "Straight flush");
});

test("answers have titles and say what they cost", () => {
  assert.equal(layout.actionTitle("4x"), "Bet 4×");
  assert.equal(layout.actionTitle("take_back"), "Take back");
  assert.equal(layout.actionTitle("fold"), "Fold");
  assert.equal(layout.actionCost({ action: "4x", cost: "40.00" }), "costs $40");
  assert.equal(layout.actionCost({ action: "take_back", cost: "-10.00" }), "$10 comes back");
  assert.equal(layout.actionCost({ action: "fold", cost: "0.00" }), "gives up the round");
  assert.equal(layout.actionCost({ action: "check", cost: "0.00" }), "no cost");
});

test("every answer has a key of its own that is not reserved", () => {
  const keys = layout.actionKeys(["4x", "3x", "check", "fold", "call", "take_back", "4x"], "F");
  assert.deepEqual(keys, { "4x": "4", "3x": "3", check: "C", fold: "O", call: "A", take_back: "B" });
});

test("an answer whose letters are all taken gets a number", () => {
  assert.deepEqual(layout.actionKeys(["a", "A"]), { a: "A", A: "1" });
});

test("where a round stands", () => {
  assert.equal(layout.roundState(0, "over", false), "No round yet");
  assert.equal(layout.roundState(3, "closed", false), "Round 3 · No more bets");
  assert.equal(layout.roundState(3, "over", true), "Round 3 · Void");
  assert.equal(layout.decisionWords("flop"), "on the flop");
  assert.equal(layout.decisionWords("sixth_card"), "at the sixth card decision");
});

test("the three lines of the cloth", () => {
  const [upper, middle, lower] = layout.clothLines(rules);
  assert.equal(upper, "The dealer qualifies with a pair");
  assert.equal(middle, "Play 4× or 3×, 2×, 1× · Ante may be taken back");
  assert.equal(lower, "Ante $10 to $500 · Payout limit $50,000 a hand");
});
