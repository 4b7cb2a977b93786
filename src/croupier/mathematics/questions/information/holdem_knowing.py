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
from math import sqrt
from typing import NamedTuple

import numpy as np

from croupier.cards import RANKS
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.kernels.threads import cores
from croupier.mathematics.questions.information.bets_knowing import BetsSolving, is_solved
from croupier.mathematics.questions.information.seen_cards import DRAWS_SEED
from croupier.mathematics.questions.strategies.grid import hand_name, members_of
from croupier.workers import workers

__all__ = [
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


# -- the questions --------------------------------------------------------------------------------


def solve_with_dealers_card(game: HoldemGame, *, takes_first: bool = True) -> SeenValue:
    """One of the dealer's cards is seen. Of equally good actions the first offered is taken, or the
    last if not `takes_first`; that changes the bets, never the value."""
    cases = [_Case(RANKS[rank], 4, (), (rank,)) for rank in _ranks(game)]
    return _exact(_solved(game, cases, takes_first))


def solve_with_dealers_hand(game: HoldemGame, *, takes_first: bool = True) -> SeenValue:
    """Both of the dealer's cards are seen."""
    cases = [_Case(name, weight, (), cards) for name, weight, cards in _hands(game)]
    return _exact(_solved(game, cases, takes_first))


def solve_sharing_a_hand(game: HoldemGame, *, takes_first: bool = True) -> SeenValue:
    """Both cards of another player are seen."""
    cases = [_Case(name, weight, cards, ()) for name, weight, cards in _hands(game)]
    return _exact(_solved(game, cases, takes_first))


def solve_sharing_hands(
    game: HoldemGame, hands: int, samples: int, seed: int = DRAWS_SEED, *, takes_first: bool = True
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
    game: HoldemGame, hands: int, samples: int, seed: int = DRAWS_SEED
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


def solve_one_case(game: HoldemGame, gone: tuple[int, ...], held: tuple[int, ...]) -> Fraction:
    """The value where these cards of others are seen, and these of the dealer's."""
    return _solved(game, [_Case("", 1, gone, held)])[0].value


class _Case(NamedTuple):
    name: str
    weight: int
    gone: tuple[int, ...]
    held: tuple[int, ...]


class _Piece(NamedTuple):
    game: HoldemGame
    case: _Case
    takes_first: bool


def _ranks(game: HoldemGame) -> list[int]:
    return [rank for rank in range(13) if game.deck >> rank & 1]


def _hands(game: HoldemGame) -> Iterator[tuple[str, int, tuple[int, int]]]:
    """The starting hands by name, with the number of such hands and the cards of one."""
    for row in range(13):
        for column in range(13):
            if game.deck >> 12 - row & 1 and game.deck >> 12 - column & 1:
                members = members_of(row, column)
                yield hand_name(row, column), len(members), members[0]


def _solved(game: HoldemGame, cases: Sequence[_Case], takes_first: bool = True) -> list[SeenCase]:
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


@lru_cache(maxsize=1)
def _solving(game: HoldemGame, threads: int, takes_first: bool) -> BetsSolving:
    return BetsSolving(game, threads, takes_first)
