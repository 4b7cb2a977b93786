"""How often a strategy arrives where: the transpose of the sums over runouts.

`sums` carries values from boards to flops. The same rows and multiplicities, read the other way,
carry counts from flops to boards: for every board and class of hands, how many deals (hand, flop,
turn and river, in every order that the game tells apart) have ended their betting in each way
before the river. Deals that come to a decision at the turn undecided go from flops to boards of
four cards, and from there to boards of five.

Counts are of 32 bits: a board by suit stands for at most 36 boards, a class for at most 9 hands,
and 10 flops in 6 orders, with turn and river in 2, make 38,880; a board by rank for at most 1,024,
with 16 hands 1,966,080. With the counts of `boards` that is the whole outcome table, at the cost of
another solve.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.mathematics.counters.boards.numbering import (
    PAIRS,
    THREE_F,
    TURN_FOUR_F,
    TURN_THREE_F,
    TWO_F,
    Numbering,
    four_number,
    pair_number,
    three_number,
    two_number,
)
from croupier.mathematics.counters.boards.scatter import NO_X, ways_of_one, ways_of_two
from croupier.mathematics.counters.boards.strengths import StrengthTables
from croupier.mathematics.counters.boards.turns import Turns
from croupier.mathematics.kernels.arrays import I8, I16, I32, I64, U8
from croupier.mathematics.kernels.decorators import kernel, part, whole

__all__ = [
    "Arrivals",
    "arrive_at_plain_board",
    "arrive_at_suited_board",
    "collect_shared",
    "count_at_turns",
]


class Arrivals(NamedTuple):
    """Deals by how their betting has ended (and by label), on the way to the river.

    Without a decision at the turn all rows are in the first two. With one they hold the deals that
    ended at the flop or before; the rows that follow, ended at the turn and undecided, are in the
    others, which are None where nothing is decided there: kernels are then compiled without them.
    """

    flop_ranks: I32  # [flop by rank, row, pair]
    flop_views: I32  # [view, row, class]
    turn_ranks: I32 | None = None  # [board of four by rank, row, pair]
    turn_views: I32 | None = None  # [view of four, row, class]


@kernel
def count_at_turns(
    start: int, stop: int, turns: Turns, images: I16, pair_of: I32, undecided: I8, out: I64
) -> None:
    """How many deals of hand, flop and turn come to the situations of some boards; `undecided` has
    the orders of the flop by pair."""
    for board in range(start, stop):
        for situation in range(turns.start[board], turns.start[board + 1]):
            orders = 0
            for last in range(4):
                hand = images[turns.exchange[board, last], turns.hand[situation]]
                orders += undecided[pair_of[turns.flop[board, last], hand]]
            out[situation - turns.start[start]] = orders * turns.orbit[situation]


@part
def _collect(view: int, source: I32, target: I32) -> None:
    for row in range(target.shape[0]):
        a, b = target[row], source[view, row]
        for i in range(len(a)):
            a[i] += b[i]


@part
def _collect_times(ways: I32, source: I32, target: I32) -> None:
    for row in range(target.shape[0]):
        a, b = target[row], source[row]
        for i in range(len(a)):
            a[i] += b[i] * ways[i]


@part
def _clear(counts: I32) -> None:
    for row in range(counts.shape[0]):
        for i in range(counts.shape[1]):
            counts[row, i] = 0


@part
def _double(counts: I32) -> None:
    # Element by element: numba compiles `counts *= 2` for seven seconds.
    for row in range(counts.shape[0]):
        for i in range(counts.shape[1]):
            counts[row, i] *= 2


@part
def collect_shared(f: I8, count: int, arrivals: Arrivals, shared: I32) -> None:
    """shared[x rank of the flop, or NO_X, row, class]: what all boards with these f ranks have in
    common. To be called before `arrive_at_suited_board`, once for all of them."""
    if count == 5:
        return
    views = arrivals.flop_views
    early = views.shape[1]
    for x in range(0 if count == 3 else NO_X, NO_X + 1):
        _clear(shared[x, :early])
    for i in range(count):
        for j in range(i + 1, count):
            for x in range(13 if count == 3 else 0):
                _collect(TWO_F + 13 * two_number(f[i], f[j]) + x, views, shared[x, :early])
            for k in range(j + 1, count):
                view = THREE_F + three_number(f[i], f[j], f[k])
                _collect(view, views, shared[NO_X, :early])


@part
def arrive_at_suited_board(
    f: I8,
    count: int,
    p: int,
    q: int,
    layout: Numbering,
    cards: I32,
    arrivals: Arrivals,
    shared: I32,
    ways: I32,
    out: I32,
) -> None:
    """out[row, class]: deals at this board; f ranks ascending, then x ranks p and q."""
    early, held = arrivals.flop_views.shape[1], layout.held
    _clear(out)
    _from_flops(f, count, p, q, held, cards, arrivals.flop_views, shared, ways, out[:early])
    _from_turns(f, count, p, q, held, cards, arrivals.turn_views, ways, early, out)


@part
def _from_turns(
    f: I8,
    count: int,
    p: int,
    q: int,
    held: I32,
    cards: I32,
    suited: I32 | None,
    ways: I32,
    early: int,
    out: I32,
) -> None:
    if suited is not None and suited.shape[1]:
        _double(out[:early])  # turn and river in either order
        _from_fours(f, count, p, q, held, cards, suited, ways, out[early:])


@part
def _from_fours(
    f: I8,
    count: int,
    p: int,
    q: int,
    held: I32,
    cards: I32,
    suited: I32,
    ways: I32,
    out: I32,
) -> None:
    """From the five boards of four cards: `scatter_turns` transposed."""
    if count == 5:
        for i in range(5):
            _collect(TURN_FOUR_F + four_number(f, i), suited, out)
        return
    if count == 4:
        for i in range(4):
            for j in range(i + 1, 4):
                for k in range(j + 1, 4):
                    _collect(TURN_THREE_F + 13 * three_number(f[i], f[j], f[k]) + p, suited, out)
        ways_of_one(p, held, cards, ways)
        _collect_times(ways, suited[TURN_FOUR_F + four_number(f, 4)], out)
        return
    for i in range(3):
        for j in range(i + 1, 3):
            _collect(91 * two_number(f[i], f[j]) + pair_number(p, q), suited, out)
    for turned, kept in ((p, q), (q, p)):
        ways_of_one(turned, held, cards, ways)
        view = TURN_THREE_F + 13 * three_number(f[0], f[1], f[2]) + kept
        _collect_times(ways, suited[view], out)
        if p == q:
            break


@part
def _from_flops(
    f: I8,
    count: int,
    p: int,
    q: int,
    held: I32,
    cards: I32,
    suited: I32,
    shared: I32,
    ways: I32,
    out: I32,
) -> None:
    """From the ten flops: `scatter_flops` transposed."""
    early = len(out)
    if count == 5:
        for i in range(5):
            for j in range(i + 1, 5):
                for k in range(j + 1, 5):
                    _collect(THREE_F + three_number(f[i], f[j], f[k]), suited, out)
    elif count == 4:
        for i in range(4):
            for j in range(i + 1, 4):
                _collect(TWO_F + 13 * two_number(f[i], f[j]) + p, suited, out)
        ways_of_one(p, held, cards, ways)
        _collect_times(ways, shared[NO_X, :early], out)
    else:
        for i in range(3):
            _collect(91 * f[i] + pair_number(p, q), suited, out)
        for turned, kept in ((p, q), (q, p)):
            ways_of_one(turned, held, cards, ways)
            _collect_times(ways, shared[kept, :early], out)
            if p == q:
                break
        ways_of_two(p, q, held, cards, ways)
        _collect_times(ways, shared[NO_X, :early], out)


@part
def arrive_at_plain_board(
    ranks: I8, cards: I32, tables: StrengthTables, layout: Numbering, arrivals: Arrivals, out: I32
) -> None:
    """out[row, pair]: deals at all boards of these ranks, whatever their suits."""
    early, choose, high, low = arrivals.flop_ranks.shape[1], tables.choose, layout.high, layout.low
    _clear(out)
    _from_rank_flops(ranks, cards, choose, high, low, arrivals.flop_ranks, out[:early])
    _from_rank_turns(ranks, cards, choose, high, low, arrivals.turn_ranks, early, out)


@part
def _from_rank_turns(
    ranks: I8,
    cards: I32,
    choose: I32,
    high: U8,
    low: U8,
    plain: I32 | None,
    early: int,
    out: I32,
) -> None:
    if plain is not None and plain.shape[1]:
        _double(out[:early])
        _from_rank_fours(ranks, cards, choose, high, low, plain, out[early:])


@part
def _from_rank_fours(
    ranks: I8, cards: I32, choose: I32, high: U8, low: U8, plain: I32, out: I32
) -> None:
    for i in range(5):
        river = ranks[i]
        if i > 0 and ranks[i - 1] == river:
            continue
        turn = 0
        for place in range(4):
            turn += choose[ranks[place if place < i else place + 1] + place, place + 1]
        for pair in range(PAIRS):
            top, bottom = high[pair], low[pair]
            ways = whole(cards[river]) + 1 - (top == river) - (bottom == river)
            for row in range(out.shape[0]):
                out[row, pair] += ways * plain[turn, row, pair]


@part
def _from_rank_flops(
    ranks: I8, cards: I32, choose: I32, high: U8, low: U8, plain: I32, out: I32
) -> None:
    for i in range(5):
        for j in range(i + 1, 5):
            a, b = ranks[i], ranks[j]
            repeat_of_first = i > 0 and ranks[i - 1] == a
            repeat_of_second = j > i + 1 and ranks[j - 1] == b
            if repeat_of_second or repeat_of_first:
                continue
            flop = place = 0
            for k in range(5):
                if k != i and k != j:  # noqa: PLR1714
                    flop += choose[ranks[k] + place, place + 1]
                    place += 1
            for pair in range(PAIRS):
                top, bottom = high[pair], low[pair]
                n = whole(cards[a]) + (2 if a == b else 1) - (top == a) - (bottom == a)
                if a == b:
                    ways = n * (n - 1) // 2
                else:
                    ways = n * (cards[b] + 1 - (top == b) - (bottom == b))
                for row in range(out.shape[0]):
                    out[row, pair] += ways * plain[flop, row, pair]
