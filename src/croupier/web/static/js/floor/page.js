// The floor: who waits for a floorperson since when, over all tables, and every table at a glance.

import { announce } from "../shared/announce.js";
import { get, me, watching } from "../shared/api.js";
import { dress, tellEnd } from "../shared/chrome.js";
import { claimCard } from "./claim-card.js";
import { $, $$, h, refill, say } from "../shared/dom.js";
import { mayLook } from "../shared/site.js";
import { Giving } from "../shared/giving.js";
import { asks, help, kbd, listen, shortcut } from "../shared/keys.js";
import { roundState } from "../shared/layout.js";
import { cents, dollars, meter } from "../shared/money.js";
import { tick, waited } from "../shared/waiting.js";
import { tableHead } from "../shared/tables.js";

const FLOOR = ["floorperson", "operator"];
const UNFOLDED = 5; // sums that stand on the board without being asked for
const WATCH_SECONDS = 60;
const giving = new Map();
const views = new Map();
/** @type {any} */ let person = null;
let drawn = "";
let drawnVoids = "";
let drawnUses = "";
let known = new Set();

async function refresh() {
  try {
    const { tables, voids, uses } = await get("/floor");
    await Promise.all(
      tables
        .filter((row) => row.claim && views.get(row.id)?.version !== row.version)
        .map(async (row) => {
          views.set(row.id, await get(`/tables/${encodeURIComponent(row.id)}`));
        }),
    );
    draw(tables);
    drawVoids(voids);
    drawUses(uses);
    say($("#floor-state"), "");
  } catch (problem) {
    say($("#floor-state"), `${problem.message} Trying again.`);
  }
}

/** Only when something has changed, so that nothing moves under the mouse. */
function draw(tables) {
  const shape = JSON.stringify(tables.map(({ pace, ...row }) => row));
  if (shape === drawn) return;
  drawn = shape;
  const queue = waitingIn(tables);
  const keys = new Set(queue.map((item) => item.key));
  for (const item of queue) if (!known.has(item.key)) announce(`Table ${item.row.id}: ${item.label}.`);
  known = keys;
  const claims = tables.filter((row) => row.claim);
  refill(
    $("#claims"),
    claims.map((row) => claimCard(row, views.get(row.id), at(row))),
  );
  const rest = queue.filter((item) => item.step?.step !== "validate");
  refill($("#queue"), queue.length ? rest.map(entry) : h("li.fine.nothing", {}, "Nobody is waiting for the floor."));
  asks(rest.map((item) => item.key).join()); // the numbers stand for what waits
  say($("#waiting-count"), queue.length ? String(queue.length) : "");
  refill($("#floor-tables"), tables.map(tile));
}

/** Every void with who, why, the clause and the money that went back. */
function drawVoids(voids) {
  const shape = JSON.stringify(voids);
  if (shape === drawnVoids) return;
  drawnVoids = shape;
  refill(
    $("#voids"),
    voids.length
      ? h(
          "div.scroll",
          { tabindex: 0, role: "region", "aria-label": "Voids" },
          h(
            "table.voids",
            {},
            tableHead(["Time", "Table", "What", "Who", "Why", "Clause", "Went back"]),
            h(
              "tbody",
              {},
              voids.map((record) =>
                h(
                  "tr",
                  { data: { void: `${record.table} ${record.entry}` } },
                  h("td", {}, new Date(record.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })),
                  h("td", {}, h("a", { href: `/floor/${encodeURIComponent(record.table)}` }, record.table)),
                  h(
                    "td",
                    {},
                    `Round ${record.round}${record.what === "round" ? "" : record.what === "hand" ? `, hand of seat ${record.seat}` : `, ${record.what}`}`,
                  ),
                  h(
                    "td",
                    {},
                    `${record.by}, ${record.role}`,
                    record.second ? h("small", {}, ` confirmed by ${record.second}`) : null,
                  ),
                  h("td", {}, record.reason),
                  h("td", {}, record.clause ? h("span.clause-id", {}, record.clause) : null),
                  h("td", {}, dollars(cents(record.money))),
                ),
              ),
            ),
          ),
        )
      : h("p.fine", {}, "No rounds or wagers were voided."),
  );
}

/** Corrections, buy-ins on the dealer's word, fills, credits and drops: who proposed, who confirmed. */
function drawUses(uses) {
  const shape = JSON.stringify(uses);
  if (shape === drawnUses) return;
  drawnUses = shape;
  say($("#uses-count"), uses.length ? String(uses.length) : "");
  refill(
    $("#uses"),
    uses.length > UNFOLDED
      ? h("details", { open: $("#uses details")?.open }, h("summary", {}, "All amounts, newest first"), usesTable(uses))
      : usesTable(uses),
  );
}

function usesTable(uses) {
  if (!uses.length) return h("p.fine", {}, "No money was moved by hand.");
  return h(
    "div.scroll",
    { tabindex: 0, role: "region", "aria-label": "Money moved by hand" },
    h(
      "table.uses",
      {},
      tableHead(["Time", "Table", "Who", "What"]),
      h(
        "tbody",
        {},
        uses.map((use) =>
          h(
            "tr",
            { data: { use: `${use.table} ${use.entry}` } },
            h("td", {}, new Date(use.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })),
            h("td", {}, use.table ? h("a", { href: `/floor/${encodeURIComponent(use.table)}` }, use.table) : "Cashier"),
            h("td", {}, `${use.by}, ${use.role}`),
            h("td", {}, use.words),
          ),
        ),
      ),
    ),
  );
}

/** Calls, progressives and steps that take a floorperson, the longest wait first. */
function waitingIn(tables) {
  const items = [];
  for (const row of tables) {
    for (const call of row.calls)
      items.push({
        row,
        key: `${row.id} call ${call.number}`,
        call,
        label: `Call: ${call.reason}`,
        who: `${call.name}, ${call.role}`,
        since: call.since,
        clause: "",
      });
    for (const step of row.waits) {
      if (step.step === "answer_call" || !takesFloor(step)) continue;
      items.push({
        row,
        key: [row.id, step.step, step.seat, step.back, step.device, step.words].join(" "),
        step,
        label: step.label,
        words: step.words,
        who: step.who,
        since: step.since,
        clause: step.clause,
      });
    }
  }
  return items.sort((a, b) => a.since.localeCompare(b.since));
}

/** What a dealer may do too waits at their table, except a signature: that takes a second person. */
const takesFloor = (step) =>
  step.by.some((role) => FLOOR.includes(role)) &&
  (["float", "confirm"].includes(step.step) || !step.by.includes("dealer"));

function entry(item, n) {
  const { row } = item;
  return h(
    "li.waiting",
    { data: { table: row.id, step: item.step?.step ?? "call" } },
    h("span.where", {}, h("b", {}, row.id), h("small", {}, row.title)),
    h("span.what", {}, h("b", {}, item.label), item.words ? h("small", {}, item.words) : null),
    h(
      "span.who",
      {},
      item.who || "the table",
      waited(item.since, "since "),
      item.clause ? h("span.clause-id", {}, item.clause) : null,
    ),
    h(
      "span.doors",
      {},
      item.call && at(row).can("answer_call")
        ? h(
            "button.gold.small",
            {
              type: "button",
              data: { name: `answer-${item.key}` },
              onclick: () => at(row).open("answer_call", { given: { number: item.call.number } }),
            },
            "Answer…",
          )
        : null,
      h(
        "a.plain.small",
        {
          href: `/floor/${encodeURIComponent(row.id)}`,
          data: { name: `go-${item.key}` },
          "aria-keyshortcuts": n < 9 ? shortcut(String(n + 1)) : null,
        },
        n < 9 ? kbd(String(n + 1)) : null,
        "Go there",
      ),
    ),
  );
}

/** What may be given at a table from here. */
function at(row) {
  if (!giving.has(row.id)) {
    const made = new Giving(
      row.id,
      () => made.version,
      () => {
        drawn = "";
        refresh();
      },
    );
    made.may = FLOOR.includes(person.role) ? ["validate_progressive", "refuse_progressive", "answer_call"] : [];
    giving.set(row.id, made);
  }
  const known = giving.get(row.id);
  known.version = row.version;
  return known;
}

function tile(row) {
  const taken = Object.entries(row.players);
  const path = encodeURIComponent(row.id);
  const waits = row.waits.slice(0, 3);
  return h(
    "li.card-box.tile",
    { data: { table: row.id, game: row.rulebook, urgent: String(Boolean(row.claim || row.calls.length)) } },
    h(
      "header",
      {},
      h("h3", {}, h("a", { href: `/floor/${path}`, data: { name: `tile-${row.id}` } }, row.id)),
      h("small", {}, `${row.title} · ${row.jurisdiction}`),
    ),
    h(
      "dl.facts",
      {},
      fact("State", row.is_open ? roundState(row.round, row.phase, row.void) : "Closed"),
      fact("Dealer", row.dealer || "Unassigned"),
      row.floorperson ? fact("Floor", row.floorperson) : null,
      fact("Pace", row.pace === null ? "–" : `${row.pace} rounds an hour`),
      fact(
        "Players",
        taken.length
          ? `${taken.length} of ${row.seats}: ${taken.map(([seat, name]) => `${seat} ${name}`).join(", ")}`
          : "No players",
      ),
      fact("Bets", row.phase === "over" ? "–" : dollars(cents(row.bets))),
      Object.keys(row.meters).length
        ? fact(
            "Meters",
            Object.entries(row.meters)
              .map(([name, sum]) => `${name} ${meter(cents(sum))}`)
              .join(" · "),
          )
        : null,
    ),
    waits.length
      ? h(
          "ul.next",
          { "aria-label": "What waits" },
          waits.map((wait) =>
            h(
              "li",
              { data: { blocks: wait.blocks } },
              h("b", {}, wait.label),
              h("small", {}, ` ${wait.by.filter((role) => role !== "operator").join(" or ")}`),
            ),
          ),
        )
      : h("p.fine", {}, row.is_open ? "Nothing waits." : "The table is closed."),
    h(
      "nav.doors",
      { "aria-label": `Table ${row.id}` },
      h("a.plain.small", { href: `/floor/${path}` }, "Floor"),
      row.keeps_decks ? h("a.plain.small", { href: `/tables/${path}/decks` }, "Decks") : null,
      h("a.plain.small", { href: `/tables/${path}/rounds` }, "Rounds"),
      person.role === "dealer"
        ? h("a.plain.small", { href: `/tables/${path}/deal` }, "Deal")
        : h("a.plain.small", { href: `/tables/${path}` }, "Watch"),
    ),
  );
}

const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

const keys = () => [
  ...Array.from({ length: 9 }, (_, n) => ({
    keys: [String(n + 1)],
    words: `Go to waiting number ${n + 1}`,
    when: () => $$("#queue a.plain.small")[n],
    run: () => $$("#queue a.plain.small")[n].click(),
  })),
  { keys: ["w"], words: "To what waits", run: () => $("#waiting").focus() },
  { keys: ["t"], words: "To the tables", run: () => $("#all").focus() },
  { keys: ["?"], words: "List of keys", run: () => help(keys) },
];

/** While the board can be seen it stays signed in, to look at: what moves money takes somebody who was here lately. */
async function watch() {
  if (document.hidden) return;
  const { looks_only: looksOnly } = await watching().catch(() => ({}));
  if (looksOnly) tellEnd("Nobody has used this board for a while, so it only shows the tables");
}

async function start() {
  await dress();
  person = await me().catch(() => null);
  const staff = mayLook(person?.role);
  $("#floor").hidden = !staff;
  $("#not-staff").hidden = Boolean(staff);
  if (!staff) return;
  tick();
  listen(keys);
  await refresh();
  setInterval(() => document.hidden || refresh(), 2000);
  watch();
  setInterval(watch, WATCH_SECONDS * 1000);
  document.addEventListener("visibilitychange", watch);
}

start();
