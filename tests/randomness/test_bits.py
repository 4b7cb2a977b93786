"""Bits out of decks: exactly 218 fair ones, or none."""

from __future__ import annotations

from itertools import permutations
from math import factorial

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from croupier.randomness.bits import BITS_A_DECK, WHOLE, bits_of, plain_bits_of, rank_of

FIRST, LAST = list(range(52)), list(range(51, -1, -1))


def test_ranks_number_all_orders() -> None:
    assert [rank_of(order) for order in permutations(range(6))] == list(range(720))
    assert (rank_of(FIRST), rank_of(LAST)) == (0, factorial(52) - 1)


def test_so_many_bits_fit_and_no_choice_keeps_more() -> None:
    def kept(width: int) -> float:
        return width * ((factorial(52) >> width) << width) / factorial(52)

    assert factorial(52) >> BITS_A_DECK == WHOLE == 191
    assert max(range(1, 226), key=kept) == BITS_A_DECK
    assert 217.4 < kept(BITS_A_DECK) < 217.5


def test_a_deck_above_the_last_whole_multiple_gives_nothing() -> None:
    assert plain_bits_of(LAST) == []
    assert bits_of(np.array([LAST, FIRST], np.uint8)).tolist() == [0] * BITS_A_DECK


@given(st.lists(st.permutations(range(52)), min_size=1, max_size=4))
def test_the_fast_way_is_the_obvious_way(decks: list[list[int]]) -> None:
    fast = bits_of(np.array(decks, np.uint8)).tolist()
    assert fast == [bit for deck in decks for bit in plain_bits_of(deck)]
