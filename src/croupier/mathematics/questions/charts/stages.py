"""What charts of a game of streets show: a decision hand by hand, and what the game costs where a
decision is always answered in one way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS, Card
from croupier.errors import suggest
from croupier.mathematics.counters.stages.solver import (
    NEVER,
    Asked,
    Choose,
    StreetsSolution,
    solve_streets,
)
from croupier.mathematics.questions.strategies.decisions import StrategyDecision
from croupier.mathematics.questions.strategies.grid import (
    Grid,
    HandCell,
    Skipped,
    grid_of,
    hand_name,
    members_of,
)
from croupier.mathematics.questions.strategies.kinds import Kind, KindsOfCards, joined
from croupier.mathematics.questions.strategies.stages_decisions import stages_choices
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen
from croupier.mathematics.shapes.shape import refused
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision


def chart_of_streets(rules: Rules, decision: str = "") -> Grid:
    """A decision, the first where none is named: over the 169 starting hands, or over kinds of
    cards where others than two are seen; with a column for each sum that can lie there, if it
    matters."""
    choices = {choice.name: choice for choice in stages_choices(rules)}
    if not choices:
        raise refused("a chart of the first decision", "decisions is empty: nothing is decided")
    name = decision or next(iter(choices))
    if name not in choices:
        raise suggest("decision", name, choices)
    choice, solution = choices[name], solve_streets(rules)
    asked = next(each for each in solution.asked if each.question.decision.name == name)
    scene = choice.scene
    whole = rules.book.deck.ranks == RANKS
    if asked is solution.asked[0] and (scene.own, scene.community) == (2, 0) and whole:
        return grid_of(rules, choice, lambda row, column: _cell(solution, asked, row, column))
    return _by_kinds(rules, choice, solution, asked)


def _by_kinds(
    rules: Rules, choice: StrategyDecision, solution: StreetsSolution, asked: Asked
) -> Grid:
    kinds, time = KindsOfCards(rules), asked.question.time
    rows_of: dict[Kind, list[int]] = {}
    for row, mask in enumerate(solution.stages.cards_at(time).tolist()):
        rows_of.setdefault(kinds.of(mask), []).append(row)
    columns = _columns(asked)
    answers = {kind: _always(asked, rows, list(columns.values())) for kind, rows in rows_of.items()}
    listed = joined(list(rows_of), answers)
    names = tuple([kinds.name(each, rows_of) for each in listed])
    weights = solution.stages.arriving(time)
    unit = solution.stages.ways(time) * solution.scale
    cells = [
        tuple(
            [
                _cell_of(asked, choice, f"{name} {head}".rstrip(), rows, column, weights, unit)
                for head, column in columns.items()
            ]
        )
        for name, rows in zip(names, [_all_rows(each, rows_of) for each in listed], strict=True)
    ]
    # The kinds tell everything that is seen apart, the community cards too.
    all_seen = replace(choice, scene=CardsSeen(time, 0))
    return Grid(rules.book.id, all_seen, tuple(cells), names, tuple(columns))


def _all_rows(kinds: Iterable[Kind], rows_of: dict[Kind, list[int]]) -> NDArray[np.int64]:
    return np.array([row for kind in kinds for row in rows_of[kind]], np.int64)


def _columns(asked: Asked) -> dict[str, int]:
    """By the units that lie there: a column of the solution; one where that changes nothing."""
    if (asked.best == asked.best[:, :1]).all():
        return {"": 0}
    sums = {column: sum(units) for (units, _), column in asked.column.items()}
    if len(set(sums.values())) < len(sums):
        return {str(number): column for number, column in enumerate(sums)}
    return {f"{units}u": column for column, units in sorted(sums.items(), key=lambda each: each[1])}


def _always(asked: Asked, rows: list[int], columns: list[int]) -> tuple[int, ...] | None:
    """The best answer in each column, if it is the same with all of these cards."""
    best = asked.best[np.ix_(rows, columns)]
    return tuple(best[0].tolist()) if (best == best[0]).all() else None


def _cell_of(
    asked: Asked,
    choice: StrategyDecision,
    name: str,
    rows: NDArray[np.int64],
    column: int,
    weights: NDArray[np.int64],
    unit: int,
) -> HandCell:
    """All of these rows together. What some of these cards may not say has no value."""
    times, best = weights[rows].tolist(), asked.best[rows, column]
    weight = sum(times)
    sums = [values[rows, column] for values in asked.values]
    values = {
        word: Fraction(_total(listed, times), weight * unit)
        for word, listed in zip(choice.actions, sums, strict=True)
        if (listed > NEVER).all()
    }
    top = Fraction(_total(np.maximum.reduce(sums), times), weight * unit)
    shares = {
        word: Fraction(_total(best == number, times), weight)
        for number, word in enumerate(choice.actions)
    }
    return HandCell(name, values, shares, top - values[choice.actions[-1]], weight)


def _total(numbers: NDArray[Any], times: list[int]) -> int:
    """In whole numbers of any size."""
    return sum(int(number) * count for number, count in zip(numbers.tolist(), times, strict=True))


def _cell(solution: StreetsSolution, asked: Asked, row: int, column: int) -> HandCell:
    members = members_of(row, column)
    by_hand = [
        solution.values_at(asked, [Card(a), Card(b)], solution.course.start) for a, b in members
    ]
    words = [answer.word for answer in asked.question.answers if answer.word in by_hand[0]]
    count = len(members)
    order = words if solution.rules.takes_first else words[::-1]
    best = [max(order, key=lambda word: values[word]) for values in by_hand]
    if _adds_alone(solution, asked):
        by_hand = [{word: each[word] - each[words[-1]] for word in words} for each in by_hand]
    values = {word: sum((each[word] for each in by_hand), Fraction(0)) / count for word in words}
    top = sum((max(each.values()) for each in by_hand), Fraction(0)) / count
    shares = {word: Fraction(best.count(word), count) for word in words}
    return HandCell(hand_name(row, column), values, shares, top - values[words[-1]], count)


def _adds_alone(solution: StreetsSolution, asked: Asked) -> bool:
    """Is what the answer brings the same whatever else lies there? Then it is shown alone: a bet or
    a check, where nothing is folded or taken back."""
    decisions = solution.rules.book.decisions
    nothing_lost = not any(each.otherwise == "fold" or each.takes_back for each in decisions)
    return nothing_lost and asked.question.decision.otherwise == "check"


def streets_values(rules: Rules) -> tuple[Fraction, list[Skipped]]:
    """The house edge of the best play, and what it becomes when a decision is always answered in
    one way: always checking where one may check, else every answer that all hands may give."""
    solution = solve_streets(rules)
    skipped = []
    for question in solution.course.questions:
        decision = question.decision
        for number, answer in enumerate(question.answers):
            is_bet = answer.units > 0 and decision.otherwise == "check"
            if answer.word not in decision.only_with and not is_bet:
                changed = StreetsSolution(
                    rules, choose=_always_answering(decision, number), stages=solution.stages
                )
                edge = -changed.expected_value
                skipped.append(Skipped(decision.name, f"always {answer.word}", edge))
    return -solution.expected_value, skipped


def _always_answering(decision: Decision, number: int) -> Choose:
    """Answer one decision in the same way, all others in the best."""

    def choose(asked: Asked) -> NDArray[np.int8]:
        same = asked.question.decision is decision
        return np.full_like(asked.best, number) if same else asked.best

    return choose
