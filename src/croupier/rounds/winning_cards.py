"""The cards that make the hand which won, out of those that the reader may see."""

from __future__ import annotations

from croupier.cards import Card
from croupier.rounds.held_hands import Hands, plans_of
from croupier.rounds.views import FaceDown, RoundView, SeatView
from croupier.rulebooks.rules import Rules

__all__ = ["winning_cards"]


def winning_cards(seat: SeatView, seen: RoundView, rules: Rules) -> tuple[Card, ...]:
    """Of a settled seat: its own where it beat or tied the dealer or a paytable paid it, else the
    dealer's. Nothing where no hands were compared, or where one of the cards lies face down."""
    name = _winning_hand(seat, rules)
    if not name:
        return ()
    places = {
        "player": seat.cards,
        "community": seen.community,
        "dealer": seen.dealer,
        "box": seen.box,
    }
    known = {place: _face_up(cards) for place, cards in places.items()}
    plan = plans_of(rules)[name]
    if any(known[place] is None for place, _ in plan.places):
        return ()
    hands = Hands(plans_of(rules), {place: cards or () for place, cards in known.items()})
    return hands.best(name)


def _winning_hand(seat: SeatView, rules: Rules) -> str:
    """The rulebook's name of it."""
    if seat.folded:
        return ""
    for line in seat.lines:
        if line.reason.code in ("beat_dealer", "tied_dealer"):
            return line.reason.hand
        if line.reason.code == "lost_to_dealer" and rules.book.dealer is not None:
            return rules.book.dealer.hand
    paid = [line for line in seat.lines if line.result == "win" and line.reason.hand]
    return paid[0].reason.hand if paid and paid[0].reason.code == "hand_paid" else ""


def _face_up(cards: tuple[FaceDown, ...]) -> tuple[Card, ...] | None:
    known = tuple([card for card in cards if card is not None])
    return known if len(known) == len(cards) else None
