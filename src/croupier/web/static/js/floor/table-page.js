// One table for the floor: what waits, the seats, what went wrong, decks and devices, chips, disputes.

import { announce, note } from "../shared/announce.js";
import { get, me, work } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { claimCard, hand } from "./claim-card.js";
import { devices, STAGES } from "./devices.js";
import { Dispute } from "./dispute.js";
import { $, h, refill, say } from "../shared/dom.js";
import { mayLook } from "../shared/site.js";
import { Giving, reopen, stepDuties } from "../shared/giving.js";
import { help, listen } from "../shared/keys.js";
import { actionTitle, inWords, roundState, titleOf } from "../shared/layout.js";
import { Live } from "../shared/live.js";
import { cents, meter, inDollars } from "../shared/money.js";
import { moneyDesk } from "./money-desk.js";
import { oneAtATime } from "../shared/one-at-a-time.js";
import { tick, waited } from "../shared/waiting.js";

const table = document.body.dataset.table ?? "";
const base = `/tables/${encodeURIComponent(table)}`;

class FloorTable {
  /** @type {any} */ view = null;
  /** @type {any} */ work = null;
  /** @type {any} */ row = null;
  /** @type {any} */ slips = null;
  refresh = oneAtATime(() => this.#ask());

  constructor(rules) {
    this.rules = rules;
    this.giving = new Giving(
      table,
      () => this.work?.version ?? 0,
      () => this.refresh(),
    );
    this.dispute = new Dispute(table, rules, this.giving);
    $("#dispute").append(this.dispute.node);
  }

  hear(frame) {
    this.view = frame.view;
    this.refresh();
  }

  /** What waits may change with time alone, so it is asked for again now and then. */
  async #ask() {
    try {
      [this.work, this.row, this.slips] = await Promise.all([work(table), get(`${base}/floor`), get(`${base}/slips`)]);
      this.decks = this.row.keeps_decks ? await get(`${base}/decks`) : null;
      this.view ??= await get(base);
      this.giving.may = this.work.commands;
      this.draw();
    } catch (problem) {
      note(problem.message, { bad: true });
    }
  }

  draw() {
    refill($("#head"), this.#head());
    refill($("#waits"), this.#waits());
    refill($("#dispute-duties"), stepDuties(this.row.duties.correct ?? []));
    refill($("#seats"), this.#seats());
    refill($("#wrong"), this.#wrong());
    refill($("#decks"), this.#decks());
    refill($("#chips"), moneyDesk(this.row, this.slips.slips, this.giving));
  }

  #head() {
    const { row } = this;
    const assign = (role, name) =>
      this.giving.can("assign")
        ? h(
            "button.plain.small",
            { type: "button", data: { name: `assign-${role}` }, onclick: () => this.#assign(role) },
            name ? "Change…" : "Assign…",
          )
        : null;
    return h(
      "dl.facts.strip",
      {},
      fact(
        "State",
        row.is_open
          ? roundState(row.round, row.phase, row.void)
          : [
              "Closed ",
              this.giving.can("open_table")
                ? h(
                    "button.plain.small",
                    { type: "button", data: { name: "reopen" }, onclick: () => reopen(table, () => this.refresh()) },
                    "Reopen…",
                  )
                : null,
            ],
      ),
      fact("Dealer", [row.dealer || "Unassigned", " ", assign("dealer", row.dealer)]),
      fact("Floorperson", [row.floorperson || "Unassigned", " ", assign("floorperson", row.floorperson)]),
      fact("Pace", row.pace === null ? "–" : `${row.pace} rounds an hour`),
      Object.keys(row.meters).length
        ? fact(
            "Meters",
            Object.entries(row.meters)
              .map(([name, sum]) => `${name} ${meter(cents(sum))}`)
              .join(" · "),
          )
        : null,
      fact("Journal", `entry ${row.version}`),
    );
  }

  /** Nobody deals two live tables unless it is said here. */
  #assign(role) {
    const asks = role === "dealer" && this.row.source === "live" ? ["name", "also"] : ["name"];
    return this.giving.open("assign", {
      given: { role, name: this.work.staff[role] },
      asks,
      label: `Assign a ${role}`,
    });
  }

  #waits() {
    const { row, giving } = this;
    const since = new Map(row.waits.map((wait) => [key(wait), wait]));
    const mine = this.work.steps.filter(
      (step) => step.mine && !["validate", "answer_call", "count_chips"].includes(step.step),
    );
    const others = this.work.steps.filter((step) => !step.mine);
    const calls = row.calls.map((call) =>
      h(
        "section.card-box.urgent",
        { "aria-label": `Call ${call.number}`, data: { call: call.number } },
        h("header", {}, h("h3", {}, call.reason), waited(call.since)),
        h("p", {}, `Called by ${call.name}, ${call.role}.`),
        giving.can("answer_call")
          ? h(
              "div.doors",
              {},
              h(
                "button.gold",
                {
                  type: "button",
                  data: { name: `answer-${call.number}` },
                  onclick: () => giving.open("answer_call", { given: { number: call.number } }),
                },
                "Answer the call…",
              ),
            )
          : null,
      ),
    );
    return [
      row.claim ? claimCard(row, this.view, giving) : null,
      calls,
      mine.map((step, n) => this.#step(step, since.get(key(step)), n)),
      this.#count(),
      row.claim || calls.length || mine.length ? null : h("p.fine", {}, "Nothing waits for you here."),
      others.length
        ? h(
            "ul.next",
            { "aria-label": "Others do next" },
            others
              .slice(0, 4)
              .map((entry) =>
                h(
                  "li",
                  {},
                  h("b", {}, entry.label),
                  h("small", {}, ` ${entry.by.filter((role) => role !== "operator").join(" or ")}: ${entry.words}`),
                ),
              ),
          )
        : null,
    ];
  }

  /** 8.C(3): chips and lights that differ are decided here before anything is dealt (MD-57). */
  #count() {
    const step = this.work.steps.find((step) => step.step === "count_chips");
    if (!step || !this.giving.can("decide_chip_count")) return null;
    const seats = this.#lit();
    return h(
      "section.card-box",
      { "aria-label": "The progressive's chips", data: { step: "decide_chip_count" } },
      h("h3", {}, "The progressive's chips"),
      h(
        "p",
        {},
        step.words,
        " If the count differs, nothing is dealt until you decide: a chip without a light is returned, and so is a wager without its chip. ",
        h("span.clause-id", {}, step.clause),
      ),
      h(
        "div.doors",
        {},
        this.giving.button("decide_chip_count", "The count differs…", {
          picks: { seats },
          given: step.command.chips && step.mine ? { chips: step.command.chips } : {},
          asks: ["chips", "seats", "reason"],
          meant: { round: this.work.round },
        }),
        step.mine
          ? h(
              "button.plain",
              {
                type: "button",
                data: { name: "recount-chips" },
                onclick: () => this.giving.now("recount_chips", {}, "Recount"),
              },
              "Order a recount",
            )
          : null,
      ),
    );
  }

  /** The seats with their lights, to pick from. */
  #lit() {
    return this.view.round.seats.map((seat) => [
      seat.number,
      `Seat ${seat.number}: ${seat.player}, light ${this.row.lights.includes(seat.number) ? "on" : "off"}`,
    ]);
  }

  #step(step, waiting, n) {
    const isOver = step.command.type === "decline"; // a proposal of a round that is over
    return h(
      "section.card-box",
      { "aria-label": step.label, data: { step: step.step } },
      h(
        "header",
        {},
        h("h3", {}, `${step.label}${step.back ? `: ${step.back} deck` : step.device ? `: ${step.device}` : ""}`),
        waiting ? waited(waiting.since) : null,
      ),
      h("p", {}, step.words, " ", h("span.clause-id", {}, step.clause)),
      stepDuties(step.duties),
      h(
        "div.doors",
        {},
        h(
          n ? "button.plain" : "button.gold",
          {
            type: "button",
            data: { name: `step-${step.step}-${step.back}${step.device}` },
            onclick: () => this.giving.step(step, this.#picks(step)),
          },
          step.asks.length || step.step === "confirm" ? `${step.label}…` : step.label,
        ),
        step.step === "confirm" && !isOver
          ? this.giving.button("decline", "Decline…", {
              given: { number: step.command.number },
              name: `decline-${step.command.number}`,
            })
          : null,
      ),
    );
  }

  #picks(step) {
    const picks = {};
    if (step.choices?.length && step.asks.includes("method"))
      picks.method = (this.decks?.ways ?? [])
        .filter((way) => way.usable && way.name !== this.decks.way)
        .map((way) => [way.name, way.title]);
    if (step.asks.includes("player")) picks.player = Object.values(this.row.players).map((name) => [name, name]);
    return { picks };
  }

  #seats() {
    const { round } = this.view;
    const playing = round.phase !== "over";
    const seated = this.view.seats.filter((seat) => seat.player);
    const gone = playing ? round.seats.filter((held) => !seated.some((seat) => seat.number === held.number)) : [];
    const seats = [...seated, ...gone.map((held) => ({ number: held.number, player: held.player, rack: "0.00" }))].sort(
      (a, b) => a.number - b.number,
    );
    if (!seats.length) return h("p.fine", {}, "Nobody is seated.");
    return [
      playing ? h("div.evidence", {}, hand("Board", round.community), hand("Dealer", round.dealer)) : null,
      h(
        "ul.seat-list",
        {},
        seats.map((seat) => this.#seat(seat, playing ? round.seats.filter((hand) => hand.number === seat.number) : [])),
      ),
    ];
  }

  #seat(seat, [held]) {
    const bets = held
      ? Object.entries(held.wagers)
          .map(([name, sum]) => `${titleOf(this.rules, name)} ${inDollars(sum)}`)
          .join(", ")
      : "";
    const state = held?.left ? "left the round" : held?.folded ? "folded" : actionTitle(held?.actions.at(-1) ?? "");
    const may = this.view.floor_actions.includes("rule_abandoned") && held?.left && this.giving.can("rule_abandoned");
    return h(
      "li.seat-line",
      { data: { seat: seat.number } },
      h("b", {}, `${seat.number} ${seat.player}`),
      h("span", {}, `${inDollars(seat.rack)} in chips`),
      h("span", {}, bets || "no bet"),
      h("span", {}, state),
      this.row.lights.includes(seat.number) ? h("span.light", {}, "progressive accepted") : null,
      held?.cards.length ? h("span.hand-cards", {}, hand("", held.cards)?.lastChild) : null,
      may
        ? h(
            "button.plain.small",
            {
              type: "button",
              data: { name: `abandoned-${seat.number}` },
              onclick: () =>
                this.giving.open("rule_abandoned", {
                  given: { seat: seat.number },
                  duties: this.row.duties.rule_abandoned,
                  meant: { round: this.view.round.number },
                  label: `Forfeit the wagers of seat ${seat.number}`,
                }),
            },
            "Forfeit abandoned wagers…",
          )
        : null,
    );
  }

  #wrong() {
    const { giving } = this;
    const irregularities = this.work.irregularities;
    const may = giving.can("report");
    return [
      h(
        "p.fine",
        {},
        irregularities.length
          ? "Only what is possible now. The consequence is shown before you confirm."
          : "No irregularity in the document is possible now.",
      ),
      may
        ? h(
            "ul.accidents",
            {},
            irregularities.map((irregularity) =>
              h(
                "li",
                {},
                h(
                  "button.accident",
                  {
                    type: "button",
                    data: { name: `report-${irregularity.kind}` },
                    onclick: () => this.#report(irregularity),
                  },
                  h("span", {}, irregularity.label),
                  h("span.clause-id", {}, irregularity.clause),
                ),
              ),
            ),
          )
        : null,
      h(
        "div.doors",
        {},
        this.view.floor_actions.includes("void_round")
          ? giving.button("void_round", "Void the round…", { asks: ["reason"], meant: { round: this.work.round } })
          : null,
      ),
    ];
  }

  #report(irregularity) {
    const seats = this.view.round.seats.map((seat) => [seat.number, `Seat ${seat.number}: ${seat.player}`]);
    const asks = [...irregularity.asks.map((name) => (name === "card" ? "cards" : name)), "note"];
    return this.giving.open("report", {
      given: { kind: irregularity.kind },
      asks,
      picks: asks.includes("seat") ? { seat: seats } : {},
      needs: ["seat"],
      duties: [{ clause: irregularity.clause, words: irregularity.words }, ...irregularity.duties],
      meant: { round: this.work.round },
      label: irregularity.label,
    });
  }

  #decks() {
    const { decks, giving } = this;
    if (!decks)
      return h(
        "p.fine",
        {},
        this.row.source === "virtual"
          ? "The cards of this table are virtual: the software shuffles and seals every deck."
          : "The software does not track the decks of this table.",
      );
    const backs = decks.decks.map((deck) => [deck.back, `the ${deck.back} deck`]);
    const shuffled = decks.decks.some((deck) => deck.stage === "ready" || deck.stage === "shuffled");
    const cut = decks.decks.some(
      (deck) => deck.stage === "ready" && deck.steps.some((step) => step.step === "cut" && step.state === "done"),
    );
    const order = (type, words, can) =>
      can
        ? giving.button(type, words, {
            asks: ["reason", "back"],
            picks: { back: backs },
            duties: this.row.duties[type],
          })
        : null;
    return [
      h(
        "ul.next",
        {},
        decks.decks.map((deck) =>
          h("li", {}, h("b", {}, inWords(`${deck.back} deck`)), h("small", {}, ` ${STAGES[deck.stage]}`)),
        ),
      ),
      h(
        "div.doors",
        {},
        h("a.plain.small", { href: `${base}/decks` }, "The deck board"),
        order("order_shuffle", "Order a shuffle…", shuffled),
        order("order_recut", "Order another cut…", cut),
      ),
      devices(decks, giving),
    ];
  }

  keys() {
    return [
      { keys: ["w"], words: "To what waits", run: () => $("#waits-title").focus() },
      { keys: ["i"], words: "Something went wrong", run: () => $("#wrong-title").focus() },
      { keys: ["d"], words: "A dispute: find a round", run: () => this.dispute.number.focus() },
      { keys: ["m"], words: "Everything you may do here", run: () => this.more() },
      {
        keys: ["arrowright"],
        words: "The replay: a step on",
        when: () => this.dispute.replay,
        run: () => this.dispute.replay.step(1),
      },
      {
        keys: ["arrowleft"],
        words: "The replay: a step back",
        when: () => this.dispute.replay,
        run: () => this.dispute.replay.step(-1),
      },
      { keys: ["?"], words: "List of keys", run: () => help(() => this.keys()) },
    ];
  }

  more() {
    const seats = this.view.seats
      .filter((seat) => seat.player)
      .map((seat) => [seat.number, `Seat ${seat.number}: ${seat.player}`]);
    this.giving.more(seats.length ? { seat: seats } : {}, this.row.duties);
  }
}

const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
const key = (step) => [step.step, step.seat, step.back, step.device].join(" ");

async function start() {
  await dress();
  const person = await me().catch(() => null);
  const staff = mayLook(person?.role);
  $("#floor").hidden = !staff;
  $("#not-staff").hidden = Boolean(staff);
  if (!staff) return;
  const page = new FloorTable(await get(`${base}/rules`));
  tick();
  listen(() => page.keys());
  $("#more").addEventListener("click", () => page.more());
  await page.refresh();
  new Live(
    table,
    (frame) => page.hear(frame),
    (state) => {
      say($("#floor-state"), state === "lost" ? "The connection is lost. Trying again." : "");
      if (state === "lost") announce("The connection is lost.");
    },
  );
  setInterval(() => document.hidden || page.refresh(), 15000);
}

start();
