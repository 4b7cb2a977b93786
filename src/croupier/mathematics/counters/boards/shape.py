"""The games that the hold'em solver solves: two cards each, a board of five, one decided wager."""

from __future__ import annotations

from typing import Final

from croupier.mathematics.game.course import seen_by
from croupier.mathematics.shapes.checks import (
    ONE_DECK_OF_52,
    anything,
    at_one_stake,
    built_in,
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

_OWN: Final = is_made_of({"community": 5, "player": 2}, ranking="five_card")
_THEIRS: Final = is_made_of({"community": 5, "dealer": 2}, ranking="five_card")
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


def _one_wager(rules: Rules, field: Field) -> str | None:
    first = rules.book.decisions[0].wager
    return None if field.value == first else f"{first!r}: one wager is decided in play"


def _clear_words(rules: Rules, field: Field) -> str | None:
    """After the same cards one word means one bet."""
    assert isinstance(field.owner, Decision)
    for other in rules.book.decisions:
        if other is not field.owner and other.sees_community == field.owner.sees_community:
            for said, multiple in field.owner.bets.items():
                if other.bets.get(said, multiple) != multiple:
                    return f"other words than at {other.name!r}, where {said!r} is another bet"
    return None


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
    "one wager may be bet in multiples; all of it settled by the best five of seven cards against "
    "the dealer's, with bonuses by those seven cards",
    {
        "cards.player": exactly(2),
        "cards.dealer": exactly(2),
        "cards.community": exactly(5),
        "cards.box": anything,  # cards that nobody sees
        "reveals.community": anything,  # by `decisions.sees_community`
        "reveals.player": anything,  # by `decisions.sees_player`
        "reveals.dealer": exactly(0),
        **ONE_DECK_OF_52,
        "decisions": some,
        "decisions.name": name_of_its_own,
        "decisions.sees_player": _own_cards_seen,
        "decisions.sees_community": _board_seen,
        "decisions.sees_dealer": exactly(0),
        "decisions.only_with": nothing("every bet may be made with any hand"),
        "decisions.takes_back": nothing("no wager is taken back"),
        "decisions.wager": _one_wager,
        "decisions.multiple_of": anything,  # every required wager is one unit
        "decisions.bets": _clear_words,
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
        "settles.hand": _OWN,
        "bonus.on": anything,
        "bonus.hand": _OWN,
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
        "hands.ranking": built_in,
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
