// What stands beside the bets while nothing is settled: a welcome for visitors, and how a round goes.

import { h } from "../shared/dom.js";
import { clauseButton } from "../shared/hints.js";
import { titleOf, wagersByRole } from "../shared/layout.js";
import { jobs } from "../shared/try-it.js";

export function welcome(page) {
  return h(
    "section.guide",
    {},
    h("h2", {}, page.rules.title),
    h("p", {}, page.rules.summary),
    h(
      "p",
      {},
      h("a", { href: `/learn/${page.rules.rulebook}` }, "Learn it in two minutes"),
      ", or sit down: the table shows you what to do.",
    ),
    page.demo && !page.staff ? jobs(page.rules.rulebook) : null,
  );
}

/** How a round goes, for the quiet moments between rounds. */
export function guide(rules) {
  const main = wagersByRole(rules)
    .main.map((wager) => wager.title)
    .join(", ");
  const steps = rules.decisions.map((d) => {
    const bets = Object.entries(d.bets)
      .map(([said, times]) => `${times}×${d.only_with[said] ? ` (only with ${d.only_with[said]})` : ""}`)
      .join(" or ");
    const seen = [
      `${d.sees_player} cards`,
      d.sees_community && `${d.sees_community} on the board`,
      d.sees_dealer && `${d.sees_dealer} of the dealer's`,
    ]
      .filter(Boolean)
      .join(" and ");
    const asks = [bets && `bet ${bets}`, d.takes_back && `take ${titleOf(rules, d.takes_back)} back`]
      .filter(Boolean)
      .join(", or ");
    return h(
      "li",
      {},
      `With ${seen}: ${asks}, or ${d.otherwise === "ride" ? "let it ride" : d.otherwise}. `,
      clauseButton(d.clause, rules),
    );
  });
  return h(
    "section.guide",
    {},
    h("h3", {}, "How a round goes"),
    h(
      "ol",
      {},
      h("li", {}, `Bet ${main}; side bets if you like.`),
      steps,
      h(
        "li",
        {},
        rules.qualifier
          ? `${rules.qualifier.words.replace(/\.$/, "")}; then bets are settled.`
          : "Each wager has its own paytable.",
      ),
      rules.bonuses.map((bonus) => h("li", {}, `${bonus.title}: ${bonus.words} `, clauseButton(bonus.clause, rules))),
    ),
    h("p", {}, h("a", { href: `/learn/${rules.rulebook}` }, "Guided first round")),
  );
}
