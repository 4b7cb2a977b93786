"""Situations in words: by the game's own ranking, told by what the player's cards add."""

from __future__ import annotations

import pytest

from croupier.cards import parse_cards
from croupier.rulebooks.rules import rules_for
from croupier.school.practice.situations import kind_of_hand


@pytest.mark.parametrize(
    ("game", "own", "community", "words"),
    [
        ("md-uth", "As Kd", "", "ace high, offsuit"),
        ("md-uth", "9s 8s", "", "ten high or lower, suited"),
        ("md-uth", "9s 9d", "", "low pair"),
        ("md-uth", "Ks 2d", "Kd 7c 4h", "high pair"),
        ("md-uth", "As 3d", "Kd Kc 4h", "pair on the board, ace high"),
        ("md-uth", "As 3s", "Ks 9s 4h", "ace high, four to a flush"),
        ("md-uth", "9s 8d", "7s 6h 2c", "ten high or lower, four to a straight"),
        ("md-uth", "As 3s", "Ks 9s 4s 2d 2h", "flush"),
        ("md-uth", "2d 3h", "Ks 9s 4s 5s As", "flush on the board"),
        ("md-uth", "2d 2h", "Ks Kd 2s 5s As", "full house"),
        ("three-card-poker", "As Qd 7c", "", "ace high"),
        ("three-card-poker", "As 2d 3c", "", "straight"),
        ("four-card-poker", "As Qs 7s 2s 3d", "", "flush"),
        ("high-card-flush", "As Qs 7s 2s 3d 4d 9c", "", "four of a suit, ace high"),
        ("let-it-ride", "Js Jd 4c", "", "high pair"),
    ],
)
def test_situations(game: str, own: str, community: str, words: str) -> None:
    book = rules_for(game, "", "{}").book
    assert kind_of_hand(book, parse_cards(own), parse_cards(community)) == words
