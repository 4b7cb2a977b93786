"""The contents of the charts: the first decision over the 169 starting hands, and the value of each
decision, all exact."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from croupier.cards import RANKS
from croupier.mathematics.questions.strategies.decisions import StrategyDecision
from croupier.rulebooks.rules import Rules


@dataclass(frozen=True)
class HandCell:
    """A starting hand. `values` are means over the other cards seen at the decision; `shares` say
    how often each action is right; `worth` is the gain of deciding over declining."""

    hand: str
    values: dict[str, Fraction]
    shares: dict[str, Fraction]
    worth: Fraction
    combinations: int

    @property
    def action(self) -> str:
        """The action that is right most often; of equal ones, the first offered."""
        return max(self.shares, key=lambda action: self.shares[action])

    @property
    def margin(self) -> Fraction:
        """By how much the better of betting and declining beats the other, on average."""
        *bets, declined = self.values.values()
        return abs(max(bets) - declined) if bets else Fraction(0)

    @property
    def mixed(self) -> bool:
        return 0 < max(self.shares.values()) < 1


@dataclass(frozen=True)
class Grid:
    """The cells of a chart, rows[i][j]: pairs on the diagonal, suited hands above it, aces
    first."""

    rulebook: str
    choice: StrategyDecision
    rows: tuple[tuple[HandCell, ...], ...]
    row_names: tuple[str, ...] = ()
    """Kinds of hands, if there are no starting hands of two cards; the columns are then the
    dealer's card that is seen, or there is a single column."""
    column_names: tuple[str, ...] = ()

    @property
    def mixed(self) -> bool:
        """Whether more than the starting hand is seen at the decision."""
        return self.choice.scene.community > 0

    def cells(self) -> tuple[HandCell, ...]:
        return tuple(cell for row in self.rows for cell in row)


def hand_name(row: int, column: int) -> str:
    """Return the name of a cell: `AKs` above the diagonal, `AKo` below."""
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


def members_of(row: int, column: int) -> list[tuple[int, int]]:
    """Return the pairs of cards in a cell."""
    high, low = 12 - min(row, column), 12 - max(row, column)
    if row == column:
        return [(13 * s + high, 13 * t + low) for s in range(4) for t in range(s)]
    suits = [(s, s) for s in range(4)]
    if row > column:
        suits = [(s, t) for s in range(4) for t in range(4) if s != t]
    return [(13 * s + high, 13 * t + low) for s, t in suits]


def grid_of(rules: Rules, choice: StrategyDecision, make: Callable[[int, int], HandCell]) -> Grid:
    rows = tuple(tuple(make(row, column) for column in range(13)) for row in range(13))
    return Grid(rules.book.id, choice, rows)


@dataclass(frozen=True)
class Skipped:
    """The game without one decision: the house edge if the decision is never used, with the best
    play otherwise. `how` says how it is answered."""

    decision: str
    how: str
    house_edge: Fraction
