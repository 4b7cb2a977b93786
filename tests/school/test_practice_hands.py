"""Every priced answer equals `advise`, and result = expected - mistakes + luck, exactly."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from croupier.cards import Card
from croupier.errors import CroupierError, Refusal, UnknownName
from croupier.library.figures import advise
from croupier.library.table import Table
from croupier.school.practice.game_figures import figures_of
from croupier.school.practice.hands import GAMES, Hand
from croupier.school.practice.pricing import Priced, price, words_for
from croupier.school.practice.scoring import luck_of, played, score
from croupier.school.practice.spots import find_spot, streets_of, values_at
from tests.params import few

QUICK = ("mississippi-stud", "let-it-ride", "three-card-poker", "caribbean-stud")
"""Solved within a second or two, so that the ordinary run may ask them."""


def by_advise(hand: Hand) -> dict[str, Fraction]:
    """The library's own road: cards as a person would type them."""
    asked = hand.question
    told = advise(
        hand.rules.book.id,
        " ".join(str(Card(card)) for card in asked.own),
        " ".join(str(Card(card)) for card in asked.community),
        decision=asked.decision,
        said=list(asked.said),
        dealer=" ".join(str(Card(card)) for card in asked.dealer),
    )
    return dict(told.values)


def play(game: str, seed: str, number: int, draw: random.Random) -> tuple[Hand, list[Priced]]:
    """Any answers at all, each compared with `advise`."""
    hand = Hand(game, seed, number)
    decisions = []
    while not hand.is_over:
        said = draw.choice(hand.choices).action
        priced = price(hand, values_at(hand), said)
        known = by_advise(hand)
        assert priced.exact == {action: known[action] for action in priced.values}
        assert priced.cost == max(priced.exact.values()) - known[said] >= 0
        decisions.append(priced)
        hand.say(said)
    return hand, decisions


@pytest.mark.parametrize("game", QUICK)
def test_every_priced_answer_equals_advise(game: str) -> None:
    draw = random.Random(game)
    for number in range(1, 16):
        play(game, "advise", number, draw)


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_every_priced_answer_equals_advise_in_every_game(game: str) -> None:
    draw = random.Random(game)
    for number in range(1, 10_000 // len(GAMES) + 1):
        play(game, "advise in full", number, draw)


@pytest.mark.parametrize("game", few(QUICK[1:], "let-it-ride", "three-card-poker"))
def test_result_is_expected_less_mistakes_plus_luck(game: str) -> None:
    value = figures_of(game).value
    draw = random.Random(game)
    hands, cost, unit = [], Fraction(0), 0
    for number in range(1, 21):
        hand, decisions = play(game, "luck", number, draw)
        unit = hand.unit_cents
        cost += sum(one.cost for one in decisions)
        hands.append(played(decisions, hand.result_cents, unit))
        luck = luck_of(decisions, Fraction(hand.result_cents, unit))
        assert len(luck) == len(decisions) + 1
    total = score(hands, unit, value)
    assert total.cost == cost
    assert total.expected == 20 * value
    assert total.result == total.expected - total.cost + total.luck
    assert total.result * unit == sum(hand.result_cents for hand in hands)


@pytest.mark.full
def test_luck_is_nothing_on_average() -> None:
    """Without mistakes only luck is left, and the mean of 4,000 hands lies within 4 sigma."""
    game = "mississippi-stud"
    found = figures_of(game)
    hands, unit = [], 0
    for number in range(1, 4001):
        hand, decisions = Hand(game, "mean", number), []
        while not hand.is_over:
            values = values_at(hand)
            decisions.append(price(hand, values, max(values, key=lambda said: values[said])))
            hand.say(decisions[-1].said)
        unit = hand.unit_cents
        hands.append(played(decisions, hand.result_cents, unit))
    total = score(hands, unit, found.value)
    assert not total.cost
    assert float(abs(total.luck)) < 4 * float(found.variance * total.hands) ** 0.5


def test_the_band_holds_the_exact_mean() -> None:
    found = figures_of("three-card-poker")
    for hands, low, high in found.band:
        assert low <= hands * found.value * found.unit_cents <= high
    widths = [high - low for _, low, high in found.band]
    assert widths == sorted(widths)


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_is_the_same_wherever_it_is_dealt(game: str) -> None:
    first, again = Hand(game, "s", 1), Hand(game, "s", 1)
    assert first.view() == again.view()
    assert first.own == again.own
    assert Hand(game, "s", 2).own != first.own


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_shows_no_card_that_lies_face_down(game: str) -> None:
    hand = Hand(game, "hidden", 1)
    asked = hand.decision
    assert asked is not None
    seen = hand.view()
    assert len(hand.community) == asked.sees_community
    assert sum(card is not None for card in seen.dealer) == asked.sees_dealer
    assert not seen.deck
    assert not seen.salt
    table = Table(hand._session)  # the library's table sees the same
    assert table.view("player").community == seen.community


def test_an_answer_that_is_not_allowed_is_refused() -> None:
    hand = Hand("md-uth", "s", 1)
    with pytest.raises(UnknownName, match="known are: 4x, 3x, check"):
        hand.say("call")
    hand.say("4x")
    assert hand.is_over
    with pytest.raises(Refusal, match="over"):
        hand.say("4x")
    with pytest.raises(CroupierError, match="game"):
        Hand("md-bridge", "s", 1)


def test_the_reason_is_made_of_the_figures() -> None:
    hand = Hand("mississippi-stud", "s", 1)
    priced = Priced("third street", "", "3x", {"1x": "-1/2", "3x": "-3/2", "fold": "-1"})
    assert words_for(priced, hand.choices, 1000) == (
        "That cost $10: 1x is better, because on average 1x is worth −$5 and 3x −$15: every dollar "
        "less that you bet here saves 50 cents."
    )
    right = Priced("third street", "", "1x", priced.values)
    assert words_for(right, hand.choices, 1000) == (
        "Right. 1x is worth −$5 on average, $5 more than fold."
    )


def test_the_reason_says_how_often_the_hand_wins() -> None:
    hand = Hand("md-uth", "s", 1)
    wrong = Priced("preflop", "", "4x", {"4x": "-1", "check": "0"}, "7/20", "1/100")
    assert words_for(wrong, hand.choices, 1000) == (
        "That cost $10: check is better, because you beat the dealer in 35.0% of all deals and tie "
        "in 1.0%, and on average check is worth $0 and 4x −$10: every dollar less that you bet "
        "here saves 25 cents."
    )


def test_a_spot_is_reached_by_the_best_play() -> None:
    for street in streets_of("mississippi-stud"):
        spot = find_spot("mississippi-stud", "flash", street)
        hand = Hand("mississippi-stud", spot.seed, spot.number)
        for said in spot.answers:
            values = values_at(hand)
            assert values[said] == max(values.values())
            hand.say(said)
        asked = hand.decision
        assert asked is not None
        assert asked.name == street
    with pytest.raises(UnknownName):
        find_spot("mississippi-stud", "flash", "river")
