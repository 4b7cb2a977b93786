// The strategy at hand: the chart of the first decision, and strategies in words with their price.

import { getPatiently } from "./api.js";
import { $, h, put } from "./dom.js";
import { actionTitle } from "./layout.js";
import { openSheet } from "./sheets.js";

/** A decision or a wager, as it is said. */
export const spoken = (name) => name.replaceAll("_", " ");
const percent = (text) => {
  const [above, below = "1"] = text.split("/");
  // Long fractions: the leading digits are enough for a percentage.
  const cut = Math.max(0, Math.max(above.length, below.length) - 300);
  const value = Number(above.slice(0, above.length - cut)) / Number(below.slice(0, below.length - cut));
  return `${(value * 100).toFixed(3)}%`;
};

export const loadStrategy = (game) => getPatiently(`/practice/${encodeURIComponent(game)}/strategy`);

function cell(chart, value) {
  if (!value.says) return h("td");
  const place = chart.actions.indexOf(value.says);
  const hue = place === chart.actions.length - 1 ? "declined" : `say-${place}`;
  const deep = Math.min(1, value.margin / 0.5);
  const share = value.share < 1 ? `, right with ${Math.round(value.share * 100)}% of these` : "";
  const words = `${value.hand}: ${actionTitle(value.says)}, worth ${value.margin.toFixed(3)} units${share}`;
  return h(
    `td.${hue}`,
    { title: words, vars: { "--deep": `${Math.round(22 + 78 * deep)}%` } },
    chart.row_names.length
      ? `${actionTitle(value.says)}${value.share < 1 ? ` ${Math.round(value.share * 100)}%` : ""}`
      : value.hand,
    h("span.unseen", {}, ` ${words}`),
  );
}

export function chartTable(chart) {
  const wide = chart.row_names.length === 0;
  const used = chart.actions.filter((action) => chart.rows.flat().some((entry) => entry.says === action));
  return [
    h(
      "ul.chart-key",
      {},
      used.map((action) => {
        const place = chart.actions.indexOf(action);
        return h(
          `li.${place === chart.actions.length - 1 ? "declined" : `say-${place}`}`,
          { vars: { "--deep": "100%" } },
          actionTitle(action),
        );
      }),
    ),
    h(
      "div.chart-room",
      {},
      h(
        `table.chart${wide ? ".hands" : ""}`,
        {},
        h("caption.unseen", {}, `What is best at ${spoken(chart.decision)}`),
        chart.column_names.some(Boolean)
          ? h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("td"),
                chart.column_names.map((name) => h("th", { scope: "col" }, name)),
              ),
            )
          : null,
        h(
          "tbody",
          {},
          chart.rows.map((row, n) =>
            h(
              "tr",
              {},
              chart.row_names.length ? h("th", { scope: "row" }, chart.row_names[n]) : null,
              row.map((value) => cell(chart, value)),
            ),
          ),
        ),
      ),
    ),
  ];
}

function inWords(value) {
  return h(
    "details",
    {},
    h("summary", {}, value.title),
    h("p.fine", {}, `House edge ${percent(value.house_edge)}, ${percent(value.cost)} more than the best play.`),
    h(
      "dl.in-words",
      {},
      value.sections.map(([decision, lines]) => [
        h("dt", {}, spoken(decision)),
        lines.map((line) => h("dd", {}, line)),
      ]),
    ),
  );
}

/** `card`: where the same is as a PDF. */
export function strategyParts(strategy, card) {
  return [
    h("p.fine", {}, `The best play leaves the house ${percent(strategy.house_edge)} of one required wager.`),
    strategy.chart
      ? [h("h3", {}, `First decision: ${spoken(strategy.chart.decision)}`), chartTable(strategy.chart)]
      : null,
    strategy.in_words.map(inWords),
    h(
      "p",
      {},
      h("a.plain", { href: `/api/v1${card}`, download: `${strategy.game}-strategy.pdf` }, "Card to print (PDF)"),
    ),
  ];
}

/** Beside the table: the same in a sheet, by the rules that are in force there. */
export async function openStrategy(table) {
  const room = h(
    "div.strategy-room",
    {},
    h("p", {}, "Working out the best play. The first time it may take a minute."),
  );
  openSheet("Strategy", room);
  try {
    const base = `/practice/tables/${encodeURIComponent(table)}`;
    const strategy = await getPatiently(`${base}/strategy`);
    room.replaceChildren();
    const practice = $("#strategy")?.dataset.practice;
    put(room, [
      strategyParts(strategy, `${base}/card.pdf`),
      practice ? h("p", {}, h("a", { href: practice }, "Practice this game"), ": every decision priced.") : null,
    ]);
  } catch (problem) {
    room.replaceChildren(h("p.bad", {}, problem.message));
  }
}
