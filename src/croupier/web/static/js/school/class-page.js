// Classes: a teacher sets a course for named people and sees how far each has come.

import { note } from "../shared/announce.js";
import { get, me, tell } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $$, $, h, refill } from "../shared/dom.js";
import { KINDS, failed, game, link, param, rulebookOf } from "./parts.js";

const room = $("#room");
/** @type {any} */ let school = null;

const gameOf = (name) => school.games.find((game) => game.rulebook === rulebookOf(name));

const check = (name, value, words, on = false) => {
  const node = h("input", { type: "checkbox", name, value });
  node.checked = on;
  return h("label.check", {}, node, words);
};

function setting(people) {
  const title = h("input", { id: "class-title", type: "text", required: true, maxlength: 60, autocomplete: "off" });
  const others = [...school.tables.map((table) => table.game), game(school.games)].filter((id) => id.includes(":"));
  const names = [...school.games.map((game) => game.rulebook), ...new Set(others)];
  const books = h(
    "select",
    { id: "class-game", onchange: () => fill() },
    names.map((name) => h("option", { value: name }, `${gameOf(name).title} (${name})`)),
  );
  const skills = h("div.several", { role: "group", "aria-label": "Skills" });
  const exam = check("exam", "yes", "It ends with an exam on these skills", true);
  const problem = h("p.bad", { role: "alert" });
  const fill = () => {
    const known = gameOf(books.value).skills;
    refill(
      skills,
      Object.entries(KINDS).map(([group, name]) => {
        const list = school.skills.filter((skill) => skill.id.startsWith(`${group}.`) && known.includes(skill.id));
        return list.length
          ? h(
              "fieldset",
              {},
              h("legend", {}, name),
              list.map((skill) => check("skill", skill.id, skill.title, group === "payout")),
            )
          : null;
      }),
    );
  };
  fill();
  const ticked = (name) => $$(`[name=${name}]:checked`, form).map((box) => box.value);
  const form = h(
    "form.command",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        problem.textContent = "";
        try {
          const made = await tell("/school/classes", {
            title: title.value.trim(),
            rulebook: books.value,
            skills: ticked("skill"),
            people: ticked("person"),
            exam: ticked("exam").length > 0,
          });
          note(`The class “${made.title}” is set`);
          location.assign(link("class", { id: made.id }));
        } catch (error) {
          problem.textContent = error.message;
        }
      },
    },
    h("div.field", {}, h("label", { for: "class-title" }, "Title"), title),
    h(
      "div.field",
      {},
      h("label", { for: "class-game" }, "Game"),
      books,
      h("p.fine", {}, "With other paytables: those of your tables, and what you chose on the page of the school."),
    ),
    skills,
    h(
      "fieldset",
      {},
      h("legend", {}, "People"),
      people.length ? people.map((name) => check("person", name, name)) : h("p.fine", {}, "Nobody has an account yet."),
    ),
    exam,
    problem,
    h("div.doors", {}, h("button.gold", { type: "submit" }, "Set the course")),
  );
  return h("section.card-box", {}, h("h2", {}, "Set a course"), form);
}

function list(classes) {
  if (!classes.length) return h("p.fine", {}, "No class is set yet.");
  return h(
    "ul.plain-list",
    {},
    classes.map((class_) =>
      h(
        "li",
        {},
        h("a", { href: link("class", { id: class_.id }) }, class_.title),
        ` ${class_.rulebook}, ${class_.people.length} people, ${class_.skills.length} skills${class_.closed_at ? ", closed" : ""}`,
      ),
    ),
  );
}

const clock = (stamp) => new Date(stamp).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit" });

/** Codes for guests who share an address: the letters are shown once. */
function codes(list) {
  const title = h("input", { id: "code-title", type: "text", maxlength: 60, autocomplete: "off" });
  const guests = h("input", { id: "code-guests", type: "number", min: 1, max: 60, value: 30, required: true });
  const hours = h("input", { id: "code-hours", type: "number", min: 1, max: 12, value: 4, required: true });
  const problem = h("p.bad", { role: "alert" });
  const issued = h("div", { role: "status" });
  const rows = h("ul.plain-list.codes");
  const draw = () =>
    refill(
      rows,
      list.length
        ? list.map((code) =>
            h(
              "li",
              {},
              `${code.title || "Without a title"}: ${code.used} of ${code.guests} guests, `,
              code.holds ? `until ${clock(code.ends_at)} ` : "ended ",
              code.holds ? h("button.plain.small", { type: "button", onclick: () => revoke(code) }, "Revoke") : null,
            ),
          )
        : h("li.fine", {}, "You have issued no code."),
    );
  const revoke = async (code) => {
    try {
      list[list.indexOf(code)] = await tell(`/school/codes/${code.id}/revoke`, {});
      refill(issued);
      draw();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const form = h(
    "form.command",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        problem.textContent = "";
        try {
          const made = await tell("/school/codes", {
            title: title.value.trim(),
            guests: Number(guests.value),
            hours: Number(hours.value),
          });
          list.unshift(made);
          refill(
            issued,
            h("p.class-code", {}, made.code),
            h(
              "p.fine",
              {},
              `Write it on the board now: it is not shown again. Guests enter it at ${location.origin}/class until ${clock(made.ends_at)}.`,
            ),
          );
          draw();
        } catch (error) {
          problem.textContent = error.message;
        }
      },
    },
    h("div.field", {}, h("label", { for: "code-title" }, "Title"), title),
    h("div.field", {}, h("label", { for: "code-guests" }, "Guests"), guests),
    h("div.field", {}, h("label", { for: "code-hours" }, "Hours"), hours),
    problem,
    h("div.doors", {}, h("button.gold", { type: "submit" }, "Issue a class code")),
  );
  draw();
  return h(
    "section.card-box",
    {},
    h("h2", {}, "Class codes"),
    h(
      "p.fine",
      {},
      "Guests behind one router share its limits. With a class code each has their own: a class of 30 can sit down.",
    ),
    form,
    issued,
    rows,
  );
}

function cell(score, last) {
  if (!score.done) return h("td", {}, "–");
  if (score.mastered) return h("td", {}, h("span.mastered", {}, "Mastered"));
  return h("td", {}, `${score.good_of_last}/${last}`, h("small.fine", {}, ` ${score.done} done, ${score.seconds} s`));
}

async function showClass(id) {
  const answer = await get(`/school/classes/${id}`);
  const { course } = answer;
  const file = (form) => `/api/v1/school/classes/${encodeURIComponent(id)}/report.${form}`;
  $("#heading").textContent = course.title;
  refill(
    room,
    h(
      "p",
      {},
      `${course.rulebook}, set by ${course.teacher} on ${course.set_at.slice(0, 10)}${course.closed_at ? `, closed on ${course.closed_at.slice(0, 10)}` : ""}.`,
    ),
    h(
      "div.doors",
      {},
      h("a.plain.small", { href: file("pdf") }, "PDF"),
      h("a.plain.small", { href: file("csv"), download: "" }, "CSV"),
      h("a.plain.small", { href: link("class") }, "All classes"),
      course.closed_at
        ? null
        : h(
            "button.plain.small",
            {
              type: "button",
              onclick: async () => {
                try {
                  await tell(`/school/classes/${id}/close`, {});
                  location.reload();
                } catch (problem) {
                  note(problem.message, { bad: true });
                }
              },
            },
            "Close the class",
          ),
    ),
    h(
      "div.scroll",
      { tabindex: 0, role: "region", "aria-label": "Results" },
      h(
        "table.people.results",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Person", ...answer.titles, course.exam ? "Exam" : null]
              .filter(Boolean)
              .map((title) => h("th", { scope: "col" }, title)),
          ),
        ),
        h(
          "tbody",
          {},
          answer.people.map((person) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, h("a", { href: link("report", { person: person.person }) }, person.person)),
              person.skills.map((skill) => cell(skill, school.mastery.last)),
              course.exam
                ? h(
                    "td",
                    {},
                    person.exam
                      ? `${person.exam.right} of ${person.exam.questions}, ${person.exam.passed ? "passed" : "not passed"}`
                      : "–",
                  )
                : null,
            ),
          ),
        ),
      ),
    ),
  );
}

await dress();
try {
  school = await get("/school");
  if (param("id")) await showClass(param("id"));
  else {
    const { classes, people } = await get("/school/classes");
    const known = (await me()).demo ? (await get("/school/codes")).codes : null;
    refill(
      room,
      h(
        "div.columns",
        {},
        setting(people),
        h(
          "div.stack-gap",
          {},
          h("section.card-box", {}, h("h2", {}, "Classes"), list(classes)),
          known && codes([...known]),
        ),
      ),
    );
  }
} catch (problem) {
  refill(room, failed(problem));
}
