"""Checkpoints of a journal in use: signed when it is opened, on a timer, and when it is closed.

`CROUPIER_CHECKPOINTS` names where each is kept as well: a file, a folder or another PostgreSQL
database.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from croupier.errors import CroupierError
from croupier.ledger.checkpoints.checkpoints import Checkpoint, take_checkpoint
from croupier.ledger.checkpoints.kept import keep_checkpoint
from croupier.ledger.faults import Conflict
from croupier.ledger.journal import Journal
from croupier.ledger.signatures.machine_key import machine_key
from croupier.runtime.clock import now

SIGN_SECONDS: Final = 5.0
LOOK_SECONDS: Final = 60.0
"""Interval at which a server also signs what other processes have added."""
_log = logging.getLogger("croupier.runtime")


class JournalSigner:
    """Signs the journal whenever this process has added entries since the last signature. A failure
    is logged and tried again: play never waits for a signature."""

    def __init__(self, journal: Journal, every_seconds: float = SIGN_SECONDS) -> None:
        self._journal = journal
        self._every = every_seconds
        self._signed = journal.entries_added
        self._kept: Checkpoint | None = None
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="croupier-signer", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the timer and sign everything added so far."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
        self.sign()

    def sign(self, *, by_others: bool = False) -> None:
        """Sign the journal if this process has added entries; with `by_others`, even if it has
        not."""
        added = self._journal.entries_added
        if added == self._signed and not by_others:
            return
        try:
            made = take_checkpoint(self._journal, machine_key(), now())
        except Conflict:
            return  # another process is signing now; the next checkpoint includes the rest
        except CroupierError as error:
            _log.warning("the journal is not signed: %s", error)
            return
        self._signed = added
        if made is not None and made != self._kept:
            _keep(made)
        self._kept = made

    def _run(self) -> None:
        self.sign(by_others=True)
        looked = time.monotonic()
        while not self._stopping.wait(self._every):
            is_due = time.monotonic() - looked >= LOOK_SECONDS
            looked = time.monotonic() if is_due else looked
            self.sign(by_others=is_due)


def _keep(checkpoint: Checkpoint) -> None:
    where = os.environ.get("CROUPIER_CHECKPOINTS")
    if where:
        try:
            keep_checkpoint(checkpoint, where)
        except CroupierError as error:
            _log.warning("a checkpoint is kept in the journal only: %s", error)


@contextmanager
def signing(journal: Journal) -> Iterator[Journal]:
    """Sign at the end what was added inside: for a short use of a journal."""
    signer = JournalSigner(journal)
    try:
        yield journal
    finally:
        signer.sign()
