import { serve, wager } from "./browser.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const { Betting } = await import("../../src/croupier/web/static/js/table/betting.js");
const { choose } = await import("../../src/croupier/web/static/js/shared/settings.js");

const rules = {
  bonuses: [],
  wagers: [
    wager("ante"),
    wager("blind", { equals: "ante" }),
    wager("trips", { role: "optional", needs: ["ante"], least: "5.00", most: "100.00" }),
    wager("bonus", { role: "optional", needs: [], stakes: ["1.00", "5.00"] }),
    wager("play", { role: "decided" }),
  ],
};
let refusals, requests, betting;

const view = (more = {}) => ({
  version: 1,
  me: { player: "ann", rack: "1000.00", seats: [2] },
  actions: [{ do: "place", seat: 2 }],
  round: { number: 7, phase: "betting", seats: [], ...more.round },
  ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== "round")),
});

beforeEach(() => {
  refusals = [];
  let version = 1;
  requests = serve(({ path }) => (path === "/me" ? { csrf: "token" } : { version: (version += 1) }));
  choose("last", {});
  betting = new Betting("T1", rules, { onChange: () => {}, onRefused: (...said) => refusals.push(said) });
  betting.sync(view(), 2);
});

const commands = () => requests.filter(({ path }) => path.includes("/commands")).map(({ body }) => body);

test("equal wagers grow together", () => {
  assert.ok(betting.add("ante", 2500));
  assert.ok(betting.add("blind", 500));
  assert.deepEqual(betting.stakes, { ante: 3000, blind: 3000 });
  assert.equal(betting.total, 6000);
  assert.ok(betting.isComplete);
});

test("a stake stays within the limits of its spot", () => {
  betting.add("ante", 100);
  assert.equal(betting.stakes.ante, 1000);
  betting.add("trips", 50_000);
  assert.equal(betting.stakes.trips, 10_000);
});

test("a wager that needs another one is refused with its clause", () => {
  assert.equal(betting.add("trips", 500), false);
  assert.deepEqual(refusals, [["Ante first: Trips goes with it.", "1(trips)", false]]);
});

test("fixed stakes go through their sizes and then away", () => {
  const sizes = [];
  for (let n = 0; n < 4; n += 1) {
    betting.add("bonus", 2500);
    sizes.push(betting.stakes.bonus);
  }
  assert.deepEqual(sizes, [100, 500, undefined, 100]);
});

test("what is bet later, or while bets are closed, is refused", () => {
  assert.equal(betting.add("play", 500), false);
  betting.sync(view({ actions: [] }), 2);
  assert.equal(betting.add("ante", 500), false);
  betting.held = true;
  assert.equal(betting.add("ante", 500), false);
  assert.deepEqual(
    refusals.map(([words]) => words),
    [
      "Play is bet later, when you are asked.",
      "Bets are closed: this round is being played.",
      "One moment: your chips are on their way.",
    ],
  );
});

test("nobody bets more than they have", () => {
  betting.sync(view({ me: { player: "ann", rack: "30.00", seats: [2] } }), 2);
  assert.equal(betting.add("ante", 2500), false);
  assert.deepEqual(refusals, [["That bet takes $50, and you have $30.", null, true]]);
  assert.deepEqual(betting.stakes, {});
});

test("a side bet goes when its ante goes, and undo brings both back", () => {
  betting.add("ante", 1000);
  betting.add("trips", 500);
  betting.remove("blind");
  assert.deepEqual(betting.stakes, {});
  betting.undo();
  assert.deepEqual(betting.stakes, { ante: 1000, blind: 1000, trips: 500 });
});

test("the last round's bets are kept for a rebet", () => {
  betting.add("ante", 1000);
  betting.sync(view({ version: 2, round: { number: 7, phase: "deciding", seats: [mine({ ante: "10.00" })] } }), 2);
  assert.equal(betting.rebet(), false, "bets are closed");
  betting.sync(view({ version: 3, round: { number: 8, phase: "betting", seats: [] } }), 2);
  assert.deepEqual(betting.last, { ante: 1000 });
  assert.ok(betting.rebet());
  assert.deepEqual(betting.stakes, { ante: 1000 });
});

const mine = (wagers) => ({ number: 2, player: "ann", wagers });

test("only what differs is sent", async () => {
  betting.sync(
    view({ round: { number: 7, phase: "betting", seats: [mine({ bonus: "1.00", ante: "10.00", blind: "10.00" })] } }),
    2,
  );
  betting.remove("bonus");
  betting.add("ante", 1000);
  assert.ok(await betting.flush());
  assert.deepEqual(commands(), [
    { type: "take_back", seat: 2, wagers: ["bonus"] },
    { type: "place_wagers", seat: 2, wagers: { ante: "20.00", blind: "20.00" } },
  ]);
});

test("all bets are taken back with one command", async () => {
  betting.sync(view({ round: { number: 7, phase: "betting", seats: [mine({ ante: "10.00", blind: "10.00" })] } }), 2);
  betting.clear();
  await betting.flush();
  assert.deepEqual(commands(), [{ type: "take_back", seat: 2, wagers: [] }]);
});

test("a frame that lags behind the answer does not take the bets away", async () => {
  betting.add("ante", 1000);
  await betting.flush();
  betting.sync(view({ version: 1 }), 2);
  assert.deepEqual(betting.stakes, { ante: 1000, blind: 1000 });
});

test("a refusal of the server brings back what lies there", async () => {
  serve(({ path }) =>
    path === "/me"
      ? { csrf: "token" }
      : { status: 409, code: "over_limit", message: "the limit is $5", clause: "9(b)" },
  );
  betting.add("ante", 1000);
  assert.equal(await betting.flush(), false);
  assert.deepEqual(refusals, [["The limit is $5.", "9(b)"]]);
  assert.deepEqual(betting.stakes, {});
});
