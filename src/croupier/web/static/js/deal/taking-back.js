// What was mistyped: an answer is asked for again, cards are typed again. The entries before stay.

import { openCommand } from "../shared/command-form.js";
import { command } from "../shared/api.js";
import { $, h } from "../shared/dom.js";
import { actionTitle } from "../shared/layout.js";
import { openBox } from "../shared/sheets.js";
import { isPaying } from "./standing.js";

/** The last thing stands first, so that Enter takes it back. */
export function openTakeBack(page) {
  const items = [...answers(page), ...places(page)];
  const box = openBox(
    "Take back",
    items.length
      ? h(
          "ul.deal-list",
          {},
          items.map((item) =>
            h(
              "li",
              {},
              h(
                "button.plain",
                {
                  type: "button",
                  data: { name: item.name },
                  onclick: () => {
                    box.close();
                    item.run();
                  },
                },
                item.words,
              ),
            ),
          ),
        )
      : h("p", {}, "Nothing was entered in this round that could be taken back."),
  );
  $(".deal-list button", box)?.focus();
  return box;
}

function answers(page) {
  const { round } = page.view;
  if (!page.may("take_back_answer") || !["deciding", "revealing", "showdown"].includes(round.phase)) return [];
  const said = round.seats.filter((seat) => seat.actions.length).reverse();
  const before = (seat) => (round.phase === "deciding" && seat.number >= round.turn ? 1 : 0);
  return said
    .sort((a, b) => before(a) - before(b))
    .map((seat) => ({
      name: `back-${seat.number}`,
      words: `Seat ${seat.number}, ${seat.player}: not “${actionTitle(seat.actions.at(-1))}”, ask again`,
      run: () => page.tell(() => command(page.table, "take_back_answer", { seat: seat.number }, page.meant)),
    }));
}

function places(page) {
  const { round, source } = page.view;
  if (!page.may("replace_cards") || source !== "live") return [];
  const settled = round.seats.some((seat) => seat.lines.length);
  const list = settled
    ? []
    : [
        ["dealer", 0, "Your own cards", round.dealer],
        ["community", 0, "The community cards", round.community],
        ["box", 0, "The bonus cards", round.box],
      ];
  const hands =
    round.phase === "settling"
      ? round.seats
          .filter((seat) => !seat.lines.length)
          .map((seat) => ["player", seat.number, `The cards of seat ${seat.number}, ${seat.player}`, seat.cards])
      : [];
  return [
    ...hands.filter(([, seat]) => page.entered.seats.has(seat)),
    ...list.filter(([, , , cards]) => cards.some(Boolean)),
  ].map(([place, seat, words, cards]) => ({
    name: `back-${place}${seat || ""}`,
    words: `${words}: type them again`,
    run: () =>
      seat && isPaying(page.step) && page.step.seat === seat
        ? page.retype()
        : openCommand(page.descriptions.replace_cards, {
            table: page.table,
            meant: page.meant,
            label: `Correct ${words.charAt(0).toLowerCase()}${words.slice(1)}`,
            quiet: true,
            asks: ["cards"],
            given: { place, ...(seat ? { seat } : {}), cards: cards.filter(Boolean) },
            onDone: () => page.look(),
          }),
  }));
}
