// Cards in motion: out of the shoe, over, and back to the discard rack. Each keeps its node.

import { CardElement } from "./cards.js";
import { play } from "./sound.js";
import { chosen, isStill } from "../shared/settings.js";

const EASE = "cubic-bezier(.2,.7,.2,1)";

export class CardLayer {
  #cards = new Map();
  #first = true;

  constructor(shoe, rack) {
    this.shoe = shoe;
    this.rack = rack;
  }

  /** `wanted`: [{key, into, card, mini}] in the order of dealing; what is not wanted is collected. */
  update(wanted) {
    const quiet = this.#first || isStill() || document.hidden;
    this.#first = false;
    const keys = new Set(wanted.map((card) => card.key));
    let gone = 0;
    for (const [key, card] of this.#cards) {
      if (keys.has(key)) continue;
      this.#cards.delete(key);
      this.#collect(card, quiet, (gone += 1));
    }
    let dealt = 0;
    let turned = false;
    for (const { key, into, card, mini, fate = "" } of wanted) {
      let made = this.#cards.get(key);
      if (!made) {
        made = new CardElement(mini);
        this.#cards.set(key, made);
        into.append(made.node);
        dealt += 1;
        if (quiet) made.node.style.setProperty("--wait", "0ms");
        else this.#deal(made, dealt);
      } else if (made.node.parentNode !== into) {
        into.append(made.node);
      }
      made.resize(mini);
      turned = made.show(card) || turned;
      made.node.classList.toggle("winning", fate === "winning");
      made.node.classList.toggle("beaten", fate === "beaten");
    }
    if (quiet && dealt) play("deal");
    if (turned) play("turn");
  }

  #deal(made, n) {
    const wait = timed(n * 70);
    play("deal", wait);
    const to = made.node.getBoundingClientRect(); // also settles the style, so that the turn is seen
    const from = this.shoe.getBoundingClientRect();
    made.node.style.setProperty("--wait", `${wait + timed(260)}ms`);
    made.node
      .animate(
        [
          {
            transform: `translate(${from.left - to.left}px, ${from.top - to.top}px) rotate(-16deg) scale(.8)`,
            opacity: 0,
          },
          { opacity: 1, offset: 0.15 },
          { transform: "none", opacity: 1 },
        ],
        { duration: timed(420), delay: wait, easing: EASE, fill: "backwards" },
      )
      .finished.then(
        () => made.node.style.setProperty("--wait", "0ms"),
        () => {},
      );
  }

  #collect(made, quiet, n) {
    if (quiet) return made.node.remove();
    const from = made.node.getBoundingClientRect();
    const to = this.rack.getBoundingClientRect();
    // Out of the layout, so that the place is free at once for the next round's card.
    Object.assign(made.node.style, {
      position: "fixed",
      left: `${from.left}px`,
      top: `${from.top}px`,
      width: `${from.width}px`,
      zIndex: 5,
      margin: 0,
    });
    document.body.append(made.node);
    made.node
      .animate(
        [
          { transform: "none", opacity: 1 },
          {
            transform: `translate(${to.left - from.left}px, ${to.top - from.top}px) rotate(14deg) scale(.6)`,
            opacity: 0,
          },
        ],
        { duration: timed(420), delay: timed(n * 35), easing: "ease-in", fill: "both" },
      )
      .finished.finally(() => made.node.remove());
    return undefined;
  }
}

/** A number that runs to its new value, as a meter over the table does. */
export class Ticker {
  /** @type {any} */ #value = null;
  #frame = 0;

  constructor(node, format) {
    this.node = node;
    this.format = format;
  }

  set(value) {
    if (value === this.#value) return;
    cancelAnimationFrame(this.#frame);
    const from = this.#value;
    this.#value = value;
    if (from === null || isStill()) {
      this.node.textContent = this.format(value);
      return;
    }
    const began = performance.now();
    const step = (now) => {
      const part = Math.min(1, (now - began) / timed(900));
      this.node.textContent = this.format(Math.round(from + (value - from) * (1 - (1 - part) ** 3)));
      if (part < 1) this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }
}

const SHARE = { casino: 1, quick: 0.6, turbo: 0.25 };

/** Milliseconds of an animation at the chosen pace. */
export const timed = (milliseconds) => milliseconds * (SHARE[chosen("pace")] ?? 1);

/** Whatever moves is where it goes. */
export function finishMotion() {
  for (const moving of document.getAnimations()) {
    if (moving.effect?.getComputedTiming().endTime !== Infinity) moving.finish();
  }
}
