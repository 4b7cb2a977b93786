// How a round stands for its dealer: what waits, which cards are typed next, what lies on the felt. Nothing here draws.

import { actionKeys } from "../shared/layout.js";

const ROLES = { floorperson: "the floorperson", operator: "the operator", player: "a player", dealer: "the dealer" };
const RESERVED = "NOWZMU"; // keys of the console itself
const WORDS = { ask: "action?", settle: "pay and take" };

/** The key of each answer: its first letter or number that is free. */
export function answerKeys(choices) {
  return Object.fromEntries(
    Object.entries(actionKeys(choices, RESERVED)).map(([action, key]) => [action, key.toLowerCase()]),
  );
}

/** The roles that a step waits for, in words. */
export const waitsFor = (step) =>
  step.by
    .filter((role) => role !== "operator" || step.by.length === 1)
    .map((role) => ROLES[role] ?? role)
    .join(" or ");

/** One seat of a live table is settled: the others wait. */
export const isPaying = (step) => step?.step === "settle" && step.seat > 0;

export const stepTitle = (step) =>
  step.seat && step.step !== "validate"
    ? `Seat ${step.seat}: ${WORDS[step.step] ?? step.label.toLowerCase()}`
    : step.label;

/** A number that only a look at the table can tell is left empty, and so is a person where there is a choice. */
export function prefilled(step, names) {
  const fields = Object.fromEntries(
    Object.entries(step.command).filter(
      ([name, value]) =>
        !(
          step.asks.includes(name) &&
          (value === 0 || name === "chips" || name === "count" || value === null || value === "")
        ),
    ),
  );
  if (step.step === "view" && names.player?.length === 1) [fields.player] = names.player;
  return fields;
}

/** The seat whose hand lies open and is to be paid. */
export const handToPay = (paid) => paid?.seats.find((seat) => seat.state === "next") ?? null;

/** The table as the dealer has it in front of them: a hand that was typed lies open, what a fold has lost is gone. */
export function dealersView(view, paid) {
  if (!paid) return view;
  const seats = view.round.seats.map((seat) => {
    const mine = paid.seats.find((hand) => hand.seat === seat.number);
    if (mine?.state === "next" && mine.cards.length) return { ...seat, cards: mine.cards };
    if (!mine || !seat.folded) return seat;
    const gone = new Set(mine.lines.filter((line) => line.result === "lose").map((line) => line.wager));
    const isTaken = mine.state === "folded" ? mine.cards_too : !seat.cards.some(Boolean);
    return {
      ...seat,
      wagers: Object.fromEntries(Object.entries(seat.wagers).filter(([name]) => !gone.has(name))),
      cards: isTaken ? [] : seat.cards,
    };
  });
  return { ...view, round: { ...view.round, seats } };
}

/** The next hand that will be turned up. */
export function handAfter({ view, paid, entered }, number) {
  const taken = new Set(paid?.seats.filter((seat) => seat.cards_too).map((seat) => seat.seat));
  return Math.max(
    0,
    ...view.round.seats
      .filter(
        (seat) =>
          seat.number < number && !seat.lines.length && !taken.has(seat.number) && !entered.seats.has(seat.number),
      )
      .map((seat) => seat.number),
  );
}

/** Every card that this page knows to lie somewhere. */
export function cardsOnTable({ view, paid, entered }) {
  const { round } = view;
  const open = [
    ...round.community,
    ...round.dealer,
    ...round.box,
    ...round.set_aside,
    ...round.seats.flatMap((seat) => seat.cards),
  ].filter(Boolean);
  return new Set([...open, ...entered.cards, ...(handToPay(paid)?.cards ?? [])]);
}

/** The cards that are typed now: those of the step; of a hand again; or of the seat after the one that is paid. */
export function cardsToEnter({ view, paid, entered, retyping, rules }, step) {
  const { round } = view;
  const seen = cardsOnTable({ view, paid, entered });
  const hand = rules.cards.player;
  if (retyping) {
    for (const card of handToPay(paid)?.cards ?? []) seen.delete(card);
    return {
      key: `${round.number}-again-${retyping}`,
      count: hand,
      seen,
      words: `Seat ${retyping}: type the cards again. Escape leaves them as they are.`,
    };
  }
  if (step?.cards)
    return {
      key: `${round.number}-${step.place}-${step.seat}-${step.place === "community" ? round.community.filter(Boolean).length : 0}`,
      count: step.cards,
      seen,
      words: "",
    };
  const after = isPaying(step) && hand > 1 ? handAfter({ view, paid, entered }, step.seat) : 0;
  return {
    key: after ? `${round.number}-player-${after}-0` : "",
    count: after ? hand : 0,
    seen,
    words: after ? `Or type seat ${after}’s cards: the last one pays this seat.` : "",
  };
}

/** What the panel says while this person has nothing to do. */
export function idleWords({ view, work, person }) {
  const dealer = work.staff.dealer;
  if (dealer && dealer !== person.name)
    return {
      title: `${dealer} deals here`,
      words: "A floorperson can assign you to this table. You may watch, and sign a count as the second person.",
    };
  const first = work.steps.find((step) => !step.mine);
  if (first)
    return {
      title: `Waits for ${waitsFor(first)}`,
      words: `${first.label}: ${first.words}`,
      clause: first.clause,
      duties: first.duties,
    };
  if (!view.is_open) return { title: "This table is closed", words: "An operator opens it." };
  if (!view.seats.some((seat) => seat.player))
    return {
      title: "Nobody is seated",
      words:
        view.source === "live"
          ? "Press the number of a seat to seat a player."
          : "Players take their seats on their own screens.",
    };
  if (view.round.phase === "betting")
    return {
      title: "Bets are open",
      duties: work.duties,
      words:
        view.source === "live"
          ? "Press the number of a seat to enter its bets, or B for the same as in the last round."
          : "Players bet on their own screens.",
    };
  return { title: "Nothing waits", words: "" };
}
