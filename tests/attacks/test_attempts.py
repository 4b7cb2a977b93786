"""Whoever has the same refused a thousand times, or writes at length, fills no disk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import croupier
from croupier.errors import Refusal
from croupier.ledger.checkpoints.checkpoints import Checkpoint, checkpoint_records, take_checkpoint
from croupier.ledger.checkpoints.pruning import PRUNED, PrunedSpan, prune_attempts, pruned_up_to
from croupier.ledger.entries import Addition, Entry, NewEntry, stamp
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.maintenance.reindex import reindex
from croupier.ledger.records.table_entries import Asker
from croupier.ledger.signatures.machine_key import machine_key
from croupier.ledger.verification.verify import verify
from croupier.rounds.commands import VoidRound
from croupier.rounds.declaration import Actor, to_json
from croupier.runtime.attempts import MOST_ENTRIES, WINDOW
from croupier.runtime.journal_session import JournalSession
from croupier.tables.commands import Assign, OpenTable
from tests.ledger.forgery import behind_our_back

LONG = VoidRound("x" * 300, "y" * 60)
NO = Refusal("a player may not declare the round void " * 50, code="wrong_role", clause="3.A")
ANN = Asker("player", "Ann")


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 11, 16, 3, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.db") as found:
        yield found


@pytest.fixture
def session(journal: Journal, clock: Clock) -> JournalSession:
    session = JournalSession(journal, "one", clock=clock)
    session.do(OpenTable("one", "md-uth", '{"offered":["trips"]}'), Actor("operator", "Olga"))
    return session


def written(journal: Journal) -> list[Entry]:
    return list(journal.read("attempts:one"))


def times(journal: Journal) -> int:
    return sum(json.loads(entry.body)["times"] for entry in written(journal))


def test_the_same_again_and_again_is_counted(journal: Journal, session: JournalSession) -> None:
    for _ in range(4096):
        session.record_attempt(LONG, ANN, NO)
    assert len(written(journal)) == 8 + 9  # one by one, then 16, 32, … 4,096
    assert times(journal) == 4096
    assert sum(len(entry.body) for entry in written(journal)) < 20_000
    assert verify(journal).valid


def test_what_was_only_counted_is_told_with_the_next(
    journal: Journal, session: JournalSession, clock: Clock
) -> None:
    for _ in range(30):
        session.record_attempt(LONG, ANN, NO)
    assert times(journal) == 16
    clock.now += WINDOW
    session.record_attempt(LONG, ANN, NO)
    assert times(journal) == 31


def test_many_names_share_the_room_of_a_table(journal: Journal, session: JournalSession) -> None:
    for number in range(2048):
        session.record_attempt(LONG, Asker("player", f"guest {number}"), NO)
    assert len(written(journal)) <= MOST_ENTRIES + 20
    assert times(journal) > 1024
    assert json.loads(written(journal)[-1].body)["by"]["name"] == "several"


def test_a_clock_that_is_set_back_stops_no_record(
    journal: Journal, session: JournalSession, clock: Clock
) -> None:
    session.record_attempt(LONG, ANN, NO)
    clock.now -= timedelta(days=1)
    session.record_attempt(LONG, ANN, NO)
    assert times(journal) == 2


# -- pruned by rule -------------------------------------------------------------------------------


@pytest.fixture
def old(journal: Journal, session: JournalSession, clock: Clock) -> Journal:
    """Three attempts of long ago and one of today, signed then and now; one that is not signed."""
    for number in range(3):
        session.record_attempt(LONG, Asker("player", f"guest {number}"), NO)
    take_checkpoint(journal, machine_key(), clock.now)
    pass_weeks(session, clock, 9)
    session.record_attempt(LONG, ANN, NO)
    take_checkpoint(journal, machine_key(), clock.now)
    session.record_attempt(LONG, Asker("player", "Ben"), NO)
    return journal


def pass_weeks(session: JournalSession, clock: Clock, weeks: int) -> None:
    """Each week something happens at the table and is signed."""
    for week in range(weeks):
        clock.now += timedelta(days=7)
        session.do(Assign("dealer", f"Dan {week}"), Actor("floorperson", "Flo"))
        take_checkpoint(session.journal, machine_key(), clock.now)


def messages(journal: Journal, clock: Clock, *kept: Checkpoint) -> list[str]:
    return [one.message for one in verify(journal, kept=kept, now=clock.now).differences]


def test_old_attempts_lose_their_text_and_stay_provable(old: Journal, clock: Clock) -> None:
    kept = [record.checkpoint for record in checkpoint_records(old)]
    found = prune_attempts(old, 30, clock.now)
    assert found.entries == 3
    assert found.bytes > 1000
    assert [entry.is_pruned for entry in written(old)] == [True, True, True, False, False]
    assert messages(old, clock, *kept) == []
    assert prune_attempts(old, 30, clock.now).entries == 0
    reindex(old)
    assert messages(old, clock) == []
    take_checkpoint(old, machine_key(), clock.now)
    assert messages(old, clock, *kept) == []
    with pytest.raises(croupier.CroupierError, match="append-only"), old.reader() as connection:
        connection.exec_driver_sql("UPDATE entries SET body = ''")


def test_what_is_young_or_not_signed_is_kept(
    old: Journal, session: JournalSession, clock: Clock
) -> None:
    with pytest.raises(croupier.CroupierError, match="the last 30 days"):
        prune_attempts(old, 29, clock.now)
    clock.now += timedelta(days=60)
    assert prune_attempts(old, 30, clock.now).entries == 3, "the last checkpoint decides, not now"
    assert [entry.is_pruned for entry in written(old)] == [True, True, True, False, False]
    pass_weeks(session, clock, 5)
    assert prune_attempts(old, 30, clock.now).entries == 1
    assert not written(old)[-1].is_pruned, "it was signed only now"
    assert messages(old, clock) == []


def test_a_clock_set_forward_erases_nothing(old: Journal, clock: Clock) -> None:
    """Not even where a checkpoint is signed by that clock: it shows as soon as the clock is
    right."""
    today = clock.now
    clock.now += timedelta(days=365)
    assert prune_attempts(old, 60, clock.now).entries == 3
    take_checkpoint(old, machine_key(), clock.now)
    with pytest.raises(croupier.CroupierError, match="before the clock is right"):
        prune_attempts(old, 30, today)
    clock.now = today
    assert "is dated after now: a clock was wrong" in str(messages(old, clock))
    session = JournalSession(old, "one", clock=clock)
    session.load()
    session.record_attempt(LONG, ANN, NO)
    take_checkpoint(old, machine_key(), today)
    clock.now += timedelta(days=3650)
    assert "is dated before the one that it follows" in str(messages(old, clock))


def test_a_clock_set_forward_and_signed_by_erases_nothing_of_today(
    old: Journal, clock: Clock
) -> None:
    """A server signs a few seconds after its clock was set, and a timer prunes: the attempts of
    the day were gone before anybody saw the clock."""
    clock.now += timedelta(days=365)
    take_checkpoint(old, machine_key(), clock.now)
    assert prune_attempts(old, 30, clock.now).entries == 3, "what was old before"
    assert [entry.is_pruned for entry in written(old)] == [True, True, True, False, False]
    assert messages(old, clock) == []


def test_a_rule_that_was_broken_when_it_was_used_stays_broken(old: Journal, clock: Clock) -> None:
    """Checkpoints that come later do not make it right."""
    span = PrunedSpan("attempts:one", 4, stamp(clock.now))
    old.add(Addition(PRUNED, 0, (NewEntry("pruned", to_json(span)),)), at=clock.now)
    take_checkpoint(old, machine_key(), clock.now)
    assert pruned_up_to(old) == {}
    clock.now += timedelta(days=90)
    session = JournalSession(old, "one", clock=clock)
    session.load()
    session.record_attempt(LONG, ANN, NO)
    take_checkpoint(old, machine_key(), clock.now)
    assert pruned_up_to(old) == {}


@pytest.mark.parametrize("up_to", [0, 5])
def test_nobody_empties_an_attempt_without_the_rule(old: Journal, up_to: int, clock: Clock) -> None:
    """Not without a word, and not with one that breaks the rule."""
    if up_to:
        span = PrunedSpan("attempts:one", up_to, stamp(clock.now))
        told = NewEntry("pruned", to_json(span))
        old.add(Addition(PRUNED, 0, (told,)), at=clock.now)
    old.close()
    path = Path(old.name)
    with behind_our_back(path) as raw:
        raw.execute("UPDATE entries SET body = '' WHERE stream = 'attempts:one' AND version = 5")
    with open_journal(path) as journal:
        text = str(verify(journal).differences)
    assert "its text is gone, and no rule took it" in text
    assert "its text is gone, and no checkpoint covers it" in text


def test_no_attempt_tells_a_card_that_lies_face_down(tmp_path: Path) -> None:
    """A refused card tells that it lies on the table."""
    with croupier.open_journal(tmp_path / "live.db") as journal:
        table = journal.open_table("md-uth", name="one", cards="live", care=False)
        table.sit("Ann", 1, buy_in=500)
        table.bet("Ann", ante=5, blind=5)
        table.do("close_bets")
        table.do("deal")
        table.do("enter_cards", place="player", seat=1, cards="Ah Kd")
        with pytest.raises(croupier.CroupierError):
            table.do("enter_cards", place="dealer", cards="Ah 2c")
        (attempt,) = journal.ledger.read("attempts:one")
        assert "Ah" not in attempt.body.decode()
        assert "??" in attempt.body.decode()
