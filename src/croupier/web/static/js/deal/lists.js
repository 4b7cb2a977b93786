// The lists beside the next step: what else waits, the seats, the tools for any time. `page` is the DealPage.

import { $, h, refill } from "../shared/dom.js";
import { stepDuties } from "../shared/giving.js";
import { clauseButton } from "../shared/hints.js";
import { kbd, shortcut } from "../shared/keys.js";
import { cents, inDollars } from "../shared/money.js";
import { openBox } from "../shared/sheets.js";
import { waitsFor } from "./standing.js";

/** Commands that have a better place on this page than a form in the list of all. */
const PLACED = new Set([
  "enter_cards",
  "act",
  "reveal",
  "show_dealer",
  "settle",
  "open_betting",
  "close_bets",
  "count_chips",
  "deal",
  "collect",
  "report",
  "place_wagers",
  "repeat_wagers",
  "answer_all",
  "take_back_answer",
  "replace_cards",
]);

export function drawWaiting(page) {
  const { work, step } = page;
  if (page.assessed) return; // what waits is for the dealer to say
  const shown = step ?? work.steps.find((step) => !step.mine);
  const rest = work.steps.filter(
    (step) => step !== shown && !(step.step === "enter_cards" && shown.step === step.step),
  );
  const key = JSON.stringify([rest, page.choice]);
  page.others.hidden = !rest.length;
  if (key === page.alsoShown) return;
  page.alsoShown = key;
  refill(
    page.others,
    h("h2", {}, "Also waiting"),
    h(
      "ul",
      {},
      rest.map((step) =>
        h(
          "li",
          { data: { step: step.step, mine: String(step.mine) } },
          step.mine
            ? h(
                "button.plain",
                { type: "button", data: { name: `choose-${step.step}` }, onclick: () => page.chooseStep(step) },
                step.label,
              )
            : h("span.waits", {}, `Waits for ${waitsFor(step)}`),
          h(
            "span",
            {},
            step.mine ? step.words : `${step.label}: ${step.words}`,
            " ",
            clauseButton(step.clause, page.rules),
          ),
          step.mine ? null : stepDuties(step.duties.filter((duty) => duty.role === "dealer")),
        ),
      ),
    ),
  );
}

export function drawSeats(page) {
  const { view, betsHere } = page;
  page.seats.hidden = !betsHere;
  const key = betsHere
    ? JSON.stringify([view.seats, view.round.phase, view.round.phase === "betting" ? view.round.seats : []])
    : "";
  if (!betsHere || key === page.seatsShown) return;
  page.seatsShown = key;
  refill(
    page.seats,
    h(
      "ol",
      {},
      view.seats.map((seat) => {
        const bets =
          view.round.phase === "betting"
            ? view.round.seats.find((entry) => entry.number === seat.number)?.wagers
            : null;
        const sum = bets ? Object.values(bets).reduce((all, bet) => all + cents(bet), 0) : 0;
        return h(
          "li",
          {},
          h(
            "button.plain.deal-seat",
            {
              type: "button",
              data: { name: `seat-${seat.number}`, seat: seat.number },
              "aria-keyshortcuts": shortcut(String(seat.number)),
              onclick: () => page.openSeat(seat.number),
            },
            kbd(String(seat.number)),
            h(
              "span.seat-who",
              {},
              h("b", {}, seat.player ?? "Free seat"),
              h("small", {}, seat.player ? `${inDollars(seat.rack)} in chips` : "seat a player"),
            ),
            sum
              ? h(
                  "span.seat-bets",
                  {},
                  Object.entries(bets)
                    .map(([, amount]) => inDollars(amount))
                    .join(" + "),
                )
              : null,
          ),
        );
      }),
    ),
  );
}

export function drawTools(page) {
  /** @type {any[]} */
  const tools = [
    page.betsHere && page.view.round.phase === "betting" ? ["same", "Same bets", "B", () => page.sameBets()] : null,
    page.may("call_floor") ? ["floor", "Call the floor", "O", () => page.callFloor()] : null,
    ["misdeal", "Misdeal", "", () => page.report({ misdeal: true })],
    ["report", "Something went wrong", "W", () => page.report()],
    page.may("take_back_answer") || page.may("replace_cards")
      ? ["back", "Take back", "Z", () => page.takeBack()]
      : null,
    ["all", "More", "M", () => openAll(page)],
  ].filter(Boolean);
  const key = tools.map(([name]) => name).join();
  if (key === page.toolsShown) return;
  page.toolsShown = key;
  refill(
    page.tools,
    tools.map(([name, title, letter, run]) =>
      h(
        "button.plain",
        {
          type: "button",
          data: { name: `tool-${name}` },
          "aria-keyshortcuts": letter ? shortcut(letter) : null,
          onclick: run,
        },
        title,
        letter ? kbd(letter) : null,
      ),
    ),
  );
}

/** Every other command that a dealer may give. */
export function openAll(page) {
  const list = page.work.commands
    .filter((type) => !PLACED.has(type))
    .map((type) => page.descriptions[type])
    .sort((a, b) => a.label.localeCompare(b.label));
  const box = openBox(
    "Everything else",
    h(
      "ul.deal-list",
      {},
      list.map((item) =>
        h(
          "li",
          {},
          h(
            "button.plain",
            {
              type: "button",
              data: { name: `all-${item.type}` },
              onclick: () => {
                box.close();
                page.form(item.type);
              },
            },
            item.label,
          ),
          h("span.fine", {}, item.words),
        ),
      ),
    ),
  );
  $(".deal-list button", box)?.focus();
}

/** For a person who does not deal: how to sign in as the dealer. */
export function notHere(person) {
  return h(
    "div.wide",
    {},
    h("h1", {}, "The dealer’s console"),
    h(
      "p",
      {},
      person.role
        ? `You are signed in as ${person.guest ? "a guest" : `${person.name}, ${person.role}`}: this page is for the dealer of the table. `
        : "This page is for the dealer of the table. ",
      h("a", { href: "/sign-in" }, "Sign in as a dealer"),
      ", or go ",
      h("a", { href: "/" }, "to the lobby"),
      ".",
    ),
  );
}
