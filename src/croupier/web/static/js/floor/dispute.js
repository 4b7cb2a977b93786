// A dispute: find the round, lay it out again, and put right what was wrong, with a reason.

import { plain } from "../shared/announce.js";
import { get, pickLists } from "../shared/api.js";
import { $, h, refill, suggestions } from "../shared/dom.js";
import { inWords, titleOf } from "../shared/layout.js";
import { cents, signed, inDollars } from "../shared/money.js";
import { Replay, laidOut } from "../felt/replay.js";
import { clockTime, dateTime } from "../shared/waiting.js";
import { tableHead } from "../shared/tables.js";

export class Dispute {
  /** @type {any} */ replay = null;

  constructor(table, rules, giving) {
    this.table = table;
    this.rules = rules;
    this.giving = giving;
    this.base = `/tables/${encodeURIComponent(table)}`;
    this.number = h("input", { type: "number", min: 1, id: "find-number", inputmode: "numeric" });
    this.player = h("input", {
      type: "text",
      id: "find-player",
      autocomplete: "off",
      maxlength: 60,
      list: "find-players",
      onfocus: () => this.#suggest(),
    });
    this.players = suggestions("find-players", []);
    this.since = h("input", { type: "datetime-local", id: "find-since" });
    this.until = h("input", { type: "datetime-local", id: "find-until" });
    this.found = h("ol.found", { "aria-label": "Rounds found" });
    this.shown = h("div.dispute-round");
    this.node = h(
      "div.dispute",
      {},
      h(
        "form.find",
        { onsubmit: (event) => this.find(event), "aria-label": "Find a round" },
        field("Round", this.number),
        field("Player", this.player),
        this.players,
        field("From", this.since),
        field("To", this.until),
        h("button.plain", { type: "submit", data: { name: "find-round" } }, "Find"),
      ),
      this.found,
      this.shown,
    );
  }

  /** Who sits here, and who played in the last rounds. */
  async #suggest() {
    const [picks, { rounds }] = await Promise.all([pickLists(this.table), get(`${this.base}/rounds?limit=100`)]).catch(
      () => [{}, { rounds: [] }],
    );
    const names = suggestions("find-players", [
      ...(picks.players ?? []).map((player) => player.value),
      ...rounds.flatMap((round) => round.players),
    ]);
    this.players.replaceChildren(...names.children);
  }

  async find(event) {
    event.preventDefault();
    const number = Number(this.number.value);
    if (number) return this.open(number);
    const query = Object.entries({
      player: this.player.value.trim(),
      since: iso(this.since.value),
      until: iso(this.until.value),
    }).filter(([, value]) => value);
    try {
      const { rounds } = await get(`${this.base}/rounds?${new URLSearchParams([["limit", "30"], ...query])}`);
      refill(
        this.found,
        rounds.length
          ? rounds.map((round) =>
              h(
                "li",
                {},
                h(
                  "button.link-plain",
                  { type: "button", data: { name: `round-${round.number}` }, onclick: () => this.open(round.number) },
                  `Round ${round.number}, ${clockTime(round.ended)}: ${round.players.join(", ")}${round.void ? " (void)" : ""}`,
                ),
              ),
            )
          : h("li.fine", {}, "No rounds found. Clear a field to widen the search."),
      );
    } catch (problem) {
      refill(this.found, h("li.bad", {}, problem.message));
    }
    return undefined;
  }

  async open(number) {
    this.replay?.stop();
    try {
      const round = await get(`${this.base}/rounds/${number}`);
      this.replay = new Replay(this.rules, round);
      const last = round.views.at(-1).round;
      refill(
        this.shown,
        h("h3", { tabindex: "-1" }, `Round ${number}`),
        this.replay.node,
        laidOut(round.hands),
        h(
          "details",
          {},
          h("summary", {}, "Step by step, with who did it"),
          h(
            "ol.told-list",
            {},
            round.told.map((sentence, n) =>
              h(
                "li",
                { data: { at: n } },
                h(
                  "button.link-plain",
                  { type: "button", onclick: () => this.replay.step(n - this.replay.at) },
                  sentence.words.map(plain).join(" "),
                ),
                h("small.fine", {}, ` ${sentence.by}, entry ${sentence.version}, ${dateTime(sentence.at)}`),
              ),
            ),
          ),
        ),
        lines(number, last, this.rules, this.giving, () => this.open(number)),
        round.corrections.length
          ? h(
              "div",
              {},
              h("h4", {}, "Decided afterwards"),
              h(
                "ul.corrections",
                {},
                round.corrections.map((correction) =>
                  h(
                    "li",
                    {},
                    `${correction.words.map(plain).join(" ")} (${correction.by}, entry ${correction.version})`,
                  ),
                ),
              ),
            )
          : null,
      );
      this.replay.go(0);
      $("h3", this.shown).focus();
    } catch (problem) {
      refill(this.shown, h("p.bad", {}, problem.message));
    }
  }
}

/** What became of every wager, and the way to put it right. */
function lines(number, round, rules, giving, again) {
  const rows = round.seats.flatMap((seat) => seat.lines.map((line) => [seat, line]));
  if (!rows.length) return h("p.fine", {}, "Nothing was settled in this round.");
  return h(
    "div.scroll",
    {},
    h(
      "table.lines-table",
      {},
      h("caption", {}, "Settlement"),
      tableHead(["Seat", "Wager", "Stake", "Result", "Clause", ""]),
      h(
        "tbody",
        {},
        rows.map(([seat, line]) =>
          h(
            "tr",
            {},
            h("td", {}, `${seat.number} ${seat.player}`),
            h("td", {}, titleOf(rules, line.wager)),
            h("td", {}, inDollars(line.stake)),
            h("td", {}, `${inWords(line.result)}, ${signed(cents(line.net))}`),
            h("td", {}, h("span.clause-id", {}, line.clause)),
            h(
              "td",
              {},
              giving.can("correct")
                ? h(
                    "button.plain.small",
                    {
                      type: "button",
                      data: { name: `correct-${seat.number}-${line.wager}` },
                      onclick: () =>
                        giving.open("correct", {
                          given: { round: number, seat: seat.number, player: seat.player, wager: line.wager },
                          asks: ["amount", "reason"],
                          label: `Correct ${titleOf(rules, line.wager)} of seat ${seat.number}`,
                          onDone: again,
                        }),
                    },
                    "Correct…",
                  )
                : null,
            ),
          ),
        ),
      ),
    ),
  );
}

const field = (words, input) => h("div.field", {}, h("label", { for: input.id }, words), input);
const iso = (value) => (value ? new Date(value).toISOString() : "");
