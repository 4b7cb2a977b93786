// The betting spots of one position, large for oneself and small for the others, in the same order.

import { stack } from "./chips.js";
import { $, h, s, say } from "../shared/dom.js";
import { keyOf } from "../shared/keys.js";
import { layoutRows } from "../shared/layout.js";
import { cents, dollars } from "../shared/money.js";
import { helpButton } from "./wager-help.js";

const KINDS = { required: "main", decided: "decided", optional: "side", progressive: "coin" };

export class Spots {
  /** With `onSpot(wager, button)` the spots are buttons, and `onHelp(anchor)` gives each a small ?. */
  constructor(rules, /** @type {any} */ { onSpot = null, onHelp = null, keys = {} } = {}) {
    this.rules = rules;
    this.spots = new Map();
    const rows = layoutRows(rules);
    const across = rows.flatMap((row) => [
      ...row.spots.map((spot) => spot.spot.across),
      ...row.areas.map((area) => area.across),
    ]);
    const left = Math.min(...across);
    // Half a spot is a column, so that a row of two stands between the spots of a row of three.
    const column = (at) => String(Math.round((at - left) * 2) + 1);
    const halves = Math.round((Math.max(...across) - left) * 2) + 2;
    this.node = h("div.spots", { vars: { "--halves": halves, "--rows": rows.length } });
    rows.forEach((row, n) => {
      for (const { wager, spot } of row.spots) {
        const made = this.#spot(wager, KINDS[wager.progressive ? "progressive" : wager.role], onSpot, keys[wager.name]);
        if (spot.symbol) made.firstElementChild?.append(h("span.join", { "aria-hidden": "true" }, spot.symbol));
        Object.assign(made.style, { gridRow: String(n + 1), gridColumn: `${column(spot.across)} / span 2` });
        this.node.append(made);
        if (!onHelp) continue;
        const help = helpButton(wager, onHelp);
        Object.assign(help.style, { gridRow: made.style.gridRow, gridColumn: made.style.gridColumn });
        this.node.append(help);
      }
      for (const area of row.areas) {
        const made = h("span.area", { "aria-hidden": "true" }, h("span.label", {}, area.holds.replaceAll("_", " ")));
        Object.assign(made.style, { gridRow: String(n + 1), gridColumn: `${column(area.across)} / span 2` });
        this.node.append(made);
      }
    });
  }

  #spot(wager, shape, onSpot, key) {
    const chips = h("span.chips");
    const ring = s(
      "svg.ring",
      { viewBox: "0 0 100 100", "aria-hidden": "true" },
      shape === "side" ? s("path", { d: "M50 4 96 50 50 96 4 50Z" }) : s("circle", { cx: 50, cy: 50, r: 46 }),
      shape === "coin" ? s("circle.inner", { cx: 50, cy: 50, r: 36 }) : null,
    );
    const disc = h(
      "span.disc",
      {},
      ring,
      chips,
      shape === "coin" ? h("span.lamp", { "aria-hidden": "true" }) : null,
      key ? h("kbd", { "aria-hidden": "true", data: { key } }, key) : null,
    );
    const label = h("span.label", {}, wager.title);
    const attributes = { data: { wager: wager.name, name: wager.name } };
    const node = onSpot
      ? h(`button.spot.${shape}`, { type: "button", ...attributes, onclick: () => onSpot(wager.name) }, disc, label)
      : h(`span.spot.${shape}`, { ...attributes, title: wager.title }, disc, label);
    if (onSpot) {
      node.addEventListener("contextmenu", (event) => {
        event.preventDefault();
        onSpot(wager.name, true);
      });
      node.addEventListener("keydown", (event) => {
        if (event.key === "Backspace" || event.key === "Delete") onSpot(wager.name, true);
      });
    }
    this.spots.set(wager.name, { node, chips, wager, amount: 0 });
    return node;
  }

  /** `stakes` in cents by wager; `enabled(name)` for buttons; `lines` tell what became of them; `accepted` are the
      wagers that the system has taken: at the progressive a light says so (7.F(3)(b) and its kin). */
  update(stakes, /** @type {any} */ { enabled = null, lines = [], accepted = stakes } = {}) {
    const results = Object.fromEntries(lines.map((line) => [line.wager, line]));
    for (const [name, spot] of this.spots) {
      const amount = stakes[name] ?? 0;
      if (amount !== spot.amount) {
        spot.chips.replaceChildren(...(amount ? [stack(amount)] : []));
        spot.amount = amount;
      }
      const line = results[name];
      spot.node.classList.toggle("laden", amount > 0);
      spot.node.dataset.result = line?.result ?? "";
      const taken = Boolean(amount && accepted[name]);
      spot.node.classList.toggle("accepted", taken);
      if (enabled) {
        const open = enabled(name);
        spot.node.setAttribute("aria-disabled", open ? "false" : "true");
        markKey(spot.node);
        spot.node.setAttribute("aria-label", spotWords(spot.wager, amount, line, taken));
      }
    }
  }

  node_of(name) {
    return this.spots.get(name)?.node;
  }
}

/** The key that puts a chip here, as it is set now; I explains the bet. */
function markKey(node) {
  const shown = $("kbd", node);
  const key = keyOf(shown?.dataset.key ?? "");
  if (shown) {
    say(shown, key);
    shown.hidden = !key;
  }
  node.setAttribute("aria-keyshortcuts", `${key} I`.trim());
}

function spotWords(wager, amount, line, taken) {
  const limits = wager.least && wager.most ? `, ${dollars(cents(wager.least))} to ${dollars(cents(wager.most))}` : "";
  const fixed = wager.stakes.length ? `, ${wager.stakes.map((stake) => dollars(cents(stake))).join(" or ")}` : "";
  const role = { required: "required", optional: "optional", decided: "made in play" }[wager.role];
  const fate = line ? `, ${line.words}` : "";
  const light = wager.progressive && amount ? (taken ? ", accepted, the light is on" : ", not accepted yet") : "";
  return `${wager.title}, ${role}${fixed || limits}: ${amount ? dollars(amount) : "empty"}${light}${fate}`;
}
