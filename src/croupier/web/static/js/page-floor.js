// The floor: who waits for a floorperson since when, over all tables, and every table at a glance.

import { announce } from "./announce.js";
import { get, me } from "./api.js";
import { dress } from "./chrome.js";
import { claimCard } from "./claim-card.js";
import { $, $$, h, refill, say } from "./dom.js";
import { Giving } from "./giving.js";
import { help, kbd, listen, shortcut } from "./keys.js";
import { cents, dollars, meter } from "./money.js";
import { tick, waited } from "./waiting.js";

const PHASES = { betting: "bets open", closed: "no more bets", deciding: "players decide", revealing: "cards are turned", showdown: "the dealer shows", settling: "settling", collecting: "collecting", over: "between rounds" };
const FLOOR = ["floorperson", "operator"];
const giving = new Map();
const views = new Map();
let person = null;
let drawn = "";
let known = new Set();

async function refresh() {
  try {
    const { tables } = await get("/floor");
    await Promise.all(tables.filter((row) => row.claim && views.get(row.id)?.version !== row.version).map(async (row) => {
      views.set(row.id, await get(`/tables/${encodeURIComponent(row.id)}`));
    }));
    draw(tables);
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
  const keys = new Set(queue.map((one) => one.key));
  for (const one of queue) if (!known.has(one.key)) announce(`Table ${one.row.id}: ${one.label}.`);
  known = keys;
  const claims = tables.filter((row) => row.claim);
  refill($("#claims"), claims.map((row) => claimCard(row, views.get(row.id), at(row))));
  const rest = queue.filter((one) => one.step?.step !== "validate");
  refill($("#queue"), queue.length ? rest.map(entry) : h("li.fine.nothing", {}, "Nobody waits for the floor."));
  say($("#waiting-count"), queue.length ? String(queue.length) : "");
  refill($("#floor-tables"), tables.map(tile));
}

/** Calls, progressives and steps that take a floorperson, the longest wait first. */
function waitingIn(tables) {
  const found = [];
  for (const row of tables) {
    for (const call of row.calls) found.push({ row, key: `${row.id} call ${call.number}`, call, label: `Call: ${call.reason}`, who: `${call.name}, ${call.role}`, since: call.since, clause: "" });
    for (const step of row.waits) {
      if (step.step === "answer_call" || !takesFloor(step)) continue;
      found.push({ row, key: [row.id, step.step, step.seat, step.back, step.device].join(" "), step, label: step.label, words: step.words, who: step.who, since: step.since, clause: step.clause });
    }
  }
  return found.sort((a, b) => a.since.localeCompare(b.since));
}

/** What a dealer may do as well waits at his table, but for a signature: that takes a second person. */
const takesFloor = (step) => step.by.some((role) => FLOOR.includes(role)) && (step.step === "float" || !step.by.includes("dealer"));

function entry(one, n) {
  const { row } = one;
  return h("li.waiting", { data: { table: row.id, step: one.step?.step ?? "call" } },
    h("span.where", {}, h("b", {}, row.id), h("small", {}, row.title)),
    h("span.what", {}, h("b", {}, one.label), one.words ? h("small", {}, one.words) : null),
    h("span.who", {}, one.who || "the table", waited(one.since, "since "), one.clause ? h("span.clause-id", {}, one.clause) : null),
    h("span.doors", {},
      one.call && at(row).can("answer_call") ? h("button.gold.small", { type: "button", data: { name: `answer-${one.key}` }, onclick: () => at(row).open("answer_call", { given: { number: one.call.number } }) }, "Answer…") : null,
      h("a.plain.small", { href: `/floor/${encodeURIComponent(row.id)}`, data: { name: `go-${one.key}` }, "aria-keyshortcuts": n < 9 ? shortcut(String(n + 1)) : null }, n < 9 ? kbd(String(n + 1)) : null, "Go there")));
}

/** What may be given at a table from here. */
function at(row) {
  if (!giving.has(row.id)) {
    const made = new Giving(row.id, () => made.version, () => {
      drawn = "";
      refresh();
    });
    made.may = FLOOR.includes(person.role) ? ["validate_progressive", "refuse_progressive", "answer_call"] : [];
    giving.set(row.id, made);
  }
  const found = giving.get(row.id);
  found.version = row.version;
  return found;
}

function tile(row) {
  const taken = Object.entries(row.players);
  const path = encodeURIComponent(row.id);
  const waits = row.waits.slice(0, 3);
  return h("li.card-box.tile", { data: { table: row.id, game: row.rulebook, urgent: String(Boolean(row.claim || row.calls.length)) } },
    h("header", {}, h("h3", {}, h("a", { href: `/floor/${path}`, data: { name: `tile-${row.id}` } }, row.id)), h("small", {}, `${row.title} · ${row.jurisdiction}`)),
    h("dl.facts", {},
      fact("State", row.is_open ? (row.round ? `Round ${row.round}, ${row.void ? "void" : PHASES[row.phase] ?? row.phase}` : "No round yet") : "Closed"),
      fact("Dealer", row.dealer || "nobody yet"),
      row.floorperson ? fact("Floor", row.floorperson) : null,
      fact("Pace", row.pace === null ? "–" : `${row.pace} rounds an hour`),
      fact("Players", taken.length ? `${taken.length} of ${row.seats}: ${taken.map(([seat, name]) => `${seat} ${name}`).join(", ")}` : "nobody"),
      fact("Bets", row.phase === "over" ? "–" : dollars(cents(row.bets))),
      Object.keys(row.meters).length ? fact("Meters", Object.entries(row.meters).map(([name, sum]) => `${name} ${meter(cents(sum))}`).join(" · ")) : null),
    waits.length ? h("ul.next", { "aria-label": "What waits" }, waits.map((one) => h("li", { data: { blocks: one.blocks } }, h("b", {}, one.label), h("small", {}, ` ${one.by.filter((role) => role !== "operator").join(" or ")}`)))) : h("p.fine", {}, row.is_open ? "Nothing waits." : "The table is closed."),
    h("nav.doors", { "aria-label": `Table ${row.id}` },
      h("a.plain.small", { href: `/floor/${path}` }, "Floor"),
      row.keeps_decks ? h("a.plain.small", { href: `/tables/${path}/decks` }, "Decks") : null,
      h("a.plain.small", { href: `/tables/${path}/rounds` }, "Rounds"),
      person.role === "dealer" ? h("a.plain.small", { href: `/tables/${path}/deal` }, "Deal") : h("a.plain.small", { href: `/tables/${path}` }, "Watch")));
}

const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

const keys = () => [
  ...Array.from({ length: 9 }, (_, n) => ({ keys: [String(n + 1)], words: `Go to waiting number ${n + 1}`, when: () => $$("#queue a.plain.small")[n], run: () => $$("#queue a.plain.small")[n].click() })),
  { keys: ["w"], words: "To what waits", run: () => $("#waiting").focus() },
  { keys: ["t"], words: "To the tables", run: () => $("#all").focus() },
  { keys: ["?"], words: "List of keys", run: () => help(keys) },
];

async function start() {
  await dress();
  person = await me().catch(() => null);
  const staff = person?.role && person.role !== "player";
  $("#floor").hidden = !staff;
  $("#not-staff").hidden = Boolean(staff);
  if (!staff) return;
  tick();
  listen(keys);
  await refresh();
  setInterval(() => document.hidden || refresh(), 2000);
}

start();
