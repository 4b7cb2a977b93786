"""The form of tables and links in the journal: an entry is a command with all its events.

The time of an entry and the money it moves are stored beside its body (`Entry.at`,
`Entry.transfers`). While a round is in play, `public` and `public_command` remove face-down cards,
and `masked` hides every card in a text that is not visible.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple, cast

import msgspec
from msgspec.structs import replace

from croupier import progressives
from croupier.ledger.entries import Chapter, Entry, Mark, NewEntry, Transfer
from croupier.ledger.signatures.sealing import RoundSeal, SealedPart, sealed_text
from croupier.rounds import commands as round_commands
from croupier.rounds import events as round_events
from croupier.rounds.declaration import Actor, Command, from_json, tag_of, to_json
from croupier.rounds.state import Round
from croupier.rounds.views import Viewer, turned_up, view
from croupier.tables.commands import TableCommand
from croupier.tables.events import TableEvent
from croupier.tables.evolving import Move, is_outside
from croupier.tables.planning import CommandPlan, LinkChange
from croupier.tables.state import Table, rules_of
from croupier.tables.two_people import Wait


def table_stream(table: str) -> str:
    return f"table:{table}"


def link_stream(link: str) -> str:
    return f"link:{link}"


def attempts_stream(table: str) -> str:
    return f"attempts:{table}"


def link_attempts_stream(link: str) -> str:
    """Return the stream of a link's refused attempts. It cannot clash with a table's, because no
    table has a colon in its name."""
    return attempts_stream(link_stream(link))


def corrections_stream(table: str) -> str:
    """Return the stream that records which entries correct which rounds. There are few, and a
    replay of a round looks up its own."""
    return f"corrections:{table}"


class TableRecord(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A command of a table, the person who gave it, and its events. `meters` are the readings that
    the command used; `request` is the client's key; `opens` is the key of the round that it
    ends."""

    command: TableCommand
    by: Actor
    followed: tuple[TableEvent, ...] = ()
    """The events, without the command itself if it is its own event (`as_given`)."""
    as_given: bool = False
    meters: dict[str, int] = {}
    request: str = ""
    opens: str = ""
    wait: Wait | None = None
    """The command was only proposed: it waits for a second person."""
    on_screen: tuple[str, ...] = ()
    """The clauses whose duties were on the screen of the person who gave it. Older entries do not
    have them."""

    @property
    def events(self) -> tuple[TableEvent, ...]:
        if not self.as_given:
            return self.followed
        return (cast("TableEvent", self.command), *self.followed)


class SealedRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A record of a round in play that contains secrets: all of it encrypted, and beside it the
    record without the secrets. docs/ledger.md has the form."""

    sealed: str
    round: int
    of: int
    seal: RoundSeal | None
    command: TableCommand
    by: Actor
    followed: tuple[TableEvent, ...] = ()
    as_given: bool = False
    meters: dict[str, int] = {}
    request: str = ""
    wait: Wait | None = None
    on_screen: tuple[str, ...] = ()


class LinkRecord(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A command to a link, and its events. If a person gave it, and not a table during play, `by`
    is that person and `request` the client's key."""

    command: progressives.Command
    events: tuple[progressives.Event, ...]
    by: Actor | None = None
    request: str = ""


class Asker(msgspec.Struct, frozen=True):
    """The person whose request was refused. They are not an `Actor`, because an auditor and
    surveillance have no role at a table."""

    role: str
    name: str

    def __str__(self) -> str:
        return f"{self.role} {self.name}"


class Attempt(msgspec.Struct, frozen=True):
    """A command that was refused; long commands are truncated."""

    command: msgspec.Raw
    by: Asker
    code: str
    message: str
    clause: str | None
    times: int = 1
    """The number of attempts of the same kind that it stands for: itself, and earlier ones that
    were only counted."""


class Pointer(msgspec.Struct, frozen=True):
    """Entry `entry` of the table's stream corrects this round."""

    round: int
    entry: int


class RequestAnswer(NamedTuple):
    """The entries that were written for a request."""

    request: str
    first: int
    last: int


def answers(requests: Iterable[tuple[str, int]]) -> Iterator[RequestAnswer]:
    """Group the request keys (or none) and versions of a stream's entries, in order, into one
    answer per request."""
    key, first, last = "", 0, 0
    for request, version in requests:
        if request != key:
            if key:
                yield RequestAnswer(key, first, last)
            key, first = request, version
        last = version
    if key:
        yield RequestAnswer(key, first, last)


# -- writing ---------------------------------------------------------------------------------------


def table_entry(made: CommandPlan, request: str | None = None, opens: str = "") -> NewEntry:
    moves = [move for moved in made.moves for move in moved]
    text = record_text(record_of(made, request, opens))
    return NewEntry(tag_of(made.command), text, ledger_transfers(made.table.id, moves))


def record_of(made: CommandPlan, request: str | None = None, opens: str = "") -> TableRecord:
    as_given = made.events[:1] == (made.command,)
    followed = made.events[1:] if as_given else made.events
    return TableRecord(
        *(made.command, made.actor, followed, as_given, made.meters, request or "", opens),
        *(made.wait, made.on_screen),
    )


def record_text(record: TableRecord) -> bytes:
    followed = _outside(record.followed)
    return to_json(replace(record, command=record.command.outside(), followed=followed))


def _outside(events: tuple[TableEvent, ...]) -> tuple[TableEvent, ...]:
    """Return the events with the money in the commands among them written as in commands."""
    return tuple([event.outside() if isinstance(event, Command) else event for event in events])


def sealed_body(
    record: TableRecord, after: Table, key: bytes, seal: RoundSeal | None = None
) -> bytes | None:
    """Return the body under which the record is stored while its round is in play, `after` being
    the table after it; None if there is no seal and nothing in it is secret."""
    shown = _shown(record, after)
    if shown is record and seal is None:
        return None
    text = record_text(record)
    sealed = sealed_text(key, table_stream(after.id), after.version, text)
    return stored_text(shown, SealedPart(sealed, after.round.number, after.began, seal))


def stored_text(shown: TableRecord, part: SealedPart) -> bytes:
    return to_json(
        SealedRecord(
            part.sealed,
            part.round,
            part.of,
            part.seal,
            shown.command.outside(),
            shown.by,
            _outside(shown.followed),
            shown.as_given,
            shown.meters,
            shown.request,
            shown.wait,
            shown.on_screen,
        )
    )


def shown_text(record: TableRecord, after: Table, part: SealedPart) -> bytes:
    """Return the body that must have been stored in the clear beside the sealed part."""
    return stored_text(_shown(record, after), part)


def tells_no_secret(record: TableRecord, after: Table) -> bool:
    return _shown(record, after) is record


def _shown(record: TableRecord, after: Table) -> TableRecord:
    """Return the record without its secrets, or the record itself if it has none."""
    command = public_command(record.command)
    followed = tuple([public(event, after) for event in record.followed])
    if command == record.command and followed == record.followed:
        return record
    return replace(record, command=command, followed=followed)


def link_entry(change: LinkChange, by: Actor | None = None, request: str = "") -> NewEntry:
    record = LinkRecord(change.command, change.events, by, request)
    transfers = tuple([Transfer(*transfer) for transfer in change.transfers])
    return NewEntry(str(change.command.__struct_config__.tag), to_json(record), transfers)


def chapter_of(table: str, played: Round, first: int, last: int, began: str, ended: str) -> Chapter:
    """Return the chapter of a finished round, entries `first` to `last` of the table's stream."""
    return Chapter(table_stream(table), played.number, first, last, began, ended, _marks(played))


def _marks(played: Round) -> tuple[Mark, ...]:
    marks = {Mark("void", "yes" if played.void else "no")}
    if played.dealer_hand:
        marks.add(Mark("dealer", played.dealer_hand))
    for seat in played.seats:
        marks.add(Mark("player", seat.player))
        marks.add(Mark("seat", str(seat.number)))
        if seat.hand:
            marks.add(Mark("hand", seat.hand))
        for line in seat.lines:
            marks.add(Mark("wager", line.wager))
            if line.from_meter:
                marks.add(Mark("meter", line.from_meter))
    return tuple(sorted(marks, key=lambda mark: (mark.name, mark.value)))


def ledger_transfers(table: str, made: list[Move]) -> tuple[Transfer, ...]:
    """Return the moves as transfers between accounts of the ledger."""
    return tuple(
        [
            Transfer(_account(table, source), _account(table, target), c)
            for source, target, c in made
        ]
    )


def _account(table: str, name: str) -> str:
    if name.startswith("award"):
        return f"award:{table}"
    return name if is_outside(name) else f"table:{table}:{name}"


# -- reading ---------------------------------------------------------------------------------------


def table_record(entry: Entry) -> TableRecord:
    record: TableRecord = from_json(entry.body, TableRecord)
    return record


def link_record(entry: Entry) -> LinkRecord:
    record: LinkRecord = from_json(entry.body, LinkRecord)
    return record


# -- a round in play -------------------------------------------------------------------------------

_STRANGER: Final = Viewer("player")
_CARD: Final = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][cdhs](?![A-Za-z0-9])")
_HIDDEN: Final = "??"


def public(event: TableEvent, after: Table) -> TableEvent:
    """Return the event without the cards and names of hands that are not public."""
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
    """Return the command without the cards that are not public: the deck of a round that opens, and
    cards that a dealer or a shoe entered face down."""
    match command:
        case round_commands.OpenBetting():
            return replace(command, salt="", deck=())
        case round_commands.EnterCards() | round_commands.ReplaceCards():
            return replace(command, cards=())
    return command


def face_up(table: Table) -> frozenset[str]:
    """Return the cards that a stranger sees at the table."""
    seen = view(table.round, _STRANGER, rules_of(table))
    places = [seen.community, seen.dealer, seen.box, seen.set_aside]
    places += [seat.cards for seat in seen.seats]
    return frozenset([str(card) for cards in places for card in cards if card is not None])


def masked(text: str, visible: Collection[str] = ()) -> str:
    """Return the text with `??` for every card that is not visible."""
    return _CARD.sub(lambda match: match[0] if match[0] in visible else _HIDDEN, text)
