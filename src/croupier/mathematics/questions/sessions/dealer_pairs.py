"""Deals in which a line looks at the dealer's two cards: few enough to be dealt one by one.

The sweep knows how strong the dealer's hand is, not which two cards it holds. A line on those (the
dealer's aces against one's own) is rare: for every couple of hands that it concerns, up to exchange
of suits, all boards are dealt out here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.geometry import card_pairs, orbits_of
from croupier.mathematics.counters.boards.strategies import Ending, StrategyArrays
from croupier.mathematics.game.paytable_lines import Leaf
from croupier.mathematics.questions.sessions.line_facts import ORDERS, HandPlace, exchanged
from croupier.mathematics.side_wagers.columns import bits_of, columns_of
from croupier.mathematics.side_wagers.enumeration import Masks, subsets
from croupier.ranking.fast import strengths
from croupier.rulebooks.schema import Hand

__all__ = ["BoardGroup", "Couple", "boards_of", "couples_of", "ending_at_once"]

_MOST: Final = 12


class Couple(NamedTuple):
    """The player's two cards (as a hand's number and a mask) against the dealer's, and how many
    couples go over into it when suits are exchanged; `alone` is what the leaves find on the
    player's cards, `held` what the dealer's add."""

    hand: int
    own: int
    dealer: int
    alone: int
    held: int
    weight: int


class BoardGroup(NamedTuple):
    """Boards of one couple that nothing tells apart, in deals (ten flops to a board)."""

    own: int
    facing: int
    result: int
    codes: tuple[int, ...]
    deals: int


def couples_of(
    leaves: Sequence[Leaf],
    hands: Mapping[str, tuple[HandPlace, Hand]],
    changes: Callable[[int, int], bool],
) -> list[Couple]:
    """The couples in which the dealer's cards change what is paid: `changes(own, theirs)`, given
    what the leaves find on each."""
    if any(leaf.suits for leaf in leaves):
        raise Unsolvable("a line on the dealer's cards that names suits is not computed")
    pairs = card_pairs().astype(np.uint64)
    masks = (np.uint64(1) << pairs[:, 0]) | (np.uint64(1) << pairs[:, 1])
    own, theirs = (
        bits_of(
            leaves,
            {n: columns_of(hand, masks) for n, (place, hand) in hands.items() if place == where}
            or {"": columns_of(Hand(cards=(), ranking="cards", clause=""), masks)},
        )
        for where in ("pocket", "dealer_pocket")
    )
    found: dict[tuple[int, int], Couple] = {}
    for dealer in np.flatnonzero(theirs).tolist():
        held = int(theirs[dealer])
        changing = [bits for bits in np.unique(own).tolist() if changes(bits, held)]
        for hand in np.flatnonzero(np.isin(own, changing)).tolist():
            if masks[dealer] & masks[hand]:
                continue
            key = _least_image(masks[[hand, dealer]])
            before = found.get(key)
            weight = 1 if before is None else before.weight + 1
            cards = int(masks[hand]), int(masks[dealer])
            found[key] = Couple(hand, *cards, int(own[hand]), held, weight)
    if len(found) > _MOST:
        raise Unsolvable("lines on the dealer's cards that concern so many hands take too long")
    return list(found.values())


def _least_image(couple: Masks) -> tuple[int, int]:
    images = [exchanged(couple, order).tolist() for order in ORDERS]
    return min((first, second) for first, second in images)


def ending_at_once(game: HoldemGame, strategy: StrategyArrays, hand: int) -> Ending:
    """What a hand bets before it sees a card of the board."""
    level = game.levels[0]
    orbit = orbits_of(game.deck, 0).number[hand]
    action = int(strategy.actions[0][orbit]) if level.seen == 0 else -1
    if action < 0:
        raise Unsolvable("lines on the dealer's cards with a hand that waits are not computed")
    return Ending(0, level.multiples[action])


def boards_of(
    couple: Couple,
    wagers: Sequence[Sequence[Leaf]],
    hands: Mapping[str, tuple[HandPlace, Hand]],
    edges: NDArray[np.int64],
    thresholds: NDArray[np.int64],
) -> Iterator[BoardGroup]:
    """All boards of a couple, by what the wagers' leaves find on two, five and board cards."""
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
    for flop in _flops(boards) if at_flop else [boards]:
        masks = {
            "pocket": np.full(1, couple.own, np.uint64),
            "opening": flop | np.uint64(couple.own),
            "board": boards,
        }
        codes = np.zeros((len(wagers), boards.size), np.int64)
        for number, leaves in enumerate(wagers):
            for place, cards in masks.items():
                codes[number] |= _bits(leaves, hands, place, cards)
        for key, column, count in _grouped(known, codes):
            rest, result_ = divmod(key, 3)
            place_, bin_ = divmod(rest, len(thresholds) + 1)
            deals = count * (1 if at_flop else 10)
            yield BoardGroup(int(edges[place_]), int(bounds[bin_]), result_, column, deals)


def _flops(boards: Masks) -> Iterator[Masks]:
    """Each of the ten choices of three from every board."""
    cards = []
    rest = boards.copy()
    for _ in range(5):
        lowest = rest & (~rest + np.uint64(1))
        cards.append(lowest)
        rest ^= lowest
    for three in combinations(cards, 3):
        yield np.asarray(np.bitwise_or.reduce(three), np.uint64)


def _bits(
    leaves: Sequence[Leaf], hands: Mapping[str, tuple[HandPlace, Hand]], place: str, masks: Masks
) -> NDArray[np.int64]:
    names = {leaf.hand for leaf in leaves if hands[leaf.hand][0] == place}
    if not names:
        return np.zeros(1, np.int64)
    return bits_of(leaves, {name: columns_of(hands[name][1], masks) for name in names})


def _grouped(
    known: NDArray[np.int64], codes: NDArray[np.int64]
) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """The different (known, codes) with their number."""
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
