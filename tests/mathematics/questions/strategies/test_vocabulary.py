"""Every word of a strategy means what an obvious reading of it says, on random hands."""

from __future__ import annotations

import random

import pytest

from croupier.cards import DECK, Card
from croupier.mathematics.questions.strategies.text import phrase_test
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen
from tests.mathematics.questions.strategies.places import features_of
from tests.mathematics.questions.strategies.slow import DRAWS, MADE, OWN, RIVER, Holds

SCENES = [
    (CardsSeen(2, 0), OWN, 400),
    (CardsSeen(2, 1), {**OWN, **MADE, **DRAWS}, 250),
    (CardsSeen(2, 3), {**OWN, **MADE, **DRAWS}, 250),
    (CardsSeen(2, 4), {**OWN, **MADE, **DRAWS, **RIVER}, 60),
    (CardsSeen(2, 5), {**MADE, **RIVER}, 120),
    (CardsSeen(3, 0), DRAWS, 250),
]
SUITS_OF_OWN = {"suited", "offsuit", "K5o+", "Q6s+", "JTo", "K9s-K5s"}


def dealt(scene: CardsSeen, chance: random.Random) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Half of the hands from few ranks and suits, so that pairs and flushes are common."""
    deck = list(DECK)
    if chance.random() < 0.5:
        suits = chance.sample(range(4), 2)
        low = chance.randrange(6)
        deck = [card for card in DECK if card.suit in suits and low <= card.rank < low + 8]
    drawn = chance.sample(deck, scene.own + scene.community)
    return tuple(drawn[: scene.own]), tuple(drawn[scene.own :])


@pytest.mark.parametrize(("scene", "phrases", "hands"), SCENES, ids=lambda x: str(x)[:30])
def test_words_mean_what_they_say(scene: CardsSeen, phrases: dict[str, Holds], hands: int) -> None:
    chance = random.Random(20)
    tests = {phrase: phrase_test(phrase, scene) for phrase in phrases}
    deals = [dealt(scene, chance) for _ in range(hands)]
    known = 0
    for phrase, test in tests.items():
        if test is None:
            assert phrase == "any pair"
            assert scene.community
            continue
        known += 1
        for own, board in deals:
            expected = phrases[phrase](own, board)
            assert bool(test(features_of(own, board))[0]) == expected, (phrase, own, board)
    assert known >= len(phrases) - 1


def test_suits_of_own_cards_and_draws_are_refused_at_the_river() -> None:
    for phrase in (*SUITS_OF_OWN, *DRAWS):
        assert phrase_test(phrase, CardsSeen(2, 5)) is None, phrase


def test_a_flush_needs_suits_that_the_river_still_knows() -> None:
    test = phrase_test("a flush or better", CardsSeen(2, 5))
    assert test is not None
    board = tuple(Card.parse(name) for name in ("2c", "7c", "9c", "Kd", "Ah"))
    own = tuple(Card.parse(name) for name in ("Jc", "3c"))
    other = tuple(Card.parse(name) for name in ("Jd", "3d"))
    assert test(features_of(own, board))[0]
    assert not test(features_of(other, board))[0]
