// The player's table: live views in, commands out.

import { Advice, units } from "./advice.js";
import { announce, note, plain } from "../shared/announce.js";
import { comeIn, command, get, me, ready } from "../shared/api.js";
import { Bar } from "../felt/bar.js";
import { Betting } from "./betting.js";
import { openBuying } from "./buying.js";
import { DENOMINATIONS } from "../felt/chips.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill, say } from "../shared/dom.js";
import { openRules } from "../shared/drawer.js";
import { Fairness } from "../fairness/fairness.js";
import { Felt } from "../felt/felt.js";
import { cardWords } from "../felt/glyphs.js";
import { clauseButton } from "../shared/hints.js";
import { openInvite } from "./invite.js";
import { asks, help, listen } from "../shared/keys.js";
import { actionCost, actionKeys, actionTitle, decisionWords, wagersByRole, titleOf } from "../shared/layout.js";
import { Live } from "../shared/live.js";
import { cents, dollars, told, wire } from "../shared/money.js";
import { learnNames, named } from "../shared/names.js";
import { finishMotion } from "../felt/pace.js";
import { moveChips, moveSum } from "./paying.js";
import { Place } from "../felt/place.js";
import { addressed, offerReview, resultPanel } from "../felt/result.js";
import { openPart, openRights, partNow, wantsAttention } from "../felt/rights.js";
import { choose, chosen, isStill } from "../shared/settings.js";
import { play } from "../felt/sound.js";
import { openStrategy } from "../shared/strategy-panel.js";
import { jobs } from "../shared/try-it.js";
import { WagerHelp } from "../felt/wager-help.js";

const BUY_IN = 50_000;
const LEAST_RACK = 10_000;
const BEST_SEATS = [3, 4, 2, 5, 1, 6];
const PATIENCE = 2500;
const SPOTS = "Tab goes from spot to spot; Enter puts a chip there, Backspace takes it off.";
const RESERVED = "EWKTHGLIYQ"; // keys that mean something else while one is asked
const SIDE_KEYS = ["z", "x", "v", "n", "m", "j"];
const QUIET = new Set(["commit_randomness", "reveal_randomness"]); // done by pages, and shown with the seal
const WIRE = { joined: "Live", lost: "Connection lost. Reconnecting…", gone: "This table has closed" };

class TablePage {
  view = null;
  chosenSeat = 0;
  result = null;
  arriving = location.hash === "#sit"; // from the lobby, until the chips are there
  #working = false;
  #awaited = 0;
  #next = null;
  #finished = null;

  constructor(table, rules, staff, demo = false) {
    this.table = table;
    this.demo = demo;
    this.staff = staff; // the role of somebody who works here and does not play
    this.rules = rules;
    this.keys = spotKeys(rules);
    this.answerKeys = actionKeys(rules.decisions.flatMap((one) => one.answers), RESERVED);
    this.betting = new Betting(table, rules, { onChange: () => this.render(), onRefused: (words, clause, isShort) => this.refused(words, clause, isShort) });
    this.felt = new Felt(rules, { onSit: (seat) => this.sit(seat), onBox: (seat) => this.box(seat) });
    this.help = new WagerHelp(table, rules, (wager) => openRules(rules, wager));
    this.place = new Place(rules, { keys: this.keys, onSpot: (name, off) => this.spot(name, off), onHelp: (anchor) => this.help.open(anchor) });
    this.bar = new Bar({ onChip: (value) => this.pick(value), onMoreTime: () => this.moreTime() });
    this.advice = new Advice(table, () => this.render());
    $("#table").replaceChildren(this.felt.node, this.bar.node);
    this.felt.place.append(this.place.node);
    this.fairness = new Fairness(table);
    this.felt.phase.after(this.fairness.node);
    this.help.watch(this.felt.node);
    this.live = new Live(table, (frame) => this.hear(frame), (state, resumed) => this.wire(state, resumed));
    listen(() => this.shortcuts(), SPOTS);
    for (const change of ["chosen", "resize"]) addEventListener(change, () => this.render());
    const greet = () => this.live.greet({ pace: chosen("pace") });
    addEventListener("chosen", ({ detail }) => detail === "pace" && greet());
    greet();
    $("#keys").addEventListener("click", () => help(() => this.shortcuts(), SPOTS));
    $("#advice").addEventListener("click", () => choose("advice", !chosen("advice")));
  }

  // -- what comes in --------------------------------------------------------------------------

  wire(state, resumed) {
    const node = $("#wire");
    node.dataset.state = state;
    say(node, WIRE[state]);
    if (resumed) announce("Connected again.");
    if (state === "lost") announce("Connection lost. Reconnecting by itself.");
  }

  hear({ view, happened }) {
    const first = this.view === null;
    this.view = view;
    this.#keepFinished(view.round);
    learnNames(view.seats.map((one) => one.player), view.round.number);
    const news = happened.filter((one) => !QUIET.has(one.kind));
    if (!first) for (const one of news) announce(named(plain(one.words.join(". "))));
    const last = news.at(-1)?.words[0];
    if (last) say($("#voice"), named(plain(last)));
    if (this.asked && !this.wasAsked) play("asked");
    this.wasAsked = this.asked;
    this.bar.setClock(view.clock);
    this.render();
    this.#tellQuestion();
    if (first) this.arrive();
    this.#goOn();
  }

  /** Said once for each question, with the cards it is about; and the focus goes where it is answered. */
  #tellQuestion() {
    const { round, actions } = this.view;
    const question = this.asked ? `${round.number}-${round.decision}-${round.turn}` : "";
    const isNew = question && question !== this.question;
    this.question = question;
    // Who is still betting when the bets are closed has other keys all at once: C takes bets back, and checks.
    const bets = round.phase === "betting" ? `bets ${round.number}` : "";
    if (bets || question) asks(bets || question, Boolean(bets) || !this.wasBetting);
    this.wasBetting = Boolean(bets) && !round.seats.some((one) => this.seats.includes(one.number) && one.ready);
    if (!isNew) return;
    const cards = round.seats.find((one) => one.number === round.turn)?.cards.filter(Boolean) ?? [];
    const answers = actions.filter((one) => one.do === "say" && one.seat === round.turn).map((one) => actionTitle(one.action));
    announce(`${cards.length ? `Your cards: ${cards.map(cardWords).join(", ")}. ` : ""}Your turn, ${decisionWords(round.decision)}: ${answers.join(", ")}.`);
    const at = document.activeElement;
    if (at === document.body || at.closest(".place, .bar")) this.bar.focusAnswers();
  }

  /** The cards of a round, and what became of the bets, stay in sight until the next deal. */
  #keepFinished(round) {
    if (round.void || !["collecting", "betting", "over"].includes(round.phase)) this.#finished = null;
    else if (round.seats.some((seat) => seat.lines.length)) this.#finished = round;
  }

  get finished() {
    return betweenRounds(this.view.round.phase) ? this.#finished : null;
  }

  /** From the lobby with "Sit down": at once, without a second question. */
  arrive() {
    if (location.hash !== "#sit") return;
    history.replaceState(null, "", location.pathname);
    if (this.staff || this.seats.length) {
      this.arriving = false;
      this.render();
    } else this.sit();
  }

  /** `isShort`: more chips would help, and are offered. */
  refused(words, clause = null, isShort = false) {
    note(words, { bad: true, clause, rules: this.rules, offers: isShort ? this.#moreChips() : null });
  }

  #moreChips() {
    return this.demo ? { title: `Buy ${dollars(BUY_IN)} more`, run: () => this.buy() } : null;
  }

  // -- what goes out --------------------------------------------------------------------------

  /** Something is told to the server, or done there and not seen here yet. */
  get busy() {
    return this.#working || (this.view?.version ?? 0) < this.#awaited;
  }

  /** One thing at a time. What is pressed meanwhile waits, and is let fall when it no longer
      `applies`. A refusal is shown with its clause. */
  async tell(work, applies = () => true) {
    if (this.busy) {
      this.#next = { work, applies };
      return;
    }
    this.#working = true;
    this.render();
    try {
      this.#awaited = (await work())?.version ?? 0;
    } catch (problem) {
      this.refused(problem.message, problem.clause, problem.code === "not_enough_money");
    } finally {
      this.#working = false;
      this.render();
      this.#goOn();
      if (this.busy) setTimeout(() => this.#look(this.#awaited), PATIENCE);
    }
  }

  #goOn() {
    if (this.busy || !this.#next) return;
    const { work, applies } = this.#next;
    this.#next = null;
    if (applies()) this.tell(work, applies);
  }

  /** A frame that does not come: ask how the table stands. */
  async #look(version) {
    if (this.view.version >= version) return;
    const view = await get(`/tables/${encodeURIComponent(this.table)}`).catch(() => null);
    if (view && view.version > this.view.version) this.hear({ view, happened: [] });
    else setTimeout(() => this.#look(version), PATIENCE);
  }

  sit(seat = 0) {
    const applies = () => !this.seats.length;
    this.arriving = true;
    return this.tell(() => this.#sitDown(seat), applies).finally(() => {
      this.arriving = this.busy;
      this.render();
    });
  }

  async #sitDown(seat) {
    const before = (await me()).role;
    await comeIn();
    if (!before) {
      this.live.reopen();
      dress();
    }
    const done = await this.#takeSeat(seat);
    if (cents(this.view.me?.rack) >= LEAST_RACK) return done;
    if (!this.demo) return done; // money is the player's own: he says how much
    return command(this.table, "buy_in", { amount: wire(BUY_IN) });
  }

  /** The seat that was asked for, or the best free one; somebody else may be quicker. */
  async #takeSeat(seat) {
    let { seats } = this.view;
    for (;;) {
      const free = seats.filter((one) => !one.player).map((one) => one.number);
      const wanted = seat || BEST_SEATS.find((one) => free.includes(one)) || free[0];
      if (!wanted) throw new Error("Every seat is taken. Watch here, or choose another table in the lobby.");
      try {
        return await command(this.table, "take_seat", { seat: wanted });
      } catch (problem) {
        if (seat || problem.code !== "seat_taken") throw problem;
        ({ seats } = await get(`/tables/${encodeURIComponent(this.table)}`));
      }
    }
  }

  buy() {
    if (!this.demo) return openBuying(this.table, (work) => this.tell(work));
    return this.tell(() => command(this.table, "buy_in", { amount: wire(BUY_IN) }));
  }

  leave() {
    return this.tell(async () => {
      for (const seat of this.view.me.seats) await command(this.table, "give_up_seat", { seat });
      if (cents(this.view.me.rack)) await command(this.table, "cash_out", this.demo || this.view.source !== "virtual" ? {} : { account: true });
      location.assign("/");
    });
  }

  /** A command of this player's that has no better place than the sheet "At your seat". */
  order(type, fields, done = () => {}) {
    const round = this.view.round.number;
    return this.tell(async () => {
      const found = await command(this.table, type, fields, type === "leave_round" ? { round } : {});
      done();
      return found;
    });
  }

  rights() {
    if (this.view?.me && !this.staff) openRights(this);
  }

  /** What was put down on the one box is told before the other is in front of us. */
  box(seat) {
    this.betting.flush();
    this.chosenSeat = seat;
    this.render();
    this.place.spots.node_of(wagersByRole(this.rules).main[0].name)?.focus();
  }

  pick(value) {
    choose("chip", value);
  }

  spot(name, off = false) {
    if (off) this.betting.remove(name);
    else if (this.betting.add(name, chosen("chip"))) {
      play("chip");
      announce(`${titleOf(this.rules, name)} ${dollars(this.betting.stakes[name] ?? 0)}.`);
    }
  }

  ready() {
    return this.tell(async () => {
      if (!(await this.betting.flush())) return null;
      await this.fairness.committed();
      const mine = this.view.round.seats.filter((seat) => seat.player === this.view.me.player).map((seat) => seat.number);
      let done = null;
      for (const seat of new Set([...mine, this.betting.seat])) {
        done = await ready(this.table, seat, this.view.round.number);
      }
      return done;
    }, () => this.betting.isOpen && this.betting.isComplete);
  }

  /** The same bets as in the last round, or those that lie there, and deal. */
  again() {
    const isLaid = this.betting.total > 0 || this.betting.rebet();
    return isLaid && this.betting.isComplete ? this.ready() : null;
  }

  /** Only the dealer by software is at work: on to what people are asked next. */
  get canSkip() {
    const { round, source, dealt_by: by } = this.view;
    return this.seats.length > 0 && source === "virtual" && by === "software" && !round.claim && !["betting", "deciding"].includes(round.phase);
  }

  skip() {
    finishMotion();
    this.live.say({ skip: true });
  }

  /** The seat for which a clock runs that can be put back. */
  get hurried() {
    if (!this.view?.clock?.extension) return 0;
    return this.view.actions.find((one) => one.do === "more_time")?.seat ?? 0;
  }

  moreTime() {
    const { hurried: seat } = this;
    const { number, decision } = this.view.round;
    if (!seat) return null;
    return this.tell(() => command(this.table, "more_time", { seat }, { round: number, decision }), () => this.hurried === seat);
  }

  /** Not this round: the others need not wait. */
  sitOut() {
    const { number } = this.view.round;
    const seat = this.view.actions.find((one) => one.do === "sit_out")?.seat;
    return this.tell(() => ready(this.table, seat, number), () => this.betting.isOpen && !this.betting.total);
  }

  act(action) {
    const { seat, view: { round: { number, decision } } } = this;
    return this.tell(() => command(this.table, "act", { seat, action }, { decision, round: number }),
      () => this.asked && this.seat === seat && this.view.round.number === number && this.view.round.decision === decision);
  }

  // -- how it stands --------------------------------------------------------------------------

  get seats() {
    return this.view?.me?.seats ?? [];
  }

  /** The position in front of me: the one that is asked, the one I chose, or my seat. */
  get seat() {
    const { round } = this.view;
    if (round.phase === "deciding" && this.seats.includes(round.turn)) return round.turn;
    const open = this.view.actions.some((one) => one.seat === this.chosenSeat);
    if (this.chosenSeat && (open || this.seats.includes(this.chosenSeat))) return this.chosenSeat;
    const playing = round.seats.find((one) => one.player === this.view.me?.player);
    return round.phase === "betting" ? this.seats[0] ?? 0 : playing?.number ?? this.seats[0] ?? 0;
  }

  get asked() {
    const { round } = this.view;
    return round.phase === "deciding" && this.seats.includes(round.turn);
  }

  render() {
    const { view } = this;
    if (!view) return;
    const seat = this.seat;
    this.fairness.update(view);
    if (this.arriving && this.seats.length) this.arriving = this.busy;
    this.betting.held = this.arriving;
    this.betting.sync(view, seat);
    this.advice.update(view, seat, chosen("advice"));
    // A second box is offered once one's own has a bet: only then is it known which are adjacent.
    const plays = view.round.seats.some((one) => one.player === view.me?.player);
    const others = new Set(view.actions.filter((one) => plays && one.do === "place" && one.seat !== seat).map((one) => one.seat));
    this.felt.update(view, { mine: seat, cardsInto: seat ? this.place.cards : null, canSit: !this.staff && !this.seats.length && !this.busy, boxes: [...others], finished: this.finished });
    this.place.node.classList.toggle("empty", !seat);
    this.place.update(view, seat, this.betting, this.finished);
    this.#aside(view, seat);
    this.#payOthers(view);
    this.bar.update(this.#asks());
    this.bar.setMoreTime(this.hurried ? view.clock.extension : 0);
    $("#advice").setAttribute("aria-pressed", String(chosen("advice")));
    document.body.dataset.seated = String(Boolean(seat));
    this.#bringIntoView(view.round.phase, seat);
  }

  /** On a phone: where to bet while bets are open, one's cards when asked, all cards at the end. */
  #bringIntoView(phase, seat) {
    const moment = betweenRounds(phase) && this.result ? "" : `${phase}-${seat}`;
    if (innerWidth >= 700 || !seat || !moment || moment === this.shown) return;
    this.shown = moment;
    const behavior = isStill() ? "auto" : "smooth";
    const { cards, spots } = this.place;
    if (phase === "betting" || this.asked) (this.asked ? cards : spots.node.parentNode).scrollIntoView({ block: "nearest", behavior });
    else if (phase === "settling") scrollTo({ top: 0, behavior });
  }

  #aside(view, seat) {
    const settled = view.round.seats.find((one) => one.number === seat && one.player === view.me?.player && one.lines.length);
    const key = settled ? `${view.round.number}-${seat}-${settled.lines.length}` : "";
    if (settled && this.result?.key !== key) {
      this.result = { key, node: resultPanel(this.rules, view.round, settled), round: view.round.number, isOver: false };
      const net = cents(settled.net);
      this.#pay(view.round, settled, net);
      announce(`${net > 0 ? `You win ${dollars(net)}` : net < 0 ? `You lose ${dollars(-net)}` : "You break even"}. ${addressed(settled.story)} ${settled.lines.map((line) => addressed(line.short)).join(" ")}`);
    }
    if (this.result && !this.result.isOver && (view.round.number > this.result.round || view.round.phase === "over")) {
      this.result.isOver = true;
      const { node, round } = this.result;
      const wasWhole = isWhole(node, this.bar.node);
      offerReview(node, this.table, round, chosen("advice"));
      this.fairness.offerCheck(node, round);
      if (wasWhole) node.scrollIntoView({ block: "nearest" }); // it has grown, and stays whole
    }
    const started = this.result && view.round.number > this.result.round && (this.betting.total || view.round.phase !== "betting");
    if (started) this.result = null;
    const advice = this.asked && chosen("advice");
    const shown = !seat ? welcome(this) : advice ? this.#advised() : this.result?.node ?? this.#guide();
    if (this.place.aside.firstChild === shown) return;
    this.place.aside.replaceChildren(shown);
    if (shown === this.result?.node) shown.scrollIntoView({ block: "nearest", behavior: isStill() ? "auto" : "smooth" });
  }

  /** Chips move once for each wager; a progressive may be paid after the others. */
  #pay(round, { lines }, net) {
    if (this.paid?.round !== round.number) this.paid = { round: round.number, wagers: new Set() };
    const fresh = lines.filter((line) => !this.paid.wagers.has(line.wager));
    for (const line of fresh) this.paid.wagers.add(line.wager);
    const between = { house: this.#house, rack: this.bar.rack };
    requestAnimationFrame(() => moveChips(this.place.spots, fresh, between)); // when the settlement has its place, too
    play(net > 0 ? "win" : net < 0 ? "lose" : "push");
  }

  /** What the other seats win and lose moves too; not what was paid before this page came. */
  #payOthers({ round, me }) {
    const before = this.paidOthers;
    this.paidOthers = { round: round.number, nets: new Map(round.seats.map((one) => [one.number, cents(one.net ?? "0")])) };
    if (!before) return;
    const paid = before.round === round.number ? before.nets : new Map();
    for (const one of round.seats) {
      if (one.player === me?.player) continue;
      moveSum(this.paidOthers.nets.get(one.number) - (paid.get(one.number) ?? 0), this.#house, this.felt.pods[one.number - 1].node);
    }
  }

  /** Where the dealer's chips lie. */
  get #house() {
    const { dealer, community } = this.felt.zones;
    return (dealer ?? community).node;
  }

  #guide() {
    this.guide ??= guide(this.rules);
    return this.guide;
  }

  #advised() {
    const { found, state } = this.advice;
    const key = `${this.view.round.number}-${this.view.round.decision}-${state}`;
    if (this.adviceShown?.key === key) return this.adviceShown.node;
    const node = h("section.advised", { "aria-label": "Advice", role: "status" }, h("h3", {}, "Best play"),
      found
        ? [h("p", {}, h("b", {}, `${actionTitle(found.best)} is best.`), ` Average result of the round in units of one ${wagersByRole(this.rules).main[0].title}, over every card that can still come:`),
          h("ul.values", {}, Object.entries(found.actions).map(([action, value]) => h("li", { data: { best: String(action === found.best) } },
            h("span", {}, actionTitle(action)), h("b", {}, units(value.expected_value)), h("span.cost", {}, value.cost ? `${value.cost.toFixed(3)} less` : "best"))))]
        : h("p.wait", {}, state === "asking" ? "Calculating…" : state));
    this.adviceShown = { key, node };
    return node;
  }

  #asks() {
    const { view, betting, rules } = this;
    if (this.arriving) return { tray: false, rack: null, buttons: [], prompt: "Taking your seat and getting your chips…" };
    const rights = view.me && !this.staff ? { run: () => this.rights(), calls: wantsAttention(view), part: partNow(this), showPart: () => openPart(this) } : null;
    const base = { tray: false, chipChosen: chosen("chip"), rack: view.me && this.seats.length ? this.#left() : null, buttons: [], prompt: "", rights };
    if (!this.seats.length) {
      const free = view.seats.some((one) => !one.player);
      const lobby = { name: "lobby", title: "Other tables", sub: "to the lobby", run: () => location.assign("/") };
      if (this.staff) return { ...base, prompt: `You are signed in as ${this.staff}. Players' cards stay face down until they are shown.`, buttons: [this.#job()] };
      if (!view.is_open) return { ...base, prompt: "This table is closed. Choose another one in the lobby.", buttons: [lobby] };
      if (!free) return { ...base, prompt: "Every seat is taken. Watch from here, or choose another table.", buttons: [lobby] };
      return { ...base, prompt: this.demo ? "Sit down and play with play chips, or just watch." : "Sit down and buy in, or just watch.",
        buttons: [lobby, { name: "sit", title: "Sit down", sub: this.demo ? `${dollars(BUY_IN)} of play chips` : "and buy in", key: "S", kind: "gold", run: () => this.sit(), off: this.busy }] };
    }
    const extra = { title: "Buy chips", run: () => this.buy() };
    const { round } = view;
    if (betting.isOpen) return { ...base, tray: true, extra, ...this.#betting() };
    if (this.asked) return { ...base, ...this.#deciding() };
    const plays = round.seats.some((one) => one.player === view.me.player);
    if (!plays && !betweenRounds(round.phase) && view.dealt_by !== "people") return { ...base, extra, prompt: betting.last ? "This round goes on without you." : "Welcome. You can bet when this round is over." };
    const words = {
      betting: "Bets are open.",
      closed: "No more bets. Here come the cards.",
      deciding: `Seat ${round.turn} decides.`,
      revealing: "More cards are turned up.",
      showdown: "The dealer shows the hand.",
      settling: round.claim ? `Seat ${round.claim.seat} hit the Progressive! A floorperson confirms it, then it is paid.` : "The dealer settles the bets.",
      collecting: "Round over.",
      over: round.void && plays ? "The round is void. All bets were returned." : view.dealt_by === "people" ? "Waiting for a dealer to start the next round." : plays || betting.last ? "Round over. The next one starts in a moment." : "Welcome. Bets open in a moment.",
    };
    const skip = { name: "skip", title: "Skip", key: "Space", run: () => this.skip() };
    return { ...base, extra: round.phase === "over" ? extra : undefined, prompt: words[round.phase] ?? rules.title,
      buttons: [...(this.canSkip ? [skip] : []), ...(round.phase === "over" ? [{ name: "leave", title: "Leave table", key: "L", run: () => this.leave() }] : [])] };
  }

  /** Where somebody who works here does his job. */
  #job() {
    const at = encodeURIComponent(this.table);
    const [title, sub, to] = { dealer: ["Deal", "the dealer's console", `/tables/${at}/deal`], floorperson: ["The floor", "of this table", `/floor/${at}`] }[this.staff] ?? ["The floor", "all tables", "/floor"];
    return { name: "floor", title, sub, run: () => location.assign(to) };
  }

  #left() {
    const held = this.view.round.seats.filter((one) => one.number === this.betting.seat && one.player === this.view.me.player);
    const laid = this.view.round.phase === "betting" ? held.flatMap((one) => Object.values(one.wagers)).reduce((sum, one) => sum + cents(one), 0) : 0;
    const placed = this.view.round.phase === "betting" ? this.betting.total : 0;
    return cents(this.view.me.rack) + laid - placed;
  }

  #betting() {
    const { betting, rules } = this;
    const main = wagersByRole(rules).main;
    const held = this.view.round.seats.find((one) => one.number === betting.seat && one.player === this.view.me.player);
    const names = main.map((one) => one.title);
    const [first, ...rest] = names;
    const place = /^[a-z]+$/i.test(first) ? `Place your ${first}` : `Bet on ${first}`;
    const limits = `${told(main[0].least)} to ${told(main[0].most)}`;
    const needed = rest.length ? `${place} to play. ${listed(rest)} ${rest.length > 1 ? "go" : "goes"} with it, ${limits} each.` : `${place} to play, ${limits}.`;
    const sitsOut = this.view.seats.some((one) => one.number === betting.seat && one.sits_out);
    const prompt = sitsOut && !betting.total
      ? "You are sitting this round out. Place a bet to join in."
      : held?.ready
      ? "You are ready. The dealer waits for the others."
      : betting.isComplete
        ? `Press ${this.view.dealt_by === "people" ? "Ready" : "Deal"} when you are done, or add side bets.`
        : `${betting.last ? "" : "Welcome. "}${needed}`;
    const lastBet = betting.last ? dollars(Object.values(betting.last).reduce((sum, one) => sum + one, 0)) : "";
    return {
      prompt,
      buttons: [
        ...(betting.total || betting.canUndo ? [
          { name: "undo", title: "Undo", key: "U", run: () => betting.undo(), off: !betting.canUndo, why: "There is nothing to undo." },
          { name: "clear", title: "Clear", key: "C", run: () => betting.clear(), off: !betting.total, why: "There is no bet to take back." },
        ] : []),
        ...(betting.last && !betting.total
          ? [{ name: "rebet", title: "Rebet", sub: lastBet, key: "R", run: () => betting.rebet() },
            { name: "again", title: "Deal again", sub: lastBet, key: "Space", kind: "gold", run: () => this.again(), off: this.busy }]
          : [{ name: "deal", title: held?.ready || this.view.dealt_by === "people" ? "Ready" : "Deal", sub: betting.total ? `${dollars(betting.total)} bet` : "bet first", key: "D", kind: "gold", run: () => this.ready(), off: !betting.isComplete || this.busy || held?.ready, why: held?.ready ? "You are ready. The dealer waits for the others." : betting.isComplete ? "" : `Bet on ${listed(names)} first.` }]),
        ...(betting.total || !this.view.actions.some((one) => one.do === "sit_out") ? [] : [{ name: "sit-out", title: "Sit out", sub: "this round", key: "O", run: () => this.sitOut(), off: this.busy }]),
        ...(betting.total ? [] : [{ name: "leave", title: "Leave", key: "L", run: () => this.leave() }]),
      ],
    };
  }

  #deciding() {
    const { view } = this;
    const { found } = this.advice;
    const says = view.actions.filter((one) => one.do === "say" && one.seat === view.round.turn);
    const buttons = says.map((one) => ({
      name: one.action,
      title: actionTitle(one.action),
      sub: actionCost(one),
      key: this.answerKeys[one.action],
      kind: cents(one.cost) > 0 ? "gold" : "plain",
      off: this.busy || one.affordable === false,
      why: one.affordable === false ? `This costs ${dollars(cents(one.cost))}, and you have ${dollars(cents(view.me.rack))}.` : "",
      best: chosen("advice") && found?.best === one.action,
      value: chosen("advice") && found?.actions[one.action] ? `${units(found.actions[one.action].expected_value)} a unit` : "",
      run: () => this.act(one.action),
    }));
    const order = this.rules.decisions.find((one) => one.name === view.round.decision)?.answers ?? [];
    for (const one of view.actions.filter((other) => other.do === "cannot_say" && other.seat === view.round.turn)) {
      const why = one.why.replace(`${one.action} takes `, "takes ");
      buttons.push({ name: one.action, title: actionTitle(one.action), sub: why, kind: "plain", off: true, why: capital(one.why), run: () => {} });
    }
    buttons.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
    const many = this.seats.length > 1 ? ` Seat ${view.round.turn}.` : "";
    const look = view.source === "live" ? " Look at your cards on the table." : "";
    const isShort = says.some((one) => one.affordable === false);
    return { prompt: `Your turn, ${decisionWords(view.round.decision)}.${many}${look}`, buttons, offers: isShort ? this.#moreChips() : null, extra: isShort ? { title: "Buy chips", run: () => this.buy() } : undefined };
  }

  // -- keys -----------------------------------------------------------------------------------

  shortcuts() {
    const { rules } = this;
    const list = [];
    const add = (keys, words, run, when) => list.push({ keys, words, run, when });
    const bets = () => this.betting.isOpen;
    add(["s"], "Sit down", () => this.sit(), () => this.view && !this.staff && !this.seats.length);
    DENOMINATIONS.forEach((value, n) => add([String(n + 1)], `Take the ${dollars(value)} chip`, () => this.pick(value), bets));
    for (const [name, key] of Object.entries(this.keys)) {
      add([key.toLowerCase()], `Chip on ${titleOf(rules, name)}`, () => this.spot(name), bets);
    }
    add(["u"], "Undo the last chip", () => this.betting.undo(), bets);
    add(["c"], "Take all bets back", () => this.betting.clear(), bets);
    add(["r"], "Repeat the last bets", () => this.betting.rebet(), bets);
    add(["d", "enter"], "Deal", () => this.betting.isComplete && this.ready(), bets);
    add([" "], "Deal, repeating the last bets if there are none; skip while the dealer works",
      () => (bets() ? this.again() : this.skip()), () => bets() || (this.view && this.canSkip));
    for (const [action, key] of Object.entries(this.answerKeys)) {
      if (key) add([key.toLowerCase()], actionTitle(action), () => this.act(action),
        () => this.view && this.asked && this.view.actions.some((one) => one.do === "say" && one.action === action && one.affordable !== false));
    }
    add(["e"], "At your seat: tip, change chips, call the floor, leave the round", () => this.rights(), () => Boolean(this.view?.me) && !this.staff);
    add(["w"], "More time", () => this.moreTime(), () => this.hurried > 0);
    add(["o"], "Sit this round out", () => this.sitOut(), () => bets() && !this.betting.total && this.view.actions.some((one) => one.do === "sit_out"));
    add(["g"], "Buy more chips", () => this.buy(), () => this.seats.length > 0);
    add(["l"], "Leave the table", () => this.leave(), () => this.seats.length > 0 && !this.betting.total);
    add(["k"], "Turn advice on or off", () => choose("advice", !chosen("advice")));
    add(["i"], "About a bet: what it is, its house edge, its paytable", () => this.help.open(this.place.spots.node_of(wagersByRole(rules).main[0].name)), () => this.seats.length > 0);
    add(["y"], "Invite others to this table", () => openInvite(this.table));
    add(["t"], "Rules and paytables", () => openRules(rules));
    add(["q"], "Strategy: chart and words", () => openStrategy(this.table));
    add(["h"], "Past rounds", () => location.assign(`/tables/${encodeURIComponent(this.table)}/rounds`));
    add(["?"], "List of keys", () => help(() => this.shortcuts(), SPOTS));
    return list;
  }
}

const betweenRounds = (phase) => phase === "betting" || phase === "over";

/** Is all of it in sight, above the bar? */
function isWhole(node, bar) {
  const { top, bottom, height } = node.getBoundingClientRect();
  return height > 0 && top >= 0 && bottom <= bar.getBoundingClientRect().top;
}

const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0]);

const capital = (words) => words[0].toUpperCase() + words.slice(1);

function spotKeys(rules) {
  const layout = wagersByRole(rules);
  const keys = { [layout.main[0].name]: "A" };
  layout.progressive.forEach((wager) => { keys[wager.name] = "P"; });
  layout.sides.forEach((wager, n) => { if (SIDE_KEYS[n]) keys[wager.name] = SIDE_KEYS[n].toUpperCase(); });
  return keys;
}

function welcome(page) {
  page.welcome ??= h("section.guide", {}, h("h2", {}, page.rules.title), h("p", {}, page.rules.summary),
    h("p", {}, h("a", { href: `/learn/${page.rules.rulebook}` }, "Learn it in two minutes"), ", or sit down: the table tells you what to do."),
    page.demo && !page.staff ? jobs(page.rules.rulebook) : null);
  return page.welcome;
}

/** How a round goes, for the quiet moments between rounds. */
function guide(rules) {
  const main = wagersByRole(rules).main.map((one) => one.title).join(", ");
  const steps = rules.decisions.map((d) => {
    const bets = Object.entries(d.bets).map(([said, times]) => `${times}×${d.only_with[said] ? ` (only with ${d.only_with[said]})` : ""}`).join(" or ");
    const seen = [`${d.sees_player} cards`, d.sees_community && `${d.sees_community} on the board`, d.sees_dealer && `${d.sees_dealer} of the dealer's`].filter(Boolean).join(" and ");
    const asks = [bets && `bet ${bets}`, d.takes_back && `take ${titleOf(rules, d.takes_back)} back`].filter(Boolean).join(", or ");
    return h("li", {}, `With ${seen}: ${asks}, or ${d.otherwise === "ride" ? "let it ride" : d.otherwise}. `, clauseButton(d.clause, rules));
  });
  return h("section.guide", {}, h("h3", {}, "How a round goes"),
    h("ol", {}, h("li", {}, `Bet ${main}; side bets if you like.`), steps,
      h("li", {}, rules.qualifier ? `${rules.qualifier.words.replace(/\.$/, "")}; then bets are settled.` : "Each wager has its own paytable."),
      rules.bonuses.map((one) => h("li", {}, `${one.title}: ${one.words} `, clauseButton(one.clause, rules)))),
    h("p", {}, h("a", { href: `/learn/${rules.rulebook}` }, "Guided first round")));
}

async function start() {
  dress();
  const table = document.body.dataset.table;
  const asked = Promise.all([me(), get(`/tables/${encodeURIComponent(table)}/rules`)]);
  // Nothing else is needed for these, so nobody presses them in vain while the rules are on their way.
  $("#strategy").addEventListener("click", () => openStrategy(table));
  $("#invite").addEventListener("click", () => openInvite(table));
  $("#rules").addEventListener("click", () => asked.then(([, rules]) => openRules(rules), () => {}));
  try {
    const [person, rules] = await asked;
    new TablePage(table, rules, person.role === "player" ? null : person.role, person.demo);
  } catch (problem) {
    refill($("#table"), h("p.sorry", {}, problem.message, " ", h("a", { href: "" }, "Try again"), " or go to the ", h("a", { href: "/" }, "lobby"), "."));
  }
}

start();
