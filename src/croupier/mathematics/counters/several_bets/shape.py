"""The games that this solver solves: hold'em with several wagers decided in play."""

from __future__ import annotations

from typing import Final

from croupier.mathematics.counters.boards.shape import HOLDEM
from croupier.mathematics.shapes.checks import anything, is_made_of
from croupier.mathematics.shapes.fields import Field
from croupier.mathematics.shapes.shape import Shape
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision

__all__ = ["SEVERAL"]


_BELOW_FLUSH: Final = ("straight", "three_of_a_kind", "two_pair", "pair", "high_card")
"""What seven cards can be besides a flush."""
_SEVEN: Final = is_made_of({"community": 5, "player": 2})
_THEIRS: Final = is_made_of({"community": 5, "dealer": 2})


def _own(rules: Rules, field: Field) -> str | None:
    """All seven cards, ranked as the dealer's are."""
    book = rules.book
    ranking = book.hands[book.dealer.hand].ranking if book.dealer else "five_card"
    if book.hands[str(field.value)].ranking != ranking:
        return f"a hand ranked as the dealer's, {ranking!r}"
    return _SEVEN(rules, field)


def _one_at_the_river(rules: Rules, field: Field) -> str | None:
    """On all five community cards one wager is decided, though it may be asked for twice."""
    assert isinstance(field.owner, Decision)
    if not field.value:
        return "a wager that is bet there"
    last = [d.wager for d in rules.book.decisions if d.sees_community == 5]
    if field.owner.sees_community == 5 and field.value != last[0]:
        return f"{last[0]!r}: one wager is decided on all five community cards"
    return None


def _enough(_: Rules, field: Field) -> str | None:
    return None if 4 * len(str(field.value)) >= 9 else "nine cards at least"


def _flush_on_top(rules: Rules, field: Field) -> str | None:
    """The usual ranking of five cards, or one of the rulebook's own in which a flush beats all that
    seven cards can be besides."""
    own = rules.book.rankings.get(str(field.value))
    if own is None:
        return None if field.value == "five_card" else "'five_card' or a ranking of five cards"
    if own.by != "categories" or own.size != 5:
        return "a ranking by the categories of five cards"
    names = (*own.order, "high_card")
    above = names[: names.index("flush")] if "flush" in names else names
    return f"a flush above {', '.join(_BELOW_FLUSH)}" if set(_BELOW_FLUSH) & set(above) else None


SEVERAL: Final = Shape(
    "hold'em with several bets",
    "two cards each for player and dealer, and a board of five turned up in any steps, at which "
    "several wagers may be bet in multiples, each of them once; a fold at any decision; all of it "
    "settled by the best five of seven cards against the dealer's, from one deck of any ranks and "
    "in any order of categories with a flush above the straight",
    {
        **HOLDEM.takes,
        "decisions.wager": _one_at_the_river,
        "decisions.bets": anything,  # an answer is known by its decision
        "deck.ranks": _enough,
        "hands.ranking": _flush_on_top,
        **{f"ranking.{name}": anything for name in ("by", "size", "order", "ace_low")},
        "settles.hand": _own,
        "bonus.hand": _own,
        "dealer.hand": _THEIRS,
    },
)
