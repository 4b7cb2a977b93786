// Keys for everything. A page gives a list; the help shows the same list, so it cannot go stale. Every key can be
// changed, and those that are a single letter, digit or sign can be switched off (Settings).

import { $$, h, refill, say } from "./dom.js";
import { choose, chosen } from "./settings.js";
import { openBox } from "./sheets.js";

/** @type {any} */ let shown = null; // opens the list of this page's keys

const isCharacter = (key) => key.length === 1 && key !== " ";
const isOff = (key) => isCharacter(key) && !chosen("shortcuts");

/** The key of a shortcut as this browser has it; nothing where it is off. */
export function keyOf(first) {
  if (!first || isOff(first)) return "";
  const changed = chosen("keymap")[first.toLowerCase()];
  return changed ? changed.toUpperCase() : first;
}

/** The key beside a button's title. */
export const kbd = (first) => (keyOf(first) ? h("kbd", { "aria-hidden": "true" }, keyOf(first)) : null);

/** For `aria-keyshortcuts`. */
export const shortcut = (first) => keyOf(first) || null;

export const keysOf = (shortcut) => shortcut.keys.map((key) => keyOf(key).toLowerCase()).filter(Boolean);

/** The keys of this page, for the help and the settings. `more` stands below the list. */
export function offer(list, more = "") {
  shown = () => help(list, more);
  markTop();
  addEventListener("chosen", markTop);
}

// -- what a key means -----------------------------------------------------------------------

const REST = 250; // milliseconds
const FIELD = "input, select, textarea";
const AMOUNT = "[type=number], [inputmode=numeric], [inputmode=decimal]";
const OF_AMOUNTS = /^[\d.,$-]$/;
/** Fields that no letter belongs into. */
const LETTERLESS = `select, [type=checkbox], [type=radio], ${AMOUNT}`;

/** @type {any} */ let currentQuestion = null;
let rest = 0;
/** @type {any} */ let before = null; // what had the focus when the question moved

/** What the keys answer now. After somebody else's change of it they rest for a moment: nobody means what they press
    before they have read the new question. True where they do. */
export function asks(question, isOwn = false) {
  if (question === currentQuestion) return false;
  const isFirst = currentQuestion === null;
  currentQuestion = question;
  if (isFirst || isOwn) return false;
  clearTimeout(rest);
  before = document.activeElement;
  document.body.dataset.resting = "";
  rest = setTimeout(() => {
    delete document.body.dataset.resting;
    dispatchEvent(new Event("rested"));
  }, REST);
  return true;
}

export const isResting = () => "resting" in document.body.dataset;

/** A field of a dialog that was just closed may still have the focus: it is none any more. */
export const isField = (at) => Boolean(at?.matches?.(FIELD)) && !at.closest("dialog:not([open])");

const hasModifier = (event) => event.ctrlKey || event.metaKey || event.altKey;

/** A field or button that came up with the new question takes no keys while they rest. One that had the focus before
    belongs to what the person was doing, and so does a dialog. */
function isTooEarly(event) {
  const at = event.target;
  return (
    isResting() &&
    at !== before &&
    !hasModifier(event) &&
    event.key !== "Tab" &&
    Boolean(at.matches?.(`${FIELD}, button`)) &&
    !at.closest("dialog")
  );
}

/** `{key, shift, inField}`; nothing for a key that is held down, goes with Ctrl or Alt, or belongs to a dialog or to the
    field it is typed into. In a field that takes no letters, in a dialog too, only the shortcuts marked `always` count. */
export function readKey(event) {
  if (hasModifier(event) || event.defaultPrevented || event.repeat || event.isComposing) return null;
  const at = event.target;
  const inField = isField(at);
  if (inField && at.matches(AMOUNT) && OF_AMOUNTS.test(event.key)) return null;
  if (document.querySelector("dialog[open]"))
    return inField && at.matches(AMOUNT) ? { key: event.key, shift: event.shiftKey, inField } : null;
  if (inField && leaves(event, at)) return null;
  if (inField && !at.matches(LETTERLESS)) return null;
  return { key: digitOf(event) ?? event.key, shift: event.shiftKey, inField };
}

/** Escape leaves a field, so that the other keys count again; Enter sends what was picked from a list. */
function leaves(event, at) {
  if (event.key === "Escape") at.blur();
  else if (event.key === "Enter" && at.matches("select") && at.form) at.form.requestSubmit();
  else return false;
  event.preventDefault();
  return true;
}

/** With Shift a digit is another sign, and on some keyboards the sign is the one without: the place of the key counts.
    A sign that was chosen as a shortcut stays one. */
function digitOf({ key, code, shiftKey }) {
  const [, row, digit] = /^(Digit|Numpad)(\d)$/.exec(code) ?? [];
  if (!digit || /^[a-z]$/i.test(key) || Object.values(chosen("keymap")).includes(key)) return null;
  return row === "Digit" || shiftKey || key.length === 1 ? digit : null;
}

/** Does this shortcut answer to the key that was read? */
export const answersTo = (shortcut, { key, inField }) =>
  keysOf(shortcut).includes(key.toLowerCase()) &&
  (!inField || Boolean(shortcut.always)) &&
  (!shortcut.when || shortcut.when());

let held = ""; // a shortcut whose key is still down

/** This key did something: until it comes up, it types nothing into the field that it opened. */
export function taken(event) {
  event.preventDefault();
  held = event.code;
}

// Enter that is held down would press a button again and again.
addEventListener(
  "keydown",
  (/** @type {any} */ event) => {
    if (isTooEarly(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (!event.repeat) held = "";
    else if (event.code === held || (event.key === "Enter" && !event.target.matches?.("textarea")))
      event.preventDefault();
  },
  true,
);

/** @type {any} */ let clicked = null; // the button that has its focus from the mouse, also when a dialog gives it back
addEventListener(
  "pointerdown",
  (/** @type {any} */ { target }) => {
    if (!target.closest?.("dialog")) clicked = target.closest?.("button, a, summary");
  },
  true,
);
addEventListener("focusin", (/** @type {any} */ { target }) => {
  if (target !== clicked && !target.closest("dialog")) clicked = null;
});

const isPress = ({ key }) => key === "Enter" || key === " ";

/** Enter and space on a button belong to the button, unless it was clicked and has its focus from that. */
export const isOfButton = (event) =>
  isPress(event) && event.target.matches?.("button, a, summary") && event.target !== clicked;

/** `list()` gives [{keys: ["d"], words, run, when?, always?}]; keys are compared in lower case. */
export function listen(list, more = "") {
  offer(list, more);
  addEventListener("keydown", (/** @type {any} */ event) => {
    const pressed = readKey(event);
    if (!pressed || isResting() || isOfButton(event)) return;
    const shortcut = list().find((candidate) => answersTo(candidate, pressed));
    if (!shortcut) return;
    taken(event);
    if (isPress(event)) event.target.blur?.(); // where it was clicked before: some browsers press it with the key's end
    shortcut.run();
  });
}

/** The buttons on top of the page tell assistive technology which key they have. */
function markTop() {
  for (const node of $$(".top [aria-keyshortcuts], .top [data-shortcut]")) {
    node.dataset.shortcut ??= node.getAttribute("aria-keyshortcuts");
    const key = keyOf(node.dataset.shortcut);
    if (key) node.setAttribute("aria-keyshortcuts", key);
    else node.removeAttribute("aria-keyshortcuts");
  }
}

/** What opens the keys of this page, if it has any. */
export const openKeys = () => shown;

const NAMES = { " ": "space", enter: "enter", backspace: "⌫", escape: "esc", arrowleft: "←", arrowright: "→" };
const name = (key) => NAMES[key] ?? key;

export function help(list, more = "") {
  const state = h("p", { role: "status" });
  const rows = h("dl.keys");
  const fill = () =>
    refill(
      rows,
      list().map((shortcut) => row(shortcut)),
    );
  const row = (shortcut) => [
    h(
      "dt",
      {},
      keysOf(shortcut).map((key, n) => [n ? " " : "", h("kbd", {}, name(key))]),
    ),
    h(
      "dd",
      {},
      shortcut.words,
      isCharacter(shortcut.keys[0])
        ? h(
            "button.link",
            {
              type: "button",
              data: { name: `key-${shortcut.keys[0]}` },
              "aria-label": `Change the key: ${shortcut.words}`,
              onclick: (event) => change(shortcut, event.currentTarget),
            },
            "Change",
          )
        : null,
    ),
  ];
  const change = (shortcut, button) => {
    say(state, `Press the new key for “${shortcut.words}”. Escape leaves it as it is.`);
    button.addEventListener(
      "keydown",
      (event) => {
        if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return change(shortcut, button);
        event.preventDefault();
        event.stopPropagation();
        say(state, take(shortcut, event.key.toLowerCase(), list()));
        fill();
        return null;
      },
      { once: true },
    );
  };
  const letters = h("input", {
    type: "checkbox",
    name: "shortcuts",
    onchange: () => {
      choose("shortcuts", letters.checked);
      fill();
    },
  });
  letters.checked = chosen("shortcuts");
  fill();
  openBox(
    "Keys",
    rows,
    more ? h("p", {}, more) : null,
    state,
    h(
      "div.doors",
      {},
      h("label", {}, letters, " Shortcuts with single letters and numbers"),
      h(
        "button.plain",
        {
          type: "button",
          onclick: () => {
            choose("keymap", {});
            fill();
            say(state, "All keys are reset.");
          },
        },
        "Reset all keys",
      ),
    ),
  );
}

/** Give a shortcut another key; the sentence says what came of it. */
function take(shortcut, key, all) {
  if (key === "escape") return "Nothing is changed.";
  if (!isCharacter(key)) return "Choose a letter, a digit or a sign.";
  const rival = all.find((each) => each !== shortcut && each.words !== shortcut.words && keysOf(each).includes(key));
  if (rival) return `“${key}” is taken: ${rival.words}. Choose another key.`;
  choose("keymap", { ...chosen("keymap"), [shortcut.keys[0]]: key });
  return `“${key}” now does this: ${shortcut.words}.`;
}
