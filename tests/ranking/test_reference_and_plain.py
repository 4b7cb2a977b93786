"""The evaluator that rounds are settled with, against the obvious one and against the documents.

Tests are named after the clauses of the Maryland Ultimate Texas Hold'em rules (chapter 6) and the
readings (MD-07, MD-08, MA-03) they hold.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards import DECK, Card, mask_of, parse_cards
from croupier.ranking import plain, reference
from croupier.ranking.built_in import built_in
from croupier.ranking.hands import Category, category_of, describe, kickers_of, pack

RUNS = (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)

hands = st.integers(5, 7).flatmap(
    lambda size: st.lists(st.sampled_from(DECK), min_size=size, max_size=size, unique=True)
)


def crowded(few: list[Card]) -> st.SearchStrategy[list[Card]]:
    return st.lists(st.sampled_from(few), min_size=5, max_size=7, unique=True)


# Hands from a few ranks or a few suits, where quads, full houses and flushes are not rare.
rich_hands = st.one_of(
    st.sets(st.integers(0, 12), min_size=2, max_size=4).flatmap(
        lambda ranks: crowded([card for card in DECK if card.rank in ranks])
    ),
    st.integers(0, 3).flatmap(lambda suit: crowded([card for card in DECK if card.suit == suit])),
    st.integers(0, 6).flatmap(
        lambda low: crowded([card for card in DECK if low <= card.rank <= low + 6])
    ),
)


def value(text: str) -> int:
    """The value of a hand written down, on which both evaluators must agree."""
    cards = parse_cards(text)
    expected, _ = reference.best_five(cards)
    assert plain.value_of(mask_of(cards)) == expected
    return expected


def category(text: str) -> Category:
    return category_of(value(text))


# -- plain against reference ----------------------------------------------------------------------


@settings(deadline=None)  # the machine may be busy
@given(st.one_of(hands, rich_hands))
def test_plain_says_what_the_reference_says(cards: list[Card]) -> None:
    assert plain.value_of(mask_of(cards)) == reference.best_five(cards)[0]


def every_kind_of_five() -> list[tuple[Card, ...]]:
    """One hand for every multiset of ranks, and every hand of spades."""
    several_suits = [
        tuple(DECK[i % 4 * 13 + rank] for i, rank in enumerate(ranks))
        for ranks in combinations_with_replacement(range(13), 5)
        if ranks[0] != ranks[4]
    ]
    return several_suits + list(combinations(DECK[39:], 5))


def test_plain_and_reference_agree_on_every_kind_of_five_cards() -> None:
    kinds = every_kind_of_five()
    values = [reference.value_of_five(hand) for hand in kinds]
    assert [plain.value_of(mask_of(hand)) for hand in kinds] == values
    assert len(kinds) == len(set(values)) == 7462


@settings(deadline=None)  # the machine may be busy
@given(st.one_of(hands, rich_hands), st.randoms(use_true_random=False))
def test_values_depend_neither_on_the_order_of_cards_nor_on_suits_names(
    cards: list[Card], random: Random
) -> None:
    suits = random.sample(range(4), 4)
    renamed = [DECK[suits[card.suit] * 13 + card.rank] for card in cards]
    random.shuffle(renamed)
    assert reference.best_five(renamed)[0] == reference.best_five(cards)[0]
    assert plain.value_of(mask_of(renamed)) == plain.value_of(mask_of(cards))


# -- best_cards -----------------------------------------------------------------------------------


@settings(deadline=None)  # the machine may be busy
@given(st.one_of(hands, rich_hands))
def test_best_cards_are_five_of_the_cards_and_have_the_value(cards: list[Card]) -> None:
    best_value, _ = reference.best_five(cards)
    best = built_in("five_card").best_cards(best_value, cards)
    assert len(set(best)) == 5
    assert set(best) <= set(cards)
    assert reference.value_of_five(best) == best_value


@settings(deadline=None)  # the machine may be busy
@given(st.one_of(hands, rich_hands))
def test_best_cards_have_the_made_ranks_first_and_then_descend(cards: list[Card]) -> None:
    best_value, _ = reference.best_five(cards)
    ranks = [card.rank for card in built_in("five_card").best_cards(best_value, cards)]
    if category_of(best_value) in RUNS:
        (top,) = kickers_of(best_value)
        assert ranks == [rank % 13 for rank in range(top, top - 5, -1)]
    else:
        assert list(dict.fromkeys(ranks)) == list(kickers_of(best_value))
        assert all(ranks.count(one) >= ranks.count(next_) for one, next_ in pairwise(ranks))


@pytest.mark.parametrize(
    ("cards", "best"),
    [
        ("2c 9d 2h 9s Kd 9c Kh", "9d 9s 9c Kd Kh"),
        ("Kd Ks 3c 3h 2s 2d Ah", "Kd Ks 3c 3h Ah"),
        ("5h 2c Ad 3s 4c Kd Kc", "5h 4c 3s 2c Ad"),
        ("5h 2h Ah 3h 4h 6c Kh", "5h 4h 3h 2h Ah"),
        ("Th 2h Ah 3h 9h 8h Ac", "Ah Th 9h 8h 3h"),
        ("Ts Qs Ah Ks As Js 9s", "As Ks Qs Js Ts"),
    ],
)
def test_best_cards_as_a_dealer_lays_them_out(cards: str, best: str) -> None:
    assert built_in("five_card").best_cards(value(cards), parse_cards(cards)) == parse_cards(best)


# -- chapter 6: the rankings ----------------------------------------------------------------------

EXTREMES = {  # highest and lowest of each category; where 6.D names the made cards only, the
    # highest and lowest kickers are those that the cards named leave
    Category.ROYAL_FLUSH: ("Ah Kh Qh Jh Th", "Ah Kh Qh Jh Th"),
    Category.STRAIGHT_FLUSH: ("Kh Qh Jh Th 9h", "Ah 2h 3h 4h 5h"),
    Category.FOUR_OF_A_KIND: ("Ac Ad Ah As Kc", "2c 2d 2h 2s 3c"),
    Category.FULL_HOUSE: ("Ac Ad Ah Kc Kd", "2c 2d 2h 3c 3d"),
    Category.FLUSH: ("Ah Kh Qh Jh 9h", "2h 3h 4h 5h 7h"),
    Category.STRAIGHT: ("Ac Kh Qh Jh Th", "Ac 2h 3h 4h 5h"),
    Category.THREE_OF_A_KIND: ("Ac Ad Ah Kc Qc", "2c 2d 2h 3c 4c"),
    Category.TWO_PAIR: ("Ac Ad Kc Kd Qc", "3c 3d 2c 2d 4c"),
    Category.PAIR: ("Ac Ad Kc Qc Jc", "2c 2d 3c 4c 5c"),
    Category.HIGH_CARD: ("Ac Kd Qc Jc 9c", "2c 3d 4c 5c 7c"),
}


@pytest.mark.parametrize("kind", EXTREMES, ids=lambda kind: kind.name.lower())
def test_6_D_highest_and_lowest_hand_of_each_category(kind: Category) -> None:
    highest, lowest = EXTREMES[kind]
    values = [reference.value_of_five(hand) for hand in every_kind_of_five()]
    of_kind = [each for each in values if category_of(each) == kind]
    assert value(highest) == max(of_kind)
    assert value(lowest) == min(of_kind)


def test_6_D_categories_in_their_order() -> None:
    best_to_worst = [value(hand) for kind in EXTREMES for hand in EXTREMES[kind]]
    assert best_to_worst == sorted(best_to_worst, reverse=True)
    assert [category_of(each) for each in best_to_worst[::2]] == sorted(Category, reverse=True)


def test_6_A_ranks_in_their_order() -> None:
    ranks = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
    quads = [value(f"{r}c {r}d {r}h {r}s {'3c' if r == '2' else '2c'}") for r in ranks]
    assert quads == sorted(quads, reverse=True)
    assert len(set(quads)) == 13


def test_6_B_ace_completes_five_high_straight_only() -> None:
    assert value("Ac 2d 3h 4s 5c") == pack(Category.STRAIGHT, [3])
    assert value("Ac Kd Qh Js Tc") == pack(Category.STRAIGHT, [12])
    for around in ("2d 3h 4s Ac Kd", "2d 3h Ac Kd Qh", "2d Ac Kd Qh Js"):
        assert category(around) == Category.HIGH_CARD


def test_6_B_ace_completes_five_high_straight_flush() -> None:
    assert value("As 2s 3s 4s 5s") == pack(Category.STRAIGHT_FLUSH, [3])


def test_6_B_queen_king_ace_two_three_is_no_straight() -> None:
    assert value("Qc Kd Ah 2s 3c") == pack(Category.HIGH_CARD, [12, 11, 10, 1, 0])


def test_MA03_suited_queen_king_ace_two_three_is_a_flush() -> None:
    assert value("Qc Kc Ac 2c 3c") == pack(Category.FLUSH, [12, 11, 10, 1, 0])


def test_6_C_suits_are_equal() -> None:
    assert len({value(f"A{s} K{s} Q{s} J{s} 9{s}") for s in "cdhs"}) == 1


def test_6_E_equal_ranks_tie() -> None:
    assert value("Ac Kd 9h 5s 2c") == value("Ad Kh 9s 5c 2d")


def test_MD07_threes_full_of_kings_beat_twos_full_of_aces() -> None:
    assert value("3c 3d 3h Kc Kd") > value("2c 2d 2h Ac Ad")


def test_MD07_fives_with_a_king_beat_threes_with_an_ace() -> None:
    assert value("5c 5d Kh 7s 6c") > value("3c 3d Ah Ks Qc")


def test_MD07_six_high_straight_beats_the_five_high_one() -> None:
    assert value("2c 3d 4h 5s 6c") > value("Ac 2d 3h 4s 5c")
    assert value("2c 3c 4c 5c 6c") > value("Ac 2c 3c 4c 5c")


def test_MD07_higher_pair_then_lower_pair_then_kicker() -> None:
    assert value("Qc Qd 3h 3s 2c") > value("Jc Jd Th Ts Ac")
    assert value("Qc Qd 4h 4s 2c") > value("Qh Qs 3h 3s Ac")
    assert value("Qc Qd 4h 4s 3c") > value("Qh Qs 4c 4d 2c")


def test_MD07_kickers_one_after_the_other() -> None:
    assert value("9c 9d Ah 4s 3c") > value("9h 9s Kh Qs Jc")
    assert value("9c 9d Ah Ks 3c") > value("9h 9s Ad Qs Jc")
    assert value("9c 9d Ah Ks 5c") > value("9h 9s Ad Kd 4c")
    assert value("Ac Kd Qh Js 9c") > value("Ad Kc Qs Jh 8c")


def test_MD08_high_card_ranks_below_a_pair() -> None:
    assert value("2c 2d 3h 4s 5c") > value("Ac Kd Qh Js 9c")


def test_MD08_sixth_and_seventh_cards_never_count() -> None:
    assert value("Ac Kd 9h 7s 6c 4d 3h") == value("Ac Kd 9h 7s 6c 4d 2h") == value("Ac Kd 9h 7s 6c")
    assert value("Ac Ad Kh Ks 3c 3d 4h") == value("Ac Ad Kh Ks 2c 2d 4h")


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("9c 9d 9h 5s 5c 5d Ah", pack(Category.FULL_HOUSE, [7, 3])),
        ("9c 9d 9h 5s 5c Kd Kh", pack(Category.FULL_HOUSE, [7, 11])),
        ("9c 9d 9h 9s 5c 5d 5h", pack(Category.FOUR_OF_A_KIND, [7, 3])),
        ("9c 9d 9h 9s 5c 5d Ah", pack(Category.FOUR_OF_A_KIND, [7, 12])),
        ("9c 9d 5h 5s Kc Kd Ah", pack(Category.TWO_PAIR, [11, 7, 12])),
        ("2c 3d 4h 5s 6c 7d 8h", pack(Category.STRAIGHT, [6])),
        ("Ac 2d 3h 4s 5c 6d 6h", pack(Category.STRAIGHT, [4])),
        ("5c 6d 7h 8s 9c 9d 9h", pack(Category.STRAIGHT, [7])),
        ("5c 6c 7c 8c 2c 9d Th", pack(Category.FLUSH, [6, 5, 4, 3, 0])),
        ("2h 3h 4h 5h 9h Ah Kh", pack(Category.STRAIGHT_FLUSH, [3])),
        ("9h Th Jh Qh Kh Ah 8h", pack(Category.ROYAL_FLUSH, [12])),
        ("9h Th Jh Qh Kh Ac Ad", pack(Category.STRAIGHT_FLUSH, [11])),
    ],
)
def test_6_D_best_five_of_seven(cards: str, expected: int) -> None:
    assert value(cards) == expected


# -- in words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("Ah Kh Qh Jh Th", "a royal flush"),
        ("9h Th Jh Qh Kh", "a straight flush, king high"),
        ("Ac 2c 3c 4c 5c", "a straight flush, five high"),
        ("6c 6d 6h 6s 2c", "four sixes"),
        ("Ac Ad Ah 2s 2c", "a full house, aces over twos"),
        ("Th 8h 6h 4h 2h", "a flush, ten high"),
        ("Ac 2d 3h 4s 5c", "a straight, five high"),
        ("Jc Jd Jh 4s 5c", "three jacks"),
        ("6c 6d 3h 3s 5c", "two pair, sixes and threes"),
        ("Qc Qd 3h 4s 5c", "a pair of queens"),
        ("7c 5d 4h 3s 2c", "seven high"),
    ],
)
def test_describe_as_a_dealer_announces_it(cards: str, words: str) -> None:
    assert describe(value(cards)) == words


def test_kickers_are_what_was_packed() -> None:
    assert kickers_of(value("9c 9d Ah Ks 3c")) == (7, 12, 11, 1)
    assert kickers_of(value("Ac 2d 3h 4s 5c")) == (3,)
    assert kickers_of(value("2c 3d 4h 5s 7c")) == (5, 3, 2, 1, 0)
