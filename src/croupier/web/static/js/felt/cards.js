// A card: its face and back as SVG, and the element that turns over and keeps its place in the DOM.

import { court } from "./courts.js";
import { h, s } from "../shared/dom.js";
import { RANKS, SUITS, cardWords } from "./glyphs.js";

const ROWS = { top: 27, high: 41.3, upper: 48.5, mid: 70, lower: 91.5, low: 98.7, bottom: 113 };
const L = 34,
  C = 50,
  R = 66;
const quarter = [
  [L, 27],
  [R, 27],
  [L, 113],
  [R, 113],
];
const PIPS = {
  2: [
    [C, 27],
    [C, 113],
  ],
  3: [
    [C, 27],
    [C, 70],
    [C, 113],
  ],
  4: quarter,
  5: [...quarter, [C, 70]],
  6: [...quarter, [L, 70], [R, 70]],
  7: [...quarter, [L, 70], [R, 70], [C, ROWS.upper]],
  8: [...quarter, [L, 70], [R, 70], [C, ROWS.upper], [C, ROWS.lower]],
  9: [...quarter, [L, 55.7], [R, 55.7], [L, 84.3], [R, 84.3], [C, 70]],
  T: [...quarter, [L, 55.7], [R, 55.7], [L, 84.3], [R, 84.3], [C, ROWS.high], [C, ROWS.low]],
};

const pip = (suit, x, y, size, turned = false) =>
  s("path", {
    d: SUITS[suit],
    fill: "currentColor",
    transform: `translate(${x} ${y}) rotate(${turned ? 180 : 0}) scale(${size / 20})`,
  });

const rankGlyph = (rank, x, y, scale, width) =>
  s("path", {
    d: RANKS[rank],
    fill: "none",
    stroke: "currentColor",
    "stroke-width": width / scale,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    transform: `translate(${x} ${y}) scale(${scale})`,
  });

function corner(rank, suit, transform) {
  return s("g", { transform }, rankGlyph(rank, rank === "T" ? 5.6 : 4.6, 8, 0.82, 2.9), pip(suit, 10.4, 35, 11.5));
}

/** The face at full size; `mini` says the same with one big rank and suit, for small screens. */
export function face(card, mini = false) {
  const [rank, suit] = card;
  const g = s("svg.face", { viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false", "data-suit": suit });
  g.append(s("rect.paper", { x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 9 }));
  if (mini) {
    g.append(rankGlyph(rank, rank === "T" ? 18 : 14, 16, 2.5, 8.5), pip(suit, 60, 98, 62));
    return g;
  }
  if ("KQJ".includes(rank)) g.append(court(rank, suit));
  else if (rank === "A") g.append(ace(suit));
  else for (const [x, y] of PIPS[rank]) g.append(pip(suit, x, y, 18, y > 70));
  g.append(corner(rank, suit, ""), corner(rank, suit, "rotate(180 50 70)"));
  return g;
}

function ace(suit) {
  const g = s("g", {}, pip(suit, 50, 70, 40));
  for (let n = 0; n < 24; n += 1) {
    g.append(
      s("path", {
        d: "M0-31V-34.5",
        stroke: "currentColor",
        "stroke-width": n % 6 ? 1 : 2.4,
        transform: `translate(50 70) rotate(${n * 15})`,
      }),
    );
  }
  g.append(s("circle", { cx: 50, cy: 70, r: 28.6, fill: "none", stroke: "currentColor", "stroke-width": 0.9 }));
  return g;
}

export function back() {
  const g = s("svg.back", { viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" });
  let lattice = "";
  for (let k = -140; k <= 140; k += 10) lattice += `M${k} 0l140 140M${k + 100} 0l-140 140`;
  const net = s(
    "svg",
    { x: 7, y: 7, width: 86, height: 126, viewBox: "7 7 86 126" },
    s("rect.weave", { x: 7, y: 7, width: 86, height: 126 }),
    s("path.lattice", { d: lattice }),
    s("path.lattice.fine", { d: "M50 20 85 70 50 120 15 70ZM50 34 75 70 50 106 25 70Z" }),
  );
  g.append(
    s("rect.paper", { x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 9 }),
    net,
    s("rect.hem", { x: 7, y: 7, width: 86, height: 126, rx: 4 }),
    s("circle.seal", { cx: 50, cy: 70, r: 15 }),
    s("path.mark", { d: "M56.5 63.5A9 9 0 1 0 56.5 76.5" }),
    s("path.markpip", { d: SUITS.s, transform: "translate(53 70) scale(.34)" }),
  );
  return g;
}

/** <div class=card> with both sides; `show` turns it over and keeps the element. */
export class CardElement {
  constructor(mini = false) {
    this.mini = Boolean(mini);
    this.card = undefined;
    this.turner = h("div.turner", {}, h("div.side.down", {}, back()), (this.up = h("div.side.up")));
    this.node = h("div.card", { role: "img" }, this.turner);
    if (mini) this.node.classList.add("mini");
  }

  resize(mini) {
    if (Boolean(mini) === this.mini) return;
    this.mini = Boolean(mini);
    this.node.classList.toggle("mini", this.mini);
    if (this.card) this.up.replaceChildren(face(this.card, this.mini));
  }

  show(card) {
    if (card === this.card) return false;
    const turned = this.card === null && card !== null;
    this.card = card;
    if (card) this.up.replaceChildren(face(card, this.mini));
    this.node.classList.toggle("shown", Boolean(card));
    this.node.setAttribute("aria-label", cardWords(card));
    this.node.dataset.card = card ?? "";
    return turned;
  }
}

/** A card that only lies there, in results and on the lobby's table. */
export function still(card, mini = false) {
  const made = new CardElement(mini);
  made.show(card);
  return made.node;
}
