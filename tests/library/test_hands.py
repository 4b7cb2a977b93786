"""Hands evaluated and compared: as the settlement does, and as the reference evaluator says."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import croupier
from croupier import Hand, evaluate
from croupier.cards import DECK, Card
from croupier.ranking.reference import best_five

SEVEN = st.lists(st.sampled_from(DECK), min_size=5, max_size=7, unique=True)


@given(SEVEN, SEVEN)
def test_hands_compare_as_the_reference_says(one: list[Card], two: list[Card]) -> None:
    first, second = evaluate(one), evaluate(two)
    a, b = best_five(one)[0], best_five(two)[0]
    assert (first < second, first == second, first > second) == (a < b, a == b, a > b)
    assert (first <= second, first >= second, first != second) == (a <= b, a >= b, a != b)
    assert (hash(first) == hash(second)) or a != b
    assert len(first.best) == 5
    assert set(first.best) <= set(first.cards) == set(one)
    assert evaluate(first.best) == first


def test_a_hand_has_its_name_its_words_and_its_cards() -> None:
    hand = evaluate("As Ah Ad Kd Kc 2c 2d")
    assert (hand.name, hand.words) == ("full_house", "a full house, aces over kings")
    assert str(hand) == hand.words
    assert repr(hand) == "<Hand As Ah Ad Kd Kc: a full house, aces over kings>"
    assert croupier.format_cards(hand.best) == "As Ah Ad Kd Kc"
    assert hand.to_dict()["best"] == "As Ah Ad Kd Kc"
    assert max(hand, evaluate("As Ks Qs Js Ts 2c 2d")).name == "royal_flush"


@pytest.mark.parametrize(
    ("cards", "terms", "name"),
    [
        ("As Ks Qs", {"ranking": "three_card"}, "mini_royal"),
        ("As 2s", {"ranking": "two_card"}, "flush"),
        ("As Ks Qs 2h 2d 9c", {"rulebook": "crazy-4-poker"}, "pair"),
        ("As Ks Qs 2s 2d 9c 3s", {"rulebook": "high-card-flush"}, "five_card_flush"),
        ("7s 8s 9s", {"rulebook": "md-235", "hand": "three"}, "straight_flush"),
        ("7s 8s 9s", {"rulebook": "three-card-poker"}, "straight_flush"),
    ],
)
def test_every_ranking(cards: str, terms: dict[str, str], name: str) -> None:
    assert evaluate(cards, **terms).name == name


@pytest.mark.parametrize("rulebook", croupier.bundled_rulebooks())
def test_hands_of_a_rulebook_are_those_of_its_settlement(rulebook: str) -> None:
    dice = random.Random(rulebook)
    for seed in range(10):
        table = croupier.Table.open(rulebook, seed=seed)
        table.sit("ann")
        settled = table.play("first")
        played = table.state.round
        book = table.rulebook.document
        cards: list[Card] = []
        for text in book.hands[book.announces].cards:
            place, _, first = text.partition(":")
            lying = {"player": played.seats[0].cards, "community": played.community}[place]
            cards += lying[: int(first) if first else None]
        dice.shuffle(cards)
        hand = evaluate(cards, rulebook=rulebook)
        assert (hand.name, hand.words) == (settled.seats[0].hand, settled.seats[0].words)
        assert evaluate(settled.seats[0].best, rulebook=rulebook) == hand


def test_hands_of_different_rankings_do_not_compare() -> None:
    five, three = evaluate("As Ks Qs Js Ts"), evaluate("As Ks Qs", ranking="three_card")
    assert five != three
    assert five != 5
    with pytest.raises(croupier.BadRequest, match="cannot be compared"):
        _ = five < three
    with pytest.raises(TypeError):
        _ = five < 5  # type: ignore[operator]
    assert evaluate("As Ks Qs Js Ts", rulebook="md-uth") == five
    assert isinstance(five, Hand)


@pytest.mark.parametrize(
    ("cards", "terms"),
    [
        ("As Ks Qs Js", {}),
        ("As As Ks Qs Js", {}),
        ("As Ks Qs Js Tx", {}),
        ("As Ks Qs Js Ts", {"ranking": "six_card"}),
        ("As Ks Qs Js Ts", {"rulebook": "md-uth", "hand": "flop"}),
        ("As Ks", {"rulebook": "md-uth", "hand": "pocket"}),
    ],
)
def test_what_is_no_hand_is_refused(cards: str, terms: dict[str, str]) -> None:
    with pytest.raises(croupier.BadRequest):
        evaluate(cards, **terms)
