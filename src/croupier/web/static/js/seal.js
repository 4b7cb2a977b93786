// The seal of a deck: its fingerprint is noted when the page first sees it, before the bets, and checked when the round is over.

import { sha256 } from "./sha256.js";

const KEPT = 200;
const NAME = "croupier seals";

/** What this browser was told while the round was played: a server that changes its mind is found out. */
export function noteSeal(table, round) {
  if (!round?.commitment || round.phase === "over") return;
  const seen = noted();
  const place = `${table} ${round.number}`;
  if (seen[place]) return;
  const all = Object.entries({ ...seen, [place]: round.commitment }).slice(-KEPT);
  try {
    localStorage.setItem(NAME, JSON.stringify(Object.fromEntries(all)));
  } catch {
    // No room to keep it: the check says so.
  }
}

function noted() {
  try {
    return JSON.parse(localStorage.getItem(NAME)) ?? {};
  } catch {
    return {};
  }
}

/** What was checked, in words, each with whether it holds; `null` where nobody can tell. */
export function checkSeal(table, told) {
  const first = noted()[`${table} ${told.number}`];
  const opens = sha256(`croupier deck 1\n${told.salt}\n${told.order.join(" ")}\n`) === told.commitment;
  const final = told.views.at(-1).round;
  const seen = [final.community, final.dealer, final.box, ...final.seats.map((seat) => seat.cards)].flat().filter(Boolean);
  const twice = new Set(seen).size !== seen.length;
  const last = Math.max(-1, ...seen.map((card) => told.order.indexOf(card)));
  const missing = seen.some((card) => !told.order.includes(card));
  return [
    first === undefined
      ? { holds: null, words: "This browser did not see the fingerprint before the bets, so it cannot compare." }
      : { holds: first === told.commitment, words: "The fingerprint is the one that this browser saw before the bets." },
    { holds: opens, words: "Salt and order give this fingerprint: the order was not changed." },
    { holds: new Set(told.order).size === told.order.length, words: `The order has ${told.order.length} cards, none of them twice.` },
    { holds: !missing && !twice, words: `All ${seen.length} cards on the table came from this deck, each once, from its first ${last + 1}.` },
  ];
}
