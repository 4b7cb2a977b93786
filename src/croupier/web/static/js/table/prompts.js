// The prompt below the table and the buttons beside it: what the player is asked now, and what they may answer.

import { openPart, partNow, wantsAttention } from "../felt/rights.js";
import { actionCost, actionTitle, decisionWords, wagersByRole } from "../shared/layout.js";
import { cents, dollars, inDollars } from "../shared/money.js";
import { chosen } from "../shared/settings.js";
import { units } from "./advice.js";

export const BUY_IN = 50_000;

export const betweenRounds = (phase) => phase === "betting" || phase === "over";

const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0]);

const capital = (words) => words[0].toUpperCase() + words.slice(1);

/** The whole bar: prompt, buttons, the chips that are left. `page` is the TablePage. */
export function promptOf(page) {
  const { view, betting, rules } = page;
  if (page.arriving)
    return { tray: false, rack: null, buttons: [], prompt: "Taking your seat and getting your chips…" };
  const rights =
    view.me && !page.staff
      ? { run: () => page.rights(), calls: wantsAttention(view), part: partNow(page), showPart: () => openPart(page) }
      : null;
  const base = {
    tray: false,
    chipChosen: chosen("chip"),
    rack: view.me && page.seats.length ? chipsLeft(page) : null,
    buttons: [],
    prompt: "",
    rights,
  };
  if (!page.seats.length) {
    const free = view.seats.some((seat) => !seat.player);
    const lobby = { name: "lobby", title: "Other tables", sub: "to the lobby", run: () => location.assign("/") };
    if (page.staff)
      return {
        ...base,
        prompt: `You are signed in as ${page.staff}. Players' cards stay face down until they are shown.`,
        buttons: [jobOf(page)],
      };
    if (!view.is_open)
      return { ...base, prompt: "This table is closed. Choose another one in the lobby.", buttons: [lobby] };
    if (!free)
      return { ...base, prompt: "Every seat is taken. Watch from here, or choose another table.", buttons: [lobby] };
    return {
      ...base,
      prompt: page.demo ? "Sit down and play with play chips, or just watch." : "Sit down and buy in, or just watch.",
      buttons: [
        lobby,
        {
          name: "sit",
          title: "Sit down",
          sub: page.demo ? `${dollars(BUY_IN)} of play chips` : "and buy in",
          key: "S",
          kind: "gold",
          run: () => page.sit(),
          off: page.busy,
        },
      ],
    };
  }
  const extra = { title: "Buy chips", run: () => page.buy() };
  const { round } = view;
  if (betting.isOpen) return { ...base, tray: true, extra, ...bettingPrompt(page) };
  if (page.asked) return { ...base, ...decisionPrompt(page) };
  const plays = round.seats.some((seat) => seat.player === view.me.player);
  if (!plays && !betweenRounds(round.phase) && view.dealt_by !== "people")
    return {
      ...base,
      extra,
      prompt: betting.last ? "This round goes on without you." : "Welcome. You can bet when this round is over.",
    };
  const words = {
    betting: "Bets are open.",
    closed: "No more bets. Here come the cards.",
    deciding: `Seat ${round.turn} decides.`,
    revealing: "More cards are turned up.",
    showdown: "The dealer shows the hand.",
    settling: round.claim
      ? `Seat ${round.claim.seat} hit the Progressive! A floorperson confirms it, then it is paid.`
      : "The dealer settles the bets.",
    collecting: "Round over.",
    over:
      round.void && plays
        ? "The round is void. All bets were returned."
        : view.dealt_by === "people"
          ? "Waiting for a dealer to start the next round."
          : plays || betting.last
            ? "Round over. The next one starts in a moment."
            : "Welcome. Bets open in a moment.",
  };
  const skip = { name: "skip", title: "Skip", key: "Space", run: () => page.skip() };
  return {
    ...base,
    extra: round.phase === "over" ? extra : undefined,
    prompt: words[round.phase] ?? rules.title,
    buttons: [
      ...(page.canSkip ? [skip] : []),
      ...(round.phase === "over" ? [{ name: "leave", title: "Leave table", key: "L", run: () => page.leave() }] : []),
    ],
  };
}

/** The page where a staff member works. */
function jobOf(page) {
  const at = encodeURIComponent(page.table);
  const [title, sub, to] = {
    dealer: ["Deal", "the dealer's console", `/tables/${at}/deal`],
    floorperson: ["The floor", "of this table", `/floor/${at}`],
  }[page.staff] ?? ["The floor", "all tables", "/floor"];
  return { name: "floor", title, sub, run: () => location.assign(to) };
}

export function chipsLeft(page) {
  const held = page.view.round.seats.filter(
    (seat) => seat.number === page.betting.seat && seat.player === page.view.me.player,
  );
  const laid =
    page.view.round.phase === "betting"
      ? held.flatMap((hand) => Object.values(hand.wagers)).reduce((sum, stake) => sum + cents(stake), 0)
      : 0;
  const placed = page.view.round.phase === "betting" ? page.betting.total : 0;
  return cents(page.view.me.rack) + laid - placed;
}

export function bettingPrompt(page) {
  const { betting, rules } = page;
  const main = wagersByRole(rules).main;
  const held = page.view.round.seats.find(
    (seat) => seat.number === betting.seat && seat.player === page.view.me.player,
  );
  const names = main.map((wager) => wager.title);
  const [first, ...rest] = names;
  const place = /^[a-z]+$/i.test(first) ? `Place your ${first}` : `Bet on ${first}`;
  const limits = `${inDollars(main[0].least)} to ${inDollars(main[0].most)}`;
  const needed = rest.length
    ? `${place} to play. ${listed(rest)} ${rest.length > 1 ? "go" : "goes"} with it, ${limits} each.`
    : `${place} to play, ${limits}.`;
  const sitsOut = page.view.seats.some((seat) => seat.number === betting.seat && seat.sits_out);
  const prompt =
    sitsOut && !betting.total
      ? "You are sitting this round out. Place a bet to join in."
      : held?.ready
        ? "You are ready. The dealer waits for the others."
        : betting.isComplete
          ? `Press ${page.view.dealt_by === "people" ? "Ready" : "Deal"} when you are done, or add side bets.`
          : `${betting.last ? "" : "Welcome. "}${needed}`;
  const lastBet = betting.last ? dollars(Object.values(betting.last).reduce((sum, stake) => sum + stake, 0)) : "";
  return {
    prompt,
    buttons: [
      ...(betting.total || betting.canUndo
        ? [
            {
              name: "undo",
              title: "Undo",
              key: "U",
              run: () => betting.undo(),
              off: !betting.canUndo,
              why: "There is nothing to undo.",
            },
            {
              name: "clear",
              title: "Clear",
              key: "C",
              run: () => betting.clear(),
              off: !betting.total,
              why: "There is no bet to take back.",
            },
          ]
        : []),
      ...(betting.last && !betting.total
        ? [
            { name: "rebet", title: "Rebet", sub: lastBet, key: "R", run: () => betting.rebet() },
            {
              name: "again",
              title: "Deal again",
              sub: lastBet,
              key: "Space",
              kind: "gold",
              run: () => page.again(),
              off: page.busy,
            },
          ]
        : [
            {
              name: "deal",
              title: held?.ready || page.view.dealt_by === "people" ? "Ready" : "Deal",
              sub: betting.total ? `${dollars(betting.total)} bet` : "bet first",
              key: "D",
              kind: "gold",
              run: () => page.ready(),
              off: !betting.isComplete || page.busy || held?.ready,
              why: held?.ready
                ? "You are ready. The dealer waits for the others."
                : betting.isComplete
                  ? ""
                  : `Bet on ${listed(names)} first.`,
            },
          ]),
      ...(betting.total || !page.view.actions.some((action) => action.do === "sit_out")
        ? []
        : [
            {
              name: "sit-out",
              title: "Sit out",
              sub: "this round",
              key: "O",
              run: () => page.sitOut(),
              off: page.busy,
            },
          ]),
      ...(betting.total ? [] : [{ name: "leave", title: "Leave", key: "L", run: () => page.leave() }]),
    ],
  };
}

export function decisionPrompt(page) {
  const { view } = page;
  const { values: advice } = page.advice;
  const says = view.actions.filter((action) => action.do === "say" && action.seat === view.round.turn);
  const buttons = says.map((action) => ({
    name: action.action,
    title: actionTitle(action.action),
    sub: actionCost(action),
    key: page.answerKeys[action.action],
    kind: cents(action.cost) > 0 ? "gold" : "plain",
    off: page.busy || action.affordable === false,
    why:
      action.affordable === false
        ? `This costs ${dollars(cents(action.cost))}, and you have ${dollars(cents(view.me.rack))}.`
        : "",
    best: chosen("advice") && advice?.best === action.action,
    value:
      chosen("advice") && advice?.actions[action.action]
        ? `${units(advice.actions[action.action].expected_value)} a unit`
        : "",
    run: () => page.act(action.action),
  }));
  const order = page.rules.decisions.find((decision) => decision.name === view.round.decision)?.answers ?? [];
  for (const refusal of view.actions.filter(
    (action) => action.do === "cannot_say" && action.seat === view.round.turn,
  )) {
    const why = refusal.why.replace(`${refusal.action} takes `, "takes ");
    buttons.push({
      name: refusal.action,
      title: actionTitle(refusal.action),
      sub: why,
      kind: "plain",
      off: true,
      why: capital(refusal.why),
      run: () => {},
    });
  }
  buttons.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const many = page.seats.length > 1 ? ` Seat ${view.round.turn}.` : "";
  const look = view.source === "live" ? " Look at your cards on the table." : "";
  const isShort = says.some((action) => action.affordable === false);
  return {
    prompt: `Your turn, ${decisionWords(view.round.decision)}.${many}${look}`,
    buttons,
    offers: isShort ? moreChips(page) : null,
    extra: isShort ? { title: "Buy chips", run: () => page.buy() } : undefined,
  };
}

export function moreChips(page) {
  return page.demo ? { title: `Buy ${dollars(BUY_IN)} more`, run: () => page.buy() } : null;
}
