"""Cover All for several players under the reading by which a fold loses it."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
import pytest

from croupier.cards import DECK, Card, mask_of, parse_cards
from croupier.mathematics.game.payments import FOLDED
from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.questions.analysis import Asked, analyze
from croupier.mathematics.questions.lost_with_fold import (
    analyze_lost_with_fold,
    split_by_fold,
    tally_kept,
)
from croupier.mathematics.side_wagers.analysis import analyze_side
from croupier.mathematics.side_wagers.deals import WagerTally
from croupier.mathematics.side_wagers.highest import GivenHands, kinds_of
from croupier.ranking.fast import strengths
from croupier.ranking.lookup_tables import VALUES
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.schema import HighestHand
from tests.mathematics.dealt import best_play
from tests.mathematics.side_wagers.in_force import InForce

LOSE = {"side_wagers_after_fold": "lose"}


def kept(hands: int) -> WagerTally:
    rules = InForce()("ma-uth", readings=LOSE)
    settles = rules.book.wagers["cover_all"].settles
    assert isinstance(settles, HighestHand)
    return tally_kept(rules, settles, hands)


def shares(tally: WagerTally) -> list[tuple[str, Fraction]]:
    return [(hand, Fraction(count, tally.total)) for hand, _, count in tally.endings]


def test_against_the_dealer_alone_it_is_what_the_sweep_counts() -> None:
    """The sweep knows the dealer's strength and compares; this way knows graphs and never does."""
    swept = split_by_fold(InForce()("ma-uth", readings=LOSE), "cover_all").tally()
    assert shares(kept(2)) == shares(swept)


# -- one hand on one board, dealt out --------------------------------------------------------------


def of_category(number: int) -> int:
    return int(np.flatnonzero(number == VALUES >> 20)[0])


TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS = map(of_category, (3, 4, 5, 6, 7))


def kind_of_card(card: int, flush: int | None) -> int:
    return card % 13 + (13 if card // 13 == flush else 0)


def ways_dealt_out(board: int, own: tuple[Card, ...], strength: int) -> int:
    """Two more hands from the 45 cards left, one after the other, all below the strength."""
    left = [card for card in DECK if not (board | mask_of(own)) >> card & 1]
    hands = np.array([1 << a | 1 << b for a, b in combinations(left, 2)], np.uint64)
    low = hands[strengths(hands | np.uint64(board)) < strength]
    return int((low[:, None] & low[None] == 0).sum())


@pytest.mark.parametrize(
    ("board", "own"),
    [
        ("9c 9d 4h Ks 2c", "7d 3s"),
        ("9c 9d 9h Ks 2c", "7d 3s"),
        ("9c 9d Kh Ks 2c", "2d 3s"),
        ("9c 8c 4c Ks 2h", "7d 3s"),
        ("9c 8c 7c Ks 2h", "4c 3s"),
        ("9c 8c 7c Kc 2h", "2d 3s"),
        ("9c 8d 7h Ks 2h", "As 3s"),
    ],
)
@pytest.mark.parametrize("strength", [TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS])
def test_the_others_are_dealt_from_what_the_hand_leaves(
    board: str, own: str, strength: int
) -> None:
    shown, cards = mask_of(parse_cards(board)), parse_cards(own)
    suits = Counter(card.suit for card in parse_cards(board))
    flush = next((suit for suit, count in suits.items() if count > 2), None)
    one = np.zeros(1, np.int64)
    first, second = (np.array([kind_of_card(card, flush)]) for card in cards)
    kinds = kinds_of(np.array([shown], np.uint64), one + 1)
    beside = GivenHands(kinds, one, first, second, one + 1)
    reaches = int(strengths(np.array([shown | mask_of(cards)], np.uint64))[0]) >= strength
    wanted = 0 if reaches else ways_dealt_out(shown, cards, strength)
    assert beside.below(strength, 2) == wanted


# -- all of them -----------------------------------------------------------------------------------


@pytest.mark.parametrize("hands", range(2, 8))
def test_folds_take_from_every_line_and_nothing_else(hands: int, in_force: InForce) -> None:
    rules = in_force("ma-uth", readings=LOSE)
    standing = analyze_side(rules, "cover_all", hands=hands)
    found = analyze_lost_with_fold(rules, "cover_all", hands=hands)
    assert found.paytables == {"cover_all": str(hands)}
    *lines, folded = found.outcomes
    assert folded.hand == FOLDED
    missing = Fraction(0)
    for line, before in zip(lines, standing.outcomes, strict=True):
        assert (line.hand, line.net) == (before.hand, before.net)
        missing += standing.probability(before) - found.probability(line)
        assert 0 < found.probability(line) < standing.probability(before)
    assert missing == found.probability(folded)
    # How often the bettor folds has nothing to do with how many others are dealt in.
    assert found.probability(folded) == dict(shares(kept(2)))[FOLDED]


def simulated(hands: int, rounds: int, exact: WagerAnalysis) -> float:
    """Rounds through the settlement: the bettor plays the best way, all others fold everything."""
    rules = InForce()("ma-uth", readings=LOSE)
    chance = random.Random(f"cover all {hands}")
    wagers = {"ante": 1000, "blind": 1000, "cover_all": 500}
    net = 0
    for _ in range(rounds):
        drawn = chance.sample(DECK, 5 + 2 * hands)
        board, dealer, *players = (
            tuple(drawn[start : start + size])
            for start, size in [(0, 5), *((5 + 2 * n, 2) for n in range(hands))]
        )
        seats = [PlayedSeat(1, "p1", players[0], wagers, ())]
        said = best_play("ma-uth", rules, CompletedRound((seats[0],), board, dealer))
        seats = [PlayedSeat(1, "p1", players[0], wagers, said)]
        seats += [
            PlayedSeat(n, f"p{n}", cards, wagers, ("check", "check", "fold"))
            for n, cards in enumerate(players[1:], 2)
        ]
        lines = settle(CompletedRound(tuple(seats), board, dealer), rules).seats[0].lines
        net += next(line.net for line in lines if line.wager == "cover_all")
    mean = Fraction(net, rounds * 500)
    return float(mean - exact.expected_value) / sqrt(exact.variance / rounds)


@pytest.mark.parametrize(
    ("hands", "rounds"),
    [(4, 400), *(pytest.param(n, 100_000, marks=pytest.mark.full) for n in (3, 5, 7))],
)
def test_simulated_rounds_come_to_the_exact_value(
    hands: int, rounds: int, in_force: InForce
) -> None:
    exact = analyze_lost_with_fold(in_force("ma-uth", readings=LOSE), "cover_all", hands=hands)
    score = simulated(hands, rounds, exact)
    print(hands, rounds, round(score, 2))
    assert abs(score) < 4.5


def test_the_command_has_it_for_every_table(in_force: InForce) -> None:
    rules = in_force("ma-uth", readings=LOSE)
    edges = [analyze(rules, "cover_all", Asked(hands=n))["house_edge"] for n in range(2, 8)]
    standing = [
        analyze(in_force("ma-uth"), "cover_all", Asked(hands=n))["house_edge"] for n in range(2, 8)
    ]
    assert all(lost > kept for lost, kept in zip(edges, standing, strict=True))  # type: ignore[operator]
