// Where the betting spots lie, and what things are called. The places come from the rules, which
// have them from the document's layout clauses.

import { cents, dollars } from "./money.js";

/** Rows from the dealer's side to the player's: [{row, spots: [{wager, spot}], areas: [...]}]. */
export function layoutRows(rules) {
  const rows = new Map();
  const row = (number) => {
    if (!rows.has(number)) rows.set(number, { number, spots: [], areas: [] });
    return rows.get(number);
  };
  for (const wager of rules.wagers) {
    const spot = rules.layout.spots[wager.name];
    if (spot && wager.offered) row(spot.row).spots.push({ wager, spot });
  }
  for (const area of rules.layout.areas) if (area.each && rows.has(area.row)) row(area.row).areas.push(area);
  return [...rows.values()].sort((a, b) => a.number - b.number);
}

/** The offered wagers by what they are for. */
export function wagersByRole(rules) {
  const offered = rules.wagers.filter((wager) => wager.offered);
  return {
    main: offered.filter((wager) => wager.role === "required"),
    sides: offered.filter((wager) => wager.role === "optional" && !wager.progressive),
    progressive: offered.filter((wager) => wager.progressive),
  };
}

/** Wagers that are placed together, since the document wants them equal. */
export function equalGroup(rules, name) {
  const wager = rules.wagers.find((wager) => wager.name === name);
  const root = wager.equals || name;
  return rules.wagers.filter((wager) => wager.name === root || wager.equals === root).map((wager) => wager.name);
}

export const wagerOf = (rules, name) => rules.wagers.find((wager) => wager.name === name);
const OTHERS = { match_play: "Match play coupon" };
export const titleOf = (rules, name) =>
  wagerOf(rules, name)?.title ??
  rules.bonuses.find((bonus) => bonus.name === name)?.title ??
  OTHERS[name] ??
  "Envy Bonus";

/** A hand, a role or a result as a title: `straight_flush` is "Straight flush". */
export const inWords = (name) => capital(name.replaceAll("_", " "));

const PHASES = {
  betting: "Bets are open",
  closed: "No more bets",
  deciding: "Players' turn",
  revealing: "Turning cards",
  showdown: "Showdown",
  settling: "Settling bets",
  collecting: "Round over",
  over: "Round over",
};

/** Where a round stands: "Round 3 · No more bets". */
export const roundState = (number, phase, isVoid) =>
  number ? `Round ${number} · ${isVoid ? "Void" : PHASES[phase]}` : "No round yet";

/** What an answer is called on a button: `4x` is a bet, other words are said as they are. */
export function actionTitle(action) {
  const words = { take_back: "Take back", ride: "Let it ride" };
  if (/^\d+x$/.test(action)) return `Bet ${action.replace("x", "×")}`;
  return words[action] ?? capital(action.replaceAll("_", " "));
}

/** What it does to one's chips. */
export function actionCost(action) {
  const sum = cents(action.cost);
  if (sum > 0) return `costs ${dollars(sum)}`;
  if (sum < 0) return `${dollars(-sum)} comes back`;
  return { fold: "gives up the round", ride: "the bet stays" }[action.action] ?? "no cost";
}

/** A key for each of these answers: its first letter that nothing else has. */
export function actionKeys(actions, taken = "") {
  const keys = {};
  const used = new Set(taken);
  for (const action of new Set(actions)) {
    const letters = [...(action === "take_back" ? "back" : action).toUpperCase().replace(/[^A-Z0-9]/g, "")];
    keys[action] = [...letters, ..."123456789"].find((letter) => !used.has(letter)) ?? "";
    used.add(keys[action]);
  }
  return keys;
}

const DECISIONS = {
  preflop: "before the flop",
  flop: "on the flop",
  river: "on the river",
  first_card: "with one card on the board",
  third_card: "with three cards on the board",
  fifth_card: "with the whole board",
  three_card: "before your third card",
  five_card: "before the community cards",
};
export const decisionWords = (name) => DECISIONS[name] ?? `at the ${name.replaceAll("_", " ")} decision`;

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
const list = (words) => words.filter(Boolean).join(" · ");

/** The cloth's three lines: qualification and push; multiples; limits. */
export function clothLines(rules) {
  const of = (role) =>
    rules.inscriptions
      .filter((inscription) => inscription.kind === role)
      .map((inscription) => capital(inscription.words.replace(/^The /, "")));
  const limit = of("payout_limit")[0]?.match(/^Payout limit per hand: (\$[\d,]+)/)?.[1];
  const main = wagersByRole(rules).main[0];
  const upper = list([...of("qualifies"), ...of("unqualified_push")]);
  return [
    upper ||
      (rules.qualifier
        ? rules.qualifier.words.replace(/\.$/, "")
        : "Each wager has its own paytable · No dealer's hand"),
    list([...of("win_push"), ...multiples(rules)]),
    list([
      main?.least && `${main.title} $${Number(main.least)} to $${Number(main.most)}`,
      limit ? `Payout limit ${limit} a hand` : of("payout_limit")[0],
    ]),
  ];
}

/** "Play 4× or 3× · 2× · 1×": what was one line per decision in the document. */
function multiples(rules) {
  const wagers = [...new Set(rules.decisions.map((decision) => decision.wager))].filter(Boolean);
  const back = rules.decisions
    .filter((decision) => decision.takes_back)
    .map((decision) => titleOf(rules, decision.takes_back));
  return [
    ...wagers.map((name) => {
      const decisions = rules.decisions.filter((decision) => decision.wager === name);
      const times = decisions
        .map((decision) =>
          Object.values(decision.bets)
            .map((k) => `${k}×`)
            .join(" or "),
        )
        .join(", ");
      return `${titleOf(rules, name)} ${times}`;
    }),
    ...(back.length ? [`${back.join(" and ")} may be taken back`] : []),
  ];
}
