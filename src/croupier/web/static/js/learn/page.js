// A first round, walked through on the real felt: a fixed deck, the same engine, and a coach.

import { announce } from "../shared/announce.js";
import { comeIn, get } from "../shared/api.js";
import { Bar } from "../felt/bar.js";
import { dress } from "../shared/chrome.js";
import { Coach } from "./coach.js";
import { $, h, refill } from "../shared/dom.js";
import { openRules } from "../shared/drawer.js";
import { Felt } from "../felt/felt.js";
import { readKey } from "../shared/keys.js";
import { actionCost, actionTitle, wagersByRole, titleOf } from "../shared/layout.js";
import { cents, dollars } from "../shared/money.js";
import { Place } from "../felt/place.js";
import { resultPanel } from "../felt/result.js";
import { choose, chosen } from "../shared/settings.js";

const list = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0]);

class Lesson {
  constructor(lesson, rules, table) {
    this.lesson = lesson;
    this.rules = rules;
    this.table = table;
    this.felt = new Felt(rules);
    this.place = new Place(rules, { keys: {}, onSpot: () => this.tapped("place_wagers") });
    this.bar = new Bar({ onChip: () => {} });
    $("#table").replaceChildren(this.felt.node, this.bar.node);
    this.felt.place.append(this.place.node);
    this.marks = this.#marks();
    this.at = 0;
    this.coach = new Coach({ onNext: () => this.go(1), onBack: () => this.go(-1), onSkip: () => this.leave() });
    this.show();
    addEventListener("keydown", (event) => {
      const pressed = readKey(event);
      if (!pressed || pressed.inField) return;
      if (event.key === "ArrowRight") this.go(1);
      if (event.key === "ArrowLeft") this.go(-1);
      if (event.key === "Escape") this.leave();
    });
    $("#rules").addEventListener("click", () => openRules(rules));
  }

  /** The learner may press the real thing as well as Next. */
  tapped(does) {
    if (this.marks[this.at].does === does) this.go(1);
  }

  go(way) {
    if (way > 0 && this.at === this.marks.length - 1) return this.finish();
    this.at = Math.max(0, Math.min(this.marks.length - 1, this.at + way));
    return this.show();
  }

  leave() {
    location.assign(this.table ? `/tables/${encodeURIComponent(this.table)}` : "/");
  }

  async finish() {
    choose("learned", [...new Set([...chosen("learned"), this.rules.rulebook])]);
    try {
      await comeIn();
      location.assign(`/tables/${encodeURIComponent(this.table)}#sit`);
    } catch {
      this.leave();
    }
  }

  show() {
    const mark = this.marks[this.at];
    const { view } = this.lesson.steps[mark.step];
    const { seat } = this.lesson;
    const held = view.round.seats.find((entry) => entry.number === seat);
    const over = view.round.phase === "over";
    const stakes = over || !held ? {} : Object.fromEntries(Object.entries(held.wagers).map(([k, v]) => [k, cents(v)]));
    this.felt.update(view, { mine: seat, cardsInto: this.place.cards });
    this.place.update(view, seat, { stakes, isEnabled: () => mark.does === "place_wagers" });
    this.place.aside.replaceChildren(...(held?.lines.length ? [resultPanel(this.rules, view.round, held)] : []));
    const says =
      mark.does === "say" ? view.actions.filter((action) => action.do === "say" && action.seat === seat) : [];
    this.bar.update({
      prompt:
        mark.does === "say"
          ? "Your turn."
          : mark.does === "ready"
            ? "Press Deal when your bets are placed."
            : mark.title,
      tray: mark.does === "place_wagers",
      chipChosen: 500,
      rack: cents(view.me?.rack),
      buttons:
        mark.does === "ready"
          ? [{ name: "deal", title: "Deal", kind: "gold", run: () => this.tapped("ready") }]
          : says.map((action) => ({
              name: action.action,
              title: actionTitle(action.action),
              sub: actionCost(action),
              kind: cents(action.cost) > 0 ? "gold" : "plain",
              best: action.action === mark.said,
              off: action.action !== mark.said,
              run: () => this.tapped("say"),
            })),
    });
    this.coach.show({ ...mark, target: mark.target?.(), at: this.at + 1, of: this.marks.length });
    announce(`${mark.title}. ${mark.words.join(" ")}`);
  }

  /** What the coach says at each step: from the rules and from what happened, for any rulebook. */
  #marks() {
    const { rules, lesson } = this;
    const main = wagersByRole(rules).main;
    const sum = dollars(cents(Object.values(lesson.wagers)[0]));
    const spots = () => this.place.spots.node;
    /** @type {any[]} */
    const marks = [
      {
        step: 2,
        title: `Welcome to ${rules.title}`,
        target: null,
        words: [rules.summary, "This is a practice round with a fixed deck. It takes two minutes and costs nothing."],
      },
      {
        step: 2,
        title: "Your betting spots",
        target: spots,
        words: [
          `${list(main.map((wager) => wager.title))} must be bet${main.length > 1 ? ", all of the same size" : ""}. ${main.map((wager) => wager.words).join(" ")}`,
          wagersByRole(rules).sides.length ? "The diamonds are side bets: leave them empty as long as you like." : "",
        ].filter(Boolean),
      },
    ];
    lesson.steps.forEach((step, n) => {
      const before = Math.max(0, n - 1);
      if (step.do === "place_wagers")
        marks.push({
          step: before,
          does: "place_wagers",
          action: `Bet ${sum} each`,
          title: "Place your bets",
          target: () => this.place.spots.node_of(main[0].name),
          words: [`Tap ${main[0].title}. We bet ${sum} on each required spot.`],
        });
      else if (step.do === "ready")
        marks.push({
          step: before,
          does: "ready",
          action: "Deal",
          title: "Done betting?",
          target: () => this.bar.buttons,
          words: ["Until you press Deal you can undo or change everything. Then the dealer says “no more bets”."],
        });
      else if (step.do === "say") marks.push(this.#question(step, before));
      else if (step.kind === "cards_dealt")
        marks.push({
          step: n,
          title: "Your cards",
          target: () => this.place.cards,
          words: [
            `Only you see them. ${this.#faceDown()}`,
            "The order of the deck was sealed before you bet, and can be checked afterwards.",
          ],
        });
      else if (step.kind === "revealed") marks.push(this.#revealed(step, n));
      else if (step.kind === "dealer_shown")
        marks.push({
          step: n,
          title: "The dealer's hand",
          target: () => this.felt.zones.dealer.node,
          words: [
            `${rules.qualifier?.words ?? ""} The hand: ${step.view.round.dealer_hand.replaceAll("_", " ")}, so the dealer ${step.view.round.qualifies ? "qualifies" : "does not qualify"}.`,
          ],
        });
      else if (step.kind === "seat_settled")
        marks.push({
          step: n,
          title: "Settlement",
          target: () => this.place.aside,
          words: [
            "Every bet is settled on its own. Press § to read the clause of the document that it rests on.",
            "After a real round you can also ask how well you played.",
          ],
        });
    });
    marks.push({
      step: lesson.steps.length - 2,
      title: "You are ready",
      target: null,
      words: [
        `You know ${rules.title}. Sit down with ${dollars(50_000)} of play chips; switch on Advice if you want exact values at every turn.`,
      ],
    });
    return marks;
  }

  /** What nobody can see after the deal. */
  #faceDown() {
    const { dealer, community } = this.rules.cards;
    const board = this.rules.cards.community === 2 && !dealer ? "Two community cards" : "The board";
    if (!dealer) return `${board} lie${board === "The board" ? "s" : ""} face down in the middle.`;
    return community ? "The dealer's cards and the board lie face down." : "The dealer's cards lie face down.";
  }

  #revealed(step, n) {
    const { round } = step.view;
    if (round.community.some(Boolean)) {
      return {
        step: n,
        title: "The board",
        target: () => this.felt.zones.community.node,
        words: [
          "Community cards count for everybody: your hand is the best five of yours and these.",
          held(step, this.lesson.seat),
        ],
      };
    }
    if (round.dealer.some(Boolean)) {
      return {
        step: n,
        title: "The dealer's card",
        target: () => this.felt.zones.dealer.node,
        words: ["Everyone sees it before deciding. The others stay face down until all have answered."],
      };
    }
    return {
      step: n,
      title: "Your third card",
      target: () => this.place.cards,
      words: ["It is yours, and it decides the 3 Card wager.", held(step, this.lesson.seat)],
    };
  }

  #question(step, before) {
    const decision = this.rules.decisions.find(
      (decision) => decision.name === this.lesson.steps[before].view.round.decision,
    );
    const bets = Object.entries(decision.bets).map(
      ([said, times]) =>
        `${actionTitle(said)} puts ${times}× the ${titleOf(this.rules, decision.multiple_of)} on ${titleOf(this.rules, decision.wager)}`,
    );
    if (decision.takes_back)
      bets.push(`${actionTitle("take_back")} returns your ${titleOf(this.rules, decision.takes_back)}`);
    const texts = {
      check: "Check bets nothing now.",
      fold: "Fold gives up your bets.",
      ride: "Let it ride leaves your bets where they are.",
    }[decision.otherwise];
    return {
      step: before,
      does: "say",
      action: actionTitle(step.action),
      said: step.action,
      title: "Your decision",
      target: () => this.bar.buttons,
      words: [
        `${bets.join(", ")}. ${texts}`,
        `Here we ${actionTitle(step.action).toLowerCase()}: with these cards nothing is better. ${step.why}`,
      ],
    };
  }
}

function held(step, number) {
  const seat = step.view.round.seats.find((seat) => seat.number === number);
  return seat?.hand ? `You have: ${seat.hand.replaceAll("_", " ")}.` : "";
}

async function start() {
  dress();
  const rulebook = document.body.dataset.rulebook ?? "";
  try {
    const [lesson, { tables }] = await Promise.all([
      get(`/lessons/${rulebook}`),
      get(`/tables?size=1&game=${encodeURIComponent(rulebook)}`),
    ]);
    const [table] = tables;
    new Lesson(lesson, await get(`/tables/${encodeURIComponent(table.id)}/rules`), table.id);
  } catch (problem) {
    refill($("#table"), h("p.sorry", {}, `${problem.message} `, h("a", { href: "/" }, "Back to the lobby"), "."));
  }
}

start();
