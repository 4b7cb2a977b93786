// The floor: every table at a glance, progressives to confirm, rounds to void.

import { announce, note } from "./announce.js";
import { command, get, me } from "./api.js";
import { dress } from "./chrome.js";
import { $, h, refill, say } from "./dom.js";
import { tip } from "./hints.js";
import { cents, dollars, meter } from "./money.js";
import { openBox } from "./sheets.js";

const PHASES = { betting: "bets open", closed: "no more bets", deciding: "players decide", revealing: "revealing", showdown: "showdown", settling: "settling", collecting: "collecting", over: "between rounds" };
let drawn = "";
let waiting = new Set();

async function refresh() {
  try {
    const { tables } = await get("/tables");
    const views = await Promise.all(tables.map((table) => get(`/tables/${encodeURIComponent(table.id)}`)));
    draw(tables.map((table, n) => ({ table, view: views[n] })));
    say($("#floor-state"), "");
  } catch (problem) {
    say($("#floor-state"), `${problem.message} Trying again.`);
  }
}

/** Only when something has changed, so that nothing moves under the mouse. */
function draw(all) {
  const shape = JSON.stringify(all.map(({ table, view }) => [table.id, view.version, table.players_watching]));
  if (shape === drawn) return;
  drawn = shape;
  const claims = all.filter(({ view }) => view.round.claim);
  for (const { view } of claims) if (!waiting.has(view.id)) announce(`A progressive waits for you at table ${view.id}.`);
  waiting = new Set(claims.map(({ view }) => view.id));
  refill($("#claims"), claims.length
    ? claims.map(({ view }) => claim(view))
    : h("p.fine", {}, "No ", tip("Progressive", "progressive"), " waits. A winning hand appears here before it is paid; only you can confirm it."));
  refill($("#floor-tables"), all.map(row));
}

function claim(view) {
  const { claim: it, number } = view.round;
  const may = view.floor_actions.includes("validate_progressive");
  return h("section.claim-card", { "aria-label": `Progressive at table ${view.id}` },
    h("div", {}, h("h3", {}, `${view.title}, seat ${it.seat}`), h("p", {}, `${it.hand.replaceAll("_", " ")} pays ${it.pays}`, it.meter ? ` from the ${it.meter} meter` : "", `. Check the cards and the seal, then decide. Clause ${it.clause}.`)),
    may ? h("div.doors", {},
      h("button.gold", { type: "button", data: { name: `validate-${view.id}` }, onclick: () => tell(view.id, "validate_progressive", { seat: it.seat }, { round: number }) }, "Validate"),
      h("button.plain", { type: "button", data: { name: `refuse-${view.id}` }, onclick: () => reason("Refuse the progressive", (words) => tell(view.id, "refuse_progressive", { seat: it.seat, reason: words }, { round: number })) }, "Refuse…")) : null);
}

function row({ table, view }) {
  const may = view.floor_actions.includes("void_round");
  const taken = table.seats.filter((seat) => seat.player);
  return h("tr", { data: { table: table.id, waits: String(table.waits_for_floor) } },
    h("th", { scope: "row" }, h("a", { href: `/tables/${table.id}` }, table.title), h("small", {}, `${table.jurisdiction} · ${table.id}`)),
    h("td", {}, table.is_open ? (table.round ? `Round ${table.round}, ${view.round.void ? "void" : PHASES[table.phase] ?? table.phase}` : "No round yet") : "Closed"),
    h("td", {}, taken.length ? taken.map((seat) => `${seat.number}: ${seat.player}`).join(", ") : "Nobody yet"),
    h("td.numbers", {}, Object.entries(table.meters).map(([name, sum]) => h("div", {}, Object.keys(table.meters).length > 1 ? `${name} ` : "", meter(cents(sum))))),
    h("td.numbers", {}, view.round.phase === "over" ? "–" : dollars(view.round.seats.flatMap((seat) => Object.values(seat.wagers)).reduce((sum, one) => sum + cents(one), 0))),
    h("td", {}, h("a", { href: `/tables/${table.id}/rounds` }, "Rounds"), " ",
      may ? h("button.plain.small", { type: "button", data: { name: `void-${table.id}` }, onclick: () => reason(`Void round ${table.round} at ${table.title}`, (words) => tell(table.id, "void_round", { reason: words }, { round: table.round })) }, "Void round…") : null));
}

/** What only a person may decide needs a reason in the journal. */
function reason(title, run) {
  const input = h("input", { id: "reason", name: "reason", required: true, maxlength: 300, autocomplete: "off" });
  const box = openBox(title, h("form.reason", { onsubmit: (event) => {
    event.preventDefault();
    box.close();
    run(input.value.trim());
  } }, h("label", { for: "reason" }, "Reason, as it will stand in the journal"), input, h("button.gold", { type: "submit" }, title.split(" at ")[0])));
  input.focus();
}

async function tell(table, type, given, meant) {
  try {
    await command(table, type, given, meant);
    note("Done and written into the journal", {});
    drawn = "";
    await refresh();
  } catch (problem) {
    note(problem.message, { bad: true });
  }
}

async function start() {
  await dress();
  const person = await me().catch(() => null);
  const staff = person?.role && person.role !== "player";
  $("#floor").hidden = !staff;
  $("#not-staff").hidden = Boolean(staff);
  if (!staff) return;
  refresh();
  setInterval(() => document.hidden || refresh(), 2000);
}

start();
