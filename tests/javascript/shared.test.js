import { serve } from "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const js = "../../src/croupier/web/static/js";
const { gist } = await import(`${js}/shared/hints.js`);
const { plain } = await import(`${js}/shared/announce.js`);
const { learnNames, nameOf, named } = await import(`${js}/shared/names.js`);
const { lasting, date } = await import(`${js}/shared/waiting.js`);
const { oneAtATime } = await import(`${js}/shared/one-at-a-time.js`);
const { payWords } = await import(`${js}/deal/payouts.js`);
const { units } = await import(`${js}/table/advice.js`);
const { gameFor, link, rulebookOf } = await import(`${js}/school/parts.js`);
const { streamTitle } = await import(`${js}/audit/journal.js`);
const { addressed } = await import(`${js}/felt/result.js`);

test("a clause without words of its own shows those of the nearest one around it", () => {
  const rules = { clauses: { "10.A": "the section", "10.A(2)": "the paragraph" } };
  assert.equal(gist("10.A(2)", rules), "the paragraph");
  assert.equal(gist("10.A(2)(a)", rules), "the paragraph");
  assert.equal(gist("10.A(3)(b)", rules), "the section");
  assert.match(gist("11.B", rules), /not summarized here/);
});

test("words for the ear have cards in words and no clauses", () => {
  assert.equal(plain("flop: board Qc 5h [10.A(2)(a)]"), "flop: board queen of clubs five of hearts");
});

test("guests are shown by the name that they chose", async () => {
  const requests = serve(() => ({ names: { "guest-0a1b2c": "River" } }));
  assert.equal(nameOf("guest-0a1b2c"), "Guest 0a1b2c");
  await learnNames(["ann", "guest-0a1b2c", "guest-0a1b2c", null], 1);
  await learnNames(["guest-0a1b2c"], 1);
  assert.equal(requests.length, 1, "asked once for each moment");
  assert.equal(named("guest-0a1b2c folds"), "River folds");
  assert.equal(nameOf("ann"), "ann");
});

test("how long something has waited", () => {
  assert.equal(lasting(-3), "0 s");
  assert.equal(lasting(59.9), "59 s");
  assert.equal(lasting(61), "1 min");
  assert.equal(lasting(3900), "1 h 5 min");
  assert.equal(date("2026-11-15"), "Nov 15, 2026");
  assert.equal(date(""), "");
});

test("questions do not overtake each other, and many are answered by one more", async () => {
  let running = 0;
  let runs = 0;
  const run = oneAtATime(async () => {
    running += 1;
    assert.equal(running, 1);
    await new Promise((done) => setTimeout(done, 5));
    running -= 1;
    runs += 1;
  });
  await Promise.all([run(), run(), run(), run()]);
  assert.equal(runs, 2);
});

test("what the dealer pays and takes", () => {
  assert.equal(payWords({ pays: "45.00", takes: "10.00" }), "Pay $45, take $10");
  assert.equal(payWords({ pays: "0.00", takes: "10.00" }), "Take $10");
  assert.equal(payWords({ pays: "0.00", takes: "0.00" }), "Nothing changes hands");
  assert.equal(units(-0.12345), "−0.123");
});

test("only payouts depend on the paytables of a game", () => {
  assert.equal(rulebookOf("md-uth:trips=D"), "md-uth");
  assert.equal(gameFor("payout.trips", "md-uth:trips=D"), "md-uth:trips=D");
  assert.equal(gameFor("hands.dealer", "md-uth:trips=D"), "md-uth");
  assert.equal(link("drill", { skill: "payout.trips", game: "" }), "/school/drill?skill=payout.trips");
  assert.equal(link(""), "/school");
});

test("streams of the journal have titles", () => {
  assert.equal(streamTitle("table:md-uth"), "Table md-uth");
  assert.equal(streamTitle("attempts:T1"), "Refused attempts at T1");
  assert.equal(streamTitle("patron:a:b"), "Account of a:b");
});

test("a story speaks to the player it is about", () => {
  assert.equal(
    addressed("Nobody beats the player: the dealer pays the player's Ante."),
    "Nobody beats you: the dealer pays your Ante.",
  );
});
