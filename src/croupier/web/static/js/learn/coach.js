// Coach marks: a ring around what is meant, and a note beside it. Never in the way of the keyboard.

import { h, refill } from "../shared/dom.js";

export class Coach {
  constructor({ onNext, onBack, onSkip }) {
    this.ring = h("div.coach-ring", { "aria-hidden": "true" });
    this.words = h("div.coach-words", { role: "status" });
    this.next = h("button.gold", { type: "button", data: { name: "next" }, onclick: onNext }, "Next");
    this.back = h("button.plain", { type: "button", data: { name: "back" }, onclick: onBack }, "Back");
    this.skip = h("button.link-plain", { type: "button", onclick: onSkip }, "Skip");
    this.count = h("span.coach-count");
    this.node = h(
      "aside.coach",
      { "aria-label": "Lesson" },
      this.words,
      h("div.coach-row", {}, this.count, this.skip, this.back, this.next),
    );
    document.body.append(this.ring, this.node);
    addEventListener("resize", () => this.place());
    addEventListener("scroll", () => this.place(), { passive: true });
  }

  /** `target` is what the note is about; `action`: it is to be pressed instead of Next. */
  show(/** @type {any} */ { title, words, target, action = null, at, of }) {
    this.target = target;
    refill(
      this.words,
      h("h2", {}, title),
      words.filter(Boolean).map((word) => h("p", {}, word)),
    );
    this.count.textContent = `${at} of ${of}`;
    this.back.disabled = at === 1;
    this.next.textContent = action ?? (at === of ? "Play for real" : "Next");
    target?.scrollIntoView({ block: "center", behavior: "instant" });
    this.place();
    requestAnimationFrame(() => this.place());
    this.next.focus({ preventScroll: true });
  }

  place() {
    const { target, node, ring } = this;
    const at = target?.getBoundingClientRect();
    ring.classList.toggle("off", !at || !at.width);
    if (!at || !at.width) {
      Object.assign(node.style, { left: "50%", top: "50%", transform: "translate(-50%,-50%)" });
      return;
    }
    Object.assign(ring.style, {
      left: `${at.left - 8}px`,
      top: `${at.top - 8}px`,
      width: `${at.width + 16}px`,
      height: `${at.height + 16}px`,
    });
    if (innerWidth < 700) {
      const top = at.top + at.height / 2 > innerHeight / 2;
      Object.assign(node.style, {
        left: "10px",
        transform: "none",
        top: top ? "62px" : `${innerHeight - node.offsetHeight - 12}px`,
      });
      return;
    }
    const size = node.getBoundingClientRect();
    const spots = [
      [at.right + 24, at.top + at.height / 2 - size.height / 2],
      [at.left - size.width - 24, at.top + at.height / 2 - size.height / 2],
      [at.left + at.width / 2 - size.width / 2, at.bottom + 22],
      [at.left + at.width / 2 - size.width / 2, at.top - size.height - 22],
    ];
    const fits = (/** @type {any} */ [x, y]) =>
      x > 8 && x + size.width < innerWidth - 8 && y > 60 && y + size.height < innerHeight - 8;
    const [x, y] = spots.find(fits) ?? spots[0];
    node.style.transform = "none";
    node.style.left = `${Math.max(10, Math.min(x, innerWidth - size.width - 10))}px`;
    node.style.top = `${Math.max(64, Math.min(y, innerHeight - size.height - 10))}px`;
  }
}
