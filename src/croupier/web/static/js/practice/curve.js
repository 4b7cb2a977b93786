// The money after each hand, against what 95 of 100 sessions of the best play come to.

import { h, s } from "../shared/dom.js";
import { cents, dollars, signed } from "../shared/money.js";

const WIDE = 560,
  HIGH = 260,
  LEFT = 64,
  RIGHT = 12,
  TOP = 12,
  BOTTOM = 28;

/** The ends of the band at each number of hands, straight between the points that were worked out. */
function ends(band, hands) {
  const points = [[0, 0, 0], ...band];
  const next = points.findIndex(([n]) => n >= hands);
  if (next < 0) return points.at(-1).slice(1);
  const [n2, low2, high2] = points[next];
  if (n2 === hands) return [low2, high2];
  const [n1, low1, high1] = points[next - 1];
  const part = (hands - n1) / (n2 - n1);
  return [low1 + (low2 - low1) * part, high1 + (high2 - high1) * part];
}

export function curvePicture(curve) {
  const most = Math.max(10, curve.hands);
  const inside = curve.band.filter(([n]) => n < most);
  const band = [[0, 0, 0], ...inside, [most, ...ends(curve.band, most)]];
  const sums = [0, ...curve.curve];
  const low = Math.min(...band.map(([, value]) => value), ...sums);
  const high = Math.max(...band.map(([, , value]) => value), ...sums);
  const x = (n) => LEFT + (n / most) * (WIDE - LEFT - RIGHT);
  const y = (money) => TOP + ((high - money) / (high - low || 1)) * (HIGH - TOP - BOTTOM);
  const path = (points) => `M${points.map(([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`).join("L")}`;
  const upper = band.map(([n, , value]) => [x(n), y(value)]);
  const lower = band.map(([n, value]) => [x(n), y(value)]).reverse();
  const words = `After ${curve.hands} hand${curve.hands === 1 ? "" : "s"} you stand at ${signed(cents(curve.result))}. 95 of 100 sessions of the best play lie between ${dollars(Math.round(ends(curve.band, curve.hands)[0]))} and ${dollars(Math.round(ends(curve.band, curve.hands)[1]))}.`;
  const marks = [low, 0, high].filter(
    (value, n, all) => all.indexOf(value) === n && (value === 0 || Math.abs(y(value) - y(0)) > 16),
  );
  return h(
    "figure.curve",
    {},
    s(
      "svg",
      { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": words },
      s("path.band", { d: `${path([...upper, ...lower])}Z` }),
      marks.map((mark) => [
        s("path.rule", { d: `M${LEFT} ${y(mark).toFixed(1)}H${WIDE - RIGHT}` }),
        s("text", { x: LEFT - 8, y: (y(mark) + 4).toFixed(1), "text-anchor": "end" }, dollars(mark)),
      ]),
      s("path.expected", {
        d: path([
          [x(0), y(0)],
          [x(most), y(curve.value_cents * most)],
        ]),
      }),
      s("path.money", { d: path(sums.map((sum, n) => [x(n), y(sum)])) }),
      s("circle.now", { cx: x(curve.hands).toFixed(1), cy: y(sums.at(-1)).toFixed(1), r: 4.5 }),
      s("text", { x: LEFT, y: HIGH - 8 }, "0"),
      s("text", { x: WIDE - RIGHT, y: HIGH - 8, "text-anchor": "end" }, `${most} hands`),
    ),
    h("figcaption.fine", {}, words),
  );
}

/** result = expected − mistakes + luck, as a sum that a person can check. */
export function luckTable(curve) {
  const row = (title, sum, words) =>
    h("tr", {}, h("th", { scope: "row" }, title, h("span.fine", {}, words)), h("td", {}, sum));
  return h(
    "table.luck",
    {},
    h(
      "tbody",
      {},
      row("Best play", signed(cents(curve.expected)), "expected of these hands"),
      row("Mistakes", signed(-cents(curve.mistakes)), "the sum of every exact cost"),
      row("Luck", signed(cents(curve.luck)), "what the cards did"),
      h("tr.sum", {}, h("th", { scope: "row" }, "Result"), h("td", {}, signed(cents(curve.result)))),
    ),
  );
}
