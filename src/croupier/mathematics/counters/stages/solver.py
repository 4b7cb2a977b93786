"""The best play of a game of streets by backward induction, in integers.

The value of what is seen is the sum, over all orders in which the other cards can come, of the net
under the best play, times a scale that makes payoffs whole. Earlier bets matter if a player may
fold: so there is a value for every combination of bets. Wagers that always pay alike are pooled,
and only the sum of their units counts.

`played_out` walks the deals forwards, sorted by the answers so far: in how many of them each answer
is given and each hand comes. Hands folded with every wager lost are counted at once; if a wager
stands after a fold, its cards are dealt to the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import Card
from croupier.mathematics.counters.shapes import STREETS, check_main_game
from croupier.mathematics.counters.stages.course import (
    Answer,
    Course,
    SeenHand,
    StreetsQuestion,
    Units,
    course_of,
    kept_apart,
    least_hand,
    paid_hands,
)
from croupier.mathematics.counters.stages.stages import Stages, spread_children, sum_children
from croupier.mathematics.game.payoffs import Case, Payoffs, is_folded_away, wagers_with_bonuses
from croupier.mathematics.kernels.arrays import NEVER, best_places
from croupier.mathematics.shapes import refused
from croupier.rulebooks.rules import Rules

Values: TypeAlias = NDArray[np.int64]
"""[row of the stage, combination of bets]"""
_MOST_BETS: Final = 4096
_LARGEST: Final = 1 << 62
Pooled: TypeAlias = tuple[Units, Units]
"""Units by pool, and the bet on each wager that is asked for more than once."""


class Pool(NamedTuple):
    """Wagers that always pay the same: by result of the hands, played on and folded."""

    wagers: tuple[int, ...]
    played: tuple[Fraction, ...]
    folded: tuple[Fraction, ...]


class Asked(NamedTuple):
    """A decision in the solved game: `values[answer]` by row and combination of bets, `best` the
    number of the answer given, the best one unless another is chosen. `column` has the index of a
    combination."""

    question: StreetsQuestion
    values: list[Values]
    best: NDArray[np.int8]
    column: dict[Pooled, int]


Choose: TypeAlias = Callable[[Asked], NDArray[np.int8]]
"""Returns the number of the answer at a decision, by row and combination of bets."""


class StreetsSolution:
    """A solved game.

    `beside` are other wagers whose hands are separated too; they change no decision. `choose`
    answers the decisions instead of the best play. `own_apart`: own cards are separated from
    community cards. `gone` cards of other players are seen before all others; `first` are the first
    cards seen, if only the rounds that begin with them matter.
    """

    def __init__(
        self,
        rules: Rules,
        beside: Sequence[str] = (),
        *,
        choose: Choose | None = None,
        stages: Stages | None = None,
        own_apart: bool = False,
        gone: int = 0,
        first: Sequence[Card] = (),
    ) -> None:
        check_main_game(rules, STREETS)
        self.rules = rules
        course = course_of(rules).with_cards_gone(gone)
        self.course: Course = stages.course if stages else course
        self.payoffs = Payoffs(
            rules, wagers_with_bonuses(rules.book, (*self.course.wagers, *beside))
        )
        self._choose = choose
        self._tests: dict[tuple[str, str], int] = {}
        hands = list(paid_hands(rules, self.course, self.payoffs.leaves))
        self._paid = len(hands)
        hands += self._least_hands(len(hands))
        if own_apart:
            hands.append(kept_apart(self.course))
        self.stages = stages or Stages(self.course, hands, rules.book.deck.ranks, first)
        self._check_size()

    def _least_hands(self, start: int) -> Iterator[SeenHand]:
        """Return a hand for each bet that requires one."""
        for question in self.course.questions:
            for word, least in question.decision.only_with.items():
                self._tests[question.decision.name, word] = start + len(self._tests)
                yield least_hand(self.rules, self.course, least)

    # -- what the wagers bring --------------------------------------------------------------------

    @cached_property
    def cases(self) -> list[Case]:
        """By the results after the last card: how every wager ends."""
        cases = []
        for results in self.stages.all[-1].results:
            held = 0
            for hand, result in zip(self.stages.hands[: self._paid], results, strict=False):
                held |= hand.results[result]
            cases.append(self.payoffs.of(held))
        return cases

    @cached_property
    def _last_results(self) -> NDArray[np.int64]:
        """By row of the last stage, the index of its results."""
        return self.stages.all[-1].table.rows[:, 4]

    @cached_property
    def pools(self) -> list[Pool]:
        pools: dict[tuple[tuple[Fraction, ...], ...], list[int]] = {}
        for number, name in enumerate(self.course.wagers):
            paid = wagers_with_bonuses(self.rules.book, (name,))
            played = tuple([case.nets(paid)[0] for case in self.cases])
            folded = tuple([case.fold_net((name,)) for case in self.cases])
            pools.setdefault((played, folded), []).append(number)
        return [Pool(tuple(wagers), *pays) for pays, wagers in pools.items()]

    @cached_property
    def scale(self) -> int:
        nets = [net for pool in self.pools for pays in (pool.played, pool.folded) for net in pays]
        return lcm(*(net.denominator for net in nets))

    def _check_size(self) -> None:
        most = max((sum(map(abs, units)) for units in self._all_units()), default=0)
        nets = [net for pool in self.pools for pays in (pool.played, pool.folded) for net in pays]
        largest = max(map(abs, nets)) * self.scale * (most + 1)
        if largest * self.stages.ways(0) >= _LARGEST:
            raise refused("the main game", f"payments of up to {largest} are too large to be exact")

    def _all_units(self) -> Iterator[Units]:
        for combinations in self._combinations:
            yield from (units for units, _ in combinations)

    # -- what can have been bet -------------------------------------------------------------------

    def pooled(self, units: Units) -> Pooled:
        """Return what the value depends on: units by pool, and whether questions are still open."""
        often = self._asked_often
        return (
            tuple([sum(units[wager] for wager in pool.wagers) for pool in self.pools]),
            tuple([int(units[wager] > 0) for wager in often]),
        )

    @cached_property
    def _asked_often(self) -> tuple[int, ...]:
        wagers = [
            wager for question in self.course.questions for wager in (question.bet, question.taken)
        ]
        return tuple(sorted({wager for wager in wagers if wager >= 0 and wagers.count(wager) > 1}))

    @staticmethod
    def after(units: Units, answer: Answer) -> Units:
        if answer.wager < 0:
            return units
        changed = list(units)
        changed[answer.wager] = answer.units
        return tuple(changed)

    @cached_property
    def _combinations(self) -> list[dict[Pooled, Units]]:
        """Before each question and after the last: the possible combinations of bets, each with one
        example."""
        now = {self.pooled(self.course.start): self.course.start}
        combinations = [now]
        for question in self.course.questions:
            following: dict[Pooled, Units] = {}
            for units in now.values():
                if not question.is_asked(units):
                    following.setdefault(self.pooled(units), units)
                    continue
                for answer in question.answers:
                    if not answer.folds:
                        after = self.after(units, answer)
                        following.setdefault(self.pooled(after), after)
            if len(following) > _MOST_BETS:
                why = f"more than {_MOST_BETS} combinations of bets can come up"
                raise refused("the main game", why)
            now = following
            combinations.append(now)
        return combinations

    # -- values -----------------------------------------------------------------------------------

    @cached_property
    def decisions_asked(self) -> tuple[Asked, ...]:
        return self._solved[0]

    @cached_property
    def expected_value(self) -> Fraction:
        """The expected value of the round, in units of one required wager."""
        return Fraction(self._solved[1], self.stages.ways(0) * self.scale)

    @cached_property
    def _solved(self) -> tuple[tuple[Asked, ...], int]:
        """Every decision with its values, from the last card to the first, and the total."""
        questions = self.course.questions
        values = self.at_the_end(self._combinations[-1].values())
        standing = self._folded_at_the_end()
        decisions: list[Asked] = []
        place = len(questions)
        for seen in range(self.stages.last, -1, -1):
            if seen < self.stages.last:
                values, standing = self._summed(seen, values), self._summed(seen, standing)
            while place and questions[place - 1].time == seen:
                place -= 1
                decision, values = self._ask(place, values, standing)
                decisions.append(decision)
        assert values.shape == (1, 1)
        return tuple(reversed(decisions)), int(values[0, 0])

    def _summed(self, seen: int, values: Values) -> Values:
        stage = self.stages.all[seen]
        out = np.zeros((stage.children.shape[0], values.shape[1]), np.int64)
        sum_children(stage.children, values, out)
        return out

    def _whole(self, nets: Sequence[Fraction]) -> NDArray[np.int64]:
        """By row of the last stage."""
        scaled = np.array([int(net * self.scale) for net in nets], np.int64)
        return scaled[self._last_results]

    def at_the_end(self, combinations: Iterable[Units]) -> Values:
        """Return by row of the last stage what these combinations of bets are worth, not folded."""
        pays = np.stack([self._whole(pool.played) for pool in self.pools], axis=1)
        units = np.array([self.pooled(units)[0] for units in combinations], np.int64)
        return np.ascontiguousarray(pays @ units.reshape(-1, len(self.pools)).T)

    def _folded_at_the_end(self) -> Values:
        """Return by pool what a unit is worth after a fold."""
        return np.stack([self._whole(pool.folded) for pool in self.pools], axis=1)

    def _ask(self, place: int, values: Values, standing: Values) -> tuple[Asked, Values]:
        """Return a decision put to everyone who comes to it, and the values before it."""
        question = self.course.questions[place]
        here, later = self._combinations[place], list(self._combinations[place + 1])
        rows = values.shape[0]
        listed = [np.full((rows, len(here)), NEVER, np.int64) for _ in question.answers]
        is_asked = np.array([question.is_asked(units) for units in here.values()])
        for column, (pooled, units) in enumerate(here.items()):
            if not is_asked[column]:
                # Nobody decides: the values after it stand in for the last answer.
                listed[-1][:, column] = values[:, later.index(pooled)]
                continue
            for number, answer in enumerate(question.answers):
                if answer.folds:
                    nets = standing @ np.array(pooled[0], np.int64)
                else:
                    after = self.pooled(self.after(units, answer))
                    nets = values[:, later.index(after)]
                listed[number][:, column] = self._where_allowed(question, answer, nets)
        stacked = np.stack(listed)
        best = best_places(stacked, self.rules.takes_first).astype(np.int8)
        columns = {pooled: column for column, pooled in enumerate(here)}
        decision = Asked(question, listed, best, columns)
        if self._choose is None:
            return decision, stacked.max(axis=0)
        chosen = np.where(is_asked, self._choose(decision), len(listed) - 1)
        before = np.take_along_axis(stacked, chosen[None], axis=0)[0]
        return decision._replace(best=chosen.astype(np.int8)), before

    def _where_allowed(self, question: StreetsQuestion, answer: Answer, nets: Values) -> Values:
        test = self._tests.get((question.decision.name, answer.word))
        if test is None:
            return nets
        stage = self.stages.all[question.time]
        hand = self.stages.hands[test]
        good = [bool(hand.results[results[test]]) for results in stage.results]
        return np.where(np.array(good)[stage.table.rows[:, 4]], nets, NEVER)

    # -- one situation ----------------------------------------------------------------------------

    def values_at(
        self, decision: Asked, cards: Sequence[Card], units: Units
    ) -> dict[str, Fraction]:
        """Return the value of every legal answer on these cards, in the order seen."""
        row = self.stages.row_of(cards)
        column = decision.column[self.pooled(units)]
        unit = self.stages.ways(decision.question.time) * self.scale
        sums = [int(values[row, column]) for values in decision.values]
        return {
            answer.word: Fraction(total, unit)
            for answer, total in zip(decision.question.answers, sums, strict=True)
            if total != NEVER
        }


def solve_streets(rules: Rules) -> StreetsSolution:
    """Return the solution of these rules, memoized."""
    return rules.once(StreetsSolution, StreetsSolution)


class Told(NamedTuple):
    """What was said at each decision, the bet on each wager, and whether the hand is folded."""

    said: tuple[tuple[str, str], ...]
    units: Units
    folded: bool = False

    def saying(self, question: StreetsQuestion, answer: Answer) -> Told:
        units = StreetsSolution.after(self.units, answer)
        said = (*self.said, (question.decision.name, answer.word))
        return Told(said, units, answer.folds)


@dataclass(frozen=True)
class Played:
    """Deals by answers and results of the hands; None if a fold lost everything before they were
    known. `arrivals`: for each question, by row and combination of bets, in how many orders of the
    cards seen it is put."""

    deals: Counter[tuple[Told, int | None]]
    total: int
    arrivals: tuple[NDArray[np.int64], ...]

    @property
    def lines_counted(self) -> Iterator[tuple[Told, int]]:
        for (line, _), count in self.deals.items():
            yield line, count


def played_out(solution: StreetsSolution, *, to_the_end: bool = False) -> Played:
    """Return the played deals; `to_the_end`: folded hands are dealt out as well, for the wagers
    beside the main game."""
    return _Walk(solution, to_the_end).played()


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
        for seen in range(self._stages.last + 1):
            for decision in self._solution.decisions_asked:
                if decision.question.time == seen:
                    self._ask(decision)
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
        for line, weights in self._now.items():
            out = np.zeros(rows, np.int64)
            spread_children(children, weights, out)
            self._now[line] = out

    def _ask(self, decision: Asked) -> None:
        question = decision.question
        following: dict[Told, NDArray[np.int64]] = {}
        arrived = np.zeros(decision.best.shape, np.int64)
        for line, weights in self._now.items():
            if line.folded or not question.is_asked(line.units):
                following[line] = weights
                continue
            column = decision.column[self._solution.pooled(line.units)]
            arrived[:, column] += weights
            best = decision.best[:, column]
            for number, answer in enumerate(question.answers):
                chosen = np.where(best == number, weights, 0)
                if not chosen.any():
                    continue
                after = line.saying(question, answer)
                if after.folded and not self._stands:
                    ways = self._stages.ways(question.time)
                    self._deals[after, None] += int(chosen.sum()) * ways
                else:
                    following[after] = chosen
        self._now = following
        self._arrivals.append(arrived)

    def _end(self) -> None:
        results = self._stages.all[-1].table.rows[:, 4].tolist()
        for line, weights in self._now.items():
            for result, count in zip(results, weights.tolist(), strict=True):
                if count:
                    self._deals[line, result] += count
