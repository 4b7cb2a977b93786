"""What a hand is worth, the obvious way: try every five cards, count ranks and suits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "cdhs"
TEN, ACE = 10, 14

Card = tuple[int, str]  # (2..14, suit)
Value = tuple[int, tuple[int, ...]]  # (category, ranks that break a tie)

CATEGORIES = (
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)
SHAPES = {
    (4, 1): "four_of_a_kind",
    (3, 2): "full_house",
    (3, 1, 1): "three_of_a_kind",
    (2, 2, 1): "two_pair",
    (2, 1, 1, 1): "pair",
    (1, 1, 1, 1, 1): "high_card",
}


def parse_card(text: str) -> Card:
    rank, suit = text[:-1], text[-1:]
    rank = "T" if rank == "10" else rank
    if len(rank) != 1 or rank not in RANKS or not suit or suit not in SUITS:
        raise ValueError(f"no card: {text!r}")
    return RANKS.index(rank) + 2, suit


def parse_cards(text: str, count: int) -> list[Card]:
    cards = [parse_card(word) for word in text.split()]
    if len(cards) != count:
        raise ValueError(f"{count} cards wanted: {text!r}")
    return cards


def deck() -> list[Card]:
    return [(rank, suit) for rank in range(2, ACE + 1) for suit in SUITS]


def one_suit(cards: Sequence[Card]) -> bool:
    return len({suit for _, suit in cards}) == 1


def straight_top(ranks: Sequence[int]) -> int:
    """The highest card of five in sequence, else 0. The ace is low only with 2-3-4-5 (MD 6.B)."""
    ordered = sorted(ranks)
    if ordered == [2, 3, 4, 5, ACE]:
        return 5
    return ordered[-1] if ordered == list(range(ordered[0], ordered[0] + 5)) else 0


def value_of_five(cards: Sequence[Card]) -> Value:
    """Category first, then the grouped ranks, then kickers: standard poker (MD-07, MA-02, A13)."""
    counts = Counter(rank for rank, _ in cards)
    groups = sorted(counts.items(), key=lambda item: (item[1], item[0]), reverse=True)
    ranks = tuple(rank for rank, _ in groups)
    top = straight_top([rank for rank, _ in cards])
    flush = one_suit(cards)
    if top and flush:
        name = "royal_flush" if top == ACE else "straight_flush"
        return CATEGORIES.index(name), (top,)
    if top:
        return CATEGORIES.index("straight"), (top,)
    if flush:
        return CATEGORIES.index("flush"), ranks
    return CATEGORIES.index(SHAPES[tuple(count for _, count in groups)]), ranks


def best_value(cards: Sequence[Card]) -> Value:
    """The highest five of five, six or seven cards."""
    return max(value_of_five(five) for five in combinations(cards, 5))


def best_name(cards: Sequence[Card]) -> str:
    return CATEGORIES[best_value(cards)[0]]


def at_least(name: str, floor: str) -> bool:
    return CATEGORIES.index(name) >= CATEGORIES.index(floor)


def royal_suit(cards: Sequence[Card]) -> str:
    """The suit of the royal flush among these cards, else ''."""
    for suit in SUITS:
        if all((rank, suit) in cards for rank in range(TEN, ACE + 1)):
            return suit
    return ""


def super_royal_suit(six: Sequence[Card]) -> str:
    """Ace to nine of one suit, all six cards (MD-UTH 6.F(8)); the suit, else ''."""
    nine_to_ace = {rank for rank, _ in six} == set(range(9, ACE + 1))
    return six[0][1] if one_suit(six) and nine_to_ace else ""


def in_sequence(cards: Sequence[Card], ace_low: bool) -> bool:
    """Two or three cards in a row; A-2(-3) only where the reading lets the ace play low (C2)."""
    ranks = sorted(rank for rank, _ in cards)
    if ranks == list(range(ranks[0], ranks[0] + len(ranks))):
        return True
    low = sorted(1 if rank == ACE else rank for rank in ranks)
    return ace_low and low == list(range(1, len(low) + 1))


def three_card_name(cards: Sequence[Card], ace_low: bool) -> str:
    """MD-235 6.E, from the top; one line only (C10)."""
    distinct = len({rank for rank, _ in cards})
    if one_suit(cards) and {rank for rank, _ in cards} == {12, 13, ACE}:
        return "mini_royal"
    if one_suit(cards) and in_sequence(cards, ace_low):
        return "straight_flush"
    if distinct == 1:
        return "three_of_a_kind"
    if in_sequence(cards, ace_low):
        return "straight"
    if one_suit(cards):
        return "flush"
    return "pair" if distinct == 2 else "high_card"


def two_card_name(cards: Sequence[Card], ace_low: bool) -> str:
    """MD-235 6.F, from the top (C9)."""
    if in_sequence(cards, ace_low):
        return "straight"
    if one_suit(cards):
        return "flush"
    return "pair" if cards[0][0] == cards[1][0] else "high_card"


def pair_rank(five: Sequence[Card]) -> int:
    """The rank of the pair in a one-pair hand of five cards."""
    return Counter(rank for rank, _ in five).most_common(1)[0][0]
