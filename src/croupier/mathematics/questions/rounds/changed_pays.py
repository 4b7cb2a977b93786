"""The figures of a hold'em game whose pays are moved about, soon after a similar one was counted.

The value of a game is the highest of linear functions of its pays, one for each way to play. If the
play that was best at pays P is still the best at 2Q - P, as far beyond Q, it is the best at Q
between them; and a play that is as good at Q is as good at both ends, so the rule for equal actions
chooses the same. Then the deals counted at P are those of Q, and one solve without a second sweep
gives all figures of Q, exactly.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

import numpy as np

from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.rulebook import holdem_game, tops_of
from croupier.mathematics.counters.boards.solver import solve_holdem
from croupier.mathematics.counters.boards.strategies import (
    OutcomeTable,
    optimal_strategy,
    outcome_table,
)
from croupier.mathematics.model import MainFigures
from croupier.mathematics.questions.rounds.on_boards import rounds_of_table
from croupier.rulebooks.rules import Rules

_counted: Final[deque[OutcomeTable]] = deque(maxlen=4)
"""The last tables that were counted; two megabytes each."""


def changed_figures(
    rules: Rules, raised: Sequence[Rules]
) -> tuple[MainFigures, tuple[Fraction, ...]]:
    """And what each of the `raised` rules adds to the value, if nobody plays otherwise."""
    rounds = rounds_of_table(rules, _counted_now(holdem_game(rules)))
    tops = tops_of(holdem_game(rules))
    added = [replace(rounds, rules=each, cases=tops.cases(each)).value for each in raised]
    return rounds.figures(), tuple(value - rounds.value for value in added)


def _counted_now(game: HoldemGame) -> OutcomeTable:
    near = next((table for table in reversed(_counted) if _alike(table.game, game)), None)
    table = None if near is None else _played_alike(near, game)
    if table is None:
        table = outcome_table(optimal_strategy(solve_holdem(game)))
        _counted.append(table)
    return table


def _alike(first: HoldemGame, second: HoldemGame) -> bool:
    """The same but for what the required wagers pay."""
    decided = zip(first.decided, second.decided, strict=True)
    folded = zip(first.folded[1:], second.folded[1:], strict=True)
    return (
        first.questions == second.questions
        and (first.qualifier, first.deck, first.takes_first)
        == (second.qualifier, second.deck, second.takes_first)
        and first.ranking is second.ranking
        and all(np.array_equal(mine * second.scale, its * first.scale) for mine, its in decided)
        and all(mine * second.scale == its * first.scale for mine, its in folded)
    )


def _played_alike(near: OutcomeTable, game: HoldemGame) -> OutcomeTable | None:
    """The deals of `near` at the pays of `game`, if it is played in the same way."""
    mine, its = game.scale, near.game.scale
    try:
        beyond = replace(
            game,
            required=2 * its * game.required - mine * near.game.required,
            decided=tuple(its * pays for pays in game.decided),
            folded=(
                2 * its * game.folded[0] - mine * near.game.folded[0],
                *(its * lost for lost in game.folded[1:]),
            ),
            scale=mine * its,
        )
    except OverflowError:
        return None
    if replace(near, game=beyond).value != solve_holdem(beyond).value:
        return None
    return replace(near, game=game)
