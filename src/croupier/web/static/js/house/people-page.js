// Who works here: added, given a role or a new password, disabled. A password is sent once and never shown again.

import { openAccount } from "../shared/settings-box.js";
import { note } from "../shared/announce.js";
import { get, tell } from "../shared/api.js";
import { $$, $, h, refill } from "../shared/dom.js";
import { enterHouse } from "./nav.js";
import { roleNames } from "../shared/site.js";
import { inWords } from "../shared/layout.js";
import { openBox } from "../shared/sheets.js";
import { tableHead } from "../shared/tables.js";

const LEAST = 10;
/** @type {any} */ let person = null;

const passwordInput = (id) =>
  h("input", { id, type: "password", autocomplete: "new-password", required: true, minlength: LEAST, maxlength: 200 });
const roleSelect = (id, now) =>
  h(
    "select",
    { id, required: true },
    roleNames().map((role) => h("option", { value: role, selected: role === now }, inWords(role))),
  );
const field = (label, node, hint = "") =>
  h("div.field", {}, h("label", { for: node.id }, label), node, hint ? h("small.fine", {}, hint) : null);
const path = (name, action) => `/people/${encodeURIComponent(name)}/${action}`;

/** A form whose refusal is said in it. */
function form(fields, button, send) {
  const problem = h("p.bad", { role: "alert" });
  const node = h(
    "form.command",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        problem.textContent = "";
        try {
          await send();
          await refresh();
        } catch (error) {
          problem.textContent = error.message;
        } finally {
          for (const input of $$("[type=password]", node)) input.value = "";
        }
      },
    },
    fields,
    problem,
    h("div.doors", {}, h("button.gold", { type: "submit" }, button)),
  );
  return node;
}

function ask(title, fields, button, send) {
  const box = openBox(
    title,
    form(fields, button, async () => {
      await send();
      box.close();
    }),
  );
  $("input, select", box)?.focus();
}

function row(entry) {
  const own = entry.name === person.name;
  return h(
    "tr",
    { data: { person: entry.name, disabled: String(entry.disabled) } },
    h("th", { scope: "row" }, entry.name, own ? " (you)" : ""),
    h("td", {}, inWords(entry.role)),
    h("td", {}, entry.disabled ? "Disabled" : "May sign in"),
    h(
      "td",
      {},
      h(
        "div.doors",
        {},
        h(
          "button.plain.small",
          {
            type: "button",
            data: { name: `role-${entry.name}` },
            onclick: () => {
              const role = roleSelect("new-role", entry.role);
              ask(`Role of ${entry.name}`, field("Role", role), "Change the role", () =>
                tell(path(entry.name, "role"), { role: role.value }),
              );
            },
          },
          "Role",
        ),
        h(
          "button.plain.small",
          {
            type: "button",
            data: { name: `password-${entry.name}` },
            onclick: () => {
              if (own) return openAccount(person);
              const password = passwordInput("other-password");
              return ask(
                `New password for ${entry.name}`,
                field(
                  "New password",
                  password,
                  `At least ${LEAST} characters. Anyone signed in under this name is signed out.`,
                ),
                "Set the password",
                () => tell(path(entry.name, "password"), { password: password.value }),
              );
            },
          },
          "New password",
        ),
        own
          ? null
          : h(
              "button.plain.small",
              {
                type: "button",
                data: { name: `out-${entry.name}` },
                onclick: () =>
                  ask(
                    `Sign ${entry.name} out`,
                    h(
                      "p",
                      {},
                      `For a phone or computer that was lost: ends every session of ${entry.name} on all devices.`,
                    ),
                    "Sign out everywhere",
                    () => tell(path(entry.name, "sign-out"), {}),
                  ),
              },
              "Sign out",
            ),
        own || !entry.second_factor
          ? null
          : h(
              "button.plain.small",
              {
                type: "button",
                data: { name: `factor-${entry.name}` },
                onclick: () =>
                  ask(
                    `Reset the authenticator of ${entry.name}`,
                    h(
                      "p",
                      {},
                      `For a phone that was lost. ${entry.name} is signed out and sets up a new authenticator at the next sign-in.`,
                    ),
                    "Reset",
                    () => tell(path(entry.name, "second-factor/reset"), {}),
                  ),
              },
              "Authenticator",
            ),
        own || entry.disabled
          ? null
          : h(
              "button.plain.small",
              {
                type: "button",
                data: { name: `disable-${entry.name}` },
                onclick: () =>
                  ask(
                    `Disable ${entry.name}`,
                    h(
                      "p",
                      {},
                      `${entry.name} is signed out at once and cannot sign in; a new password lets ${entry.name} in again. Everything done under this name stays in the journal.`,
                    ),
                    "Disable",
                    () => tell(path(entry.name, "disable"), {}),
                  ),
              },
              "Disable",
            ),
      ),
    ),
  );
}

async function refresh() {
  const answer = await get("/people");
  refill(
    $("#people-list"),
    h(
      "div.scroll",
      {},
      h("table.people", {}, tableHead(["Name", "Role", "State", "Change"]), h("tbody", {}, answer.people.map(row))),
    ),
  );
}

function adding() {
  const name = h("input", { id: "new-name", type: "text", autocomplete: "off", required: true, maxlength: 60 });
  const role = roleSelect("new-person-role", "dealer");
  const password = passwordInput("new-password");
  return h(
    "div.card-box",
    {},
    h("h2", {}, "Add a person"),
    form(
      [
        field("Name", name, "The journal names it with everything this person does."),
        field("Role", role),
        field("Password", password, `At least ${LEAST} characters. Give it to this person only.`),
      ],
      "Add",
      async () => {
        await tell("/people", { name: name.value.trim(), role: role.value, password: password.value });
        note(`${name.value.trim()} may sign in now`);
        name.value = "";
      },
    ),
  );
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
