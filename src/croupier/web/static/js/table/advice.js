// Exact advice at one's turn: the value of every action, worked out over every possible card.

import { getPatiently } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { actionTitle } from "../shared/layout.js";

export class Advice {
  #asked = "";
  /** @type {any} */ values = null;
  state = "";
  /** @type {any} */ #shown = null;

  constructor(table, onChange) {
    this.table = table;
    this.onChange = onChange;
  }

  /** Ask once per question; an answer that comes too late is dropped. */
  update(view, seat, wanted) {
    const wants = view.round.phase === "deciding" && view.round.turn === seat && wanted;
    const question = wants ? `${view.round.number}-${seat}-${view.round.decision}` : "";
    if (question === this.#asked) return;
    this.#asked = question;
    this.values = null;
    this.state = question ? "asking" : "";
    if (question) this.#ask(question, seat);
  }

  async #ask(question, seat) {
    try {
      const advice = await getPatiently(`/tables/${encodeURIComponent(this.table)}/advice?seat=${seat}`);
      if (question !== this.#asked) return;
      this.values = advice;
      this.state = "known";
    } catch (problem) {
      if (question !== this.#asked) return;
      this.state = problem.message;
    }
    this.onChange();
  }

  /** What the table shows beside the bets; `unit` names the wager that values are counted in. */
  panel(round, unit) {
    const { values: advice, state } = this;
    const key = `${round.number}-${round.decision}-${state}`;
    if (this.#shown?.key === key) return this.#shown.node;
    const node = h(
      "section.advised",
      { "aria-label": "Advice", role: "status" },
      h("h3", {}, "Best play"),
      advice
        ? [
            h(
              "p",
              {},
              h("b", {}, `${actionTitle(advice.best)} is best.`),
              ` Average result of the round in units of one ${unit}, over every card that can still come:`,
            ),
            h(
              "ul.values",
              {},
              Object.entries(advice.actions).map(([action, value]) =>
                h(
                  "li",
                  { data: { best: String(action === advice.best) } },
                  h("span", {}, actionTitle(action)),
                  h("b", {}, units(value.expected_value)),
                  h("span.cost", {}, value.cost ? `${value.cost.toFixed(3)} less` : "best"),
                ),
              ),
            ),
          ]
        : h("p.wait", {}, state === "asking" ? "Calculating…" : state),
    );
    this.#shown = { key, node };
    return node;
  }
}

export const units = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
