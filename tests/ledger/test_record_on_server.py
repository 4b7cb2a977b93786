"""Sealing, signing, walking and pruning on a server, as on a file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

import croupier
from croupier.errors import Refusal
from croupier.ledger.checkpoints.checkpoints import take_checkpoint
from croupier.ledger.checkpoints.kept import keep_checkpoint, kept_checkpoints
from croupier.ledger.checkpoints.pruning import prune_attempts
from croupier.ledger.journal import open_journal, open_to_read
from croupier.ledger.records.table_entries import Asker
from croupier.ledger.signatures.machine_key import machine_key
from croupier.ledger.verification.verify import verify
from croupier.runtime.journal_session import JournalSession
from croupier.tables.commands import OpenTable
from tests.postgres import Server


def _at(moment: datetime) -> datetime:
    return moment


def test_the_record_on_a_server(postgres_server: Server) -> None:
    url, elsewhere = postgres_server.fresh(), postgres_server.fresh()
    with croupier.open_journal(url) as journal:
        for weeks in range(6, 0, -1):
            then = datetime.now(UTC) - timedelta(weeks=weeks)
            JournalSession(journal.ledger, "one", clock=partial(_at, then)).record_attempt(
                OpenTable("one", "md-uth"), Asker("operator", "Olga"), Refusal("not tonight")
            )
            take_checkpoint(journal.ledger, machine_key(), then)
        table = journal.open_table("md-uth", name="one", seed=1)
        table.sit("Ann", 1, buy_in=500)
        table.play("random", {"ante": 5, "blind": 5})
        table.bet("Ann", ante=5, blind=5)
        table.deal()
        made = take_checkpoint(journal.ledger, machine_key())
        assert made is not None
        for _ in range(2):
            keep_checkpoint(made, elsewhere)
        with pytest.raises(croupier.CroupierError, match="that database has a journal"):
            keep_checkpoint(made, url)
        assert kept_checkpoints(elsewhere) == (made,)
        assert prune_attempts(journal.ledger, 30).entries == 2
        assert verify(journal.ledger, kept=[made], jobs=2).valid
    with croupier.open_journal(url) as journal:
        journal.table("one").play("random")
        found = journal.verify(kept=kept_checkpoints(elsewhere))
        assert found.valid
        assert not found.notes


def test_an_empty_database_is_no_journal_and_stays_empty(postgres_server: Server) -> None:
    url = postgres_server.fresh()
    for _ in range(2):
        with pytest.raises(croupier.CroupierError, match="an empty database, not a journal"):
            open_to_read(url)
    with open_journal(url) as journal:
        assert journal.streams() == ()
