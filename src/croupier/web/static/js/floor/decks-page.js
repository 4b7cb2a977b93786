// The deck board: where every deck stands, how old it may get, who did what with it, and what is next.

import { note, plain } from "../shared/announce.js";
import { commands, get, isOwnChange, me, work } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { devices, STAGES } from "./devices.js";
import { $, h, refill, say } from "../shared/dom.js";
import { mayLook } from "../shared/site.js";
import { Giving, stepDuties } from "../shared/giving.js";
import { asks, help, kbd, listen, shortcut } from "../shared/keys.js";
import { inWords } from "../shared/layout.js";
import { Live } from "../shared/live.js";
import { oneAtATime } from "../shared/one-at-a-time.js";
import { clockTime, lasting, tick, waited } from "../shared/waiting.js";

const table = document.body.dataset.table ?? "";
const base = `/tables/${encodeURIComponent(table)}`;
/** The commands of care, in the order of a deck's life. */
const CARE = [
  "receive_deck",
  "handle_deck",
  "load_deck",
  "shuffle_deck",
  "cut_deck",
  "order_shuffle",
  "order_recut",
  "count_stub",
  "lay_out",
  "remove_deck",
  "report_malfunction",
  "mark_out_of_order",
  "repair_device",
  "change_dealing",
];
const PLACES = { table: "on the table", machine: "in the shuffler", rack: "in the discard rack" };
const STEPS = {
  receive: "Receive",
  inspect: "Inspect",
  verify: "Verify",
  spread: "Spread",
  view: "A player looks",
  turn: "Turn",
  wash: "Wash",
  stack: "Stack",
  shuffle: "Shuffle",
  cut: "Cut",
};

class DeckBoard {
  /** @type {any} */ work = null;
  /** @type {any} */ board = null;
  /** @type {any} */ row = null;
  /** @type {any} */ all = null;
  refresh = oneAtATime(() => this.#ask());

  constructor() {
    this.giving = new Giving(
      table,
      () => this.work?.version ?? 0,
      () => this.refresh(),
    );
  }

  async #ask() {
    try {
      [this.work, this.board, this.row, this.all] = await Promise.all([
        work(table),
        get(`${base}/decks`),
        get(`${base}/floor`),
        commands(),
      ]);
      this.giving.may = this.work.commands;
      this.draw();
      say($("#state"), "");
    } catch (problem) {
      say($("#state"), `${problem.message} Trying again.`);
    }
  }

  draw() {
    const { board } = this;
    $("#kept").hidden = !board.kept;
    $("#not-kept").hidden = board.kept;
    if (!board.kept) return;
    asks(this.steps[0] ? key(this.steps[0]) : "", isOwnChange(this.work.version));
    refill($("#next"), this.#next());
    refill(
      $("#deck-list"),
      board.decks.map((deck) => this.#deck(deck)),
      board.decks.length ? null : h("p.fine", {}, "No deck is at the table."),
    );
    refill($("#stub"), this.#stub());
    refill($("#devices"), devices(board, this.giving));
    refill($("#care"), this.#care());
    refill(
      $("#told"),
      board.told.map((sentence) =>
        h(
          "li",
          {},
          h("time", { datetime: sentence.at }, clockTime(sentence.at)),
          h("span", {}, plain(sentence.words)),
          h("small.fine", {}, `${sentence.by}, entry ${sentence.entry}`),
        ),
      ),
    );
  }

  get steps() {
    return this.work.steps.filter((step) => step.command.type && CARE.includes(step.command.type));
  }

  #next() {
    const since = new Map(this.row.waits.map((wait) => [key(wait), wait.since]));
    if (!this.steps.length) return h("p.fine", {}, "The decks need nothing now.");
    return this.steps.map((step, n) =>
      h(
        n ? "section.card-box" : "section.card-box.urgent",
        { "aria-label": step.label, data: { step: step.step, mine: String(step.mine) } },
        h("header", {}, h("h3", {}, step.label), since.has(key(step)) ? waited(since.get(key(step))) : null),
        h("p", {}, step.words, " ", h("span.clause-id", {}, step.clause)),
        stepDuties(step.duties),
        step.mine
          ? h(
              "div.doors",
              {},
              h(
                `button.${n ? "plain" : "gold"}`,
                {
                  type: "button",
                  data: { name: `step-${step.step}-${step.back}${step.device}` },
                  "aria-keyshortcuts": n ? null : shortcut("n"),
                  onclick: () => this.do(step),
                },
                n ? null : kbd("n"),
                step.asks.length ? `${step.label}…` : step.label,
              ),
            )
          : h("p.fine", {}, `Waits for a ${step.by.filter((role) => role !== "operator").join(" or a ")}.`),
      ),
    );
  }

  do(step) {
    return this.giving.step(step, { picks: this.picks(step.command.type) });
  }

  /** Lists to choose from where the table knows what there is. */
  picks(type) {
    const { board } = this;
    const backs = board.decks.map((deck) => [deck.back, inWords(`${deck.back} deck`)]);
    const players = Object.values(this.row.players).map((name) => [name, name]);
    const groups = {};
    if (type !== "receive_deck" && backs.length) groups.back = backs;
    if (players.length) groups.player = players;
    if (type === "change_dealing")
      groups.method = board.ways
        .filter((way) => way.usable && way.name !== board.way)
        .map((way) => [way.name, way.title]);
    if (board.devices.length) groups.device = board.devices.map((device) => [device.device, inWords(device.device)]);
    return groups;
  }

  #deck(deck) {
    return h(
      "section.card-box.deck",
      { "aria-label": `The ${deck.back} deck`, data: { deck: deck.back, stage: deck.stage } },
      h(
        "header",
        {},
        h("span.deck-back", {
          "aria-hidden": "true",
          vars: { "--back": CSS.supports("color", deck.back) ? deck.back : "var(--soft)" },
        }),
        h("h3", {}, inWords(`${deck.back} deck`)),
        h("span.stage", {}, STAGES[deck.stage]),
        h("small", {}, PLACES[deck.place], deck.is_next && deck.stage !== "in_play" ? ", next to be dealt" : ""),
      ),
      age(deck),
      h(
        "dl.facts",
        {},
        fact("Inspected", deck.prepared ? "before it came" : deck.inspected_by || "not yet"),
        fact("Verified", deck.prepared ? "before it came" : deck.verified_by || "not yet"),
        deck.condemned_by ? fact("Removed by", deck.condemned_by) : null,
      ),
      h(
        "ol.checklist",
        { "aria-label": `Steps of the ${deck.back} deck` },
        deck.steps.map((step) =>
          h(
            "li",
            { data: { state: step.state, step: step.step } },
            h("span.tick", { "aria-hidden": "true" }, step.state === "done" ? "✓" : step.state === "next" ? "→" : "·"),
            h(
              "span",
              {},
              h("b", {}, STEPS[step.step] ?? step.step),
              " ",
              h("span.clause-id", {}, step.clause),
              step.state === "next" ? h("small", {}, step.words) : null,
              step.by
                ? h(
                    "small.fine",
                    {},
                    `${step.by}, ${clockTime(step.at)}, entry ${step.entry}${step.player ? `; ${step.player} looked` : ""}`,
                  )
                : null,
            ),
            h("span.unseen", {}, { done: "done", next: "next", later: "later" }[step.state]),
          ),
        ),
      ),
    );
  }

  #stub() {
    const { stub } = this.board;
    if (!stub) return h("p.fine", {}, "With this way of dealing no stub is counted.");
    const due = stub.by_machine
      ? "The shuffler counts every deck."
      : stub.counted
        ? "Counted in this round."
        : stub.left
          ? `Due within ${stub.left + 1} rounds.`
          : "Due in this round, before anybody is settled.";
    return [
      h("p", { data: { due: String(!stub.left && !stub.counted && !stub.by_machine) } }, h("b", {}, due)),
      h("p.fine", {}, `At least once every ${stub.every} rounds. ${stub.words} `, h("span.clause-id", {}, stub.clause)),
    ];
  }

  /** All commands of care that this role may give, whether one is due or not. */
  #care() {
    const may = CARE.filter((type) => this.giving.can(type));
    if (!may.length) return h("p.fine", {}, "You may look at everything here and change nothing.");
    return h(
      "div.doors",
      {},
      may.map((type) =>
        h(
          "button.plain.small",
          {
            type: "button",
            data: { name: `care-${type}` },
            onclick: () => this.giving.open(type, { picks: this.picks(type), given: {} }),
          },
          `${this.all[type].label}…`,
        ),
      ),
    );
  }

  keys() {
    return [
      { keys: ["n"], words: "Do the next step", when: () => this.steps[0]?.mine, run: () => this.do(this.steps[0]) },
      { keys: ["b"], words: "To the decks", run: () => $("#decks-title").focus() },
      { keys: ["?"], words: "List of keys", run: () => help(() => this.keys()) },
    ];
  }
}

/** How much of the allowed hours is used up: the bar turns before they are over. */
function age(deck) {
  if (deck.life === null) return h("p.fine", {}, `At the table for ${lasting(deck.age)}. The document sets no hours.`);
  const part = Math.min(1, deck.age / deck.life);
  const state = deck.age >= deck.life ? "over" : part > 0.85 ? "soon" : "fine";
  const hours = deck.life / 3600;
  return h(
    "div.age",
    { data: { age: state } },
    h(
      "div.age-bar",
      {
        role: "meter",
        "aria-label": `Age of the ${deck.back} deck`,
        "aria-valuemin": 0,
        "aria-valuemax": deck.life,
        "aria-valuenow": Math.min(deck.age, deck.life),
        "aria-valuetext": `${lasting(deck.age)} of ${hours} hours`,
      },
      h("div.age-part", { vars: { "--part": `${part * 100}%` } }),
    ),
    h("span", {}, `${lasting(deck.age)} of ${hours} h`),
    h("span.clause-id", {}, deck.life_clause),
    state === "over"
      ? h("b.bad", {}, "Its hours are over: change it.")
      : state === "soon"
        ? h("b", {}, `Change it within ${lasting(deck.life - deck.age)}.`)
        : null,
  );
}

const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
const key = (step) => [step.step, step.seat, step.back, step.device].join(" ");

async function start() {
  await dress();
  const person = await me().catch(() => null);
  const staff = mayLook(person?.role);
  $("#board").hidden = !staff;
  $("#not-staff").hidden = Boolean(staff);
  if (!staff) return;
  const page = new DeckBoard();
  tick();
  listen(() => page.keys());
  $("#console").href = person.role === "dealer" ? `${base}/deal` : `/floor/${encodeURIComponent(table)}`;
  $("#console").setAttribute("aria-label", person.role === "dealer" ? "To the console" : "To the table");
  say($("#console .word"), person.role === "dealer" ? "To the console" : "To the table");
  try {
    await page.refresh();
  } catch (problem) {
    note(problem.message, { bad: true });
  }
  new Live(
    table,
    () => page.refresh(),
    () => {},
  );
  setInterval(() => document.hidden || page.refresh(), 30000);
}

start();
