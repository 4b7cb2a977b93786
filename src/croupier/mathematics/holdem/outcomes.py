"""The outcome table of a strategy: how the betting ended x final strength x result, in deals.

A second sweep over the boards: `reach` says how many deals come to each board and hand with their
betting ended in each way, `boards` how many dealer's hands lose, tie and win there. Everything that
depends on one player's round follows: units wagered, element of risk, variance, hit frequency.

Every (flop, hand) may carry a label (`labels`, one small number per canonical pair), and the table
is then kept per label: the joint distribution with wagers on the hole cards or on hole cards and
flop. Those on the final hand need no label, since the table is by strength.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from croupier.mathematics.holdem.arrays import I8, I32, I64
from croupier.mathematics.holdem.arrivals import (
    Arrivals,
    arrive_at_plain_board,
    arrive_at_suited_board,
    collect_shared,
)
from croupier.mathematics.holdem.boards import (
    Ranked,
    board_counts,
    count_sequence,
    flush_sequence,
    lay_out_plain,
    merge_sequences,
    new_ranked,
)
from croupier.mathematics.holdem.cells import Cuts, count_below, tabulate_cells
from croupier.mathematics.holdem.kernel_records import DeckTables
from croupier.mathematics.holdem.kernels import kernel, part, whole
from croupier.mathematics.holdem.numbering import CLASSES, PAIRS, pair_number
from croupier.mathematics.holdem.scatter import NO_X, four_number, three_number
from croupier.mathematics.holdem.showdown_prices import PricedBoards, Prices, price_sequence
from croupier.mathematics.holdem.sums import board_of, others_of, ranks_of, suited_counts

__all__ = [
    "SUITED_BOARDS",
    "OutcomeScratch",
    "Played",
    "River",
    "choose_at_river",
    "new_outcome_scratch",
    "plain_outcomes",
    "suited_board_number",
    "suited_outcomes",
]


SUITED_BOARDS: Final = 36_608


class River(NamedTuple):
    """What to do at the river, by board and class: the number of a choice, or of declining.

    Empty arrays stand for the best choice. Of equally good ones (they exist) the bold play is the
    first bet offered, the timid one is to decline.
    """

    plain: I8  # [board by rank, pair]
    suited: I8  # [board by suit, class]
    bold: bool


@part
def suited_board_number(f: I8, count: int, p: int, q: int) -> int:
    """Boards by suit: 286 * 91 with three f cards, 715 * 13 with four, 1,287 with five."""
    if count == 3:
        return 91 * three_number(whole(f[0]), whole(f[1]), whole(f[2])) + pair_number(p, q)
    if count == 4:
        return 26026 + 13 * four_number(f, 4) + p
    n = whole(f[4])
    return 35321 + four_number(f, 4) + n * (n - 1) * (n - 2) * (n - 3) * (n - 4) // 120


@part
def choose_at_river(
    length: int,
    ranked: Ranked,
    prices: Prices,
    policy: I8,
    board: int,
    bold: bool,
    scratch: OutcomeScratch,
) -> None:
    """scratch.choices[place] = the choice at the river of the class at that place of the sequence.

    `policy` has a row of classes for each board, or is empty.
    """
    values, out = scratch.values, scratch.choices
    if len(policy):
        for place in range(length):
            out[place] = policy[board, ranked.classes[place]]
        return
    price_sequence(length, ranked, prices, values)
    multiples, fold = prices.choices, prices.fold * prices.opponents
    for place in range(length):
        a, b = values[0, place], values[1, place]
        best, choice = a + multiples[0] * b, 0
        for i in range(1, len(multiples)):
            value = a + multiples[i] * b
            if value > best or (value == best and not bold):
                best, choice = value, i
        if prices.may_fold and (fold > best or (fold == best and not bold)):
            choice = len(multiples)
        out[place] = choice


@part
def _tabulate(
    length: int, ranked: Ranked, prices: Prices, choices: I8, deals: I32, kinds: int, table: I64
) -> None:
    """table[ending x label, strength, outcome] += deals[ending x label, class] * showdowns.

    Most hands have ended their betting in one way only, whatever the board.
    """
    before_river = deals.shape[0] - kinds
    opponents, qualifier = prices.opponents, prices.qualifier
    for place in range(length):
        strength, number = whole(ranked.strengths[place]), whole(ranked.classes[place])
        wins, ties = whole(ranked.wins[place]), whole(ranked.ties[place])
        weak = whole(ranked.unqualified[place])
        river = whole(choices[place]) * kinds
        for row in range(deals.shape[0]):
            times = whole(deals[row, number])
            if times == 0:
                continue
            counts = table[row if row < before_river else row + river, strength]
            if strength < qualifier:
                counts[1] += times * wins
                counts[3] += times * ties
                counts[4] += times * (opponents - weak)
                counts[5] += times * (weak - wins - ties)
            else:
                counts[0] += times * (wins - weak)
                counts[1] += times * weak
                counts[2] += times * ties
                counts[4] += times * (opponents - wins - ties)


class OutcomeScratch(NamedTuple):
    """What the kernels below work in."""

    ranked: Ranked
    values: I64
    choices: I8
    deals: I32  # [row, class]
    shared: I32  # of `collect_shared`
    ways: I32


def new_outcome_scratch(rows: int) -> OutcomeScratch:
    return OutcomeScratch(
        new_ranked(),
        np.zeros((3, CLASSES), np.int64),
        np.zeros(CLASSES, np.int8),
        np.zeros((rows, CLASSES), np.int32),
        np.zeros((NO_X + 1, rows, CLASSES), np.int32),
        np.zeros(CLASSES, np.int32),
    )


class Played(NamedTuple):
    """How a strategy comes to the river and what it does there; `kinds` is how many labels the
    arrivals are told apart by."""

    river: River
    kinds: int
    arrivals: Arrivals


@kernel
def suited_outcomes(
    suits: I32,
    deck_tables: DeckTables,
    priced: PricedBoards,
    played: Played,
    cuts: Cuts | None,
    scratch: OutcomeScratch,
    table: I64,
    with_flush: I32,
) -> None:
    """Tabulate all boards whose f ranks are one of the masks `suits`.

    with_flush[board by rank, row, pair] counts their deals, to be taken off the boards without.
    Unless `cuts` is None, the table is that of `cells`, by kind of board.
    """
    deck, tables, layout = deck_tables.deck, deck_tables.strengths, deck_tables.numbering
    prices, plain = priced.prices, priced.ranked
    river, kinds, arrivals = played.river, played.kinds, played.arrivals
    ranked, choices, deals = scratch.ranked, scratch.choices, scratch.deals
    f, five, cards = ranked.f, ranked.five, ranked.cards
    for i in range(len(suits)):
        suited = suits[i]
        count = ranks_of(suited, f)
        flushes = flush_sequence(suited, count, tables, ranked)
        collect_shared(f, count, arrivals, scratch.shared)
        for x in range(PAIRS if count == 3 else 13 if count == 4 else 1):
            p, q = others_of(x, count, layout)
            if not suited_counts(suited, count, p, q, deck, cards):
                continue
            board = board_of(f, count, p, q, five, tables)
            length = merge_sequences(count, flushes, board, layout, plain, ranked)
            arrive_at_suited_board(
                f, count, p, q, layout, cards, arrivals, scratch.shared, scratch.ways, deals
            )
            if cuts is None:
                count_sequence(length, prices.qualifier, ranked)
            else:
                count_below(length, cuts, ranked)
            number = suited_board_number(f, count, p, q)
            choose_at_river(length, ranked, prices, river.suited, number, river.bold, scratch)
            if cuts is None:
                _tabulate(length, ranked, prices, choices, deals, kinds, table)
            else:
                kind = cuts.flush_boards[suited] if count == 5 else cuts.plain_boards[board]
                tabulate_cells(
                    length, ranked, prices.opponents, choices, deals, kinds, cuts, table[kind]
                )
            for row in range(with_flush.shape[1]):
                for place in range(length):
                    number = ranked.classes[place]
                    with_flush[board, row, layout.pair[number]] += deals[row, number]


@kernel
def plain_outcomes(
    start: int,
    stop: int,
    deck_tables: DeckTables,
    priced: PricedBoards,
    played: Played,
    cuts: Cuts | None,
    scratch: OutcomeScratch,
    with_flush: I32,
    table: I64,
) -> None:
    """Tabulate the boards on which no flush is possible, by rank."""
    deck, tables, layout = deck_tables.deck, deck_tables.strengths, deck_tables.numbering
    prices, plain = priced.prices, priced.ranked
    river, kinds, arrivals = played.river, played.kinds, played.arrivals
    ranked, choices, deals = scratch.ranked, scratch.choices, scratch.deals
    for board in range(start, stop):
        ranks = layout.board_ranks[board]
        if not board_counts(ranks, deck, ranked.cards):
            continue
        length = lay_out_plain(board, layout, plain, ranked)
        arrive_at_plain_board(ranks, ranked.cards, tables, layout, arrivals, deals)
        for row in range(with_flush.shape[1]):
            for pair in range(PAIRS):
                deals[row, pair] -= with_flush[board, row, pair]
        if cuts is None:
            count_sequence(length, prices.qualifier, ranked)
        else:
            count_below(length, cuts, ranked)
        choose_at_river(length, ranked, prices, river.plain, board, river.bold, scratch)
        if cuts is None:
            _tabulate(length, ranked, prices, choices, deals, kinds, table)
        else:
            kind = cuts.plain_boards[board]
            tabulate_cells(
                length, ranked, prices.opponents, choices, deals, kinds, cuts, table[kind]
            )
