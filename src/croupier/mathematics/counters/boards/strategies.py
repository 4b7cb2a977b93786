"""The optimal strategy of a solved game, and the exact outcome table of following any."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

import numpy as np

from croupier.mathematics.counters.boards.betting import (
    Ending,
    StrategyArrays,
    betting_of,
    count_arrivals,
    joined,
)
from croupier.mathematics.counters.boards.boards import CountedBoards
from croupier.mathematics.counters.boards.counted_boards import (
    boards_by_rank,
    boards_by_suit,
    suit_masks,
)
from croupier.mathematics.counters.boards.games import OUTCOMES, HoldemGame
from croupier.mathematics.counters.boards.kernel_records import deck_tables
from croupier.mathematics.counters.boards.numbering import PAIRS, RANK_BOARDS
from croupier.mathematics.counters.boards.outcomes import (
    Played,
    new_outcome_scratch,
    tabulate_boards,
)
from croupier.mathematics.counters.boards.ranking_pass import prices_of
from croupier.mathematics.counters.boards.showdown_prices import PricedBoards
from croupier.mathematics.counters.boards.solver import Solution
from croupier.mathematics.counters.boards.strengths import (
    CATEGORIES,
    STRENGTHS,
    category_of_strength,
)
from croupier.mathematics.kernels.arrays import I8, I32, I64
from croupier.mathematics.kernels.threads import cores, ranges, spread

__all__ = [
    "Ending",
    "OutcomeTable",
    "StrategyArrays",
    "optimal_strategy",
    "outcome_table",
    "second_sweep",
]


def optimal_strategy(solution: Solution, bold: bool = True) -> StrategyArrays:
    """Of equally good actions the first offered, or the last if not `bold`: to decline.

    The turn and the river are left to the best response.
    """
    actions = {}
    for seen, stage in solution.stages.items():
        if stage.multiples:
            values = [stage.required + k * stage.decided for k in stage.multiples]
            best = stage.best()
            action = np.full(len(best), -1, dtype=np.int8)
            places = range(len(values))
            for place in reversed(places) if bold else places:
                action[(values[place] == best).astype(bool)] = place
            if not bold:
                action[(stage.declined == best).astype(bool)] = -1
            actions[seen] = action
    return StrategyArrays(actions, StrategyArrays({}).river._replace(bold=bold))


@dataclass(frozen=True)
class OutcomeTable:
    """deals[ending, label, strength, outcome]: every deal, in every order told apart."""

    game: HoldemGame
    endings: tuple[Ending, ...]
    deals: I64

    @cached_property
    def total(self) -> int:
        return int(self.deals.sum())

    def by_category(self) -> I64:
        """[ending, label, category, outcome]"""
        which = category_of_strength()
        parts = [self.deals[:, :, which == category].sum(axis=2) for category in range(CATEGORIES)]
        return np.stack(parts, axis=2)

    def net(self, ending: Ending) -> I64:
        """[strength, outcome]: the round's net result in units of 1/scale."""
        if ending.fold:
            return np.full((STRENGTHS, OUTCOMES), self.game.fold, dtype=np.int64)
        return self.game.required.T + ending.multiple * self.game.decided.T

    def distribution(self) -> dict[Fraction, int]:
        """Deals by net result."""
        found: dict[int, int] = {}
        for ending, deals in zip(self.endings, self.deals.sum(axis=1), strict=True):
            used = deals > 0
            amounts, which = np.unique(self.net(ending)[used], return_inverse=True)
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

    def frequency(self, ending: Ending) -> Fraction:
        return Fraction(int(self.deals[self.endings.index(ending)].sum()), self.total)

    def decided_units(self) -> Fraction:
        """Mean units of the decided wager; add the required ones for the mean total wagered."""
        parts = (ending.multiple * self.frequency(ending) for ending in self.endings)
        return sum(parts, Fraction(0))


def outcome_table(
    game: HoldemGame,
    strategy: StrategyArrays,
    labels: I8 | None = None,
    threads: int | None = None,
) -> OutcomeTable:
    """Every deal under a strategy. `labels` has a number from 0 for each canonical (flop, hand)."""
    threads = threads or cores()
    kinds = int(labels.max()) + 1 if labels is not None else 1
    betting = betting_of(game, strategy, threads)
    played = Played(strategy.river, kinds, count_arrivals(game, betting, threads, labels, kinds))
    found = second_sweep(game, played, betting.rows * kinds, len(betting.kept) * kinds, threads)
    deals = np.zeros((len(betting.endings), kinds, STRENGTHS, OUTCOMES), dtype=np.int64)
    deals[list(betting.kept)] = found.reshape(len(betting.kept), *deals.shape[1:])
    return OutcomeTable(game, betting.endings, deals)


def second_sweep(
    game: HoldemGame,
    played: Played,
    rows: int,
    endings: int,
    threads: int,
    boards: tuple[CountedBoards, CountedBoards] | None = None,
) -> I64:
    """[ending x label, strength, outcome] from so many rows of arrivals; of the game's boards, by
    rank and by suit, unless others are given."""
    deals = np.zeros((threads, endings, STRENGTHS, OUTCOMES), dtype=np.int64)
    with_flush = np.zeros((threads, RANK_BOARDS, rows, PAIRS), dtype=np.int32)
    boards = boards or (boards_by_rank(game, threads), boards_by_suit(game, threads))
    fixed = (deck_tables(game), PricedBoards(prices_of(game), *boards), played, None)

    def by_suit(thread: int, masks: I32) -> None:
        into = (with_flush[thread], deals[thread])
        tabulate_boards(0, 0, masks, *fixed, new_outcome_scratch(rows), *into)

    spread(suit_masks(game.deck), by_suit, threads)
    counted = joined(with_flush)

    def by_rank(thread: int, span: tuple[int, int]) -> None:
        none, into = np.zeros(0, np.int32), (counted, deals[thread])
        tabulate_boards(*span, none, *fixed, new_outcome_scratch(rows), *into)

    spread(ranges(RANK_BOARDS, 400), by_rank, threads)
    return np.asarray(deals.sum(axis=0))
