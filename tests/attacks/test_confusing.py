"""A server is confused: a worker stops and wakes, clocks jump, notes make no sense, rounds end
while they are read, and a second server takes the same file."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from croupier.errors import BadRequest
from croupier.ledger.batch_writer import BatchWriter
from croupier.ledger.entries import Fence, Write
from croupier.ledger.faults import LeaseLost
from croupier.ledger.history.past_rounds import Moment, round_moments
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.records.table_entries import table_record
from croupier.ledger.stores.postgres import CHANNEL
from croupier.ledger.verification.verify import verify
from croupier.rounds.commands import OpenBetting
from croupier.rounds.declaration import Actor
from croupier.runtime import leases as module
from croupier.runtime.clock import SteadyClock
from croupier.runtime.dealer import DEALER
from croupier.runtime.journal_session import JournalSession
from croupier.runtime.leases import PostgresLeases, only_server
from croupier.tables.commands import BuyIn, OpenTable, TakeSeat
from croupier.tables.events import TableEvent
from croupier.web.tables import served_table as served_module
from tests.postgres import Server as Postgres
from tests.web.conftest import Server, Start
from tests.web.kit import PATIENCE, settings
from tests.web.real import Client, Player, workers

UTH = "md-uth"
TABLES = [f"t{number}" for number in range(4)]
NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)


# -- workers that stop -----------------------------------------------------------------------------


def test_a_lease_that_is_not_renewed_ends(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its holder stops first, by its own clock, then another takes the table."""
    monkeypatch.setattr(module, "LEASE_SECONDS", 0.6)
    monkeypatch.setattr(module, "SPARE_SECONDS", 0.2)
    with open_journal(postgres_url) as journal:
        one, two = PostgresLeases(journal), PostgresLeases(journal)
        assert one.renew(TABLES) == set(TABLES)
        assert two.renew(TABLES) == set(), "all are taken"
        time.sleep(0.45)
        assert not any(one.holds(table) for table in TABLES), "a late riser holds nothing"
        time.sleep(0.3)
        assert two.renew(TABLES) == set(TABLES)
        assert one.renew(TABLES) == set()
        for leases in (one, two):
            leases.close()


def test_a_stopped_worker_loses_its_tables_and_wakes_to_nothing(
    postgres_url: str, tmp_path: Path
) -> None:
    """SIGSTOP: its connections stay open, and everything it held must move all the same."""
    with workers(settings(postgres_url), 2, tmp_path) as (one, two):
        players = [Player(Client(two.port).come_in(), table, 2) for table in (UTH, "md-235")]
        for player in players:
            player.sit()
            player.play(1)
        before = _tokens(postgres_url)
        os.kill(one.process.pid, signal.SIGSTOP)
        try:
            began = time.monotonic()
            for player in players:
                player.play(2)
            assert time.monotonic() - began < 60
            # What was played may all have been the other's; those of the stopped one follow when
            # their leases end.
            while not (moved := _moved(postgres_url, before)) and time.monotonic() - began < 60:
                time.sleep(0.2)
            assert moved, "the other one took them, under new tokens"
        finally:
            os.kill(one.process.pid, signal.SIGCONT)
        for player in players:
            player.play(1)
            player.close()
    with open_journal(postgres_url) as store:
        found = verify(store)
        assert found.valid, found.differences


def _moved(url: str, before: dict[str, int]) -> list[str]:
    return [name for name, token in _tokens(url).items() if token > before[name]]


def _tokens(url: str) -> dict[str, int]:
    with psycopg.connect(url.replace("postgresql+psycopg://", "postgresql://")) as asking:
        found = asking.execute("SELECT game_table, token FROM runtime_leases").fetchall()
    return dict(found)


def test_what_a_worker_writes_under_a_lost_lease_is_refused_by_its_token(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has gone on with the table, so that by the version alone it would be accepted."""
    monkeypatch.setattr(module, "LEASE_SECONDS", 0.3)
    with open_journal(postgres_url) as first, open_journal(postgres_url) as second:
        one, two = PostgresLeases(first), PostgresLeases(second)
        assert one.renew(["T1"]) == {"T1"}
        late = JournalSession(first, "T1")
        late.do(OpenTable("T1", "md-uth", '{"offered": []}'), Actor("operator", "Olga"))
        late.do(TakeSeat("ann", 1), Actor("player", "ann"))
        late.lease = lambda: one.token("T1")
        draft = late.draft(OpenBetting(), DEALER)
        assert draft.write.fence == Fence("T1", one.token("T1"))
        time.sleep(0.4)
        assert two.renew(["T1"]) == {"T1"}
        assert two.token("T1") > one.token("T1")
        with pytest.raises(LeaseLost, match="T1"):
            first.add(*draft.write.additions, at=draft.write.at, fence=draft.write.fence)
        with pytest.raises(LeaseLost):
            asyncio.run(_written_in_a_batch(first, draft.write))
        with pytest.raises(LeaseLost):
            late.do(OpenBetting(), DEALER)
        assert late.table.round.number == 0
        late.do(BuyIn("ann", 100_00), Actor("player", "ann"))  # people are served by anybody
        two.close()
        assert one.renew(["T1"]) == {"T1"}, "a lease that was let go is taken at once"
        assert one.token("T1") > draft.write.fence.token + 1
        late.do(OpenBetting(), DEALER)
        assert late.table.round.number == 1
        one.close()


async def _written_in_a_batch(journal: Journal, write: Write) -> None:
    journal.head(write.additions[0].stream)
    writer = BatchWriter(journal)
    try:
        await writer.write([write])
    finally:
        await writer.close()


# -- clocks ----------------------------------------------------------------------------------------


def test_a_clock_that_is_set_back_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    wall, ticks = [NOON], [0.0]
    clock = SteadyClock(lambda: wall[0], lambda: ticks[0])
    assert clock() == NOON
    wall[0], ticks[0] = NOON - timedelta(hours=1), 5.0
    with caplog.at_level(logging.WARNING):
        assert clock() == NOON + timedelta(seconds=5), "it runs on"
    assert "set back by 3605 s" in caplog.text
    ticks[0] = 10.0
    assert clock() == NOON + timedelta(seconds=10)
    wall[0] = NOON + timedelta(minutes=1)
    assert clock() == NOON + timedelta(minutes=1), "until the computer's clock is there"
    assert len([one for one in caplog.records if "set back" in one.message]) == 1


def test_a_table_that_was_played_in_the_future_is_dealt_now(start: Start) -> None:
    """The clock was ahead before the server was started: nobody waits for it."""
    server = start(software_dealer=False)
    ann = server.guest()
    ann.do(UTH, type="take_seat", seat=1)
    served = server.pit.table(UTH)
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    (event,) = _last_events(server.pit.journal)
    served.clock.note(event, served.table, tomorrow)
    assert served.clock.times.last < datetime.now(UTC) + timedelta(seconds=1)


def _last_events(journal: Journal) -> tuple[TableEvent, ...]:
    *_, last = journal.read(f"table:{UTH}")
    return table_record(last).events


# -- notes and rounds ------------------------------------------------------------------------------


def test_a_note_that_makes_no_sense_is_logged_and_ignored(
    postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    plain = postgres_url.replace("postgresql+psycopg://", "postgresql://")
    notes = ["", "nonsense", "table:md-uth one", "table:md-uth", "\u2660 1", " 7", "x" * 3000]
    with open_journal(postgres_url) as journal, journal.listen() as listener:
        with psycopg.connect(plain, autocommit=True) as other:
            for note in notes:
                other.execute("SELECT pg_notify(%s, %s)", (CHANNEL, note))
            other.execute("SELECT pg_notify(%s, %s)", (CHANNEL, "table:md-uth 3"))
        heard: list[tuple[str, int]] = []
        end = time.monotonic() + PATIENCE
        while ("table:md-uth", 3) not in heard and time.monotonic() < end:
            heard += [(one.stream, one.version) for one in listener.wait(0.5)]
    assert ("table:md-uth", 3) in heard
    assert "makes no sense" in caplog.text


def test_a_server_hears_on_after_nonsense(start: Start, postgres_url: str) -> None:
    server = start(database=postgres_url)
    plain = postgres_url.replace("postgresql+psycopg://", "postgresql://")
    with psycopg.connect(plain, autocommit=True) as other:
        for note in ("table:md-uth one", "table:nowhere 5", "session: 1", "link:\u2660 1", "::: 2"):
            other.execute("SELECT pg_notify(%s, %s)", (CHANNEL, note))
    time.sleep(0.3)
    assert server.pit._listener.is_alive()
    assert server.stranger().call("GET", "/health").status == 200


def test_a_worker_starts_while_rounds_end(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three of 110 starts died: the round that was read had ended, and the next one begun."""
    server.guest().sit(UTH, 1)
    served, tried = server.pit.table(UTH), list[int]()

    def late(journal: Journal, table: str, number: int) -> Iterator[Moment]:
        tried.append(number)
        if len(tried) < 3:
            raise BadRequest(f"table {table} has played rounds 1 to 9, not round {number}")
        return round_moments(journal, table, number)

    monkeypatch.setattr(served_module, "round_moments", late)
    assert served.read_last_round()
    assert len(tried) == 3


# -- a second server -------------------------------------------------------------------------------


def test_a_second_server_is_told_where_the_first_one_is(tmp_path: Path) -> None:
    journal = str(tmp_path / "journal.db")
    with (
        only_server(journal, "http://localhost:8235/"),
        pytest.raises(BadRequest, match="http://localhost:8235/"),
        only_server(journal, "x"),
    ):
        pass
    with only_server(journal, "http://localhost:9999/"):
        pass


def test_the_lock_goes_with_a_server_that_is_killed(tmp_path: Path) -> None:
    journal = str(tmp_path / "journal.db")
    program = (
        "import sys, time\n"
        "from croupier.runtime.leases import only_server\n"
        f"with only_server({journal!r}, 'http://first/'):\n"
        "    print('locked', flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        with pytest.raises(BadRequest, match="http://first/"), only_server(journal, "x"):
            pass
        other.kill()
        other.wait()
    with only_server(journal, "x"):
        pass


def test_the_database_stops_and_starts_and_people_play_on(
    postgres_server: Postgres, tmp_path: Path
) -> None:
    url = postgres_server.fresh()
    with workers(settings(url), 1, tmp_path) as (one,):
        ann = Client(one.port).come_in()
        ann.do(UTH, type="take_seat", seat=1)
        postgres_server.stop()
        found = ann.send(UTH, type="buy_in", amount="10.00")
        assert found.status == 503
        assert found.headers["retry-after"]
        postgres_server.start()
        end = time.monotonic() + PATIENCE
        while (found := ann.send(UTH, key="one", type="buy_in", amount="10.00")).status != 200:
            assert time.monotonic() < end, found.body
            time.sleep(0.2)
    with open_journal(url) as store:
        assert verify(store).valid
