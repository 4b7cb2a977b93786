// What happens, said: to screen readers in one live region, to eyes in short notes.

import { asSentence } from "./api.js";
import { h, say } from "./dom.js";
import { cardWords } from "../felt/glyphs.js";
import { clauseButton } from "./hints.js";
import { chosen } from "./settings.js";

/** @type {any} */ let region = null;
/** @type {any} */ let notes = null;
let queue = [];
let timer = 0;

function rooms() {
  region ??= document.body.appendChild(h("div.unseen", { role: "status", "aria-live": "polite", id: "told" }));
  notes ??= document.body.appendChild(h("div.toasts", { role: "alert" }));
}

/** Several sentences that come together are read together. */
export function announce(words) {
  rooms();
  queue.push(words);
  timer ||= setTimeout(() => {
    timer = 0;
    say(region, queue.join(" "));
    queue = [];
  }, 120);
}

/** `offers`: {title, run}, what would help. */
export function note(
  words,
  /** @type {any} */ { bad = false, clause = null, rules = null, seconds = 5, offers = null } = {},
) {
  rooms();
  const node = h(
    `div.toast${bad ? ".bad" : ""}`,
    {},
    h("span", {}, asSentence(words)),
    clause && rules ? clauseButton(clause, rules) : null,
    offers
      ? h(
          "button.plain",
          {
            type: "button",
            data: { name: "offer" },
            onclick: () => {
              node.remove();
              offers.run();
            },
          },
          offers.title,
        )
      : null,
    h("button.shut", { type: "button", "aria-label": "Close this note", onclick: () => node.remove() }, "×"),
  );
  notes.append(node);
  while (notes.children.length > 3) notes.firstChild.remove();
  const stays = { short: seconds, long: 20, kept: 0 }[chosen("notes")];
  if (stays) fade(node, stays);
  return node;
}

/** A note waits until somebody is there to read it: its time runs from the next movement, touch or
    key, and stands still while it is pointed at or has the focus. */
function fade(node, seconds) {
  const signs = ["pointermove", "pointerdown", "keydown"];
  let running = 0;
  const begin = () => {
    running ||= setTimeout(() => {
      running = 0;
      if (node.isConnected && node.matches(":hover, :focus-within")) return;
      for (const sign of signs) removeEventListener(sign, begin, true);
      node.remove();
    }, seconds * 1000);
  };
  for (const sign of signs) addEventListener(sign, begin, true);
}

/** "flop: board Qc 5h [10.A(2)(a)]" for the ear: cards in words, without the clause. */
export const plain = (words) =>
  words
    .replaceAll(/ ?\[[^\]]*\]/g, "")
    .replaceAll(/\b[2-9TJQKA][shdc]\b(?! for)/g, cardWords)
    .trim();
