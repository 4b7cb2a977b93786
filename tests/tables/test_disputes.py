"""Floor decisions in a journal: foreseen, corrected by added entries only, found again, audited."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from croupier.cards import parse_cards
from croupier.errors import BadRequest, CroupierError, Refusal
from croupier.ledger.history.past_rounds import corrections, finished_round, round_moments
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.records.table_entries import attempts_stream, corrections_stream, table_stream
from croupier.ledger.verification.verify import verify
from croupier.rounds.commands import Deal, LeaveRound, Report, RuleAbandoned
from croupier.rounds.deal_record import laid_out
from croupier.rounds.declaration import Actor, to_json
from croupier.rounds.state import Round, SeatInRound
from croupier.runtime.house import House
from croupier.tables.commands import CashOut, CloseTable, Correct, GiveUpSeat
from croupier.tables.sentences import describe_plan
from tests.commands.program import croupier
from tests.tables.dealing_school import DAN, FLO, next_command, open_table, play
from tests.tables.seated import game


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def store(path: Path) -> Iterator[Journal]:
    with open_journal(path) as opened:
        yield opened


def played(store: Journal, rounds: int = 3) -> House:
    house = House(store)
    open_table(house, "T1", "md-uth")
    for _ in play(house, "T1", rounds, Random(7)):
        pass
    return house


def correction(number: int = 2, cents: int = 1500, **changed: object) -> Correct:
    told = {"round": number, "seat": 1, "player": "p1", "wager": "blind", "amount": cents}
    return Correct(**({**told, "reason": "underpaid"} | changed))  # type: ignore[arg-type]


def test_a_past_round_is_corrected_by_an_added_entry(store: Journal) -> None:
    house = played(store)
    before, rack = list(round_moments(store, "T1", 2)), house.table("T1").rack("p1")
    house_has = store.balance("table:T1:inventory") + store.balance("cage")
    (event,) = house.do("T1", correction(), FLO)
    assert house.table("T1").rack("p1") == rack + 1500
    assert store.balance("table:T1:inventory") + store.balance("cage") == house_has - 1500
    assert list(round_moments(store, "T1", 2)) == before, "what was written stays"
    assert [one.event for one in corrections(store, "T1", 2)] == [event]
    assert list(corrections(store, "T1", 1)) == []
    house.do("T1", correction(cents=-300), FLO)
    assert [one.event.cents for one in corrections(store, "T1")] == [1500, -300]
    for _ in play(house, "T1", 1, Random(8)):
        pass
    found = verify(store)
    assert found.valid, found.differences


@pytest.mark.parametrize(
    ("told", "code"),
    [
        (correction(9), "not_now"),
        (correction(0), "not_now"),
        (correction(amount=0), "bad_amount"),
        (correction(amount=-(10**9)), "not_enough_money"),
        (correction(reason="  "), "no_reason"),
        (correction(seat=6), "seat_closed"),
        (correction(3, seat=6), "seat_closed"),
        (correction(player="p2"), "not_yours"),
        (correction(wager="trips"), "nothing_there"),
        (correction(wager="nonsense"), "unknown_name"),
    ],
)
def test_a_correction_that_corrects_nothing_is_refused(
    store: Journal, told: Correct, code: str
) -> None:
    house = played(store)
    version = store.head(table_stream("T1")).version
    with pytest.raises(CroupierError) as refusal:
        house.do("T1", told, FLO)
    assert refusal.value.code == code
    assert store.head(table_stream("T1")).version == version
    assert not store.head(corrections_stream("T1")).version


def test_a_dealer_corrects_nothing(store: Journal) -> None:
    house = played(store, 1)
    with pytest.raises(Refusal) as refusal:
        house.do("T1", correction(1), DAN)
    assert refusal.value.code == "wrong_role"


def test_what_is_due_to_somebody_who_left_goes_to_him(store: Journal) -> None:
    house = played(store, 1)
    house.do("T1", GiveUpSeat("p1", 1), FLO)
    house.do("T1", CashOut("p1"), Actor("player", "p1"))
    took = store.balance("patron:p1")
    (event,) = house.do("T1", correction(1), FLO)
    assert getattr(event, "away", False)
    assert store.balance("patron:p1") == took + 1500
    with pytest.raises(Refusal) as refusal:
        house.do("T1", correction(1, -1), FLO)
    assert refusal.value.code == "not_enough_money"
    assert verify(store).valid


def test_a_replay_shows_what_was_added(store: Journal, path: Path) -> None:
    house = played(store)
    house.do("T1", correction(), FLO)
    told = croupier("replay", "T1", "2", "--journal", path, "--json").out.decode()
    assert "round 2 corrected by Flo: Blind, $15 to p1 (seat 1): underpaid" in told
    rows = croupier("export", "T1", "--format", "csv", "--journal", path).out.splitlines()
    assert any(b"2," in x and b"corrected,15.00,,Flo: underpaid," in x for x in rows)
    assert b"corrected" not in croupier("replay", "T1", "1", "--journal", path).out


@pytest.mark.clause("md-uth", "11.K")
def test_11_K_a_replay_lays_out_every_hand(store: Journal, path: Path) -> None:
    """Folded hands as well."""
    house = played(store, 1)
    while not any(s.folded for s in finished_round(store, "T1", _last(house)).seats):
        assert _last(house) < 40
        for _ in play(house, "T1", 1, Random(_last(house))):
            pass
    number = _last(house)
    state = finished_round(store, "T1", number)
    told = croupier("replay", "T1", str(number), "--journal", path).out.decode()
    lines = told.partition("The hands as they lay")[2].splitlines()
    given = croupier("replay", "T1", str(number), "--journal", path, "--json").out
    hands = {hand["place"]: hand for hand in json.loads(given)["hands"]}
    for seat in state.seats:
        hand = hands[f"seat {seat.number}"]
        assert (hand["cards"], hand["folded"]) == ([*map(str, seat.cards)], seat.folded)
        (line,) = [x for x in lines if f"seat {seat.number}, {seat.player}:" in x]
        assert hand["hand"] in line
        assert line.endswith("folded") == seat.folded
    assert hands["dealer"]["cards"] == [*map(str, state.dealer)]
    assert hands["board"]["cards"] == [*map(str, state.community)]
    house.open_betting("T1", DAN)
    in_play = croupier("replay", "T1", str(number + 1), "--journal", path).out.decode()
    assert "as they lay" not in in_play


def _last(house: House) -> int:
    return house.table("T1").round.number


def test_hands_that_were_never_entered_are_laid_out_as_such() -> None:
    state = Round(
        1,
        "over",
        (
            SeatInRound(1, "ann", {"ante": 500}, folded=True),
            SeatInRound(2, "ben", {"ante": 500}, cards=parse_cards("As Kd")),
        ),
        "live",
        drawn=9,
        community=parse_cards("2c 3c 4c"),
    )
    rules = game("md-uth").rules
    hands = laid_out(state, rules)
    assert [(hand.place, hand.words) for hand in hands] == [
        ("seat 1", "not entered, folded"),
        ("seat 2", "As Kd"),
        ("dealer", "not entered"),
        ("board", "2c 3c 4c, 2 not entered"),
    ]
    sealed = laid_out(replace(state, source="virtual"), rules)
    assert sealed[-1].words == "2c 3c 4c, 2 not dealt"
    assert not laid_out(replace(state, phase="settling"), rules), "not while cards are in play"


def test_a_hidden_correction_is_found(store: Journal, path: Path) -> None:
    """An index without its last entry: the round would be told without what was added to it."""
    house = played(store)
    house.do("T1", correction(), FLO)
    house.do("T1", correction(1), FLO)
    assert verify(store).valid
    with sqlite3.connect(path) as raw:
        triggers = "select name from sqlite_master where type = 'trigger'"
        for (trigger,) in raw.execute(triggers).fetchall():
            raw.execute(f'drop trigger "{trigger}"')
        stream = corrections_stream("T1")
        raw.execute("delete from entries where stream = ? and version = 2", (stream,))
    found = verify(store)
    streams = [one.stream for one in found.differences if one.stream != "database"]
    assert streams == [stream], "and the triggers are missed"


def test_consequences_are_shown_and_nothing_happens(store: Journal) -> None:
    house = House(store)
    open_table(house, "T1", "md-uth", source="live")
    house.open_betting("T1", DAN)
    draw = Random(1)
    while house.table("T1").round.phase != "deciding":
        command, actor = next_command(house.table("T1"), draw)
        if not isinstance(command, Report):
            house.do("T1", command, actor)
    before, version = to_json(house.table("T1")), store.head(table_stream("T1")).version
    told = Report("wrong_count")
    words = describe_plan(house.foresee("T1", told, DAN))
    assert words[0].startswith("Dan reports: a player, the dealer or the board has a wrong number")
    assert "p1 gets $21" in words
    assert any("contributions taken back" in line for line in words)
    for wrong in (Report("dealer_card_exposed", seat=6), RuleAbandoned(1)):
        with pytest.raises(CroupierError):
            house.foresee("T1", wrong, DAN)
    with pytest.raises(BadRequest, match="cannot be foreseen"):
        house.foresee("T1", Deal(), DAN)
    assert to_json(house.table("T1")) == before
    assert store.head(table_stream("T1")).version == version
    assert not store.head(attempts_stream("T1")).version, "looking is no attempt"
    house.do("T1", told, DAN)
    assert house.table("T1").rack("p1") == 500_000


def test_a_table_is_closed_in_mid_round(store: Journal) -> None:
    """The bets go back and the meters with them; the table leaves its link."""
    house = House(store)
    open_table(house, "T1", "md-uth")
    house.open_betting("T1", DAN)
    draw = Random(2)
    while house.table("T1").round.phase != "deciding":
        house.do("T1", *next_command(house.table("T1"), draw))
    for refused in (CloseTable(), CloseTable("  ")):
        with pytest.raises(Refusal, match="for what reason"):
            house.do("T1", refused, FLO)
    with pytest.raises(Refusal, match="floorperson"):
        house.do("T1", CloseTable("a fire"), DAN)
    house.do("T1", CloseTable("a fire"), FLO)
    table = house.table("T1")
    assert not table.is_open
    assert table.round.void
    assert (table.rack("p1"), table.rack("p2")) == (500_000, 500_000)
    link = house.link("T1")
    assert link is not None
    assert "T1" not in link.members
    assert finished_round(store, "T1", 1).void
    assert verify(store).valid
    with pytest.raises(Refusal):
        house.do("T1", LeaveRound(1, "p1"), DAN)


def test_a_table_is_not_closed_in_the_middle_of_a_settlement(store: Journal) -> None:
    house = House(store)
    open_table(house, "T1", "md-uth")
    house.open_betting("T1", DAN)
    draw = Random(2)
    while not any(seat.settled for seat in house.table("T1").round.seats):
        house.do("T1", *next_command(house.table("T1"), draw))
    with pytest.raises(Refusal, match="correction"):
        house.do("T1", CloseTable("a fire"), FLO)
