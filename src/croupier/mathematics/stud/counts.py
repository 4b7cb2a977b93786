"""Stud without a dealer's hand: every deal of own cards and community cards, counted once.

A deal is two cards, a third, and two community cards: 1,326 * 50 * 1,176 of them. Wagers look at
the first two, at all three or at all five. What the five show depends on the three only through
how many of the 1,176 pairs lead to each ending, so one table says it all: for each of the 22,100
sets of three cards, the number of pairs that end in each way. Each hand of five fills ten places.
"""

from __future__ import annotations

from functools import cached_property
from math import comb
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.mathematics.shapes.course import cards_of, led_by
from croupier.mathematics.shapes.fields import main_fields
from croupier.mathematics.shapes.shape import unsolvable
from croupier.mathematics.sides.columns import bits_of, columns_of_all, distinct, ranking_at
from croupier.mathematics.sides.endings import WagerEnding, ending_of, line_tests
from croupier.mathematics.sides.enumeration import subsets
from croupier.mathematics.stud.shape import HANDS, STUD
from croupier.money import parse_pays
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Follows, VersusPaytable

__all__ = ["PAIRS", "THIRDS", "StudCounts", "stud_counts"]

THIRDS: Final = 50
PAIRS: Final = comb(49, 2)
TOTAL: Final = comb(52, 2) * THIRDS * PAIRS


class HandEndings(NamedTuple):
    """What all wagers on one hand make of it: `ids` for every set of so many cards (in the order of
    `subsets`), and for every id how each wager ends."""

    ids: NDArray[np.int64]
    endings: tuple[dict[str, WagerEnding], ...]


class StudCounts:
    """The rules taken apart, with the counts that every question about them is answered from."""

    def __init__(self, rules: Rules) -> None:
        misfit = next(STUD.misfits(rules, main_fields(rules)), None)
        if misfit is not None:
            raise unsolvable("the main game", misfit, STUD)
        self.rules = rules
        self.required = rules.required
        self.by_size: dict[int, list[str]] = {size: [] for size in HANDS}
        for name in rules.book.wagers:
            size = _size_of(rules, name)
            if size:
                self.by_size[size].append(name)

    def knows(self, wager: str) -> bool:
        """Is it settled by cards that the table tells apart?"""
        return any(self.led(wager) in names for names in self.by_size.values())

    @cached_property
    def two(self) -> HandEndings:
        return self._seen(2)

    @cached_property
    def three(self) -> HandEndings:
        return self._seen(3)

    @cached_property
    def five(self) -> HandEndings:
        return self._seen(5)

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """For every three cards, how many of the pairs that may follow lead to each id of five."""
        out = np.zeros((comb(52, 3), len(self.five.endings)), np.int64)
        _spread(self.five.ids, out)
        assert int(out.sum()) == 10 * comb(52, 5)
        return out

    def ending(self, wager: str, found: dict[str, WagerEnding]) -> WagerEnding:
        """How a wager ends, given the endings of those that look at cards."""
        settles = self.rules.book.wagers[wager].settles
        if not isinstance(settles, Follows):
            return found[wager]
        led = self.ending(settles.wager, found)
        return WagerEnding(led.hand, parse_pays(settles.pays)) if settles.pays and led.wins else led

    def led(self, wager: str) -> str:
        """The wager that looks at cards and that this one follows, itself if it does."""
        return led_by(self.rules.book, wager)

    def size(self, wager: str) -> int:
        """How many cards decide the wager."""
        led = self.led(wager)
        return next(size for size, names in self.by_size.items() if led in names)

    def _seen(self, size: int) -> HandEndings:
        masks = subsets(size)
        ids = np.zeros(masks.size, np.int64)
        endings: list[dict[str, WagerEnding]] = [{}]
        for name in self.by_size[size]:
            own_ids, own_endings = self._endings(name, size)
            codes, ids = distinct(ids * len(own_endings) + own_ids)
            endings = [
                endings[code // len(own_endings)] | {name: own_endings[code % len(own_endings)]}
                for code in codes.tolist()
            ]
        return HandEndings(ids, tuple(endings))

    def _endings(self, name: str, size: int) -> tuple[NDArray[np.int64], list[WagerEnding]]:
        """One wager on every set of so many cards."""
        book = self.rules.book
        settles = book.wagers[name].settles
        assert isinstance(settles, VersusPaytable)
        tests = line_tests(self.rules, settles)
        hand = book.hands[settles.hand]
        columns = columns_of_all(ranking_at(hand), size)
        held, where = distinct(bits_of(tests.leaves, {settles.hand: columns}))
        found = [ending_of(tests, bits) for bits in held.tolist()]
        endings = list(dict.fromkeys(found))
        return np.array([endings.index(ending) for ending in found])[where], endings


def _size_of(rules: Rules, name: str) -> int:
    """How many cards a wager is settled by; 0 where the table does not tell them apart."""
    book, settles = rules.book, rules.book.wagers[name].settles
    if not isinstance(settles, VersusPaytable):
        return 0
    if any(leaf.hand != settles.hand for leaf in line_tests(rules, settles).leaves):
        return 0
    made = cards_of(book.hands[settles.hand], book.cards)
    return next((size for size, hand in HANDS.items() if hand == made), 0)


_TABLES: WeakKeyDictionary[Rules, StudCounts] = WeakKeyDictionary()


def stud_counts(rules: Rules) -> StudCounts:
    """The table of these rules, made once."""
    found = _TABLES.get(rules)
    if found is None:
        found = _TABLES[rules] = StudCounts(rules)
    return found


# -- places in the order of `subsets` -------------------------------------------------------------


@njit(cache=True)
def place_of_two(a: int, b: int) -> int:
    """For a < b: how many pairs come before it."""
    return a * (103 - a) // 2 + b - a - 1


@njit(cache=True)
def place_of_three(a: int, b: int, c: int) -> int:
    """For a < b < c: first the sets with a lower first card, then those with a lower second."""
    before = 22100 - (52 - a) * (51 - a) * (50 - a) // 6
    left = 51 - a
    among = b - a - 1
    return before + left * (left - 1) // 2 - (left - among) * (left - among - 1) // 2 + c - b - 1


@njit(cache=True, nogil=True)
def _spread(ids: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """Counts every five cards in for each three of them."""
    number = 0
    held = np.empty(5, np.int64)
    for a in range(52):
        for b in range(a + 1, 52):
            for c in range(b + 1, 52):
                for d in range(c + 1, 52):
                    for e in range(d + 1, 52):
                        held[0], held[1], held[2], held[3], held[4] = a, b, c, d, e
                        _count_threes(held, ids[number], out)
                        number += 1


@njit(cache=True)
def _count_threes(held: NDArray[np.int64], found: int, out: NDArray[np.int64]) -> None:
    for x in range(3):
        for y in range(x + 1, 4):
            for z in range(y + 1, 5):
                out[place_of_three(held[x], held[y], held[z]), found] += 1
