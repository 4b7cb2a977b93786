// The live connection of a table: frames in, and back again by itself after a loss.

const WAITS = [300, 700, 1500, 3000, 5000];

/** Calls `onFrame(frame)` and `onState("joined" | "lost" | "gone")`. */
export class Live {
  /** @type {any} */ #after = null;
  /** @type {any} */ #view = null;
  #tries = 0;
  #timer = 0;
  /** @type {any} */ #socket = null;
  #closed = false;
  /** @type {any} */ #greeting = null;

  constructor(table, onFrame, onState) {
    this.table = table;
    this.onFrame = onFrame;
    this.onState = onState;
    addEventListener("online", () => this.#now());
    addEventListener("offline", () => this.#socket?.close());
    document.addEventListener("visibilitychange", () => document.hidden || this.#now());
    this.#open();
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  /** As somebody else (after coming in as a guest): what may be seen differs. */
  reopen() {
    this.#after = null;
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    this.#tries = 0;
    clearTimeout(this.#timer);
    this.#open();
  }

  /** Said again whenever the connection is new. */
  greet(words) {
    this.#greeting = words;
    this.#greet();
  }

  say(words) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(words));
  }

  #greet() {
    if (this.#greeting) this.say(this.#greeting);
  }

  #now() {
    if (this.#closed || this.#socket) return;
    clearTimeout(this.#timer);
    this.#open();
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const after = this.#after === null ? "" : `&after=${this.#after}`;
    const path = `/api/v1/tables/${encodeURIComponent(this.table)}/live?diff=1${after}`;
    const socket = new WebSocket(`${scheme}://${location.host}${path}`);
    this.#socket = socket;
    socket.onopen = () => this.#greet();
    socket.onmessage = (message) => {
      if (socket !== this.#socket) return;
      const frame = JSON.parse(message.data);
      this.#view = frame.view = frame.view ?? withChanges(this.#view, frame);
      const resumed = this.#after !== null && this.#tries > 0;
      this.#tries = 0;
      this.#after = frame.seq;
      this.onState("joined", resumed);
      this.onFrame(frame);
    };
    socket.onclose = (event) => {
      if (socket !== this.#socket) return;
      this.#socket = null;
      if (this.#closed) return;
      if (event.code === 4404) return this.onState("gone");
      this.onState("lost");
      const wait = WAITS[Math.min(this.#tries, WAITS.length - 1)];
      this.#tries += 1;
      this.#timer = setTimeout(() => this.#open(), wait);
    };
  }
}

/** A frame after the first has only what changed since the one before: the table's `changes`, the `round`'s fields, entries of `seats` and of
 *  the round's `hands` by their place (all hands where their number changed), and the person's `own` fields. */
export function withChanges(view, { changes = {}, round = {}, seats = {}, hands = {}, own = {} }) {
  const dealt = Array.isArray(hands) ? hands : view.round.seats.map((hand, place) => hands[place] ?? hand);
  return {
    ...view,
    ...changes,
    ...own,
    seats: view.seats.map((seat, place) => seats[place] ?? seat),
    round: { ...view.round, ...round, seats: dealt },
  };
}
