"""The progressive links of a process, as the journal has them."""

from __future__ import annotations

from contextlib import suppress
from threading import Lock
from typing import NamedTuple

from croupier import progressives
from croupier.errors import BadData
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import (
    link_record,
    link_stream,
)
from croupier.progressives import Link

__all__ = ["HeldLink", "Links"]


class HeldLink(NamedTuple):
    link: Link
    version: int


class Links:
    """The progressive links as this process last read or wrote them, shared by all its tables."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._held: dict[str, HeldLink] = {}
        self._lock = Lock()

    def known(self, name: str) -> HeldLink | None:
        """What is in memory, without a look into the journal."""
        return self._held.get(name)

    def get(self, name: str) -> HeldLink | None:
        return self._held.get(name) or self.read(name)

    def read(self, name: str) -> HeldLink | None:
        """The link as it is in the journal now."""
        held = self._held.get(name)
        link, version = held if held is not None else self._snapshot(name)
        stream = link_stream(name)
        self._journal.head(stream)  # the journal keeps it: the next write needs its hash
        for entry in self._journal.read(stream, after=version):
            for event in link_record(entry).events:
                link = progressives.evolve(link, event)
            version = entry.version
        if link is None:
            return None
        self.adopt(name, HeldLink(link, version))
        return self._held[name]

    def _snapshot(self, name: str) -> tuple[Link | None, int]:
        snapshot = self._journal.snapshot(link_stream(name))
        if snapshot is not None:
            with suppress(BadData):  # without it, reading takes longer
                return progressives.from_json(snapshot.body), snapshot.version
        return None, 0

    def adopt(self, name: str, held: HeldLink) -> None:
        """Keep what was written or read, unless a newer version is known."""
        with self._lock:
            known = self._held.get(name)
            if known is None or known.version < held.version:
                self._held[name] = held

    def is_current(self, name: str) -> bool:
        held = self._held.get(name)
        version = held.version if held is not None else 0
        return self._journal.head(link_stream(name)).version == version
