"""Decisions of a game of streets, and the kinds of cards that charts and strategies name.

A kind is defined by its pairs; or, without a pair, by whether all cards are of a suit, how many
straights they can still become, and how many of them would pay as a pair or bring the bet back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANK_WORDS, RANKS
from croupier.errors import Unsolvable
from croupier.mathematics.counters.stages.course import Units
from croupier.mathematics.counters.stages.solver import (
    Asked,
    StreetsSolution,
    played_out,
    solve_streets,
)
from croupier.mathematics.kernels.arrays import I8, I64, NEVER
from croupier.mathematics.model import MainFigures
from croupier.mathematics.questions.rounds import streets_rounds_of
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
from croupier.mathematics.questions.strategies.situations import (
    ExampleHand,
    Situations,
    seen_situations,
)
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen
from croupier.money import Push, parse_pays
from croupier.ranking.hands import ACE
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Pattern, VersusPaytable

_MADE = {(4,): "four of a kind", (3, 2): "full house", (3,): "three of a kind", (2, 2): "two pair"}


class Kind(NamedTuple):
    """A kind of cards. `made` orders the paired cards, best first; the other fields are for cards
    of different ranks."""

    made: int
    rank: int = 0
    unsuited: int = 0
    straights: int = 0
    high: int = 0
    middle: int = 0

    @property
    def order(self) -> tuple[int, ...]:
        points = 2 * self.high + self.middle
        return (self.made, -self.rank, self.unsuited, -self.straights, -points, -self.high)


class KindsOfCards:
    """How the cards of one rulebook are classified: by the tables of its required wagers."""

    def __init__(self, rules: Rules) -> None:
        book = rules.book
        settles = [book.wagers[name].settles for name in rules.required]
        by_table = [settling for settling in settles if isinstance(settling, VersusPaytable)]
        self._high, self._middle = _paying_ranks(rules, by_table)
        sizes = [ranking_of(book, settling.hand).size for settling in by_table]
        self._windows = _straights(book.deck.ranks, max(sizes, default=0))

    @property
    def points(self) -> tuple[int, ...]:
        """For each rank: 2 if its pair is paid, 1 if it brings the bet back."""
        bits = range(len(RANKS))
        return tuple([2 * (self._high >> n & 1) + (self._middle >> n & 1) for n in bits])

    def of(self, mask: int) -> Kind:
        suits = [mask >> 13 * suit & 8191 for suit in range(4)]
        counts = {rank: sum(bits >> rank & 1 for bits in suits) for rank in range(13)}
        paired = tuple(sorted((n for n in counts.values() if n > 1), reverse=True))
        if paired in _MADE:
            return Kind(list(_MADE).index(paired))
        if paired == (2,):
            return Kind(len(_MADE), rank=next(rank for rank, n in counts.items() if n == 2))
        ranks = suits[0] | suits[1] | suits[2] | suits[3]
        return Kind(
            len(_MADE) + 1 + len(paired),
            unsuited=int(sum(map(bool, suits)) > 1),
            straights=sum(ranks & ~window == 0 for window in self._windows),
            high=(ranks & self._high).bit_count(),
            middle=(ranks & self._middle).bit_count(),
        )

    def name(self, kinds: Sequence[Kind], every: Iterable[Kind]) -> str:
        """Return the name of one row of a chart, made of neighbors in the order of kinds."""
        first, last = kinds[0], kinds[-1]
        if first.made < len(_MADE):
            names = list(_MADE.values())[first.made : last.made + 1]
            return names[0] if len(names) == 1 else f"{names[-1]} to {names[0]}"
        if first.made == len(_MADE):
            low, high = RANK_WORDS[last.rank], RANK_WORDS[first.rank]
            return f"pair of {_plural(low)}" + (f" to {_plural(high)}" if low != high else "")
        alike = [cards for cards in every if _family(cards) == _family(first)]
        suited = "not of one suit" if first.unsuited else "all of one suit"
        if len(kinds) == len(alike):
            return suited
        fewest, most = last.straights, first.straights
        runs = f"{fewest} to {most}" if fewest != most else str(most)
        words = f"{suited}, {runs} straight{'s' * (most != 1)} open"
        whole = [cards for cards in alike if fewest <= cards.straights <= most]
        return words if len(kinds) == len(whole) else f"{words}, {self._cards(kinds)}"

    def _cards(self, kinds: Sequence[Kind]) -> str:
        if self._middle:
            ends = [f"{cards.high} high {cards.middle} middle" for cards in (kinds[-1], kinds[0])]
            return " to ".join(dict.fromkeys(ends))
        counts = [str(cards.high) for cards in (kinds[-1], kinds[0])]
        return f"{' to '.join(dict.fromkeys(counts))} high"


def joined(kinds: Sequence[Kind], answers: Mapping[Kind, object]) -> list[tuple[Kind, ...]]:
    """Join neighbors with the same answer into one row; if the answer is None, it varies and the
    kind stays alone. Kinds with different numbers of straights are joined only as wholes."""
    ordered = sorted(kinds, key=lambda cards: cards.order)
    rows = _merged([(cards,) for cards in ordered], answers, _same_straights)
    sizes = Counter((_family(cards), cards.straights) for cards in ordered)

    def is_whole(row: tuple[Kind, ...]) -> bool:
        groups = {(_family(cards), cards.straights) for cards in row}
        return len(row) == sum(sizes[group] for group in groups)

    return _merged(rows, answers, lambda row, following: is_whole(row) and is_whole(following))


def _same_straights(row: tuple[Kind, ...], following: tuple[Kind, ...]) -> bool:
    return row[-1].straights == following[0].straights


def _merged(
    rows: Sequence[tuple[Kind, ...]],
    answers: Mapping[Kind, object],
    may_join: Callable[[tuple[Kind, ...], tuple[Kind, ...]], bool],
) -> list[tuple[Kind, ...]]:
    merged: list[tuple[Kind, ...]] = []
    for row in rows:
        before = merged[-1] if merged else None
        if (
            before is not None
            and _family(before[0]) == _family(row[0])
            and answers[before[0]] == answers[row[0]] is not None
            and may_join(before, row)
        ):
            merged[-1] = before + row
        else:
            merged.append(row)
    return merged


def _family(cards: Kind) -> tuple[int, int]:
    """Return the group within which kinds may share a row: made hands, pairs, cards of one suit,
    others."""
    return max(cards.made, len(_MADE) - 1), cards.unsuited


def _plural(word: str) -> str:
    return f"{word}es" if word == "six" else f"{word}s"


def _paying_ranks(rules: Rules, settles: Sequence[VersusPaytable]) -> tuple[int, int]:
    """Return the ranks whose pair is paid, and those whose pair brings the bet back, as bits."""
    bits = [0, 0]
    for settling in settles:
        for line in rules.paytable(settling.paytable).lines:
            for name in line.covers or (line.hand,):
                pattern = rules.book.patterns.get(name) or Pattern(category=(name,))
                if pattern.category == ("pair",):
                    made = sum(1 << RANKS.index(rank) for rank in pattern.made or RANKS)
                    bits[isinstance(parse_pays(line.pays), Push)] |= made
    return bits[0], bits[1] & ~bits[0]


def _straights(deck: str, size: int) -> list[int]:
    """Return every straight of `size` ranks, as bits."""
    order = [RANKS.index(rank) for rank in deck]
    if order[-1] == ACE:
        order.insert(0, ACE)
    runs = [order[n : n + size] for n in range(len(order) - size + 1)] if size > 1 else []
    return [sum(1 << rank for rank in run) for run in runs if len(set(run)) == size]


class _SolvedApart(StreetsSolution):
    """The solution that keeps own cards separate from community cards."""


def stages_decisions(rules: Rules) -> StagesDecisions:
    """Return the decisions with own cards separate from community cards, so that a row determines
    what a strategy sees."""
    if not any(decision.sees_community for decision in rules.book.decisions):
        return StagesDecisions(solve_streets(rules))
    return StagesDecisions(rules.once(_SolvedApart, partial(_SolvedApart, own_apart=True)))


def best_of_stages(rules: Rules) -> StagesDecisions:
    """Return the decisions for the best play, which need not separate them."""
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
        self._asked = decisions.solution.decisions_asked[place]

    @property
    def rows(self) -> I64:
        time = self._asked.question.time
        return self._decisions.solution.stages.all[time].table.rows[:, :4]

    @property
    def features(self) -> I8:
        """The features of the rows, with the units bet. All combinations of bets share one
        array."""
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
        time = self.solution.decisions_asked[place].question.time
        return Unit(stages.ways(0) * scale, stages.ways(time) * scale)

    def parts(self, place: int) -> Sequence[RowKey]:  # noqa: ARG002
        return ((0, 0, 0, 0),)

    def sets(self, place: int, part: RowKey) -> Iterator[_Sets]:  # noqa: ARG002
        """Yield the sets of each combination of bets, except those at which nothing is asked."""
        decision = self.solution.decisions_asked[place]
        for column, (units, _) in enumerate(decision.column):
            if any((values[:, column] != NEVER).any() for values in decision.values[:-1]):
                yield _Sets(self, place, column, sum(units))

    def answers_used(self, place: int) -> set[int]:
        return set(self.solution.decisions_asked[place].best.ravel().tolist())

    def situations(self, place: int) -> Situations:
        """Return the rows of a stage as hands."""
        if place not in self._situations:
            self._situations[place] = self._noted(self.solution.decisions_asked[place])
        return self._situations[place]

    def _noted(self, point: Asked) -> Situations:
        decision, time, stages = point.question.decision, point.question.time, self.solution.stages
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
        names = [decision.question.decision.name for decision in self.solution.decisions_asked]
        chosen = dict(zip(names, answers, strict=True))
        followed = StreetsSolution(
            self.rules,
            choose=lambda decision: chosen[decision.question.decision.name],
            stages=self.solution.stages,
        )
        played = played_out(followed)
        for place, (arrivals, chosen_here) in enumerate(zip(played.arrivals, answers, strict=True)):
            for sets in self.sets(place, (0, 0, 0, 0)):
                look(sets, chosen_here[:, sets.column], arrivals[:, sets.column])
        return streets_rounds_of(followed, played).figures()

    def _answers(self, place: int, choose: Choose) -> I8:
        """Return the answers by row and combination of bets."""
        answers = self.solution.decisions_asked[place].best.copy()
        for sets in self.sets(place, (0, 0, 0, 0)):
            answers[:, sets.column] = choose(sets)
        return answers

    # -- what is seen, for players ----------------------------------------------------------------

    @cached_property
    def seen(self) -> tuple[SeenCards, ...]:
        stages, last = self.solution.stages, self.solution.stages.last
        seen = []
        for decision, columns in zip(
            self.solution.decisions_asked, self._said_before(), strict=True
        ):
            question, time = decision.question, decision.question.time
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
        """Yield, for each question, every sequence of earlier answers and the combination of bets
        that it led to."""
        solution = self.solution
        now: dict[tuple[str, ...], Units] = {(): solution.course.start}
        for decision in solution.decisions_asked:
            question = decision.question
            put = {said: units for said, units in now.items() if question.is_asked(units)}
            yield {
                "\n".join(said): decision.column[solution.pooled(units)]
                for said, units in put.items()
            }
            now = {said: units for said, units in now.items() if said not in put} | {
                (*said, answer.word): solution.after(units, answer)
                for said, units in put.items()
                for answer in question.answers
                if not answer.folds
            }


def _cards_of(masks: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return [row, card]: all rows have the same number of cards."""
    bits = masks[:, None] >> np.arange(52, dtype=np.uint64) & np.uint64(1)
    return np.nonzero(bits)[1].reshape(masks.size, -1)
