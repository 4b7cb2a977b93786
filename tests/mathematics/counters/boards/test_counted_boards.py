"""Boards counted once for all paytables, against every showdown one by one."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.mathematics.counters.boards.counted_boards import (
    CountedBoards,
    boards_by_rank,
    boards_by_suit,
    forget_boards,
)
from croupier.mathematics.counters.boards.games import ShowdownResult
from croupier.mathematics.counters.boards.numbering import (
    STRENGTHS,
    numbering,
    pair_number,
    suited_class,
)
from croupier.mathematics.counters.boards.prices import (
    amounts_of,
    fits_32_bits,
    outcome_count,
    prices_of,
)
from croupier.mathematics.questions.strategies.situations import suit_boards
from croupier.ranking.fast import strength
from tests.mathematics.counters.boards.examples import jackpot, river, solve, ultimate, wpt

Count = tuple[int, int, int, int]


def showdowns(board: list[int], hand: tuple[int, int], qualifier: int) -> Count:
    """The hand's strength; then the dealer's hands that it beats, that tie, that do not qualify."""

    def of(cards: tuple[int, ...]) -> int:
        return int(strength(sum(1 << card for card in (*board, *cards))))

    own, rest = of(hand), [card for card in range(52) if card not in (*board, *hand)]
    others = [of(cards) for cards in combinations(rest, 2)]
    beaten = sum(other < own for other in others)
    return own, beaten, others.count(own), sum(other < qualifier for other in others)


def counted(boards: CountedBoards, board: int, number: int) -> Count:
    length = int(boards.lengths[board])
    place = boards.classes[board, :length].tolist().index(number)
    return (
        int(boards.strengths[board, place]),
        int(boards.wins[board, place]),
        int(boards.ties[board, place]),
        int(boards.unqualified[board, place]),
    )


@pytest.mark.parametrize("seed", range(8))
def test_boards_by_suit_are_counted_as_one_by_one(seed: int) -> None:
    """Three, four and five cards of one suit; the others spread over the other suits."""
    chance, game = random.Random(seed), river(ultimate())
    boards, cards_of = boards_by_suit(game, 2), suit_boards()
    number = chance.choice(np.flatnonzero(boards.lengths).tolist())
    f = [rank for rank in range(13) if cards_of.mask[number] >> rank & 1]
    x = [int(cards_of.p[number]), int(cards_of.q[number])][: 5 - len(f)]
    board = f + [rank + 13 * (2 + place) for place, rank in enumerate(x)]
    for hand in chance.sample(list(combinations(set(range(52)) - set(board), 2)), 10):
        kinds = [card if card < 13 else 13 + card % 13 for card in hand]
        found = counted(boards, number, suited_class(*kinds))
        assert found == showdowns(board, hand, game.qualifier), (board, hand)


@pytest.mark.parametrize("seed", range(4))
def test_boards_by_rank_are_counted_as_one_by_one(seed: int) -> None:
    chance, game = random.Random(seed), river(ultimate())
    boards = boards_by_rank(game, 2)
    number = chance.choice(np.flatnonzero(boards.lengths).tolist())
    ranks = numbering().board_ranks[number].tolist()
    board = [rank + 13 * (place % 4) for place, rank in enumerate(ranks)]  # two of a suit at most
    for hand in chance.sample(list(combinations(set(range(52)) - set(board), 2)), 10):
        found = counted(boards, number, pair_number(hand[0] % 13, hand[1] % 13))
        assert found == showdowns(board, hand, game.qualifier), (board, hand)


def test_a_game_that_pays_otherwise_has_the_same_counts() -> None:
    game = river(ultimate())
    other = replace(game, required=game.required + 1)
    assert boards_by_suit(other, 2) is boards_by_suit(game, 2)
    assert boards_by_rank(other, 1) is boards_by_rank(game, 2)


def test_another_qualifier_or_deck_has_its_own_counts() -> None:
    game = river(ultimate())
    for other in (replace(game, qualifier=0), river(ultimate(deck=0b1111111111000))):
        assert boards_by_rank(other, 2) is not boards_by_rank(game, 2)
        assert not np.array_equal(
            boards_by_suit(other, 2).unqualified, boards_by_suit(game, 2).unqualified
        )


def test_one_game_after_another_comes_out_as_alone() -> None:
    games = (ultimate(), wpt(), jackpot(), replace(ultimate(), qualifier=0), ultimate())
    after_each_other = [solve(game).value for game in games]
    for game, value in zip(games, after_each_other, strict=True):
        forget_boards()
        assert solve(game).value == value


@given(
    st.lists(st.integers(-900, 900), min_size=6, max_size=6),
    st.booleans(),
    st.integers(0, 990),
    st.integers(0, 990),
    st.integers(0, 990),
)
def test_amounts_are_the_outcomes_put_together(
    paid: list[int], below: bool, one: int, two: int, three: int
) -> None:
    """Against the outcomes counted one by one, whatever is paid for each."""
    every = 990
    low, middle, high = sorted((one, two, three))
    if below:  # beaten, tied and the rest of the unqualified
        wins, ties, unqualified = low, middle - low, high
    else:
        unqualified, wins, ties = low, middle, high - middle
    qualifier = 10 if below else 0
    payoffs = np.repeat(np.array(paid)[:, None], STRENGTHS, axis=1)
    factors = amounts_of(payoffs, qualifier)[5].tolist()
    counts = (wins, ties, unqualified, every)
    expected = sum(
        outcome_count(outcome, below, wins, ties, unqualified, every) * paid[outcome]
        for outcome in ShowdownResult
    )
    assert sum(a * b for a, b in zip(factors, counts, strict=True)) == expected


def test_payoffs_too_large_for_32_bits_are_exact_too() -> None:
    """The same on top of every payoff: the spread is small, the sums are not."""
    game, more = ultimate(), 2_000_000
    other = replace(game, required=game.required + more, fold=game.fold + more)
    narrow = river(game)
    wide = replace(narrow, required=narrow.required + more)
    assert fits_32_bits(narrow)
    assert not fits_32_bits(wide)
    assert prices_of(narrow).amounts.dtype == np.int32
    assert prices_of(wide).amounts.dtype == np.int64
    assert solve(other).value == solve(game).value + more // game.scale
