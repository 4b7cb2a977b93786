// What one has mastered and what not, with the time for each skill; as PDF and CSV too.

import { comeIn, get } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill } from "../shared/dom.js";
import { failed, link, param } from "./parts.js";
import { tableHead } from "../shared/tables.js";

const room = $("#room");
const day = (at) => at.slice(0, 10);

function table(label, heads, rows) {
  return h(
    "div.scroll",
    { tabindex: 0, role: "region", "aria-label": label },
    h(
      "table.people.results",
      {},
      tableHead(heads),
      h(
        "tbody",
        {},
        rows.map(([first, ...rest]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, first),
            rest.map((text) => h("td", {}, text)),
          ),
        ),
      ),
    ),
  );
}

function show(report) {
  const file = (form) => `/api/v1/school/people/${encodeURIComponent(report.person)}/report.${form}`;
  $("#heading").textContent = `Report: ${report.person.replace(/^guest-/, "guest ")}`;
  refill(
    room,
    h("p.tally", {}, h("b", {}, String(report.mastered)), ` of ${report.begun} skills that were begun are mastered`),
    h(
      "div.doors",
      {},
      h("a.plain.small", { href: file("pdf") }, "PDF"),
      h("a.plain.small", { href: file("csv"), download: "" }, "CSV"),
      h("a.plain.small", { href: link() }, "All skills"),
    ),
    report.skills.length
      ? table(
          "Skills",
          ["Skill", "Game", "Exercises", "Right", "Correct of the last 30", "Average time", "State"],
          report.skills.map((skill) => [
            h("a", { href: link("drill", { game: skill.rulebook, skill: skill.skill }) }, skill.title),
            skill.rulebook,
            String(skill.standing.done),
            String(skill.standing.right),
            String(skill.standing.good_of_last),
            `${skill.standing.seconds} s of ${skill.target}`,
            skill.standing.mastered ? h("span.mastered", {}, "Mastered") : `${skill.standing.errors} to repeat`,
          ]),
        )
      : h("p.fine", {}, "No skill was drilled yet."),
    report.exams.length
      ? [
          h("h2", {}, "Exams"),
          table(
            "Exams",
            ["Day", "Game", "Right", "Result", "Certificate"],
            report.exams.map((exam) => [
              day(exam.ended_at),
              exam.rulebook,
              `${exam.right} of ${exam.questions}`,
              exam.passed ? "Passed" : "Not passed",
              h("code", {}, exam.hash.slice(0, 16)),
            ]),
          ),
        ]
      : null,
    report.challenges.length
      ? [
          h("h2", {}, "Challenges"),
          table(
            "Challenges",
            ["Game", "Kind", "Best", "Runs"],
            report.challenges.map((challenge) => [
              challenge.rulebook,
              challenge.kind,
              String(challenge.best),
              String(challenge.runs),
            ]),
          ),
        ]
      : null,
    report.assessments.length
      ? [
          h("h2", {}, "On the console"),
          table(
            "On the console",
            ["Day", "Game", "Task", "Right", "Mistakes"],
            report.assessments.map((assessment) => [
              day(assessment.ended_at),
              assessment.rulebook,
              assessment.words,
              String(assessment.right),
              String(assessment.mistakes),
            ]),
          ),
        ]
      : null,
  );
}

await dress();
try {
  const person = await comeIn();
  show(await get(`/school/people/${encodeURIComponent(param("person") || person.name)}`));
} catch (problem) {
  refill(room, failed(problem));
}
