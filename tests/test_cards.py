"""Cards as they are written, counted and put in masks."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, RANKS, SUITS, Card, format_cards, mask_of, parse_cards
from croupier.errors import BadCards


def test_a_deck_has_52_cards() -> None:
    assert len(DECK) == len(set(DECK)) == 52
    assert {str(card) for card in DECK} == {rank + suit for rank in RANKS for suit in SUITS}


@pytest.mark.parametrize("card", DECK, ids=str)
def test_a_card_reads_back(card: Card) -> None:
    assert Card.parse(str(card)) is card
    assert Card.parse(str(card).lower()) is card
    assert Card.parse(str(card).upper()) is card
    assert (RANKS[card.rank], SUITS[card.suit]) == tuple(str(card))
    assert mask_of([card]) == 1 << card


@pytest.mark.parametrize("suit", SUITS)
def test_ten_may_be_written_out(suit: str) -> None:
    assert Card.parse(f"10{suit}") is Card.parse(f"T{suit}")
    assert Card.parse(f"10{suit.upper()}") is Card.parse(f"T{suit}")
    assert format_cards(parse_cards(f"10{suit} 9{suit}")) == f"T{suit} 9{suit}"


@pytest.mark.parametrize(
    "text",
    [
        *("", "A", "s", "sA", "1s", "0s", "11s", "1010s", "10", "T10s", "Ax", "AsKs", "A s"),
        *("As.", "♠A", "A♠", "joker", "\x00", "Ａs", "\u212as", "١s", "A\x00", "x" * 10_000),
    ],
)
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(BadCards) as refused:
        Card.parse(text)
    assert "is not a card" in refused.value.message
    assert len(refused.value.message) < 200


def test_cards_keep_their_order_and_blanks_do_not_matter() -> None:
    assert format_cards(parse_cards("  As\tKd \n 2c ")) == "As Kd 2c"
    assert parse_cards("") == ()


@pytest.mark.parametrize("text", ["As As", "As Kd as", "10c Tc"])
def test_a_card_named_twice(text: str) -> None:
    with pytest.raises(BadCards, match="named twice"):
        parse_cards(text)


@given(st.lists(st.sampled_from(DECK), unique=True))
def test_cards_and_text_and_masks_agree(cards: list[Card]) -> None:
    assert list(parse_cards(format_cards(cards))) == cards
    assert mask_of(cards).bit_count() == len(cards)
    assert {card for card in DECK if mask_of(cards) >> card & 1} == set(cards)


@given(st.text(max_size=4))
def test_any_text_is_a_card_or_refused(text: str) -> None:
    try:
        card = Card.parse(text)
    except BadCards:
        return
    assert text.strip().upper().replace("10", "T") == str(card).upper()


@pytest.mark.parametrize(
    "text", ["Ah 7d Tc", "Ah7dTc", "ah7d10c", "A♥ 7♦ T♣", "A♥7♦10♣", "A\u2665\ufe0f 7d Tc"]
)
def test_cards_are_read_without_blanks_and_with_suit_signs(text: str) -> None:
    assert format_cards(parse_cards(text)) == "Ah 7d Tc"


@pytest.mark.parametrize("text", ["AhAh", "A♥Ah", "Ah7", "Ah 7dx", "♥A", "1h", "AhJ♥K"])
def test_what_is_not_a_row_of_cards_is_refused(text: str) -> None:
    with pytest.raises(BadCards):
        parse_cards(text)


@pytest.mark.parametrize("card", DECK, ids=str)
def test_a_card_is_made_from_its_name_or_its_number(card: Card) -> None:
    name = str(card)
    assert Card(name) == Card(name.lower()) == Card(int(card)) == card
    assert Card(name.replace("T", "10")) == card
    sign = dict(zip(SUITS, "♣♦♥♠", strict=True))[name[1]]
    assert Card(name[0] + sign) == Card(f"{name[0]}{sign}\ufe0f") == card
    assert pickle.loads(pickle.dumps(card)) == copy.deepcopy(card) == card
    assert type(copy.deepcopy(card)) is Card


@pytest.mark.parametrize("wrong", ["", "A", "♠A", "AsKs", "joker", 52, -1, 10**20])
def test_what_is_no_card_is_not_made_one(wrong: str | int) -> None:
    with pytest.raises(BadCards):
        Card(wrong)
