"""What a paytable is wished to be, and which of two is the better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from croupier.mathematics.questions.open_lines.by_line import Moments

__all__ = ["BEST", "Range", "Wishes"]

Range: TypeAlias = tuple[Fraction, Fraction]

BEST: Final[dict[str, Callable[[Moments], Fraction]]] = {
    "edge": lambda found: -found.value,
    "deviation": lambda found: found.variance,
    "hit-frequency": lambda found: -found.hits,
}
"""What is lowest for the best table: lowest edge, lowest deviation, highest hit frequency."""


@dataclass(frozen=True)
class Wishes:
    """Ranges with both ends in them, as parts of 1; the deviation in units of the wager."""

    edge: Range
    hits: Range | None = None
    deviation: Range | None = None
    best: str = "edge"
    limit: int = 20

    def miss(self, found: Moments) -> Fraction:
        """How far the edge lies outside of the range; below zero it is too low."""
        low, high = self.edge
        edge = -found.value
        return edge - low if edge < low else edge - high if edge > high else Fraction(0)

    def besides(self, found: Moments) -> bool:
        """Is everything but the edge as wished?"""
        if self.hits is not None and not self.hits[0] <= found.hits <= self.hits[1]:
            return False
        if self.deviation is None:
            return True
        low, high = self.deviation
        return low**2 <= found.variance <= high**2
