// In the demo: work a table of this game, in any job, with one click.

import { note } from "./announce.js";
import { workAs } from "./api.js";
import { h } from "./dom.js";

const JOBS = [
  ["dealer", "Dealer", "Deal a round step by step; software plays and acts as the floorperson"],
  ["floorperson", "Floor", "Verify decks, answer calls, decide what went wrong"],
  ["operator", "Operator", "Open and close tables, set limits, have a submission checked"],
  ["auditor", "Auditor", "Read every entry, replay rounds, verify the journal"],
];

/** A button for each job, at a rehearsal table of the game where nothing matters. */
export function jobs(rulebook) {
  return h(
    "div.jobs",
    { role: "group", "aria-label": "Work this table" },
    h(
      "span",
      {
        title: "At a practice table with live cards, where nothing counts. Software takes every role that nobody has.",
      },
      "Work this table as",
    ),
    JOBS.map(([role, title, words]) => {
      const button = h(
        "button.plain",
        { type: "button", data: { job: role }, title: words, onclick: () => begin(role, rulebook, button) },
        title,
      );
      return button;
    }),
  );
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
