import "./browser.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const { Live, withChanges } = await import("../../src/croupier/web/static/js/shared/live.js");

const view = {
  version: 4,
  clock: null,
  me: { rack: "100.00" },
  seats: [
    { number: 1, player: "ann" },
    { number: 2, player: null },
  ],
  round: { number: 1, phase: "betting", seats: [{ number: 1, wagers: {} }] },
};

test("what has not changed is kept as it was", () => {
  const next = withChanges(view, { changes: { version: 5 } });
  assert.equal(next.version, 5);
  assert.equal(next.seats[0], view.seats[0]);
  assert.deepEqual(next.round, view.round);
  assert.equal(view.version, 4, "the view before stays whole");
});

test("seats and hands change by their place, the round and one's own by their fields", () => {
  const next = withChanges(view, {
    changes: { version: 5 },
    seats: { 1: { number: 2, player: "bob" } },
    round: { phase: "closed" },
    hands: { 0: { number: 1, wagers: { ante: "10.00" } } },
    own: { me: { rack: "90.00" } },
  });
  assert.deepEqual(next.seats, [
    { number: 1, player: "ann" },
    { number: 2, player: "bob" },
  ]);
  assert.deepEqual(next.round, { number: 1, phase: "closed", seats: [{ number: 1, wagers: { ante: "10.00" } }] });
  assert.equal(next.me.rack, "90.00");
});

test("all hands come where their number has changed", () => {
  const hands = [{ number: 1 }, { number: 2 }];
  assert.deepEqual(withChanges(view, { hands }).round.seats, hands);
  assert.deepEqual(withChanges(view, { hands: [] }).round.seats, []);
});

/** The sockets that were opened, the newest last. */
let sockets;

beforeEach(() => {
  sockets = [];
  globalThis.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    sent = [];
    constructor(url) {
      this.url = url;
      sockets.push(this);
    }
    send(words) {
      this.sent.push(JSON.parse(words));
    }
    close() {
      this.onclose({ code: 1000 });
    }
    hear(frame) {
      this.onmessage({ data: JSON.stringify(frame) });
    }
  };
});

test("after a loss the connection goes on from the last frame, and greets again", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const frames = [];
  const states = [];
  const live = new Live(
    "T 1",
    (frame) => frames.push(frame.view),
    (...state) => states.push(state.join(" ")),
  );
  sockets[0].onopen();
  live.greet({ pace: "quick" });
  sockets[0].hear({ seq: 7, view });
  sockets[0].hear({ seq: 8, changes: { version: 5 } });
  assert.deepEqual(
    frames.map(({ version }) => version),
    [4, 5],
  );
  sockets[0].onclose({ code: 1006 });
  assert.equal(sockets.length, 1, "it waits a moment");
  context.mock.timers.tick(300);
  assert.equal(sockets.length, 2);
  assert.match(sockets[1].url, /\/tables\/T%201\/live\?.*after=8$/);
  sockets[1].onopen();
  assert.deepEqual(sockets[1].sent, [{ pace: "quick" }]);
  sockets[1].hear({ seq: 9, changes: { version: 6 } });
  assert.equal(frames.at(-1).version, 6);
  assert.deepEqual(states, ["joined false", "joined false", "lost", "joined true"]);
});

test("a table that has closed is not asked for again", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const states = [];
  new Live(
    "T1",
    () => {},
    (state) => states.push(state),
  );
  sockets[0].onclose({ code: 4404 });
  context.mock.timers.tick(60_000);
  assert.deepEqual([states, sockets.length], [["gone"], 1]);
});

test("frames of a connection that was given up are not shown", () => {
  const frames = [];
  const live = new Live(
    "T1",
    (frame) => frames.push(frame),
    () => {},
  );
  live.reopen();
  sockets[0].hear({ seq: 1, view });
  assert.deepEqual(frames, []);
  assert.equal(sockets.length, 2);
  assert.doesNotMatch(sockets[1].url, /after/);
});
