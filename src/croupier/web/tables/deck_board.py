"""The deck board of a table: the stage, age and history of each deck, the devices, and the next
stub count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from croupier.deck_care import events as did
from croupier.deck_care.devices import decks_allowed, machine_counts, usable_ways
from croupier.deck_care.state import OPENING, Care, Deck, Device, with_ages_at
from croupier.ledger.history.floor_records import DeckMoment
from croupier.rulebooks.equipment import AUTOMATED, dealing_name, has_shuffler
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import CareRules, CareStep
from croupier.tables.sentences import describe_event
from croupier.tables.state import Table

Done: TypeAlias = Literal["done", "next", "later"]
_MOST_TOLD: Final = 40


class DeckStepForm(msgspec.Struct, frozen=True):
    """A line of a deck's checklist: `by` did it at `at`, in entry `entry` of the journal."""

    step: str
    words: str
    clause: str
    state: Done
    by: str = ""
    at: str = ""
    entry: int = 0
    player: str = ""


class DeckForm(msgspec.Struct, frozen=True):
    """A deck. Ages are in seconds. `life` is the longest time that the document allows with the
    dealing method in force, or null if it sets no limit."""

    back: str
    stage: str
    place: str
    prepared: bool
    age: int
    life: int | None
    life_clause: str
    is_next: bool
    inspected_by: str
    verified_by: str
    condemned_by: str
    steps: tuple[DeckStepForm, ...]


class DeviceForm(msgspec.Struct, frozen=True):
    """A device and its state. `status` is in_use, failed (not marked yet), covered, or sign."""

    device: str
    status: str
    clause: str
    words: str


class WayForm(msgspec.Struct, frozen=True):
    name: str
    title: str
    usable: bool


class StubForm(msgspec.Struct, frozen=True):
    """The stub must be counted at least once in `every` rounds; `left` more rounds may be played
    before the next count. `by_machine`: the shuffler counts the deck instead."""

    every: int
    left: int
    clause: str
    words: str
    by_machine: bool
    counted: bool


class ToldStep(msgspec.Struct, frozen=True):
    entry: int
    at: str
    by: str
    words: str


class DeckBoardForm(msgspec.Struct, frozen=True):
    """The deck board. `kept`: the software tracks the decks of this table."""

    table: str
    version: int
    kept: bool
    decks: tuple[DeckForm, ...] = ()
    allowed: int = 0
    cover_cards: int = 0
    idle: bool = False
    way: str = ""
    usual: str = ""
    ways: tuple[WayForm, ...] = ()
    devices: tuple[DeviceForm, ...] = ()
    stub: StubForm | None = None
    told: tuple[ToldStep, ...] = ()


def deck_board(table: Table, rules: Rules, history: Sequence[DeckMoment], at: int) -> DeckBoardForm:
    """Return the deck board of a table. `at` is in seconds since 1970."""
    book = rules.book.care
    if table.care is None or book is None:
        return DeckBoardForm(table.id, table.version, kept=False)
    care = with_ages_at(table.care, at)
    way = dealing_name(rules)
    usable = {way, *usable_ways(care, rules)}
    return DeckBoardForm(
        table.id,
        table.version,
        kept=True,
        decks=tuple([_deck(deck, care, rules, book, history) for deck in care.decks]),
        allowed=decks_allowed(care, rules),
        cover_cards=book.cover_cards,
        idle=care.idle,
        way=way,
        usual=care.usual,
        ways=tuple([WayForm(n, d.title, n in usable) for n, d in rules.book.dealing.items()]),
        devices=_devices(care, rules, book),
        stub=_stub(care, rules, book),
        told=tuple(_told(table, history)),
    )


def _deck(
    deck: Deck, care: Care, rules: Rules, book: CareRules, history: Sequence[DeckMoment]
) -> DeckForm:
    life = book.life.get(dealing_name(rules))
    own = _of_deck(deck, history)
    verified = own.get("verify")
    return DeckForm(
        deck.back,
        deck.stage,
        deck.place,
        deck.prepared,
        deck.age,
        None if life is None else life.hours * 3600,
        "" if life is None else life.clause,
        deck is care.next_deck,
        deck.inspected_by,
        "" if verified is None else verified.event.by,
        deck.condemned_by,
        tuple(_checklist(deck, book, own)),
    )


def _of_deck(deck: Deck, history: Sequence[DeckMoment]) -> dict[str, DeckMoment]:
    """Return the latest moment of each step done with this deck since it was received."""
    deck_events: dict[str, DeckMoment] = {}
    for moment in history:
        event = moment.event
        if getattr(event, "back", "") != deck.back:
            continue
        match event:
            case did.DeckReceived():
                deck_events = {"receive": moment}
            case did.DeckHandled():
                deck_events[event.step] = moment
            case did.DeckLoaded():
                deck_events["load"] = moment
            case did.DeckShuffled():
                deck_events["shuffle"] = moment
            case did.DeckCut():
                deck_events["cut"] = moment
    return deck_events


def _checklist(deck: Deck, book: CareRules, own: dict[str, DeckMoment]) -> Iterable[DeckStepForm]:
    names = ["receive"]
    steps: dict[str, CareStep] = {"receive": book.receive, "shuffle": book.shuffle, "cut": book.cut}
    if not deck.prepared:
        names += [step for step, _ in OPENING.values()]
        steps |= {step: items for step, items in book.opening.items()}  # noqa: C416
    coming = _coming(deck)
    needs_no_cut = deck.stage in ("ready", "in_play") and not deck.cut
    for name in (*names, "shuffle", *(() if needs_no_cut else ("cut",))):
        is_done = _is_done(name, deck, own)
        state: Done = "done" if is_done else "next" if name == coming else "later"
        moment = own.get(name) if is_done else None
        step = steps[name]
        if moment is None:
            yield DeckStepForm(name, step.words, step.clause, state)
            continue
        event = moment.event
        player = getattr(event, "player", None) or ""
        yield DeckStepForm(
            name, step.words, step.clause, state, event.by, moment.at, moment.version, player
        )


def _coming(deck: Deck) -> str:
    if deck.stage in OPENING:
        return OPENING[deck.stage][0]
    return {"stacked": "shuffle", "used": "shuffle", "shuffled": "cut"}.get(deck.stage, "")


def _is_done(name: str, deck: Deck, own: dict[str, DeckMoment]) -> bool:
    """Return whether a checklist step is done. A deck that was played must be shuffled and cut
    again, whatever was done before."""
    if name == "shuffle":
        return deck.stage in ("shuffled", "ready", "in_play")
    if name == "cut":
        return deck.stage in ("ready", "in_play") and bool(deck.cut)
    if name == "receive" or deck.stage not in OPENING:
        return name in own or name == "receive"
    order = [step for step, _ in OPENING.values()]
    return order.index(name) < order.index(OPENING[deck.stage][0])  # type: ignore[arg-type]


def _devices(care: Care, rules: Rules, book: CareRules) -> tuple[DeviceForm, ...]:
    step = book.out_of_order
    clause, words = ("", "") if step is None else (step.clause, step.words)
    return tuple(
        [
            DeviceForm(device, care.devices.get(device, "in_use"), clause, words)
            for device in devices_here(care, rules)
        ]
    )


def devices_here(care: Care, rules: Rules) -> Iterator[Device]:
    """Yield the devices of the table, including those out of order."""
    if has_shuffler(rules) or "shuffler" in care.devices:
        yield "shuffler"
    if AUTOMATED in (care.usual, dealing_name(rules)):
        yield "shoe"


def _stub(care: Care, rules: Rules, book: CareRules) -> StubForm | None:
    stub = book.stub.get(dealing_name(rules))
    if stub is None:
        return None
    left = max(0, stub.every - 1 - care.uncounted)
    return StubForm(
        stub.every, left, stub.clause, stub.words, machine_counts(care, rules), care.counted
    )


def _told(table: Table, history: Sequence[DeckMoment]) -> Iterable[ToldStep]:
    """Yield the latest steps in words, newest first."""
    for moment in list(history)[: -_MOST_TOLD - 1 : -1]:
        for words in describe_event(moment.event, table):
            yield ToldStep(moment.version, moment.at, moment.event.by, words)
