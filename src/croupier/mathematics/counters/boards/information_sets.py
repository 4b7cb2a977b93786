"""Information sets: their values from sums over runouts, and a strategy's arrivals.

At the flop and at the turn a hand's quantities are composed from the rows of `sums`. Before the
flop, sums run over all flops; they are accumulated in two halves of 32 bits and joined in Python's
integers, so no payoff is too large for them.

The turn goes path by path: one pass over all situations decides and sums up, another counts deals.
The worth of a path at the turn does not depend on which of the four cards came last, so it is
looked up once for each of the 13,960,050 situations and added to the four pairs of flop and hand
from which the situation may have come.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.geometry import Flops, FlopViews, Turns, rank_pairs
from croupier.mathematics.counters.boards.numbering import (
    THREE_F,
    TURN_FOUR_F,
    TURN_THREE_F,
    TWO_F,
    StrengthTables,
    four_number,
    pair_number,
    strength_tables,
    suit_classes,
    three_number,
    two_number,
)
from croupier.mathematics.kernels.arrays import I8, I16, I32, I64, IntArray
from croupier.mathematics.kernels.decorators import kernel, part, standalone_kernel, whole


class HandRows(NamedTuple):
    """The positions of a hand in the rows by rank (`pairs`) and by suit (`classes`) of a board."""

    strengths: StrengthTables
    classes: I16  # [suit, hand]
    pairs: I8  # [hand]


def hand_rows() -> HandRows:
    return HandRows(strength_tables(), suit_classes(), rank_pairs())


class RunoutSums(NamedTuple):
    """Sums over runouts: without flushes by ranks and pair, and the difference by view and
    class."""

    plain: I64
    suited: IntArray


def new_stage_scratch() -> I64:
    """Return four numbers each: suits, views of them, ranks in a suit, ranks outside, sums.

    Kernels receive scratch space instead of creating it: numba takes long to compile every
    `np.zeros`.
    """
    return np.zeros((5, 4), np.int64)


@part
def flop_rows(cards: I8, tables: StrengthTables, scratch: I64) -> tuple[int, int]:
    """Return a flop's number by rank, and how many suits with views are on it.

    For canonical flops `geometry.flop_views` has them ready. Suits and views are left in the first
    two rows of `scratch` (`new_stage_scratch`).
    """
    suits, views, f, x = scratch[0], scratch[1], scratch[2], scratch[3]
    count = 0
    for suit in range(4):
        ins = _split(cards, suit, f, x)
        if ins == 0:
            continue
        if ins == 1:
            view = 91 * f[0] + pair_number(x[0], x[1])
        elif ins == 2:
            view = TWO_F + 13 * two_number(f[0], f[1]) + x[0]
        else:
            view = THREE_F + three_number(f[0], f[1], f[2])
        suits[count] = suit
        views[count] = view
        count += 1
    return _rank_number(cards, tables, f, x), count


@part
def _split(cards: I8, suit: int, f: I64, x: I64) -> int:
    """Sort the ranks of a suit's cards and of the others, and return how many the suit has."""
    ins = 0
    outs = 0
    for rank in range(13):
        for place in range(len(cards)):
            card = whole(cards[place])
            if card % 13 == rank and card // 13 == suit:
                f[ins] = rank
                ins += 1
            elif card % 13 == rank:
                x[outs] = rank
                outs += 1
    return ins


@part
def _rank_number(cards: I8, tables: StrengthTables, f: I64, x: I64) -> int:
    """Return the number of the multiset of the cards' ranks."""
    _split(cards, 4, f, x)  # of no suit: all are outside
    number = 0
    for place in range(len(cards)):
        number += tables.choose[x[place] + place, place + 1]
    return number


@standalone_kernel
def gather_flops(
    start: int,
    stop: int,
    flops: Flops,
    seen: FlopViews,
    rows: HandRows,
    sums: RunoutSums,
    out: I64,
) -> None:
    """Gather one quantity for all pairs of the flops from `start` to `stop`."""
    classes, pairs = rows.classes, rows.pairs
    plain, suited = sums.plain, sums.suited
    for flop in range(start, stop):
        ranks, count = seen.ranks[flop], seen.suit_count[flop]
        suits, views = seen.suits[flop], seen.views[flop]
        for pair in range(flops.start[flop], flops.start[flop + 1]):
            hand = flops.hand[pair]
            total = plain[ranks, pairs[hand]]
            for i in range(count):
                total += suited[views[i], classes[suits[i], hand]]
            out[pair] = total


@part
def turn_rows(cards: I8, tables: StrengthTables, scratch: I64) -> tuple[int, int]:
    """As `flop_rows` for four cards: only suits with two or more of them can still make a flush."""
    suits, views, f, x = scratch[0], scratch[1], scratch[2], scratch[3]
    count = 0
    for suit in range(4):
        ins = _split(cards, suit, f, x)
        if ins < 2:
            continue
        if ins == 2:
            view = 91 * two_number(f[0], f[1]) + pair_number(x[0], x[1])
        elif ins == 3:
            view = TURN_THREE_F + 13 * three_number(f[0], f[1], f[2]) + x[0]
        else:
            view = TURN_FOUR_F + four_number(f, 4)
        suits[count] = suit
        views[count] = view
        count += 1
    return _rank_number(cards, tables, f, x), count


@kernel
def gather_turns(
    start: int,
    stop: int,
    boards: I8,
    starts: I32,
    hands: I16,
    rows: HandRows,
    sums: RunoutSums,
    scratch: I64,
    out: I64,
) -> None:
    """Gather all quantities for the situations of the boards of four cards from `start` to
    `stop`."""
    tables, classes, pairs = rows.strengths, rows.classes, rows.pairs
    plain, suited = sums.plain, sums.suited
    suits, views = scratch[0], scratch[1]
    for board in range(start, stop):
        ranks, count = turn_rows(boards[board], tables, scratch)
        for situation in range(starts[board], starts[board + 1]):
            hand = hands[situation]
            for quantity in range(len(out)):
                total = plain[quantity, ranks, pairs[hand]]
                for i in range(count):
                    total += suited[quantity, views[i], classes[suits[i], hand]]
                out[quantity, situation - starts[start]] = total


@standalone_kernel
def total_up(
    start: int,
    stop: int,
    flops: Flops,
    seen: int,
    number: I32,
    values: tuple[I64, I64, I64],
    halves: I64,
) -> None:
    """Sum three quantities over orbits, by what was seen before the flop.

    halves[orbit, 0..5] = high and low halves of the three.
    """
    a, b, c = values
    for flop in range(start, stop):
        cards = flops.cards[flop]
        for pair in range(flops.start[flop], flops.start[flop + 1]):
            hand = whole(flops.hand[pair])
            orbit = whole(flops.orbit[pair])
            for i in range(1 if seen == 0 else 3):
                row = halves[number[_seen_before(hand, cards, seen, i)]]
                row[0] += orbit * (a[pair] >> 32)
                row[1] += orbit * (a[pair] & 0xFFFFFFFF)
                row[2] += orbit * (b[pair] >> 32)
                row[3] += orbit * (b[pair] & 0xFFFFFFFF)
                row[4] += orbit * (c[pair] >> 32)
                row[5] += orbit * (c[pair] & 0xFFFFFFFF)


@part
def _seen_before(hand: int, cards: I8, seen: int, i: int) -> int:
    """Return a hand with the flop's card i, or with the two from i on, as `geometry.Orbits`
    counts."""
    if seen == 0:
        return hand
    if seen == 1:
        return hand * 52 + whole(cards[i])
    return hand * 1326 + two_number(whole(cards[i]), whole(cards[(i + 1) % 3]))


class Answers(NamedTuple):
    """What every arriving path can become: those of path i are start[i] to start[i + 1]. Each is
    worth a sum of the quantities looked up, each times a factor, plus a constant; a fold is worth
    the constant."""

    start: I64
    row: I64  # [path]: where its answers are written; -1 where nothing is asked
    times: I64  # [answer, quantity]
    plus: I64


class Origins(NamedTuple):
    """The four pairs of flop and hand behind a situation of the turn."""

    images: I16  # [exchange of suits, hand]
    pair_of: I32  # [flop, hand]: the canonical pair


class Labels(NamedTuple):
    """A label by pair of flop and hand to count deals by, or none."""

    labels: I8
    kinds: int


@kernel
def decide_turns(
    start: int,
    stop: int,
    turns: Turns,
    rows: HandRows,
    runouts: RunoutSums,
    answers: Answers,
    origins: Origins,
    takes_first: bool,
    scratch: I64,
    sums: I64,
    best: I64,
    actions: I8,
    values: I64,
) -> None:
    """Write actions[row, situation], the index of the best answer, and add its value to
    values[pair, path], over all deals of the class.

    `sums` and `best` are scratch space for a number per quantity and path.
    """
    tables, classes, pairs = rows.strengths, rows.classes, rows.pairs
    plain, suited = runouts.plain, runouts.suited
    first, row, times, plus = answers.start, answers.row, answers.times, answers.plus
    images, pair_of = origins.images, origins.pair_of
    suits, views = scratch[0], scratch[1]
    for board in range(start, stop):
        ranks, count = turn_rows(turns.cards[board], tables, scratch)
        for situation in range(turns.start[board], turns.start[board + 1]):
            hand = turns.hand[situation]
            for quantity in range(len(sums)):
                total = plain[quantity, ranks, pairs[hand]]
                for i in range(count):
                    total += suited[quantity, views[i], classes[suits[i], hand]]
                sums[quantity] = total
            for path in range(len(best)):
                highest, chosen = whole(0), -1
                for place in range(first[path], first[path + 1]):
                    value = plus[place]
                    for quantity in range(len(sums)):
                        value += times[place, quantity] * sums[quantity]
                    if chosen < 0 or value > highest or (value == highest and not takes_first):
                        highest, chosen = value, place - first[path]
                if row[path] >= 0:
                    actions[row[path], situation] = chosen
                best[path] = highest * turns.orbit[situation]
            for last in range(4):
                image = images[turns.exchange[board, last], hand]
                target = values[pair_of[turns.flop[board, last], image]]
                for path in range(len(best)):
                    target[path] += best[path]


@standalone_kernel
def count_by_path(
    start: int,
    stop: int,
    flops: Flops,
    numbers: tuple[I32, I32, I32],
    nexts: tuple[I8, I8, I8, I8],
    first: bool,
    second: bool,
    places: I8,
    out: I8,
) -> None:
    """Write out[pair, places[path]] = in how many orders of the flop's cards a hand takes a path.

    nexts[seen][path, what is seen] is the successor path; empty if nothing is decided. The `first`
    card is distinguished if something is decided on it, and the `second` likewise.
    """
    for flop in range(start, stop):
        cards = flops.cards[flop]
        for pair in range(flops.start[flop], flops.start[flop + 1]):
            hand = whole(flops.hand[pair])
            for i in range(3 if first or second else 1):
                for j in range(2 if first and second else 1):
                    next_card, last_card = whole(cards[i]), whole(cards[(i + 1 + j) % 3])
                    path = _path_at_flop(hand, next_card, last_card, numbers, nexts)
                    if len(nexts[3]):
                        path = whole(nexts[3][path, pair])
                    out[pair, places[path]] += 1


@part
def _path_at_flop(
    hand: int,
    next_card: int,
    last_card: int,
    numbers: tuple[I32, I32, I32],
    nexts: tuple[I8, I8, I8, I8],
) -> int:
    """Return the path of a hand before the flop's decision, its first cards in this order."""
    path = whole(0)
    if len(nexts[0]):
        path = whole(nexts[0][path, numbers[0][hand]])
    if len(nexts[1]):
        path = whole(nexts[1][path, numbers[1][hand * 52 + next_card]])
    if len(nexts[2]):
        path = whole(nexts[2][path, numbers[2][hand * 1326 + two_number(next_card, last_card)]])
    return path


@standalone_kernel
def arrive_by_flop(
    start: int,
    stop: int,
    flops: Flops,
    seen: FlopViews,
    rows: HandRows,
    orders: I8,
    labels: Labels,
    plain: I32,
    suited: I32,
) -> None:
    """Count arrivals: plain[flop by rank, path x label, pair], suited[view, same, class]; `orders`
    as of `count_by_path`."""
    classes, pairs = rows.classes, rows.pairs
    label_of, kinds = labels.labels, labels.kinds
    for flop in range(start, stop):
        ranks, count = seen.ranks[flop], seen.suit_count[flop]
        suits, views = seen.suits[flop], seen.views[flop]
        for pair in range(flops.start[flop], flops.start[flop + 1]):
            hand = whole(flops.hand[pair])
            label = label_of[pair] if len(label_of) else 0
            for path in range(orders.shape[1]):
                deals = whole(orders[pair, path]) * flops.orbit[pair]
                if deals:
                    row = path * kinds + label
                    plain[ranks, row, pairs[hand]] += deals
                    for i in range(count):
                        suited[views[i], row, classes[suits[i], hand]] += deals


@kernel
def arrive_by_turn(
    start: int,
    stop: int,
    turns: Turns,
    rows: HandRows,
    orders: I8,
    origins: Origins,
    actions: I8,
    nexts: I8,
    labels: Labels,
    scratch: I64,
    weights: I64,
    plain: I32,
    suited: I32,
) -> None:
    """Count deals by path and label at the turns, after its decision.

    nexts[path] has the successor of each of its answers; -1: not counted. `weights` is scratch
    space for a number per path and label.
    """
    tables, classes, pairs = rows.strengths, rows.classes, rows.pairs
    images, pair_of = origins.images, origins.pair_of
    label_of, kinds = labels.labels, labels.kinds
    suits, views = scratch[0], scratch[1]
    paths = orders.shape[1]
    for board in range(start, stop):
        ranks, count = turn_rows(turns.cards[board], tables, scratch)
        for situation in range(turns.start[board], turns.start[board + 1]):
            hand = whole(turns.hand[situation])
            for place in range(paths * kinds):
                weights[place] = 0
            for last in range(4):
                image = images[turns.exchange[board, last], hand]
                pair = pair_of[turns.flop[board, last], image]
                label = whole(label_of[pair]) if len(label_of) else 0
                for path in range(paths):
                    weights[path * kinds + label] += orders[pair, path]
            for place in range(paths * kinds):
                if not weights[place]:
                    continue
                path = place // kinds
                after = whole(nexts[path, actions[path, situation]])
                if after < 0:
                    continue
                row = after * kinds + place % kinds
                deals = weights[place] * turns.orbit[situation]
                plain[ranks, row, pairs[hand]] += deals
                for i in range(count):
                    suited[views[i], row, classes[suits[i], hand]] += deals
