"""All that can have been seen after each card, told apart no further than the hands need.

A card matters by the hands it lies in that are not complete yet. So cards that lie in the same open
hands form one group, whose order is forgotten; a hand that is complete is remembered by its result
alone.

A row of a table is what is known of the cards seen: for each suit the ranks held in each of a few
groups, thirteen bits a group, and the number of what complete hands came to. Suits that nothing
distinguishes are in descending order, so rows that are alike are one. Rows are found by an open
hash table, which compares whole rows: nothing rests on a hash alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import perm
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS, SUITS, Card
from croupier.errors import Unsolvable
from croupier.mathematics.counters.stages.course import Course, Place, SeenHand
from croupier.mathematics.hand_values import Masks
from croupier.mathematics.kernels.decorators import kernel, part

MOST_GROUPS: Final = 4
"""Four times thirteen bits fit beside each other."""
_MOST_ROWS: Final = 10_000_000
_MOST_CHILDREN: Final = 120_000_000
Rows: TypeAlias = NDArray[np.int64]
"""[row, 5]: the four suits, and the number of the results."""
Slots: TypeAlias = NDArray[np.int64]
EMPTY: Final = np.zeros((1, 5), np.int64)


class CardTable(NamedTuple):
    """Rows with their hash table: `slots` has the number of a row, or -1."""

    rows: Rows
    slots: Slots


def too_many() -> Unsolvable:
    return Unsolvable(
        "the main game cannot be solved exactly: its hands and decisions distinguish more sets of "
        "cards than can be counted; with fewer cards, or fewer different hands, it could be"
    )


@part
def _ordered(row: NDArray[np.int64], blocks: NDArray[np.int64]) -> None:
    """Put interchangeable suits into descending order."""
    for place in range(1, 4):
        at = place
        while at > 0 and blocks[at] == blocks[at - 1] and row[at] > row[at - 1]:
            row[at], row[at - 1] = row[at - 1], row[at]
            at -= 1


@part
def _hash(row: NDArray[np.int64]) -> int:
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for column in range(5):
        mixed ^= np.uint64(row[column])
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(31)
    return int(mixed >> np.uint64(1))


@part
def _slot_of(row: NDArray[np.int64], rows: Rows, slots: Slots) -> int:
    """Where the row stands in the hash table, or would."""
    mask = slots.size - 1
    at = _hash(row) & mask
    while slots[at] >= 0:
        kept = rows[slots[at]]
        if (
            kept[0] == row[0]
            and kept[1] == row[1]
            and kept[2] == row[2]
            and kept[3] == row[3]
            and kept[4] == row[4]
        ):
            return at
        at = (at + 1) & mask
    return at


@part
def _larger(rows: Rows, count: int) -> tuple[Rows, Slots]:
    """The same rows with room for as many again."""
    more = np.zeros((4 * rows.shape[0], 5), np.int64)
    more[:count] = rows[:count]
    slots = np.full(2 * more.shape[0], -1, np.int64)
    for number in range(count):
        slots[_slot_of(more[number], more, slots)] = number
    return more, slots


@kernel
def _grow(
    rows: Rows,
    shift: int,
    ranks: NDArray[np.int64],
    blocks: NDArray[np.int64],
    children: NDArray[np.int32],
    most: int,
) -> tuple[Rows, Slots, int]:
    """Adds every card to every row; `children` gets the numbers of the rows that come of it."""
    table = np.zeros((1024, 5), np.int64)
    slots = np.full(2048, -1, np.int64)
    count = 0
    row = np.zeros(5, np.int64)
    for parent in range(rows.shape[0]):
        for suit in range(4):
            held = rows[parent, suit]
            held |= held >> 13 | held >> 26 | held >> 39
            for place in range(ranks.size):
                column = suit * ranks.size + place
                if held >> ranks[place] & 1:
                    children[parent, column] = -1
                    continue
                row[:] = rows[parent]
                row[suit] |= 1 << ranks[place] + shift
                _ordered(row, blocks)
                at = _slot_of(row, table, slots)
                if slots[at] < 0:
                    if count == most:
                        return table, slots, -1
                    if count == table.shape[0]:
                        table, slots = _larger(table, count)
                        at = _slot_of(row, table, slots)
                    table[count] = row
                    slots[at] = count
                    count += 1
                children[parent, column] = slots[at]
    return table, slots, count


def grow(
    rows: Rows, group: int, ranks: NDArray[np.int64], blocks: NDArray[np.int64]
) -> tuple[CardTable, NDArray[np.int32]]:
    """All rows with one more card in a group, and for every row and card the number of the row
    that it leads to (-1: it is held already)."""
    if rows.shape[0] * 4 * ranks.size > _MOST_CHILDREN:
        raise too_many()
    children = np.empty((rows.shape[0], 4 * ranks.size), np.int32)
    table, slots, count = _grow(rows, 13 * group, ranks, blocks, children, _MOST_ROWS)
    if count < 0:
        raise too_many()
    return CardTable(table[:count].copy(), slots), children


@kernel
def _regroup(
    rows: Rows,
    results: NDArray[np.int64],
    groups: NDArray[np.int64],
    blocks: NDArray[np.int64],
    numbers: NDArray[np.int32],
) -> tuple[Rows, Slots, int]:
    table = np.zeros((1024, 5), np.int64)
    slots = np.full(2048, -1, np.int64)
    count = 0
    row = np.zeros(5, np.int64)
    for number in range(rows.shape[0]):
        for suit in range(4):
            row[suit] = 0
            for group in range(groups.size):
                if groups[group] < 0:
                    continue
                row[suit] |= (rows[number, suit] >> 13 * group & 8191) << 13 * groups[group]
        row[4] = results[number]
        _ordered(row, blocks)
        at = _slot_of(row, table, slots)
        if slots[at] < 0:
            if count == table.shape[0]:
                table, slots = _larger(table, count)
                at = _slot_of(row, table, slots)
            table[count] = row
            slots[at] = count
            count += 1
        numbers[number] = slots[at]
    return table, slots, count


def regroup(
    rows: Rows,
    results: NDArray[np.int64],
    groups: NDArray[np.int64],
    blocks: NDArray[np.int64],
) -> tuple[CardTable, NDArray[np.int32]]:
    """The rows with their groups renamed (-1: forgotten) and new results, alike ones together; and
    where each of the old ones is now."""
    numbers = np.empty(rows.shape[0], np.int32)
    table, slots, count = _regroup(rows, results, groups, blocks, numbers)
    return CardTable(table[:count].copy(), slots), numbers


@kernel
def find_row(row: NDArray[np.int64], blocks: NDArray[np.int64], rows: Rows, slots: Slots) -> int:
    """The number of a row whose suits may be in any order, -1 where there is none."""
    _ordered(row, blocks)
    return int(slots[_slot_of(row, rows, slots)])


@kernel
def sum_children(
    children: NDArray[np.int32], values: NDArray[np.int64], out: NDArray[np.int64]
) -> None:
    """For every row and column the sum of the values of what may come."""
    for row in range(children.shape[0]):
        for place in range(children.shape[1]):
            child = children[row, place]
            if child >= 0:
                for column in range(values.shape[1]):
                    out[row, column] += values[child, column]


@kernel
def spread_children(
    children: NDArray[np.int32], weights: NDArray[np.int64], out: NDArray[np.int64]
) -> None:
    """Every row hands its weight to each row that may come."""
    for row in range(children.shape[0]):
        if weights[row]:
            for place in range(children.shape[1]):
                child = children[row, place]
                if child >= 0:
                    out[child] += weights[row]


Group = frozenset[int]
"""The open hands that the cards of a group lie in, as places among the hands."""


class Stage(NamedTuple):
    """After some cards: `results` lists what complete hands came to (a row's last entry is a
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
        self.blocks = np.array([sorted(set(order)).index(label) for label in order], np.int64)
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
        alike: dict[Place, object] = {
            place: frozenset(n for n, hand in enumerate(self.hands) if place in hand.places)
            for place in self.course.order
        }
        alike |= {place: place for place in self.course.order[: len(self._first)]}
        return self.course.exchanges(alike)

    # -- building ---------------------------------------------------------------------------------

    def _groups(self, seen: int, since: int) -> list[Group]:
        """The groups among the first `seen` cards, by hands not complete after `since` of them."""
        groups = [self._group(place, since) for place in self.course.order[:seen]]
        return list(dict.fromkeys(groups))

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
            values = self.hands[number].of(self._masks(table.rows, held))
            code, results = _joined(code, results, number, values)
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
        results = []
        for hand, time in zip(self.hands, self._complete, strict=True):
            if time > len(cards):
                results.append(-1)
                continue
            mask = sum(1 << held[place] for place in hand.places)
            results.append(int(hand.of(np.array([mask], np.uint64))[0]))
        return tuple(results)


def _joined(
    code: NDArray[np.int64],
    results: list[tuple[int, ...]],
    hand: int,
    numbers: NDArray[np.int64],
) -> tuple[NDArray[np.int64], list[tuple[int, ...]]]:
    """Numbers for the results so far with that of one more hand."""
    width = int(numbers.max(initial=0)) + 1
    both, where = np.unique(code * width + numbers, return_inverse=True)
    listed = []
    for number in both.tolist():
        held = list(results[number // width])
        held[hand] = number % width
        listed.append(tuple(held))
    return where.astype(np.int64), listed
