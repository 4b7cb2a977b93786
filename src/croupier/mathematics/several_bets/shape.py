"""The games that this solver solves: hold'em with several wagers decided in play."""

from __future__ import annotations

from typing import Final

from croupier.mathematics.holdem.shape import HOLDEM
from croupier.mathematics.shapes.checks import anything
from croupier.mathematics.shapes.fields import Field
from croupier.mathematics.shapes.shape import Shape
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision

__all__ = ["SEVERAL"]


def _one_at_the_river(rules: Rules, field: Field) -> str | None:
    """On all five community cards one wager is decided, though it may be asked for twice."""
    assert isinstance(field.owner, Decision)
    if not field.value:
        return "a wager that is bet there"
    last = [d.wager for d in rules.book.decisions if d.sees_community == 5]
    if field.owner.sees_community == 5 and field.value != last[0]:
        return f"{last[0]!r}: one wager is decided on all five community cards"
    return None


SEVERAL: Final = Shape(
    "hold'em with several bets",
    "two cards each for player and dealer, and a board of five turned up in any steps, at which "
    "several wagers may be bet in multiples, each of them once; a fold at any decision; all of it "
    "settled by the best five of seven cards against the dealer's",
    {
        **HOLDEM.takes,
        "decisions.wager": _one_at_the_river,
        "decisions.bets": anything,  # an answer is known by its decision
    },
)
