"""A dealer's card seen: against dealing out every card of a small deck, and as published."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from croupier.mathematics.holdem.games import BetDecision, HoldemGame, payoffs
from croupier.mathematics.holdem.strengths import STRENGTHS
from croupier.mathematics.knowing.holdem_knowing import solve_with_dealers_card
from croupier.mathematics.registry import figures_knowing
from croupier.ranking.fast import strengths
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission

DECK = 0b1000100000100  # 4, T and ace of every suit
CARDS = tuple(card for card in range(52) if DECK >> card % 13 & 1)


@cache
def strength_of() -> dict[int, int]:
    masks = [sum(1 << card for card in seven) for seven in combinations(CARDS, 7)]
    found = strengths(np.array(masks, dtype=np.uint64))
    return dict(zip(masks, found.tolist(), strict=True))


def game(seed: int, decisions: tuple[BetDecision, ...], fold: int) -> HoldemGame:
    random = np.random.default_rng(seed)
    rows = random.integers(-3, 6, size=(12, STRENGTHS))
    return HoldemGame(
        decisions,
        payoffs(list(rows[:6])),
        payoffs(list(rows[6:])),
        qualifier=int(random.integers(3000, 6000)),
        fold=fold,
        deck=DECK,
    )


def left(*gone: int) -> list[int]:
    return [card for card in CARDS if card not in gone]


def sums_of(game: HoldemGame, own: tuple[int, ...], d: int, board: tuple[int, ...]) -> list[int]:
    """A and B over all second cards of the dealer's."""
    total = [0, 0]
    shown = sum(1 << card for card in board)
    mine = strength_of()[shown | 1 << own[0] | 1 << own[1]]
    for y in left(*own, d, *board):
        theirs = strength_of()[shown | 1 << d | 1 << y]
        how = 0 if mine > theirs else 2 if mine == theirs else 4
        outcome = how + (theirs < game.qualifier)
        total[0] += int(game.required[outcome, mine])
        total[1] += int(game.decided[outcome, mine])
    return total


def best(game: HoldemGame, seen: int, a: int, b: int, onward: int, ways: int) -> int:
    level = next((level for level in game.levels if level.seen == seen), None)
    if level is None:
        return onward
    declined = game.fold * ways if level.decline == "fold" else onward
    return max(declined, *(a + k * b for k in level.multiples))


def dealt_out(game: HoldemGame, own: tuple[int, ...], d: int) -> int:
    """The value of a hand beside a dealer's card, times all that may still come."""
    a = b = onward = 0
    for flop in combinations(left(*own, d), 3):
        three = [0, 0, 0]
        for runout in combinations(left(*own, d, *flop), 2):
            one, other = sums_of(game, own, d, flop + runout)
            river = best(game, 5, one, other, one, 4)
            three = [three[0] + one, three[1] + other, three[2] + river]
        a, b = a + three[0], b + three[1]
        onward += best(game, 3, three[0], three[1], three[2], 15 * 4)
    return best(game, 0, a, b, onward, 84 * 15 * 4)


def dealt_out_with_a_card(game: HoldemGame, own: tuple[int, ...], d: int) -> int:
    """The same, where the first decision sees a community card; each flop counts three times."""
    total = 0
    for c in left(*own, d):
        a = b = onward = 0
        for rest in combinations(left(*own, d, c), 2):
            three = [0, 0, 0]
            for runout in combinations(left(*own, d, c, *rest), 2):
                one, other = sums_of(game, own, d, (c, *rest, *runout))
                river = best(game, 5, one, other, one, 4)
                three = [three[0] + one, three[1] + other, three[2] + river]
            a, b = a + three[0], b + three[1]
            onward += best(game, 3, three[0], three[1], three[2], 15 * 4)
        total += best(game, 1, a, b, onward, 28 * 15 * 4)
    return total


def by_rank(game: HoldemGame) -> Iterator[tuple[int, Fraction]]:
    for d in CARDS[:3]:
        hands = list(combinations(left(d), 2))
        total = sum(dealt_out(game, own, d) for own in hands)
        yield d % 13, Fraction(total, len(hands) * 84 * 15 * 4)


GAMES = (
    ((BetDecision(0, (4, 3)), BetDecision(3, (2,)), BetDecision(5, (1,), "fold")), -2),
    ((BetDecision(3, (2,), "fold"),), -1),
    ((BetDecision(0, (1,)), BetDecision(5, (1, 2))), 0),
)


@pytest.mark.parametrize(
    "number", [0, pytest.param(1, marks=pytest.mark.full), pytest.param(2, marks=pytest.mark.full)]
)
def test_every_card_dealt_out(number: int) -> None:
    small = game(number, *GAMES[number])
    found = solve_with_dealers_card(small)
    assert found.by_rank == dict(by_rank(small))
    assert found.value == sum(found.by_rank.values()) / 3


def known(book: str, **knows: int) -> Fraction:
    rules = put_in_force(load_rulebook(book), Submission())
    return figures_knowing(rules, knows).expected_value


@pytest.mark.full
def test_a_community_card_beside_the_dealers() -> None:
    decisions = (BetDecision(1, (3,)), BetDecision(3, (2,)), BetDecision(5, (1,), "fold"))
    small = game(7, decisions, -2)
    found = solve_with_dealers_card(small)
    hands = list(combinations(left(CARDS[0]), 2))
    total = sum(dealt_out_with_a_card(small, own, CARDS[0]) for own in hands)
    assert found.by_rank[CARDS[0] % 13] == Fraction(total, len(hands) * 9 * 28 * 15 * 4)


@pytest.mark.full
@pytest.mark.parametrize(("book", "published"), [("md-uth", "0.1359"), ("md-wpt", "0.1260")])
def test_a_dealers_card_as_published(book: str, published: str) -> None:
    """Eliot Jacobson's figures, which took him days."""
    assert f"{float(known(book, dealer=1)):.4f}" == published


def test_three_card_poker_with_a_dealers_card() -> None:
    """3.48% for the player is the figure that everybody quotes."""
    assert f"{float(known('three-card-poker', dealer=1)):.4f}" == "0.0348"
