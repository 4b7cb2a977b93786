"""What hold'em is worth to a player who has seen one of the dealer's cards."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

import numpy as np

from croupier.mathematics.holdem.arrays import I8, I32, I64, IntArray
from croupier.mathematics.holdem.boards import new_ranked
from croupier.mathematics.holdem.games import BetDecision, HoldemGame
from croupier.mathematics.holdem.geometry import (
    EXCHANGES,
    HANDS,
    Orbits,
    card_pairs,
    flops_of,
    hand_images,
    orbits_of,
)
from croupier.mathematics.holdem.kernel_records import deck_tables, hand_rows
from croupier.mathematics.holdem.numbering import CLASSES, PAIRS, RANK_BOARDS, RANK_FLOPS, VIEWS
from croupier.mathematics.holdem.ranking_pass import (
    prices_of,
    ranges,
    ranked_boards,
    river_choices,
    suit_masks,
)
from croupier.mathematics.holdem.scatter import new_rows
from croupier.mathematics.holdem.showdown_prices import PricedBoards
from croupier.mathematics.holdem.stages import new_stage_scratch
from croupier.mathematics.holdem.sums import new_runout_scratch
from croupier.mathematics.holdem.threads import cores, spread
from croupier.mathematics.knowing.dealer_card import (
    FlopDecision,
    add_known_runouts,
    count_flop_bets,
    play_known_flops,
    price_known_plain,
    price_known_suited,
)
from croupier.workers import workers

__all__ = ["KnownCard", "is_solved", "solve_with_dealers_card"]

_IN_SUIT: Final = 0
_OUTSIDE: Final = 1
_QUANTITIES: Final = 3


@dataclass(frozen=True)
class KnownCard:
    """The value of a round, and by rank of the card seen: its value, and how often each bet is made
    before the flop and at the flop, as a share of the rounds with that card.

    `bets[rank][seen, multiple]`; `multiple` 0 is declining.
    """

    value: Fraction
    by_rank: dict[int, Fraction]
    bets: dict[int, dict[tuple[int, int], Fraction]]

    def share(self, seen: int, multiple: int) -> Fraction:
        """How often a bet is made, of all rounds."""
        shares = [bets.get((seen, multiple), Fraction(0)) for bets in self.bets.values()]
        return sum(shares, Fraction(0)) / len(shares)


def is_solved(game: HoldemGame) -> bool:
    """One decision before the flop, at most, on no community card or one; the flop; the river."""
    seen = [level.seen for level in game.levels]
    return all(each in (0, 1, 3, 5) for each in seen) and not {0, 1}.issubset(seen)


def solve_with_dealers_card(game: HoldemGame, threads: int | None = None) -> KnownCard:
    assert is_solved(game)
    ranks = [rank for rank in range(13) if game.deck >> rank & 1]
    try:
        found = list(workers().map(_with_rank, [_SeenRank(game, threads, r) for r in ranks]))
    finally:
        _solving.cache_clear()
    by_rank = {rank: value for rank, (value, _) in zip(ranks, found, strict=True)}
    bets = {rank: said for rank, (_, said) in zip(ranks, found, strict=True)}
    return KnownCard(sum(by_rank.values(), Fraction(0)) / len(by_rank), by_rank, bets)


class _SeenRank(NamedTuple):
    game: HoldemGame
    threads: int | None
    rank: int


def _with_rank(seen: _SeenRank) -> tuple[Fraction, dict[tuple[int, int], Fraction]]:
    return _solving(seen.game, seen.threads or cores()).with_rank(seen.rank)


@lru_cache(maxsize=1)
def _solving(game: HoldemGame, threads: int) -> _Solving:
    return _Solving(game, threads)


class _Solving:
    """What all thirteen ranks share."""

    def __init__(self, game: HoldemGame, threads: int) -> None:
        self.game, self.threads = game, threads
        self.opponents = game.cards - 8
        self.runouts = comb(game.cards - 6, 2)
        self.flops = comb(game.cards - 3, 3)  # and those that hold a given card
        self.flops_left = comb(game.cards - 4, 2)
        self.tables = deck_tables(game)
        prices = prices_of([game])._replace(opponents=self.opponents)
        self.priced = PricedBoards(prices, ranked_boards(game, threads))
        self.seen = int(any(level.seen == 1 for level in game.levels))
        self.orbits = _hands_with_two(game.deck) if self.seen else orbits_of(game.deck, 1)
        largest = 4 * self.runouts * self.opponents * game.largest
        self.kind = np.int32 if largest < 1 << 31 else np.int64
        self.values = np.zeros((RANK_BOARDS, _QUANTITIES, PAIRS), np.int64)
        self.plain = np.zeros((RANK_FLOPS, _QUANTITIES, PAIRS), np.int64)
        self.actions = np.zeros((len(flops_of(game.deck).hand), 4), np.int8)

    def with_rank(self, rank: int) -> tuple[Fraction, dict[tuple[int, int], Fraction]]:
        """The mean value of the rounds in which a card of this rank is seen, and the bets."""
        self._sum_plain(rank)
        suited = np.zeros((2, VIEWS, _QUANTITIES, CLASSES), self.kind)
        suited[_IN_SUIT] = self._sum_suited(rank)
        suited[_OUTSIDE] = self._sum_suited(13 + rank)
        halves = self._play_flops(rank, suited)
        return self._play_deal(rank, halves)

    def _sum_plain(self, rank: int) -> None:
        def boards(_: int, span: tuple[int, int]) -> None:
            scratch = (new_ranked(), np.zeros((_QUANTITIES, CLASSES), np.int64))
            price_known_plain(*span, rank, self.tables, self.priced, *scratch, self.values)

        def runouts(_: int, span: tuple[int, int]) -> None:
            scratch = new_runout_scratch()
            add_known_runouts(*span, rank, self.tables, self.values, scratch, self.plain)

        spread(ranges(RANK_BOARDS, 400), boards, self.threads)
        spread(ranges(RANK_FLOPS, 40), runouts, self.threads)

    def _sum_suited(self, known: int) -> IntArray:
        out = np.zeros((self.threads, VIEWS, _QUANTITIES, CLASSES), self.kind)

        def suits(thread: int, masks: I32) -> None:
            scratch = (new_ranked(), new_rows(_QUANTITIES, out))
            price_known_suited(
                masks, known, self.tables, self.priced, self.values, *scratch, out[thread]
            )

        spread(suit_masks(self.game.deck), suits, self.threads)
        total: IntArray = out.sum(axis=0, dtype=self.kind)
        return total

    def _play_flops(self, rank: int, suited: IntArray) -> I64:
        flops, rows = flops_of(self.game.deck), hand_rows()
        halves = np.zeros((self.threads, len(self.orbits.size), 6), np.int64)
        level = self._level(3)
        decision = FlopDecision(
            card_pairs(),
            river_choices(self.game)[0][0],
            np.array(level.multiples if level else (), np.int64),
            level is not None and level.decline == "fold",
            self.game.fold * self.runouts * self.opponents,
        )

        def work(thread: int, span: tuple[int, int]) -> None:
            tables = (flops, rows, self.plain, suited, decision, self.seen, self.orbits.number)
            out = (new_stage_scratch(), halves[thread], self.actions)
            play_known_flops(*span, rank, *tables, *out)

        spread(ranges(len(flops.cards), 50), work, self.threads)
        total: I64 = halves.sum(axis=0)
        return total

    def _level(self, seen: int) -> BetDecision | None:
        return next((level for level in self.game.levels if level.seen == seen), None)

    def _play_deal(
        self, rank: int, halves: I64
    ) -> tuple[Fraction, dict[tuple[int, int], Fraction]]:
        which = np.flatnonzero(self.orbits.example % 52 % 13 == rank)
        sizes = self.orbits.size[which]
        whole = halves[which].astype(object)
        required, decided, best = (whole[:, i] * (1 << 32) + whole[:, i + 1] for i in (0, 2, 4))
        flops = self.flops_left if self.seen else self.flops
        ways = flops * self.runouts * self.opponents
        level, action = self._level(self.seen), np.full(len(which), -1)
        if level is not None:
            if level.decline == "fold":
                best = self.game.fold * ways * sizes.astype(object)
            for place in range(len(level.multiples) - 1, -1, -1):
                bet = required + level.multiples[place] * decided
                action[(bet >= best).astype(bool)] = place
                best = np.maximum(bet, best)
        deals = int(sizes.sum())
        value = Fraction(sum(map(int, best)), deals * ways * self.game.scale)
        bets: dict[tuple[int, int], Fraction] = {}
        if level is not None:
            for place, multiple in ((-1, 0), *enumerate(level.multiples)):
                bets[self.seen, multiple] = Fraction(int(sizes[action == place].sum()), deals)
        return value, bets | self._flop_bets(rank, which[action < 0], deals)

    def _flop_bets(self, rank: int, undecided: I64, deals: int) -> dict[tuple[int, int], Fraction]:
        level = self._level(3)
        if level is None:
            return {}
        open_: I8 = np.zeros(len(self.orbits.size), np.int8)
        open_[undecided] = 1
        found = np.zeros(len(level.multiples) + 1, np.int64)
        flops = flops_of(self.game.deck)
        count_flop_bets(rank, flops, self.seen, self.orbits.number, open_, self.actions, found)
        every = deals * (self.flops_left if self.seen else self.flops)
        shares = [Fraction(int(count), every) for count in found]
        return {
            (3, multiple): share
            for multiple, share in zip((0, *level.multiples), shares, strict=True)
        }


@lru_cache(maxsize=1)
def _hands_with_two(deck: int) -> Orbits:
    """Hands with a community card c and a card d up to suits: number[(hand * 52 + c) * 52 + d]."""
    ends = card_pairs().astype(np.int64)
    hand, c, d = np.ogrid[:HANDS, :52, :52]
    allowed = (c != d) & (c != ends[hand, 0]) & (c != ends[hand, 1])
    allowed &= (d != ends[hand, 0]) & (d != ends[hand, 1])
    for cards in (c, d, ends[hand, 0], ends[hand, 1]):
        allowed &= (deck >> cards % 13 & 1).astype(np.bool_)
    cards = np.arange(52)
    least = np.full((HANDS, 52, 52), np.iinfo(np.int32).max, np.int32)
    for suits, hands in zip(EXCHANGES, hand_images().astype(np.int32), strict=True):
        image = (np.array(suits)[cards // 13] * 13 + cards % 13).astype(np.int32)
        np.minimum(least, (hands[:, None, None] * 52 + image[:, None]) * 52 + image, out=least)
    first, inside = least.ravel(), allowed.ravel()
    itself = inside & (first == np.arange(first.size))
    number = np.where(inside, (np.cumsum(itself, dtype=np.int32) - 1)[first], np.int32(-1))
    return Orbits(number, np.bincount(number[inside]), np.flatnonzero(itself), 52 * 52)
