"""Ranking by the best cards of a hand: a hand counts as the best category of an order that it
meets.

A category that is not in the order does not count: a royal flush is a straight flush if no royal is
in the order, and a flush if no straight flush is. High card is below all others. Ranks follow each
other as in the deck: without the cards below six, A-6-7-8-9 is a straight if the ace may be low.

A value is computed in one of two ways. If every card is held once, a few Boolean operations on the
four suit masks find each category, the best first. If a card of several decks is held twice, every
choice of cards is tried. The usual five-card hand goes to `ranking.plain`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from croupier.cards import RANKS, Card, mask_of
from croupier.ranking import plain
from croupier.ranking.categories import CATEGORIES, ROYALS, Category
from croupier.ranking.hands import ACE, CATEGORY_NAMES, pack
from croupier.ranking.ranking import Ranking


def order_of(order: Sequence[str]) -> tuple[str, ...]:
    """Return an order of categories, with the high card that every hand has."""
    return tuple(dict.fromkeys((*order, "high_card")))


class ByCategories(Ranking):
    """`order` has the categories best first; high card is added if it is left out."""

    by = "categories"

    def __init__(
        self,
        order: Sequence[str],
        *,
        size: int,
        ace_low: bool = True,
        ranks: str = RANKS,
        copies: int = 1,
    ) -> None:
        best_first = order_of(order)
        super().__init__(best_first[::-1], size=size, ace_low=ace_low, ranks=ranks, copies=copies)
        self.is_usual = (
            self.names == CATEGORY_NAMES and size == 5 and ace_low and (ranks, copies) == (RANKS, 1)
        )
        """Five cards of a full deck in the usual order."""
        self._runs = _runs(ranks, size, ace_low=ace_low)
        self._places = [(self.names.index(name) << 20, name) for name in best_first]
        self._finders = [(place, _finder(name)) for place, name in self._places]
        self._deciding = [CATEGORIES[name].deciding(size) for name in self.names]

    def value_of_mask(self, mask: int) -> int:
        if self.is_usual and mask.bit_count() <= 7:
            return plain.value_of(mask)
        held = _held_once(mask)
        for place, find in self._finders:
            ranks = find(held, self._runs, self.size)
            if ranks >= 0:
                return place | ranks
        raise AssertionError("every hand has a high card")

    def value_of(self, cards: Sequence[Card]) -> int:
        if self.copies == 1 or len(set(cards)) == len(cards):
            return self.value_of_mask(mask_of(cards))
        return max(map(self._value_of_exactly, combinations(cards, self.size)))

    def _value_of_exactly(self, cards: tuple[Card, ...]) -> int:
        """Return the value of exactly the cards that make a hand, some of which may be the same."""
        ranks = sorted([card.rank for card in cards], reverse=True)
        top = self._runs[sum({1 << rank for rank in ranks})]
        is_suited = len({card.suit for card in cards}) == 1
        for place, name in self._places:
            category = CATEGORIES[name]
            if category.suited and not is_suited:
                continue
            if category.runs:
                if top >= 0 and (name not in ROYALS or top == ACE):
                    return place | top << 16
                continue
            made = _made_ranks(category, ranks)
            if made is not None:
                return place | pack(0, made)
        raise AssertionError("every hand has a high card")

    def best_cards(self, value: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        category = CATEGORIES[self.name_of(value)]
        deciding = self.deciding(value)
        if not category.suited:
            return self._chosen(category, deciding, cards)
        for suit in range(4):
            suited = sorted([card for card in cards if card.suit == suit], reverse=True)
            if len(suited) >= self.size:
                chosen = self._chosen(category, deciding, suited)
                if len(chosen) == self.size:
                    return chosen
        raise AssertionError("the value is another hand's")

    def _chosen(
        self, category: Category, deciding: Sequence[int], cards: Iterable[Card]
    ) -> tuple[Card, ...]:
        """Return the first cards of the wanted ranks, as far as there are any."""
        wanted = list(deciding)
        if category.runs:
            around = self.ranks.index(RANKS[deciding[0]])
            wanted = [RANKS.index(self.ranks[around - n]) for n in range(self.size)]
        counts = [*category.made, *[1] * (len(wanted) - len(category.made))]
        left = list(cards)
        chosen: list[Card] = []
        for count, rank in zip(counts, wanted, strict=True):
            held = [card for card in left if card.rank == rank][:count]
            for card in held:
                left.remove(card)
            chosen += held
        return tuple(chosen)

    def deciding(self, value: int) -> tuple[int, ...]:
        return tuple([value >> 16 - 4 * n & 15 for n in range(self._deciding[value >> 20])])

    def least(self, name: str, of: str = "") -> int:
        place = self.names.index(name) if name in self.names else 0
        return pack(place, [RANKS.index(rank) for rank in of])


# -- straights ------------------------------------------------------------------------------------


@cache
def _runs(ranks: str, size: int, *, ace_low: bool) -> list[int]:
    """Return for each set of ranks the top of its best straight, or -1."""
    order = [RANKS.index(rank) for rank in ranks]
    if ace_low and order[-1] == ACE and len(order) > size:
        order.insert(0, ACE)
    tops = [-1] * (1 << 13)
    for start in range(len(order) - size + 1):
        run = order[start : start + size]
        bits = sum(1 << rank for rank in run)
        for mask in range(1 << 13):
            if mask & bits == bits:
                tops[mask] = run[-1]
    return tops


# -- cards held once ------------------------------------------------------------------------------


class _Held(NamedTuple):
    suits: tuple[int, int, int, int]
    levels: tuple[int, int, int, int, int]
    """The ranks held at least once, twice, three, four and five times."""


def _held_once(mask: int) -> _Held:
    a, b, c, d = mask & 8191, mask >> 13 & 8191, mask >> 26 & 8191, mask >> 39
    ranks = a | b | c | d
    twice = a & b | c & d | (a | b) & (c | d)
    thrice = a & b & (c | d) | c & d & (a | b)
    return _Held((a, b, c, d), (ranks, twice, thrice, a & b & c & d, 0))


_Finder: TypeAlias = Callable[[_Held, list[int], int], int]
"""The test of each category: from the ranks held, the straights of the deck and the size of a hand,
it returns the deciding ranks, packed as in a value, or -1 if the hand is not of the category."""


@cache
def _finder(name: str) -> _Finder:
    category = CATEGORIES[name]
    if name in ROYALS:
        return _royal
    if category.runs:
        return _straight_flush if category.suited else _straight
    return _flush if category.suited else _of_a_kind(category.made)


def _royal(held: _Held, runs: list[int], _: int) -> int:
    return ACE << 16 if any(runs[suit] == ACE for suit in held.suits) else -1


def _straight_flush(held: _Held, runs: list[int], _: int) -> int:
    top = max([runs[suit] for suit in held.suits])
    return top << 16 if top >= 0 else -1


def _straight(held: _Held, runs: list[int], _: int) -> int:
    top = runs[held.levels[0]]
    return top << 16 if top >= 0 else -1


def _flush(held: _Held, _: list[int], size: int) -> int:
    return max([_top(suit, size) for suit in held.suits if suit.bit_count() >= size], default=-1)


def _top(mask: int, size: int) -> int:
    """Return the highest ranks of a mask, packed."""
    ranks = []
    for _ in range(size):
        ranks.append(mask.bit_length() - 1)
        mask ^= 1 << ranks[-1]
    return pack(0, ranks)


def _of_a_kind(made: tuple[int, ...]) -> _Finder:
    """Return the highest ranks that are held the required number of times, then the highest
    remaining cards."""

    def find(held: _Held, _: list[int], size: int) -> int:
        taken: dict[int, int] = {}
        used = 0
        for count in made:
            ranks = held.levels[count - 1] & ~used
            if not ranks:
                return -1
            rank = ranks.bit_length() - 1
            taken[rank] = count
            used |= 1 << rank
        return pack(0, [*taken, *_left(held, taken, size - sum(made))])

    return find


def _left(held: _Held, taken: dict[int, int], wanted: int) -> list[int]:
    """Return the highest ranks of the cards that are not taken, one for each card."""
    left: list[int] = []
    ranks = held.levels[0]
    while ranks and len(left) < wanted:
        rank = ranks.bit_length() - 1
        ranks ^= 1 << rank
        count = sum([level >> rank & 1 for level in held.levels]) - taken.get(rank, 0)
        left += [rank] * count
    return left[:wanted]


# -- as many cards as make a hand ----------------------------------------------------------------


def _made_ranks(category: Category, ranks: list[int]) -> list[int] | None:
    """Return the deciding ranks of cards whose ranks are listed from the highest down, or None."""
    counts: Final = Counter(ranks)
    made: list[int] = []
    for count in category.made:
        rank_ = next((r for r in counts if counts[r] >= count and r not in made), None)
        if rank_ is None:
            return None
        made.append(rank_)
    left = counts - Counter(dict(zip(made, category.made, strict=True)))
    return [*made, *sorted(left.elements(), reverse=True)]
