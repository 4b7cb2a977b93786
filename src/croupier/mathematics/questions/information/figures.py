"""What a game is worth to a player who has seen cards that he should not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import msgspec

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.rulebook import game_of
from croupier.mathematics.counters.several_bets.games import SeveralBets
from croupier.mathematics.counters.several_bets.rulebook import bets_game_of
from croupier.mathematics.game.course import asked_decisions
from croupier.mathematics.model import MainFigures
from croupier.mathematics.questions.information.holdem_knowing import (
    Game,
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


def figures_with_dealers_cards(
    rules: Rules, knows: Mapping[str, int], *, several: bool = False
) -> KnowingFigures:
    """Hold'em with one card of the dealer's seen, or both, and maybe one of the board's; `several`
    wagers may be decided in play."""
    board = {name: count for name, count in knows.items() if name != DEALER}
    book = rules_seeing(rules, board).book if board else rules.book
    asked, game = _game_seeing(rules, book, asked_to_know(knows), several)
    solve = solve_with_dealers_card if knows[DEALER] == 1 else solve_with_dealers_hand
    return _figures(asked, solve(game, takes_first=rules.takes_first))


def figures_sharing(
    rules: Rules, hands: int, samples: int, seed: int, *, several: bool = False
) -> KnowingFigures:
    """Hold'em with the hands of so many other players seen."""
    asked, game = _game_seeing(rules, rules.book, f"--shares {hands}", several)
    if hands == 1:
        return _figures(asked, solve_sharing_a_hand(game, takes_first=rules.takes_first))
    found = solve_sharing_hands(game, hands, samples, seed, takes_first=rules.takes_first)
    return _figures(asked, found)


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


def _game_seeing(
    rules: Rules, book: Rulebook, words: str, several: bool
) -> tuple[Sequence[Decision], Game]:
    """The game of the rules, with the decisions of `book`, which see more. Where one wager is
    decided, those who have bet are asked nothing more; decisions at the turn are solved as where
    several are."""
    if not several:
        asked = asked_decisions(book)
        game: Game = _with_one_bet(rules, [decision.sees_community for decision in asked])
        if is_solved(game):
            return asked, game
    every = book.decisions
    game = _with_several_bets(rules, [decision.sees_community for decision in every])
    if is_solved(game):
        return every, game
    raise not_worked_out(
        rules,
        words,
        "beside cards of the dealer's or of other players, one decision is solved on any number of "
        "community cards but two, before the flop on none or on one; several wagers where they pay "
        "alike and nothing bet is folded on all five cards",
    )


def _with_one_bet(rules: Rules, seen: list[int]) -> HoldemGame:
    game = game_of(rules)
    moved = zip(game.decisions, seen, strict=True)
    return replace(game, decisions=tuple(replace(one, seen=cards) for one, cards in moved))


def _with_several_bets(rules: Rules, seen: list[int]) -> SeveralBets:
    game = bets_game_of(rules)
    moved = zip(game.questions, seen, strict=True)
    return replace(game, questions=tuple(one._replace(seen=cards) for one, cards in moved))


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
