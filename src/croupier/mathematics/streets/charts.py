"""What charts of a game of streets show: the first decision over the starting hands, and what the
game costs where a decision is always answered in one way."""

from __future__ import annotations

from fractions import Fraction

from croupier.cards import RANKS, Card
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.strategies.choices import StrategyDecision
from croupier.mathematics.strategies.grid import (
    Grid,
    HandCell,
    Skipped,
    grid_of,
    hand_name,
    members_of,
)
from croupier.mathematics.strategies.vocabulary import CardsSeen
from croupier.mathematics.streets.solver import Asked, StreetsSolution, solve_streets
from croupier.rulebooks.rules import Rules

__all__ = ["first_of_streets", "streets_choices", "streets_values"]


def streets_choices(rules: Rules) -> tuple[StrategyDecision, ...]:
    return tuple(
        StrategyDecision(d.name, d.answers, CardsSeen(d.sees_player, d.sees_community))
        for d in rules.book.decisions
    )


def first_of_streets(rules: Rules) -> Grid:
    choices = streets_choices(rules)
    scene = choices[0].scene if choices else CardsSeen(0, 0)
    if (scene.own, scene.community) != (2, 0) or rules.book.deck.ranks != RANKS:
        raise refused(
            "a chart of the starting hands",
            f"the first decision is taken on {scene.own} own and {scene.community} community "
            f"cards of the ranks {rules.book.deck.ranks}",
            "two own cards of a whole deck; `advise` tells the value of every answer on any cards",
        )
    solution = solve_streets(rules)

    def cell(row: int, column: int) -> HandCell:
        return _cell(solution, solution.asked[0], row, column)

    return grid_of(rules, choices[0], cell)


def _cell(solution: StreetsSolution, asked: Asked, row: int, column: int) -> HandCell:
    members = members_of(row, column)
    found = [
        solution.values_at(asked, [Card(a), Card(b)], solution.course.start) for a, b in members
    ]
    words = [answer.word for answer in asked.question.answers if answer.word in found[0]]
    count = len(members)
    best = [max(words, key=lambda word: values[word]) for values in found]
    values = {word: sum((one[word] for one in found), Fraction(0)) / count for word in words}
    top = sum((max(one.values()) for one in found), Fraction(0)) / count
    shares = {word: Fraction(best.count(word), count) for word in words}
    return HandCell(hand_name(row, column), values, shares, top - values[words[-1]], count)


def streets_values(rules: Rules) -> tuple[Fraction, list[Skipped]]:
    """The house edge of the best play, and what it becomes when a decision is always answered in
    one way; answers that some hands may not give are left out."""
    solution = solve_streets(rules)
    found = []
    for question in solution.course.questions:
        decision = question.decision
        for word in decision.answers:
            if word not in decision.only_with:
                other = StreetsSolution(rules, (), {decision.name: word}, solution.stages)
                found.append(Skipped(decision.name, f"always {word}", -other.expected_value))
    return -solution.expected_value, found
