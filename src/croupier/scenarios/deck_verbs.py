"""Verbs for deck handling in a pit's log."""

from __future__ import annotations

import re
from typing import Final

from croupier.deck_care import commands as of_care
from croupier.errors import shown
from croupier.scenarios.roster import Roster
from croupier.scenarios.scenario import LineError, NamedPerson
from croupier.scenarios.verb_forms import CommandMakers, VerbReader, form, read_forms

_DECK: Final = r"(?:it|(?:the\s+)?(?:(?P<back>[a-z]+)\s+)?(?:cards|deck))"
_OF_DECK: Final = r"(?:\s+of\s+the\s+(?P<back>[a-z]+)\s+deck)?\s*:\s*(?P<reason>.+)"
_DEVICE: Final = r"(?:the\s+)?(?:automated\s+)?(?P<device>[a-z]+)"
_UNITS: Final = {"hour": 3600, "minute": 60, "second": 1}
_WHICH_DECK: Final = "which deck? Write 'the deck', 'the red deck' or 'it'"

STUB: Final = form(
    of_care.CountStub,
    r"(?:the\s+)?stub\s*:\s*(?P<count>[0-9]{1,3})(?:\s+cards?)?(?P<misdealt>,?\s+misdealt)?",
)


def duration(text: str) -> int:
    """Return seconds, from `4 hours` or `3 hours 59 minutes`."""
    match = re.findall(r"([0-9]{1,5})\s*(hour|minute|second)s?", text, re.I)
    rest = re.sub(r"[0-9]{1,5}\s*(hour|minute|second)s?|\band\b|,|\s", "", text, flags=re.I)
    if not match or rest:
        raise LineError(f"{shown(text)} is not a span of time: write 'after 4 hours 5 minutes'")
    return sum(int(number) * _UNITS[unit.lower()] for number, unit in match)


def _receives(roster: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    """Read the arrival of a deck. If the line does not say how many cover cards it has, the
    document's number applies."""
    care = roster.book.care
    words = (
        r"(?:an?\s+)?(?P<prepared>pre-?shuffled\s+|prepared\s+)?(?P<back>[a-z]+)\s+deck"
        r"(?:\s+with\s+(?P<cover_cards>[0-9]{1,2})\s+cover\s+cards?)"
    )
    return read_forms(
        form(of_care.ReceiveDeck, words),
        form(
            of_care.ReceiveDeck,
            f"{words}?",
            cover_cards=care.cover_cards if care is not None else 0,
        ),
        ask="which deck? It is known by the color of its back",
    )(roster, who, rest)


def _inspects(roster: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    """Read an inspection by the dealer, or a player's viewing of the cards."""
    if who.role != "player":
        return _handles("inspect")(roster, who, rest)
    match = re.fullmatch(_DECK, rest, re.I)
    if match is None:
        raise LineError(_WHICH_DECK)
    return (lambda t: of_care.HandleDeck("view", match["back"] or "", who.player(t)),)


def _spreads(roster: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    words, sign, name = rest.partition(" for ")
    spread = _handles("spread")(roster, who, words)
    return (*spread, *_inspects(roster, roster.player(name), words)) if sign else spread


def _handles(step: str, more: str = "") -> VerbReader:
    return read_forms(form(of_care.HandleDeck, _DECK + more, step=step), ask=_WHICH_DECK)


DECK_VERBS: Final[dict[str, tuple[str, VerbReader]]] = {
    "receives": ("Dan receives a red deck with 2 cover cards", _receives),
    "inspects": ("Dan inspects the red deck", _inspects),
    "verifies": ("Flo verifies the red deck", _handles("verify")),
    "spreads": ("Dan spreads the cards for Ann", _spreads),
    "turns": ("Dan turns the cards face down", _handles("turn", r"(?:\s+face\s+down)?")),
    "washes": ("Dan washes the cards", _handles("wash")),
    "stacks": ("Dan stacks the cards", _handles("stack")),
    "loads": (
        "Dan loads the blue deck",
        read_forms(form(of_care.LoadDeck, _DECK), ask=_WHICH_DECK),
    ),
    "shuffles": (
        "Dan shuffles the red deck with the shuffler: 52 cards",
        read_forms(
            form(of_care.ShuffleDeck, rf"(?:{_DECK}\s+)?by\s+hand", how="hand"),
            form(
                of_care.ShuffleDeck,
                rf"(?:{_DECK}\s+)?with\s+the\s+shuffler"
                r"(?:\s*:\s*(?P<count>[0-9]{1,3})\s+cards?)?",
                how="device",
            ),
            ask="by hand, or with the shuffler?",
        ),
    ),
    "cuts": (
        "Dan cuts 14 deep",
        read_forms(
            form(of_care.CutDeck, rf"(?:{_DECK}\s+)?(?P<depth>[0-9]{{1,3}})(?:\s+cards)?\s+deep"),
            form(of_care.CutDeck, rf"{_DECK}(?:\s+deep\s+enough)?"),
            ask="which deck, or how many cards deep?",
        ),
    ),
    "orders": (
        "Flo orders a recut: the cut was seen",
        read_forms(
            form(of_care.OrderShuffle, rf"an?\s+shuffle{_OF_DECK}"),
            form(of_care.OrderRecut, rf"an?\s+recut{_OF_DECK}"),
            ask="a shuffle or a recut? The reason follows a colon",
        ),
    ),
    "removes": (
        "Dan removes the red deck: a card is marked",
        read_forms(form(of_care.RemoveDeck, rf"{_DECK}\s*(?::(?P<reason>.*))?"), ask=_WHICH_DECK),
    ),
    "lays": (
        "Dan lays the cards out face up for Ann",
        read_forms(
            form(of_care.LayOut, r"(?:out\s+)?(?:the\s+)?cards(?:\s+out)?(?:\s+face\s+down)?"),
            form(
                of_care.LayOut,
                r"(?:out\s+)?(?:the\s+)?cards(?:\s+out)?\s+face\s+up\s+for\s+(?P<player>.+)",
                face_up=True,
            ),
            ask="lays the cards out face down, or face up for whom?",
        ),
    ),
    "declares": (
        "Dan declares the shuffler broken",
        read_forms(
            form(of_care.ReportMalfunction, rf"{_DEVICE}\s+broken"), ask="which device is broken?"
        ),
    ),
    "covers": (
        "Dan covers the shuffler",
        read_forms(form(of_care.MarkOutOfOrder, _DEVICE, how="covered"), ask="which device?"),
    ),
    "marks": (
        "Dan marks the shuffler out of order",
        read_forms(
            form(
                of_care.MarkOutOfOrder, rf"{_DEVICE}(?:\s+(?:as\s+)?out\s+of\s+order)?", how="sign"
            ),
            ask="which device?",
        ),
    ),
    "repairs": (
        "Flo repairs the shuffler",
        read_forms(form(of_care.RepairDevice, _DEVICE), ask="which device?"),
    ),
    "changes": (
        "Flo changes the dealing to the manual shoe",
        read_forms(
            form(of_care.ChangeDealing, r"(?:the\s+)?dealing\s+to\s+(?:the\s+)?(?P<method>.+)"),
            ask="to which way of dealing?",
        ),
    ),
}
"""Each verb with a correct example line."""
