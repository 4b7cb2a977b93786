"""Checkpoints at the ends of rounds: many rounds share one, so that signing costs next to nothing.

`CROUPIER_CHECKPOINTS` names where each is kept as well: a file, a folder or another PostgreSQL
database.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from croupier.errors import CroupierError
from croupier.ledger.checkpoints import Checkpoint, take_checkpoint
from croupier.ledger.faults import Conflict
from croupier.ledger.journal import Journal
from croupier.ledger.kept_checkpoints import keep_checkpoint
from croupier.ledger.machine_key import machine_key
from croupier.runtime.clock import now

__all__ = ["RoundSigner", "signing"]

SIGN_SECONDS: Final = 5.0
_log = logging.getLogger("croupier.runtime")


class RoundSigner:
    """Signs what a journal has whenever this process has ended rounds since the last time. A fault
    is logged, and tried again: play never waits for a signature."""

    def __init__(self, journal: Journal, every_seconds: float = SIGN_SECONDS) -> None:
        self._journal = journal
        self._every = every_seconds
        self._signed = journal.chapters_added
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="croupier-signer", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """What has ended by now is signed."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
        self.sign()

    def sign(self) -> None:
        ended = self._journal.chapters_added
        if ended == self._signed:
            return
        try:
            made = take_checkpoint(self._journal, machine_key(), now())
        except Conflict:
            return  # another process signs at this moment; what is missing comes with the next
        except CroupierError as error:
            _log.warning("rounds are not signed: %s", error)
            return
        self._signed = ended
        if made is not None:
            _keep(made)

    def _run(self) -> None:
        while not self._stopping.wait(self._every):
            self.sign()


def _keep(checkpoint: Checkpoint) -> None:
    where = os.environ.get("CROUPIER_CHECKPOINTS")
    if where:
        try:
            keep_checkpoint(checkpoint, where)
        except CroupierError as error:
            _log.warning("a checkpoint is kept in the journal only: %s", error)


@contextmanager
def signing(journal: Journal) -> Iterator[Journal]:
    """For a short use of a journal: rounds that end in here are signed at the end."""
    signer = RoundSigner(journal)
    try:
        yield journal
    finally:
        signer.sign()
