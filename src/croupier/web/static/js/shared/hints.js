// Hints on demand: what a word means, what a clause says. One popover at a time.

import { h } from "./dom.js";

/** @type {any} */ let open = null;

export function showHint(anchor, title, words, doc = "") {
  open?.remove();
  const node = h(
    "div.hint",
    { popover: "auto", role: "note", tabindex: "-1" },
    h("strong", {}, title),
    h("span", {}, words),
    doc ? h("span.doc", {}, doc) : null,
  );
  open = node;
  (anchor.closest("dialog, [popover]") ?? document.body).append(node);
  node.showPopover();
  const at = anchor.getBoundingClientRect();
  const size = node.getBoundingClientRect();
  const below = at.bottom + 8 + size.height < innerHeight;
  node.style.left = `${Math.max(12, Math.min(at.left, innerWidth - size.width - 12))}px`;
  node.style.top = `${Math.max(8, below ? at.bottom + 8 : at.top - size.height - 8)}px`;
  node.addEventListener("toggle", (event) => {
    if (event.newState !== "closed") return;
    node.remove();
    anchor.focus({ preventScroll: true });
  });
  node.focus({ preventScroll: true });
}

/** A clause's number; pressed, it shows what the document says there. */
export function clauseButton(id, rules) {
  if (!id) return null;
  if (!Object.keys(rules.clauses).length) return ruleButton(id, rules);
  const button = h("button.clause", { type: "button", "aria-label": `Clause ${id}: what it says` }, `§ ${id}`);
  button.addEventListener("click", () =>
    showHint(button, `Clause ${id}`, gist(id, rules), `${rules.document}, in our words`),
  );
  return button;
}

/** A game that no document describes cites its own rules by their names. */
function ruleButton(id, rules) {
  const button = h("button.clause.rule", { type: "button", "aria-label": `Rule: ${id}` }, id);
  button.addEventListener("click", () =>
    showHint(button, `Rule: ${id}`, rules.summary, `${rules.document}: no regulator's document stands behind it`),
  );
  return button;
}

/** The clause itself, or the nearest one around it that has words of its own. */
export function gist(id, rules) {
  const { clauses } = rules;
  for (let at = id; at; at = at.replace(/(\[[^\]]*\]|\([^()]*\)'?|\.?[^.()]*)$/, "")) {
    if (clauses[at]) return clauses[at];
    if (at === at.replace(/(\[[^\]]*\]|\([^()]*\)'?|\.?[^.()]*)$/, "")) break;
  }
  return "See the document: this clause is not summarized here.";
}

export const GLOSSARY = {
  Ante: "The first bet. Later bets are multiples of it.",
  Blind: "A second bet of the same size as the Ante. It pays extra when you win with a strong hand.",
  Push: "A tie for this bet: your chips come back, nothing is won or lost.",
  Qualify: "The dealer needs a minimum hand to play. Without it, some bets are returned.",
  Flop: "The first three community cards, turned up together.",
  River: "The last of the five community cards.",
  "Community cards": "Cards in the middle that count for everybody's hand.",
  Fold: "Give up the round and the bets that stand against the dealer.",
  Check: "No bet now. You can still bet later, when you see more cards.",
  Progressive: "A side bet with a prize that grows with every bet, until somebody hits it.",
  Meter: "The counter that shows how large a progressive prize is now.",
  "Envy Bonus": "A fixed sum for everybody else in the Progressive when somebody hits its top hands.",
  "1 to 1": "Win one dollar for each dollar bet, and keep the bet. '7 for 1' would include the bet.",
  "Payout limit": "The most that a hand can win in a round, however long the odds.",
  Rack: "The chips in front of you that are not on a bet.",
  Sealed:
    "The order of the deck is fixed before the first bet, and its fingerprint is shown. After the round anyone can check that it was not changed.",
  Floorperson: "Supervises the tables: only a floorperson may confirm a progressive win or void a round.",
  "House edge": "What the casino keeps of each bet on average, with best play.",
  Paytable: "The list of hands a bet pays for, and how much for each.",
};

/** A word with its explanation behind it. */
export function tip(word, shown = word) {
  const button = h("button.tip", { type: "button", "aria-label": `${shown}: what is that?` }, shown);
  button.addEventListener("click", () => showHint(button, word, GLOSSARY[word] ?? ""));
  return button;
}
