"""Sentences for the events of decks and devices."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec.structs import replace

from croupier.deck_care import events as did
from croupier.deck_care.state import TableWithDecks
from croupier.rulebooks.rules import Rules

Sentences = Iterable[str]

_STEPS: Final[dict[str, str]] = {
    "inspect": "{by} inspects the {back} deck",
    "verify": "{by} verifies the inspection of the {back} deck",
    "spread": "{by} spreads the {back} deck face up",
    "view": "{player} looks at the {back} deck",
    "turn": "{by} turns the {back} deck face down",
    "wash": "{by} washes the {back} deck",
    "stack": "{by} stacks the {back} deck",
}


def hours_and_minutes(seconds: int) -> str:
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours} h {minutes} min"


def _received(event: did.DeckReceived) -> str:
    prepared = ", inspected and shuffled before" if event.prepared else ""
    return f"a deck with {event.back} backs comes to the table{prepared}"


def _handled(event: did.DeckHandled) -> str:
    return _STEPS[event.step].format(by=event.by, back=event.back, player=event.player)


def _shuffled(event: did.DeckShuffled) -> str:
    how = "by hand" if event.how == "hand" else "by the shuffler"
    count = f", which counts {event.count} cards" if event.count is not None else ""
    then = {"shuffled": "it is to be cut", "ready": "it is ready", "condemned": "it is removed"}
    return f"the {event.back} deck is shuffled {how}{count}: {then[event.then]}"


def _removed(event: did.DeckRemoved) -> str:
    after = hours_and_minutes(event.after)
    return f"the {event.back} deck is taken off the table after {after}: {event.reason}"


def _laid_out(event: did.CardsLaidOut) -> str:
    face = f"up, as {event.player} asks" if event.face_up else "down"
    return f"nobody plays: the cards are spread face {face}"


def _stub(event: did.StubCounted) -> str:
    if event.count == event.expected:
        return f"the stub is counted: {event.count} cards, the deck is complete"
    why = "the cards were misdealt" if event.misdealt else "the cards were not misdealt"
    right = f"not {event.expected}" if event.expected else "which is not right"
    return f"the stub is counted: {event.count} cards, {right}; {why}"


def blind_count(event: Any) -> Any:
    """Hide the right number in a previewed count: anyone who knows it could enter it."""
    if isinstance(event, did.StubCounted) and event.count != event.expected:
        return replace(event, expected=0)
    return event


def _differs(event: did.CountDiffers) -> str:
    return f"{event.by} counts {event.count} cards, which is not right: they are counted again"


def _changed(event: did.DealingChanged) -> str:
    without = f"; not offered that way: {', '.join(event.withdrawn)}" if event.withdrawn else ""
    return f"the cards are dealt by {event.method.replace('_', ' ')} from now on{without}"


_SENTENCES: Final[dict[type, Callable[[Any], str]]] = {
    did.DeckReceived: _received,
    did.DeckHandled: _handled,
    did.DeckLoaded: lambda e: f"the {e.back} deck goes into the shuffler",
    did.DeckShuffled: _shuffled,
    did.DeckCut: lambda e: (
        f"{e.by} cuts the {e.back} deck"
        + (" deep enough" if e.depth is None else f" {e.depth} cards deep")
    ),
    did.ShuffleOrdered: lambda e: f"{e.by} orders the {e.back} deck shuffled again: {e.reason}",
    did.RecutOrdered: lambda e: f"{e.by} orders the {e.back} deck cut again: {e.reason}",
    did.DeckTaken: lambda e: f"dealt from the {e.back} deck",
    did.DeckRemoved: _removed,
    did.CardsLaidOut: _laid_out,
    did.CountDiffers: _differs,
    did.StubCounted: _stub,
    did.MalfunctionReported: lambda e: f"the {e.device} cannot be used",
    did.DeviceMarked: lambda e: (
        f"the {e.device} is covered" if e.how == "covered" else f"the {e.device} has a sign"
    ),
    did.DeviceRepaired: lambda e: f"the {e.device} works again",
    did.DealingChanged: _changed,
}


def _sentence(event: Any, _: TableWithDecks, __: Rules) -> Sentences:
    yield _SENTENCES[type(event)](event) + (f" [{event.clause}]" if event.clause else "")


CARE_SENTENCES: Final[dict[type, Callable[[Any, TableWithDecks, Rules], Sentences]]] = (
    dict.fromkeys(_SENTENCES, _sentence)
)
