// The felt: the dealer's side, the board, what is written on the cloth, and the positions on an arc.
// It draws a view and knows nothing of where views come from, so the live table, the replay and
// the lesson share it.

import { h, refill, s, say } from "../shared/dom.js";
import { clothLines, inWords, roundState } from "../shared/layout.js";
import { cents, dollars, meter, signed } from "../shared/money.js";
import { CardLayer, Ticker } from "./motion.js";
import { nameOf } from "../shared/names.js";
import { Spots } from "./spots.js";

export class Felt {
  /** `onSit(seat)` where a seat is free, `onBox(seat)` to play a second position. */
  constructor(rules, /** @type {any} */ { onSit = null, onBox = null } = {}) {
    this.rules = rules;
    this.onSit = onSit;
    this.onBox = onBox;
    this.shoe = h("div.shoe", { "aria-hidden": "true" });
    this.rack = h("div.discards", { "aria-hidden": "true" });
    this.zones = {};
    if (rules.cards.community || !rules.cards.dealer)
      this.zones.community = zone("Community cards", rules.cards.community);
    if (rules.cards.dealer) this.zones.dealer = zone("Dealer", rules.cards.dealer);
    const sixth = rules.wagers.some((wager) => wager.name === "six_card_bonus" && wager.offered);
    if (rules.cards.box && sixth) this.zones.box = zone("Bonus cards", rules.cards.box);
    this.meters = new Map();
    this.meterBoard = h("dl.meters", { "aria-label": "Progressive meters" });
    this.odds = h("div.round-odds");
    this.phase = h("p.phase");
    this.pods = Array.from({ length: rules.positions }, (_, n) => this.#pod(n + 1));
    this.place = h("div.place-slot");
    this.layer = new CardLayer(this.shoe, this.rack);
    this.node = h(
      "section.felt",
      { "aria-label": `${rules.title} table`, data: { game: rules.rulebook } },
      h(
        "div.house",
        {},
        h("div.left", {}, this.rack, this.meterBoard, this.odds),
        h(
          "div.zones",
          {},
          [this.zones.dealer, this.zones.community, this.zones.box].map((zone) => zone?.node),
        ),
        h("div.right", {}, this.phase, this.shoe),
      ),
      inscriptions(rules),
      h(
        "ol.pods",
        { "aria-label": "Positions, seat 1 at the dealer's left", data: { many: String(rules.cards.player > 3) } },
        this.pods.map((pod) => pod.node),
      ),
      this.place,
    );
  }

  #pod(number) {
    const pod = {
      number,
      cards: h("div.pod-cards"),
      name: h("span.pod-name"),
      state: h("span.pod-state"),
      rack: h("span.pod-rack"),
      bet: h("span.pod-bet"),
      button: h("span.pod-button"),
      spots: new Spots(this.rules),
    };
    pod.node = h(
      "li.pod",
      {
        data: { seat: number, arc: onArc(number, this.rules.positions) },
        vars: { "--seat": number, "--held": Math.max(2, this.rules.cards.player) },
      },
      h("div.pod-top", {}, pod.spots.node, pod.cards),
      h(
        "div.pod-plate",
        {},
        h("span.pod-number", { "aria-hidden": "true" }, String(number)),
        h("span.pod-who", {}, pod.name, h("span.pod-how", {}, pod.rack, pod.bet, pod.state)),
        pod.button,
      ),
    );
    return pod;
  }

  /** `mine`: the seat whose cards lie large in `cardsInto`, with the place below the arc. `finished`: the round before,
      whose cards lie there until the next are dealt. */
  update(view, /** @type {any} */ { mine = 0, cardsInto = null, canSit = false, boxes = [], finished = null } = {}) {
    const round = view.round;
    this.node.dataset.phase = round.phase;
    say(this.phase, roundState(round.number, round.phase, round.void && round.seats.length));
    this.#meters(view.meters);
    for (const pod of this.pods) this.#fill(pod, view, { mine, canSit, boxes });
    this.#labels(finished ?? round, Boolean(finished));
    this.#odds((finished ?? round).odds ?? []);
    this.layer.update(finished || round.phase !== "over" ? this.#wanted(finished ?? round, mine, cardsInto) : []);
  }

  #meters(values) {
    for (const [name, value] of Object.entries(values)) {
      if (!this.meters.has(name)) {
        const shown = h("dd");
        const label = name === "main" ? "Progressive" : name[0].toUpperCase() + name.slice(1);
        this.meterBoard.append(h("div.meter", { data: { meter: name } }, h("dt", {}, label), shown));
        this.meters.set(name, new Ticker(shown, meter));
      }
      this.meters.get(name).set(cents(value));
    }
  }

  /** 12(e) of ma-uth: odds that follow from the number of hands, those of this round. */
  #odds(odds) {
    const key = JSON.stringify(odds.map((item) => [item.wager, item.hands]));
    if (this.odds.dataset.key === key) return;
    this.odds.dataset.key = key;
    refill(
      this.odds,
      odds.map((item) =>
        h(
          "dl",
          { "aria-label": `${item.title} with ${item.hands} hands`, data: { wager: item.wager } },
          h("div.of", {}, `${item.title}, ${item.hands} hands`),
          item.lines.map(([hand, pays]) => h("div", {}, h("dt", {}, hand), h("dd", {}, pays))),
        ),
      ),
    );
  }

  #fill(pod, view, { mine, canSit, boxes }) {
    const { number } = pod;
    const sitting = view.seats.find((seat) => seat.number === number);
    const playing = view.round.seats.find((seat) => seat.number === number);
    const who = playing?.player ?? sitting?.player;
    const own = view.me && who === view.me.player;
    pod.node.classList.toggle("mine", number === mine);
    pod.node.classList.toggle("own", Boolean(own));
    pod.node.classList.toggle("free", !who);
    pod.node.classList.toggle("turn", view.round.phase === "deciding" && view.round.turn === number);
    pod.node.classList.toggle("folded", Boolean(playing?.folded));
    say(pod.name, who ? (own ? "You" : nameOf(who)) : "Free seat");
    if (pod.name.title !== (who ?? "")) pod.name.title = who ?? "";
    say(pod.rack, sitting?.player && sitting.rack ? dollars(cents(sitting.rack)) : "");
    const state = podState(view.round, playing, sitting);
    pod.node.classList.toggle("away", Boolean(sitting?.away));
    say(pod.state, state.words);
    pod.state.dataset.kind = state.kind;
    const over = view.round.phase === "over";
    const stakes =
      playing && !over ? Object.fromEntries(Object.entries(playing.wagers).map(([k, v]) => [k, cents(v)])) : {};
    const laid = Object.values(stakes).reduce((sum, stake) => sum + stake, 0);
    say(pod.bet, laid && !playing.lines.length ? `${dollars(laid)} bet` : "");
    pod.spots.update(stakes, { lines: over ? [] : (playing?.lines ?? []) });
    const wants = !who && canSit ? "sit" : boxes.includes(number) ? "box" : "";
    if (pod.wants !== wants) {
      pod.wants = wants;
      const run = wants === "sit" ? this.onSit : this.onBox;
      refill(
        pod.button,
        wants
          ? h(
              "button.quiet",
              {
                type: "button",
                data: { name: `sit-${number}` },
                "aria-label": wants === "sit" ? `Sit at seat ${number}` : `Play the box at seat ${number} too`,
                onclick: () => run(number),
              },
              wants === "sit" ? "Sit here" : "Play too",
            )
          : null,
      );
    }
  }

  #labels(round, finished) {
    const over = round.phase === "over" && !finished;
    if (this.zones.dealer) {
      const verdict =
        round.qualifies === null || round.qualifies === undefined
          ? ""
          : round.qualifies
            ? " · qualifies"
            : " · does not qualify";
      say(this.zones.dealer.told, !over && round.dealer_hand ? inWords(round.dealer_hand) + verdict : "");
      this.zones.dealer.node.dataset.qualifies = over ? "" : String(round.qualifies ?? "");
    }
  }

  #wanted(round, mine, cardsInto) {
    const wanted = [];
    const small = this.node.clientWidth < 44 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const won = round.seats.find((seat) => seat.number === mine)?.winning ?? [];
    const fate = (card) => (won.length ? (won.includes(card) ? "winning" : "beaten") : "");
    const put = (place, cards, into, mini, fated = true) =>
      cards.forEach((card, n) =>
        wanted.push({ key: `${round.number}-${place}-${n}`, into, card, mini, fate: fated ? fate(card) : "" }),
      );
    for (const seat of round.seats) {
      const here = seat.number === mine && cardsInto;
      put(`seat-${seat.number}`, seat.cards, here ? cardsInto : this.pods[seat.number - 1].cards, !here, Boolean(here));
    }
    put("dealer", round.dealer, this.zones.dealer?.cards ?? this.zones.community.cards, small);
    if (this.zones.community) put("community", round.community, this.zones.community.cards, small);
    if (this.zones.box) put("box", round.box, this.zones.box.cards, true, false);
    return wanted;
  }
}

/** How far from the middle of the arc a position stands. */
function onArc(number, positions) {
  const away = Math.abs(number - (positions + 1) / 2) / Math.max(1, (positions - 1) / 2);
  return away > 0.8 ? "edge" : away > 0.4 ? "near" : "middle";
}

function zone(label, places) {
  const cards = h("div.zone-cards", { vars: { "--places": places } });
  const caption = h("span.zone-told");
  const node = h(
    "div.zone",
    { role: "group", "aria-label": label, data: { zone: label.split(" ")[0].toLowerCase() } },
    h("span.zone-label", { "aria-hidden": "true" }, label),
    cards,
    caption,
  );
  return { node, cards, told: caption };
}

function podState(round, playing, sitting) {
  const number = sitting?.number;
  const away = { words: "Away", kind: "quiet" };
  if (!playing || round.phase === "over") return sitting?.away ? away : { words: "", kind: "" };
  if (playing.lines.length) {
    const net = cents(playing.net);
    return { words: signed(net), kind: net > 0 ? "win" : net < 0 ? "lose" : "push" };
  }
  if (round.claim?.seat === number) return { words: "Progressive!", kind: "win" };
  if (playing.folded) return { words: "Folded", kind: "quiet" };
  if (sitting?.away) return away;
  if (round.phase === "deciding" && round.turn === number) return { words: "To act", kind: "turn" };
  if (round.phase === "betting") return { words: playing.ready ? "Ready" : "", kind: "quiet" };
  const last = playing.actions.at(-1);
  return {
    words: last ? (/^\d+x$/.test(last) ? last.replace("x", "×") : last.replaceAll("_", " ")) : "",
    kind: "quiet",
  };
}

/** Long words are printed smaller, so that the bow holds them. */
const bowSize = (words, n) => (n ? 17 : 21) * Math.min(1, (n ? 100 : 72) / Math.max(1, words.length));
const LEAST_ON_BOW = 15.5; // smaller could not be read on a screen of 1280

/** On a bow, as printed on cloth; on a small screen, and where there is much to say, it runs flat. */
function inscriptions(rules) {
  const lines = clothLines(rules);
  const isLong = lines.some((words, n) => bowSize(words, n) < LEAST_ON_BOW);
  return h(
    `div.inscriptions${isLong ? ".long" : ""}`,
    {},
    s(
      "svg.bow",
      { viewBox: "0 0 1000 118", "aria-hidden": "true" },
      s("path.thread", { d: "M0 37Q500 71 1000 37" }),
      lines.map((words, n) => [
        s("path", { id: `bow-${n}`, d: `M0 ${28 + n * 26}Q500 ${62 + n * 26} 1000 ${28 + n * 26}`, fill: "none" }),
        s(
          `text.${n ? "minor" : "major"}`,
          { "text-anchor": "middle", vars: { "--size": `${bowSize(words, n)}px` } },
          s("textPath", { href: `#bow-${n}`, startOffset: "50%" }, words),
        ),
      ]),
    ),
    h(
      "ul.flat",
      {},
      lines.map((words) => h("li", {}, words)),
    ),
  );
}
