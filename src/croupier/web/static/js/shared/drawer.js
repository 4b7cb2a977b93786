// The rules in force, in a drawer: what each bet is, its paytable, meters, and every inscription.

import { h } from "./dom.js";
import { clauseButton, GLOSSARY } from "./hints.js";
import { inDollars } from "./money.js";
import { openSheet } from "./sheets.js";

/** `at`: the wager to begin with. */
export function openRules(rules, at = "") {
  const parts = [
    [
      "felt",
      "On the felt",
      h(
        "ul.inscribed",
        {},
        rules.inscriptions.map((inscription) =>
          h("li", {}, `${inscription.words} `, clauseButton(inscription.clause, rules)),
        ),
      ),
    ],
    ...rules.wagers
      .filter((wager) => wager.offered)
      .map((wager) => [
        wager.name,
        wager.title,
        clauseButton(wager.clause, rules),
        h("p", {}, wager.words, " ", limits(wager)),
        wager.paytables.map((table) => payTable(table, rules)),
      ]),
    ...rules.bonuses.map((bonus) => [
      bonus.name,
      bonus.title,
      clauseButton(bonus.clause, rules),
      h("p", {}, bonus.words),
      payTable(bonus.paytable, rules),
    ]),
    rules.envy.length
      ? ["envy", "Envy Bonus", h("p", {}, GLOSSARY["Envy Bonus"]), rules.envy.map((table) => payTable(table, rules))]
      : null,
    Object.keys(rules.meters).length ? ["meters", "Meters", h("p", {}, meters(Object.entries(rules.meters)))] : null,
    rules.duties.length ? ["part", "Your part", part(rules, rules.duties)] : null,
    [
      "words",
      "Words",
      h(
        "dl.words",
        {},
        Object.entries(GLOSSARY).map(([word, words]) => [h("dt", {}, word), h("dd", {}, words)]),
      ),
    ],
  ].filter(Boolean);
  const sections = new Map(
    parts.map(([name, title, ...inside]) => [
      name,
      h("section.wager", { tabindex: "-1", data: { part: name }, "aria-label": title }, h("h3", {}, title), inside),
    ]),
  );
  const go = (name) => {
    sections.get(name)?.scrollIntoView({ block: "start" });
    sections.get(name)?.focus({ preventScroll: true });
  };
  const sheet = openSheet(
    rules.title,
    h("p", {}, rules.summary),
    h(
      "p.fine",
      {},
      `${rules.document}. How it is dealt: ${rules.dealing.words}${rules.deck.words ? `, with the ${rules.deck.words}` : ""}.`,
      " ",
      clauseButton(rules.dealing.clause, rules),
    ),
    h(
      "nav",
      { "aria-label": "Contents" },
      h(
        "ul.rules-index",
        {},
        parts.map(([name, title]) =>
          h(
            "li",
            {},
            h(
              "a",
              {
                href: `#${name}`,
                onclick: (event) => {
                  event.preventDefault();
                  go(name);
                },
              },
              title,
            ),
          ),
        ),
      ),
    ),
    [...sections.values()],
  );
  if (at) go(at);
  return sheet;
}

const meters = (each) =>
  each.length === 1
    ? `After a win the meter starts again at ${inDollars(each[0][1])}.`
    : `After a win a meter starts again: ${each.map(([name, sum]) => `${name} at ${inDollars(sum)}`).join(", ")}.`;

/** What a player has to do and may do, with the clauses. */
export const part = (rules, duties) =>
  h(
    "ul.inscribed",
    {},
    duties.map((duty) => h("li", {}, `${duty.words} `, clauseButton(duty.clause, rules))),
  );

export function limits(wager) {
  if (wager.stakes.length) return `Exactly ${wager.stakes.map(inDollars).join(" or ")}.`;
  if (wager.least && wager.most) return `From ${inDollars(wager.least)} to ${inDollars(wager.most)}.`;
  return "";
}

export function payTable(table, rules) {
  const named = ["only", ...table.title.split(" ")].includes(table.id); // "with 3 hands" has its number in the title
  return h(
    "table.pay",
    {},
    h("caption", {}, `${table.title} pays`, named ? "" : ` (table ${table.id})`),
    h(
      "tbody",
      {},
      table.lines.map((line) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, line.words.replace(/^an? /, "")),
          h("td", {}, line.pays.replace(/% of (\w+)$/, "% of the $1 meter")),
          h("td", {}, clauseButton(line.clause, rules)),
        ),
      ),
    ),
  );
}
