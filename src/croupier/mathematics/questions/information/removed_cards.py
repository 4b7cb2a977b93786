"""Hold'em with some cards removed that the player has seen: other players' cards, or the dealer's.

The boards are visited as in `counters.boards.sums`, with two differences. The cards seen cannot
come any more. And if they are the dealer's, a hand meets only the dealer's hands that hold them:
with one card d known, the hands that hold d are passed in order of strength, each counter saying
whether d has been passed beside a given kind of card; with both known there is one hand to compare
with.

The cards seen look different from each suit f that can make a flush, so there is a table for each
suit, and one without flushes. Every flop and hand are then composed from these.
"""

from __future__ import annotations

from math import comb
from typing import Final, NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.counted_boards import (
    CountedBoards,
    Ranked,
    board_counts,
    boards_by_rank,
    count_sequence,
    flush_sequence,
    is_possible,
    lay_out,
    merge_sequences,
    new_ranked,
    suit_masks,
)
from croupier.mathematics.counters.boards.games import DeckTables, RiverGame, deck_tables
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    RANK_TURNS,
    TURN_VIEWS,
    VIEWS,
    board_of,
    others_of,
    ranks_of,
    suited_counts,
)
from croupier.mathematics.counters.boards.prices import (
    Prices,
    fits_32_bits,
    price_sequence,
    prices_of,
)
from croupier.mathematics.counters.boards.runouts import (
    ClassRows,
    add_shared,
    new_rows,
    scatter_flops,
    scatter_turns,
)
from croupier.mathematics.counters.boards.sums import (
    PlainValues,
    add_runouts,
    cards_by_rank,
    new_runout_scratch,
)
from croupier.mathematics.kernels.arrays import I32, I64, IntArray
from croupier.mathematics.kernels.decorators import kernel, part, whole
from croupier.mathematics.kernels.threads import ranges, spread

QUANTITIES: Final = 3  # A, B and E


class SumsOfBoards(NamedTuple):
    """[ranks seen, quantity, pair] as if there were no flushes, and what flushes add:
    suited[table_of[suit], view, quantity, class] is seen from a suit."""

    plain: I64
    suited: IntArray
    table_of: I64


class LeftSums:
    """The data that all sets of cards seen share. Sums are by four community cards if `at_turn`,
    else by three."""

    def __init__(self, game: RiverGame, threads: int, at_turn: bool = False) -> None:
        self.game, self.threads, self.at_turn = game, threads, at_turn
        self.tables = deck_tables(game)
        self.prices = prices_of(game)
        self.boards = boards_by_rank(game, threads)
        self.dtype = np.int32 if fits_32_bits(game) else np.int64
        self.values = np.zeros((RANK_BOARDS, QUANTITIES, PAIRS), np.int64)
        self.all_used = np.ones((RANK_BOARDS, QUANTITIES), np.int8)

    def opponents(self, gone: tuple[int, ...], held: tuple[int, ...]) -> int:
        """Return how many hands the dealer can have against a hand on a board."""
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

        available = cards_by_rank(self.game.deck) - seen.gone
        for card in (seen.first, seen.second):
            if card >= 0:
                available[card] -= 1
        values = PlainValues(self.values, self.all_used)

        def runouts(_: int, span: tuple[int, int]) -> None:
            add_runouts(*span, self.tables, available, ranks, values, new_runout_scratch(), plain)

        spread(ranges(RANK_BOARDS, 400), boards, self.threads)
        spread(ranges(len(plain), 40), runouts, self.threads)
        return plain

    def _sum_suited(self, seen: SeenCards, prices: Prices) -> IntArray:
        flops = np.zeros((self.threads, VIEWS, QUANTITIES, CLASSES), self.dtype)
        views = TURN_VIEWS if self.at_turn else 0
        turns = np.zeros((self.threads, views, QUANTITIES, CLASSES), self.dtype)

        def suits(thread: int, masks: I32) -> None:
            scratch = (new_ranked(), new_rows(QUANTITIES, flops))
            fixed = (self.tables, prices, self.boards, self.values)
            out = (flops[thread], turns[thread] if self.at_turn else None)
            price_suited_left(masks, seen, *fixed, *scratch, *out)

        spread(suit_masks(self.game.deck), suits, self.threads)
        total: IntArray = (turns if self.at_turn else flops).sum(axis=0, dtype=self.dtype)
        return total


def _looks(cards: tuple[int, ...], suit: int | None) -> tuple[int, ...]:
    """Return the kinds of some cards seen from a suit, or their ranks."""
    return tuple(
        sorted(card % 13 + (0 if suit is None or card // 13 == suit else 13) for card in cards)
    )


def _kinds(gone: tuple[int, ...], held: tuple[int, ...], suit: int | None) -> SeenCards:
    counts = np.bincount(_looks(gone, suit), minlength=13 if suit is None else 26)
    first, second = (*_looks(held, suit), -1, -1)[:2]
    return SeenCards(counts.astype(np.int32), first, second)


# -- kernels --------------------------------------------------------------------------------------


class SeenCards(NamedTuple):
    """The cards seen, as kinds: by rank, or from a suit f (0 to 12 in f, 13 to 25 not)."""

    gone: I32  # [kind]: the number of other players' cards
    first: int  # the kinds of the dealer's cards that are known, -1 if there is none
    second: int


@part
def _take_gone(seen: SeenCards, cards: I32) -> bool:
    """Remove the others' cards from those left; return False if one of the cards seen is
    not there."""
    gone, possible = seen.gone, True
    for card_kind in range(len(gone)):
        cards[card_kind] -= gone[card_kind]
        possible = possible and cards[card_kind] >= 0
    if seen.second >= 0:
        return possible and is_possible(seen.first, seen.second, cards)
    return possible and (seen.first < 0 or cards[seen.first] > 0)


@part
def _take_held(seen: SeenCards, cards: I32) -> None:
    if seen.first >= 0:
        cards[seen.first] -= 1
    if seen.second >= 0:
        cards[seen.second] -= 1


@part
def _count_against(length: int, qualifier: int, seen: SeenCards, ranked: Ranked) -> None:
    """Count wins, ties and unqualified opponents of every class among the hands the dealer may
    have."""
    if seen.first < 0:
        count_sequence(length, qualifier, ranked)
    elif seen.second < 0:
        _count_with_one(length, qualifier, seen.first, ranked)
    else:
        _compare_with_both(length, qualifier, seen.first, seen.second, ranked)


@part
def _count_with_one(length: int, qualifier: int, known: int, ranked: Ranked) -> None:
    """Count among the dealer's hands that hold a card of the kind `known`, which is no longer in
    `ranked.cards`."""
    cards, below, mark = ranked.cards, ranked.below, ranked.below_qualifier
    first, second, strengths = ranked.first, ranked.second, ranked.strengths
    wins, ties, unqualified = ranked.wins, ranked.ties, ranked.unqualified
    for card_kind in range(26):
        below[card_kind] = 0
    passed = 0
    marked = -1
    start = 0
    while start < length:
        strength = strengths[start]
        if marked < 0 and strength >= qualifier:
            marked = passed
            for card_kind in range(26):
                mark[card_kind] = below[card_kind]
        stop = start
        while stop < length and strengths[stop] == strength:
            wins[stop] = passed - below[first[stop]] - below[second[stop]]
            stop += 1
        for place in range(start, stop):
            a, b = whole(first[place]), whole(second[place])
            if known in (a, b):
                partner = b if a == known else a
                passed += cards[partner]
                below[partner] += 1
        for place in range(start, stop):
            a, b = first[place], second[place]
            ties[place] = passed - below[a] - below[b] - wins[place]
        start = stop
    if marked < 0:
        marked = passed
        for card_kind in range(26):
            mark[card_kind] = below[card_kind]
    for place in range(length):
        unqualified[place] = marked - mark[first[place]] - mark[second[place]]


@part
def _compare_with_both(
    length: int, qualifier: int, first_card: int, second_card: int, ranked: Ranked
) -> None:
    high, low = max(first_card, second_card), min(first_card, second_card)
    first, second, strengths = ranked.first, ranked.second, ranked.strengths
    dealers = 0
    for place in range(length):
        if max(first[place], second[place]) == high and min(first[place], second[place]) == low:
            dealers = whole(strengths[place])
    for place in range(length):
        ranked.wins[place] = 1 if strengths[place] > dealers else 0
        ranked.ties[place] = 1 if strengths[place] == dealers else 0
        ranked.unqualified[place] = 1 if dealers < qualifier else 0


@part
def _keep_possible(length: int, ranked: Ranked) -> int:
    """Drop the classes of a sequence whose cards are not there, and return its length."""
    kept = 0
    for place in range(length):
        if is_possible(whole(ranked.first[place]), whole(ranked.second[place]), ranked.cards):
            ranked.classes[kept] = ranked.classes[place]
            ranked.strengths[kept] = ranked.strengths[place]
            ranked.first[kept] = ranked.first[place]
            ranked.second[kept] = ranked.second[place]
            kept += 1
    return kept


@kernel
def price_plain_left(
    start: int,
    stop: int,
    seen: SeenCards,
    tables: DeckTables,
    prices: Prices,
    plain: CountedBoards,
    ranked: Ranked,
    buffer: I64,
    values: I64,
) -> None:
    """Write values[board, quantity, pair] of the boards by rank; 0 if the cards seen make them
    impossible."""
    layout, cards = tables.numbering, ranked.cards
    for board in range(start, stop):
        values[board] = 0
        if not board_counts(layout.board_ranks[board], tables.deck, cards):
            continue
        if not _take_gone(seen, cards):
            continue
        length = lay_out(board, plain, layout.high, layout.low, ranked)
        length = _keep_possible(length, ranked)
        _take_held(seen, cards)
        _count_against(length, prices.qualifier, seen, ranked)
        price_sequence(length, ranked, prices, buffer)
        for place in range(length):
            if is_possible(whole(ranked.first[place]), whole(ranked.second[place]), cards):
                for quantity in range(3):
                    values[board, quantity, ranked.classes[place]] = buffer[quantity, place]


@part
def _differences(
    length: int, board: int, pairs: IntArray, ranked: Ranked, plain: I64, rows: ClassRows
) -> None:
    """Write into rows.row the board's quantities less those it would have without flushes."""
    for quantity in range(3):
        row, values = rows.row[quantity], rows.values[quantity]
        first, last = CLASSES, 0
        for number in range(CLASSES):
            row[number] = 0
        for place in range(length):
            if not is_possible(
                whole(ranked.first[place]), whole(ranked.second[place]), ranked.cards
            ):
                continue
            number = whole(ranked.classes[place])
            difference = values[place] - plain[board, quantity, pairs[number]]
            row[number] = difference
            if difference != 0:
                first = min(first, number)
                last = max(last, number + 1)
        rows.start[quantity] = min(first, last)
        rows.stop[quantity] = last


@kernel
def price_suited_left(
    suits: I32,
    seen: SeenCards,
    tables: DeckTables,
    prices: Prices,
    plain: CountedBoards,
    plain_values: I64,
    ranked: Ranked,
    rows: ClassRows,
    out: IntArray,
    turns: IntArray | None,
) -> None:
    """Write all boards whose f ranks are one of the masks `suits` into out[view, quantity, class].

    `turns` likewise, by views of four cards, or None if no game decides at the turn.
    """
    layout, cards, f = tables.numbering, ranked.cards, ranked.f
    for i in range(len(suits)):
        suited = suits[i]
        count = ranks_of(suited, f)
        flushes = flush_sequence(suited, count, tables.strengths, ranked)
        for x in range(PAIRS if count == 3 else 13 if count == 4 else 1):
            p, q = others_of(x, count, layout)
            if not suited_counts(suited, count, p, q, tables.deck, cards):
                continue
            if not _take_gone(seen, cards):
                continue
            board = board_of(f, count, p, q, ranked.five, tables.strengths)
            length = merge_sequences(count, flushes, board, layout, plain, ranked)
            _take_held(seen, cards)
            _count_against(length, prices.qualifier, seen, ranked)
            price_sequence(length, ranked, prices, rows.values)
            _differences(length, board, layout.pair, ranked, plain_values, rows)
            scatter_flops(f, count, p, q, layout.held, cards, rows, out)
            if turns is not None:
                scatter_turns(f, count, p, q, layout.held, cards, rows, turns)
        add_shared(f, count, rows, out)
