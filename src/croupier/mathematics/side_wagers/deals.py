"""How many deals have which leaves true: the counting behind every wager settled by a paytable.

Most tables look at one hand only, and `by_ranking` has counted those. Where lines look
at a second hand (the flop with one's own cards, the board, the dealer's two cards), the hands they
look for are rare. So the deals are first counted as if nothing of the kind ever happened; then
those in which it does are dealt one by one, taken out of that count and put where they belong.
Suits that no line tells apart are interchangeable, which leaves few deals to go through.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, permutations
from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import SUITS
from croupier.errors import Unsolvable
from croupier.mathematics.game.course import cards_of
from croupier.mathematics.game.payments import Payment
from croupier.mathematics.game.paytable_lines import Leaf, LineTests
from croupier.mathematics.hand_values import deck_mask
from croupier.mathematics.side_wagers.by_ranking import ranked_rows
from croupier.mathematics.side_wagers.columns import bits_of, bits_of_hand, columns_of_all
from croupier.mathematics.side_wagers.enumeration import Masks, subsets
from croupier.rulebooks.rankings import card_count, ranking_of
from croupier.rulebooks.schema import Cards, Hand, Rulebook

_AT_ONCE: Final = 1 << 20
_MOST_AT_ONCE: Final = 1 << 23
_MOST_DEALS: Final = 500_000_000
_MOST_BESIDE: Final = 6
"""Limits for lines on a second hand, whose deals are gone through."""
Piece: TypeAlias = frozenset[str]
"""Cards of which every hand has all or none, named by the hands that have them."""


class Counted(NamedTuple):
    """Deals by the leaves that hold (bits in the order of the leaves), and all deals."""

    by_leaves: Mapping[int, int]
    total: int


class WagerTally(NamedTuple):
    """How often a wager ends in each way, before stakes and meters come in."""

    endings: tuple[tuple[str, Payment, int], ...]
    total: int


def tally_lines(tests: LineTests, counted: Counted) -> WagerTally:
    """The deals sorted by the line that pays, pushes and losses last."""
    deals = [0] * len(tests.endings)
    for held, count in counted.by_leaves.items():
        deals[tests.place(held)] += count
    ends = zip(tests.endings, deals, strict=True)
    return WagerTally(tuple([(end.hand, end.pays, count) for end, count in ends]), counted.total)


def count_deals(leaves: Sequence[Leaf], own: str, book: Rulebook) -> Counted:
    """Counts the deals of every hand that a leaf looks at, `own` among them."""
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
    # First the deals of the one hand by its own leaves, as if leaves on other hands never held.
    named = any(leaf.ranks for leaf in leaves if leaf.hand == own)
    rows, hands = ranked_rows(ranking_of(book, own), size, with_ranks=named)
    for bits, count in _tally(bits_of(leaves, {own: rows}), hands).items():
        counts[bits] += count * scale
    for number, name in enumerate(names[1:], 1):
        dealt = _Dealing(leaves, book, pieces, own, name, earlier=tuple(names[1:number]))
        counts.update(dealt.moved())
    return Counted({bits: count for bits, count in counts.items() if count}, total)


def _ways(left: int, sizes: Iterable[int]) -> int:
    """Ways to deal pieces of these sizes from `left` cards."""
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
    """The cards that the hands look at, sorted by the hands that look at them."""
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
        """What these deals change in a count that knows nothing of leaves on other hands."""
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
        """The cards of the hand for which one of its leaves holds: one of each class of sets that
        go over into each other when suits are exchanged, with the size of the class."""
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
            other = _with_suits(masks[rare], order)
            least = other if least is None else np.minimum(least, other)
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
        """Every way to put these sets into their pieces and to deal the others."""
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
        """The leaves on these hands that hold, for every deal."""
        bits = np.zeros(next(iter(dealt.values())).size, np.int64)
        for name in names:
            parts = [masks for piece, masks in dealt.items() if name in piece]
            held = np.bitwise_or.reduce(parts)
            bits |= bits_of_hand(self.leaves, name, self.rankings[name], held)
        return bits


def exchanges_of_suits(named: frozenset[str]) -> list[tuple[int, ...]]:
    """The orders of the suits that leave every named set of suits as it is."""
    sets = [{SUITS.index(suit) for suit in suits} for suits in named]
    return [
        order
        for order in permutations(range(4))
        if all({order[suit] for suit in suits} == suits for suits in sets)
    ]


def _with_suits(masks: Masks, order: tuple[int, ...]) -> Masks:
    """The same cards with suit s called order[s]."""
    parts = [
        (masks >> np.uint64(13 * suit) & np.uint64(8191)) << np.uint64(13 * new)
        for suit, new in enumerate(order)
    ]
    return np.asarray(np.bitwise_or.reduce(parts))


def _deal_pieces(
    dealt: dict[Piece, Masks], pieces: Mapping[Piece, int], left: Masks, tags: NDArray[np.int64]
) -> tuple[dict[Piece, Masks], NDArray[np.int64]]:
    """Every choice of the pieces from the cards left, for every deal so far; each keeps the tag
    of the one it grew from."""
    for piece, size in pieces.items():
        cards = _bits_apart(left)
        choices = np.array(list(combinations(range(cards.shape[1]), size)), np.int64)
        taken = np.zeros((left.size, len(choices)), np.uint64)
        for column in choices.T:
            taken |= cards[:, column]
        each = taken.shape[1]
        dealt = {other: np.repeat(masks, each) for other, masks in dealt.items()}
        dealt[piece] = taken.reshape(-1)
        left, tags = np.repeat(left, each) ^ dealt[piece], np.repeat(tags, each)
    return dealt, tags


def _bits_apart(masks: Masks) -> Masks:
    """A row for each mask with its single bits; all masks have the same number of them."""
    number = int(masks[0]).bit_count()
    out = np.empty((masks.size, number), np.uint64)
    rest = masks.copy()
    for place in range(number):
        lowest = rest & (~rest + np.uint64(1))
        out[:, place] = lowest
        rest ^= lowest
    return out
