// A seat of a live table from the dealer's side: who sits there, their chips, and their bets.

import { command } from "../shared/api.js";
import { openCommand } from "../shared/command-form.js";
import { h } from "../shared/dom.js";
import { equalGroup, titleOf } from "../shared/layout.js";
import { cents, dollars, inDollars } from "../shared/money.js";
import { openBox } from "../shared/sheets.js";

const money = (text) => text.trim().replace(/^\$/, "").replaceAll(",", "");

/** `page` has table, rules, view, descriptions; `onDone()` after every command. */
export function openSeat(page, number, onDone) {
  const sitting = page.view.seats.find((seat) => seat.number === number)?.player;
  return sitting ? openBets(page, number, sitting, onDone) : openFree(page, number, onDone);
}

/** Names and amounts in one form: Enter does it. */
function form(label, fields, buttons, work) {
  const problem = h("p.bad", { role: "alert" });
  const go = h("button.gold", { type: "submit" }, label);
  const submit = async (event) => {
    event.preventDefault();
    problem.textContent = "";
    go.disabled = true;
    try {
      await work();
    } catch (error) {
      problem.textContent = error.message + (error.clause ? ` (clause ${error.clause})` : "");
    } finally {
      go.disabled = false;
    }
  };
  return h("form.command.bets", { onsubmit: submit }, fields, problem, h("div.doors", {}, go, buttons));
}

function field(name, label, attributes = {}) {
  const input = h("input", { id: `seat-${name}`, name, type: "text", autocomplete: "off", ...attributes });
  return { input, node: h("div.field", {}, h("label", { for: `seat-${name}` }, label), input) };
}

function openFree({ table }, number, onDone) {
  const name = field("player", "Player", { maxlength: 60, required: true });
  const chips = field("amount", "Buys in for", { inputmode: "decimal", placeholder: "0.00" });
  const box = openBox(
    `Seat ${number} is free`,
    form("Seat the player", [name.node, chips.node], null, async () => {
      const player = name.input.value.trim();
      if (!player) throw new Error("Fill in: Player.");
      await command(table, "take_seat", { player, seat: number });
      if (money(chips.input.value)) await command(table, "buy_in", { player, amount: money(chips.input.value) });
      box.close();
      onDone();
    }),
  );
  box.addEventListener("close", onDone);
  name.input.focus();
  return box;
}

/** Wagers that must be equal are one field. */
function groups(rules) {
  const open = rules.wagers.filter((wager) => wager.offered && wager.role !== "decided");
  const required = open.filter((wager) => wager.role === "required");
  return [...required.filter((wager) => !wager.equals), ...open.filter((wager) => wager.role === "optional")].map(
    (wager) => ({
      wager,
      names:
        wager.role === "required"
          ? equalGroup(rules, wager.name).filter((equal) => required.some(({ name }) => name === equal))
          : [wager.name],
    }),
  );
}

function openBets(page, number, player, onDone) {
  const { table, rules, view } = page;
  const open = view.round.phase === "betting";
  const laid = open ? (view.round.seats.find((seat) => seat.number === number)?.wagers ?? {}) : {};
  const rack = view.seats.find((seat) => seat.number === number).rack;
  const fields = open
    ? groups(rules).map(({ wager, names }) => ({
        names,
        ...field(wager.name, names.map((equal) => titleOf(rules, equal)).join(" and "), {
          inputmode: "decimal",
          value: laid[wager.name] ? dollars(cents(laid[wager.name])).slice(1).replaceAll(",", "") : null,
          placeholder: wager.stakes.length
            ? wager.stakes.map(inDollars).join(" or ")
            : wager.least
              ? `${inDollars(wager.least)} to ${inDollars(wager.most)}`
              : "",
        }),
      }))
    : [];
  const box = openBox(
    `Seat ${number}: ${player}, ${inDollars(rack)} in chips`,
    open
      ? form(
          "Place the bets",
          fields.map((field) => field.node),
          null,
          async () => {
            await placeBets(table, view, number, player, laid, fields);
            box.close();
          },
        )
      : h("p", {}, "Bets are placed while the bets are open."),
    h(
      "div.doors",
      {},
      SEAT_COMMANDS.filter((type) => page.descriptions[type] && page.work.commands.includes(type)).map((type) =>
        h(
          "button.plain",
          {
            type: "button",
            data: { name: `seat-${type}` },
            onclick: () => {
              box.close();
              openCommand(page.descriptions[type], { table, given: seatFields(type, number, player), onDone });
            },
          },
          page.descriptions[type].label,
        ),
      ),
    ),
  );
  box.addEventListener("close", onDone);
  fields[0]?.input.focus();
  fields[0]?.input.select();
  return box;
}

const SEAT_COMMANDS = ["buy_in", "cash_out", "colour_up", "tip", "leave_round", "give_up_seat"];
const WITH_SEAT = ["leave_round", "give_up_seat"];
const seatFields = (type, seat, player) => (WITH_SEAT.includes(type) ? { player, seat } : { player });

async function placeBets(table, view, seat, player, laid, fields) {
  const wanted = {};
  for (const { names, input } of fields) {
    for (const name of names) if (money(input.value) && money(input.value) !== "0") wanted[name] = money(input.value);
  }
  const meant = { round: view.round.number };
  const away = Object.keys(laid).filter((name) => !wanted[name]);
  if (away.length)
    await command(
      table,
      "take_back",
      { seat, player, wagers: away.length === Object.keys(laid).length ? [] : away },
      meant,
    );
  if (Object.keys(wanted).length) await command(table, "place_wagers", { seat, player, wagers: wanted }, meant);
}
