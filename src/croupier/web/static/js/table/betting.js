// Chips on spots before "no more bets". What a hand has put down shows at once; the server gets
// it a moment later, one command after the other, and has the last word.

import { command } from "../shared/api.js";
import { equalGroup, titleOf, wagerOf } from "../shared/layout.js";
import { cents, dollars, wire } from "../shared/money.js";
import { choose, chosen } from "../shared/settings.js";

const PAUSE = 140;

export class Betting {
  #undo = [];
  #timer = 0;
  /** @type {any} */ #busy = null;
  #waiting = 0;
  /** @type {any} */ #view = null;
  #agreed = new Map();

  constructor(table, rules, { onChange, onRefused }) {
    this.table = table;
    this.rules = rules;
    this.onChange = onChange;
    this.onRefused = onRefused;
    this.seat = 0;
    this.stakes = {};
    this.held = false; // while somebody sits down: the chips to bet with are not there yet
  }

  get isOpen() {
    return !this.held && this.#view?.round.phase === "betting" && this.#placeable().length > 0;
  }

  get canUndo() {
    return this.isOpen && this.#undo.length > 0;
  }

  get total() {
    return Object.values(this.stakes).reduce((sum, stake) => sum + stake, 0);
  }

  /** What the last round's bets were here. */
  get last() {
    return chosen("last")[this.table] ?? null;
  }

  get isComplete() {
    return this.rules.wagers.every((wager) => wager.role !== "required" || this.stakes[wager.name]);
  }

  #placeable() {
    return (this.#view?.actions ?? []).filter((action) => action.do === "place" && action.seat === this.seat);
  }

  /** What the server holds. Frames may lag behind its answers: then what it agreed to counts. */
  #laid(seat = this.seat) {
    const agreed = this.#agreed.get(seat);
    if (agreed?.round === this.#view?.round.number && this.#view.version < agreed.version) return agreed.stakes;
    const held = this.#view?.round.seats.find(
      (entry) => entry.number === seat && entry.player === this.#view.me?.player,
    );
    const wagers = this.#view?.round.phase === "over" ? {} : (held?.wagers ?? {});
    return Object.fromEntries(Object.entries(wagers).map(([name, amount]) => [name, cents(amount)]));
  }

  sync(view, seat) {
    const before = this.#view;
    const isNew = seat !== this.seat || before?.round.number !== view.round.number;
    const closing = before?.round.phase === "betting" && view.round.phase !== "betting";
    this.#view = view;
    this.seat = seat;
    if (isNew || closing) this.#undo = [];
    if (isNew || closing || (!this.#timer && !this.#waiting)) this.stakes = this.#laid();
    if (closing && this.total && seat === view.me?.seats[0]) {
      const placed = Object.entries(this.stakes).filter(([name]) => wagerOf(this.rules, name).role !== "decided");
      choose("last", { ...chosen("last"), [this.table]: Object.fromEntries(placed) });
    }
  }

  isEnabled(name) {
    const wager = wagerOf(this.rules, name);
    return this.isOpen && wager.role !== "decided" && wager.offered;
  }

  /** Put a chip on a spot; equal wagers grow together, fixed stakes go through their sizes. */
  add(name, amount) {
    if (this.held) return this.#no("One moment: your chips are on their way.");
    if (!this.isOpen) return this.#no("Bets are closed: this round is being played.");
    const wager = wagerOf(this.rules, name);
    if (wager.role === "decided") return this.#no(`${wager.title} is bet later, when you are asked.`);
    const missing = wager.needs.filter((need) => !this.stakes[need]);
    if (missing.length)
      return this.#no(
        `${missing.map((name) => titleOf(this.rules, name)).join(" and ")} first: ${wager.title} goes with it.`,
        wager.clause,
      );
    const wanted = { ...this.stakes };
    if (wager.stakes.length) {
      const sizes = wager.stakes.map(cents);
      const next = sizes[sizes.indexOf(wanted[name] ?? 0) + 1];
      if (next === undefined) delete wanted[name];
      else wanted[name] = next;
    } else {
      for (const equal of equalGroup(this.rules, name))
        wanted[equal] = this.#fits(equal, (this.stakes[name] ?? 0) + amount);
    }
    return this.#want(wanted);
  }

  #fits(name, amount) {
    const wager = wagerOf(this.rules, name);
    const least = wager.least ? cents(wager.least) : 1;
    const most = wager.most ? cents(wager.most) : Infinity;
    return Math.min(Math.max(amount, least), most);
  }

  remove(name) {
    if (!this.isOpen || !this.stakes[name]) return;
    const wanted = { ...this.stakes };
    for (const equal of equalGroup(this.rules, name)) delete wanted[equal];
    this.#want(wanted);
  }

  clear() {
    if (this.isOpen && this.total) this.#want({});
  }

  rebet() {
    return Boolean(this.isOpen && this.last && this.#want({ ...this.last }));
  }

  undo() {
    if (!this.canUndo) return;
    this.stakes = this.#undo.pop();
    this.#later();
  }

  /** Without what its own needs no longer hold: a side bet goes when its Ante goes. */
  #want(wanted) {
    for (const wager of [...this.rules.wagers, ...this.rules.wagers]) {
      if (wanted[wager.name] && wager.needs.some((need) => !wanted[need])) delete wanted[wager.name];
    }
    const sum = Object.values(wanted).reduce((all, stake) => all + stake, 0);
    const own = cents(this.#view.me?.rack) + Object.values(this.#laid()).reduce((all, stake) => all + stake, 0);
    if (sum > own) return this.#no(`That bet takes ${dollars(sum)}, and you have ${dollars(own)}.`, null, true);
    this.#undo.push(this.stakes);
    this.stakes = wanted;
    this.#later();
    return true;
  }

  #no(words, clause = null, isShort = false) {
    this.onRefused(words, clause, isShort);
    return false;
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), PAUSE); // before onChange: a view must not undo the chip
    this.onChange();
  }

  /** Tell the server what lies on the spots of this box now; resolves when it has agreed. */
  async flush() {
    const { seat, stakes } = this;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#waiting += 1; // until the last of them is sent, what the hand has put down counts
    while (this.#busy) await this.#busy.catch(() => {});
    this.#busy = this.#send(seat, stakes);
    try {
      await this.#busy;
      return true;
    } catch (problem) {
      this.#undo = [];
      if (seat === this.seat && this.#waiting === 1 && !this.#timer) this.stakes = this.#laid();
      this.onRefused(problem.message, problem.clause);
      return false;
    } finally {
      this.#busy = null;
      this.#waiting -= 1;
      this.onChange();
    }
  }

  async #send(seat, stakes) {
    const round = this.#view.round.number;
    const laid = this.#laid(seat);
    const away = Object.keys(laid).filter((name) => !stakes[name]);
    const placed = Object.fromEntries(
      Object.entries(stakes)
        .filter(([name, amount]) => laid[name] !== amount)
        .map(([name, amount]) => [name, wire(amount)]),
    );
    let version = 0;
    if (away.length) {
      const all = away.length === Object.keys(laid).length;
      ({ version } = await command(this.table, "take_back", { seat, wagers: all ? [] : away }, { round }));
    }
    if (Object.keys(placed).length)
      ({ version } = await command(this.table, "place_wagers", { seat, wagers: placed }, { round }));
    if (version) this.#agreed.set(seat, { version, round, stakes });
  }
}
