"""Charts: a decision hand by hand, and what each decision is worth.

Hand against hand, a row is a category with as many deciding ranks as it takes to show what is
right, if that leaves few enough rows; a column is the rank of the dealer's card that is seen.
Adjacent rows with the same answers in every column are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS, Card
from croupier.errors import BadRequest, suggest
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.geometry import flops_of, hand_number, orbits_of
from croupier.mathematics.counters.boards.rulebook import holdem_game, holdem_solution
from croupier.mathematics.counters.boards.solver import Stage, solve_holdem
from croupier.mathematics.counters.opponents.game import VersusGame
from croupier.mathematics.counters.opponents.solver import versus_solution
from croupier.mathematics.counters.stages.solver import (
    Asked,
    Choose,
    StreetsSolution,
    solve_streets,
)
from croupier.mathematics.kernels.arrays import I8, I64, NEVER, best_places
from croupier.mathematics.kernels.threads import cores
from croupier.mathematics.questions.situation import Advice, Situation
from croupier.mathematics.questions.strategies.boards_decisions import (
    HoldemChoice,
    choices_of,
    forks,
)
from croupier.mathematics.questions.strategies.compared_hands import HeldFeature, RankedHands
from croupier.mathematics.questions.strategies.decisions import StrategyDecision
from croupier.mathematics.questions.strategies.grid import (
    Grid,
    HandCell,
    Skipped,
    grid_of,
    hand_name,
    members_of,
)
from croupier.mathematics.questions.strategies.opponents_decisions import (
    OpponentsDecisions,
    OpponentsSets,
)
from croupier.mathematics.questions.strategies.stages_decisions import (
    Kind,
    KindsOfCards,
    joined,
    stages_choices,
)
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen
from croupier.mathematics.shapes import refused
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision


def chart_of_holdem(rules: Rules, decision: str) -> Grid:
    """Return a decision on up to three community cards, the first if none is named, as if all hands
    arrived at it by the first path that decides it."""
    names = [each.name for each in rules.book.decisions]
    choices = choices_of(rules)
    if decision not in ("", *names):
        raise suggest("decision", decision, names)
    number = names.index(decision) if decision else min(n for n, _ in choices[0].actions)
    reached = [each for each in choices if any(n == number for n, _ in each.actions)]
    if not reached:
        raise BadRequest(f"nobody comes to {decision!r}: everybody has bet or folded before")
    choice = reached[0]
    if choice.seen > 3:
        raise BadRequest(
            f"{choice.decision.name!r} is decided on {choice.seen} community cards: a chart of "
            "starting hands is drawn for up to three"
        )
    if rules.book.deck.ranks != RANKS:
        raise BadRequest("the chart of starting hands is drawn for a deck of 52 cards")
    stage = holdem_solution(rules).stages[choice.seen]
    return grid_of(rules, choice.decision, _holdem_cells(stage, choice))


def _holdem_cells(stage: Stage, choice: HoldemChoice) -> Callable[[int, int], HandCell]:
    game = stage.game
    answers = stage.answers(stage.level.asked_paths[0])
    places = next(forks([choice], answers)).places
    sums = np.stack(
        [np.maximum.reduce([stage.worth(answers[n]) for n in numbers]) for numbers in places]
    )
    best = best_places(sums, game.takes_first)
    by_hand = orbits_of(game.deck, 0).number
    if choice.seen == 3:
        flops = flops_of(game.deck)
        sizes, hands = flops.orbit.astype(np.int64), by_hand[flops.hand]
        sums *= sizes  # before the flop they run over all members of an orbit as they are
    else:
        orbits = orbits_of(game.deck, choice.seen)
        sizes, hands = orbits.size, by_hand[orbits.example // orbits.width]
    unit = stage.ways * game.scale

    def cell(row: int, column: int) -> HandCell:
        members = members_of(row, column)
        here = np.flatnonzero(hands == by_hand[hand_number(members[0])])
        size: I64 = sizes[here]
        weight = int(size.sum())
        values = [Fraction(int(sum(part[here])), weight * unit) for part in sums]
        shares = [
            Fraction(int(size[best[here] == place].sum()), weight) for place in range(len(sums))
        ]
        top = Fraction(int(sum(sums[:, here].max(axis=0))), weight * unit)
        actions = choice.decision.actions
        return HandCell(
            hand_name(row, column),
            dict(zip(actions, values, strict=True)),
            dict(zip(actions, shares, strict=True)),
            top - values[-1],
            len(members),
        )

    return cell


def grid_by_advice(rules: Rules, advise: Callable[[Situation], Advice]) -> Grid:
    """Return the chart of the first decision, from the advice on one hand of each cell."""
    decision = rules.book.decisions[0]
    if decision.sees_community:
        raise BadRequest("a first decision after community cards has no chart of starting hands")
    if rules.book.deck.ranks != RANKS:
        raise BadRequest("the chart of starting hands is drawn for a deck of 52 cards")
    words = (*decision.bets, decision.otherwise)
    choice = StrategyDecision(decision.name, words, CardsSeen(decision.sees_player, 0))

    def cell(row: int, column: int) -> HandCell:
        members = members_of(row, column)
        advice = advise(Situation([Card(card) for card in members[0]]))
        best = max(advice.values.values())
        equal = [word for word in words if advice.values.get(word) == best]
        right = equal[0 if rules.takes_first else -1]
        return HandCell(
            hand_name(row, column),
            advice.values,
            {word: Fraction(word == right) for word in words},
            best - advice.values[decision.otherwise],
            len(members),
        )

    return grid_of(rules, choice, cell)


def holdem_values(rules: Rules) -> tuple[Fraction, list[Skipped]]:
    """Return the house edge of the best play, and the edge without each decision."""
    game = holdem_game(rules)
    skipped = [
        Skipped(choice.decision.name, f"always {how}", -solve_holdem(changed).value)
        for choice in choices_of(rules)
        for how, changed in _without(game, choice)
    ]
    return -holdem_solution(rules).value, skipped


def _without(game: HoldemGame, choice: HoldemChoice) -> Iterator[tuple[str, HoldemGame]]:
    """Yield the games in which one answer is the only legal one."""
    numbers = sorted({number for number, _ in choice.actions})
    last, declined = game.questions[numbers[-1]], choice.decision.actions[-1]
    rest = tuple(each for n, each in enumerate(game.questions) if n not in numbers)
    if not last.folds:
        # Without its only decision a game is a showdown with nothing bet; no bundled game is one.
        if rest:
            yield declined, replace(game, questions=rest)
        return
    bet = choice.decision.actions[0]
    if choice.seen < 5:
        forced = last._replace(decline="")
        questions = tuple(forced if each is last else each for each in game.questions)
        yield bet, replace(game, questions=questions)
    elif sum(each.folds for each in game.questions) == 1:
        # No fold is worth it if it costs more than anything that can be lost.
        yield bet, replace(game, folded=(-4 * game.largest, *(0,) * len(game.decided)))
    before = game.questions[numbers[0] - 1] if numbers[0] else None
    same = all(each.wager == last.wager for each in game.questions)
    if before is not None and same and len(choice.decision.actions) == 2:
        folding = before._replace(folds=True)
        yield declined, replace(game, questions=(*game.questions[: numbers[0] - 1], folding))


_MOST_ROWS: Final = 40


def versus_values(rules: Rules) -> tuple[Fraction, list[Skipped]]:
    """Return the house edge of the best play, and of the same answer with every hand, if it is
    allowed."""
    solution, decision = versus_solution(rules), rules.book.decisions[0]
    game, deals = solution.game, solution.deals.sum(axis=0).astype(object)
    always = [bool(game.payoffs.allowed[:, bet].all()) for bet in range(len(game.bets))]
    skipped = []
    for action, said in enumerate(decision.answers):
        if action == len(game.bets) or always[action]:
            total = int((deals * solution.nets_of(action)).sum())
            edge = -Fraction(total, game.deals * game.scale)
            skipped.append(Skipped(decision.name, f"always {said}", edge))
    return -solution.value, skipped


# -- the chart ------------------------------------------------------------------------------------


class _Sums:
    """Sums by strength in one column: the value of each answer over all deals, and of the best; the
    number of deals; how often each answer is right; which answers are allowed with every such hand.
    """

    def __init__(self, answers: int, strengths: int) -> None:
        self.values = np.zeros((answers + 1, strengths), np.int64)
        self.said = np.zeros((answers, strengths), np.int64)
        self.allowed = np.ones((answers, strengths), np.bool_)

    @property
    def deals(self) -> I64:
        return np.asarray(self.said.sum(axis=0))

    def add(self, strengths: I64, values: I64, best: I8, weights: I64) -> None:
        for answer, row in enumerate(values):
            may = row != NEVER
            np.add.at(self.values[answer], strengths, np.where(may, row, 0) * weights)
            self.allowed[answer, strengths[~may]] = False
            np.add.at(self.said[answer], strengths[best == answer], weights[best == answer])
        np.add.at(self.values[-1], strengths, values.max(axis=0) * weights)

    def __iadd__(self, sums: _Sums) -> _Sums:
        self.values += sums.values
        self.said += sums.said
        self.allowed &= sums.allowed
        return self

    def only(self, part: slice) -> int:
        """Return the answer that is right with all of these hands; -1 if it varies, -2 if none of
        them is dealt."""
        used = np.flatnonzero(self.said[:, part].any(axis=1))
        return -2 if not len(used) else int(used[0]) if len(used) == 1 else -1


def versus_grid(rules: Rules) -> Grid:
    decisions = OpponentsDecisions(rules)
    choice, game = decisions.choices[0], decisions.game
    ranked = choice.scene.ranked
    assert ranked is not None
    heads = _dealer_columns(game)
    columns = _charted(decisions, ranked, heads)
    rows = _Rows(ranked, columns)
    listed = rows.fewest()
    names = [rows.name(part) for part in listed]
    cells = tuple(
        tuple(
            _versus_cell(
                game, choice.actions, f"{name} against {head}" if head else name, column, part
            )
            for head, column in zip(heads, columns, strict=True)
        )
        for name, part in zip(names, listed, strict=True)
    )
    return Grid(rules.book.id, choice, cells, tuple(names), heads)


def _dealer_columns(game: VersusGame) -> tuple[str, ...]:
    """Return the ranks of a single card seen; one empty name if no card or several are seen."""
    ranks = [RANKS[rank] for rank in range(12, -1, -1) if game.deck.mask >> rank & 1]
    return tuple(ranks) if game.seen == 1 else ("",)


def _charted(
    decisions: OpponentsDecisions, ranked: RankedHands, heads: Sequence[str]
) -> list[_Sums]:
    answers, threads = len(decisions.choices[0].actions), cores()
    columns = [[_Sums(answers, ranked.count) for _ in heads] for _ in range(threads)]

    def look(thread: int, sets: OpponentsSets) -> None:
        features = sets.features
        shown = int(features[HeldFeature.DEALER, 0])
        place = heads.index(RANKS[shown]) if len(heads) > 1 else 0
        strengths = features[HeldFeature.STRENGTH].astype(np.int64)
        columns[thread][place].add(strengths, sets.values, sets.best, sets.weights)

    decisions.visit_all(look, threads)
    for thread in columns[1:]:
        for place, sums in enumerate(thread):
            columns[0][place] += sums
    return columns[0]


class _Part(NamedTuple):
    """The hands from `start` to `stop` among those dealt, weakest first, of one kind or several."""

    start: int
    stop: int


class _Rows:
    """The rows of a chart: the hands that are dealt, separated as far as their answers require."""

    def __init__(self, ranked: RankedHands, columns: Sequence[_Sums]) -> None:
        self._ranked, self._columns = ranked, columns
        dealt = np.flatnonzero(sum(column.deals for column in columns))
        self._dealt = dealt.tolist()
        self._keys = [
            (int(ranked.categories[strength]), *ranked.deciding(strength))
            for strength in self._dealt
        ]

    def fewest(self) -> list[slice]:
        """Return the rows with as many ranks as leave few rows; the strongest hands first."""
        most = max(map(len, self._keys))
        every = _Part(0, len(self._keys))
        for depth in range(most, 1, -1):
            rows = self._merged(self._merged(list(self._kinds(every, 0, depth))))
            if len(rows) <= _MOST_ROWS:
                break
        return [self._slice(row) for row in reversed(rows)]

    def _kinds(self, part: _Part, known: int, depth: int) -> Iterator[_Part]:
        """Yield hands that share a category and ranks, split by the next rank if that decides."""
        if known and (known >= depth or -1 not in self._said(part)):
            yield part
            return
        start = part.start
        for place in range(part.start, part.stop):
            here = self._keys[place][: known + 1]
            if place + 1 == part.stop or self._keys[place + 1][: known + 1] != here:
                inner = _Part(start, place + 1)
                last = len(here) == len(self._keys[place])
                yield from ((inner,) if last else self._kinds(inner, known + 1, depth))
                start = place + 1

    def _slice(self, part: _Part) -> slice:
        return slice(self._dealt[part.start], self._dealt[part.stop - 1] + 1)

    def _said(self, part: _Part) -> list[int]:
        return [column.only(self._slice(part)) for column in self._columns]

    def _merged(self, rows: Sequence[_Part]) -> list[_Part]:
        """Merge neighbors with the same answers: kinds of one category, and whole categories."""
        merged: list[_Part] = []
        for row in rows:
            if merged and self._may_join(merged[-1], row):
                merged[-1] = _Part(merged[-1].start, row.stop)
            else:
                merged.append(row)
        return merged

    def _may_join(self, row: _Part, following: _Part) -> bool:
        pairs = zip(self._said(row), self._said(following), strict=True)
        if not all(-2 in pair or pair[0] == pair[1] != -1 for pair in pairs):
            return False
        same = self._keys[row.start][0] == self._keys[following.start][0]
        return same or (self._is_whole(row) and self._is_whole(following))

    def _is_whole(self, part: _Part) -> bool:
        """Return whether the part has all hands of its categories."""
        first, last = self._keys[part.start][0], self._keys[part.stop - 1][0]
        before, after = self._keys[: part.start][-1:], self._keys[part.stop :][:1]
        return all(key[0] != first for key in before) and all(key[0] != last for key in after)

    def name(self, row: slice) -> str:
        """Return the shortest name: `pair to flush`, `pair`, `pair 4 to A`, `high card Q64
        to A`."""
        part = _Part(self._dealt.index(row.start), self._dealt.index(row.stop - 1) + 1)
        first, last = self._keys[part.start], self._keys[part.stop - 1]
        low, high = (self._ranked.names[key[0]].replace("_", " ") for key in (first, last))
        if self._is_whole(part):
            return low if low == high else f"{low} to {high}"
        outside = self._keys[: part.start] + self._keys[part.stop :]
        ends = [_shortest(key, outside) for key in (first, last)]
        return f"{low} {' to '.join(dict.fromkeys(ends))}"


def _shortest(key: tuple[int, ...], others: Sequence[tuple[int, ...]]) -> str:
    """Return as many of a hand's first ranks as set it apart from the others."""
    for known in range(2, len(key) + 1):
        if not any(key_[:known] == key[:known] for key_ in others):
            break
    return "".join(RANKS[rank] for rank in key[1:known])


def _versus_cell(
    game: VersusGame, words: Sequence[str], name: str, sums: _Sums, part: slice
) -> HandCell:
    totals = [sum(row) for row in sums.values[:, part].tolist()]
    said = [sum(row) for row in sums.said[:, part].tolist()]
    deals, allowed = sum(said), [bool(row.all()) for row in sums.allowed[:, part]]
    unit = max(deals, 1) * game.opponents * game.scale
    values = {
        word: Fraction(total, unit)
        for word, total, may in zip(words, totals[:-1], allowed, strict=True)
        if may
    }
    shares = {word: Fraction(n, max(deals, 1)) for word, n in zip(words, said, strict=True)}
    return HandCell(name, values, shares, Fraction(totals[-1], unit) - values[words[-1]], deals)


def chart_of_streets(rules: Rules, decision: str = "") -> Grid:
    """Return a decision, the first if none is named: over the 169 starting hands, or over kinds of
    cards if the player sees other than two cards; with a column for each possible sum of bets, if
    it matters."""
    choices = {choice.name: choice for choice in stages_choices(rules)}
    if not choices:
        raise refused("a chart of the first decision", "decisions is empty: nothing is decided")
    name = decision or next(iter(choices))
    if name not in choices:
        raise suggest("decision", name, choices)
    choice, solution = choices[name], solve_streets(rules)
    point = next(each for each in solution.decisions_asked if each.question.decision.name == name)
    scene = choice.scene
    whole = rules.book.deck.ranks == RANKS
    if point is solution.decisions_asked[0] and (scene.own, scene.community) == (2, 0) and whole:
        return grid_of(
            rules, choice, lambda row, column: _starting_hand_cell(solution, point, row, column)
        )
    return _by_kinds(rules, choice, solution, point)


def _by_kinds(
    rules: Rules, choice: StrategyDecision, solution: StreetsSolution, point: Asked
) -> Grid:
    kinds, time = KindsOfCards(rules), point.question.time
    rows_of: dict[Kind, list[int]] = {}
    for row, mask in enumerate(solution.stages.cards_at(time).tolist()):
        rows_of.setdefault(kinds.of(mask), []).append(row)
    columns = _unit_columns(point)
    answers = {
        cards: _always(point, rows, list(columns.values())) for cards, rows in rows_of.items()
    }
    listed = joined(list(rows_of), answers)
    names = tuple([kinds.name(each, rows_of) for each in listed])
    weights = solution.stages.arriving(time)
    unit = solution.stages.ways(time) * solution.scale
    cells = [
        tuple(
            [
                _cell_of(point, choice, f"{name} {head}".rstrip(), rows, column, weights, unit)
                for head, column in columns.items()
            ]
        )
        for name, rows in zip(names, [_all_rows(each, rows_of) for each in listed], strict=True)
    ]
    # The kinds describe everything that is seen, the community cards too.
    all_seen = replace(choice, scene=CardsSeen(time, 0))
    return Grid(rules.book.id, all_seen, tuple(cells), names, tuple(columns))


def _all_rows(kinds: Iterable[Kind], rows_of: dict[Kind, list[int]]) -> NDArray[np.int64]:
    return np.array([row for cards in kinds for row in rows_of[cards]], np.int64)


def _unit_columns(decision: Asked) -> dict[str, int]:
    """Return the columns of the solution by the units bet; one if the bets change nothing."""
    if (decision.best == decision.best[:, :1]).all():
        return {"": 0}
    sums = {column: sum(units) for (units, _), column in decision.column.items()}
    if len(set(sums.values())) < len(sums):
        return {str(number): column for number, column in enumerate(sums)}
    return {f"{units}u": column for column, units in sorted(sums.items(), key=lambda each: each[1])}


def _always(decision: Asked, rows: list[int], columns: list[int]) -> tuple[int, ...] | None:
    """Return the best answer in each column, if it is the same with all of these cards."""
    best = decision.best[np.ix_(rows, columns)]
    return tuple(best[0].tolist()) if (best == best[0]).all() else None


def _cell_of(
    decision: Asked,
    choice: StrategyDecision,
    name: str,
    rows: NDArray[np.int64],
    column: int,
    weights: NDArray[np.int64],
    unit: int,
) -> HandCell:
    """Return the cell of all these rows together. An answer that some of these cards may not give
    has no value."""
    times, best = weights[rows].tolist(), decision.best[rows, column]
    weight = sum(times)
    sums = [values[rows, column] for values in decision.values]
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
    """Return the sum in integers of any size."""
    return sum(int(number) * count for number, count in zip(numbers.tolist(), times, strict=True))


def _starting_hand_cell(
    solution: StreetsSolution, decision: Asked, row: int, column: int
) -> HandCell:
    members = members_of(row, column)
    by_hand = [
        solution.values_at(decision, [Card(a), Card(b)], solution.course.start) for a, b in members
    ]
    words = [answer.word for answer in decision.question.answers if answer.word in by_hand[0]]
    count = len(members)
    order = words if solution.rules.takes_first else words[::-1]
    best = [max(order, key=lambda word: values[word]) for values in by_hand]
    if _adds_alone(solution, decision):
        by_hand = [{word: each[word] - each[words[-1]] for word in words} for each in by_hand]
    values = {word: sum((each[word] for each in by_hand), Fraction(0)) / count for word in words}
    top = sum((max(each.values()) for each in by_hand), Fraction(0)) / count
    shares = {word: Fraction(best.count(word), count) for word in words}
    return HandCell(hand_name(row, column), values, shares, top - values[words[-1]], count)


def _adds_alone(solution: StreetsSolution, point: Asked) -> bool:
    """Return whether the answer is worth the same whatever else is bet, so that it can be shown
    alone: a bet or a check, if nothing is folded or taken back."""
    decisions = solution.rules.book.decisions
    nothing_lost = not any(each.otherwise == "fold" or each.takes_back for each in decisions)
    return nothing_lost and point.question.decision.otherwise == "check"


def streets_values(rules: Rules) -> tuple[Fraction, list[Skipped]]:
    """Return the house edge of the best play, and the edge when a decision is always answered in
    the same way: always checking if a check is allowed, or else every answer that all hands may
    give."""
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

    def choose(point: Asked) -> NDArray[np.int8]:
        same = point.question.decision is decision
        return np.full_like(point.best, number) if same else point.best

    return choose
