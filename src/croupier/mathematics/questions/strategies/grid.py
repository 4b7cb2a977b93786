"""What the charts show: the first decision over the 169 starting hands, and what each decision is
worth, all exact."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from croupier.cards import RANKS
from croupier.errors import BadRequest
from croupier.mathematics.counters.boards.games import BetDecision, HoldemGame
from croupier.mathematics.counters.boards.geometry import orbits_of
from croupier.mathematics.counters.boards.rulebook import game_of
from croupier.mathematics.counters.boards.solution_cache import solution_of
from croupier.mathematics.counters.boards.solver import Solution, SolvedStage, solve
from croupier.mathematics.equal_actions import best_places
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.questions.strategies.choices import StrategyDecision
from croupier.rulebooks.rules import Rules

__all__ = [
    "Grid",
    "HandCell",
    "Skipped",
    "first_of_holdem",
    "grid_of",
    "hand_name",
    "holdem_values",
    "members_of",
]


@dataclass(frozen=True)
class HandCell:
    """A starting hand. `values` are means over what else is seen when the decision is taken;
    `shares` say how often each action is right; `worth` is what deciding adds over declining."""

    hand: str
    values: dict[str, Fraction]
    shares: dict[str, Fraction]
    worth: Fraction
    combinations: int

    @property
    def action(self) -> str:
        """The action that is right most often; of equal ones the first offered."""
        return max(self.shares, key=lambda action: self.shares[action])

    @property
    def margin(self) -> Fraction:
        """By how much the better of betting and declining beats the other, in the mean."""
        *bets, declined = self.values.values()
        return abs(max(bets) - declined) if bets else Fraction(0)

    @property
    def mixed(self) -> bool:
        return 0 < max(self.shares.values()) < 1


@dataclass(frozen=True)
class Grid:
    """rows[i][j]: pairs on the diagonal, suited hands above it, aces first."""

    rulebook: str
    choice: StrategyDecision
    rows: tuple[tuple[HandCell, ...], ...]
    row_names: tuple[str, ...] = ()
    """Kinds of hands, where there are no starting hands of two cards; then the columns are the
    dealer's card that is seen, or a single one."""
    column_names: tuple[str, ...] = ()

    @property
    def mixed(self) -> bool:
        """Whether the decision comes after more than the starting hand is seen."""
        return self.choice.scene.community > 0

    def cells(self) -> tuple[HandCell, ...]:
        return tuple(cell for row in self.rows for cell in row)


def hand_name(row: int, column: int) -> str:
    """`AKs` above the diagonal, `AKo` below."""
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


def members_of(row: int, column: int) -> list[tuple[int, int]]:
    """The cards of a cell."""
    high, low = 12 - min(row, column), 12 - max(row, column)
    if row == column:
        return [(13 * s + high, 13 * t + low) for s in range(4) for t in range(s)]
    suits = [(s, s) for s in range(4)]
    if row > column:
        suits = [(s, t) for s in range(4) for t in range(4) if s != t]
    return [(13 * s + high, 13 * t + low) for s, t in suits]


def first_of_holdem(rules: Rules, choice: StrategyDecision) -> Grid:
    return grid_of(rules, choice, _holdem_cells(solution_of(rules), choice, rules.takes_first))


def grid_of(rules: Rules, choice: StrategyDecision, make: Callable[[int, int], HandCell]) -> Grid:
    rows = tuple(tuple(make(row, column) for column in range(13)) for row in range(13))
    return Grid(rules.book.id, choice, rows)


def _holdem_cells(
    solution: Solution, choice: StrategyDecision, takes_first: bool
) -> Callable[[int, int], HandCell]:
    game, seen = solution.game, choice.scene.community
    if seen >= 3:
        raise BadRequest(
            "a first decision after three or more community cards has no chart of hands"
        )
    stage = solution.stages[seen]
    orbits = orbits_of(game.deck, seen)
    hands = orbits.example // orbits.width
    by_hand = orbits_of(game.deck, 0).number

    def cell(row: int, column: int) -> HandCell:
        members = members_of(row, column)
        high, low = max(members[0]), min(members[0])
        wanted = by_hand[high * (high - 1) // 2 + low]
        here = np.flatnonzero(by_hand[hands] == wanted)
        return _cell(row, column, choice, stage, here, orbits.size, game, len(members), takes_first)

    return cell


def _cell(
    row: int,
    column: int,
    choice: StrategyDecision,
    stage: SolvedStage,
    here: I64,
    size: I64,
    game: HoldemGame,
    members: int,
    takes_first: bool,
) -> HandCell:
    sums = [stage.required[here] + k * stage.decided[here] for k in stage.multiples]
    sums.append(stage.declined[here])
    weight = int(size[here].sum())
    unit = weight * stage.ways * game.scale
    best = best_places(np.stack(sums), takes_first)
    values = [Fraction(int(sum(part)), unit) for part in sums]
    shares = [Fraction(int(size[here][best == place].sum()), weight) for place in range(len(sums))]
    top = Fraction(int(sum(np.maximum.reduce(sums))), unit)
    return HandCell(
        hand_name(row, column),
        dict(zip(choice.actions, values, strict=True)),
        dict(zip(choice.actions, shares, strict=True)),
        top - values[-1],
        members,
    )


# -- what each decision is worth ------------------------------------------------------------------


@dataclass(frozen=True)
class Skipped:
    """The game without one decision: the house edge when it is never taken up, play otherwise the
    best. `how` says what is done in its place."""

    decision: str
    how: str
    house_edge: Fraction


def holdem_values(
    rules: Rules, choices: tuple[StrategyDecision, ...]
) -> tuple[Fraction, list[Skipped]]:
    """The house edge of the best play, and what it becomes without each decision."""
    game = game_of(rules)
    solution = solution_of(rules, game)
    found = []
    for place, (level, choice) in enumerate(zip(game.levels, choices, strict=True)):
        for how, other in _without(game, place, level, choice):
            found.append(Skipped(choice.name, how, -solve(other).value))
    return -solution.value, found


def _without(
    game: HoldemGame, place: int, level: BetDecision, choice: StrategyDecision
) -> list[tuple[str, HoldemGame]]:
    declined = choice.actions[-1]
    rest = game.levels[:place] + game.levels[place + 1 :]
    if level.decline == "check":
        # Without its only decision a game is a showdown with nothing bet; none of ours is that.
        return [(f"always {declined}", replace(game, decisions=rest))] if rest else []
    bet = choice.actions[0]
    # No fold can be worth it when it costs more than anything that can be lost.
    ways = [(f"always {bet}", replace(game, fold=-4 * game.largest))]
    if rest and len(level.multiples) == 1:
        earlier = replace(rest[-1], decline="fold")
        ways.append((f"always {declined}", replace(game, decisions=(*rest[:-1], earlier))))
    return ways
