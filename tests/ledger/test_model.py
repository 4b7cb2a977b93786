"""Random additions on both databases equal plain lists."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.ledger.faults import Conflict
from croupier.ledger.journal import Journal, open_journal
from tests.ledger.crashes import scratch
from tests.ledger.model import STREAMS, Model, bare, random_work
from tests.ledger.samples import check_all
from tests.postgres import Server

steps = st.lists(st.tuples(st.integers(0, 2**32), st.sampled_from(("add", "stale", "reopen"))))


def run(url: str | Path, work: list[tuple[int, str]]) -> None:
    model, store = Model(), open_journal(url)
    try:
        for seed, what in work:
            if what == "reopen":
                store.close()
                store = open_journal(url)
            elif what == "stale":
                _be_stale(random.Random(seed), model, store)
            else:
                additions, at = random_work(random.Random(seed), model)
                assert bare(store.add(*additions, at=at)) == model.add(*additions, at=at)
        assert model.differs(store) is None
        check_all(store)
        for stream in STREAMS:
            assert store.head(stream).version == len(model.entries[stream])
    finally:
        store.close()


def _be_stale(chance: random.Random, model: Model, store: Journal) -> None:
    """A writer who saw an older state, or one that never was, changes nothing."""
    other = model.copy()
    stream = chance.choice(STREAMS)
    entries = other.entries[stream]
    if entries and chance.random() < 0.7:
        del entries[chance.randrange(len(entries)) :]
    else:
        additions, at = random_work(chance, other)
        other.add(*additions, at=at)
    additions, at = random_work(chance, other)
    if all(one.after == len(model.entries[one.stream]) for one in additions):
        return
    with pytest.raises(Conflict):
        store.add(*additions, at=at)


@settings(max_examples=25)
@given(steps)
def test_sqlite_is_the_model(work: list[tuple[int, str]]) -> None:
    with scratch() as folder:
        run(folder / "journal.db", work)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_postgres_is_the_model(postgres_server: Server, work: list[tuple[int, str]]) -> None:
    run(postgres_server.fresh(), work)
