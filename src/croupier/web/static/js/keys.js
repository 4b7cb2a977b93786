// Keys for everything. A page gives a list; the help shows the same list, so it cannot go stale. Every key can be
// changed, and those that are a single letter, digit or sign can be switched off (Settings).

import { $$, h, refill, say } from "./dom.js";
import { choose, chosen } from "./settings.js";
import { openBox } from "./sheets.js";

let shown = null; // opens the list of this page's keys

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

export const keysOf = (one) => one.keys.map((key) => keyOf(key).toLowerCase()).filter(Boolean);

/** The keys of this page, for the help and the settings. `more` is told below the list. */
export function offer(list, more = "") {
  shown = () => help(list, more);
  markTop();
  addEventListener("chosen", markTop);
}

/** `list()` gives [{keys: ["d"], words, run, when?}]; keys are compared in lower case. */
export function listen(list, more = "") {
  offer(list, more);
  let clicked = null;
  addEventListener("pointerdown", ({ target }) => { clicked = target.closest?.("button, a, summary"); }, true);
  addEventListener("focusin", ({ target }) => { if (target !== clicked) clicked = null; });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    const at = event.target;
    if (at.matches?.("input, select, textarea")) return;
    // Enter and space on a button belong to the button, unless it was clicked and has its focus from that.
    const isPress = event.key === "Enter" || event.key === " ";
    if (isPress && (event.repeat || (at.matches?.("button, a, summary") && at !== clicked))) return;
    const key = event.key.toLowerCase();
    const found = list().find((one) => keysOf(one).includes(key) && (!one.when || one.when()));
    if (!found) return;
    event.preventDefault();
    if (isPress) at.blur?.(); // where it was clicked before: some browsers press it with the key's end
    found.run();
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

const NAMES = { " ": "space", enter: "enter", arrowleft: "←", arrowright: "→" };
const name = (key) => NAMES[key] ?? key;

export function help(list, more = "") {
  const state = h("p", { role: "status" });
  const rows = h("dl.keys");
  const fill = () => refill(rows, list().map((one) => row(one)));
  const row = (one) => [
    h("dt", {}, keysOf(one).map((key, n) => [n ? " " : "", h("kbd", {}, name(key))])),
    h("dd", {}, one.words, isCharacter(one.keys[0]) ? h("button.link", { type: "button", data: { name: `key-${one.keys[0]}` }, "aria-label": `Change the key: ${one.words}`, onclick: (event) => change(one, event.currentTarget) }, "Change") : null),
  ];
  const change = (one, button) => {
    say(state, `Press the new key for “${one.words}”. Escape leaves it as it is.`);
    button.addEventListener("keydown", (event) => {
      if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return change(one, button);
      event.preventDefault();
      event.stopPropagation();
      say(state, take(one, event.key.toLowerCase(), list()));
      fill();
      return null;
    }, { once: true });
  };
  const letters = h("input", { type: "checkbox", name: "shortcuts", onchange: () => { choose("shortcuts", letters.checked); fill(); } });
  letters.checked = chosen("shortcuts");
  fill();
  openBox("Keys", rows, more ? h("p", {}, more) : null, state,
    h("div.doors", {}, h("label", {}, letters, " Shortcuts with single letters and numbers"),
      h("button.plain", { type: "button", onclick: () => { choose("keymap", {}); fill(); say(state, "All keys are as they were at first."); } }, "Reset all keys")));
}

/** Give a shortcut another key; the sentence says what came of it. */
function take(one, key, all) {
  if (key === "escape") return "Nothing is changed.";
  if (!isCharacter(key)) return "Choose a letter, a digit or a sign.";
  const other = all.find((each) => each !== one && each.words !== one.words && keysOf(each).includes(key));
  if (other) return `“${key}” is taken: ${other.words}. Choose another key.`;
  choose("keymap", { ...chosen("keymap"), [one.keys[0]]: key });
  return `“${key}” now does this: ${one.words}.`;
}
