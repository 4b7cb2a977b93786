"""What a game is worth to a player who has seen cards that he should not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import msgspec

from croupier.errors import Unsolvable
from croupier.mathematics.holdem.games import HoldemGame
from croupier.mathematics.holdem.rulebook import game_of
from croupier.mathematics.knowing.holdem_knowing import (
    SeenValue,
    is_solved,
    solve_sharing_a_hand,
    solve_sharing_hands,
    solve_with_dealers_card,
    solve_with_dealers_hand,
)
from croupier.mathematics.knowing.seen_cards import DEALER, rules_seeing
from croupier.mathematics.model import MainFigures
from croupier.mathematics.shapes.course import asked_decisions
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook

__all__ = [
    "KnowingFigures",
    "asked_to_know",
    "figures_sharing",
    "figures_with_dealers_cards",
    "not_worked_out",
]


class KnowingFigures(msgspec.Struct, frozen=True):
    """`figures` has everything where the game with those cards seen is a game of the same kind;
    else `expected_value`, what is bet at the first decisions, and by the cards seen their value and
    how often the first bet is made then. What is sampled has a `standard_error`, and `by_card` is
    then of one card."""

    expected_value: Fraction
    decisions: dict[str, dict[str, Fraction]]
    figures: MainFigures | None = None
    by_card: dict[str, tuple[Fraction, dict[str, Fraction]]] = {}
    standard_error: float | None = None
    samples: int | None = None


def not_worked_out(rules: Rules, asked: str, why: str) -> Unsolvable:
    return Unsolvable(f"{asked}: not worked out for {rules.book.id}: {why}")


def asked_to_know(knows: Mapping[str, int]) -> str:
    """As on the command line."""
    return f"--knows {', '.join(f'{name}={count}' for name, count in knows.items())}"


def figures_with_dealers_cards(rules: Rules, knows: Mapping[str, int]) -> KnowingFigures:
    """Hold'em with one card of the dealer's seen, or both, and maybe one of the board's."""
    board = {name: count for name, count in knows.items() if name != DEALER}
    book = rules_seeing(rules, board).book if board else rules.book
    game = _game_seeing(rules, book, asked_to_know(knows))
    solve = solve_with_dealers_card if knows[DEALER] == 1 else solve_with_dealers_hand
    return _figures(book, solve(game, takes_first=rules.takes_first))


def figures_sharing(rules: Rules, hands: int, samples: int) -> KnowingFigures:
    """Hold'em with the hands of so many other players seen."""
    game = _game_seeing(rules, rules.book, f"--shares {hands}")
    if hands == 1:
        return _figures(rules.book, solve_sharing_a_hand(game, takes_first=rules.takes_first))
    found = solve_sharing_hands(game, hands, samples, takes_first=rules.takes_first)
    return _figures(rules.book, found)


def _figures(book: Rulebook, found: SeenValue) -> KnowingFigures:
    first = asked_decisions(book)[0]
    words = _words(book)[first.name]
    return KnowingFigures(
        found.value,
        _said(book, found),
        by_card={
            case.name: (
                case.value,
                {
                    word: case.bets.get((first.sees_community, multiple), Fraction(0))
                    for word, multiple in words.items()
                },
            )
            for case in found.by_cards
        },
        standard_error=found.standard_error,
        samples=found.samples,
    )


def _game_seeing(rules: Rules, book: Rulebook, asked: str) -> HoldemGame:
    """The game of the rules with the decisions of `book`, which see more."""
    game = game_of(rules)
    moved = zip(game.decisions, asked_decisions(book), strict=True)
    decisions = tuple(replace(one, seen=decision.sees_community) for one, decision in moved)
    game = replace(game, decisions=decisions)
    if not is_solved(game):
        why = (
            "beside cards of the dealer's or of other players, decisions are solved after no "
            "community card or one, after three and after five"
        )
        raise not_worked_out(rules, asked, why)
    return game


def _words(book: Rulebook) -> dict[str, dict[str, int]]:
    """By decision what may be said, and the multiple that it bets."""
    return {
        decision.name: {**decision.bets, decision.otherwise: 0}
        for decision in asked_decisions(book)
    }


def _said(book: Rulebook, found: SeenValue) -> dict[str, dict[str, Fraction]]:
    """Of all rounds, how often each word is said; the river's are not counted."""
    seen = {d.name: d.sees_community for d in asked_decisions(book)}
    return {
        name: {
            word: found.bets.get((seen[name], multiple), Fraction(0))
            for word, multiple in words.items()
        }
        for name, words in _words(book).items()
        if seen[name] < 5
    }
