// Giving a command from a page of the staff: in a dialog, with what the person had before their eyes.

import { note } from "./announce.js";
import { command, commands, get } from "./api.js";
import { openCommand } from "./command-form.js";
import { $, h } from "./dom.js";
import { inWords } from "./layout.js";
import { openBox } from "./sheets.js";

const WAITS = "It waits for a second person, who confirms it on their own screen.";

/** Kinds of commands that are decided: what would happen is shown before. */
const DECIDED = new Set([
  "validate_progressive",
  "refuse_progressive",
  "report",
  "rule_abandoned",
  "void_round",
  "correct",
  "close_table",
  "decide_chip_count",
  "confirm",
]);

export class Giving {
  /** `may` are the commands of one's role, `seen()` the table's version on the screen. */
  constructor(table, seen, onDone) {
    this.table = table;
    this.seen = seen;
    this.onDone = onDone;
    this.may = [];
    this.version = 0;
  }

  can(type) {
    return this.may.includes(type);
  }

  /** Ask for what is missing, and do it. */
  async open(type, options = {}) {
    const all = await commands();
    const meant = { seen: this.seen(), ...options.meant };
    const box = openCommand(all[type], {
      table: this.table,
      looks: DECIDED.has(type),
      ...options,
      meant,
      onDone: (done) => {
        options.onDone?.(done);
        this.onDone(done);
      },
    });
    if (options.duties?.length) $(".command", box).prepend(stepDuties(options.duties));
    return box;
  }

  /** Do it at once: nothing is missing, and it can be put right. */
  async now(type, fields = {}, label = "") {
    try {
      const done = await command(this.table, type, fields, { seen: this.seen() });
      note(done.waits ? WAITS : label ? `Done: ${label}` : "Done and recorded");
    } catch (problem) {
      note(problem.message + (problem.clause ? ` (clause ${problem.clause})` : ""), { bad: true });
    }
    this.onDone();
  }

  /** A step of the work: with one key where nothing is asked. */
  step(step, options = {}) {
    const { type, ...fields } = step.command;
    if (!step.asks.length && !DECIDED.has(type)) return this.now(type, fields, step.label);
    for (const name of step.asks) if (!PROPOSED.has(name)) delete fields[name];
    return this.open(type, {
      given: fields,
      asks: step.asks,
      label: type === "confirm" ? proposed(step) : step.label,
      ...options,
    });
  }

  button(type, words, options = {}, style = "plain") {
    if (!this.can(type)) return null;
    return h(
      `button.${style}.small`,
      { type: "button", data: { name: options.name ?? type }, onclick: () => this.open(type, options) },
      words,
    );
  }

  /** Everything that this role may do here, for what has no place of its own on the page. */
  async more(picks = {}, duties = {}) {
    const all = await commands();
    const box = openBox(
      "Everything you may do here",
      h(
        "ul.all-commands",
        {},
        this.may
          .filter((type) => !ELSEWHERE.has(type))
          .map((type) => all[type])
          .filter(Boolean)
          .map((description) =>
            h(
              "li",
              {},
              h(
                "button.plain.small",
                {
                  type: "button",
                  data: { name: `more-${description.type}` },
                  onclick: () => {
                    box.close();
                    this.open(description.type, { picks, duties: duties[description.type] });
                  },
                },
                description.label,
              ),
              h("span.fine", {}, description.words),
            ),
          ),
      ),
    );
    return box;
  }
}

/** "flo proposes: Correct a round: seat 1, $5" is about "Correct a round". */
const proposed = ({ words }) => words.split(": ")[1];

/** Under the same terms; the chips that are there stay, and the cage brings what is counted in. */
export async function reopen(id, onDone) {
  const [{ tables }, all] = await Promise.all([get(`/house/tables?table=${encodeURIComponent(id)}`), commands()]);
  const { rulebook, submission, rulebook_text, source, link } = tables.find((table) => table.id === id);
  return openCommand(all.open_table, {
    table: id,
    label: `Reopen ${id}`,
    asks: ["float"],
    given: { table: id, rulebook, submission, rulebook_text, source, link },
    onDone,
  });
}

/** What the document asks for with a step, each with its clause. */
export function stepDuties(duties) {
  return duties.length
    ? h(
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
              duty.role ? h("small.fine", {}, `${inWords(duty.role)}: `) : null,
              duty.words,
              duty.second ? h("small.fine", {}, ` With: ${duty.second}.`) : null,
              duty.sees ? h("small.fine", {}, ` Seen: ${duty.sees}.`) : null,
            ),
          ),
        ),
      )
    : null;
}

/** A table is opened on a page of the house, and a round is corrected below its replay. */
const ELSEWHERE = new Set(["open_table", "correct"]);
/** Fields that the server proposes well. */
const PROPOSED = new Set(["chips", "cover_cards", "how"]);
