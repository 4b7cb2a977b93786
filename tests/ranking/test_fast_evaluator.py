"""The compiled evaluator against the obvious one, on every five-card hand and on all the others."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import chain, combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray

from croupier.cards import DECK, Card, mask_of, parse_cards
from croupier.errors import BadCards
from croupier.ranking import plain, reference
from croupier.ranking.fast import (
    strength,
    strength_of,
    strength_to_value,
    strengths,
    strengths_of_cards,
    strengths_on_board,
)
from croupier.ranking.hands import Category, category_of
from croupier.ranking.lookup_tables import FIRST_STRENGTHS, NO_HAND, VALUES, lookup_tables

SEVEN_CARD_HANDS = 133_784_560
ONE = np.uint64(1)

hands = st.integers(5, 7).flatmap(
    lambda size: st.lists(st.sampled_from(DECK), min_size=size, max_size=size, unique=True)
)


def random_hands(seed: int, count: int, size: int) -> NDArray[np.uint8]:
    random = np.random.default_rng(seed)
    order = random.random((count, 52), np.float32).argpartition(size, axis=1)
    return order[:, :size].astype(np.uint8)


def masks_of(cards: NDArray[np.uint8]) -> NDArray[np.uint64]:
    masks: NDArray[np.uint64] = np.bitwise_or.reduce(ONE << cards.astype(np.uint64), axis=1)
    return masks


def as_cards(row: NDArray[np.uint8]) -> list[Card]:
    return [DECK[number] for number in row.tolist()]


# -- five cards, all of them ----------------------------------------------------------------------
# What the reference says depends only on the sorted ranks and on whether there is one suit: its
# first two lines reduce the hand to these. So it is asked once for each such signature, and asked
# again with other hands of the same signature to see that it does not contradict itself. The full
# tests ask it for every hand.


@cache
def fives() -> NDArray[np.uint8]:
    every = chain.from_iterable(combinations(range(52), 5))
    return np.fromiter(every, np.uint8, comb(52, 5) * 5).reshape(-1, 5)


@cache
def signatures() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One hand of each signature, and the number of the signature of every hand (rows of fives)."""
    cards = fives()
    ranks = np.sort(cards % 13, axis=1).astype(np.int64)
    suits = cards // 13
    one_suit = (suits == suits[:, :1]).all(axis=1)
    codes = ranks @ 13 ** np.arange(5) * 2 + one_suit
    _, examples, numbers = np.unique(codes, return_index=True, return_inverse=True)
    return examples, numbers


@cache
def reference_values() -> NDArray[np.int64]:
    """The reference's value of each signature."""
    examples, _ = signatures()
    return np.array([reference.value_of_five(as_cards(fives()[i])) for i in examples])


def test_reference_depends_on_the_sorted_ranks_and_on_one_suit_only() -> None:
    _, numbers = signatures()
    random = np.random.default_rng(6)
    ends = np.cumsum(np.bincount(numbers))
    for number, members in enumerate(np.split(np.argsort(numbers, kind="stable"), ends[:-1])):
        for member in random.choice(members, 4):
            hand = as_cards(random.permutation(fives()[member]))
            assert reference.value_of_five(hand) == reference_values()[number], hand


def test_every_five_card_hand_has_the_value_of_the_reference() -> None:
    _, numbers = signatures()
    expected = reference_values()[numbers]
    assert np.array_equal(VALUES[strengths(masks_of(fives()))], expected)
    assert np.array_equal(VALUES[strengths_of_cards(fives())], expected)


@pytest.mark.full
@pytest.mark.parametrize("lowest", range(48))
def test_every_five_card_hand_has_the_value_of_the_reference_itself(lowest: int) -> None:
    for rest in combinations(DECK[lowest + 1 :], 4):
        hand = (DECK[lowest], *rest)
        assert strength_to_value(strength(mask_of(hand))) == reference.value_of_five(hand)


# -- values, strengths, tables --------------------------------------------------------------------


def test_values_are_those_of_the_reference_in_ascending_order() -> None:
    assert VALUES.tolist() == sorted(reference_values().tolist())
    assert len(VALUES) == len(set(VALUES.tolist())) == 7462
    assert not VALUES.flags.writeable


def test_first_strengths_are_where_categories_begin() -> None:
    assert list(FIRST_STRENGTHS) == list(Category)
    for category, first in FIRST_STRENGTHS.items():
        assert category_of(strength_to_value(first)) == category
        if first:
            assert category_of(strength_to_value(first - 1)) == category - 1


def test_every_multiset_of_ranks_has_a_slot_of_its_own() -> None:
    assert np.count_nonzero(lookup_tables().strengths != NO_HAND) == 6_175 + 18_395 + 49_205


def test_ends_of_the_scale() -> None:
    assert strength(mask_of(parse_cards("7c 5d 4c 3c 2c"))) == 0
    assert strength(mask_of(parse_cards("Ah Kh Qh Jh Th"))) == 7461


# -- five, six and seven cards --------------------------------------------------------------------


@settings(deadline=None)  # the machine may be busy
@given(hands)
def test_any_hand_has_the_value_of_the_reference(cards: list[Card]) -> None:
    assert strength_to_value(strength(mask_of(cards))) == reference.best_five(cards)[0]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_random_hands_have_the_value_of_the_reference(size: int) -> None:
    cards = random_hands(seed=size, count=2_000, size=size)
    expected = [reference.best_five(as_cards(row))[0] for row in cards]
    assert VALUES[strengths(masks_of(cards))].tolist() == expected


@pytest.mark.parametrize("size", [5, 6, 7])
def test_random_hands_have_the_value_of_the_plain_evaluator(size: int) -> None:
    cards = random_hands(seed=10 + size, count=100_000, size=size)
    masks = masks_of(cards)
    expected = [plain.value_of(mask) for mask in masks.tolist()]
    assert VALUES[strengths(masks)].tolist() == expected


@pytest.mark.parametrize("size", [5, 6, 7])
def test_every_access_pattern_says_the_same(size: int) -> None:
    cards = random_hands(seed=20 + size, count=50_000, size=size)
    masks = masks_of(cards)
    expected = strengths(masks)
    assert [strength(mask) for mask in masks.tolist()] == expected.tolist()
    assert np.array_equal(strengths_of_cards(cards), expected)
    assert np.array_equal(from_kernel(masks), expected)
    assert np.array_equal(from_kernel(masks.astype(np.int64)), expected)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_board_with_every_two_cards(size: int) -> None:
    for board in masks_of(random_hands(seed=30 + size, count=300, size=size)).tolist():
        unseen = [card for card in DECK if not board >> card & 1]
        pairs = [(low, high) for j, high in enumerate(unseen) for low in unseen[:j]]
        masks = np.array([board | 1 << low | 1 << high for low, high in pairs], np.uint64)
        out = np.empty(len(pairs), np.uint16)
        strengths_on_board(np.uint64(board), out)
        assert np.array_equal(out, strengths(masks))


# Not cached: numba would not notice a change in the evaluator.
@njit(nogil=True)
def from_kernel(masks: NDArray[np.uint64]) -> NDArray[np.uint16]:
    out = np.empty(masks.size, np.uint16)
    for i in range(masks.size):
        out[i] = strength_of(masks[i])
    return out


# -- every six- and seven-card hand ---------------------------------------------------------------


@njit(nogil=True)
def next_mask(mask: np.uint64) -> np.uint64:
    """The next greater number with as many bits (Gosper's hack)."""
    lowest = mask & (~mask + ONE)
    higher = mask + lowest
    return higher | ((mask ^ higher) >> np.uint64(2)) // lowest


@njit(nogil=True)
def count_strengths(size: int) -> NDArray[np.int64]:
    """How often each strength occurs among all hands of a size."""
    counts = np.zeros(7462, np.int64)
    mask = np.uint64((1 << size) - 1)
    while not mask >> np.uint64(52):
        counts[strength_of(mask)] += 1
        mask = next_mask(mask)
    return counts


COUNTS = {
    6: [6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_656, 188],
    7: [
        23_294_460,
        58_627_800,
        31_433_400,
        6_461_620,
        6_180_020,
        4_047_644,
        3_473_184,
        224_848,
        37_260,
        4_324,
    ],
}


@pytest.mark.parametrize(("size", "distinct"), [(6, 6_075), (7, 4_824)])
def test_counts_of_categories_among_all_hands(size: int, distinct: int) -> None:
    counts = count_strengths(size)
    assert counts.sum() == comb(52, size)
    assert np.count_nonzero(counts) == distinct
    assert np.add.reduceat(counts, list(FIRST_STRENGTHS.values())).tolist() == COUNTS[size]


@njit(nogil=True)
def compare_sevens(of_five: NDArray[np.uint16], choose: NDArray[np.int64]) -> tuple[int, int]:
    """How many seven-card hands there are, and how many are not worth their best five cards.

    `of_five` holds the reference's answer for every five cards a < b < c < d < e at
    choose[1, a] + choose[2, b] + choose[3, c] + choose[4, d] + choose[5, e].
    """
    hand = np.empty(7, np.int64)
    hands = 0
    wrong = 0
    mask = np.uint64(0b1111111)
    while not mask >> np.uint64(52):
        held = 0
        for card in range(52):
            if mask >> np.uint64(card) & ONE:
                hand[held] = card
                held += 1
        hands += 1
        wrong += strength_of(mask) != best_of_21(hand, of_five, choose)
        mask = next_mask(mask)
    return hands, wrong


@njit(nogil=True)
def best_of_21(
    hand: NDArray[np.int64], of_five: NDArray[np.uint16], choose: NDArray[np.int64]
) -> int:
    best = 0
    for first in range(6):
        for second in range(first + 1, 7):  # the two that are put away
            place = 0
            taken = 0
            for i in range(7):
                if i not in (first, second):
                    taken += 1
                    place += choose[taken, hand[i]]
            best = max(best, of_five[place])
    return best


@pytest.mark.full
def test_every_seven_card_hand_is_its_best_five_by_the_reference() -> None:
    choose = np.array([[comb(card, taken) for card in range(52)] for taken in range(6)])
    places = sum(choose[i + 1, fives()[:, i]] for i in range(5))
    of_five = np.full(comb(52, 5), NO_HAND, np.uint16)
    _, numbers = signatures()
    of_five[places] = np.searchsorted(VALUES, reference_values())[numbers]
    assert NO_HAND not in of_five
    assert compare_sevens(of_five, choose) == (SEVEN_CARD_HANDS, 0)


# -- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("mask", [0, 0b1111, 0xFF, -1, 1 << 52 | 0b1111, 1 << 63, 1 << 64, True])
def test_anything_but_a_hand_is_refused(mask: int) -> None:
    with pytest.raises(BadCards, match="is not a hand"):
        strength(mask)
    if 0 <= mask < 1 << 64:
        with pytest.raises(BadCards, match="is not a hand"):
            strengths(np.array([0b11111, mask, 0b11111], np.uint64))


@pytest.mark.parametrize("nonsense", ["As Ks", 31.0, None])
def test_anything_but_an_integer_is_refused(nonsense: object) -> None:
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        strength(nonsense)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "cards",
    [[[0, 1, 2, 3]], [[0, 1, 2, 3, 4, 5, 6, 7]], [[0, 1, 2, 3, 52]], [0, 1, 2, 3, 4]],
    ids=["four", "eight", "no such card", "flat"],
)
def test_rows_that_are_no_hands_are_refused(cards: list[list[int]]) -> None:
    with pytest.raises(BadCards, match="rows of five, six or seven"):
        strengths_of_cards(np.array(cards, np.uint8))


def test_card_numbers_that_would_wrap_around_are_refused() -> None:
    with pytest.raises(BadCards, match="rows of five, six or seven"):
        strengths_of_cards(np.array([[256, 1, 2, 3, 4]]))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_card_held_twice_is_refused_with_its_row(size: int) -> None:
    cards = random_hands(seed=size, count=3, size=size)
    cards[1, 0] = cards[1, size - 1]
    with pytest.raises(BadCards, match="row 1 holds a card twice"):
        strengths_of_cards(cards)


# -- how it is called -----------------------------------------------------------------------------


def test_numpy_integers_are_integers() -> None:
    assert strength(np.uint64(0b11111)) == strength(0b11111)
    assert strength_to_value(strengths(np.array([0b11111], np.uint64))[0]) == VALUES[7453]


@pytest.mark.parametrize(
    ("evaluate", "hand"),
    [
        (strengths, np.array([0b11111], np.uint64)),
        (strengths_of_cards, np.array([[0, 1, 2, 3, 4]], np.uint8)),
    ],
)
def test_results_go_where_they_are_wanted(
    evaluate: Callable[..., NDArray[np.uint16]], hand: NDArray[np.generic]
) -> None:
    out = np.zeros(1, np.uint16)
    assert evaluate(hand, out) is out
    assert out[0] == 7453
    assert evaluate(hand[:0]).size == 0
    for wrong in (np.zeros(2, np.uint16), np.zeros(1, np.int64), np.zeros((1, 1), np.uint16)):
        with pytest.raises(ValueError, match=r"uint16 array of shape \(1,\)"):
            evaluate(hand, wrong)


def test_masks_may_have_any_shape_and_stride() -> None:
    masks = masks_of(random_hands(seed=1, count=600, size=7)).reshape(10, 60)
    expected = [[strength(mask) for mask in row] for row in masks[:, ::3].tolist()]
    assert strengths(masks[:, ::3]).tolist() == expected


def test_strength_travels_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(strength)) is strength
    assert strength.__doc__ == "The strength of the five to seven cards of a mask."


def test_ranking_alone_does_not_import_numba() -> None:
    code = (
        "import sys, croupier.ranking, croupier.ranking.plain, croupier.ranking.reference\n"
        "sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
