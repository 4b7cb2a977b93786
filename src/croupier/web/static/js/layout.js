// Where the betting spots lie. The order comes from the rules; what only a layout clause says (the
// sign between two spots) is here.

/** md-uth 2.B(2): Blind right of Ante, an equals sign between; md-jackpot 2.B(2): a plus sign. */
const JOINS = { "md-uth": "=", "ma-uth": "=", "md-jackpot": "+" };

/**
 * From the dealer's side to the player's: side bets, the required spots in a row, and under them
 * the spots for bets made in play, each below the wager that it multiplies (md-235 2.B(3)).
 */
export function layoutOf(rules) {
  const offered = rules.wagers.filter((wager) => wager.offered);
  const main = offered.filter((wager) => wager.role === "required");
  const decided = offered.filter((wager) => wager.role === "decided");
  const anchors = Object.fromEntries(rules.decisions.map((d) => [d.wager, d.multiple_of]));
  return {
    sides: offered.filter((wager) => wager.role === "optional" && !wager.progressive),
    progressive: offered.filter((wager) => wager.progressive),
    main,
    join: JOINS[rules.rulebook] ?? "",
    decided: decided.map((wager) => ({
      wager,
      column: decided.length === 1 ? 0 : main.findIndex((one) => one.name === anchors[wager.name]) + 1,
    })),
  };
}

/** Wagers that are placed together, since the document wants them equal. */
export function equalGroup(rules, name) {
  const wager = rules.wagers.find((one) => one.name === name);
  const root = wager.equals || name;
  return rules.wagers.filter((one) => one.name === root || one.equals === root).map((one) => one.name);
}

export const wagerOf = (rules, name) => rules.wagers.find((wager) => wager.name === name);
export const titleOf = (rules, name) => wagerOf(rules, name)?.title ?? "Envy Bonus";

/** What an answer is called on a button. */
export function actionTitle(action) {
  const words = { check: "Check", fold: "Fold", raise: "Raise" };
  return words[action] ?? `Bet ${action.replace("x", "×")}`;
}

const DECISIONS = { preflop: "before the flop", flop: "on the flop", river: "on the river" };
export const decisionWords = (name) => DECISIONS[name] ?? `at the ${name.replaceAll("_", " ")} decision`;
