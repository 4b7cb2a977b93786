"""Records that the floor looks up: slips, voids, uses of limits, steps with decks.

`Newest` keeps the last n records of a stream, `Recent` those since a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Generic, Literal, NamedTuple, Protocol, TypeVar, get_args

import msgspec

from croupier.cashier import Deposit
from croupier.deck_care.commands import CareCommand
from croupier.deck_care.events import CareEvent, DeckReceived
from croupier.errors import suggest
from croupier.ledger.entries import Entry
from croupier.ledger.history.past_rounds import Moment, entry_moments
from croupier.ledger.journal import Journal
from croupier.ledger.records.cashier_entries import (
    account_of_stream,
    account_record,
    account_stream,
)
from croupier.ledger.records.table_entries import table_record, table_stream
from croupier.money import dollars
from croupier.rounds.declaration import Actor, tag_of
from croupier.rounds.events import (
    HandsVoided,
    HandVoided,
    IrregularityNoted,
    ProgressivePaid,
    RoundVoided,
    WagersVoided,
)
from croupier.rounds.state import SeatInRound
from croupier.tables.commands import BuyIn, Confirm, Correct, Credit, Fill, ReopenRound
from croupier.tables.events import Confirmed, Corrected, Declined, DropEmptied, Proposed
from croupier.tables.sentences import describe_event
from croupier.tables.state import Table, rules_of
from croupier.tables.two_people import MovedAlone

_CHUNK: Final = 1000
_DEPTH: Final = 20_000
T = TypeVar("T")


class Newest(Generic[T]):
    """The last `most` records of a stream: searched backwards once, and from then on only among new
    entries. `read(after, up_to)` returns the records of these entries in order."""

    def __init__(self, read: Callable[[int, int], Iterable[T]], most: int) -> None:
        self._read = read
        self._most = most
        self._version = 0
        self._records: list[T] = []

    def up_to(self, version: int) -> tuple[T, ...]:
        """Return the records up to this version of the table, newest first."""
        if not self._version:
            self._records = self._back_from(version)
        elif version > self._version:
            self._records += self._read(self._version, version)
        self._version = max(self._version, version)
        self._records = self._records[-self._most :]
        return tuple(reversed(self._records))

    def _back_from(self, head: int) -> list[T]:
        records: list[T] = []
        end = max(0, head - _DEPTH)
        while head > end and len(records) < self._most:
            first = max(end, head - _CHUNK)
            records, head = [*self._read(first, head), *records], first
        return records


class Timed(Protocol):
    @property
    def at(self) -> str: ...


R = TypeVar("R", bound=Timed)


class Recent(Generic[R]):
    """All records since a time, without a limit on their number; only new entries are read again.
    `records(entry)` returns those of one entry."""

    def __init__(
        self, journal: Journal, stream: str, records: Callable[[Entry], Iterable[R]]
    ) -> None:
        self._journal = journal
        self._stream = stream
        self._of = records
        self._version = 0
        self._since = ""
        self._records: list[R] = []

    def since(self, at: str, version: int) -> tuple[R, ...]:
        """Return the records since this time, up to this version of the table, newest first."""
        if not self._version or at < self._since:
            entries = [e for e in self._journal.since(self._stream, at) if e.version <= version]
            self._records = [record for e in reversed(entries) for record in self._of(e)]
        elif version > self._version:
            for entry in self._journal.read(self._stream, self._version, version):
                self._records += self._of(entry)
        self._version, self._since = max(self._version, version), at
        self._records = [record for record in self._records if record.at >= at]
        return tuple(reversed(self._records))


# -- slips -----------------------------------------------------------------------------------------

SlipKind = Literal["fill", "credit", "empty_drop"]
_SLIP_KINDS: Final[dict[type, SlipKind]] = {
    Fill: "fill",
    Credit: "credit",
    DropEmptied: "empty_drop",
}
_SLIP_COMMANDS: Final = (*_SLIP_KINDS.values(), "confirm")
"""Commands that can lead to a slip."""
_MOST_SLIPS: Final = 20


class WrittenSlip(msgspec.Struct, frozen=True):
    """The slip of entry `entry` of the table's journal. `chips`: the number of chips by value in
    cents; `parts`: the parts of an emptied drop, in cents."""

    table: str
    entry: int
    kind: SlipKind
    number: str
    at: str
    by: str
    role: str
    cents: int
    chips: dict[int, int]
    parts: dict[str, int]
    second: str = ""
    """The person who confirmed it on their own screen."""
    second_role: str = ""


def newest_slips(journal: Journal, table: str) -> Newest[WrittenSlip]:
    return Newest(lambda after, up_to: _slips(journal, table, after, up_to), _MOST_SLIPS)


def slip_at(journal: Journal, table: str, version: int) -> WrittenSlip | None:
    """Return the slip of one entry, or None."""
    return next(_slips(journal, table, version - 1, version), None)


def slip_numbered(journal: Journal, table: str, number: str) -> WrittenSlip:
    slips = {slip.number: slip for slip in _slips(journal, table)}
    if number not in slips:
        raise suggest(f"slip of table {table}", number, slips)
    return slips[number]


def _slips(
    journal: Journal, table: str, after: int = 0, up_to: int | None = None
) -> Iterator[WrittenSlip]:
    for entry in journal.read(table_stream(table), after, up_to):
        if entry.kind in _SLIP_COMMANDS:
            slip = _slip(journal, table, entry)
            if slip is not None:
                yield slip


def _slip(journal: Journal, table: str, entry: Entry) -> WrittenSlip | None:
    """Return the slip if the entry moved chips; a proposal moves none."""
    record = table_record(entry)
    record_kind = next(
        (_SLIP_KINDS[type(event)] for event in record.events if type(event) in _SLIP_KINDS), None
    )
    if record_kind is None:
        return None
    first, second = record, None
    if isinstance(record.command, Confirm):
        number = record.command.number
        (proposal,) = journal.read(table_stream(table), number - 1, number)
        first, second = table_record(proposal), record.by
    numbers = [slip for event in record.events if (slip := getattr(event, "slip", ""))]
    parts = {_last_part(transfer.source): transfer.cents for transfer in entry.transfers}
    return WrittenSlip(
        table,
        entry.version,
        record_kind,
        getattr(first.command, "slip", "") or (numbers[0] if numbers else ""),
        entry.at,
        first.by.name,
        first.by.role,
        sum(parts.values()),
        dict(getattr(first.command, "chips", {})),
        parts if record_kind == "empty_drop" else {},
        second.name if second is not None else "",
        second.role if second is not None else "",
    )


def _last_part(name: str) -> str:
    return name.rpartition(":")[2]


# -- voids -----------------------------------------------------------------------------------------

_VOIDS: Final = (RoundVoided, HandsVoided, HandVoided, WagersVoided)
_TAG: Final = b"_voided"
"""The part that the tags of all voids share."""


class RecordedVoid(msgspec.Struct, frozen=True):
    """A void in entry `entry` of the table's journal. `what` is void; `cents` go back to the
    players, at settlement if a hand or a wager is void."""

    table: str
    entry: int
    at: str
    round: int
    what: Literal["round", "hands", "hand", "wagers"]
    by: str
    role: str
    reason: str
    clause: str
    cents: int
    seat: int = 0
    second: str = ""
    """The person who confirmed it, if a dealer reported it."""


def recent_voids(journal: Journal, table: str) -> Recent[RecordedVoid]:
    return Recent(journal, table_stream(table), lambda entry: _voids(journal, entry))


def _voids(journal: Journal, entry: Entry) -> Iterator[RecordedVoid]:
    if _TAG not in entry.body:
        return
    reason, reported = "", None
    for moment in entry_moments(journal, entry.stream, entry.version):
        if isinstance(moment.event, Confirmed):
            reported = _reporter(moment)
        elif isinstance(moment.event, IrregularityNoted):
            reason = _accident(moment)
        elif isinstance(moment.event, _VOIDS):
            yield _void(moment, reason, reported)


def _accident(moment: Moment) -> str:
    event = moment.event
    assert isinstance(event, IrregularityNoted)
    title = rules_of(moment.after).book.irregularities[event.kind].title
    return f"{title}: {event.note}" if event.note else title


def _reporter(moment: Moment) -> Actor | None:
    """Return the person who proposed what is confirmed here."""
    event, before = moment.event, moment.before
    assert isinstance(event, Confirmed)
    waiting = before.pending if before is not None else ()
    return next((Actor(p.role, p.name) for p in waiting if p.number == event.number), None)


def _void(moment: Moment, reason: str, reported: Actor | None) -> RecordedVoid:
    event, before = moment.event, moment.before
    assert isinstance(event, _VOIDS)
    assert before is not None, "a table begins by being opened"
    voided, cents = _back(moment, before)
    by, second = moment.actor, ""
    if reported is not None:
        by, second = reported, moment.actor.name
    return RecordedVoid(
        before.id,
        moment.entry.version,
        moment.entry.at,
        before.round.number,
        voided,
        by.name,
        by.role,
        reason or getattr(event, "reason", ""),
        event.clause,
        cents,
        event.seat if isinstance(event, HandVoided) else 0,
        second,
    )


def _back(moment: Moment, before: Table) -> tuple[Literal["round", "hands", "hand", "wagers"], int]:
    seats = before.round.seats
    match moment.event:
        case HandsVoided(saves=saves):
            return "hands", sum(_stakes(seat, without=saves) for seat in seats)
        case HandVoided(seat=number):
            return "hand", sum(_stakes(seat) for seat in seats if seat.number == number)
        case WagersVoided(wagers=wagers):
            return "wagers", sum(seat.wagers.get(name, 0) for seat in seats for name in wagers)
    return "round", sum(move.cents for move in moment.moves)


def _stakes(seat: SeatInRound, without: tuple[str, ...] = ()) -> int:
    """Return the cents that the seat has wagered now."""
    down = seat.wagers | seat.decided
    return sum(c for name, c in down.items() if name not in (*without, *seat.taken_back))


# -- uses of limits --------------------------------------------------------------------------------

_USE_COMMANDS: Final = frozenset(
    {
        *("correct", "buy_in", "fill", "credit", "empty_drop"),
        *("confirm", "decline", "reopen_round", "validate_progressive"),
    }
)

_PROPOSED: Final = b'"proposed"'
"""The tag of a proposal that waits for a second person, whatever the command."""


class LimitUse(msgspec.Struct, frozen=True):
    """A use of a limit in entry `entry` of the table's journal, or of a player's account, in
    words."""

    table: str
    entry: int
    at: str
    by: str
    role: str
    words: str


def recent_uses(journal: Journal, table: str) -> Recent[LimitUse]:
    return Recent(journal, table_stream(table), lambda entry: _uses(journal, entry))


def _uses(journal: Journal, entry: Entry) -> Iterator[LimitUse]:
    if entry.kind not in _USE_COMMANDS and _PROPOSED not in entry.body:
        return
    moments = entry_moments(journal, entry.stream, entry.version)
    if not moments or not moments[0].after.strict or not any(map(_moves_money, moments)):
        return
    first = moments[0]
    words = [line for moment in moments for line in describe_event(moment.event, moment.after)]
    by, table = first.actor, first.after.id
    yield LimitUse(table, entry.version, entry.at, by.name, by.role, "; ".join(words))


def _moves_money(moment: Moment) -> bool:
    """Whether money moved by hand or by a person's decision. A buy-in from an account is excluded,
    because players make it themselves."""
    if isinstance(moment.event, BuyIn):
        return not moment.event.account
    if isinstance(moment.event, ProgressivePaid):
        return moment.after.source == "live"
    decided = Confirmed | Declined | Proposed | ReopenRound
    return isinstance(moment.event, decided | Corrected | Credit | DropEmptied | Fill)


def cashier_uses(journal: Journal, since: str) -> list[LimitUse]:
    """Return the deposits that cashiers took and the amounts they paid since this time, including
    those that wait for a second cashier."""
    uses = []
    for entry in journal.recent(account_stream(""), since, ("deposit", "pay_out")):
        record, person = account_record(entry), account_of_stream(entry.stream)
        does = {"deposit": "takes a deposit of", "pay_out": "pays out"}[entry.kind]
        words = f"{record.by.name} {does} {dollars(getattr(record.command, 'amount', 0))}"
        words += f" for the account of {person}"
        words += "; it waits for a second cashier" if record.waits else ""
        words += " as the second cashier" if getattr(record.command, "confirms", 0) else ""
        name, role = record.by.name, record.by.role
        uses.append(LimitUse("", entry.version, entry.at, name, role, words))
    return uses


def deposited_alone(journal: Journal, since: str) -> int:
    """Return the total that cashiers took alone, without a second person, for all accounts since
    this time, in cents."""
    cents = 0
    for entry in journal.recent(account_stream(""), since, ("deposit",)):
        record = account_record(entry)
        if isinstance(record.command, Deposit) and not record.waits and not record.command.confirms:
            cents += record.command.amount
    return cents


def moved_alone(journal: Journal, table: str, since: str) -> MovedAlone:
    """Return what people moved alone, without a second person, at a table since this time."""
    corrections, buy_ins = 0, dict[str, int]()
    for entry in journal.since(table_stream(table), since, ("buy_in", "correct")):
        record = table_record(entry)
        if record.wait is not None:
            continue
        match record.command:
            case BuyIn(player=player, amount=cents, account=False):
                name = player.casefold()
                buy_ins[name] = buy_ins.get(name, 0) + cents
            case Correct(amount=cents):
                corrections += abs(cents)
    return MovedAlone(corrections, buy_ins)


# -- decks -----------------------------------------------------------------------------------------

_CARE_COMMANDS: Final = frozenset(tag_of(command) for command in get_args(CareCommand))
_CARE_EVENTS: Final = get_args(CareEvent)


class DeckMoment(NamedTuple):
    """A step with a deck or a device: entry `version` of the table's journal, at this time."""

    version: int
    at: str
    event: CareEvent


class DeckHistory:
    """The deck steps of one table. Read backwards to the arrival of its oldest deck, and from then
    on only new entries."""

    def __init__(self, journal: Journal, table: str) -> None:
        self._journal = journal
        self._stream = table_stream(table)
        self._version = 0
        self._moments: list[DeckMoment] = []

    def of(self, table: Table) -> tuple[DeckMoment, ...]:
        """Return every step since the oldest deck arrived, in order."""
        backs = {deck.back for deck in table.care.decks} if table.care is not None else set()
        if not self._version:
            self._moments = self._back_to(backs, table.version)
        elif table.version > self._version:
            self._moments += self._read(self._version, table.version)
        self._version = max(self._version, table.version)
        self._moments = self._moments[_oldest_deck(self._moments, backs) :]
        return tuple(self._moments)

    def _back_to(self, backs: set[str], head: int) -> list[DeckMoment]:
        moments: list[DeckMoment] = []
        missing = set(backs)
        while missing and head > 0:
            first = max(0, head - _CHUNK)
            chunk = list(self._read(first, head))
            missing -= {m.event.back for m in chunk if isinstance(m.event, DeckReceived)}
            moments, head = [*chunk, *moments], first
        return moments

    def _read(self, after: int, up_to: int) -> Iterator[DeckMoment]:
        for entry in self._journal.read(self._stream, after, up_to):
            if entry.kind in _CARE_COMMANDS:
                for event in table_record(entry).events:
                    if isinstance(event, _CARE_EVENTS):
                        yield DeckMoment(entry.version, entry.at, event)


def _oldest_deck(moments: list[DeckMoment], backs: set[str]) -> int:
    """Return the index at which the oldest deck still at the table arrived; a color may have
    arrived more than once."""
    came = {
        moment.event.back: place
        for place, moment in enumerate(moments)
        if isinstance(moment.event, DeckReceived) and moment.event.back in backs
    }
    return min(came.values(), default=len(moments))
