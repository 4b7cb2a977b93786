"""The paytable lines that hold on the cards of a deal, and deals in which a line names the dealer's
two cards.

Leaves on own cards and on the board are evaluated once for every canonical pair and board. The
sweep knows how strong the dealer's hand is, not its two cards. A line on those (the dealer's aces
against one's own) is rare: for every pair of hands that it concerns, up to exchange of suits, all
boards are dealt out here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from math import comb
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import Path
from croupier.mathematics.counters.boards.geometry import card_pairs, flops_of, orbits_of, places_of
from croupier.mathematics.counters.boards.numbering import RANK_BOARDS, numbering
from croupier.mathematics.counters.boards.strategies import Strategy, orders_of_board
from croupier.mathematics.game.course import cards_of
from croupier.mathematics.game.paytable_lines import Leaf
from croupier.mathematics.hand_values import Masks, subsets
from croupier.mathematics.kernels.arrays import I8, I64
from croupier.mathematics.side_wagers.columns import bits_of, columns_of
from croupier.ranking.fast import strengths
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Cards, Hand

HandPlace: TypeAlias = Literal[
    "pocket", "opening", "board", "final", "dealer", "dealer_pocket", "box"
]
Hands: TypeAlias = Mapping[str, tuple[HandPlace, Hand]]
Images: TypeAlias = tuple[tuple[tuple[int, ...], int], ...]
"""The leaves of each wager that hold, with the number of images (of 24) in which they do."""
ORDERS = tuple(permutations(range(4)))

_SEVEN: Final = ("final", "dealer")
_PLACES: Final[dict[HandPlace, dict[str, int]]] = {
    "pocket": {"player": 2},
    "opening": {"player": 2, "community": 3},
    "final": {"player": 2, "community": 5},
    "board": {"community": 5},
    "dealer": {"dealer": 2, "community": 5},
    "dealer_pocket": {"dealer": 2},
}


def place_of(hand: Hand, cards: Cards) -> HandPlace | None:
    """Return the cards of the table that a named hand is made of; None for any other mixture."""
    made = cards_of(hand, cards)
    if made is not None and "box" in made:
        return "box"
    place = next((place for place, cards_there in _PLACES.items() if cards_there == made), None)
    # Only the strength of their best five distinguishes seven cards.
    return None if place in _SEVEN and hand.ranking != "five_card" else place


def hands_at(rules: Rules) -> Hands:
    """Return the named hands that the sweep can look at."""
    places = {name: place_of(hand, rules.book.cards) for name, hand in rules.book.hands.items()}
    return {name: (place, rules.book.hands[name]) for name, place in places.items() if place}


def bits_at(
    leaves: Sequence[Leaf], hands: Hands, cards: Mapping[HandPlace, Masks]
) -> NDArray[np.int64]:
    """Return the leaves on these places that hold for the cards there; leaves on other places do
    not hold."""
    names = dict.fromkeys(leaf.hand for leaf in leaves if hands[leaf.hand][0] in cards)
    if not names:
        return np.zeros(next(iter(cards.values())).size, np.int64)
    return bits_of(leaves, {n: columns_of(hands[n][1], cards[hands[n][0]]) for n in names})


# -- the deal: two cards and the flop -------------------------------------------------------------


def _pairs(deck: int) -> dict[HandPlace, Masks]:
    """Return the cards of every canonical (flop, hand)."""
    flops = flops_of(deck)
    bit = np.uint64(1)
    ends = card_pairs()[flops.hand].astype(np.uint64)
    pocket = (bit << ends[:, 0]) | (bit << ends[:, 1])
    cards = flops.cards.astype(np.uint64)
    flop = (bit << cards[:, 0]) | (bit << cards[:, 1]) | (bit << cards[:, 2])
    return {"pocket": pocket, "opening": pocket | np.repeat(flop, np.diff(flops.start))}


def deal_images(
    deck: int, wagers: Sequence[Sequence[Leaf]], hands: Hands
) -> tuple[NDArray[np.int64], tuple[Images, ...]]:
    """Return a number for every canonical pair, and for every number the wagers' leaves that hold.

    Leaves on other places do not hold here: their bits are added later.
    """
    pairs = _pairs(deck)
    if not wagers:
        return np.zeros(pairs["pocket"].size, np.int64), ((((), 24),),)
    plain = np.stack([bits_at(_without_suits(leaves), hands, pairs) for leaves in wagers])
    suited = np.array([_suit_bits(leaves) for leaves in wagers], np.int64)[:, None]
    may_differ = ((plain & suited) != 0).any(axis=0)
    kinds, where = np.unique(plain & ~suited, axis=1, return_inverse=True)
    images: list[Images] = [((tuple(column), 24),) for column in kinds.T.tolist()]
    numbers = where.reshape(-1).astype(np.int64)
    at = np.flatnonzero(may_differ)
    if at.size:
        known: dict[Images, int] = {}
        for place, image in zip(at.tolist(), _images(wagers, hands, pairs, at), strict=True):
            numbers[place] = known.setdefault(image, len(images) + len(known))
        images += known
    return _only_used(numbers, images)


def _only_used(
    numbers: NDArray[np.int64], images: Sequence[Images]
) -> tuple[NDArray[np.int64], tuple[Images, ...]]:
    used, numbers = np.unique(numbers, return_inverse=True)
    return numbers.astype(np.int64), tuple(images[number] for number in used.tolist())


def _images(
    wagers: Sequence[Sequence[Leaf]],
    hands: Hands,
    pairs: Mapping[HandPlace, Masks],
    at: NDArray[np.int64],
) -> list[Images]:
    every = np.empty((len(ORDERS), len(wagers), at.size), np.int64)
    for number, order in enumerate(ORDERS):
        turned = {place: exchanged(cards[at], order) for place, cards in pairs.items()}
        for wager, leaves in enumerate(wagers):
            every[number, wager] = bits_at(leaves, hands, turned)
    out: list[Images] = []
    for place in range(at.size):
        codes, counts = np.unique(every[:, :, place], axis=0, return_counts=True)
        out.append(tuple(zip(map(tuple, codes.tolist()), counts.tolist(), strict=True)))
    return out


def exchanged(masks: Masks, order: Sequence[int]) -> Masks:
    parts = [
        (masks >> np.uint64(13 * suit) & np.uint64(8191)) << np.uint64(13 * new)
        for suit, new in enumerate(order)
    ]
    return np.asarray(np.bitwise_or.reduce(parts))


def _without_suits(leaves: Sequence[Leaf]) -> list[Leaf]:
    return [leaf._replace(suits="") for leaf in leaves]


def _suit_bits(leaves: Sequence[Leaf]) -> int:
    return sum(1 << place for place, leaf in enumerate(leaves) if leaf.suits)


# -- the board ------------------------------------------------------------------------------------


def board_bits(leaves: Sequence[Leaf], hands: Hands) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the leaves on the board that hold: by ranks, and by mask if all five are of
    one suit."""
    named = [leaf for leaf in leaves if hands[leaf.hand][0] == "board"]
    by_rank = np.zeros(RANK_BOARDS, np.int64)
    by_mask = np.zeros(1 << 13, np.int64)
    if not named:
        return by_rank, by_mask
    if any(leaf.suits for leaf in named):
        raise Unsolvable("sessions cannot distinguish lines on the suit of the board")
    ranks = numbering().board_ranks.astype(np.uint64)
    suits = np.arange(5, dtype=np.uint64) % 4
    masks = (np.uint64(1) << (ranks + 13 * suits)).sum(axis=1, dtype=np.uint64)
    possible = np.flatnonzero(np.bitwise_count(masks) == 5)
    flushes = np.flatnonzero(np.bitwise_count(np.arange(1 << 13)) == 5)
    for target, rows, cards in (
        (by_rank, possible, masks[possible]),
        (by_mask, flushes, flushes.astype(np.uint64)),
    ):
        target[rows] = bits_at(leaves, hands, {"board": cards})
    return by_rank, by_mask


_MOST: Final = 12


class Couple(NamedTuple):
    """The player's two cards (as a hand's number and a mask) against the dealer's, and how many
    couples are its images under exchanges of suits; `alone` are the leaves that hold for the
    player's cards, `held` those that the dealer's add."""

    hand: int
    own: int
    dealer: int
    alone: int
    held: int
    weight: int


class BoardGroup(NamedTuple):
    """Similar boards of one couple, in deals: ten flops to a board, in the orders that the game
    distinguishes. The player has arrived there by this path."""

    path: Path
    own: int
    facing: int
    result: int
    codes: tuple[int, ...]
    deals: int


def couples_of(
    leaves: Sequence[Leaf],
    hands: Hands,
    changes: Callable[[int, int], bool],
) -> list[Couple]:
    """Return the couples in which the dealer's cards change the payment: `changes(own, theirs)`, by
    the leaves that hold on each."""
    if any(leaf.suits for leaf in leaves):
        raise Unsolvable("a line on the dealer's cards that names suits is not computed")
    pairs = card_pairs().astype(np.uint64)
    masks = (np.uint64(1) << pairs[:, 0]) | (np.uint64(1) << pairs[:, 1])
    own = bits_at(leaves, hands, {"pocket": masks})
    theirs = bits_at(leaves, hands, {"dealer_pocket": masks})
    couples: dict[tuple[int, int], Couple] = {}
    for dealer in np.flatnonzero(theirs).tolist():
        held = int(theirs[dealer])
        changing = [bits for bits in np.unique(own).tolist() if changes(bits, held)]
        for hand in np.flatnonzero(np.isin(own, changing)).tolist():
            if masks[dealer] & masks[hand]:
                continue
            key = _least_image(masks[[hand, dealer]])
            before = couples.get(key)
            weight = 1 if before is None else before.weight + 1
            cards = int(masks[hand]), int(masks[dealer])
            couples[key] = Couple(hand, *cards, int(own[hand]), held, weight)
    if len(couples) > _MOST:
        raise Unsolvable("lines on the dealer's cards that concern this many hands take too long")
    return list(couples.values())


def _least_image(couple: Masks) -> tuple[int, int]:
    images = [exchanged(couple, order).tolist() for order in ORDERS]
    return min((first, second) for first, second in images)


class _Way:
    """The path by which a hand arrives at the river, board by board."""

    def __init__(self, strategy: Strategy, hand: int) -> None:
        game = self.game = strategy.game
        self.strategy, self.own = strategy, int((1 << card_pairs()[hand].astype(np.int64)).sum())
        path = game.levels[0].arriving[0]
        if strategy.is_asked(0, path):
            place = int(strategy.answers[0][path][orbits_of(game.deck, 0).number[hand]])
            path = game.answers(0, path)[place]
        self.start, said = path, len(path.said)
        ahead = [p for p in game.paths if p.said[:said] == path.said and p != path]
        self.later = bool(ahead) and not path.folded
        seen = {game.questions[p.said[-1][0]].seen for p in ahead}
        if self.later and not seen <= {3, 4}:
            raise Unsolvable(
                "lines on the dealer's cards with a hand that has not decided yet are not computed"
            )
        if self.later:
            self._follow()

    def _follow(self) -> None:
        """Compute the path by flop, and by four cards and the index of the last one among them."""
        numbers = {path: number for number, path in enumerate(self.game.paths)}
        self._by_flop = np.full(22_100, numbers[self.start], np.int8)
        self._turn_paths(3, self._by_flop, _sets(3), numbers)
        fours = _sets(4)
        self._by_turn = np.zeros((len(fours), 4), np.int8)
        for last in range(4):
            flops = np.delete(fours, last, axis=1)
            self._by_turn[:, last] = self._by_flop[_set_number([*flops.T])]
            self._turn_paths(4, self._by_turn[:, last], fours, numbers)

    def _turn_paths(self, seen: int, by_board: I8, cards: I8, numbers: dict[Path, int]) -> None:
        """Replace each path to the decisions on `seen` cards by the one its answer leads to."""
        masks = (1 << cards.astype(np.int64)).sum(axis=1)
        free = np.flatnonzero((masks & self.own) == 0)
        ranks = (1 << (cards % 13).astype(np.int64)) & self.game.deck
        free = free[(ranks[free] > 0).all(axis=1)]
        own = np.full(free.size, self.own)
        before = by_board[free].copy()
        places = None
        for path in [self.game.paths[number] for number in np.unique(before).tolist()]:
            if not self.strategy.is_asked(seen, path):
                continue
            if places is None:
                places = places_of(self.game.deck, own, masks[free], seen)
            here = before == numbers[path]
            follow = np.array([numbers[p] for p in self.game.answers(seen, path)], np.int8)
            by_board[free[here]] = follow[self.strategy.answers[seen][path][places[here]]]

    def of(self, cards: Sequence[I64], flop: tuple[int, ...]) -> list[I8]:
        """Return for boards of five ascending cards with three of them on the flop the path by
        either order of turn and river; one if the orders are not distinguished."""
        if not self.later:
            number = self.game.paths.index(self.start)
            return [np.full(cards[0].size, number, np.int8)]
        if not self.game.level(4):
            return [self._by_flop[_set_number([cards[place] for place in flop])]]
        paths = []
        for turn in set(range(5)) - set(flop):
            four = sorted((*flop, turn))
            sets = _set_number([cards[place] for place in four])
            paths.append(self._by_turn[sets, four.index(turn)])
        return paths


def _sets(size: int) -> I8:
    """Return all sets of three or four cards, ascending, in the order of `_set_number`."""
    every = np.array(list(combinations(range(52), size)), np.int8)
    return every[np.argsort(_set_number([*every.T]))]


def _set_number(cards: Sequence[NDArray[Any]]) -> I64:
    """Return the index of a set among all of its size; its cards ascend."""
    total = np.zeros(cards[0].size, np.int64)
    for place, card in enumerate(cards):
        total += _CHOOSE[place + 1][card]
    return total


_CHOOSE: Final = np.array([[comb(n, k) for n in range(52)] for k in range(5)])


def boards_of(
    couple: Couple,
    strategy: Strategy,
    wagers: Sequence[Sequence[Leaf]],
    hands: Hands,
    edges: NDArray[np.int64],
    thresholds: NDArray[np.int64],
) -> Iterator[BoardGroup]:
    """Yield all boards of a couple, by the wagers' leaves that hold on two, five and board cards,
    and by the player's path."""
    game, way = strategy.game, _Way(strategy, couple.hand)
    boards = subsets(5)
    boards = boards[boards & np.uint64(couple.own | couple.dealer) == 0]
    own = strengths(boards | np.uint64(couple.own)).astype(np.int64)
    theirs = strengths(boards | np.uint64(couple.dealer)).astype(np.int64)
    result = np.where(own > theirs, 0, np.where(own == theirs, 1, 2))
    interval = np.searchsorted(edges, own, side="right") - 1
    facing = np.searchsorted(thresholds, theirs, side="right")
    known = (interval * (len(thresholds) + 1) + facing) * 3 + result
    at_flop = any(hands[leaf.hand][0] == "opening" for leaves in wagers for leaf in leaves)
    bounds = np.concatenate([[0], thresholds])
    apart = at_flop or way.later
    cards = _ascending(boards)
    for flop in combinations(range(5), 3) if apart else [(0, 1, 2)]:
        flops = np.bitwise_or.reduce([np.uint64(1) << cards[n].astype(np.uint64) for n in flop])
        masks: dict[HandPlace, Masks] = {
            "pocket": np.full(1, couple.own, np.uint64),
            "opening": np.asarray(flops | np.uint64(couple.own), np.uint64),
            "board": boards,
        }
        codes = np.zeros((len(wagers), boards.size), np.int64)
        for number, leaves in enumerate(wagers):
            for place, held in masks.items():
                codes[number] |= bits_at(leaves, hands, {place: held})
        ways = way.of(cards, flop)
        times = orders_of_board(game) // len(ways) * (1 if apart else 10)
        for paths in ways:
            for key, column, count in _grouped(known * len(game.paths) + paths, codes):
                rest, number = divmod(key, len(game.paths))
                rest, result_ = divmod(rest, 3)
                place_, bin_ = divmod(rest, len(thresholds) + 1)
                at = (int(edges[place_]), int(bounds[bin_]), result_)
                yield BoardGroup(game.paths[number], *at, column, count * times)


def _ascending(boards: Masks) -> list[I64]:
    """Return the cards of every board, the lowest first."""
    cards, rest = [], boards.copy()
    for _ in range(5):
        lowest = rest & (~rest + np.uint64(1))
        cards.append(np.bitwise_count(lowest - np.uint64(1)).astype(np.int64))
        rest ^= lowest
    return cards


def _grouped(
    known: NDArray[np.int64], codes: NDArray[np.int64]
) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """Yield the distinct (known, codes) with their number."""
    number = known
    parts: list[NDArray[np.int64]] = []
    for code in codes:
        values, where = np.unique(code, return_inverse=True)
        number = number * len(values) + where
        parts.append(values)
    for packed, count in zip(*np.unique(number, return_counts=True), strict=True):
        rest, column = int(packed), []
        for values in reversed(parts):
            rest, place = divmod(rest, len(values))
            column.append(int(values[place]))
        yield rest, tuple(reversed(column)), int(count)
