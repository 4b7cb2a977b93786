// The designer: what a line pays, what that does to the edge, and which tables hit a target.

import { Problem, ask, comeIn, getPatiently } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill, say } from "../shared/dom.js";

const rulebook = document.body.dataset.rulebook ?? "";
const base = `/designs/${encodeURIComponent(rulebook)}`;
const words = (name) => name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());
const percent = (part, digits = 4) => `${(100 * part).toFixed(digits)}%`;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** @type {any} */ let choices = null;
let pays = {}; // by hand, what is asked for, as text
const locked = new Set();
/** @type {any} */ let shown = null; // the figures on the screen
/** @type {any} */ let printed = null; // of the table as printed
/** @type {any} */ let kept = null;
let turn = 0; // of two answers only the later counts
const together = new Map(); // by family, the tables added to the search

const family = () => choices.families.find((family) => family.family === $("#design-family").value);
const lines = () => family().tables[$("#design-table").value];
const changed = () =>
  Object.fromEntries(
    lines()
      .filter((line) => line.units && pays[line.hand] !== line.units)
      .map((line) => [line.hand, pays[line.hand]]),
  );
const body = () => ({ family: family().family, table: $("#design-table").value, pays: changed() });

/**
 * Ask until the answer is worked out; the first question about a game may take a while.
 *
 * @param {string} path
 * @param {any} request
 * @param {{ isStill?: () => boolean, meanwhile?: string, tries?: number }} options
 */
async function patiently(path, request, { isStill = () => true, meanwhile = "", tries = 300 } = {}) {
  for (let n = 0; n < tries && isStill(); n += 1) {
    let answer;
    try {
      answer = await ask("POST", base + path, request);
    } catch (problem) {
      if (problem.status !== 429) throw problem; // an earlier question of ours waits for its turn
      say($("#design-state"), "Others are asking, too: waiting for a turn…");
      await pause(1000);
      continue;
    }
    if (answer.status !== 202) return answer.body;
    say(
      $("#design-state"),
      meanwhile || (n > 2 ? "Working it out. The first time takes some seconds…" : "Working it out…"),
    );
    await pause(300);
  }
  if (!isStill()) return null;
  throw new Problem({ message: "This takes longer than usual. Try again in a minute." }, 202);
}

async function attempt(work) {
  try {
    await work();
  } catch (problem) {
    say($("#design-state"), problem.message);
  }
}

const isSide = () => family().edge_of !== "main";
const isBonus = () => family().is_bonus;

function showLines() {
  say(
    $("#design-unpaid"),
    isBonus()
      ? "0: the line is not paid."
      : isSide()
        ? "0 is a push. −1: the line is not paid, and the stake is lost."
        : "0 is a push.",
  );
  const rows = lines().map((line) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, words(line.hand)),
      h(
        "td",
        {},
        line.units
          ? h("input", {
              type: "number",
              min: isSide() ? -1 : 0,
              step: "any",
              value: pays[line.hand],
              "aria-label": `${words(line.hand)} pays, to 1`,
              data: { name: line.hand },
              oninput: (event) => change(line.hand, event.target.value),
            })
          : line.pays,
      ),
      h("td.printed", {}, line.units ? line.pays : "fixed"),
      h(
        "td",
        {},
        line.units
          ? h("input", {
              type: "checkbox",
              checked: locked.has(line.hand),
              "aria-label": `Lock ${words(line.hand)}`,
              onchange: (event) => (event.target.checked ? locked.add(line.hand) : locked.delete(line.hand)),
            })
          : null,
      ),
    ),
  );
  refill(
    $("#design-lines"),
    h(
      "div.scrolls",
      {},
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h("tr", {}, h("th", {}, "Hand"), h("th", {}, "Pays, to 1"), h("th", {}, "Printed"), h("th", {}, "Lock")),
        ),
        h("tbody", {}, rows),
      ),
    ),
  );
}

/** @type {any} */ let waits = null;
function change(hand, text) {
  if (!/^\d{1,6}(\.\d{1,4})?$/.test(text) && !(text === "-1" && isSide())) {
    say($("#design-state"), "Enter what the line pays to 1: 0 or more.");
    return;
  }
  pays[hand] = text;
  clearTimeout(waits);
  waits = setTimeout(() => attempt(price), 150);
}

async function price() {
  turn += 1;
  const mine = turn;
  const price = await patiently("/price", body(), { isStill: () => mine === turn });
  if (mine !== turn || price === null) return;
  shown = price;
  if (!Object.keys(changed()).length) printed = price;
  say($("#design-state"), "");
  showFigures();
}

function row(label, of, digits = 4) {
  const cell = (figures) => h("td.number", {}, figures ? of(figures, digits) : "");
  return h("tr", {}, h("th", { scope: "row" }, label), cell(shown), printed && cell(printed), kept && cell(kept));
}

function showFigures() {
  const decisions = Object.entries(shown.decisions).flatMap(([name, said]) =>
    Object.keys(said).map((word) => [name, word]),
  );
  refill(
    $("#design-figures"),
    h("p.edge", {}, percent(shown.house_edge)),
    h(
      "p",
      {},
      `House edge of ${words(shown.wager)}, exactly `,
      h("span.exact", {}, shown.expected_value_exact),
      " to the player.",
    ),
    h(
      "div.scrolls",
      {},
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", {}, ""),
            h("th.number", {}, "This table"),
            printed && h("th.number", {}, "Printed"),
            kept && h("th.number", {}, "Kept"),
          ),
        ),
        h(
          "tbody",
          {},
          row("House edge", (figures) => percent(figures.house_edge)),
          row("Hit rate", (figures) => percent(figures.hit_frequency)),
          row("Standard deviation", (figures) => figures.standard_deviation.toFixed(4)),
          decisions.map(([name, word]) =>
            row(`${words(name)}: ${word}`, (figures) => percent(figures.decisions[name]?.[word] ?? 0, 3)),
          ),
        ),
      ),
    ),
    Object.keys(shown.per_unit).length
      ? h(
          "p",
          {},
          `Each extra unit on a line lowers the edge by: ${Object.entries(shown.per_unit)
            .map(([hand, part]) => `${words(hand)} ${percent(part)}`)
            .join(", ")}.`,
        )
      : null,
    kept &&
      h(
        "p",
        {},
        `Kept: ${Object.entries(kept.pays)
          .map(([hand, pay]) => `${words(hand)} ${pay}`)
          .join(", ")}.`,
      ),
  );
}

function begin() {
  pays = Object.fromEntries(
    lines()
      .filter((line) => line.units)
      .map((line) => [line.hand, line.units.includes("/") ? String(quotient(line.units)) : line.units]),
  );
  for (const line of lines()) if (line.units.includes("/")) line.units = pays[line.hand];
  printed = kept = shown = null;
  locked.clear();
  lines()
    .slice(0, 3)
    .forEach((line) => line.units && locked.add(line.hand));
  showLines();
  refill($("#design-found"));
  return attempt(price);
}

const quotient = (text) =>
  text
    .split("/")
    .map(Number)
    .reduce((a, b) => a / b);

function chooseFamily() {
  refill(
    $("#design-table"),
    Object.keys(family().tables).map((name) => h("option", { value: name }, name)),
  );
  return begin();
}

/** The lines that are not locked, each with its range. */
function openLines() {
  return lines()
    .filter((line) => line.units && !locked.has(line.hand))
    .map((line) => {
      const now = Math.round(Number(pays[line.hand]));
      return `${line.hand}=${Math.max(0, now - 2)}..${now + 2}`;
    });
}

/** What the two inputs of a target say, or nothing. */
function range(name) {
  const [low, high] = ["low", "high"].map((end) => $(`#design-${name ? `${name}-` : ""}${end}`).value.trim());
  return low || high ? `${low || high}..${high || low}` : "";
}

const targets = () => ({ hold: range("hold"), hit_frequency: range("hits"), deviation: range("deviation") });
const fixed = () => Object.fromEntries(Object.entries(changed()).filter(([hand]) => locked.has(hand)));
const onScreen = () => ({ ...body(), pays: fixed(), vary: openLines() });

async function search(event) {
  event.preventDefault();
  if (together.size) return searchTogether();
  if (!openLines().length) {
    say($("#design-state"), "Every line is locked: unlock one to search.");
    return;
  }
  const results = await patiently("/search", { ...onScreen(), edge: range(""), ...targets() });
  say($("#design-state"), "");
  showFound(results);
}

function add() {
  const table = onScreen();
  if (!table.vary.length) {
    say($("#design-state"), "Every line is locked: unlock one to search.");
    return;
  }
  const before = together.get(table.family);
  together.set(table.family, {
    table,
    wager: family().edge_of,
    stake: before?.stake ?? "",
    edge: before?.edge ?? range(""),
  });
  if (!together.has("")) together.set("", { wager: "main", stake: "10", edge: "" });
  say($("#design-state"), "Added. Choose another wager, or search.");
  showTogether();
}

function remove(name) {
  together.delete(name);
  if (together.size === 1) together.clear();
  showTogether();
}

function showTogether() {
  const field = (entry, name, label) =>
    h("input", {
      size: 6,
      value: entry[name],
      "aria-label": label,
      oninput: (event) => {
        entry[name] = event.target.value.trim();
      },
    });
  const rows = [...together].map(([name, entry]) => {
    const title = name ? `${words(name)} ${entry.table.table}` : "Required wagers, each";
    const isMain = name && entry.wager === "main";
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, title),
      h("td", {}, name ? `${entry.table.vary.length} open` : ""),
      h("td", {}, isMain ? "" : field(entry, "stake", `${title}: stake in dollars`)),
      h("td", {}, name ? field(entry, "edge", `${title}: edge in percent`) : ""),
      h("td", {}, name ? h("button", { type: "button", onclick: () => remove(name) }, "Remove") : ""),
    );
  });
  refill(
    $("#design-together"),
    rows.length
      ? h(
          "div.scrolls",
          {},
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("th", {}, "Table"),
                h("th", {}, "Lines"),
                h("th", {}, "Stake, $"),
                h("th", {}, "Edge, %"),
                h("th", {}, ""),
              ),
            ),
            h("tbody", {}, rows),
          ),
        )
      : null,
  );
}

async function searchTogether() {
  const added = [...together].filter(([name]) => name).map(([, entry]) => entry);
  const now = onScreen();
  if (now.vary.length && !together.has(now.family))
    added.push({ table: now, wager: family().edge_of, stake: "", edge: range("") });
  const stakes = Object.fromEntries(
    [
      ["main", together.get("").stake],
      ...added.filter((entry) => entry.wager !== "main").map((entry) => [entry.wager, entry.stake]),
    ].filter(([, stake]) => stake),
  );
  const edges = Object.fromEntries(added.filter((entry) => entry.edge).map((entry) => [entry.wager, entry.edge]));
  const results = await patiently("/together", {
    tables: added.map((entry) => entry.table),
    stakes,
    edges,
    ...targets(),
  });
  say($("#design-state"), "");
  showDesigns(
    results,
    added.map((entry) => entry.table),
  );
}

function foundTitle(results, list) {
  return h(
    "p",
    {},
    results.found
      ? `${results.found.toLocaleString()} of ${results.searched.toLocaleString()} tables. The first ${list.length}:`
      : `None of ${results.searched.toLocaleString()} tables.${list.length ? " The nearest:" : ""}`,
  );
}

function showDesigns(results, tables) {
  const list = results.designs.length ? results.designs : results.nearest;
  const open = tables.flatMap((table) => table.vary.map((text) => [table.family, text.split("=")[0]]));
  const number = (text) => h("td.number", {}, text);
  const heading = (text) => h("th.number", {}, text);
  const wagers = list.length ? Object.keys(list[0].edges) : [];
  refill(
    $("#design-found"),
    foundTitle(results, list),
    results.not_joined
      ? h("p", {}, `Deviation and hit rate of the round are not calculated: ${results.not_joined}`)
      : null,
    h(
      "p",
      {},
      `Bet together: ${Object.entries(results.stakes)
        .map(([name, dollars]) => `${words(name)} $${dollars}`)
        .join(", ")}.`,
    ),
    list.length
      ? h(
          "div.scrolls",
          {},
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                open.map(([name, hand]) => heading(`${words(name)}: ${words(hand)}`)),
                wagers.map((name) => heading(`Edge of ${words(name)}`)),
                heading("Win, $"),
                heading("Hold"),
                heading("Deviation, $"),
                heading("Hit rate"),
              ),
            ),
            h(
              "tbody",
              {},
              list.map((item) =>
                h(
                  "tr",
                  {},
                  open.map(([name, hand]) => number(item.pays[name][hand].replace(/ to 1$/, ""))),
                  wagers.map((name) => number(percent(item.edges[name]))),
                  number(item.win.toFixed(4)),
                  number(percent(item.hold)),
                  number(item.standard_deviation === null ? "–" : item.standard_deviation.toFixed(4)),
                  number(item.hit_frequency === null ? "–" : percent(item.hit_frequency)),
                ),
              ),
            ),
          ),
        )
      : null,
  );
}

function showFound(results) {
  const list = results.tables.length ? results.tables : results.nearest;
  const open = lines()
    .filter((line) => line.units && !locked.has(line.hand))
    .map((line) => line.hand);
  refill(
    $("#design-found"),
    foundTitle(results, list),
    h(
      "div.scrolls",
      {},
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            open.map((hand) => h("th.number", {}, words(hand))),
            h("th.number", {}, "Edge"),
            h("th.number", {}, "Hold"),
            h("th.number", {}, "Deviation"),
            h("th.number", {}, "Hit rate"),
            h("th", {}, ""),
          ),
        ),
        h(
          "tbody",
          {},
          list.map((item) =>
            h(
              "tr",
              {},
              open.map((hand) => h("td.number", {}, item.pays[hand].replace(/ to 1$/, ""))),
              h("td.number", {}, percent(item.house_edge)),
              h("td.number", {}, percent(item.hold)),
              h("td.number", {}, item.standard_deviation.toFixed(4)),
              h("td.number", {}, percent(item.hit_frequency)),
              h("td", {}, h("button", { type: "button", onclick: () => use(item) }, "Use")),
            ),
          ),
        ),
      ),
    ),
  );
}

function use(table) {
  for (const [hand, pay] of Object.entries(table.pays)) {
    const odds = /^(\d+) to (\d+)$/.exec(pay);
    if (hand in pays && odds) pays[hand] = String(Number(odds[1]) / Number(odds[2]));
    else if (hand in pays && pay === "push") pays[hand] = "0";
    else if (hand in pays && pay === "not paid") pays[hand] = isBonus() ? "0" : "-1";
  }
  showLines();
  attempt(price);
}

const mine = `${rulebook}-mine`;

function download(file, name) {
  const link = h("a", { href: URL.createObjectURL(file), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

async function save() {
  const rulebook = await patiently("/rulebook", { ...body(), name: mine });
  download(new Blob([rulebook.toml], { type: "application/toml" }), `${rulebook.name}.toml`);
  say(
    $("#design-state"),
    `Saved as ${rulebook.name}.toml. Open a table with it, or work with it: croupier analyze ${rulebook.name}.toml`,
  );
}

/** A report never looks at the clock: the date is the reader's. */
async function report() {
  const button = $("#design-report");
  const now = new Date();
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
  button.disabled = true;
  try {
    const report = await patiently(
      "/report",
      { ...body(), name: mine, date },
      { meanwhile: "Making the report. That takes about half a minute…", tries: 1000 },
    );
    const name = report.type.includes("pdf") ? `${mine}.pdf` : `${mine}.html`;
    download(report, name);
    say(
      $("#design-state"),
      `Report saved as ${name}, to read, print and sign. What each reading and each seen card costs is added by: croupier report ${mine}.toml --to report.pdf`,
    );
  } finally {
    button.disabled = false;
  }
}

async function start() {
  await comeIn();
  choices = await getPatiently(base);
  if (!choices.families.length) {
    say($("#design-state"), "This game has no paytable with odds to change.");
    return;
  }
  say($("#design-game"), choices.title);
  refill(
    $("#design-family"),
    choices.families.map((family) =>
      h("option", { value: family.family }, words(family.family) + (family.edge_of === "main" ? " (main game)" : "")),
    ),
  );
  const side = choices.families.find((family) => family.edge_of !== "main");
  if (side) $("#design-family").value = side.family;
  $("#design-family").addEventListener("change", chooseFamily);
  $("#design-table").addEventListener("change", begin);
  $("#design-reset").addEventListener("click", begin);
  $("#design-keep").addEventListener("click", () => {
    kept = shown;
    if (shown) showFigures();
  });
  $("#design-save").addEventListener("click", () => attempt(save));
  $("#design-report").addEventListener("click", () => attempt(report));
  $("#design-add").addEventListener("click", add);
  $("#design-search").addEventListener("submit", (event) => attempt(() => search(event)));
  await chooseFamily();
}

dress();
attempt(start);
