// A fair deck, where everybody can see it: the seal on the felt before the bets, randomness of one's own, and one click that checks the deal.

import { command, get } from "../shared/api.js";
import { h, put, refill, say } from "../shared/dom.js";
import { checkDeal, newCommitment, noteRevealed, noteSeal, valueOf } from "./seal.js";
import { choose, chosen } from "../shared/settings.js";
import { openBox } from "../shared/sheets.js";

const WHY =
  "The order of this deck was fixed before the first bet, and everyone was given this fingerprint of it. After the round the order is revealed, so nobody can have changed it.";
const OWN =
  "This browser then adds 32 random bytes to every deck, committed before the bets close and revealed before the deal. So nobody chooses the deck, not even the house.";

export class Fairness {
  #done = new Set();
  #onItsWay = Promise.resolve();
  /** @type {any} */ #ended = null;

  constructor(table) {
    this.table = table;
    this.node = h("button.deck-seal", {
      type: "button",
      hidden: true,
      "aria-haspopup": "dialog",
      data: { name: "seal" },
      onclick: () => this.open(),
    });
  }

  update(view) {
    this.view = view;
    const { round } = view;
    noteSeal(this.table, round);
    if (round.phase === "over" && round.number && round.commitment) this.#ended = round;
    this.node.hidden = !round.commitment;
    const added = round.added.length;
    say(this.node, `Seal ${round.commitment.slice(0, 6)}…${added ? ` +${added}` : ""}`);
    this.node.title = `The deck is sealed${added ? `, with the randomness of ${added} player${added > 1 ? "s" : ""}` : ""}: what this means`;
    this.#add(view);
  }

  /** Until one's own randomness has arrived the bets are not closed. */
  committed() {
    return this.#onItsWay;
  }

  #add({ source, me, seats, round }) {
    if (source !== "virtual" || !me) return;
    const mine = round.added.find((entry) => entry.player === me.player);
    const seat = seats.find((seat) => seat.player === me.player)?.number;
    if (round.phase === "betting" && chosen("randomness") && seat && !mine) {
      this.#once(`commit ${round.number}`, () =>
        this.#tell("commit_randomness", { seat, commitment: newCommitment() }),
      );
    }
    const value = mine && !mine.value && round.phase === "closed" ? valueOf(mine.commitment) : "";
    if (value) {
      this.#once(`reveal ${round.number}`, () =>
        this.#tell("reveal_randomness", { seat: mine.seat, value }).then(
          (revealed) => revealed && noteRevealed(mine.commitment),
        ),
      );
    }
  }

  #once(step, run) {
    if (this.#done.has(step)) return;
    this.#done.add(step);
    this.#onItsWay = run();
  }

  /** A refusal stops nothing: the deck is dealt without it, and the check says so. */
  #tell(type, fields) {
    return command(this.table, type, fields, { round: this.view.round.number }).catch(() => null);
  }

  open() {
    const { round, me } = this.view;
    const own = h("input", { type: "checkbox", name: "randomness", onchange: () => choose("randomness", own.checked) });
    own.checked = chosen("randomness");
    openBox(
      "This deck is sealed",
      h(
        "div.seal-told",
        {},
        h("p", {}, WHY),
        h("p.code", { data: { name: "full-seal" } }, round.commitment),
        round.added.length
          ? h(
              "ul",
              {},
              round.added.map((entry) =>
                h(
                  "li",
                  {},
                  `${entry.player === me?.player ? "You" : entry.player} (seat ${entry.seat}): randomness ${entry.value ? "revealed" : "committed"}`,
                ),
              ),
            )
          : null,
        h("label.check", {}, own, h("span", {}, "Add my own randomness")),
        h("p.fine", {}, OWN),
        this.#ended
          ? this.#check(`Check round ${this.#ended.number}`, this.#ended.number)
          : h("p.fine", {}, "After the round you can check it here with one click."),
      ),
    );
  }

  /** Below the settlement of a round. */
  offerCheck(panel, number) {
    if (this.view.source === "virtual") put(panel, [this.#check("Check this deal", number)]);
  }

  #check(words, number) {
    const path = `/tables/${encodeURIComponent(this.table)}/rounds/${number}`;
    return checkButton(words, this.table, () => get(path), this.#ended?.number === number ? this.#ended : undefined);
  }
}

/** One click checks a round here in the browser and lists every check. `story` fetches the round; `seen` is how this page saw it end. */
export function checkButton(words, table, story, seen) {
  const list = h("ul.seal-check", { role: "status" });
  const run = async () => {
    try {
      refill(list, checked(table, await story(), seen));
      list.scrollIntoView({ block: "nearest" });
    } catch (problem) {
      refill(list, h("li", {}, problem.message));
    }
  };
  return h(
    "div.deal-check",
    {},
    h("button.link", { type: "button", data: { name: "check-deal" }, onclick: run }, words),
    list,
  );
}

function checked(table, story, seen) {
  if (!story.deal) return h("li", {}, "The cards of this round were shuffled by hand.");
  const checks = checkDeal(table, story, seen);
  const isWrong = checks.some((check) => check.holds === false);
  return [
    h(
      isWrong ? "li.bad.checked" : "li.good.checked",
      {},
      isWrong
        ? "This deal does not check out. Call the floor."
        : story.deal.added.some((entry) => entry.value)
          ? "Checks out: nobody chose this deck, and nobody changed it."
          : "Checks out: nobody changed this deck.",
    ),
    ...checks.map(({ holds, words }) =>
      h(
        holds === null ? "li" : holds ? "li.good" : "li.bad",
        {},
        `${holds === null ? "–" : holds ? "✓" : "✗ Not so:"} ${words}`,
      ),
    ),
  ];
}
