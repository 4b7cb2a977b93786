// The exam: no correction before the end, then the score, what was wrong, and a certificate.

import { announce } from "../shared/announce.js";
import { ask, comeIn, get } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill } from "../shared/dom.js";
import { answers, correction, failed, isNonsense, link, listen, param, rulebookOf, scene } from "./parts.js";

const room = $("#room");
const rulebook = param("game") || "md-uth";
const course = param("class");

class Exam {
  /** @type {any} */ answers = null;
  /** @type {any} */ wrong = null;
  state = "ready";

  constructor(rule, title) {
    listen({
      onChoose: (n) => {
        if (n < (this.now?.question?.choices.length ?? 0)) this.choose(n);
      },
      onNext: () => {
        if (this.state === "ready") this.begin();
      },
    });
    refill(
      room,
      h(
        "div.panel",
        {},
        h("p", {}, `${rule.questions} questions on ${title}. ${rule.right} right answers pass.`),
        h(
          "p.fine",
          {},
          "Nothing is corrected before the end. You may leave and go on later; the time of each question is noted. The certificate can be recomputed by anybody.",
        ),
        h(
          "button.gold",
          { type: "button", data: { name: "begin" }, onclick: () => this.begin() },
          "Start or go on",
          h("kbd", { "aria-hidden": "true" }, "enter"),
        ),
      ),
    );
    $("[data-name=begin]").focus();
  }

  async begin() {
    this.state = "waiting";
    try {
      this.show((await ask("POST", "/school/exams", { rulebook, course })).body);
    } catch (problem) {
      refill(room, failed(problem));
    }
  }

  show(now) {
    this.now = now;
    if (!now.question) return this.over(now);
    const { question } = now;
    this.answers = answers(question, (said) => this.choose(said));
    this.wrong = h("p.bad", { role: "alert" });
    refill(
      room,
      h(
        "div.drill",
        {},
        h(
          "div.drill-main",
          {},
          scene(question.scene, question.rulebook),
          h("p.question", {}, question.words),
          this.answers.node,
          this.wrong,
        ),
        h(
          "div.drill-side",
          {},
          h("p.tally", {}, "Question ", h("b", {}, String(now.number + 1)), ` of ${now.questions}`),
          h("progress", { max: now.questions, value: now.number, "aria-label": "Progress" }),
          h("details", {}, h("summary", {}, "Seal"), h("p.fine.code", {}, now.commitment)),
        ),
      ),
    );
    this.state = "open";
    announce(`Question ${now.number + 1}. ${question.words} ${this.answers.words}`);
    scrollTo({ top: 0 });
    this.answers.ready();
  }

  async choose(said) {
    if (this.state !== "open") return;
    this.state = "waiting";
    try {
      this.show(
        (await ask("POST", `/school/exams/${this.now.id}/answers`, { number: this.now.number, choice: said })).body,
      );
    } catch (problem) {
      if (!isNonsense(problem)) return void refill(room, failed(problem));
      this.wrong.textContent = problem.message;
      this.state = "open";
      this.answers.ready();
    }
  }

  over(now) {
    this.state = "over";
    const passed = now.score.passed === "yes";
    refill(
      room,
      h(
        "div.panel",
        {},
        h("h2", {}, passed ? "Passed" : "Not passed"),
        h("p.big-score", {}, `${now.score.right} of ${now.score.questions}`),
        h("p", {}, `${now.score.in_time} of them within the time.`),
        h("p.fine.code", {}, `Certificate ${now.hash}`),
        h(
          "p.fine",
          {},
          "Anybody can deal this exam again: ",
          h("a", { href: "/certificate" }, "check a certificate"),
          ".",
        ),
        h(
          "div.doors",
          {},
          h("a.gold", { href: `/api/v1/school/exams/${now.id}/certificate`, download: "" }, "Certificate"),
          h("a.plain", { href: link("report") }, "My report"),
          h("a.plain", { href: link("", { game: rulebook }) }, "All skills"),
        ),
      ),
      now.wrong.length
        ? h(
            "section.wrongs",
            {},
            h("h2", {}, "What was wrong"),
            now.wrong.map((mistake) =>
              h(
                "article.card-box",
                {},
                scene(mistake.question.scene, mistake.question.rulebook),
                h("p.question", {}, mistake.question.words),
                h("p", {}, h("span.bad", {}, `You said: ${mistake.said}. `), `Right: ${mistake.answer}.`),
                correction(mistake.correction, mistake.why),
              ),
            ),
          )
        : null,
    );
    announce(`${passed ? "Passed" : "Not passed"}: ${now.score.right} of ${now.score.questions}.`);
  }
}

dress();
try {
  await comeIn();
  const { exam, games, courses } = await get("/school");
  const set = courses.find((entry) => entry.id === course);
  new Exam(
    exam,
    set ? `“${set.title}”` : (games.find((game) => game.rulebook === rulebookOf(rulebook))?.title ?? rulebook),
  );
} catch (problem) {
  refill(room, failed(problem));
}
