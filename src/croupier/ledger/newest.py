"""The newest records of one kind in a stream of the journal: the last n, or those since a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Generic, Protocol, TypeVar

from croupier.ledger.entries import Entry
from croupier.ledger.journal import Journal

__all__ = ["Newest", "Recent"]

_CHUNK: Final = 1000
_DEPTH: Final = 20_000
T = TypeVar("T")


class Newest(Generic[T]):
    """Looked for backwards once, and from then on only among the new entries. `read(after, up_to)`
    returns the records of these entries in order."""

    def __init__(self, read: Callable[[int, int], Iterable[T]], most: int) -> None:
        self._read = read
        self._most = most
        self._version = 0
        self._records: list[T] = []

    def up_to(self, version: int) -> tuple[T, ...]:
        """Up to this version of the table, the newest first."""
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
    """All records since a time, however many; only new entries are read again. `records(entry)`
    returns those of one entry."""

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
        """Since this time, up to this version of the table, the newest first."""
        if not self._version or at < self._since:
            entries = [e for e in self._journal.since(self._stream, at) if e.version <= version]
            self._records = [record for e in reversed(entries) for record in self._of(e)]
        elif version > self._version:
            for entry in self._journal.read(self._stream, self._version, version):
                self._records += self._of(entry)
        self._version, self._since = max(self._version, version), at
        self._records = [record for record in self._records if record.at >= at]
        return tuple(reversed(self._records))
