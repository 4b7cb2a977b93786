// The bar below the felt: what is asked now, chips to bet with, and big buttons for what is legal.

import { note } from "../shared/announce.js";
import { chip, DENOMINATIONS } from "./chips.js";
import { h, refill, say } from "../shared/dom.js";
import { kbd, shortcut } from "../shared/keys.js";
import { dollars } from "../shared/money.js";
import { wasRead } from "./rights.js";
import { chosen } from "../shared/settings.js";

const CLOCKS = {
  check: "No answer: check",
  fold: "No answer: fold",
  "bets close": "Bets close",
  "next round": "Next round",
  "progressive validated": "Confirmed",
};

export class Bar {
  #shown = {};
  /** @type {any} */ #deadline = null;

  constructor({ onChip, onMoreTime = () => {} }) {
    this.onChip = onChip;
    this.onMoreTime = onMoreTime;
    this.prompt = h("p.prompt");
    this.clock = h("span.clock", { role: "timer", "aria-live": "off" });
    this.more = h(
      "button.quiet.more-time",
      { type: "button", hidden: true, "aria-keyshortcuts": shortcut("W"), onclick: () => this.onMoreTime() },
      "More time",
    );
    this.tray = h("div.tray", { role: "radiogroup", "aria-label": "Chip to bet with" });
    this.rack = h("p.my-rack");
    this.buttons = h("div.buttons", { role: "group", "aria-label": "What you can do now", tabindex: "-1" });
    this.why = h("p.act-why", { "aria-hidden": "true" }); // the button's title says it to screen readers
    this.part = h("button.quiet", {
      type: "button",
      hidden: true,
      data: { name: "part" },
      "aria-haspopup": "dialog",
      onclick: () => this.#open("showPart"),
    });
    this.node = h(
      "section.bar",
      { "aria-label": "Your turn" },
      this.why,
      h("div.ask", {}, this.prompt, h("span.time", {}, this.clock, this.more)),
      h("div.hold", {}, this.rack, this.tray),
      this.buttons,
    );
    setInterval(() => this.#tick(), 250);
  }

  /** `buttons`: [{name, title, sub, key, kind, run, off, why, best}]. The DOM changes only with them. `offers`: what
      may help where something is off, {title, run}. */
  update(
    /** @type {any} */ { prompt, buttons, tray, chipChosen = 0, rack, extra = null, rights = null, offers = null },
  ) {
    say(this.prompt, prompt);
    this.acts = Object.fromEntries(buttons.map((button) => [button.name, button.run]));
    this.extra = extra;
    this.offers = offers;
    this.rights = rights;
    this.#tellPart();
    const keys = [chosen("shortcuts"), chosen("keymap")];
    if (this.#changes("rack", [rack, extra?.title, rights && rights.calls, keys])) this.#fillRack(rack, extra, rights);
    if (this.#changes("tray", [tray, chipChosen, keys])) {
      refill(this.tray, tray ? DENOMINATIONS.map((value, n) => this.#chip(value, n, value === chipChosen)) : null);
      this.tray.hidden = !tray;
    }
    if (!this.#changes("buttons", [buttons.map(({ run, ...rest }) => rest), keys])) return;
    const held = this.buttons.contains(document.activeElement);
    refill(
      this.buttons,
      buttons.map((button) => this.#button(button)),
    );
    if (held && !this.buttons.contains(document.activeElement)) this.focusAnswers();
  }

  #open(part) {
    this.rights?.[part]();
    this.#tellPart();
  }

  /** The duties that the player has read on this page count as shown. */
  #tellPart() {
    const part = this.rights?.part ?? [];
    say(this.part, `Your part (${part.length})`);
    this.part.dataset.duty = part
      .filter(wasRead)
      .map((duty) => duty.clause)
      .join();
    this.part.hidden = !part.length;
  }

  /** Each part is drawn again only when what it shows changes: a button that is replaced while it is pressed loses the press. */
  #changes(part, content) {
    const shape = JSON.stringify(content);
    if (this.#shown[part] === shape) return false;
    this.#shown[part] = shape;
    return true;
  }

  #fillRack(rack, extra, rights) {
    refill(
      this.rack,
      rack === null ? null : [h("span", {}, "Your chips "), h("b", {}, dollars(rack))],
      extra
        ? h("button.quiet", { type: "button", data: { name: "extra" }, onclick: () => this.extra.run() }, extra.title)
        : null,
      rights
        ? h(
            `button.quiet${rights.calls ? ".calls" : ""}`,
            {
              type: "button",
              data: { name: "rights" },
              "aria-keyshortcuts": shortcut("E"),
              "aria-haspopup": "dialog",
              onclick: () => this.#open("run"),
            },
            rights.calls ? "Look at the cards" : "At your seat",
          )
        : null,
      rights ? this.part : null,
    );
  }

  /** The next Tab leads to the first answer. No answer itself has the focus: a key that was pressed once too often
      must not give it. */
  focusAnswers() {
    this.buttons.focus({ preventScroll: true });
  }

  #chip(value, n, isChosen) {
    return h(
      "button.pick",
      {
        type: "button",
        role: "radio",
        "aria-checked": String(isChosen),
        data: { name: `chip-${value}`, chip: value },
        "aria-label": `${dollars(value)} chip`,
        "aria-keyshortcuts": shortcut(String(n + 1)),
        onclick: () => this.onChip(value),
      },
      chip(value),
      kbd(String(n + 1)),
    );
  }

  /** One that is off keeps the focus, and says why when it is pressed. */
  #button({ name, title, sub, key, kind: style = "plain", off, why, best, value }) {
    return h(
      `button.act.${style}${best ? ".best" : ""}`,
      {
        type: "button",
        data: { name, action: name },
        "aria-disabled": off ? "true" : null,
        title: (off && why) || null,
        "aria-keyshortcuts": shortcut(key),
        onfocus: () => say(this.why, off && why ? why : ""),
        onblur: () => say(this.why, ""),
        onclick: () => (off ? why && note(why, { offers: this.offers }) : this.acts?.[name]()),
      },
      h("span.act-title", {}, title, kbd(key)),
      sub ? h("span.act-sub", {}, sub) : null,
      value ? h("span.act-value", {}, value) : null,
    );
  }

  /** So many seconds more for the asking; 0: no clock runs for this person. */
  setMoreTime(seconds) {
    this.more.hidden = !seconds;
    if (seconds) say(this.more, `More time: ${seconds} s`);
  }

  setClock(clock) {
    this.#deadline = clock && clock.what ? { what: clock.what, at: performance.now() + clock.seconds * 1000 } : null;
    this.#tick();
  }

  #tick() {
    const left = this.#deadline ? Math.max(0, Math.ceil((this.#deadline.at - performance.now()) / 1000)) : null;
    say(this.clock, left === null ? "" : `${CLOCKS[this.#deadline.what] ?? this.#deadline.what} in ${left} s`);
    this.clock.classList.toggle("soon", left !== null && left <= 8);
  }
}
