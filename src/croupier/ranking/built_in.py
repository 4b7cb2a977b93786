"""The rankings that a rulebook may name without describing them."""

from __future__ import annotations

from functools import cache
from typing import Final

from croupier.cards import RANKS
from croupier.ranking.by_categories import ByCategories
from croupier.ranking.hands import CATEGORY_NAMES
from croupier.ranking.ranking import SUIT_NAMES, Ranking, Unranked

_ORDERS: Final = {
    "five_card": CATEGORY_NAMES[::-1],
    "three_card": (
        *("mini_royal", "straight_flush", "three_of_a_kind", "straight", "flush", "pair"),
        "high_card",
    ),
    "two_card": ("straight", "flush", "pair", "high_card"),
}
SIZES: Final = {"five_card": 5, "three_card": 3, "two_card": 2}

BUILT_IN: Final = (*_ORDERS, "cards")
EVERY_NAME: Final = (*CATEGORY_NAMES, "mini_royal", "five_of_a_kind", *SUIT_NAMES)
"""Every name that a held hand can have in some ranking."""


@cache
def built_in(name: str, *, ace_low: bool = False, ranks: str = RANKS, copies: int = 1) -> Ranking:
    """Return a built-in ranking by its name, for a deck. The ace is always low in five
    cards too."""
    if name == "cards":
        return Unranked(ranks=ranks, copies=copies)
    size = SIZES[name]
    low = ace_low or name == "five_card"
    return ByCategories(_ORDERS[name], size=size, ace_low=low, ranks=ranks, copies=copies)
