// The table's past: a list of rounds, and any of them again on the same felt, step by step.

import { announce, plain } from "./announce.js";
import { get, getPatiently } from "./api.js";
import { dress } from "./chrome.js";
import { $, h, refill, say } from "./dom.js";
import { Felt } from "./felt.js";
import { clauseButton, tip } from "./hints.js";
import { listen } from "./keys.js";
import { Live } from "./live.js";
import { cents, signed } from "./money.js";
import { Place } from "./place.js";
import { resultPanel, reviewed } from "./result.js";

const table = document.body.dataset.table;
const base = `/tables/${encodeURIComponent(table)}`;
const time = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

class Replay {
  #timer = 0;

  constructor(rules, told) {
    Object.assign(this, { rules, told });
    this.felt = new Felt(rules);
    this.place = new Place(rules, { keys: {}, onSpot: () => {} });
    this.felt.place.append(this.place.node);
    this.words = h("p.step-words", { role: "status" });
    this.range = h("input", { type: "range", min: 0, max: told.views.length - 1, value: 0, "aria-label": "Step of the round", oninput: () => this.go(Number(this.range.value)) });
    this.play = h("button.gold", { type: "button", onclick: () => this.toggle() }, "Play");
    this.node = h("section.replay", { "aria-label": `Round ${told.number}` }, this.felt.node,
      h("div.replay-bar", {},
        h("button.plain", { type: "button", "aria-label": "One step back", onclick: () => this.step(-1) }, "←"), this.play,
        h("button.plain", { type: "button", "aria-label": "One step on", onclick: () => this.step(1) }, "→"),
        this.range, this.words));
    this.seat = this.#mine();
    this.at = 0;
  }

  /** My seat, if I played; otherwise the first one that did. */
  #mine() {
    const last = this.told.views.at(-1);
    const own = last.round.seats.find((seat) => seat.player === last.me?.player);
    return (own ?? last.round.seats[0])?.number ?? 0;
  }

  step(way) {
    this.stop();
    this.go(this.at + way);
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.told.views.length - 1, at));
    const view = this.told.views[this.at];
    const held = view.round.seats.find((seat) => seat.number === this.seat);
    const over = view.round.phase === "over";
    const stakes = held && !over ? Object.fromEntries(Object.entries(held.wagers).map(([k, v]) => [k, cents(v)])) : {};
    // The place in front shows the seat that is followed, whoever's it was.
    const shown = { ...view, me: { player: held?.player ?? "", rack: "0.00", seats: [] } };
    this.felt.update(view, { mine: this.seat, cardsInto: this.place.cards });
    this.place.update(shown, this.seat, { stakes, isEnabled: () => false });
    const heading = held ? `Seat ${this.seat}: ${held.player}` : `Seat ${this.seat}`;
    say(this.place.title, heading);
    this.place.aside.replaceChildren(...(held?.lines.length ? [resultPanel(this.rules, view.round, held)] : []));
    this.range.value = this.at;
    const moment = this.told.told[this.at];
    const words = plain(moment.words[0]); // the lines of a settlement stand in the panel
    this.range.setAttribute("aria-valuetext", words);
    const clause = moment.words.join(" ").match(/\[([^\]]+)\]/)?.[1];
    refill(this.words, `${words} `, clauseButton(clause, this.rules));
    announce(words);
    for (const line of document.querySelectorAll(".told-list li")) line.toggleAttribute("aria-current", Number(line.dataset.at) === this.at);
  }

  toggle() {
    if (this.#timer) return this.stop();
    if (this.at === this.told.views.length - 1) this.go(0);
    this.play.textContent = "Pause";
    this.#timer = setInterval(() => {
      if (this.at === this.told.views.length - 1) this.stop();
      else this.go(this.at + 1);
    }, 1500);
    return undefined;
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.play.textContent = "Play";
  }
}

class HistoryPage {
  replay = null;
  #newest = 0;
  #asking = false;

  constructor(rules) {
    this.rules = rules;
    addEventListener("hashchange", () => this.open());
    listen(() => [
      { keys: ["arrowright"], words: "A step on", run: () => this.replay?.step(1) },
      { keys: ["arrowleft"], words: "A step back", run: () => this.replay?.step(-1) },
      { keys: [" "], words: "Play or pause", run: () => this.replay?.toggle() },
    ]);
  }

  async list(before = null) {
    const found = await get(`${base}/rounds?limit=20${before ? `&before=${before}` : ""}`);
    const room = $("#rounds");
    if (!before) room.replaceChildren();
    if (!found.rounds.length && !before) {
      refill(room, h("li.sorry", {}, "No round has been finished here yet. ", h("a", { href: `${base}#sit` }, "Sit down and play the first.")));
    }
    for (const round of found.rounds) room.append(entry(round));
    this.#newest = Math.max(this.#newest, found.rounds[0]?.number ?? 0);
    const more = $("#more");
    more.hidden = !found.before;
    more.onclick = () => this.list(found.before);
    return found.rounds;
  }

  /** A round that ends while the page is open joins the list; the one being watched stays. */
  hear({ view: { round } }) {
    const over = round.phase === "over";
    const last = over ? round.number : round.number - 1;
    say($("#now"), over || round.phase === "betting" ? "" : `Round ${round.number} is being played. It appears here when it is over.`);
    if (last > this.#newest) this.#fetch(last);
  }

  async #fetch(last) {
    if (this.#asking) return;
    this.#asking = true;
    try {
      const { rounds } = await get(`${base}/rounds?limit=20`);
      const fresh = rounds.filter((round) => round.number > this.#newest);
      if (!this.#newest && fresh.length) $("#rounds").replaceChildren();
      $("#rounds").prepend(...fresh.map((round) => entry(round, true)));
      this.#newest = Math.max(this.#newest, ...fresh.map((round) => round.number));
      if (fresh.length) announce(`Round ${this.#newest} is over and in the list.`);
      if (fresh.length && !this.replay) location.replace(`#${this.#newest}`);
    } catch {
      // The next frame asks again.
    } finally {
      this.#asking = false;
    }
    if (last > this.#newest) setTimeout(() => this.#fetch(last), 1000);
  }

  async open() {
    const number = Number(location.hash.slice(1));
    if (!number) return;
    this.replay?.stop();
    for (const link of document.querySelectorAll("#rounds a")) link.toggleAttribute("aria-current", link.hash === `#${number}`);
    try {
      const told = await get(`${base}/rounds/${number}`);
      this.replay = new Replay(this.rules, told);
      const list = h("ol.told-list", {}, told.told.map((moment, n) => h("li", { data: { at: n } }, h("button.link-plain", { type: "button", onclick: () => this.replay.step(n - this.replay.at) }, moment.words.map(plain).join(" ")))));
      const review = h("div.review-room");
      refill($("#replay"), h("h2", {}, `Round ${number}`), this.replay.node, review,
        h("details", {}, h("summary", {}, "Step by step in words"), list),
        h("details", {}, h("summary", {}, "The deck and its seal"), seal(told)));
      this.replay.go(0);
      this.#review(number, review);
    } catch (problem) {
      refill($("#replay"), h("p.sorry", {}, problem.message));
    }
  }

  async #review(number, room) {
    const held = this.replay.told.views.at(-1);
    if (!held.round.seats.some((seat) => seat.player === held.me?.player)) return;
    refill(room, h("p", { role: "status" }, "Working out how well you played…"));
    try {
      refill(room, h("h3", {}, "How well you played"), reviewed(await getPatiently(`${base}/rounds/${number}/review`)));
    } catch (problem) {
      refill(room, h("p", {}, problem.message));
    }
  }
}

function seal(told) {
  return h("div.seal-told", {},
    h("p", {}, "Before the first bet the deck was ", tip("Sealed", "sealed"), ": everybody was given this fingerprint of its order."),
    h("dl.facts", {}, [["Fingerprint", told.commitment], ["Salt", told.salt], ["Order", told.order.join(" ")]].map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd.code", {}, value || "opened when the round is over")))));
}

function entry(round, isNew = false) {
  const net = round.net_of_me === null ? "" : signed(cents(round.net_of_me));
  const hands = [...new Set(round.hands)].slice(0, 3).map((hand) => hand.replaceAll("_", " ")).join(", ");
  return h(isNew ? "li.new" : "li", {}, h("a", { href: `#${round.number}` },
    h("b", {}, `Round ${round.number}`),
    h("span", {}, round.void ? "void" : hands || "no hand shown"),
    h("time", { datetime: round.ended }, round.ended ? time.format(new Date(round.ended)) : ""),
    h("span.net", { data: { sign: net.startsWith("+") ? "plus" : net.startsWith("−") ? "minus" : "" } }, net)));
}

async function start() {
  dress();
  try {
    const page = new HistoryPage(await get(`${base}/rules`));
    const rounds = await page.list();
    if (location.hash.slice(1)) await page.open();
    else if (rounds.length) location.replace(`#${rounds[0].number}`);
    new Live(table, (frame) => page.hear(frame), () => {});
  } catch (problem) {
    refill($("#rounds"), h("li.sorry", {}, `${problem.message} `, h("a", { href: "/" }, "Back to the lobby")));
  }
}

start();
