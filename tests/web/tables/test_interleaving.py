"""Between a batch that was worked out and the disk anything may happen: only what was written is
remembered.

Everything here is forced. A batch goes from the last answer of a round to the opening of the next
one, as a dealer by software without pauses makes it; just before it reaches the journal somebody
else writes, the journal is out of reach, or whoever waits is canceled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as settings_of_hypothesis
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.errors import CroupierError
from croupier.ledger.batch_writer import BatchWriter
from croupier.ledger.entries import Entry, Write
from croupier.ledger.faults import JournalUnavailable
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.records.table_entries import TableRecord, table_record, table_stream
from croupier.ledger.verification.verify import verify
from croupier.rounds.commands import (
    Act,
    CloseBets,
    CountChips,
    Deal,
    OpenBetting,
    PlaceWagers,
    RevealCards,
)
from croupier.rounds.declaration import Actor
from croupier.runtime.dealer import DEALER
from croupier.runtime.journal_session import (
    Draft,
    Expected,
    JournalSession,
    KnownTable,
    StaleCommand,
)
from croupier.tables.commands import BuyIn, OpenTable, TableCommand, TakeSeat, Tip
from croupier.web.tables.demo import OPERATOR, submission_for
from croupier.web.tables.served_table import ServedTable
from tests.web.kit import settings

ANN, BOB = Actor("player", "Ann"), Actor("player", "Bob")
NAME = "one"
WAGERS = {"ante": 500, "blind": 500, "progressive": 100}
Between: TypeAlias = Callable[["HookedWriter"], Awaitable[None]]


_BEGIN, _SECONDS = datetime.now(UTC) - timedelta(days=1), count()


def _clock() -> datetime:
    """Every look at it is a second later, so that no two entries have one time; and in the past, so
    that a dealer finds everything due."""
    return _BEGIN + timedelta(seconds=next(_SECONDS))


@pytest.fixture(params=["sqlite", "postgres"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Round 1 is at the last decision of Ann, its only player; Bob has chips and does not play."""
    url = (
        str(tmp_path / "journal.db")
        if request.param == "sqlite"
        else str(request.getfixturevalue("postgres_url"))
    )
    _prepare(url)
    return url


def _prepare(url: str) -> None:
    with open_journal(url) as opened:
        table = JournalSession(opened, NAME, clock=_clock)
        table.do(OpenTable(NAME, "md-uth", submission_for("md-uth"), inventory=10**8), OPERATOR)
        for seat, who in ((1, ANN), (4, BOB)):
            table.do(TakeSeat(who.name, seat), who)
            table.do(BuyIn(who.name, 100_000), who)
        table.do(OpenBetting(), DEALER)
        table.do(PlaceWagers(1, "Ann", WAGERS), ANN)
        for command in (CloseBets(), CountChips(1), Deal()):
            table.do(command, DEALER)
        for _ in range(2):
            table.do(Act(1, "Ann", "check"), ANN)
            table.do(RevealCards(), DEALER)
        assert table.table.round.phase == "deciding"


class HookedWriter(BatchWriter):
    """Calls `between` once, after a batch was worked out and before any of it is written."""

    def __init__(self, journal: Journal, between: Between) -> None:
        super().__init__(journal)
        self.between: Between | None = between
        self.batches: list[Sequence[Write]] = []

    async def write(self, writes: Sequence[Write]) -> None:
        self.batches.append(writes)
        between, self.between = self.between, None
        if between is not None:
            await between(self)
        await super().write(writes)


def _known(session: JournalSession) -> KnownTable:
    """The key of a round is remembered where it was opened, and looked up elsewhere."""
    return replace(session.load(), key=b"")


class Worker:
    """A worker's table and writer on a journal of its own."""

    def __init__(
        self, journal: Journal, between: Between, kind: type[JournalSession] = JournalSession
    ) -> None:
        self.journal = journal
        self.writer = HookedWriter(journal, between)
        self.session = kind(journal, NAME, clock=_clock, keep_news=True)
        self.served = ServedTable(self.session, settings(""), writer=self.writer)
        self.served.is_dealt_here = lambda: True

    async def deal_on(self) -> None:
        """The dealer goes on until the bets of the next round are open."""
        for _ in range(30):
            state = self.served.table.round
            if (state.number, state.phase) == (2, "betting"):
                return
            coming = self.served.due()
            assert coming is not None, state.phase
            expected = Expected(version=self.served.table.version)
            try:
                await self.served.do(coming.command, coming.actor, expected=expected)
            except StaleCommand:
                await self.served.catch_up()
        raise AssertionError("the table stands still")

    def check_equals_a_fresh_load(self) -> None:
        """In every field: the table, when its round began, and the link."""
        fresh = JournalSession(self.journal, NAME)
        assert _known(self.session) == _known(fresh)
        name = fresh.table.link
        held = self.session.links.known(name)
        assert held is None or held == fresh.links.read(name)


def _play(
    url: str,
    between: Between,
    play: Callable[[Worker], Awaitable[None]],
    kind: type[JournalSession] = JournalSession,
) -> None:
    async def run() -> None:
        with open_journal(url) as journal:
            worker = Worker(journal, between, kind)
            await worker.served.load()
            try:
                await play(worker)
            finally:
                await worker.writer.close()
            first = worker.writer.batches[0]
            tags = [_tag(write) for write in first]
            assert tags[0] == "act"
            assert tags[-1] == "open_betting", "the batch reaches the next round"
            assert any(len(write.additions) > 1 for write in first), "and moves the link"
            if kind is JournalSession:
                worker.check_equals_a_fresh_load()

    asyncio.run(run())


def _tag(write: Write) -> str:
    return write.additions[0].entries[0].kind


def _records(url: str) -> list[tuple[Entry, TableRecord]]:
    with open_journal(url) as journal:
        return [(entry, table_record(entry)) for entry in journal.read(table_stream(NAME))]


def _entries(url: str, kind: type) -> list[tuple[Entry, Any]]:
    """The entries of a command, in order."""
    read = [(entry, record.command) for entry, record in _records(url)]
    return [(entry, command) for entry, command in read if isinstance(command, kind)]


def _check_books(url: str) -> None:
    """Nothing differs; the index has the times of the entries; every command is there once."""
    with open_journal(url) as journal:
        found = verify(journal)
        assert found.valid, found.differences
        chapter = journal.chapter(table_stream(NAME), 1)
        assert sum(journal.balances().values()) == 0
    openings = _entries(url, OpenBetting)
    assert [command.number for _, command in openings] == [1, 2]
    assert chapter is not None
    assert chapter.began == openings[0][0].at
    assert chapter.first == openings[0][0].version
    assert len(_entries(url, Act)) == 3


async def _answer_and_deal_on(worker: Worker) -> None:
    done = await worker.served.do(Act(1, "Ann", "1x"), ANN, request="player Ann:k1")
    assert not done.repeated
    again = await worker.served.do(Act(1, "Ann", "1x"), ANN, request="player Ann:k1")
    assert again.repeated
    await worker.deal_on()


def _somebody_else(url: str, command: TableCommand, actor: Actor) -> None:
    with open_journal(url) as elsewhere:
        JournalSession(elsewhere, NAME, clock=_clock).do(command, actor)


def test_another_worker_writes_first(journal: str) -> None:
    async def tip(_: HookedWriter) -> None:
        _somebody_else(journal, Tip("Bob", 500), BOB)

    _play(journal, tip, _answer_and_deal_on)
    _check_books(journal)
    assert len(_entries(journal, Tip)) == 1
    assert _entries(journal, Act)[-1][1].action == "1x"


def test_the_dealer_declines_while_the_player_answers_elsewhere(journal: str) -> None:
    """The race of two workers: one of the answers is in the journal, not both."""

    async def answer(_: HookedWriter) -> None:
        _somebody_else(journal, Act(1, "Ann", "1x"), ANN)

    async def play(worker: Worker) -> None:
        coming = worker.served.due()
        assert coming is not None
        assert coming.command == Act(1, "Ann", "fold")
        expected = Expected(version=worker.served.table.version)
        with pytest.raises(StaleCommand):
            await worker.served.do(coming.command, coming.actor, expected=expected)
        await worker.deal_on()

    _play(journal, answer, play)
    _check_books(journal)
    assert _entries(journal, Act)[-1][1].action == "1x"


@contextmanager
def _out_of_reach(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Neither read nor written."""

    def refuse(*_: object, **__: object) -> Any:
        raise JournalUnavailable("out of reach")

    with monkeypatch.context() as patched:
        for name in ("add", "answered", "head", "read", "snapshot"):
            patched.setattr(journal, name, refuse)
        yield


def test_the_journal_is_out_of_reach_for_a_moment(
    journal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No second worker is needed for it."""

    async def fail(_: HookedWriter) -> None:
        raise JournalUnavailable("out of reach")

    async def play(worker: Worker) -> None:
        before = worker.session.known
        with _out_of_reach(worker.journal, monkeypatch), pytest.raises(JournalUnavailable):
            await worker.served.do(Act(1, "Ann", "1x"), ANN, request="player Ann:k1")
        assert worker.session.known is before, "nothing has happened"
        await _answer_and_deal_on(worker)

    _play(journal, fail, play)
    _check_books(journal)


def test_only_the_links_stream_has_moved(journal: str) -> None:
    """Another table of the link moves the meters; the table's own stream is as expected."""

    async def move(_: HookedWriter) -> None:
        _somebody_else_at_the_link(journal)

    _play(journal, move, _answer_and_deal_on)
    _check_books(journal)


def _somebody_else_at_the_link(url: str) -> None:
    """Opens a second table on the link of the first and plays a progressive wager there."""
    with open_journal(url) as elsewhere:
        other = JournalSession(elsewhere, "two", clock=_clock)
        other.do(
            OpenTable("two", "md-uth", submission_for("md-uth"), inventory=10**8, link=NAME),
            OPERATOR,
        )
        other.do(TakeSeat("Cat", 1), Actor("player", "Cat"))
        other.do(BuyIn("Cat", 100_000), Actor("player", "Cat"))
        other.do(OpenBetting(), DEALER)
        other.do(PlaceWagers(1, "Cat", WAGERS), Actor("player", "Cat"))
        before = other.link
        for command in (CloseBets(), CountChips(1), Deal()):
            other.do(command, DEALER)
        assert other.link != before, "the meters have moved"


# -- the fault of before ----------------------------------------------------------------------


class Remembering(JournalSession):
    """The fault that was there: when a round began is noted from drafts and kept although they
    were not written."""

    noted = ""

    def draft(
        self,
        command: TableCommand,
        actor: Actor,
        request: str | None = None,
        expected: Expected = Expected(),  # noqa: B008
        *,
        on: Draft | None = None,
    ) -> Draft:
        if self.known is not None and self.noted:
            self.known = KnownTable(self.known.table, self.noted)
        made = super().draft(command, actor, request, expected, on=on)
        if made.after.table.began == made.after.table.version:
            self.noted = made.after.began_at
        return made


def test_a_session_that_remembers_drafts_would_be_found(journal: str) -> None:
    """The same interleaving with the fault put back: the index of round 1 has a time at which
    nothing happened, and verify says so."""

    async def tip(_: HookedWriter) -> None:
        _somebody_else(journal, Tip("Bob", 500), BOB)

    _play(journal, tip, _answer_and_deal_on, Remembering)
    with open_journal(journal) as opened:
        found = verify(opened)
        chapter = opened.chapter(table_stream(NAME), 1)
    assert chapter is not None
    assert chapter.began != _entries(journal, OpenBetting)[0][0].at
    assert not found.valid
    assert any("round 1" in one.message for one in found.differences), found.differences


# -- canceled ----------------------------------------------------------------------------------


async def _nothing(_: HookedWriter) -> None:
    pass


async def _canceled(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert task.cancelled()


def test_who_is_canceled_before_the_writing_begins_has_written_nothing(journal: str) -> None:
    async def play(worker: Worker) -> None:
        before = worker.session.known
        task = asyncio.create_task(worker.served.do(Act(1, "Ann", "1x"), ANN, request="k"))
        while not worker.writer.batches:
            await asyncio.sleep(0)
        await _canceled(task)
        await asyncio.sleep(0.05)
        assert worker.session.known is before
        worker.check_equals_a_fresh_load()
        await _answer_and_deal_on(worker)

    _play(journal, _nothing, play)
    _check_books(journal)


def test_who_is_canceled_while_it_is_written_has_written_all_of_it(
    journal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It cannot be called back, so the session adopts it before the cancellation goes on."""

    async def play(worker: Worker) -> None:
        begun = asyncio.Event()
        put = worker.writer._writer.put

        async def slowly(*told: Any) -> Any:
            begun.set()
            await asyncio.sleep(0.02)
            return await put(*told)

        monkeypatch.setattr(worker.writer._writer, "put", slowly)
        task = asyncio.create_task(worker.served.do(Act(1, "Ann", "1x"), ANN, request="k"))
        await begun.wait()
        await _canceled(task)
        worker.check_equals_a_fresh_load()
        assert worker.served.table.round.number == 2
        again = await worker.served.do(Act(1, "Ann", "1x"), ANN, request="k")
        assert again.repeated

    _play(journal, _nothing, play)
    _check_books(journal)


def test_who_is_canceled_in_the_queue_of_the_table_is_not_served(journal: str) -> None:
    """Somebody else's command is being written meanwhile."""

    async def run() -> None:
        with open_journal(journal) as opened:
            tasks: list[asyncio.Task[Any]] = []

            async def cancel(_: HookedWriter) -> None:
                tasks.append(asyncio.create_task(worker.served.do(Tip("Bob", 700), BOB)))
                await asyncio.sleep(0)
                await _canceled(tasks[0])

            worker = Worker(opened, cancel)
            await worker.served.load()
            await worker.served.do(Tip("Bob", 100), BOB)
            await worker.served.do(Tip("Bob", 200), BOB)
            await worker.writer.close()
            worker.check_equals_a_fresh_load()

    asyncio.run(run())
    assert [command.amount for _, command in _entries(journal, Tip)] == [100, 200]


# -- two that wait in one writer ----------------------------------------------------------------


def test_a_batch_made_on_another_that_conflicts_is_not_half_remembered(journal: str) -> None:
    """Both are worked out, the second on the first; somebody else was first: neither has
    happened, and the keys of both are free."""

    async def run() -> None:
        with open_journal(journal) as opened:
            session = JournalSession(opened, NAME, clock=_clock)
            before = session.load()
            writer = BatchWriter(opened)
            session.links.read(before.table.link)
            first = session.draft(Tip("Bob", 100), BOB, "k1")
            second = session.draft(Tip("Bob", 200), BOB, "k2", on=first)
            _somebody_else(journal, Tip("Bob", 500), BOB)
            told = await asyncio.gather(
                writer.write([first.write]), writer.write([second.write]), return_exceptions=True
            )
            assert all(isinstance(one, CroupierError) for one in told)
            assert session.known is before
            await writer.close()
            for key, cents in (("k1", 100), ("k2", 200)):
                done = session.carry_out(Tip("Bob", cents), BOB, key)
                assert not done.repeated
            assert _known(session) == _known(JournalSession(opened, NAME))
            assert verify(opened).valid

    asyncio.run(run())
    assert [command.amount for _, command in _entries(journal, Tip)] == [500, 100, 200]


# -- whatever happens in whatever order -----------------------------------------------------------


STEPS = ("written", "conflicts", "unavailable", "canceled", "elsewhere", "dealt")


@settings_of_hypothesis(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(st.sampled_from(STEPS), min_size=1, max_size=12))
def test_a_session_knows_what_a_fresh_load_knows(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    """After every step, in every field; and in the end the books are whole."""
    url = str(tmp_path_factory.mktemp("steps") / "journal.db")
    _prepare(url)

    async def run() -> None:
        with open_journal(url) as opened:
            worker = Worker(opened, _nothing)
            await worker.served.load()
            for place, step in enumerate(steps):
                await _take(url, worker, step, place)
                await worker.served.catch_up()
                worker.check_equals_a_fresh_load()
            await worker.writer.close()
            found = verify(opened)
            assert found.valid, found.differences
            assert sum(opened.balances().values()) == 0

    asyncio.run(run())
    keys = [record.request for _, record in _records(url) if record.request]
    assert len(keys) == len(set(keys)), "a key is done once"


async def _take(url: str, worker: Worker, step: str, place: int) -> None:
    command, key = Tip("Bob", 100 + place), f"key-{place}"
    if step == "elsewhere":
        _somebody_else(url, command, BOB)
        return
    if step == "dealt":
        coming = worker.served.due()
        if coming is not None:
            await worker.served.do(coming.command, coming.actor)
        return
    hooks: dict[str, Between] = {
        "written": _nothing,
        "canceled": _nothing,
        "conflicts": partial(_tip_elsewhere, url),
        "unavailable": _unavailable,
    }
    worker.writer.between = hooks[step]
    task = asyncio.create_task(worker.served.do(command, BOB, request=key))
    if step == "canceled":
        for _ in range(place):
            await asyncio.sleep(0)
        task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    again = await worker.served.do(command, BOB, request=key)
    assert again.repeated or step == "canceled"


async def _tip_elsewhere(url: str, _: HookedWriter) -> None:
    _somebody_else(url, Tip("Bob", 5), BOB)


async def _unavailable(_: HookedWriter) -> None:
    raise JournalUnavailable("out of reach")
