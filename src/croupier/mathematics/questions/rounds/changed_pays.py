"""The figures of a hold'em game whose pays are moved about, of which one like it was just counted.

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
from croupier.mathematics.counters.boards.rulebook import game_of
from croupier.mathematics.counters.boards.solver import solve
from croupier.mathematics.counters.boards.strategies import (
    OutcomeTable,
    optimal_strategy,
    outcome_table,
)
from croupier.mathematics.model import MainFigures
from croupier.mathematics.questions.rounds.by_board import rounds_of_table
from croupier.rulebooks.rules import Rules

__all__ = ["changed_figures"]

_counted: Final[deque[OutcomeTable]] = deque(maxlen=4)
"""The last tables that were counted; two megabytes each."""


def changed_figures(
    rules: Rules, raised: Sequence[Rules]
) -> tuple[MainFigures, tuple[Fraction, ...]]:
    """And what each of the `raised` rules adds to the value, if nobody plays otherwise."""
    table = _counted_now(game_of(rules))
    added = tuple(_added(table, game_of(each)) for each in raised)
    return rounds_of_table(rules, table).figures(), added


def _added(table: OutcomeTable, other: HoldemGame) -> Fraction:
    """By what another game pays differently in the same deals."""
    mine, its = table.game.scale, other.scale
    changed = replace(table, game=other)
    total = 0
    for path, deals in table.endings:
        more = changed.net(path) * mine - table.net(path) * its
        for each in np.unique(more[more != 0]):
            total += int(each) * int(deals[more == each].sum())  # exact, however large
    return Fraction(total, table.total * mine * its)


def _counted_now(game: HoldemGame) -> OutcomeTable:
    near = next((one for one in reversed(_counted) if _alike(one.game, game)), None)
    table = None if near is None else _played_alike(near, game)
    if table is None:
        table = outcome_table(optimal_strategy(solve(game)))
        _counted.append(table)
    return table


def _alike(one: HoldemGame, other: HoldemGame) -> bool:
    """The same but for what the required wagers pay."""
    decided = zip(one.decided, other.decided, strict=True)
    return (
        one.questions == other.questions
        and (one.qualifier, one.deck, one.takes_first)
        == (other.qualifier, other.deck, other.takes_first)
        and one.ranking is other.ranking
        and all(np.array_equal(mine * other.scale, its * one.scale) for mine, its in decided)
        and all(
            mine * other.scale == its * one.scale
            for mine, its in zip(one.folded[1:], other.folded[1:], strict=True)
        )
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
    if replace(near, game=beyond).value != solve(beyond).value:
        return None
    return replace(near, game=game)
