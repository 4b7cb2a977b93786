"""What a game is worth to a player who has seen cards that he should not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import msgspec

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.rulebook import game_of
from croupier.mathematics.model import MainFigures
from croupier.mathematics.questions.information.holdem_knowing import (
    SeenValue,
    is_solved,
    solve_sharing_a_hand,
    solve_sharing_hands,
    solve_with_dealers_card,
    solve_with_dealers_hand,
)
from croupier.mathematics.questions.information.seen_cards import DEALER, rules_seeing
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision, Rulebook

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
    asked = _decisions(book, game)
    solve = solve_with_dealers_card if knows[DEALER] == 1 else solve_with_dealers_hand
    return _figures(asked, solve(game, takes_first=rules.takes_first))


def figures_sharing(rules: Rules, hands: int, samples: int, seed: int) -> KnowingFigures:
    """Hold'em with the hands of so many other players seen."""
    game = _game_seeing(rules, rules.book, f"--shares {hands}")
    asked = _decisions(rules.book, game)
    if hands == 1:
        return _figures(asked, solve_sharing_a_hand(game, takes_first=rules.takes_first))
    found = solve_sharing_hands(game, hands, samples, seed, takes_first=rules.takes_first)
    return _figures(asked, found)


def _decisions(book: Rulebook, game: HoldemGame) -> tuple[Decision, ...]:
    """Those that some path comes to."""
    reached = {number for path in game.paths for number, _ in path.said}
    return tuple(book.decisions[number] for number in sorted(reached))


def _figures(asked: Sequence[Decision], found: SeenValue) -> KnowingFigures:
    first = asked[0]
    return KnowingFigures(
        found.value,
        _said(asked, found),
        by_card={
            case.name: (
                case.value,
                {
                    word: case.bets.get((first.sees_community, multiple), Fraction(0))
                    for word, multiple in _words(first).items()
                },
            )
            for case in found.by_cards
        },
        standard_error=found.standard_error,
        samples=found.samples,
    )


def _game_seeing(rules: Rules, book: Rulebook, words: str) -> HoldemGame:
    """The game of the rules with the decisions of `book`, which see more."""
    game = game_of(rules)
    questions = zip(game.questions, book.decisions, strict=True)
    moved = tuple(one._replace(seen=other.sees_community) for one, other in questions)
    game = replace(game, questions=moved)
    if not is_solved(game):
        why = (
            "beside cards of the dealer's or of other players, wagers are solved that pay alike, "
            "with decisions about one of them on the same cards: on no community card or one, on "
            "three, four and five"
        )
        raise not_worked_out(rules, words, why)
    return game


def _words(decision: Decision) -> dict[str, int]:
    """What may be said, and the multiple that it bets."""
    return {**decision.bets, decision.otherwise: 0}


def _said(asked: Sequence[Decision], found: SeenValue) -> dict[str, dict[str, Fraction]]:
    """Of all rounds, how often each word is said; the river's are not counted."""
    return {
        decision.name: {
            word: found.bets.get((decision.sees_community, multiple), Fraction(0))
            for word, multiple in _words(decision).items()
        }
        for decision in asked
        if decision.sees_community < 5
    }
