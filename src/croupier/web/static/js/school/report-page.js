// What one has mastered and what not, with the time for each skill; as PDF and CSV too.

import { comeIn, get } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill } from "../shared/dom.js";
import { failed, link, param } from "./parts.js";

const room = $("#room");
const day = (at) => at.slice(0, 10);

function table(label, heads, rows) {
  return h("div.scroll", { tabindex: 0, role: "region", "aria-label": label }, h("table.people.results", {},
    h("thead", {}, h("tr", {}, heads.map((one) => h("th", { scope: "col" }, one)))),
    h("tbody", {}, rows.map(([first, ...rest]) => h("tr", {}, h("th", { scope: "row" }, first), rest.map((one) => h("td", {}, one)))))));
}

function show(found) {
  const file = (form) => `/api/v1/school/people/${encodeURIComponent(found.person)}/report.${form}`;
  $("#heading").textContent = `Report: ${found.person.replace(/^guest-/, "guest ")}`;
  refill(room,
    h("p.tally", {}, h("b", {}, String(found.mastered)), ` of ${found.begun} skills that were begun are mastered`),
    h("div.doors", {}, h("a.plain.small", { href: file("pdf") }, "PDF"), h("a.plain.small", { href: file("csv"), download: "" }, "CSV"), h("a.plain.small", { href: link() }, "All skills")),
    found.skills.length ? table("Skills", ["Skill", "Game", "Exercises", "Right", "Good of the last 30", "Mean time", "State"], found.skills.map((one) => [
      h("a", { href: link("drill", { game: one.rulebook, skill: one.skill }) }, one.title), one.rulebook, String(one.standing.done), String(one.standing.right), String(one.standing.good_of_last),
      `${one.standing.seconds} s of ${one.target}`, one.standing.mastered ? h("span.mastered", {}, "Mastered") : `${one.standing.errors} to repeat`])) : h("p.fine", {}, "No skill was drilled yet."),
    found.exams.length ? [h("h2", {}, "Exams"), table("Exams", ["Day", "Game", "Right", "Result", "Certificate"], found.exams.map((one) => [
      day(one.ended_at), one.rulebook, `${one.right} of ${one.questions}`, one.passed ? "Passed" : "Not passed", h("code", {}, one.hash.slice(0, 16))]))] : null,
    found.challenges.length ? [h("h2", {}, "Challenges"), table("Challenges", ["Game", "Kind", "Best", "Runs"], found.challenges.map((one) => [one.rulebook, one.kind, String(one.best), String(one.runs)]))] : null,
    found.assessments.length ? [h("h2", {}, "On the console"), table("On the console", ["Day", "Game", "Task", "Right", "Mistakes"], found.assessments.map((one) => [day(one.ended_at), one.rulebook, one.words, String(one.right), String(one.mistakes)]))] : null);
}

await dress();
try {
  const person = await comeIn();
  show(await get(`/school/people/${encodeURIComponent(param("person") || person.name)}`));
} catch (problem) {
  refill(room, failed(problem));
}
