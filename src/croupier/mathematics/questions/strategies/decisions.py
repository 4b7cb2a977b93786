"""The decisions of a game as strategies see them: every information set, with what each answer is
worth there. Each way of counting cards has its own `Decisions`; strategies are compiled, priced,
searched for and played above them, once for all games.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.cards import Card
from croupier.mathematics.kernels.arrays import I8, I64, best_places
from croupier.mathematics.model import MainFigures
from croupier.mathematics.questions.strategies.choices import StrategyDecision
from croupier.mathematics.questions.strategies.situations import ExampleHand
from croupier.mathematics.questions.strategies.vocabulary import Features
from croupier.rulebooks.rules import Rules

__all__ = [
    "NEVER",
    "Choose",
    "Decisions",
    "InformationSets",
    "Look",
    "RowKey",
    "SeenCards",
    "Unit",
]

NEVER: Final = -(1 << 62)
"""The value of an answer that may not be given."""
RowKey: TypeAlias = tuple[int, int, int, int]


class InformationSets(ABC):
    """Some information sets of one decision. `column` is the number of the combination of bets that
    lies there; the other parts are arrays with an entry for each set."""

    place: int
    """Of the decision among all."""
    column: int = 0
    takes_first: bool

    @property
    @abstractmethod
    def rows(self) -> I64:
        """[set, 4]: the cards seen, as `SeenCards.key` writes them."""

    @property
    @abstractmethod
    def features(self) -> Features:
        """What a strategy may look at."""

    @property
    @abstractmethod
    def allowed(self) -> NDArray[np.bool_]:
        """[answer, set]: may it be given?"""

    @property
    @abstractmethod
    def values(self) -> I64:
        """[answer, set]: what it brings, with the best play afterwards; `NEVER` if it may not be
        given. In units of `Unit`."""

    @property
    @abstractmethod
    def example(self) -> Callable[[int], ExampleHand]:
        """Cards that stand for a set, by its number."""

    @property
    def best(self) -> I8:
        """The number of the best answer."""
        return best_places(self.values, self.takes_first).astype(np.int8)


class Unit(NamedTuple):
    """Values times weights, divided by `total`, are units of one required wager in each round;
    weights times `ways` are shares of `total`."""

    total: int
    ways: int


class SeenCards(msgspec.Struct, frozen=True):
    """What is seen at a decision: the name and the answers of the decision; where each card seen
    lies (whose it is, which of theirs) and the group it counts in; the place of each suit in a row
    and which places are alike; the combinations of bets by what was said before; and how many bits
    of a suit are own cards, where the rest says which part of a table is meant."""

    name: str
    words: tuple[str, ...]
    places: tuple[tuple[str, int], ...]
    groups: tuple[int, ...]
    slots: tuple[int, ...] = (0, 1, 2, 3)
    blocks: tuple[int, ...] = (0, 0, 0, 0)
    columns: dict[str, int] = msgspec.field(default_factory=lambda: {"": 0})
    own_bits: int = 62

    def key(self, cards: Sequence[Card]) -> RowKey:
        """The row of these cards, in the order of the places: suits that are alike in order."""
        row = [0, 0, 0, 0]
        for card, group in zip(cards, self.groups, strict=True):
            row[self.slots[card.suit]] |= 1 << card.rank + 13 * group
        ordered = sorted(zip(self.blocks, row, strict=True), key=lambda slot: (slot[0], -slot[1]))
        first, second, third, fourth = (bits for _, bits in ordered)
        return first, second, third, fourth

    def part_of(self, key: RowKey) -> RowKey:
        """Which part of the table has this row."""
        a, b, c, d = key
        bits = self.own_bits
        return a >> bits, b >> bits, c >> bits, d >> bits

    def count(self, source: str) -> int:
        """How many cards are seen of the player's, the dealer's or the community's."""
        return sum(place[0] == source for place in self.places)


Choose: TypeAlias = Callable[[InformationSets], I8]
"""The number of the answer in each set."""
Look: TypeAlias = Callable[[InformationSets, I8, I64], Any]
"""Sees sets with the answers given there and the weights with which they come up."""


class Decisions(ABC):
    rules: Rules
    choices: tuple[StrategyDecision, ...]

    @property
    @abstractmethod
    def best_value(self) -> Fraction:
        """Of the round under the best play, in units of one required wager."""

    @property
    @abstractmethod
    def seen(self) -> tuple[SeenCards, ...]:
        """For each decision what is seen then."""

    @abstractmethod
    def unit(self, place: int) -> Unit: ...

    @abstractmethod
    def parts(self, place: int) -> Sequence[RowKey]:
        """The parts in which the sets of a decision come."""

    @abstractmethod
    def sets(self, place: int, part: RowKey) -> Iterator[InformationSets]:
        """All information sets of one part."""

    @abstractmethod
    def answers_used(self, place: int) -> set[int]:
        """The answers that the best play ever gives."""

    @abstractmethod
    def played(self, choose: Choose, look: Look) -> MainFigures:
        """The figures of the game when every question is answered in this way."""
