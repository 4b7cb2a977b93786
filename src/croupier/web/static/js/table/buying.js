// Chips for money: from the player's account with the cashier.

import { command, get } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { cents, inDollars } from "../shared/money.js";
import { openBox } from "../shared/sheets.js";

const USUAL = "500.00";

/** `tell` sends it, and shows a refusal at the table. */
export async function openBuying(table, tell) {
  const amount = h("input", {
    id: "buy-in",
    type: "text",
    inputmode: "decimal",
    pattern: "[0-9]{1,7}([.][0-9]{1,2})?",
    required: true,
    autocomplete: "off",
  });
  const held = h("p.fine", { role: "status" }, "Asking the cashier…");
  const send = (event) => {
    event.preventDefault();
    box.close();
    tell(() => command(table, "buy_in", { amount: amount.value, account: true }));
  };
  const box = openBox(
    "Buy chips",
    h(
      "form.command",
      { onsubmit: send },
      held,
      h("div.field", {}, h("label", { for: "buy-in" }, "Dollars from your account"), amount),
      h("p.fine", {}, "A dealer or a floorperson can also take cash and buy in for you."),
      h("div.doors", {}, h("button.gold", { type: "submit", data: { name: "buy-in" } }, "Buy chips")),
    ),
  );
  amount.focus();
  try {
    const { balance } = await get("/account");
    held.textContent = cents(balance)
      ? `You have ${inDollars(balance)} with the cashier.`
      : "You have no money with the cashier: make a deposit there first.";
    if (!amount.value) amount.value = cents(balance) < cents(USUAL) ? balance : USUAL;
  } catch (problem) {
    held.textContent = problem.message;
  }
}
