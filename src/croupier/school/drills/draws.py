"""Random choices from a seed, the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from croupier.randomness.shuffling import Seeded

T = TypeVar("T")


class Draws:
    """A seeded random generator; every choice is equally likely."""

    def __init__(self, seed: str) -> None:
        self._bytes = Seeded(seed)

    def below(self, count: int) -> int:
        """Return 0 to `count - 1`. A number that would make some results likelier is drawn
        again."""
        limit = 2**32 - 2**32 % count
        while (number := int.from_bytes(self._bytes(4), "big")) >= limit:
            pass
        return number % count

    def one_in(self, count: int) -> bool:
        return self.below(count) == 0

    def pick(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def some(self, things: Sequence[T], count: int) -> list[T]:
        """Return `count` different items in random order."""
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]
