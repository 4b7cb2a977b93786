"""What has happened, told to everybody at the table alike: no card that lies face down."""

from __future__ import annotations

from croupier.ledger.in_play import public
from croupier.rounds import events as round_events
from croupier.tables.events import TableEvent
from croupier.tables.sentences import describe_event
from croupier.tables.state import Table
from croupier.web.forms import HappenedForm
from croupier.web.veiling import veiled, veiled_event

__all__ = ["happened"]


def happened(event: TableEvent, after: Table, *, veil: bool = False) -> HappenedForm | None:
    """The event in words, or nothing for what only the books need. `veil`: for those who do not sit
    at a table of the house."""
    if veil:
        seen = veiled_event(event)
        if seen is None:
            return None
        event, after = seen, veiled(after)
    words = describe_event(public(event, after), after)
    if not words:
        return None
    if isinstance(event, round_events.CardsCollected):
        words = ["the cards are collected"]
    kind = str(type(event).__struct_config__.tag)
    seat = getattr(event, "seat", None) or None
    if isinstance(event, round_events.ProgressiveWon):
        seat = event.claim.seat
    return HappenedForm(after.version, kind, tuple(words), seat)
