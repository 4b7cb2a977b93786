// A progressive that waits for a floorperson: the hand and everything that is checked before it is paid.

import { still } from "../felt/cards.js";
import { h } from "../shared/dom.js";
import { stepDuties } from "../shared/giving.js";
import { inWords } from "../shared/layout.js";
import { cents, meter, inDollars } from "../shared/money.js";
import { dateTime, waited } from "../shared/waiting.js";

/** `row` is a table as GET /floor gives it, `view` the table as the floor sees it. */
export function claimCard(row, view, giving) {
  const claim = row.claim;
  const held = view?.round.seats.find((seat) => seat.number === claim.seat);
  const since = row.waits.find((wait) => wait.step === "validate")?.since ?? claim.at;
  const facts = [
    ["Hand", `${inWords(claim.hand)}, pays ${claim.pays}`],
    ["Amount", meter(cents(claim.amount))],
    ["Meter", claim.meter ? `${claim.meter}: ${meter(cents(claim.reading))}` : "No meter: a fixed amount"],
    ["Light", claim.light ? "on: the wager was accepted" : "off: no wager was accepted"],
    ["Wager", inDollars(claim.stake)],
    ["Dealt by", claim.dealt_by || "–"],
    ["Journal", `entry ${claim.entry}, ${dateTime(claim.at)}`],
    ["Clause", claim.clause],
  ];
  const meant = { round: row.round };
  return h(
    "section.card-box.urgent.claim",
    { "aria-label": `Progressive at table ${row.id}`, id: `claim-${row.id}` },
    h("header", {}, h("h3", {}, `${row.title}, table ${row.id}: seat ${claim.seat}, ${claim.player}`), waited(since)),
    held
      ? h(
          "div.evidence",
          {},
          hand(`Seat ${claim.seat}`, held.cards),
          hand("Board", view.round.community),
          hand("Dealer", view.round.dealer),
        )
      : null,
    h(
      "dl.facts",
      {},
      facts.map(([name, value]) =>
        h("div", {}, h("dt", {}, name), h("dd", { data: { fact: name.toLowerCase() } }, value)),
      ),
    ),
    stepDuties(row.duties.validate ?? []),
    giving.can("validate_progressive")
      ? h(
          "div.doors",
          {},
          h(
            "button.gold",
            {
              type: "button",
              data: { name: `validate-${row.id}` },
              onclick: () =>
                giving.open("validate_progressive", { given: { seat: claim.seat }, meant, label: "Validate" }),
            },
            "Validate…",
          ),
          h(
            "button.plain",
            {
              type: "button",
              data: { name: `deny-${row.id}` },
              onclick: () => giving.open("refuse_progressive", denial(claim, meant)),
            },
            "Deny…",
          ),
        )
      : h("p.fine", {}, "A floorperson decides this."),
  );
}

/** The reason is picked from a list, since what follows depends on it; words may be added. */
function denial(claim, meant) {
  const fields = claim.light ? { seat: claim.seat } : { seat: claim.seat, ground: "light_off" };
  const grounds = claim.denials.map((denial) => [denial.ground, denial.words]);
  return {
    given: fields,
    asks: ["ground", "reason"],
    needs: ["ground"],
    picks: { ground: grounds },
    meant,
    label: "Deny",
  };
}

export function hand(title, cards) {
  if (!cards?.length) return null;
  return h(
    "div.hand",
    {},
    h("span.fine", {}, title),
    h(
      "div.hand-cards",
      {},
      cards.map((card) => still(card, true)),
    ),
  );
}
