"""Which versions of the program have run on a journal: an entry each time another one starts."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from typing import Final

import msgspec

from croupier.ledger.entries import Addition, NewEntry
from croupier.ledger.faults import Conflict
from croupier.ledger.journal import Journal
from croupier.runtime.selfcheck import SelfCheck

__all__ = ["PROGRAMS", "note_program"]

PROGRAMS: Final = "program:versions"


def note_program(journal: Journal, checked: SelfCheck) -> bool:
    """Written unless the last entry says the same. Was it another one?"""
    told = {
        "version": checked.version,
        "digest": checked.digest,
        "state": checked.state,
        "python": platform.python_version(),
    }
    body = msgspec.json.encode(told)
    for _ in range(20):
        head = journal.head(PROGRAMS).version
        last = next(iter(journal.read(PROGRAMS, head - 1)), None) if head else None
        if last is not None and last.body == body:
            return False
        try:
            entry = NewEntry("started", body)
            journal.add(Addition(PROGRAMS, head, (entry,)), at=datetime.now(UTC))
        except Conflict:
            continue
        return True
    return False
