"""All that can have been seen after each card, told apart no further than the hands need.

A card matters by the hands it lies in that are not complete yet. So cards that lie in the same open
hands form one group, whose order is forgotten; a hand that is complete is remembered by its result
alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS, SUITS, Card
from croupier.mathematics.counters.stages.card_tables import (
    EMPTY,
    MOST_GROUPS,
    CardTable,
    Rows,
    find_row,
    grow,
    regroup,
    spread_children,
    too_many,
)
from croupier.mathematics.counters.stages.course import Course, Place
from croupier.mathematics.counters.stages.hands_seen import SeenHand
from croupier.mathematics.side_wagers.enumeration import Masks

__all__ = ["Stage", "Stages"]

Group = frozenset[int]
"""The open hands that the cards of a group lie in, as places among the hands."""


class Stage(NamedTuple):
    """After so many cards: `results` lists what complete hands came to (a row's last entry is a
    place in it), one entry a hand, -1 for those that are open. `children`: by row and card, the row
    of the next stage."""

    table: CardTable
    results: list[tuple[int, ...]]
    children: NDArray[np.int32]


class Stages:
    """`first`: the first cards of the course, where only what follows them is wanted. With
    `suits_apart` no suits are exchanged."""

    def __init__(
        self,
        course: Course,
        hands: Sequence[SeenHand],
        ranks: str,
        first: Sequence[Card] = (),
        *,
        suits_apart: bool = False,
    ) -> None:
        self.course, self.hands, self._first = course, tuple(hands), tuple(first)
        self.ranks = np.array([RANKS.index(rank) for rank in ranks], np.int64)
        named = frozenset(suits for hand in hands for suits in hand.suits)
        kinds = {suit: tuple(suit in suits for suits in sorted(named)) for suit in SUITS}
        self._suits = sorted(range(4), key=lambda suit: kinds[SUITS[suit]])
        """The suits in the order of a row."""
        self.slots = [self._suits.index(suit) for suit in range(4)]
        order = [kinds[SUITS[suit]] for suit in self._suits]
        self.blocks = np.array([sorted(set(order)).index(kind) for kind in order], np.int64)
        if suits_apart:
            self.blocks = np.arange(4)
        self._complete = [
            max((course.order.index(place) + 1 for place in hand.places), default=0)
            for hand in self.hands
        ]
        self.all = self._build()

    @property
    def last(self) -> int:
        return len(self.course.order)

    def ways(self, seen: int) -> int:
        """In how many orders the cards after the first `seen` can come."""
        seen = max(seen, len(self._first))
        return perm(4 * self.ranks.size - seen, self.last - seen)

    @cached_property
    def exchanges(self) -> int:
        """How many of these orders are the same deal."""
        told: dict[Place, object] = {
            place: frozenset(n for n, hand in enumerate(self.hands) if place in hand.places)
            for place in self.course.order
        }
        told |= {place: place for place in self.course.order[: len(self._first)]}
        return self.course.exchanges(told)

    # -- building ---------------------------------------------------------------------------------

    def _groups(self, seen: int, since: int) -> list[Group]:
        """The groups among the first `seen` cards, by hands not complete after `since` of them."""
        found = [self._group(place, since) for place in self.course.order[:seen]]
        return list(dict.fromkeys(found))

    def _group(self, place: Place, since: int) -> Group:
        return frozenset(
            number
            for number, hand in enumerate(self.hands)
            if place in hand.places and self._complete[number] > since
        )

    def _build(self) -> list[Stage]:
        nothing = np.zeros((0, 0), np.int32)
        results: list[tuple[int, ...]] = [tuple([-1] * len(self.hands))]
        table = CardTable(EMPTY, np.array([0, -1], np.int64))
        stages = []
        for seen in range(1, self.last + 1):
            before = self._groups(seen, seen - 1)
            if len(before) > MOST_GROUPS:
                raise too_many()
            group = before.index(self._group(self.course.order[seen - 1], seen - 1))
            if seen <= len(self._first):
                grown, children = self._of_first(seen, table.rows)
            else:
                grown, children = grow(table.rows, group, self.ranks, self.blocks)
            stages.append(Stage(table, results, children))
            completed = [n for n, time in enumerate(self._complete) if time == seen]
            table = grown
            if completed or seen == self.last:
                table, results, numbers = self._completed(grown, results, completed, seen)
                children[children >= 0] = numbers[children[children >= 0]]
        stages.append(Stage(table, results, nothing))
        return stages

    def _of_first(self, seen: int, rows: Rows) -> tuple[CardTable, NDArray[np.int32]]:
        """The row of the first cards, which is all that comes of the one row before."""
        groups, row = self._groups(seen, seen - 1), np.zeros((1, 5), np.int64)
        row[0, 4] = rows[0, 4]
        for place, card in zip(self.course.order[:seen], self._first, strict=False):
            group = groups.index(self._group(place, seen - 1))
            row[0, self.slots[card.suit]] |= 1 << card.rank + 13 * group
        grown, _ = regroup(row, row[:, 4], np.arange(MOST_GROUPS), self.blocks)
        children = np.full((1, 4 * self.ranks.size), -1, np.int32)
        children[0, 0] = 0
        return grown, children

    def _completed(
        self, table: CardTable, results: list[tuple[int, ...]], hands: list[int], seen: int
    ) -> tuple[CardTable, list[tuple[int, ...]], NDArray[np.int32]]:
        """Complete hands become results, and the groups they alone told apart become one."""
        before, after = self._groups(seen, seen - 1), self._groups(seen, seen)
        code = table.rows[:, 4]
        for number in hands:
            held = [place for place, group in enumerate(before) if number in group]
            found = self.hands[number].of(self._masks(table.rows, held))
            code, results = _joined(code, results, number, found)
        open_hands = [n for n, time in enumerate(self._complete) if time > seen]
        # After the last card nothing but the results matters.
        groups = np.full(len(before), -1, np.int64)
        if seen < self.last:
            groups[:] = [after.index(group & frozenset(open_hands)) for group in before]
        merged, numbers = regroup(table.rows, code, groups, self.blocks)
        return merged, results, numbers

    def _masks(self, rows: Rows, groups: Sequence[int]) -> Masks:
        """The cards of these groups as 52 bits."""
        masks = np.zeros(rows.shape[0], np.uint64)
        for place, suit in enumerate(self._suits):
            for group in groups:
                bits = rows[:, place] >> 13 * group & 8191
                masks |= bits.astype(np.uint64) << np.uint64(13 * suit)
        return masks

    def groups_at(self, seen: int) -> tuple[int, ...]:
        """For each card seen, in the order of the course, its group in a row."""
        groups = self._groups(seen, seen)
        return tuple([groups.index(self._group(at, seen)) for at in self.course.order[:seen]])

    def cards_at(self, seen: int) -> Masks:
        """By row of a stage before the last: all cards seen, as 52 bits."""
        return self._masks(self.all[seen].table.rows, range(len(self._groups(seen, seen))))

    def cards_from(self, seen: int, source: str) -> Masks:
        """By row of a stage before the last: the cards from one place on the table (`player`,
        `community`), as 52 bits."""
        groups = self._groups(seen, seen)
        places = [place for place in self.course.order[:seen] if place[0] == source]
        own = {groups.index(self._group(place, seen)) for place in places}
        return self._masks(self.all[seen].table.rows, sorted(own))

    def is_one_group(self, seen: int) -> bool:
        """Do all cards seen so far lie in the same hands, so that their order does not matter?
        After the last card they are forgotten."""
        return seen < self.last and len(self._groups(seen, seen)) == 1

    def arriving(self, seen: int) -> NDArray[np.int64]:
        """By row of a stage: in how many orders its cards can have come."""
        weights = np.ones(1, np.int64)
        for stage, following in zip(self.all[:seen], self.all[1:], strict=False):
            out = np.zeros(following.table.rows.shape[0], np.int64)
            spread_children(stage.children, weights, out)
            weights = out
        return weights

    # -- looking up -------------------------------------------------------------------------------

    def row_of(self, cards: Sequence[Card]) -> int:
        """The row of the stage after these cards, given in the order in which they are seen."""
        seen = len(cards)
        if seen <= len(self._first):
            return 0
        stage, groups = self.all[seen], self._groups(seen, seen)
        row = np.zeros(5, np.int64)
        for place, card in zip(self.course.order, cards, strict=False):
            if seen < self.last:
                group = groups.index(self._group(place, seen))
                row[self.slots[card.suit]] |= 1 << card.rank + 13 * group
        row[4] = stage.results.index(self.results_of(cards))
        return int(find_row(row, self.blocks, *stage.table))

    def results_of(self, cards: Sequence[Card]) -> tuple[int, ...]:
        """What each hand comes to that these cards complete; -1 for the others."""
        held = dict(zip(self.course.order, cards, strict=False))
        found = []
        for hand, time in zip(self.hands, self._complete, strict=True):
            if time > len(cards):
                found.append(-1)
                continue
            mask = sum(1 << held[place] for place in hand.places)
            found.append(int(hand.of(np.array([mask], np.uint64))[0]))
        return tuple(found)


def _joined(
    code: NDArray[np.int64],
    results: list[tuple[int, ...]],
    hand: int,
    found: NDArray[np.int64],
) -> tuple[NDArray[np.int64], list[tuple[int, ...]]]:
    """Numbers for the results so far with that of one more hand."""
    width = int(found.max(initial=0)) + 1
    both, where = np.unique(code * width + found, return_inverse=True)
    listed = []
    for number in both.tolist():
        held = list(results[number // width])
        held[hand] = number % width
        listed.append(tuple(held))
    return where.astype(np.int64), listed
