"""The outcome table of a strategy: how the betting ended x final strength x result, in deals.

A second sweep over the boards: the arrivals (`runouts`) say how many deals come to each board and
hand with their betting ended in each way, the counted boards how many dealer's hands lose, tie and
win there. Everything that depends on one player's round follows: units wagered, element of risk,
variance, hit frequency.

Every (flop, hand) may carry a label (one small number per canonical pair), and the table is then
kept per label: the joint distribution with wagers on the hole cards or on hole cards and flop.
Those on the final hand need no label, since the table is by strength.

With `Cuts` the table is finer: thresholds cut the dealer's strengths into bins. They cost little:
the sweep that counts unqualified opponents counts those under any other threshold in the same way,
and what a hand beats of the bin it lies in itself follows from its wins and ties.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.counted_boards import (
    CountedBoards,
    HandCounts,
    Ranked,
    board_counts,
    count_sequence,
    counts_of,
    lay_out,
)
from croupier.mathematics.counters.boards.games import DeckTables
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    PAIRS,
    others_of,
    ranks_of,
    suited_board_number,
    suited_counts,
)
from croupier.mathematics.counters.boards.prices import PricedBoards, Prices, price_sequence
from croupier.mathematics.counters.boards.runouts import (
    NO_X,
    Arrivals,
    arrive_at_plain_board,
    arrive_at_suited_board,
    collect_shared,
)
from croupier.mathematics.kernels.arrays import I8, I16, I32, I64
from croupier.mathematics.kernels.decorators import part, standalone_kernel, whole


class Cuts(NamedTuple):
    """The thresholds and labels by which deals are separated, and scratch space."""

    ranked: Ranked
    thresholds: I64  # of the dealer's strength, ascending
    qualifier: int  # the qualifier's place among them
    interval: I16  # [own strength]
    plain_boards: I8  # the kind of a board by its ranks
    flush_boards: I8  # and by its mask where all five cards are of one suit
    below: I32  # [threshold, place]: opponents under it
    under: I64  # their sums for one strength


@part
def count_below(length: int, cuts: Cuts) -> None:
    """Sweep once for each threshold; the qualifier's count stays in `ranked`."""
    thresholds, below, ranked = cuts.thresholds, cuts.below, cuts.ranked
    for i in range(len(thresholds)):
        t = i if i < cuts.qualifier else i + 1  # the qualifier comes last
        if i + 1 == len(thresholds):
            t = cuts.qualifier
        count_sequence(length, thresholds[t], ranked)
        for place in range(length):
            below[t, place] = ranked.unqualified[place]


@part
def tabulate_cells(
    length: int,
    opponents: int,
    choices: I8,
    deals: I32,
    kinds: int,
    cuts: Cuts,
    table: I64,
) -> None:
    """table[ending x label, interval, 3 * bin + result] += deals[ending x label, class] * hands.

    One strength at a time, as in the outcome table.
    """
    thresholds, interval, below, under = cuts.thresholds, cuts.interval, cuts.below, cuts.under
    ranked, strengths, classes = cuts.ranked, cuts.ranked.strengths, cuts.ranked.classes
    before_river = deals.shape[0] - kinds
    bins = len(thresholds) + 1
    start = 0
    while start < length:
        strength = strengths[start]
        stop = start + 1
        while stop < length and strengths[stop] == strength:
            stop += 1
        for target in range(table.shape[0]):
            row, choice = target, -1
            if target >= before_river:
                choice = (target - before_river) // kinds
                row = target - choice * kinds
            count, wins, ties = 0, 0, 0
            for t in range(bins - 1):
                under[t] = 0
            for place in range(start, stop):
                times = whole(deals[row, classes[place]])
                if times and (choice < 0 or choices[place] == choice):
                    count += times
                    wins += times * ranked.wins[place]
                    ties += times * ranked.ties[place]
                    for t in range(bins - 1):
                        under[t] += times * below[t, place]
            if count == 0:
                continue
            cells = table[target, interval[strength]]
            low = 0
            for b in range(bins):
                high = under[b] if b + 1 < bins else count * opponents
                if b + 1 < bins and strength >= thresholds[b]:
                    cells[3 * b] += high - low
                elif b > 0 and strength < thresholds[b - 1]:
                    cells[3 * b + 2] += high - low
                else:
                    cells[3 * b] += wins - low
                    cells[3 * b + 1] += ties
                    cells[3 * b + 2] += high - wins - ties
                low = high
        start = stop


class River(NamedTuple):
    """What to do at the river, by board and class: the index of a choice, or of declining.

    Empty arrays stand for the best choice. Of equally good choices (they exist) the bold play is
    the first bet offered, the timid play is to decline.
    """

    plain: I8  # [board by rank, pair]
    suited: I8  # [board by suit, class]
    bold: bool


@part
def choose_at_river(
    length: int,
    counts: HandCounts,
    prices: Prices,
    policy: I8,
    board: int,
    bold: bool,
    scratch: OutcomeScratch,
) -> None:
    """Write each class's choice at the river into scratch.choices, by its place in the sequence.

    `policy` has a row of classes for each board, or is empty.
    """
    values, out = scratch.values, scratch.choices
    if len(policy):
        for place in range(length):
            out[place] = policy[board, counts.classes[place]]
        return
    price_sequence(length, counts, prices, values)
    multiples = prices.choices
    for place in range(length):
        a, b = values[0, place], values[1, place]
        best, choice = a + multiples[0] * b, 0
        for i in range(1, len(multiples)):
            value = a + multiples[i] * b
            if value > best or (value == best and not bold):
                best, choice = value, i
        if prices.may_fold and (best < 0 or (best == 0 and not bold)):
            choice = len(multiples)
        out[place] = choice


@part
def _tabulate(
    length: int, counts: HandCounts, prices: Prices, choices: I8, deals: I32, kinds: int, table: I64
) -> None:
    """table[ending x label, strength, outcome] += deals[ending x label, class] * showdowns.

    Most hands have ended their betting in one way only, whatever the board.
    """
    before_river = deals.shape[0] - kinds
    opponents, qualifier = prices.opponents, prices.qualifier
    for place in range(length):
        strength, number = whole(counts.strengths[place]), whole(counts.classes[place])
        wins, ties = whole(counts.wins[place]), whole(counts.ties[place])
        weak = whole(counts.unqualified[place])
        river = whole(choices[place]) * kinds
        for row in range(deals.shape[0]):
            times = whole(deals[row, number])
            if times == 0:
                continue
            showdowns = table[row if row < before_river else row + river, strength]
            if strength < qualifier:
                showdowns[1] += times * wins
                showdowns[3] += times * ties
                showdowns[4] += times * (opponents - weak)
                showdowns[5] += times * (weak - wins - ties)
            else:
                showdowns[0] += times * (wins - weak)
                showdowns[1] += times * weak
                showdowns[2] += times * ties
                showdowns[4] += times * (opponents - wins - ties)


class OutcomeScratch(NamedTuple):
    """Scratch space of the kernels below."""

    values: I64
    choices: I8
    f: I8  # the board's f ranks
    cards: I32  # how many of each kind of card are left
    deals: I32  # [row, class]
    shared: I32  # of `collect_shared`
    ways: I32


def new_outcome_scratch(rows: int) -> OutcomeScratch:
    return OutcomeScratch(
        np.zeros((3, CLASSES), np.int64),
        np.zeros(CLASSES, np.int8),
        np.zeros(5, np.int8),
        np.zeros(26, np.int32),
        np.zeros((rows, CLASSES), np.int32),
        np.zeros((NO_X + 1, rows, CLASSES), np.int32),
        np.zeros(CLASSES, np.int32),
    )


class Played(NamedTuple):
    """How a strategy reaches the river and what it does there; `kinds` is the number of labels of
    the arrivals."""

    river: River
    kinds: int
    arrivals: Arrivals


@standalone_kernel
def tabulate_boards(
    start: int,
    stop: int,
    suits: I32,
    tables: DeckTables,
    priced: PricedBoards,
    played: Played,
    cuts: Cuts | None,
    scratch: OutcomeScratch,
    with_flush: I32,
    table: I64,
) -> None:
    """Tabulate all boards whose f ranks are one of the masks `suits`, and those on which no flush
    is possible, by rank from `start` to `stop`. (One kernel, so that their shared parts are
    compiled once.)

    with_flush[board by rank, row, pair] counts the deals of the former, which are subtracted from
    the latter, so these come in a later call. Unless `cuts` is None, the table is that of
    `tabulate_cells`, by kind of board.
    """
    f = scratch.f
    for i in range(len(suits)):
        count = ranks_of(suits[i], f)
        collect_shared(f, count, played.arrivals, scratch.shared)
        for x in range(PAIRS if count == 3 else 13 if count == 4 else 1):
            _tabulate_by_suit(
                suits[i], count, x, tables, priced, played, cuts, scratch, with_flush, table
            )
    for board in range(start, stop):
        _tabulate_by_rank(board, tables, priced, played, cuts, scratch, with_flush, table)


@part
def _tabulate_by_suit(
    suited: int,
    count: int,
    x: int,
    tables: DeckTables,
    priced: PricedBoards,
    played: Played,
    cuts: Cuts | None,
    scratch: OutcomeScratch,
    with_flush: I32,
    table: I64,
) -> None:
    """Tabulate the board with these f ranks and case `x` of the others, if the deck can deal it."""
    boards, layout, river = priced.by_suit, tables.numbering, played.river.suited
    arrivals, deals, f, cards = played.arrivals, scratch.deals, scratch.f, scratch.cards
    number = suited_board_number(f, count, 0, 0) + x
    length, board = whole(boards.lengths[number]), whole(boards.by_rank[number])
    if length == 0:
        return
    p, q = others_of(x, count, layout)
    suited_counts(suited, count, p, q, tables.deck, cards)
    arrive_at_suited_board(
        f, count, p, q, layout, cards, arrivals, scratch.shared, scratch.ways, deals
    )
    _tabulate_board(number, boards, priced.prices, played, river, scratch, cuts, table)
    if cuts is not None:
        lay_out(number, boards, layout.first, layout.second, cuts.ranked)
        board_kind = cuts.flush_boards[suited] if count == 5 else cuts.plain_boards[board]
        _tabulate_cells(length, cards, priced.prices, played, scratch, cuts, table[board_kind])
    for row in range(with_flush.shape[1]):
        for place in range(length):
            hand = boards.classes[number, place]
            with_flush[board, row, layout.pair[hand]] += deals[row, hand]


@part
def _tabulate_by_rank(
    board: int,
    tables: DeckTables,
    priced: PricedBoards,
    played: Played,
    cuts: Cuts | None,
    scratch: OutcomeScratch,
    with_flush: I32,
    table: I64,
) -> None:
    """Tabulate the boards with these ranks on which no flush is possible."""
    boards, layout, river = priced.by_rank, tables.numbering, played.river.plain
    ranks, deals, cards = layout.board_ranks[board], scratch.deals, scratch.cards
    if not board_counts(ranks, tables.deck, cards):
        return
    arrive_at_plain_board(ranks, cards, tables.strengths, layout, played.arrivals, deals)
    for row in range(with_flush.shape[1]):
        for pair in range(PAIRS):
            deals[row, pair] -= with_flush[board, row, pair]
    _tabulate_board(board, boards, priced.prices, played, river, scratch, cuts, table)
    if cuts is not None:
        length = lay_out(board, boards, layout.high, layout.low, cuts.ranked)
        board_kind = cuts.plain_boards[board]
        _tabulate_cells(length, cards, priced.prices, played, scratch, cuts, table[board_kind])


@part
def _tabulate_board(
    board: int,
    boards: CountedBoards,
    prices: Prices,
    played: Played,
    policy: I8,
    scratch: OutcomeScratch,
    cuts: Cuts | None,
    table: I64,
) -> None:
    """Choose at the river, and enter the deals in the table unless they are cut up."""
    length, counts = whole(boards.lengths[board]), counts_of(boards, board)
    choose_at_river(length, counts, prices, policy, board, played.river.bold, scratch)
    if cuts is None:
        _tabulate(length, counts, prices, scratch.choices, scratch.deals, played.kinds, table)


@part
def _tabulate_cells(
    length: int,
    cards: I32,
    prices: Prices,
    played: Played,
    scratch: OutcomeScratch,
    cuts: Cuts,
    table: I64,
) -> None:
    """Count the sequence laid out in cuts.ranked once for each threshold, and enter its cells."""
    for card_kind in range(26):
        cuts.ranked.cards[card_kind] = cards[card_kind]
    count_below(length, cuts)
    opponents, choices, deals = prices.opponents, scratch.choices, scratch.deals
    tabulate_cells(length, opponents, choices, deals, played.kinds, cuts, table)
