// The lobby: which tables are open, what is played there, and the shortest way to a seat.

import { note } from "./announce.js";
import { comeIn, get, me } from "./api.js";
import { still } from "./cards.js";
import { dress } from "./chrome.js";
import { $, h, refill, say } from "./dom.js";
import { GLOSSARY, tip } from "./hints.js";
import { cents, meter, told } from "./money.js";
import { Ticker } from "./motion.js";
import { jobs } from "./try-it.js";

const FAN = ["Ac", "Js", "Qh", "Kd"];
const FIRST = ["md-uth", "ma-uth", "md-jackpot", "md-wpt", "md-235"];
const cards = new Map();
let demo = false;

function fan() {
  const node = $("#fan");
  FAN.forEach((card, n) => {
    const one = still(card);
    one.style.setProperty("--turn", `${(n - 1.5) * 17}deg`);
    node.append(one);
  });
}

class TableCard {
  constructor(table) {
    this.seats = h("ul.seat-dots");
    this.meters = new Map();
    this.meterBoard = h("dl.meters");
    this.state = h("p.state");
    this.sit = h("button.gold", { type: "button", data: { table: table.id }, onclick: () => sitDown(table.id, this.sit) }, "Sit down");
    const [least, most] = limits(table);
    this.node = h("li.table-card", { data: { game: table.rulebook, table: table.id } },
      h("div.cloth", {}, h("h2", {}, table.title), h("p.where", {}, table.jurisdiction), this.sit, this.meterBoard),
      h("div.told", {},
        h("p", {}, table.summary),
        h("dl.facts", {},
          table.by_document ? h("div", {}, h("dt", {}, "Document"), h("dd", {}, table.document)) : null,
          h("div", {}, h("dt", {}, tip("Ante", "Each bet")), h("dd", {}, `${told(least)} to ${told(most)}`)),
          h("div", {}, h("dt", {}, "Seats"), h("dd", {}, this.seats))),
        this.state),
      h("div.doors", {},
        table.lesson ? h("a.plain", { href: `/learn/${table.rulebook}` }, "Learn in 2 minutes") : null,
        table.lesson ? h("a.watch", { href: `/practice/${table.rulebook}` }, "Practise") : null,
        h("a.watch", { href: `/design/${table.rulebook}` }, "Paytables"),
        h("a.watch", { href: `/tables/${table.id}` }, "Watch"),
        h("a.watch", { href: `/tables/${table.id}/rounds` }, "Past rounds"),
        demo ? jobs(table.rulebook) : null));
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
    refill(this.seats, table.seats.map((seat) => h("li", { data: { taken: String(Boolean(seat.player)) }, title: seat.player ?? `seat ${seat.number} is free` })),
      h("li.count", {}, table.open_seats ? `${table.open_seats} free` : "full"));
    const watching = table.players_watching ? ` · ${table.players_watching} at the table` : "";
    say(this.state, !table.is_open ? "Closed" : table.round ? `Round ${table.round}${watching}` : `Open and waiting for the first player${watching}`);
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

async function refresh() {
  const room = $("#tables");
  try {
    const tables = (await get("/tables")).tables.filter((one) => !one.rehearsal);
    const place = ({ rulebook }) => (FIRST.indexOf(rulebook) + 99) % 99;
    tables.sort((a, b) => place(a) - place(b) || a.title.localeCompare(b.title));
    if (!cards.size) room.replaceChildren();
    for (const table of tables) {
      if (!cards.has(table.id)) {
        cards.set(table.id, new TableCard(table));
        (table.by_document ? room : $("#games")).append(cards.get(table.id).node);
      }
      cards.get(table.id).update(table);
    }
    $("#open-games").hidden = !tables.some((table) => !table.by_document);
    if (!tables.length) refill(room, h("li.sorry", {}, "No table is open yet. An operator opens one in ", h("a", { href: "/house" }, "the house"), ", or with ", h("code", {}, "croupier table open md-uth --as operator:NAME"), "."));
    say($("#lobby-state"), "");
  } catch (problem) {
    say($("#lobby-state"), `${problem.message} Trying again.`);
  }
}

function words() {
  refill($("#words"), Object.entries(GLOSSARY).map(([word, meaning]) => h("div", {}, h("dt", {}, word), h("dd", {}, meaning))));
}

dress();
fan();
words();
me().then((person) => { demo = person.demo; }, () => {}).then(refresh);
setInterval(() => document.hidden || refresh(), 3000);
