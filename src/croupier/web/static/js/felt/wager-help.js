// Help at the spot: what a wager is, what it costs, how often it pays, and its paytables. It opens by
// the small ?, by resting the mouse on a spot, by a long press, and with I on a spot that has the focus.

import { getPatiently } from "../shared/api.js";
import { h, refill } from "../shared/dom.js";
import { limits, payTable } from "../shared/drawer.js";
import { clauseButton } from "../shared/hints.js";
import { wagerOf } from "../shared/layout.js";

const REST = 900; // milliseconds on a spot before the help comes by itself
const PRESS = 550;
const LEAVE = 350;

export class WagerHelp {
  /** @type {any} */ #panel = null;
  #timer = 0;
  /** @type {any} */ #pressed = null; // a press that puts chips down does not ask for help
  /** @type {any} */ #held = null;

  /** `onRules(wager)` opens the rules at that wager. */
  constructor(table, rules, onRules) {
    this.table = table;
    this.rules = rules;
    this.onRules = onRules;
    this.found = new Map();
  }

  /** Every spot inside `node` gets it. */
  watch(node) {
    const at = (event) => event.target.closest?.("[data-wager]");
    const later = (spot, delay, how) => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.open(spot, how), delay);
    };
    node.addEventListener("pointerover", (event) => {
      const spot = at(event);
      if (spot !== this.#pressed) this.#pressed = null;
      if (event.pointerType === "mouse" && spot && !this.#pressed && !this.#shows(spot))
        later(spot, REST, { byHand: false });
    });
    node.addEventListener("pointerout", (event) => {
      if (event.pointerType === "mouse") this.#leave(event.relatedTarget);
    });
    node.addEventListener("pointerdown", (event) => {
      clearTimeout(this.#timer);
      this.#pressed = at(event);
      if (event.pointerType !== "mouse" && at(event)) later(at(event), PRESS, { isHeld: true });
    });
    for (const end of ["pointerup", "pointercancel", "pointermove"]) {
      node.addEventListener(end, (event) => {
        if (
          event.pointerType !== "mouse" &&
          (end !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 6)
        )
          clearTimeout(this.#timer);
      });
    }
    // A long press is no right click, and the finger that comes up afterwards puts no chip down.
    node.addEventListener(
      "contextmenu",
      (event) => {
        if (event.pointerType !== "mouse" && at(event) && event.button !== 2)
          (event.stopImmediatePropagation(), event.preventDefault());
      },
      true,
    );
    node.addEventListener(
      "click",
      (event) => {
        if (this.#held && this.#held === at(event)) event.stopImmediatePropagation();
        this.#held = null;
      },
      true,
    );
    node.addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "i" || event.ctrlKey || event.metaKey || event.altKey || !at(event)) return;
      event.preventDefault();
      this.open(at(event));
    });
  }

  #shows(spot) {
    return Boolean(spot && this.#panel?.isConnected && this.#panel.dataset.about === spot.dataset.wager);
  }

  #leave(to) {
    clearTimeout(this.#timer);
    if (!this.#panel || this.#panel.dataset.stays === "true" || to?.closest?.(".wager-help")) return;
    this.#timer = setTimeout(() => this.close(), LEAVE);
  }

  close() {
    clearTimeout(this.#timer);
    if (this.#panel?.isConnected) this.#panel.hidePopover();
  }

  /** `byHand`: asked for, so that it takes the focus and stays until it is closed. `isHeld`: by a finger that is
      still down, and that must not close it when it comes up. */
  open(anchor, { byHand = true, isHeld = false } = {}) {
    const wager = wagerOf(this.rules, anchor.dataset.wager ?? anchor.dataset.about);
    if (!wager) return;
    this.#panel?.remove();
    const figures = h("div.figures", { "aria-live": "polite" }, h("p", {}, "Calculating…"));
    const panel = h(
      "div.wager-help",
      {
        popover: isHeld ? "manual" : "auto",
        role: "dialog",
        "aria-label": `About ${wager.title}`,
        tabindex: "-1",
        data: { about: wager.name, stays: String(byHand) },
      },
      h(
        "div.help-head",
        {},
        h("h2", {}, wager.title, " ", clauseButton(wager.clause, this.rules)),
        h("button.shut", { type: "button", "aria-label": "Close", onclick: () => this.close() }, "×"),
      ),
      h("p", {}, wager.words, " ", limits(wager)),
      figures,
      wager.paytables.map((paytable) => payTable(paytable, this.rules)),
      h(
        "button.link",
        {
          type: "button",
          onclick: () => {
            this.close();
            this.onRules(wager.name);
          },
        },
        "All rules and paytables",
      ),
    );
    this.#panel = panel;
    this.#held = isHeld ? anchor : null;
    if (isHeld) closeElsewhere(panel, () => this.close());
    document.body.append(panel);
    panel.showPopover();
    place(panel, anchor);
    panel.addEventListener("toggle", (event) => {
      if (event.newState !== "closed") return;
      const held = panel.contains(document.activeElement) || document.activeElement === document.body;
      panel.remove();
      if (byHand && held && anchor.isConnected) anchor.focus({ preventScroll: true });
    });
    panel.addEventListener("pointerenter", () => clearTimeout(this.#timer));
    panel.addEventListener("pointerleave", (event) => this.#leave(event.relatedTarget));
    if (byHand) panel.focus({ preventScroll: true });
    this.#tell(wager, figures).then(() => panel.isConnected && place(panel, anchor));
  }

  async #tell(wager, room) {
    try {
      refill(
        room,
        figureWords(await this.#ask(wager)).map((words) => h("p", {}, words)),
      );
    } catch (problem) {
      refill(room, h("p", {}, problem.message));
    }
  }

  /** A progressive is asked about each time: its meters move. */
  async #ask(wager) {
    if (!this.found.has(wager.name) || wager.progressive) {
      const answer = getPatiently(
        `/tables/${encodeURIComponent(this.table)}/figures/${encodeURIComponent(wager.name)}`,
      );
      this.found.set(wager.name, answer);
      answer.catch(() => this.found.delete(wager.name));
    }
    return this.found.get(wager.name);
  }
}

const percent = (share, digits = 3) => `${(share * 100).toFixed(digits)}%`;
const joined = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0]);

/** In sentences: [house edge, hit rate, meters]. */
export function figureWords(figures) {
  const together = figures.of.length > 1;
  if (figures.unsolved)
    return [
      `${together ? `${joined(figures.of)} together` : figures.of[0]}: no exact figures, since no solver models it (${figures.unsolved}).`,
    ];
  const edge = figures.house_edge;
  const whose = together ? `${joined(figures.of)} are one game. ` : "";
  const played = together ? " with best play" : "";
  const meters = Object.values(figures.meters);
  const now = meters.length ? `, with the ${meters.length > 1 ? "meters" : "meter"} at ${joined(meters)}` : "";
  const even = Object.entries(figures.breaks_even_at).map(([name, sum]) =>
    meters.length > 1 ? `${name} ${sum}` : sum,
  );
  return [
    [
      whose,
      h("b", {}, edge >= 0 ? `House edge ${percent(edge)}` : `Your edge ${percent(-edge)}`),
      ` of ${together ? `the ${figures.unit}` : "the bet"}${played}${now}.`,
    ],
    figures.hit_rate === null
      ? null
      : [
          h("b", {}, `${together ? "You win" : "It pays"} ${percent(figures.hit_rate, 2)} of the time`),
          `: about 1 round in ${oneIn(figures.hit_rate)}.`,
        ],
    even.length
      ? `It favors you from ${joined(even)} up${meters.length > 1 ? ", the other meters as they are" : ""}.`
      : null,
  ].filter(Boolean);
}

const oneIn = (share) => (share ? (1 / share).toFixed(share > 0.1 ? 1 : 0) : "∞");

/** A popover that a finger holds open does not close by itself. */
function closeElsewhere(panel, close) {
  const heard = new AbortController();
  const { signal } = heard;
  addEventListener("pointerdown", (event) => panel.contains(event.target) || close(), { signal, capture: true });
  addEventListener("keydown", (event) => event.key === "Escape" && close(), { signal });
  panel.addEventListener("toggle", (event) => event.newState === "closed" && heard.abort());
}

/** Beside the spot and whole on the screen. */
function place(panel, anchor) {
  const at = anchor.getBoundingClientRect();
  const size = panel.getBoundingClientRect();
  const right = at.right + 10 + size.width < innerWidth;
  const left = right ? at.right + 10 : at.left - size.width - 10;
  panel.style.left = `${Math.max(8, Math.min(left, innerWidth - size.width - 8))}px`;
  panel.style.top = `${Math.max(8, Math.min(at.top - 20, innerHeight - size.height - 8))}px`;
}

/** The small ? of a spot. By keyboard it is I on the spot itself, so Tab need not stop twice. */
export const helpButton = (wager, open) =>
  h(
    "button.spot-help",
    {
      type: "button",
      tabindex: "-1",
      data: { about: wager.name },
      "aria-label": `About ${wager.title}`,
      "aria-haspopup": "dialog",
      onclick: (event) => open(event.currentTarget),
    },
    "?",
  );
