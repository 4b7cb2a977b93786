"""What a store promises, on both databases."""

from __future__ import annotations

import multiprocessing
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import BadRequest
from croupier.ledger.entries import Addition, Mark, NewEntry, Snapshot, StreamHead, Transfer, stamp
from croupier.ledger.faults import Conflict, JournalUnavailable, Repeated
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.signatures.chain import GENESIS, check_chain
from croupier.ledger.stores.database import StreamGrown
from croupier.ledger.verification.checks import check_balances
from tests.ledger.samples import NOON, addition, chapter, check_all, entry, fill


def test_what_is_added_is_read_again(store: Journal) -> None:
    transfers = (Transfer("player:ann", "house", 500), Transfer("house", "drop", 20))
    body = '{"card":"Q♠","note":"a \\"quoted\\" word\\n"}'.encode()
    news = (NewEntry("bet", body, transfers), NewEntry("deal", b"{}"))
    written = store.add(Addition("table/1", 0, news), at=NOON)
    assert tuple(store.read("table/1")) == written
    assert [(one.kind, one.body, one.transfers) for one in written] == [
        (one.kind, one.body, one.transfers) for one in news
    ]
    assert {one.at for one in written} == {"2026-11-15T12:00:00.000000Z"}
    assert store.head("table/1") == StreamHead(2, written[-1].hash) == check_chain(written)
    assert store.balances() == {"drop": 20, "house": 480, "player:ann": -500}
    assert store.balances("player:") == {"player:ann": -500}
    assert store.balance("house") == 480
    assert store.balance("nobody") == 0


def test_an_unknown_stream_is_empty(store: Journal) -> None:
    assert store.head("table/9") == StreamHead(0, GENESIS)
    assert tuple(store.read("table/9")) == ()
    assert store.snapshot("table/9") is None
    assert store.streams() == ()
    assert store.answered("table/9", "a") is None
    assert store.chapter("table/9", 1) is None
    assert store.add(at=NOON) == ()


def test_part_of_a_stream(store: Journal) -> None:
    fill(store, count=10)
    assert [one.version for one in store.read("table/1", 3)] == [4, 5, 6, 7, 8, 9, 10]
    assert [one.version for one in store.read("table/1", 3, 5)] == [4, 5]
    assert tuple(store.read("table/1", 10)) == ()
    middle = tuple(store.read("table/1", 0, 4))[-1]
    assert check_chain(store.read("table/1", 4), StreamHead(4, middle.hash)).version == 10


def test_streams_by_prefix_whatever_the_case(store: Journal) -> None:
    for name in ("table/2", "Table/1", "meter/a", "table/10", "table/é", "tableau"):
        store.add(addition(name, 0, 5), at=NOON)
    assert store.streams("table/") == ("table/10", "table/2", "table/é")
    assert store.streams() == tuple(
        sorted(("table/2", "Table/1", "meter/a", "table/10", "table/é", "tableau"))
    )


@pytest.mark.parametrize("after", [0, 1, 3, 99])
def test_a_writer_who_saw_another_version_gets_a_conflict(store: Journal, after: int) -> None:
    head = fill(store, count=2)
    with pytest.raises(Conflict) as caught:
        store.add(addition("table/1", after, 5), at=NOON)
    assert not isinstance(caught.value, Repeated)
    assert store.head("table/1") == head
    fill(store, count=4)
    check_all(store)


def test_another_writer_was_first(url: str, store: Journal) -> None:
    fill(store, count=3)
    with open_journal(url) as other:
        fill(other, count=5)
    with pytest.raises(Conflict, match="is at entry 5 now, not 3: reload"):
        store.add(addition("table/1", 3, 5), at=NOON)
    fill(store, count=7)
    check_all(store)


def test_several_streams_all_or_nothing(store: Journal) -> None:
    fill(store, "table/1", 2)
    before = store.consistent_view()
    with pytest.raises(Conflict):
        store.add(addition("meter/a", 0, 5), addition("table/1", 1, 7), at=NOON)
    with pytest.raises(Conflict):
        store.add(addition("table/1", 2, 7), addition("meter/a", 4, 5), at=NOON)
    assert store.consistent_view() == before
    written = store.add(addition("table/1", 2, 7), addition("meter/a", 0, 5, 6), at=NOON)
    assert [(one.stream, one.version) for one in written] == [
        ("table/1", 3),
        ("meter/a", 1),
        ("meter/a", 2),
    ]
    check_all(store)


def test_a_request_is_written_once(store: Journal) -> None:
    written = store.add(addition("table/1", 0, 5, 6, request="click 1"), at=NOON)
    store.add(addition("table/1", 2, 7), at=NOON)
    assert store.answered("table/1", "click 1") == written
    assert store.answered("table/2", "click 1") is None
    for after in (0, 3):
        with pytest.raises(Repeated):
            store.add(addition("table/1", after, 5, request="click 1"), at=NOON)
    assert store.head("table/1").version == 3
    store.add(addition("table/2", 0, 5, request="click 1"), at=NOON)
    check_all(store)


def test_snapshots(store: Journal) -> None:
    store.add(Addition("table/1", 0, (entry(1),), snapshot=b"\x00one"), at=NOON)
    assert store.snapshot("table/1") == Snapshot(1, b"\x00one")
    fill(store, count=3)
    assert store.snapshot("table/1") == Snapshot(1, b"\x00one")
    store.add(Addition("table/1", 3, (entry(4),), snapshot=b""), at=NOON)
    assert store.snapshot("table/1") == Snapshot(4, b"")


def test_chapters_are_recalled(store: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.ledger.journal.BATCH", 3)
    ann, bob = Mark("player", "ann"), Mark("player", "bob")
    flush = Mark("hand", "straight_flush")
    for stream in ("table/1", "table/2"):
        for number in range(1, 11):
            marks = [ann, *([bob] if number % 2 else []), *([flush] if number == 7 else [])]
            one = chapter(stream, number, number, *marks)
            store.add(Addition(stream, number - 1, (entry(number),), chapters=(one,)), at=NOON)

    def numbers(**question: object) -> list[int]:
        return [one.number for one in store.chapters(**question)]  # type: ignore[arg-type]

    assert numbers(stream="table/1") == list(range(10, 0, -1))
    assert numbers(stream="table/1", newest_first=False, limit=4) == [1, 2, 3, 4]
    assert numbers(limit=0) == []
    assert numbers(newest_first=False) == [n for n in range(1, 11) for _ in "ab"]
    assert numbers(marks=[bob, ann], stream="table/2", limit=3) == [9, 7, 5]
    assert numbers(marks=[bob, flush]) == [7, 7]
    assert numbers(marks=[flush, flush, Mark("player", "eve")]) == []
    since, until = NOON + timedelta(minutes=4), NOON + timedelta(minutes=6)
    assert numbers(stream="table/1", since=since, until=until) == [6, 5, 4]
    found = store.chapter("table/1", 7)
    assert found == chapter("table/1", 7, 7, ann, bob, flush)
    with pytest.raises(BadRequest, match="has a chapter 7 already"):
        store.add(Addition("table/1", 10, (entry(11),), chapters=(found,)), at=NOON)
    check_all(store)


def test_the_clock_may_be_put_back(store: Journal) -> None:
    for version, hours in enumerate((0, -3, 5, -9)):
        time = NOON + timedelta(hours=hours)
        one = chapter("table/1", version + 1, version + 1)
        new = Addition("table/1", version, (entry(version),), chapters=(one,))
        store.add(new, at=time.astimezone(timezone(timedelta(hours=-5))))
    assert [one.at[11:13] for one in store.read("table/1")] == ["12", "09", "17", "03"]
    assert [one.number for one in store.chapters("table/1", newest_first=False)] == [1, 2, 3, 4]
    check_all(store)


@pytest.mark.parametrize(
    "wrong",
    [
        Addition("", 0, (entry(1),)),
        Addition("table 1", 0, (entry(1),)),
        Addition("table\0", 0, (entry(1),)),
        Addition("t" * 201, 0, (entry(1),)),
        Addition("table/1", -1, (entry(1),)),
        Addition("table/1", 2**80, (entry(1),)),
        Addition("table/1", 0, ()),
        Addition("table/1", 0, (entry(1),), request=""),
        Addition("table/1", 0, (NewEntry("", b"{}"),)),
        Addition("table/1", 0, (NewEntry("a\ud800", b"{}"),)),
        Addition("table/1", 0, (NewEntry("a", b"\xff"),)),
        Addition("table/1", 0, (NewEntry("a", b"\0"),)),
        addition("table/1", 0, -5),
        Addition("table/1", 0, (NewEntry("a", b"{}", (Transfer("a", "b", 0),)),)),
        Addition("table/1", 0, (NewEntry("a", b"{}", (Transfer("a", "b", 10**16),)),)),
        Addition("table/1", 0, (NewEntry("a", b"{}", (Transfer("a", "a", 1),)),)),
        Addition("table/1", 0, (entry(1),), chapters=(chapter("table/2", 1, 1),)),
        Addition("table/1", 0, (entry(1),), chapters=(chapter("table/1", 1, 2),)),
        Addition("table/1", 0, (entry(1),), chapters=(chapter("table/1", 1, 1, Mark("", "")),)),
        Addition(
            *("table/1", 0, (entry(1),)),
            chapters=(chapter("table/1", 1, 1, Mark("a", "b"), Mark("a", "b")),),
        ),
    ],
)
def test_what_no_journal_can_keep_is_refused(store: Journal, wrong: Addition) -> None:
    with pytest.raises(BadRequest):
        store.add(addition("meter/a", 0, 5), wrong, at=NOON)
    assert store.streams() == ()
    assert store.balances() == {}
    fill(store, count=2)


def test_two_additions_to_one_stream_and_a_time_without_zone(store: Journal) -> None:
    with pytest.raises(BadRequest, match="two additions to one stream"):
        store.add(addition("table/1", 0, 5), addition("table/1", 1, 5), at=NOON)
    with pytest.raises(BadRequest, match="no time zone"):
        store.add(addition("table/1", 0, 5), at=datetime(2026, 1, 1))
    assert store.streams() == ()


def test_a_balance_never_loses_a_cent_to_overflow(store: Journal) -> None:
    many = tuple(Transfer("a", "b", 10**15) for _ in range(4500))
    store.add(Addition("table/1", 0, (NewEntry("a", b"{}", many),)), at=NOON)
    store.add(Addition("table/1", 1, (NewEntry("a", b"{}", many),)), at=NOON)
    with pytest.raises((BadRequest, JournalUnavailable)):
        store.add(Addition("table/1", 2, (NewEntry("a", b"{}", many),)), at=NOON)
    assert store.balance("b") == 9 * 10**18
    check_all(store)


def _append(url: str, stream: str, count: int, shared: str | None) -> None:
    with open_journal(url, wait_seconds=60) as store:
        _append_to(store, stream, count, shared)


def _append_to(store: Journal, stream: str, count: int, shared: str | None) -> None:
    written = 0
    while written < count:
        additions = [addition(stream, store.head(stream).version, 1, 2)]
        if shared is not None:
            additions.append(addition(shared, store.head(shared).version, 3))
        try:
            store.add(*additions, at=NOON)
        except Conflict:
            continue
        written += 1


def test_processes_append_to_one_stream_and_none_is_lost(url: str) -> None:
    open_journal(url).close()
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_append, args=(url, "table/1", 15, None)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    with open_journal(url) as store:
        assert check_all(store)["table/1"].version == 3 * 15 * 2
        assert store.balance("house") == 3 * 15 * 3


def test_threads_share_a_store_and_a_meter(store: Journal) -> None:
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(_append_to, store, f"table/{n}", 15, "meter/a") for n in range(4)]
        for job in jobs:
            job.result(60)
    assert {name: head.version for name, head in check_all(store).items()} == {
        "meter/a": 60,
        **{f"table/{n}": 30 for n in range(4)},
    }


def test_crossing_writers_do_not_wait_for_each_other_in_a_circle(url: str) -> None:
    """Streams and accounts are given in opposite orders by the two."""
    ahead, barrier = Transfer("a", "b", 1), threading.Barrier(2)
    back = Transfer("b", "a", 1)

    def work(one: str, two: str, transfer: Transfer) -> None:
        new = (NewEntry("moved", b"{}", (transfer,)),)
        with open_journal(url) as store:
            barrier.wait(10)
            for _ in range(20):
                own = f"own/{one}"
                store.add(
                    Addition(own, store.head(own).version, new),
                    Addition(f"z{one}/{own}", store.head(f"z{one}/{own}").version, new),
                    at=NOON,
                )

    open_journal(url).close()
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(work, "x", "y", ahead), pool.submit(work, "y", "x", back)]
        for job in jobs:
            job.result(60)
    with open_journal(url) as store:
        check_all(store)


def test_opening_at_the_same_moment(url: str) -> None:
    barrier = threading.Barrier(6)

    def work(number: int) -> None:
        barrier.wait(10)
        with open_journal(url) as store:
            fill(store, f"table/{number}", 3)

    with ThreadPoolExecutor(6) as pool:
        for job in [pool.submit(work, number) for number in range(6)]:
            job.result(60)
    with open_journal(url) as store:
        assert len(check_all(store)) == 6


def test_listening(url: str, store: Journal) -> None:
    fill(store, count=2)
    with store.listen() as listener:
        assert listener.wait(0) == ()
        fill(store, count=3)
        assert listener.wait(5) == (StreamGrown("table/1", 3),)
        with open_journal(url) as other:
            other.add(addition("meter/a", 0, 1, 2), at=NOON)
        assert listener.wait(5) == (StreamGrown("meter/a", 2),)
        assert listener.wait(0.01) == ()


def test_checks_hold_while_others_write(url: str, store: Journal) -> None:
    fill(store, count=2)
    done = threading.Event()

    def write() -> None:
        with open_journal(url) as other:
            while not done.is_set():
                other.add(addition("table/1", other.head("table/1").version, 3), at=NOON)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(10):
            check_balances(store)
    finally:
        done.set()
        thread.join(30)


def test_reading_takes_flat_memory(store: Journal) -> None:
    def peak() -> int:
        tracemalloc.start()
        check_chain(store.read("table/1"))
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    news = tuple(NewEntry("noted", b'{"long":"%s"}' % (b"x" * 500)) for _ in range(2000))
    store.add(Addition("table/1", 0, news), at=NOON)
    peak()
    small = peak()
    for turn in range(1, 8):
        store.add(Addition("table/1", 2000 * turn, news), at=NOON)
    assert peak() < small * 1.5


def test_a_closed_store_says_so(url: str) -> None:
    store = open_journal(url)
    store.close()
    store.close()
    for call in (lambda: store.head("a"), lambda: store.add(addition("a", 0, 1), at=NOON)):
        with pytest.raises(JournalUnavailable, match="is closed"):
            call()


def test_times_of_chapters_are_as_stamp_writes_them(store: Journal) -> None:
    assert stamp(NOON) == "2026-11-15T12:00:00.000000Z"
    new = chapter("table/1", 1, 1)
    odd = type(new)("table/1", 1, 1, 1, "2026-11-15 12:00", new.ended)
    with pytest.raises(BadRequest, match="not a time"):
        store.add(Addition("table/1", 0, (entry(1),), chapters=(odd,)), at=NOON)


@pytest.mark.parametrize("name", ["mysql://a/b", "sqlite://", "sqlite:///:memory:", "http://x"])
def test_other_databases_are_refused(name: str) -> None:
    with pytest.raises(BadRequest):
        open_journal(name)


def test_a_path_and_a_url_are_the_same_file(tmp_path: Path) -> None:
    file = tmp_path / "a folder ?#%20" / "jöurnal.db"
    file.parent.mkdir()
    with open_journal(file) as store:
        fill(store)
    with open_journal(str(file)) as store:
        assert store.head("table/1").version == 10
        assert str(file.name) in store.name


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.timezones()))
def test_stamps_are_iso_in_utc_and_in_order(at: datetime) -> None:
    utc = at.astimezone(UTC)
    assert stamp(at) == f"{utc.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
    assert datetime.fromisoformat(stamp(at)) == utc
