// Tables of figures.

import { h } from "./dom.js";

/**
 * The head of a table: a column for each title.
 *
 * @param {string[]} titles
 */
export const tableHead = (titles) =>
  h(
    "thead",
    {},
    h(
      "tr",
      {},
      titles.map((title) => h("th", { scope: "col" }, title)),
    ),
  );
