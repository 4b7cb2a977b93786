"""Where given cards stand among the situations of a decision, worked out from the definitions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations

import numpy as np

from croupier.cards import Card
from croupier.mathematics.counters.boards.geometry import orbits_of, place_of_cards, turns_of
from croupier.mathematics.counters.boards.numbering import (
    pair_number,
    sorted_number,
    strength_tables,
    suited_board_number,
    suited_class,
)
from croupier.mathematics.hand_values import FULL_DECK
from croupier.mathematics.kernels.arrays import I8
from croupier.mathematics.questions.strategies.situations import (
    early_situations,
    flop_situations,
    listed_situations,
    river_situations,
    turn_situations,
)


def river_place(own: Sequence[Card], board: Sequence[Card]) -> tuple[bool, int, int]:
    """(by suit, board, class)."""
    for suit in range(4):
        f = sorted(card.rank for card in board if card.suit == suit)
        if len(f) >= 3:
            x = sorted(card.rank for card in board if card.suit != suit)
            five = np.array(f + [0] * (5 - len(f)), np.int8)
            p, q = ([*reversed(x), 0, 0])[:2]
            number = suited_board_number(five, len(f), p, q)
            a, b = (card.rank + (0 if card.suit == suit else 13) for card in own)
            return True, int(number), int(suited_class(a, b))
    ranks = np.array([card.rank for card in board], np.int8)
    number = sorted_number(ranks, strength_tables().choose)
    return False, int(number), int(pair_number(own[0].rank, own[1].rank))


@cache
def _turn_boards() -> dict[tuple[int, ...], int]:
    cards = turns_of(FULL_DECK).cards.tolist()
    return {tuple(board): number for number, board in enumerate(cards)}


def turn_place(own: Sequence[Card], board: Sequence[Card]) -> tuple[int, int]:
    """(board of four, situation of it): the exchange of suits under which both are listed."""
    turns = turns_of(FULL_DECK)
    for suits in permutations(range(4)):
        four = sorted((suits[card.suit] * 13 + card.rank for card in board), reverse=True)
        low, high = sorted(suits[card.suit] * 13 + card.rank for card in own)
        number = _turn_boards().get(tuple(four))
        if number is not None:
            hands = turns.hand[turns.start[number] : turns.start[number + 1]]
            found = np.flatnonzero(hands == high * (high - 1) // 2 + low)
            if len(found):
                return number, int(found[0])
    raise AssertionError((own, board))


def features_of(own: Sequence[Card], board: Sequence[Card]) -> I8:
    """One column: what is noted where these cards stand."""
    if len(own) == 3 or not board:
        return listed_situations(np.array([own], np.int64), np.array([board], np.int64)).features
    if len(board) == 5:
        suited, number, hand = river_place(own, board)
        found = river_situations(FULL_DECK, suited, number, number + 1)
        assert found.possible[0, hand]
        return found.features[:, 0, hand : hand + 1]
    if len(board) == 3:
        place = place_of_cards(FULL_DECK, own, board)
        return flop_situations(FULL_DECK).features[:, place : place + 1]
    if len(board) == 4:
        number, situation = turn_place(own, board)
        return turn_situations(FULL_DECK, number, number + 1).features[:, situation : situation + 1]
    orbits = orbits_of(FULL_DECK, 1)
    high, low = max(own), min(own)
    place = int(orbits.number[(high * (high - 1) // 2 + low) * 52 + board[0]])
    return early_situations(FULL_DECK, 1).features[:, place : place + 1]
