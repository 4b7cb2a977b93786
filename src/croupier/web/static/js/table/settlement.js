// What became of the bets: the result beside them, and the chips that move when they are settled. What is lost goes to
// the dealer, what is won comes from the dealer and goes on to the player's own chips.

import { announce } from "../shared/announce.js";
import { breakdown, chip } from "../felt/chips.js";
import { h } from "../shared/dom.js";
import { timed } from "../felt/motion.js";
import { addressed, offerReview, resultPanel } from "../felt/result.js";
import { play } from "../felt/sound.js";
import { wagersByRole } from "../shared/layout.js";
import { cents, dollars } from "../shared/money.js";
import { chosen, isStill } from "../shared/settings.js";
import { guide, welcome } from "./guide.js";

export class Settlement {
  /** @type {any} */ result = null; // of the last round, until the next one is played
  /** @type {any} */ paid = null;
  /** @type {any} */ paidOthers = null;
  /** @type {any} */ #guide = null;
  /** @type {any} */ #welcome = null;

  /** `page` is the TablePage. */
  constructor(page) {
    this.page = page;
  }

  /** Draw what stands beside the bets: a settlement, advice, or how a round goes. */
  update(view, seat) {
    const settled = view.round.seats.find(
      (entry) => entry.number === seat && entry.player === view.me?.player && entry.lines.length,
    );
    const key = settled ? `${view.round.number}-${seat}-${settled.lines.length}` : "";
    if (settled && this.result?.key !== key) {
      this.result = {
        key,
        node: resultPanel(this.page.rules, view.round, settled),
        round: view.round.number,
        isOver: false,
      };
      const net = cents(settled.net);
      this.#pay(view.round, settled, net);
      announce(
        `${net > 0 ? `You win ${dollars(net)}` : net < 0 ? `You lose ${dollars(-net)}` : "You break even"}. ${addressed(settled.story)} ${settled.lines.map((line) => addressed(line.short)).join(" ")}`,
      );
    }
    if (this.result && !this.result.isOver && (view.round.number > this.result.round || view.round.phase === "over")) {
      this.result.isOver = true;
      const { node, round } = this.result;
      const wasWhole = isWhole(node, this.page.bar.node);
      offerReview(node, this.page.table, round, chosen("advice"));
      this.page.fairness.offerCheck(node, round);
      if (wasWhole) node.scrollIntoView({ block: "nearest" }); // it has grown, and stays whole
    }
    const started =
      this.result &&
      view.round.number > this.result.round &&
      (this.page.betting.total || view.round.phase !== "betting");
    if (started) this.result = null;
    const advice = this.page.asked && chosen("advice");
    const shown = !seat
      ? (this.#welcome ??= welcome(this.page))
      : advice
        ? this.page.advice.panel(view.round, wagersByRole(this.page.rules).main[0].title)
        : (this.result?.node ?? (this.#guide ??= guide(this.page.rules)));
    if (this.page.place.aside.firstChild === shown) return;
    this.page.place.aside.replaceChildren(shown);
    if (shown === this.result?.node)
      shown.scrollIntoView({ block: "nearest", behavior: isStill() ? "auto" : "smooth" });
  }

  /** Chips move once for each wager; a progressive may be paid after the others. */
  #pay(round, { lines }, net) {
    if (this.paid?.round !== round.number) this.paid = { round: round.number, wagers: new Set() };
    const fresh = lines.filter((line) => !this.paid.wagers.has(line.wager));
    for (const line of fresh) this.paid.wagers.add(line.wager);
    const between = { house: this.#house, rack: this.page.bar.rack };
    requestAnimationFrame(() => moveChips(this.page.place.spots, fresh, between)); // when the settlement has its place, too
    play(net > 0 ? "win" : net < 0 ? "lose" : "push");
  }

  /** What the other seats win and lose moves too; not what was paid before this page came. */
  payOthers({ round, me }) {
    const before = this.paidOthers;
    this.paidOthers = {
      round: round.number,
      nets: new Map(round.seats.map((seat) => [seat.number, cents(seat.net ?? "0")])),
    };
    if (!before) return;
    const paid = before.round === round.number ? before.nets : new Map();
    for (const seat of round.seats) {
      if (seat.player === me?.player) continue;
      moveSum(
        this.paidOthers.nets.get(seat.number) - (paid.get(seat.number) ?? 0),
        this.#house,
        this.page.felt.pods[seat.number - 1].node,
      );
    }
  }

  /** Where the dealer's chips lie. */
  get #house() {
    const { dealer, community } = this.page.felt.zones;
    return (dealer ?? community).node;
  }
}

/** Is all of it in sight, above the bar? */
function isWhole(node, bar) {
  const { top, bottom, height } = node.getBoundingClientRect();
  return height > 0 && top >= 0 && bottom <= bar.getBoundingClientRect().top;
}

const AFTER = 130; // from one wager to the next, in milliseconds
const LEG = 480;
const REST = 420; // on the spot, so that everybody sees what was paid

/**
 * Where the chips of each wager go when it is settled, in the order in which they go.
 *
 * @param {{ wager: string, net: string, stake: string, result: string }[]} lines
 * @returns {{ wager: string, amount: number, way: ("spot" | "house" | "rack")[] }[]}
 */
export function payments(lines) {
  return lines
    .filter((line) => line.result !== "void")
    .map((line) => {
      const net = cents(line.net);
      const amount = net ? Math.abs(net) : cents(line.stake);
      return {
        wager: line.wager,
        amount,
        way: net < 0 ? ["spot", "house"] : net > 0 ? ["house", "spot", "rack"] : ["spot", "rack"],
      };
    });
}

/**
 * How long chips are on a way with so many stops, and at which part of the time they come to each and leave it again.
 *
 * @param {number} stops
 */
export function timeline(stops) {
  const total = LEG * (stops - 1) + REST * (stops - 2);
  const moments = Array.from({ length: stops }, (_, n) => {
    const comes = (n * LEG + Math.max(0, n - 1) * REST) / total;
    return n > 0 && n < stops - 1 ? [comes, comes + REST / total] : [comes];
  });
  return { total, moments };
}

/** `spots` are the player's; `house` and `rack` are where the chips of the two lie. */
function moveChips(spots, lines, { house, rack }) {
  if (isStill() || document.hidden) return;
  const placed = payments(lines)
    .map((payment) => ({ ...payment, disc: spots.node_of(payment.wager)?.querySelector(".disc") }))
    .filter(({ disc }) => disc);
  placed.forEach(({ amount, way, disc }, n) => {
    const nodes = { spot: disc, house, rack };
    send(
      amount,
      way.map((stop) => nodes[stop]),
      timed(AFTER * (n + 1)),
    );
  });
}

/** What another seat has won or lost in all, in one stack between the dealer and its place. */
function moveSum(net, house, place) {
  if (isStill() || document.hidden || !net) return;
  send(Math.abs(net), net < 0 ? [place, house] : [house, place], 0);
}

/** Along the middles of the nodes, resting at each on the way. */
function send(amount, nodes, delay) {
  const moving = h(
    "span.flying",
    { "aria-hidden": "true" },
    breakdown(amount)
      .slice(0, 4)
      .map((value, n) => {
        const piece = chip(value);
        piece.style.setProperty("--n", String(n));
        return piece;
      }),
  );
  document.body.append(moving);
  const places = nodes.map(middle);
  const at = ([x, y]) => `translate(${x}px, ${y}px) translate(-50%, -50%)`;
  const { total, moments } = timeline(places.length);
  const frames = moments.flatMap((offsets, n) => offsets.map((offset) => ({ transform: at(places[n]), offset })));
  moving
    .animate(frames, { duration: timed(total), delay, easing: "ease-in-out", fill: "backwards" })
    .finished.catch(() => {})
    .finally(() => moving.remove());
}

function middle(node) {
  const { left, top, width, height } = node.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}
