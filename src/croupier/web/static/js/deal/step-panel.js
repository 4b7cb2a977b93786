// The dealer's next step in large type: its clause, the guide's words, and the one key that does it.

import { commandForm } from "../shared/command-form.js";
import { $, h, refill } from "../shared/dom.js";
import { clauseButton } from "../shared/hints.js";
import { kbd, shortcut } from "../shared/keys.js";
import { actionTitle } from "../shared/layout.js";
import { choose, chosen } from "../shared/settings.js";
import { answerKeys, isPaying, prefilled, stepTitle } from "./standing.js";

const FIELD = "input:not([type=checkbox]), select";

export class StepPanel {
  #shown = "";
  #asked = ""; // the question that the fields answer

  /** `entry` is a CardEntry; `onDo(step)`, `onAnswer(step, action)`, `onDone(done)` after a form. */
  constructor({ entry, rules, onDo, onAnswer, onDone }) {
    this.entry = entry;
    this.rules = rules;
    this.onDo = onDo;
    this.onAnswer = onAnswer;
    this.onDone = onDone;
    this.what = h("div.next-what", { role: "status", "aria-live": "polite" });
    this.controls = h("div.next-controls");
    this.duties = h("section.next-duties.scrolls", { "aria-label": "Duties" }); // the page places it where it is always in view
    this.node = h("section.next-step", { "aria-label": "Your next step" }, this.what, this.controls, this.entry.node);
  }

  /** `step` is the one to do; without one, `idle` says what is waited for. */
  update(step, idle, { table, descriptions, meant, names, busy, retyping }) {
    this.node.dataset.step = step?.step ?? "";
    this.node.classList.toggle("busy", busy);
    const key = JSON.stringify(step ? [step, meant, retyping] : idle);
    if (key === this.#shown) return;
    this.#shown = key;
    if (step) this.#draw(step, { table, descriptions, meant, names, retyping });
    else this.#wait(idle);
  }

  #wait({ title, words, clause, duties = [] }) {
    this.#asked = "";
    refill(
      this.what,
      h("h2.next-title", {}, title),
      words ? h("p.next-words", {}, words, " ", clauseButton(clause, this.rules)) : null,
    );
    refill(this.controls);
    this.#list(duties);
  }

  #draw(step, how) {
    const shape = JSON.stringify(step);
    const isSame = shape === this.#asked;
    this.#asked = shape;
    const typed = isSame ? typedIn(this.controls) : {};
    const takesFocus = !isSame || this.controls.contains(document.activeElement);
    refill(
      this.what,
      h("h2.next-title", {}, stepTitle(step)),
      h("p.next-words", {}, step.words, " ", clauseButton(step.clause, this.rules)),
    );
    refill(this.controls, how.retyping ? null : this.#control(step, { ...how, typed }));
    this.#list(step.duties);
    if (takesFocus) focusAtEnd($(FIELD, this.controls));
  }

  /** Duties of the dealer, who confirms them with the step; and of others, which the dealer sees to. Folded to their
      number until they are opened, here and at every step that follows. */
  #list(duties) {
    refill(
      this.duties,
      duties.length
        ? h(
            "details",
            { open: chosen("duties"), ontoggle: (event) => remember(event.currentTarget.open) },
            h(
              "summary",
              {},
              `Duties now (${duties.length})`,
              kbd("U"),
              h(
                "span.duty-clauses",
                {},
                duties.map((duty) => h("span", { data: { duty: duty.clause } }, duty.clause, " ")),
              ),
            ),
            h(
              "ul.duties",
              {},
              duties.map((duty) =>
                h(
                  "li",
                  { data: { duty: duty.clause } },
                  h("span.clause-id", {}, duty.clause),
                  h(
                    "span",
                    {},
                    duty.role && duty.role !== "dealer" ? h("b", {}, `${capital(duty.role)}: `) : null,
                    duty.words,
                    duty.second ? h("small", {}, ` Confirmed by ${duty.second}.`) : null,
                    duty.sees ? h("small", {}, ` To be seen by ${duty.sees}.`) : null,
                  ),
                ),
              ),
            ),
          )
        : null,
    );
  }

  /** After a dialog the keys answer this step again, not the button that opened the dialog. */
  focus() {
    if (document.querySelector("dialog[open]")) return;
    $(":focus")?.blur();
    focusAtEnd($(FIELD, this.controls));
  }

  toggleDuties() {
    const list = $("details", this.duties);
    if (list) list.open = !list.open;
    choose("duties", list?.open ?? !chosen("duties"));
  }

  #control(step, { table, descriptions, meant, names, typed }) {
    if (step.asks.includes("action")) return this.#answers(step);
    if (step.cards) return null; // typed into the entry below
    if (!step.asks.length) {
      return h(
        "button.gold.next-do",
        { type: "button", data: { name: "do" }, "aria-keyshortcuts": "Enter", onclick: () => this.onDo(step) },
        isPaying(step) ? "Paid, next" : step.label,
        h("kbd", { "aria-hidden": "true" }, "enter"),
      );
    }
    const description = { ...descriptions[step.command.type], words: "" }; // the step has said it
    const fields = { ...prefilled(step, names), ...typed };
    return commandForm(description, {
      table,
      given: fields,
      asks: step.asks,
      needs: step.step === "view" ? ["player"] : [],
      meant,
      names,
      label: step.label,
      quiet: true,
      onDone: this.onDone,
    });
  }

  #answers(step) {
    const keys = answerKeys(step.choices);
    return h(
      "div.answers",
      { role: "group", "aria-label": step.words },
      step.choices.map((action) =>
        h(
          "button.plain.answer",
          {
            type: "button",
            data: { name: `answer-${action}`, action },
            "aria-keyshortcuts": shortcut(keys[action]),
            onclick: () => this.onAnswer(step, action),
          },
          actionTitle(action),
          kbd(keys[action]),
        ),
      ),
      h("p.fine", {}, h("kbd", {}, "shift"), " with an answer: for everyone who has not answered yet."),
    );
  }
}

/** A list that is drawn open toggles as well. */
const remember = (open) => open !== chosen("duties") && choose("duties", open);

/** The same question beside the seat that is asked: answers to press, or what is to be done there. */
export function seatQuestion(step, /** @type {any} */ { onAnswer, typed = [], pays = "" }) {
  if (step.asks.includes("action")) {
    const keys = answerKeys(step.choices);
    return h(
      "div.seat-question",
      { role: "group", "aria-label": `Seat ${step.seat}: answer` },
      step.choices.map((action) =>
        h(
          "button.seat-answer",
          { type: "button", data: { name: `seat-answer-${action}` }, onclick: () => onAnswer(step, action) },
          actionTitle(action),
          kbd(keys[action]),
        ),
      ),
    );
  }
  if (step.cards)
    return h(
      "p.seat-question",
      { "aria-hidden": "true" },
      Array.from({ length: step.cards }, (_, n) => h("span.seat-slot", {}, typed[n] ?? "")),
    );
  if (isPaying(step)) return h("p.seat-question", { "aria-hidden": "true" }, pays);
  return null;
}

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** What stands in the fields, by name. */
function typedIn(controls) {
  const form = $("form", controls);
  return form ? Object.fromEntries([...new FormData(form)].filter(([, value]) => value)) : {};
}

/** The cursor stands behind what was typed: text that is only there when the field is focused has it in front. */
function focusAtEnd(field) {
  field?.focus();
  if (!field?.matches("input")) return;
  const { value } = field;
  field.value = "";
  field.value = value;
}
