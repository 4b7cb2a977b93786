"""Exact optimal play of hold'em against the dealer, and its value as a fraction.

On any cards a path is worth the same linear sum: A + kB + lC for its bets. So one quantity is
summed over runouts for each different sum of bets; and if the river decides, also the value of its
best choice, which depends on what a fold would lose by then. From there backward induction applies:
each decision is a maximum over the paths that may follow, taken once for every arriving path, from
the turn back to the deal.

With one decided wager the quantities are A, B and E of `prices`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.mathematics.counters.boards.games import (
    HoldemGame,
    Level,
    Path,
    RiverGame,
    payoffs,
)
from croupier.mathematics.counters.boards.geometry import (
    card_pairs,
    flop_pairs,
    flop_views,
    flops_of,
    hand_images,
    orbits_of,
    turns_of,
)
from croupier.mathematics.counters.boards.information_sets import (
    Answers,
    Origins,
    RunoutSums,
    decide_turns,
    gather_flops,
    hand_rows,
    new_stage_scratch,
    total_up,
)
from croupier.mathematics.counters.boards.prices import (
    BASE,
    MOST_GAMES,
    TooManyColumns,
    columns_of,
)
from croupier.mathematics.counters.boards.sums import BoardSums, sum_boards
from croupier.mathematics.kernels.arrays import I8, I64, best_places
from croupier.mathematics.kernels.threads import cores, ranges, spread

Numbers = npt.NDArray[Any]  # int64 at the flop, Python's integers before it
Values = Mapping[Path, Numbers]

_MOST_ROWS: Final = 16  # quantities in one pass where the turn decides: memory grows with them


@dataclass(frozen=True)
class Stage:
    """All information sets after `level.seen` cards: sums of what each onward path is worth.

    Before the flop the sums also run over the members of each orbit. Divided by `ways` (and by the
    orbit's size before the flop) they are values in units of 1/scale.
    """

    game: HoldemGame
    level: Level
    onward: Values
    size: I64 | None
    ways: int

    def worth(self, path: Path) -> Numbers:
        """Return the sums of a path that leaves here."""
        if not path.folded:
            return self.onward[path]
        constant = self.game.fold(path.bets) * self.ways
        if self.size is None:
            length = len(flops_of(self.game.deck).hand)
            return np.full(length, constant)
        return np.asarray(constant * self.size.astype(object))

    def answers(self, arriving: Path) -> tuple[Path, ...]:
        """Return the paths that an arriving path can become."""
        return self.level.answers(arriving)

    def _worths(self, arriving: Path) -> Numbers:
        return np.stack([self.worth(path) for path in self.answers(arriving)])

    def actions(self, arriving: Path) -> I8:
        """Return the index of the best answer of an arriving path."""
        return best_places(self._worths(arriving), self.game.takes_first).astype(np.int8)

    def best(self, arriving: Path) -> Numbers:
        return np.asarray(self._worths(arriving).max(axis=0))


@dataclass(frozen=True)
class Solution:
    """The optimal strategy up to the turn; the river's follows from `river_game`."""

    game: HoldemGame
    value: Fraction
    """The expected net result of a round, in units of one required wager."""
    stages: Mapping[int, Stage]  # by cards seen, none to three, where something is decided
    turn_played: I8 | None = None

    @cached_property
    def turn(self) -> I8:
        """[asked path, situation]: the indexes of the answers at the turn, computed when they are
        needed; empty if the turn decides nothing."""
        return turn_of(self.game) if self.turn_played is None else self.turn_played


def turn_of(game: HoldemGame) -> I8:
    """Return [asked path, situation]: the indexes of the best answers at the turn."""
    turn = game.level(4)
    if turn is None:
        return np.zeros((0, 0), np.int8)
    return _decide_turn(game, turn, turn_sums(game), cores())[1]


def solve_holdem(game: HoldemGame, threads: int | None = None) -> Solution:
    threads = threads or cores()
    turn = game.level(4)
    ways = comb(game.cards - 5, 2) * game.dealer_hands
    actions = None
    if turn is None:
        values = _Sums(game, threads).at_flop(threads)
    else:
        ways *= 2  # turn and river in the order dealt
        values, actions = _decide_turn(game, turn, turn_sums(game, threads), threads)
    stages: dict[int, Stage] = {}
    flop = game.level(3)
    if flop is not None:
        stages[3], values = _decided(Stage(game, flop, values, None, ways))
    value = _before_flop(game, values, ways, stages, threads)
    return Solution(game, value, stages, actions)


def _decided(stage: Stage) -> tuple[Stage, dict[Path, Numbers]]:
    """Return the stage with only those paths that are a choice, and the worth of the arriving
    paths."""
    values = {path: stage.best(path) for path in stage.level.arriving}
    left = {after for path in stage.level.asked_paths for after in stage.answers(path)}
    onward = {path: worth for path, worth in stage.onward.items() if path in left}
    return replace(stage, onward=onward), values


# -- sums over runouts ----------------------------------------------------------------------------


class _River(NamedTuple):
    """The wager bet on all five community cards, its multiples (0 is a check), and whether a fold
    is allowed."""

    wager: int
    multiples: tuple[int, ...]
    folds: bool


def _river_of(game: HoldemGame) -> _River | None:
    """Return what is asked at the river: the same for every path that is asked, because one wager
    is decided."""
    level = game.level(5)
    if level is None or not level.asked_cases:
        return None
    answers = level.answers(level.asked_paths[0])
    wager = next(question.wager for question in game.questions if question.seen == 5)
    bets = tuple(dict.fromkeys(each.bets[wager] for each in answers if each.bets[wager]))
    folds = any(each.folded for each in answers)
    return _River(wager, bets if folds else (*bets, 0), folds)


def is_asked_at_river(game: HoldemGame, path: Path) -> bool:
    return game.answers(5, path) != (path,)


def river_game(game: HoldemGame, path: Path, decided: I64 | None = None) -> tuple[RiverGame, int]:
    """Return the rest of the game for a path that comes to the river, or to a free showdown, and
    the shift to add to its amounts: they are reduced so that a fold is worth 0. `decided` is what a
    unit pays if nothing is asked at the river."""
    river = _river_of(game)
    if river is None:
        return replace(free_game(game, decided), required=game.payoffs(path.bets)), 0
    shift = game.fold(path.bets) if river.folds else 0
    return replace(
        free_game(game, game.decided[river.wager]),
        required=game.payoffs(path.bets) - shift,
        multiples=river.multiples,
        folds=river.folds,
    ), shift


def free_game(game: HoldemGame, decided: I64 | None = None) -> RiverGame:
    """Return the game of a free showdown on the same cards."""
    return RiverGame(
        required=game.required,
        decided=payoffs([0] * 6) if decided is None else decided,
        qualifier=game.qualifier,
        deck=game.deck,
        tables=game.strengths.tables,
    )


class _Sums:
    """For every path after the last decision before the river, how its sum over runouts is composed
    of the rows that `sum_boards` fills (A, B, E, columns, and E of further games less the first
    one's), and what to add to each runout."""

    def __init__(self, game: HoldemGame, threads: int) -> None:
        before_river = [level for level in game.levels if level.seen < 5]
        self.game = game
        self.paths = before_river[-1].onward if before_river else game.levels[-1].arriving
        self.plus = dict.fromkeys(self.paths, 0)
        river = _river_of(game)
        if river is not None and river.folds:
            games, parts = self._by_path(river.wager)
        else:
            games, parts = self._by_wager(0 if river is None else river.wager)
        if len(games) > MOST_GAMES:
            raise TooManyColumns
        columns = columns_of(games)
        coefficients = np.zeros((1, 0), np.int64) if columns is None else columns.coefficients
        rows = BASE + coefficients.shape[1] + len(games) - 1
        at_turn = game.level(4) is not None
        if at_turn and rows > _MOST_ROWS:
            raise TooManyColumns
        self.terms = {path: _in_rows(part, games[0], coefficients) for path, part in parts.items()}
        self.tables = sum_boards(games, columns, rows, at_turn, threads)

    def _by_wager(self, first: int) -> tuple[list[RiverGame], dict[Path, _Parts]]:
        """Compose the sums if nothing is folded at the river, where the choice is then the same for
        all: a game for the required wagers, with the wager `first` decided in play, and one with a
        unit of each other wager that pays differently."""
        game = self.game
        root = game.levels[0].arriving[0]
        unit = game.decided[first]
        base, _ = river_game(game, root, unit)
        games, numbers = [base], {unit.tobytes(): 0}
        for pays in game.decided:
            if numbers.setdefault(pays.tobytes(), len(games)) == len(games):
                games.append(replace(base, required=base.required + pays))
        by_path: dict[Path, _Parts] = {}
        for path in self.paths:
            parts: Counter[int] = Counter()
            for multiple, pays in zip(path.bets, game.decided, strict=True):
                parts[numbers[pays.tobytes()]] += multiple
            decided = parts.pop(0, 0)
            by_path[path] = _Parts(dict(parts), decided, is_asked_at_river(game, path), 0)
        return games, by_path

    def _by_path(self, first: int) -> tuple[list[RiverGame], dict[Path, _Parts]]:
        """Compose the sums if a fold at the river loses the bets so far: a game for every different
        sum of bets, in which a fold is worth 0. A path with nothing to decide there differs from
        one of these by units of the wager `first`, if its other bets are the same."""
        game, unit = self.game, self.game.decided[first]
        games: list[RiverGame] = []
        numbers: dict[bytes, int] = {}
        shifts: list[int] = []
        alike: dict[bytes, tuple[int, int]] = {}  # by what is bet besides: a game, and its units
        parts: dict[Path, _Parts] = {}
        alike_unit = [np.array_equal(pays, unit) for pays in game.decided]
        for path in sorted(self.paths, key=lambda path: not is_asked_at_river(game, path)):
            is_asked = is_asked_at_river(game, path)
            units = sum(k for k, same in zip(path.bets, alike_unit, strict=True) if same)
            besides = (game.payoffs(path.bets) - units * unit).tobytes()
            if is_asked or besides not in alike:
                own, shift = river_game(game, path)
                number = numbers.setdefault(own.required.tobytes(), len(games))
                if number == len(games):
                    games.append(own)
                    shifts.append(shift)
                alike.setdefault(besides, (number, units))
                parts[path] = _Parts({number: 1}, 0, is_asked, number)
            else:
                number, others = alike[besides]
                parts[path] = _Parts({number: 1}, units - others, False, 0)
            self.plus[path] = shifts[number]
        return games, parts

    def at_flop(self, threads: int) -> dict[Path, Numbers]:
        """Return for every path its sums over runouts: composed of the rows, or its own if that is
        less work."""
        game = self.game
        flops, seen, rows = flops_of(game.deck), flop_views(game.deck), hand_rows()
        every = [self.terms[path] for path in self.paths]
        used = sorted({row for terms in every for row in terms})
        if len(used) < len(every):
            sums = {row: self.tables.flops.of(row) for row in used}
        else:
            sums = {n: _together(terms, self.tables.flops) for n, terms in enumerate(every)}
            every = [{number: 1} for number in range(len(every))]
        looked_up = {row: np.empty(len(flops.hand), np.int64) for row in sums}
        by_path = {path: np.empty(len(flops.hand), np.int64) for path in self.paths}
        ways = comb(game.cards - 5, 2) * game.dealer_hands

        def work(_: int, span: tuple[int, int]) -> None:
            for row, out in looked_up.items():
                gather_flops(*span, flops, seen, rows, sums[row], out)
            part = slice(int(flops.start[span[0]]), int(flops.start[span[1]]))
            for path, terms in zip(self.paths, every, strict=True):
                out = by_path[path][part]
                out[:] = self.plus[path] * ways
                for row, times in terms.items():
                    out += looked_up[row][part] if times == 1 else times * looked_up[row][part]

        spread(ranges(len(flops.cards), 50), work, threads)
        return dict(by_path)

    def at_turn(self, turn: Level) -> TurnSums:
        """Return the quantities to look up at the turn, and what the answers make of them: the rows
        themselves, or the paths' sums if those are fewer."""
        game, boards = self.game, self.tables.turns
        ways = (game.cards - 6) * game.dealer_hands
        every = [self.terms[path] for path in self.paths]
        different = [dict(terms) for terms in dict.fromkeys(tuple(t.items()) for t in every)]
        rows = sorted({row for terms in every for row in terms})
        quantities = [{row: 1} for row in rows] if len(rows) < len(different) else different
        start, row, times, plus = [0], [], [], []
        for answers_of_path in turn.leaving:
            for path in answers_of_path:
                terms = {} if path.folded else self.terms[path]
                if quantities is different:
                    times.append([int(each == terms) for each in quantities])
                else:
                    times.append([terms.get(row, 0) for row in rows])
                each = game.fold(path.bets) if path.folded else self.plus[path]
                plus.append(each * ways)
            start.append(len(plus))
        for number in range(len(turn.arriving)):
            row.append(turn.asked_cases.index(number) if number in turn.asked_cases else -1)
        sums = [_together(terms, boards) for terms in quantities]
        plain, suited = zip(*sums, strict=True)
        answers = Answers(*(np.array(part, np.int64) for part in (start, row, times, plus)))
        return TurnSums(RunoutSums(np.stack(plain), np.stack(suited)), answers)


class TurnSums(NamedTuple):
    """The quantities that are looked up for a situation of the turn, and what the answers make of
    them."""

    runouts: RunoutSums
    answers: Answers

    def values(self, path: int, sums: I64) -> I64:
        """Return [answer, situation] of one path that comes to the turn."""
        place = slice(int(self.answers.start[path]), int(self.answers.start[path + 1]))
        worth: I64 = self.answers.times[place] @ sums + self.answers.plus[place, None]
        return worth


def turn_sums(game: HoldemGame, threads: int | None = None) -> TurnSums:
    turn = game.level(4)
    assert turn is not None
    return _Sums(game, threads or cores()).at_turn(turn)


class _Parts(NamedTuple):
    """A path's sum: the coefficients of each game's A (less the first one's) and of B, and the
    number of the game whose river goes on from here."""

    games: dict[int, int]
    decided: int
    onward: bool
    river: int


def _in_rows(parts: _Parts, first: RiverGame, coefficients: I64) -> dict[int, int]:
    """Return the coefficient of each row of the tables."""
    rows: Counter[int] = Counter({0: 1, 1: parts.decided})
    for number, times in parts.games.items():
        for column, each in enumerate(coefficients[number].tolist()):
            rows[BASE + column] += times * each
    if parts.onward:
        rows[1] += first.multiples[0]
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
    game: HoldemGame, turn: Level, sums: TurnSums, threads: int
) -> tuple[dict[Path, Numbers], I8]:
    """Return for every path that comes to the turn what it is worth at the flop, and the answers of
    those that decide."""
    flops, turns, rows = flops_of(game.deck), turns_of(game.deck), hand_rows()
    origins = Origins(hand_images(), flop_pairs(game.deck))
    actions = np.zeros((len(turn.asked_cases), len(turns.hand)), np.int8)
    values = np.zeros((threads, len(flops.hand), len(turn.arriving)), np.int64)
    fixed = (turns, rows, *sums, origins, game.takes_first)

    def work(thread: int, span: tuple[int, int]) -> None:
        sizes = (len(sums.runouts.plain), len(turn.arriving))
        scratch = (new_stage_scratch(), *(np.zeros(size, np.int64) for size in sizes))
        decide_turns(*span, *fixed, *scratch, actions, values[thread])

    spread(ranges(len(turns.cards), 40), work, threads)
    by_hand = values.sum(axis=0).T // flops.orbit
    return dict(zip(turn.arriving, by_hand, strict=True)), actions


# -- before the flop ------------------------------------------------------------------------------


def _before_flop(
    game: HoldemGame, values: Values, ways: int, stages: dict[int, Stage], threads: int
) -> Fraction:
    """Fill in the stages before the flop and return the value of the game."""
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
            size = orbits_of(game.deck, seen).size
            stages[seen], values = _decided(Stage(game, level, values, size, ways))
    (total,) = [sum(int(value) for value in sums) for sums in values.values()]
    return Fraction(total, comb(game.cards, 2) * ways * game.scale)


def _from_flops(game: HoldemGame, seen: int, values: Values, threads: int) -> dict[Path, Numbers]:
    flops, orbits = flops_of(game.deck), orbits_of(game.deck, seen)
    paths = list(values)
    by_path: dict[Path, Numbers] = {}
    for at in range(0, len(paths), 3):
        three = [np.ascontiguousarray(values[path]) for path in paths[at : at + 3]]
        three += [three[0]] * (3 - len(three))
        halves = np.zeros((threads, len(orbits.size), 6), dtype=np.int64)

        def work(
            thread: int,
            span: tuple[int, int],
            sums: tuple[Numbers, ...] = tuple(three),
            out: I64 = halves,
        ) -> None:
            total_up(*span, flops, seen, orbits.number, sums, out[thread])

        spread(ranges(len(flops.cards), 100), work, threads)
        whole = halves.sum(axis=0).astype(object)
        joined = [whole[:, i] * (1 << 32) + whole[:, i + 1] for i in (0, 2, 4)]
        by_path.update(zip(paths[at : at + 3], joined, strict=False))
    return by_path


def _from_orbits(game: HoldemGame, seen: int, later: int, values: Values) -> dict[Path, Numbers]:
    """Go back from two cards seen to one or none, or from one to none."""
    before, after = orbits_of(game.deck, seen), orbits_of(game.deck, later)
    hands, shown = np.divmod(after.example, after.width)
    if seen == 0:
        targets = [before.number[hands]]
    else:
        targets = [before.number[hands * 52 + card_pairs()[shown, end]] for end in (0, 1)]
    sums: dict[Path, Numbers] = {}
    for path, numbers in values.items():
        total = np.zeros(len(before.size), dtype=object)
        for target in targets:
            np.add.at(total, target, numbers)
        sums[path] = total
    return sums
