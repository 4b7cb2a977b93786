"""Hold'em for a player who has seen more cards than the rules show, bet by bet."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import HoldemGame, Level, Path
from croupier.mathematics.counters.boards.geometry import EXCHANGES, HANDS, card_pairs
from croupier.mathematics.counters.boards.information_sets import (
    HandRows,
    flop_rows,
    hand_rows,
    new_stage_scratch,
    turn_rows,
)
from croupier.mathematics.counters.boards.solver import is_asked_at_river, river_game
from croupier.mathematics.kernels.arrays import I8, I16, I32, I64, IntArray
from croupier.mathematics.kernels.decorators import kernel, part, whole
from croupier.mathematics.kernels.threads import ranges, spread
from croupier.mathematics.questions.information.removed_cards import QUANTITIES, LeftSums


class FlopsLeft(NamedTuple):
    """Flops and hands of the cards left. Flops that exchanges of suits turn into each other, with
    the cards seen unchanged, are listed once; hands that are equivalent in this way share a
    situation."""

    cards: I8  # [flop, 3]
    weight: I64  # [flop]: flops that it stands for
    hands: I16
    ends: I8  # [hand, 2]
    seen: int  # 1 if a community card is known before the flop
    number: I32  # [hand], or [hand * 52 + community card]: the situation


def cards_left(deck: int, gone: tuple[int, ...], held: tuple[int, ...]) -> list[int]:
    """Return the cards left of a deck with the ranks of the mask `deck`."""
    return [card for card in range(52) if deck >> card % 13 & 1 and card not in (*gone, *held)]


def flops_left(
    deck: int, gone: tuple[int, ...], held: tuple[int, ...], seen: int
) -> tuple[FlopsLeft, I64]:
    """Return the flops and hands left, and the number of deals in each situation before the flop.
    With `seen` 1 a community card is known there."""
    images = _staying(gone, held)
    left = cards_left(deck, gone, held)
    cards = np.array(list(combinations(left, 3)), np.int64)
    masks = [(1 << image[cards]).sum(axis=1) for image in images]
    _, example, weight = np.unique(np.minimum.reduce(masks), return_index=True, return_counts=True)
    ends = card_pairs().astype(np.int64)
    inside = np.isin(ends, left).all(axis=1)
    keys = np.minimum.reduce([_hand_keys(image, ends, seen) for image in images])
    allowed = np.asarray(inside)
    if seen:
        known = np.arange(52)
        clear = (ends[:, :1] != known) & (ends[:, 1:] != known) & np.isin(known, left)
        allowed = np.logical_and(allowed[:, None], clear).ravel()
    _, which, sizes = np.unique(keys[allowed], return_inverse=True, return_counts=True)
    number = np.full(HANDS * 52 if seen else HANDS, -1, np.int32)
    number[allowed] = which
    flops = FlopsLeft(
        cards[example].astype(np.int8),
        weight.astype(np.int64),
        np.flatnonzero(inside).astype(np.int16),
        card_pairs(),
        seen,
        number,
    )
    return flops, sizes.astype(np.int64)


def _hand_keys(image: I64, ends: I64, seen: int) -> I64:
    """Return a number for the image of every hand, or of every hand and community card."""
    a, b = image[ends[:, 0]], image[ends[:, 1]]
    hands = np.maximum(a, b) * 52 + np.minimum(a, b)
    return (hands[:, None] * 52 + image).ravel() if seen else hands


def _staying(gone: tuple[int, ...], held: tuple[int, ...]) -> list[I64]:
    """Return the exchanges of suits that leave the cards seen unchanged: where each card goes."""
    cards = np.arange(52)
    images = [np.array(suits)[cards // 13] * 13 + cards % 13 for suits in EXCHANGES]
    return [
        image
        for image in images
        if set(image[list(gone)].tolist()) == set(gone)
        and set(image[list(held)].tolist()) == set(held)
    ]


class BetLevel(NamedTuple):
    """The paths that every arriving path can become: those of path i are start[i] to start[i +
    1]."""

    start: I64
    onward: I64  # [answer]: its index among the paths that continue; -1 for a fold
    folded: I64  # [answer]: the value of a fold over all that may come


class BetsAhead(NamedTuple):
    """The decisions at flop and turn. If one of them decides nothing, its paths become themselves;
    without `at_turn` the board is read as at the flop."""

    flop: BetLevel
    turn: BetLevel
    at_turn: bool
    times: I64  # [path that goes on from the turn, quantity]; no E if the river decides nothing
    takes_first: bool


class BetScratch(NamedTuple):
    four: I8
    stage: I64  # of `new_stage_scratch`
    values: I64  # [quantity, hand]
    onward: I64  # [path that continues from the turn]: its value
    later: I64  # [path that arrives at the turn, hand]: its value
    chosen: I64  # [answer at the turn, hand]: the number of cards on which it is best


class CountedBets(NamedTuple):
    """Counted bets by the cards known before the flop."""

    sums: I64  # [situation, path that comes to the flop]
    at_flop: I64  # [situation, answer]
    at_turn: I64  # [situation, path that comes to the flop, answer]


@kernel
def play_bets_left(
    start: int,
    stop: int,
    flops: FlopsLeft,
    left: I8,
    rows: HandRows,
    plain: I64,
    suited: IntArray,
    table_of: I64,
    ahead: BetsAhead,
    scratch: BetScratch,
    out: CountedBets,
) -> None:
    """Find the best answers on all flops from `start` to `stop`; `left[card]` says whether that
    card may come."""
    four, stage, later, chosen = scratch.four, scratch.stage, scratch.later, scratch.chosen
    for flop in range(start, stop):
        for place in range(3):
            four[place] = flops.cards[flop, place]
        later[:] = 0
        chosen[:] = 0
        for card in range(52 if ahead.at_turn else 1):
            if ahead.at_turn:
                if not left[card] or card in (four[0], four[1], four[2]):
                    continue
                four[3] = card
                ranks, count = turn_rows(four, rows.strengths, stage)
            else:
                four[3] = -1
                ranks, count = flop_rows(four[:3], rows.strengths, stage)
            for quantity in range(ahead.times.shape[1]):
                board = plain[ranks, quantity]
                _look_up(quantity, count, flops, rows, board, suited, table_of, scratch)
            _decide_turn(flops, ahead, scratch)
        _decide_flop(flops, flops.weight[flop], ahead, scratch, out)


@part
def _look_up(
    quantity: int,
    count: int,
    flops: FlopsLeft,
    rows: HandRows,
    plain: I64,
    suited: IntArray,
    table_of: I64,
    scratch: BetScratch,
) -> None:
    """Write a quantity of every hand on a board."""
    hands, suits, views = flops.hands, scratch.stage[0], scratch.stage[1]
    values = scratch.values[quantity]
    for i in range(len(hands)):
        values[i] = plain[rows.pairs[hands[i]]]
    for suit in range(count):
        more = suited[table_of[suits[suit]], views[suit], quantity]
        at = rows.classes[suits[suit]]
        for i in range(len(hands)):
            values[i] += more[at[hands[i]]]


@part
def _is_possible(hand: int, flops: FlopsLeft, board: I8) -> bool:
    high, low, possible = flops.ends[hand, 0], flops.ends[hand, 1], True
    for place in range(len(board)):
        possible = possible and board[place] not in (high, low)
    return possible


@part
def _best_answer(path: int, level: BetLevel, onward: I64, takes_first: bool) -> int:
    """Find the best answer of an arriving path; `onward` is the value of the paths that
    continue."""
    best, chosen = whole(0), whole(-1)
    for answer in range(level.start[path], level.start[path + 1]):
        value = _worth(answer, level, onward)
        if chosen < 0 or value > best or (value == best and not takes_first):
            best, chosen = value, whole(answer)
    return chosen


@part
def _worth(answer: int, level: BetLevel, onward: I64) -> int:
    place = level.onward[answer]
    return whole(onward[place] if place >= 0 else level.folded[answer])


@part
def _decide_turn(flops: FlopsLeft, ahead: BetsAhead, scratch: BetScratch) -> None:
    level, times, values, onward = ahead.turn, ahead.times, scratch.values, scratch.onward
    for i in range(len(flops.hands)):
        if not _is_possible(whole(flops.hands[i]), flops, scratch.four):
            continue
        for path in range(len(times)):
            onward[path] = 0
            for quantity in range(times.shape[1]):
                onward[path] += times[path, quantity] * values[quantity, i]
        for path in range(len(level.start) - 1):
            answer = _best_answer(path, level, onward, ahead.takes_first)
            scratch.later[path, i] += _worth(answer, level, onward)
            scratch.chosen[answer, i] += 1


@part
def _decide_flop(
    flops: FlopsLeft, weight: int, ahead: BetsAhead, scratch: BetScratch, out: CountedBets
) -> None:
    level, turn, cards = ahead.flop, ahead.turn, scratch.four
    for i in range(len(flops.hands)):
        hand = whole(flops.hands[i])
        if not _is_possible(hand, flops, cards[:3]):
            continue
        for path in range(len(level.start) - 1):
            answer = _best_answer(path, level, scratch.later[:, i], ahead.takes_first)
            best, onward = _worth(answer, level, scratch.later[:, i]), level.onward[answer]
            for c in range(3 if flops.seen else 1):
                at = flops.number[hand * 52 + cards[c]] if flops.seen else flops.number[hand]
                out.sums[at, path] += weight * best
                out.at_flop[at, answer] += weight
                if onward >= 0:
                    for later in range(turn.start[onward], turn.start[onward + 1]):
                        out.at_turn[at, path, later] += weight * scratch.chosen[later, i]


_Bets = dict[tuple[int, int], Fraction]


def is_solved(game: HoldemGame) -> bool:
    """Return whether the bets are solved: decisions on the same cards are about one wager, at most
    one of them is before the flop, wagers pay alike, every path to a fold at the river has bet the
    same, and the ranking is the usual one."""
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
    """The data that all sets of cards seen share."""

    def __init__(self, game: HoldemGame, threads: int, takes_first: bool) -> None:
        self.game, self.threads, self.takes_first = game, threads, takes_first
        start = (*_asked_at_river(game), game.levels[0].arriving[0])[0]
        self.base, self.shift = river_game(game, start, game.decided[0])
        self.down = sum(start.bets)
        self.sums = LeftSums(self.base, threads, at_turn=game.level(4) is not None)

    def with_seen(self, gone: tuple[int, ...], held: tuple[int, ...]) -> tuple[Fraction, _Bets]:
        """Return the mean value of the rounds in which these cards are seen, and the bets."""
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
            is_asked = is_asked_at_river(self.game, path)
            units = sum(path.bets) - self.down
            times.append((1, units + (first if is_asked else 0), int(is_asked)))
        used = np.array(times, np.int64)
        if not used[:, 2].any():
            used = np.ascontiguousarray(used[:, :2])
        return BetsAhead(flop, turn, self.sums.at_turn, used, self.takes_first)

    def _arriving(self, seen: int) -> tuple[Path, ...]:
        """Return the paths that arrive where decisions on `seen` cards would be."""
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
        """Return the value of a fold. All amounts are reduced by the shift: see `river_game`."""
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
        """Write the first decision of every situation, and how often each bet is made there, at the
        flop and at the turn, as a share of these rounds."""
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
        """Count the bets at flop and turn of the paths that `came` there, by situation; `turns`
        cards may come after a flop."""
        flop, turn = self._answers(3), self._answers(4)
        every = int(counted.at_flop[:, : len(flop.leaving[0])].sum())  # of the first path
        for number, path in enumerate(flop.arriving):
            inside = [each == path for each in came]
            start = sum(map(len, flop.leaving[:number]))
            for place, answer in enumerate(flop.leaving[number]):
                deals = int(counted.at_flop[inside, start + place].sum())
                self._add(shares, 3, answer, Fraction(deals, every))
            for place, answer in enumerate(path for paths in turn.leaving for path in paths):
                deals = int(counted.at_turn[inside, number, place].sum())
                self._add(shares, 4, answer, Fraction(deals, every * turns))

    def _add(self, shares: _Bets, seen: int, path: Path, share: Fraction) -> None:
        """Add to the share of the bet made on `seen` cards, if a decision was put there."""
        is_asked = [(self.game.questions[number], word) for number, word in path.said]
        here = [
            dict(question.bets).get(word, 0) for question, word in is_asked if question.seen == seen
        ]
        if here:
            bet = (seen, sum(here))
            shares[bet] = shares.get(bet, Fraction(0)) + share
