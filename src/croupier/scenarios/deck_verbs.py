"""The care of the decks in the words of a pit's log."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from croupier.care import commands as ask
from croupier.care.state import Device, Step
from croupier.errors import shown
from croupier.scenarios.roster import Roster
from croupier.scenarios.scenario import LineError, MakeCommand, NamedPerson
from croupier.scenarios.text_parts import look_up, look_up_start

__all__ = ["counts_stub", "duration", "verbs"]

CommandMakers = tuple[MakeCommand, ...]

_DECK: Final = r"(?:it|(?:the\s+)?(?:([a-z]+)\s+)?(?:cards|deck))"
_UNITS: Final = {"hour": 3600, "minute": 60, "second": 1}


def duration(text: str) -> int:
    """Seconds: `4 hours`, `3 hours 59 minutes`."""
    found = re.findall(r"([0-9]{1,5})\s*(hour|minute|second)s?", text, re.I)
    rest = re.sub(r"[0-9]{1,5}\s*(hour|minute|second)s?|\band\b|,|\s", "", text, flags=re.I)
    if not found or rest:
        raise LineError(f"{shown(text)} is no span of time: write 'after 4 hours 5 minutes'")
    return sum(int(number) * _UNITS[unit.lower()] for number, unit in found)


def _fixed(command: ask.CareCommand) -> CommandMakers:
    return (lambda _: command,)


def _deck_of(rest: str) -> str:
    match = re.fullmatch(_DECK, rest, re.I)
    if match is None:
        raise LineError("which deck? Write 'the deck', 'the red deck' or 'it'")
    return match[1] or ""


def _receives(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(
        r"(?:an?\s+)?(pre-?shuffled\s+|prepared\s+)?([a-z]+)\s+deck"
        r"(?:\s+with\s+([0-9]{1,2})\s+cover\s+cards?)?",
        rest,
        re.I,
    )
    if match is None:
        raise LineError("which deck? It is known by the color of its back")
    usual = roster.book.care.cover_cards if roster.book.care is not None else 0
    covers = usual if match[3] is None else int(match[3])
    return _fixed(ask.ReceiveDeck(match[2], covers, match[1] is not None))


def _inspects(_: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    back = _deck_of(rest)
    if who.role == "player":
        return (lambda t: ask.HandleDeck("view", back, who.player(t)),)
    return _fixed(ask.HandleDeck("inspect", back))


def _does(step: Step, tail: str = "") -> Callable[[Roster, NamedPerson, str], CommandMakers]:
    def read(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
        return _fixed(ask.HandleDeck(step, _deck_of(rest.removesuffix(tail).strip())))

    return read


def _spreads(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    words, _for, name = rest.partition(" for ")
    back = _deck_of(words)
    spread: CommandMakers = _fixed(ask.HandleDeck("spread", back))
    if not _for:
        return spread
    player = roster.player(name)
    return (*spread, lambda t: ask.HandleDeck("view", back, player.player(t)))


def _loads(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    return _fixed(ask.LoadDeck(_deck_of(rest)))


def _shuffles(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(
        rf"(?:{_DECK}\s+)?(?:by\s+(hand)|with\s+the\s+shuffler(?:\s*:\s*([0-9]{{1,3}})\s+cards?)?)",
        rest,
        re.I,
    )
    if match is None:
        raise LineError("by hand, or with the shuffler?")
    count = int(match[3]) if match[3] else None
    return _fixed(ask.ShuffleDeck("hand" if match[2] else "device", match[1] or "", count))


def _cuts(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(rf"(?:{_DECK}\s+)?([0-9]{{1,3}})(?:\s+cards)?\s+deep", rest, re.I)
    if match is None:
        raise LineError("how deep?")
    return _fixed(ask.CutDeck(int(match[2]), match[1] or ""))


def _orders(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(
        r"an?\s+(shuffle|recut)(?:\s+of\s+the\s+([a-z]+)\s+deck)?\s*:\s*(.+)", rest, re.I
    )
    if match is None:
        raise LineError("a shuffle or a recut? The reason follows a colon")
    order = ask.OrderRecut if match[1].lower() == "recut" else ask.OrderShuffle
    return _fixed(order(match[3], match[2] or ""))


def _removes(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    words, _colon, reason = rest.partition(":")
    return _fixed(ask.RemoveDeck(_deck_of(words.strip()), reason.strip()))


def _lays(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(
        r"(?:out\s+)?(?:the\s+)?cards(?:\s+out)?(?:\s+face\s+down|\s+face\s+up\s+for\s+(.+))?",
        rest,
        re.I,
    )
    if match is None:
        raise LineError("lays the cards out face down, or face up for whom?")
    if match[1] is None:
        return _fixed(ask.LayOut())
    player = roster.player(match[1])
    return (lambda t: ask.LayOut(True, player.player(t)),)


def counts_stub(rest: str) -> CommandMakers | None:
    """`the stub: 33 cards`, `the stub: 32 cards, misdealt`; None where it is about chips."""
    match = re.fullmatch(
        r"(?:the\s+)?stub\s*:\s*([0-9]{1,3})(?:\s+cards?)?(,?\s+misdealt)?", rest, re.I
    )
    if match is None:
        return None
    return _fixed(ask.CountStub(int(match[1]), match[2] is not None))


def _device(text: str) -> Device:
    words = re.sub(r"^the\s+(automated\s+)?", "", text.strip(), flags=re.I)
    devices: dict[str, Device] = {"shuffler": "shuffler", "shoe": "shoe"}
    return look_up("device", words, devices)


def _declares(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    if not rest.lower().endswith(" broken"):
        raise LineError("which device is broken?")
    return _fixed(ask.ReportMalfunction(_device(rest[: -len(" broken")])))


def _covers(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    return _fixed(ask.MarkOutOfOrder(_device(rest), "covered"))


def _marks(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    words = re.sub(r"\s+(as\s+)?out\s+of\s+order$", "", rest, flags=re.I)
    return _fixed(ask.MarkOutOfOrder(_device(words), "sign"))


def _repairs(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    return _fixed(ask.RepairDevice(_device(rest)))


def _changes(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(r"(?:the\s+)?dealing\s+to\s+(?:the\s+)?(.+)", rest, re.I)
    if match is None:
        raise LineError("to which way of dealing?")
    way, more = look_up_start("way of dealing here", match[1], {n: n for n in roster.book.dealing})
    if more:
        raise LineError(f"{shown(more)} says too much")
    return _fixed(ask.ChangeDealing(way))


def verbs() -> dict[str, tuple[str, Callable[[Roster, NamedPerson, str], CommandMakers]]]:
    """Each verb with a line that is right."""
    return {
        "receives": ("Dan receives a red deck with 2 cover cards", _receives),
        "inspects": ("Dan inspects the red deck", _inspects),
        "verifies": ("Flo verifies the red deck", _does("verify")),
        "spreads": ("Dan spreads the cards for Ann", _spreads),
        "turns": ("Dan turns the cards face down", _does("turn", "face down")),
        "washes": ("Dan washes the cards", _does("wash")),
        "stacks": ("Dan stacks the cards", _does("stack")),
        "loads": ("Dan loads the blue deck", _loads),
        "shuffles": ("Dan shuffles the red deck with the shuffler: 52 cards", _shuffles),
        "cuts": ("Dan cuts 14 deep", _cuts),
        "orders": ("Flo orders a recut: the cut was seen", _orders),
        "removes": ("Dan removes the red deck: a card is marked", _removes),
        "lays": ("Dan lays the cards out face up for Ann", _lays),
        "declares": ("Dan declares the shuffler broken", _declares),
        "covers": ("Dan covers the shuffler", _covers),
        "marks": ("Dan marks the shuffler out of order", _marks),
        "repairs": ("Flo repairs the shuffler", _repairs),
        "changes": ("Flo changes the dealing to the manual shoe", _changes),
    }


# Told back ---------------------------------------------------------------------------------------
