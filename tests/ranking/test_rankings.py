"""Rankings as data: against a slow ranking of every choice of cards, and against known counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards import DECK, RANKS, Card, parse_cards
from croupier.ranking.built_in import built_in
from croupier.ranking.by_categories import ByCategories
from croupier.ranking.categories import CATEGORIES, order_problems
from croupier.ranking.ranking import ByLongestSuit, Ranking

from .slow import slow_value

FOUR = (
    *("four_of_a_kind", "straight_flush", "three_of_a_kind", "flush", "straight", "two_pair"),
    "pair",
)
THREE = ("straight_flush", "three_of_a_kind", "straight", "flush", "pair")
FIVE = (
    *("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight"),
    *("three_of_a_kind", "two_pair", "pair"),
)
SHORT = tuple(dict.fromkeys(("royal_flush", "straight_flush", "four_of_a_kind", "flush", *FIVE)))
ORDERS = [(FOUR, 4), (THREE, 3), (FIVE, 5), (SHORT, 5), (("straight", "flush", "pair"), 2)]


def told(ranking: Ranking, cards: list[Card] | tuple[Card, ...]) -> tuple[str, tuple[int, ...]]:
    value = ranking.value_of(cards)
    return ranking.name_of(value), ranking.deciding(value)


def deck(ranks: str) -> list[Card]:
    return [card for card in DECK if RANKS[card.rank] in ranks]


@st.composite
def orders(draw: st.DrawFn) -> tuple[tuple[str, ...], int, str]:
    """An order that a rulebook may name, the size of a hand, and the ranks of a deck."""
    size = draw(st.integers(2, 5))
    ranks = draw(st.sampled_from((RANKS, "6789TJQKA", "789TJQK", "234567JQKA", "A")))
    names = [name for name in draw(st.permutations([*CATEGORIES])) if name != "high_card"]
    order: list[str] = []
    for name in names:
        if not list(order_problems([*order, name], size, ranks=ranks, copies=1)):
            order.append(name)
    return tuple(order[: draw(st.integers(0, len(order)))]), size, ranks


@settings(max_examples=40, deadline=None)
@given(orders(), st.booleans(), st.randoms(use_true_random=False))
def test_any_order_says_what_the_slow_one_says(
    chosen: tuple[tuple[str, ...], int, str], ace_low: bool, chance: Random
) -> None:
    order, size, ranks = chosen
    ranking = ByCategories(order, size=size, ace_low=ace_low, ranks=ranks)
    cards = deck(ranks)
    for _ in range(8):
        few = chance.sample(cards, chance.randint(min(8, len(cards)), len(cards)))
        held = chance.sample(few, min(len(few), chance.randint(size, 8)))
        if len(held) < size:
            continue
        expected = slow_value(held, order, size, ace_low=ace_low, ranks=ranks)
        assert told(ranking, held) == expected
        best = ranking.best_cards(ranking.value_of(held), held)
        assert len(set(best)) == size
        assert set(best) <= set(held)
        assert told(ranking, best) == expected


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(ORDERS), st.randoms(use_true_random=False))
def test_cards_of_several_decks_say_what_the_slow_one_says(
    chosen: tuple[tuple[str, ...], int], chance: Random
) -> None:
    order, size = chosen
    if size == 5:
        order = ("five_of_a_kind", *order)
    ranking = ByCategories(order, size=size, copies=3)
    for _ in range(5):
        few = chance.sample(DECK, 4)
        held = [chance.choice(few) for _ in range(chance.randint(size, 7))]
        expected = slow_value(held, order, size)
        assert told(ranking, held) == expected
        best = ranking.best_cards(ranking.value_of(held), held)
        assert len(best) == size
        assert not Counter(best) - Counter(held)
        assert told(ranking, best) == expected


def test_one_deck_and_several_rank_a_hand_of_different_cards_alike() -> None:
    chance = Random(7)
    for order, size in ORDERS:
        one, several = (ByCategories(order, size=size, copies=copies) for copies in (1, 2))
        for _ in range(100):
            held = chance.sample(DECK, 6)
            assert one.value_of(held) == several.value_of(held)


def counts_of(ranking: Ranking, cards: int) -> dict[str, int]:
    """How many hands have each name; hands that differ only in suits are looked at once."""
    found: Counter[str] = Counter()
    for suits, times in hands_by_suits(cards):
        mask = sum(suit << 13 * place for place, suit in enumerate(suits))
        found[ranking.name_of(ranking.value_of_mask(mask))] += times
    return dict(found)


def hands_by_suits(cards: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Sets of ranks for four suits, longest first, and in how many ways the suits can have them."""
    ranks = [[sum(1 << r for r in c) for c in combinations(range(13), n)] for n in range(cards + 1)]
    lengths = combinations_with_replacement(range(cards, -1, -1), 4)
    for one in (lengths for lengths in lengths if sum(lengths) == cards):
        groups = [combinations_with_replacement(ranks[n], c) for n, c in Counter(one).items()]
        for chosen in product(*groups):
            suits = tuple(suit for group in chosen for suit in group)
            yield suits, 24 // prod(factorial(count) for count in Counter(suits).values())


def test_three_card_hands_are_as_many_as_everybody_knows() -> None:
    assert counts_of(built_in("three_card", ace_low=True), 3) == {
        **{"mini_royal": 4, "straight_flush": 44, "three_of_a_kind": 52, "straight": 720},
        **{"flush": 1096, "pair": 3744, "high_card": 16440},
    }


def test_four_card_hands_are_as_many_as_everybody_knows() -> None:
    assert counts_of(ByCategories(FOUR, size=4), 4) == {
        **{"four_of_a_kind": 13, "straight_flush": 44, "three_of_a_kind": 2496, "flush": 2816},
        **{"straight": 2772, "two_pair": 2808, "pair": 82368, "high_card": 177408},
    }


@pytest.mark.full
def test_the_best_four_of_five_are_as_many_as_counted_by_hand() -> None:
    """A pair, for instance: 1,098,240 hands of five have just one. Of these 34,320 have four cards
    of a suit, 16,896 four in sequence, and 528 both."""
    assert 1_098_240 - 34_320 - 16_896 + 528 == 1_047_552
    assert counts_of(ByCategories(FOUR, size=4), 5) == {
        **{"four_of_a_kind": 624, "straight_flush": 2072, "three_of_a_kind": 58656},
        **{"flush": 114616, "straight": 101808, "two_pair": 123552, "pair": 1047552},
        "high_card": 1150080,
    }


def test_the_longest_suit_of_seven_cards_counts_and_then_its_ranks() -> None:
    ranking = ByLongestSuit()
    chance = Random(3)
    for _ in range(300):
        held = chance.sample(DECK, 7)
        suits = [sorted((c.rank for c in held if c.suit == s), reverse=True) for s in range(4)]
        longest = max(suits, key=lambda ranks: (len(ranks), ranks))
        name, ranks = told(ranking, held)
        assert (name, list(ranks)) == (ranking.names[len(longest) - 1], longest)
        best = ranking.best_cards(ranking.value_of(held), held)
        assert [card.rank for card in best] == longest


def test_longer_suits_then_higher_ranks_win() -> None:
    ranking = ByLongestSuit()
    hands = [
        parse_cards(text)
        for text in (
            "2c 3c 2d 3d 2h 3h 2s",
            "9c 3c 2c 2d 3d 2h 2s",
            "9c 4c 2c 2d 3d 2h 2s",
            "Tc 3c 2c 2d 3d 2h 2s",
            "5c 4c 3c 2c 2d 2h 2s",
        )
    ]
    values = [ranking.value_of(hand) for hand in hands]
    assert values == sorted(set(values))
    nine_high = ranking.least("three_card_flush", "9")
    assert [value >= nine_high for value in values] == [False, True, True, True, True]
    assert ranking.value_of(parse_cards("8c 7c 6c 2d 3d 2h 2s")) < nine_high


def test_a_short_deck_has_its_own_lowest_straight() -> None:
    short = ByCategories(SHORT, size=5, ranks="6789TJQKA")
    assert short.words[short.value_of(parse_cards("Ac 6d 7c 8c 9c"))] == "a straight, nine high"
    flush, full = parse_cards("Ac Jc Tc 8c 7c"), parse_cards("9c 9d 9h Tc Td")
    assert short.value_of(flush) > short.value_of(full)
    high = ByCategories(SHORT, size=5, ranks="6789TJQKA", ace_low=False)
    assert high.name_of(high.value_of(parse_cards("Ac 6d 7c 8c 9c"))) == "high_card"


def test_a_category_that_is_not_named_counts_as_the_next_it_is() -> None:
    royal = parse_cards("Ah Kh Qh Jh Th")
    for order, name in (
        (("royal_flush", "straight_flush", "flush"), "royal_flush"),
        (("straight_flush", "flush", "straight"), "straight_flush"),
        (("flush", "straight"), "flush"),
        (("straight", "pair"), "straight"),
        (("pair",), "high_card"),
    ):
        assert told(ByCategories(order, size=5), royal)[0] == name


def test_hands_are_said_and_written() -> None:
    four = ByCategories(FOUR, size=4)
    for text, words, written in (
        ("9c 8d 7h 6s 2c", "a straight, nine high", "straight 9"),
        ("Ac As Kd Ks 2c", "two pair, aces and kings", "two_pair AK"),
        ("Ac As Ad Ks Kc", "three aces", "three_of_a_kind AK"),
        ("Ac As Ad Ah Kc", "four aces", "four_of_a_kind A"),
        ("Ac Ks Jd 9h 2c", "ace high", "high_card AKJ9"),
        ("Ac 2c 3c 4c 9h", "a straight flush, four high", "straight_flush 4"),
    ):
        value = four.value_of(parse_cards(text))
        assert (four.words[value], four.written[value]) == (words, written)
    suits = ByLongestSuit()
    value = suits.value_of(parse_cards("Kc Jc 9c 4c 2c 2d 3d"))
    assert suits.words[value] == "a five-card flush, king high"
    assert suits.written[value] == "five_card_flush KJ942"
    assert built_in("cards").words[0] == ""


def test_the_cards_that_make_a_three_card_hand() -> None:
    three = built_in("three_card", ace_low=True)
    for text, best in (
        ("2c Ah 3d", "3d 2c Ah"),
        ("2c 9h 2d", "2c 2d 9h"),
        ("Qh Ah Kh", "Ah Kh Qh"),
        ("4s Ts 9s", "Ts 9s 4s"),
    ):
        cards = parse_cards(text)
        assert three.best_cards(three.value_of(cards), cards) == parse_cards(best)


@pytest.mark.parametrize(
    ("order", "size", "ranks", "words"),
    [
        (("pair", "pair"), 5, RANKS, "twice"),
        (("full_house",), 4, RANKS, "cannot be made of 4 cards"),
        (("mini_royal",), 5, RANKS, "cannot be made of 5 cards"),
        (("five_of_a_kind",), 5, RANKS, "four cards of a rank"),
        (("straight",), 5, "AK", "2 ranks"),
        (("royal_flush",), 5, "23456789", "no ace"),
        (("flush", "straight_flush"), 5, RANKS, "never held"),
        (("high_card", "pair"), 5, RANKS, "never held"),
        (("mini_royal", "royal_flush"), 3, RANKS, "other name"),
    ],
)
def test_an_order_that_makes_no_sense_is_told(
    order: tuple[str, ...], size: int, ranks: str, words: str
) -> None:
    problems = list(order_problems(order, size, ranks=ranks, copies=1))
    assert len(problems) == 1
    assert words in problems[0]
