"""How fast the people at a table want it dealt: as fast as the slowest of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from croupier.runtime.dealer import AT_ONCE, PACES, Pace, PaceName, no_slower

__all__ = ["Wish", "pace_of", "slowest"]

_ORDER: Final = tuple(PACES)


class Wish:
    """What the page of a player has said."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.pace: PaceName = "casino"
        self.skips = False
        """On to what people are asked next."""


def slowest(wishes: Iterable[Wish]) -> PaceName:
    return min((wish.pace for wish in wishes), key=_ORDER.index, default="casino")


def pace_of(wishes: list[Wish], house: Pace) -> Pace:
    """Never slower than the house deals; at once where everybody skips."""
    skipping = {wish.player for wish in wishes if wish.skips}
    if wishes and skipping.issuperset(wish.player for wish in wishes):
        return no_slower(house, AT_ONCE)
    return no_slower(house, PACES[slowest(wishes)])
