"""The commands of one table: drafted in order, written together, answered once they are on disk."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final, NamedTuple, Protocol

from croupier.errors import CroupierError
from croupier.ledger.batch_writer import BatchWriter
from croupier.ledger.faults import JournalUnavailable
from croupier.rounds.declaration import Actor
from croupier.runtime.dealer import DueCommand
from croupier.runtime.journal_session import Draft, Expected, JournalSession
from croupier.tables import events as table_events
from croupier.tables.commands import TableCommand
from croupier.tables.events import TableEvent
from croupier.web.server.problems import Overloaded

MOST_AT_ONCE: Final = 100
MOST_QUEUED: Final = 200
"""Number of people's commands that may wait at one table; further ones are refused."""
MOST_DRAFTED: Final = 20
"""Number of a table's commands planned in a row before other tables get their turn."""


class Acknowledgement(NamedTuple):
    """The table's version after the command. `repeated`: it had already been done. `waits`: a
    second person must confirm it first."""

    version: int
    repeated: bool
    waits: bool = False


class _Queued:
    """A command in the queue, with its answer once there is one."""

    def __init__(
        self, command: TableCommand, actor: Actor, request: str | None, expected: Expected
    ) -> None:
        self.command, self.actor = command, actor
        self.request, self.expected = request, expected
        self.answer: Acknowledgement | None = None
        self.error: Exception | None = None

    @property
    def is_answered(self) -> bool:
        return self.answer is not None or self.error is not None


class Owner(Protocol):
    """The table that a queue belongs to."""

    async def blocking(self, work: Callable[[], Any]) -> Any: ...
    def next_of_software(self, draft: Draft) -> DueCommand | None:
        """Return what the software dealer does right after this draft, without a pause."""

    def show_news(self) -> None: ...


class CommandQueue:
    """The command queue of one table. It belongs to the event loop; blocking work goes to a thread.
    `turn` is held while the table changes."""

    def __init__(self, owner: Owner, session: JournalSession, writer: BatchWriter | None) -> None:
        self._owner = owner
        self._session = session
        self._writer = writer
        self.turn = asyncio.Lock()
        self._waiting: deque[_Queued] = deque()

    async def do(
        self, command: TableCommand, actor: Actor, request: str | None, expected: Expected
    ) -> Acknowledgement:
        """Carry a command out when its turn comes. `request` is its idempotency key."""
        if request is not None and len(self._waiting) >= MOST_QUEUED:
            raise Overloaded(
                f"too many people ask something of table {self._session.name}: try again"
            )
        queued = _Queued(command, actor, request, expected)
        self._waiting.append(queued)
        try:
            async with self.turn:
                if not queued.is_answered:
                    await self._answer_all()
        finally:
            with suppress(ValueError):  # canceled before its turn: never carried out
                self._waiting.remove(queued)
        if queued.error is not None:
            raise queued.error
        assert queued.answer is not None
        return queued.answer

    async def _answer_all(self) -> None:
        """Carry out everything in the queue, in order. Commands drafted together are written to the
        journal at once."""
        queue, self._waiting = self._waiting, deque()
        everything = list(queue)
        try:
            while queue:
                drafts = self._draft(queue)
                planned = [draft for _, draft in drafts]
                if drafts and await self._append(planned + self._draft_dealing(planned)):
                    for queued, draft in drafts:
                        version = draft.after.table.version
                        queued.answer = Acknowledgement(version, False, _waits(draft.plan.events))
                    continue
                for queued in [queued for queued, _ in drafts] or [queue.popleft()]:
                    await self._answer(queued)
        finally:
            for queued in everything:
                if not queued.is_answered:
                    queued.error = JournalUnavailable("the server stops: try the same again")

    def _draft(self, queue: deque[_Queued]) -> list[tuple[_Queued, Draft]]:
        """Draft commands from the front of the queue while that needs no journal read, at most
        `MOST_DRAFTED` of them."""
        drafts: list[tuple[_Queued, Draft]] = []
        last: Draft | None = None
        keys: set[str | None] = set()
        while self._writer is not None and queue and len(drafts) < MOST_DRAFTED:
            queued = queue[0]
            if queued.request and queued.request in keys:
                break
            if not self._session.can_draft(queued.command, queued.expected, last):
                break
            try:
                last = self._session.draft(
                    queued.command, queued.actor, queued.request, queued.expected, on=last
                )
            except Exception:  # raised again, and recorded, when it is answered alone
                break
            keys.add(queued.request)
            drafts.append((queue.popleft(), last))
        return drafts

    def _draft_dealing(self, drafts: list[Draft]) -> list[Draft]:
        """Draft what the software dealer does right after. Nobody sees a state in between, so all
        of it is written at once."""
        more: list[Draft] = []
        last = drafts[-1]
        while len(more) < MOST_AT_ONCE:
            coming = self._owner.next_of_software(last)
            if coming is None or not self._session.can_draft(coming.command):
                break
            try:
                last = self._session.draft(coming.command, coming.actor, on=last)
            except Exception:  # raised again on the dealer's turn
                break
            more.append(last)
        return more

    async def _append(self, drafts: list[Draft]) -> bool:
        """Write the drafts. Return False, with nothing written, if somebody else wrote first."""
        assert self._writer is not None
        try:
            await self._writer.write([draft.write for draft in drafts])
        except CroupierError:
            return False
        for draft in drafts:
            self._session.adopt(draft)
        self._owner.show_news()
        return True

    async def _answer(self, queued: _Queued) -> None:
        """Carry out one command by itself, reading the journal."""
        try:
            done = await self._owner.blocking(
                lambda: self._session.carry_out(
                    queued.command, queued.actor, queued.request, queued.expected
                )
            )
        except Exception as error:
            queued.error = error
        else:
            known = self._session.known
            assert known is not None
            version = known.table.version
            queued.answer = Acknowledgement(version, done.repeated, _waits(done.events))
        self._owner.show_news()


def _waits(events: Iterable[TableEvent]) -> bool:
    return any(isinstance(event, table_events.Proposed) for event in events)
