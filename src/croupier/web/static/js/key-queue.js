// Keys one after the other: what is pressed while the server is told waits for its turn.

const MOST = 60;

export class KeyQueue {
  #waiting = [];

  /** `isBusy()`; `handle({key, shift})` is true where the key meant something. */
  constructor({ isBusy, handle }) {
    this.isBusy = isBusy;
    this.handle = handle;
    addEventListener("keydown", (event) => this.#hear(event));
  }

  #hear(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    const at = event.target;
    if (isField(at)) return;
    // Enter and space on a focused button belong to the button.
    if ((event.key === "Enter" || event.key === " ") && at.matches?.("button, a, summary")) return;
    if (event.key === "Tab" || event.key === "Shift") return;
    const pressed = { key: event.key, shift: event.shiftKey };
    if (this.isBusy() || this.#waiting.length) {
      if (this.#waiting.length < MOST && (event.key.length === 1 || event.key === "Enter" || event.key === "Backspace")) {
        event.preventDefault();
        this.#waiting.push(pressed);
      }
    } else if (this.handle(pressed)) event.preventDefault();
  }

  /** The table has gone on: the keys that waited. */
  goOn() {
    while (this.#waiting.length && !this.isBusy()) {
      const pressed = this.#waiting.shift();
      if (document.querySelector("dialog[open]")) return this.clear();
      if (!typedInto(document.activeElement, pressed)) this.handle(pressed);
    }
  }

  /** After a refusal nobody means what he had typed ahead. */
  clear() {
    this.#waiting = [];
  }
}

/** A field of a dialog that was just closed may still have the focus: it is none any more. */
const isField = (at) => Boolean(at?.matches?.("input, select, textarea")) && !at.closest("dialog:not([open])");

/** A field has come up meanwhile, and the keys were meant for it. */
function typedInto(at, { key }) {
  if (!isField(at) || !at.matches("input:not([type=checkbox])")) return false;
  if (key === "Enter") at.form?.requestSubmit();
  else if (key === "Backspace") at.value = at.value.slice(0, -1);
  else at.value += key;
  at.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}
