"""The figures of hand against hand under the best play: decisions, and every ending of a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from croupier.mathematics.counters.opponents.solver import VersusSolution, solution_of
from croupier.mathematics.model import MainFigures
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision

__all__ = ["actions_of", "versus_figures"]

_RESULTS: Final = ("win", "win", "tie", "tie", "lose", "lose")
"""How the hands compare; what that pays is for the rulebook to say."""


def actions_of(decision: Decision) -> tuple[str, ...]:
    """What may be said, in the order of the solution's table."""
    return (*decision.bets, decision.otherwise)


def versus_figures(rules: Rules) -> MainFigures:
    solution = solution_of(rules)
    decision = rules.book.decisions[0]
    return MainFigures(
        expected_value=solution.value,
        standard_deviation=solution.standard_deviation,
        hit_frequency=solution.hit_frequency,
        units_wagered=len(rules.required) + solution.decided_units,
        decisions={
            decision.name: {
                said: solution.frequency(action) for action, said in enumerate(actions_of(decision))
            }
        },
        outcomes=tuple(_endings(decision, solution)),
    )


def _endings(decision: Decision, solution: VersusSolution) -> Iterator[dict[str, object]]:
    """Every action, hand and result, with the round's net in units of one required wager."""
    game = solution.game
    folded = len(game.bets) if game.folds else -1
    for action, said in enumerate(actions_of(decision)):
        found: Counter[tuple[str, int, int]] = Counter()
        nets = solution.nets[action]
        for place, case in enumerate(game.cases):
            for outcome, deals in enumerate(solution.deals[action, place].tolist()):
                if deals:
                    found[case.name, outcome, -nets[place, outcome]] += deals
        ranks = {name: place for place, name in enumerate(solution.game.categories)}
        for name, outcome, lost in sorted(found, key=lambda at: (-ranks[at[0]], at[1:])):
            combinations = found[name, outcome, lost]
            yield {
                "decision": decision.name,
                "said": said,
                "hand": name,
                "result": "fold" if action == folded else _RESULTS[outcome],
                "dealer_qualifies": outcome % 2 == 0,
                "combinations": combinations,
                "probability": combinations / game.deals,
                "pays": {"net": str(Fraction(-lost, game.scale))},
            }
