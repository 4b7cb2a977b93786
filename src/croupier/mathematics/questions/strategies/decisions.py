"""The decisions of a game as strategies see them: every information set, with the value of each
answer.

Each way of counting cards has its own `Decisions`; strategies are compiled, priced and searched for
above them, once for all games.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeAlias

import msgspec

from croupier.cards import Card
from croupier.mathematics.kernels.arrays import I8, I64
from croupier.mathematics.model import MainFigures
from croupier.mathematics.questions.strategies.situations import ExampleHand
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen, Features, Flags
from croupier.rulebooks.rules import Rules

RowKey: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True)
class StrategyDecision:
    """A decision as it appears in a strategy's text."""

    name: str
    actions: tuple[str, ...]  # bets in the order offered, then the word for declining
    scene: CardsSeen


class InformationSets(Protocol):
    """Some information sets of one decision: arrays with an entry for each set."""

    @property
    def place(self) -> int:
        """The number of the decision."""

    @property
    def features(self) -> Features:
        """The features that a strategy may look at."""

    @property
    def example(self) -> Callable[[int], ExampleHand]:
        """Return cards that stand for a set, by its number."""

    @property
    def possible(self) -> Flags | None:
        """Whether each set can be dealt; None: all of them."""

    @property
    def allowed(self) -> Flags | None:
        """[answer, set]: whether the answer is allowed; None: every answer is."""

    @property
    def values(self) -> I64:
        """[answer, set]: the value, with the best play afterwards; `NEVER` if the answer is not
        allowed. In units of `Unit`."""

    @property
    def best(self) -> I8:
        """The number of the best answer in each set."""


Choose: TypeAlias = Callable[[InformationSets], I8]
"""Returns the number of the answer in each set."""
Look: TypeAlias = Callable[[InformationSets, I8, I64], Any]
"""Receives sets with the answers chosen there and the weights with which they occur, from several
threads at once."""


class Unit(NamedTuple):
    """Values times weights, divided by `total`, are units of one required wager in each round;
    weights times `ways` are shares of `total`."""

    total: int
    ways: int


class PlayedFigures(NamedTuple):
    """The figures of a game under one strategy: amounts in units of one required wager,
    `frequencies` of all rounds. `units_decided` is the average amount bet in play."""

    value: Fraction
    standard_deviation: float
    units_decided: Fraction
    frequencies: dict[str, dict[str, Fraction]]


class Decisions(ABC):
    rulebook: str
    choices: tuple[StrategyDecision, ...]

    @property
    @abstractmethod
    def best_value(self) -> Fraction:
        """The value of the round under the best play, in units of one required wager."""

    @abstractmethod
    def unit(self, place: int) -> Unit: ...

    @abstractmethod
    def searched(self, place: int) -> tuple[Sequence[int], int]:
        """Return the answers for which a search looks for hands, and the answer for all other
        hands."""

    @abstractmethod
    def played(self, choose: Choose, look: Look) -> PlayedFigures:
        """Return the figures of the game if every question is answered in this way."""

    @abstractmethod
    def visit(
        self, place: int, choose: Choose, look: Callable[[InformationSets, I64], None]
    ) -> None:
        """Show `look` the sets of one decision with their weights when all decisions before it are
        answered in this way."""


# -- decisions that are kept as tables ------------------------------------------------------------


class SeenCards(msgspec.Struct, frozen=True):
    """What is seen at a decision.

    The name and the answers of the decision; the place of each card seen (whose it is, and its
    number among theirs) and the group it counts in; the place of each suit in a row, and which
    places are alike; the combinations of bets by the earlier answers; and how many bits of a suit
    are own cards, if the rest says which part of a table is meant.
    """

    name: str
    words: tuple[str, ...]
    places: tuple[tuple[str, int], ...]
    groups: tuple[int, ...]
    slots: tuple[int, ...] = (0, 1, 2, 3)
    blocks: tuple[int, ...] = (0, 0, 0, 0)
    columns: dict[str, int] = msgspec.field(default_factory=lambda: {"": 0})
    own_bits: int = 62

    def key(self, cards: Sequence[Card]) -> RowKey:
        """Return the row of these cards, in the order of the places: suits that are alike in
        order."""
        row = [0, 0, 0, 0]
        for card, group in zip(cards, self.groups, strict=True):
            row[self.slots[card.suit]] |= 1 << card.rank + 13 * group
        ordered = sorted(zip(self.blocks, row, strict=True), key=lambda slot: (slot[0], -slot[1]))
        first, second, third, fourth = (bits for _, bits in ordered)
        return first, second, third, fourth

    def part_of(self, key: RowKey) -> RowKey:
        """Return the part of the table that contains this row."""
        a, b, c, d = key
        bits = self.own_bits
        return a >> bits, b >> bits, c >> bits, d >> bits

    def count(self, source: str) -> int:
        """Return how many cards of the player's, the dealer's or the community's are seen."""
        return sum(place[0] == source for place in self.places)


class TableSets(InformationSets, Protocol):
    """The sets of one part of the rows. `column` is the number of the combination of bets."""

    @property
    def column(self) -> int: ...

    @property
    def rows(self) -> I64:
        """[set, 4]: the cards seen, as `SeenCards.key` writes them."""


class TableDecisions(Decisions):
    """Decisions with few enough sets for a table of everything that can be seen."""

    rules: Rules

    @property
    @abstractmethod
    def seen(self) -> tuple[SeenCards, ...]:
        """What is seen at each decision."""

    @abstractmethod
    def parts(self, place: int) -> Sequence[RowKey]:
        """Return the parts into which the sets of a decision are divided."""

    @abstractmethod
    def sets(self, place: int, part: RowKey) -> Iterator[TableSets]:
        """Return all information sets of one part."""

    @abstractmethod
    def answers_used(self, place: int) -> set[int]:
        """Return the answers that the best play ever gives."""

    @abstractmethod
    def main_figures(self, choose: Choose, look: Look) -> MainFigures:
        """Return the figures of the game if every question is answered in this way."""

    def played(self, choose: Choose, look: Look) -> PlayedFigures:
        figures = self.main_figures(choose, look)
        back = [decision.takes_back for decision in self.rules.book.decisions]
        staked = sum(name not in back for name in self.rules.required)
        return PlayedFigures(
            figures.expected_value,
            figures.standard_deviation,
            figures.units_wagered - staked,
            figures.decisions,
        )

    def visit(
        self, place: int, choose: Choose, look: Callable[[InformationSets, I64], None]
    ) -> None:
        def look_here(sets: InformationSets, _: I8, weights: I64) -> None:
            if sets.place == place:
                look(sets, weights)

        self.main_figures(lambda sets: choose(sets) if sets.place < place else sets.best, look_here)

    def searched(self, place: int) -> tuple[Sequence[int], int]:
        """Return the answers that the best play gives, the largest bet first."""
        decision, actions = self.rules.book.decisions[place], self.choices[place].actions
        otherwise = len(actions) - (2 if decision.takes_back else 1)
        units = [*decision.bets.values(), *[0] * len(actions)]
        used = self.answers_used(place) - {otherwise}
        return sorted(used, key=lambda answer: units[answer], reverse=True), otherwise
