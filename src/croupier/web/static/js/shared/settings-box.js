// The dialog for the settings of this browser.

import { openAccount } from "./account-box.js";
import { me } from "./api.js";
import { h } from "./dom.js";
import { openKeys } from "./keys.js";
import { openName } from "./name-box.js";
import { nameOf } from "./names.js";
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
