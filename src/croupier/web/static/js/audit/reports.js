// A shift in figures, and exports of everything.

import { allTables, get } from "../shared/api.js";
import { h, refill } from "../shared/dom.js";
import { tableHead } from "../shared/tables.js";

const PARTS = [
  ["entries", "Every entry", "tables, links, refused attempts and corrections, with events, money and hashes"],
  ["wagers", "Settled wagers", "one line each: cards, hand, stake, result, net, clause and reason"],
  ["transfers", "Money", "every transfer, with both accounts"],
  ["attempts", "Refused attempts", "who, what, why, when"],
  ["tables", "Tables", "their entries only, with the care of decks"],
  ["links", "Links", "every change of a meter"],
];
const local = (date) => new Date(date.getTime() - date.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
const money = (amount) =>
  `${amount.startsWith("-") ? "−" : ""}$${Number(amount.replace("-", "")).toLocaleString(undefined, { minimumFractionDigits: 2 })}`;

export async function shiftRoom() {
  const tables = await allTables();
  const now = new Date();
  const since = h("input", {
    id: "shift-since",
    name: "since",
    type: "datetime-local",
    required: true,
    value: local(new Date(now.getTime() - 8 * 3600000)),
  });
  const until = h("input", { id: "shift-until", name: "until", type: "datetime-local" });
  const table = h(
    "select",
    { id: "shift-table", name: "table" },
    [["", "Every table"], ...tables.map((table) => [table.id, table.id])].map(([value, words]) =>
      h("option", { value }, words),
    ),
  );
  const out = h("div", { role: "region", "aria-label": "Shift", "aria-live": "polite" });
  const show = async () => {
    const requests = {
      since: new Date(since.value).toISOString(),
      until: until.value && new Date(until.value).toISOString(),
      table: table.value,
    };
    const query = new URLSearchParams(Object.entries(requests).filter(([, value]) => value));
    try {
      refill(out, report(await get(`/audit/shift?${query}`)));
    } catch (problem) {
      refill(out, h("p.bad", {}, problem.message));
    }
  };
  const field = (input, words) => h("div.field", {}, h("label", { for: input.id }, words), input);
  const form = h(
    "form.audit-search",
    {
      onsubmit: (event) => {
        event.preventDefault();
        show();
      },
    },
    field(since, "From"),
    field(until, "Until"),
    field(table, "Table"),
    h(
      "div.doors",
      {},
      h("button.gold", { type: "submit" }, "Show"),
      h("button.plain.no-print", { type: "button", onclick: () => print() }, "Print"),
    ),
  );
  return { node: h("div.audit-room", {}, form, out), ready: show };
}

function report(result) {
  const head = [
    "Table",
    "Rounds",
    "An hour",
    "Drop",
    "Win",
    "Hold",
    "Fills",
    "Credits",
    "Tips",
    "To count",
    "Refused",
    "Dealers",
  ];
  const row = (line, name) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      cells(
        line.rounds.toLocaleString() + (line.void ? `, ${line.void} void` : ""),
        line.pace,
        money(line.drop),
        money(line.win),
        line.hold === null ? "–" : `${line.hold}%`,
        money(line.fills),
        money(line.credits),
        money(line.tips),
        money(line.to_count),
        line.refused,
      ),
      h(
        "td",
        {},
        line.dealers.length
          ? line.dealers.map((d) =>
              h(
                "div",
                {},
                `${d.dealer === "software" ? "Software" : d.dealer}: ${d.rounds.toLocaleString()} ${d.rounds === 1 ? "round" : "rounds"}, ${d.pace.toLocaleString()} an hour, win ${money(d.win)}, tips ${money(d.tips)}`,
              ),
            )
          : "–",
      ),
    );
  return h(
    "div.scroll",
    { tabindex: 0, role: "region", "aria-label": "Figures of the shift" },
    h(
      "table.audit-table.shift",
      {},
      tableHead(head),
      h(
        "tbody",
        {},
        result.tables.map((table) => row(table, table.table)),
        result.tables.length > 1 ? row(result.total, "All") : null,
      ),
    ),
  );
}

const cells = (...values) => values.map((value) => h("td.numbers", {}, String(value)));

export async function exportRoom() {
  const tables = await allTables();
  const table = h(
    "select",
    { id: "export-table" },
    [["", "Every table"], ...tables.map((table) => [table.id, table.id])].map(([value, words]) =>
      h("option", { value }, words),
    ),
  );
  const href = (name, format) =>
    `/api/v1/audit/export?${new URLSearchParams({ what: name, format, ...(table.value ? { table: table.value } : {}) })}`;
  const list = h("ul.exports");
  const draw = () =>
    refill(
      list,
      PARTS.map(([name, title, words]) =>
        h(
          "li.card-box",
          {},
          h("h2", {}, title),
          h("p.fine", {}, words),
          h(
            "div.doors.tight",
            {},
            ["jsonl", "csv"].map((format) =>
              h(
                "a.plain",
                {
                  href: href(name, format),
                  download: true,
                  "aria-label": `${title} as ${format === "csv" ? "CSV" : "JSON Lines"}`,
                },
                format === "csv" ? "CSV" : "JSON Lines",
              ),
            ),
          ),
        ),
      ),
    );
  table.addEventListener("change", draw);
  draw();
  return {
    node: h(
      "div.audit-room",
      {},
      h("div.field.narrow-field", {}, h("label", { for: "export-table" }, "Of"), table),
      list,
      h("p.fine", {}, "Files are streamed, whatever the size of the journal. Cards of a round in play are left out."),
    ),
  };
}
