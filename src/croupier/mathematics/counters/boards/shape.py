"""The games that are solved as hold'em: two cards each and a board of five."""

from __future__ import annotations

from typing import Final

from croupier.mathematics.game.course import seen_by
from croupier.mathematics.shapes.checks import (
    ONE_DECK_OF_52,
    anything,
    at_one_stake,
    exactly,
    is_made_of,
    name_of_its_own,
    nothing,
    pays_one_of,
    some,
    within_limit,
)
from croupier.mathematics.shapes.fields import Field
from croupier.mathematics.shapes.shape import Shape
from croupier.money import For, Push, To
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision

__all__ = ["HOLDEM"]

_BY_STRENGTH: Final = nothing("a wager against the dealer is paid by what the hand is worth")


def _present(_: Rules, field: Field) -> str | None:
    return "a dealer's hand" if field.value is None else None


def _own_cards_seen(rules: Rules, field: Field) -> str | None:
    """Both own cards, from the first decision on."""
    own, _ = seen_by(rules, field.owner)
    if own == rules.book.cards.player == field.value:
        return None
    return f"{rules.book.cards.player}, all own cards, with no reveal of them (here {own} are seen)"


def _board_seen(rules: Rules, field: Field) -> str | None:
    _, shown = seen_by(rules, field.owner)
    return None if shown == field.value else f"{shown}: so many the reveals have turned up by then"


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


_WAGER: Final = {
    "equals": anything,  # they are all solved at one stake
    "needs": anything,
    "stakes": at_one_stake,
    "taken_before_deal": anything,  # odds give the stake back all the same
    "scales_seeds": anything,
    "after_fold": anything,
    "dealt_by": anything,
    "settles": exactly("versus_dealer"),
}

HOLDEM: Final = Shape(
    "hold'em against the dealer",
    "two cards each for player and dealer, and a board of five turned up in any steps, at which "
    "one wager or several may be bet in multiples, each of them once; a check or a fold at any "
    "decision; all of it settled by the best five of seven cards against the dealer's, with "
    "bonuses by those seven cards, from one deck of any ranks and in any order of categories with "
    "a flush above the straight",
    {
        "cards.player": exactly(2),
        "cards.dealer": exactly(2),
        "cards.community": exactly(5),
        "cards.box": anything,  # cards that nobody sees
        "reveals.community": anything,  # by `decisions.sees_community`
        "reveals.player": anything,  # by `decisions.sees_player`
        "reveals.dealer": exactly(0),
        **ONE_DECK_OF_52,
        "deck.ranks": _enough,
        "decisions": some,
        "decisions.name": name_of_its_own,
        "decisions.sees_player": _own_cards_seen,
        "decisions.sees_community": _board_seen,
        "decisions.sees_dealer": exactly(0),
        "decisions.only_with": nothing("every bet may be made with any hand"),
        "decisions.takes_back": nothing("no wager is taken back"),
        "decisions.wager": _one_at_the_river,
        "decisions.multiple_of": anything,  # every required wager is one unit
        "decisions.bets": anything,  # an answer is known by its decision
        "decisions.otherwise": exactly("check", "fold"),
        "dealer": _present,
        "dealer.hand": _THEIRS,
        "dealer.at_least": anything,
        "dealer.of": anything,
        "required": some,
        "payout_limits.amount": within_limit,
        **{
            f"{role}.{name}": check
            for role in ("required", "decided")
            for name, check in _WAGER.items()
        },
        "settles.hand": _own,
        "bonus.on": anything,
        "bonus.hand": _own,
        "bonus.paytable": anything,
        "folded.do": exactly("collect", "return"),
        "folded.paytable": anything,
        "folded.stake_stays": anything,
        "folded.otherwise": anything,
        "outcome.do": anything,
        "outcome.paytable": anything,
        "outcome.stake_stays": anything,
        "outcome.otherwise": anything,
        "hands.cards": anything,  # by the fields that name the hand
        "hands.ranking": _flush_on_top,
        **{f"ranking.{name}": anything for name in ("by", "size", "order", "ace_low")},
        "hands.ace_low": anything,  # five cards always know the low straight
        "line.hand": anything,
        "line.pays": pays_one_of(To, For, Push),
        "line.covers": anything,
        "pattern.category": anything,
        "pattern.made": anything,
        "pattern.ranks": _BY_STRENGTH,
        "pattern.suited": _BY_STRENGTH,
        "pattern.suits": _BY_STRENGTH,
        "pattern.hand": _BY_STRENGTH,
        "pattern.also": _BY_STRENGTH,
        "pattern.unless": _BY_STRENGTH,
    },
)
