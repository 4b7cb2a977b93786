// Chips: their art, and a stake as a stack of them.

import { h, s } from "../shared/dom.js";
import { dollars } from "../shared/money.js";

export const DENOMINATIONS = [100, 500, 2500, 10000, 50000];
/** @type {Record<number, string>} */
const KINDS = { 100: "one", 500: "five", 2500: "quarter", 10000: "hundred", 50000: "barrel" };

/** @param {number} amount in cents */
export function chip(amount) {
  const color = KINDS[amount] ?? "odd";
  const edge = [];
  for (let n = 0; n < 6; n += 1)
    edge.push(
      s("path.edge", {
        d: "M42.5-10.5A44 44 0 0 1 42.5 10.5L35 8.6A36 36 0 0 0 35-8.6Z",
        transform: `rotate(${n * 60})`,
      }),
    );
  return s(
    `svg.chip.${color}`,
    { viewBox: "-46 -46 92 92", "aria-hidden": "true", focusable: "false" },
    s("circle.body", { r: 44 }),
    ...edge,
    s("circle.ring", { r: 31 }),
    s("circle.heart", { r: 27 }),
    s("text", { y: 9.4, "text-anchor": "middle" }, KINDS[amount] ? String(amount / 100) : "¢"),
  );
}

/**
 * The largest chips first, at most six of them: a stack to look at, the sum is written beside it.
 *
 * @param {number} amount in cents
 */
export function breakdown(amount) {
  const stack = [];
  let left = amount;
  for (const value of [...DENOMINATIONS].reverse()) {
    while (left >= value && stack.length < 6) {
      stack.push(value);
      left -= value;
    }
  }
  return stack.length ? stack : [1];
}

/** @param {number} amount in cents */
export function stack(amount) {
  const node = h("span.stack", { "aria-hidden": "true" });
  breakdown(amount).forEach((value, n) => {
    const piece = chip(value);
    piece.style.setProperty("--n", String(n));
    node.append(piece);
  });
  node.append(h("span.sum", {}, dollars(amount)));
  return node;
}
