"""What many tables write at the same moment is one transaction, and still each table's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from croupier.web.desk import Desk
from croupier.web.keeping import Keeper

from croupier.errors import CroupierError
from croupier.ledger.batch_writer import Line, Page, Scribe
from croupier.ledger.entries import Addition, NewEntry
from croupier.ledger.faults import Conflict
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.verify import verify
from croupier.rounds.commands import Act, PlaceWagers
from croupier.rounds.declaration import Actor
from croupier.runtime.dealer import FAST
from croupier.tables.commands import BuyIn, TakeSeat, Tip
from croupier.web.demo import open_demo_tables
from tests.web.kit import settings

ANN = Actor("player", "ann")


@pytest.fixture(params=["sqlite", "postgres"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "journal.db")
    return str(request.getfixturevalue("postgres_url"))


def page(stream: str, after: int, *words: str, key: str = "") -> Page:
    entries = tuple(NewEntry("said", f'"{word}"'.encode()) for word in words)
    request = f"{key}content" if key else None
    addition = Addition(stream, after, entries, request=request)
    return Page([Line((addition,), datetime.now(UTC), key)])


def said(store: Journal, stream: str) -> list[str]:
    return [entry.body.decode().strip('"') for entry in store.read(stream)]


def _began(store: Journal, *streams: str) -> None:
    for stream in streams:
        store.add(Addition(stream, 0, (NewEntry("said", b'"first"'),)), at=datetime.now(UTC))


def _together(store: Journal, *pages: Page) -> list[Any]:
    async def write() -> list[Any]:
        scribe = Scribe(store)
        try:
            return await asyncio.gather(*map(scribe.write, pages), return_exceptions=True)
        finally:
            await scribe.close()

    return asyncio.run(write())


def test_everybody_is_told_when_all_of_it_is_written(journal: str) -> None:
    with open_journal(journal) as store, open_journal(journal) as reader:
        streams = [f"said:{number}" for number in range(8)]
        _began(store, *streams)
        told = _together(store, *(page(stream, 1, "a", "b") for stream in streams))
        assert told == [None] * 8
        assert {tuple(said(reader, stream)) for stream in streams} == {("first", "a", "b")}
        assert verify(reader).valid


def test_who_comes_too_late_spoils_nothing_for_the_others(journal: str) -> None:
    """Another process has written to one of the streams."""
    with open_journal(journal) as store, open_journal(journal) as other:
        _began(store, "said:1", "said:2", "said:3")
        other.add(Addition("said:2", 1, (NewEntry("said", b'"x"'),)), at=datetime.now(UTC))
        told = _together(store, *(page(f"said:{n}", 1, "a") for n in (1, 2, 3)))
        assert [type(one) for one in told] == [type(None), Conflict, type(None)]
        assert said(other, "said:1") == said(other, "said:3") == ["first", "a"]
        assert said(other, "said:2") == ["first", "x"]


def test_two_tables_on_one_stream_do_not_write_it_at_once(journal: str) -> None:
    with open_journal(journal) as store:
        _began(store, "link:big")
        told = _together(store, page("link:big", 1, "a"), page("link:big", 1, "b"))
        assert [type(one) for one in told] == [type(None), Conflict]
        assert said(store, "link:big") == ["first", "a"]


def test_a_request_made_before_does_not_hold(journal: str) -> None:
    with open_journal(journal) as store:
        _began(store, "said:1", "said:2")
        assert _together(store, page("said:1", 1, "a", key="ann:k:")) == [None]
        told = _together(store, page("said:1", 2, "b", key="ann:k:"), page("said:2", 1, "c"))
        assert [type(one) for one in told] == [Conflict, type(None)]
        assert said(store, "said:1") == ["first", "a"]
        assert said(store, "said:2") == ["first", "c"]


# -- a table's queue ------------------------------------------------------------------------------


class CountingScribe(Scribe):
    pages = 0

    async def write(self, page: Page) -> None:
        self.pages += 1
        await super().write(page)


def _at_a_desk(journal: str, play: Callable[[Desk, CountingScribe, Journal], Any]) -> None:
    async def run() -> None:
        with open_journal(journal) as store:
            open_demo_tables(store)
            scribe = CountingScribe(store)
            keeper = Keeper(store, "md-uth", is_shared=store._database.writers > 1)
            desk = Desk(keeper, settings(journal, clocks=FAST), scribe=scribe)
            await desk.load()
            await play(desk, scribe, store)
            await scribe.close()
            assert verify(store).valid
            assert sum(store.balances().values()) == 0

    asyncio.run(run())


def test_commands_that_wait_together_are_written_together(journal: str) -> None:
    async def play(desk: Desk, scribe: CountingScribe, store: Journal) -> None:
        await desk.do(TakeSeat("ann", 1), ANN)
        await desk.do(BuyIn("ann", 10_000), ANN)
        before, pages = desk.table.version, scribe.pages
        done = await asyncio.gather(*(desk.do(Tip("ann", 100), ANN) for _ in range(5)))
        assert [one.version for one in done] == [before + n for n in range(1, 6)]
        assert scribe.pages == pages + 2, "the first alone, the others while it is written"
        assert desk.table.version == store.head("table:md-uth").version == before + 5

    _at_a_desk(journal, play)


def test_a_refusal_among_them_is_the_askers_own(journal: str) -> None:
    async def play(desk: Desk, scribe: CountingScribe, store: Journal) -> None:
        await desk.do(TakeSeat("ann", 1), ANN)
        await desk.do(BuyIn("ann", 300), ANN)
        tips = (100, 1_000_000, 200)
        told = await asyncio.gather(
            *(desk.do(Tip("ann", cents), ANN) for cents in tips), return_exceptions=True
        )
        assert isinstance(told[1], CroupierError)
        assert not isinstance(told[0], Exception)
        assert not isinstance(told[2], Exception)
        assert desk.table.rack("ann") == 0
        assert len(list(store.read("attempts:md-uth"))) == 1

    _at_a_desk(journal, play)


def test_the_same_key_at_the_same_moment_is_done_once(journal: str) -> None:
    async def play(desk: Desk, scribe: CountingScribe, store: Journal) -> None:
        await desk.do(TakeSeat("ann", 1), ANN)
        await desk.do(BuyIn("ann", 10_000), ANN)
        request = ("player ann", "k1", b"tip 1")
        tips = (desk.do(Tip("ann", 100), ANN, request=request) for _ in range(4))
        told = await asyncio.gather(*tips)
        assert [one.repeated for one in told] == [False, True, True, True]
        assert desk.table.rack("ann") == 9_900
        again = await desk.do(Tip("ann", 100), ANN, request=request)
        assert again.repeated
        with pytest.raises(CroupierError, match="Idempotency-Key was used"):
            await desk.do(Tip("ann", 1), ANN, request=("player ann", "k1", b"tip other"))
        assert desk.table.rack("ann") == 9_900

    _at_a_desk(journal, play)


def test_another_process_at_the_same_table_is_noticed(journal: str) -> None:
    async def play(desk: Desk, scribe: CountingScribe, store: Journal) -> None:
        await desk.do(TakeSeat("ann", 1), ANN)
        await desk.do(BuyIn("ann", 10_000), ANN)
        with open_journal(journal) as elsewhere:
            keeper = Keeper(elsewhere, "md-uth", is_shared=True)
            stranger = Desk(keeper, settings(journal))
            await stranger.load()
            await stranger.do(Tip("ann", 500), ANN)
        done = await desk.do(Tip("ann", 100), ANN)
        assert done.version == desk.table.version == store.head("table:md-uth").version
        assert desk.table.rack("ann") == 9_400

    _at_a_desk(journal, play)


def test_the_dealers_steps_follow_in_the_same_breath(journal: str) -> None:
    """With nothing to wait for, the answer to the last question and everything up to the next
    round's bets is one page of the journal."""

    async def play(desk: Desk, scribe: CountingScribe, store: Journal) -> None:
        desk.is_dealt_here = lambda: True
        await desk.do(TakeSeat("ann", 1), ANN)
        await desk.do(BuyIn("ann", 10_000), ANN)
        assert str(desk.table.round.phase) == "betting", "opened as soon as somebody sat down"
        await desk.do(PlaceWagers(1, "ann", {"ante": 500, "blind": 500}), ANN)
        desk.set_ready({1: desk.table.version})
        closing = desk.due()
        assert closing is not None
        await desk.do(closing.make(), closing.actor)
        assert str(desk.table.round.phase) == "deciding"
        pages, version = scribe.pages, desk.table.version
        done = await desk.do(Act(1, "ann", "4x"), ANN)
        assert done.version == version + 1, "the asker's own version, not the dealer's"
        assert scribe.pages == pages + 1
        assert (desk.table.round.number, desk.table.round.phase) == (2, "betting")

    _at_a_desk(journal, play)
