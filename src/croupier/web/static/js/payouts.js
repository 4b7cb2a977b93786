// What the dealer pays, seat by seat from his right: amounts, chips, and the clause of every line.

import { h, refill } from "./dom.js";
import { clauseButton } from "./hints.js";
import { titleOf } from "./layout.js";
import { cents, told } from "./money.js";

export function payoutList(node, paid, view, rules) {
  refill(node, h("h2", {}, "Pay and take"), h("ol.payouts", {}, paid.seats.map((seat) => seatLine(seat, view, rules))));
}

function seatLine(seat, view, rules) {
  const pays = cents(seat.pays);
  const takes = cents(seat.takes);
  const awards = seat.lines.filter((line) => line.from_meter);
  const words = [pays ? `Pay ${told(seat.pays)}` : "", takes ? `take ${told(seat.takes)}` : ""].filter(Boolean).join(", ");
  return h("li", { data: { seat: seat.seat, pays: seat.pays, takes: seat.takes } },
    h("p.pay-head", {}, h("span.pod-number", { "aria-hidden": "true" }, String(seat.seat)), h("b", {}, seat.player), " ",
      h("span.pay-sum", {}, words ? words.charAt(0).toUpperCase() + words.slice(1) : "Nothing changes hands")),
    pays ? h("p.pay-chips", {}, `${told(seat.pays)}: ${seat.chips}`) : null,
    awards.map((line) => h("p.pay-chips", {}, `${told(line.pays)} is paid from the meter “${line.from_meter}”`)),
    h("ul.pay-lines", {}, seat.lines.map((line) => payLine(line, seat, view, rules))));
}

function payLine(line, seat, view, rules) {
  const shown = view?.round.seats.find((one) => one.number === seat.seat)?.lines.find((one) => one.wager === line.wager);
  const what = cents(line.pays) ? `+${told(line.pays)}` : cents(line.takes) ? `−${told(line.takes)}` : "=";
  return h("li", { data: { wager: line.wager, result: shown?.result ?? "" } },
    h("span.net", {}, what), h("span.what", {}, shown?.words ?? titleOf(rules, line.wager)), clauseButton(line.clause, rules));
}
