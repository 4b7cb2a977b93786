"""Refused attempts, shortened and counted, so that repeated attempts do not fill the disk.

Attempts of one kind share person, command, reason and table. The first eight in ten minutes are
written one by one; after that an entry is written each time their number has doubled, with the
number of attempts it represents. At most two hundred entries in ten minutes are written per table;
further kinds are counted together as one. Long commands are cut.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final
from weakref import WeakKeyDictionary

import msgspec

from croupier.errors import CroupierError
from croupier.ledger.entries import Addition, NewEntry
from croupier.ledger.faults import Conflict
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import Asker, Attempt
from croupier.rounds.declaration import to_json

WINDOW: Final = timedelta(minutes=10)
ALONE: Final = 8
MOST_ENTRIES: Final = 200
MOST_KINDS: Final = 5000
MOST_MESSAGE: Final = 300
MOST_COMMAND: Final = 600
MOST_FIELD: Final = 80
TRIES: Final = 50

_SEVERAL: Final = "several"


class _Kind:
    """Attempts of one kind since the first of them in this window."""

    def __init__(self, since: datetime) -> None:
        self.since = since
        self.seen = 0
        self.unwritten = 0

    def is_over(self, now: datetime) -> bool:
        # A clock that was set back also ends the window.
        return not self.since <= now < self.since + WINDOW


class AttemptLog:
    """The refused attempts of one journal, in one process."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._kinds: dict[tuple[str, ...], _Kind] = {}
        self._entries: dict[str, _Kind] = {}
        self._lock = threading.Lock()

    def record(
        self,
        stream: str,
        command: bytes,
        asker: Asker,
        refusal: CroupierError,
        clock: Callable[[], datetime],
    ) -> None:
        """Record a refused attempt; `command` is JSON. On return the attempt is on disk, or
        counted."""
        tag = _tag(command)
        repeated = (stream, asker.role, asker.name, tag, refusal.code, refusal.clause or "")
        times = self._due(repeated, clock())
        if times is None:
            return
        if times == 0:  # too many kinds at this table
            times = self._due((stream, _SEVERAL), clock()) or 0
            if not times:
                return
            asker = Asker(asker.role, _SEVERAL)
        attempt = Attempt(
            msgspec.Raw(shortened(command)),
            asker,
            refusal.code,
            _cut(refusal.message, MOST_MESSAGE),
            refusal.clause,
            times,
        )
        self._write(stream, NewEntry("refused", to_json(attempt)), clock)

    def _due(self, attempt: tuple[str, ...], now: datetime) -> int | None:
        """Return how many attempts an entry written now represents; None if the attempt is only
        counted, 0 if the table has too many entries already."""
        with self._lock:
            repeats = self._kinds.get(attempt)
            if repeats is None or repeats.is_over(now):
                left = repeats.unwritten if repeats is not None else 0
                if not self._has_room(attempt, now):
                    return 0
                repeats = self._kinds[attempt] = _Kind(now)
                repeats.unwritten = left
            repeats.seen += 1
            repeats.unwritten += 1
            if repeats.seen > ALONE and repeats.seen & (repeats.seen - 1):
                return None
            times, repeats.unwritten = repeats.unwritten, 0
            self._entries[attempt[0]].seen += 1
            return times

    def _has_room(self, attempt: tuple[str, ...], now: datetime) -> bool:
        written = self._entries.get(attempt[0])
        if written is None or written.is_over(now):
            written = self._entries[attempt[0]] = _Kind(now)
        if len(self._kinds) > MOST_KINDS:
            self._kinds = {
                key: repeats for key, repeats in self._kinds.items() if not repeats.is_over(now)
            }
        if attempt[1] == _SEVERAL:
            return True
        return written.seen < MOST_ENTRIES and len(self._kinds) <= MOST_KINDS

    def _write(self, stream: str, entry: NewEntry, clock: Callable[[], datetime]) -> None:
        journal = self._journal
        for _ in range(TRIES):
            try:
                journal.add(Addition(stream, journal.head(stream).version, (entry,)), at=clock())
            except Conflict:
                continue
            return


_LOGS: Final[WeakKeyDictionary[Journal, AttemptLog]] = WeakKeyDictionary()


def attempt_log(journal: Journal) -> AttemptLog:
    """Return the log shared by all tables and links of a journal."""
    log = _LOGS.get(journal)
    if log is None:
        log = _LOGS.setdefault(journal, AttemptLog(journal))
    return log


def shortened(command: bytes) -> bytes:
    """Return the command with long fields cut, or only its type if it is still too long."""
    if len(command) <= MOST_COMMAND:
        return command
    fields: dict[str, Any] = msgspec.json.decode(command)
    cut = {name: _short(value) for name, value in fields.items()}
    text = msgspec.json.encode(cut)
    return text if len(text) <= MOST_COMMAND else msgspec.json.encode({"type": fields.get("type")})


def _short(value: Any) -> Any:
    if isinstance(value, str):
        return _cut(value, MOST_FIELD)
    return value if len(msgspec.json.encode(value)) <= MOST_FIELD else "…"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _tag(command: bytes) -> str:
    fields = msgspec.json.decode(command)
    return str(fields.get("type", "")) if isinstance(fields, dict) else ""
