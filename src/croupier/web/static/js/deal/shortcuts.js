// The keys of the dealer's console.

import { help } from "../shared/keys.js";
import { actionTitle } from "../shared/layout.js";
import { openAll } from "./lists.js";
import { answerKeys, handToPay, isPaying } from "./standing.js";

/** The list that `listen` and `help` of shared/keys.js take. `page` is the DealPage. */
export function shortcutsOf(page) {
  const { step } = page;
  const list = [];
  const add = (keys, words, run, more = {}) => list.push({ keys, words, run, ...more });
  const choices = step?.step === "ask" ? step.choices : [];
  const keys = answerKeys(choices);
  for (const action of choices) {
    add(
      [keys[action]],
      `With shift: “${actionTitle(action)}” for everyone who has not answered yet`,
      () => page.answerForAll(action),
      { shift: true, when: () => page.may("answer_all") },
    );
    add([keys[action]], `${actionTitle(action)}, says seat ${step.seat}`, () => page.answer(step, action));
  }
  if (isPaying(step))
    add(["backspace"], "Mistyped: type the cards of this seat again", () => page.retype(), {
      when: () => page.may("replace_cards") && handToPay(page.paid)?.cards.length > 0,
    });
  add(["escape"], "Close an error, leave a field or a correction", () => {
    page.forgive();
    page.retyping = 0;
    page.render();
  });
  add(["enter", " "], "Do the next step", () => page.doStep(step), {
    when: () => step && !step.asks.length && !page.retyping,
  });
  if (page.betsHere) {
    for (const seat of page.view.seats)
      add([String(seat.number)], `Seat ${seat.number}: player, chips and bets`, () => page.openSeat(seat.number));
    add(["b"], "The same bets as in the last round", () => page.sameBets(), {
      when: () => page.view.round.phase === "betting",
    });
  }
  if (page.entry.isOpen && !isPaying(step)) add(["p"], "Pick the cards from the 52", () => page.entry.pick());
  add(
    ["n"],
    "The next of the steps that wait for you",
    () => {
      page.choice += 1;
      page.render();
    },
    { when: () => page.mine.length > 1 },
  );
  add(["o"], "Call the floor", () => page.callFloor(), { when: () => page.may("call_floor"), always: true });
  add(["w"], "Something went wrong: report it", () => page.report(), { always: true });
  add(["u"], "Open or fold the duties of the step", () => page.panel.toggleDuties());
  add(["z"], "Take back a mistyped card or answer", () => page.takeBack(), {
    when: () => page.may("take_back_answer") || page.may("replace_cards"),
  });
  add(["m"], "Everything else a dealer may do", () => openAll(page));
  add(["?"], "List of keys", () => help(() => shortcutsOf(page)));
  return list;
}
