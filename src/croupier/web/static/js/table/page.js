// The player's table: live views in, commands out.

import { Advice } from "./advice.js";
import { announce, note, plain } from "../shared/announce.js";
import { comeIn, command, get, me, ready } from "../shared/api.js";
import { Bar } from "../felt/bar.js";
import { Betting } from "./betting.js";
import { openBuying } from "./buying.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill, say } from "../shared/dom.js";
import { openRules } from "../shared/drawer.js";
import { Fairness } from "../fairness/fairness.js";
import { Felt } from "../felt/felt.js";
import { cardWords } from "../felt/glyphs.js";
import { openInvite } from "./invite.js";
import { asks, help, listen } from "../shared/keys.js";
import { actionKeys, actionTitle, decisionWords, wagersByRole, titleOf } from "../shared/layout.js";
import { Live } from "../shared/live.js";
import { cents, dollars, wire } from "../shared/money.js";
import { learnNames, named } from "../shared/names.js";
import { finishMotion } from "../felt/motion.js";
import { BUY_IN, betweenRounds, moreChips, promptOf } from "./prompts.js";
import { Sending } from "./sending.js";
import { Settlement } from "./settlement.js";
import { RESERVED, SPOTS, shortcutsOf, spotKeys } from "./shortcuts.js";
import { Place } from "../felt/place.js";
import { openRights } from "../felt/rights.js";
import { choose, chosen, isStill } from "../shared/settings.js";
import { play } from "../felt/sound.js";
import { openStrategy } from "../shared/strategy-panel.js";
import { WagerHelp } from "../felt/wager-help.js";

const LEAST_RACK = 10_000;
const BEST_SEATS = [3, 4, 2, 5, 1, 6];
const QUIET = new Set(["commit_randomness", "reveal_randomness"]); // done by pages, and shown with the seal
const WIRE = { joined: "Live", lost: "Connection lost. Reconnecting…", gone: "This table has closed" };

class TablePage {
  /** @type {any} */ view = null;
  chosenSeat = 0;
  arriving = location.hash === "#sit"; // from the lobby, until the chips are there
  /** @type {any} */ #finished = null;

  constructor(table, rules, staff, demo = false) {
    this.table = table;
    this.demo = demo;
    this.staff = staff; // the role of somebody who works here and does not play
    this.rules = rules;
    this.keys = spotKeys(rules);
    this.answerKeys = actionKeys(
      rules.decisions.flatMap((decision) => decision.answers),
      RESERVED,
    );
    this.betting = new Betting(table, rules, {
      onChange: () => this.render(),
      onRefused: (words, clause, isShort) => this.refused(words, clause, isShort),
    });
    this.felt = new Felt(rules, { onSit: (seat) => this.sit(seat), onBox: (seat) => this.box(seat) });
    this.help = new WagerHelp(table, rules, (wager) => openRules(rules, wager));
    this.place = new Place(rules, {
      keys: this.keys,
      onSpot: (name, off) => this.spot(name, off),
      onHelp: (anchor) => this.help.open(anchor),
    });
    this.bar = new Bar({ onChip: (value) => this.pick(value), onMoreTime: () => this.moreTime() });
    this.advice = new Advice(table, () => this.render());
    this.settlement = new Settlement(this);
    this.sending = new Sending({
      version: () => this.view?.version ?? 0,
      look: () => this.#look(),
      onChange: () => this.render(),
      onRefused: ({ message, clause, code }) => this.refused(message, clause, code === "not_enough_money"),
    });
    $("#table").replaceChildren(this.felt.node, this.bar.node);
    this.felt.place.append(this.place.node);
    this.fairness = new Fairness(table);
    this.felt.phase.after(this.fairness.node);
    this.help.watch(this.felt.node);
    this.live = new Live(
      table,
      (frame) => this.hear(frame),
      (state, resumed) => this.wire(state, resumed),
    );
    listen(() => shortcutsOf(this), SPOTS);
    for (const change of ["chosen", "resize"]) addEventListener(change, () => this.render());
    const greet = () => this.live.greet({ pace: chosen("pace") });
    addEventListener("chosen", (/** @type {any} */ { detail }) => detail === "pace" && greet());
    greet();
    $("#keys").addEventListener("click", () => help(() => shortcutsOf(this), SPOTS));
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
    learnNames(
      view.seats.map((seat) => seat.player),
      view.round.number,
    );
    const news = happened.filter((event) => !QUIET.has(event.kind));
    if (!first) for (const event of news) announce(named(plain(event.words.join(". "))));
    const last = news.at(-1)?.words[0];
    if (last) say($("#voice"), named(plain(last)));
    if (this.asked && !this.wasAsked) play("asked");
    this.wasAsked = this.asked;
    this.bar.setClock(view.clock);
    this.render();
    this.#tellQuestion();
    if (first) this.arrive();
    this.sending.goOn();
  }

  /** Announced once for each question, with its cards; the focus moves to the answers. */
  #tellQuestion() {
    const { round, actions } = this.view;
    const question = this.asked ? `${round.number}-${round.decision}-${round.turn}` : "";
    const isNew = question && question !== this.question;
    this.question = question;
    // Who is still betting when the bets are closed has other keys all at once: C takes bets back, and checks.
    const bets = round.phase === "betting" ? `bets ${round.number}` : "";
    if (bets || question) asks(bets || question, Boolean(bets) || !this.wasBetting);
    this.wasBetting = Boolean(bets) && !round.seats.some((seat) => this.seats.includes(seat.number) && seat.ready);
    if (!isNew) return;
    const cards = round.seats.find((seat) => seat.number === round.turn)?.cards.filter(Boolean) ?? [];
    const answers = actions
      .filter((action) => action.do === "say" && action.seat === round.turn)
      .map((action) => actionTitle(action.action));
    announce(
      `${cards.length ? `Your cards: ${cards.map(cardWords).join(", ")}. ` : ""}Your turn, ${decisionWords(round.decision)}: ${answers.join(", ")}.`,
    );
    const at = document.activeElement;
    if (!at || at === document.body || at.closest(".place, .bar")) this.bar.focusAnswers();
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
  refused(words, /** @type {any} */ clause = null, isShort = false) {
    note(words, { bad: true, clause, rules: this.rules, offers: isShort ? moreChips(this) : null });
  }

  // -- what goes out --------------------------------------------------------------------------

  get busy() {
    return this.sending.busy;
  }

  tell(work, applies) {
    return this.sending.send(work, applies);
  }

  /** True where the table has gone on from what is on the screen. */
  async #look() {
    const view = await get(`/tables/${encodeURIComponent(this.table)}`).catch(() => null);
    if (!view || view.version <= this.view.version) return false;
    this.hear({ view, happened: [] });
    return true;
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
    if (!this.demo) return done; // the money is the player's own: they say how much
    return command(this.table, "buy_in", { amount: wire(BUY_IN) });
  }

  /** The seat that was asked for, or the best free one; somebody else may be quicker. */
  async #takeSeat(seat) {
    let { seats } = this.view;
    for (;;) {
      const free = seats.filter((seat) => !seat.player).map((seat) => seat.number);
      const wanted = seat || BEST_SEATS.find((number) => free.includes(number)) || free[0];
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
      if (cents(this.view.me.rack))
        await command(this.table, "cash_out", this.demo || this.view.source !== "virtual" ? {} : { account: true });
      location.assign("/");
    });
  }

  /** A command of this player's that has no better place than the sheet "At your seat". */
  order(type, fields, done = () => {}) {
    const round = this.view.round.number;
    return this.tell(async () => {
      const result = await command(this.table, type, fields, type === "leave_round" ? { round } : {});
      done();
      return result;
    });
  }

  rights() {
    if (this.view?.me && !this.staff) openRights(this);
  }

  /** Bets on the first box are sent before the second comes to the front. */
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
    return this.tell(
      async () => {
        if (!(await this.betting.flush())) return null;
        await this.fairness.committed();
        const mine = this.view.round.seats
          .filter((seat) => seat.player === this.view.me.player)
          .map((seat) => seat.number);
        let done = null;
        for (const seat of new Set([...mine, this.betting.seat])) {
          done = await ready(this.table, seat, this.view.round.number);
        }
        return done;
      },
      () => this.betting.isOpen && this.betting.isComplete,
    );
  }

  /** The same bets as in the last round, or those that lie there, and deal. */
  again() {
    const isLaid = this.betting.total > 0 || this.betting.rebet();
    return isLaid && this.betting.isComplete ? this.ready() : null;
  }

  /** Only the dealer by software is at work: on to what people are asked next. */
  get canSkip() {
    const { round, source, dealt_by: by } = this.view;
    return (
      this.seats.length > 0 &&
      source === "virtual" &&
      by === "software" &&
      !round.claim &&
      !["betting", "deciding"].includes(round.phase)
    );
  }

  skip() {
    finishMotion();
    this.live.say({ skip: true });
  }

  /** The seat for which a clock runs that can be put back. */
  get hurried() {
    if (!this.view?.clock?.extension) return 0;
    return this.view.actions.find((action) => action.do === "more_time")?.seat ?? 0;
  }

  moreTime() {
    const { hurried: seat } = this;
    const { number, decision } = this.view.round;
    if (!seat) return null;
    return this.tell(
      () => command(this.table, "more_time", { seat }, { round: number, decision }),
      () => this.hurried === seat,
    );
  }

  /** Not this round: the others need not wait. */
  sitOut() {
    const { number } = this.view.round;
    const seat = this.view.actions.find((action) => action.do === "sit_out")?.seat;
    return this.tell(
      () => ready(this.table, seat, number),
      () => this.betting.isOpen && !this.betting.total,
    );
  }

  act(action) {
    const {
      seat,
      view: {
        round: { number, decision },
      },
    } = this;
    return this.tell(
      () => command(this.table, "act", { seat, action }, { decision, round: number }),
      () =>
        this.asked && this.seat === seat && this.view.round.number === number && this.view.round.decision === decision,
    );
  }

  // -- how it stands --------------------------------------------------------------------------

  get seats() {
    return this.view?.me?.seats ?? [];
  }

  /** The position in front of me: the one that is asked, the one I chose, or my seat. */
  get seat() {
    const { round } = this.view;
    if (round.phase === "deciding" && this.seats.includes(round.turn)) return round.turn;
    const open = this.view.actions.some((action) => action.seat === this.chosenSeat);
    if (this.chosenSeat && (open || this.seats.includes(this.chosenSeat))) return this.chosenSeat;
    const playing = round.seats.find((seat) => seat.player === this.view.me?.player);
    return round.phase === "betting" ? (this.seats[0] ?? 0) : (playing?.number ?? this.seats[0] ?? 0);
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
    const plays = view.round.seats.some((seat) => seat.player === view.me?.player);
    const others = new Set(
      view.actions
        .filter((action) => plays && action.do === "place" && action.seat !== seat)
        .map((action) => action.seat),
    );
    this.felt.update(view, {
      mine: seat,
      cardsInto: seat ? this.place.cards : null,
      canSit: !this.staff && !this.seats.length && !this.busy,
      boxes: [...others],
      finished: this.finished,
    });
    this.place.node.classList.toggle("empty", !seat);
    this.place.update(view, seat, this.betting, this.finished);
    this.settlement.update(view, seat);
    this.settlement.payOthers(view);
    this.bar.update(promptOf(this));
    this.bar.setMoreTime(this.hurried ? view.clock.extension : 0);
    $("#advice").setAttribute("aria-pressed", String(chosen("advice")));
    document.body.dataset.seated = String(Boolean(seat));
    this.#bringIntoView(view.round.phase, seat);
  }

  /** On a phone: where to bet while bets are open, one's cards when asked, all cards at the end. */
  #bringIntoView(phase, seat) {
    const moment = betweenRounds(phase) && this.settlement.result ? "" : `${phase}-${seat}`;
    if (innerWidth >= 700 || !seat || !moment || moment === this.shown) return;
    this.shown = moment;
    const behavior = isStill() ? "auto" : "smooth";
    const { cards, spots } = this.place;
    if (phase === "betting" || this.asked)
      (this.asked ? cards : spots.node.parentElement)?.scrollIntoView({ block: "nearest", behavior });
    else if (phase === "settling") scrollTo({ top: 0, behavior });
  }

  // -- keys -----------------------------------------------------------------------------------
}

async function start() {
  dress();
  const table = document.body.dataset.table ?? "";
  const loading = Promise.all([me(), get(`/tables/${encodeURIComponent(table)}/rules`)]);
  // Nothing else is needed for these, so nobody presses them in vain while the rules are on their way.
  $("#strategy").addEventListener("click", () => openStrategy(table));
  $("#invite").addEventListener("click", () => openInvite(table));
  $("#rules").addEventListener("click", () =>
    loading.then(
      ([, rules]) => openRules(rules),
      () => {},
    ),
  );
  try {
    const [person, rules] = await loading;
    new TablePage(table, rules, person.role === "player" ? null : person.role, person.demo);
  } catch (problem) {
    refill(
      $("#table"),
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
