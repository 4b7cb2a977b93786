"""Hold'em with one of the dealer's cards seen before the first decision.

The card d is a further part of what the player knows, so every quantity has one axis more. For each
of the 13 ranks of d the boards are gone through as ever (`holdem.sums`), with two differences. The
dealer's hands that a hand meets are only those that hold d: on one board they are passed in order
of strength, each counter telling whether d has been passed beside a given kind of card. And d
itself is missing among the cards. Seen from a suit f that can make a flush, d is an f card or not:
two tables for each rank.

Each pair of flop and hand is then put together once for every suit that d may have: 60 million
situations, whose best actions are added up by hand and d.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.mathematics.holdem.arrays import I8, I32, I64, IntArray
from croupier.mathematics.holdem.boards import (
    Ranked,
    board_counts,
    flush_sequence,
    lay_out_plain,
    merge_sequences,
)
from croupier.mathematics.holdem.geometry import Flops
from croupier.mathematics.holdem.kernel_records import DeckTables, HandRows
from croupier.mathematics.holdem.kernels import kernel, part, whole
from croupier.mathematics.holdem.numbering import CLASSES, PAIRS, sorted_number
from croupier.mathematics.holdem.scatter import ClassRows, scatter_flops
from croupier.mathematics.holdem.showdown_prices import PricedBoards, price_sequence
from croupier.mathematics.holdem.stages import flop_rows
from croupier.mathematics.holdem.sums import (
    RunoutScratch,
    board_of,
    others_of,
    ranks_of,
    suited_counts,
)

__all__ = [
    "FlopDecision",
    "add_known_runouts",
    "count_flop_bets",
    "play_known_flops",
    "price_known_plain",
    "price_known_suited",
]


@part
def _possible(a: int, b: int, cards: I32) -> bool:
    return bool(cards[b] > 0 and cards[a] > (1 if a == b else 0))


@part
def count_known(length: int, qualifier: int, known: int, ranked: Ranked) -> None:
    """Wins, ties and unqualified opponents of every class, of the dealer's hands that hold a card
    of the kind `known`. That card is not among `ranked.cards` any more."""
    cards, below, mark = ranked.cards, ranked.below, ranked.below_qualifier
    first, second, strengths = ranked.first, ranked.second, ranked.strengths
    wins, ties, unqualified = ranked.wins, ranked.ties, ranked.unqualified
    for kind in range(26):
        below[kind] = 0
    passed = 0
    marked = -1
    start = 0
    while start < length:
        strength = strengths[start]
        if marked < 0 and strength >= qualifier:
            marked = passed
            for kind in range(26):
                mark[kind] = below[kind]
        stop = start
        while stop < length and strengths[stop] == strength:
            wins[stop] = passed - below[first[stop]] - below[second[stop]]
            stop += 1
        for place in range(start, stop):
            a, b = whole(first[place]), whole(second[place])
            if known in (a, b):
                other = b if a == known else a
                passed += cards[other]
                below[other] += 1
        for place in range(start, stop):
            a, b = first[place], second[place]
            ties[place] = passed - below[a] - below[b] - wins[place]
        start = stop
    if marked < 0:
        marked = passed
        for kind in range(26):
            mark[kind] = below[kind]
    for place in range(length):
        unqualified[place] = marked - mark[first[place]] - mark[second[place]]


@kernel
def price_known_plain(
    start: int,
    stop: int,
    rank: int,
    tables: DeckTables,
    priced: PricedBoards,
    ranked: Ranked,
    buffer: I64,
    values: I64,
) -> None:
    """values[board, quantity, pair] of the boards by rank, d of this rank; 0 where it cannot be."""
    layout, prices, cards = tables.numbering, priced.prices, ranked.cards
    for board in range(start, stop):
        values[board] = 0
        if not board_counts(layout.board_ranks[board], tables.deck, cards) or cards[rank] < 1:
            continue
        length = lay_out_plain(board, layout, priced.ranked, ranked)
        cards[rank] -= 1
        count_known(length, prices.qualifier, rank, ranked)
        price_sequence(length, ranked, prices, buffer)
        for place in range(length):
            if _possible(whole(ranked.first[place]), whole(ranked.second[place]), cards):
                for quantity in range(3):
                    values[board, quantity, ranked.classes[place]] = buffer[quantity, place]


@kernel
def add_known_runouts(
    start: int,
    stop: int,
    rank: int,
    tables: DeckTables,
    values: I64,
    scratch: RunoutScratch,
    out: I64,
) -> None:
    """The sums over runouts as if there were no flushes: out[flop by rank, quantity, pair]."""
    deck, choose, layout = tables.deck, tables.strengths.choose, tables.numbering
    five, left, ways = scratch.five, scratch.left, scratch.ways
    for row in range(start, stop):
        out[row] = 0
        for each in range(13):
            left[each] = 4 if deck >> each & 1 else 0
        left[rank] -= 1
        for place in range(3):
            left[layout.flop_ranks[row, place]] -= 1
        possible = True
        for each in range(13):
            possible = possible and left[each] >= 0
        if not possible:
            continue
        for runout in range(PAIRS):
            high, low = whole(layout.high[runout]), whole(layout.low[runout])
            if left[high] == 0 or left[low] < (2 if high == low else 1):
                continue
            for place in range(3):
                five[place] = layout.flop_ranks[row, place]
            five[3], five[4] = low, high
            board = sorted_number(five, choose)
            for pair in range(PAIRS):
                top, bottom = layout.high[pair], layout.low[pair]
                ways[pair] = left[high] - (top == high) - (bottom == high)
                if high == low:
                    ways[pair] = ways[pair] * (ways[pair] - 1) // 2
                else:
                    ways[pair] *= left[low] - (top == low) - (bottom == low)
            for quantity in range(3):
                for pair in range(PAIRS):
                    out[row, quantity, pair] += ways[pair] * values[board, quantity, pair]


@part
def _differences(
    length: int, board: int, pairs: IntArray, ranked: Ranked, plain: I64, rows: ClassRows
) -> None:
    """rows.row = the board's quantities less those that it would have without flushes."""
    for quantity in range(3):
        row, values = rows.row[quantity], rows.values[quantity]
        first, last = CLASSES, 0
        for number in range(CLASSES):
            row[number] = 0
        for place in range(length):
            if not _possible(whole(ranked.first[place]), whole(ranked.second[place]), ranked.cards):
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
def price_known_suited(
    suits: I32,
    known: int,
    tables: DeckTables,
    priced: PricedBoards,
    plain_values: I64,
    ranked: Ranked,
    rows: ClassRows,
    out: IntArray,
) -> None:
    """All boards whose f ranks are one of the masks `suits`, d of the kind `known` (0 to 12 in f,
    13 to 25 not): out[view, quantity, class]."""
    layout, prices, plain = tables.numbering, priced.prices, priced.ranked
    cards, f = ranked.cards, ranked.f
    for i in range(len(suits)):
        suited = suits[i]
        count = ranks_of(suited, f)
        flushes = flush_sequence(suited, count, tables.strengths, ranked)
        for x in range(PAIRS if count == 3 else 13 if count == 4 else 1):
            p, q = others_of(x, count, layout)
            if not suited_counts(suited, count, p, q, tables.deck, cards) or cards[known] < 1:
                continue
            board = board_of(f, count, p, q, ranked.five, tables.strengths)
            length = merge_sequences(count, flushes, board, layout, plain, ranked)
            cards[known] -= 1
            count_known(length, prices.qualifier, known, ranked)
            price_sequence(length, ranked, prices, rows.values)
            _differences(length, board, layout.pair, ranked, plain_values, rows)
            scatter_flops(f, count, p, q, layout.held, cards, rows, out)


class FlopDecision(NamedTuple):
    """What may be done at the flop; `first` is the river's first multiple, `fold` what a fold is
    worth over all runouts and dealer's hands, `ends` the two cards of every hand."""

    ends: I8
    first: int
    multiples: I64
    may_fold: bool
    fold: int


@kernel
def play_known_flops(
    start: int,
    stop: int,
    rank: int,
    flops: Flops,
    rows: HandRows,
    plain: I64,
    suited: IntArray,
    decision: FlopDecision,
    seen: int,
    number: I32,
    scratch: I64,
    halves: I64,
    actions: I8,
) -> None:
    """The best action of every pair of flop and hand with each d of this rank, summed by hand and
    d, and by the first community card where one is `seen`: halves[orbit, 0..5], the high and low
    halves of A, B and the best.

    `suited[0]` is of d in the suit, `suited[1]` of d outside. actions[pair, suit of d]: the place
    of the multiple bet, -1 where none is, -2 where d is in the hand or on the flop.
    """
    ends, multiples = decision.ends, decision.multiples
    classes, pairs, sums = rows.classes, rows.pairs, scratch[4]
    suits, views = scratch[0], scratch[1]
    for flop in range(start, stop):
        cards = flops.cards[flop]
        ranks, count = flop_rows(cards, rows.strengths, scratch)
        for pair in range(flops.start[flop], flops.start[flop + 1]):
            hand, orbit = whole(flops.hand[pair]), whole(flops.orbit[pair])
            for suit in range(4):
                d = 13 * suit + rank
                actions[pair, suit] = -2
                if d in (cards[0], cards[1], cards[2], ends[hand, 0], ends[hand, 1]):
                    continue
                for quantity in range(3):
                    sums[quantity] = plain[ranks, quantity, pairs[hand]]
                    for i in range(count):
                        outside = 0 if suits[i] == suit else 1
                        at = whole(classes[suits[i], hand])
                        sums[quantity] += suited[outside, views[i], quantity, at]
                a, b = sums[0], sums[1]
                best, action = a + decision.first * b + sums[2], -1
                if decision.may_fold:
                    best = decision.fold
                for place in range(len(multiples) - 1, -1, -1):
                    bet = a + multiples[place] * b
                    if bet >= best:
                        best, action = bet, place
                actions[pair, suit] = action
                for i in range(3 if seen else 1):
                    row = halves[number[_known_before(hand, cards, seen, i) + d]]
                    row[0] += orbit * (a >> 32)
                    row[1] += orbit * (a & 0xFFFFFFFF)
                    row[2] += orbit * (b >> 32)
                    row[3] += orbit * (b & 0xFFFFFFFF)
                    row[4] += orbit * (best >> 32)
                    row[5] += orbit * (best & 0xFFFFFFFF)


@part
def _known_before(hand: int, cards: I8, seen: int, i: int) -> int:
    """Where the hand, or the hand with the flop's card i, begins among what is known with d."""
    return (hand * 52 + whole(cards[i])) * 52 if seen else hand * 52


@kernel
def count_flop_bets(
    rank: int, flops: Flops, seen: int, number: I32, undecided: I8, actions: I8, found: I64
) -> None:
    """found[place + 1] = the triples of flop, hand and d in which nothing was bet before and this
    is done: the first place is that of declining. With a card `seen`, for each that it may be."""
    for flop in range(len(flops.cards)):
        cards = flops.cards[flop]
        for pair in range(flops.start[flop], flops.start[flop + 1]):
            hand, orbit = whole(flops.hand[pair]), whole(flops.orbit[pair])
            for suit in range(4):
                action = actions[pair, suit]
                for i in range((3 if seen else 1) if action > -2 else 0):
                    at = number[_known_before(hand, cards, seen, i) + 13 * suit + rank]
                    found[action + 1] += undecided[at] * orbit
