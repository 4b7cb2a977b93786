"""Sums over runouts when some cards have been seen: as `counters.boards.sums` makes them of a full
deck, with a table for each look that the cards seen have from a suit."""

from __future__ import annotations

from math import comb
from typing import Final, NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.counted_boards import (
    boards_by_rank,
    new_ranked,
    suit_masks,
)
from croupier.mathematics.counters.boards.games import RiverGame, deck_tables
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    RANK_TURNS,
    TURN_VIEWS,
    VIEWS,
)
from croupier.mathematics.counters.boards.prices import Prices, fits_32_bits, prices_of
from croupier.mathematics.counters.boards.runouts import new_rows
from croupier.mathematics.counters.boards.sums import new_runout_scratch
from croupier.mathematics.kernels.arrays import I32, I64, IntArray
from croupier.mathematics.kernels.threads import ranges, spread
from croupier.mathematics.questions.information.removed_cards import (
    SeenCards,
    add_runouts_left,
    price_plain_left,
    price_suited_left,
)

__all__ = ["QUANTITIES", "LeftSums", "SumsOfBoards"]

QUANTITIES: Final = 3  # A, B and E


class SumsOfBoards(NamedTuple):
    """[ranks seen, quantity, pair] as if there were no flushes, and what they add:
    suited[table_of[suit], view, quantity, class] is seen from a suit."""

    plain: I64
    suited: IntArray
    table_of: I64


class LeftSums:
    """What all sets of cards seen share. Sums by four community cards are made if `at_turn`, else
    by three."""

    def __init__(self, game: RiverGame, threads: int, at_turn: bool = False) -> None:
        self.game, self.threads, self.at_turn = game, threads, at_turn
        self.tables = deck_tables(game)
        self.prices = prices_of(game)
        self.boards = boards_by_rank(game, threads)
        self.kind = np.int32 if fits_32_bits(game) else np.int64
        self.values = np.zeros((RANK_BOARDS, QUANTITIES, PAIRS), np.int64)

    def opponents(self, gone: tuple[int, ...], held: tuple[int, ...]) -> int:
        """The dealer's hands that there may be behind a hand and a board."""
        left = self.game.cards - len(gone) - len(held)
        return comb(left - 7, 2 - len(held))

    def of(self, gone: tuple[int, ...], held: tuple[int, ...]) -> SumsOfBoards:
        prices = self.prices._replace(opponents=self.opponents(gone, held))
        plain = self._sum_plain(_kinds(gone, held, None), prices)
        tables: dict[object, IntArray] = {}
        table_of = []
        for suit in range(4):
            look = (_looks(gone, suit), _looks(held, suit))
            if look not in tables:
                tables[look] = self._sum_suited(_kinds(gone, held, suit), prices)
            table_of.append(list(tables).index(look))
        suited: IntArray = np.stack([*tables.values()])  # type: ignore[assignment]
        return SumsOfBoards(plain, suited, np.array(table_of, np.int64))

    def _sum_plain(self, seen: SeenCards, prices: Prices) -> I64:
        layout = self.tables.numbering
        ranks = layout.turn_ranks if self.at_turn else layout.flop_ranks
        plain = np.zeros((RANK_TURNS if self.at_turn else RANK_FLOPS, QUANTITIES, PAIRS), np.int64)

        def boards(_: int, span: tuple[int, int]) -> None:
            scratch = (new_ranked(), np.zeros((QUANTITIES, CLASSES), np.int64))
            fixed = (self.tables, prices, self.boards)
            price_plain_left(*span, seen, *fixed, *scratch, self.values)

        def runouts(_: int, span: tuple[int, int]) -> None:
            scratch = new_runout_scratch()
            add_runouts_left(*span, seen, ranks, self.tables, self.values, scratch, plain)

        spread(ranges(RANK_BOARDS, 400), boards, self.threads)
        spread(ranges(len(plain), 40), runouts, self.threads)
        return plain

    def _sum_suited(self, seen: SeenCards, prices: Prices) -> IntArray:
        flops = np.zeros((self.threads, VIEWS, QUANTITIES, CLASSES), self.kind)
        views = TURN_VIEWS if self.at_turn else 0
        turns = np.zeros((self.threads, views, QUANTITIES, CLASSES), self.kind)

        def suits(thread: int, masks: I32) -> None:
            scratch = (new_ranked(), new_rows(QUANTITIES, flops))
            fixed = (self.tables, prices, self.boards, self.values)
            out = (flops[thread], turns[thread] if self.at_turn else None)
            price_suited_left(masks, seen, *fixed, *scratch, *out)

        spread(suit_masks(self.game.deck), suits, self.threads)
        total: IntArray = (turns if self.at_turn else flops).sum(axis=0, dtype=self.kind)
        return total


def _looks(cards: tuple[int, ...], suit: int | None) -> tuple[int, ...]:
    """The kinds of some cards seen from a suit, or their ranks."""
    return tuple(
        sorted(card % 13 + (0 if suit is None or card // 13 == suit else 13) for card in cards)
    )


def _kinds(gone: tuple[int, ...], held: tuple[int, ...], suit: int | None) -> SeenCards:
    counts = np.bincount(_looks(gone, suit), minlength=13 if suit is None else 26)
    first, second = (*_looks(held, suit), -1, -1)[:2]
    return SeenCards(counts.astype(np.int32), first, second)
