"""The money of one board: from counted hands to the quantities that are summed over runouts.

    A   the required wagers over all dealer's hands,
    B   one unit of the decided wager likewise,
    E   what the last decision adds to A + k0*B: max(A + k*B over its choices, fold) - A - k0*B.

More quantities follow when several games are priced together (`tables`).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from croupier.mathematics.holdem.arrays import I8, I64
from croupier.mathematics.holdem.boards import Ranked, RankedBoards
from croupier.mathematics.holdem.kernels import part, whole

__all__ = ["BASE", "PricedBoards", "Prices", "count_columns", "outcome_count", "price_sequence"]

BASE: Final = 3  # A, B, E


class Prices(NamedTuple):
    """The money of a game, as the kernels read it."""

    amounts: I64  # [strength, 12]: A for each outcome, then B for each outcome
    qualifier: int
    opponents: int  # dealer's hands per board and hand
    choices: I64  # the multiples at the river, 0 where the player may check to the showdown
    may_fold: bool
    fold: int
    column: I8  # [strength, outcome]: the column that counts it, or -1
    counted: I8  # [strength]: whether any outcome of it is in a column
    worst: I64  # [strength, outcome]: the lowest difference to A among the games
    coefficients: I64  # [game, column]: A of a game is the first's plus these times the columns


class PricedBoards(NamedTuple):
    """A game's prices, with the hands of every board by rank in order of their strength."""

    prices: Prices
    ranked: RankedBoards


@part
def price_sequence(length: int, ranked: Ranked, prices: Prices, values: I64) -> None:
    """The quantities of every class in the sequence: values[0..2, place] = A, B, E."""
    amounts, choices, strengths = prices.amounts, prices.choices, ranked.strengths
    every, fold = prices.opponents, prices.fold * prices.opponents
    first = choices[0]
    for place in range(length):
        strength = strengths[place]
        wins, ties = whole(ranked.wins[place]), whole(ranked.ties[place])
        weak = whole(ranked.unqualified[place])
        if strength < prices.qualifier:
            rest, lost = every - weak, weak - wins - ties
            a = (
                wins * amounts[strength, 1]
                + ties * amounts[strength, 3]
                + rest * amounts[strength, 4]
                + lost * amounts[strength, 5]
            )
            b = (
                wins * amounts[strength, 7]
                + ties * amounts[strength, 9]
                + rest * amounts[strength, 10]
                + lost * amounts[strength, 11]
            )
        else:
            rest, wins = every - wins - ties, wins - weak
            a = (
                wins * amounts[strength, 0]
                + weak * amounts[strength, 1]
                + ties * amounts[strength, 2]
                + rest * amounts[strength, 4]
            )
            b = (
                wins * amounts[strength, 6]
                + weak * amounts[strength, 7]
                + ties * amounts[strength, 8]
                + rest * amounts[strength, 10]
            )
        best = _free(b, choices)
        values[0, place] = a
        values[1, place] = b
        values[2, place] = (max(best, fold - a) if prices.may_fold else best) - first * b


@part
def count_columns(length: int, ranked: Ranked, prices: Prices, values: I64, used: I8) -> None:
    """values[3.., place] = how many showdowns of the class belong to each column.

    After the columns comes a row for every further game: its E less the first game's. That is zero
    except where a fold is right under one paytable and not under another (quads on the board, say,
    with a poor kicker). `used` tells which rows are not all zero.
    """
    columns, games = prices.coefficients.shape[1], prices.coefficients.shape[0]
    for row in range(BASE, len(used)):
        used[row] = 0
        for place in range(length):
            values[row, place] = 0
    every, fold = prices.opponents, prices.fold * prices.opponents
    for place in range(length):
        strength = ranked.strengths[place]
        if not prices.counted[strength]:
            continue
        wins, ties = whole(ranked.wins[place]), whole(ranked.ties[place])
        weak = whole(ranked.unqualified[place])
        worst = 0
        for outcome in range(6):
            column = prices.column[strength, outcome]
            if column >= 0:
                times = outcome_count(outcome, strength < prices.qualifier, wins, ties, weak, every)
                if times > 0:
                    values[BASE + column, place] += times
                    used[BASE + column] = 1
                    worst += times * prices.worst[strength, outcome]
        a, b, added = values[0, place], values[1, place], values[2, place]
        if not prices.may_fold or a + _free(b, prices.choices) + worst >= fold:
            continue
        for game in range(1, games):
            required = a
            for column in range(columns):
                required += prices.coefficients[game, column] * values[BASE + column, place]
            free = _free(b, prices.choices)
            difference = max(free, fold - required) - prices.choices[0] * b - added
            if difference != 0:
                values[BASE + columns + game - 1, place] = difference
                used[BASE + columns + game - 1] = 1


@part
def _free(b: int, choices: I64) -> int:
    """The best of the river's bets, less A."""
    best = whole(choices[0] * b)
    for i in range(1, len(choices)):
        best = max(best, whole(choices[i] * b))
    return best


@part
def outcome_count(
    outcome: int, below: bool, wins: int, ties: int, unqualified: int, every: int
) -> int:
    """Showdowns of one hand that end so; `below`: the hand itself would not qualify."""
    if below:
        return (0, wins, 0, ties, every - unqualified, unqualified - wins - ties)[outcome]
    return (wins - unqualified, unqualified, ties, 0, every - wins - ties, 0)[outcome]
