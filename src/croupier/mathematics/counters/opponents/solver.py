"""Hand against hand, solved: the best action for every hand, and the resulting table of outcomes.

For each class of cards seen, every class of player's hands is counted against the dealer's
(`opponents`), the best action follows, and its deals are entered in one table action x case x
outcome from which every figure is a sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.cache import key_of, read_arrays, write_arrays
from croupier.mathematics.counters.opponents.decks import (
    FourSuits,
    HandClasses,
    SeenCards,
    hand_classes,
    seen_cards,
)
from croupier.mathematics.counters.opponents.game import CasePayoffs, VersusGame, versus_game
from croupier.mathematics.counters.opponents.opponents import (
    DealersHands,
    Opponents,
    by_outcome,
    meet_sets,
    meet_suits,
)
from croupier.mathematics.hand_values import strengths_of_hands
from croupier.mathematics.kernels.arrays import I8, I16, I64, U16, best_places
from croupier.mathematics.kernels.decorators import kernel, part, whole
from croupier.mathematics.kernels.threads import cores, spread
from croupier.rulebooks.rules import Rules

_PARTS: Final = 64
"""In rankings by the longest suit, the hands are divided into this many tasks."""


@dataclass(frozen=True, eq=False)
class VersusSolution:
    """The table deals[action, case, outcome] under the best play. The actions are the bets in the
    order offered, then declining; the outcomes won, tied, lost, each against a dealer who qualifies
    and one who does not."""

    game: VersusGame
    deals: I64

    @cached_property
    def nets(self) -> NDArray[np.object_]:
        """The round's net for every entry of the table, in Python's integers, scaled."""
        return np.stack([self.nets_of(action) for action in range(len(self.deals))])

    def nets_of(self, action: int) -> NDArray[np.object_]:
        game, pays = self.game, self.game.payoffs
        required, decided = pays.required.astype(object), pays.decided.astype(object)
        if action < len(game.bets):
            return np.asarray(required + game.bets[action] * decided)
        if game.folds:
            return np.repeat(pays.fold.astype(object)[:, None], required.shape[1], axis=1)
        return np.asarray(required)

    @cached_property
    def value(self) -> Fraction:
        """The expected net of the round in units of one required wager."""
        total = int((self.deals.astype(object) * self.nets).sum())
        return Fraction(total, self.game.deals * self.game.scale)


def versus_solution(rules: Rules) -> VersusSolution:
    """Return the solved main game under these rules: memoized, read from disk, or solved now."""
    return rules.once(VersusSolution, _solution)


def _solution(rules: Rules) -> VersusSolution:
    game = versus_game(rules)
    key = key_of(rules, "versus")
    stored = read_arrays(key)
    deals = None if stored is None else stored.get("deals")
    if deals is None or deals.shape != shape_of(game) or int(deals.sum()) != game.deals:
        solution = solve_versus(game)
        write_arrays(key, {"deals": solution.deals})
        return solution
    return VersusSolution(game, deals.astype(np.int64))


def solve_versus(game: VersusGame, threads: int | None = None) -> VersusSolution:
    threads = threads or cores()
    tables = [np.zeros(shape_of(game), np.int64) for _ in range(threads)]

    def work(thread: int, task: Task) -> None:
        choose_actions(prices_of(game), task.hands(game), tables[thread])

    spread(tasks_of(game, threads), work, threads)
    deals = np.sum(tables, axis=0)
    assert int(deals.sum()) == game.deals
    return VersusSolution(game, deals)


def shape_of(game: VersusGame) -> tuple[int, int, int]:
    cases, outcomes = game.payoffs.required.shape
    return len(game.bets) + 1, cases, outcomes


# -- all hands, counted ---------------------------------------------------------------------------


class CountedHands(NamedTuple):
    """Classes of player's hands: each one's strength and case, whether it would not qualify itself,
    the dealer's hands that it meets, and how many deals of the cards seen and the player's it
    stands for."""

    strengths: U16
    cases: I64
    weak: NDArray[np.bool_]
    met: Opponents
    times: I64


class Task(NamedTuple):
    """One class of cards seen, with a part of the player's hands. `sorted_hands` are the dealer's,
    if several tasks share them."""

    seen: SeenCards
    number: int
    of: int
    sorted_hands: DealersHands | None

    def classes(self, game: VersusGame) -> HandClasses:
        first = None if self.of == 1 else game.deck.by_count[0][self.number :: self.of]
        return hand_classes(game.deck, game.own, self.seen.masks, first, game.gone)

    def hands(self, game: VersusGame, classes: HandClasses | None = None) -> CountedHands:
        """Return the task's hands with the dealer's hands that each meets."""
        classes, seen = classes or self.classes(game), self.seen.masks
        masks = classes.masks
        own, cases = looked_at(game, masks)
        if game.by_suit:
            suit = game.strengths.tables[game.own].suit
            met = meet_suits(game.deck, game.theirs, seen, masks, suit, game.qualifier, game.gone)
        else:
            dealers = self.sorted_hands or _sorted_hands(game, seen)
            met = meet_sets(dealers, masks, own, game.qualifier, game.own)
        if game.qualifier >= len(game.strengths.values):
            met.unqualified[:] = game.opponents
        times = classes.times * self.seen.times
        return CountedHands(own, cases, own < game.qualifier, met, times)


def tasks_of(game: VersusGame, threads: int, shown: FourSuits | None = None) -> list[Task]:
    """Return all hands, divided among the threads; only those with the cards `shown`, if passed."""
    seen = [
        each for each in seen_cards(game.deck, game.seen, game.gone) if shown in (None, each.masks)
    ]
    if game.by_suit:
        return [Task(each, n, _PARTS, None) for each in seen for n in range(_PARTS)]
    if game.seen:
        return [Task(each, 0, 1, None) for each in seen]
    shared = _sorted_hands(game, seen[0].masks)
    return [Task(seen[0], number, threads, shared) for number in range(threads)]


def _sorted_hands(game: VersusGame, seen: FourSuits) -> DealersHands:
    tables, count = game.strengths.tables[game.theirs], len(game.strengths.values)
    return DealersHands(game.deck, game.theirs, seen, tables, count, game.gone)


def looked_at(game: VersusGame, masks: I16) -> tuple[U16, I64]:
    """Return the strength and the case of every hand."""
    every = [np.zeros(len(masks), np.uint16) for _ in game.looked_at]
    cases = np.zeros(len(masks), np.int64)
    for looks, strengths in zip(game.looked_at, every, strict=True):
        strengths_of_hands(masks, looks.tables, strengths)
        cases += looks.codes[strengths]
    return every[0], cases


# -- the best action ------------------------------------------------------------------------------


class Prices(NamedTuple):
    """The worth of a hand by its opponents: the payoffs by case, the bets, whether declining folds,
    how many opponents there are, and whether the first of equally good actions is taken or the
    last."""

    payoffs: CasePayoffs
    bets: I64
    folds: bool
    opponents: int
    takes_first: bool


def prices_of(game: VersusGame) -> Prices:
    bets = np.array(game.bets, np.int64)
    return Prices(game.payoffs, bets, game.folds, game.opponents, game.takes_first)


@part
def value_of_hand(prices: Prices, hands: CountedHands, hand: int, counts: I64) -> tuple[int, int]:
    """Write a hand's opponents by outcome into counts, and return what the required wagers are
    worth over all of them, and one unit of the decided wager."""
    met, payoffs, case = hands.met, prices.payoffs, hands.cases[hand]
    by_outcome(
        whole(met.weaker[hand]),
        whole(met.equal[hand]),
        whole(met.unqualified[hand]),
        hands.weak[hand],
        prices.opponents,
        counts,
    )
    required, decided = 0, 0
    for outcome in range(6):
        required += counts[outcome] * payoffs.required[case, outcome]
        decided += counts[outcome] * payoffs.decided[case, outcome]
    return required, decided


def choose_actions(prices: Prices, hands: CountedHands, deals: I64) -> I8:
    """Return the best action for every hand, and enter its deals in deals[action, case,
    outcome]."""
    actions = best_places(values_of_hands(prices, hands), prices.takes_first).astype(np.int8)
    enter_actions(prices, hands, actions, deals)
    return actions


def values_of_hands(prices: Prices, hands: CountedHands) -> I64:
    """Return [action, hand]: what every action is worth over all opponents; `NEVER` if not
    allowed."""
    values = np.zeros((len(prices.bets) + 1, len(hands.cases)), np.int64)
    _value(prices, hands, values)
    return values


@kernel
def _value(prices: Prices, hands: CountedHands, values: I64) -> None:
    payoffs, bets = prices.payoffs, prices.bets
    counts = np.zeros(6, np.int64)
    for hand in range(values.shape[1]):
        required, decided = value_of_hand(prices, hands, hand, counts)
        case = hands.cases[hand]
        for bet in range(len(bets)):
            allowed = payoffs.allowed[case, bet]
            values[bet, hand] = required + bets[bet] * decided if allowed else -(1 << 62)
        fold = payoffs.fold[case] * prices.opponents
        values[len(bets), hand] = fold if prices.folds else required


@kernel
def enter_actions(prices: Prices, hands: CountedHands, actions: I8, deals: I64) -> None:
    """Enter the deals of every hand in deals[action, case, outcome]."""
    counts = np.zeros(6, np.int64)
    for hand in range(len(actions)):
        value_of_hand(prices, hands, hand, counts)
        for outcome in range(6):
            times = hands.times[hand] * counts[outcome]
            deals[whole(actions[hand]), hands.cases[hand], outcome] += times
