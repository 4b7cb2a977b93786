"""The games that the stud solver solves: three own cards, two community cards, no dealer."""

from __future__ import annotations

from typing import Final

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
from croupier.mathematics.shapes.course import cards_of, led_by, seen_by
from croupier.mathematics.shapes.fields import Field
from croupier.mathematics.shapes.shape import Shape
from croupier.money import For, Push, To
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision, VersusPaytable

__all__ = ["HANDS", "STUD"]

HANDS: Final = {2: {"player": 2}, 3: {"player": 3}, 5: {"player": 3, "community": 2}}
"""The hands that a stud wager can be settled by, by their number of cards."""

_IS_HAND: Final = is_made_of(*HANDS.values())


def _absent(_: Rules, field: Field) -> str | None:
    return None if field.value is None else "no dealer's hand"


def _own_cards_seen(rules: Rules, field: Field) -> str | None:
    own, _ = seen_by(rules, field.owner)
    if own != field.value or own not in (2, 3):
        return f"2 or 3, as many as are seen by then ({own})"
    if sum(decision.sees_player == own for decision in rules.book.decisions) > 1:
        return "one decision on two cards and one on three"
    return None


def _board_seen(rules: Rules, field: Field) -> str | None:
    _, shown = seen_by(rules, field.owner)
    return None if field.value == shown == 0 else f"0, before a card of the board is seen ({shown})"


def _own_raise(rules: Rules, field: Field) -> str | None:
    """A wager of the decision's own, that follows one on three or five cards."""
    assert isinstance(field.owner, Decision)
    book, name = rules.book, str(field.value)
    if not name:
        return "a wager that is bet there"
    if sum(decision.wager == name for decision in book.decisions) > 1:
        return "a wager of its own for each decision"
    led = book.wagers[led_by(book, name)].settles
    if isinstance(led, VersusPaytable):
        made = cards_of(book.hands[led.hand], book.cards)
        if made == HANDS[2]:
            return "a raise of a wager on three or five cards, not on the two already seen"
    return None


def _followed(rules: Rules, field: Field) -> str | None:
    """What a wager follows looks at cards in the end."""
    led = rules.book.wagers[led_by(rules.book, str(field.value))].settles
    return None if isinstance(led, VersusPaytable) else "a wager settled by a paytable"


_WAGER: Final = {
    "equals": anything,  # they are all solved at one stake
    "needs": anything,
    "stakes": at_one_stake,
    "taken_before_deal": anything,  # odds give the stake back all the same
    "scales_seeds": anything,
    "after_fold": anything,  # nobody folds
    "dealt_by": anything,
}


STUD: Final = Shape(
    "stud without a dealer's hand",
    "three cards of one's own and two community cards; required wagers paid by a table on the "
    "first two, on all three or on all five cards; raises that follow one of them, one decided on "
    "two and one on three own cards, before the community cards are seen",
    {
        "cards.player": exactly(3),
        "cards.dealer": exactly(0),
        "cards.community": exactly(2),
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
        "decisions.wager": _own_raise,
        "decisions.multiple_of": anything,  # every required wager is one unit
        "decisions.bets": anything,
        "decisions.otherwise": exactly("check"),
        "dealer": _absent,
        "required": some,
        "payout_limits.amount": within_limit,
        **{
            f"{role}.{name}": check
            for role in ("required", "decided")
            for name, check in _WAGER.items()
        },
        "required.settles": exactly("paytable", "follows"),
        "decided.settles": exactly("follows"),
        "settles.hand": _IS_HAND,
        "settles.paytable": anything,
        "settles.returns": anything,
        "settles.tested_first": anything,
        "settles.wager": _followed,
        "settles.pays": pays_one_of(To, For),
        "hands.cards": anything,  # by the fields that name the hand
        "hands.ranking": built_in,
        "hands.ace_low": anything,
        "line.hand": anything,
        "line.pays": pays_one_of(To, For, Push),
        "line.covers": anything,
        "pattern.category": anything,
        "pattern.made": anything,
        "pattern.ranks": anything,
        "pattern.suited": anything,
        "pattern.suits": anything,
        "pattern.hand": nothing("the lines of a stud wager look at its own hand"),
        "pattern.also": anything,
        "pattern.unless": anything,
    },
)
