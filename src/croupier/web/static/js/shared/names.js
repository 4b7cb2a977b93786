// What people are called: the record has a guest's number, the screen the name that they chose.

import { get } from "./api.js";

const known = new Map();
let lastPlayers = "";

export const nameOf = (player) => known.get(player) ?? player.replace(/^guest-/, "Guest ");

/** Words of the record with the names that guests chose. */
export const named = (words) => words.replaceAll(/guest-[0-9a-f]{6}/g, nameOf);

/**
 * Ask for the names of these guests, once for each `moment`; the event "chosen" follows if there are new ones.
 *
 * @param {string[]} players
 * @param {string | number} moment
 */
export async function learnNames(players, moment = 0) {
  const guests = [...new Set(players)].filter((player) => player?.startsWith("guest-")).sort();
  const question = guests.map((guest) => `of=${encodeURIComponent(guest)}`).join("&");
  if (!guests.length || `${question} ${moment}` === lastPlayers) return;
  lastPlayers = `${question} ${moment}`;
  const { names } = await get(`/names?${question}`).catch(() => ({ names: {} }));
  if (Object.entries(names).every(([player, name]) => known.get(player) === name)) return;
  for (const [player, name] of Object.entries(names)) known.set(player, name);
  dispatchEvent(new CustomEvent("chosen", { detail: "names" }));
}
