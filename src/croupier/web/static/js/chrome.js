// What every page has: the bar on top, choices for this browser, and who one is.

import { note } from "./announce.js";
import { me, signOut } from "./api.js";
import { $, h, refill } from "./dom.js";
import { choose, chosen } from "./settings.js";
import { openBox } from "./sheets.js";

const CHOICES = [
  ["theme", "Light or dark", [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]]],
  ["deck", "Deck", [["two", "Two colours"], ["four", "Four colours (diamonds blue, clubs green)"]]],
  ["pace", "Pace", [["casino", "Casino: time to follow every step"], ["quick", "Quick"], ["turbo", "Turbo: the table waits for nothing but you"]]],
  ["motion", "Motion", [["auto", "As the system"], ["still", "Hold still"]]],
];

/** The pages of each role, as the bar on top offers them. */
const ROOMS = {
  dealer: [["/floor", "Tables"]],
  floorperson: [["/floor", "Floor"]],
  cashier: [["/cashier", "Cashier"]],
  operator: [["/house", "House"], ["/floor", "Floor"]],
  auditor: [["/audit", "Audit"], ["/floor", "Floor"]],
  surveillance: [["/audit", "Audit"], ["/floor", "Floor"]],
};

export function openChoices() {
  openBox("Choices", h("form.choices", {},
    CHOICES.map(([name, title, options]) => h("fieldset", {}, h("legend", {}, title),
      options.map(([value, words]) => h("label", {}, radio(name, value), words)))),
    h("fieldset", {}, h("legend", {}, "Advice"), h("label", {}, advice(), "Show the exact value of every action at my turn"))));
}

function radio(name, value) {
  const node = h("input", { type: "radio", name, value, onchange: () => choose(name, value) });
  node.checked = chosen(name) === value;
  return node;
}

function advice() {
  const node = h("input", { type: "checkbox", name: "advice", onchange: () => choose("advice", node.checked) });
  node.checked = chosen("advice");
  return node;
}

export async function dress() {
  $("#choices")?.addEventListener("click", openChoices);
  const room = $("#person");
  if (!room) return;
  try {
    const person = await me();
    const staff = person.role && person.role !== "player";
    tellLastSignIn();
    refill(room,
      person.role ? h("span.person", { title: person.last_sign_in ? `Before, this name signed in ${person.last_sign_in}` : null }, person.guest ? `Guest ${person.name.replace(/^guest-/, "")}${staff ? `, ${person.role}` : ""}` : `${person.name}, ${person.role}`) : null,
      staff ? h("nav.rooms", { "aria-label": "Your pages" }, (ROOMS[person.role] ?? []).map(([href, words]) =>
        h("a.icon", { href, "aria-current": location.pathname === href ? "page" : null }, words))) : null,
      staff || (person.role && !person.guest) ? h("button.icon", { type: "button", onclick: leave }, person.guest ? "Stop working" : "Sign out") : null);
  } catch {
    // Offline: the page says so elsewhere.
  }
}

/** Said once, after signing in: whoever was not there then knows that somebody else was. */
function tellLastSignIn() {
  const last = sessionStorage.getItem("last-sign-in");
  sessionStorage.removeItem("last-sign-in");
  if (last) note(`This name last signed in ${last.replace(/T(\d\d:\d\d)\S*/, " at $1 UTC")}`, { seconds: 8 });
}

async function leave() {
  await signOut();
  location.assign("/");
}
