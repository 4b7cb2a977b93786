"""Written strategies for games of streets: an answer for every row of a stage, and their price."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.errors import Unsolvable
from croupier.mathematics.counters.stages.outcomes import played_out
from croupier.mathematics.counters.stages.solver import NEVER, Asked, StreetsSolution, solve_streets
from croupier.mathematics.kernels.arrays import I8
from croupier.mathematics.questions.rounds.by_stage import rounds_of_solution
from croupier.mathematics.questions.strategies.compiling import decide_all
from croupier.mathematics.questions.strategies.losses import Faults
from croupier.mathematics.questions.strategies.pricing import Price
from croupier.mathematics.questions.strategies.seen_features import (
    MOST_SEEN,
    SeenFeature,
    note_seen,
)
from croupier.mathematics.questions.strategies.situations import Situations, listed_situations
from croupier.mathematics.questions.strategies.stages_player import StreetsPlayer, player_of
from croupier.mathematics.questions.strategies.text import Section, WrittenStrategy
from croupier.rulebooks.rules import Rules

__all__ = [
    "Hands",
    "compile_streets",
    "following",
    "hands_at",
    "player_following",
    "price_streets",
    "solve_apart",
]

Answers: TypeAlias = Mapping[str, I8]
"""By decision: the number of the answer, by row and combination of bets."""


class _SolvedApart:
    """The key of `Rules.prepared` for the solution that tells own cards from the community's."""


def solve_apart(rules: Rules) -> StreetsSolution:
    """The solution of these rules, in which a row settles what a strategy may look at."""
    if not any(decision.sees_community for decision in rules.book.decisions):
        return solve_streets(rules)
    solution = rules.prepared.get(_SolvedApart)
    if not isinstance(solution, StreetsSolution):
        solution = rules.prepared[_SolvedApart] = StreetsSolution(rules, own_apart=True)
    return solution


class Hands(NamedTuple):
    """The rows of a stage as hands. `columns`: by combination of bets, the units that lie there."""

    situations: Situations
    columns: tuple[int, ...]

    def features(self) -> Iterator[tuple[int, I8]]:
        """For each combination of bets what a player sees."""
        for column, units in enumerate(self.columns):
            self.situations.features[SeenFeature.UNITS] = min(units, 127)
            yield column, self.situations.features


def hands_at(solution: StreetsSolution, asked: Asked) -> Hands:
    decision, time, stages = asked.question.decision, asked.question.time, solution.stages
    if decision.sees_player not in (2, 3) or time > MOST_SEEN or time == stages.last:
        raise Unsolvable(
            f"no strategy can be written for {solution.rules.book.id}: {decision.name!r} sees "
            f"{decision.sees_player} own cards with {stages.last - time} to come, and strategies "
            "are written for two or three own cards with one or more to come"
        )
    masks = [stages.cards_from(time, source) for source in ("player", "community")]
    plain = listed_situations(*map(_cards_of, masks))
    more = np.zeros((SeenFeature.END - len(plain.features), len(plain)), np.int8)
    features = np.concatenate([plain.features, more])
    note_seen(masks[0] | masks[1], features)
    columns = tuple([sum(units) for units, _ in asked.column])
    return Hands(Situations(features, plain.example), columns)


def _cards_of(masks: NDArray[np.uint64]) -> NDArray[np.int64]:
    """[row, card]: all rows have as many."""
    bits = masks[:, None] >> np.arange(52, dtype=np.uint64) & np.uint64(1)
    return np.nonzero(bits)[1].reshape(masks.size, -1)


def compile_streets(solution: StreetsSolution, plan: WrittenStrategy) -> Answers:
    sections = {section.choice.name: section for section in plan.sections}
    return {
        asked.question.decision.name: compile_section(
            solution, asked, plan, sections[asked.question.decision.name]
        )
        for asked in solution.asked
    }


def compile_section(
    solution: StreetsSolution, asked: Asked, plan: WrittenStrategy, section: Section
) -> I8:
    """One decision. A line that gives a hand an answer that is not allowed is refused."""
    hands = hands_at(solution, asked)
    answers = np.zeros_like(asked.best)
    for column, features in hands.features():
        chosen = decide_all(plan, section, features, hands.situations.example)
        answers[:, column] = chosen
        values = np.stack([each[:, column] for each in asked.values])
        never = np.take_along_axis(values, chosen[None].astype(np.int64), axis=0)[0] == NEVER
        if _is_put(asked, column) and never.any():
            row = int(np.flatnonzero(never)[0])
            raise plan.refuse(
                section.lines[-1].number,
                f"{section.choice.name!r}: {section.choice.actions[chosen[row]]!r} may not be said "
                f"with {hands.situations.example(row)}",
            )
    return answers


def _is_put(asked: Asked, column: int) -> bool:
    """A combination of bets at which the decision is not put has one value, that of the rest."""
    return any((values[:, column] != NEVER).any() for values in asked.values[:-1])


def following(solution: StreetsSolution, answers: Answers) -> StreetsSolution:
    """The same game, played as the answers say, and in the best way where they say nothing."""

    def choose(asked: Asked) -> I8:
        return answers.get(asked.question.decision.name, asked.best)

    return StreetsSolution(solution.rules, choose=choose, stages=solution.stages)


def price_streets(rules: Rules, plan: WrittenStrategy, *, mistakes: int) -> Price:
    solution = solve_apart(rules)
    followed = following(solution, compile_streets(solution, plan))
    played = played_out(followed)
    figures = rounds_of_solution(followed, played).figures()
    faults = {
        asked.question.decision.name: _faults(solution, asked, section, answered.best, arrivals)
        for asked, section, answered, arrivals in zip(
            solution.asked, plan.sections, followed.asked, played.arrivals, strict=True
        )
    }
    losses = {name: found.loss for name, found in faults.items()}
    assert sum(losses.values()) == solution.expected_value - figures.expected_value
    back = [decision.takes_back for decision in rules.book.decisions]
    return Price(
        title=plan.title,
        rulebook=rules.book.id,
        value=figures.expected_value,
        optimal=solution.expected_value,
        standard_deviation=figures.standard_deviation,
        units_decided=figures.units_wagered - sum(name not in back for name in rules.required),
        frequencies=figures.decisions,
        losses=losses,
        mistakes={name: found.mistakes(mistakes) for name, found in faults.items()},
    )


def player_following(rules: Rules, plan: WrittenStrategy) -> StreetsPlayer:
    solution = solve_apart(rules)
    return player_of(following(solution, compile_streets(solution, plan)))


def _faults(
    solution: StreetsSolution,
    asked: Asked,
    section: Section,
    answers: I8,
    arrivals: NDArray[np.int64],
) -> Faults:
    """What a decision loses by row and combination of bets, with the best play afterwards."""
    hands, ways = hands_at(solution, asked), solution.stages.ways
    total, later = (ways(seen) * solution.scale for seen in (0, asked.question.time))
    faults = Faults(section.choice.scene, section.choice.actions, total, later)
    for column, features in hands.features():
        values = np.stack([each[:, column] for each in asked.values])
        chosen = answers[:, column]
        faults.add(features, hands.situations.example, arrivals[:, column], chosen, values)
    return faults
