"""Under the best play: in how many deals each thing is said and each hand comes.

The deals are walked forwards, sorted by what was said so far. Those that are folded with every
wager lost are counted at once; where a wager stands after a fold, its cards are dealt to the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.stages.card_tables import spread_children
from croupier.mathematics.counters.stages.course import Answer, Question, Units
from croupier.mathematics.counters.stages.solver import StreetsSolution
from croupier.mathematics.game.payoffs import is_folded_away

__all__ = ["Played", "Told", "played_out"]


class Told(NamedTuple):
    """What was said at each decision, what lies on each wager, and whether the hand is folded."""

    said: tuple[tuple[str, str], ...]
    units: Units
    folded: bool = False

    def saying(self, question: Question, answer: Answer) -> Told:
        units = StreetsSolution.after(self.units, answer)
        said = (*self.said, (question.decision.name, answer.word))
        return Told(said, units, answer.folds)


@dataclass(frozen=True)
class Played:
    """Deals by what was told and the results of the hands; None where a fold lost all before they
    were known. `arrivals`: for each question, by row and combination of bets, in how many orders of
    the cards seen it is put."""

    deals: Counter[tuple[Told, int | None]]
    total: int
    arrivals: tuple[NDArray[np.int64], ...]

    @property
    def told(self) -> Iterator[tuple[Told, int]]:
        for (told, _), count in self.deals.items():
            yield told, count


def played_out(solution: StreetsSolution, *, to_the_end: bool = False) -> Played:
    """`to_the_end`: folded hands are dealt out as well, for what is bet beside the main game."""
    walk = _Walk(solution, to_the_end)
    return walk.played()


class _Walk:
    def __init__(self, solution: StreetsSolution, to_the_end: bool) -> None:
        self._solution, self._stages = solution, solution.stages
        book, wagers = solution.rules.book, solution.course.wagers
        self._stands = to_the_end or not all(is_folded_away(book, name) for name in wagers)
        self._deals: Counter[tuple[Told, int | None]] = Counter()
        self._arrivals: list[NDArray[np.int64]] = []
        self._now: dict[Told, NDArray[np.int64]] = {
            Told((), solution.course.start): np.ones(1, np.int64)
        }

    def played(self) -> Played:
        waiting = list(self._solution.asked)
        for seen in range(self._stages.last + 1):
            while waiting and waiting[0].question.time == seen:
                self._ask(len(self._solution.asked) - len(waiting))
                waiting.pop(0)
            if seen < self._stages.last:
                self._deal(seen)
        self._end()
        exchanges = self._stages.exchanges
        total, rest = divmod(self._stages.ways(0), exchanges)
        assert rest == 0
        deals: Counter[tuple[Told, int | None]] = Counter()
        for key, count in self._deals.items():
            deals[key], rest = divmod(count, exchanges)
            assert rest == 0
        assert sum(deals.values()) == total
        return Played(deals, total, tuple(self._arrivals))

    def _deal(self, seen: int) -> None:
        children = self._stages.all[seen].children
        rows = self._stages.all[seen + 1].table.rows.shape[0]
        for told, weights in self._now.items():
            out = np.zeros(rows, np.int64)
            spread_children(children, weights, out)
            self._now[told] = out

    def _ask(self, place: int) -> None:
        asked = self._solution.asked[place]
        question = asked.question
        following: dict[Told, NDArray[np.int64]] = {}
        arrived = np.zeros(asked.best.shape, np.int64)
        for told, weights in self._now.items():
            if told.folded or not question.is_asked(told.units):
                following[told] = weights
                continue
            column = asked.column[self._solution.pooled(told.units)]
            arrived[:, column] += weights
            best = asked.best[:, column]
            for number, answer in enumerate(question.answers):
                chosen = np.where(best == number, weights, 0)
                if chosen.any():
                    self._follow(following, told.saying(question, answer), chosen, question.time)
        self._now = following
        self._arrivals.append(arrived)

    def _follow(
        self,
        following: dict[Told, NDArray[np.int64]],
        told: Told,
        weights: NDArray[np.int64],
        seen: int,
    ) -> None:
        if told.folded and not self._stands:
            self._deals[told, None] += int(weights.sum()) * self._stages.ways(seen)
        else:
            following[told] = weights

    def _end(self) -> None:
        results = self._stages.all[-1].table.rows[:, 4].tolist()
        for told, weights in self._now.items():
            for result, count in zip(results, weights.tolist(), strict=True):
                if count:
                    self._deals[told, result] += count
