// Keys for everything. A page gives a list; the help shows the same list, so it cannot go stale.

import { openBox } from "./sheets.js";
import { h } from "./dom.js";

/** `list()` gives [{keys: ["d"], words, run, when?}]; keys are compared in lower case. */
export function listen(list) {
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
    const found = list().find((one) => one.keys.includes(key) && (!one.when || one.when()));
    if (!found) return;
    event.preventDefault();
    if (isPress) at.blur?.(); // where it was clicked before: some browsers press it with the key's end
    found.run();
  });
}

const NAMES = { " ": "space", enter: "enter", arrowleft: "←", arrowright: "→" };

/** `more` is told below the list. */
export function help(list, more = "") {
  openBox("Keys", h("dl.keys", {}, list().map((one) => [
    h("dt", {}, one.keys.map((key, n) => [n ? " " : "", h("kbd", {}, NAMES[key] ?? key)])), h("dd", {}, one.words),
  ])), more ? h("p", {}, more) : null);
}
