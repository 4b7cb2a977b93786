"""The figures of a stud game under the best play."""

from __future__ import annotations

from croupier.mathematics.model import MainFigures
from croupier.mathematics.stud.solver import solve_stud
from croupier.rulebooks.rules import Rules

__all__ = ["stud_figures"]


def stud_figures(rules: Rules) -> MainFigures:
    solved = solve_stud(rules)
    return MainFigures(
        expected_value=solved.expected_value,
        standard_deviation=solved.standard_deviation,
        hit_frequency=solved.hit_frequency,
        units_wagered=solved.units_wagered,
        decisions=solved.decision_frequencies,
        outcomes=tuple(
            {
                "said": outcome.said,
                "hands": {name: hand for name, (hand, _) in outcome.endings.items()},
                "combinations": outcome.combinations,
                "probability": outcome.combinations / solved.combinations_total,
                "pays": {"net": str(outcome.net)},
            }
            for outcome in solved.outcomes
        ),
    )
