"""Categories of hands, and a hand's value as one comparable integer.

A five-card value packs the category and the ranks that decide between equal categories, most
significant first, four bits each:

    value = category << 20 | r1 << 16 | r2 << 12 | r3 << 8 | r4 << 4 | r5

with deuce = 0, ace = 12 and unused places 0. The ranks of quads, trips and pairs come first, then
the kickers: the standard order that readings MD-07, MA-02 and A13 adopt for 6.E and 5(c). Straights
have their top rank only, and a five-high straight counts as five-high (6.B).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from croupier.cards import RANK_WORDS
from croupier.errors import with_article


class Category(IntEnum):
    """A category of hands; higher is better."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


CATEGORY_NAMES: Final[tuple[str, ...]] = tuple(category.name.lower() for category in Category)

FIVE = RANK_WORDS.index("five")
ACE = RANK_WORDS.index("ace")

_LENGTH_OF_RANKS: Final = {
    Category.HIGH_CARD: 5,
    Category.PAIR: 4,
    Category.TWO_PAIR: 3,
    Category.THREE_OF_A_KIND: 3,
    Category.STRAIGHT: 1,
    Category.FLUSH: 5,
    Category.FULL_HOUSE: 2,
    Category.FOUR_OF_A_KIND: 2,
    Category.STRAIGHT_FLUSH: 1,
    Category.ROYAL_FLUSH: 1,
}


def pack(category: int, ranks: tuple[int, ...] | list[int]) -> int:
    value = category
    for place in range(5):
        value = value << 4 | (ranks[place] if place < len(ranks) else 0)
    return value


def category_of(value: int) -> Category:
    return Category(value >> 20)


def kickers_of(value: int) -> tuple[int, ...]:
    """Return the deciding ranks, most significant first."""
    places = _LENGTH_OF_RANKS[category_of(value)]
    return tuple(value >> (16 - 4 * place) & 15 for place in range(places))


def _plural(rank: int) -> str:
    word = RANK_WORDS[rank]
    return word + ("es" if word.endswith("x") else "s")


def describe(value: int) -> str:
    """Return the words of a dealer: 'a full house, aces over twos'."""
    return describe_named(CATEGORY_NAMES[value >> 20], kickers_of(value))


def describe_named(category: str, ranks: Sequence[int]) -> str:
    """Return the same for a hand of any size, by its category's name and the deciding ranks."""
    first = ranks[0]
    match category:
        case "straight_flush" | "flush" | "straight":
            return f"a {category.replace('_', ' ')}, {RANK_WORDS[first]} high"
        case "four_of_a_kind":
            return f"four {_plural(first)}"
        case "full_house":
            return f"a full house, {_plural(first)} over {_plural(ranks[1])}"
        case "three_of_a_kind":
            return f"three {_plural(first)}"
        case "two_pair":
            return f"two pair, {_plural(first)} and {_plural(ranks[1])}"
        case "pair":
            return f"a pair of {_plural(first)}"
        case "high_card":
            return f"{RANK_WORDS[first]} high"
        case "five_of_a_kind":
            return f"five {_plural(first)}"
        case _ if category.endswith("_card_flush"):
            longest = with_article(category.replace("_card_", "-card "))
            return f"{longest}, {RANK_WORDS[first]} high"
        case _:
            return with_article(category.replace("_", " "))
