"""The ranking pass: from a game's payoffs to the two tables from which every flop is put together.

Several games that differ in the required wagers' paytables only are priced in one pass. Their
payoffs differ from the first game's by a few distinct vectors (one per paytable line, as a rule):
each such vector is a *column*, which counts the showdowns it applies to, and A of every further
game is A of the first plus its coefficients times the columns. B is shared, and so is E but for the
few boards where a fold is right under one paytable and wrong under another; a row of differences
per game keeps those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import Final

import numpy as np

from croupier.mathematics.counters.boards.counted_boards import (
    boards_by_rank,
    boards_by_suit,
    suit_masks,
)
from croupier.mathematics.counters.boards.kernel_records import RunoutSums, deck_tables
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    RANK_TURNS,
    TURN_VIEWS,
    VIEWS,
)
from croupier.mathematics.counters.boards.one_bet import OUTCOMES, OneBetGame
from croupier.mathematics.counters.boards.scatter import new_rows
from croupier.mathematics.counters.boards.showdown_prices import (
    BASE,
    Columns,
    PricedBoards,
    Prices,
    amounts_of,
)
from croupier.mathematics.counters.boards.strengths import STRENGTHS
from croupier.mathematics.counters.boards.sums import (
    PlainValues,
    add_runouts,
    new_runout_scratch,
    price_boards,
)
from croupier.mathematics.kernels.arrays import I8, I32, I64, IntArray
from croupier.mathematics.kernels.threads import ranges, spread

__all__ = [
    "FlopTables",
    "coefficients_of",
    "fits_32_bits",
    "prices_of",
    "sum_boards",
]

MOST_COLUMNS: Final = 24
MOST_GAMES: Final = 12  # in one pass: memory grows with them


class TooManyColumns(Exception):
    """The games have too little in common to share a pass."""


@dataclass(frozen=True)
class BoardSums:
    """Quantities summed over runouts, without flushes by rank and the rest by view."""

    plain: I64  # [ranks seen, quantity, pair]
    parts: Sequence[I32 | I64]  # of every thread: [view, quantity, class]

    def of(self, quantity: int) -> RunoutSums:
        """One quantity: [ranks seen, pair] and [view, class]."""
        suited = self.parts[0][:, quantity].copy()
        for part in self.parts[1:]:
            suited += part[:, quantity]
        return RunoutSums(np.ascontiguousarray(self.plain[:, quantity]), suited)


@dataclass(frozen=True)
class FlopTables:
    flops: BoardSums
    turns: BoardSums  # empty unless the game decides there


def river_choices(game: OneBetGame) -> tuple[tuple[int, ...], bool]:
    """The multiples after five cards (0 is a free showdown), and whether folding is allowed."""
    last = game.levels[-1]
    if last.seen < 5:
        return (0,), False
    if last.decline == "fold":
        return last.multiples, True
    return (*last.multiples, 0), False


def prices_of(game: OneBetGame, narrow: bool | None = None) -> Prices:
    """What the kernels read; in 32 bits if it fits, unless that is said."""
    wagers = (amounts_of(paid, game.qualifier) for paid in (game.required, game.decided))
    amounts = np.ascontiguousarray(np.concatenate([*wagers], axis=1))
    changes = np.flatnonzero((amounts[1:] != amounts[:-1]).any(axis=1)) + 1
    choices, may_fold = river_choices(game)
    narrow = fits_32_bits(game) if narrow is None else narrow
    return Prices(
        amounts.astype(np.int32) if narrow else amounts,
        np.append(changes, STRENGTHS),
        game.qualifier,
        game.dealer_hands,
        np.array(choices, dtype=np.int64),
        may_fold,
        game.fold,
    )


def coefficients_of(games: Sequence[OneBetGame]) -> I64:
    """[game, column]: A of a game is the first's plus these times the columns."""
    return _columns(games).coefficients if len(games) > 1 else np.zeros((1, 0), np.int64)


def _columns(games: Sequence[OneBetGame]) -> Columns:
    """How the other games' payoffs differ from the first game's."""
    differences = np.stack([other.required.T - games[0].required.T for other in games], axis=-1)
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


def fits_32_bits(game: OneBetGame) -> bool:
    """Whether the values of boards, and the suited sums, provably fit 32 bits.

    A value is the sum of 990 payoffs. A view's sum is over at most C(47, 2) runouts of differences
    of two values: it cannot exceed the payoffs' spread times both.
    """
    choices, may_fold = river_choices(game)
    showdown = [int(game.required.min()) + k * int(game.decided.min()) for k in choices]
    swing = max(choices) * int(np.abs(game.decided).max())
    added = swing + (max(0, game.fold - min(showdown)) + swing if may_fold else 0)
    spread_ = max(int(np.ptp(game.required)), int(np.ptp(game.decided)), added, 1)
    largest = max(int(np.abs(paid).max()) for paid in (game.required, game.decided))
    most = max(comb(game.cards - 5, 2) * spread_, 2 * largest)  # amounts are differences too
    return most * game.dealer_hands < 1 << 31


def sum_boards(games: Sequence[OneBetGame], threads: int) -> FlopTables:
    """Price every board, and sum the quantities of all games over runouts."""
    game, tables = games[0], deck_tables(games[0])
    columns = _columns(games) if len(games) > 1 else None
    coefficients = columns.coefficients if columns else np.zeros((1, 0), np.int64)
    quantities = BASE + coefficients.shape[1] + len(games) - 1
    at_turn = any(level.seen == 4 for level in game.levels)
    narrow = all(map(fits_32_bits, games))
    boards = (boards_by_rank(game, threads), boards_by_suit(game, threads))
    priced = PricedBoards(prices_of(game, narrow), *boards)
    values = PlainValues(
        _zeros((RANK_BOARDS, quantities, PAIRS), narrow),
        np.ones((RANK_BOARDS, quantities), dtype=np.int8),
    )
    plain = np.zeros((RANK_FLOPS, quantities, PAIRS), dtype=np.int64)
    turns = np.zeros((RANK_TURNS if at_turn else 0, quantities, PAIRS), dtype=np.int64)
    shapes = [(VIEWS, quantities, CLASSES), (TURN_VIEWS if at_turn else 0, quantities, CLASSES)]
    suited, suited_turns = ([_zeros(size, narrow) for _ in range(threads)] for size in shapes)

    def price(thread: int, start: int, stop: int, masks: I32) -> None:
        rows = new_rows(quantities, suited[thread])
        sums = (suited[thread], suited_turns[thread] if at_turn else None)
        price_boards(start, stop, masks, tables, priced, columns, values, rows, *sums)

    def by_rank(thread: int, span: tuple[int, int]) -> None:
        price(thread, *span, np.zeros(0, np.int32))

    def runouts(_: int, span: tuple[int, int]) -> None:
        ranks = tables.numbering.flop_ranks
        add_runouts(*span, tables, ranks, values, new_runout_scratch(), plain)

    def runouts_at_turn(_: int, span: tuple[int, int]) -> None:
        ranks = tables.numbering.turn_ranks
        add_runouts(*span, tables, ranks, values, new_runout_scratch(), turns)

    def by_suit(thread: int, masks: I32) -> None:
        price(thread, 0, 0, masks)

    spread(ranges(RANK_BOARDS, 400), by_rank, threads)
    spread(ranges(RANK_FLOPS, 40), runouts, threads)
    spread(ranges(len(turns), 150), runouts_at_turn, threads)
    spread(suit_masks(game.deck), by_suit, threads)
    return FlopTables(BoardSums(plain, suited), BoardSums(turns, suited_turns))


def _zeros(shape: tuple[int, ...], narrow: bool) -> IntArray:
    return np.zeros(shape, np.int32) if narrow else np.zeros(shape, np.int64)
