"""Exact optimal play with several wagers decided in play, and its value as a fraction.

A path is worth the same linear sum wherever the cards are: A + kB + lC of the bets that are down.
So what is summed over runouts, by the kernels of `holdem`, is one quantity for each different sum
of bets; and where the river decides, the value of its best choice, which hangs on what a fold would
lose by then. From there each decision is a maximum over the paths that may follow, taken once for
every path that comes to it, from the turn back to the deal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.mathematics.counters.boards.games import BetDecision, HoldemGame, payoffs
from croupier.mathematics.counters.boards.geometry import (
    card_pairs,
    flop_views,
    flops_of,
    hand_images,
    orbits_of,
)
from croupier.mathematics.counters.boards.kernel_records import RunoutSums, hand_rows
from croupier.mathematics.counters.boards.ranking_pass import (
    MOST_GAMES,
    BoardSums,
    TooManyColumns,
    coefficients_of,
    river_choices,
    sum_boards,
)
from croupier.mathematics.counters.boards.showdown_prices import BASE
from croupier.mathematics.counters.boards.stages import (
    FlopValues,
    gather_flops,
    new_stage_scratch,
    total_up,
)
from croupier.mathematics.counters.boards.turns import flop_pairs, turns_of
from croupier.mathematics.counters.several_bets.bets import Level, Path
from croupier.mathematics.counters.several_bets.games import SeveralBets
from croupier.mathematics.counters.several_bets.turns import Answers, Origins, decide_turns
from croupier.mathematics.kernels.arrays import I8, I64
from croupier.mathematics.kernels.threads import cores, ranges, spread

__all__ = ["Numbers", "Solution", "Stage", "free_game", "is_asked_at_river", "river_game", "solve"]

Numbers = npt.NDArray[Any]  # int64 at the flop, Python's integers before it
Values = Mapping[Path, Numbers]

_MOST_ROWS: Final = 16  # quantities in one pass where the turn decides: memory grows with them


@dataclass(frozen=True)
class Stage:
    """All information sets after `level.seen` cards: sums of what each onward path is worth.

    Before the flop the sums run over the members of each orbit too. Divided by `ways` (and by the
    orbit's size before the flop) they are values in units of 1/scale.
    """

    game: SeveralBets
    level: Level
    onward: Values
    size: I64 | None
    ways: int

    def worth(self, path: Path) -> Numbers:
        """The sums of a path that leaves here."""
        if not path.folded:
            return self.onward[path]
        constant = self.game.fold(path.bets) * self.ways
        if self.size is None:
            length = len(flops_of(self.game.deck).hand)
            return np.full(length, constant)
        return np.asarray(constant * self.size.astype(object))

    def actions(self, arriving: Path) -> I8:
        """The place of the best answer of a path that comes here."""
        answers = self.level.leaving[self.level.arriving.index(arriving)]
        best = self.worth(answers[0])
        chosen = np.zeros(len(best), np.int8)
        for place, path in enumerate(answers[1:], 1):
            value = self.worth(path)
            better = (value > best if self.game.takes_first else value >= best).astype(bool)
            chosen[better] = place
            best = np.where(better, value, best)
        return chosen

    def best(self, arriving: Path) -> Numbers:
        answers = self.level.leaving[self.level.arriving.index(arriving)]
        best = self.worth(answers[0])
        for path in answers[1:]:
            best = np.maximum(best, self.worth(path))
        return best


@dataclass(frozen=True)
class Solution:
    """The optimal strategy up to the turn. `turn[path, situation]` has the places of the answers;
    it is empty where the turn decides nothing. The river's follow from `river_game`."""

    game: SeveralBets
    value: Fraction
    stages: Mapping[int, Stage]  # by cards seen, none to three, where something is decided
    turn: I8


def solve(game: SeveralBets, threads: int | None = None) -> Solution:
    threads = threads or cores()
    turn = game.level(4)
    sums = _Sums.of(game, threads)
    actions = np.zeros((0, 0), np.int8)
    ways = comb(game.cards - 5, 2) * game.dealer_hands
    if turn is None:
        values = {path: sums.at_flop(path, threads) for path in sums.paths}
    else:
        ways *= 2  # turn and river in the order dealt
        runouts, answers = sums.at_turn(turn)
        del sums  # large: only the joined sums are needed from here on
        values, actions = _decide_turn(game, turn, runouts, answers, threads)
    stages: dict[int, Stage] = {}
    flop = game.level(3)
    if flop is not None:
        stages[3] = Stage(game, flop, values, None, ways)
        values = {path: stages[3].best(path) for path in flop.arriving}
    value = _before_flop(game, values, ways, stages, threads)
    return Solution(game, value, stages, actions)


# -- sums over runouts ----------------------------------------------------------------------------


class _River(NamedTuple):
    """The multiples after five cards (0 is to check), and whether a fold is allowed."""

    wager: int
    multiples: tuple[int, ...]
    folds: bool


def _river_of(game: SeveralBets, path: Path) -> _River | None:
    """What a path is asked at the river; None where nothing is."""
    level = game.level(5)
    if level is None:
        return None
    answers = level.leaving[level.arriving.index(path)]
    wager = next(question.wager for question in game.questions if question.seen == 5)
    bets = tuple(dict.fromkeys(each.bets[wager] for each in answers if each.bets[wager]))
    if answers == (path,):
        return None
    return _River(wager, bets, any(each.folded for each in answers))


def is_asked_at_river(game: SeveralBets, path: Path) -> bool:
    return _river_of(game, path) is not None


def river_game(game: SeveralBets, path: Path, decided: I64 | None = None) -> tuple[HoldemGame, int]:
    """The rest of the game of a path that comes to the river, or to a free showdown, as one with a
    single decided wager; and what must be added to its amounts: they are less by as much as makes
    a fold worth 0. `decided` is what a unit pays where nothing is asked at the river."""
    level = game.level(5)
    rivers = [] if level is None else [_river_of(game, each) for each in level.arriving]
    # One wager is decided at the river, so all that are asked are asked the same.
    asked = next((river for river in rivers if river is not None), None)
    dummy = BetDecision(4 if game.level(4) else 3, (1,))
    shift = 0
    decisions: tuple[BetDecision, ...] = (dummy,)
    unit = payoffs([0] * 6) if decided is None else decided
    if asked is not None:
        shift = game.fold(path.bets) if asked.folds else 0
        decisions = (dummy, BetDecision(5, asked.multiples, "fold" if asked.folds else "check"))
        unit = game.decided[asked.wager]
    return HoldemGame(
        decisions=decisions,
        required=game.payoffs(path.bets) - shift,
        decided=unit,
        qualifier=game.qualifier,
        fold=0,
        scale=game.scale,
        deck=game.deck,
        tables=game.strengths and game.strengths.tables,
    ), shift


def free_game(game: SeveralBets) -> HoldemGame:
    """A free showdown on the same cards, for those that are asked nothing more."""
    return HoldemGame(
        decisions=(BetDecision(3, (1,)),),
        required=game.required,
        decided=payoffs([0] * 6),
        qualifier=game.qualifier,
        scale=game.scale,
        deck=game.deck,
        tables=game.strengths and game.strengths.tables,
    )


class _Sums:
    """For every path after the last decision before the river: how its sum over runouts is put
    together from the rows that `sum_boards` fills (A, B, E, columns, and E of further games less
    the first one's), and what to add to each runout."""

    def __init__(self, game: SeveralBets, paths: tuple[Path, ...], threads: int) -> None:
        self.game, self.paths = game, paths
        rivers = [river for path in paths if (river := _river_of(game, path)) is not None]
        self.plus = dict.fromkeys(paths, 0)
        if rivers and rivers[0].folds:
            games, terms = self._by_path()
        else:
            games, terms = self._by_wager(rivers[0].wager if rivers else 0)
        if len(games) > MOST_GAMES:
            raise TooManyColumns
        coefficients = coefficients_of(games)
        rows = BASE + coefficients.shape[1] + len(games) - 1
        if game.level(4) and rows > _MOST_ROWS:
            raise TooManyColumns
        self.terms = {
            path: _in_rows(parts, games[0], coefficients) for path, parts in terms.items()
        }
        self.tables = sum_boards(games, threads)

    @classmethod
    def of(cls, game: SeveralBets, threads: int) -> _Sums:
        before_river = [level for level in game.levels if level.seen < 5]
        paths = before_river[-1].onward if before_river else game.levels[-1].arriving
        return cls(game, paths, threads)

    def _by_wager(self, first: int) -> tuple[list[HoldemGame], dict[Path, _Parts]]:
        """Nothing is folded at the river, so its choice is the same for all: a game for the
        required wagers, with the wager `first` decided in play, and one with a unit of each other
        wager that pays differently."""
        game = self.game
        root = game.levels[0].arriving[0]
        unit = game.decided[first]
        base, _ = river_game(game, root, unit)
        games, numbers = [base], {unit.tobytes(): 0}
        for pays in game.decided:
            if numbers.setdefault(pays.tobytes(), len(games)) == len(games):
                games.append(replace(base, required=base.required + pays))
        found: dict[Path, _Parts] = {}
        for path in self.paths:
            parts: Counter[int] = Counter()
            for multiple, pays in zip(path.bets, game.decided, strict=True):
                parts[numbers[pays.tobytes()]] += multiple
            decided = parts.pop(0, 0)
            onward = _river_of(game, path) is not None
            found[path] = _Parts(dict(parts), decided, onward, 0)
        return games, found

    def _by_path(self) -> tuple[list[HoldemGame], dict[Path, _Parts]]:
        """A fold at the river loses what is down by then: a game for every different sum of bets,
        in which a fold is worth nothing."""
        games: list[HoldemGame] = []
        numbers: dict[bytes, int] = {}
        found: dict[Path, _Parts] = {}
        for path in self.paths:
            own, self.plus[path] = river_game(self.game, path)
            number = numbers.setdefault(own.required.tobytes(), len(games))
            if number == len(games):
                games.append(own)
            onward = _river_of(self.game, path) is not None
            found[path] = _Parts({number: 1}, 0, onward, number)
        return games, found

    def at_flop(self, path: Path, threads: int) -> I64:
        game = self.game
        flops, seen, rows = flops_of(game.deck), flop_views(game.deck), hand_rows()
        sums = _together(self.terms[path], self.tables.flops)
        out = np.empty(len(flops.hand), dtype=np.int64)

        def work(_: int, span: tuple[int, int]) -> None:
            gather_flops(*span, flops, seen, rows, sums, out)

        spread(ranges(len(flops.cards), 100), work, threads)
        return out + self.plus[path] * comb(game.cards - 5, 2) * game.dealer_hands

    def at_turn(self, turn: Level) -> tuple[RunoutSums, Answers]:
        """The quantities to be looked up at the turn, and what the answers make of them: the rows
        themselves, or the paths' sums where those are fewer."""
        game, boards = self.game, self.tables.turns
        ways = (game.cards - 6) * game.dealer_hands
        every = [self.terms[path] for path in self.paths]
        different = [dict(terms) for terms in dict.fromkeys(tuple(t.items()) for t in every)]
        rows = sorted({row for terms in every for row in terms})
        quantities = [{row: 1} for row in rows] if len(rows) < len(different) else different
        start, times, plus = [0], [], []
        for answers in turn.leaving:
            for path in answers:
                terms = {} if path.folded else self.terms[path]
                if quantities is different:
                    times.append([int(each == terms) for each in quantities])
                else:
                    times.append([terms.get(row, 0) for row in rows])
                each = game.fold(path.bets) if path.folded else self.plus[path]
                plus.append(each * ways)
            start.append(len(plus))
        found = [_together(terms, boards) for terms in quantities]
        plain, suited = zip(*found, strict=True)
        told = Answers(*(np.array(part, np.int64) for part in (start, times, plus)))
        return RunoutSums(np.stack(plain), np.stack(suited)), told


class _Parts(NamedTuple):
    """A path's sum: how often a game's A less the first one's counts, how often B does, and the
    number of the game whose river goes on from here."""

    games: dict[int, int]
    decided: int
    onward: bool
    river: int


def _in_rows(parts: _Parts, first: HoldemGame, coefficients: I64) -> dict[int, int]:
    """How often each row of the tables counts."""
    rows: Counter[int] = Counter({0: 1, 1: parts.decided})
    for number, times in parts.games.items():
        for column, each in enumerate(coefficients[number].tolist()):
            rows[BASE + column] += times * each
    if parts.onward:
        rows[1] += river_choices(first)[0][0]
        rows[2] += 1
        if parts.river:
            rows[BASE + coefficients.shape[1] + parts.river - 1] += 1
    return {row: times for row, times in sorted(rows.items()) if times}


def _together(terms: Mapping[int, int], boards: BoardSums) -> RunoutSums:
    plain: I64 | int = 0
    suited: I64 | int = 0
    for row, times in terms.items():
        sums = boards.of(row)
        plain = plain + times * sums.plain
        suited = suited + times * sums.suited.astype(np.int64)
    assert not isinstance(plain, int)
    assert not isinstance(suited, int)
    return RunoutSums(plain, suited)


# -- the turn -------------------------------------------------------------------------------------


def _decide_turn(
    game: SeveralBets, turn: Level, runouts: RunoutSums, answers: Answers, threads: int
) -> tuple[dict[Path, Numbers], I8]:
    """For every path that comes to the turn what it is worth at the flop, and its answers."""
    flops, turns, rows = flops_of(game.deck), turns_of(game.deck), hand_rows()
    origins = Origins(hand_images(), flop_pairs(game.deck))
    actions = np.zeros((len(turn.arriving), len(turns.hand)), np.int8)
    values = np.zeros((threads, len(flops.hand), len(turn.arriving)), np.int64)

    def work(thread: int, span: tuple[int, int]) -> None:
        space = (np.zeros(size, np.int64) for size in (len(runouts.plain), len(turn.arriving)))
        scratch = (new_stage_scratch(), *space)
        decide_turns(
            *span,
            turns,
            rows,
            runouts,
            answers,
            origins,
            game.takes_first,
            *scratch,
            actions,
            values[thread],
        )

    spread(ranges(len(turns.cards), 40), work, threads)
    found = values.sum(axis=0).T // flops.orbit
    return dict(zip(turn.arriving, found, strict=True)), actions


# -- before the flop ------------------------------------------------------------------------------


def _before_flop(
    game: SeveralBets, values: Values, ways: int, stages: dict[int, Stage], threads: int
) -> Fraction:
    """Fills in the stages before the flop: the value of the game."""
    seen_last = 3
    for seen in (2, 1, 0):
        level = game.level(seen)
        if level is None and seen:
            continue
        ways *= comb(game.cards - 2 - seen, seen_last - seen)
        if seen_last == 3:
            values = _from_flops(game, seen, values, threads)
        else:
            values = _from_orbits(game, seen, seen_last, values)
        seen_last = seen
        if level is not None:
            stages[seen] = Stage(game, level, values, orbits_of(game.deck, seen).size, ways)
            values = {path: stages[seen].best(path) for path in level.arriving}
    (total,) = [sum(int(value) for value in found) for found in values.values()]
    return Fraction(total, comb(game.cards, 2) * ways * game.scale)


def _from_flops(game: SeveralBets, seen: int, values: Values, threads: int) -> dict[Path, Numbers]:
    flops, orbits = flops_of(game.deck), orbits_of(game.deck, seen)
    paths, nothing = list(values), np.zeros(0, np.int64)
    found: dict[Path, Numbers] = {}
    for at in range(0, len(paths), 3):
        three = [np.ascontiguousarray(values[path]) for path in paths[at : at + 3]]
        three += [three[0]] * (3 - len(three))
        halves = np.zeros((threads, len(orbits.size), 6), dtype=np.int64)

        def work(
            thread: int,
            span: tuple[int, int],
            sums: FlopValues = FlopValues(*three),  # noqa: B008
            out: I64 = halves,
        ) -> None:
            total_up(*span, flops, seen, orbits.number, sums, nothing, out[thread])

        spread(ranges(len(flops.cards), 100), work, threads)
        whole = halves.sum(axis=0).astype(object)
        joined = [whole[:, i] * (1 << 32) + whole[:, i + 1] for i in (0, 2, 4)]
        found.update(zip(paths[at : at + 3], joined, strict=False))
    return found


def _from_orbits(game: SeveralBets, seen: int, later: int, values: Values) -> dict[Path, Numbers]:
    """From two cards seen to one or none, or from one to none."""
    before, after = orbits_of(game.deck, seen), orbits_of(game.deck, later)
    hands, shown = np.divmod(after.example, after.width)
    if seen == 0:
        targets = [before.number[hands]]
    else:
        targets = [before.number[hands * 52 + card_pairs()[shown, end]] for end in (0, 1)]
    found: dict[Path, Numbers] = {}
    for path, numbers in values.items():
        total = np.zeros(len(before.size), dtype=object)
        for target in targets:
            np.add.at(total, target, numbers)
        found[path] = total
    return found
