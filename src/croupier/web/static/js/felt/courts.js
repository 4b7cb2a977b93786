// King, queen and jack: geometric half figures, turned around the middle of the card. What differs
// from suit to suit is the crown, the hair, the cloth and what the hand holds.

import { s } from "../shared/dom.js";
import { SUITS } from "./glyphs.js";

const INK = "#1b2130";
const GOLD = "#d8a545";
const PALE = "#f7ecd6";
const SKIN = "#f2d5b4";
const SECOND = { s: "#3a5a8c", h: "#23405e", d: "#2d6a67", c: "#7a2f3a" };
const HAIR = { s: "#4a3a30", h: "#c98f45", d: "#e0c27a", c: "#6d3f26" };

const p = (d, fill = "none", more = {}) =>
  s("path", {
    d,
    fill,
    stroke: INK,
    "stroke-width": 0.9,
    "stroke-linejoin": "round",
    "stroke-linecap": "round",
    ...more,
  });
const line = (d, stroke = INK, width = 0.9) => p(d, "none", { stroke, "stroke-width": width });
const dot = (cx, cy, r, fill, stroke = INK) =>
  s("circle", { cx, cy, r, fill, stroke, "stroke-width": stroke === "none" ? 0 : 0.8 });
const emblem = (suit, x, y, size, fill = "currentColor") =>
  s("path", { d: SUITS[suit], fill, transform: `translate(${x} ${y}) scale(${size / 20})` });

/** The picture of a court card: both halves in their frame. */
export function court(rank, suit) {
  return s(
    "g",
    {},
    s("rect", { x: 20.5, y: 12.5, width: 59, height: 115, rx: 3, fill: PALE, stroke: "none" }),
    half(rank, suit, ""),
    half(rank, suit, "rotate(180 50 70)"),
    s("rect", {
      x: 20.5,
      y: 12.5,
      width: 59,
      height: 115,
      rx: 3,
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.1,
    }),
    line("M20.5 84 79.5 56", "currentColor", 1.1),
  );
}

function half(rank, suit, transform) {
  // Cut along the slanting middle, so that the halves meet as on an engraved card.
  const cut = "polygon(20px 12px, 80px 12px, 80px 56px, 20px 84px) view-box";
  const figure = s(
    "g",
    { transform: suit === "h" || suit === "c" ? "matrix(-1 0 0 1 100 0)" : "" },
    back(rank, suit),
    robe(rank, suit),
    held(rank, suit),
    head(rank, suit),
    crown(rank, suit),
  );
  const group = s(
    "g",
    {},
    s("path", { d: rays(), stroke: "currentColor", "stroke-width": 0.5, opacity: 0.22 }),
    figure,
    emblem(suit, 28, 22.5, 11),
  );
  group.style.clipPath = cut;
  return s("g", { transform }, group);
}

const rays = () => {
  const parts = [];
  for (let a = -80; a <= 80; a += 10) {
    const r = (a * Math.PI) / 180;
    parts.push(`M${50 + 15 * Math.sin(r)} ${36 - 15 * Math.cos(r)}L${50 + 70 * Math.sin(r)} ${36 - 70 * Math.cos(r)}`);
  }
  return parts.join("");
};

/** Hair that falls behind the shoulders. */
function back(rank, suit) {
  const hair = HAIR[suit];
  if (rank === "Q") return p("M39 30C33 40 35 54 31 64L46 66V34ZM61 30C67 40 65 54 69 64L54 66V34Z", hair);
  if (rank === "K")
    return p("M40 29C35 36 38 44 34 50 40 52 44 48 44 42ZM60 29C65 36 62 44 66 50 60 52 56 48 56 42Z", hair);
  return p("M40 28C36 36 37 44 39 47L45 46V32ZM60 28C64 36 63 44 61 47L55 46V32Z", hair);
}

/** Cloth: a cloak in the suit's color over a tunic, with the suit's own weave. */
function robe(rank, suit) {
  const cloak = "M14 92V66C17 54 32 49 42 47L50 56 58 47C68 49 83 54 86 66V92Z";
  return s(
    "g",
    {},
    p(cloak, "currentColor"),
    weave(suit),
    p("M42 47 50 84 58 47 54.5 44h-9Z", SECOND[suit]),
    rank === "J" ? line("M46.6 55h6.8M47.6 61h4.8M48.8 67h2.4", GOLD, 1.4) : p("M46.2 52 50 92 53.8 52 50 56Z", GOLD),
    rank === "Q"
      ? s("g", {}, p("M41 46.5C44 53 56 53 59 46.5L57 44.5H43Z", PALE), dot(50, 51.5, 2, "currentColor"))
      : p("M40 48 50 58.5 60 48 56 44.5 50 50 44 44.5Z", rank === "K" ? PALE : GOLD),
    rank === "K"
      ? s(
          "g",
          {},
          ...[43.6, 46.8, 53.2, 56.4].map((x, n) => line(`M${x} ${n === 0 || n === 3 ? 49 : 52}v1.4`, INK, 1.1)),
        )
      : null,
  );
}

function weave(suit) {
  const g = s("g", { opacity: 0.95 });
  for (let n = 0; n < 6; n += 1) {
    for (const side of [-1, 1]) {
      const x = 50 + side * (14 + (n % 3) * 8);
      const y = 57 + Math.floor(n / 3) * 11 + (n % 3) * 3.5;
      if (suit === "s") g.append(line(`M${x - 3} ${y + 3}l3-4.4 3 4.4`, GOLD, 1.1));
      if (suit === "h") g.append(line(`M${x - 3.4} ${y}a3.4 3.4 0 0 0 6.8 0`, GOLD, 1.1));
      if (suit === "d")
        g.append(p(`M${x} ${y - 2.6}l2.4 3.2-2.4 3.2-2.4-3.2Z`, "none", { stroke: GOLD, "stroke-width": 1 }));
      if (suit === "c")
        g.append(
          dot(x, y - 1, 1.1, GOLD, "none"),
          dot(x - 1.7, y + 1.6, 1.1, GOLD, "none"),
          dot(x + 1.7, y + 1.6, 1.1, GOLD, "none"),
        );
    }
  }
  return g;
}

function head(rank, suit) {
  const g = s(
    "g",
    {},
    p("M46 39v8.5l4 3.5 4-3.5V39Z", SKIN),
    p("M42.4 27h15.2v10C57.6 42.8 54 46 50 46 46 46 42.4 42.8 42.4 37Z", SKIN),
  );
  g.append(line("M44.4 32.2q2-1.6 4 0M51.6 32.2q2-1.6 4 0", INK, 0.9));
  g.append(dot(46.5, 34, 0.8, INK, "none"), dot(53.5, 34, 0.8, INK, "none"));
  g.append(line("M50 33.4 49 38h1.6", INK, 0.7));
  if (rank === "K") {
    g.append(
      p("M42.4 35C42 49 46 55 50 57 54 55 58 49 57.6 35 56.6 39 54 39.6 50 39.4 46 39.6 43.4 39 42.4 35Z", HAIR[suit]),
    );
    g.append(line("M46 41.4q4-2.4 8 0", PALE, 1), line("M47 45l1.4 6M53 45l-1.4 6M50 45v8", PALE, 0.6));
  } else {
    g.append(p("M48 41.4q2 1.5 4 0q-2-.9-4 0Z", rank === "Q" ? "#b8323a" : "#a8564c", { "stroke-width": 0.5 }));
  }
  if (rank === "Q") {
    g.append(
      p(
        "M42.4 38C40.4 33 41 28 44 26.4 46 28.6 48 28 50 26 52 28 54 28.6 56 26.4 59 28 59.6 33 57.6 38 57.8 33 56 30.6 50 30.4 44 30.6 42.2 33 42.4 38Z",
        HAIR[suit],
      ),
    );
    g.append(dot(41.7, 40, 1.1, GOLD), dot(58.3, 40, 1.1, GOLD));
  }
  if (rank === "J") {
    g.append(
      p("M41 42C39 34 40 29 43 26.4H57C60 29 61 34 59 42L57 36C56 31 54 30 50 30 46 30 44 31 43 36Z", HAIR[suit]),
    );
  }
  return g;
}

function crown(rank, suit) {
  const g = s("g", {});
  if (rank === "K") {
    const tops = {
      s: "M38.5 28 36.5 16.5 43 22 50 13.6 57 22 63.5 16.5 61.5 28Z",
      h: "M38.5 28C34 18 42 15 45 20 46 15 54 15 55 20 58 15 66 18 61.5 28Z",
      d: "M38.5 28 36.5 19 40 15.6 43.4 19 46.6 18.6 50 13.4 53.4 18.6 56.6 19 60 15.6 63.5 19 61.5 28Z",
      c: "M38.5 28 37 20C33 15 41 13 41.5 18L46 21C43 14 57 14 54 21L58.5 18C59 13 67 15 63 20L61.5 28Z",
    };
    g.append(p(tops[suit], GOLD), p("M38.5 25.6h23V29h-23Z", "currentColor"));
    for (const x of [42, 46, 50, 54, 58]) g.append(dot(x, 27.3, 0.95, PALE, "none"));
    g.append(emblem(suit, 50, 21, 5, INK));
  } else if (rank === "Q") {
    g.append(
      p(
        "M40.5 27.5C38 22 41 17 44 21.5 45 16.5 48 16.5 50 20.5 52 16.5 55 16.5 56 21.5 59 17 62 22 59.5 27.5 54 25 46 25 40.5 27.5Z",
        GOLD,
      ),
    );
    for (const [x, y] of [
      [41.6, 18.6],
      [46.6, 16.6],
      [53.4, 16.6],
      [58.4, 18.6],
    ])
      g.append(dot(x, y, 1.2, PALE));
    g.append(dot(50, 23.6, 1.5, "currentColor"));
  } else {
    g.append(p("M37.6 28.4C36 17 60 12.6 64 24.4L62.6 29C56 25.6 45 25.4 37.6 28.4Z", SECOND[suit]));
    g.append(p("M37.6 28.6C45 25.4 56 25.6 62.6 29V31.2C55 28.4 46 28.2 38 31.2Z", GOLD));
    g.append(
      p("M60 20C66 12 74 13 76 20 72 19 68 20 66 24 65 22 62 21 60 20Z", PALE),
      line("M61 20.4C66 17 71 16.6 75 19.4", INK, 0.6),
    );
    g.append(emblem(suit, 49, 21.6, 6, GOLD));
  }
  return g;
}

function held(rank, suit) {
  const hand = (x, y) => p(`M${x - 3.4} ${y}a3.4 3 0 1 1 6.8 0v2.4h-6.8Z`, SKIN);
  if (rank === "K") {
    if (suit === "s") {
      return s(
        "g",
        {},
        p("M70.6 22 72 18 73.4 22V52h-2.8Z", PALE),
        line("M72 22v28", INK, 0.5),
        p("M66.6 52h10.8v2.4H66.6Z", GOLD),
        p("M71 54.4h2v7h-2Z", SECOND.s),
        hand(72, 59),
      );
    }
    return s(
      "g",
      {},
      p("M71 30h2v36h-2Z", GOLD),
      dot(72, 25.4, 4.6, PALE),
      emblem(suit, 72, 25.4, 6.4),
      line("M69 32.4h6", GOLD, 1.6),
      hand(72, 57),
    );
  }
  if (rank === "Q") {
    const petals = [0, 72, 144, 216, 288].map((a) =>
      s("ellipse", {
        cx: 0,
        cy: -3,
        rx: 2,
        ry: 2.8,
        fill: "currentColor",
        stroke: INK,
        "stroke-width": 0.6,
        transform: `translate(71 37) rotate(${a})`,
      }),
    );
    return s(
      "g",
      {},
      line("M71 40C71.5 46 71 52 70 58", "#3d7a4f", 1.4),
      p("M71 47c3-3 5.4-2.4 6.4-2-1 2.6-3.6 4-6.4 3.4Z", "#3d7a4f", { "stroke-width": 0.6 }),
      ...petals,
      dot(71, 37, 1.6, GOLD),
      hand(70.4, 57),
    );
  }
  return s(
    "g",
    {},
    p("M70.2 30h1.9v38h-1.9Z", HAIR[suit]),
    suit === "s" || suit === "c"
      ? p("M71.1 30C66 26 67 20 71.1 15 75.2 20 76.2 26 71.1 30Z", PALE)
      : p("M71.1 16 72.8 24H78C78 29 75 31.6 71.1 32 67.2 31.6 64.2 29 64.2 24H69.4Z", PALE),
    emblem(suit, 71.1, 25.6, 4.4),
    hand(71.1, 57),
  );
}
