// The dealer's console in an assessment: the dealer names each step, and what they forget is noted.

import { announce, note } from "../shared/announce.js";
import { ask, get } from "../shared/api.js";
import { $, h, refill } from "../shared/dom.js";
import { openSheet } from "../shared/sheets.js";

const REPORT = "Report what went wrong";
const KINDS = {
  forgotten: "Forgotten",
  out_of_order: "Out of order",
  somebody_else: "Somebody else's",
  refused: "Refused",
};
/** Ours, and no step of the procedure: nobody has to name it. */
const UNNAMED = new Set(["enter_cards"]);

export class Assessed {
  /** Where the address names an assessment; else nothing. */
  static at(page) {
    const id = new URLSearchParams(location.search).get("assessment");
    return id ? new Assessed(page, id) : null;
  }

  chosen = "";
  version = -1;

  constructor(page, id) {
    this.page = page;
    this.id = id;
    this.menu = h("ul.assessed-menu", { "aria-label": "What do you do now?" });
    this.happens = h("p.happens", { role: "alert" });
    this.notes = h("ul.assessed-notes", { role: "status", "aria-label": "Noted" });
    this.task = h("p.fine");
    this.title = h("h2", {}, "What do you do now?");
    this.node = h(
      "section.assessed",
      { "aria-label": "Assessment" },
      this.task,
      this.title,
      this.happens,
      this.menu,
      this.notes,
      h(
        "div.doors",
        {},
        h(
          "button.plain.small",
          { type: "button", data: { name: "finish" }, onclick: () => this.finish() },
          "Finish and see the result",
        ),
      ),
    );
  }

  path(suffix = "") {
    return `/school/assessments/${encodeURIComponent(this.id)}${suffix}?table=${encodeURIComponent(this.page.table)}`;
  }

  /** The step that the dealer has named, or one that needs no naming. */
  step(mine) {
    return mine.find((step) => UNNAMED.has(step.step) || step.label === this.chosen) ?? null;
  }

  idle() {
    return { title: "Say what comes next", words: "Choose a step. Players and the floor act on their own." };
  }

  /** Called with every change of the table: a step that was named is done, so the next is to be named. */
  update(work) {
    if (work.version === this.version) return;
    const first = this.version < 0;
    this.version = work.version;
    this.chosen = "";
    this.look(first);
  }

  async look(first = false) {
    try {
      this.form = await get(this.path());
    } catch (problem) {
      note(problem.message, { bad: true });
      return;
    }
    if (first) this.task.textContent = `${this.form.words}.`;
    if (this.form.happens && this.happens.textContent !== this.form.happens)
      this.happens.textContent = this.form.happens;
    if (!this.form.happens) this.happens.textContent = "";
    this.draw();
    if (this.form.is_complete && !this.form.ended_at) await this.finish();
    else if (this.form.ended_at && !this.told) this.result(this.form);
  }

  draw() {
    this.node.dataset.chosen = String(Boolean(this.chosen));
    this.title.textContent = this.chosen ? `Now: ${this.chosen}` : "What do you do now?";
    refill(
      this.menu,
      this.form.menu.map((label) =>
        h(
          "li",
          {},
          h(
            "button.plain",
            {
              type: "button",
              data: { name: `step-${label}` },
              "aria-pressed": String(label === this.chosen),
              onclick: () => this.choose(label),
            },
            label,
          ),
        ),
      ),
    );
    refill(
      this.notes,
      this.form.mistakes.slice(-3).map((mistake) => h("li", {}, mistakeLine(mistake))),
    );
  }

  async choose(label) {
    try {
      const noted = (await ask("POST", this.path("/steps"), { label })).body;
      if (noted.kind === "right") {
        this.chosen = label;
        this.draw();
        announce(`${label}: right.`);
        if (label === REPORT) this.page.report();
      } else {
        await this.look();
        announce(mistakeLine(noted));
      }
      this.page.render();
      $(".next-do")?.focus();
    } catch (problem) {
      note(problem.message, { bad: true });
    }
  }

  async finish() {
    try {
      this.form = (await ask("POST", this.path("/finish"), {})).body;
      this.result(this.form);
    } catch (problem) {
      note(problem.message, { bad: true });
    }
  }

  /** Everything that was done, forgotten and refused, each with its clause. */
  result(form) {
    this.told = true;
    openSheet(
      form.is_complete ? "Done" : "Not finished",
      h("p.big-score", {}, `${form.score}%`),
      h("p", {}, `${count(form.right, "step")} named correctly, ${count(form.mistakes.length, "mistake")}.`),
      form.left.length
        ? [
            h("h3", {}, "Left undone"),
            h(
              "ul.assessed-notes",
              {},
              form.left.map((skill) => h("li", {}, skill)),
            ),
          ]
        : null,
      form.mistakes.length
        ? [
            h("h3", {}, "Mistakes"),
            h(
              "ul.assessed-notes",
              {},
              form.mistakes.map((mistake) => h("li", {}, mistakeLine(mistake))),
            ),
          ]
        : null,
      form.done.length
        ? [
            h("h3", {}, "Done and confirmed"),
            h(
              "ol.assessed-notes",
              {},
              form.done.map((entry) =>
                h(
                  "li",
                  {},
                  entry.label,
                  entry.clause ? ` [${entry.clause}]` : "",
                  entry.duties.length
                    ? h(
                        "ul",
                        {},
                        entry.duties.map(([words, clause]) => h("li", {}, `${words} [${clause}]`)),
                      )
                    : null,
                ),
              ),
            ),
          ]
        : null,
      h(
        "div.doors",
        {},
        h("a.gold", { href: "/school" }, "Back to the school"),
        h("a.plain", { href: "/school/report" }, "My report"),
      ),
    );
    announce(`${form.score} percent.`);
  }
}

const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
const cited = (words, clause) => `${words}${clause ? ` [${clause}]` : ""}`;

function mistakeLine(entry) {
  if (entry.kind === "forgotten") return `Forgotten: ${cited(entry.due, entry.due_clause)}, before “${entry.chosen}”.`;
  const words = entry.words
    ? ` ${cited(`${entry.words.charAt(0).toUpperCase()}${entry.words.slice(1)}`, entry.clause)}.`
    : "";
  return `${KINDS[entry.kind]}: ${entry.chosen}.${words}${entry.due ? ` Due: ${cited(entry.due, entry.due_clause)}.` : ""}`;
}
