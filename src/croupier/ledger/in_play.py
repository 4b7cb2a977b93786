"""What may be told of a round that is still played: no card that lies face down, and no hand that
may not be named.

`public` knows the events; `masked` looks at the finished text and takes out every card that nobody
can see, so that an event which is new here shows too little rather than too much.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from croupier.rounds import commands as round_commands
from croupier.rounds import events as round_events
from croupier.rounds.views import Viewer, turned_up, view
from croupier.tables.commands import TableCommand
from croupier.tables.events import TableEvent
from croupier.tables.state import Table, rules_of

__all__ = ["face_up", "masked", "public", "public_command"]

_STRANGER: Final = Viewer("player")
_CARD: Final = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][cdhs](?![A-Za-z0-9])")
_HIDDEN: Final = "??"


def public(event: TableEvent, after: Table) -> TableEvent:
    """The event without the cards, and the names of hands, that not everybody may see."""
    match event:
        case round_commands.OpenBetting():
            return replace(event, salt="", deck=())
        case round_events.CardsDealt():
            return round_events.CardsDealt(event.drawn)
        case round_commands.EnterCards() | round_commands.ReplaceCards():
            return replace(event, cards=())
        case round_events.Revealed():
            return replace(event, burned=())
        case round_events.CardsCollected():
            return replace(event, pile=())
        case round_events.SeatSettled():
            seat = after.round.seat(event.seat)
            if seat is None or not turned_up(after.round, seat, rules_of(after)):
                return replace(event, hand="", holds={})
    return event


def public_command(command: TableCommand) -> TableCommand:
    """The same for the command: whoever opened the bets brought the deck, and a dealer or a shoe
    knows cards that lie face down."""
    match command:
        case round_commands.OpenBetting():
            return replace(command, salt="", deck=())
        case round_commands.EnterCards() | round_commands.ReplaceCards():
            return replace(command, cards=())
    return command


def face_up(table: Table) -> frozenset[str]:
    """The cards that a stranger sees at the table."""
    seen = view(table.round, _STRANGER, rules_of(table))
    places = [seen.community, seen.dealer, seen.box, seen.set_aside]
    places += [seat.cards for seat in seen.seats]
    return frozenset([str(card) for cards in places for card in cards if card is not None])


def masked(text: str, visible: Collection[str] = ()) -> str:
    """The text with `??` for every card that is not visible."""
    return _CARD.sub(lambda found: found[0] if found[0] in visible else _HIDDEN, text)
