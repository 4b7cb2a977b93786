"""The decisions of a game of stages as strategies see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from croupier.errors import Unsolvable
from croupier.mathematics.counters.stages.course import Units
from croupier.mathematics.counters.stages.solver import (
    NEVER,
    Asked,
    StreetsSolution,
    played_out,
    solve_streets,
)
from croupier.mathematics.kernels.arrays import I8, I64
from croupier.mathematics.model import MainFigures
from croupier.mathematics.questions.rounds.by_stage import streets_rounds_of
from croupier.mathematics.questions.strategies.decisions import (
    Choose,
    Look,
    RowKey,
    SeenCards,
    StrategyDecision,
    TableDecisions,
    Unit,
)
from croupier.mathematics.questions.strategies.features import MOST_SEEN, SeenFeature
from croupier.mathematics.questions.strategies.kinds import KindsOfCards
from croupier.mathematics.questions.strategies.situations import (
    ExampleHand,
    Situations,
    seen_situations,
)
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen
from croupier.rulebooks.rules import Rules


class _SolvedApart:
    """The key of `Rules.prepared` for the solution that tells own cards from the community's."""


def stages_decisions(rules: Rules) -> StagesDecisions:
    """With own cards apart from the community's, so that a row settles what a strategy sees."""
    if not any(decision.sees_community for decision in rules.book.decisions):
        return StagesDecisions(solve_streets(rules))
    solution = rules.prepared.get(_SolvedApart)
    if not isinstance(solution, StreetsSolution):
        solution = rules.prepared[_SolvedApart] = StreetsSolution(rules, own_apart=True)
    return StagesDecisions(solution)


def best_of_stages(rules: Rules) -> StagesDecisions:
    """For the best play, which need not tell them apart."""
    return StagesDecisions(solve_streets(rules))


def stages_choices(rules: Rules) -> tuple[StrategyDecision, ...]:
    points = KindsOfCards(rules).points
    return tuple(
        StrategyDecision(d.name, d.answers, CardsSeen(d.sees_player, d.sees_community, points))
        for d in rules.book.decisions
    )


class _Sets:
    """All rows of a stage with one combination of bets."""

    possible = None

    def __init__(self, decisions: StagesDecisions, place: int, column: int, units: int) -> None:
        self._decisions, self._units = decisions, units
        self.place, self.column = place, column
        self._asked = decisions.solution.asked[place]

    @property
    def rows(self) -> I64:
        time = self._asked.question.time
        return self._decisions.solution.stages.all[time].table.rows[:, :4]

    @property
    def features(self) -> I8:
        """The same array for all combinations of bets, with their units noted."""
        features = self._decisions.situations(self.place).features
        features[SeenFeature.UNITS] = min(self._units, 127)
        return features

    @property
    def allowed(self) -> NDArray[np.bool_]:
        return np.asarray(self.values != NEVER)

    @property
    def values(self) -> I64:
        return np.stack([each[:, self.column] for each in self._asked.values])

    @property
    def best(self) -> I8:
        return self._asked.best[:, self.column]

    @property
    def example(self) -> Callable[[int], ExampleHand]:
        return self._decisions.situations(self.place).example


class StagesDecisions(TableDecisions):
    def __init__(self, solution: StreetsSolution) -> None:
        self.rules, self.solution = solution.rules, solution
        self.rulebook = solution.rules.book.id
        self.choices = stages_choices(solution.rules)
        self._situations: dict[int, Situations] = {}

    @property
    def best_value(self) -> Fraction:
        return self.solution.expected_value

    def unit(self, place: int) -> Unit:
        stages, scale = self.solution.stages, self.solution.scale
        time = self.solution.asked[place].question.time
        return Unit(stages.ways(0) * scale, stages.ways(time) * scale)

    def parts(self, place: int) -> Sequence[RowKey]:  # noqa: ARG002
        return ((0, 0, 0, 0),)

    def sets(self, place: int, part: RowKey) -> Iterator[_Sets]:  # noqa: ARG002
        """Combinations at which nothing is asked are left out."""
        asked = self.solution.asked[place]
        for column, (units, _) in enumerate(asked.column):
            if any((values[:, column] != NEVER).any() for values in asked.values[:-1]):
                yield _Sets(self, place, column, sum(units))

    def answers_used(self, place: int) -> set[int]:
        return set(self.solution.asked[place].best.ravel().tolist())

    def situations(self, place: int) -> Situations:
        """The rows of a stage as hands."""
        if place not in self._situations:
            self._situations[place] = self._noted(self.solution.asked[place])
        return self._situations[place]

    def _noted(self, asked: Asked) -> Situations:
        decision, time, stages = asked.question.decision, asked.question.time, self.solution.stages
        if decision.sees_player not in (2, 3) or time > MOST_SEEN or time == stages.last:
            raise Unsolvable(
                f"no strategy can be written for {self.rules.book.id}: {decision.name!r} sees "
                f"{decision.sees_player} own cards with {stages.last - time} to come, and "
                "strategies are written for two or three own cards with one or more to come"
            )
        masks = [stages.cards_from(time, source) for source in ("player", "community")]
        return seen_situations(*map(_cards_of, masks))

    def main_figures(self, choose: Choose, look: Look) -> MainFigures:
        answers = [self._answers(place, choose) for place in range(len(self.choices))]
        names = [asked.question.decision.name for asked in self.solution.asked]
        chosen = dict(zip(names, answers, strict=True))
        followed = StreetsSolution(
            self.rules,
            choose=lambda asked: chosen[asked.question.decision.name],
            stages=self.solution.stages,
        )
        played = played_out(followed)
        for place, (arrivals, chosen_here) in enumerate(zip(played.arrivals, answers, strict=True)):
            for sets in self.sets(place, (0, 0, 0, 0)):
                look(sets, chosen_here[:, sets.column], arrivals[:, sets.column])
        return streets_rounds_of(followed, played).figures()

    def _answers(self, place: int, choose: Choose) -> I8:
        """By row and combination of bets."""
        answers = self.solution.asked[place].best.copy()
        for sets in self.sets(place, (0, 0, 0, 0)):
            answers[:, sets.column] = choose(sets)
        return answers

    # -- what is seen, for players ----------------------------------------------------------------

    @cached_property
    def seen(self) -> tuple[SeenCards, ...]:
        stages, last = self.solution.stages, self.solution.stages.last
        seen = []
        for asked, columns in zip(self.solution.asked, self._said_before(), strict=True):
            question, time = asked.question, asked.question.time
            if time == last:
                raise Unsolvable(
                    f"{self.rules.book.id}: {question.decision.name!r} is answered when all cards "
                    "are seen, so it is not kept as a table of cards"
                )
            seen.append(
                SeenCards(
                    question.decision.name,
                    tuple([answer.word for answer in question.answers]),
                    self.solution.course.order[:time],
                    stages.groups_at(time),
                    tuple(stages.slots),
                    tuple(stages.blocks.tolist()),
                    columns,
                )
            )
        return tuple(seen)

    def _said_before(self) -> Iterator[dict[str, int]]:
        """For each question: all that can have been said before it, and the combination of bets
        that it led to."""
        solution = self.solution
        now: dict[tuple[str, ...], Units] = {(): solution.course.start}
        for asked in solution.asked:
            question = asked.question
            put = {said: units for said, units in now.items() if question.is_asked(units)}
            yield {
                "\n".join(said): asked.column[solution.pooled(units)] for said, units in put.items()
            }
            now = {said: units for said, units in now.items() if said not in put} | {
                (*said, answer.word): solution.after(units, answer)
                for said, units in put.items()
                for answer in question.answers
                if not answer.folds
            }


def _cards_of(masks: NDArray[np.uint64]) -> NDArray[np.int64]:
    """[row, card]: all rows have as many."""
    bits = masks[:, None] >> np.arange(52, dtype=np.uint64) & np.uint64(1)
    return np.nonzero(bits)[1].reshape(masks.size, -1)
