import { wager } from "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { bettingPrompt, chipsLeft, decisionPrompt, promptOf } =
  await import("../../src/croupier/web/static/js/table/prompts.js");
const { Sending } = await import("../../src/croupier/web/static/js/table/sending.js");
const { payments, timeline } = await import("../../src/croupier/web/static/js/table/settlement.js");
const { shortcutsOf, spotKeys } = await import("../../src/croupier/web/static/js/table/shortcuts.js");

const rules = {
  title: "Ultimate",
  bonuses: [],
  wagers: [
    wager("ante"),
    wager("blind", { equals: "ante" }),
    wager("trips", { role: "optional" }),
    wager("jackpot", { role: "optional", progressive: true }),
  ],
  decisions: [{ name: "flop", answers: ["2x", "check"] }],
};

/** A page as TablePage is for the prompts, with what a test changes. */
function page({ view = {}, betting = {}, ...more } = {}) {
  return {
    rules,
    staff: "",
    demo: true,
    seats: [2],
    busy: false,
    arriving: false,
    asked: false,
    canSkip: false,
    keys: spotKeys(rules),
    answerKeys: { "2x": "2", check: "C" },
    advice: { found: null },
    betting: { isOpen: false, isComplete: false, total: 0, canUndo: false, last: null, seat: 2, ...betting },
    view: {
      me: { player: "ann", rack: "100.00" },
      seats: [
        { number: 2, player: "ann" },
        { number: 3, player: null },
      ],
      actions: [],
      is_open: true,
      source: "virtual",
      dealt_by: "software",
      part: [],
      ...view,
      round: { number: 1, phase: "over", seats: [], ...view.round },
    },
    ...more,
  };
}
const names = ({ buttons }) => buttons.map(({ name }) => name);

test("visitors are offered a seat, or other tables where there is none", () => {
  const visitor = (more) => promptOf(page({ seats: [], view: { me: null, ...more } }));
  assert.deepEqual(names(visitor({})), ["lobby", "sit"]);
  assert.match(visitor({ seats: [{ number: 1, player: "bob" }] }).prompt, /^Every seat is taken/);
  assert.match(visitor({ is_open: false }).prompt, /^This table is closed/);
});

test("people who work here go to their work", () => {
  const staff = promptOf(page({ seats: [], staff: "dealer", table: "T1", view: { me: null } }));
  assert.deepEqual([names(staff), staff.buttons[0].title], [["floor"], "Deal"]);
});

test("the first prompt names the bet, its limits, and what goes with it", () => {
  assert.equal(bettingPrompt(page()).prompt, "Welcome. Place your Ante to play. Blind goes with it, $10 to $500 each.");
});

test("undo, clear and deal come with the first chip; leave goes", () => {
  const before = bettingPrompt(page());
  assert.deepEqual(names(before), ["deal", "leave"]);
  assert.equal(before.buttons[0].why, "Bet on Ante and Blind first.");
  const after = bettingPrompt(page({ betting: { total: 2000, canUndo: true, isComplete: true } }));
  assert.deepEqual(names(after), ["undo", "clear", "deal"]);
  assert.equal(after.buttons.at(-1).sub, "$20 bet");
});

test("after a round the last bets are one press away", () => {
  const again = bettingPrompt(page({ betting: { last: { ante: 1000, blind: 1000 } } }));
  assert.deepEqual(names(again), ["rebet", "again", "leave"]);
  assert.equal(again.buttons[0].sub, "$20");
});

test("an answer that costs more than the player has is off, and more chips are offered", () => {
  const asked = page({
    asked: true,
    view: {
      me: { player: "ann", rack: "5.00" },
      round: { phase: "deciding", decision: "flop", turn: 2 },
      actions: [
        { do: "say", seat: 2, action: "check", cost: "0.00" },
        { do: "say", seat: 2, action: "2x", cost: "20.00", affordable: false },
        { do: "say", seat: 3, action: "fold", cost: "0.00" },
      ],
    },
  });
  const { prompt, buttons, offers } = decisionPrompt(asked);
  assert.equal(prompt, "Your turn, on the flop.");
  assert.deepEqual(names({ buttons }), ["2x", "check"]);
  assert.deepEqual([buttons[0].off, buttons[0].why], [true, "This costs $20, and you have $5."]);
  assert.equal(offers.title, "Buy $500 more");
});

test("the rack shows what is left after the chips on the spots", () => {
  const laid = page({
    betting: { total: 3000 },
    view: { round: { phase: "betting", seats: [{ number: 2, player: "ann", wagers: { ante: "10.00" } }] } },
  });
  assert.equal(chipsLeft(laid), 10_000 + 1000 - 3000);
});

test("spots have keys by what they are for", () => {
  assert.deepEqual(spotKeys(rules), { ante: "A", trips: "Z", jackpot: "P" });
});

test("no key stands for two things at once", () => {
  for (const state of [{ betting: { isOpen: true } }, { asked: true }, { seats: [] }]) {
    const active = shortcutsOf(page(state)).filter(({ when }) => !when || when());
    const used = active.flatMap(({ keys }) => keys);
    assert.equal(new Set(used).size, used.length, used.join(" "));
  }
});

test("lost chips go to the dealer, won ones to the rack by way of the spot", () => {
  const lines = [
    { wager: "ante", net: "-10.00", stake: "10.00", result: "lose" },
    { wager: "trips", net: "15.00", stake: "5.00", result: "win" },
    { wager: "blind", net: "0.00", stake: "10.00", result: "push" },
    { wager: "jackpot", net: "0.00", stake: "1.00", result: "void" },
  ];
  assert.deepEqual(payments(lines), [
    { wager: "ante", amount: 1000, way: ["spot", "house"] },
    { wager: "trips", amount: 1500, way: ["house", "spot", "rack"] },
    { wager: "blind", amount: 1000, way: ["spot", "rack"] },
  ]);
});

test("chips rest at each stop between the ends", () => {
  assert.deepEqual(timeline(2), { total: 480, moments: [[0], [1]] });
  const { total, moments } = timeline(3);
  assert.equal(total, 1380);
  assert.deepEqual(
    moments.flat().map((part) => Math.round(part * total)),
    [0, 480, 900, 1380],
  );
});

/** A sender at a table whose screen shows `seen.version`. */
function sender(seen, more = {}) {
  return new Sending({
    version: () => seen.version,
    look: async () => true,
    onChange: () => {},
    onRefused: () => {},
    ...more,
  });
}

test("a second command waits for the frame of the first", async () => {
  const seen = { version: 1 };
  const done = [];
  const sending = sender(seen);
  await sending.send(async () => ({ version: 2 }));
  assert.ok(sending.busy, "the screen still shows version 1");
  await sending.send(async () => done.push("second"));
  assert.deepEqual(done, []);
  seen.version = 2;
  sending.goOn();
  await new Promise((next) => setTimeout(next));
  assert.deepEqual(done, ["second"]);
});

test("what no longer applies is dropped", async () => {
  const seen = { version: 1 };
  const done = [];
  const sending = sender(seen);
  await sending.send(async () => ({ version: 2 }));
  await sending.send(
    async () => done.push("late"),
    () => false,
  );
  seen.version = 2;
  sending.goOn();
  assert.deepEqual(done, []);
  assert.ok(!sending.busy);
});

test("a refusal is explained, and the next command may go", async () => {
  const refusals = [];
  const sending = sender({ version: 1 }, { onRefused: ({ message }) => refusals.push(message) });
  await sending.send(async () => {
    throw new Error("no");
  });
  assert.deepEqual(refusals, ["no"]);
  assert.ok(!sending.busy);
});
