// The games that can be practiced, and the standing in each.

import { comeIn, get } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill, say } from "../shared/dom.js";

function card(game) {
  const stands = game.decisions
    ? `${game.decisions.toLocaleString("en-US")} decision${game.decisions === 1 ? "" : "s"}, ${game.accuracy}% right`
    : "Not played yet";
  const path = `/practice/${encodeURIComponent(game.game)}`;
  return h(
    "li.practice-game",
    { data: { game: game.game } },
    h("div.cloth", {}, h("h2", {}, game.title), h("p.where", {}, game.jurisdiction)),
    h("p", {}, stands, game.due ? h("b.due", {}, `${game.due} leak${game.due === 1 ? "" : "s"} due`) : null),
    h(
      "div.doors",
      {},
      h("a.gold", { href: path }, "Practice"),
      h("a.plain", { href: `${path}#daily` }, "Daily hand"),
      h("a.plain", { href: `${path}#exam` }, "Exam"),
    ),
  );
}

async function start() {
  dress();
  try {
    await comeIn();
    const { games } = await get("/practice");
    refill($("#games"), games.map(card));
  } catch (problem) {
    refill($("#games"));
    say($("#state"), problem.message);
  }
}

start();
