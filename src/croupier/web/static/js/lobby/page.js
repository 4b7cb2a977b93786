// The lobby: which tables are open, what is played there, and the shortest way to a seat.

import { note } from "../shared/announce.js";
import { comeIn, get, me } from "../shared/api.js";
import { still } from "../felt/cards.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill, say } from "../shared/dom.js";
import { GLOSSARY, tip } from "../shared/hints.js";
import { cents, meter, inDollars } from "../shared/money.js";
import { Ticker } from "../felt/motion.js";
import { jobs } from "../shared/try-it.js";

const FAN = ["Ac", "Js", "Qh", "Kd"];
const cards = new Map();
let demo = false;

function fan() {
  const node = $("#fan");
  FAN.forEach((card, n) => {
    const face = still(card);
    face.style.setProperty("--turn", `${(n - 1.5) * 17}deg`);
    node.append(face);
  });
}

class TableCard {
  constructor(table) {
    this.seats = h("ul.seat-dots");
    this.meters = new Map();
    this.meterBoard = h("dl.meters");
    this.state = h("p.state");
    this.sit = h(
      "button.gold",
      { type: "button", data: { table: table.id }, onclick: () => sitDown(table.id, this.sit) },
      "Sit down",
    );
    const [least, most] = limits(table);
    this.node = h(
      "li.table-card",
      { data: { game: table.rulebook, table: table.id } },
      h(
        "div.cloth",
        {},
        h("h2", {}, table.title),
        h(
          "p.where",
          {},
          [table.jurisdiction, table.id === table.rulebook ? "" : `table ${table.id}`].filter(Boolean).join(" · "),
        ),
        this.sit,
        this.meterBoard,
      ),
      h(
        "div.told",
        {},
        h("p", {}, table.summary),
        h(
          "dl.facts",
          {},
          table.by_document ? h("div", {}, h("dt", {}, "Document"), h("dd", {}, table.document)) : null,
          h("div", {}, h("dt", {}, tip("Ante", "Each bet")), h("dd", {}, `${inDollars(least)} to ${inDollars(most)}`)),
          h("div", {}, h("dt", {}, "Seats"), h("dd", {}, this.seats)),
        ),
        this.state,
      ),
      h(
        "div.doors",
        {},
        table.lesson ? h("a.plain", { href: `/learn/${table.rulebook}` }, "Learn in 2 minutes") : null,
        table.lesson ? h("a.watch", { href: `/practice/${table.rulebook}` }, "Practice") : null,
        h("a.watch", { href: `/design/${table.rulebook}` }, "Paytables"),
        h("a.watch", { href: `/tables/${table.id}` }, "Watch"),
        h("a.watch", { href: `/tables/${table.id}/rounds` }, "Past rounds"),
        demo ? jobs(table.rulebook) : null,
      ),
    );
  }

  update(table) {
    for (const [name, sum] of Object.entries(table.meters)) {
      if (!this.meters.has(name)) {
        const shown = h("dd");
        this.meterBoard.append(h("div.meter", {}, h("dt", {}, name === "main" ? "Progressive" : name), shown));
        this.meters.set(name, new Ticker(shown, meter));
      }
      this.meters.get(name).set(cents(sum));
    }
    refill(
      this.seats,
      table.seats.map((seat) =>
        h("li", { data: { taken: String(Boolean(seat.player)) }, title: seat.player ?? `seat ${seat.number} is free` }),
      ),
      h("li.count", {}, table.open_seats ? `${table.open_seats} free` : "full"),
    );
    const watching = table.players_watching ? ` · ${table.players_watching} at the table` : "";
    say(
      this.state,
      !table.is_open
        ? "Closed"
        : table.round
          ? `Round ${table.round}${watching}`
          : `Open and waiting for the first player${watching}`,
    );
    this.sit.disabled = !table.open_seats;
  }
}

function limits(table) {
  const first = Object.values(table.limits)[0];
  return first ? [first.least, first.most] : ["0.00", "0.00"];
}

async function sitDown(table, button) {
  button.disabled = true;
  try {
    await comeIn();
    location.assign(`/tables/${encodeURIComponent(table)}#sit`);
  } catch (problem) {
    button.disabled = false;
    if (problem.code === "no_guests") location.assign("/sign-in");
    else note(problem.message, { bad: true });
  }
}

const SIZE = 24;
const pages = []; // the tables of each page that is shown, by id
let turn = 0; // of two answers about the whole list only the later counts

function query(page) {
  const params = {
    page,
    size: SIZE,
    rehearsals: false,
    game: $("#narrow-game").value,
    search: $("#narrow-search").value.trim(),
  };
  return new URLSearchParams(Object.entries(params).filter(([, value]) => value !== ""));
}

/** A page of the list: its cards are made, or brought up to date. */
async function load(page) {
  const mine = turn;
  try {
    const answer = await get(`/tables?${query(page)}`);
    if (mine !== turn) return;
    show(answer);
    say($("#lobby-state"), "");
  } catch (problem) {
    if (mine === turn) say($("#lobby-state"), `${problem.message} Trying again.`);
  }
}

function show({ tables, total, page, next, games }) {
  const room = $("#tables"),
    others = $("#games");
  if (!cards.size) room.replaceChildren();
  pages[page - 1] = tables.map((table) => table.id);
  for (const table of tables) {
    if (!cards.has(table.id)) {
      cards.set(table.id, new TableCard(table));
      (table.by_document ? room : others).append(cards.get(table.id).node);
    }
    cards.get(table.id).update(table);
  }
  if (page === pages.length) $("#more-tables").hidden = !next;
  $("#open-games").hidden = !others.children.length;
  if (!total)
    refill(
      room,
      games.length
        ? h("li.sorry", {}, "No tables match. Choose another game, or search for something else.")
        : nobody(),
    );
  choose(games);
  say(
    $("#lobby-count"),
    total > cards.size
      ? `${cards.size.toLocaleString("en")} of ${total.toLocaleString("en")} tables`
      : `${total.toLocaleString("en")} ${total === 1 ? "table" : "tables"}`,
  );
}

const nobody = () =>
  h(
    "li.sorry",
    {},
    "No table is open yet. An operator opens one in ",
    h("a", { href: "/house" }, "the house"),
    ", or with ",
    h("code", {}, "croupier table open md-uth --as operator:NAME"),
    ".",
  );

function choose(games) {
  const select = $("#narrow-game"),
    shape = JSON.stringify(games);
  $("#narrow").hidden = games.length < 2;
  if (select.dataset.told === shape) return;
  const chosen = select.value;
  const isTwice = ({ title }) => games.filter((game) => game.title === title).length > 1;
  select.dataset.told = shape;
  refill(
    select,
    h("option", { value: "" }, "All games"),
    games.map((game) =>
      h(
        "option",
        { value: game.rulebook },
        `${game.title}${isTwice(game) ? `, ${game.jurisdiction}` : ""} (${game.tables.toLocaleString("en")})`,
      ),
    ),
  );
  select.value = games.some((game) => game.rulebook === chosen) ? chosen : "";
}

/** Another game, or other words: from the first page. */
function narrow() {
  turn += 1;
  cards.clear();
  pages.length = 0;
  refill($("#tables"));
  refill($("#games"));
  return load(1);
}

const isNear = (id) => {
  const { top, bottom } = cards.get(id).node.getBoundingClientRect();
  return bottom > -innerHeight && top < 2 * innerHeight;
};

/** Only what is on the screen, or near it. */
function refresh() {
  if (!pages.length) return load(1);
  return Promise.all(pages.map((ids, n) => ((n === 0 && !ids.length) || ids.some(isNear) ? load(n + 1) : null)));
}

async function more() {
  const page = pages.length + 1;
  await load(page);
  const [first] = pages[page - 1] ?? [];
  if (first) $("button:enabled, a", cards.get(first).node)?.focus({ preventScroll: true }); // the keyboard goes on from here
}

/** @type {any} */ let typing = null;
$("#narrow").addEventListener("submit", (event) => event.preventDefault());
$("#narrow-game").addEventListener("change", narrow);
$("#narrow-search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(narrow, 250);
});
$("#more-tables").addEventListener("click", more);

function words() {
  refill(
    $("#words"),
    Object.entries(GLOSSARY).map(([word, meaning]) => h("div", {}, h("dt", {}, word), h("dd", {}, meaning))),
  );
}

dress();
fan();
words();
me()
  .then(
    (person) => {
      demo = person.demo;
    },
    () => {},
  )
  .then(() => void refresh());
setInterval(() => document.hidden || refresh(), 3000);
