// What a player may do besides betting and answering: tip, change chips, get up, look at the cards, call the floor.

import { chip, DENOMINATIONS } from "./chips.js";
import { h, say } from "../shared/dom.js";
import { part } from "../shared/drawer.js";
import { clauseButton } from "../shared/hints.js";
import { decisionWords } from "../shared/layout.js";
import { cents, dollars, wire } from "../shared/money.js";
import { openSheet } from "../shared/sheets.js";

/** `page` has the view, the rules and `order(type, fields, done)`, which sends a command for this player. */
export function openRights(page) {
  const sheet = openSheet(
    "At your seat",
    [leaveRound, decks, coupon, tip, changeChips, callFloor, myPart].map((section) =>
      section(page, () => sheet.close()),
    ),
  );
  return sheet;
}

/** The player's part alone, from the button that counts it. */
export const openPart = (page) => openSheet("Your part", [myPart(page)]);

// -- chips --------------------------------------------------------------------------------------

/** How many chips of each worth: buttons that add one, and a sum that takes them all away. */
class Pile {
  #count = new Map();

  constructor(label, onChange) {
    this.label = label;
    this.onChange = onChange;
    this.told = h("output", { "aria-live": "polite" });
    this.clear = h("button.link", { type: "button", onclick: () => this.set(0) }, "none");
    this.node = h(
      "div.pile",
      { role: "group", "aria-label": label },
      h("span.pile-label", {}, label),
      h(
        "span.pile-chips",
        {},
        DENOMINATIONS.map((worth) =>
          h(
            "button.pick",
            {
              type: "button",
              "aria-label": `${label}: one ${dollars(worth)} chip`,
              data: { worth },
              onclick: () => this.#add(worth),
            },
            chip(worth),
          ),
        ),
      ),
      h("span.pile-sum", {}, this.told, " ", this.clear),
    );
    this.#tell();
  }

  get sum() {
    return [...this.#count].reduce((all, [worth, count]) => all + worth * count, 0);
  }

  /** As the server takes it: {"5.00": 3}. */
  get chips() {
    return Object.fromEntries(
      [...this.#count].filter(([, count]) => count).map(([worth, count]) => [wire(worth), count]),
    );
  }

  #add(worth) {
    this.#count.set(worth, (this.#count.get(worth) ?? 0) + 1);
    this.#tell();
    this.onChange();
  }

  /** This sum in the largest chips. */
  set(amount) {
    this.#count.clear();
    let left = amount;
    for (const worth of [...DENOMINATIONS].reverse()) {
      if (left >= worth) this.#count.set(worth, Math.floor(left / worth));
      left %= worth;
    }
    this.#tell();
    this.onChange();
  }

  #tell() {
    const parts = [...this.#count]
      .filter(([, count]) => count)
      .sort(([a], [b]) => b - a)
      .map(([worth, count]) => `${count} × ${dollars(worth)}`);
    say(this.told, parts.length ? `${parts.join(", ")} = ${dollars(this.sum)}` : "nothing yet");
    this.clear.hidden = !parts.length;
  }
}

function tip(page, close) {
  if (!page.seats.length) return null;
  const button = h(
    "button.gold",
    { type: "button", data: { name: "tip" }, onclick: () => page.order("tip", { amount: wire(pile.sum) }, close) },
    "Tip",
  );
  const check = () => {
    const most = cents(page.view.me.rack);
    button.disabled = !pile.sum || pile.sum > most;
    say(button, pile.sum > most ? `You have ${dollars(most)}` : pile.sum ? `Tip ${dollars(pile.sum)}` : "Tip");
  };
  const pile = new Pile("Tip", check);
  check();
  return h(
    "section",
    {},
    h("h3", {}, "Tip the dealer"),
    h("p.fine", {}, "From your chips into the tip box. A tip is a gift: it buys nothing."),
    pile.node,
    button,
  );
}

function changeChips(page, close) {
  if (!page.seats.length) return null;
  const order = () => page.order("colour_up", { gives: gives.chips, gets: gets.chips }, close);
  const button = h("button.gold", { type: "button", data: { name: "color-up" }, onclick: order }, "Change");
  const larger = h("button.plain", { type: "button", onclick: () => gets.set(gives.sum) }, "In the largest chips");
  const words = h("p.fine", { role: "status" });
  const check = () => {
    const most = cents(page.view.me.rack);
    const wrong = !gives.sum
      ? "Choose the chips to give."
      : gives.sum > most
        ? `You have ${dollars(most)}.`
        : gives.sum !== gets.sum
          ? `You give ${dollars(gives.sum)} and get ${dollars(gets.sum)}: it must be the same.`
          : "";
    say(words, wrong || `${dollars(gives.sum)} in other chips.`);
    button.disabled = Boolean(wrong);
    larger.disabled = !gives.sum;
  };
  const gives = new Pile("You give", check);
  const gets = new Pile("You get", check);
  check();
  return h(
    "section",
    {},
    h("h3", {}, "Change chips"),
    h("p.fine", {}, "Color up: chips for others of the same total value."),
    gives.node,
    gets.node,
    words,
    h("div.doors", {}, larger, button),
  );
}

/** A match play coupon beside one's chips, where the document knows it and the operator takes it. */
function coupon(page, close) {
  const may = page.view.actions.find((action) => action.do === "coupon" && action.seat === page.seat);
  if (!may) return null;
  const held = page.view.round.seats.find((seat) => seat.number === page.seat);
  const lay = (amount, more = {}) =>
    page.order("place_coupon", { seat: page.seat, amount: wire(amount), ...more }, close);
  const title = h("h3", {}, "Match play coupon ", clauseButton(may.clause, page.rules));
  if (held?.coupon) {
    return h(
      "section",
      {},
      title,
      h("p", {}, `A coupon of ${dollars(cents(held.coupon))} lies beside your chips.`),
      h("button.plain", { type: "button", data: { name: "coupon-back" }, onclick: () => lay(0) }, "Take it back"),
    );
  }
  const most = cents(may.most);
  const number = h("input", { type: "text", maxlength: 40, name: "number", autocomplete: "off" });
  const button = h(
    "button.gold",
    {
      type: "button",
      data: { name: "coupon" },
      onclick: () => lay(pile.sum, number.value.trim() ? { number: number.value.trim() } : {}),
    },
    "Lay the coupon",
  );
  const check = () => {
    button.disabled = !pile.sum || pile.sum > most;
    say(button, pile.sum > most ? `At most ${dollars(most)}, as your chips` : "Lay the coupon");
  };
  const pile = new Pile("Worth", check);
  check();
  return h(
    "section",
    {},
    title,
    h(
      "p.fine",
      {},
      `It lies beside your chips and is worth no more than they are: ${dollars(most)} at most. Won, it is paid once and taken.`,
    ),
    pile.node,
    h("label", {}, "Its number ", number),
    button,
  );
}

// -- the round ----------------------------------------------------------------------------------

/** What is declined is said before it is done. */
function leaveRound(page, close) {
  const { view, rules } = page;
  const mine = view.round.seats.filter((seat) => seat.player === view.me?.player && !seat.left && !seat.lines.length);
  const playing = !["betting", "over", "collecting"].includes(view.round.phase);
  if (!playing || !mine.length) return null;
  return mine.map((seat) =>
    h(
      "section",
      {},
      h("h3", {}, mine.length > 1 ? `Leave the round at seat ${seat.number}` : "Leave the round"),
      h("p", {}, "You leave now. Your bets stay and are settled without you."),
      declined(rules, view.round, seat),
      h("p.fine", {}, "You cannot undo this. Your bets are given up only if a floorperson decides so."),
      h(
        "button.plain.danger",
        {
          type: "button",
          data: { name: "leave-round" },
          onclick: () => page.order("leave_round", { seat: seat.number }, close),
        },
        "Leave the round",
      ),
    ),
  );
}

function declined(rules, round, seat) {
  const from =
    round.phase === "deciding"
      ? Math.max(
          0,
          rules.decisions.findIndex((decision) => decision.name === round.decision),
        )
      : seat.actions.length;
  const open = seat.folded ? [] : rules.decisions.slice(from).filter((decision) => !(decision.wager in seat.wagers));
  if (!open.length) return h("p", { data: { declined: "" } }, "Nothing more is asked of you in this round.");
  return h(
    "ul",
    { data: { declined: open.map((option) => option.otherwise).join(" ") } },
    open.map((option) =>
      h(
        "li",
        {},
        `Declined for you ${decisionWords(option.name)}: you ${option.otherwise}${option.otherwise === "fold" ? ", which gives up the hand" : ""}. `,
        clauseButton(option.clause, rules),
      ),
    ),
  );
}

// -- cards and people ---------------------------------------------------------------------------

function decks(page, close) {
  const views = page.view.actions.filter((action) => action.do === "view_deck");
  const ask = page.view.actions.find((action) => action.do === "ask_face_up");
  if (!views.length && !ask) return null;
  return h(
    "section",
    {},
    h("h3", {}, "The cards on the table"),
    views.map((view) => [
      h(
        "p",
        {},
        `The ${view.action} deck is spread before you. You may look it over before it is shuffled; you need not. `,
        clauseButton(view.clause, page.rules),
      ),
      h(
        "button.gold",
        {
          type: "button",
          data: { name: "view-deck" },
          onclick: () => page.order("handle_deck", { step: "view", back: view.action }, close),
        },
        "Go on",
      ),
    ]),
    ask
      ? [
          h(
            "p",
            {},
            "Nobody plays, and the cards lie spread face down. You may ask that they lie face up. ",
            clauseButton(ask.clause, page.rules),
          ),
          h(
            "button.plain",
            { type: "button", data: { name: "ask-face-up" }, onclick: () => page.order("ask_face_up", {}, close) },
            "Please turn them face up",
          ),
        ]
      : null,
  );
}

function callFloor(page, close) {
  if (!page.view.me) return null;
  const reason = h("input", {
    type: "text",
    maxlength: 300,
    required: true,
    name: "reason",
    autocomplete: "off",
    placeholder: "what should be looked at?",
  });
  const send = (event) => {
    event.preventDefault();
    page.order("call_floor", { reason: reason.value.trim() }, close);
  };
  return h(
    "section",
    {},
    h("h3", {}, "Call the floor"),
    h("p.fine", {}, "A floorperson comes to the table. The call is recorded with your name."),
    h(
      "form.reason",
      { onsubmit: send },
      h("label", {}, "Reason ", reason),
      h("button.gold", { type: "submit", data: { name: "call-floor" } }, "Call the floor"),
    ),
  );
}

/** What the document asks of a player at this moment. */
export const partNow = ({ view, rules }) => view.part.map((place) => rules.duties[place]).filter(Boolean);

const read = new Set(); // duties that this page has shown to the player in words
export const wasRead = (duty) => read.has(duty);

function myPart(page) {
  const now = partNow(page);
  for (const duty of now) read.add(duty);
  return now.length
    ? h("section", { data: { part: "now" } }, h("h3", {}, "Your part now"), part(page.rules, now))
    : null;
}

/** Is there something new here that the player should know of? */
export const wantsAttention = (view) =>
  (view.actions ?? []).some((action) => action.do === "view_deck" || action.do === "ask_face_up");
