// What the rooms of the school share: the scene of an exercise, its choices, and the correction.

import { still } from "../felt/cards.js";
import { chip } from "../felt/chips.js";
import { $$, h } from "../shared/dom.js";
import { readKey } from "../shared/keys.js";
import { cents } from "../shared/money.js";

export const KINDS = {
  payout: "Payouts",
  hands: "Hand reading",
  procedure: "Procedure",
  irregularities: "When something goes wrong",
};

const address = new URLSearchParams(location.search);
export const param = (name) => address.get(name) ?? "";

/** The game of this browser, kept from visit to visit. */
export function game(known) {
  const wanted = new URLSearchParams(location.search).get("game") || localStorage.getItem("school-game");
  const chosen = wanted && known.some((entry) => entry.rulebook === rulebookOf(wanted)) ? wanted : known[0].rulebook;
  localStorage.setItem("school-game", chosen);
  return chosen;
}

export const link = (room, params = {}) => {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value)).toString();
  return `/school${room ? `/${room}` : ""}${query && `?${query}`}`;
};

/** A game is a rulebook, and the paytables that are not its first ones: `md-uth:trips=D`. */
export const rulebookOf = (name) => name.split(":")[0];

/** Only payouts hang on paytables: everything else is drilled once for a rulebook. */
export const gameFor = (skill, name) => (skill.startsWith("payout.") ? name : rulebookOf(name));

/** A wrong field can be corrected: nothing was counted. */
export const isNonsense = (problem) => problem.status === 400 || problem.status === 422;

const hand = (cards) =>
  h(
    "span.scene-hand",
    {},
    cards
      .split(" ")
      .filter(Boolean)
      .map((card) => still(card, true)),
  );
const place = (name, cards) => (cards ? h("div.scene-place", {}, h("span.scene-name", {}, name), hand(cards)) : null);

/** The table as the exercise shows it. */
export function scene(task, rulebook) {
  const seats = task.seats ?? [];
  const lying = task.community || task.dealer || task.box || task.cards;
  return h(
    "section.scene",
    { data: { game: rulebookOf(rulebook) }, "aria-label": "The table" },
    h("p.scene-game", {}, task.game),
    lying
      ? h(
          "div.scene-places",
          {},
          place("Dealer", task.dealer),
          place("Community", task.community),
          place("Bonus cards", task.box),
          place("Cards", task.cards),
        )
      : null,
    seats.length
      ? h(
          "ol.scene-seats",
          {},
          seats.map((seat) =>
            h(
              "li",
              { data: { asked: String(Boolean(seat.asked)) } },
              h("span.scene-name", {}, `Seat ${seat.seat}`),
              seat.cards ? hand(seat.cards) : null,
              seat.wagers
                ? h(
                    "span.scene-wagers",
                    {},
                    Object.entries(seat.wagers).map(([title, stake]) => h("span", {}, title, " ", h("b", {}, stake))),
                  )
                : null,
              seat.said?.length ? h("span.scene-said", {}, `“${seat.said.join("”, “")}”`) : null,
            ),
          ),
        )
      : null,
    task.meters
      ? h(
          "p.scene-meters",
          {},
          Object.entries(task.meters)
            .map(([name, shows]) => `Meter ${name}: ${shows}`)
            .join(", "),
        )
      : null,
    task.told?.length
      ? h(
          "ul.scene-told",
          {},
          task.told.map((line) => h("li", {}, line)),
        )
      : null,
  );
}

function stack(chips) {
  return h(
    "span.stacks",
    {},
    Object.entries(chips).map(([worth, count]) => h("span.stack-of", {}, `${count} ×`, chip(cents(worth)))),
  );
}

function shown(choice) {
  if (choice.chips) return [stack(choice.chips), h("span.choice-words", {}, choice.words)];
  if (choice.cards) return [h("span.unseen", {}, choice.words), hand(choice.cards)];
  return h("span.choice-words", {}, choice.words);
}

/** What is answered with: `mark` shows which was right, and nothing can be pressed any more. */
/** @returns {any} */
export function answers(question, onAnswer) {
  return question.typed ? new Amount(question, onAnswer) : new Choices(question, onAnswer);
}

/** One key for each: 1 to 4. */
class Choices {
  constructor(question, onAnswer) {
    this.node = h(
      "ol.answers",
      { "aria-label": "Answers" },
      question.choices.map((choice, n) =>
        h(
          "li",
          {},
          h(
            "button.answer",
            {
              type: "button",
              data: { name: `answer-${n}`, place: n },
              "aria-keyshortcuts": String(n + 1),
              onclick: () => onAnswer(n),
            },
            h("kbd", { "aria-hidden": "true" }, String(n + 1)),
            h("span.choice", {}, shown(choice)),
          ),
        ),
      ),
    );
    this.words = question.choices.map((choice, n) => `${n + 1}: ${choice.words}`).join(". ");
  }

  ready() {}

  mark(chosen, right) {
    for (const [n, button] of $$(".answer", this.node).entries()) {
      button.disabled = true;
      if (n === right) button.dataset.mark = "right";
      else if (n === chosen) button.dataset.mark = "wrong";
    }
  }
}

/** An amount is called: typed, and sent with Enter. */
class Amount {
  words = "Type the amount.";

  constructor(question, onAnswer) {
    const signed = question.skill === "payout.total";
    this.field = h("input", {
      id: "amount",
      type: "text",
      inputmode: signed ? "text" : "decimal",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 20,
      "aria-describedby": "amount-help",
    });
    this.button = h("button.gold", { type: "submit" }, "Call it", h("kbd", { "aria-hidden": "true" }, "enter"));
    this.right = h("p.amount-right", {});
    this.node = h(
      "form.amount",
      {
        onsubmit: (event) => {
          event.preventDefault();
          onAnswer(this.field.value);
        },
      },
      h("label", { for: "amount" }, "Amount in dollars"),
      h("div.amount-line", {}, this.field, this.button),
      h("p.fine", { id: "amount-help" }, signed ? "As 17.50; a loss with a minus: -20." : "As 17.50."),
      this.right,
    );
  }

  /** What was typed stays, so that it can be corrected. */
  ready() {
    this.field.focus({ preventScroll: true });
    this.field.select();
  }

  mark(said, _, words, isRight) {
    this.field.disabled = true;
    this.button.disabled = true;
    this.field.dataset.mark = isRight ? "right" : "wrong";
    this.right.textContent = isRight ? "" : `Right: ${words}`;
  }
}

/** Why: what is wrong with the answer, the reason, the clause, and every line of the settlement. */
export function correction(answer, why = "") {
  return h(
    "div.correction",
    {},
    why ? h("p.why-not", {}, why) : null,
    h("p.why", {}, answer.words),
    answer.clause
      ? h("p.by", {}, h("span.clause", {}, answer.clause), answer.gist ? h("span", {}, answer.gist) : null)
      : null,
    answer.lines?.length
      ? h(
          "details",
          {},
          h("summary", {}, "The whole settlement"),
          h(
            "ul",
            {},
            answer.lines.map((line) => h("li", {}, line)),
          ),
        )
      : null,
  );
}

/** Keys of a room: the number of a choice, and one to go on. */
export function listen({ onChoose, onNext }) {
  addEventListener("keydown", (event) => {
    const pressed = readKey(event);
    if (!pressed || pressed.inField) return;
    const place = Number(pressed.key) - 1;
    if (place >= 0 && place < 9) onChoose(place);
    else if (
      (event.key === "Enter" || event.key === " ") &&
      !(/** @type {any} */ (event.target).matches?.("button, a, summary"))
    ) {
      event.preventDefault();
      onNext();
    }
  });
}

/** A clock that everybody can see: what is left of the time, in a bar and in seconds. */
export class Clock {
  #frame = 0;

  constructor(words = "Time") {
    this.bar = h("div.clock-bar");
    this.text = h("span.clock-text", { "aria-hidden": "true" });
    this.node = h(
      "div.school-clock",
      { role: "timer", "aria-label": words },
      h("div.clock-line", {}, this.bar),
      this.text,
    );
  }

  start(seconds, elapsed = 0, onEnd = () => {}) {
    this.stop();
    const began = performance.now() - elapsed * 1000;
    const tick = () => {
      const left = seconds - (performance.now() - began) / 1000;
      this.bar.style.setProperty("--left", String(Math.max(0, left / seconds)));
      this.text.textContent = left > 0 ? `${Math.ceil(left)} s` : "over";
      this.node.dataset.late = String(left <= 0);
      if (left > 0) this.#frame = requestAnimationFrame(tick);
      else onEnd();
    };
    tick();
  }

  stop() {
    cancelAnimationFrame(this.#frame);
  }
}

export const failed = (problem) =>
  h("p.sorry", {}, `${problem.message} `, h("a", { href: "/school" }, "Back to the school"), ".");
