"""The games that the streets solver solves: own and community cards, no dealer, decisions anywhere
on the way."""

from __future__ import annotations

from typing import Final

from croupier.mathematics.game.course import cards_of, led_by, seen_by
from croupier.mathematics.shapes.checks import (
    anything,
    at_one_stake,
    exactly,
    name_of_its_own,
    pays_one_of,
    some,
    within_limit,
)
from croupier.mathematics.shapes.fields import Field
from croupier.mathematics.shapes.shape import Shape
from croupier.money import For, Push, To
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision, Hand, LeastHand, Rulebook, VersusPaytable

__all__ = ["STREETS"]

_OWN_AND_BOARD: Final = "a hand of the player's and the community cards"
_MOST_CARDS: Final = 7


def _absent(_: Rules, field: Field) -> str | None:
    return None if field.value is None else "no dealer's hand"


def _own_seen(rules: Rules, field: Field) -> str | None:
    own, _ = seen_by(rules, field.owner)
    return None if own == field.value else f"{own}: so many own cards are seen by then"


def _board_seen(rules: Rules, field: Field) -> str | None:
    _, shown = seen_by(rules, field.owner)
    return None if shown == field.value else f"{shown}: so many the reveals have turned up by then"


def _taken_back(book: Rulebook) -> list[str]:
    return [decision.takes_back for decision in book.decisions if decision.takes_back]


def _a_unit(rules: Rules, field: Field) -> str | None:
    """Every required wager is one unit, as long as it lies there."""
    assert isinstance(field.owner, Decision)
    if not field.owner.bets:
        return None
    if field.value in rules.required and field.value not in _taken_back(rules.book):
        return None
    return "a required wager that is never taken back"


def _bet_once(rules: Rules, field: Field) -> str | None:
    """A wager that is gone is not asked for again."""
    bets = [decision.wager for decision in rules.book.decisions]
    again = bool(field.value) and bets.count(str(field.value)) > 1
    return "a wager that one decision puts down" if again else None


def _own_or_board(rules: Rules, field: Field) -> str | None:
    assert isinstance(field.owner, Hand)
    made = cards_of(field.owner, rules.book.cards)
    if made is None or not set(made) <= {"player", "community"}:
        return f"{_OWN_AND_BOARD}, each place once"
    fits = 0 < sum(made.values()) <= _MOST_CARDS
    return None if fits else f"{_OWN_AND_BOARD}, one to {_MOST_CARDS} of them"


def _seen_hand(rules: Rules, field: Field) -> str | None:
    """A bet can hang on a hand only when all its cards are seen."""
    least = field.owner
    decision = next(
        d for d in rules.book.decisions if any(each is least for each in d.only_with.values())
    )
    assert isinstance(least, LeastHand)
    seen = dict(zip(("player", "community"), seen_by(rules, decision), strict=True))
    for text in rules.book.hands[least.hand].cards:
        place, _, first = text.partition(":")
        needed = int(first) if first else getattr(rules.book.cards, place)
        if needed > seen.get(place, 0):
            return "a hand whose cards are all seen at the decision"
    return None


def _followed(rules: Rules, field: Field) -> str | None:
    """A wager that lies there whenever this one does, and that looks at cards in the end."""
    name, book = str(field.value), rules.book
    led = book.wagers[led_by(book, name)].settles
    if not isinstance(led, VersusPaytable):
        return "a wager settled by a paytable"
    if name not in rules.required or name in _taken_back(book):
        return "a required wager that is never taken back"
    return None


def _kept(rules: Rules, field: Field) -> str | None:
    back = field.value in _taken_back(rules.book)
    return "a wager that is never taken back" if back else None


_WAGER: Final = {
    "equals": anything,  # they are all solved at one stake
    "needs": anything,
    "stakes": at_one_stake,
    "taken_before_deal": anything,  # odds give the stake back all the same
    "scales_seeds": anything,
    "after_fold": anything,
    "dealt_by": anything,
    "settles": exactly("paytable", "follows"),
}

STREETS: Final = Shape(
    "streets without a dealer's hand",
    "own and community cards turned up in steps, at each of which a player may bet in multiples, "
    "fold, check or take a wager back; wagers paid by tables on named hands of these cards, in any "
    "ranking, with one deck of any ranks",
    {
        "deck.ranks": anything,
        "deck.copies": exactly(1),
        "cards.player": some,
        "cards.dealer": exactly(0),
        "cards.community": anything,
        "cards.box": anything,  # cards that nobody sees
        "reveals.community": anything,
        "reveals.player": anything,
        "reveals.dealer": exactly(0),
        "decisions": anything,
        "decisions.name": name_of_its_own,
        "decisions.sees_player": _own_seen,
        "decisions.sees_community": _board_seen,
        "decisions.sees_dealer": exactly(0),
        "decisions.wager": anything,
        "decisions.multiple_of": _a_unit,
        "decisions.bets": anything,
        "decisions.only_with": anything,  # by the hand, as follows
        "decisions.takes_back": _bet_once,
        "decisions.otherwise": anything,
        "only_with.hand": _seen_hand,
        "only_with.at_least": anything,
        "only_with.of": anything,
        "dealer": _absent,
        "required": some,
        "payout_limits.amount": within_limit,
        **{
            f"{role}.{name}": check
            for role in ("required", "decided")
            for name, check in _WAGER.items()
        },
        "settles.hand": anything,  # by its cards
        "settles.paytable": anything,
        "settles.returns": anything,
        "settles.tested_first": anything,
        "settles.wager": _followed,
        "settles.pays": pays_one_of(To, For),
        "bonus.on": _kept,
        "bonus.hand": anything,
        "bonus.paytable": anything,
        "hands.cards": _own_or_board,
        "hands.ranking": anything,
        "hands.ace_low": anything,
        **{f"ranking.{name}": anything for name in ("by", "size", "order", "ace_low")},
        "line.hand": anything,
        "line.pays": pays_one_of(To, For, Push),
        "line.covers": anything,
        **{
            f"pattern.{name}": anything
            for name in ("category", "made", "ranks", "suited", "suits", "hand", "also", "unless")
        },
    },
)
