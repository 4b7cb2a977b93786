// The order in which a deck is dealt: as the house sealed it, or shuffled once more with the players' randomness. docs/shuffle.md has the rules.

import { sha256 } from "./sha256.js";

/**
 * `deal` is part of a finished round: seal, salt, order, and what players added.
 *
 * @typedef {{ seat: number, commitment: string, value: string | null }} Added
 * @param {{ seal: string, salt: string, order: string[], added: Added[] }} deal
 */
export function dealtOrder({ seal, salt, order, added }) {
  const deck = [...order];
  if (!added.length) return deck;
  const lines = added.map((entry) => `${entry.seat} ${entry.commitment} ${entry.value || "-"}\n`).join("");
  const next = bytesOf(`croupier mix 1\n${seal}\n${salt}\n${lines}`);
  for (let left = deck.length; left > 1; left -= 1) {
    const chosen = oneOf(left, next);
    [deck[left - 1], deck[chosen]] = [deck[chosen], deck[left - 1]];
  }
  return deck;
}

/**
 * A number below `many`, each equally likely: bytes that would favor some are thrown away.
 *
 * @param {number} many
 * @param {() => number} next
 */
function oneOf(many, next) {
  const span = many > 256 ? 65_536 : 256;
  for (;;) {
    const drawn = many > 256 ? 256 * next() + next() : next();
    if (drawn < span - (span % many)) return drawn % many;
  }
}

/**
 * The bytes of SHA-256 of the text and 0, of the text and 1, … one by one.
 *
 * @param {string} text
 * @returns {() => number}
 */
function bytesOf(text) {
  let block = 0;
  /** @type {number[]} */
  let rest = [];
  return () => {
    if (!rest.length) {
      rest = [...fromHex(sha256(`${text}${block}\n`))];
      block += 1;
    }
    return rest.shift() ?? 0;
  };
}

/** @param {string} digits */
export const fromHex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** @param {Iterable<number>} bytes */
export const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Which cards the deck puts where, by the order in which the table deals.
 *
 * @param {{ dealing: { to: string, count: number }[] }} deal
 * @param {string[]} deck
 */
export function dealtTo({ dealing }, deck) {
  /** @type {Record<string, string[]>} */
  const places = {};
  let top = 0;
  for (const { to, count } of dealing) {
    (places[to] ??= []).push(...deck.slice(top, top + count));
    top += count;
  }
  return places;
}
