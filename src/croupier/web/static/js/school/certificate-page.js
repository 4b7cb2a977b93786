// Is a certificate true? Whoever holds one brings the file or its text; it is dealt again on the server.

import { ask } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill } from "../shared/dom.js";
import { tableHead } from "../shared/tables.js";

const MOST = 150000;
const room = $("#room");
const NAMES = {
  lost_to_mistakes: "Lost to mistakes",
  lost_to_mistakes_exact: "Lost to mistakes, exactly",
  in_time: "In time",
};
const named = (name) => NAMES[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;
let latest = 0;

/** The mathematics may have to solve the game first: asked again until it is done. */
async function checked(text, isStill) {
  for (;;) {
    const answer = await ask("POST", "/certificates/check", { text });
    if (answer.status !== 202 || !isStill()) return answer.body;
    refill(room, h("p.sorry", {}, "The exam is being dealt again…"));
    await new Promise((done) => setTimeout(done, 1000));
  }
}

function heading(result) {
  if (result.verdict === "unchecked") return "It cannot be checked here";
  if (result.verdict !== "valid") return "Forged or altered";
  return result.is_ours ? "Valid" : "The exam is as it says, but this house did not sign it";
}

function show(result) {
  const good = result.verdict === "valid" && result.is_ours;
  const names = [...new Set([...Object.keys(result.said), ...Object.keys(result.score)])];
  refill(
    room,
    h(
      "section.card-box",
      { data: { verdict: result.verdict, ours: String(result.is_ours) } },
      h("h2.verdict", { data: { good: String(good) } }, heading(result)),
      h("p", {}, h("b", {}, result.person), `, ${result.title}`),
      h("p.fine", {}, `From ${result.began_at} to ${result.ended_at}`),
      result.reasons.length
        ? h(
            "ul.reasons",
            {},
            result.reasons.map((reason) => h("li", {}, reason)),
          )
        : null,
      Object.keys(result.score).length
        ? h(
            "div.scroll",
            { tabindex: 0, role: "region", "aria-label": "The score" },
            h(
              "table.people",
              {},
              tableHead(["Score", "It says", "Dealt again"]),
              h(
                "tbody",
                {},
                names.map((name) =>
                  h(
                    "tr",
                    {},
                    h("th", { scope: "row" }, named(name)),
                    h("td", {}, result.said[name] ?? "–"),
                    h("td", {}, result.score[name] ?? "–"),
                  ),
                ),
              ),
            ),
          )
        : null,
      h(
        "p.fine",
        {},
        result.is_ours
          ? "Signed with the key of this house: "
          : "Signed with this key; compare it with the one that the other house names: ",
        h("span.code", {}, result.signed_by || "none"),
      ),
    ),
  );
}

async function check() {
  const text = $("#text").value.trim();
  const mine = (latest += 1);
  const isStill = () => mine === latest;
  if (!text) return refill(room, h("p.bad", {}, "Choose the file, or paste its text."));
  if (text.length > MOST) return refill(room, h("p.bad", {}, "That is too long: no certificate has so much text."));
  refill(room, h("p.sorry", {}, "One moment…"));
  try {
    const result = await checked(text, isStill);
    if (isStill()) show(result);
  } catch (problem) {
    if (isStill()) refill(room, h("p.bad", {}, problem.message));
  }
}

$("#file").addEventListener("change", async () => {
  const file = $("#file").files[0];
  if (!file) return;
  if (file.size > MOST) return void refill(room, h("p.bad", {}, "That file is too large: it is no certificate."));
  $("#text").value = await file.text();
  await check();
});
$("#certificate").addEventListener("submit", (event) => {
  event.preventDefault();
  check();
});
dress();
