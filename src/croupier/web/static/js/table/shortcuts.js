// The keys of the player's table.

import { DENOMINATIONS } from "../felt/chips.js";
import { openRules } from "../shared/drawer.js";
import { help } from "../shared/keys.js";
import { actionTitle, titleOf, wagersByRole } from "../shared/layout.js";
import { dollars } from "../shared/money.js";
import { choose, chosen } from "../shared/settings.js";
import { openStrategy } from "../shared/strategy-panel.js";
import { openInvite } from "./invite.js";

export const SPOTS = "Tab goes from spot to spot; Enter puts a chip there, Backspace takes it off.";
export const RESERVED = "EWKTHGLIYQ"; // keys that mean something else while a decision is due
const SIDE_KEYS = ["z", "x", "v", "n", "m", "j"];

/** A key for the spot of each wager. */
export function spotKeys(rules) {
  const layout = wagersByRole(rules);
  const keys = { [layout.main[0].name]: "A" };
  layout.progressive.forEach((wager) => {
    keys[wager.name] = "P";
  });
  layout.sides.forEach((wager, n) => {
    if (SIDE_KEYS[n]) keys[wager.name] = SIDE_KEYS[n].toUpperCase();
  });
  return keys;
}

/** The list that `listen` and `help` of shared/keys.js take. `page` is the TablePage. */
export function shortcutsOf(page) {
  const { rules } = page;
  const list = [];
  const add = (keys, words, run, when) => list.push({ keys, words, run, when });
  const bets = () => page.betting.isOpen;
  add(
    ["s"],
    "Sit down",
    () => page.sit(),
    () => page.view && !page.staff && !page.seats.length,
  );
  DENOMINATIONS.forEach((value, n) =>
    add([String(n + 1)], `Take the ${dollars(value)} chip`, () => page.pick(value), bets),
  );
  for (const [name, key] of Object.entries(page.keys)) {
    add([key.toLowerCase()], `Chip on ${titleOf(rules, name)}`, () => page.spot(name), bets);
  }
  add(["u"], "Undo the last chip", () => page.betting.undo(), bets);
  add(["c"], "Take all bets back", () => page.betting.clear(), bets);
  add(["r"], "Repeat the last bets", () => page.betting.rebet(), bets);
  add(["d", "enter"], "Deal", () => page.betting.isComplete && page.ready(), bets);
  add(
    [" "],
    "Deal, repeating the last bets if there are none; skip while the dealer works",
    () => (bets() ? page.again() : page.skip()),
    () => bets() || (page.view && page.canSkip),
  );
  for (const [action, key] of Object.entries(page.answerKeys)) {
    if (key)
      add(
        [key.toLowerCase()],
        actionTitle(action),
        () => page.act(action),
        () =>
          page.view &&
          page.asked &&
          page.view.actions.some(
            (entry) => entry.do === "say" && entry.action === action && entry.affordable !== false,
          ),
      );
  }
  add(
    ["e"],
    "At your seat: tip, change chips, call the floor, leave the round",
    () => page.rights(),
    () => Boolean(page.view?.me) && !page.staff,
  );
  add(
    ["w"],
    "More time",
    () => page.moreTime(),
    () => page.hurried > 0,
  );
  add(
    ["o"],
    "Sit this round out",
    () => page.sitOut(),
    () => bets() && !page.betting.total && page.view.actions.some((action) => action.do === "sit_out"),
  );
  add(
    ["g"],
    "Buy more chips",
    () => page.buy(),
    () => page.seats.length > 0,
  );
  add(
    ["l"],
    "Leave the table",
    () => page.leave(),
    () => page.seats.length > 0 && !page.betting.total,
  );
  add(["k"], "Turn advice on or off", () => choose("advice", !chosen("advice")));
  add(
    ["i"],
    "About a bet: what it is, its house edge, its paytable",
    () => page.help.open(page.place.spots.node_of(wagersByRole(rules).main[0].name)),
    () => page.seats.length > 0,
  );
  add(["y"], "Invite others to this table", () => openInvite(page.table));
  add(["t"], "Rules and paytables", () => openRules(rules));
  add(["q"], "Strategy: chart and words", () => openStrategy(page.table));
  add(["h"], "Past rounds", () => location.assign(`/tables/${encodeURIComponent(page.table)}/rounds`));
  add(["?"], "List of keys", () => help(() => shortcutsOf(page), SPOTS));
  return list;
}
