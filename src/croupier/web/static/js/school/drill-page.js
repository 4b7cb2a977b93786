// A drill: one key answers, the correction comes at once, one key goes on.

import { announce } from "../shared/announce.js";
import { ask, comeIn } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill } from "../shared/dom.js";
import { Clock, answers, correction, failed, isNonsense, link, listen, param, scene } from "./parts.js";

const room = $("#room");
const rulebook = param("game") || "md-uth";
const wanted = { rulebook, skill: param("skill"), errors: param("errors") === "yes" };

class Drill {
  /** @type {any} */ answers = null;
  /** @type {any} */ below = null;
  state = "asking";

  constructor() {
    this.clock = new Clock("Time for this exercise");
    this.side = h("div.drill-side", {});
    this.main = h("div.drill-main", {});
    refill(room, h("div.drill", {}, this.main, this.side));
    listen({
      onChoose: (n) => {
        if (n < (this.asked?.question.choices.length ?? 0)) this.choose(n);
      },
      onNext: () => this.next(),
    });
  }

  async next() {
    if (this.state === "open" || this.state === "waiting") return;
    this.state = "waiting";
    try {
      this.asked = (await ask("POST", "/school/exercises", wanted)).body;
    } catch (problem) {
      this.clock.stop();
      refill(room, failed(problem));
      return;
    }
    this.state = "open";
    this.show();
  }

  show() {
    const { question, title, seconds, elapsed, standing } = this.asked;
    $("#heading").textContent = title;
    this.answers = answers(question, (said) => this.choose(said));
    this.below = h("div.below", { role: "status" });
    refill(
      this.main,
      scene(question.scene, question.rulebook),
      h("p.question", { id: "question" }, question.words),
      this.answers.node,
      this.below,
    );
    this.#standing(standing);
    this.clock.start(seconds, elapsed);
    announce(`${question.words} ${this.answers.words}`);
    scrollTo({ top: 0 });
    this.answers.ready();
  }

  async choose(said) {
    if (this.state !== "open") return;
    this.state = "waiting";
    const { question, id } = this.asked;
    try {
      const { body } = await ask("POST", "/school/answers", {
        rulebook: question.rulebook,
        skill: question.skill,
        exercise: id,
        choice: said,
      });
      this.clock.stop();
      this.state = "corrected";
      this.#corrected(said, body);
    } catch (problem) {
      const open = isNonsense(problem);
      this.state = open ? "open" : "corrected";
      if (!open) this.clock.stop();
      refill(this.below, h("p.bad", {}, problem.message), open ? null : this.#onward());
      if (open) this.answers.ready();
    }
  }

  #corrected(said, marked) {
    this.answers.mark(said, marked.right, marked.answer, marked.is_right);
    const words = !marked.is_right ? "Wrong" : marked.in_time ? "Right" : "Right, but slow";
    refill(
      this.below,
      h("p.verdict", { data: { good: String(marked.in_time) } }, `${words}: ${marked.seconds.toFixed(1)} s`),
      correction(marked.correction, marked.why),
      this.#onward(),
    );
    this.#standing(marked.standing);
    announce(`${words}. ${marked.why} ${marked.correction.words}`);
    this.below.scrollIntoView({ block: "nearest" });
    $("[data-name=next]").focus({ preventScroll: true });
  }

  #onward() {
    return h(
      "button.gold",
      { type: "button", data: { name: "next" }, "aria-keyshortcuts": "Enter", onclick: () => this.next() },
      "Next",
      h("kbd", { "aria-hidden": "true" }, "enter"),
    );
  }

  #standing(standing) {
    const lines = [
      ["Exercises", `${standing.done} of 50`],
      ["Correct of the last 30", String(standing.good_of_last)],
      ["Average time", `${standing.seconds} s`],
      ["To repeat", String(standing.errors)],
    ];
    refill(
      this.side,
      this.clock.node,
      h(
        "dl.standing",
        {},
        lines.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
      ),
      standing.mastered
        ? h("p.mastered", {}, "Mastered")
        : h("p.fine", {}, "Mastered after 50 exercises, with 27 of the last 30 right within the time."),
      h("a.plain.small", { href: link("", { game: rulebook }) }, "All skills"),
    );
  }
}

dress();
try {
  await comeIn();
  await new Drill().next();
} catch (problem) {
  refill(room, failed(problem));
}
