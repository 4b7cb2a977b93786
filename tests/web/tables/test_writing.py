"""What many tables write at the same moment is one transaction, and still each table's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from croupier.errors import CroupierError
from croupier.ledger.batch_writer import BatchWriter
from croupier.ledger.entries import Addition, NewEntry, Write
from croupier.ledger.faults import Conflict
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.verification.verify import verify
from croupier.rounds.commands import Act, PlaceWagers
from croupier.rounds.declaration import Actor
from croupier.runtime.dealer import FAST
from croupier.runtime.journal_session import JournalSession
from croupier.tables.commands import BuyIn, TakeSeat, Tip
from croupier.web.tables.demo import open_demo_tables
from croupier.web.tables.served_table import ServedTable
from tests.web.kit import settings

ANN = Actor("player", "ann")


@pytest.fixture(params=["sqlite", "postgres"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "journal.db")
    return str(request.getfixturevalue("postgres_url"))


def words(stream: str, after: int, *said: str, key: str = "") -> list[Write]:
    entries = tuple(NewEntry("said", f'"{word}"'.encode()) for word in said)
    addition = Addition(stream, after, entries, request=key or None)
    return [Write((addition,), datetime.now(UTC), key)]


def said(store: Journal, stream: str) -> list[str]:
    return [entry.body.decode().strip('"') for entry in store.read(stream)]


def _began(store: Journal, *streams: str) -> None:
    for stream in streams:
        store.add(Addition(stream, 0, (NewEntry("said", b'"first"'),)), at=datetime.now(UTC))


def _together(store: Journal, *batches: list[Write]) -> list[Any]:
    async def write() -> list[Any]:
        writer = BatchWriter(store)
        try:
            return await asyncio.gather(*map(writer.write, batches), return_exceptions=True)
        finally:
            await writer.close()

    return asyncio.run(write())


def test_everybody_is_told_when_all_of_it_is_written(journal: str) -> None:
    with open_journal(journal) as store, open_journal(journal) as reader:
        streams = [f"said:{number}" for number in range(8)]
        _began(store, *streams)
        told = _together(store, *(words(stream, 1, "a", "b") for stream in streams))
        assert told == [None] * 8
        assert {tuple(said(reader, stream)) for stream in streams} == {("first", "a", "b")}
        assert verify(reader).valid


def test_who_comes_too_late_spoils_nothing_for_the_others(journal: str) -> None:
    """Another process has written to one of the streams."""
    with open_journal(journal) as store, open_journal(journal) as other:
        _began(store, "said:1", "said:2", "said:3")
        other.add(Addition("said:2", 1, (NewEntry("said", b'"x"'),)), at=datetime.now(UTC))
        told = _together(store, *(words(f"said:{n}", 1, "a") for n in (1, 2, 3)))
        assert [type(one) for one in told] == [type(None), Conflict, type(None)]
        assert said(other, "said:1") == said(other, "said:3") == ["first", "a"]
        assert said(other, "said:2") == ["first", "x"]


def test_two_tables_on_one_stream_do_not_write_it_at_once(journal: str) -> None:
    with open_journal(journal) as store:
        _began(store, "link:big")
        told = _together(store, words("link:big", 1, "a"), words("link:big", 1, "b"))
        assert [type(one) for one in told] == [type(None), Conflict]
        assert said(store, "link:big") == ["first", "a"]


def test_a_request_made_before_does_not_hold(journal: str) -> None:
    with open_journal(journal) as store:
        _began(store, "said:1", "said:2")
        assert _together(store, words("said:1", 1, "a", key="ann:k")) == [None]
        told = _together(store, words("said:1", 2, "b", key="ann:k"), words("said:2", 1, "c"))
        assert [type(one) for one in told] == [Conflict, type(None)]
        assert said(store, "said:1") == ["first", "a"]
        assert said(store, "said:2") == ["first", "c"]


def test_who_is_canceled_while_waiting_is_left_out_and_the_others_are_written(
    journal: str,
) -> None:
    async def run(writer: BatchWriter) -> None:
        one, two = (asyncio.create_task(writer.write(words(f"said:{n}", 1, "a"))) for n in (1, 2))
        await asyncio.sleep(0)
        one.cancel()
        told = await asyncio.gather(one, two, return_exceptions=True)
        assert [type(each) for each in told] == [asyncio.CancelledError, type(None)]
        await writer.write(words("said:1", 1, "b"))
        await writer.close()

    with open_journal(journal) as store:
        _began(store, "said:1", "said:2")
        asyncio.run(run(BatchWriter(store)))
        assert said(store, "said:1") == ["first", "b"]
        assert said(store, "said:2") == ["first", "a"]


# -- a table's queue ------------------------------------------------------------------------------


class CountingWriter(BatchWriter):
    batches = 0

    async def write(self, writes: Sequence[Write]) -> None:
        self.batches += 1
        await super().write(writes)


def _at_a_table(journal: str, play: Callable[[ServedTable, CountingWriter, Journal], Any]) -> None:
    async def run() -> None:
        with open_journal(journal) as store:
            open_demo_tables(store)
            writer = CountingWriter(store)
            session = JournalSession(store, "md-uth", keep_news=True)
            served = ServedTable(session, settings(journal, pace=FAST), writer=writer)
            await served.load()
            await play(served, writer, store)
            await writer.close()
            assert verify(store).valid
            assert sum(store.balances().values()) == 0

    asyncio.run(run())


def test_commands_that_wait_together_are_written_together(journal: str) -> None:
    async def play(served: ServedTable, writer: CountingWriter, store: Journal) -> None:
        await served.do(TakeSeat("ann", 1), ANN)
        await served.do(BuyIn("ann", 10_000), ANN)
        before, batches = served.table.version, writer.batches
        done = await asyncio.gather(*(served.do(Tip("ann", 100), ANN) for _ in range(5)))
        assert [one.version for one in done] == [before + n for n in range(1, 6)]
        assert writer.batches == batches + 2, "the first alone, the others while it is written"
        assert served.table.version == store.head("table:md-uth").version == before + 5

    _at_a_table(journal, play)


def test_a_refusal_among_them_is_the_askers_own(journal: str) -> None:
    async def play(served: ServedTable, writer: CountingWriter, store: Journal) -> None:
        await served.do(TakeSeat("ann", 1), ANN)
        await served.do(BuyIn("ann", 300), ANN)
        tips = (100, 1_000_000, 200)
        told = await asyncio.gather(
            *(served.do(Tip("ann", cents), ANN) for cents in tips), return_exceptions=True
        )
        assert isinstance(told[1], CroupierError)
        assert not isinstance(told[0], Exception)
        assert not isinstance(told[2], Exception)
        assert served.table.rack("ann") == 0
        assert len(list(store.read("attempts:md-uth"))) == 1

    _at_a_table(journal, play)


def test_the_same_key_at_the_same_moment_is_done_once(journal: str) -> None:
    async def play(served: ServedTable, writer: CountingWriter, store: Journal) -> None:
        await served.do(TakeSeat("ann", 1), ANN)
        await served.do(BuyIn("ann", 10_000), ANN)
        request = "player ann:k1"
        tips = (served.do(Tip("ann", 100), ANN, request=request) for _ in range(4))
        told = await asyncio.gather(*tips)
        assert [one.repeated for one in told] == [False, True, True, True]
        assert served.table.rack("ann") == 9_900
        again = await served.do(Tip("ann", 100), ANN, request=request)
        assert again.repeated
        with pytest.raises(CroupierError, match="was used for another command"):
            await served.do(Tip("ann", 1), ANN, request=request)
        assert served.table.rack("ann") == 9_900

    _at_a_table(journal, play)


def test_another_process_at_the_same_table_is_noticed(journal: str) -> None:
    async def play(served: ServedTable, writer: CountingWriter, store: Journal) -> None:
        await served.do(TakeSeat("ann", 1), ANN)
        await served.do(BuyIn("ann", 10_000), ANN)
        with open_journal(journal) as elsewhere:
            stranger = ServedTable(JournalSession(elsewhere, "md-uth"), settings(journal))
            await stranger.load()
            await stranger.do(Tip("ann", 500), ANN)
        done = await served.do(Tip("ann", 100), ANN)
        assert done.version == served.table.version == store.head("table:md-uth").version
        assert served.table.rack("ann") == 9_400

    _at_a_table(journal, play)


def test_the_dealers_steps_are_written_with_the_answer(journal: str) -> None:
    """With nothing to wait for, the answer to the last question and everything up to the next
    round's bets is written in one transaction."""

    async def play(served: ServedTable, writer: CountingWriter, store: Journal) -> None:
        served.is_dealt_here = lambda: True
        await served.do(TakeSeat("ann", 1), ANN)
        await served.do(BuyIn("ann", 10_000), ANN)
        assert str(served.table.round.phase) == "betting", "opened as soon as somebody sat down"
        await served.do(PlaceWagers(1, "ann", {"ante": 500, "blind": 500}), ANN)
        served.set_ready({1: served.table.version})
        closing = served.due()
        assert closing is not None
        await served.do(closing.command, closing.actor)
        assert str(served.table.round.phase) == "deciding"
        batches, version = writer.batches, served.table.version
        done = await served.do(Act(1, "ann", "4x"), ANN)
        assert done.version == version + 1, "the asker's own version, not the dealer's"
        assert writer.batches == batches + 1
        assert (served.table.round.number, served.table.round.phase) == (2, "betting")

    _at_a_table(journal, play)
