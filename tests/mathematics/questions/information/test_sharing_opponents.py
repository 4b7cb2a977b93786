"""Hand against hand with other players' hands seen: against every deal settled by the engine."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any

import pytest

from croupier.cards import Card
from croupier.errors import Unsolvable
from croupier.mathematics.questions.information import sharing
from croupier.mathematics.questions.registry import solver_for
from croupier.rulebooks.rules import Rules
from tests.mathematics.counters.opponents.by_engine import STAKE, VersusByEngine
from tests.mathematics.counters.opponents.games import decision, in_force, table
from tests.mathematics.counters.opponents.test_figures import three_card_poker
from tests.mathematics.counters.opponents.test_plans import GAMES
from tests.mathematics.dealt import rules_of


def one_card_each() -> Rules:
    """One card against the dealer's, which needs a queen, from a deck of twelve."""
    game: dict[str, Any] = three_card_poker() | {"deck": {"ranks": "TQK"}, "bonuses": {}}
    game["cards"] |= {"player": 1, "dealer": 1}
    for deal in game["dealing"]["hand"]["order"]:
        deal["cards"] = 1
    game["rankings"] = {"one": {"size": 1, "order": ["high_card"], "clause": "x"}}
    for hand in game["hands"].values():
        hand.pop("ace_low", None)
        hand["ranking"] = "one"
    game["paytables"] = {"even": table(("any_winning", "1 to 1"))}
    game["decisions"] = [decision(1, {"1x": 1})]
    return in_force(game)


def value_without(engine: VersusByEngine, gone: tuple[Card, ...]) -> tuple[Fraction, Fraction]:
    """The value of the best play, and how often the first bet is right, with these cards gone."""
    whole, rules = engine.deck, engine.rules
    engine.deck = tuple(card for card in whole if card not in gone)
    best = deals = bet = 0
    for own in combinations(engine.deck, rules.book.cards.player):
        left = [card for card in engine.deck if card not in own]
        for up in combinations(left, rules.book.decisions[0].sees_dealer):
            met = engine.met(own, up)
            sums = {word: sum(net * n for net, n in nets.items()) for word, nets in met.items()}
            word = max(sums, key=lambda each: sums[each])
            best, deals = best + sums[word], deals + met[word].total()
            bet += met[word].total() * (word == rules.book.decisions[0].answers[0])
    engine.deck = whole
    return Fraction(best, deals * STAKE), Fraction(bet, deals)


@pytest.mark.parametrize("hands", [1, 2])
def test_all_shared_hands_together_are_what_the_engine_pays(hands: int) -> None:
    rules = one_card_each()
    engine = VersusByEngine(rules)
    found = solver_for(rules).figures_sharing(hands, 100)
    values = [value_without(engine, gone) for gone in combinations(engine.deck, hands)]
    assert found.expected_value == sum(value for value, _ in values) / len(values)
    assert found.decisions["play"]["1x"] == sum(bet for _, bet in values) / len(values)
    assert found.standard_error is None


@pytest.mark.parametrize("name", GAMES)
def test_certain_cards_gone_are_what_the_engine_pays(name: str) -> None:
    rules = GAMES[name][0]()
    engine = VersusByEngine(rules)
    for gone in (engine.deck[:3], (engine.deck[0], engine.deck[5], engine.deck[6])):
        seen, said = sharing._solve_opponents(rules, tuple(map(int, gone)))
        value, bet = value_without(engine, tuple(gone))
        word = rules.book.decisions[0].answers[0]
        assert (seen, said[word]) == (value, bet)


def test_the_standard_error_is_that_of_repeated_draws() -> None:
    rules, seeds = one_card_each(), 300
    exact = float(solver_for(rules).figures_sharing(3, 300).expected_value)
    found = [solver_for(rules).figures_sharing(3, 8, seed) for seed in range(seeds)]
    assert {figures.samples for figures in found} == {8}
    means = [float(figures.expected_value) for figures in found]
    errors = [figures.standard_error or 0.0 for figures in found]
    average = sum(means) / seeds
    variance = sum((mean - average) ** 2 for mean in means) / (seeds - 1)
    assert abs(average - exact) < 4 * sqrt(variance / seeds)
    assert 0.75 < sum(error**2 for error in errors) / seeds / variance < 1.33
    near = sum(abs(mean - exact) <= 2 * error for mean, error in zip(means, errors, strict=True))
    assert near / seeds > 0.85


def test_another_seed_draws_other_hands() -> None:
    rules = rules_of("three-card-poker")
    one, same, other = (solver_for(rules).figures_sharing(2, 3, seed) for seed in (1, 1, 2))
    assert one == same != other


def test_too_many_hands_are_refused() -> None:
    with pytest.raises(Unsolvable, match=r"--shares 11: .* the deck holds fewer cards"):
        solver_for(one_card_each()).figures_sharing(11, 5)
