// A past round again on the same felt, step by step. The page of past rounds has it, and the floor
// where a result is disputed.

import { announce, plain } from "../shared/announce.js";
import { still } from "./cards.js";
import { $$, h, refill, say } from "../shared/dom.js";
import { Felt } from "./felt.js";
import { clauseButton } from "../shared/hints.js";
import { cents } from "../shared/money.js";
import { Place } from "./place.js";
import { resultPanel } from "./result.js";

/** `told` is the answer of GET /tables/{table}/rounds/{number}. */
export class Replay {
  #timer = 0;

  constructor(rules, story) {
    this.rules = rules;
    this.told = story;
    this.felt = new Felt(rules);
    this.place = new Place(rules, { keys: {}, onSpot: () => {} });
    this.felt.place.append(this.place.node);
    this.words = h("p.step-words", { role: "status" });
    this.range = h("input", {
      type: "range",
      min: 0,
      max: story.views.length - 1,
      value: 0,
      "aria-label": "Step of the round",
      oninput: () => this.go(Number(this.range.value)),
    });
    this.play = h("button.gold", { type: "button", onclick: () => this.toggle() }, "Play");
    this.node = h(
      "section.replay",
      { "aria-label": `Round ${story.number}` },
      this.felt.node,
      h(
        "div.replay-bar",
        {},
        h("button.plain", { type: "button", "aria-label": "One step back", onclick: () => this.step(-1) }, "←"),
        this.play,
        h("button.plain", { type: "button", "aria-label": "One step on", onclick: () => this.step(1) }, "→"),
        this.range,
        this.words,
      ),
    );
    this.seat = this.#mine();
    this.at = 0;
  }

  /** My seat, if I played; otherwise the first one that did. */
  #mine() {
    const last = this.told.views.at(-1);
    const own = last.round.seats.find((seat) => seat.player === last.me?.player);
    return (own ?? last.round.seats[0])?.number ?? 0;
  }

  step(way) {
    this.stop();
    this.go(this.at + way);
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.told.views.length - 1, at));
    const view = this.told.views[this.at];
    const held = view.round.seats.find((seat) => seat.number === this.seat);
    const over = view.round.phase === "over";
    const stakes = held && !over ? Object.fromEntries(Object.entries(held.wagers).map(([k, v]) => [k, cents(v)])) : {};
    // The place in front shows the seat that is followed, whoever held it.
    const shown = { ...view, me: { player: held?.player ?? "", rack: "0.00", seats: [] } };
    this.felt.update(view, { mine: this.seat, cardsInto: this.place.cards });
    this.place.update(shown, this.seat, { stakes, isEnabled: () => false });
    const heading = held ? `Seat ${this.seat}: ${held.player}` : `Seat ${this.seat}`;
    say(this.place.title, heading);
    this.place.aside.replaceChildren(...(held?.lines.length ? [resultPanel(this.rules, view.round, held)] : []));
    this.range.value = String(this.at);
    const moment = this.told.told[this.at];
    const words = plain(moment.words[0]); // the lines of a settlement stand in the panel
    this.range.setAttribute("aria-valuetext", words);
    const clause = moment.words.join(" ").match(/\[([^\]]+)\]/)?.[1];
    refill(this.words, `${words} `, clauseButton(clause, this.rules));
    announce(words);
    for (const line of $$(".told-list li")) line.toggleAttribute("aria-current", Number(line.dataset.at) === this.at);
  }

  toggle() {
    if (this.#timer) return this.stop();
    if (this.at === this.told.views.length - 1) this.go(0);
    this.play.textContent = "Pause";
    this.#timer = setInterval(() => {
      if (this.at === this.told.views.length - 1) this.stop();
      else this.go(this.at + 1);
    }, 1500);
    return undefined;
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.play.textContent = "Play";
  }
}

/** Every hand as it lay, folded ones too: `hands` of the answer, which only the floor, the operator and auditors are sent. */
export function laidOut(hands) {
  if (!hands?.length) return null;
  return h(
    "section.laid-out",
    { "aria-label": "The hands as they lay" },
    h("h4", {}, "The hands as they lay"),
    h(
      "ul",
      {},
      hands.map((hand) =>
        h(
          "li",
          { data: { place: hand.place } },
          h("span.laid-place", {}, hand.seat ? `Seat ${hand.seat} ${hand.player}` : sentence(hand.place)),
          h(
            "span.laid-cards",
            {},
            hand.cards.map((card) => still(card, true)),
          ),
          h(
            "span.fine",
            {},
            [hand.note, hand.hand, hand.folded ? "folded" : hand.void ? "void" : ""].filter(Boolean).join(", "),
          ),
        ),
      ),
    ),
  );
}

const sentence = (words) => words[0].toUpperCase() + words.slice(1);
