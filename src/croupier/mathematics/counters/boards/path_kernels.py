"""The turn, path by path: one pass over all situations decides and sums up, another counts deals.

What a path is worth at the turn does not depend on which of the four cards came last, so it is
looked up once for each of the 13,960,050 situations and added to the four pairs of flop and hand
that the situation may have come from.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.mathematics.counters.boards.geometry import Flops, FlopViews
from croupier.mathematics.counters.boards.kernel_records import HandRows, RunoutSums
from croupier.mathematics.counters.boards.numbering import two_number
from croupier.mathematics.counters.boards.stages import turn_rows
from croupier.mathematics.counters.boards.turns import Turns
from croupier.mathematics.kernels.arrays import I8, I16, I32, I64
from croupier.mathematics.kernels.decorators import kernel, part, standalone_kernel, whole

__all__ = [
    "Answers",
    "Labels",
    "Origins",
    "arrive_by_flop",
    "arrive_by_turn",
    "count_by_path",
    "decide_turns",
]


class Answers(NamedTuple):
    """What every arriving path can become: those of path i are start[i] to start[i + 1]. Each is
    worth so many times each quantity that is looked up, and a constant; a fold the constant only.
    """

    start: I64
    row: I64  # [path]: where its answers are written; -1 where nothing is asked
    times: I64  # [answer, quantity]
    plus: I64


class Origins(NamedTuple):
    """The four pairs of flop and hand behind a situation of the turn."""

    images: I16  # [exchange of suits, hand]
    pair_of: I32  # [flop, hand]: the canonical pair


class Labels(NamedTuple):
    """By pair of flop and hand a label that deals are told apart by, or nothing."""

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
    """actions[row, situation] = the place of the best answer; values[pair, path] += its value, in
    all deals of the class. `sums` and `best` have space for a number per quantity and path."""
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
    """out[pair, places[path]] = in how many orders of the flop's cards a hand has come to a path.

    nexts[seen][path, what is seen]: the path that follows; empty where nothing is decided. The
    `first` card is told apart where something is decided on it, and the `second` likewise.
    """
    for flop in range(start, stop):
        cards = flops.cards[flop]
        for pair in range(flops.start[flop], flops.start[flop + 1]):
            hand = whole(flops.hand[pair])
            for i in range(3 if first or second else 1):
                for j in range(2 if first and second else 1):
                    one, two = whole(cards[i]), whole(cards[(i + 1 + j) % 3])
                    path = _path_at_flop(hand, one, two, numbers, nexts)
                    if len(nexts[3]):
                        path = whole(nexts[3][path, pair])
                    out[pair, places[path]] += 1


@part
def _path_at_flop(
    hand: int, one: int, two: int, numbers: tuple[I32, I32, I32], nexts: tuple[I8, I8, I8, I8]
) -> int:
    """The path of a hand before the flop's decision, its first cards in this order."""
    path = whole(0)
    if len(nexts[0]):
        path = whole(nexts[0][path, numbers[0][hand]])
    if len(nexts[1]):
        path = whole(nexts[1][path, numbers[1][hand * 52 + one]])
    if len(nexts[2]):
        path = whole(nexts[2][path, numbers[2][hand * 1326 + two_number(one, two)]])
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
    """Deals by path and label at the turns, after its decision. nexts[path] has what follows each
    of its answers; -1: it is not counted. `weights` has space for a number per path and label."""
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
