"""The names that hands have in a ranking: the built-in ones, and those of a rulebook's own."""

from __future__ import annotations

from typing import Final

from croupier.ranking.hands import CATEGORY_NAMES
from croupier.ranking.small import THREE_CARD_NAMES, TWO_CARD_NAMES
from croupier.rulebooks.schema import Rulebook

__all__ = ["BUILT_IN", "SUIT_NAMES", "names_of"]

SUIT_NAMES: Final = tuple(
    f"{count}_card_flush" for count in ("one", "two", "three", "four", "five", "six", "seven")
)
"""What a hand is called where the longest suit counts, the shortest first."""
BUILT_IN: Final[dict[str, tuple[str, ...]]] = {
    "five_card": CATEGORY_NAMES,
    "three_card": THREE_CARD_NAMES,
    "two_card": TWO_CARD_NAMES,
    "cards": (),
}


def names_of(book: Rulebook, ranking: str) -> tuple[str, ...]:
    """Every name a hand of this ranking can have, the lowest first; plain cards have none."""
    own = book.rankings.get(ranking)
    if own is None:
        return BUILT_IN.get(ranking, ())
    return SUIT_NAMES if own.by == "longest_suit" else own.order[::-1]
