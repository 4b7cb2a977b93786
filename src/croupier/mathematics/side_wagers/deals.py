"""The deals of a side wager by the line that pays it, in any ranking.

Hands are counted without visiting each: suits are alike, so only hands with their four suits in
descending order are visited, with the number of hands that each stands for (about six million for
the 133,784,560 hands of seven cards). If several decks are shuffled together, a suit may hold a
rank more than once, in as many ways as the copies can be chosen. Lines that look at a second hand
are rare: their deals are visited one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, prod
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS, SUITS
from croupier.errors import Unsolvable
from croupier.mathematics.game.course import cards_of
from croupier.mathematics.game.payments import Payment
from croupier.mathematics.game.paytable_lines import Leaf, LineTests
from croupier.mathematics.hand_values import (
    CHOOSE,
    MOST_CARDS,
    Masks,
    deck_mask,
    number_of_ranks,
    subsets,
    values_by_ranks,
)
from croupier.mathematics.kernels.decorators import kernel, part
from croupier.mathematics.side_wagers.columns import (
    ANY_SUITS,
    NO_RANKS,
    Columns,
    bits_of,
    bits_of_hand,
    codes_of,
    columns_of_all,
    rank_code,
)
from croupier.ranking.categories import CATEGORIES
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.rankings import card_count, ranking_of
from croupier.rulebooks.schema import Cards, Hand, Rulebook

_Counts: TypeAlias = NDArray[np.int64]


@cache
def ranked_rows(
    ranking: Ranking, cards: int, *, with_ranks: bool = False
) -> tuple[Columns, NDArray[np.int64]]:
    """Return all hands of this many cards of the ranking's decks as rows, and how many hands each
    row stands for; the ranks of the cards only if a line names some."""
    parts = list(_rows(ranking, cards, with_ranks=with_ranks))
    category, made, suits, best_suits, ranks, hands = np.concatenate(parts, axis=1)
    deck = 4 * len(ranking.ranks) * ranking.copies
    assert int(hands.sum()) == comb(deck, cards)
    rows = Columns(
        category=codes_of(ranking)[category],
        made=made.astype(np.uint8),
        suits=suits.astype(np.uint8),
        best_suits=best_suits.astype(np.uint8),
        ranks=ranks,
    )
    return rows, hands


def _rows(ranking: Ranking, cards: int, *, with_ranks: bool) -> Iterator[_Counts]:
    by_ranks, by_suit = _counts(ranking, cards)
    multisets = list(combinations_with_replacement(range(13), cards))
    order = np.argsort(number_of_ranks(np.array(multisets)))
    codes = np.array([rank_code(ranks) for ranks in multisets])[order] if with_ranks else None
    plain, suited = np.argwhere(by_ranks).T, np.argwhere(by_suit).T
    values = values_by_ranks(ranking, cards)[plain[0]]
    names = np.array(_suited_places(ranking) or [0])
    for where, category, made, hands, flush in (
        (plain, values >> 20, values >> 16 & 15, by_ranks[tuple(plain)], False),
        (suited, names[suited[2]], suited[3], by_suit[tuple(suited)], True),
    ):
        ranks = np.full(hands.size, NO_RANKS) if codes is None else codes[where[0]]
        key = ranks.astype(np.int64) << 12 | category << 8 | made << 4 | where[1] + 1
        key, place = np.unique(key, return_inverse=True)
        sums = np.zeros(key.size, np.int64)
        np.add.at(sums, place, hands)
        columns = np.stack([key >> 8 & 15, key >> 4 & 15, key >> 12, key & 15])
        yield from _by_suits(ranking, cards, columns, sums, flush=flush)


def _by_suits(
    ranking: Ranking, cards: int, columns: _Counts, hands: _Counts, *, flush: bool
) -> Iterator[_Counts]:
    """Yield rows as of `Columns`, with the category's index in the ranking, and the number of
    hands.

    Each row is repeated for every choice of its suits, all of them alike; a flush that only one
    suit is long enough for is in each of them equally often.
    """
    category, made, ranks, present = columns
    one_suit = flush and 2 * ranking.size > cards > ranking.size
    for count in range(1, 5):
        these = present == count
        for suits in combinations((1, 2, 4, 8), count):
            held = sum(suits)
            all_make_it = not cards > ranking.size > 0
            for best in suits if one_suit else (held if all_make_it else ANY_SUITS,):
                ways = comb(4, count) * (count if one_suit else 1)
                each, left = np.divmod(hands[these], ways)
                assert not left.any()
                same = [np.full(each.size, value) for value in (held, best)]
                yield np.stack([category[these], made[these], *same, ranks[these], each])


# -- by what each suit holds ----------------------------------------------------------------------


class _Holdings(NamedTuple):
    """The possible holdings of one suit; those of k cards are starts[k] to starts[k + 1]."""

    codes: _Counts
    ways: _Counts
    """The number of ways to choose the copies of its cards."""
    values: _Counts
    starts: _Counts


def _holdings(ranking: Ranking, cards: int) -> _Holdings:
    deck = [RANKS.index(rank) for rank in ranking.ranks]
    codes, ways, values, starts = [0], [1], [-1], [0, 1]
    for count in range(1, cards + 1):
        held = [
            ranks
            for ranks in combinations_with_replacement(deck, count)
            if max(map(ranks.count, ranks)) <= ranking.copies
        ]
        if held:
            worth = values_by_ranks(ranking, count, suited=True)
            values += worth[number_of_ranks(np.array(held))].tolist()
        codes += [rank_code(ranks) for ranks in held]
        for ranks in held:
            ways.append(prod(comb(ranking.copies, ranks.count(rank)) for rank in set(ranks)))
        starts.append(len(codes))
    return _Holdings(*(np.array(column, np.int64) for column in (codes, ways, values, starts)))


def _suited_places(ranking: Ranking) -> list[int]:
    """Return the indexes of the categories that lie in one suit."""
    if ranking.by == "longest_suit":
        return list(range(MOST_CARDS))
    names = enumerate(ranking.names)
    return [place for place, name in names if name in CATEGORIES and CATEGORIES[name].suited]


def _counts(ranking: Ranking, cards: int) -> tuple[_Counts, _Counts]:
    """Return [ranks, suits present - 1]: hands whose value comes from their ranks; and [ranks,
    suits present - 1, index among the suited categories, first made rank]: those of one suit."""
    numbers = comb(12 + cards, cards)
    named = _suited_places(ranking)
    places = np.full(len(ranking.names), -1, np.int64)
    places[named] = np.arange(len(named))
    by_ranks = np.zeros((numbers, 4), np.int64)
    by_suit = np.zeros((numbers, 4, len(named), 13), np.int64)
    holdings = _holdings(ranking, cards)
    plain = values_by_ranks(ranking, cards).astype(np.int64)
    _count_classes(cards, holdings, plain, CHOOSE, places, by_ranks, by_suit)
    return by_ranks, by_suit


@kernel
def _count_classes(
    cards: int,
    holdings: _Holdings,
    plain: _Counts,
    choose: _Counts,
    places: _Counts,
    by_ranks: _Counts,
    by_suit: _Counts,
) -> None:
    """Count the hands of suits a >= b >= c >= d, in the order of `holdings`, with `cards` cards
    together."""
    codes, ways, values, starts = holdings
    for count_a in range(1, cards + 1):
        for a in range(starts[count_a], starts[count_a + 1]):
            left_a = cards - count_a
            for count_b in range(min(left_a, count_a) + 1):
                left_b = left_a - count_b
                for b in range(starts[count_b], min(starts[count_b + 1], a + 1)):
                    for count_c in range(min(left_b, count_b) + 1):
                        count_d = left_b - count_c
                        if count_d > count_c:
                            continue
                        present = 1 + (count_b > 0) + (count_c > 0) + (count_d > 0)
                        for c in range(starts[count_c], min(starts[count_c + 1], b + 1)):
                            three = codes[a] + codes[b] + codes[c]
                            best = max(values[a], values[b], values[c])
                            chosen = ways[a] * ways[b] * ways[c]
                            for d in range(starts[count_d], min(starts[count_d + 1], c + 1)):
                                number = _number(three + codes[d], choose)
                                hands = chosen * ways[d] * _arrangements(a, b, c, d)
                                value = max(best, values[d])
                                if value > plain[number]:
                                    place, made = places[value >> 20], value >> 16 & 15
                                    by_suit[number, present - 1, place, made] += hands
                                else:
                                    by_ranks[number, present - 1] += hands


@part
def _number(code: int, choose: _Counts) -> int:
    """Return the number of the multiset of ranks with this code."""
    number, place = 0, 0
    for rank in range(13):
        for _ in range(code >> 3 * rank & 7):
            number += choose[rank + place, place + 1]
            place += 1
    return number


@part
def _arrangements(a: int, b: int, c: int, d: int) -> int:
    """Return the number of distinct orders of four suits, alike ones adjacent: 24 over the
    repeats."""
    size, run = 24, 1
    run = run + 1 if a == b else 1
    size //= run
    run = run + 1 if b == c else 1
    size //= run
    run = run + 1 if c == d else 1
    return size // run


_AT_ONCE: Final = 1 << 20
_MOST_AT_ONCE: Final = 1 << 23
_MOST_DEALS: Final = 500_000_000
_MOST_BESIDE: Final = 6
"""Limits for lines on a second hand, whose deals are visited one by one."""
Piece: TypeAlias = frozenset[str]
"""Cards that every hand has all or none of, named by the hands that have them."""


class Counted(NamedTuple):
    """Deals by the leaves that hold (bits in the order of the leaves), and all deals."""

    by_leaves: Mapping[int, int]
    total: int


class WagerTally(NamedTuple):
    """How often a wager ends in each way, before stakes and meters."""

    endings: tuple[tuple[str, Payment, int], ...]
    total: int


def tally_lines(tests: LineTests, counted: Counted) -> WagerTally:
    """Return the deals by the line that pays, pushes and losses last."""
    deals = [0] * len(tests.endings)
    for held, count in counted.by_leaves.items():
        deals[tests.place(held)] += count
    ends = zip(tests.endings, deals, strict=True)
    return WagerTally(tuple([(end.hand, end.pays, count) for end, count in ends]), counted.total)


def count_deals(leaves: Sequence[Leaf], own: str, book: Rulebook) -> Counted:
    """Count the deals of every hand that a leaf looks at, `own` among them."""
    rankings = tuple(book.rankings.items())
    key = (tuple(leaves), own, tuple(book.hands.items()), book.cards, book.deck, rankings)
    if key not in _COUNTED:
        counted = _COUNTED[key] = _count(leaves, own, book)
        assert sum(counted.by_leaves.values()) == counted.total
    return _COUNTED[key]


_COUNTED: dict[object, Counted] = {}


def _count(leaves: Sequence[Leaf], own: str, book: Rulebook) -> Counted:
    names = list(dict.fromkeys((own, *(leaf.hand for leaf in leaves))))
    if len(names) > 1 and book.deck.copies > 1:
        raise Unsolvable(
            f"lines on hands.{names[1]} beside hands.{own} are counted with one deck, and "
            f"deck.copies is {book.deck.copies}"
        )
    pieces = _pieces({name: book.hands[name] for name in names}, book.cards)
    deck = 4 * len(book.deck.ranks) * book.deck.copies
    total = _ways(deck, pieces.values())
    counts: Counter[int] = Counter()
    size = card_count(book, book.hands[own])
    scale = total // comb(deck, size)
    # First the deals of its own hand by its own leaves, as if leaves on other hands never held.
    named = any(leaf.ranks for leaf in leaves if leaf.hand == own)
    rows, hands = ranked_rows(ranking_of(book, own), size, with_ranks=named)
    for bits, count in _tally(bits_of(leaves, {own: rows}), hands).items():
        counts[bits] += count * scale
    for number, name in enumerate(names[1:], 1):
        dealt = _Dealing(leaves, book, pieces, own, name, earlier=tuple(names[1:number]))
        counts.update(dealt.moved())
    return Counted({bits: count for bits, count in counts.items() if count}, total)


def _ways(left: int, sizes: Iterable[int]) -> int:
    """Return the number of ways to deal pieces of these sizes from `left` cards."""
    ways = 1
    for size in sizes:
        ways *= comb(left, size)
        left -= size
    return ways


def _tally(bits: NDArray[np.int64], count: NDArray[np.int64]) -> Counter[int]:
    top = int(bits.max(initial=0))
    if top < 1 << 20:  # small values need no sorting
        values, where = np.arange(top + 1), bits
    else:
        values, where = np.unique(bits, return_inverse=True)
    sums = np.zeros(values.size, np.int64)
    np.add.at(sums, where, count)
    counted = np.flatnonzero(sums)
    return Counter(dict(zip(values[counted].tolist(), sums[counted].tolist(), strict=True)))


# -- several hands --------------------------------------------------------------------------------


def _pieces(hands: Mapping[str, Hand], cards: Cards) -> dict[Piece, int]:
    """Return the cards that the hands look at, grouped by the hands that look at them."""
    lookers: dict[tuple[str, int], set[str]] = {}
    for name, hand in hands.items():
        for place, count in (cards_of(hand, cards) or {}).items():
            for number in range(count):
                lookers.setdefault((place, number), set()).add(name)
    return dict(Counter(frozenset(names) for names in lookers.values()))


class _Dealing:
    """The deals in which a leaf on the hand `name` holds, and none on the `earlier` ones."""

    def __init__(
        self,
        leaves: Sequence[Leaf],
        book: Rulebook,
        pieces: Mapping[Piece, int],
        own: str,
        name: str,
        earlier: tuple[str, ...],
    ) -> None:
        self.leaves, self.own, self.name = leaves, own, name
        self.names = list(dict.fromkeys((own, *(leaf.hand for leaf in leaves))))
        self.rankings = {name: ranking_of(book, name) for name in self.names}
        self.deck = deck_mask(self.rankings[own])
        self.earlier = sum(1 << n for n, leaf in enumerate(leaves) if leaf.hand in earlier)
        self.foreign = sum(1 << n for n, leaf in enumerate(leaves) if leaf.hand != own)
        self.inside = {piece: size for piece, size in pieces.items() if name in piece}
        self.outside = {piece: size for piece, size in pieces.items() if name not in piece}

    def moved(self) -> Counter[int]:
        """Return what these deals change in a count that ignores leaves on other hands."""
        counts: Counter[int] = Counter()
        sets, weights = self._sets()
        splits = _ways(sum(self.inside.values()), self.inside.values())
        left = 4 * self.deck.bit_count() - sum(self.inside.values())
        rest = _ways(left, self.outside.values())
        if splits * rest > _MOST_AT_ONCE or splits * rest * sets.size > _MOST_DEALS:
            raise self._too_many()
        step = max(1, _AT_ONCE // (splits * rest))
        for start in range(0, sets.size, step):
            bits, count = self._deal(sets[start : start + step], weights[start : start + step])
            new = (bits & self.earlier) == 0
            bits, count = bits[new], count[new]
            counts.update(_tally(bits, count))
            counts.subtract(_tally(bits & ~self.foreign, count))
        return counts

    def _sets(self) -> tuple[Masks, NDArray[np.int64]]:
        """Return the cards of the hand for which one of its leaves holds: one of each class under
        exchange of suits, with the size of the class."""
        size = sum(self.inside.values())
        if size > _MOST_BESIDE:
            raise self._too_many()
        masks = subsets(size, self.deck)
        looked_at = [leaf for leaf in self.leaves if leaf.hand == self.name]
        rows = columns_of_all(self.rankings[self.name], size)
        rare = bits_of(looked_at, {self.name: rows}) != 0
        named = frozenset(leaf.suits for leaf in self.leaves if leaf.suits)
        least = None
        for order in exchanges_of_suits(named):
            image = _with_suits(masks[rare], order)
            least = image if least is None else np.minimum(least, image)
        assert least is not None
        return np.unique(least, return_counts=True)

    def _too_many(self) -> Unsolvable:
        return Unsolvable(
            f"lines that look at hands.{self.name} beside hands.{self.own} leave more deals than "
            "can be gone through: settle the wager on the larger hand, or look for rarer hands"
        )

    def _deal(
        self, sets: Masks, weights: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Yield every way to put these sets into their pieces and to deal the others."""
        dealt: dict[Piece, Masks] = {}
        dealt, weights = _deal_pieces(dealt, self.inside, sets, weights)
        within = [name for name in self.names if not any(name in piece for piece in self.outside)]
        bits = self._bits(within, dealt)
        used = np.bitwise_or.reduce(list(dealt.values()))
        left = ~used & np.uint64(self.deck * (1 + (1 << 13) + (1 << 26) + (1 << 39)))
        dealt, origin = _deal_pieces(dealt, self.outside, left, np.arange(left.size))
        beyond = [name for name in self.names if name not in within]
        return bits[origin] | self._bits(beyond, dealt), weights[origin]

    def _bits(self, names: Sequence[str], dealt: Mapping[Piece, Masks]) -> NDArray[np.int64]:
        """Return the leaves on these hands that hold, for every deal."""
        bits = np.zeros(next(iter(dealt.values())).size, np.int64)
        for name in names:
            parts = [masks for piece, masks in dealt.items() if name in piece]
            held = np.bitwise_or.reduce(parts)
            bits |= bits_of_hand(self.leaves, name, self.rankings[name], held)
        return bits


def exchanges_of_suits(named: frozenset[str]) -> list[tuple[int, ...]]:
    """Return the orders of the suits that leave every named set of suits unchanged."""
    sets = [{SUITS.index(suit) for suit in suits} for suits in named]
    return [
        order
        for order in permutations(range(4))
        if all({order[suit] for suit in suits} == suits for suits in sets)
    ]


def _with_suits(masks: Masks, order: tuple[int, ...]) -> Masks:
    """Return the same cards with suit s renamed order[s]."""
    parts = [
        (masks >> np.uint64(13 * suit) & np.uint64(8191)) << np.uint64(13 * new)
        for suit, new in enumerate(order)
    ]
    return np.asarray(np.bitwise_or.reduce(parts))


def _deal_pieces(
    dealt: dict[Piece, Masks], pieces: Mapping[Piece, int], left: Masks, tags: NDArray[np.int64]
) -> tuple[dict[Piece, Masks], NDArray[np.int64]]:
    """Return every choice of the pieces from the cards left, for every deal so far; each keeps the
    tag of the deal it grew from."""
    for piece, size in pieces.items():
        cards = _bits_apart(left)
        choices = np.array(list(combinations(range(cards.shape[1]), size)), np.int64)
        taken = np.zeros((left.size, len(choices)), np.uint64)
        for column in choices.T:
            taken |= cards[:, column]
        each = taken.shape[1]
        dealt = {hand_: np.repeat(masks, each) for hand_, masks in dealt.items()}
        dealt[piece] = taken.reshape(-1)
        left, tags = np.repeat(left, each) ^ dealt[piece], np.repeat(tags, each)
    return dealt, tags


def _bits_apart(masks: Masks) -> Masks:
    """Return a row for each mask with its single bits; all masks have the same number of them."""
    number = int(masks[0]).bit_count()
    out = np.empty((masks.size, number), np.uint64)
    rest = masks.copy()
    for place in range(number):
        lowest = rest & (~rest + np.uint64(1))
        out[:, place] = lowest
        rest ^= lowest
    return out
