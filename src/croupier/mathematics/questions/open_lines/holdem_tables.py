"""Hold'em with open lines on a required wager, where a pay can change the last decision only.

Take what the required wagers pay off the value of every situation. What is left of a bet does not
know the open lines, and what is left of a fold is the less the more they pay. So what it is worth
to go on, less the required wagers, falls as the pays rise, in every situation: where an action is
best with all lines at their lowest and with all at their highest, it is the best with every
filling between. Where that holds for all decisions before the river, only folds at the river are
left to depend on pays; there the hand is made, and belongs to one line.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.rulebook import game_of
from croupier.mathematics.counters.boards.solver import solve
from croupier.mathematics.counters.boards.strategies import (
    OutcomeTable,
    StrategyArrays,
    optimal_strategy,
    outcome_table,
)
from croupier.mathematics.questions.open_lines.by_line import LinePricer, Moments, Pays
from croupier.mathematics.questions.open_lines.open_table import OpenTable

__all__ = ["HoldemPricer", "holdem_pricer"]


def holdem_pricer(table: OpenTable) -> HoldemPricer | None:
    """None where a pay can change more than the last decision."""
    low, high = ([getattr(line, end) for line in table.lines] for end in ("low", "high"))
    game = game_of(table.filled(low))
    line_of = _line_of_strength(table, game)
    if line_of is None or (low != high and not _decides_last_at_river(game)):
        return None
    strategy = optimal_strategy(solve(game))
    if low != high:
        last = game_of(table.filled(high))
        if not np.array_equal(last.decided * game.scale, game.decided * last.scale):
            return None
        other = optimal_strategy(solve(last)).actions
        if any(not np.array_equal(strategy.actions[seen], other[seen]) for seen in other):
            return None
    return HoldemPricer(table, strategy, line_of)


def _decides_last_at_river(game: HoldemGame) -> bool:
    """A fold comes at the river or never; and the turn, which is not looked at, decides nothing."""
    early = [level for level in game.levels if level.seen < 5]
    return all(level.decline == "check" and level.seen != 4 for level in early)


def _line_of_strength(table: OpenTable, game: HoldemGame) -> NDArray[np.int64] | None:
    """The open line that each strength is paid by, else -1; None where a strength has several."""
    low = [line.low for line in table.lines]
    line_of = np.full(game.required.shape[1], -1, np.int64)
    for place in range(len(low)):
        raised = game_of(table.filled([pay + (i == place) for i, pay in enumerate(low)]))
        paid = np.zeros(len(line_of), np.bool_)
        for rows, others in ((raised.required, game.required), (raised.decided, game.decided)):
            paid |= (rows * game.scale != others * raised.scale).any(axis=0)
        if (line_of[paid] >= 0).any():
            return None
        line_of[paid] = place
    return line_of


class HoldemPricer(LinePricer):
    def __init__(
        self, table: OpenTable, strategy: StrategyArrays, line_of: NDArray[np.int64]
    ) -> None:
        self.table, self._strategy, self._line_of = table, strategy, line_of

    def counted(self, pays: Pays) -> OutcomeTable:
        return outcome_table(game_of(self.table.filled(pays)), self._strategy)

    def part(self, counted: OutcomeTable, pays: Pays, line: int) -> Moments:
        game = game_of(self.table.filled(pays))
        paid = OutcomeTable(game, counted.endings, counted.deals)
        which = self._line_of == line
        mean = square = hits = wagered = 0
        required = len(self.table.rules.required)
        for ending, deals in zip(paid.endings, paid.deals.sum(axis=1)[:, which], strict=True):
            nets, place = np.unique(paid.net(ending)[which], return_inverse=True)
            sums = np.zeros(len(nets), np.int64)
            wagered += (required + ending.multiple) * int(deals.sum())
            np.add.at(sums, place.reshape(deals.shape), deals)
            for net, count in zip(nets.tolist(), sums.tolist(), strict=True):
                mean += net * count
                square += net * net * count
                hits += count if net > 0 else 0
        total, scale = counted.total, game.scale
        return Moments(
            Fraction(mean, total * scale),
            Fraction(square, total * scale**2),
            Fraction(hits, total),
            Fraction(wagered, total),
        )
