"""What a game is worth to a player who has seen cards that he should not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import msgspec

from croupier.cards import RANKS
from croupier.errors import Unsolvable
from croupier.mathematics.holdem.games import HoldemGame
from croupier.mathematics.holdem.rulebook import game_of
from croupier.mathematics.knowing.holdem_knowing import (
    KnownCard,
    is_solved,
    solve_with_dealers_card,
)
from croupier.mathematics.knowing.seen_cards import DEALER, rules_seeing
from croupier.mathematics.model import MainFigures
from croupier.mathematics.shapes.course import asked_decisions
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook

__all__ = ["KnowingFigures", "figures_with_dealers_card", "not_worked_out"]


class KnowingFigures(msgspec.Struct, frozen=True):
    """`figures` has everything where the game with those cards seen is a game of the same kind;
    else `expected_value`, what is bet at the first decisions, and by the card seen its value and
    how often the first bet is made then."""

    expected_value: Fraction
    decisions: dict[str, dict[str, Fraction]]
    figures: MainFigures | None = None
    by_card: dict[str, tuple[Fraction, dict[str, Fraction]]] = {}


def not_worked_out(rules: Rules, knows: Mapping[str, int], why: str) -> Unsolvable:
    told = ", ".join(f"{name}={count}" for name, count in knows.items())
    return Unsolvable(f"--knows {told}: not worked out for {rules.book.id}: {why}")


def figures_with_dealers_card(rules: Rules, knows: Mapping[str, int]) -> KnowingFigures:
    """Hold'em with one card of the dealer's seen, and maybe one of the board's."""
    if knows[DEALER] != 1:
        raise not_worked_out(rules, knows, "one of the dealer's cards may be seen, not both")
    board = {name: count for name, count in knows.items() if name != DEALER}
    book = rules_seeing(rules, board).book if board else rules.book
    game = _game_seeing(rules, book)
    if not is_solved(game):
        why = (
            "beside a dealer's card, decisions are solved after no community card or one, after "
            "three and after five"
        )
        raise not_worked_out(rules, knows, why)
    found = solve_with_dealers_card(game)
    first = asked_decisions(book)[0]
    words = _words(book)
    return KnowingFigures(
        found.value,
        _said(book, found),
        by_card={
            RANKS[rank]: (
                found.by_rank[rank],
                {
                    word: bets.get((first.sees_community, multiple), Fraction(0))
                    for word, multiple in words[first.name].items()
                },
            )
            for rank, bets in found.bets.items()
        },
    )


def _game_seeing(rules: Rules, book: Rulebook) -> HoldemGame:
    """The game of the rules with the decisions of `book`, which see more."""
    game = game_of(rules)
    moved = zip(game.decisions, asked_decisions(book), strict=True)
    decisions = tuple(replace(one, seen=decision.sees_community) for one, decision in moved)
    return replace(game, decisions=decisions)


def _words(book: Rulebook) -> dict[str, dict[str, int]]:
    """By decision what may be said, and the multiple that it bets."""
    return {
        decision.name: {**decision.bets, decision.otherwise: 0}
        for decision in asked_decisions(book)
    }


def _said(book: Rulebook, found: KnownCard) -> dict[str, dict[str, Fraction]]:
    """Of all rounds, how often each word is said; the river's are not counted."""
    seen = {d.name: d.sees_community for d in asked_decisions(book)}
    return {
        name: {word: found.share(seen[name], multiple) for word, multiple in words.items()}
        for name, words in _words(book).items()
        if seen[name] < 5
    }
