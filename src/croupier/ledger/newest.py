"""The newest records of one kind that a table's stream holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeVar

__all__ = ["Newest"]

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
