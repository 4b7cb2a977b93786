// Devices of a table: broken, marked out of order with the sign to print, repaired; and the way of dealing.

import { h } from "../shared/dom.js";

/** Where a deck stands. */
export const STAGES = {
  received: "to be inspected",
  inspected: "to be verified",
  verified: "to be spread",
  spread: "to be viewed",
  viewed: "to be turned",
  turned: "to be washed",
  washed: "to be stacked",
  stacked: "to be shuffled",
  used: "to be shuffled",
  shuffled: "to be cut",
  ready: "ready to deal",
  in_play: "in play",
  condemned: "take it off the table",
};
const STATUS = {
  in_use: "in use",
  failed: "broken, not marked yet",
  covered: "out of order, covered",
  sign: "out of order, with a sign",
};

/** `board` is the answer of GET /tables/{table}/decks. */
export function devices(board, giving) {
  const way = board.ways.find((way) => way.name === board.way);
  const isAnother = board.way !== board.usual || board.devices.some((device) => device.status !== "in_use");
  const others = board.ways.filter((way) => way.usable && way.name !== board.way);
  return h(
    "div.devices",
    {},
    board.devices.map((entry) => device(board, entry, giving)),
    board.devices.length ? null : h("p.fine", {}, "This table uses no devices."),
    h("p", {}, "Dealt: ", h("b", {}, way?.title ?? board.way), board.way === board.usual ? "" : " (not the usual way)"),
    giving.can("change_dealing") && others.length && isAnother
      ? h(
          "div.doors",
          {},
          h(
            "button.plain.small",
            {
              type: "button",
              data: { name: "change-dealing" },
              onclick: () =>
                giving.open("change_dealing", { picks: { method: others.map((way) => [way.name, way.title]) } }),
            },
            "Change the way of dealing…",
          ),
        )
      : null,
  );
}

function device(board, entry, giving) {
  const fields = { device: entry.device };
  const works = entry.status === "in_use";
  return h(
    "section.device",
    { data: { device: entry.device, status: entry.status }, "aria-label": `The ${entry.device}` },
    h("h3", {}, `The ${entry.device}`, h("small", {}, STATUS[entry.status])),
    works ? null : h("p.fine", {}, entry.words, " ", h("span.clause-id", {}, entry.clause)),
    h(
      "div.doors",
      {},
      works && giving.can("report_malfunction")
        ? button(`broken-${entry.device}`, "It is broken", () =>
            giving.now("report_malfunction", fields, `the ${entry.device} is broken`),
          )
        : null,
      entry.status === "failed" && giving.can("mark_out_of_order")
        ? [
            button(`sign-${entry.device}`, "It has the sign", () =>
              giving.now("mark_out_of_order", { ...fields, how: "sign" }, "marked out of order"),
            ),
            button(`cover-${entry.device}`, "It is covered", () =>
              giving.now("mark_out_of_order", { ...fields, how: "covered" }, "covered"),
            ),
          ]
        : null,
      works
        ? null
        : h(
            "a.plain.small",
            {
              href: `/floor/${encodeURIComponent(board.table)}/sign/${entry.device}`,
              target: "_blank",
              data: { name: `print-${entry.device}` },
            },
            "Print the sign",
          ),
      !works && giving.can("repair_device")
        ? button(`repair-${entry.device}`, "It works again", () =>
            giving.now("repair_device", fields, `the ${entry.device} works again`),
          )
        : null,
    ),
  );
}

const button = (name, words, onclick) => h("button.plain.small", { type: "button", data: { name }, onclick }, words);
