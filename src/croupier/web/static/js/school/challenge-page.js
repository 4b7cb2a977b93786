// Sixty seconds: as many right answers as one can give. The server's clock counts.

import { announce } from "../shared/announce.js";
import { ask, comeIn, get } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill } from "../shared/dom.js";
import { Clock, KINDS, answers, failed, isNonsense, link, listen, param, scene } from "./parts.js";

const room = $("#room");
const rulebook = param("game") || "md-uth";
const skillKind = param("kind");
const PAUSE = 450;

class Challenge {
  /** @type {any} */ answers = null;
  /** @type {any} */ wrong = null;
  state = "ready";

  constructor(seconds) {
    this.seconds = seconds;
    this.clock = new Clock("Time left");
    listen({
      onChoose: (n) => {
        if (n < (this.now?.question?.choices.length ?? 0)) this.choose(n);
      },
      onNext: () => {
        if (this.state === "ready") this.begin();
      },
    });
    this.ready();
  }

  ready() {
    this.state = "ready";
    const kinds = [["", "Everything"], ...Object.entries(KINDS)];
    refill(
      room,
      h(
        "div.panel",
        {},
        h("p", {}, `As many right answers as you can give in ${this.seconds} seconds.`),
        h(
          "nav.doors",
          { "aria-label": "Kind" },
          kinds.map(([id, words]) =>
            h(
              "a.plain.small",
              {
                href: link("challenge", { game: rulebook, kind: id }),
                "aria-current": id === skillKind ? "true" : null,
              },
              words,
            ),
          ),
        ),
        h(
          "button.gold",
          { type: "button", data: { name: "begin" }, onclick: () => this.begin() },
          "Start",
          h("kbd", { "aria-hidden": "true" }, "enter"),
        ),
      ),
    );
    $("[data-name=begin]").focus();
  }

  async begin() {
    this.state = "waiting";
    try {
      this.show((await ask("POST", "/school/challenges", { rulebook, kind: skillKind })).body);
      this.clock.start(this.seconds, this.seconds - this.now.left, () => this.end());
    } catch (problem) {
      refill(room, failed(problem));
    }
  }

  show(now) {
    this.now = now;
    if (!now.question) return this.over(now);
    this.answers = answers(now.question, (said) => this.choose(said));
    this.wrong = h("p.bad", { role: "alert" });
    refill(
      room,
      h(
        "div.drill",
        {},
        h(
          "div.drill-main",
          {},
          scene(now.question.scene, now.question.rulebook),
          h("p.question", {}, now.question.words),
          this.answers.node,
          this.wrong,
        ),
        h(
          "div.drill-side",
          {},
          this.clock.node,
          h(
            "p.tally",
            { role: "status" },
            h("b", {}, String(now.right)),
            " right, ",
            h("b", {}, String(now.wrong)),
            " wrong",
          ),
        ),
      ),
    );
    this.state = "open";
    this.answers.ready();
  }

  async choose(said) {
    if (this.state !== "open") return;
    this.state = "waiting";
    try {
      const { body } = await ask("POST", "/school/challenges/answers", {
        rulebook,
        kind: skillKind,
        challenge: this.now.id,
        number: this.now.number,
        choice: said,
      });
      if (body.answer) this.answers.mark(said, body.right_choice, body.answer, body.was_right);
      if (!body.was_right) await new Promise((done) => setTimeout(done, PAUSE));
      this.show(body);
    } catch (problem) {
      if (isNonsense(problem)) {
        this.wrong.textContent = problem.message;
        this.state = "open";
        this.answers.ready();
        return;
      }
      this.clock.stop();
      refill(room, failed(problem));
    }
  }

  /** The time is up: the answer after it ends the run on the server, and counts no more. */
  async end() {
    if (this.state === "over") return;
    this.state = "waiting";
    setTimeout(async () => {
      try {
        this.over(
          (
            await ask("POST", "/school/challenges/answers", {
              rulebook,
              kind: skillKind,
              challenge: this.now.id,
              number: this.now.number,
              choice: 0,
            })
          ).body,
        );
      } catch {
        this.over(this.now);
      }
    }, 300);
  }

  over(now) {
    this.state = "over";
    this.clock.stop();
    refill(
      room,
      h(
        "div.panel",
        {},
        h("h2", {}, "Time is up"),
        h("p.big-score", {}, String(now.right)),
        h("p", {}, `right, ${now.wrong} wrong. Your best: ${now.best}.`),
        h(
          "div.doors",
          {},
          h("button.gold", { type: "button", data: { name: "again" }, onclick: () => this.begin() }, "Again"),
          h("a.plain", { href: link("", { game: rulebook }) }, "All skills"),
        ),
      ),
    );
    announce(`Time is up. ${now.right} right.`);
    $("[data-name=again]").focus();
  }
}

dress();
try {
  await comeIn();
  const { challenge } = await get("/school");
  new Challenge(challenge.seconds);
} catch (problem) {
  refill(room, failed(problem));
}
