// Something went wrong: only what can have happened now, and what follows before it is confirmed.

import { note } from "./announce.js";
import { command, foresee } from "./api.js";
import { h, refill } from "./dom.js";
import { clauseButton } from "./hints.js";
import { openBox } from "./sheets.js";

const typed = (text) => (text.match(/(10|[2-9tjqka])[cdhs]/gi) ?? []).map((one) => one.replace("10", "T").charAt(0).toUpperCase() + one.slice(-1).toLowerCase());

/** `work.irregularities` are those that are possible; `onDone(done)` after the report. */
export function openReport(table, work, rules, onDone) {
  const room = h("div");
  const box = openBox("What went wrong?", room);
  const list = () => {
    refill(room, work.irregularities.length
      ? h("ul.deal-list", {}, work.irregularities.map((one) => h("li", {}, h("button.plain", { type: "button", data: { name: `report-${one.kind}` }, onclick: () => ask(one) }, one.label), clauseButton(one.clause, rules), h("span.fine", {}, one.words))))
      : h("p", {}, "Nothing that the document has a rule for can have happened at this moment. Call the floor if something is not right."));
    room.querySelector("button")?.focus();
  };
  const ask = (one) => {
    refill(room, reportForm(table, work, rules, one, { back: list, onDone: (done) => { box.close(); onDone(done); } }));
    (room.querySelector("input") ?? room.querySelector(".gold"))?.focus();
  };
  list();
  return box;
}

function reportForm(table, work, rules, kind, { back, onDone }) {
  const fields = {};
  const foreseen = h("div.foreseen", { role: "status", "aria-live": "polite" });
  const problem = h("p.bad", { role: "alert" });
  const go = h("button.gold", { type: "submit" }, "What would happen?");
  const told = () => ({
    kind: kind.kind,
    ...(fields.cards ? { cards: typed(fields.cards.value) } : {}),
    ...(fields.seat?.value ? { seat: Number(fields.seat.value) } : {}),
    ...(fields.held?.value ? { held: Number(fields.held.value) } : {}),
    ...(fields.note?.value ? { note: fields.note.value } : {}),
  });
  let looked = "";
  const submit = async (event) => {
    event.preventDefault();
    problem.textContent = "";
    const body = told();
    go.disabled = true;
    try {
      if (looked === JSON.stringify(body)) {
        const done = await command(table, "report", body, { round: work.round });
        note(`Reported: ${kind.label}`);
        onDone(done);
      } else {
        const sentences = await foresee(table, "report", body);
        looked = JSON.stringify(body);
        refill(foreseen, h("h4", {}, "This would happen"), h("ul", {}, sentences.map((one) => h("li", {}, one))));
        go.textContent = "Report it";
      }
    } catch (error) {
      foreseen.replaceChildren();
      problem.textContent = error.message + (error.clause ? ` (clause ${error.clause})` : "");
    } finally {
      go.disabled = false;
      go.focus();
    }
  };
  const changed = () => {
    looked = "";
    go.textContent = "What would happen?";
    foreseen.replaceChildren();
  };
  const field = (name, label, given) => {
    fields[name] = h("input", { id: `report-${name}`, name, autocomplete: "off", oninput: changed, ...given });
    return h("div.field", {}, h("label", { for: `report-${name}` }, label), fields[name]);
  };
  const asks = (name) => kind.asks.includes(name);
  return h("form.command", { onsubmit: submit, "aria-label": kind.label, data: { kind: kind.kind } },
    h("p", {}, h("b", {}, kind.label), " ", clauseButton(kind.clause, rules)),
    kind.needs_floor ? h("p.fine", {}, "This one takes a floorperson: call the floor, who reports it.") : null,
    asks("seat") ? field("seat", "Seat", { type: "number", min: 1, max: 20, required: true }) : null,
    asks("cards") ? field("cards", kind.most_cards > 1 ? "Cards" : "Card", { type: "text", placeholder: kind.most_cards > 1 ? "Ah Kd" : "Ah" }) : null,
    asks("held") ? field("held", "How many cards lie there", { type: "number", min: 0, max: 20 }) : null,
    field("note", "Note (may be left out)", { type: "text", maxlength: 300 }),
    problem, foreseen,
    h("div.doors", {}, go, h("button.plain", { type: "button", onclick: back }, "Something else")));
}
