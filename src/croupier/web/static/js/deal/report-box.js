// Something went wrong: only what can have happened now, and what follows before it is confirmed.

import { commandForm } from "../shared/command-form.js";
import { $, h, refill } from "../shared/dom.js";
import { stepDuties } from "../shared/giving.js";
import { clauseButton } from "../shared/hints.js";
import { openBox } from "../shared/sheets.js";

/** `page.work.irregularities` are those that are possible; `misdeal`: only those by which something is void. */
export function openReport(page, onDone, { misdeal = false } = {}) {
  const { work, rules } = page;
  const room = h("div");
  const box = openBox(misdeal ? "Misdeal: what happened?" : "What went wrong?", room);
  const possible = work.irregularities.filter((irregularity) => irregularity.voids || !misdeal);
  refill(
    room,
    possible.length
      ? h(
          "ul.deal-list",
          {},
          possible.map((item) =>
            h(
              "li",
              {},
              h(
                "button.plain",
                { type: "button", data: { name: `report-${item.kind}` }, onclick: () => ask(item) },
                item.label,
              ),
              clauseButton(item.clause, rules),
              h("span.fine", {}, item.words),
            ),
          ),
        )
      : h("p", {}, "No irregularity in the rules is possible at this moment. If something is wrong, call the floor."),
  );
  $("button", room)?.focus();

  function ask(item) {
    const seats = page.view.round.seats.map((seat) => [seat.number, `Seat ${seat.number}: ${seat.player}`]);
    refill(
      room,
      h("p", {}, h("b", {}, item.label), " ", clauseButton(item.clause, rules)),
      stepDuties(item.duties),
      item.needs_floor ? h("p.fine", {}, "Only a floorperson can report this: call the floor.") : null,
      commandForm(page.descriptions.report, {
        table: page.table,
        given: { kind: item.kind },
        asks: [...item.asks, "note"],
        picks: item.asks.includes("seat") ? { seat: seats } : {},
        needs: ["seat"],
        meant: page.meant,
        label: "Report it",
        looks: true,
        onDone: (done) => {
          box.close();
          onDone(done);
        },
      }),
    );
    $("input, select", room)?.focus();
  }
  return box;
}
