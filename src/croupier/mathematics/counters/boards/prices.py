"""The payments of one board: from counted hands to the quantities that are summed over runouts.

A is what the required wagers pay over all dealer's hands, B what one unit of the decided wager
pays, and E what the last decision adds to A + k0*B: the best of A + k*B over its choices and of 0
for a fold, less A + k0*B.

Several games that differ only in what their required wagers pay are priced in one pass. Their
payoffs differ from the first game's by a few distinct vectors (usually one per paytable line): each
such vector is a *column*, which counts the showdowns it applies to, and A of every further game is
A of the first plus its coefficients times the columns. B is shared, and so is E except on the few
boards where a fold is right under one paytable and wrong under another; a row of differences per
game stores those.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import comb
from typing import Final, NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.counted_boards import (
    CountedBoards,
    HandCounts,
    Ranked,
)
from croupier.mathematics.counters.boards.games import OUTCOMES, RiverGame
from croupier.mathematics.counters.boards.numbering import STRENGTHS
from croupier.mathematics.kernels.arrays import I8, I64, IntArray
from croupier.mathematics.kernels.decorators import part, whole

BASE: Final = 3  # A, B, E


class Prices(NamedTuple):
    """The payments of a game, as the kernels read them."""

    amounts: IntArray  # [strength, 8]: what A is a sum of, then B: see `amounts_of`
    levels: I64  # the strengths from which on the amounts are other ones, and one above all
    qualifier: int
    opponents: int  # dealer's hands per board and hand
    choices: I64  # the multiples at the river, 0 where the player may check to the showdown
    may_fold: bool  # for 0


class Columns(NamedTuple):
    """The payments of further games, as differences from the first game's."""

    column: I8  # [strength, outcome]: the column that counts it, or -1
    counted: I8  # [strength]: whether any outcome of it is in a column
    worst: I64  # [strength, outcome]: the lowest difference to A among the games
    coefficients: I64  # [game, column]: A of a game is the first's plus these times the columns


class PricedBoards(NamedTuple):
    """A game's prices, with the counts of every board."""

    prices: Prices
    by_rank: CountedBoards
    by_suit: CountedBoards


def amounts_of(paid: I64, qualifier: int) -> I64:
    """Return [strength, 4]: a wager's worth over all dealer's hands, as factors of the wins, the
    ties, the unqualified opponents and all opponents. `paid` is by outcome and strength.

    For a hand that would qualify itself, the unqualified opponents are among the wins; for one that
    would not, those it neither beats nor ties are losses.
    """
    won, won_open, tied, tied_open, lost, lost_open = paid
    strong = np.stack([won - lost, tied - lost, won_open - won, lost], axis=1)
    weak = np.stack([won_open - lost_open, tied_open - lost_open, lost_open - lost, lost], axis=1)
    below = np.arange(len(won))[:, None] < qualifier
    return np.where(below, weak, strong)


@part
def price_sequence(length: int, counts: HandCounts | Ranked, prices: Prices, values: I64) -> None:
    """Write the quantities of every class in the sequence: values[0..2, place] = A, B, E.

    Adjacent hands are usually paid alike, so that their prices are one short loop.
    """
    levels, strengths = prices.levels, counts.strengths
    start, level = 0, 0
    while start < length:
        strength = strengths[start]
        while levels[level] <= strength:
            level += 1
        stop = start + 1
        while stop < length and strengths[stop] < levels[level]:
            stop += 1
        _price_alike(start, stop, prices.amounts[strength], prices.opponents, counts, values)
        start = stop
    _price_river(prices, values[0, :length], values[1, :length], values[2, :length])


@part
def _price_alike(
    start: int, stop: int, each: IntArray, opponents: int, counts: HandCounts | Ranked, values: I64
) -> None:
    """Write A and B of hands that are paid the same."""
    wins, ties = counts.wins[start:stop], counts.ties[start:stop]
    unqualified = counts.unqualified[start:stop]
    for quantity in range(2):
        out, first = values[quantity, start:stop], 4 * quantity
        won, tied, weak = whole(each[first]), whole(each[first + 1]), whole(each[first + 2])
        always = whole(each[first + 3]) * opponents
        for i in range(len(out)):
            won_or_tied = whole(wins[i]) * won + whole(ties[i]) * tied
            out[i] = won_or_tied + whole(unqualified[i]) * weak + always


@part
def _price_river(prices: Prices, a: I64, b: I64, added: I64) -> None:
    """Write E, what the last decision adds."""
    first = prices.choices[0]
    for place in range(len(added)):
        added[place] = first * b[place]
    for i in range(1, len(prices.choices)):
        multiple = prices.choices[i]
        for place in range(len(added)):
            added[place] = max(added[place], multiple * b[place])
    if prices.may_fold:
        for place in range(len(added)):
            added[place] = max(added[place], -a[place])
    for place in range(len(added)):
        added[place] -= first * b[place]


@part
def count_columns(
    length: int, counts: HandCounts, prices: Prices, columns: Columns, values: I64, used: I8
) -> None:
    """Write values[3.., place] = how many showdowns of the class belong to each column.

    After the columns comes a row for every further game: its E less the first game's. That is zero
    except where a fold is right under one paytable and wrong under another (quads on the board,
    say, with a poor kicker). `used` marks the rows that are not all zero.
    """
    coefficients, column_of = columns.coefficients, columns.column
    games, width = coefficients.shape
    for row in range(BASE, len(used)):
        used[row] = 0
        for place in range(length):
            values[row, place] = 0
    every = prices.opponents
    for place in range(length):
        strength = counts.strengths[place]
        if not columns.counted[strength]:
            continue
        wins, ties = whole(counts.wins[place]), whole(counts.ties[place])
        weak = whole(counts.unqualified[place])
        worst = 0
        for outcome in range(6):
            column = column_of[strength, outcome]
            if column >= 0:
                times = outcome_count(outcome, strength < prices.qualifier, wins, ties, weak, every)
                if times > 0:
                    values[BASE + column, place] += times
                    used[BASE + column] = 1
                    worst += times * columns.worst[strength, outcome]
        a, b, added = values[0, place], values[1, place], values[2, place]
        if not prices.may_fold or a + _free(b, prices.choices) + worst >= 0:
            continue
        for game in range(1, games):
            required = a
            for column in range(width):
                required += coefficients[game, column] * values[BASE + column, place]
            free = _free(b, prices.choices)
            difference = max(free, -required) - prices.choices[0] * b - added
            if difference != 0:
                values[BASE + width + game - 1, place] = difference
                used[BASE + width + game - 1] = 1


@part
def _free(b: int, choices: I64) -> int:
    """Return the best of the river's bets, less A."""
    best = whole(choices[0] * b)
    for i in range(1, len(choices)):
        best = max(best, whole(choices[i] * b))
    return best


@part
def outcome_count(
    outcome: int, below: bool, wins: int, ties: int, unqualified: int, every: int
) -> int:
    """Return how many showdowns of one hand end this way; `below`: the hand itself would not
    qualify."""
    if below:
        return (0, wins, 0, ties, every - unqualified, unqualified - wins - ties)[outcome]
    return (wins - unqualified, unqualified, ties, 0, every - wins - ties, 0)[outcome]


MOST_COLUMNS: Final = 24
MOST_GAMES: Final = 12  # in one pass: memory grows with them


class TooManyColumns(Exception):
    """The games have too little in common to share a pass."""


def prices_of(game: RiverGame, narrow: bool | None = None) -> Prices:
    """Return what the kernels read; in 32 bits if it fits, unless stated otherwise."""
    wagers = (amounts_of(paid, game.qualifier) for paid in (game.required, game.decided))
    amounts = np.ascontiguousarray(np.concatenate([*wagers], axis=1))
    changes = np.flatnonzero((amounts[1:] != amounts[:-1]).any(axis=1)) + 1
    narrow = fits_32_bits(game) if narrow is None else narrow
    return Prices(
        amounts.astype(np.int32) if narrow else amounts,
        np.append(changes, STRENGTHS),
        game.qualifier,
        game.dealer_hands,
        np.array(game.multiples, dtype=np.int64),
        game.folds,
    )


def columns_of(games: Sequence[RiverGame]) -> Columns | None:
    """Return how the other games' payoffs differ from the first game's, or None for a single
    game."""
    if len(games) == 1:
        return None
    differences = np.stack([further.required.T - games[0].required.T for further in games], axis=-1)
    column = np.full((STRENGTHS, OUTCOMES), -1, dtype=np.int8)
    vectors: dict[bytes, int] = {}
    changes = (differences[1:] != differences[:-1]).any(axis=(1, 2))
    starts = [0, *(np.flatnonzero(changes) + 1).tolist(), STRENGTHS]
    for start, stop in pairwise(starts):
        for outcome in np.flatnonzero(differences[start].any(axis=1)).tolist():
            number = vectors.setdefault(differences[start, outcome].tobytes(), len(vectors))
            if number == MOST_COLUMNS:
                raise TooManyColumns
            column[start:stop, outcome] = number
    coefficients = np.array([np.frombuffer(vector, np.int64) for vector in vectors])
    coefficients = np.ascontiguousarray(coefficients.reshape(-1, len(games)).T)
    counted: I8 = np.asarray((column >= 0).any(axis=1), dtype=np.int8)
    least = np.ascontiguousarray(differences.min(axis=-1))
    return Columns(column, counted, least, coefficients)


def fits_32_bits(game: RiverGame) -> bool:
    """Return whether the values of boards, and the suited sums, provably fit in 32 bits.

    A value is the sum of 990 payoffs. A view's sum is over at most C(47, 2) runouts of differences
    of two values: it cannot exceed the payoffs' spread times both.
    """
    showdown = [int(game.required.min()) + k * int(game.decided.min()) for k in game.multiples]
    swing = max(game.multiples) * int(np.abs(game.decided).max())
    added = swing + (max(0, -min(showdown)) + swing if game.folds else 0)
    spread_ = max(int(np.ptp(game.required)), int(np.ptp(game.decided)), added, 1)
    largest = max(int(np.abs(paid).max()) for paid in (game.required, game.decided))
    most = max(comb(game.cards - 5, 2) * spread_, 2 * largest)  # amounts are differences too
    return most * game.dealer_hands < 1 << 31
