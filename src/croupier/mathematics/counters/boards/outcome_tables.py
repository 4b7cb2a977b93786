"""Every deal under a strategy: what was said, the final strength and how the showdown ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.boards import CountedBoards
from croupier.mathematics.counters.boards.cells import Cuts
from croupier.mathematics.counters.boards.counted_boards import (
    boards_by_rank,
    boards_by_suit,
    suit_masks,
)
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.kernel_records import deck_tables
from croupier.mathematics.counters.boards.numbering import PAIRS, RANK_BOARDS
from croupier.mathematics.counters.boards.one_bet import OUTCOMES, OneBetGame
from croupier.mathematics.counters.boards.outcomes import (
    Played,
    new_outcome_scratch,
    tabulate_boards,
)
from croupier.mathematics.counters.boards.paths import Path
from croupier.mathematics.counters.boards.ranking_pass import prices_of
from croupier.mathematics.counters.boards.showdown_prices import PricedBoards
from croupier.mathematics.counters.boards.strategies import Strategy, groups_of, joined
from croupier.mathematics.counters.boards.strengths import STRENGTHS
from croupier.mathematics.kernels.arrays import I32, I64
from croupier.mathematics.kernels.threads import cores, ranges, spread

__all__ = ["Ending", "OutcomeTable", "outcome_table", "second_sweep"]


class Ending(NamedTuple):
    """A path to its end, and its deals[strength, outcome]."""

    path: Path
    deals: I64


@dataclass(frozen=True)
class OutcomeTable:
    """Every deal, in every order told apart, by the paths that some deal takes."""

    game: HoldemGame
    endings: tuple[Ending, ...]

    @cached_property
    def total(self) -> int:
        return sum(int(ending.deals.sum()) for ending in self.endings)

    def net(self, path: Path) -> I64:
        """[strength, outcome]: the round's net result in units of 1/scale."""
        if path.folded:
            return np.full((STRENGTHS, OUTCOMES), self.game.fold(path.bets), dtype=np.int64)
        return self.game.payoffs(path.bets).T

    def distribution(self) -> dict[Fraction, int]:
        """Deals by net result."""
        found: dict[int, int] = {}
        for path, deals in self.endings:
            used = deals > 0
            amounts, which = np.unique(self.net(path)[used], return_inverse=True)
            sums = np.zeros(len(amounts), dtype=np.int64)
            np.add.at(sums, which, deals[used])
            for amount, count in zip(amounts.tolist(), sums.tolist(), strict=True):
                found[amount] = found.get(amount, 0) + count
        return {Fraction(net, self.game.scale): found[net] for net in sorted(found)}

    @property
    def value(self) -> Fraction:
        return self._moment(1)

    @property
    def variance(self) -> Fraction:
        return self._moment(2) - self.value**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def hit_frequency(self) -> Fraction:
        won = sum(deals for net, deals in self.distribution().items() if net > 0)
        return Fraction(won, self.total)

    def _moment(self, power: int) -> Fraction:
        terms = (deals * net**power for net, deals in self.distribution().items())
        return sum(terms, Fraction(0)) / self.total

    def frequency(self, path: Path) -> Fraction:
        deals = (int(ending.deals.sum()) for ending in self.endings if ending.path == path)
        return Fraction(next(deals, 0), self.total)

    def said(self) -> dict[tuple[int, str], Fraction]:
        """By question and word: in which share of all rounds it is said."""
        found: dict[tuple[int, str], Fraction] = {}
        for path, deals in self.endings:
            share = Fraction(int(deals.sum()), self.total)
            for answer in path.said:
                found[answer] = found.get(answer, Fraction(0)) + share
        return found

    def decided_units(self) -> Fraction:
        """Mean units of all decided wagers; add the required ones for the mean total wagered."""
        units = sum(sum(path.bets) * int(deals.sum()) for path, deals in self.endings)
        return Fraction(units, self.total)


def outcome_table(strategy: Strategy, threads: int | None = None) -> OutcomeTable:
    threads, game = threads or cores(), strategy.game
    found: dict[Path, I64] = {}
    for group in groups_of(strategy):
        played = group.played(strategy, threads)
        shape = (len(group.ends), STRENGTHS, OUTCOMES)
        found |= zip(group.ends, second_sweep(group.game, played, shape, threads), strict=True)
    return OutcomeTable(game, tuple(Ending(p, found[p]) for p in game.paths if p in found))


def second_sweep(
    game: OneBetGame,
    played: Played,
    shape: tuple[int, ...],
    threads: int,
    boards: tuple[CountedBoards, CountedBoards] | None = None,
    cuts: Callable[[], Cuts] | None = None,
) -> I64:
    """The deals of all boards that are played so, as `tabulate_boards` adds them up; of the game's
    boards, by rank and by suit, unless others are given."""
    arrivals = (played.arrivals.flop_ranks, played.arrivals.turn_ranks)
    rows = sum(part.shape[1] for part in arrivals if part is not None)
    deals = np.zeros((threads, *shape), dtype=np.int64)
    with_flush = np.zeros((threads, RANK_BOARDS, rows, PAIRS), dtype=np.int32)
    boards = boards or (boards_by_rank(game, threads), boards_by_suit(game, threads))
    fixed = (deck_tables(game), PricedBoards(prices_of(game), *boards), played)

    def sweep(thread: int, start: int, stop: int, masks: I32, counted: I32) -> None:
        cut = None if cuts is None else cuts()
        scratch = new_outcome_scratch(rows)
        tabulate_boards(start, stop, masks, *fixed, cut, scratch, counted, deals[thread])

    def by_suit(thread: int, masks: I32) -> None:
        sweep(thread, 0, 0, masks, with_flush[thread])

    spread(suit_masks(game.deck), by_suit, threads)
    counted = joined(with_flush)

    def by_rank(thread: int, span: tuple[int, int]) -> None:
        sweep(thread, *span, np.zeros(0, np.int32), counted)

    spread(ranges(RANK_BOARDS, 400), by_rank, threads)
    return np.asarray(deals.sum(axis=0))
