"""Past rounds of tables whose decks the software keeps: told, played again and corrected."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest
from msgspec.structs import replace

from croupier.errors import Refusal
from croupier.ledger.history.past_rounds import (
    Moment,
    corrections,
    finished_round,
    moments,
    round_moments,
)
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.records.table_entries import table_record, table_stream
from croupier.ledger.verification.verify import verify
from croupier.rounds.declaration import Actor, to_json
from croupier.runtime.house import House
from croupier.tables.commands import Correct
from tests.commands.program import croupier
from tests.ledger.kept_journals import machine_of_the_fixtures, restore

TWO_DECKS, OUT_OF_ORDER = "care-md-uth-two-decks", "care-md-wpt-out-of-order"


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journal]:
    folder = tmp_path_factory.mktemp("past")
    with (
        machine_of_the_fixtures(folder),
        open_journal(restore(folder / "journal.db")) as journal,
    ):
        yield journal


def test_an_older_round_is_told(journal: Journal) -> None:
    ended = croupier("replay", TWO_DECKS, "1", "--journal", journal.name)
    assert ended.code == 0, ended
    assert "Ann (seat 1)" in ended.text
    first = next(round_moments(journal, TWO_DECKS, 1))
    assert first.before is not None
    assert first.before.care is not None
    assert [deck.back for deck in first.before.care.decks] == ["red", "blue"]


def _alone(moment: Moment) -> bytes:
    after = moment.after
    return to_json(replace(after, round=replace(after.round, last=())))


def test_every_round_can_be_played_alone_as_in_the_whole(journal: Journal) -> None:
    """Also where the decks are kept: the round says how they stood when it opened. Only the bets of
    the round before, kept to be repeated, are not in it."""
    for stream in journal.streams("table:"):
        table = stream.removeprefix("table:")
        whole = [(m.entry.version, _alone(m)) for m in moments(journal, table)]
        for chapter in journal.chapters(stream):
            alone = round_moments(journal, table, chapter.number)
            assert [(m.entry.version, _alone(m)) for m in alone] == [
                one for one in whole if chapter.first <= one[0] <= chapter.last
            ], (table, chapter.number)


def test_an_older_round_is_corrected(journal: Journal) -> None:
    house, flo = House(journal), Actor("floorperson", "Flo")
    assert house.table(TWO_DECKS).round.number == 2
    house.do(TWO_DECKS, Correct(1, 1, "Ann", "blind", 500, "seen on the recording"), flo)
    with pytest.raises(Refusal, match="nothing was on 'trips'"):
        house.do(TWO_DECKS, Correct(1, 1, "Ann", "trips", 500, "no such wager"), flo)
    assert [one.event.cents for one in corrections(journal, TWO_DECKS, 1)] == [500]
    assert verify(journal).valid


def test_a_round_is_played_by_the_terms_in_force_when_it_opened(journal: Journal) -> None:
    """The way of dealing had changed since the table was opened: the shoe was out of order. It goes
    on when its last entry was written: by today's clock its decks would be too old."""
    *_, end = journal.read(table_stream(OUT_OF_ORDER))
    house = House(journal, clock=lambda: datetime.fromisoformat(end.at))
    for entry in journal.read(table_stream(OUT_OF_ORDER), after=5, up_to=10):
        record = table_record(entry)
        house.do(OUT_OF_ORDER, record.command, record.by)
    usual = table_record(next(journal.read(table_stream(OUT_OF_ORDER)))).command
    assert house.table(OUT_OF_ORDER).submission != usual.submission  # type: ignore[union-attr]
    house.open_betting(OUT_OF_ORDER, Actor("dealer", "Dan"))
    *_, last = round_moments(journal, OUT_OF_ORDER, 1)
    assert last.after == house.table(OUT_OF_ORDER)
    assert verify(journal).valid


def test_playing_a_round_reads_that_round_only(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Journal.read
    seen: list[int] = []

    def counting(
        self: Journal, stream: str, after: int = 0, up_to: int | None = None
    ) -> Iterator[object]:
        for entry in read(self, stream, after, up_to):
            seen.append(entry.version)
            yield entry

    monkeypatch.setattr(Journal, "read", counting)
    chapter = journal.chapter(table_stream(TWO_DECKS), 2)
    assert chapter is not None
    finished_round(journal, TWO_DECKS, 2)
    assert len(seen) == chapter.last - chapter.first + 1 + 2  # its opening, and the table's
