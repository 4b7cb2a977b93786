"""The words for games of streets mean what an obvious reading of them says, on random hands."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from croupier.cards import DECK, Card, parse_cards
from croupier.mathematics.kernels.arrays import I8
from croupier.mathematics.questions.strategies.features import SeenFeature, note_seen
from croupier.mathematics.questions.strategies.situations import listed_situations
from croupier.mathematics.questions.strategies.text import phrase_test
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen

POINTS = (0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2)
Cards = tuple[Card, ...]


def features_of(own: Cards, board: Cards, units: int = 3) -> I8:
    plain = listed_situations(np.array([own], np.int64), np.array([board], np.int64)).features
    features = np.zeros((SeenFeature.END, 1), np.int8)
    features[: len(plain)] = plain
    note_seen(np.array([sum(1 << card for card in (*own, *board))], np.uint64), features)
    features[SeenFeature.UNITS] = units
    return features


def points(cards: Cards) -> int:
    return sum(POINTS[card.rank] for card in cards)


def draw(cards: Cards, count: int, gaps: int, *, suited: bool) -> bool:
    """Some of the cards, no two of a rank, with at most so many ranks missing between them."""
    for some in combinations(cards, count):
        ranks = [card.rank for card in some]
        if len(set(ranks)) < count or (suited and len({card.suit for card in some}) > 1):
            continue
        low = [-1 if rank == 12 else rank for rank in ranks]
        if min(max(each) - min(each) for each in (ranks, low)) < count + gaps:
            return True
    return False


WORDS: dict[str, Callable[[Cards], bool]] = {
    "at least two points": lambda cards: points(cards) >= 2,
    "at least 5 points": lambda cards: points(cards) >= 5,
    "one high card": lambda cards: sum(card.rank >= 9 for card in cards) >= 1,
    "two middle cards": lambda cards: sum(4 <= card.rank <= 8 for card in cards) >= 2,
    "two low cards": lambda cards: sum(card.rank < 4 for card in cards) >= 2,
    "two seen cards nine or higher": lambda cards: sum(card.rank >= 7 for card in cards) >= 2,
    "two to a straight with no gaps": lambda cards: draw(cards, 2, 0, suited=False),
    "three to a straight with at most one gap": lambda cards: draw(cards, 3, 1, suited=False),
    "three to a straight with at most two gaps": lambda cards: draw(cards, 3, 2, suited=False),
    "three to a straight flush with no gaps": lambda cards: draw(cards, 3, 0, suited=True),
    "three to a straight flush with at most one gap": lambda cards: draw(cards, 3, 1, suited=True),
    "two to a straight flush with at most two gaps": lambda cards: draw(cards, 2, 2, suited=True),
    "four to a straight with at most one gap": lambda cards: draw(cards, 4, 1, suited=False),
}


@pytest.mark.parametrize("scene", [(2, 0), (2, 1), (2, 2), (3, 0), (3, 1)])
def test_words_mean_what_they_say(scene: tuple[int, int]) -> None:
    chance = random.Random(26)
    seen = sum(scene)
    tests = {word: phrase_test(word, CardsSeen(*scene, POINTS)) for word in WORDS}
    came: set[tuple[str, bool]] = set()
    for number in range(400):
        suits = chance.sample(range(4), 1 + number % 4)
        low = chance.randrange(7)
        near = [card for card in DECK if card.suit in suits and low <= card.rank < low + 7]
        cards = tuple(chance.sample(near if number % 2 else DECK, seen))
        for word, test in tests.items():
            assert test is not None, word
            expected = WORDS[word](cards)
            features = features_of(cards[: scene[0]], cards[scene[0] :])
            assert bool(test(features)[0]) == expected, (word, cards)
            came.add((word, expected))
    assert len(came) >= 2 * len(WORDS) - 8  # nearly every word both ways


def test_an_ace_is_low_in_a_straight_too() -> None:
    test = phrase_test("three to a straight flush with no gaps", CardsSeen(3, 0, POINTS))
    assert test is not None
    for text, holds in (("Ah 2h 3h", True), ("Ah Kh Qh", True), ("Kh Ah 2h", False)):
        assert bool(test(features_of(parse_cards(text), ()))[0]) == holds


def test_the_units_that_lie_there() -> None:
    test = phrase_test("at least five units down", CardsSeen(2, 2, POINTS))
    assert test is not None
    own, board = parse_cards("Ah 2h"), parse_cards("3c 9d")
    assert [bool(test(features_of(own, board, units))[0]) for units in (4, 5)] == [False, True]


def test_words_of_other_games_are_refused() -> None:
    for word in (*WORDS, "at least five units down"):
        assert phrase_test(word, CardsSeen(2, 3)) is None, word
    assert phrase_test("fewer than 9 dealer outs", CardsSeen(2, 4, POINTS)) is None
    assert phrase_test("four to a straight with at most two gaps", CardsSeen(2, 2, POINTS)) is None
