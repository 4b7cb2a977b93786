// What happens, said: to screen readers in one live region, to eyes in short notes.

import { h, say } from "./dom.js";
import { clauseButton } from "./hints.js";

let region = null;
let notes = null;
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
  clearTimeout(timer);
  timer = setTimeout(() => {
    say(region, queue.slice(-6).join(" "));
    queue = [];
  }, 120);
}

export function note(words, { bad = false, clause = null, rules = null, seconds = 5 } = {}) {
  rooms();
  const sentence = words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");
  const node = h(`div.toast${bad ? ".bad" : ""}`, {}, h("span", {}, sentence), clause && rules ? clauseButton(clause, rules) : null);
  notes.append(node);
  while (notes.children.length > 3) notes.firstChild.remove();
  setTimeout(() => node.remove(), seconds * 1000);
}

/** "no more bets [10.A(2)(a)]: seat 3 is in" without the clause, for the ear. */
export const plain = (words) => words.replaceAll(/ ?\[[^\]]*\]/g, "").trim();
