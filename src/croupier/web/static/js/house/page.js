// The operator's tables: what is open, what waits, who works there, and everything that can be done with a table.

import { commands, get, work } from "../shared/api.js";
import { openCommand } from "../shared/command-form.js";
import { $, h, refill, say } from "../shared/dom.js";
import { dutyList } from "../shared/duty-list.js";
import { reopen } from "../shared/giving.js";
import { enterHouse } from "./nav.js";
import { roundState } from "../shared/layout.js";
import { inDollars } from "../shared/money.js";
import { openBox } from "../shared/sheets.js";
import { openShoes } from "./table-shoes.js";
import { date } from "../shared/waiting.js";

const SOURCE = { virtual: "Virtual cards", live: "Live cards" };
const FIRST = ["change_limits", "assign", "close_table", "fill", "credit", "empty_drop"];
let descriptions = {};
/** @type {any} */ let person = null;

const limits = (table) =>
  Object.entries(table.limits)
    .map(
      ([name, { least, most }]) =>
        `${table.titles[name]} ${least ? inDollars(least) : "no minimum"} to ${most ? inDollars(most) : "no maximum"}`,
    )
    .join(", ");
/** The count waits for this person: the person who counted first cannot sign it too. */
const mine = ({ count }) => count && !count.second && count.by !== person.name;
const sign = (table) =>
  mine(table)
    ? h(
        "button.gold",
        { type: "button", data: { name: `sign-${table.id}` }, onclick: () => give(table, "sign_count") },
        "Sign the count",
      )
    : null;
const fact = (name, ...words) => h("div", {}, h("dt", {}, name), h("dd", {}, words));

function card(table) {
  const { count } = table;
  return h(
    "li.card-box.house-card",
    { id: table.id, data: { table: table.id, waits: String(Boolean(count && !count.second)) } },
    h("h3", {}, table.title, h("small.fine", {}, ` ${table.id}`)),
    count && !count.second
      ? h(
          "p.verdict",
          { data: { valid: "false" } },
          `The ${count.when} count of ${inDollars(count.amount)} by ${count.by} waits for a second signature`,
        )
      : null,
    h(
      "dl.facts",
      {},
      fact("Now", table.is_open ? roundState(table.round, table.phase) : "Closed"),
      fact(
        "Rules",
        `${table.jurisdiction}, ${table.rulebook_text ? "a rulebook of the house" : table.rulebook}. ${SOURCE[table.source]}.`,
      ),
      fact(
        "On duty",
        `Dealer ${table.staff.dealer || "unassigned"}, floorperson ${table.staff.floorperson || "unassigned"}`,
      ),
      fact(
        "Chips",
        `Inventory ${inDollars(table.money.inventory)}, drop ${inDollars(table.money.drop)}, tips ${inDollars(table.money.tips)}`,
      ),
      fact("Limits", limits(table) || "None stated"),
      Object.keys(table.meters).length
        ? fact(
            "Meters",
            h(
              "a",
              { href: `/house/links/${encodeURIComponent(table.link)}` },
              Object.entries(table.meters)
                .map(([name, sum]) => `${name} ${inDollars(sum)}`)
                .join(", "),
            ),
          )
        : null,
    ),
    table.yours ? (table.is_open ? openDoors(table) : closedDoors(table)) : readOnly(table),
  );
}

/** A guest who tries the job sees the other tables too. */
function readOnly(table) {
  return h(
    "div.doors",
    {},
    h(
      "p.fine",
      { data: { name: "read-only" } },
      "You are trying the job: you may look at this table, and work at your rehearsal table.",
    ),
    h("a.plain.small", { href: `/tables/${encodeURIComponent(table.id)}/sign` }, "Sign and felt"),
  );
}

function openDoors(table) {
  return h(
    "div.doors",
    {},
    sign(table),
    h(
      "button.plain.small",
      { type: "button", data: { name: `limits-${table.id}` }, onclick: () => changeLimits(table) },
      "Change limits",
    ),
    h(
      "button.plain.small",
      { type: "button", data: { name: `assign-${table.id}` }, onclick: () => give(table, "assign") },
      "Assign people",
    ),
    h(
      "button.plain.small",
      { type: "button", data: { name: `close-${table.id}` }, onclick: () => give(table, "close_table") },
      "Close",
    ),
    h("a.plain.small", { href: `/tables/${encodeURIComponent(table.id)}/sign` }, "Sign and felt"),
    shoes(table),
    h(
      "button.plain.small",
      { type: "button", data: { name: `more-${table.id}` }, onclick: () => more(table) },
      "More…",
    ),
  );
}

function closedDoors(table) {
  return h(
    "div.doors",
    {},
    sign(table),
    h(
      "button.gold",
      { type: "button", data: { name: `reopen-${table.id}` }, onclick: () => reopen(table.id, refresh) },
      "Reopen",
    ),
    h("a.plain.small", { href: `/tables/${encodeURIComponent(table.id)}/sign` }, "Sign and felt"),
    shoes(table),
    h(
      "button.plain.small",
      { type: "button", data: { name: `more-${table.id}` }, onclick: () => more(table) },
      "More…",
    ),
  );
}

/** Only real cards leave a shoe. */
const shoes = (table) =>
  table.source === "live"
    ? h(
        "button.plain.small",
        { type: "button", data: { name: `shoes-${table.id}` }, onclick: () => openShoes(table) },
        "Reading shoes",
      )
    : null;

/** A form for one command of this table. */
function give(table, type, fields = {}, /** @type {any} */ asks = null) {
  const limited = Object.keys(table.limits);
  openCommand(descriptions[type], {
    table: table.id,
    given: fields,
    asks,
    looks: true,
    names: { minimum: limited, maximum: limited },
    titles: table.titles,
    meant: { round: table.round, seen: table.version },
    onDone: refresh,
  });
}

/** With the limits in force filled in. */
function changeLimits(table) {
  const each = (which) =>
    Object.fromEntries(Object.entries(table.limits).map(([name, limit]) => [name, limit[which] ?? ""]));
  return give(table, "change_limits", { minimum: each("least"), maximum: each("most") }, ["minimum", "maximum"]);
}

/** What waits, what the terms are, and every other command that the operator may give. */
async function more(table) {
  const tasks = await work(table.id).catch(() => ({ steps: [], commands: [] }));
  const { duties } = await get(`/tables/${encodeURIComponent(table.id)}/duties`).catch(() => ({ duties: [] }));
  const may = Object.values(descriptions).filter(
    (command) => command.roles.includes(person.role) && !["open_table", "correct"].includes(command.type),
  );
  const order = [
    ...FIRST.map((type) => may.find((command) => command.type === type)).filter(Boolean),
    ...may.filter((command) => !FIRST.includes(command.type)),
  ];
  const box = openBox(
    `${table.title}, ${table.id}`,
    tasks.steps.length
      ? h(
          "section",
          {},
          h("h3", {}, "Waits"),
          h(
            "ul",
            {},
            tasks.steps.map((step) => h("li", {}, `${step.label} `, h("span.clause-id", {}, step.clause))),
          ),
        )
      : null,
    h(
      "section",
      {},
      h("h3", {}, "All commands"),
      h(
        "div.doors",
        {},
        order.map((command) =>
          h(
            "button.plain.small",
            {
              type: "button",
              data: { name: `command-${command.type}` },
              onclick: () => {
                box.close();
                give(table, command.type);
              },
            },
            command.label,
          ),
        ),
      ),
    ),
    approvals(table),
    duties.length ? h("section", {}, h("h3", {}, "Your duties here"), dutyList(duties)) : null,
    submission(table),
  );
}

function submission({ id, stated }) {
  const url = URL.createObjectURL(new Blob([stated], { type: "application/toml" }));
  return h(
    "section",
    {},
    h("h3", {}, "The submission in force"),
    h("details", {}, h("summary", {}, "As a file"), h("pre.code", { tabindex: "0" }, stated)),
    h("div.doors", {}, h("a.plain.small", { href: url, download: `${id}.toml` }, "Download")),
  );
}

function approvals(table) {
  if (!table.approvals?.length) return null;
  return h(
    "section",
    {},
    h("h3", {}, "Approvals"),
    h(
      "ul.duties",
      {},
      table.approvals.map((approval) =>
        h(
          "li",
          { data: { approval: approval.name } },
          h("span.clause-id", {}, approval.clause),
          h(
            "span",
            {},
            `${approval.words}: `,
            approval.missing
              ? h("b", {}, "not on record")
              : `${approval.number}, ${date(approval.date)}, ${approval.authority}`,
          ),
        ),
      ),
    ),
  );
}

let pages = 1;
let drawn = "";

async function refresh() {
  try {
    const tables = [];
    let next = true;
    for (let n = 1; n <= pages && next; n += 1) {
      const page = await get(`/house/tables?page=${n}`);
      tables.push(...page.tables);
      ({ next } = page);
    }
    $("#more-tables").hidden = !next;
    const draw = JSON.stringify(tables);
    if (draw === drawn) return;
    drawn = draw;
    const first = tables.toSorted((a, b) => b.yours - a.yours);
    const open = first.filter((table) => table.is_open);
    const closed = first.filter((table) => !table.is_open);
    refill(
      $("#open"),
      open.length
        ? open.map(card)
        : h("li.sorry", {}, "No table is open. ", h("a", { href: "/house/open" }, "Open one"), "."),
    );
    refill($("#closed"), closed.length ? closed.map(card) : h("li.sorry", {}, "No closed tables."));
    say($("#house-state"), "");
  } catch (problem) {
    say($("#house-state"), `${problem.message} Trying again.`);
  }
}

async function start() {
  person = await enterHouse();
  if (!person) return;
  descriptions = await commands();
  $("#more-tables").addEventListener("click", () => {
    pages += 1;
    refresh();
  });
  await refresh();
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  setInterval(() => document.hidden || document.querySelector("dialog[open]") || refresh(), 2000);
}

start();
