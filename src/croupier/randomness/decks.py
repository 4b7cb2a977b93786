"""Tests of whole decks against exact counts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb, factorial
from typing import Final

import msgspec
import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.randomness.bits import Decks
from croupier.randomness.special_functions import chi_square_p, pearson


@cache
def fixed_points(n: int) -> tuple[int, ...]:
    """Return the number of orders with k cards in their original place, by k: choose these, and
    derange the others."""
    deranged = [1, 0]
    while len(deranged) <= n:
        deranged.append((len(deranged) - 1) * (deranged[-1] + deranged[-2]))
    return tuple(comb(n, k) * deranged[n - k] for k in range(n + 1))


@cache
def cycles(n: int) -> tuple[int, ...]:
    """Return the number of orders with k cycles, by k (unsigned Stirling numbers of the first
    kind)."""
    row = [1]
    for size in range(n):
        row = [(row[k - 1] if k else 0) + size * (row[k] if k < len(row) else 0)
               for k in range(len(row) + 1)]  # fmt: skip
    return tuple(row)


@cache
def descents(n: int) -> tuple[int, ...]:
    """Return the number of orders with k places where a card is lower than the one before it, by k
    (Eulerian numbers)."""
    row = [1]
    for size in range(2, n + 1):
        row = [(k + 1) * (row[k] if k < size - 1 else 0) + (size - k) * (row[k - 1] if k else 0)
               for k in range(size)]  # fmt: skip
    return tuple(row)


@cache
def inversions(n: int) -> tuple[int, ...]:
    """Return the number of orders with k pairs in the wrong order, by k (Mahonian numbers)."""
    row = [1]
    for size in range(2, n + 1):
        wider = [0] * (len(row) + size - 1)
        window = 0
        for k in range(len(wider)):
            window += row[k] if k < len(row) else 0
            window -= row[k - size] if k >= size else 0
            wider[k] = window
        row = wider
    assert sum(row) == factorial(n)
    return tuple(row)


Counts = NDArray[np.int64]
# The usual rule for chi-square: no cell should expect fewer.
_LEAST_EXPECTED: Final = 5
# With few classes more are needed: verdicts depend on p-values near 10^-6, where 5 is too few.
_LEAST_IN_A_CLASS: Final = 50
_POSITION_PAIRS: Final = 52 * 51 // 2


class DeckTest(msgspec.Struct, frozen=True):
    """The result of one test. Without a p-value there were too few decks; `note` says how many are
    needed."""

    test: str
    asks: str
    statistic: float | None = None
    freedom: int | None = None
    p_value: float | None = None
    note: str = ""


class DeckCounts:
    """Counts over any number of decks, in memory that does not grow with them."""

    def __init__(self) -> None:
        self.decks = 0
        self._places: Counts = np.zeros((52, 52), np.int64)
        self._followers: Counts = np.zeros((52, 52), np.int64)
        self._pairs: NDArray[np.int32] = np.zeros((_POSITION_PAIRS, 52 * 52), np.int32)
        self._fixed: Counts = np.zeros(53, np.int64)
        self._kept: Counts = np.zeros(53, np.int64)
        self._cycles: Counts = np.zeros(53, np.int64)
        self._descents: Counts = np.zeros(52, np.int64)
        self._inversions: Counts = np.zeros(_POSITION_PAIRS + 1, np.int64)
        self._last = np.zeros((0, 52), np.uint8)

    def add(self, decks: Decks) -> None:
        if not len(decks):
            return
        self.decks += len(decks)
        _count_places(decks, self._places, self._followers, self._fixed)
        _count_pairs(decks, self._pairs)
        _count_forms(decks, self._cycles, self._descents, self._inversions)
        # Each deck against the one before it, also across two batches.
        both = np.concatenate((self._last, decks))
        same = (both[1:] == both[:-1]).sum(axis=1)
        self._kept += np.bincount(same, minlength=53)
        self._last = decks[-1:].copy()

    def tests(self) -> list[DeckTest]:
        return [
            self._card_by_position(),
            self._cards_in_a_row(),
            self._pairs_of_positions(),
            _by_law("fixed points", "Cards where a new deck has them.", self._fixed,
                    fixed_points(52)),
            _by_law("carried over", "Cards where the deck before had them.", self._kept,
                    fixed_points(52)),
            _by_law("cycles", "Cycles of the order.", self._cycles, cycles(52)),
            _by_law("descents", "Cards lower than the one before.", self._descents,
                    descents(52)),
            _by_law("inversions", "Pairs of cards in reversed order.", self._inversions,
                    inversions(52)),
        ]  # fmt: skip

    def _card_by_position(self) -> DeckTest:
        """Test whether each card is in each place equally often.

        Rows and columns of the 52×52 counts have fixed sums, which leaves 51² degrees of freedom.
        One deck's indicators have covariance (I - J/52) ⊗ (I - J/52) / 51, while independent cells
        would have 1/52: hence the factor 51/52 on Pearson's sum.
        """
        test = DeckTest("card by position", "Is each card in each place equally often?")
        expected = self.decks / 52
        if expected < _LEAST_EXPECTED:
            return _too_few(test, 52 * _LEAST_EXPECTED)
        statistic = float(((self._places - expected) ** 2).sum() / expected * 51 / 52)
        return _judged(test, statistic, 51 * 51)

    def _cards_in_a_row(self) -> DeckTest:
        """Which card follows which, round the deck (the bottom card is followed by the top one).

        A uniform order makes a uniform 52-cycle of cards. Its follower counts, centered, have zero
        rows and columns; there the covariance of one deck is 1/51 on the symmetric part and
        1/51 + 2/(51·50) on the antisymmetric one (a after b forbids b after a).
        """
        test = DeckTest("cards in a row", "Does each card follow each other card equally often?")
        if self.decks / 51 < _LEAST_EXPECTED:
            return _too_few(test, 51 * _LEAST_EXPECTED)
        away = self._followers - self.decks / 51
        np.fill_diagonal(away, 0)
        even, odd = (away + away.T) / 2, (away - away.T) / 2
        statistic = (even**2).sum() / (self.decks / 51)
        statistic += (odd**2).sum() / (self.decks * (1 / 51 + 2 / (51 * 50)))
        return _judged(test, float(statistic), 52 * 51 - 2 * 52 + 1)

    def _pairs_of_positions(self) -> DeckTest:
        """Run Pearson's test on the 52·51 ordered pairs of cards, for every two places; return the
        worst one.

        The 1,326 tests depend on each other, so the smallest p-value is multiplied by their number
        (Bonferroni), which is valid under any dependence.
        """
        test = DeckTest("pairs of positions", "Are two places, any two, independent?")
        expected = self.decks / (52 * 51)
        if expected < _LEAST_EXPECTED:
            return _too_few(test, 52 * 51 * _LEAST_EXPECTED)
        squares = (self._pairs.astype(np.float64) ** 2).sum(axis=1)
        worst = float(squares.max() / expected - self.decks)
        freedom = 52 * 51 - 1
        p_value = min(1.0, _POSITION_PAIRS * chi_square_p(worst, freedom))
        note = "the largest of 1,326 statistics; p-value × 1,326"
        return msgspec.structs.replace(
            test, statistic=worst, freedom=freedom, p_value=p_value, note=note
        )


def _by_law(name: str, asks: str, seen: Counts, law: Sequence[int]) -> DeckTest:
    """Run Pearson's test against exact counts; rare values are grouped until all groups expect
    enough."""
    test = DeckTest(name, asks)
    count, whole = int(seen.sum()), sum(law)
    observed: list[int] = []
    chances: list[Fraction] = []
    open_seen, open_chance = 0, Fraction(0)
    for value, ways in enumerate(law):
        open_seen += int(seen[value])
        open_chance += Fraction(ways, whole)
        if open_chance * count >= _LEAST_IN_A_CLASS:
            observed.append(open_seen)
            chances.append(open_chance)
            open_seen, open_chance = 0, Fraction(0)
    if len(observed) < 2:
        return _too_few(test, 4 * _LEAST_IN_A_CLASS)
    observed[-1] += open_seen
    chances[-1] += open_chance
    return _judged(test, pearson(observed, [float(c) for c in chances]), len(observed) - 1)


def _judged(test: DeckTest, statistic: float, freedom: int) -> DeckTest:
    p_value = chi_square_p(statistic, freedom)
    return msgspec.structs.replace(test, statistic=statistic, freedom=freedom, p_value=p_value)


def _too_few(test: DeckTest, needed: int) -> DeckTest:
    return msgspec.structs.replace(test, note=f"not judged: takes {needed:,} decks")


@njit(cache=True)
def _count_places(decks: Decks, places: Counts, followers: Counts, fixed: Counts) -> None:
    for deck in decks:
        at_home = 0
        before = deck[51]
        for place in range(52):
            card = deck[place]
            places[card, place] += 1
            followers[before, card] += 1
            before = card
            at_home += card == place
        fixed[at_home] += 1


@njit(cache=True)
def _count_pairs(decks: Decks, pairs: NDArray[np.int32]) -> None:
    """Count the pairs of cards at every two places. Each two places are counted over the whole
    batch at once, so that their 2,704 counters stay in the cache."""
    places = decks.T.copy()
    which = 0
    for place in range(52):
        for below in range(place + 1, 52):
            for i in range(len(decks)):
                pairs[which, int(places[place, i]) * 52 + places[below, i]] += 1
            which += 1


@njit(cache=True)
def _count_forms(decks: Decks, cycles: Counts, descents: Counts, inversions: Counts) -> None:
    seen = np.zeros(52, np.bool_)
    for deck in decks:
        seen[:] = False
        rounds = 0
        falls = 0
        wrong = 0
        for place in range(52):
            for below in range(place + 1, 52):
                wrong += deck[below] < deck[place]
            falls += place > 0 and deck[place] < deck[place - 1]
            at = place
            rounds += not seen[at]
            while not seen[at]:
                seen[at] = True
                at = int(deck[at])
        cycles[rounds] += 1
        descents[falls] += 1
        inversions[wrong] += 1
