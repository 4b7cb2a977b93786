"""The events of a 0.1 journal as commands of today: each found, given again, and compared.

0.1 wrote events; today's entries are commands with their events. Each command of an old journal is
given to today's rules with its time and its actor. What they say must be what was written, to the
cent and to the clause; the first place where it is not is named.

Tables share links, and an old journal has no order between its streams. Commands are taken by
their time; one that changes a link waits until the link's own stream says that it comes next.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from croupier import progressives
from croupier.errors import CroupierError, plain
from croupier.ledger.accounts import add_transfers
from croupier.ledger.chain import GENESIS
from croupier.ledger.databases import TransactionRows
from croupier.ledger.entries import (
    Addition,
    Chapter,
    Entry,
    NewEntry,
    StreamHead,
    Transfer,
    seconds,
)
from croupier.ledger.journal import Journal, transaction_rows
from croupier.ledger.macs import chain_rows
from croupier.ledger.old_events import (
    OldEvent,
    as_today,
    attempt_today,
    commands_behind,
    difference,
    link_command_behind,
    link_table,
    old_event,
)
from croupier.ledger.old_journal import OldJournal, OldRequest
from croupier.ledger.past_rounds import finished_round
from croupier.ledger.table_entries import (
    Pointer,
    chapter_of,
    corrections_stream,
    link_entry,
    link_stream,
    table_entry,
    table_stream,
)
from croupier.money import dollars
from croupier.progressives import Link
from croupier.rounds.events import OpenBetting
from croupier.rounds.records import to_json
from croupier.tables.commands import Correct, OpenTable, TableCommand
from croupier.tables.deciding import check_correction
from croupier.tables.events import Corrected, ends_round
from croupier.tables.planning import CommandPlan, LinkChange, plan, plan_opening, tell_link
from croupier.tables.state import Table

__all__ = ["Differs", "Regrouped", "regroup"]

TOGETHER: Final = 500
"""Commands written in one transaction."""
_decode: Final = msgspec.json.Decoder().decode


class Differs(CroupierError):
    """Today's rules give something else than the old journal has, at `version` of `stream`."""

    code = "migration_differs"

    def __init__(self, stream: str, version: int, what: str) -> None:
        super().__init__(f"{plain(stream, 200)}, entry {version}: {what}")
        self.stream = stream
        self.version = version

    def within(self, where: str) -> CroupierError:
        return CroupierError(f"{where}: {self}", code=self.code)


class Regrouped(msgspec.Struct):
    """What came out. `mended`: places of the old index that were wrong, as 0.1 could write them."""

    commands: int = 0
    rounds: int = 0
    requests: int = 0
    attempts: int = 0
    corrections: int = 0
    mended: list[str] = []


def regroup(old: OldJournal, new: Journal, told: Callable[[int], None]) -> Regrouped:
    """Write all that the old journal says into the new one, which is empty. `told` hears how many
    old entries are done."""
    return _Migration(old, new, told).run()


class _Out:
    """The new journal, written a few hundred commands at a time."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.balances: dict[str, int] = {}
        self._writer = journal.database.open_writer()
        self._macs = journal.macs_to_write()
        self._heads: dict[str, StreamHead] = {}
        self._additions: list[Addition] = []
        self._rows: list[list[Any]] = []
        self._requests: list[tuple[str, str, int, int]] = []

    def version(self, stream: str) -> int:
        return self._heads[stream].version if stream in self._heads else 0

    def add(
        self,
        stream: str,
        new: tuple[NewEntry, ...],
        at: str,
        chapters: tuple[Chapter, ...] = (),
    ) -> None:
        head = self._heads.get(stream, StreamHead(0, GENESIS))
        addition = Addition(stream, head.version, new, chapters)
        rows = chain_rows(self._macs, head.hash, addition, at, [])
        self._heads[stream] = StreamHead(rows[-1][1], rows[-1][-1])
        for one in new:
            add_transfers(one.transfers, self.balances)
        self._additions.append(addition)
        self._rows.append(rows)
        if len(self._additions) >= TOGETHER:
            self.flush()

    def answer(self, stream: str, request: OldRequest, first: int, last: int) -> None:
        self._requests.append((stream, request.key, first, last))

    def flush(self) -> None:
        work = TransactionRows([])
        if self._additions:
            work = transaction_rows(self._macs, tuple(self._additions), self._rows)
        work.requests = tuple(self._requests)
        self._put(work)
        self._additions, self._rows, self._requests = [], [], []

    def keep(self, stream: str, version: int, state: bytes) -> None:
        """A snapshot of what is written."""
        mac = self._macs.of_snapshot(stream, version, state)
        self._put(TransactionRows([], snapshots=((stream, version, state, mac),)))

    def _put(self, work: TransactionRows) -> None:
        with self.journal.explaining():
            self.journal.database.write(self._writer, work)

    def close(self) -> None:
        self._writer.close()


class _Waiting(Exception):
    """Something else comes first on the link."""

    def __init__(self, link: _OldLink, why: Differs) -> None:
        self.link = link
        self.why = why


class _OldTable:
    """A table's old stream, and the table as far as it has come."""

    def __init__(self, old: OldJournal, stream: str) -> None:
        self.stream = stream
        self.name = stream.removeprefix(table_stream(""))
        self.table: Table | None = None
        self.began_at = ""
        self.first_of_round = 0
        self.rounds = 0
        self.at_rest: Table | None = None
        """As it was last between two rounds."""
        self.pointers = old.read(corrections_stream(self.name))
        self._entries = map(old_event, old.read(stream))
        self._ahead: deque[OldEvent] = deque()
        self._requests = old.requests(stream)
        self.request = next(self._requests, None)
        self.first_answer = 0

    def next(self) -> OldEvent | None:
        self._look_ahead(1)
        return self._ahead[0] if self._ahead else None

    def run(self) -> list[OldEvent]:
        """The next events with one time and one person, as far as one request goes."""
        first = self.next()
        assert first is not None
        count = 1
        while count < 1000:
            self._look_ahead(count + 1)
            if len(self._ahead) == count:
                break
            one = self._ahead[count]
            if (one.at, one.actor) != (first.at, first.actor) or self._ends_before(one.version):
                break
            count += 1
        return list(islice(self._ahead, count))

    def _look_ahead(self, count: int) -> None:
        while len(self._ahead) < count:
            found = next(self._entries, None)
            if found is None:
                return
            self._ahead.append(found)

    def _ends_before(self, version: int) -> bool:
        """Does the next entry's request, or the time before one, end before this entry?"""
        asked = self.request
        return asked is not None and version in (asked.first, asked.last + 1)

    def request_of(self, version: int) -> OldRequest | None:
        asked = self.request
        return asked if asked is not None and asked.first <= version <= asked.last else None

    def answered(self) -> None:
        self.request = next(self._requests, None)
        self.first_answer = 0

    def take(self, count: int) -> None:
        for _ in range(count):
            self._ahead.popleft()


class _OldLink:
    """A link's old stream, and the link as far as it has come."""

    def __init__(self, old: OldJournal, stream: str) -> None:
        self.stream = stream
        self.link: Link | None = None
        self.waiting: list[tuple[str, Differs]] = []
        """Tables whose next command comes later on this link, and what is wrong if it does not."""
        self._entries = old.read(stream)
        self._ahead: deque[tuple[Entry, dict[str, Any]]] = deque()

    def ahead(self, count: int) -> list[tuple[Entry, dict[str, Any]]]:
        while len(self._ahead) < count:
            found = next(self._entries, None)
            if found is None:
                break
            self._ahead.append((found, _decode(found.body)))
        return list(islice(self._ahead, count))

    def owner(self) -> str:
        """The table whose command comes next; a link is opened with its first table."""
        for _, event in self.ahead(2):
            if event["type"] != "link_opened":
                return link_table(event)
        return ""

    def own_command(self) -> progressives.Command | None:
        """What the link is told next by nobody's table."""
        found = self.ahead(1)
        return link_command_behind(found[0][1]) if found else None

    def compare(self, made: tuple[LinkChange, ...]) -> None:
        """Are these the next events on record?"""
        events = [event for change in made for event in change.events]
        found = self.ahead(len(events))
        for (entry, written), event in zip(found, events, strict=False):
            what = difference(written, _decode(to_json(event)))
            if what:
                raise Differs(self.stream, entry.version, f"{entry.kind}: {what}")
        if len(found) < len(events):
            version = found[-1][0].version + 1 if found else 0
            told = plain(to_json(events[len(found)]).decode(), 200)
            raise Differs(self.stream, version, f"it is missing: today's rules give {told}")
        was = tuple(transfer for entry, _ in found for transfer in entry.transfers)
        now = tuple(Transfer(*moved) for change in made for moved in change.transfers)
        if was != now:
            what = f"the transfers are {_told(was)}, but today's rules give {_told(now)}"
            raise Differs(self.stream, found[0][0].version, what)

    def take(self, made: tuple[LinkChange, ...]) -> None:
        for change in made:
            for _ in change.events:
                self._ahead.popleft()


def _told(value: object) -> str:
    return plain(to_json(value).decode(), 300)


class _Next(NamedTuple):
    """What the old journal has next in a stream, and when."""

    at: str
    stream: str


class _Migration:
    def __init__(self, old: OldJournal, new: Journal, told: Callable[[int], None]) -> None:
        self._old = old
        self._out = _Out(new)
        self._told = told
        self._done = 0
        self._found = Regrouped()
        self._tables = {name: _OldTable(old, name) for name in old.streams(table_stream(""))}
        self._links = {name: _OldLink(old, name) for name in old.streams(link_stream(""))}
        self._due: list[_Next] = []

    def run(self) -> Regrouped:
        try:
            self._run_tables()
            for stream in self._old.heads:
                if not stream.startswith(("table:", "link:", "corrections:")):
                    self._copy(stream)
            self._out.flush()
            self._keep_snapshots()
        finally:
            self._out.close()
        self._check_sums()
        return self._found

    # -- the order --------------------------------------------------------------------------

    def _run_tables(self) -> None:
        for table in self._tables.values():
            self._push_table(table)
        for link in self._links.values():
            self._push_link(link)
        while self._due:
            stream = heappop(self._due).stream
            if stream in self._links:
                self._tell_link(self._links[stream])
                continue
            table = self._tables[stream]
            try:
                self._command(table)
            except _Waiting as waiting:
                waiting.link.waiting.append((stream, waiting.why))
            else:
                self._push_table(table)
        self._check_nothing_is_left()

    def _push_table(self, table: _OldTable) -> None:
        found = table.next()
        if found is not None:
            heappush(self._due, _Next(found.at, table.stream))

    def _push_link(self, link: _OldLink) -> None:
        """The link has gone on: it may be told something itself, and tables that waited may try."""
        if link.own_command() is not None:
            heappush(self._due, _Next(link.ahead(1)[0][0].at, link.stream))
        waiting, link.waiting = link.waiting, []
        for stream, _ in waiting:
            self._push_table(self._tables[stream])

    def _check_nothing_is_left(self) -> None:
        blocked = [why for link in self._links.values() for _, why in link.waiting]
        for why in blocked:
            raise why
        for link in self._links.values():
            for entry, event in link.ahead(1):
                what = f"no command of table {plain(link_table(event))} leads to this {entry.kind}"
                raise Differs(link.stream, entry.version, what)
        for stream in self._old.streams(corrections_stream("")):
            if table_stream(stream.removeprefix(corrections_stream(""))) not in self._tables:
                raise Differs(stream, 1, "there is no such table")
        for table in self._tables.values():
            for entry in table.pointers:
                raise Differs(entry.stream, entry.version, "no entry of the table corrects this")
            known = self._old.rounds(table.stream)
            if known != table.rounds:
                what = f"the index has {known} rounds, but {table.rounds} were played"
                raise Differs(table.stream, self._old.heads[table.stream].version, what)

    # -- links ------------------------------------------------------------------------------

    def _link_of(self, table: _OldTable, command: TableCommand) -> _OldLink:
        """Where the table plays; a link that the old journal does not know stays empty."""
        if isinstance(command, OpenTable):
            name = command.link
        else:
            name = table.table.link if table.table is not None else ""
        stream = link_stream(name)
        found = self._links.get(stream)
        if found is None:
            found = self._links[stream] = _OldLink(self._old, stream)
        return found

    def _tell_link(self, link: _OldLink) -> None:
        """A command that was given to the link itself."""
        command = link.own_command()
        if command is None:
            return
        (entry, _), *_ = link.ahead(1)
        try:
            made, after = tell_link(link.link, command)
        except CroupierError as error:
            raise Differs(link.stream, entry.version, _refused(error)) from error
        link.compare((made,))
        self._write_link(link, (made,), after, entry.at)

    def _write_link(
        self, link: _OldLink, made: tuple[LinkChange, ...], after: Link | None, at: str
    ) -> None:
        link.take(made)
        link.link = after
        self._out.add(link.stream, tuple(map(link_entry, made)), at)
        self._count(sum(len(change.events) for change in made))
        self._push_link(link)

    # -- tables -----------------------------------------------------------------------------

    def _command(self, table: _OldTable) -> None:
        """The next command of a table, given again, compared and written."""
        run = table.run()
        try:
            asked = commands_behind(run, table.table.round if table.table is not None else None)
        except CroupierError as error:
            raise Differs(table.stream, run[0].version, error.message) from error
        except (LookupError, TypeError, ValueError) as error:
            what = f"this {run[0].kind} is not as 0.1 wrote it ({plain(repr(error), 100)})"
            raise Differs(table.stream, run[0].version, what) from error
        made, wrong = None, None
        for command in asked:
            try:
                made = self._given(table, run, command)
                break
            except Differs as error:
                wrong = error
        if made is None:
            assert wrong is not None
            raise wrong
        self._write(table, made, run[: len(made.events)])

    def _given(self, table: _OldTable, run: list[OldEvent], command: TableCommand) -> CommandPlan:
        """What today's rules make of the command, if it is what was written."""
        first = run[0]
        link = self._link_of(table, command)
        try:
            made = self._planned(table, link.link, command, first)
            _compare(table.stream, run, made)
            if made.link_changes:
                link.compare(made.link_changes)
        except Differs as error:
            if link.owner() in ("", table.name) and link.own_command() is None:
                raise
            raise _Waiting(link, error) from error
        return made

    def _planned(
        self, table: _OldTable, link: Link | None, command: TableCommand, first: OldEvent
    ) -> CommandPlan:
        try:
            if isinstance(command, OpenTable):
                return plan_opening(command, first.actor, table.table, link)
            if table.table is None:
                raise Differs(table.stream, first.version, "the table has not been opened")
            if isinstance(command, Correct) and command.round != table.table.round.number:
                self._out.flush()
                played = finished_round(self._out.journal, table.table.id, command.round)
                check_correction(played, command)
            return plan(table.table, link, command, first.actor, seconds(first.at))
        except Differs:
            raise
        except CroupierError as error:
            raise Differs(table.stream, first.version, _refused(error)) from error
        except Exception as error:
            what = f"what is written here cannot have happened ({plain(repr(error), 200)})"
            raise Differs(table.stream, first.version, what) from error

    def _write(self, table: _OldTable, made: CommandPlan, written: list[OldEvent]) -> None:
        first, last = written[0], written[-1]
        if any(isinstance(event, OpenBetting) for event in made.events):
            table.began_at, table.first_of_round = first.at, first.version
        request = table.request_of(first.version)
        entry = table_entry(made, request.key if request is not None else None)
        chapters = self._chapters(table, made, written)
        self._out.add(table.stream, (entry,), first.at, chapters)
        if request is not None:
            table.first_answer = table.first_answer or made.table.version
            if last.version >= request.last:
                self._out.answer(table.stream, request, table.first_answer, made.table.version)
                self._found.requests += 1
                table.answered()
        self._point(table, made, written)
        table.table = made.table
        if made.table.round.phase == "over":
            table.at_rest = made.table
        table.take(len(written))
        self._found.commands += 1
        self._count(len(written))
        if made.link_changes:
            link = self._links[link_stream(made.table.link)]
            self._write_link(link, made.link_changes, made.link, first.at)

    def _chapters(
        self, table: _OldTable, made: CommandPlan, written: list[OldEvent]
    ) -> tuple[Chapter, ...]:
        """The round that ends here; the old index must know it too."""
        ends = [one for one, event in zip(written, made.events, strict=True) if ends_round(event)]
        if not ends:
            return ()
        end, after = ends[-1], made.table
        expected = chapter_of(
            after.id, after.round, table.first_of_round, end.version, table.began_at, end.at
        )
        number = after.round.number
        found = self._old.chapter(table.stream, number)
        if found is not None and found != expected and _but_for_began(found, expected):
            # 0.1 could note the time of a round that it gave up for another one.
            self._found.mended.append(
                f"{table.stream}: the index had round {number} begin at {found.began}, "
                f"it began at {expected.began}"
            )
        elif found != expected:
            what = f"the index of round {number} is {_told(found)}, but it is {_told(expected)}"
            raise Differs(table.stream, end.version, what)
        table.rounds += 1
        self._found.rounds += 1
        return (
            chapter_of(after.id, after.round, after.began, after.version, table.began_at, end.at),
        )

    def _point(self, table: _OldTable, made: CommandPlan, written: list[OldEvent]) -> None:
        """Corrections are listed in a stream of their own."""
        for one, event in zip(written, made.events, strict=True):
            if not isinstance(event, Corrected):
                continue
            stream = corrections_stream(made.table.id)
            found = next(table.pointers, None)
            expected = {"round": event.round, "entry": one.version}
            if found is None or _decode(found.body) != expected:
                what = "the corrections listed are not those that the table's journal has"
                raise Differs(stream, found.version if found is not None else 0, what)
            pointer = Pointer(event.round, made.table.version)
            self._out.add(stream, (NewEntry("corrected", to_json(pointer)),), one.at)
            self._found.corrections += 1
            self._count(1)

    # -- the rest ---------------------------------------------------------------------------

    def _copy(self, stream: str) -> None:
        """Refused attempts, and whatever else was kept."""
        is_attempt = stream.startswith("attempts:")
        for entry in self._old.read(stream):
            body = attempt_today(entry.body) if is_attempt else entry.body
            self._out.add(stream, (NewEntry(entry.kind, body, entry.transfers),), entry.at)
            self._found.attempts += is_attempt
            self._count(1)
        for request in self._old.requests(stream):
            self._out.answer(stream, request, request.first, request.last)
            self._found.requests += 1

    def _keep_snapshots(self) -> None:
        """So that the first who opens a long journal need not read all of it."""
        for table in self._tables.values():
            state = table.at_rest
            if state is not None:
                self._out.keep(table.stream, state.version, to_json(state))
        for link in self._links.values():
            if link.link is not None:
                version = self._out.version(link.stream)
                self._out.keep(link.stream, version, progressives.to_json(link.link))

    def _check_sums(self) -> None:
        keys = self._old.all_requests()
        if keys != self._found.requests:
            what = f"{keys} keys are listed, but {self._found.requests} commands have one"
            raise Differs("requests", 0, what)
        stored, computed = self._old.balances(), self._out.balances
        for account in sorted(stored.keys() | computed.keys()):
            was, now = stored.get(account, 0), computed.get(account, 0)
            if was != now:
                what = f"{plain(account, 200)} holds {dollars(was)}, but today's rules give"
                raise Differs("balances", 0, f"{what} {dollars(now)}")

    def _count(self, entries: int) -> None:
        before, self._done = self._done, self._done + entries
        if before // 100 != self._done // 100:
            self._told(self._done)


def _refused(error: CroupierError) -> str:
    clause = f" [{error.clause}]" if error.clause else ""
    return f"today's rules refuse what is written here: {error.message}{clause}"


def _compare(stream: str, run: list[OldEvent], made: CommandPlan) -> None:
    """Is what the rules give what was written, event by event and cent by cent?"""
    for written, event in zip(run, made.events, strict=False):
        what = difference(as_today(written.event), _decode(to_json(event)))
        if what:
            raise Differs(stream, written.version, f"{written.kind}: {what}")
    if len(made.events) > len(run):
        told = plain(to_json(made.events[len(run)]).decode(), 200)
        what = f"it is missing: today's rules give {told}"
        raise Differs(stream, run[-1].version + 1, what)
    was = tuple(move for one in run[: len(made.events)] for move in one.transfers)
    now = table_entry(made).transfers
    if was != now:
        what = f"the transfers are {_told(was)}, but today's rules give {_told(now)}"
        raise Differs(stream, run[0].version, what)


def _but_for_began(found: Chapter, expected: Chapter) -> bool:
    return msgspec.structs.replace(found, began=expected.began) == expected
