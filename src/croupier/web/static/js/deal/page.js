// The dealer's console: the next step, done with one key, and the table from the dealer's side.

import { announce, note, plain } from "../shared/announce.js";
import { command, commands, get, isOwnChange, me, work as askWork } from "../shared/api.js";
import { Assessed } from "./assessed.js";
import { CardEntry } from "./card-entry.js";
import { dress } from "../shared/chrome.js";
import { openCommand } from "../shared/command-form.js";
import { $, h, refill, say } from "../shared/dom.js";
import { openRules } from "../shared/drawer.js";
import { Felt } from "../felt/felt.js";
import { KeyQueue } from "./key-queue.js";
import { answersTo, asks, help, isResting, offer } from "../shared/keys.js";
import { Live } from "../shared/live.js";
import { payoutList, payWords } from "./payouts.js";
import { openReport } from "./report-box.js";
import { openSeat } from "./seat-box.js";
import { drawSeats, drawTools, drawWaiting, notHere } from "./lists.js";
import { shortcutsOf } from "./shortcuts.js";
import { cardsToEnter, dealersView, handAfter, handToPay, idleWords, isPaying } from "./standing.js";
import { StepPanel, seatQuestion } from "./step-panel.js";
import { openTakeBack } from "./taking-back.js";

const WIRE = { joined: "Live", lost: "Connection lost. Reconnecting…", gone: "This table has closed" };
const PATIENCE = 2000;

class DealPage {
  /** @type {any} */ view = null;
  /** @type {any} */ work = null;
  entered = { round: 0, cards: new Set(), seats: new Set() };
  /** @type {any} */ paid = null;
  /** @type {any} */ error = null; // the last refusal, until it is over
  retyping = 0; // the seat whose cards are typed again
  choice = 0;
  #telling = false;
  /** @type {any} */ #looking = null;
  #again = false;
  #offline = false; // the last look did not reach the server

  constructor(table, rules, descriptions, person) {
    this.table = table;
    this.rules = rules;
    this.descriptions = descriptions;
    this.person = person;
    this.entry = new CardEntry({
      deck: rules.deck,
      onFull: (cards) => this.enter(cards),
      onDraw: () => this.#atSeat(),
      onRefused: (words) => this.refused(words),
    });
    this.panel = new StepPanel({
      entry: this.entry,
      rules,
      onDo: (step) => this.doStep(step),
      onAnswer: (step, action) => this.answer(step, action),
      onDone: () => this.look(),
    });
    this.felt = new Felt(rules);
    this.felt.node.classList.add("dealer-side");
    this.others = h("section.deal-also", { "aria-label": "Also waiting", hidden: true });
    this.seats = h("section.deal-seats", { "aria-label": "Seats" });
    this.payouts = h("section.deal-paying", { "aria-label": "Pay and take", role: "status", hidden: true });
    this.assessed = Assessed.at(this);
    this.tools = h("div.deal-tools", { role: "group", "aria-label": "Any time" });
    $("#deal").replaceChildren(
      h("div.deal-table", {}, this.felt.node),
      h(
        "div.deal-side",
        {},
        h("div.deal-now.scrolls", {}, this.assessed?.node, this.panel.node, this.payouts, this.seats, this.others),
        this.panel.duties,
        this.tools,
      ),
    );
    addEventListener("rested", () => this.render());
    this.queue = new KeyQueue({ isBusy: () => this.busy, handle: (pressed) => this.press(pressed) });
    offer(() => shortcutsOf(this));
    this.live = new Live(
      table,
      (frame) => this.hear(frame),
      (state) => this.wire(state),
    );
    $("#rules").addEventListener("click", () => openRules(rules));
    $("#keys").addEventListener("click", () => help(() => shortcutsOf(this)));
  }

  // -- what comes in --------------------------------------------------------------------------

  wire(state) {
    $("#wire").dataset.state = state;
    say($("#wire"), WIRE[state]);
    if (state === "lost") announce("Connection lost. Reconnecting by itself.");
  }

  hear({ view, happened }) {
    const first = this.view === null;
    this.#take(view);
    if (!first) for (const event of happened) announce(plain(event.words.join(". ")));
    if (this.work?.version !== view.version) this.look();
    else this.render();
  }

  #take(view) {
    if (this.view && view.version < this.view.version) return;
    this.view = view;
    if (this.entered.round !== view.round.number)
      this.entered = { round: view.round.number, cards: new Set(), seats: new Set() };
  }

  /** What waits now. One question at a time; a second one that comes meanwhile is asked after it. */
  async look(version = 0) {
    if (this.#looking) {
      this.#again = true;
      return this.#looking;
    }
    this.#looking = this.#ask(version).finally(() => {
      this.#looking = null;
    });
    await this.#looking;
    if (this.#again) {
      this.#again = false;
      return this.look();
    }
    this.render();
    this.queue.goOn();
  }

  async #ask(version) {
    for (;;) {
      try {
        this.work = await askWork(this.table);
        if (!this.view || this.view.version < this.work.version) this.#take(await get(this.#path("")));
        await this.#lookAtPayouts();
        if (this.#offline) this.forgive();
        this.#offline = false;
        if (this.work.version >= version) return;
      } catch (problem) {
        this.refused(problem.message, problem.clause);
        this.#offline = problem.code === "offline";
        if (!this.#offline) return;
      }
      await new Promise((done) => setTimeout(done, PATIENCE));
    }
  }

  async #lookAtPayouts() {
    const { round } = this.view;
    const isPaid = round.phase === "settling" || round.seats.some((seat) => seat.lines.length || seat.folded);
    if (!isPaid || round.phase === "over") this.paid = null;
    else if (this.paid?.version !== this.view.version) this.paid = await get(this.#path("/payouts"));
  }

  #path(rest) {
    return `/tables/${encodeURIComponent(this.table)}${rest}`;
  }

  refused(words, clause = null) {
    this.queue?.clear();
    this.forgive();
    this.error = note(words, { bad: true, clause, rules: this.rules });
  }

  /** What went wrong is over: it was done, or something else is asked. */
  forgive() {
    this.error?.remove();
    this.error = null;
  }

  // -- what goes out --------------------------------------------------------------------------

  get busy() {
    return this.#telling || this.#looking !== null || !this.work;
  }

  get meant() {
    return { round: this.work.round, seen: this.work.version };
  }

  /** Tell the server; then see what waits. After a refusal, keys typed ahead are dropped. */
  async tell(work) {
    if (this.#telling) return;
    this.#telling = true;
    this.render();
    let version = 0;
    try {
      version = (await work())?.version ?? 0;
      this.forgive();
    } catch (problem) {
      this.entry.clear();
      this.refused(problem.message, problem.clause);
    } finally {
      this.#telling = false;
    }
    await this.look(version);
  }

  doStep(step) {
    if (this.busy || step.asks.length || this.retyping) return; // nobody pays a hand that is being typed again
    const { type, ...fields } = step.command;
    if (type === "confirm")
      this.form(type, { given: fields, looks: true }); // a second person looks first
    else this.tell(() => command(this.table, type, fields, this.meant));
  }

  answer(step, action) {
    if (this.busy) return;
    const { round } = this.view;
    const fields = { seat: step.seat, player: step.command.player, action };
    this.tell(() => command(this.table, "act", fields, { ...this.meant, decision: round.decision }));
  }

  /** The same answer from all who are still to be asked this question. */
  answerForAll(action) {
    if (this.busy) return;
    this.tell(() =>
      command(this.table, "answer_all", { action }, { ...this.meant, decision: this.view.round.decision }),
    );
  }

  /** The hand that is shown was mistyped: until it is paid, it is typed again. */
  retype() {
    this.retyping = this.step.seat;
    this.render();
  }

  #replace(cards) {
    const seat = this.retyping;
    this.retyping = 0;
    for (const card of this.#toPay?.cards ?? []) this.entered.cards.delete(card);
    for (const card of cards) this.entered.cards.add(card);
    this.tell(() => command(this.table, "replace_cards", { place: "player", seat, cards }, this.meant));
  }

  /** A place has all its cards. */
  enter(cards) {
    const { step } = this;
    if (this.retyping) return this.#replace(cards);
    if (isPaying(step)) return this.tell(() => this.#payAndEnter(step, cards));
    if (step?.cards) this.tell(() => this.#enter(step, cards));
  }

  async #enter(step, cards) {
    const { type, ...fields } = step.command;
    for (const card of cards) this.entered.cards.add(card);
    try {
      const done = await command(this.table, type, { ...fields, cards }, this.meant);
      if (step.seat) this.entered.seats.add(step.seat);
      return done;
    } catch (problem) {
      for (const card of cards) this.entered.cards.delete(card);
      throw problem;
    }
  }

  /** The whole next hand was typed: the seat before it is paid, and the hand is entered if its turn has come. */
  async #payAndEnter({ seat, command: { type, ...fields } }, cards) {
    const after = handAfter(this, seat);
    const paid = await command(this.table, type, fields, this.meant);
    this.work = await askWork(this.table);
    const { step } = this;
    if (step?.cards && step.seat === after) return this.#enter(step, cards);
    note(`Another step comes before the cards of seat ${after}: type them again then.`);
    return paid;
  }

  sameBets() {
    if (!this.busy) this.tell(() => command(this.table, "repeat_wagers", {}, this.meant));
  }

  openSeat(number) {
    openSeat(this, number, () => {
      this.look();
      this.panel.focus();
    });
  }

  form(type, options = {}) {
    openCommand(this.descriptions[type], {
      table: this.table,
      meant: this.meant,
      names: this.names,
      onDone: () => this.look(),
      ...options,
    });
  }

  callFloor() {
    if (this.may("call_floor")) this.form("call_floor");
  }

  report(options = {}) {
    openReport(this, () => this.look(), options);
  }

  takeBack() {
    openTakeBack(this);
  }

  may(type) {
    return Boolean(this.descriptions[type] && this.work?.commands.includes(type));
  }

  // -- how it stands --------------------------------------------------------------------------

  get mine() {
    return this.work?.steps.filter((step) => step.mine) ?? [];
  }

  get step() {
    const { mine } = this;
    if (this.assessed) return this.assessed.step(mine);
    return mine[this.choice % Math.max(1, mine.length)] ?? null;
  }

  get names() {
    const players = [...new Set(this.view.seats.map((seat) => seat.player).filter(Boolean))];
    return { player: players };
  }

  /** Bets are entered here only where players have no screens of their own. */
  get betsHere() {
    return this.view.source === "live" && ["over", "betting"].includes(this.view.round.phase);
  }

  render() {
    const { view, work } = this;
    if (!view || !work) return;
    if (this.shownVersion !== work.version) {
      this.shownVersion = work.version;
      this.choice = 0;
    }
    const { step } = this;
    this.#question(step);
    if (!isPaying(step) || step.seat !== this.retyping) this.retyping = 0;
    this.felt.update(dealersView(view, this.paid));
    this.assessed?.update(work);
    this.panel.update(step, this.#idle, {
      table: this.table,
      descriptions: this.descriptions,
      meant: this.meant,
      names: this.names,
      busy: this.busy || isResting(),
      retyping: this.retyping > 0,
    });
    const { key: place, count, seen, words } = cardsToEnter(this, step);
    this.entry.begin(place, count, seen, words);
    this.#atSeat();
    drawWaiting(this);
    drawSeats(this);
    drawTools(this);
    this.payouts.hidden = !this.paid?.seats.length;
    const key = this.paid ? `${this.paid.version}` : "";
    if (this.paid && this.payoutsShown !== key) payoutList(this.payouts, this.paid, this.rules);
    this.payoutsShown = key;
  }

  /** Keys rest where somebody else has moved the question, and where a payout has come up that is to be read first. */
  #question(step) {
    const question = step ? `${step.step} ${step.seat} ${step.place} ${step.label}` : this.#idle.title;
    if (question !== this.questionShown) this.forgive();
    this.questionShown = question;
    if (asks(question, isOwnChange(this.work.version) && !isPaying(step))) this.queue.clear();
  }

  get #toPay() {
    return handToPay(this.paid);
  }

  get #idle() {
    return this.assessed ? this.assessed.idle() : idleWords(this);
  }

  /** The question stands at the seat that is asked, too. */
  #atSeat() {
    const { step, entry } = this;
    const pays = this.#toPay ? payWords(this.#toPay) : "";
    const key = step?.seat
      ? JSON.stringify([step.step, step.seat, step.choices, pays, step.cards ? entry.typed : [], step.cards])
      : "";
    if (key === this.seatShown) return;
    this.seatShown = key;
    this.seatNode?.remove();
    this.seatNode = step?.seat
      ? seatQuestion(step, { onAnswer: (...said) => this.answer(...said), typed: entry.typed, pays })
      : null;
    if (this.seatNode) this.felt.pods[step.seat - 1].node.append(this.seatNode);
  }

  chooseStep(step) {
    this.choice = Math.max(0, this.mine.indexOf(step));
    this.render();
    $(".next-do")?.focus();
  }

  // -- keys -----------------------------------------------------------------------------------

  press(pressed) {
    const { key, shift, inField } = pressed;
    if (this.entry.isOpen && !inField) {
      if (key === "Backspace" && this.entry.backspace()) return true;
      if (this.entry.type(key)) return true;
    }
    const shortcut = shortcutsOf(this).find((shortcut) => answersTo(shortcut, pressed) && (!shortcut.shift || shift));
    if (shortcut) $("dialog[open]")?.close(); // W or O in the field of an amount
    shortcut?.run();
    return Boolean(shortcut);
  }
}

async function start() {
  dress();
  const table = document.body.dataset.table ?? "";
  try {
    const person = await me();
    if (person.role !== "dealer") {
      $("#deal").replaceChildren(notHere(person));
      return;
    }
    const [rules, descriptions] = await Promise.all([get(`/tables/${encodeURIComponent(table)}/rules`), commands()]);
    new DealPage(table, rules, descriptions, person);
  } catch (problem) {
    refill(
      $("#deal"),
      h(
        "p.sorry",
        {},
        problem.message,
        " ",
        h("a", { href: "" }, "Try again"),
        " or go to the ",
        h("a", { href: "/" }, "lobby"),
        ".",
      ),
    );
  }
}

start();
