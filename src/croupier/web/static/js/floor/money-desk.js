// Fill, credit and drop: chips by denomination, and the numbered slips to print.

import { command } from "../shared/api.js";
import { chipsInput } from "../shared/command-form.js";
import { $, h } from "../shared/dom.js";
import { cents, dollars, inDollars } from "../shared/money.js";
import { note } from "../shared/announce.js";
import { openBox } from "../shared/sheets.js";
import { clockTime } from "../shared/waiting.js";

const FORMS = {
  fill: ["Fill", "Chips from the cage into the inventory."],
  credit: ["Credit", "Chips from the inventory back to the cage."],
  empty_drop: [
    "Drop",
    "The drop box and the tip box go to the count room. Count what is in them now, or leave the count to the count room.",
  ],
};

/** `row` is the table as the floor sees it, `slips` the newest first. */
export function moneyDesk(row, slips, giving) {
  const path = encodeURIComponent(row.id);
  const open = (type, words) =>
    giving.can(type)
      ? h(
          "button.plain.small",
          { type: "button", data: { name: type }, onclick: () => openSlip(type, row, giving) },
          words,
        )
      : null;
  return [
    h(
      "dl.facts.strip",
      {},
      [
        ["Inventory", row.money.inventory],
        ["Drop box", row.money.drop],
        ["Tip box", row.money.tips],
      ].map(([name, sum]) =>
        h("div", {}, h("dt", {}, name), h("dd.numbers", { data: { account: name } }, inDollars(sum))),
      ),
    ),
    h("div.doors", {}, open("fill", "Fill…"), open("credit", "Credit…"), open("empty_drop", "Empty the drop box…")),
    slips.length
      ? h(
          "ul.slips",
          { "aria-label": "Slips" },
          slips.map((slip) =>
            h(
              "li",
              {},
              h("a", { href: `/floor/${path}/slip/${slip.entry}`, target: "_blank" }, `${slip.title} ${slip.number}`),
              ` ${dollars(cents(slip.amount))}, ${slip.by}, ${clockTime(slip.at)}`,
            ),
          ),
        )
      : h("p.fine", {}, "No slips yet."),
  ];
}

/** The sum is what the chips come to; only a drop may be counted later. */
function openSlip(type, row, giving) {
  const [title, words] = FORMS[type];
  const needed = type !== "empty_drop";
  const chips = chipsInput({}, { id: "slip-chips" });
  const number = h("input", {
    id: "slip-number",
    type: "text",
    maxlength: 60,
    autocomplete: "off",
    placeholder: "Next number",
  });
  const problem = h("p.bad", { role: "alert" });
  const box = openBox(
    `${title} at table ${row.id}`,
    h(
      "form.command",
      { "aria-label": title, onsubmit: send },
      h("p.fine", {}, words),
      chips.node,
      h("div.field", {}, h("label", { for: "slip-number" }, "Slip number"), number),
      problem,
      h("div.doors", {}, h("button.gold", { type: "submit", data: { name: `do-${type}` } }, "Write the slip")),
    ),
  );
  const seen = giving.seen();
  async function send(event) {
    event.preventDefault();
    const counted = chips.read();
    if (needed && !counted) {
      problem.textContent = "Count the chips of each denomination.";
      return;
    }
    const fields = {
      ...(needed ? { amount: `${chips.sum()}.00` } : {}),
      ...(counted ? { chips: counted } : {}),
      ...(number.value.trim() ? { slip: number.value.trim() } : {}),
    };
    try {
      const done = await command(row.id, type, fields, { seen });
      box.close();
      note(
        done.waits
          ? `${title}: a second person confirms it on their own screen`
          : `${title}: the slip is entry ${done.version}`,
      );
      giving.onDone(done);
    } catch (error) {
      problem.textContent = error.message + (error.clause ? ` (clause ${error.clause})` : "");
    }
  }
  $("input", box).focus();
}
