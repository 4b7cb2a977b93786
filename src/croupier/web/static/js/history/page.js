// The table's past: a list of rounds, and any of them again on the same felt, step by step.

import { announce, plain } from "../shared/announce.js";
import { get, getPatiently } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $$, $, h, refill, say } from "../shared/dom.js";
import { checkButton } from "../fairness/fairness.js";
import { tip } from "../shared/hints.js";
import { listen } from "../shared/keys.js";
import { Live } from "../shared/live.js";
import { cents, signed } from "../shared/money.js";
import { Replay } from "../felt/replay.js";
import { reviewed } from "../felt/result.js";

const table = document.body.dataset.table ?? "";
const base = `/tables/${encodeURIComponent(table)}`;
const time = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

class HistoryPage {
  /** @type {any} */ replay = null;
  #newest = 0;
  #asking = false;

  constructor(rules) {
    this.rules = rules;
    addEventListener("hashchange", () => this.open());
    listen(() => [
      { keys: ["arrowright"], words: "A step on", run: () => this.replay?.step(1) },
      { keys: ["arrowleft"], words: "A step back", run: () => this.replay?.step(-1) },
      { keys: [" "], words: "Play or pause", run: () => this.replay?.toggle() },
    ]);
  }

  async list(before = null) {
    const page = await get(`${base}/rounds?limit=20${before ? `&before=${before}` : ""}`);
    const room = $("#rounds");
    if (!before) room.replaceChildren();
    if (!page.rounds.length && !before) {
      refill(
        room,
        h(
          "li.sorry",
          {},
          "No round has been finished here yet. ",
          h("a", { href: `${base}#sit` }, "Sit down and play the first."),
        ),
      );
    }
    for (const round of page.rounds) room.append(entry(round));
    this.#newest = Math.max(this.#newest, page.rounds[0]?.number ?? 0);
    const more = $("#more");
    more.hidden = !page.before;
    more.onclick = () => this.list(page.before);
    return page.rounds;
  }

  /** A round that ends while the page is open joins the list; the one being watched stays. */
  hear({ view: { round } }) {
    const over = round.phase === "over";
    const last = over ? round.number : round.number - 1;
    say(
      $("#now"),
      over || round.phase === "betting"
        ? ""
        : `Round ${round.number} is being played. It appears here when it is over.`,
    );
    if (last > this.#newest) this.#fetch(last);
  }

  async #fetch(last) {
    if (this.#asking) return;
    this.#asking = true;
    try {
      const { rounds } = await get(`${base}/rounds?limit=20`);
      const fresh = rounds.filter((round) => round.number > this.#newest);
      if (!this.#newest && fresh.length) $("#rounds").replaceChildren();
      $("#rounds").prepend(...fresh.map((round) => entry(round, true)));
      this.#newest = Math.max(this.#newest, ...fresh.map((round) => round.number));
      if (fresh.length) announce(`Round ${this.#newest} is over and in the list.`);
      if (fresh.length && !this.replay) location.replace(`#${this.#newest}`);
    } catch {
      // The next frame asks again.
    } finally {
      this.#asking = false;
    }
    if (last > this.#newest) setTimeout(() => this.#fetch(last), 1000);
  }

  async open() {
    const chosen = () => Number(location.hash.slice(1));
    const number = chosen();
    if (!number) return;
    this.replay?.stop();
    for (const link of $$("#rounds a")) link.toggleAttribute("aria-current", link.hash === `#${number}`);
    try {
      const story = await get(`${base}/rounds/${number}`);
      if (chosen() !== number) return; // another round was chosen meanwhile
      this.replay = new Replay(this.rules, story);
      const list = h(
        "ol.told-list",
        {},
        story.told.map((moment, n) =>
          h(
            "li",
            { data: { at: n } },
            h(
              "button.link-plain",
              { type: "button", onclick: () => this.replay.step(n - this.replay.at) },
              moment.words.map(plain).join(" "),
            ),
          ),
        ),
      );
      const review = h("div.review-room");
      refill(
        $("#replay"),
        h("h2", {}, `Round ${number}`),
        this.replay.node,
        review,
        h("details", {}, h("summary", {}, "Step by step in words"), list),
        h("details", {}, h("summary", {}, "The deck and its seal"), seal(story)),
      );
      this.replay.go(0);
      this.#review(number, review);
    } catch (problem) {
      if (chosen() === number) refill($("#replay"), h("p.sorry", {}, problem.message));
    }
  }

  async #review(number, room) {
    const held = this.replay.told.views.at(-1);
    if (!held.round.seats.some((seat) => seat.player === held.me?.player)) return;
    refill(room, h("p", { role: "status" }, "Calculating…"));
    try {
      refill(room, h("h3", {}, "How well you played"), reviewed(await getPatiently(`${base}/rounds/${number}/review`)));
    } catch (problem) {
      refill(room, h("p", {}, problem.message));
    }
  }
}

function seal(story) {
  const { deal } = story;
  if (!deal) return h("p", {}, "The cards of this round were shuffled by hand.");
  const facts = [
    ["Seal", deal.seal],
    ["Salt", deal.salt],
    ["Sealed order", deal.order.join(" ")],
    ...deal.added.map((entry) => [`${entry.player} added`, entry.value || `not revealed: ${entry.commitment}`]),
  ];
  return h(
    "div.seal-told",
    {},
    h(
      "p",
      {},
      "Before the first bet the deck was ",
      tip("Sealed", "sealed"),
      ": everybody was given the seal, a fingerprint of its order.",
    ),
    checkButton("Check this deal", story.table, async () => story),
    h(
      "dl.facts",
      {},
      facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd.code", {}, value))),
    ),
    h(
      "p",
      {},
      h(
        "a",
        { href: `/api/v1${base}/rounds/${story.number}`, download: `${story.table}-round-${story.number}.json` },
        "Save this round",
      ),
      " to check it without this site.",
    ),
  );
}

function entry(round, isNew = false) {
  const net = round.net_of_me === null ? "" : signed(cents(round.net_of_me));
  const hands = [...new Set(round.hands)]
    .slice(0, 3)
    .map((hand) => hand.replaceAll("_", " "))
    .join(", ");
  return h(
    isNew ? "li.new" : "li",
    {},
    h(
      "a",
      { href: `#${round.number}` },
      h("b", {}, `Round ${round.number}`),
      h("span", {}, round.void ? "void" : hands || "no hand shown"),
      h("time", { datetime: round.ended }, round.ended ? time.format(new Date(round.ended)) : ""),
      h("span.net", { data: { sign: net.startsWith("+") ? "plus" : net.startsWith("−") ? "minus" : "" } }, net),
    ),
  );
}

async function start() {
  dress();
  try {
    const page = new HistoryPage(await get(`${base}/rules`));
    const rounds = await page.list();
    if (location.hash.slice(1)) await page.open();
    else if (rounds.length) location.replace(`#${rounds[0].number}`);
    new Live(
      table,
      (frame) => page.hear(frame),
      () => {},
    );
  } catch (problem) {
    refill($("#rounds"), h("li.sorry", {}, `${problem.message} `, h("a", { href: "/" }, "Back to the lobby")));
  }
}

start();
