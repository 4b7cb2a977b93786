// What people are called: the record has a guest's number, the screen the name that he chose.

import { get } from "./api.js";

const known = new Map();
let asked = "";

export const nameOf = (player) => known.get(player) ?? player.replace(/^guest-/, "Guest ");

/** Words of the record with the names that guests chose. */
export const named = (words) => words.replaceAll(/guest-[0-9a-f]{6}/g, nameOf);

/** Ask for the names of these guests, once for each `moment`; pages are told when there are new ones. */
export async function learnNames(players, moment = 0) {
  const guests = [...new Set(players)].filter((one) => one?.startsWith("guest-")).sort();
  const question = guests.map((one) => `of=${encodeURIComponent(one)}`).join("&");
  if (!guests.length || `${question} ${moment}` === asked) return;
  asked = `${question} ${moment}`;
  const { names } = await get(`/names?${question}`).catch(() => ({ names: {} }));
  if (Object.entries(names).every(([player, name]) => known.get(player) === name)) return;
  for (const [player, name] of Object.entries(names)) known.set(player, name);
  dispatchEvent(new CustomEvent("chosen", { detail: "names" }));
}
