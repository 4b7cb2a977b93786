// Chips that move when bets are settled: what is lost goes to the dealer, what is won comes from him and goes on to
// the player's own chips.

import { breakdown, chip } from "../felt/chips.js";
import { h } from "../shared/dom.js";
import { cents } from "../shared/money.js";
import { timed } from "../felt/pace.js";
import { isStill } from "../shared/settings.js";

const AFTER = 130; // from one wager to the next, in milliseconds
const LEG = 480;
const REST = 420; // on the spot, so that everybody sees what was paid

/** `spots` are the player's; `house` and `rack` are where the chips of the two lie. */
export function moveChips(spots, lines, { house, rack }) {
  if (isStill() || document.hidden) return;
  let n = 0;
  for (const line of lines) {
    const disc = spots.node_of(line.wager)?.querySelector(".disc");
    const net = cents(line.net);
    if (!disc || line.result === "void") continue;
    const way = net < 0 ? [disc, house] : net > 0 ? [house, disc, rack] : [disc, rack];
    send(net ? Math.abs(net) : cents(line.stake), way, timed(AFTER * (n += 1)));
  }
}

/** What another seat has won or lost in all, in one stack between the dealer and its place. */
export function moveSum(net, house, place) {
  if (isStill() || document.hidden || !net) return;
  send(Math.abs(net), net < 0 ? [place, house] : [house, place], 0);
}

/** Along the middles of the nodes, resting at each on the way. */
function send(amount, way, delay) {
  const places = way.map(middle);
  const moving = h("span.flying", { "aria-hidden": "true" }, breakdown(amount).slice(0, 4).map((value, n) => {
    const one = chip(value);
    one.style.setProperty("--n", n);
    return one;
  }));
  document.body.append(moving);
  const at = ([x, y]) => `translate(${x}px, ${y}px) translate(-50%, -50%)`;
  const total = LEG * (places.length - 1) + REST * (places.length - 2);
  const frames = places.flatMap((place, n) => {
    const comes = (n * LEG + Math.max(0, n - 1) * REST) / total;
    const leaves = n > 0 && n < places.length - 1 ? [{ transform: at(place), offset: comes + REST / total }] : [];
    return [{ transform: at(place), offset: comes }, ...leaves];
  });
  moving.animate(frames, { duration: timed(total), delay, easing: "ease-in-out", fill: "backwards" })
    .finished.catch(() => {}).finally(() => moving.remove());
}

function middle(node) {
  const { left, top, width, height } = node.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}
