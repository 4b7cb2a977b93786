"""Where the lines of a side wager look, and what they find there.

A line's leaves look at named hands; each hand lies in a place that the sweep marks: the player's
two cards or those with the flop (`deal`), the five community cards (`board`), all seven (`final`).
For every place this module answers all leaves at once, as bits.

Strategies and showdowns do not know one suit from another, so among the images of a deal under the
24 exchanges of suits everything is equally frequent. A leaf that names a suit therefore splits the
deals of a label in exact proportion to the images for which it holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.geometry import card_pairs, flops_of
from croupier.mathematics.counters.boards.numbering import RANK_BOARDS, numbering
from croupier.mathematics.game.course import cards_of
from croupier.mathematics.game.paytable_lines import Leaf
from croupier.mathematics.side_wagers.columns import bits_of, columns_of
from croupier.mathematics.side_wagers.enumeration import Masks
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Cards, Hand

HandPlace: TypeAlias = Literal[
    "pocket", "opening", "board", "final", "dealer", "dealer_pocket", "box"
]
Hands: TypeAlias = Mapping[str, tuple[HandPlace, Hand]]
Images: TypeAlias = tuple[tuple[tuple[int, ...], int], ...]
"""What the leaves of each wager find, with the number of images (of 24) in which they find it."""
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
    """Which cards of the table a named hand is made of; None for any other mixture."""
    made = cards_of(hand, cards)
    if made is not None and "box" in made:
        return "box"
    place = next((place for place, cards_there in _PLACES.items() if cards_there == made), None)
    # Seven cards are told apart by the strength of their best five and by nothing else.
    return None if place in _SEVEN and hand.ranking != "five_card" else place


def hands_at(rules: Rules) -> Hands:
    """The named hands that lie where the sweep looks."""
    places = {name: place_of(hand, rules.book.cards) for name, hand in rules.book.hands.items()}
    return {name: (place, rules.book.hands[name]) for name, place in places.items() if place}


def bits_at(
    leaves: Sequence[Leaf], hands: Hands, cards: Mapping[HandPlace, Masks]
) -> NDArray[np.int64]:
    """What leaves on these places find on the cards there; leaves on other places find nothing."""
    names = dict.fromkeys(leaf.hand for leaf in leaves if hands[leaf.hand][0] in cards)
    if not names:
        return np.zeros(next(iter(cards.values())).size, np.int64)
    return bits_of(leaves, {n: columns_of(hands[n][1], cards[hands[n][0]]) for n in names})


# -- the deal: two cards and the flop -------------------------------------------------------------


def _pairs(deck: int) -> dict[HandPlace, Masks]:
    """The cards of every canonical (flop, hand)."""
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
    """For every canonical pair a number, and for every number what the wagers' leaves find.

    Leaves on other places find nothing here: their bits are put in later.
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
    """What leaves on the board find: by ranks, and by mask where all five are of one suit."""
    named = [leaf for leaf in leaves if hands[leaf.hand][0] == "board"]
    by_rank = np.zeros(RANK_BOARDS, np.int64)
    by_mask = np.zeros(1 << 13, np.int64)
    if not named:
        return by_rank, by_mask
    if any(leaf.suits for leaf in named):
        raise Unsolvable("a line on the suit of the board is more than sessions can tell apart")
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
