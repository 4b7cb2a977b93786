// Who works here: added, given a role or a new password, disabled. A password is sent once and never shown again.

import { openAccount } from "../shared/account-box.js";
import { note } from "../shared/announce.js";
import { get, tell } from "../shared/api.js";
import { $, h, refill } from "../shared/dom.js";
import { enterHouse } from "./nav.js";
import { inWords } from "../shared/layout.js";
import { openBox } from "../shared/sheets.js";

const LEAST = 10;
const ROLES = ["player", "dealer", "floorperson", "cashier", "auditor", "surveillance", "operator"];
let person = null;

const passwordInput = (id) => h("input", { id, type: "password", autocomplete: "new-password", required: true, minlength: LEAST, maxlength: 200 });
const roleSelect = (id, now) => h("select", { id, required: true }, ROLES.map((one) => h("option", { value: one, selected: one === now }, inWords(one))));
const field = (label, node, hint = "") => h("div.field", {}, h("label", { for: node.id }, label), node, hint ? h("small.fine", {}, hint) : null);
const path = (name, what) => `/people/${encodeURIComponent(name)}/${what}`;

/** A form whose refusal is said in it. */
function form(fields, button, send) {
  const problem = h("p.bad", { role: "alert" });
  const node = h("form.command", { onsubmit: async (event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      await send();
      await refresh();
    } catch (error) {
      problem.textContent = error.message;
    } finally {
      for (const one of node.querySelectorAll("[type=password]")) one.value = "";
    }
  } }, fields, problem, h("div.doors", {}, h("button.gold", { type: "submit" }, button)));
  return node;
}

function ask(title, fields, button, send) {
  const box = openBox(title, form(fields, button, async () => {
    await send();
    box.close();
  }));
  box.querySelector("input, select")?.focus();
}

function row(one) {
  const own = one.name === person.name;
  return h("tr", { data: { person: one.name, disabled: String(one.disabled) } }, h("th", { scope: "row" }, one.name, own ? " (you)" : ""), h("td", {}, inWords(one.role)), h("td", {}, one.disabled ? "Disabled" : "May sign in"),
    h("td", {}, h("div.doors", {},
      h("button.plain.small", { type: "button", data: { name: `role-${one.name}` }, onclick: () => {
        const role = roleSelect("new-role", one.role);
        ask(`Role of ${one.name}`, field("Role", role), "Change the role", () => tell(path(one.name, "role"), { role: role.value }));
      } }, "Role"),
      h("button.plain.small", { type: "button", data: { name: `password-${one.name}` }, onclick: () => {
        if (own) return openAccount(person);
        const password = passwordInput("other-password");
        return ask(`New password for ${one.name}`, field("New password", password, `At least ${LEAST} characters. Anyone signed in under this name is signed out.`), "Set the password", () => tell(path(one.name, "password"), { password: password.value }));
      } }, "New password"),
      own ? null : h("button.plain.small", { type: "button", data: { name: `out-${one.name}` }, onclick: () => ask(`Sign ${one.name} out`,
        h("p", {}, `After a telephone or a computer was lost: every session of ${one.name} ends, on all devices.`), "Sign out everywhere", () => tell(path(one.name, "sign-out"), {})) }, "Sign out"),
      own || !one.second_factor ? null : h("button.plain.small", { type: "button", data: { name: `factor-${one.name}` }, onclick: () => ask(`Reset the authenticator of ${one.name}`,
        h("p", {}, `For a telephone that is lost. ${one.name} is signed out, and sets up another authenticator at the next sign-in.`), "Reset", () => tell(path(one.name, "second-factor/reset"), {})) }, "Authenticator"),
      own || one.disabled ? null : h("button.plain.small", { type: "button", data: { name: `disable-${one.name}` }, onclick: () => ask(`Disable ${one.name}`,
        h("p", {}, `${one.name} is signed out at once and cannot sign in; a new password lets ${one.name} in again. Everything done under this name stays in the journal.`), "Disable", () => tell(path(one.name, "disable"), {})) }, "Disable"))));
}

async function refresh() {
  const found = await get("/people");
  refill($("#people-list"), h("div.scroll", {}, h("table.people", {}, h("thead", {}, h("tr", {}, ["Name", "Role", "State", "Change"].map((one) => h("th", { scope: "col" }, one)))), h("tbody", {}, found.people.map(row)))));
}

function adding() {
  const name = h("input", { id: "new-name", type: "text", autocomplete: "off", required: true, maxlength: 60 });
  const role = roleSelect("new-person-role", "dealer");
  const password = passwordInput("new-password");
  return h("div.card-box", {}, h("h2", {}, "Add a person"), form([
    field("Name", name, "The journal names it with everything this person does."), field("Role", role), field("Password", password, `At least ${LEAST} characters. Give it to this person only.`),
  ], "Add", async () => {
    await tell("/people", { name: name.value.trim(), role: role.value, password: password.value });
    note(`${name.value.trim()} may sign in now`);
    name.value = "";
  }));
}

person = await enterHouse();
if (person) {
  try {
    await refresh();
    refill($("#people-add"), adding());
  } catch (problem) {
    refill($("#people-list"), h("p.bad", {}, problem.message));
  }
}
