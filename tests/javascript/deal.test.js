import assert from "node:assert/strict";
import { test } from "node:test";

import * as standing from "../../src/croupier/web/static/js/deal/standing.js";

const seat = (number, more = {}) => ({
  number,
  player: `p${number}`,
  wagers: {},
  cards: [],
  lines: [],
  folded: false,
  ...more,
});
const round = (more = {}) => ({
  number: 4,
  phase: "settling",
  community: [],
  dealer: [],
  box: [],
  set_aside: [],
  seats: [],
  ...more,
});
const state = (more = {}) => ({
  view: { round: round(), is_open: true, seats: [{ player: "ann" }], source: "live" },
  paid: null,
  entered: { cards: new Set(), seats: new Set() },
  retyping: 0,
  rules: { cards: { player: 2 } },
  ...more,
});
const paying = { step: "settle", seat: 5 };

test("the keys of the console itself are no answers", () => {
  assert.deepEqual(standing.answerKeys(["4x", "check", "now"]), { "4x": "4", check: "c", now: "1" });
});

test("a step waits for the roles that may do it; the operator only where nobody else can", () => {
  assert.equal(standing.waitsFor({ by: ["floorperson", "operator"] }), "the floorperson");
  assert.equal(standing.waitsFor({ by: ["operator"] }), "the operator");
  assert.equal(standing.waitsFor({ by: ["player", "cashier"] }), "a player or cashier");
});

test("the title of a step names its seat", () => {
  assert.equal(standing.stepTitle({ step: "ask", seat: 1, label: "Ask" }), "Seat 1: action?");
  assert.equal(standing.stepTitle({ step: "settle", seat: 2, label: "Settle" }), "Seat 2: pay and take");
  assert.equal(standing.stepTitle({ step: "reveal", seat: 0, label: "Reveal the flop" }), "Reveal the flop");
});

test("what only a look at the table can tell is left empty in a form", () => {
  const step = { step: "view", asks: ["count", "player"], command: { type: "x", count: 0, player: "", seat: 3 } };
  assert.deepEqual(standing.prefilled(step, { player: ["ann", "bob"] }), { type: "x", seat: 3 });
  assert.deepEqual(standing.prefilled(step, { player: ["ann"] }), { type: "x", seat: 3, player: "ann" });
});

test("hands are paid from the highest seat down, without those that are paid, folded or typed", () => {
  const seats = [1, 2, 3, 4, 5].map((number) => seat(number));
  const table = (more) => state({ view: { round: round({ seats }) }, ...more });
  assert.equal(standing.handAfter(table({}), 5), 4);
  assert.equal(standing.handAfter(table({ entered: { cards: new Set(), seats: new Set([4]) } }), 5), 3);
  assert.equal(standing.handAfter(table({ paid: { seats: [{ seat: 4, cards_too: true }] } }), 5), 3);
  assert.equal(standing.handAfter(table({}), 1), 0);
});

test("a hand that was typed lies open; what a fold has lost is gone", () => {
  const seats = [
    seat(1, { cards: [null, null] }),
    seat(2, { folded: true, cards: [null], wagers: { ante: "5.00", trips: "5.00" } }),
  ];
  const paid = {
    seats: [
      { seat: 1, state: "next", cards: ["As", "Kd"], lines: [] },
      { seat: 2, state: "folded", cards: [], cards_too: true, lines: [{ wager: "ante", result: "lose" }] },
    ],
  };
  const [first, second] = standing.dealersView({ round: round({ seats }) }, paid).round.seats;
  assert.deepEqual(first.cards, ["As", "Kd"]);
  assert.deepEqual([second.wagers, second.cards], [{ trips: "5.00" }, []]);
});

test("a card lies in one place only", () => {
  const table = state({
    view: { round: round({ community: ["2c", null], seats: [seat(1, { cards: ["3d"] })] }) },
    entered: { cards: new Set(["4h"]), seats: new Set() },
    paid: { seats: [{ state: "next", cards: ["5s"] }] },
  });
  assert.deepEqual([...standing.cardsOnTable(table)].sort(), ["2c", "3d", "4h", "5s"]);
});

test("the cards that are typed: of the step, of the seat after, or of a hand again", () => {
  const seats = [seat(4), seat(5)];
  const table = state({ view: { round: round({ seats, community: ["2c", null, null] }) } });
  const of = (more, step) => {
    const { key, count, words } = standing.cardsToEnter({ ...table, ...more }, step);
    return [key, count, words];
  };
  assert.deepEqual(of({}, { place: "community", seat: 0, cards: 3 }), ["4-community-0-1", 3, ""]);
  assert.deepEqual(of({}, paying), ["4-player-4-0", 2, "Or type seat 4’s cards: the last one pays this seat."]);
  assert.deepEqual(of({}, { step: "collect", seat: 0 }), ["", 0, ""]);
  assert.equal(of({ retyping: 5 }, paying)[0], "4-again-5");
});

test("a hand that is typed again may have its own cards", () => {
  const table = state({ paid: { seats: [{ state: "next", cards: ["5s"] }] }, retyping: 5 });
  assert.ok(!standing.cardsToEnter(table, paying).seen.has("5s"));
});

test("who has nothing to do reads why", () => {
  const idle = (work, view = {}) =>
    standing.idleWords({
      view: { ...state().view, round: round({ phase: "over" }), ...view },
      work: { staff: {}, steps: [], duties: [], ...work },
      person: { name: "Dan" },
    }).title;
  assert.equal(idle({ staff: { dealer: "Dora" } }), "Dora deals here");
  assert.equal(
    idle({ steps: [{ mine: false, by: ["floorperson"], label: "Sign", words: "it" }] }),
    "Waits for the floorperson",
  );
  assert.equal(idle({}, { is_open: false }), "This table is closed");
  assert.equal(idle({}, { seats: [{ player: null }] }), "Nobody is seated");
  assert.equal(idle({}, { round: round({ phase: "betting" }) }), "Bets are open");
  assert.equal(idle({}), "Nothing waits");
});
