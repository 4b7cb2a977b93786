// Auditors and surveillance: the journal with its search, past rounds with every card, what was
// refused, verification, the shift and exports. Nothing here changes a table, but that an auditor allows corrections of a round.

import { attemptsRoom, journalRoom } from "./journal.js";
import { exportRoom, shiftRoom } from "./reports.js";
import { roundsRoom } from "./rounds.js";
import { verifyRoom } from "./verify.js";
import { me } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, $$, refill, say } from "../shared/dom.js";
import { mayLook } from "../shared/site.js";

const ROOMS = {
  journal: journalRoom,
  rounds: roundsRoom,
  attempts: attemptsRoom,
  verify: verifyRoom,
  shift: shiftRoom,
  export: exportRoom,
};
/** @type {any} */ let leave = null;
let latest = 0;

/** `#journal/table:md-uth/17`: the tab, and what it shows. */
async function go() {
  const [tab, ...rest] = location.hash.slice(1).split("/").map(decodeURIComponent);
  const name = tab in ROOMS ? tab : "journal";
  const mine = ++latest; // a slow tab must not cover the one chosen after it
  for (const link of $$(".tabs a")) link.toggleAttribute("aria-current", link.dataset.tab === name);
  leave?.();
  /** @type {any} */ leave = null;
  say($("#audit-state"), "");
  try {
    const room = await ROOMS[name](rest);
    if (mine !== latest) return room.leave?.();
    refill($("#room"), room.node);
    leave = room.leave ?? null;
    room.ready?.();
  } catch (problem) {
    if (mine === latest) say($("#audit-state"), problem.message);
  }
}

async function start() {
  await dress();
  const person = await me().catch(() => null);
  const may = mayLook(person?.role);
  $("#audit").hidden = !may;
  $("#not-auditor").hidden = may;
  if (!may) return;
  window.addEventListener("hashchange", go);
  go();
}

start();
