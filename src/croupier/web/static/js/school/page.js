// The school: choose a game and a skill, see how far one has come, go to challenge, exam and console.

import { note } from "../shared/announce.js";
import { ask, get, me, workAs } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill } from "../shared/dom.js";
import { KINDS, failed, game, gameFor, link, rulebookOf } from "./parts.js";

const room = $("#room");
const TASKS = { deck: "Open a deck", round: "Deal a round", accident: "Handle an irregularity" };
/** @type {any} */ let school = null;
/** @type {any} */ let person = null;

const isHere = (standing, name) => standing.rulebook === gameFor(standing.skill, name);
const standingOf = (name, skill) =>
  school.standings.find((standing) => standing.skill === skill && isHere(standing, name));

function skillCard(skill, rulebook) {
  const now = standingOf(rulebook, skill.id);
  const { exercises, last } = school.mastery;
  const summary = !now
    ? "Not begun"
    : now.mastered
      ? "Mastered"
      : now.done < exercises
        ? `${now.done} of ${exercises} exercises`
        : `${now.good_of_last} of the last ${last} correct`;
  const share = !now ? 0 : now.mastered ? 1 : Math.min(now.done / exercises, 1) * 0.5 + (now.good_of_last / last) * 0.5;
  return h(
    "li",
    {},
    h(
      "a.skill",
      {
        href: link("drill", { game: rulebook, skill: skill.id }),
        data: { skill: skill.id, mastered: String(Boolean(now?.mastered)) },
      },
      h("b", {}, skill.title),
      h("span.fine", {}, skill.words),
      h("progress", { max: 1, value: share, "aria-label": summary }),
      h("span.skill-state", {}, summary, h("span", {}, `${skill.seconds} s`)),
    ),
  );
}

/** A guest of the demo becomes a dealer for it. */
async function assess(rulebook, task) {
  try {
    if (person?.role !== "dealer") await workAs("dealer", rulebook);
    const { body } = await ask("POST", "/school/assessments", { rulebook, task });
    location.assign(body.page);
  } catch (problem) {
    note(problem.message, { bad: true });
  }
}

function courses() {
  if (!school.courses.length) return null;
  return h(
    "section.card-box",
    {},
    h("h2", {}, "Set for you"),
    h(
      "ul.plain-list",
      {},
      school.courses.map((course) => {
        const done = course.skills.filter((skill) => standingOf(course.rulebook, skill)?.mastered).length;
        return h(
          "li",
          {},
          h("b", {}, course.title),
          ` ${course.rulebook}, by ${course.teacher}: ${done} of ${course.skills.length} skills mastered. `,
          course.skills.map((skill) => [
            h(
              "a",
              { href: link("drill", { game: course.rulebook, skill }) },
              school.skills.find((known) => known.id === skill)?.title ?? skill,
            ),
            " · ",
          ]),
          course.exam ? h("a", { href: link("exam", { game: course.rulebook, class: course.id }) }, "Exam") : null,
        );
      }),
    ),
  );
}

function choose(name) {
  localStorage.setItem("school-game", name);
  history.replaceState(null, "", link("", { game: name }));
  show();
  $("#game").focus();
}

/** The paytables that payouts are asked by: one for each wager, or those of a table of the house. */
function paytables(chosen, name) {
  if (!chosen.paytables.length) return null;
  const now = Object.fromEntries(
    (name.split(":")[1] ?? "")
      .split(",")
      .filter(Boolean)
      .map((pair) => pair.split("=")),
  );
  const fields = chosen.paytables.map((paytable) => {
    const id = `paytable-${paytable.family}`;
    const select = h(
      "select",
      { id, data: { family: paytable.family } },
      paytable.tables.map((table) =>
        h("option", { value: table, selected: table === (now[paytable.family] ?? paytable.tables[0]) }, table),
      ),
    );
    return h("div.field", {}, h("label", { for: id }, paytable.title), select);
  });
  const take = () => {
    const others = chosen.paytables
      .map((paytable, n) => [paytable, fields[n].querySelector("select").value])
      .filter(([family, table]) => table !== family.tables[0]);
    choose(
      chosen.rulebook +
        (others.length ? `:${others.map(([family, table]) => `${family.family}=${table}`).join(",")}` : ""),
    );
  };
  const tables = school.tables.filter((table) => rulebookOf(table.game) === chosen.rulebook);
  const summary = Object.keys(now).length
    ? chosen.paytables
        .filter((paytable) => now[paytable.family])
        .map((paytable) => `${paytable.title} ${now[paytable.family]}`)
        .join(", ")
    : "the first of each";
  return h(
    "details.paytables",
    {},
    h("summary", {}, `Paytables of the payouts: ${summary}`),
    h(
      "form.command",
      {
        onsubmit: (event) => {
          event.preventDefault();
          take();
        },
      },
      h("div.paytable-fields", {}, fields),
      h(
        "div.doors",
        {},
        h("button.plain.small", { type: "submit", data: { name: "take-paytables" } }, "Drill these"),
        tables.map((table) =>
          h(
            "button.plain.small",
            { type: "button", data: { name: `as-${table.table}` }, onclick: () => choose(table.game) },
            `As at table ${table.table}`,
          ),
        ),
      ),
    ),
  );
}

function show() {
  const rulebook = game(school.games);
  const chosen = school.games.find((game) => game.rulebook === rulebookOf(rulebook));
  const here = school.standings.filter((standing) => isHere(standing, rulebook));
  const errors = here.reduce((all, standing) => all + standing.errors, 0);
  const mastered = here.filter((standing) => standing.mastered).length;
  const select = h(
    "select",
    { id: "game", onchange: () => choose(select.value) },
    school.games.map((game) =>
      h("option", { value: game.rulebook, selected: game === chosen }, `${game.title} (${game.rulebook})`),
    ),
  );
  refill(
    room,
    h(
      "p.lead",
      {},
      "Payouts, hands, procedure, and irregularities, from real rounds. Every answer comes from the engine, with its clause.",
    ),
    h(
      "div.school-bar",
      {},
      h("div.field", {}, h("label", { for: "game" }, "Game"), select),
      h("p.tally", {}, h("b", {}, String(mastered)), ` of ${chosen.skills.length} skills mastered`),
      h(
        "nav.doors",
        { "aria-label": "More" },
        h("a.gold", { href: link("drill", { game: rulebook }) }, "Mixed drill"),
        errors
          ? h("a.plain", { href: link("drill", { game: rulebook, errors: "yes" }) }, `My errors (${errors})`)
          : null,
        h("a.plain", { href: link("challenge", { game: rulebook }) }, "60-second challenge"),
        h("a.plain", { href: link("exam", { game: rulebook }) }, "Exam"),
        h("a.plain", { href: link("report") }, "My report"),
        h("a.plain", { href: "/certificate" }, "Check a certificate"),
        school.teaches ? h("a.plain", { href: link("class") }, "Classes") : null,
      ),
    ),
    paytables(chosen, rulebook),
    courses(),
    Object.entries(KINDS).map(([group, title]) => {
      const list = school.skills.filter(
        (skill) => skill.id.startsWith(`${group}.`) && chosen.skills.includes(skill.id),
      );
      return list.length
        ? h(
            "section.kind",
            {},
            h("h2", {}, title),
            h(
              "ul.skills",
              {},
              list.map((skill) => skillCard(skill, rulebook)),
            ),
          )
        : null;
    }),
    school.rehearses &&
      h(
        "section.kind",
        {},
        h("h2", {}, "On the dealer's console"),
        h(
          "p.fine",
          {},
          "At a rehearsal table you say yourself what comes next. What you forget, do too early or take from somebody else is noted with its clause.",
        ),
        h(
          "div.doors",
          {},
          Object.entries(TASKS).map(([task, words]) =>
            h(
              "button.plain",
              { type: "button", data: { name: `assess-${task}` }, onclick: () => assess(rulebook, task) },
              words,
            ),
          ),
        ),
      ),
  );
}

await dress();
try {
  [school, person] = await Promise.all([get("/school"), me()]);
  show();
} catch (problem) {
  refill(room, failed(problem));
}
