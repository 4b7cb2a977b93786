// In the demo: work a table of this game, in any job, with one click.

import { note } from "./announce.js";
import { workAs } from "./api.js";
import { h } from "./dom.js";

const JOBS = [
  ["dealer", "Dealer", "Deal a round step by step; software plays, and is the floorperson."],
  ["floorperson", "Floorperson", "Verify decks, answer calls, decide what went wrong."],
  ["operator", "Operator", "Open and close tables, set limits, see what is checked."],
  ["auditor", "Auditor", "Read every entry, replay rounds, verify the journal."],
];

/** A list of jobs behind "Work this table". */
export function jobs(rulebook) {
  return h("details.jobs", {}, h("summary", {}, "Work this table"),
    h("p.fine", {}, "At a rehearsal table with live cards, where nothing matters. Software takes the roles that nobody has."),
    h("ul", {}, JOBS.map(([role, title, words]) => {
      const button = h("button.plain", { type: "button", data: { job: role }, onclick: () => begin(role, rulebook, button) }, title);
      return h("li", {}, button, h("span", {}, words));
    })));
}

async function begin(role, rulebook, button) {
  button.disabled = true;
  try {
    location.assign((await workAs(role, rulebook)).page);
  } catch (problem) {
    button.disabled = false;
    note(problem.message, { bad: true });
  }
}
