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
import { stepDuties } from "../shared/giving.js";
import { clauseButton } from "../shared/hints.js";
import { KeyQueue } from "./key-queue.js";
import { answersTo, asks, help, isResting, kbd, offer, shortcut } from "../shared/keys.js";
import { Live } from "../shared/live.js";
import { actionTitle } from "../shared/layout.js";
import { cents, told } from "../shared/money.js";
import { payoutList, payWords } from "./payouts.js";
import { openReport } from "./report-box.js";
import { openSeat } from "./seat-box.js";
import { openBox } from "../shared/sheets.js";
import { StepPanel, answerKeys, isPaying, seatQuestion, waitsFor } from "./step-panel.js";
import { openTakeBack } from "./taking-back.js";

const WIRE = { joined: "Live", lost: "Connection lost. Reconnecting…", gone: "This table has closed" };
const PATIENCE = 2000;
/** Commands that have a better place on this page than a form in the list of all. */
const PLACED = new Set(["enter_cards", "act", "reveal", "show_dealer", "settle", "open_betting", "close_bets", "count_chips", "deal", "collect", "report", "place_wagers", "repeat_wagers", "answer_all", "take_back_answer", "replace_cards"]);

class DealPage {
  view = null;
  work = null;
  entered = { round: 0, cards: new Set(), seats: new Set() };
  paid = null;
  error = null; // the last refusal, until it is over
  retyping = 0; // the seat whose cards are typed again
  choice = 0;
  #telling = false;
  #looking = null;
  #again = false;
  #offline = false; // the last look did not reach the server

  constructor(table, rules, descriptions, person) {
    Object.assign(this, { table, rules, descriptions, person });
    this.entry = new CardEntry({
      deck: rules.deck, onFull: (cards) => this.enter(cards), onDraw: () => this.#atSeat(), onRefused: (words) => this.refused(words),
    });
    this.panel = new StepPanel({
      entry: this.entry, rules, onDo: (step) => this.doStep(step), onAnswer: (step, action) => this.answer(step, action), onDone: () => this.look(),
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
      h("div.deal-side", {}, h("div.deal-now.scrolls", {}, this.assessed?.node, this.panel.node, this.payouts, this.seats, this.others), this.panel.duties, this.tools));
    addEventListener("rested", () => this.render());
    this.queue = new KeyQueue({ isBusy: () => this.busy, handle: (pressed) => this.press(pressed) });
    offer(() => this.shortcuts());
    this.live = new Live(table, (frame) => this.hear(frame), (state) => this.wire(state));
    $("#rules").addEventListener("click", () => openRules(rules));
    $("#keys").addEventListener("click", () => help(() => this.shortcuts()));
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
    if (!first) for (const one of happened) announce(plain(one.words.join(". ")));
    if (this.work?.version !== view.version) this.look();
    else this.render();
  }

  #take(view) {
    if (this.view && view.version < this.view.version) return;
    this.view = view;
    if (this.entered.round !== view.round.number) this.entered = { round: view.round.number, cards: new Set(), seats: new Set() };
  }

  /** What waits now. One question at a time; a second one that comes meanwhile is asked after it. */
  async look(version = 0) {
    if (this.#looking) {
      this.#again = true;
      return this.#looking;
    }
    this.#looking = this.#ask(version).finally(() => { this.#looking = null; });
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
        if (this.#offline) this.#forgive();
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
    this.#forgive();
    this.error = note(words, { bad: true, clause, rules: this.rules });
  }

  /** What went wrong is over: it was done, or something else is asked. */
  #forgive() {
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

  /** Tell the server; then see what waits. After a refusal what was typed ahead is let fall. */
  async tell(work) {
    if (this.#telling) return;
    this.#telling = true;
    this.render();
    let version = 0;
    try {
      version = (await work())?.version ?? 0;
      this.#forgive();
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
    const { type, ...told } = step.command;
    if (type === "confirm") this.form(type, { given: told, looks: true }); // a second person looks first
    else this.tell(() => command(this.table, type, told, this.meant));
  }

  answer(step, action) {
    if (this.busy) return;
    const { round } = this.view;
    const told = { seat: step.seat, player: step.command.player, action };
    this.tell(() => command(this.table, "act", told, { ...this.meant, decision: round.decision }));
  }

  /** The same answer from all who are still to be asked this question. */
  answerForAll(action) {
    if (this.busy) return;
    this.tell(() => command(this.table, "answer_all", { action }, { ...this.meant, decision: this.view.round.decision }));
  }

  /** The hand that is shown was mistyped: until it is paid, it is typed again. */
  retype() {
    this.retyping = this.step.seat;
    this.render();
  }

  #replace(cards) {
    const seat = this.retyping;
    this.retyping = 0;
    for (const card of this.#next?.cards ?? []) this.entered.cards.delete(card);
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
    const { type, ...told } = step.command;
    for (const card of cards) this.entered.cards.add(card);
    try {
      const done = await command(this.table, type, { ...told, cards }, this.meant);
      if (step.seat) this.entered.seats.add(step.seat);
      return done;
    } catch (problem) {
      for (const card of cards) this.entered.cards.delete(card);
      throw problem;
    }
  }

  /** The whole next hand was typed: the seat before it is paid, and the hand is entered if its turn has come. */
  async #payAndEnter({ seat, command: { type, ...told } }, cards) {
    const after = this.#after(seat);
    const paid = await command(this.table, type, told, this.meant);
    this.work = await askWork(this.table);
    const { step } = this;
    if (step?.cards && step.seat === after) return this.#enter(step, cards);
    note(`Something else comes before the cards of seat ${after}: type them again then.`);
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
    openCommand(this.descriptions[type], { table: this.table, meant: this.meant, names: this.names, onDone: () => this.look(), ...options });
  }

  callFloor() {
    if (this.may("call_floor")) this.form("call_floor");
  }

  report(options = {}) {
    openReport(this, () => this.look(), options);
  }

  /** Every other command that a dealer may give. */
  openAll() {
    const list = this.work.commands.filter((type) => !PLACED.has(type)).map((type) => this.descriptions[type]).sort((a, b) => a.label.localeCompare(b.label));
    const box = openBox("Everything else", h("ul.deal-list", {}, list.map((one) => h("li", {}, h("button.plain", {
      type: "button", data: { name: `all-${one.type}` }, onclick: () => { box.close(); this.form(one.type); },
    }, one.label), h("span.fine", {}, one.words)))));
    box.querySelector(".deal-list button")?.focus();
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

  /** Bets are entered here only where nobody has a screen of his own. */
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
    this.felt.update(this.#onFelt());
    this.assessed?.update(work);
    this.panel.update(step, this.#idle(), { table: this.table, descriptions: this.descriptions, meant: this.meant, names: this.names, busy: this.busy || isResting(), retyping: this.retyping > 0 });
    this.#places(step);
    this.#atSeat();
    this.#also();
    this.#seatList();
    this.#tools();
    this.payouts.hidden = !this.paid?.seats.length;
    const key = this.paid ? `${this.paid.version}` : "";
    if (this.paid && this.payoutsShown !== key) payoutList(this.payouts, this.paid, this.rules);
    this.payoutsShown = key;
  }

  /** Keys rest where somebody else has moved the question, and where a payout has come up that is to be read first. */
  #question(step) {
    const question = step ? `${step.step} ${step.seat} ${step.place} ${step.label}` : this.#idle().title;
    if (question !== this.questionShown) this.#forgive();
    this.questionShown = question;
    if (asks(question, isOwnChange(this.work.version) && !isPaying(step))) this.queue.clear();
  }

  /** The seat whose hand lies open and is to be paid. */
  get #next() {
    return this.paid?.seats.find((seat) => seat.state === "next") ?? null;
  }

  /** The table as the dealer has it in front of them: a hand that was typed lies open, what a fold has lost is gone. */
  #onFelt() {
    const { view, paid } = this;
    if (!paid) return view;
    const seats = view.round.seats.map((seat) => {
      const mine = paid.seats.find((one) => one.seat === seat.number);
      if (mine?.state === "next" && mine.cards.length) return { ...seat, cards: mine.cards };
      if (!mine || !seat.folded) return seat;
      const gone = new Set(mine.lines.filter((line) => line.result === "lose").map((line) => line.wager));
      const isTaken = mine.state === "folded" ? mine.cards_too : !seat.cards.some(Boolean);
      return { ...seat, wagers: Object.fromEntries(Object.entries(seat.wagers).filter(([name]) => !gone.has(name))), cards: isTaken ? [] : seat.cards };
    });
    return { ...view, round: { ...view.round, seats } };
  }

  /** The cards that are typed now: those of the step; of a hand again; or of the seat after the one that is paid. */
  #places(step) {
    const { round } = this.view;
    const seen = this.#seen();
    const hand = this.rules.cards.player;
    if (this.retyping) {
      for (const card of this.#next?.cards ?? []) seen.delete(card);
      return this.entry.begin(`${round.number}-again-${this.retyping}`, hand, seen, `Seat ${this.retyping}: type the cards again. Escape leaves them as they are.`);
    }
    if (step?.cards) return this.entry.begin(`${round.number}-${step.place}-${step.seat}-${step.place === "community" ? round.community.filter(Boolean).length : 0}`, step.cards, seen);
    const after = isPaying(step) && hand > 1 ? this.#after(step.seat) : 0;
    return this.entry.begin(after ? `${round.number}-player-${after}-0` : "", after ? hand : 0, seen, after ? `Or type seat ${after}’s cards: the last one pays this seat.` : "");
  }

  /** The next hand that will be turned up. */
  #after(number) {
    const taken = new Set(this.paid?.seats.filter((seat) => seat.cards_too).map((seat) => seat.seat));
    return Math.max(0, ...this.view.round.seats.filter((seat) => seat.number < number && !seat.lines.length && !taken.has(seat.number) && !this.entered.seats.has(seat.number)).map((seat) => seat.number));
  }

  /** The question stands at the seat that is asked, too. */
  #atSeat() {
    const { step, entry } = this;
    const pays = this.#next ? payWords(this.#next) : "";
    const key = step?.seat ? JSON.stringify([step.step, step.seat, step.choices, pays, step.cards ? entry.typed : [], step.cards]) : "";
    if (key === this.seatShown) return;
    this.seatShown = key;
    this.seatNode?.remove();
    this.seatNode = step?.seat ? seatQuestion(step, { onAnswer: (...said) => this.answer(...said), typed: entry.typed, pays }) : null;
    if (this.seatNode) this.felt.pods[step.seat - 1].node.append(this.seatNode);
  }

  /** Every card that this page knows to lie somewhere. */
  #seen() {
    const { round } = this.view;
    const open = [...round.community, ...round.dealer, ...round.box, ...round.set_aside, ...round.seats.flatMap((seat) => seat.cards)].filter(Boolean);
    return new Set([...open, ...this.entered.cards, ...(this.#next?.cards ?? [])]);
  }

  #idle() {
    const { view, work } = this;
    if (this.assessed) return this.assessed.idle();
    const dealer = work.staff.dealer;
    if (dealer && dealer !== this.person.name) return { title: `${dealer} deals here`, words: "A floorperson can assign you to this table. You may watch, and sign a count as the second person." };
    const first = work.steps.find((step) => !step.mine);
    if (first) return { title: `Waits for ${waitsFor(first)}`, words: `${first.label}: ${first.words}`, clause: first.clause, duties: first.duties };
    if (!view.is_open) return { title: "This table is closed", words: "An operator opens it." };
    if (!view.seats.some((seat) => seat.player)) return { title: "Nobody is seated", words: view.source === "live" ? "Press the number of a seat to seat a player." : "Players take their seats on their own screens." };
    if (view.round.phase === "betting") return { title: "Bets are open", duties: work.duties, words: view.source === "live" ? "Press the number of a seat to enter its bets, or B for the same as in the last round." : "Players bet on their own screens." };
    return { title: "Nothing waits", words: "" };
  }

  #also() {
    const { work, step } = this;
    if (this.assessed) return; // what waits is for the dealer to say
    const shown = step ?? work.steps.find((one) => !one.mine);
    const rest = work.steps.filter((one) => one !== shown && !(one.step === "enter_cards" && shown.step === one.step));
    const key = JSON.stringify([rest, this.choice]);
    this.others.hidden = !rest.length;
    if (key === this.alsoShown) return;
    this.alsoShown = key;
    refill(this.others, h("h2", {}, "Also waiting"), h("ul", {}, rest.map((one) => h("li", { data: { step: one.step, mine: String(one.mine) } },
      one.mine
        ? h("button.plain", { type: "button", data: { name: `choose-${one.step}` }, onclick: () => this.chooseStep(one) }, one.label)
        : h("span.waits", {}, `Waits for ${waitsFor(one)}`),
      h("span", {}, one.mine ? one.words : `${one.label}: ${one.words}`, " ", clauseButton(one.clause, this.rules)),
      one.mine ? null : stepDuties(one.duties.filter((duty) => duty.role === "dealer"))))));
  }

  chooseStep(step) {
    this.choice = Math.max(0, this.mine.indexOf(step));
    this.render();
    $(".next-do")?.focus();
  }

  #seatList() {
    const { view, betsHere } = this;
    this.seats.hidden = !betsHere;
    const key = betsHere ? JSON.stringify([view.seats, view.round.phase, view.round.phase === "betting" ? view.round.seats : []]) : "";
    if (!betsHere || key === this.seatsShown) return;
    this.seatsShown = key;
    refill(this.seats, h("ol", {}, view.seats.map((seat) => {
      const bets = view.round.phase === "betting" ? view.round.seats.find((one) => one.number === seat.number)?.wagers : null;
      const sum = bets ? Object.values(bets).reduce((all, one) => all + cents(one), 0) : 0;
      return h("li", {}, h("button.plain.deal-seat", { type: "button", data: { name: `seat-${seat.number}`, seat: seat.number }, "aria-keyshortcuts": shortcut(String(seat.number)), onclick: () => this.openSeat(seat.number) },
        kbd(String(seat.number)),
        h("span.seat-who", {}, h("b", {}, seat.player ?? "Free seat"), h("small", {}, seat.player ? `${told(seat.rack)} in chips` : "seat a player")),
        sum ? h("span.seat-bets", {}, Object.entries(bets).map(([, amount]) => told(amount)).join(" + ")) : null));
    })));
  }

  #tools() {
    const tools = [
      this.betsHere && this.view.round.phase === "betting" ? ["same", "Same bets", "B", () => this.sameBets()] : null,
      this.may("call_floor") ? ["floor", "Call the floor", "O", () => this.callFloor()] : null,
      ["misdeal", "Misdeal", "", () => this.report({ misdeal: true })],
      ["report", "Something went wrong", "W", () => this.report()],
      this.may("take_back_answer") || this.may("replace_cards") ? ["back", "Take back", "Z", () => this.takeBack()] : null,
      ["all", "More", "M", () => this.openAll()],
    ].filter(Boolean);
    const key = tools.map(([name]) => name).join();
    if (key === this.toolsShown) return;
    this.toolsShown = key;
    refill(this.tools, tools.map(([name, title, letter, run]) => h("button.plain", { type: "button", data: { name: `tool-${name}` }, "aria-keyshortcuts": letter ? shortcut(letter) : null, onclick: run }, title, letter ? kbd(letter) : null)));
  }

  // -- keys -----------------------------------------------------------------------------------

  press(pressed) {
    const { key, shift, inField } = pressed;
    if (this.entry.isOpen && !inField) {
      if (key === "Backspace" && this.entry.backspace()) return true;
      if (this.entry.type(key)) return true;
    }
    const found = this.shortcuts().find((one) => answersTo(one, pressed) && (!one.shift || shift));
    if (found) document.querySelector("dialog[open]")?.close(); // W or O in the field of an amount
    found?.run();
    return Boolean(found);
  }

  shortcuts() {
    const { step } = this;
    const list = [];
    const add = (keys, words, run, more = {}) => list.push({ keys, words, run, ...more });
    const choices = step?.step === "ask" ? step.choices : [];
    const keys = answerKeys(choices);
    for (const action of choices) {
      add([keys[action]], `With shift: “${actionTitle(action)}” for everyone who has not answered yet`, () => this.answerForAll(action), { shift: true, when: () => this.may("answer_all") });
      add([keys[action]], `${actionTitle(action)}, says seat ${step.seat}`, () => this.answer(step, action));
    }
    if (isPaying(step)) add(["backspace"], "Mistyped: type the cards of this seat again", () => this.retype(), { when: () => this.may("replace_cards") && this.#next?.cards.length > 0 });
    add(["escape"], "Close an error, leave a field or a correction", () => { this.#forgive(); this.retyping = 0; this.render(); });
    add(["enter", " "], "Do the next step", () => this.doStep(step), { when: () => step && !step.asks.length && !this.retyping });
    if (this.betsHere) {
      for (const seat of this.view.seats) add([String(seat.number)], `Seat ${seat.number}: player, chips and bets`, () => this.openSeat(seat.number));
      add(["b"], "The same bets as in the last round", () => this.sameBets(), { when: () => this.view.round.phase === "betting" });
    }
    if (this.entry.isOpen && !isPaying(step)) add(["p"], "Pick the cards from the 52", () => this.entry.pick());
    add(["n"], "The next of the steps that wait for you", () => { this.choice += 1; this.render(); }, { when: () => this.mine.length > 1 });
    add(["o"], "Call the floor", () => this.callFloor(), { when: () => this.may("call_floor"), always: true });
    add(["w"], "Something went wrong: report it", () => this.report(), { always: true });
    add(["u"], "Open or fold the duties of the step", () => this.panel.toggleDuties());
    add(["z"], "Take back a mistyped card or answer", () => this.takeBack(), { when: () => this.may("take_back_answer") || this.may("replace_cards") });
    add(["m"], "Everything else a dealer may do", () => this.openAll());
    add(["?"], "List of keys", () => help(() => this.shortcuts()));
    return list;
  }
}

/** Somebody who does not deal is told so, and how to come in as the dealer. */
function notHere(person) {
  return h("div.wide", {}, h("h1", {}, "The dealer’s console"),
    h("p", {}, person.role ? `You are signed in as ${person.guest ? "a guest" : `${person.name}, ${person.role}`}: this page is for the dealer of the table. ` : "This page is for the dealer of the table. ",
      h("a", { href: "/sign-in" }, "Sign in as a dealer"), ", or go ", h("a", { href: "/" }, "to the lobby"), "."));
}

async function start() {
  dress();
  const { table } = document.body.dataset;
  try {
    const person = await me();
    if (person.role !== "dealer") {
      $("#deal").replaceChildren(notHere(person));
      return;
    }
    const [rules, descriptions] = await Promise.all([get(`/tables/${encodeURIComponent(table)}/rules`), commands()]);
    new DealPage(table, rules, descriptions, person);
  } catch (problem) {
    refill($("#deal"), h("p.sorry", {}, problem.message, " ", h("a", { href: "" }, "Try again"), " or go to the ", h("a", { href: "/" }, "lobby"), "."));
  }
}

start();
