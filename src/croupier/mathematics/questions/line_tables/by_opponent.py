"""Hand against hand without a board: how the rounds end under the best play."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.mathematics.counters.opponents.solver import solution_of
from croupier.mathematics.questions.figures.opponents import actions_of
from croupier.mathematics.questions.line_tables.by_showdown import Betting, showdown_ends
from croupier.mathematics.questions.line_tables.lines import RoundEnd
from croupier.rulebooks.rules import Rules

__all__ = ["versus_ends"]


def versus_ends(rules: Rules) -> Iterator[RoundEnd]:
    solution, decision = solution_of(rules), rules.book.decisions[0]
    game, placed = solution.game, dict.fromkeys(rules.required, 1)
    bettings = []
    for action, said in enumerate(actions_of(decision)):
        is_bet = action < len(game.bets)
        units = placed | ({decision.wager: game.bets[action]} if is_bet else {})
        answers = ((decision.name, said),)
        bettings.append(Betting(answers, units, game.folds and not is_bet, solution.deals[action]))
    return showdown_ends(rules.book, game.cases, bettings)
