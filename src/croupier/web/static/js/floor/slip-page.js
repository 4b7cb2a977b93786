// A slip of a fill, a credit or a drop, to print and to sign.

import { get } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill, say } from "../shared/dom.js";
import { inWords } from "../shared/layout.js";
import { cents, meter } from "../shared/money.js";
import { dateTime } from "../shared/waiting.js";
import { tableHead } from "../shared/tables.js";

const table = document.body.dataset.table ?? "";

async function start() {
  dress();
  $("#print").addEventListener("click", () => print());
  try {
    draw(await get(`/tables/${encodeURIComponent(table)}/slips/${$(".print-slip").dataset.entry}`));
  } catch (problem) {
    refill($("#slip"), h("p.bad", {}, problem.message));
  }
}

function draw(slip) {
  say($("#slip-title"), `${slip.title} slip ${slip.number}`);
  const chips = Object.entries(slip.chips);
  const rows = chips.map(([worth, count]) => [meter(cents(worth)), String(count), meter(cents(worth) * count)]);
  for (const [name, sum] of Object.entries(slip.parts)) rows.push([inWords(name), "", meter(cents(sum))]);
  refill(
    $("#slip"),
    h("p", {}, `Chips ${slip.way}. ${dateTime(slip.at)}. Entry ${slip.entry} of the table's journal.`),
    h(
      "table.slip-table",
      {},
      tableHead(["Denomination", "Chips", "Amount"]),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            row.map((cell) => h("td", {}, cell)),
          ),
        ),
      ),
      h(
        "tfoot",
        {},
        h("tr", {}, h("th", { scope: "row", colspan: 2 }, "Total"), h("td", {}, meter(cents(slip.amount)))),
      ),
    ),
    h(
      "dl.signatures",
      {},
      [
        [`Written by ${slip.by}, ${slip.role}`],
        [slip.second ? `Confirmed by ${slip.second}, ${slip.second_role}` : "Dealer"],
        ["Cage or count room"],
      ].map(([name]) => h("div", {}, h("dt", {}, name), h("dd", {}, ""))),
    ),
  );
}

start();
