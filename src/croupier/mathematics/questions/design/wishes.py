"""What a paytable is wished to be, and which of two is the better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from croupier.mathematics.questions.open_lines.by_line import Moments

__all__ = ["BEST", "Range", "Wishes", "miss"]

Range: TypeAlias = tuple[Fraction, Fraction]

BEST: Final[dict[str, Callable[[Moments], Fraction]]] = {
    "edge": lambda found: -found.value,
    "hold": lambda found: found.hold,
    "deviation": lambda found: found.variance,
    "hit-frequency": lambda found: -found.hits,
}
"""What is lowest for the best table: lowest edge, hold or deviation, highest hit frequency."""


@dataclass(frozen=True)
class Wishes:
    """Ranges with both ends in them, as parts of 1; the deviation in units of the wager, or in
    dollars where several wagers are bet together."""

    edge: Range | None = None
    hits: Range | None = None
    deviation: Range | None = None
    best: str = "edge"
    limit: int = 20
    hold: Range | None = None

    def miss(self, found: Moments) -> Fraction:
        """How far the edge, or the hold where no edge is wished, lies outside of its range; below
        zero it is too low."""
        if self.edge is not None:
            return miss(-found.value, self.edge)
        return Fraction(0) if self.hold is None else miss(found.hold, self.hold)

    def besides(self, found: Moments) -> bool:
        """Is everything else as wished?"""
        if self.hold is not None and miss(found.hold, self.hold):
            return False
        if self.hits is not None and miss(found.hits, self.hits):
            return False
        if self.deviation is None:
            return True
        low, high = self.deviation
        return low**2 <= found.variance <= high**2

    @property
    def needs_joint(self) -> bool:
        """Do the wishes ask how wagers win together?"""
        asked = self.hits is not None or self.deviation is not None
        return asked or self.best in ("deviation", "hit-frequency")


def miss(value: Fraction, wished: Range) -> Fraction:
    """How far a value lies outside of a range; below zero it is too low."""
    low, high = wished
    return value - low if value < low else value - high if value > high else Fraction(0)
