// Devices of a table: broken, marked out of order with the sign to print, repaired; and the way of dealing.

import { h } from "../shared/dom.js";

/** Where a deck stands. */
export const STAGES = {
  received: "to be inspected", inspected: "to be verified", verified: "to be spread", spread: "to be viewed", viewed: "to be turned", turned: "to be washed",
  washed: "to be stacked", stacked: "to be shuffled", used: "to be shuffled", shuffled: "to be cut", ready: "ready to deal", in_play: "in play", condemned: "take it off the table",
};
const STATUS = { in_use: "in use", failed: "broken, not marked yet", covered: "out of order, covered", sign: "out of order, with a sign" };

/** `board` is the answer of GET /tables/{table}/decks. */
export function devices(board, giving) {
  const way = board.ways.find((one) => one.name === board.way);
  const isAnother = board.way !== board.usual || board.devices.some((one) => one.status !== "in_use");
  const others = board.ways.filter((one) => one.usable && one.name !== board.way);
  return h("div.devices", {},
    board.devices.map((one) => device(board, one, giving)),
    board.devices.length ? null : h("p.fine", {}, "No device is used at this table."),
    h("p", {}, "Dealt: ", h("b", {}, way?.title ?? board.way), board.way === board.usual ? "" : " (not the usual way)"),
    giving.can("change_dealing") && others.length && isAnother ? h("div.doors", {}, h("button.plain.small", { type: "button", data: { name: "change-dealing" },
      onclick: () => giving.open("change_dealing", { picks: { method: others.map((one) => [one.name, one.title]) } }) }, "Change the way of dealing…")) : null);
}

function device(board, one, giving) {
  const given = { device: one.device };
  const works = one.status === "in_use";
  return h("section.device", { data: { device: one.device, status: one.status }, "aria-label": `The ${one.device}` },
    h("h3", {}, `The ${one.device}`, h("small", {}, STATUS[one.status])),
    works ? null : h("p.fine", {}, one.words, " ", h("span.clause-id", {}, one.clause)),
    h("div.doors", {},
      works && giving.can("report_malfunction") ? button(`broken-${one.device}`, "It is broken", () => giving.now("report_malfunction", given, `the ${one.device} is broken`)) : null,
      one.status === "failed" && giving.can("mark_out_of_order") ? [
        button(`sign-${one.device}`, "It has the sign", () => giving.now("mark_out_of_order", { ...given, how: "sign" }, "marked out of order")),
        button(`cover-${one.device}`, "It is covered", () => giving.now("mark_out_of_order", { ...given, how: "covered" }, "covered"))] : null,
      works ? null : h("a.plain.small", { href: `/floor/${encodeURIComponent(board.table)}/sign/${one.device}`, target: "_blank", data: { name: `print-${one.device}` } }, "Print the sign"),
      !works && giving.can("repair_device") ? button(`repair-${one.device}`, "It works again", () => giving.now("repair_device", given, `the ${one.device} works again`)) : null));
}

const button = (name, words, onclick) => h("button.plain.small", { type: "button", data: { name }, onclick }, words);
