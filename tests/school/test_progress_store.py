"""What each person has practiced: found again, changed by one at a time, never back in time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from croupier.errors import BadData, BadRequest, Refusal
from croupier.ledger.journal import Journal
from croupier.school.progress_store import ProgressStore, RecordType


class Drill(msgspec.Struct, frozen=True):
    answers: int = 0


DRILLS = RecordType("drill", Drill)
OTHERS = RecordType("other", Drill)


def once_more(drill: Drill | None) -> Drill:
    return Drill((drill or Drill()).answers + 1)


def test_a_record_belongs_to_person_kind_and_key(journal: Journal) -> None:
    store = ProgressStore(journal)
    store.put("Ann", DRILLS, "river", Drill(1))
    store.put("Ann", DRILLS, "flop", Drill(2))
    store.put("Bea", DRILLS, "river", Drill(3))
    store.put("Ann", OTHERS, "river", Drill(4))
    again = ProgressStore(journal)
    assert again.get("Ann", DRILLS, "river") == Drill(1)
    assert again.get("Ann", DRILLS, "turn") is None
    assert [(one.key, one.record.answers) for one in again.of_person("Ann", DRILLS)] == [
        ("flop", 2),
        ("river", 1),
    ]
    assert [one.person for one in again.of_everybody(DRILLS, "river")] == ["Ann", "Bea"]
    assert again.drop("Ann", DRILLS, "river")
    assert not again.drop("Ann", DRILLS, "river")
    again.forget("Ann")
    assert [one.person for one in again.of_everybody(DRILLS)] == ["Bea"]


def test_two_at_once_lose_no_change(journal: Journal) -> None:
    store = ProgressStore(journal)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: store.change("Ann", DRILLS, "river", once_more), range(20)))
    assert store.get("Ann", DRILLS, "river") == Drill(20)


def test_a_change_that_is_refused_leaves_everything(journal: Journal) -> None:
    store = ProgressStore(journal)
    store.put("Ann", DRILLS, "river", Drill(1))

    def refuse(_: Drill | None) -> Drill:
        raise Refusal("answered already", code="already_done")

    with pytest.raises(Refusal, match="answered already"):
        store.change("Ann", DRILLS, "river", refuse)
    assert store.get("Ann", DRILLS, "river") == Drill(1)


def test_a_clock_set_back_is_refused(journal: Journal) -> None:
    times = [datetime(2026, 5, 2, 12, tzinfo=UTC)]
    store = ProgressStore(journal, lambda: times[-1])
    store.put("Ann", DRILLS, "river", Drill(1))
    times.append(times[0] - timedelta(hours=1))
    with pytest.raises(Refusal, match="clock was set back") as refused:
        store.change("Ann", DRILLS, "river", once_more)
    assert refused.value.code == "clock_set_back"
    assert store.get("Ann", DRILLS, "river") == Drill(1)


def test_names_and_records_that_cannot_be(journal: Journal) -> None:
    store = ProgressStore(journal)
    for name in ("", "x" * 201, "a\0b"):
        with pytest.raises(BadRequest):
            store.put(name, DRILLS, "river", Drill())
    store.put("Ann", DRILLS, "river", Drill(1))
    with pytest.raises(BadData, match="cannot be read"):
        store.get("Ann", RecordType("drill", list[int]), "river")
