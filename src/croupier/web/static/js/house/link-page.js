// One progressive link: meters and their course, where every cent came from, tables, lights and awards.

import { note } from "../shared/announce.js";
import { get, tell } from "../shared/api.js";
import { $, h, refill, s } from "../shared/dom.js";
import { dutyList } from "../shared/duty-list.js";
import { enterHouse } from "./nav.js";
import { inWords } from "../shared/layout.js";
import { inDollars } from "../shared/money.js";
import { openBox } from "../shared/sheets.js";
import { tableHead } from "../shared/tables.js";

const NAME = $("#link").dataset.link;
const PATH = `/links/${encodeURIComponent(NAME)}`;
const COLUMNS = [
  ["seeded", "Seed"],
  ["received", "Taken over from closed links"],
  ["contributed", "Contributions of bets"],
  ["made_good", "Paid by the house after errors"],
  ["reset", "Paid in after wins"],
  ["reversed", "Given back for void rounds"],
  ["awarded", "Won by players"],
  ["moved_out", "Moved when the link closed"],
];
const TAKES = ["reversed", "awarded", "moved_out"];
const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
/** Every part of a cent, with commas in the dollars. */
const exact = (amount) =>
  `$${amount.replace("-", "").replace(/^\d+/, (whole) => Number(whole).toLocaleString("en-US"))}`;
/** @type {any} */ let person = null;
/** @type {any} */ let shown = null;
let older = [];
let duties = [];

/** The meter's readings from the oldest to the newest that are on the page, drawn. */
function course(name, history) {
  const rows = [...history]
    .reverse()
    .map((entry) => ({ ...entry, value: Number(entry.after[name]) }))
    .filter((entry) => Number.isFinite(entry.value));
  if (rows.length < 2) return h("p.fine", {}, "A chart is drawn as soon as the meter has moved.");
  const [width, height, edge] = [600, 120, 8];
  const values = rows.map((row) => row.value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (n) => edge + (n / (rows.length - 1)) * (width - 2 * edge);
  const y = (value) => height - edge - ((value - low) / (high - low || 1)) * (height - 2 * edge);
  const line = rows.map((row, n) => `${n ? `H${x(n).toFixed(1)}V` : `M${x(0)} `}${y(row.value).toFixed(1)}`).join("");
  const wins = rows
    .map((row, n) => [row, n])
    .filter(([entry]) => entry.what === "award" && Number(entry.changes[name] ?? 0) < 0);
  return [
    s(
      "svg.course",
      {
        viewBox: `0 0 ${width} ${height}`,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": `Course of meter ${name}: from ${exact(rows[0].after[name])} to ${exact(rows.at(-1).after[name])} over ${rows.length} entries, ${many(wins.length, "win")}`,
      },
      s("path.under", { d: `${line}V${height}H${edge}Z` }),
      s("path", { d: line }),
      wins.map(([, n]) => s("path.award", { d: `M${x(n).toFixed(1)} 0V${height}` })),
    ),
    h(
      "p.fine",
      {},
      `Last ${rows.length} entries, between ${exact(low.toFixed(2))} and ${exact(high.toFixed(2))}. Dashed lines are wins.`,
    ),
  ];
}

function meterCard(name, meter, link) {
  return h(
    "section.card-box.meter-card",
    { data: { meter: name }, "aria-label": `Meter ${name}` },
    h("h2", {}, `Meter ${name}`),
    h("p.shown", {}, inDollars(meter.shown)),
    h(
      "p.fine",
      {},
      `${(Number(meter.rate) * 100).toLocaleString("en-US", { maximumFractionDigits: 4 })}% contribution rate. Seed ${inDollars(meter.seed)}, reset amount ${inDollars(meter.reset)}. Hit in full ${many(meter.emptied, "time")}.`,
    ),
    course(name, [...link.history, ...older]),
    h(
      "details",
      {},
      h("summary", {}, "Sources and uses"),
      h(
        "table.account",
        {},
        h(
          "tbody",
          {},
          COLUMNS.filter(([column]) => meter.explained[column] !== "0.00").map(([column, words]) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, words),
              h("td", {}, `${TAKES.includes(column) ? "−" : "+"}${exact(meter.explained[column])}`),
            ),
          ),
          h("tr", {}, h("th", { scope: "row" }, "Reading"), h("td", {}, exact(meter.exact))),
        ),
      ),
    ),
    person.role === "operator" && !link.closed
      ? h(
          "div.doors",
          {},
          h(
            "button.plain.small",
            { type: "button", data: { name: `terms-${name}` }, onclick: () => changeTerms(name, meter) },
            "Change terms",
          ),
        )
      : null,
  );
}

function memberCard(member) {
  const on = member.lights.filter((light) => light.light);
  return h(
    "li.card-box",
    { data: { table: member.table } },
    h("h3", {}, h("a", { href: `/tables/${encodeURIComponent(member.table)}` }, member.table)),
    h(
      "p.fine",
      {},
      `Paytable ${member.paytable}. Round ${member.round || "not begun"}. `,
      member.lights.length
        ? `${many(on.length, "bet")} accepted, ${many(member.lights.length, "chip")} on the layout${member.counted ? ", counted and equal" : ""}.`
        : "No bet on the progressive is in play.",
    ),
    member.lights.length
      ? h(
          "ul.lights",
          { "aria-label": "Lights of the seats" },
          member.lights.map((light) =>
            h(
              "li",
              { data: { on: String(light.light) } },
              `Seat ${light.seat}, ${light.player}: ${light.light ? `on, ${inDollars(light.accepted)}` : "off"}`,
            ),
          ),
        )
      : null,
  );
}

function awards(link) {
  return h(
    "section",
    { "aria-labelledby": "awards" },
    h("h2", { id: "awards" }, "Last 25 awards"),
    link.awards.length
      ? h(
          "div.scroll",
          { tabindex: "0", role: "region", "aria-labelledby": "awards" },
          h(
            "table.history-table",
            {},
            tableHead(["When", "Where", "Hand", "From", "Paid", "Validated by", "Clause"]),
            h(
              "tbody",
              {},
              link.awards.map((award) =>
                h(
                  "tr",
                  {},
                  h("td", {}, time(award.at)),
                  h(
                    "td",
                    {},
                    h(
                      "a",
                      { href: `/tables/${encodeURIComponent(award.table)}/rounds#${award.round}` },
                      `${award.table}, round ${award.round}, seat ${award.seat}`,
                    ),
                  ),
                  h("td", {}, inWords(award.hand)),
                  h("td", {}, `${award.percent}% of ${award.meter}`),
                  h("td.numbers", {}, inDollars(award.paid)),
                  h("td", {}, award.validated_by || "–"),
                  h("td", {}, h("span.clause-id", {}, award.clause)),
                ),
              ),
            ),
          ),
        )
      : h("p.fine", {}, "Nothing has been won yet."),
  );
}

function history(link) {
  const rows = [...link.history, ...older];
  const last = rows.at(-1);
  return h(
    "section",
    { "aria-labelledby": "history" },
    h("h2", { id: "history" }, "History of every cent"),
    h(
      "div.scroll",
      { tabindex: "0", role: "region", "aria-labelledby": "history" },
      h(
        "table.history-table",
        {},
        tableHead(["When", "What", "By", "Change", "Reading after"]),
        h(
          "tbody",
          {},
          rows.map((row) =>
            h(
              "tr",
              { data: { what: row.what } },
              h("td", {}, time(row.at)),
              h("td", {}, row.words),
              h("td", {}, row.by),
              h(
                "td.numbers",
                {},
                Object.entries(row.changes).map(([name, sum]) =>
                  h("div", {}, `${name} ${sum.startsWith("-") ? "−" : "+"}${exact(sum)}`),
                ),
              ),
              h(
                "td.numbers",
                {},
                Object.entries(row.after).map(([name, sum]) => h("div", {}, `${name} ${exact(sum)}`)),
              ),
            ),
          ),
        ),
      ),
    ),
    last && last.version > 1
      ? h(
          "div.doors",
          {},
          h(
            "button.plain",
            {
              type: "button",
              data: { name: "older" },
              onclick: async () => {
                older = [...older, ...(await get(`${PATH}?before=${last.version}&limit=200`)).history];
                draw();
              },
            },
            "Older",
          ),
        )
      : null,
  );
}

const time = (at) => h("time", { datetime: at }, new Date(at).toLocaleString());

/** A small form in a dialog: fields, and what is sent. A refusal is said there. */
function ask(title, fields, send, button) {
  const problem = h("p.bad", { role: "alert" });
  const box = openBox(
    title,
    h(
      "form.command",
      {
        onsubmit: async (event) => {
          event.preventDefault();
          problem.textContent = "";
          try {
            await send();
            box.close();
            note("Done and recorded");
            await refresh();
          } catch (error) {
            problem.textContent = error.message + (error.clause ? ` (clause ${error.clause})` : "");
          }
        },
      },
      fields,
      problem,
      h("div.doors", {}, h("button.gold", { type: "submit" }, button)),
    ),
  );
  $("input, select", box)?.focus();
}

function field(label, attributes, hint = "") {
  const id = `link-${label.replaceAll(/\W/g, "-").toLowerCase()}`;
  const node = h("input", { id, type: "text", autocomplete: "off", ...attributes });
  const box = h("div.field", {}, h("label", { for: id }, label), node, hint ? h("small.fine", {}, hint) : null);
  return /** @type {[HTMLElement, HTMLInputElement]} */ ([box, node]);
}

function changeTerms(name, meter) {
  const [rateField, rate] = field(
    "Contribution rate",
    { value: meter.rate, inputmode: "decimal" },
    "0.05 is 5% of each bet",
  );
  const [resetField, reset] = field("Reset amount in dollars", { value: meter.reset, inputmode: "decimal" });
  const [reasonField, reason] = field("Reason, for the journal", { required: true, maxlength: 300 });
  ask(
    `Terms of meter ${name}`,
    [h("p.fine", {}, "From the next bet on. The amount on the meter stays."), rateField, resetField, reasonField],
    () => {
      const body = { type: "change_terms", meter: name, reason: reason.value.trim() };
      if (rate.value.trim() !== meter.rate) body.rate = rate.value.trim();
      if (reset.value.trim() !== meter.reset) body.reset = reset.value.trim().replaceAll(",", "");
      return tell(`${PATH}/commands`, body);
    },
    "Change the terms",
  );
}

async function closeLink(link) {
  const { links } = await get("/links");
  const homes = links
    .filter((link) => !link.closed && link.link !== NAME)
    .flatMap((link) => Object.keys(link.meters).map((meter) => `${link.link}:${meter}`));
  const [reasonField, reason] = field("Reason, for the journal", { required: true, maxlength: 300 });
  const foreseen = h("ul");
  const rows = Object.entries(link.meters).map(([name, meter]) => {
    const id = `goes-${name}`;
    const to = h(
      "select",
      { id, onchange: () => foresee() },
      h("option", { value: "" }, "As I state below"),
      homes.map((home) => h("option", { value: home }, `To ${home.replace(":", ", meter ")}`)),
    );
    const words = h("input", {
      type: "text",
      maxlength: 300,
      "aria-label": `Closing meter ${name}`,
      placeholder: "What becomes of it",
      oninput: () => foresee(),
    });
    return {
      name,
      meter,
      to,
      words,
      node: h("div.field", {}, h("label", { for: id }, `${inDollars(meter.shown)} of meter ${name}`), to, words),
    };
  });
  const foresee = () =>
    refill(
      foreseen,
      rows.map(({ name, meter, to, words }) =>
        h(
          "li",
          {},
          to.value
            ? `${inDollars(meter.shown)} of ${name} moves to ${to.value.replace(":", ", meter ")}.`
            : words.value.trim()
              ? `${inDollars(meter.shown)} of ${name} leaves the meters: ${words.value.trim()}.`
              : `${inDollars(meter.shown)} of ${name}: say where it goes.`,
        ),
      ),
      h("li", {}, "The link is closed permanently. Its history stays."),
    );
  foresee();
  ask(
    `Close link ${NAME}`,
    [rows.map((row) => row.node), reasonField, h("div.foreseen", {}, h("h4", {}, "This would happen"), foreseen)],
    () =>
      tell(`${PATH}/commands`, {
        type: "close_link",
        reason: reason.value.trim(),
        moves: Object.fromEntries(rows.filter((row) => row.to.value).map((row) => [row.name, row.to.value])),
        stated: Object.fromEntries(
          rows
            .filter((row) => !row.to.value && row.words.value.trim())
            .map((row) => [row.name, row.words.value.trim()]),
        ),
      }),
    "Close the link",
  );
}

function draw() {
  const link = shown;
  refill(
    $("#link"),
    h(
      "p",
      {},
      `${link.title}. Bets of ${link.stakes.map(inDollars).join(" or ")}.`,
      link.closed ? " This link is closed." : "",
    ),
    h(
      "div.meter-cards",
      {},
      Object.entries(link.meters).map(([name, meter]) => meterCard(name, meter, link)),
    ),
    h(
      "section",
      { "aria-labelledby": "members" },
      h("h2", { id: "members" }, "Tables on this link"),
      link.members.length
        ? h("ul.house-tables", {}, link.members.map(memberCard))
        : h("p.fine", {}, "No tables. A table joins when it opens, and leaves when it closes."),
    ),
    awards(link),
    history(link),
    duties.length
      ? h("section", {}, h("h2", {}, "The operator's duties"), dutyList(duties, ["progressive_controller"]))
      : null,
    person.role === "operator" && !link.closed
      ? h(
          "div.doors",
          {},
          h(
            "button.plain",
            {
              type: "button",
              data: { name: "close-link" },
              disabled: link.members.length > 0,
              onclick: () => closeLink(link),
            },
            "Close the link",
          ),
          link.members.length ? h("span.fine", {}, "Close its tables first.") : null,
        )
      : null,
  );
}

async function refresh() {
  const page = await get(`${PATH}?limit=200`);
  if (shown && page.version === shown.version && JSON.stringify(page.members) === JSON.stringify(shown.members)) return;
  const [first] = page.members;
  if (first && !duties.length)
    duties = (await get(`/tables/${encodeURIComponent(first.table)}/duties`).catch(() => ({ duties: [] }))).duties;
  shown = page;
  if (older.length) older = older.filter((entry) => entry.version < page.history.at(-1).version);
  draw();
}

person = await enterHouse();
if (person) {
  try {
    await refresh();
    setInterval(() => document.hidden || document.querySelector("dialog[open]") || refresh().catch(() => {}), 2000);
  } catch (problem) {
    refill(
      $("#link"),
      h(
        "p.bad",
        {},
        problem.code === "not_found" ? "There is no progressive with this name. " : problem.message,
        problem.code === "not_found" ? h("a", { href: "/house/links" }, "All progressives") : null,
      ),
    );
  }
}
