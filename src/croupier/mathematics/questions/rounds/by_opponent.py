"""The rounds of hand against hand without a board under the best play."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.mathematics.counters.opponents.game import game_with
from croupier.mathematics.counters.opponents.solver import (
    VersusSolution,
    solve_versus,
    versus_solution,
)
from croupier.mathematics.counters.shapes import BESIDE
from croupier.mathematics.questions.rounds.played import Betting, PlayedRounds, cells_of
from croupier.mathematics.shapes.fields import side_fields
from croupier.mathematics.shapes.shape import refused
from croupier.rulebooks.rules import Rules


def versus_rounds(rules: Rules, sides: Sequence[str] = ()) -> PlayedRounds:
    """Side wagers on the player's own cards only tell more cases apart; the deals of each case are
    counted as ever, and played as if the side wagers were not there."""
    for name in sides:
        misfit = next(BESIDE.misfits(rules, side_fields(rules, name)), None)
        if misfit is not None:
            raise refused(f"{name} beside the main game", str(misfit), BESIDE.solves)
    solution = solve_versus(game_with(rules, sides)) if sides else versus_solution(rules)
    return versus_rounds_of(rules, solution)


def versus_rounds_of(rules: Rules, solution: VersusSolution) -> PlayedRounds:
    """The rounds of a game that is played as its table says."""
    game, decision = solution.game, rules.book.decisions[0]
    required = dict.fromkeys(rules.required, 1)
    bettings = []
    for word, multiple, deals in zip(
        (*decision.bets, decision.otherwise), (*game.bets, 0), solution.deals, strict=True
    ):
        units = required | ({decision.wager: multiple} if multiple else {})
        folded = game.folds and not multiple
        bettings.append(Betting(((decision.name, word),), units, folded, cells_of(deals)))
    return PlayedRounds(rules, game.cases, bettings, game.categories, tied="tie")
