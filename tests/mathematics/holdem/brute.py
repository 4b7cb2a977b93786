"""The obvious way: every hand, every board, every dealer's hand, one deal at a time.

No suit isomorphism, no collapsing, no sweep, no sums of A and B: the payoff of each deal is looked
up and added. Only for decks of up to 24 cards. Strengths come from the plain evaluator.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
from numba import njit

from croupier.mathematics.holdem.arrays import I16, I64
from croupier.mathematics.holdem.games import Game
from croupier.ranking.fast import VALUES
from croupier.ranking.plain import value_of

__all__ = ["brute_value"]


def deck_cards(game: Game) -> list[int]:
    return [card for card in range(52) if game.deck >> card % 13 & 1]


def strengths_by_mask(game: Game) -> I16:
    """The strength of every seven cards of the deck, by the mask of their places in it."""
    cards = deck_cards(game)
    place_of_value = {int(value): place for place, value in enumerate(VALUES)}
    table = np.full(1 << len(cards), -1, dtype=np.int16)
    for seven in combinations(range(len(cards)), 7):
        mask = sum(1 << place for place in seven)
        table[mask] = place_of_value[value_of(sum(1 << cards[place] for place in seven))]
    return table


def sets_by_size(cards: int) -> tuple[list[I64], I64]:
    """The sets of 0 to 5 cards as masks, and the place of a mask among those of its size."""
    sets = [
        np.array([sum(1 << card for card in chosen) for chosen in combinations(range(cards), size)])
        for size in range(6)
    ]
    places = np.full(1 << cards, -1, dtype=np.int64)
    for masks in sets:
        places[masks] = np.arange(len(masks))
    return sets, places


@njit(cache=True)
def _showdowns(
    hand: int,
    cards: int,
    boards: I64,
    table: I16,
    required: I64,
    decided: I64,
    qualifier: int,
    a: I64,
    b: I64,
) -> None:
    """a[board], b[board] for every board beside one hand: the sums over its dealer's hands."""
    for place in range(len(boards)):
        board = boards[place]
        if board & hand:
            continue
        mine = table[board | hand]
        for high in range(cards):
            for low in range(high):
                dealer = 1 << high | 1 << low
                if dealer & (board | hand):
                    continue
                theirs = table[board | dealer]
                row = 0 if mine > theirs else 2 if mine == theirs else 4
                if theirs < qualifier:
                    row += 1
                a[place] += required[row, mine]
                b[place] += decided[row, mine]


@njit(cache=True)
def _step(hand: int, later: I64, now: I64, places: I64, values: I64, out: I64) -> None:
    """out[seen] = the sum of values over all larger sets (`later`) that contain it."""
    wanted = now[0]
    size = 0
    while wanted:
        wanted &= wanted - 1
        size += 1
    for place in range(len(later)):
        board = later[place]
        if board & hand:
            continue
        part = board
        while True:
            bits = 0
            rest = part
            while rest:
                rest &= rest - 1
                bits += 1
            if bits == size:
                out[places[part]] += values[place]
            if part == 0:
                break
            part = (part - 1) & board


def _hand_value(game: Game, hand: int, table: I16, sets: list[I64], places: I64) -> Fraction:
    cards = game.cards
    a, b = (np.zeros(len(sets[5]), np.int64) for _ in range(2))
    _showdowns(hand, cards, sets[5], table, game.required, game.decided, game.qualifier, a, b)
    ways, level, value = game.dealer_hands, 5, a
    for decision in (*reversed(game.decisions), None):
        now = decision.seen if decision else 0
        if now < level:
            ways *= comb(cards - 2 - now, level - now)
            stepped = [np.zeros(len(sets[now]), np.int64) for _ in range(3)]
            for old, new in zip((a, b, value), stepped, strict=True):
                _step(hand, sets[level], sets[now], places, old, new)
            (a, b, value), level = stepped, now
        if decision:
            onward = np.full_like(value, game.fold * ways) if decision.decline == "fold" else value
            value = np.max([a + k * b for k in decision.multiples] + [onward], axis=0)
    return Fraction(int(value[0]), ways * game.scale)


def brute_value(game: Game) -> Fraction:
    table = strengths_by_mask(game)
    sets, places = sets_by_size(game.cards)
    hands = sets[2].tolist()
    total = sum((_hand_value(game, hand, table, sets, places) for hand in hands), Fraction(0))
    return total / len(hands)
