"""A strategy as arrays, and the exact outcome table of following it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import sqrt

import numpy as np

from croupier.errors import BadRequest
from croupier.mathematics.holdem.arrays import I8, I32, I64
from croupier.mathematics.holdem.boards import RankedBoards, new_ranked_boards
from croupier.mathematics.holdem.games import OUTCOMES, Game
from croupier.mathematics.holdem.geometry import flops_of, orbits_of, rank_pairs
from croupier.mathematics.holdem.layout import (
    CLASSES,
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    VIEWS,
    layout,
    suit_classes,
)
from croupier.mathematics.holdem.outcomes import (
    River,
    plain_outcomes,
    rank_plain_boards,
    suited_outcomes,
)
from croupier.mathematics.holdem.reach import arrive_at_flops
from croupier.mathematics.holdem.solver import Solution
from croupier.mathematics.holdem.strengths import (
    CATEGORIES,
    STRENGTHS,
    category_of_strength,
    strength_tables,
)
from croupier.mathematics.holdem.tables import prices_of, ranges, river_choices, suit_masks
from croupier.mathematics.holdem.threads import cores, spread

__all__ = ["Ending", "OutcomeTable", "Strategy", "optimal_strategy", "outcome_table"]


@dataclass(frozen=True, slots=True)
class Ending:
    """How the betting ended: a bet of `multiple` after `seen` cards; 0 is a free showdown."""

    seen: int
    multiple: int
    fold: bool = False


@dataclass(frozen=True)
class Strategy:
    """What to do in every information set.

    `actions[seen]` numbers the action by orbit (seen 0 to 2, `geometry.orbits_of`) or by canonical
    pair (3, `geometry.flops_of`): the place of a multiple among the decision's, or -1 to decline.
    The river is the best response unless `river` says otherwise.
    """

    actions: dict[int, I8]
    river: River = field(default_factory=lambda: River(_nothing(), _nothing(), True))


def _nothing() -> I8:
    return np.zeros((0, 0), dtype=np.int8)


def optimal_strategy(solution: Solution, bold: bool = True) -> Strategy:
    """Of equally good actions the first bet offered, or declining if not `bold`."""
    actions = {}
    for seen, stage in solution.stages.items():
        if stage.multiples:
            values = [stage.required + k * stage.decided for k in stage.multiples]
            best = stage.best()
            action = np.full(len(best), -1, dtype=np.int8)
            for place in range(len(values) - 1, -1, -1):
                action[(values[place] == best).astype(bool)] = place
            if not bold:
                action[(stage.declined == best).astype(bool)] = -1
            actions[seen] = action
    return Strategy(actions, River(_nothing(), _nothing(), bold))


@dataclass(frozen=True)
class OutcomeTable:
    """deals[ending, label, strength, outcome]: every deal, in every order told apart."""

    game: Game
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


def endings_of(game: Game) -> tuple[tuple[Ending, ...], dict[int, int]]:
    """All endings, those of the river last; and where the endings of each earlier level begin."""
    endings: list[Ending] = []
    starts: dict[int, int] = {}
    for level in game.levels:
        if level.seen < 5:
            starts[level.seen] = len(endings)
            endings += [Ending(level.seen, k) for k in level.multiples]
            if level.decline == "fold":
                endings.append(Ending(level.seen, 0, fold=True))
    choices, may_fold = river_choices(game)
    endings += [Ending(5, k) for k in choices]
    if may_fold:
        endings.append(Ending(5, 0, fold=True))
    return tuple(endings), starts


def _numbered(game: Game, strategy: Strategy, starts: dict[int, int], seen: int) -> I8:
    """Actions as numbers of endings, -1 where the betting goes on; empty if nothing is decided."""
    if seen not in starts:
        return np.zeros(0, dtype=np.int8)
    level = next(level for level in game.levels if level.seen == seen)
    action = strategy.actions[seen]
    declined = starts[seen] + len(level.multiples) if level.decline == "fold" else -1
    return np.where(action >= 0, starts[seen] + action, declined).astype(np.int8)


def outcome_table(
    game: Game,
    strategy: Strategy,
    labels: I8 | None = None,
    threads: int | None = None,
) -> OutcomeTable:
    """Every deal under a strategy. `labels` has a number from 0 for each canonical (flop, hand)."""
    if any(level.seen == 4 for level in game.levels):
        raise BadRequest(
            "this game decides after four community cards: its value and advice are exact, but its "
            "outcome table is not worked out yet"
        )
    threads = threads or cores()
    endings, starts = endings_of(game)
    kinds = int(labels.max()) + 1 if labels is not None else 1
    before_river = sum(ending.seen < 5 for ending in endings)
    actions = [_numbered(game, strategy, starts, seen) for seen in range(4)]
    taken = [ending for ending in range(before_river) if any((a == ending).any() for a in actions)]
    actions = [_renumbered(action, taken) for action in actions]
    plain, suited = _arrivals(game, actions, labels, kinds, len(taken) + 1, threads)
    kept = [*taken, *range(before_river, len(endings))]
    found = _second_sweep(game, strategy.river, kinds, len(kept), plain, suited, threads)
    deals = np.zeros((len(endings), kinds, STRENGTHS, OUTCOMES), dtype=np.int64)
    deals[kept] = found.reshape(len(kept), *deals.shape[1:])
    return OutcomeTable(game, endings, deals)


def _renumbered(action: I8, taken: list[int]) -> I8:
    """Endings numbered among those that occur: every row of the sweep costs time."""
    places = np.full(128, -1, dtype=np.int8)
    places[taken] = np.arange(len(taken))
    return np.where(action >= 0, places[action], -1).astype(np.int8)


def _second_sweep(
    game: Game, river: River, kinds: int, endings: int, plain: I32, suited: I32, threads: int
) -> I64:
    """[ending x label, strength, outcome] from the arrivals at flops."""
    deals = np.zeros((threads, endings * kinds, STRENGTHS, OUTCOMES), dtype=np.int64)
    with_flush = np.zeros((threads, RANK_BOARDS, plain.shape[1], PAIRS), dtype=np.int32)
    fixed = (game.deck, strength_tables(), layout())
    rules = (prices_of([game]), _ranked(game, threads), river, kinds)

    def suits(thread: int, masks: I32) -> None:
        suited_outcomes(masks, *fixed, *rules, suited, deals[thread], with_flush[thread])

    spread(suit_masks(game.deck), suits, threads)
    counted = _joined(with_flush)

    def boards(thread: int, span: tuple[int, int]) -> None:
        plain_outcomes(*span, *fixed, *rules, plain, counted, deals[thread])

    spread(ranges(RANK_BOARDS, 400), boards, threads)
    return np.asarray(deals.sum(axis=0))


def _ranked(game: Game, threads: int) -> RankedBoards:
    ranked = new_ranked_boards(RANK_BOARDS)
    tables, shape = strength_tables(), layout()

    def work(_: int, span: tuple[int, int]) -> None:
        rank_plain_boards(*span, game.deck, tables, shape, ranked)

    spread(ranges(RANK_BOARDS, 400), work, threads)
    return ranked


def _arrivals(
    game: Game, actions: list[I8], labels: I8 | None, kinds: int, endings: int, threads: int
) -> tuple[I32, I32]:
    """Deals that come to each flop and hand, by how their betting has ended."""
    flops = flops_of(game.deck)
    none = np.zeros(0, dtype=np.int32)
    numbers = tuple(
        orbits_of(game.deck, seen).number if len(actions[seen]) else none for seen in range(3)
    )
    marks = labels if labels is not None else np.zeros(0, dtype=np.int8)
    plain = np.zeros((threads, RANK_FLOPS, endings * kinds, PAIRS), dtype=np.int32)
    suited = np.zeros((threads, VIEWS, endings * kinds, CLASSES), dtype=np.int32)
    fixed = (flops, strength_tables(), suit_classes(), rank_pairs(), numbers, tuple(actions[:3]))

    def work(thread: int, span: tuple[int, int]) -> None:
        arrive_at_flops(*span, *fixed, actions[3], marks, kinds, plain[thread], suited[thread])

    spread(ranges(len(flops.cards), 100), work, threads)
    return _joined(plain), _joined(suited)


def _joined(parts: I32) -> I32:
    """The threads' counts together, in the first one's place."""
    total: I32 = parts[0]
    for part in parts[1:]:
        total += part
    return total
