// What every page has: the bar on top, the settings, and who one is.

import { openAccount, openName, openSettings } from "./settings-box.js";
import { note } from "./announce.js";
import { asSentence, me, signOut } from "./api.js";
import { $, h, refill } from "./dom.js";
import { learnNames, nameOf } from "./names.js";
import { topBar } from "./site.js";
import { dateTime } from "./waiting.js";

addEventListener("chosen", (/** @type {any} */ { detail }) => detail === "names" && dress());

export async function dress() {
  $("#settings").onclick = openSettings; // dressed again after somebody has come in
  const room = $("#person");
  if (!room) return;
  try {
    const person = await me();
    const staff = person.role && person.role !== "player";
    tellLastSignIn();
    if (person.ended) tellEnd(person.ended);
    if (person.guest) await learnNames([person.name], "me");
    refill(
      room,
      person.guest && !staff
        ? h(
            "button.icon.person",
            {
              type: "button",
              "aria-label": `Your name: ${nameOf(person.name)}. Change it`,
              onclick: () => openName(person),
            },
            nameOf(person.name),
          )
        : person.guest
          ? h("span.person", {}, `Guest ${person.name.replace(/^guest-/, "")}${staff ? `, ${person.role}` : ""}`)
          : person.role
            ? h(
                "button.icon.person",
                {
                  type: "button",
                  data: { name: "account" },
                  "aria-haspopup": "dialog",
                  title: person.last_sign_in ? `Last sign-in: ${signedIn(person.last_sign_in)}` : null,
                  onclick: () => openAccount(person),
                },
                `${person.name}, ${person.role}`,
              )
            : null,
      staff
        ? h(
            "nav.rooms",
            { "aria-label": "Your pages" },
            topBar(person.role).map(([href, words]) =>
              h("a.icon", { href, "aria-current": location.pathname === href ? "page" : null }, words),
            ),
          )
        : null,
      staff || (person.role && !person.guest)
        ? h("button.icon", { type: "button", onclick: leave }, person.guest ? "Stop working" : "Sign out")
        : null,
    );
  } catch {
    // Offline: the page says so elsewhere.
  }
}

/** Shown once after signing in: a person who was not there at that time knows that somebody else was. */
function tellLastSignIn() {
  const last = sessionStorage.getItem("last-sign-in");
  sessionStorage.removeItem("last-sign-in");
  if (last) note(`This name last signed in ${signedIn(last)}`, { seconds: 8 });
}

/** Why one has to sign in again stays on the page until one does. */
export function tellEnd(words) {
  if ($(".ended")) return;
  $("#main").prepend(
    h(
      "p.ended",
      { role: "status" },
      asSentence(words),
      " ",
      location.pathname === "/sign-in" ? null : h("a", { href: "/sign-in" }, "Sign in again"),
    ),
  );
}

/** "Nov 17, 2026, 5:20 AM from 127.0.0.1" */
const signedIn = (last) => last.replace(/^\S+T\S+/, dateTime);

async function leave() {
  await signOut();
  location.assign("/");
}
