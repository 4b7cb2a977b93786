"""Choices out of a seed, the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from croupier.randomness.shuffling import Seeded

__all__ = ["Draws"]

T = TypeVar("T")


class Draws:
    """Each of several things equally likely; the same seed chooses the same things."""

    def __init__(self, seed: str) -> None:
        self._bytes = Seeded(seed)

    def below(self, count: int) -> int:
        """0 to `count - 1`. A number that would favour some of them is drawn again."""
        limit = 2**32 - 2**32 % count
        while (number := int.from_bytes(self._bytes(4), "big")) >= limit:
            pass
        return number % count

    def one_in(self, count: int) -> bool:
        return self.below(count) == 0

    def pick(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def some(self, things: Sequence[T], count: int) -> list[T]:
        """So many of them, none twice, in any order."""
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]
