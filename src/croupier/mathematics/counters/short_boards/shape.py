"""The games that this solver solves: hold'em on a board of three or four cards."""

from __future__ import annotations

from typing import Final

from croupier.mathematics.counters.boards.shape import HOLDEM
from croupier.mathematics.game.course import cards_of
from croupier.mathematics.shapes.checks import anything, exactly
from croupier.mathematics.shapes.fields import Field
from croupier.mathematics.shapes.shape import Shape
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules

__all__ = ["SHORT_BOARDS"]


def _whole(place: str, rules: Rules, name: str) -> str | None:
    """A hand of two cards and the whole board."""
    book = rules.book
    wanted = {"community": book.cards.community, place: 2}
    if cards_of(book.hands[name], book.cards) != wanted:
        return f"a hand of the whole board with {place}:2, and it is {name!r}"
    return None


def _theirs(rules: Rules, field: Field) -> str | None:
    return _whole("dealer", rules, str(field.value))


def _own(rules: Rules, field: Field) -> str | None:
    book = rules.book
    if book.dealer is None:
        return "a hand compared with the dealer's"
    own, theirs = ranking_of(book, str(field.value)), ranking_of(book, book.dealer.hand)
    if own is not theirs:
        return f"a hand ranked as the dealer's, {book.hands[book.dealer.hand].ranking!r}"
    return _whole("player", rules, str(field.value))


def _some_bet(_: Rules, field: Field) -> str | None:
    return None if field.value else "a wager that is bet there"


SHORT_BOARDS: Final = Shape(
    "hold'em on a short board",
    "two cards each for player and dealer, and a board of three or four turned up in any steps, at "
    "which several wagers may be bet in multiples, each of them once; a fold at any decision; all "
    "of it settled by the best of these cards in any ranking against the dealer's, from one deck "
    "of any ranks",
    {
        **HOLDEM.takes,
        "cards.community": exactly(3, 4),
        "decisions.wager": _some_bet,
        "deck.ranks": anything,
        "hands.ranking": anything,
        "settles.hand": _own,
        "bonus.hand": _own,
        "dealer.hand": _theirs,
    },
)
