"""All tables of a server: loaded, dealt, and followed while other workers deal them.

A pit belongs to one worker process. Any number of workers share a PostgreSQL database: LISTEN and
NOTIFY announce what one of them writes, and leases decide which one deals a table.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

from anyio import to_thread
from litestar.di import NamedDependency
from msgspec.structs import replace

from croupier.errors import BadCards, CroupierError, Refusal, plain, with_article
from croupier.ledger.batch_writer import BatchWriter
from croupier.ledger.faults import JournalUnavailable
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import Asker, table_stream
from croupier.ledger.stores.database import StreamGrown
from croupier.money import dollars
from croupier.reports.links import LinkForm, LinkRow, link_form, link_row
from croupier.rounds.declaration import ANYBODY, ROLES, SOFTWARE, Actor
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.kept_rules import is_kept
from croupier.runtime.clock import now
from croupier.runtime.dealer import DEALER
from croupier.runtime.journal_session import Expected, JournalSession
from croupier.runtime.leases import Leases, PostgresLeases, SingleProcess
from croupier.runtime.links import LinkResult, Links, LinkSession, link_names
from croupier.tables.command_input import command_from_json, link_command_from_json
from croupier.tables.commands import Assign, BuyIn, CashOut, GiveUpSeat, OpenTable, TableCommand
from croupier.tables.duty import check_deals_here, check_one_live_table
from croupier.tables.events import is_grave
from croupier.tables.sentences import describe_plan
from croupier.web.accounts.guest_limits import GuestLimits
from croupier.web.accounts.people import People, Person
from croupier.web.accounts.trial import check_trial_command, is_rehearsal, is_trial
from croupier.web.server.journal_probe import Probe, prepare_probe, probe_journal
from croupier.web.server.pools import Pools, pause
from croupier.web.server.problems import NotThere
from croupier.web.server.settings import Settings
from croupier.web.tables.command_queue import Acknowledgement
from croupier.web.tables.forms import ForeseenForm
from croupier.web.tables.outsiders import unnamed
from croupier.web.tables.served_table import ServedTable
from croupier.web.tables.submission_checker import Checker, refuse_invalid
from croupier.web.tables.views import Onlooker

MOST_REHEARSALS: Final = 40
"""Maximum number of rehearsal tables, those of guest operators included."""
RENEW_SECONDS: Final = 0.5
PROBE_SECONDS: Final = 2.0
LOOK_SECONDS: Final = 20.0
"""Longest wait, in seconds, before the dealer checks a quiet table for idle players."""

T = TypeVar("T")
_log = logging.getLogger("croupier.web")


class Pit:
    def __init__(self, journal: Journal, people: People, settings: Settings) -> None:
        self.journal = journal
        self.people = people
        self.settings = settings
        self.checker = Checker()
        self._links = Links(journal)
        self._leases: Leases = PostgresLeases(journal) if journal.is_shared else SingleProcess()
        self._tables: dict[str, ServedTable] = {}
        self._adding = asyncio.Lock()
        self.finding_rehearsals = asyncio.Lock()
        """Ensures that two people who come at once get two tables."""
        self.pools = Pools()
        self.guests = GuestLimits(settings.throttles)
        self._writer: BatchWriter | None = None
        self.program_state = "unchecked"
        """The state of the program's own files, as last compared with the wheel's record."""
        self.last_probe: Probe | None = None
        self._probed_at = float("-inf")
        self._probing = asyncio.Lock()
        prepare_probe(journal)
        self.session_ended: Callable[[str], None] = lambda _: None
        """Called with a person's name when another worker has ended their sessions."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = threading.Event()
        self._listener: threading.Thread | None = None

    async def start(self) -> None:
        self._writer = BatchWriter(self.journal)
        if self.journal.is_shared:
            await self._begin_listening()
        prefix = table_stream("")
        names = await self.blocking(lambda: self.journal.streams(prefix))
        for stream in names:
            await self._add(stream.removeprefix(prefix))
        if self.journal.is_shared:
            self._spawn(self._keep_leases())

    async def stop(self) -> None:
        self._stopping.set()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._writer is not None:
            await self._writer.close()
        if self._listener is not None:
            await to_thread.run_sync(self._listener.join)
        await to_thread.run_sync(self._leases.close)
        await to_thread.run_sync(self.checker.close)

    async def blocking(self, work: Callable[[], T]) -> T:
        return await self.pools.tables.run(work)

    async def looking_back(self, work: Callable[[], T]) -> T:
        """Run work on past entries in the pool of threads kept for it."""
        return await self.pools.history.run(work)

    async def signing_in(self, work: Callable[[], T]) -> T:
        """Run work on passwords in a pool of its own: checking them is slow on purpose."""
        return await self.pools.signing_in.run(work)

    async def checking(self, work: Callable[[], T]) -> T:
        """Run the check of an uploaded file. Checks run one at a time, and never in the threads of
        the tables."""
        return await self.pools.checking.run(work)

    async def probe(self) -> Probe:
        """Return the result of a test write to the journal, made at most once in `PROBE_SECONDS`,
        however many ask."""
        async with self._probing:
            if self.last_probe is None or time.monotonic() - self._probed_at > PROBE_SECONDS:
                database = self.settings.database
                work = partial(probe_journal, self.journal, database)
                self.last_probe = await self.pools.history.run(work)
                self._probed_at = time.monotonic()
            return self.last_probe

    @property
    def dealt_here(self) -> int:
        return sum(self._is_dealt_here(served) for served in self._tables.values())

    # -- tables and their commands ----------------------------------------------------------

    @property
    def tables(self) -> Iterable[ServedTable]:
        return [self._tables[name] for name in sorted(self._tables)]

    @property
    def lobby(self) -> list[ServedTable]:
        """The tables in the lobby's order: those of the documents first, rehearsals last."""
        return sorted(self._tables.values(), key=_place)

    def onlooker(self, person: Person | None) -> Onlooker:
        """Return the onlooker that this person is: their role and name, and whether names are kept
        from them."""
        is_private = not self.settings.demo
        if person is None:
            return Onlooker(private=is_private)
        return Onlooker(person.role, person.name, private=is_private and person.role == "player")

    def table(self, name: str) -> ServedTable:
        served = self._tables.get(name)
        if served is None:
            raise NotThere(f"there is no table {name[:60]!r}: GET /api/v1/tables lists them")
        return served

    async def carry_out(
        self,
        name: str,
        text: bytes,
        person: Person,
        key: str,
        expected: Expected,
        address: str = "",
    ) -> Acknowledgement:
        """Carry out a person's command, once however often it arrives under its key."""
        self.guests.take_room(person, address, len(text))
        with self._refusing_without_names(name, person):
            return await self._carry_out(name, text, person, key, expected, address)

    @contextmanager
    def _refusing_without_names(self, name: str, person: Person) -> Iterator[None]:
        """Remove names from any refusal shown to a person who may not see who sits at the table."""
        try:
            yield
        except CroupierError as error:
            served = self._tables.get(name)
            if served is not None and self.onlooker(person).is_kept_out(served.table):
                unnamed(error, served.table)
            raise

    async def _carry_out(
        self, name: str, text: bytes, person: Person, key: str, expected: Expected, address: str
    ) -> Acknowledgement:
        if person.role not in ROLES or (person.role == "auditor" and not _is_auditors(text)):
            raise await self._turned_away(name, text, person)
        actor = Actor(person.role, person.name)
        command, request = command_from_json(text, actor), f"{actor}:{key}"
        await self._check_trial(name, command, person)
        if isinstance(command, OpenTable):
            # Outside the demo, a table must comply with its document to open.
            opening = replace(command, strict=command.strict or not self.settings.demo)
            await self.checking(lambda: refuse_invalid(opening, self.checker))
            command = opening
        if isinstance(command, Assign):
            await self._check_assignment(name, command, person)
        if person.role == "dealer" and name in self._tables:
            await self._check_deals_here(name, command, actor)
        if isinstance(command, CashOut) and not self.settings.demo:
            # Chips go back to the person's account, whoever cashes them out.
            virtual = self.table(name).table.source == "virtual"
            command = replace(command, account=command.account or virtual)
        tables = (served.table for served in self._tables.values())
        self.guests.check_seat(command, person, address, tables)
        if isinstance(command, BuyIn | CashOut) and person.role == "player":
            await self._check_purse(name, command, person)
        opens = command if isinstance(command, OpenTable) else None
        is_new = opens is not None and not is_kept(opens.rulebook, opens.rulebook_text)
        done = await self.do(name, command, actor, request, expected)
        if opens is not None and is_new:
            self.guests.keep_rulebook(person, address, len(opens.rulebook_text))
        if is_rehearsal(name):
            self.table(name).note_work(person.role)
        return done

    async def do(
        self,
        name: str,
        command: TableCommand,
        actor: Actor,
        request: str | None = None,
        expected: Expected = Expected(),  # noqa: B008 - a constant
    ) -> Acknowledgement:
        if isinstance(command, OpenTable) and name not in self._tables:
            return await self._open(name, command, actor, request, expected)
        return await self.table(name).do(command, actor, request=request, expected=expected)

    async def _check_trial(self, name: str, command: TableCommand, person: Person) -> None:
        """Refuse, and record, a command that a guest trying a job may not give at this table."""
        try:
            check_trial_command(person, name, command)
            if is_trial(person) and isinstance(command, OpenTable) and name not in self._tables:
                self._check_room()
        except CroupierError as refusal:
            served = self._tables.get(name)
            if served is not None:
                await served.note_refused(command, Asker(person.role, person.name), refusal)
            raise

    async def assignable(self, name: str, role: str) -> list[str]:
        """Return the people who can be assigned to this role, including operators as floorpersons.
        At a rehearsal table, return those present and the software."""
        served = self.table(name)
        if served.is_rehearsal:
            return sorted({*served.people_at_work(role), f"{SOFTWARE}-{role}"})
        held = {role, "operator"} if role == "floorperson" else {role}
        rows = await self.blocking(self.people.listed)
        names = [row.name for row in rows if row.role in held and not row.disabled]
        by_software = role == "dealer" and served.table.source == "virtual"
        return [*names, SOFTWARE] if by_software else names

    async def _check_assignment(self, name: str, command: Assign, person: Person) -> None:
        """Refuse to assign somebody who does not hold the role, or a dealer to a second live table.
        Rehearsal tables are exempt."""
        served = self.table(name)
        if served.is_rehearsal or person.role not in command.declared.by:
            return
        try:
            names = await self.assignable(name, command.role)
            if command.name and command.name not in names:
                there = f": assign one of {', '.join(map(plain, names))}" if names else ""
                raise Refusal(
                    f"{plain(command.name)} is not {with_article(command.role)} here{there}",
                    code="not_in_role",
                )
            tables = [open_table.table for open_table in self._tables.values()]
            check_one_live_table(served.table, command, tables)
        except Refusal as refusal:
            await served.note_refused(command, Asker(person.role, person.name), refusal)
            raise

    async def _check_deals_here(self, name: str, command: TableCommand, actor: Actor) -> None:
        served = self.table(name)
        if served.is_rehearsal:
            return
        try:
            tables = (table.table for table in self._tables.values())
            check_deals_here(served.table, command, actor, tables)
        except Refusal as refusal:
            await served.note_refused(command, Asker(actor.role, actor.name), refusal)
            raise

    def _check_room(self) -> None:
        if sum(is_rehearsal(name) for name in self._tables) >= MOST_REHEARSALS:
            raise Refusal(
                f"there are {MOST_REHEARSALS} rehearsal tables: close one and open it again",
                code="over_limit",
            )

    # -- links ------------------------------------------------------------------------------

    def link_rows(self) -> list[LinkRow]:
        """Return a row for each link. Blocking: call it in a thread."""
        held = (self._links.read(name) for name in link_names(self.journal))
        return [
            link_row(link_held.link, link_held.version)
            for link_held in held
            if link_held is not None
        ]

    def link_form(self, name: str, before: int | None, limit: int) -> LinkForm:
        """Return a link with its tables and history. Blocking: call it in a thread."""
        held = self._links.read(name)
        if held is None:
            raise NotThere(f"there is no link {name[:60]!r}: GET /api/v1/links lists them")
        tables = {
            member: self._tables[member].table
            for member in held.link.members
            if member in self._tables
        }
        return link_form(self.journal, held.link, held.version, tables, before, limit)

    async def plan_for_link(self, name: str, text: bytes, person: Person, key: str) -> LinkResult:
        """Carry out a link command, once however often it arrives under its key."""
        if person.role not in ANYBODY:
            raise _onlooker_refused(person)
        actor = Actor(person.role, person.name)
        command = link_command_from_json(text, actor)
        if await self.blocking(lambda: self._links.read(name)) is None:
            raise NotThere(f"there is no link {name[:60]!r}: GET /api/v1/links lists them")
        session = LinkSession(self.journal, name, links=self._links)
        done: LinkResult = await self.blocking(
            lambda: session.carry_out(command, actor, f"{actor}:{key}")
        )
        for link in (name, *done.moved_to):
            self._show_link(link, None)
        return done

    # -- people -----------------------------------------------------------------------------

    async def _turned_away(self, name: str, text: bytes, person: Person) -> Refusal:
        """Record the command of someone who may only look, such as an auditor, and return its
        refusal."""
        refusal = _onlooker_refused(person)
        command = command_from_json(text, Actor("player", person.name))
        served, asker = self._tables.get(name), Asker(person.role, person.name)
        if served is not None:
            await served.note_refused(command, asker, refusal)
        return refusal

    async def foresee(self, name: str, text: bytes, person: Person) -> ForeseenForm:
        """Return what a command would do; nothing is written except a refusal of impossible
        cards."""
        if person.role not in ANYBODY:
            raise _onlooker_refused(person)
        actor = Actor(person.role, person.name)
        command = command_from_json(text, actor)
        check_trial_command(person, name, command)
        served = self.table(name)
        try:
            made = await served.foresee(command, actor)
        except BadCards as refusal:
            # Record it: a refused card reveals that it is already on the table.
            await served.note_refused(command, Asker(person.role, person.name), refusal)
            raise
        return ForeseenForm(tuple(describe_plan(made)), any(map(is_grave, made.events)))

    async def _open(
        self,
        name: str,
        command: OpenTable,
        actor: Actor,
        request: str | None,
        expected: Expected,
    ) -> Acknowledgement:
        """Open a new table and add it to the pit."""
        session = JournalSession(self.journal, name, links=self._links)
        done = await self.blocking(lambda: session.carry_out(command, actor, request, expected))
        await self._add(name)
        return Acknowledgement(self.table(name).table.version, done.repeated)

    async def _check_purse(self, name: str, command: BuyIn | CashOut, person: Person) -> None:
        """Refuse chips without money behind them: they come from the player's account with the
        cashier, or from the dealer who took the money. Only in the demo, where chips are worth
        nothing, do players buy in by themselves, up to a limit."""
        settings = self.settings
        if command.account and settings.demo:
            raise Refusal(
                "in the demo chips are worth nothing, so nobody has an account with the cashier",
                code="only_demo",
            )
        if command.account or isinstance(command, CashOut):
            return
        if not settings.demo:
            refusal = Refusal(
                "nobody makes chips by their own word: buy in from your account with the cashier "
                "(account), or at a live table give the money to the dealer, who buys in for you",
                code="needs_cashier",
            )
            await self.table(name).note_refused(command, Asker(person.role, person.name), refusal)
            raise refusal
        if command.amount > settings.most_buy_in:
            raise Refusal(
                f"play chips come {dollars(settings.most_buy_in)} at a time at most",
                code="over_limit",
            )
        brought_back = await self.blocking(lambda: self.journal.balance(f"patron:{person.name}"))
        if command.amount - brought_back > settings.most_bought:
            raise Refusal(
                f"one person has {dollars(settings.most_bought)} of play chips at most: cash out, "
                "or come in as another guest",
                code="over_limit",
            )

    async def get_ready(
        self, name: str, seat: int, person: Person, expected: Expected
    ) -> Acknowledgement:
        """Note that the player of a seat is done betting."""
        served = self.table(name)
        if person.role != "player":
            raise Refusal("players say when they are ready", code="wrong_role")
        expected.check(served.table)
        with self._refusing_without_names(name, person):
            served.check_ready(seat, person.name)
        version, number = served.table.version, served.table.round.number
        if self.journal.is_shared:
            await self.blocking(lambda: self.people.say_ready(name, seat, number, version))
        served.set_ready({**dict.fromkeys(served.clock.ready, version), seat: version})
        return Acknowledgement(version, repeated=False)

    # -- loading and dealing ----------------------------------------------------------------

    async def _add(self, name: str) -> None:
        """Load a table and start dealing it. One at a time: a table added twice would have two
        dealers."""
        async with self._adding:
            if name not in self._tables:
                self._tables[name] = served = await self._loaded(name)
                self._spawn(self._deal(served))

    async def _loaded(self, name: str) -> ServedTable:
        session = JournalSession(self.journal, name, links=self._links, keep_news=True)
        served = ServedTable(session, self.settings, self.pools.tables.limiter, self._writer)
        await served.load()
        if served.is_shut:
            _log.warning(
                "table %s: the round in play is sealed with a key that is not here: put the key of "
                "the machine back and start again, or have a floorperson declare the round void",
                name,
            )
        served.link_changed = lambda link: self._show_link(link, served)
        served.is_dealt_here = lambda: self._is_dealt_here(served)
        if self.journal.is_shared:
            session.lease = lambda: self._leases.token(name)
        return served

    def _is_dealt_here(self, served: ServedTable) -> bool:
        by_software = self.settings.software_dealer or served.is_rehearsal
        return by_software and self._leases.holds(served.name) and not served.is_shut

    async def _deal(self, served: ServedTable) -> None:
        """Run the software dealer of a table, for whenever this worker deals it."""
        while True:
            try:
                await self._deal_on(served)
            except JournalUnavailable as error:
                _log.warning("table %s waits: %s", served.name, error)
                await asyncio.sleep(1)
            except CroupierError as error:
                if error.code not in ("stale", "lease_lost"):
                    _log.warning("table %s: %s", served.name, error)
                await asyncio.sleep(0.05)
                with suppress(CroupierError):
                    await served.catch_up()
            except Exception:
                _log.exception("table %s: the dealer failed", served.name)
                await asyncio.sleep(1)

    async def _deal_on(self, served: ServedTable) -> None:
        """Take one step if one is due; otherwise wait until one may be."""
        served.changed.clear()
        at = now()
        mine = self._is_dealt_here(served)
        coming = served.due() if mine else None
        if coming is not None and coming.at <= at:
            expected = Expected(version=served.table.version)
            try:
                await served.do(coming.command, coming.actor, expected=expected)
            except Refusal:
                if not served.is_rehearsal:
                    raise
                served.rehearsal.rest(served.table.version)
            return
        for seat, player in served.idle(at) if mine else ():
            await served.do(GiveUpSeat(player, seat), DEALER)
            if served.table.rack(player):
                await served.do(CashOut(player, account=not self.settings.demo), DEALER)
        served.note_people()
        wait = LOOK_SECONDS if coming is None else (coming.at - at).total_seconds()
        await pause(served.changed, served.next_look(wait))

    # -- other workers ----------------------------------------------------------------------

    async def _keep_leases(self) -> None:
        while True:
            try:
                won = await to_thread.run_sync(self._leases.renew, list(self._tables))
            except Exception:  # unrenewed leases expire by themselves
                _log.exception("the leases of the tables cannot be renewed")
                won = set()
            for served in [self._tables[name] for name in won]:
                with suppress(CroupierError):
                    await served.catch_up()
                    await self._hear_ready(served)
                served.changed.set()
            await asyncio.sleep(RENEW_SECONDS)

    async def _begin_listening(self) -> None:
        loop = asyncio.get_running_loop()
        listening = threading.Event()

        def hear() -> None:
            while not self._stopping.is_set():
                try:
                    with self.journal.listen() as listener:
                        listening.set()
                        loop.call_soon_threadsafe(self._look_everywhere)
                        while not self._stopping.is_set():
                            moved = listener.wait(0.5)
                            if moved:
                                loop.call_soon_threadsafe(self._heard, moved)
                except JournalUnavailable:
                    self._stopping.wait(0.5)
                except Exception:  # keep going: nobody else listens for this worker
                    _log.exception("listening failed: starting again")
                    self._stopping.wait(0.5)

        self._listener = threading.Thread(target=hear, name="croupier-listener", daemon=True)
        self._listener.start()
        await to_thread.run_sync(lambda: listening.wait(10))

    def _look_everywhere(self) -> None:
        """Catch up on every table, because nothing was heard while the listener was
        disconnected."""
        for served in self._tables.values():
            self._spawn(self._catch_up(served, 0))

    def _heard(self, moved: tuple[StreamGrown, ...]) -> None:
        for grown in moved:
            scope, _, name = grown.stream.partition(":")
            if scope == "link":
                self._spawn(self._read_link(name, grown.version))
                continue
            served = self._tables.get(name)
            if served is None and scope == "table" and name:
                self._spawn(self._join(name))
            elif scope == "session":
                self.session_ended(name)
            elif served is not None and scope == "ready":
                self._spawn(self._hear_ready(served))
            elif served is not None and scope == "table" and grown.version > served.table.version:
                self._spawn(self._catch_up(served, grown.version))

    async def _join(self, name: str) -> None:
        with suppress(CroupierError):
            await self._add(name)

    async def _catch_up(self, served: ServedTable, version: int) -> None:
        with suppress(JournalUnavailable):
            await served.catch_up(version)

    async def _hear_ready(self, served: ServedTable) -> None:
        with suppress(JournalUnavailable):
            await served.catch_up()  # read the bet first: a later bet cancels "ready"
            number = served.table.round.number
            served.set_ready(await self.blocking(lambda: self.people.ready(served.name, number)))

    async def _read_link(self, link: str, version: int) -> None:
        """Read a link whose meters another worker moved. Moves of this worker are already known."""
        held = self._links.known(link)
        if held is None or held.version < version:
            with suppress(JournalUnavailable):
                await self.blocking(lambda: self._links.read(link))
        self._show_link(link, None)

    def _show_link(self, link: str, but: ServedTable | None) -> None:
        """Show a link's meters at its tables, except the one that moved them."""
        for served in self._tables.values():
            if served is not but and served.table.link == link:
                served.show_link()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a task of the pit failed", exc_info=error)


ThePit: TypeAlias = NamedDependency[Pit]


def _place(served: ServedTable) -> tuple[bool, int, str, str]:
    rulebook, name = served.table.rulebook, served.name
    document = DOCUMENTS.index(rulebook) if rulebook in DOCUMENTS else len(DOCUMENTS)
    return is_rehearsal(name), document, rulebook, name


def _is_auditors(text: bytes) -> bool:
    """Return whether auditors may give this command; all their other commands are refused."""
    return "auditor" in command_from_json(text, Actor("player", "auditor")).declared.by


def _onlooker_refused(person: Person) -> Refusal:
    if person.role == "cashier":
        return Refusal("a cashier keeps accounts and does nothing at a table", code="wrong_role")
    who = "an auditor" if person.role == "auditor" else person.role
    return Refusal(f"{who} looks at everything and does nothing", code="wrong_role")
