"""Cards and decks.

A card is a small integer with a name: cheap to copy, to compare and to put into a bit mask. Suits
have no order among themselves (all documents: equal rank); the order of `SUITS` only numbers the
deck.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from croupier.errors import BadCards, shown

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

RANK_WORDS: Final = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)


class Card(int):
    """One of the 52 cards: `Card("As")`, or by its number `suit * 13 + rank` from 0 to 51.

    Ranks count from the deuce (0) to the ace (12), suits as in `SUITS`.
    """

    __slots__ = ()

    def __new__(cls, card: str | int) -> Card:
        """Read `As`, `Td`, `10d` or `A♠`, in upper or lower case; or take a card's number."""
        if isinstance(card, str):
            return Card.parse(card.translate(_SIGNS))
        number = int(card)
        if not 0 <= number < 52:
            raise BadCards(f"{shown(card, 20)} is not a card: cards are numbered 0 to 51")
        return super().__new__(cls, number)

    @property
    def rank(self) -> int:
        """The rank, from 0 for a deuce to 12 for an ace."""
        return self % 13

    @property
    def suit(self) -> int:
        """The suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
        return self // 13

    def __str__(self) -> str:
        return _NAMES[self]

    def __repr__(self) -> str:
        return f"<{self}>"

    @staticmethod
    def parse(text: str) -> Card:
        """Read `As`, `Td` or `10d`, in upper or lower case."""
        card = _BY_NAME.get(text)
        if card is None and text.isascii():
            card = _BY_NAME.get(text.strip().replace("10", "T", 1).lower())
        if card is None:
            raise BadCards(
                f"{shown(text, 20)} is not a card: write the rank (2-9, T or 10, J, Q, K, A) and "
                "then the suit (c, d, h, s), as in 'As' or '10d'"
            )
        return card


DECK: Final[tuple[Card, ...]] = tuple(Card(number) for number in range(52))
"""All cards of a deck, in the order of their numbers."""

_NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
_BY_NAME: Final[dict[str, Card]] = {str(card): card for card in DECK} | {
    str(card).lower(): card for card in DECK
}
_BITS: Final = tuple(1 << card for card in DECK)


_SIGNS: Final = str.maketrans("♣♧♦♢♥♡♠♤", "ccddhhss", "\ufe0e\ufe0f")
"""Suit signs as letters. The two variation selectors, colored and plain, are dropped."""
_RUN: Final = re.compile(r"(?:(?:10|[2-9tjqka])[cdhs])+", re.IGNORECASE)
_ONE: Final = re.compile(r"(?:10|[2-9tjqka])[cdhs]", re.IGNORECASE)


def cards_in(text: str) -> tuple[Card, ...]:
    """Read cards in the order written: `Ah 7d`, `Ah7d`, `A♥ 7♦`. A card may appear twice."""
    cards: list[Card] = []
    for word in text.translate(_SIGNS).split():
        card = _BY_NAME.get(word)
        if card is not None:
            cards.append(card)
        elif _RUN.fullmatch(word):
            cards += map(Card.parse, _ONE.findall(word))
        else:
            cards.append(Card.parse(word))
    return tuple(cards)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards in the order written: `Ah 7d`, `Ah7d`, `A♥ 7♦`. A card named twice is refused."""
    cards = cards_in(text)
    if len(set(cards)) != len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise BadCards(f"{twice} is named twice in {shown(text)}: a deck holds it once")
    return cards


def format_cards(cards: Iterable[Card]) -> str:
    """Return the names of cards separated by blanks: `As Kd`."""
    return " ".join([_NAMES[card] for card in cards])


def mask_of(cards: Iterable[Card]) -> int:
    """Return the set of cards as 52 bits: thirteen for each suit, the deuce lowest."""
    mask = 0
    for card in cards:
        mask |= _BITS[card]
    return mask
