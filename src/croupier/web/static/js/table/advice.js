// Exact advice at one's turn: the value of every action, worked out over every possible card.

import { getPatiently } from "../shared/api.js";

export class Advice {
  #asked = "";
  found = null;
  state = "";

  constructor(table, onChange) {
    this.table = table;
    this.onChange = onChange;
  }

  /** Ask once per question; an answer that comes too late is dropped. */
  update(view, seat, wanted) {
    const asked = view.round.phase === "deciding" && view.round.turn === seat && wanted;
    const question = asked ? `${view.round.number}-${seat}-${view.round.decision}` : "";
    if (question === this.#asked) return;
    this.#asked = question;
    this.found = null;
    this.state = question ? "asking" : "";
    if (question) this.#ask(question, seat);
  }

  async #ask(question, seat) {
    try {
      const found = await getPatiently(`/tables/${encodeURIComponent(this.table)}/advice?seat=${seat}`);
      if (question !== this.#asked) return;
      this.found = found;
      this.state = "known";
    } catch (problem) {
      if (question !== this.#asked) return;
      this.state = problem.message;
    }
    this.onChange();
  }
}

export const units = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
