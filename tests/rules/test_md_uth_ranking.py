"""md-uth chapter 6: what hands are worth, in the evaluator and at the showdown."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from croupier.cards import Card, mask_of
from croupier.ranking.hands import CATEGORY_NAMES
from croupier.ranking.plain import value_of
from croupier.ranking.reference import value_of_five
from tests.rules.table import seat, settle

RANKS = "AKQJT98765432"
RUNS = ["AKQJT", "KQJT9", "QJT98", "JT987", "T9876", "98765", "87654", "76543", "65432", "5432A"]
NO_RUN = ["".join(five) for five in combinations(RANKS, 5)]
NO_RUN = [five for five in NO_RUN if five not in RUNS and five != "A5432"]


def groups(first: int, second: int) -> list[str]:
    """`groups(3, 2)`: every full house as ranks, from aces over kings downwards."""
    return [a * first + b * second for a in RANKS for b in RANKS if a != b]


# Every hand there is, as ranks from the best to the worst, category by category.
ORDER = {
    "royal_flush": ["AKQJT"],
    "straight_flush": RUNS[1:],
    "four_of_a_kind": groups(4, 1),
    "full_house": groups(3, 2),
    "flush": NO_RUN,
    "straight": RUNS,
    "three_of_a_kind": [
        a * 3 + b + c for a in RANKS for b, c in combinations(RANKS.replace(a, ""), 2)
    ],
    "two_pair": [
        a * 2 + b * 2 + c
        for a, b in combinations(RANKS, 2)
        for c in RANKS.replace(a, "").replace(b, "")
    ],
    "pair": [
        a * 2 + "".join(rest) for a in RANKS for rest in combinations(RANKS.replace(a, ""), 3)
    ],
    "high_card": NO_RUN,
}
EXTREMES = {
    "straight_flush": ("KQJT9", "5432A"),
    "four_of_a_kind": ("AAAAK", "22223"),
    "full_house": ("AAAKK", "22233"),
    "flush": ("AKQJ9", "75432"),
    "straight": ("AKQJT", "5432A"),
    "three_of_a_kind": ("AAAKQ", "22243"),
    "two_pair": ("AAKKQ", "33224"),
    "pair": ("AAKQJ", "22543"),
}


def cards_of(ranks: str, *, suited: bool, turn: int = 0) -> list[Card]:
    """Five cards of these ranks; `turn` moves every card to another suit, the same way."""
    suits = [0] * 5 if suited else [ranks[:place].count(rank) for place, rank in enumerate(ranks)]
    if not suited and len(set(suits)) == 1:
        suits[-1] = 1
    return [
        Card.parse(rank + "cdhs"[(suit + turn) % 4])
        for rank, suit in zip(ranks, suits, strict=True)
    ]


def value(category: str, ranks: str, turn: int = 0) -> int:
    suited = category in ("royal_flush", "straight_flush", "flush")
    cards = cards_of(ranks, suited=suited, turn=turn)
    assert value_of(mask_of(cards)) == value_of_five(cards)
    return value_of(mask_of(cards))


def showdown(board: str, player: str, dealer: str) -> str:
    """What becomes of the Play wager, which no qualifier touches."""
    told = settle("md-uth", seat(player, "4x", ante=10, blind=10), community=board, dealer=dealer)
    return told.result("play")


@pytest.mark.clause(
    "md-uth", *[f"6.D({number})" for number in range(1, 10)], "6.A", "6.B", "6.E", "6.E(1)"
)
@pytest.mark.parametrize("category", ORDER)
def test_6_D_hands_of_a_category_stand_in_the_documents_order(category: str) -> None:
    values = [value(category, ranks) for ranks in ORDER[category]]
    assert {CATEGORY_NAMES[v >> 20] for v in values} == {category}
    assert all(high > low for high, low in pairwise(values))
    if category in EXTREMES:
        assert (ORDER[category][0], ORDER[category][-1]) == EXTREMES[category]


@pytest.mark.clause("md-uth", "6.D")
def test_6_D_the_lowest_of_a_category_beats_the_highest_of_the_next() -> None:
    for better, worse in pairwise(ORDER):
        assert value(better, ORDER[better][-1]) > value(worse, ORDER[worse][0]), (better, worse)


@pytest.mark.clause("md-uth", "6.C", "6.E(2)")
@pytest.mark.parametrize("category", ORDER)
def test_6_C_another_suit_is_worth_the_same(category: str) -> None:
    for ranks in (ORDER[category][0], ORDER[category][-1]):
        assert len({value(category, ranks, turn) for turn in range(4)}) == 1


# Board, the better hole cards, the worse ones: grouped ranks first, then kickers (MD-07).
HIGHER = {
    "threes full of twos over twos full of aces": ("3c 3d 2c 2d Ah", "3h 4c", "2h Ac"),
    "a pair of fives over threes with an ace": ("5c 3d 8h Ts Qd", "5d 2c", "3h Ac"),
    "six-high straight over the wheel": ("2d 3h 4s 5c Kd", "6c 9d", "Ac 9h"),
    "six-high straight flush over the wheel": ("2h 3h 4h 5h Kd", "6h 9d", "Ah 9c"),
    "fourth card of a flush": ("Kh Qh 9h 2c 3d", "8h 4h", "7h 6h"),
    "kicker beside quads": ("9c 9d 9h 9s 2h", "Ac 3d", "Kc Qd"),
    "kicker beside two pair": ("Ac Ad 9h 9s 2c", "Kd 3c", "Qd Jh"),
    "second pair before the kicker": ("Ac Ad 5h 9s 2c", "9d 3c", "5d Kh"),
    "last kicker beside a pair": ("Ac Ad 8h 3s 2c", "Kd 6c", "Kh 5c"),
    "second kicker beside trips": ("Qc Qd Kh 3s 2c", "Qh 9c", "Qs 8c"),
    "fifth card of nothing": ("Ac Kd Qh 9s 2c", "7d 3c", "6d 4c"),
}
EQUAL = {
    "the board plays for both": ("Ac Kd Qh Js Tc", "2d 3c", "4h 4d"),
    "sixth and seventh cards never count": ("Ac Kd Qh 9s 8c", "7d 3c", "6d 5c"),
    "two suits, one straight": ("9c 8d 7h 2s 2c", "Jd Th", "Jc Ts"),
    "the lower third pair is no kicker": ("Ac Ad 9h 9s Kc", "3d 3c", "2d 4c"),
    "one card in another suit": ("Ac 8d 7h 3s 2c", "Kd Qh", "Ks Qc"),
}


@pytest.mark.clause("md-uth", "6.A", "6.B", "6.E", "6.E(1)", "11.H(3)(a)", "11.H(3)(b)")
@pytest.mark.parametrize("rows", HIGHER.values(), ids=HIGHER.keys())
def test_6_E_1_the_higher_hand_wins_on_either_side(rows: tuple[str, str, str]) -> None:
    board, better, worse = rows
    assert showdown(board, better, worse) == "win"
    assert showdown(board, worse, better) == "lose"


@pytest.mark.clause("md-uth", "6.C", "6.E(2)", "11.H(3)(d)")
@pytest.mark.parametrize("rows", EQUAL.values(), ids=EQUAL.keys())
def test_6_E_2_hands_that_nothing_separates_tie(rows: tuple[str, str, str]) -> None:
    board, one, other = rows
    assert showdown(board, one, other) == "push"


@pytest.mark.clause("md-uth", "6.B")
def test_6_B_an_ace_never_stands_in_the_middle_of_a_straight() -> None:
    board, wrapped = "Qc Kd Ah 2s 7c", "3c 4d"
    told = settle("md-uth", seat(wrapped, "4x", ante=10, blind=10), community=board, dealer="7d 9h")
    assert told.seat(1)["hand"] == "high_card"
    assert told.result("play") == "lose"


@pytest.mark.clause("md-uth", "6.B")
def test_6_B_an_ace_never_stands_in_the_middle_of_a_straight_flush() -> None:
    told = settle(
        "md-uth",
        seat("3h 2h", "4x", ante=10, blind=10),
        community="Qh Kh Ah 7s 7c",
        dealer="8d 9h",
    )
    assert told.seat(1)["hand"] == "flush"
