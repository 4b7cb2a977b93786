// The cashier's desk: find a player, take a deposit, pay out, and see every entry of the account.

import { note } from "../shared/announce.js";
import { get, me, tell } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill, say } from "../shared/dom.js";
import { mayLook } from "../shared/site.js";
import { inDollars } from "../shared/money.js";
import { openBox } from "../shared/sheets.js";
import { dateTime } from "../shared/waiting.js";
import { tableHead } from "../shared/tables.js";

const WORDS = { deposit: "Deposit", pay_out: "Paid out", to_table: "Bought in at", from_table: "Cashed out at" };
const path = (name) => `/cashier/accounts/${encodeURIComponent(name)}`;
let commands = [];
let myName = "";

const head = (...names) => tableHead(names);

async function list() {
  const begins = $("#begins").value.trim();
  const page = await get(`/cashier/accounts?begins=${encodeURIComponent(begins)}`);
  ({ commands } = page);
  say($("#cashier-held"), `${inDollars(page.held)} is held for all players together.`);
  refill(
    $("#accounts"),
    page.accounts.length
      ? h(
          "div.scroll",
          {},
          h(
            "table.people",
            {},
            head("Player", "Balance"),
            h(
              "tbody",
              {},
              page.accounts.map((account) =>
                h(
                  "tr",
                  { data: { person: account.person } },
                  h(
                    "th",
                    { scope: "row" },
                    h("button.plain.small", { type: "button", onclick: () => show(account.person) }, account.person),
                  ),
                  h("td.numbers", { data: { label: "Balance" } }, inDollars(account.balance)),
                ),
              ),
            ),
          ),
        )
      : h(
          "p.fine",
          {},
          begins
            ? "No account starts with that. Enter the full name to open one."
            : "Nobody has an account yet. Open one by a player's name.",
        ),
    page.more ? h("p.fine", {}, "There are more accounts: type the start of a name.") : null,
  );
}

async function show(name) {
  try {
    draw(await get(path(name)));
  } catch (problem) {
    refill($("#account"), h("p.bad", {}, problem.message));
  }
}

function draw({ person, balance, lines }) {
  refill(
    $("#account"),
    h(
      "div.card-box",
      {},
      h("h2", {}, person),
      h("p.shown", { data: { name: "balance" } }, inDollars(balance)),
      h(
        "div.doors",
        {},
        commands.map((command) =>
          h(
            "button",
            {
              class: command.type === "deposit" ? "gold" : "plain",
              type: "button",
              data: { name: command.type },
              onclick: () => give(command, person),
            },
            `${command.label}…`,
          ),
        ),
      ),
      lines.length
        ? h(
            "div.scroll",
            {},
            h(
              "table.people",
              {},
              head("When", "What", "Amount", "Balance", "By"),
              h(
                "tbody",
                {},
                lines.map((line) =>
                  h(
                    "tr",
                    {},
                    h("td", {}, dateTime(line.at)),
                    h(
                      "td",
                      {},
                      [WORDS[line.type] ?? line.type, line.table, line.receipt].filter(Boolean).join(" "),
                      line.waits ? confirming(line, person) : null,
                    ),
                    h("td.numbers", { data: { label: "Amount" } }, inDollars(line.amount)),
                    h("td.numbers", { data: { label: "Balance" } }, inDollars(line.balance)),
                    h("td", { data: { label: "By" } }, line.by),
                  ),
                ),
              ),
            ),
          )
        : h("p.fine", {}, "No transactions yet."),
    ),
  );
}

// A sum above the house's limit: another cashier confirms it on their own screen.
function confirming(line, person) {
  const description = commands.find((command) => command.type === line.type);
  if (!description || line.by.endsWith(` ${myName}`))
    return h("span.badge", { data: { name: "waits" } }, " waits for a second cashier");
  const button = h(
    "button.gold.small",
    { type: "button", data: { name: `confirm-${line.entry}` } },
    `Confirm ${inDollars(line.amount)}`,
  );
  button.addEventListener("click", async () => {
    button.disabled = true; // one press, one payment
    try {
      const done = await tell(`${path(person)}/commands`, {
        type: line.type,
        amount: line.amount.replace("-", ""),
        confirms: line.entry,
        ...(line.receipt && { receipt: line.receipt }),
      });
      note(`Balance of ${person}: ${inDollars(done.balance)}`);
      await Promise.all([show(person), list()]);
    } catch (error) {
      note(error.message);
      button.disabled = false;
    }
  });
  return h("span", {}, " ", button);
}

function give(description, person) {
  const amount = h("input", {
    id: "amount",
    type: "text",
    inputmode: "decimal",
    pattern: "[0-9]{1,9}([.][0-9]{1,2})?",
    required: true,
    autocomplete: "off",
  });
  const receipt = h("input", { id: "receipt", type: "text", maxlength: 60, autocomplete: "off" });
  const problem = h("p.bad", { role: "alert" });
  const button = h("button.gold", { type: "submit", data: { name: `do-${description.type}` } }, description.label);
  const send = async (event) => {
    event.preventDefault();
    problem.textContent = "";
    button.disabled = true; // one press, one payment
    try {
      const done = await tell(`${path(person)}/commands`, {
        type: description.type,
        amount: amount.value.trim(),
        ...(receipt.value.trim() && { receipt: receipt.value.trim() }),
      });
      box.close();
      note(
        done.waits
          ? "It waits for a second cashier, who confirms it on their own screen."
          : `Balance of ${person}: ${inDollars(done.balance)}`,
      );
      await Promise.all([show(person), list()]);
    } catch (error) {
      problem.textContent = error.message;
      button.disabled = false;
    }
  };
  const box = openBox(
    `${description.label}: ${person}`,
    h(
      "form.command",
      { onsubmit: send },
      h("p.fine", {}, description.words),
      h("div.field", {}, h("label", { for: "amount" }, "Amount in dollars"), amount),
      h(
        "div.field",
        {},
        h("label", { for: "receipt" }, "Receipt ", h("small", {}, "(optional)")),
        receipt,
        h("small.fine", {}, "The receipt's number, or how the money was paid."),
      ),
      problem,
      h("div.doors", {}, button),
    ),
  );
  amount.focus();
}

await dress();
const person = await me().catch(() => null);
myName = person?.name ?? "";
const may = mayLook(person?.role);
$("#cashier").hidden = !may;
$("#not-cashier").hidden = may;
if (may) {
  const begins = h("input", { id: "begins", type: "text", maxlength: 60, autocomplete: "off" });
  const find = $("#find");
  find.addEventListener("submit", (event) => {
    event.preventDefault();
    if (begins.value.trim()) show(begins.value.trim());
    list();
  });
  refill(
    find,
    h("div.field", {}, h("label", { for: "begins" }, "Player's name"), begins),
    h("div.doors", {}, h("button.plain", { type: "submit", data: { name: "find" } }, "Open the account")),
  );
  await list().catch((problem) => refill($("#accounts"), h("p.bad", {}, problem.message)));
}
