// What a table must show: the sign and the felt, to look at and to print.

import { get } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill } from "../shared/dom.js";
import { dutyList } from "../shared/duty-list.js";

const TABLE = document.body.dataset.table ?? "";

function payTable(table) {
  return h(
    "section.card-box",
    {},
    h("h3", {}, table.title, table.asked_by ? h("span.clause-id", {}, ` ${table.asked_by}`) : null),
    table.on ? h("p.fine", {}, table.on) : null,
    h(
      "table.pay",
      {},
      table.columns.length
        ? h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "col" }, "Hand"),
              table.columns.map((column) => h("th", { scope: "col" }, column)),
            ),
          )
        : null,
      h(
        "tbody",
        {},
        table.rows.map((row) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, row.hand),
            row.cells.map((cell) => h("td", {}, cell.says)),
          ),
        ),
      ),
    ),
    table.notes.map((note) => h("p.fine", {}, note)),
  );
}

await dress();
try {
  const sign = await get(`/tables/${encodeURIComponent(TABLE)}/sign`);
  const { duties } = await get(`/tables/${encodeURIComponent(TABLE)}/duties`).catch(() => ({ duties: [] }));
  refill(
    $("#sign"),
    h(
      "header",
      {},
      h("h1", {}, sign.operator ? `${sign.operator}: ${sign.title}` : sign.title),
      h("p.fine", {}, `Table ${sign.table}. ${sign.document}.`),
    ),
    sign.missing.length
      ? h(
          "section.card-box.urgent.no-print",
          {},
          h("h2", {}, "Missing"),
          h(
            "ul.findings",
            {},
            sign.missing.map((item) =>
              h("li", { data: { severity: "error" } }, h("span.clause-id", {}, item.asked_by), " ", item.words),
            ),
          ),
        )
      : null,
    h(
      "section",
      {},
      h("h2", {}, "Notices"),
      h(
        "ul",
        {},
        sign.notices.map((notice) => h("li", {}, notice.words, " ", h("span.clause-id", {}, notice.asked_by))),
      ),
    ),
    h("div.columns", {}, sign.paytables.map(payTable)),
    h(
      "section",
      {},
      h("h2", {}, "The felt"),
      h("img", {
        src: `/api/v1/tables/${encodeURIComponent(TABLE)}/layout.svg`,
        alt: `Layout of the felt: ${sign.spots.map((spot) => spot.title).join(", ")}`,
        class: "felt-picture",
      }),
    ),
    duties.length
      ? h("section.no-print", {}, h("h2", {}, "The operator's duties"), dutyList(duties, ["felt", "sign"]))
      : null,
    h(
      "div.doors.no-print",
      {},
      h("button.gold", { type: "button", onclick: () => print() }, "Print this page"),
      h(
        "a.plain",
        { href: `/api/v1/tables/${encodeURIComponent(TABLE)}/sign.pdf`, download: `sign-${TABLE}.pdf` },
        "Sign as PDF",
      ),
    ),
  );
} catch (problem) {
  refill($("#sign"), h("p.bad", {}, problem.message));
}
