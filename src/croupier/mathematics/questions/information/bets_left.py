"""The decisions with some cards seen: every flop and hand of the cards left, each once for all
exchanges of suits."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.geometry import EXCHANGES, HANDS, card_pairs
from croupier.mathematics.counters.boards.information_sets import HandRows, flop_rows, turn_rows
from croupier.mathematics.kernels.arrays import I8, I16, I32, I64, IntArray
from croupier.mathematics.kernels.decorators import kernel, part, whole


class FlopsLeft(NamedTuple):
    """Flops and hands of the cards left. Flops that exchanges of suits turn into each other, the
    cards seen staying what they are, are there once; hands that are so fall into one situation."""

    cards: I8  # [flop, 3]
    weight: I64  # [flop]: flops that it stands for
    hands: I16
    ends: I8  # [hand, 2]
    seen: int  # 1 where a community card is known before the flop
    number: I32  # [hand], or [hand * 52 + community card]: the situation


def cards_left(deck: int, gone: tuple[int, ...], held: tuple[int, ...]) -> list[int]:
    """Of a deck with the ranks of the mask `deck`."""
    return [card for card in range(52) if deck >> card % 13 & 1 and card not in (*gone, *held)]


def flops_left(
    deck: int, gone: tuple[int, ...], held: tuple[int, ...], seen: int
) -> tuple[FlopsLeft, I64]:
    """And the number of deals in each situation before the flop. With `seen` 1 a community card is
    known there."""
    images = _staying(gone, held)
    left = cards_left(deck, gone, held)
    cards = np.array(list(combinations(left, 3)), np.int64)
    masks = [(1 << image[cards]).sum(axis=1) for image in images]
    _, example, weight = np.unique(np.minimum.reduce(masks), return_index=True, return_counts=True)
    ends = card_pairs().astype(np.int64)
    inside = np.isin(ends, left).all(axis=1)
    keys = np.minimum.reduce([_hand_keys(image, ends, seen) for image in images])
    allowed = np.asarray(inside)
    if seen:
        known = np.arange(52)
        clear = (ends[:, :1] != known) & (ends[:, 1:] != known) & np.isin(known, left)
        allowed = np.logical_and(allowed[:, None], clear).ravel()
    _, which, sizes = np.unique(keys[allowed], return_inverse=True, return_counts=True)
    number = np.full(HANDS * 52 if seen else HANDS, -1, np.int32)
    number[allowed] = which
    flops = FlopsLeft(
        cards[example].astype(np.int8),
        weight.astype(np.int64),
        np.flatnonzero(inside).astype(np.int16),
        card_pairs(),
        seen,
        number,
    )
    return flops, sizes.astype(np.int64)


def _hand_keys(image: I64, ends: I64, seen: int) -> I64:
    """A number for the image of every hand, or of every hand and community card."""
    a, b = image[ends[:, 0]], image[ends[:, 1]]
    hands = np.maximum(a, b) * 52 + np.minimum(a, b)
    return (hands[:, None] * 52 + image).ravel() if seen else hands


def _staying(gone: tuple[int, ...], held: tuple[int, ...]) -> list[I64]:
    """The exchanges of suits that leave the cards seen what they are: where each card goes."""
    cards = np.arange(52)
    images = [np.array(suits)[cards // 13] * 13 + cards % 13 for suits in EXCHANGES]
    return [
        image
        for image in images
        if set(image[list(gone)].tolist()) == set(gone)
        and set(image[list(held)].tolist()) == set(held)
    ]


class BetLevel(NamedTuple):
    """What every arriving path can become: those of path i are start[i] to start[i + 1]."""

    start: I64
    onward: I64  # [answer]: its place among the paths that go on; -1 for a fold
    folded: I64  # [answer]: what a fold is worth over all that may come


class BetsAhead(NamedTuple):
    """The decisions at flop and turn. Where one of them decides nothing, its paths become
    themselves; without `at_turn` the board is looked at as it is at the flop."""

    flop: BetLevel
    turn: BetLevel
    at_turn: bool
    times: I64  # [path that goes on from the turn, quantity]; no E where the river decides nothing
    takes_first: bool


class BetScratch(NamedTuple):
    four: I8
    stage: I64  # of `new_stage_scratch`
    values: I64  # [quantity, hand]
    onward: I64  # [path that goes on from the turn]: what it is worth
    later: I64  # [path that comes to the turn, hand]: what it is worth
    chosen: I64  # [answer at the turn, hand]: on how many cards it is the best


class CountedBets(NamedTuple):
    """By what is known before the flop."""

    sums: I64  # [situation, path that comes to the flop]
    at_flop: I64  # [situation, answer]
    at_turn: I64  # [situation, path that comes to the flop, answer]


@kernel
def play_bets_left(
    start: int,
    stop: int,
    flops: FlopsLeft,
    left: I8,
    rows: HandRows,
    plain: I64,
    suited: IntArray,
    table_of: I64,
    ahead: BetsAhead,
    scratch: BetScratch,
    out: CountedBets,
) -> None:
    """The best answers on all flops from `start` to `stop`; `left[card]`: may that card come?"""
    four, stage, later, chosen = scratch.four, scratch.stage, scratch.later, scratch.chosen
    for flop in range(start, stop):
        for place in range(3):
            four[place] = flops.cards[flop, place]
        later[:] = 0
        chosen[:] = 0
        for card in range(52 if ahead.at_turn else 1):
            if ahead.at_turn:
                if not left[card] or card in (four[0], four[1], four[2]):
                    continue
                four[3] = card
                ranks, count = turn_rows(four, rows.strengths, stage)
            else:
                four[3] = -1
                ranks, count = flop_rows(four[:3], rows.strengths, stage)
            for quantity in range(ahead.times.shape[1]):
                board = plain[ranks, quantity]
                _look_up(quantity, count, flops, rows, board, suited, table_of, scratch)
            _decide_turn(flops, ahead, scratch)
        _decide_flop(flops, flops.weight[flop], ahead, scratch, out)


@part
def _look_up(
    quantity: int,
    count: int,
    flops: FlopsLeft,
    rows: HandRows,
    plain: I64,
    suited: IntArray,
    table_of: I64,
    scratch: BetScratch,
) -> None:
    """A quantity of every hand on a board."""
    hands, suits, views = flops.hands, scratch.stage[0], scratch.stage[1]
    found = scratch.values[quantity]
    for i in range(len(hands)):
        found[i] = plain[rows.pairs[hands[i]]]
    for suit in range(count):
        more = suited[table_of[suits[suit]], views[suit], quantity]
        at = rows.classes[suits[suit]]
        for i in range(len(hands)):
            found[i] += more[at[hands[i]]]


@part
def _is_possible(hand: int, flops: FlopsLeft, board: I8) -> bool:
    high, low, possible = flops.ends[hand, 0], flops.ends[hand, 1], True
    for place in range(len(board)):
        possible = possible and board[place] not in (high, low)
    return possible


@part
def _best_answer(path: int, level: BetLevel, onward: I64, takes_first: bool) -> int:
    """Of a path that comes here; `onward` is what those are worth that go on."""
    best, chosen = whole(0), whole(-1)
    for answer in range(level.start[path], level.start[path + 1]):
        value = _worth(answer, level, onward)
        if chosen < 0 or value > best or (value == best and not takes_first):
            best, chosen = value, whole(answer)
    return chosen


@part
def _worth(answer: int, level: BetLevel, onward: I64) -> int:
    place = level.onward[answer]
    return whole(onward[place] if place >= 0 else level.folded[answer])


@part
def _decide_turn(flops: FlopsLeft, ahead: BetsAhead, scratch: BetScratch) -> None:
    level, times, values, onward = ahead.turn, ahead.times, scratch.values, scratch.onward
    for i in range(len(flops.hands)):
        if not _is_possible(whole(flops.hands[i]), flops, scratch.four):
            continue
        for path in range(len(times)):
            onward[path] = 0
            for quantity in range(times.shape[1]):
                onward[path] += times[path, quantity] * values[quantity, i]
        for path in range(len(level.start) - 1):
            answer = _best_answer(path, level, onward, ahead.takes_first)
            scratch.later[path, i] += _worth(answer, level, onward)
            scratch.chosen[answer, i] += 1


@part
def _decide_flop(
    flops: FlopsLeft, weight: int, ahead: BetsAhead, scratch: BetScratch, out: CountedBets
) -> None:
    level, turn, cards = ahead.flop, ahead.turn, scratch.four
    for i in range(len(flops.hands)):
        hand = whole(flops.hands[i])
        if not _is_possible(hand, flops, cards[:3]):
            continue
        for path in range(len(level.start) - 1):
            answer = _best_answer(path, level, scratch.later[:, i], ahead.takes_first)
            best, onward = _worth(answer, level, scratch.later[:, i]), level.onward[answer]
            for c in range(3 if flops.seen else 1):
                at = flops.number[hand * 52 + cards[c]] if flops.seen else flops.number[hand]
                out.sums[at, path] += weight * best
                out.at_flop[at, answer] += weight
                if onward >= 0:
                    for later in range(turn.start[onward], turn.start[onward + 1]):
                        out.at_turn[at, path, later] += weight * scratch.chosen[later, i]
