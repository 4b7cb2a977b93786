"""Hold'em with open lines on a required wager, where a pay can change the last decision only.

Take what the required wagers pay off the value of every situation. What is left of a bet does not
know the open lines, and what is left of a fold is the less the more they pay. So what it is worth
to go on, less the required wagers, falls as the pays rise, in every situation: where an action is
best with all lines at their lowest and with all at their highest, it is the best with every
filling between. Where that holds for all decisions before the river, only folds at the river are
left to depend on pays; there the hand is made, and belongs to one line.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.rulebook import game_of
from croupier.mathematics.counters.boards.solver import solve
from croupier.mathematics.counters.boards.strategies import (
    OutcomeTable,
    Strategy,
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
        if not all(
            np.array_equal(mine * game.scale, its * last.scale)
            for mine, its in zip(last.decided, game.decided, strict=True)
        ):
            return None
        other = optimal_strategy(solve(last)).answers
        if any(
            not np.array_equal(places, other[seen][path])
            for seen, by_path in strategy.answers.items()
            for path, places in by_path.items()
        ):
            return None
    return HoldemPricer(table, strategy, line_of)


def _decides_last_at_river(game: HoldemGame) -> bool:
    """A fold comes at the river or never; and the turn, which is not looked at, decides nothing."""
    return all(
        question.seen == 5 or not (question.folds or question.seen == 4)
        for question in game.questions
    )


def _line_of_strength(table: OpenTable, game: HoldemGame) -> NDArray[np.int64] | None:
    """The open line that each strength is paid by, else -1; None where a strength has several."""
    low = [line.low for line in table.lines]
    line_of = np.full(game.required.shape[1], -1, np.int64)
    for place in range(len(low)):
        raised = game_of(table.filled([pay + (i == place) for i, pay in enumerate(low)]))
        paid = np.zeros(len(line_of), np.bool_)
        pays = zip((raised.required, *raised.decided), (game.required, *game.decided), strict=True)
        for rows, others in pays:
            paid |= (rows * game.scale != others * raised.scale).any(axis=0)
        if (line_of[paid] >= 0).any():
            return None
        line_of[paid] = place
    return line_of


class HoldemPricer(LinePricer):
    def __init__(self, table: OpenTable, strategy: Strategy, line_of: NDArray[np.int64]) -> None:
        self.table, self._strategy, self._line_of = table, strategy, line_of

    def counted(self, pays: Pays) -> OutcomeTable:
        return outcome_table(replace(self._strategy, game=game_of(self.table.filled(pays))))

    def part(self, counted: OutcomeTable, pays: Pays, line: int) -> Moments:
        game = game_of(self.table.filled(pays))
        paid = OutcomeTable(game, counted.endings)
        which = self._line_of == line
        mean = square = hits = wagered = 0
        required = len(self.table.rules.required)
        for path, every in paid.endings:
            deals = every[which]
            nets, place = np.unique(paid.net(path)[which], return_inverse=True)
            sums = np.zeros(len(nets), np.int64)
            wagered += (required + sum(path.bets)) * int(deals.sum())
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
