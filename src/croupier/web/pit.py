"""All tables of a server: loaded, dealt, and followed while other workers deal them.

A pit belongs to one worker process. Any number of them share a PostgreSQL: what one writes the
others are told by LISTEN and NOTIFY, and leases say who deals a table.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from anyio import CapacityLimiter, to_thread

from croupier.errors import CroupierError, Refusal
from croupier.ledger.chapters import table_stream
from croupier.ledger.databases import Moved
from croupier.ledger.scribe import Scribe
from croupier.ledger.store import Store, StoreUnavailable
from croupier.money import dollars
from croupier.tables.commands import CashOut, GiveUpSeat
from croupier.web import forms
from croupier.web.dealing import DEALER
from croupier.web.desk import Desk, Done
from croupier.web.keeping import Expected, Keeper
from croupier.web.leases import AllMine, Leases, PostgresLeases
from croupier.web.orders import actor_of, order_of
from croupier.web.people import People, Person
from croupier.web.problems import NotThere
from croupier.web.settings import Settings

__all__ = ["Pit"]

THREADS: Final = 16
LEASE_SECONDS: Final = 0.5
LOOK_SECONDS: Final = 20.0
"""So often a dealer looks at a quiet table: somebody may have fallen asleep at it."""

_log = logging.getLogger("croupier.web")
_encode: Final = msgspec.json.Encoder().encode


class Pit:
    def __init__(self, store: Store, people: People, settings: Settings) -> None:
        self.store = store
        self.people = people
        self.settings = settings
        self.shares = store._database.writers > 1
        self._leases: Leases = PostgresLeases(store) if self.shares else AllMine()
        self._desks: dict[str, Desk] = {}
        self._limiter: CapacityLimiter | None = None
        self._scribe: Scribe | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = threading.Event()
        self._listener: threading.Thread | None = None

    async def start(self) -> None:
        self._limiter = CapacityLimiter(THREADS)
        self._scribe = Scribe(self.store)
        if self.shares:
            await self._begin_listening()
        prefix = table_stream("")
        names = await self.blocking(lambda: self.store.streams(prefix))
        for stream in names:
            await self._add(stream.removeprefix(prefix))
        if self.shares:
            self._spawn(self._keep_leases())

    async def stop(self) -> None:
        self._stopping.set()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._scribe is not None:
            await self._scribe.close()
        if self._listener is not None:
            await to_thread.run_sync(self._listener.join)
        await to_thread.run_sync(self._leases.close)

    async def blocking(self, work: Any) -> Any:
        return await to_thread.run_sync(work, limiter=self._limiter)

    # -- asking -----------------------------------------------------------------------------

    @property
    def desks(self) -> Iterable[Desk]:
        return [self._desks[name] for name in sorted(self._desks)]

    def desk(self, name: str) -> Desk:
        found = self._desks.get(name)
        if found is None:
            raise NotThere(f"there is no table {name[:60]!r}: GET /api/v1/tables lists them")
        return found

    async def carry_out(self, name: str, form: forms.CommandForm, person: Person, key: str) -> Done:
        """A command of a person's: done once however often it arrives under its key."""
        desk, who = self.desk(name), person.onlooker
        actor = actor_of(who)
        if isinstance(form, forms.ReadyForm):
            return await self._get_ready(desk, form, person)
        if isinstance(form, forms.BuyInForm) and person.guest:
            self._check_purse(form)
        command = order_of(form, who, desk.table)
        expected = Expected(getattr(form, "round", 0), getattr(form, "decision", ""))
        request = (f"{person.role} {person.name}", key, _encode(form))
        return await desk.do(command, actor, request=request, expected=expected)

    def _check_purse(self, form: forms.BuyInForm) -> None:
        from croupier.money import parse_cents

        if parse_cents(form.amount) > self.settings.most_buy_in:
            raise Refusal(
                f"a guest buys in for at most {dollars(self.settings.most_buy_in)} at a time",
                code="over_limit",
            )

    async def _get_ready(self, desk: Desk, form: forms.ReadyForm, person: Person) -> Done:
        if person.role != "player":
            raise Refusal("players say when they are ready", code="wrong_role")
        Expected(form.round).check(desk.table)
        desk.check_ready(form.seat, person.name)
        version, number = desk.table.version, desk.table.round.number
        if self.shares:
            await self.blocking(
                lambda: self.people.say_ready(desk.name, form.seat, number, version)
            )
        desk.set_ready({**dict.fromkeys(desk.ready, version), form.seat: version})
        return Done(version, repeated=False)

    # -- tables -----------------------------------------------------------------------------

    async def _add(self, name: str) -> Desk:
        keeper = Keeper(self.store, name, is_shared=self.shares)
        desk = Desk(keeper, self.settings, self._limiter, self._scribe)
        await desk.load()
        desk.link_changed = lambda link: self._tell_link(link, desk)
        desk.is_dealt_here = lambda: self.settings.software_dealer and self._leases.holds(name)
        self._desks[name] = desk
        self._spawn(self._deal(desk))
        return desk

    async def _deal(self, desk: Desk) -> None:
        """The dealer by software, whenever this worker holds the table."""
        while True:
            try:
                await self._deal_on(desk)
            except StoreUnavailable as error:
                _log.warning("table %s waits: %s", desk.name, error)
                await asyncio.sleep(1)
            except CroupierError as error:
                if error.code != "stale":
                    _log.warning("table %s: %s", desk.name, error)
                await asyncio.sleep(0.05)
                with suppress(CroupierError):
                    await desk.catch_up()
            except Exception:
                _log.exception("table %s: the dealer stumbled", desk.name)
                await asyncio.sleep(1)

    async def _deal_on(self, desk: Desk) -> None:
        """One step, if one is due; else wait until one may be."""
        desk.changed.clear()
        now = datetime.now(UTC)
        mine = self._leases.holds(desk.name) and self.settings.software_dealer
        coming = desk.due() if mine else None
        if coming is not None and coming.at <= now:
            expected = Expected(version=desk.table.version)
            await desk.do(coming.make(), coming.actor, expected=expected)
            return
        for seat, player in desk.idle(now) if mine else ():
            await desk.do(GiveUpSeat(player, seat), DEALER)
            if desk.table.rack(player):
                await desk.do(CashOut(player), DEALER)
        wait = LOOK_SECONDS if coming is None else (coming.at - now).total_seconds()
        with suppress(TimeoutError):
            await asyncio.wait_for(desk.changed.wait(), wait)

    # -- other workers ----------------------------------------------------------------------

    async def _keep_leases(self) -> None:
        while True:
            won = await to_thread.run_sync(self._leases.renew, list(self._desks))
            for desk in [self._desks[name] for name in won]:
                with suppress(CroupierError):
                    await desk.catch_up()
                    await self._hear_ready(desk)
                desk.changed.set()
            await asyncio.sleep(LEASE_SECONDS)

    async def _begin_listening(self) -> None:
        loop = asyncio.get_running_loop()
        listening = threading.Event()

        def hear() -> None:
            while not self._stopping.is_set():
                try:
                    with self.store.listen() as listener:
                        listening.set()
                        loop.call_soon_threadsafe(self._look_everywhere)
                        while not self._stopping.is_set():
                            moved = listener.wait(0.5)
                            if moved:
                                loop.call_soon_threadsafe(self._heard, moved)
                except StoreUnavailable:
                    self._stopping.wait(0.5)

        self._listener = threading.Thread(target=hear, name="croupier-listener", daemon=True)
        self._listener.start()
        await to_thread.run_sync(lambda: listening.wait(10))

    def _look_everywhere(self) -> None:
        """After the ear was closed for a while anything may have been said."""
        for desk in self._desks.values():
            self._spawn(self._catch_up(desk, 0))

    def _heard(self, moved: tuple[Moved, ...]) -> None:
        for one in moved:
            kind, _, name = one.stream.partition(":")
            if kind == "link":
                self._tell_link(name, None, one.version)
                continue
            desk = self._desks.get(name)
            if desk is None and kind == "table" and name:
                self._spawn(self._join(name))
            elif desk is not None and kind == "ready":
                self._spawn(self._hear_ready(desk))
            elif desk is not None and kind == "table" and one.version > desk.table.version:
                self._spawn(self._catch_up(desk, one.version))

    async def _join(self, name: str) -> None:
        if name not in self._desks:
            with suppress(CroupierError):
                await self._add(name)

    async def _catch_up(self, desk: Desk, version: int) -> None:
        with suppress(StoreUnavailable):
            await desk.catch_up(version)

    async def _hear_ready(self, desk: Desk) -> None:
        with suppress(StoreUnavailable):
            await desk.catch_up()  # the bet comes before the word: heard later, it would undo it
            number = desk.table.round.number
            desk.set_ready(await self.blocking(lambda: self.people.ready(desk.name, number)))

    def _tell_link(self, link: str, but: Desk | None, version: int = 0) -> None:
        """Meters are shared: the other tables of the link show them as well."""
        for desk in self._desks.values():
            if desk is not but and desk.table.link == link:
                self._spawn(desk.refresh_link(version))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a task of the pit failed", exc_info=error)
