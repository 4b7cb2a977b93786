"""What hold'em is worth to a player who has seen cards of the dealer's or of other players'.

Each set of cards seen is a solve of its own (`removed_cards`). One card of the dealer's has 13
cases up to suits, two cards have 169: those are gone through, so the value is exact. Two and more
shared hands have too many; some are drawn at random. What is left of chance in them is mostly the
ranks that happen to be gone, so the effect of one gone card of each rank, which has a mean of zero,
is taken off every draw: the mean stays what it is, and its error becomes a fraction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, sqrt
from typing import NamedTuple, TypeAlias

import numpy as np

from croupier.cards import RANKS
from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import BetDecision, HoldemGame
from croupier.mathematics.counters.boards.kernel_records import hand_rows
from croupier.mathematics.counters.boards.ranking_pass import river_choices
from croupier.mathematics.counters.boards.stages import new_stage_scratch
from croupier.mathematics.counters.several_bets.games import SeveralBets
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.kernels.threads import cores, ranges, spread
from croupier.mathematics.questions.information.bets_knowing import BetsSolving, bets_are_solved
from croupier.mathematics.questions.information.flops_left import flops_left
from croupier.mathematics.questions.information.left_sums import QUANTITIES, LeftSums, SumsOfBoards
from croupier.mathematics.questions.information.removed_cards import (
    FlopChoices,
    FlopsLeft,
    play_flops_left,
)
from croupier.mathematics.questions.information.seen_cards import DRAWS_SEED
from croupier.mathematics.questions.strategies.grid import hand_name, members_of
from croupier.workers import workers

__all__ = [
    "Game",
    "SeenCase",
    "SeenValue",
    "drawn_hands",
    "is_solved",
    "sampled_mean",
    "solve_one_case",
    "solve_sharing_a_hand",
    "solve_sharing_hands",
    "solve_with_dealers_card",
    "solve_with_dealers_hand",
]

_Bets = dict[tuple[int, int], Fraction]
Game: TypeAlias = HoldemGame | SeveralBets


class SeenCase(NamedTuple):
    """Cards seen, by name; how many such there are; the value of those rounds; and how often each
    bet is made in them before the flop and at the flop: bets[seen, multiple], 0 is declining."""

    name: str
    weight: int
    value: Fraction
    bets: _Bets


@dataclass(frozen=True)
class SeenValue:
    """The value of a round, with its standard error where it is sampled; by the cards seen where
    it is exact, else by one card of those."""

    value: Fraction
    bets: _Bets
    by_cards: tuple[SeenCase, ...]
    standard_error: float | None = None
    samples: int | None = None


def is_solved(game: Game) -> bool:
    """One decision before the flop, at most, on no community card or one; the flop; the river."""
    if isinstance(game, SeveralBets):
        return bets_are_solved(game)
    seen = [level.seen for level in game.levels]
    return all(each in (0, 1, 3, 5) for each in seen) and not {0, 1}.issubset(seen)


# -- the questions --------------------------------------------------------------------------------


def solve_with_dealers_card(game: Game, *, takes_first: bool = True) -> SeenValue:
    """One of the dealer's cards is seen. Of equally good actions the first offered is taken, or the
    last if not `takes_first`; that changes the bets, never the value."""
    cases = [_Case(RANKS[rank], 4, (), (rank,)) for rank in _ranks(game)]
    return _exact(_solved(game, cases, takes_first))


def solve_with_dealers_hand(game: Game, *, takes_first: bool = True) -> SeenValue:
    """Both of the dealer's cards are seen."""
    cases = [_Case(name, weight, (), cards) for name, weight, cards in _hands(game)]
    return _exact(_solved(game, cases, takes_first))


def solve_sharing_a_hand(game: Game, *, takes_first: bool = True) -> SeenValue:
    """Both cards of another player are seen."""
    cases = [_Case(name, weight, cards, ()) for name, weight, cards in _hands(game)]
    return _exact(_solved(game, cases, takes_first))


def solve_sharing_hands(
    game: Game, hands: int, samples: int, seed: int = DRAWS_SEED, *, takes_first: bool = True
) -> SeenValue:
    """So many other hands are seen: the mean over random ones."""
    ranks = _ranks(game)
    single = [_Case(RANKS[rank], 4, (rank,), ()) for rank in ranks]
    draws = drawn_hands(game, hands, samples, seed)
    solved = _solved(game, [*single, *(_Case("", 1, cards, ()) for cards in draws)], takes_first)
    by_rank, by_draw = solved[: len(ranks)], solved[len(ranks) :]
    one_gone = {rank: case.value for rank, case in zip(ranks, by_rank, strict=True)}
    mean, error = sampled_mean(draws, [case.value for case in by_draw], one_gone)
    return SeenValue(mean, _mean_bets(by_draw), tuple(by_rank), error, samples)


def drawn_hands(
    game: Game, hands: int, samples: int, seed: int = DRAWS_SEED
) -> list[tuple[int, ...]]:
    """The cards of so many hands, drawn `samples` times; a seed draws the same ones every time."""
    deck = [card for card in range(52) if game.deck >> card % 13 & 1]
    random = np.random.default_rng(seed)
    return [
        tuple(sorted(int(card) for card in random.choice(deck, 2 * hands, replace=False)))
        for _ in range(samples)
    ]


def sampled_mean(
    draws: Sequence[tuple[int, ...]], values: Sequence[Fraction], one_gone: Mapping[int, Fraction]
) -> tuple[Fraction, float]:
    """The mean value over all hands, estimated from those drawn, and its standard error.

    `one_gone` has the value with one card of each rank gone. Its effects are exact and add up to
    zero over the ranks, so taking them off leaves the mean as it is, and the variance of what is
    left is that of independent draws: the estimate of the variance has no bias either.
    """
    middle = sum(one_gone.values(), Fraction(0)) / len(one_gone)
    left = [
        value - sum((one_gone[card % 13] - middle for card in cards), Fraction(0))
        for cards, value in zip(draws, values, strict=True)
    ]
    mean = sum(left, Fraction(0)) / len(left)
    variance = sum((float(value - mean) ** 2 for value in left), 0.0) / (len(left) - 1)
    return mean, sqrt(variance / len(left))


def solve_one_case(game: Game, gone: tuple[int, ...], held: tuple[int, ...]) -> Fraction:
    """The value where these cards of others are seen, and these of the dealer's."""
    return _solved(game, [_Case("", 1, gone, held)])[0].value


class _Case(NamedTuple):
    name: str
    weight: int
    gone: tuple[int, ...]
    held: tuple[int, ...]


class _Piece(NamedTuple):
    game: Game
    case: _Case
    takes_first: bool


def _ranks(game: Game) -> list[int]:
    return [rank for rank in range(13) if game.deck >> rank & 1]


def _hands(game: Game) -> Iterator[tuple[str, int, tuple[int, int]]]:
    """The starting hands by name, with the number of such hands and the cards of one."""
    for row in range(13):
        for column in range(13):
            if game.deck >> 12 - row & 1 and game.deck >> 12 - column & 1:
                members = members_of(row, column)
                yield hand_name(row, column), len(members), members[0]


def _solved(game: Game, cases: Sequence[_Case], takes_first: bool = True) -> list[SeenCase]:
    assert is_solved(game)
    try:
        return list(workers().map(_solve, [_Piece(game, case, takes_first) for case in cases]))
    finally:
        _solving.cache_clear()


def _solve(piece: _Piece) -> SeenCase:
    case = piece.case
    solving = _solving(piece.game, cores(), piece.takes_first)
    value, bets = solving.with_seen(case.gone, case.held)
    return SeenCase(case.name, case.weight, value, bets)


def _exact(cases: list[SeenCase]) -> SeenValue:
    deals = sum(case.weight for case in cases)
    value = sum((case.weight * case.value for case in cases), Fraction(0)) / deals
    return SeenValue(value, _mean_bets(cases), tuple(cases))


def _mean_bets(cases: Sequence[SeenCase]) -> _Bets:
    """Of all rounds."""
    deals = sum(case.weight for case in cases)
    return {
        bet: sum((case.weight * case.bets[bet] for case in cases), Fraction(0)) / deals
        for bet in cases[0].bets
    }


# -- one set of cards seen ------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _solving(game: Game, threads: int, takes_first: bool) -> _Solving | BetsSolving:
    if isinstance(game, SeveralBets):
        return BetsSolving(game, threads, takes_first)
    return _Solving(game, threads, takes_first)


class _Solving:
    """What all sets of cards share."""

    def __init__(self, game: HoldemGame, threads: int, takes_first: bool) -> None:
        self.game, self.threads, self.takes_first = game, threads, takes_first
        self.sums = LeftSums(game, threads)

    def with_seen(self, gone: tuple[int, ...], held: tuple[int, ...]) -> tuple[Fraction, _Bets]:
        """The mean value of the rounds in which these cards are seen, and the bets."""
        left = self.game.cards - len(gone) - len(held)
        runouts = comb(left - 5, 2) * self.sums.opponents(gone, held)
        flops, sizes = flops_left(self.game.deck, gone, held, self._first_seen())
        ways = (comb(left - 3, 2) if flops.seen else comb(left - 2, 3)) * runouts
        if int(sizes.max()) * ways * self.game.largest >= 1 << 63:
            raise Unsolvable("the pays are too large for the sums with cards seen")
        found = self._play_flops(flops, len(sizes), self.sums.of(gone, held), runouts)
        return self._play_deal(*found, sizes, ways)

    def _first_seen(self) -> int:
        return int(any(level.seen == 1 for level in self.game.levels))

    def _play_flops(
        self, flops: FlopsLeft, situations: int, boards: SumsOfBoards, runouts: int
    ) -> tuple[I64, I64]:
        level = self._level(3)
        choices = FlopChoices(
            river_choices(self.game)[0][0],
            np.array(level.multiples if level else (), np.int64),
            level is not None and level.decline == "fold",
            self.game.fold * runouts,
            self.takes_first,
        )
        sums = np.zeros((self.threads, situations, QUANTITIES), np.int64)
        counts = np.zeros((self.threads, situations, len(choices.multiples) + 1), np.int64)
        fixed = (flops, hand_rows(), *boards, choices)

        def work(thread: int, span: tuple[int, int]) -> None:
            scratch = (new_stage_scratch(), np.zeros((QUANTITIES, len(flops.hands)), np.int64))
            play_flops_left(*span, *fixed, *scratch, sums[thread], counts[thread])

        spread(ranges(len(flops.cards), 200), work, self.threads)
        return np.asarray(sums.sum(axis=0)), np.asarray(counts.sum(axis=0))

    def _level(self, seen: int) -> BetDecision | None:
        return next((level for level in self.game.levels if level.seen == seen), None)

    def _play_deal(self, sums: I64, counts: I64, sizes: I64, ways: int) -> tuple[Fraction, _Bets]:
        """The first decision of every situation, and how often each bet is made there and at the
        flop, as a share of these rounds."""
        required, decided, best = (sums[:, i].astype(object) for i in range(QUANTITIES))
        deals, seen = int(sizes.sum()), self._first_seen()
        level, action = self._level(seen), np.full(len(sizes), -1)
        if level is not None:
            if level.decline == "fold":
                best = self.game.fold * ways * sizes.astype(object)
            for place in range(len(level.multiples) - 1, -1, -1):
                bet = required + level.multiples[place] * decided
                action[(bet >= best if self.takes_first else bet > best).astype(bool)] = place
                best = np.maximum(bet, best)
        value = Fraction(sum(map(int, best)), deals * ways * self.game.scale)
        bets: _Bets = {}
        if level is not None:
            for place, multiple in ((-1, 0), *enumerate(level.multiples)):
                bets[seen, multiple] = Fraction(int(sizes[action == place].sum()), deals)
        at_flop = self._level(3)
        if at_flop is not None:
            open_, every = counts[action < 0].sum(axis=0), int(counts.sum())
            for place, multiple in enumerate((0, *at_flop.multiples)):
                bets[3, multiple] = Fraction(int(open_[place]), every)
        return value, bets
