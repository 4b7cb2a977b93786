// Cards of a live table: typed, rank then suit, or picked from the 52. What cannot be is greyed.

import { still } from "../felt/cards.js";
import { $, $$, h, refill } from "../shared/dom.js";
import { cardWords } from "../felt/glyphs.js";
import { openBox } from "../shared/sheets.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";

export class CardEntry {
  #rank = "";
  #key = "";
  /** @type {any} */ #box = null;

  /** `onFull(cards)` when a place has all its cards; `onRefused(words)` for a card that cannot be; `onDraw()` when what
      is typed has changed. */
  constructor({ onFull, onDraw = () => {}, onRefused, deck }) {
    this.onDraw = onDraw;
    this.deck = deck; // which ranks it has, and how often each card is there
    this.onFull = onFull;
    this.onRefused = onRefused;
    this.count = 0;
    this.cards = [];
    this.seen = new Set();
    this.slots = h("div.entry-slots");
    this.label = h("p.entry-label");
    this.node = h(
      "div.entry",
      { role: "group", "aria-label": "Cards to enter", hidden: true },
      this.label,
      this.slots,
      h(
        "p.fine",
        {},
        "Type rank and suit: ",
        h("kbd", {}, "A"),
        " ",
        h("kbd", {}, "h"),
        ", ten is ",
        h("kbd", {}, "T"),
        ". ",
        h("kbd", {}, "⌫"),
        " corrects, ",
        h(
          "button.link",
          { type: "button", data: { name: "picker" }, "aria-keyshortcuts": "P", onclick: () => this.pick() },
          "pick cards",
        ),
        " ",
        h("kbd", {}, "P"),
      ),
    );
  }

  get isOpen() {
    return this.count > 0;
  }

  /** What stands in the places: cards, and a rank that waits for its suit. */
  get typed() {
    return this.#rank ? [...this.cards, this.#rank] : this.cards;
  }

  /** So many cards for the place `key`; `seen` lie elsewhere. The same place again keeps what was typed. */
  begin(key, count, seen, label = "") {
    this.seen = seen;
    this.label.textContent = label;
    if (key !== this.#key) {
      this.#key = key;
      this.cards = [];
      this.#rank = "";
      this.#box?.close();
    }
    this.count = count;
    this.node.hidden = !count;
    this.#draw();
  }

  /** True where the key belongs to a card. */
  type(key) {
    if (!this.isOpen || key.length !== 1) return false;
    const letter = key === "0" && this.#rank === "1" ? "T" : key.toUpperCase();
    if (key === "1" || RANKS.includes(letter)) this.#rank = key === "1" ? "1" : letter;
    else if (SUITS.includes(key.toLowerCase())) {
      if (this.#rank && this.#rank !== "1") this.add(this.#rank + key.toLowerCase());
      this.#rank = "";
    } else return false;
    this.#draw();
    return true;
  }

  backspace() {
    if (!this.isOpen || (!this.#rank && !this.cards.length)) return false;
    if (this.#rank) this.#rank = "";
    else this.cards.pop();
    this.#draw();
    return true;
  }

  add(card) {
    if (this.cards.length >= this.count) return;
    if (!this.deck.ranks.includes(card[0])) {
      this.onRefused(`The ${cardWords(card)} is not in the deck: this game is dealt with ${this.deck.ranks}`);
      return;
    }
    if (this.#isTaken(card)) {
      this.onRefused(`The ${cardWords(card)} has been seen in this round already`);
      return;
    }
    this.cards = [...this.cards, card];
    this.#rank = "";
    this.#draw();
    if (this.cards.length < this.count) return;
    this.#box?.close();
    this.onFull(this.cards);
  }

  /** They were not taken: begin again. */
  clear() {
    this.cards = [];
    this.#rank = "";
    this.#draw();
  }

  #isTaken(card) {
    if (!this.deck.ranks.includes(card[0])) return true;
    return this.deck.copies === 1 && (this.seen.has(card) || this.cards.includes(card));
  }

  #draw() {
    const places = Array.from({ length: this.count }, (_, n) => {
      const card = this.cards[n];
      const here = n === this.cards.length;
      return h(
        `span.slot${here ? ".here" : ""}`,
        { data: { slot: n } },
        card ? still(card, true) : here ? h("b", {}, this.#rank) : null,
      );
    });
    refill(this.slots, places);
    if (this.#box) this.#drawPicker();
    this.onDraw();
  }

  /** The deck, cards that lie elsewhere greyed; of several decks a card can come again. Arrows move, Enter takes one. */
  pick() {
    if (!this.isOpen || this.#box) return;
    this.grid = h("div.picker", { role: "grid", "aria-label": "The deck" });
    this.grid.addEventListener("keydown", (event) => this.#move(event));
    this.#box = openBox("Pick the cards", this.grid);
    this.#box.addEventListener("close", () => {
      this.#box = null;
    });
    this.#drawPicker();
    $("button:not([disabled])", this.grid)?.focus();
  }

  #drawPicker() {
    if (!this.grid) return;
    const at = $$("button", this.grid).indexOf(document.activeElement);
    refill(
      this.grid,
      [...SUITS].map((suit) =>
        h(
          "div.picker-row",
          { role: "row" },
          [...RANKS].map((rank) => {
            const card = rank + suit;
            return h(
              "button.pick-card",
              {
                type: "button",
                role: "gridcell",
                disabled: this.#isTaken(card),
                data: { name: `card-${card}`, card, suit },
                "aria-label": cardWords(card),
                onclick: () => this.add(card),
              },
              still(card, true),
            );
          }),
        ),
      ),
    );
    // The card that was taken is gray now: the next one has the focus.
    if (at >= 0)
      $$("button", this.grid)
        .slice(at)
        .find((button) => !button.disabled)
        ?.focus();
  }

  #move(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = $$("button", this.grid);
    let at = all.indexOf(document.activeElement) + step;
    while (all[at]?.disabled) at += Math.sign(step) * (Math.abs(step) === 13 ? 13 : 1);
    all[at]?.focus();
  }
}
