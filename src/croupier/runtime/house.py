"""All tables of a journal: a session for each, with shared links, clock and random source."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from croupier.deck_care.next_steps import NextStep
from croupier.ledger.entries import seconds
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import table_stream
from croupier.progressives import Link
from croupier.randomness.shuffling import Source, from_system
from croupier.rounds.commands import OpenBetting
from croupier.rounds.declaration import Actor
from croupier.runtime.clock import now
from croupier.runtime.journal_session import ANYTHING, Expected, JournalSession
from croupier.runtime.links import Links
from croupier.tables.commands import TableCommand
from croupier.tables.events import TableEvent
from croupier.tables.planning import CommandPlan
from croupier.tables.state import Table


class House:
    def __init__(
        self,
        journal: Journal,
        *,
        clock: Callable[[], datetime] = now,
        draw: Source = from_system,
    ) -> None:
        self.journal = journal
        self.links = Links(journal)
        self._clock = clock
        self._draw = draw
        self._sessions: dict[str, JournalSession] = {}

    def tables(self) -> tuple[str, ...]:
        prefix = table_stream("")
        return tuple(stream.removeprefix(prefix) for stream in self.journal.streams(prefix))

    def session(self, name: str) -> JournalSession:
        """Return the session of a table, even if the table has never been opened."""
        session = self._sessions.get(name)
        if session is None:
            session = JournalSession(
                self.journal, name, links=self.links, clock=self._clock, draw=self._draw
            )
            session = self._sessions.setdefault(name, session)
        return session

    def table(self, name: str) -> Table:
        """Return the table as it is in the journal now."""
        return self.session(name).table

    def all_tables(self) -> list[Table]:
        return [self.table(name) for name in self.tables()]

    def link(self, name: str) -> Link | None:
        held = self.links.read(name)
        return None if held is None else held.link

    def do(
        self,
        name: str,
        command: TableCommand,
        actor: Actor,
        request: str | None = None,
        expected: Expected = ANYTHING,
    ) -> tuple[TableEvent, ...]:
        """Carry out a command. On return its events are on disk."""
        return self.session(name).do(command, actor, request, expected)

    def foresee(self, name: str, command: TableCommand, actor: Actor) -> CommandPlan:
        return self.session(name).foresee(command, actor)

    def open_betting(self, name: str, actor: Actor) -> tuple[TableEvent, ...]:
        """Open the next round; a virtual table gets a freshly shuffled and sealed deck."""
        return self.do(name, OpenBetting(), actor)

    def next_steps(self, name: str) -> tuple[NextStep, ...]:
        return self.session(name).next_steps()

    def now(self) -> int:
        """Return the time in seconds since 1970, for rules about hours."""
        return seconds(self._clock())
