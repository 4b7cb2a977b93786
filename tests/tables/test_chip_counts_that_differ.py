"""8.C(3), MD-57: the progressive's chips and the wagers its system accepted are not as many."""

from __future__ import annotations

import pytest

from croupier.rounds.commands import CloseBets, CountChips, Deal, DecideChipCount
from croupier.rounds.declaration import Actor
from croupier.rounds.events import ChipCountDecided, ChipsCounted, WagerReturned
from croupier.tables.planning import plan
from croupier.tables.sentences import describe_plan
from tests.tables.seated import FLOOR, NAMES, Sitting

CLAUSES = [
    ("md-uth", "8.C(3)"),
    ("md-jackpot", "8.C(3)"),
    ("md-wpt", "8.C(3)"),
    ("md-235", "8.C(2)(b)"),
]


def _closed(book: str, source: str = "live") -> Sitting:
    """Seats 1 and 3 have a progressive wager, seat 2 has none."""
    table = Sitting(book, 1, 2, 3, source=source, options={"dealing": "manual_shoe"})
    stake = table.rules.stakes["progressive"][0] // 100
    table.open()
    table.bet(1, progressive=stake)
    table.bet(2)
    table.bet(3, progressive=stake)
    table.do(CloseBets())
    return table


@pytest.mark.parametrize(("book", "clause"), CLAUSES)
def test_8_C_3_a_chip_without_a_light_is_no_bet(book: str, clause: str) -> None:
    """Three chips, two accepted: one goes back to its player, and no money moves in the books."""
    table = _closed(book)
    racks, inventory = [table.rack(n) for n in (1, 2, 3)], table.table.money["inventory"]
    assert table.refused(CountChips(3)).code == "count_differs"
    told = table.do(DecideChipCount(3, (2,), "seat 2's light was off"), FLOOR)
    assert [type(event) for event in told] == [ChipCountDecided, ChipsCounted]
    decided = told[0]
    assert isinstance(decided, ChipCountDecided)
    assert (decided.by, decided.clause, decided.seats) == (FLOOR.name, clause, (2,))
    assert [table.rack(n) for n in (1, 2, 3)] == racks
    stakes = sum(seat.wagers.get("progressive", 0) for seat in table.round.seats)
    assert table.table.money["inventory"] == inventory + stakes
    assert "progressive" not in table.seat(2).wagers
    table.do(Deal())


@pytest.mark.parametrize(("book", "clause"), CLAUSES)
def test_8_C_3_a_wager_without_its_chip_comes_off_the_system(book: str, clause: str) -> None:
    table = _closed(book)
    stake, rack = table.seat(3).wagers["progressive"], table.rack(3)
    shown = dict(table.link.shown())
    told = table.do(DecideChipCount(1, (3,), "no chip lay at seat 3"), FLOOR)
    assert [type(event) for event in told] == [ChipCountDecided, WagerReturned, ChipsCounted]
    assert told[1].clause == clause  # type: ignore[union-attr]
    assert table.rack(3) == rack + stake
    assert "progressive" not in table.seat(3).wagers
    assert "progressive" in table.seat(1).wagers
    member = table.link.members["one"]
    assert member.round is not None
    assert tuple(member.round.seats) == (1,), "only what stands feeds the meter"
    assert shown.keys() == table.link.shown().keys()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (DecideChipCount(2, (1,), "as many as accepted"), "not_needed"),
        (DecideChipCount(3, (1,), "seat 1 has its light"), "bad_request"),
        (DecideChipCount(1, (2,), "seat 2 has no wager"), "bad_request"),
        (DecideChipCount(1, (1, 3), "one is missing, not two"), "bad_request"),
        (DecideChipCount(0, (1, 1), "the same seat twice"), "bad_request"),
        (DecideChipCount(3, (5,), "nobody plays there"), "seat_closed"),
        (DecideChipCount(3, (2,), "   "), "no_reason"),
    ],
    ids=str,
)
def test_8_C_3_what_does_not_add_up_is_refused(command: DecideChipCount, code: str) -> None:
    table = _closed("md-uth")
    refused = table.refused(command, FLOOR)
    assert refused.code == code
    assert refused.clause == "8.C(3)"


def test_8_C_3_it_takes_a_floorperson_and_a_count_that_is_due() -> None:
    table = _closed("md-uth")
    command = DecideChipCount(3, (2,), "no light")
    for by in (Actor("dealer", "Dan"), Actor("player", NAMES[1])):
        assert table.refused(command, by).code == "wrong_role"
    table.do(CountChips(2))
    assert table.refused(command, FLOOR).code == "already_done"


def test_8_C_3_the_consequence_is_told_before() -> None:
    table = _closed("md-uth")
    command = DecideChipCount(1, (3,), "no chip lay there")
    words = describe_plan(plan(table.table, table.link, command, FLOOR))
    assert "no bet at seat 3" in words[0]
    assert "8.C(3)" in words[0]


def test_no_such_count_in_massachusetts() -> None:
    table = Sitting("ma-uth", 1, 2, source="live")
    table.open()
    table.bet(1, progressive=5)
    table.bet(2)
    table.do(CloseBets())
    assert table.refused(DecideChipCount(2, (2,), "no light"), FLOOR).code == "already_done"
