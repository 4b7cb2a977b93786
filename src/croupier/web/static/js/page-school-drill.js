// A drill: one key answers, the correction comes at once, one key goes on.

import { announce } from "./announce.js";
import { ask, comeIn } from "./api.js";
import { dress } from "./chrome.js";
import { $, h, refill } from "./dom.js";
import { Clock, choices, correction, failed, link, listen, mark, param, scene } from "./school-parts.js";

const room = $("#room");
const rulebook = param("game") || "md-uth";
const wanted = { rulebook, skill: param("skill"), errors: param("errors") === "yes" };

class Drill {
  state = "asking";

  constructor() {
    this.clock = new Clock("Time for this exercise");
    this.side = h("div.drill-side", {});
    this.main = h("div.drill-main", {});
    refill(room, h("div.drill", {}, this.main, this.side));
    listen({ onChoose: (n) => this.choose(n), onNext: () => this.next() });
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
    this.list = choices(question, (n) => this.choose(n));
    this.below = h("div.below", { role: "status" });
    refill(this.main, scene(question.scene, question.rulebook), h("p.question", { id: "question" }, question.words), this.list, this.below);
    this.#standing(standing);
    this.clock.start(seconds, elapsed);
    announce(`${question.words} ${question.choices.map((one, n) => `${n + 1}: ${one.words}`).join(". ")}`);
    scrollTo({ top: 0 });
  }

  async choose(n) {
    if (this.state !== "open" || n >= this.asked.question.choices.length) return;
    this.state = "waiting";
    this.clock.stop();
    const { question, id } = this.asked;
    try {
      const { body } = await ask("POST", "/school/answers", { rulebook: question.rulebook, skill: question.skill, exercise: id, choice: n });
      this.#corrected(n, body);
      this.state = "corrected";
    } catch (problem) {
      refill(this.below, h("p.bad", {}, problem.message), this.#onward());
      this.state = "corrected";
    }
  }

  #corrected(n, marked) {
    mark(this.list, n, marked.right);
    const words = !marked.is_right ? "Wrong" : marked.in_time ? "Right" : "Right, but slow";
    refill(this.below,
      h("p.verdict", { data: { good: String(marked.in_time) } }, `${words}: ${marked.seconds.toFixed(1)} s`),
      correction(marked.correction, marked.is_right ? -1 : n), this.#onward());
    this.#standing(marked.standing);
    announce(`${words}. ${marked.correction.words}`);
    this.below.scrollIntoView({ block: "nearest" });
  }

  #onward() {
    return h("button.gold", { type: "button", data: { name: "next" }, "aria-keyshortcuts": "Enter", onclick: () => this.next() }, "Next", h("kbd", { "aria-hidden": "true" }, "enter"));
  }

  #standing(one) {
    const lines = [["Exercises", `${one.done} of 50`], ["Good of the last 30", String(one.good_of_last)], ["Mean time", `${one.seconds} s`], ["To repeat", String(one.errors)]];
    refill(this.side, this.clock.node,
      h("dl.standing", {}, lines.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
      one.mastered ? h("p.mastered", {}, "Mastered") : h("p.fine", {}, "Mastered after 50 exercises, with 27 of the last 30 right within the time."),
      h("a.plain.small", { href: link("", { game: rulebook }) }, "All skills"));
  }
}

dress();
try {
  await comeIn();
  await new Drill().next();
} catch (problem) {
  refill(room, failed(problem));
}
