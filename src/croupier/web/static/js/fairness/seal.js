// The seal of a deck: noted when the page first sees it, before the bets, and checked when the round is over. Nothing of the check is left to the server.

import { dealtOrder, dealtTo, fromHex, toHex } from "./mixing.js";
import { sha256 } from "./sha256.js";

const KEPT = 200;
const SEALS = "croupier seals";
const VALUES = "croupier randomness";

let last = "";

/** What this browser saw while the round was played, so that a server that changes it later is caught. */
export function noteSeal(table, round) {
  const place = `${table} ${round?.number}`;
  if (!round?.commitment || round.phase === "over" || place === last) return;
  last = place;
  if (!noted(SEALS)[place]) note(SEALS, place, round.commitment);
}

function noted(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "{}");
  } catch {
    return {};
  }
}

function note(name, key, value) {
  const all = Object.entries({ ...noted(name), [key]: value }).slice(-KEPT);
  try {
    localStorage.setItem(name, JSON.stringify(Object.fromEntries(all)));
  } catch {
    // No room to keep it: the check says so.
  }
}

// -- randomness of one's own -------------------------------------------------------------------

const commitmentTo = (value) => sha256(fromHex(value));

/** 32 new bytes, kept in this browser; what others get of them for now. */
export function newCommitment() {
  const value = toHex(crypto.getRandomValues(new Uint8Array(32)));
  note(VALUES, commitmentTo(value), { value });
  return commitmentTo(value);
}

/** The bytes that this browser has committed to, if it did. */
export const valueOf = (commitment) => noted(VALUES)[commitment]?.value ?? "";

/** The server has said that it has them. */
export const noteRevealed = (commitment) => note(VALUES, commitment, { value: valueOf(commitment), revealed: true });

// -- the check ---------------------------------------------------------------------------------

/** What was checked, in words, each with whether it holds; `null` where nobody can tell. `seen`: the round as this page saw it end. */
export function checkDeal(table, story, seen = story.views.at(-1).round) {
  const { deal } = story;
  const first = noted(SEALS)[`${table} ${story.number}`];
  return [
    first === undefined
      ? { holds: null, words: "This browser was not here before the bets, so it cannot compare the seal." }
      : { holds: first === deal.seal, words: "The seal is the one that this browser saw before the bets." },
    {
      holds: sha256(`croupier deck 1\n${deal.salt}\n${deal.order.join(" ")}\n`) === deal.seal,
      words: "The house's deck opens the seal: it was not changed.",
    },
    ...deal.added.map(checkValue),
    checkCards(deal, seen),
  ];
}

function checkValue({ seat, player, commitment, value }) {
  const mine = noted(VALUES)[commitment];
  const whose = mine ? "Your randomness" : `The randomness of ${player} (seat ${seat})`;
  if (value)
    return {
      holds: commitmentTo(value) === commitment && (!mine || mine.value === value),
      words: `${whose} is in the deck, as it was committed to.`,
    };
  if (mine?.revealed) return { holds: false, words: "The house has the randomness that you revealed." };
  return { holds: null, words: `${whose} was not revealed in time: only the commitment counts.` };
}

function checkCards(deal, seen) {
  const places = dealtTo(deal, dealtOrder(deal));
  const lay = { community: seen.community, dealer: seen.dealer, box: seen.box };
  for (const seat of seen.seats) lay[`seat ${seat.number}`] = seat.cards;
  const cards = Object.entries(lay)
    .flatMap(([to, row]) => row.map((card, n) => ({ card, right: places[to]?.[n] })))
    .filter(({ card }) => card);
  return {
    holds: cards.every(({ card, right }) => card === right),
    words: cards.length
      ? `All ${cards.length} cards that were shown lay where this deck puts them.`
      : "No card was shown.",
  };
}
