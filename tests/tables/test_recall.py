"""Past rounds come back as they were."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from croupier.errors import BadRequest
from croupier.ledger.entries import Mark
from croupier.ledger.history.past_rounds import moments, recall, round_moments
from croupier.ledger.journal import Journal, open_journal
from croupier.randomness.shuffling import Seeded
from croupier.rounds.declaration import to_json
from croupier.runtime.house import House
from croupier.tables.state import Table
from tests.tables.dealing_school import open_table, play


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, Table]]:
    """Twelve rounds, and the table after each command as it was live."""
    path = tmp_path_factory.mktemp("recall") / "journal.db"
    live: dict[int, Table] = {}
    with open_journal(path) as store:
        house = House(store, draw=Seeded(7))
        open_table(house, "T1", "md-jackpot", players=2)
        for state in play(house, "T1", 12, Random(1)):
            live[state.version] = state
    return path, live


@pytest.fixture
def store(played: tuple[Path, dict[int, Table]]) -> Journal:
    return open_journal(played[0])


def test_replay_equals_live_at_every_step(
    store: Journal, played: tuple[Path, dict[int, Table]]
) -> None:
    replayed = {moment.entry.version: moment.after for moment in moments(store, "T1")}
    for version, state in played[1].items():
        assert to_json(replayed[version]) == to_json(state)


def test_a_round_alone_is_told_as_in_the_whole(
    store: Journal, played: tuple[Path, dict[int, Table]]
) -> None:
    whole = {moment.entry.version: moment.after for moment in moments(store, "T1")}
    for number in range(1, 13):
        alone = list(round_moments(store, "T1", number))
        assert alone[0].after.round.phase == "betting"
        assert alone[-1].after.round.phase == "over"
        assert all(moment.after.round.number == number for moment in alone)
        assert all(to_json(m.after) == to_json(whole[m.entry.version]) for m in alone)


def test_a_round_in_play_is_told_as_far_as_it_has_come(tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.db") as store:
        house = House(store, draw=Seeded(7))
        open_table(house, "T1", "md-uth")
        steps = 0
        for state in play(house, "T1", 2, Random(1)):
            steps += state.round.number == 2
            if state.round.number == 2 and state.round.phase == "deciding":
                break
        told = list(round_moments(store, "T1", 2))
        assert told[-1].after == house.table("T1")


def test_rounds_are_found_by_what_happened_in_them(
    store: Journal, played: tuple[Path, dict[int, Table]]
) -> None:
    states = {s.round.number: s for s in played[1].values() if s.round.phase == "over"}
    for hand in ("pair", "two_pair", "high_card", "flush"):
        expected = [
            number
            for number in range(12, 0, -1)
            if any(seat.hand == hand for seat in states[number].round.seats)
        ]
        found = [chapter.number for chapter in recall(store, marks=[Mark("hand", hand)])]
        assert found == expected, hand
    both = recall(store, marks=[Mark("player", "p1"), Mark("seat", "2")], limit=3)
    assert [chapter.number for chapter in both] == [12, 11, 10]
    assert not list(recall(store, marks=[Mark("player", "nobody")]))


@pytest.mark.parametrize(("table", "number"), [("T1", 13), ("T1", 0), ("T2", 1)])
def test_a_round_that_was_never_played_is_an_error(store: Journal, table: str, number: int) -> None:
    with pytest.raises(BadRequest):
        list(round_moments(store, table, number))
