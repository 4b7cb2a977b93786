// One's own place at the table: cards, spots, and beside them what became of the bets.

import { h, say } from "../shared/dom.js";
import { cents, dollars } from "../shared/money.js";
import { Spots } from "./spots.js";

export class Place {
  constructor(rules, /** @type {any} */ { onSpot, onHelp = null, keys }) {
    this.cards = h("div.my-cards", {
      role: "group",
      "aria-label": "Your cards",
      vars: { "--held": Math.max(2, rules.cards.player) },
      data: { many: String(rules.cards.player > 3) },
    });
    this.hand = h("p.my-hand");
    this.coupon = h("p.my-coupon");
    this.title = h("h2.my-title");
    this.spots = new Spots(rules, { onSpot, onHelp, keys });
    this.aside = h("div.my-aside");
    this.node = h(
      "section.place",
      { "aria-label": "Your place" },
      h("div.my-left", {}, this.title, this.cards, this.hand),
      h("div.my-spots", { role: "group", "aria-label": "Your betting spots" }, this.spots.node, this.coupon),
      this.aside,
    );
  }

  /** `finished`: the round before, whose cards still lie there. */
  update(view, seat, betting, finished = null) {
    const own = (round) => round?.seats.find((entry) => entry.number === seat && entry.player === view.me?.player);
    const held = own(view.round);
    const over = view.round.phase === "over";
    const shown = finished ? own(finished) : over ? null : held;
    say(this.title, seat ? `Your seat: ${seat}` : "");
    say(
      this.hand,
      shown?.hand && shown.cards.some(Boolean) ? shown.hand.replaceAll("_", " ") : shown?.folded ? "folded" : "",
    );
    say(this.coupon, held?.coupon && !over ? `Match play coupon ${dollars(cents(held.coupon))}` : "");
    this.node.classList.toggle("folded", Boolean(shown?.folded));
    this.node.classList.toggle("asked", view.round.phase === "deciding" && view.round.turn === seat);
    this.spots.update(over ? {} : betting.stakes, {
      enabled: (name) => betting.isEnabled(name),
      lines: over ? [] : (held?.lines ?? []),
      accepted: held?.wagers ?? {},
    });
  }
}
