// What people set for themselves: the settings of this browser, the name that others see, the password.

import { note } from "./announce.js";
import { ask, changePassword, me, signOut } from "./api.js";
import { $, $$, h } from "./dom.js";
import { openKeys } from "./keys.js";
import { learnNames, nameOf } from "./names.js";
import { choose, chosen } from "./settings.js";
import { openBox } from "./sheets.js";

/**
 * One of several, each with its words.
 *
 * @type {[string, string, string[][]][]}
 */
const PICKED = [
  [
    "theme",
    "Theme",
    [
      ["auto", "Same as the system"],
      ["light", "Light"],
      ["dark", "Dark"],
    ],
  ],
  [
    "deck",
    "Card colors",
    [
      ["two", "Two colors"],
      ["four", "Four colors (diamonds blue, clubs green)"],
    ],
  ],
  [
    "pace",
    "Pace",
    [
      ["casino", "Casino: time to follow every step"],
      ["quick", "Quick"],
      ["turbo", "Turbo: the table waits only for you"],
    ],
  ],
  [
    "motion",
    "Motion",
    [
      ["auto", "Same as the system"],
      ["still", "Reduce motion"],
    ],
  ],
  [
    "notes",
    "Messages",
    [
      ["short", "Close after 5 seconds"],
      ["long", "Close after 20 seconds"],
      ["kept", "Stay until I close them"],
    ],
  ],
];

/** On or off. */
const SWITCHED = [
  ["sound", "Sound", "Play the sounds of cards and chips"],
  ["advice", "Advice", "Show the exact value of every action when it is my turn"],
  ["randomness", "Fair decks", "Add my own randomness to every deck"],
  ["shortcuts", "Keyboard", "Shortcuts with single letters and numbers"],
];

export function openSettings() {
  const keys = openKeys();
  const who = h("div");
  me().then(
    (person) => {
      if (person.role && !person.guest) {
        who.replaceChildren(
          h(
            "fieldset",
            {},
            h("legend", {}, "Your account"),
            `${person.name}, ${person.role}`,
            h(
              "button.plain",
              {
                type: "button",
                data: { name: "own-account" },
                onclick: () => {
                  box.close();
                  openAccount(person);
                },
              },
              "Password and devices",
            ),
          ),
        );
      }
      if (!person.guest || person.role !== "player") return;
      who.replaceChildren(
        h(
          "fieldset",
          {},
          h("legend", {}, "Your name"),
          nameOf(person.name),
          h(
            "button.plain",
            {
              type: "button",
              data: { name: "change-name" },
              onclick: () => {
                box.close();
                openName(person);
              },
            },
            "Change",
          ),
        ),
      );
    },
    () => {},
  );
  const box = openBox(
    "Settings",
    h(
      "form.choices",
      {},
      who,
      PICKED.map(([name, title, options]) =>
        h(
          "fieldset",
          {},
          h("legend", {}, title),
          options.map(([value, words]) => h("label", {}, radio(name, value), words)),
        ),
      ),
      SWITCHED.map(([name, title, words]) =>
        h(
          "fieldset",
          {},
          h("legend", {}, title),
          h("label", {}, tick(name), words),
          name === "shortcuts" && keys
            ? h(
                "button.plain",
                {
                  type: "button",
                  data: { name: "change-keys" },
                  onclick: () => {
                    box.close();
                    keys();
                  },
                },
                "Change keys",
              )
            : null,
        ),
      ),
    ),
  );
}

function radio(name, value) {
  const node = h("input", { type: "radio", name, value, onchange: () => choose(name, value) });
  node.checked = chosen(name) === value;
  return node;
}

function tick(name) {
  const node = h("input", { type: "checkbox", name, onchange: () => choose(name, node.checked) });
  node.checked = chosen(name);
  return node;
}

const MOST = 20;

/** `person` is the guest. */
export function openName(person) {
  const shown = nameOf(person.name);
  const input = h("input", {
    id: "my-name",
    name: "name",
    maxlength: MOST,
    required: true,
    autocomplete: "nickname",
    value: shown.startsWith("Guest ") ? null : shown,
  });
  const problem = h("p.bad", { role: "alert" });
  const box = openBox(
    "Your name",
    h(
      "form.command",
      {
        onsubmit: async (event) => {
          event.preventDefault();
          problem.textContent = "";
          try {
            const { name } = (await ask("POST", "/me/name", { name: input.value })).body;
            await learnNames([person.name], `chose ${name}`);
            box.close();
            note(`Others now see you as ${name}`);
          } catch (refused) {
            problem.textContent = `${refused.message[0].toUpperCase()}${refused.message.slice(1)}.`;
          }
        },
      },
      h("div.field", {}, h("label", { for: "my-name" }, "What others at the table should call you"), input),
      problem,
      h("button.gold", { type: "submit" }, "Save"),
    ),
  );
  input.focus();
  return box;
}

const LEAST = 10;

/** `person` has an account and is signed in. */
export function openAccount(person) {
  const field = (id, label, autocomplete, hint) =>
    h(
      "div.field",
      {},
      h("label", { for: id }, label),
      h("input", {
        id,
        type: "password",
        autocomplete,
        required: true,
        maxlength: 200,
        minlength: hint ? LEAST : null,
      }),
      hint ? h("small.fine", {}, hint) : null,
    );
  const problem = h("p.bad", { role: "alert" });
  const form = h(
    "form.command",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        problem.textContent = "";
        const [old, fresh, again] = ["old-password", "fresh-password", "same-password"].map(
          (id) => $(`#${id}`, form).value,
        );
        try {
          if (fresh !== again) throw new Error("The two new passwords differ.");
          await changePassword(old, fresh);
          box.close();
          note("Your password is changed. Other devices are signed out");
        } catch (refused) {
          problem.textContent = refused.code === "wrong_password" ? "The current password is wrong." : refused.message;
        } finally {
          for (const input of $$("[type=password]", form)) input.value = "";
        }
      },
    },
    h("input", { type: "text", autocomplete: "username", value: person.name, hidden: true, readonly: true }), // for password managers
    field("old-password", "Current password", "current-password"),
    field(
      "fresh-password",
      "New password",
      "new-password",
      `At least ${LEAST} characters. All your other devices are signed out.`,
    ),
    field("same-password", "New password again", "new-password"),
    problem,
    h("div.doors", {}, h("button.gold", { type: "submit" }, "Change the password")),
  );
  const box = openBox(
    `${person.name}, ${person.role}`,
    h("section", {}, h("h3", {}, "Change your password"), form),
    h(
      "section",
      {},
      h("h3", {}, "Sign out on all devices"),
      h(
        "p",
        {},
        "For a phone or computer that was lost or left signed in. This ends every session of yours, including this one.",
      ),
      h(
        "div.doors",
        {},
        h(
          "button.plain",
          {
            type: "button",
            data: { name: "sign-out-everywhere" },
            onclick: (event) => leaveEverywhere(event.currentTarget),
          },
          "Sign out everywhere",
        ),
      ),
    ),
  );
  $("#old-password", form).focus();
  return box;
}

async function leaveEverywhere(button) {
  button.disabled = true;
  try {
    await signOut("/sessions");
    location.assign("/sign-in");
  } catch (problem) {
    button.disabled = false;
    note(problem.message, { bad: true });
  }
}
