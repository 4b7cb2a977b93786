// In the demo: work a table of this game, in any job, with one click.

import { note } from "./announce.js";
import { workAs } from "./api.js";
import { h } from "./dom.js";
import { jobs as tryable } from "./site.js";

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
    tryable().map(([role, title, words]) => {
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
