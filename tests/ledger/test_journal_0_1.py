"""The journal of version 0.1 is kept as it was written.

Plain SQL, and the chain as docs/ledger.md of that version describes it: no code of ours.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.ledger.journal_0_1 import expected, restore

KINDS = (
    "acted betting_opened cards_dealt cards_entered round_voided hand_voided hands_voided "
    "wagers_voided progressive_paid progressive_refused corrected drop_emptied coloured_up tipped "
    "filled credited cashed_out player_left irregularity_noted table_closed deck_shuffled "
    "stub_counted dealing_changed contributed round_reversed awarded terms_changed link_closed "
    "money_received table_left refused"
)


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path = restore(tmp_path_factory.mktemp("0.1") / "journal.db")
    with closing(sqlite3.connect(path)) as database:
        yield database


def test_every_stream_has_its_chain_up_to_the_head_on_record(journal: sqlite3.Connection) -> None:
    heads: dict[str, dict[str, object]] = {}
    previous: dict[str, str] = {}
    query = "SELECT stream, version, at, kind, body, transfers, hash FROM events ORDER BY 1, 2"
    for stream, version, at, kind, body, transfers, digest in journal.execute(query):
        before = previous.get(stream, "0" * 64)
        fields = (before, stream, str(version), at, kind, body, transfers)
        text = b"".join(b"%d:%b\n" % (len(raw), raw) for raw in (f.encode() for f in fields))
        assert digest == hashlib.sha256(text).hexdigest(), (stream, version)
        previous[stream] = digest
        heads[stream] = {"entries": version, "head": digest}
    assert heads == expected()["streams"]


def test_the_transfers_add_up_to_the_balances_on_record(journal: sqlite3.Connection) -> None:
    sums: Counter[str] = Counter()
    for (transfers,) in journal.execute("SELECT transfers FROM events"):
        for source, target, cents in json.loads(transfers):
            sums[source] -= cents
            sums[target] += cents
    stored = dict(journal.execute("SELECT account, cents FROM balances"))
    assert stored == sums == expected()["balances"]
    assert sum(stored.values()) == 0


def test_requests_and_rounds_are_those_on_record(journal: sqlite3.Connection) -> None:
    found: dict[str, dict[str, list[int]]] = {}
    for stream, key, first, last in journal.execute("SELECT * FROM requests"):
        found.setdefault(stream, {})[key] = [first, last]
    assert found == expected()["requests"]
    finished = Counter(stream for (stream,) in journal.execute("SELECT stream FROM chapters"))
    assert finished == {
        f"table:{name}": over
        for name, table in expected()["tables"].items()
        if (over := sum(played["state"] != "in play" for played in table["rounds"]))
    }


def test_it_has_every_kind_of_thing_that_a_migration_must_carry(
    journal: sqlite3.Connection,
) -> None:
    kinds = {kind for (kind,) in journal.execute("SELECT DISTINCT kind FROM events")}
    assert set(KINDS.split()) <= kinds
    tables = expected()["tables"].values()
    documents = {"md-uth", "ma-uth", "md-jackpot", "md-wpt", "md-235", "harbour-holdem"}
    assert {table["rulebook"] for table in tables} == documents
    assert sum(table["phase"] == "deciding" for table in tables) == 1
