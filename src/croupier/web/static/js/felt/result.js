// What became of the bets: one line per wager, why, and the clause; then how well it was played.

import { getPatiently } from "../shared/api.js";
import { $, h, refill } from "../shared/dom.js";
import { clauseButton } from "../shared/hints.js";
import { actionTitle, decisionWords, titleOf } from "../shared/layout.js";
import { cents, dollars, signed } from "../shared/money.js";

const MARKS = { win: "✓", lose: "✕", push: "=" };
const FATE = { win: "Won", lose: "Lost", push: "Pushed" };

/** The settlement of a seat as a panel. */
export function resultPanel(rules, round, seat) {
  const net = cents(seat.net);
  const title = net > 0 ? `You win ${dollars(net)}` : net < 0 ? `You lose ${dollars(-net)}` : "You break even";
  return h(
    "section.result",
    { "aria-label": "Settlement", data: { fate: net > 0 ? "win" : net < 0 ? "lose" : "push", round: round.number } },
    h("header", {}, h("h3", {}, title)),
    seat.story ? h("p.story", {}, addressed(seat.story)) : null,
    h(
      "ul.lines",
      {},
      seat.lines.map((line) => resultLine(rules, line)),
    ),
    h("div.review", {}),
  );
}

function resultLine(rules, line) {
  return h(
    "li",
    { data: { result: line.result, wager: line.wager } },
    h("span.mark", { role: "img", "aria-label": FATE[line.result] ?? line.result }, MARKS[line.result] ?? "·"),
    h("span", {}, h("span.what", {}, why(line, titleOf(rules, line.wager))), " ", clauseButton(line.clause, rules)),
    h("span.net", {}, signed(cents(line.net))),
  );
}

/** The sentence that says what became of the wager, and why unless the story has said it; its name in bold. */
function why(line, title) {
  const words = addressed(line.short);
  return words.startsWith(title) ? [h("b", {}, title), h("span.why", {}, words.slice(title.length))] : words;
}

/** The journal speaks of the player; a panel speaks to them. */
export const addressed = (words) =>
  words
    .replaceAll("the player's", "your")
    .replaceAll("the player", "you")
    .replaceAll("The player's", "Your")
    .replaceAll("The player", "You");

/** After the round: what was best, and what a mistake cost. Asked for, never forced on anybody. */
export function offerReview(panel, table, number, atOnce) {
  const room = $(".review", panel);
  const show = async () => {
    refill(room, h("p.wait", { role: "status" }, "Calculating…"));
    try {
      const review = await getPatiently(`/tables/${encodeURIComponent(table)}/rounds/${number}/review`);
      refill(room, reviewed(review));
      room.scrollIntoView?.({ block: "nearest" });
    } catch (problem) {
      refill(room, h("p.wait", {}, problem.message));
    }
  };
  refill(room, h("button.link", { type: "button", data: { name: "review" }, onclick: show }, "How well did I play?"));
  if (atOnce) show();
}

export function reviewed(review) {
  if (!review.decisions.length) return h("p.wait", {}, "There was nothing to decide in this round.");
  const all = review.decisions.every((decision) => decision.right);
  return h(
    "div.reviewed",
    {},
    h(
      "p",
      {},
      h("b", {}, all ? "Played perfectly." : `Mistakes cost ${dollars(cents(review.cost_money))} on average.`),
    ),
    h(
      "ul",
      {},
      review.decisions.map((decision) =>
        h(
          "li",
          { data: { right: String(decision.right) } },
          decision.right
            ? `${actionTitle(decision.said)} ${decisionWords(decision.decision)}: the best play.`
            : `${actionTitle(decision.said)} ${decisionWords(decision.decision)}: ${actionTitle(decision.best)} was better, by ${dollars(cents(decision.cost_money))} on average.`,
        ),
      ),
    ),
  );
}
