// The journal: search, pages, one entry whole, and what was refused.

import { allTables, get } from "../shared/api.js";
import { $, h, refill, say, suggestions } from "../shared/dom.js";
import { roleNames } from "../shared/site.js";
import { inWords } from "../shared/layout.js";
import { inDollars } from "../shared/money.js";
import { openBox } from "../shared/sheets.js";
import { tableHead } from "../shared/tables.js";

const KINDS = [
  ["", "All records"],
  ["tables", "Tables, with care of decks"],
  ["links", "Progressive links"],
  ["attempts", "Refused attempts"],
  ["corrections", "Corrections"],
  ["cashier", "Accounts with the cashier"],
];
const STREAMS = { attempts: "Refused attempts at", corrections: "Corrections at", patron: "Account of" };
const exactly = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" });
const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "medium" });
const FURTHER = 5; // pages that are looked through without a find before asking

export const time = (at) =>
  h("time", { datetime: at, title: at ? exactly.format(new Date(at)) : null }, at ? clock.format(new Date(at)) : "");

/** `table:md-uth` is "Table md-uth". */
export function streamTitle(stream) {
  const [scope, name] = stream.split(/:(.*)/s);
  return [STREAMS[scope] ?? inWords(scope), name].filter(Boolean).join(" ");
}

export async function journalRoom([stream, version]) {
  const [tables, { commands }] = await Promise.all([allTables(), get("/commands")]);
  const list = h("tbody", { id: "entries" });
  const state = h("p.fine", { role: "status" });
  const more = h("button.plain", { type: "button", data: { name: "more" }, hidden: true }, "Earlier entries");
  const form = searchForm(tables, commands);
  const matches = new Matches(form, list, state, more);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    matches.begin();
  });
  form.addEventListener("reset", () => setTimeout(() => matches.begin()));
  more.addEventListener("click", () => matches.go());
  const node = h(
    "div.audit-room",
    {},
    form,
    state,
    h(
      "div.scroll",
      { tabindex: 0, role: "region", "aria-label": "Entries" },
      h(
        "table.audit-table.entries",
        {},
        tableHead(["Time", "Where", "Who", "What", "Clauses", "Moved", "Entry"]),
        list,
      ),
    ),
    more,
  );
  return {
    node,
    ready: async () => {
      await matches.begin();
      if (stream && version) openEntry(stream, Number(version));
    },
  };
}

function searchForm(tables, commands) {
  const field = (name, words, input) => h("div.field", {}, h("label", { for: `by-${name}` }, words), input);
  const text = (name, more = {}) => h("input", { id: `by-${name}`, name, autocomplete: "off", ...more });
  const choice = (name, options) =>
    h(
      "select",
      { id: `by-${name}`, name },
      options.map(([value, words]) => h("option", { value }, words)),
    );
  return h(
    "form.audit-search",
    { role: "search", "aria-label": "Search the journal" },
    field("words", "Words", text("words", { maxlength: 200, type: "search" })),
    field("kind", "Record", choice("kind", KINDS)),
    field(
      "table",
      "Table",
      choice("table", [["", "Every table"], ...tables.map((table) => [table.id, `${table.id} · ${table.title}`])]),
    ),
    field("round", "Round", text("round", { type: "number", min: 1, inputmode: "numeric" })),
    field("person", "Person", [
      text("person", { maxlength: 60, list: "people-on-record" }),
      suggestions("people-on-record", []),
    ]),
    field(
      "role",
      "Role",
      choice(
        "role",
        ["", ...roleNames()].map((role) => [role, role ? inWords(role) : "Any"]),
      ),
    ),
    field(
      "command",
      "Command",
      choice("command", [["", "Any"], ...commands.map((command) => [command.type, command.label])]),
    ),
    field("clause", "Clause", text("clause", { maxlength: 40 })),
    field("amount", "Amount in dollars", text("amount", { inputmode: "decimal", maxlength: 20 })),
    field("since", "From", text("since", { type: "datetime-local" })),
    field("until", "Until", text("until", { type: "datetime-local" })),
    h("div.doors", {}, h("button.gold", { type: "submit" }, "Search"), h("button.plain", { type: "reset" }, "Clear")),
  );
}

class Matches {
  #turn = 0;

  constructor(form, list, state, more) {
    this.form = form;
    this.list = list;
    this.state = state;
    this.more = more;
    this.before = null;
  }

  asked() {
    const data = new FormData(this.form);
    const at = (name) => data.get(name) && new Date(String(data.get(name))).toISOString();
    const all = { ...Object.fromEntries(data), since: at("since"), until: at("until"), before: this.before, limit: 50 };
    return new URLSearchParams(Object.entries(all).filter(([, value]) => value)).toString();
  }

  async begin() {
    this.before = null;
    this.list.replaceChildren();
    await this.go();
  }

  /** Until a page has something, or a few have had nothing. */
  async go() {
    const turn = (this.#turn += 1);
    this.more.hidden = true;
    say(this.state, "Searching…");
    try {
      for (let n = 0; n < FURTHER; n += 1) {
        const page = await get(`/audit/entries?${this.asked()}`);
        if (turn !== this.#turn) return;
        this.list.append(...page.entries.map(row));
        this.#suggest(page.entries.map((entry) => entry.name).filter(Boolean));
        this.before = page.before;
        this.#tell(page);
        if (page.entries.length || !page.before) break;
      }
      this.more.hidden = !this.before;
    } catch (problem) {
      if (turn === this.#turn) say(this.state, problem.message);
    }
  }

  /** Whoever stands in the entries that were found can be searched for. */
  #suggest(names) {
    const list = $("#people-on-record");
    list?.replaceChildren(...suggestions("", [...[...list.options].map((option) => option.value), ...names]).children);
  }

  #tell(page) {
    const count = this.list.children.length;
    const summary = count ? `${count.toLocaleString()} found, the newest first` : "Nothing found";
    say(
      this.state,
      page.before
        ? `${summary}; looked back to ${clock.format(new Date(page.back_to))}.`
        : `${summary}. This is all of it.`,
    );
  }
}

function row(entry) {
  const [scope, name] = entry.stream.split(/:(.*)/s);
  const place = entry.round ? `${name}, round ${entry.round}` : name;
  return h(
    "tr",
    { data: { stream: entry.stream, version: entry.version, refused: String(Boolean(entry.refused)) } },
    h("td", {}, time(entry.at)),
    h("td", {}, place, h("small", {}, `${scope} ${entry.version}`)),
    h("td", {}, entry.name || "–", h("small", {}, entry.role)),
    h(
      "td",
      {},
      h("b", {}, entry.label),
      entry.about ? h("span.about", {}, ` ${entry.about}`) : null,
      entry.in_play ? h("small", {}, "round in play: cards face down") : null,
      entry.refused ? h("small.bad", {}, `refused: ${entry.refused}`) : null,
    ),
    h(
      "td",
      {},
      entry.clauses.slice(0, 3).map((clause) => h("span.clause-id", {}, `${clause} `)),
    ),
    h("td.numbers", {}, entry.moved ? inDollars(entry.moved) : ""),
    h(
      "td",
      {},
      h(
        "button.plain.small",
        {
          type: "button",
          data: { name: `open-${entry.stream}-${entry.version}` },
          "aria-label": `Open entry ${entry.version} of ${streamTitle(entry.stream)}`,
          onclick: () => openEntry(entry.stream, entry.version),
        },
        "Open",
      ),
    ),
  );
}

export async function openEntry(stream, version) {
  const body = h("div.entry-body", {}, h("p", {}, "Reading…"));
  const box = openBox(`${streamTitle(stream)}, entry ${version}`, body);
  box.classList?.add("wide-box");
  await show(body, stream, version);
}

async function show(body, stream, version) {
  let entry;
  try {
    entry = await get(`/audit/entries/${encodeURIComponent(stream)}/${version}`);
  } catch (problem) {
    refill(body, h("p.bad", {}, problem.message));
    return;
  }
  const { row: it } = entry;
  const step = (to, words) =>
    h(
      "button.plain.small",
      {
        type: "button",
        disabled: to < 1 || to > entry.newest,
        data: { name: words },
        onclick: () => show(body, stream, to),
      },
      words,
    );
  refill(
    body,
    h(
      "div.doors.tight",
      {},
      step(version - 1, "Earlier"),
      h("span.numbers", {}, `${version} of ${entry.newest}`),
      step(version + 1, "Later"),
    ),
    h("h3", {}, it.label),
    facts([
      ["When", time(it.at)],
      ["By", [inWords(it.role), it.name].filter(Boolean).join(" ") || "–"],
      ["Request key", entry.request || "–"],
      ["Round", it.round ? roundLink(it) : "between rounds"],
      ["Clauses", it.clauses.join(", ") || "–"],
    ]),
    it.in_play ? h("p.fine", {}, "The round is in play: what lies face down is left out until it is over.") : null,
    entry.words.length
      ? [
          h("h4", {}, "What happened"),
          h(
            "ul",
            {},
            entry.words.map((words) => h("li", {}, words)),
          ),
        ]
      : null,
    duties("Confirmed with it", entry.duties),
    duties("Shown with it, to others", entry.shown),
    entry.transfers.length
      ? [
          h("h4", {}, "Money"),
          h(
            "table.pay",
            {},
            entry.transfers.map((transfer) =>
              h(
                "tr",
                {},
                h("td", {}, `${account(transfer.source)} → ${account(transfer.target)}`),
                h("td", {}, inDollars(transfer.amount)),
              ),
            ),
          ),
        ]
      : null,
    h("h4", {}, "Chain"),
    facts([
      ["Hash", entry.hash ? h("code", {}, entry.hash) : "shown when the round is over"],
      ["Before it", entry.previous ? h("code", {}, entry.previous) : "–"],
      [
        "Holds",
        entry.holds
          ? h("b.good", {}, "Yes: the contents and the hash before it give this hash")
          : h("b.bad", {}, "No: the contents give another hash"),
      ],
    ]),
    h(
      "p",
      {},
      h(
        "a",
        { href: asFile(entry), download: `${stream.replaceAll(/[^\w-]+/g, "-")}-${version}.json` },
        "Download this entry",
      ),
    ),
  );
}

const asFile = ({ command, events }) =>
  URL.createObjectURL(new Blob([JSON.stringify({ command, events }, null, 1)], { type: "application/json" }));

/** `table:md-uth:rack:ann` is "md-uth, chips of ann". */
function account(name) {
  const [scope, where, part, ...rest] = name.split(":");
  const whose = rest.join(":");
  if (scope === "table")
    return `${where}, ${{ rack: `chips of ${whose}`, layout: `bets of seat ${whose}` }[part] ?? part}`;
  if (scope === "meter") return `meter ${part} of ${where}`;
  if (scope === "patron") return `cash of ${name.slice(7)}`;
  if (scope === "cashier") return `account of ${name.slice(8)}`;
  if (scope === "award") return `awards at ${where}`;
  return name.replaceAll(":", " ");
}

function duties(title, some) {
  return some.length
    ? [
        h("h4", {}, title),
        h(
          "ul.duties",
          {},
          some.map((reason) => h("li", {}, h("span.clause-id", {}, reason.clause), reason.words)),
        ),
      ]
    : null;
}

function roundLink({ stream, round, in_play: inPlay }) {
  if (inPlay || !stream.startsWith("table:")) return String(round);
  return h("a", { href: `#rounds/${encodeURIComponent(stream.slice(6))}/${round}` }, `${round}, replay with all cards`);
}

export function facts(pairs) {
  return h(
    "dl.facts",
    {},
    pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

export async function attemptsRoom() {
  const { attempts, left_out: left } = await get("/audit/attempts");
  const rows = attempts.map((attempt) =>
    h(
      "tr",
      {},
      h("td", {}, attempt.name, h("small", {}, attempt.role)),
      h("td", {}, h("b", {}, attempt.label), h("small", {}, `table ${attempt.table}`)),
      h("td", {}, attempt.message, attempt.clause ? h("span.clause-id", {}, ` ${attempt.clause}`) : null),
      h("td.numbers", {}, `${attempt.times.toLocaleString()}×`),
      h("td", {}, time(attempt.last), attempt.times > 1 ? h("small", {}, "first ", time(attempt.first)) : null),
      h(
        "td",
        {},
        h(
          "button.plain.small",
          {
            type: "button",
            "aria-label": `Open the last attempt of ${attempt.name} at ${attempt.label}`,
            onclick: () => openEntry(`attempts:${attempt.table}`, attempt.version),
          },
          "Open",
        ),
      ),
    ),
  );
  return {
    node: h(
      "div.audit-room",
      {},
      h(
        "p.fine",
        {},
        attempts.length
          ? "Latest first. Repeated refusals to the same person are counted."
          : "Nothing has been refused yet.",
        left ? ` ${left.toLocaleString()} older ones are in the journal.` : "",
      ),
      attempts.length
        ? h(
            "div.scroll",
            { tabindex: 0, role: "region", "aria-label": "Refused attempts" },
            h(
              "table.audit-table",
              {},
              tableHead(["Who", "Command", "Reason", "Count", "Last", "Entry"]),
              h("tbody", {}, rows),
            ),
          )
        : null,
    ),
  };
}
