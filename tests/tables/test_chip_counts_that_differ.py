"""8.C(3), MD-57: the progressive's chips and the wagers its system accepted are not as many."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.rounds.actions import dealer_actions, floor_actions
from croupier.rounds.commands import CloseBets, CountChips, Deal, DecideChipCount, RecountChips
from croupier.rounds.declaration import FLOOR as FLOOR_ROLES
from croupier.rounds.declaration import Actor
from croupier.rounds.events import (
    ChipCountDecided,
    ChipCountDiffers,
    ChipRecountOrdered,
    ChipsCounted,
    WagerReturned,
)
from croupier.tables.planning import plan
from croupier.tables.sentences import describe_plan
from croupier.tables.step_duties import confirmed
from croupier.tables.work import work
from tests.tables.seated import DEALER, FLOOR, NAMES, Sitting

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
    stake = table.seat(1).wagers["progressive"]
    assert told[1] == ChipsCounted(2, 2 * stake, clause), "the third chip is no bet"
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
    assert told[2] == ChipsCounted(1, stake, clause), "what stands is what is counted"
    assert table.rack(3) == rack + stake
    assert "progressive" not in table.seat(3).wagers
    assert "progressive" in table.seat(1).wagers
    member = table.link.members["one"]
    assert member.round is not None
    assert tuple(member.round.seats) == (1,), "only what stands feeds the meter"
    assert shown.keys() == table.link.shown().keys()


@pytest.mark.parametrize(("book", "clause"), CLAUSES)
def test_8_C_3_a_count_that_fits_is_on_record(book: str, clause: str) -> None:
    table = _closed(book)
    stake = table.seat(1).wagers["progressive"]
    assert table.do(CountChips(2)) == (ChipsCounted(2, 2 * stake, clause),)


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


# -- a table of the house: the floor is called ----------------------------------------------------


def _closed_by_the_house(book: str) -> Sitting:
    table = _closed(book)
    table.running.table = replace(table.running.table, strict=True)
    return table


@pytest.mark.parametrize(("book", "clause"), CLAUSES)
def test_8_C_3_a_count_that_differs_waits_for_the_floor(book: str, clause: str) -> None:
    """The dealer cannot type on until it fits, nor deal; only a floorperson goes on."""
    table = _closed_by_the_house(book)
    (differs,) = table.do(CountChips(3))
    assert differs == ChipCountDiffers(3, 2, DEALER.name, clause)
    for retyped in (2, 3, 1):
        refused = table.refused(CountChips(retyped))
        assert (refused.code, refused.clause) == ("waits_for_floor", clause)
    assert table.refused(Deal()).clause == clause
    assert dealer_actions(table.round, table.rules) == ()
    assert floor_actions(table.round, table.rules)[:2] == ("decide_chip_count", "recount_chips")
    (step,) = work(table.table, table.rules, 0)
    assert (step.by, step.command) == (FLOOR_ROLES, DecideChipCount(3, (), ""))
    assert "counted 3, the system accepted 2" in step.words
    table.do(DecideChipCount(3, (2,), "seat 2's light was off"), FLOOR)
    table.do(Deal())


def test_8_C_4_no_chips_are_on_record_as_put_away_while_the_numbers_differ() -> None:
    table = _closed_by_the_house("md-uth")
    clauses = []
    for chips in (3, 2):
        count, before = CountChips(chips), table.table
        events = table.do(count)
        done = confirmed(count, DEALER, before, table.rules, 0, events)
        clauses.append({duty.clause for duty in done})
        if chips == 3:
            table.do(RecountChips(), FLOOR)
    assert clauses == [set(), {"8.C(3)", "8.C(4)"}]


def test_8_C_3_a_floorperson_has_it_counted_again() -> None:
    table = _closed_by_the_house("md-uth")
    assert table.refused(RecountChips(), FLOOR).code == "nothing_there"
    table.do(CountChips(1))
    assert table.refused(RecountChips()).code == "wrong_role"
    assert table.do(RecountChips(), FLOOR) == (ChipRecountOrdered(FLOOR.name, "8.C(3)"),)
    (again,) = table.do(CountChips(3))
    assert isinstance(again, ChipCountDiffers), "and if it differs again, it waits again"
    table.do(RecountChips(), FLOOR)
    (counted,) = table.do(CountChips(2))
    assert isinstance(counted, ChipsCounted)
    assert (counted.chips, counted.cents) == (2, 200)
    assert table.refused(RecountChips(), FLOOR).code == "already_done"
    table.do(Deal())


def test_8_C_3_a_right_count_needs_nobody() -> None:
    table = _closed_by_the_house("md-uth")
    (counted,) = table.do(CountChips(2))
    assert isinstance(counted, ChipsCounted)


def test_8_C_3_a_count_that_differs_is_told_in_words() -> None:
    table = _closed_by_the_house("md-uth")
    words = describe_plan(plan(table.table, table.link, CountChips(3), DEALER))
    assert words == [
        "dee counts the chips of 3 progressive wagers, and the system accepted 2: the floor "
        "decides [8.C(3)]"
    ]
