// Keys one after the other: what is pressed while a command is on its way waits for its turn.

import { isField, isOfButton, isResting, readKey, taken } from "../shared/keys.js";

const MOST = 60;

export class KeyQueue {
  #waiting = [];

  /** `isBusy()`; `handle({key, shift, inField})` is true where the key meant something. */
  constructor({ isBusy, handle }) {
    this.isBusy = isBusy;
    this.handle = handle;
    addEventListener("keydown", (event) => this.hear(event));
  }

  hear(event) {
    const pressed = readKey(event);
    if (!pressed || isResting() || isOfButton(event)) return;
    if (event.key === "Tab" || event.key === "Shift") return;
    if (this.isBusy() || this.#waiting.length) {
      if (
        this.#waiting.length < MOST &&
        !pressed.inField &&
        (event.key.length === 1 || event.key === "Enter" || event.key === "Backspace")
      ) {
        taken(event);
        this.#waiting.push(pressed);
      }
    } else if (this.handle(pressed)) taken(event);
  }

  /** The table has gone on: the keys that waited. */
  goOn() {
    while (this.#waiting.length && !this.isBusy()) {
      const pressed = this.#waiting.shift();
      if (document.querySelector("dialog[open]")) return this.clear();
      if (!typedInto(document.activeElement, pressed)) this.handle(pressed);
    }
  }

  /** After a refusal, or somebody else's change, nobody means what they had typed ahead. */
  clear() {
    this.#waiting = [];
  }
}

/** A field has come up meanwhile, and the keys were meant for it. */
function typedInto(at, { key }) {
  if (!isField(at) || !at.matches("input:not([type=checkbox])")) return false;
  if (key === "Enter") at.form?.requestSubmit();
  else if (key === "Backspace") at.value = at.value.slice(0, -1);
  else at.value += key;
  at.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}
