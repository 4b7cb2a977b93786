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
from functools import cached_property, lru_cache
from itertools import pairwise
from math import comb
from typing import Final

import numpy as np

from croupier.mathematics.holdem.arrays import I8, I32, I64
from croupier.mathematics.holdem.boards import (
    RankedBoards,
    new_ranked,
    new_ranked_boards,
    rank_plain_boards,
)
from croupier.mathematics.holdem.games import OUTCOMES, HoldemGame
from croupier.mathematics.holdem.kernel_records import RunoutSums, deck_tables
from croupier.mathematics.holdem.numbering import (
    CLASSES,
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    RANK_TURNS,
    TURN_VIEWS,
    VIEWS,
    numbering,
)
from croupier.mathematics.holdem.scatter import new_rows
from croupier.mathematics.holdem.showdown_prices import BASE, PricedBoards, Prices
from croupier.mathematics.holdem.strengths import STRENGTHS, StrengthTables, strength_tables
from croupier.mathematics.holdem.sums import (
    PlainValues,
    add_runouts,
    new_runout_scratch,
    price_plain_boards,
    price_suited_boards,
)
from croupier.mathematics.holdem.threads import spread

__all__ = [
    "FlopTables",
    "boards_of_deck",
    "fits_32_bits",
    "prices_of",
    "ranked_boards",
    "same_but_required",
    "suit_masks",
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
        suited = self.parts[0][:, quantity].astype(np.int64)
        for part in self.parts[1:]:
            suited += part[:, quantity]
        return RunoutSums(np.ascontiguousarray(self.plain[:, quantity]), suited)

    def first_three(self) -> RunoutSums:
        """A, B and E: [quantity, ranks seen, pair] and [quantity, view, class]."""
        plain, suited = zip(*(self.of(quantity) for quantity in range(BASE)), strict=True)
        return RunoutSums(np.stack(plain), np.stack(suited))


@dataclass(frozen=True)
class FlopTables:
    flops: BoardSums
    turns: BoardSums  # empty unless the game decides there
    coefficients: I64  # [game, column]

    @cached_property
    def columns(self) -> list[RunoutSums]:
        return [self.flops.of(BASE + column) for column in range(self.coefficients.shape[1])]

    def required(self, game: int) -> RunoutSums:
        """A of one of the games."""
        plain, suited = self._first
        for times, column in zip(self.coefficients[game].tolist(), self.columns, strict=True):
            if times:
                plain = plain + times * column[0]
                suited = suited + times * column[1]
        return RunoutSums(plain, suited)

    @cached_property
    def _first(self) -> RunoutSums:
        return self.flops.of(0)

    def added(self, game: int) -> RunoutSums | None:
        """E of one of the games less the first game's, or None if they are the same."""
        row = BASE + self.coefficients.shape[1] + game - 1
        if game == 0:
            return None
        sums = self.flops.of(row)
        return sums if sums.plain.any() or sums.suited.any() else None


def same_but_required(one: HoldemGame, other: HoldemGame) -> bool:
    return (
        one.levels == other.levels
        and one.tables is other.tables
        and (one.qualifier, one.fold, one.scale, one.deck)
        == (other.qualifier, other.fold, other.scale, other.deck)
        and np.array_equal(one.decided, other.decided)
    )


def river_choices(game: HoldemGame) -> tuple[tuple[int, ...], bool]:
    """The multiples after five cards (0 is a free showdown), and whether folding is allowed."""
    last = game.levels[-1]
    if last.seen < 5:
        return (0,), False
    if last.decline == "fold":
        return last.multiples, True
    return (*last.multiples, 0), False


def prices_of(games: Sequence[HoldemGame]) -> Prices:
    """What the kernels read."""
    game = games[0]
    column, coefficients, worst = _columns(games)
    counted: I8 = np.asarray((column >= 0).any(axis=1), dtype=np.int8)
    amounts = np.concatenate([game.required, game.decided]).T
    choices, may_fold = river_choices(game)
    return Prices(
        np.ascontiguousarray(amounts),
        game.qualifier,
        game.dealer_hands,
        np.array(choices, dtype=np.int64),
        may_fold,
        game.fold,
        column,
        counted,
        worst,
        coefficients,
    )


def _columns(games: Sequence[HoldemGame]) -> tuple[I8, I64, I64]:
    """The column of each strength and outcome, the coefficients, the worst differences."""
    if len(games) == 1:
        none = np.full((STRENGTHS, OUTCOMES), -1, dtype=np.int8)
        return none, np.zeros((1, 0), np.int64), np.zeros((STRENGTHS, OUTCOMES), np.int64)
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
    coefficients = coefficients.reshape(-1, len(games)).T
    return column, np.ascontiguousarray(coefficients), differences.min(axis=-1)


@lru_cache(maxsize=4)
def suit_masks(deck: int) -> list[I32]:
    """The f ranks of boards (three, four or five in one suit), in batches of like effort."""
    masks = np.array([mask for mask in range(1 << 13) if mask & ~deck == 0], dtype=np.int32)
    bits = np.bitwise_count(masks)
    batches: list[I32] = []
    for count, size in ((3, 6), (4, 30), (5, 160)):
        chosen = masks[bits == count]
        batches += [chosen[at : at + size] for at in range(0, len(chosen), size)]
    return batches


def ranges(total: int, step: int) -> list[tuple[int, int]]:
    return [(at, min(at + step, total)) for at in range(0, total, step)]


def fits_32_bits(game: HoldemGame) -> bool:
    """Whether the suited sums provably fit 32 bits.

    A view's sum is over at most C(47, 2) runouts of differences of two values, each the sum of 990
    payoffs: it cannot exceed the payoffs' spread times both.
    """
    choices, may_fold = river_choices(game)
    showdown = [int(game.required.min()) + k * int(game.decided.min()) for k in choices]
    swing = max(choices) * int(np.abs(game.decided).max())
    added = swing + (max(0, game.fold - min(showdown)) + swing if may_fold else 0)
    spread_ = max(int(np.ptp(game.required)), int(np.ptp(game.decided)), added, 1)
    return comb(game.cards - 5, 2) * game.dealer_hands * spread_ < 1 << 31


def ranked_boards(game: HoldemGame, threads: int) -> RankedBoards:
    """The hands of every board where no flush is possible, in ascending strength."""
    if game.tables is not None:
        return _rank_boards(game.deck, game.tables, threads)
    return boards_of_deck(game.deck, threads)


@lru_cache(maxsize=2)
def boards_of_deck(deck: int, threads: int) -> RankedBoards:
    """Ranked once in a process: every game with this deck has the same."""
    return _rank_boards(deck, strength_tables(), threads)


def _rank_boards(deck: int, tables: StrengthTables, threads: int) -> RankedBoards:
    ranked = new_ranked_boards(RANK_BOARDS)
    fixed = (deck, tables, numbering())

    def work(_: int, span: tuple[int, int]) -> None:
        rank_plain_boards(*span, *fixed, np.zeros(13, np.int32), np.zeros(7, np.int8), ranked)

    spread(ranges(RANK_BOARDS, 400), work, threads)
    return ranked


def sum_boards(games: Sequence[HoldemGame], threads: int) -> FlopTables:
    """Rank every board once, and sum the quantities of all games over runouts."""
    game, prices = games[0], prices_of(games)
    tables = deck_tables(game)
    shape = tables.numbering
    quantities = BASE + prices.coefficients.shape[1] + len(games) - 1
    at_turn = any(level.seen == 4 for level in game.levels)
    priced = PricedBoards(prices, ranked_boards(game, threads))
    values = PlainValues(
        np.zeros((RANK_BOARDS, quantities, PAIRS), dtype=np.int64),
        np.ones((RANK_BOARDS, quantities), dtype=np.int8),
    )
    plain = np.zeros((RANK_FLOPS, quantities, PAIRS), dtype=np.int64)
    turns = np.zeros((RANK_TURNS if at_turn else 0, quantities, PAIRS), dtype=np.int64)
    kind = np.int32 if all(map(fits_32_bits, games)) else np.int64
    shapes = [(VIEWS, quantities, CLASSES), (TURN_VIEWS if at_turn else 0, quantities, CLASSES)]
    suited, suited_turns = ([np.zeros(size, dtype=kind) for _ in range(threads)] for size in shapes)
    several = True if len(games) > 1 else None

    def boards(_: int, span: tuple[int, int]) -> None:
        scratch = (new_ranked(), np.zeros((quantities, CLASSES), np.int64))
        price_plain_boards(*span, tables, priced, *scratch, values, several)

    def runouts(_: int, span: tuple[int, int]) -> None:
        add_runouts(*span, tables, shape.flop_ranks, values, new_runout_scratch(), plain)

    def runouts_at_turn(_: int, span: tuple[int, int]) -> None:
        add_runouts(*span, tables, shape.turn_ranks, values, new_runout_scratch(), turns)

    def suits(thread: int, masks: I32) -> None:
        sums = (suited[thread], suited_turns[thread] if at_turn else None, several)
        scratch = (new_ranked(), new_rows(quantities, suited[thread]))
        price_suited_boards(masks, tables, priced, values, *scratch, *sums)

    spread(ranges(RANK_BOARDS, 400), boards, threads)
    spread(ranges(RANK_FLOPS, 40), runouts, threads)
    spread(ranges(len(turns), 150), runouts_at_turn, threads)
    spread(suit_masks(game.deck), suits, threads)
    return FlopTables(BoardSums(plain, suited), BoardSums(turns, suited_turns), prices.coefficients)
