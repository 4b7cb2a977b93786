"""What has happened, told to everybody at the table alike: no card that lies face down."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.rounds import events as of_rounds
from croupier.rounds.views import turned_up
from croupier.tables.events import TableEvent
from croupier.tables.sentences import describe_event
from croupier.tables.state import Table, rules_of
from croupier.web.forms import HappenedForm

__all__ = ["happened", "public"]


def happened(event: TableEvent, after: Table) -> HappenedForm | None:
    """The event in words, or nothing for what only the books need."""
    words = describe_event(public(event, after), after)
    if not words:
        return None
    if isinstance(event, of_rounds.CardsCollected):
        words = ["the cards are collected"]
    kind = str(type(event).__struct_config__.tag)
    seat = getattr(event, "seat", None) or None
    if isinstance(event, of_rounds.ProgressiveWon):
        seat = event.claim.seat
    return HappenedForm(after.version, kind, tuple(words), seat)


def public(event: TableEvent, after: Table) -> TableEvent:
    """The event without the cards, and the names of hands, that not everybody may see."""
    match event:
        case of_rounds.OpenBetting():
            return replace(event, salt="", deck=())
        case of_rounds.CardsDealt():
            return of_rounds.CardsDealt(event.drawn)
        case of_rounds.EnterCards() | of_rounds.ReplaceCards():
            return replace(event, cards=())
        case of_rounds.Revealed():
            return replace(event, burned=())
        case of_rounds.CardsCollected():
            return replace(event, pile=())
        case of_rounds.SeatSettled():
            seat = after.round.seat(event.seat)
            if seat is None or not turned_up(after.round, seat, rules_of(after)):
                return replace(event, hand="", holds={})
    return event
