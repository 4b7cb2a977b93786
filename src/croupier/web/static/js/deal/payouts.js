// What the dealer pays and takes, seat by seat from their right: amounts, chips, and the clause of every line.

import { still } from "../felt/cards.js";
import { h, refill } from "../shared/dom.js";
import { clauseButton } from "../shared/hints.js";
import { titleOf } from "../shared/layout.js";
import { cents, inDollars } from "../shared/money.js";

/** The seat that is to be paid now stands first. */
export function payoutList(node, paid, rules) {
  const next = paid.seats.filter((seat) => seat.state === "next");
  const rest = paid.seats.filter((seat) => seat.state !== "next");
  refill(
    node,
    h("h2", {}, "Pay and take"),
    h(
      "ol.payouts",
      {},
      [...next, ...rest].map((seat) => seatLine(seat, rules)),
    ),
  );
}

/** "Pay $45, take $10" */
export function payWords(seat) {
  const words = [
    cents(seat.pays) ? `pay ${inDollars(seat.pays)}` : "",
    cents(seat.takes) ? `take ${inDollars(seat.takes)}` : "",
  ]
    .filter(Boolean)
    .join(", ");
  if (!words) return "Nothing changes hands";
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const WHEN = {
  next: () => "",
  settled: (seat) => (cents(seat.pays) ? "Paid" : cents(seat.takes) ? "Taken" : "Returned"),
  folded: (seat) => (seat.cards_too ? "Folded: taken with the cards" : "Folded: taken; the cards stay under the bet"),
};

function seatLine(seat, rules) {
  const awards = seat.lines.filter((line) => line.from_meter);
  return h(
    "li",
    { data: { seat: seat.seat, pays: seat.pays, takes: seat.takes, state: seat.state } },
    h(
      "p.pay-head",
      {},
      h("span.pod-number", { "aria-hidden": "true" }, String(seat.seat)),
      h("b", {}, seat.player),
      " ",
      h("span.pay-sum", {}, payWords(seat)),
    ),
    seat.state === "next" && seat.cards.length
      ? h(
          "p.pay-hand",
          {},
          h(
            "span.pay-cards",
            {},
            seat.cards.map((card) => still(card, true)),
          ),
          h("b", {}, seat.hand.replaceAll("_", " ")),
        )
      : null,
    cents(seat.pays) ? h("p.pay-chips", {}, `${inDollars(seat.pays)}: ${seat.chips}`) : null,
    awards.map((line) => h("p.pay-chips", {}, `${inDollars(line.pays)} is paid from the meter “${line.from_meter}”`)),
    h(
      "ul.pay-lines",
      {},
      seat.lines.map((line) => payLine(line, rules)),
    ),
    WHEN[seat.state](seat) ? h("p.pay-when", {}, WHEN[seat.state](seat)) : null,
  );
}

function payLine(line, rules) {
  const sum = cents(line.pays) ? `+${inDollars(line.pays)}` : cents(line.takes) ? `−${inDollars(line.takes)}` : "=";
  return h(
    "li",
    { data: { wager: line.wager, result: line.result } },
    h("span.net", {}, sum),
    h("span.what", {}, line.words || titleOf(rules, line.wager), " ", clauseButton(line.clause, rules)),
  );
}
