"""Hold'em with one set of cards seen at a time.

All wagers decided in play pay alike here, so that a path is worth A + kB with k units down, and
what the river may add; then the sums of `removed_cards` are enough.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import HoldemGame, Level, Path
from croupier.mathematics.counters.boards.information_sets import hand_rows, new_stage_scratch
from croupier.mathematics.counters.boards.solver import is_asked_at_river, river_game
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.kernels.threads import ranges, spread
from croupier.mathematics.questions.information.bets_left import (
    BetLevel,
    BetsAhead,
    BetScratch,
    CountedBets,
    FlopsLeft,
    cards_left,
    flops_left,
    play_bets_left,
)
from croupier.mathematics.questions.information.removed_cards import QUANTITIES, LeftSums

_Bets = dict[tuple[int, int], Fraction]


def is_solved(game: HoldemGame) -> bool:
    """Decisions on the same cards about one wager, one of them at most before the flop; wagers that
    pay alike; the same down by whatever path a fold at the river is offered; the usual ranking."""
    levels = [level.seen for level in game.levels]
    about = {(question.seen, question.wager) for question in game.questions}
    folds = any(question.folds for question in game.questions if question.seen == 5)
    return (
        game.ranking is None
        and len(about) == len(levels)
        and not {0, 1}.issubset(levels)
        and 2 not in levels
        and all(np.array_equal(pays, game.decided[0]) for pays in game.decided)
        and not (folds and len({sum(path.bets) for path in _asked_at_river(game)}) > 1)
    )


def _asked_at_river(game: HoldemGame) -> list[Path]:
    level = game.level(5)
    return list(level.asked_paths) if level is not None else []


class BetsSolving:
    """What all sets of cards share."""

    def __init__(self, game: HoldemGame, threads: int, takes_first: bool) -> None:
        self.game, self.threads, self.takes_first = game, threads, takes_first
        start = (*_asked_at_river(game), game.levels[0].arriving[0])[0]
        self.base, self.shift = river_game(game, start, game.decided[0])
        self.down = sum(start.bets)
        self.sums = LeftSums(self.base, threads, at_turn=game.level(4) is not None)

    def with_seen(self, gone: tuple[int, ...], held: tuple[int, ...]) -> tuple[Fraction, _Bets]:
        """The mean value of the rounds in which these cards are seen, and the bets."""
        left = self.game.cards - len(gone) - len(held)
        opponents = self.sums.opponents(gone, held)
        runouts = comb(left - 5, 2) * opponents
        if self.sums.at_turn:
            runouts *= 2  # turn and river in the order dealt
        flops, sizes = flops_left(self.game.deck, gone, held, int(self.game.level(1) is not None))
        ways = (comb(left - 3, 2) if flops.seen else comb(left - 2, 3)) * runouts
        largest = self.game.largest + abs(self.shift)
        if int(sizes.max()) * ways * largest >= 1 << 63:
            raise Unsolvable("the pays are too large for the sums with cards seen")
        ahead = self._ahead(runouts, (left - 6) * opponents)
        counted = self._play(flops, len(sizes), gone, held, ahead)
        return self._play_deal(counted, sizes, ways, left - 5)

    def _ahead(self, runouts: int, rivers: int) -> BetsAhead:
        flop, turn = self._level(3, runouts), self._level(4, rivers)
        first = self.base.multiples[0]
        times = []
        for path in self._onward(4):
            asked = is_asked_at_river(self.game, path)
            units = sum(path.bets) - self.down
            times.append((1, units + (first if asked else 0), int(asked)))
        used = np.array(times, np.int64)
        if not used[:, 2].any():
            used = np.ascontiguousarray(used[:, :2])
        return BetsAhead(flop, turn, self.sums.at_turn, used, self.takes_first)

    def _arriving(self, seen: int) -> tuple[Path, ...]:
        """The paths that come to where decisions on `seen` cards would be."""
        before = [level for level in self.game.levels if level.seen < seen]
        return before[-1].onward if before else self.game.levels[0].arriving

    def _onward(self, seen: int) -> tuple[Path, ...]:
        level = self.game.level(seen)
        return self._arriving(seen) if level is None else level.onward

    def _answers(self, seen: int) -> Level:
        paths = self._arriving(seen)
        return self.game.level(seen) or Level(seen, paths, tuple((path,) for path in paths))

    def _level(self, seen: int, ways: int) -> BetLevel:
        level, places = self._answers(seen), {path: i for i, path in enumerate(self._onward(seen))}
        answers = [path for paths in level.leaving for path in paths]
        start = np.cumsum([0, *map(len, level.leaving)])
        onward = [-1 if path.folded else places[path] for path in answers]
        folded = [self._fold(path) * ways if path.folded else 0 for path in answers]
        return BetLevel(*(np.array(part, np.int64) for part in (start, onward, folded)))

    def _fold(self, path: Path) -> int:
        """All amounts are less by the shift: see `river_game`."""
        return self.game.fold(path.bets) - self.shift

    def _play(
        self,
        flops: FlopsLeft,
        situations: int,
        gone: tuple[int, ...],
        held: tuple[int, ...],
        ahead: BetsAhead,
    ) -> CountedBets:
        left = np.zeros(52, np.int8)
        left[cards_left(self.game.deck, gone, held)] = 1
        paths, answers = len(ahead.flop.start) - 1, (len(ahead.flop.onward), len(ahead.turn.onward))
        shapes = ((paths,), answers[:1], (paths, answers[1]))
        out = [np.zeros((self.threads, situations, *shape), np.int64) for shape in shapes]
        fixed = (flops, left, hand_rows(), *self.sums.of(gone, held), ahead)

        def work(thread: int, span: tuple[int, int]) -> None:
            hands = len(flops.hands)
            scratch = BetScratch(
                np.zeros(4, np.int8),
                new_stage_scratch(),
                np.zeros((QUANTITIES, hands), np.int64),
                np.zeros(len(ahead.times), np.int64),
                np.zeros((len(ahead.turn.start) - 1, hands), np.int64),
                np.zeros((answers[1], hands), np.int64),
            )
            play_bets_left(*span, *fixed, scratch, CountedBets(*(each[thread] for each in out)))

        spread(ranges(len(flops.cards), 50), work, self.threads)
        return CountedBets(*(each.sum(axis=0) for each in out))

    def _play_deal(
        self, counted: CountedBets, sizes: I64, ways: int, turns: int
    ) -> tuple[Fraction, _Bets]:
        """The first decision of every situation, and how often each bet is made there, at the flop
        and at the turn, as a share of these rounds."""
        first = next((level for level in self.game.levels if level.seen < 3), None)
        paths = self._arriving(3)
        answers = first.leaving[0] if first is not None else paths
        best, taken = counted.sums[:, 0].astype(object), np.zeros(len(sizes), np.int64)
        for place, path in enumerate(answers):
            if path.folded:
                value = self._fold(path) * ways * sizes.astype(object)
            else:
                value = counted.sums[:, paths.index(path)].astype(object)
            better = (value > best if self.takes_first else value >= best).astype(bool)
            better |= place == 0
            best, taken = np.where(better, value, best), np.where(better, place, taken)
        mean = Fraction(sum(map(int, best)), int(sizes.sum()) * ways * self.game.scale)
        mean += Fraction(self.shift, self.game.scale)
        shares: _Bets = {}
        if first is not None:
            for place, path in enumerate(answers):
                share = Fraction(int(sizes[taken == place].sum()), int(sizes.sum()))
                self._add(shares, first.seen, path, share)
        came = [answers[place] for place in taken.tolist()]
        self._count_later(shares, counted, came, turns)
        return mean, shares

    def _count_later(
        self, shares: _Bets, counted: CountedBets, came: list[Path], turns: int
    ) -> None:
        """The bets at flop and turn of those who `came` there, by situation; `turns` cards may
        come after a flop."""
        flop, turn = self._answers(3), self._answers(4)
        every = int(counted.at_flop[:, : len(flop.leaving[0])].sum())  # of the first path
        for number, path in enumerate(flop.arriving):
            inside = [each == path for each in came]
            start = sum(map(len, flop.leaving[:number]))
            for place, answer in enumerate(flop.leaving[number]):
                found = int(counted.at_flop[inside, start + place].sum())
                self._add(shares, 3, answer, Fraction(found, every))
            for place, answer in enumerate(path for paths in turn.leaving for path in paths):
                found = int(counted.at_turn[inside, number, place].sum())
                self._add(shares, 4, answer, Fraction(found, every * turns))

    def _add(self, shares: _Bets, seen: int, path: Path, share: Fraction) -> None:
        """Add to the share of the bet made on `seen` cards, if a decision was put there."""
        asked = [(self.game.questions[number], word) for number, word in path.said]
        here = [
            dict(question.bets).get(word, 0) for question, word in asked if question.seen == seen
        ]
        if here:
            bet = (seen, sum(here))
            shares[bet] = shares.get(bet, Fraction(0)) + share
