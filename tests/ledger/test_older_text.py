"""Records grow by fields with defaults: a journal written before still verifies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.ledger.checkpoints import checkpoint_records
from croupier.ledger.journal import open_journal
from croupier.ledger.older_text import is_state_of, is_text_of
from croupier.ledger.verify import verify
from croupier.rounds.declaration import from_json, to_json
from croupier.tables.state import Table
from tests.ledger.kept_journals import SEALED, restore


def test_a_sealed_and_signed_journal_of_0_2_verifies_by_its_own_rules(tmp_path: Path) -> None:
    """Its last round is in play, and the key of the machine that dealt it is not here."""
    with open_journal(restore(tmp_path / "journal.db", SEALED)) as store:
        found = verify(store)
        first, *_ = checkpoint_records(store)
        again = verify(store, kept=[first.checkpoint])
    assert found.differences == again.differences == ()
    assert (found.entries, found.rounds, found.signed.checkpoints) == (140, 7, 2)
    assert [(note.stream, note.message) for note in found.notes] == [
        ("table:md-uth", "round 5 is in play: its cards are sealed until its end"),
        (
            "keys",
            "the MACs of 140 entries cannot be checked: it was written before entries had MACs, on "
            "a machine with another key",
        ),
    ]


def test_a_journal_of_the_first_day_of_form_2_verifies(tmp_path: Path) -> None:
    with open_journal(restore(tmp_path / "journal.db")) as store:
        found = verify(store)
    assert found.differences == ()
    assert (found.entries, found.rounds) == (3847, 243), "one says that the others had no MACs"


def test_a_field_that_came_later_may_be_missing() -> None:
    assert is_text_of(b'{"a":1}', b'{"a":1,"b":[]}')
    assert is_text_of(b'[{"a":{"b":1}},2]', b'[{"a":{"b":1,"c":""},"d":0},2]')


@pytest.mark.parametrize(
    "written",
    [
        b'{"a":2}',
        b'{"a":true}',
        b'{"z":0,"a":1}',
        b'{"b":[],"a":1}',
        b'{"a": 1}',
        b'{"a":1,"a":1}',
        b'{"a":1,"b":[0]}',
        b"[]",
    ],
)
def test_anything_else_is_another_text(written: bytes) -> None:
    assert not is_text_of(written, b'{"a":1,"b":[]}')


def test_a_snapshot_of_before_may_lack_fields_and_nothing_else() -> None:
    table = Table("T1", "md-uth", money={"drop": 5}, last_call=3)
    written = to_json(table)
    older = msgspec.json.decode(written)
    del older["last_call"]
    body = msgspec.json.encode(older)
    assert is_state_of(body, from_json(body, Table), table)
    wrong: dict[str, Any]
    for wrong in ({"money": {}}, {"money": {"drop": 6}}, {"rulebook": "md-235"}, {"last_call": 4}):
        bad = msgspec.json.encode(older | wrong)
        assert not is_state_of(bad, from_json(bad, Table), table)
