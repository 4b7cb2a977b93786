import "./browser.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const keys = await import("../../src/croupier/web/static/js/shared/keys.js");
const { KeyQueue } = await import("../../src/croupier/web/static/js/deal/key-queue.js");
const { choose } = await import("../../src/croupier/web/static/js/shared/settings.js");

const nowhere = { matches: () => false, closest: () => null };
/** A field that matches these selectors. */
const field = (...kinds) => ({
  matches: (selector) => selector.split(", ").some((part) => kinds.includes(part)),
  closest: () => null,
});
const press = (key, more = {}) =>
  Object.assign(new Event("keydown", { cancelable: true }), {
    key,
    code: "",
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    repeat: false,
    ...more,
  });
const read = (key, more = {}, target = nowhere) => {
  const event = press(key, more);
  Object.defineProperty(event, "target", { value: target });
  return keys.readKey(event);
};

beforeEach(() => {
  choose("keymap", {});
  choose("shortcuts", true);
});

test("a key that was changed answers in place of the first one", () => {
  choose("keymap", { d: "x" });
  const deal = { keys: ["d", "enter"] };
  assert.equal(keys.keyOf("D"), "X");
  assert.deepEqual(keys.keysOf(deal), ["x", "enter"]);
  assert.ok(keys.answersTo(deal, { key: "X", inField: false }));
  assert.ok(!keys.answersTo(deal, { key: "d", inField: false }));
});

test("single letters can be switched off; Enter and space stay", () => {
  choose("shortcuts", false);
  assert.equal(keys.keyOf("d"), "");
  assert.equal(keys.shortcut("d"), null);
  assert.deepEqual(keys.keysOf({ keys: ["d", "enter", " "] }), ["enter", " "]);
});

test("in a field only shortcuts marked `always` answer, and `when` has the last word", () => {
  assert.ok(!keys.answersTo({ keys: ["w"] }, { key: "w", inField: true }));
  assert.ok(keys.answersTo({ keys: ["w"], always: true }, { key: "w", inField: true }));
  assert.ok(!keys.answersTo({ keys: ["w"], when: () => false }, { key: "w", inField: false }));
});

test("keys with Ctrl, held down, or typed into a text mean nothing here", () => {
  assert.deepEqual(read("d"), { key: "d", shift: false, inField: false });
  assert.equal(read("d", { ctrlKey: true }), null);
  assert.equal(read("d", { repeat: true }), null);
  assert.equal(read("d", {}, field("input")), null);
});

test("a field of amounts takes the digits and leaves the letters", () => {
  const amount = field("input", "[type=number]");
  assert.equal(read("5", {}, amount), null);
  assert.deepEqual(read("w", {}, amount), { key: "w", shift: false, inField: true });
});

test("with Shift the place of a digit counts, not its sign", () => {
  assert.equal(read("!", { code: "Digit1", shiftKey: true }).key, "1");
  choose("keymap", { c: "!" });
  assert.equal(read("!", { code: "Digit1", shiftKey: true }).key, "!");
});

test("keys rest after somebody else's change of the question, not after one's own", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  assert.equal(keys.asks("first"), false);
  assert.equal(keys.asks("first"), false);
  assert.equal(keys.asks("own", true), false);
  assert.equal(keys.asks("somebody else's"), true);
  assert.ok(keys.isResting());
  context.mock.timers.tick(250);
  assert.ok(!keys.isResting());
});

test("keys that are pressed while a command is on its way wait in their order", () => {
  let busy = false;
  const heard = [];
  const queue = new KeyQueue({
    isBusy: () => busy,
    handle: ({ key }) => {
      heard.push(key);
      busy = true; // every key sends a command
      return true;
    },
  });
  const type = (...typed) => {
    for (const key of typed) {
      const event = press(key);
      Object.defineProperty(event, "target", { value: nowhere });
      queue.hear(event);
    }
  };
  type("a", "b", "Tab", "c");
  assert.deepEqual(heard, ["a"]);
  busy = false;
  queue.goOn();
  assert.deepEqual(heard, ["a", "b"]);
  queue.clear();
  busy = false;
  queue.goOn();
  assert.deepEqual(heard, ["a", "b"]);
});
