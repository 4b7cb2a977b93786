// Practice: hands dealt by the server, answered here, priced there.

import { announce, note } from "../shared/announce.js";
import { ask, comeIn, get, getPatiently } from "../shared/api.js";
import { CardElement } from "../felt/cards.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill } from "../shared/dom.js";
import { help, listen } from "../shared/keys.js";
import { cents, dollars, signed, inDollars } from "../shared/money.js";
import { curvePicture, luckTable } from "./curve.js";
import { actionTitle } from "../shared/layout.js";
import { choose, chosen } from "../shared/settings.js";
import { loadStrategy, spoken, strategyParts } from "../shared/strategy-panel.js";

const MODES = [
  ["play", "Play", "Whole hands, 200 to a session."],
  ["daily", "Daily hand", "One hand a day, the same for everyone."],
  ["flash", "Flash", "Single questions of one street."],
  ["leaks", "My leaks", "Questions you got wrong, when they are due again."],
  ["exam", "Exam", "100 hands. No feedback until the end; then you get a certificate."],
];
const GAME = document.body.dataset.rulebook ?? "";
const base = `/practice/${encodeURIComponent(GAME)}`;

async function send(path, body) {
  for (let n = 0; n < 300; n += 1) {
    const answer = await ask("POST", `${base}/in/${path}`, body);
    if (answer.status !== 202) return answer.body;
    if (n === 2) note("The exact values of this game are being worked out. This takes a moment the first time.");
    await new Promise((done) => setTimeout(done, 700));
  }
  throw new Error("The exact values are not ready yet. Try again in a minute.");
}

class Cards {
  constructor(title) {
    this.row = h("div.practice-cards");
    this.node = h("div.practice-row", {}, h("p.zone", {}, title), this.row);
    this.cards = [];
  }

  update(cards) {
    this.node.hidden = cards.length === 0;
    while (this.cards.length > cards.length) this.cards.pop().node.remove();
    cards.forEach((card, n) => {
      if (!this.cards[n]) {
        this.cards[n] = new CardElement();
        this.row.append(this.cards[n].node);
      }
      this.cards[n].show(card);
    });
  }
}

class Practice {
  constructor() {
    this.mode = "play";
    this.busy = false;
    this.streets = [];
    this.dealer = new Cards("Dealer");
    this.community = new Cards("Board");
    this.own = new Cards("You");
    this.bets = h("p.bets");
    this.told = h("div.told-price", { "aria-live": "polite" });
    this.prompt = h("p.prompt");
    this.buttons = h("div.answers");
    this.switch = h("input", {
      type: "checkbox",
      onchange: () => {
        choose("priceAtOnce", this.switch.checked);
        this.draw();
      },
    });
    this.switch.checked = chosen("priceAtOnce") !== false;
    this.table = h("div.practice-felt", {}, this.dealer.node, this.community.node, this.own.node, this.bets);
    this.filter = h("div.streets", { role: "group", "aria-label": "Street" });
    refill(
      $("#hand"),
      this.filter,
      this.table,
      this.prompt,
      this.buttons,
      this.told,
      (this.wish = h("label.switch", {}, this.switch, "Show what each decision cost at once")),
    );
    listen(() => this.keys());
    $("#keys").addEventListener("click", () => help(() => this.keys()));
    addEventListener("hashchange", () => this.choose(wantedMode()));
  }

  async start() {
    await comeIn();
    this.strategy();
    await this.counts();
    await this.choose(wantedMode());
  }

  async counts() {
    const { games } = await get("/practice");
    const mine = games.find((game) => game.game === GAME);
    this.streets = mine.streets;
    this.due = mine.due;
    this.drawModes();
  }

  drawModes() {
    refill(
      $("#modes"),
      MODES.map(([mode, title]) =>
        h(
          "a.mode",
          { href: `#${mode}`, data: { name: mode }, "aria-current": mode === this.mode ? "page" : null },
          title,
          mode === "leaks" && this.due ? h("span.count", {}, String(this.due)) : null,
        ),
      ),
    );
  }

  async choose(mode) {
    this.mode = mode;
    this.view = null;
    this.drawModes();
    this.told.replaceChildren();
    await this.during(async () => {
      try {
        this.view = await getPatiently(`${base}/in/${mode}`);
      } catch (problem) {
        if (problem.status !== 404 && problem.code !== "not_now") throw problem;
        this.empty(problem);
      }
    });
    this.draw();
    this.side();
  }

  empty(problem) {
    const words = this.mode === "exam" ? MODES[4][2] : problem.message;
    refill(this.prompt, words.charAt(0).toUpperCase() + words.slice(1), words.endsWith(".") ? "" : ".");
  }

  async during(work) {
    if (this.busy) return;
    this.busy = true;
    this.buttons.classList.add("busy");
    try {
      await work();
    } catch (problem) {
      note(problem.message, { bad: true });
      if (problem.code === "already_done")
        this.view = await getPatiently(`${base}/in/${this.mode}`).catch(() => this.view);
    } finally {
      this.busy = false;
      this.buttons.classList.remove("busy");
    }
  }

  async say(action) {
    const { hand, place } = this.view;
    await this.during(async () => {
      this.view = await send(`${this.mode}/answer`, { hand, place, said: action });
    });
    this.draw();
    this.side();
  }

  async next() {
    const { hand } = this.view;
    await this.during(async () => {
      try {
        this.view = await send(`${this.mode}/next`, { hand });
      } catch (problem) {
        if (problem.code !== "not_now") throw problem;
        this.view = null;
        this.empty(problem);
      }
    });
    this.draw();
  }

  async begin(street = "") {
    await this.during(async () => {
      this.view = await send(this.mode, { street });
    });
    this.draw();
    this.side();
  }

  keys() {
    const { view } = this;
    const answers = (view?.choices ?? []).map((choice, n) => ({
      keys: [String(n + 1)],
      words: actionTitle(choice.action),
      run: () => this.say(choice.action),
    }));
    const on = this.goesOn();
    return [
      ...answers,
      ...(on ? [{ keys: ["enter", " "], words: on.title, run: on.run }] : []),
      { keys: ["?"], words: "These keys", run: () => help(() => this.keys()) },
    ];
  }

  /** What one does when nothing is asked. */
  goesOn() {
    const { view, mode } = this;
    if (!view) return mode === "exam" ? { title: "Start the exam", run: () => this.begin() } : null;
    if (!view.is_hand_over && !view.is_over) return null;
    if (view.is_over)
      return mode === "daily"
        ? null
        : { title: mode === "exam" ? "Take another exam" : "Start a new session", run: () => this.begin() };
    return { title: view.mode === "play" ? "Next hand" : "Next question", run: () => this.next() };
  }

  draw() {
    const { view } = this;
    this.table.hidden = !view || (this.mode === "exam" && view.is_over);
    this.drawStreets();
    this.wish.hidden = !["play", "daily"].includes(this.mode);
    const on = this.goesOn();
    refill(
      this.buttons,
      view?.is_over && this.mode === "exam"
        ? null
        : (view?.choices ?? []).map((choice, n) =>
            h(
              "button.answer",
              {
                type: "button",
                class: cents(choice.cost) > 0 ? "answer gold" : "answer plain",
                data: { name: choice.action },
                onclick: () => this.say(choice.action),
              },
              h("kbd", {}, String(n + 1)),
              h("span", {}, actionTitle(choice.action)),
              h("small", {}, costWords(choice)),
            ),
          ),
      on
        ? h("button.gold", { type: "button", data: { name: "on" }, onclick: on.run }, on.title, h("kbd", {}, "enter"))
        : null,
    );
    if (!view) {
      this.told.replaceChildren();
      return;
    }
    this.dealer.update(view.dealer);
    this.community.update(view.community);
    this.own.update(view.cards);
    refill(
      this.bets,
      Object.entries(view.wagers).map(([name, sum]) => h("span", {}, `${spoken(name)} ${inDollars(sum)}`)),
    );
    this.drawPrompt(view);
    refill(
      this.told,
      this.shownPrices(view),
      view.result ? this.result(view) : null,
      view.others ? h("p", {}, view.others) : null,
      view.is_over && view.mode === "exam" ? this.passed(view) : null,
    );
  }

  drawPrompt(view) {
    const of = ["play", "exam"].includes(view.mode) ? `Hand ${view.hand} of ${view.length}. ` : "";
    const words =
      view.is_over && view.mode === "exam"
        ? "The exam is over."
        : view.decision
          ? `${of}${capital(spoken(view.decision))}: what do you do?`
          : view.result
            ? `${of}${verdict(view.result)}`
            : of;
    refill(this.prompt, words);
    announce(`${words} ${view.decision ? seenWords(view) : ""}`);
  }

  drawStreets() {
    this.filter.hidden = this.mode !== "flash" || this.streets.length < 2;
    if (this.filter.hidden) return;
    const now = this.view?.street ?? "";
    refill(
      this.filter,
      ["", ...this.streets].map((street) =>
        h(
          "button.plain",
          {
            type: "button",
            data: { name: `street-${street}` },
            "aria-pressed": String(street === now),
            onclick: () => this.begin(street),
          },
          street ? capital(spoken(street)) : "Every street",
        ),
      ),
    );
  }

  shownPrices(view) {
    const single = ["flash", "leaks"].includes(view.mode);
    if (!this.switch.checked && !view.is_hand_over && !single) return null;
    const shown = view.is_hand_over ? view.priced : view.priced.slice(-1);
    return shown.map((decision) =>
      h(
        `div.price${decision.right ? ".right" : ".wrong"}`,
        {},
        h(
          "p",
          {},
          h("b", {}, `${capital(spoken(decision.decision))}, ${actionTitle(decision.said)}. `),
          decision.words,
        ),
        h(
          "table.values",
          {},
          h("caption.unseen", {}, "What each answer is worth on average"),
          h(
            "tbody",
            {},
            decision.values.map((value) =>
              h(
                "tr",
                { "aria-current": value.action === decision.said ? "true" : null },
                h("th", { scope: "row" }, actionTitle(value.action), value.is_best ? h("span.best", {}, "best") : null),
                h("td", {}, value.worth),
              ),
            ),
          ),
        ),
      ),
    );
  }

  result(view) {
    return h(
      "div.hand-result",
      {},
      h(
        "ul",
        {},
        view.result.lines.map((line) => h("li", {}, line)),
      ),
    );
  }

  passed(view) {
    const { score } = view;
    return h(
      "div.certificate",
      {},
      h("h2", {}, score.accuracy >= 90 ? "Passed" : "Not passed"),
      h(
        "p",
        {},
        `${score.right} of ${score.decisions} decisions were best (${score.accuracy}%). Mistakes cost ${inDollars(score.lost)}. 90% passes.`,
      ),
      view.certificate
        ? h(
            "p",
            {},
            h(
              "a.gold",
              { href: `/api/v1/practice/certificates/${view.certificate}`, download: "" },
              "Download the certificate",
            ),
          )
        : null,
      h(
        "p.fine",
        {},
        "Anybody can deal this exam again and check every answer: ",
        h("a", { href: "/certificate" }, "here"),
        ", or with ",
        h("code", {}, "croupier certificate FILE"),
        ".",
      ),
    );
  }

  /** Score, curve and leaks, beside the hand. */
  side() {
    const { view } = this;
    this.score(view);
    const curve = $("#curve"),
      leaks = $("#leaks");
    curve.hidden = this.mode !== "play" || !view?.score.hands;
    leaks.hidden = this.mode === "exam";
    $("#strategy").hidden = this.mode === "exam";
    if (!curve.hidden && view.is_hand_over) this.curve(curve);
    if (!leaks.hidden && (view === null || view.is_hand_over || !view.place)) this.leaks(leaks);
  }

  score(view) {
    const score = view?.score;
    const seal =
      view?.commitment && !view.is_over
        ? h("p.fine", {}, "The cards are fixed: the seed's seal is ", h("code", {}, view.commitment.slice(0, 16)), "…")
        : null;
    refill(
      $("#score"),
      h("h2", { id: "score-title" }, this.mode === "exam" ? "Exam" : "This session"),
      !score || (this.mode === "exam" && !view.is_over)
        ? [
            h("p", {}, this.mode === "exam" && view ? `${score.hands} of ${view.length} hands done.` : "Nothing yet."),
            seal,
          ]
        : h(
            "dl.score-list",
            {},
            fact(["flash", "leaks"].includes(this.mode) ? "Questions" : "Hands", String(score.hands)),
            fact("Accuracy", score.accuracy === null ? "–" : `${score.accuracy}%`),
            fact("Lost to mistakes", inDollars(score.lost)),
            ["play", "daily", "exam"].includes(this.mode) ? fact("Result", signed(cents(score.result))) : null,
          ),
      this.mode === "play" && score?.hands
        ? h("button.plain", { type: "button", data: { name: "anew" }, onclick: () => this.begin() }, "New session")
        : null,
    );
  }

  async curve(room) {
    try {
      const curve = await getPatiently(`${base}/curve`);
      refill(room, h("h2", { id: "curve-title" }, "Luck and skill"), curvePicture(curve), luckTable(curve));
    } catch (problem) {
      refill(room, h("h2", { id: "curve-title" }, "Luck and skill"), h("p.fine", {}, problem.message));
    }
  }

  async leaks(room) {
    try {
      const leaks = await get(`${base}/leaks`);
      this.due = leaks.due;
      this.drawModes();
      room.hidden = this.mode === "exam" || leaks.leaks.length === 0;
      refill(
        room,
        h("h2", { id: "leaks-title" }, "Your leaks"),
        h(
          "ol.leaks",
          {},
          leaks.leaks
            .slice(0, 8)
            .map((leak) =>
              h(
                "li",
                {},
                h("b", {}, leak.situation),
                ` ${inDollars(leak.cost)} in ${leak.wrong} of ${leak.asked}. `,
                h(
                  "span.fine",
                  {},
                  `Last time ${actionTitle(leak.said)}; ${actionTitle(leak.best)} is better${leak.due ? "; due now" : ""}.`,
                ),
              ),
            ),
        ),
        h("p.fine", {}, leaks.rule),
      );
    } catch {
      room.hidden = true;
    }
  }

  async strategy() {
    const room = $("#strategy");
    const heading = h("h2", { id: "strategy-title" }, "Strategy at hand");
    const open = h(
      "details.at-hand",
      {},
      h("summary", {}, "Chart and strategies in words"),
      h("p.fine", {}, "Being worked out…"),
    );
    refill(room, heading, open);
    open.addEventListener("toggle", async () => {
      if (!open.open || open.dataset.loaded) return;
      open.dataset.loaded = "yes";
      try {
        const strategy = await loadStrategy(GAME);
        refill(open, h("summary", {}, "Chart and strategies in words"), strategyParts(strategy, `${base}/card.pdf`));
      } catch (problem) {
        refill(open, h("summary", {}, "Chart and strategies in words"), h("p.bad", {}, problem.message));
      }
    });
  }
}

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
const verdict = ({ net }) =>
  cents(net) > 0
    ? `You won ${dollars(cents(net))}.`
    : cents(net) < 0
      ? `You lost ${dollars(-cents(net))}.`
      : "Nothing won, nothing lost.";

function costWords({ cost }) {
  const sum = cents(cost);
  if (!sum) return "";
  return sum > 0 ? `bet ${dollars(sum)}` : `get ${dollars(-sum)} back`;
}

function seenWords(view) {
  const named = (cards) => cards.filter(Boolean).length;
  return `${view.situation}. ${named(view.cards)} own and ${named(view.community)} community cards.`;
}

function wantedMode() {
  const wanted = location.hash.slice(1);
  return MODES.some(([mode]) => mode === wanted) ? wanted : "play";
}

dress();
new Practice().start().catch((problem) => refill($("#hand"), h("p.sorry", {}, problem.message)));
