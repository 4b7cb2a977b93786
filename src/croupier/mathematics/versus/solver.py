"""Hand against hand, solved: the best action on every hand, and the table of outcomes it leads to.

For each class of cards seen, every class of player's hands is counted against the dealer's
(`opponents`, `longest_suit`), the best action follows, and its deals are entered in one table

    action x case x outcome

from which every figure is a sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.cache import key_of, read_arrays, write_arrays
from croupier.mathematics.holdem.kernels import kernel, whole
from croupier.mathematics.holdem.threads import cores, spread
from croupier.mathematics.versus.decks import (
    I16,
    I64,
    FourSuits,
    HandClasses,
    SeenCards,
    hand_classes,
    seen_cards,
)
from croupier.mathematics.versus.game import CasePayoffs, VersusGame, game_of
from croupier.mathematics.versus.longest_suit import meet_suits
from croupier.mathematics.versus.opponents import (
    DealersHands,
    Opponents,
    by_outcome,
    meet_sets,
)
from croupier.mathematics.versus.strengths import strengths_of_hands
from croupier.rulebooks.rules import Rules

__all__ = ["VersusSolution", "best_actions", "count_opponents", "solution_of", "solve"]

I8 = NDArray[np.int8]

_PARTS: Final = 64
"""Where the longest suit counts, hands are looked at in so many parts."""


@dataclass(frozen=True, eq=False)
class VersusSolution:
    """deals[action, case, outcome] under the best play; the actions are the bets in the order
    offered, then declining. Outcomes: won, tied, lost, each against a dealer who qualifies and one
    who does not."""

    game: VersusGame
    deals: I64

    @cached_property
    def nets(self) -> NDArray[np.object_]:
        """The round's net for every place of the table, in Python's integers, scaled."""
        return np.stack([self.nets_of(action) for action in range(len(self.deals))])

    def nets_of(self, action: int) -> NDArray[np.object_]:
        game, pays = self.game, self.game.payoffs
        required, decided = pays.required.astype(object), pays.decided.astype(object)
        if action < len(game.bets):
            return np.asarray(required + game.bets[action] * decided)
        if game.folds:
            return np.repeat(pays.fold.astype(object)[:, None], required.shape[1], axis=1)
        return np.asarray(required)

    def mean(self, values: NDArray[np.object_]) -> Fraction:
        total = int((self.deals.astype(object) * values).sum())
        return Fraction(total, self.game.deals)

    @cached_property
    def value(self) -> Fraction:
        """The expected net of the round in units of one required wager."""
        return self.mean(self.nets) / self.game.scale

    @cached_property
    def variance(self) -> Fraction:
        return self.mean(self.nets**2) / self.game.scale**2 - self.value**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @cached_property
    def hit_frequency(self) -> Fraction:
        """How often the round ends with more than it began."""
        return Fraction(int(self.deals[self.nets > 0].sum()), self.game.deals)

    def frequency(self, action: int) -> Fraction:
        return Fraction(int(self.deals[action].sum()), self.game.deals)

    @cached_property
    def decided_units(self) -> Fraction:
        """The mean of what is bet in play."""
        shares = [k * self.frequency(action) for action, k in enumerate(self.game.bets)]
        return sum(shares, Fraction(0))


def solution_of(rules: Rules) -> VersusSolution:
    """The solved main game under these rules: remembered, read from disk, or solved now."""
    found = rules.prepared.get(VersusSolution)
    if isinstance(found, VersusSolution):
        return found
    game = game_of(rules)
    key = key_of(rules, "versus")
    stored = read_arrays(key)
    deals = None if stored is None else stored.get("deals")
    if deals is None or deals.shape != _shape(game) or int(deals.sum()) != game.deals:
        solution = solve(game)
        write_arrays(key, {"deals": solution.deals})
    else:
        solution = VersusSolution(game, deals.astype(np.int64))
    rules.prepared[VersusSolution] = solution
    return solution


def solve(game: VersusGame, threads: int | None = None) -> VersusSolution:
    threads = threads or cores()
    tables = [np.zeros(_shape(game), np.int64) for _ in range(threads)]

    def work(thread: int, task: _Task) -> None:
        classes = task.classes(game)
        found = task.opponents(game, classes)
        _enter(game, classes, found, tables[thread], task.seen.times)

    spread(_tasks(game, threads), work, threads)
    deals = np.sum(tables, axis=0)
    assert int(deals.sum()) == game.deals
    return VersusSolution(game, deals)


def _shape(game: VersusGame) -> tuple[int, int, int]:
    cases, outcomes = game.payoffs.required.shape
    return len(game.bets) + 1, cases, outcomes


class _Task(NamedTuple):
    """One class of cards seen, with a part of the player's hands. `sorted_hands` are the dealer's,
    where several tasks share them."""

    seen: SeenCards
    number: int
    of: int
    sorted_hands: DealersHands | None

    def classes(self, game: VersusGame) -> HandClasses:
        if self.of == 1:
            return hand_classes(game.deck, game.own, self.seen.masks)
        first = game.deck.by_count[0][self.number :: self.of]
        return hand_classes(game.deck, game.own, self.seen.masks, first)

    def opponents(self, game: VersusGame, classes: HandClasses) -> Opponents:
        return count_opponents(game, self.seen.masks, classes.masks, self.sorted_hands)


def _tasks(game: VersusGame, threads: int) -> list[_Task]:
    seen = seen_cards(game.deck, game.seen)
    if game.by_suit:
        return [_Task(shown, part, _PARTS, None) for shown in seen for part in range(_PARTS)]
    if game.seen:
        return [_Task(shown, 0, 1, None) for shown in seen]
    shared = _sorted_hands(game, seen[0].masks)
    return [_Task(seen[0], part, threads, shared) for part in range(threads)]


def _sorted_hands(game: VersusGame, seen: FourSuits) -> DealersHands:
    tables, count = game.strengths.tables[game.theirs], len(game.strengths.values)
    return DealersHands(game.deck, game.theirs, seen, tables, count)


def count_opponents(
    game: VersusGame, seen: FourSuits, masks: I16, sorted_hands: DealersHands | None = None
) -> Opponents:
    """The dealer's hands that each of these hands meets, given what is seen."""
    own = np.zeros(len(masks), np.uint16)
    tables = game.strengths.tables[game.own]
    if game.by_suit:
        found = meet_suits(game.deck, game.theirs, seen, masks, tables.suit, game.qualifier)
    else:
        strengths_of_hands(masks, tables, own)
        dealers = sorted_hands or _sorted_hands(game, seen)
        found = meet_sets(dealers, masks, own, game.qualifier, game.own)
    if game.qualifier >= len(game.strengths.values):
        found.unqualified[:] = game.opponents
    return found


def best_actions(game: VersusGame, seen: FourSuits, classes: HandClasses) -> I8:
    """What to say with every one of these hands, as its place among the actions."""
    found = count_opponents(game, seen, classes.masks)
    return _enter(game, classes, found, np.zeros(_shape(game), np.int64))


def _enter(
    game: VersusGame, classes: HandClasses, found: Opponents, deals: I64, seen_times: int = 1
) -> I8:
    """Enter the deals of every class under its best action, which is returned."""
    cases = np.zeros(len(classes.masks), np.int64)
    own = np.zeros(len(cases), np.uint16)
    weak = np.zeros(len(cases), np.bool_)
    for place, part_of in enumerate(game.looked_at):
        strengths_of_hands(classes.masks, part_of.tables, own)
        cases += part_of.codes[own]
        if place == 0:
            weak = own < game.qualifier
    actions = np.zeros(len(cases), np.int8)
    _choose(
        game.payoffs,
        np.array(game.bets, np.int64),
        game.folds,
        game.opponents,
        cases,
        weak,
        found,
        classes.times * seen_times,
        actions,
        deals,
    )
    return actions


@kernel
def _choose(
    payoffs: CasePayoffs,
    bets: I64,
    folds: bool,
    opponents: int,
    cases: I64,
    weak: NDArray[np.bool_],
    found: Opponents,
    times: I64,
    actions: I8,
    deals: I64,
) -> None:
    """deals[action, case, outcome] += the deals of each hand under its best action; of equally good
    ones the first counts."""
    counts = np.zeros(6, np.int64)
    for hand in range(len(cases)):
        case = cases[hand]
        by_outcome(
            whole(found.weaker[hand]),
            whole(found.equal[hand]),
            whole(found.unqualified[hand]),
            weak[hand],
            opponents,
            counts,
        )
        required, decided = 0, 0
        for outcome in range(6):
            required += counts[outcome] * payoffs.required[case, outcome]
            decided += counts[outcome] * payoffs.decided[case, outcome]
        action = len(bets)
        best = payoffs.fold[case] * opponents if folds else required
        for bet in range(len(bets) - 1, -1, -1):
            value = required + bets[bet] * decided
            if payoffs.allowed[case, bet] and value >= best:
                best, action = value, bet
        actions[hand] = action
        for outcome in range(6):
            deals[action, case, outcome] += times[hand] * counts[outcome]
