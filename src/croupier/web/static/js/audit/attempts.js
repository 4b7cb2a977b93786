// What was refused: who tried what, why not, and how often.

import { get } from "../shared/api.js";
import { openEntry, time } from "./journal.js";
import { h } from "../shared/dom.js";

export async function attemptsRoom() {
  const { attempts, left_out: left } = await get("/audit/attempts");
  const rows = attempts.map((attempt) =>
    h(
      "tr",
      {},
      h("td", {}, attempt.name, h("small", {}, attempt.role)),
      h("td", {}, h("b", {}, attempt.label), h("small", {}, `table ${attempt.table}`)),
      h("td", {}, attempt.message, attempt.clause ? h("span.clause-id", {}, ` ${attempt.clause}`) : null),
      h("td.numbers", {}, `${attempt.times.toLocaleString()}×`),
      h("td", {}, time(attempt.last), attempt.times > 1 ? h("small", {}, "first ", time(attempt.first)) : null),
      h(
        "td",
        {},
        h(
          "button.plain.small",
          {
            type: "button",
            "aria-label": `Open the last attempt of ${attempt.name} at ${attempt.label}`,
            onclick: () => openEntry(`attempts:${attempt.table}`, attempt.version),
          },
          "Open",
        ),
      ),
    ),
  );
  return {
    node: h(
      "div.audit-room",
      {},
      h(
        "p.fine",
        {},
        attempts.length
          ? "Latest first. Repeated refusals to the same person are counted."
          : "Nothing has been refused yet.",
        left ? ` ${left.toLocaleString()} older ones are in the journal.` : "",
      ),
      attempts.length
        ? h(
            "div.scroll",
            { tabindex: 0, role: "region", "aria-label": "Refused attempts" },
            h(
              "table.audit-table",
              {},
              h(
                "thead",
                {},
                h(
                  "tr",
                  {},
                  ["Who", "What", "Why not", "How often", "Last", "Entry"].map((words) =>
                    h("th", { scope: "col" }, words),
                  ),
                ),
              ),
              h("tbody", {}, rows),
            ),
          )
        : null,
    ),
  };
}
