"""What the house does at a table beside the game: people on duty, calls, floats, slips, limits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.errors import CroupierError
from croupier.ledger.history.past_rounds import round_moments
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.records.table_entries import attempts_stream
from croupier.ledger.verification.verify import verify
from croupier.rounds.commands import CloseBets, OpenBetting, PlaceWagers, VoidRound
from croupier.rounds.declaration import Actor
from croupier.runtime.house import House
from croupier.tables.commands import (
    AnswerCall,
    Assign,
    BuyIn,
    CallFloor,
    CashOut,
    ChangeLimits,
    CloseTable,
    Confirm,
    Credit,
    EmptyDrop,
    Fill,
    GiveUpSeat,
    OpenTable,
    SignCount,
    TableCommand,
    TakeSeat,
)
from croupier.tables.state import Table, rules_of
from croupier.tables.work import work

FLO = Actor("floorperson", "Flo")
FRED = Actor("floorperson", "Fred")
OLGA = Actor("operator", "Olga")
DAN = Actor("dealer", "Dan")
DEE = Actor("dealer", "Dee")
ANN = Actor("player", "Ann")
TERMS = json.dumps(
    {
        "offered": ["trips"],
        "limits": {
            "ante": {"minimum": "10", "maximum": "500"},
            "blind": {"minimum": "10", "maximum": "500"},
        },
        "options": {"minimum_wager": "10"},
    }
)
_APPROVAL = {"number": "A-1", "date": "2026-11-15", "authority": "Commission"}
APPROVED = json.dumps(
    json.loads(TERMS) | {"approvals": dict.fromkeys(("layout", "boxes", "shoe"), _APPROVAL)}
)
"""What a live table needs as well."""
FLOAT = {10_000: 20, 2_500: 40, 500: 200}
"""$4,000."""


class Pit:
    """One table in a journal."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.house = House(journal)

    @property
    def table(self) -> Table:
        return self.house.table("T1")

    def open(self, actor: Actor = OLGA, **more: object) -> None:
        told = {"submission": TERMS, "strict": True} | more
        self.do(OpenTable("T1", "md-uth", **told), actor)  # type: ignore[arg-type]

    def do(self, command: TableCommand, actor: Actor) -> None:
        self.house.do("T1", command, actor)

    def by_two(self, command: TableCommand) -> None:
        """One person proposes, another one confirms."""
        self.do(command, FLO)
        self.do(Confirm(self.table.pending[-1].number), DAN)

    def refused(self, command: TableCommand, actor: Actor) -> CroupierError:
        before = self.table.version
        with pytest.raises(CroupierError) as refusal:
            self.do(command, actor)
        assert self.table.version == before, "nothing changed"
        return refusal.value

    def seat_ann(self) -> None:
        self.do(TakeSeat("Ann", 1), ANN)
        self.do(BuyIn("Ann", 50_000), ANN)

    def attempts(self) -> int:
        return self.journal.head(attempts_stream("T1")).version


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Pit]:
    with open_journal(tmp_path / "journal.db") as journal:
        yield Pit(journal)
        assert verify(journal).differences == ()


# -- people on duty -------------------------------------------------------------------------------


def test_where_a_dealer_is_assigned_only_he_deals(pit: Pit) -> None:
    pit.open()
    pit.seat_ann()
    pit.do(Assign("dealer", "Dan"), FLO)
    refusal = pit.refused(OpenBetting(), DEE)
    assert refusal.code == "not_on_duty"
    assert "Dan deals at table T1, not Dee" in refusal.message
    assert pit.attempts() == 1
    pit.do(OpenBetting(), DAN)
    pit.do(PlaceWagers(1, "Ann", {"ante": 1000, "blind": 1000}), ANN)
    assert pit.refused(CloseBets(), DEE).code == "not_on_duty"
    pit.do(Assign("dealer", "Dee"), OLGA)
    assert pit.refused(CloseBets(), DAN).code == "not_on_duty"
    pit.do(Assign("dealer"), FLO)
    assert pit.table.staff == {}
    pit.do(CloseBets(), DAN)
    told = [moment.event_name for moment in round_moments(pit.journal, "T1", 1)]
    assert told.count("assign") == 2
    pit.do(VoidRound("the shift is over"), FLO)


@pytest.mark.parametrize("actor", [DAN, ANN], ids=str)
def test_only_the_floor_assigns(pit: Pit, actor: Actor) -> None:
    pit.open()
    assert pit.refused(Assign("dealer", "Dan"), actor).code == "wrong_role"


def test_who_is_assigned_has_a_name_that_can_be_told(pit: Pit) -> None:
    pit.open()
    for name in (" Dan", "a:b", "\n"):
        assert pit.refused(Assign("dealer", name), FLO).code == "bad_request"
    assert pit.refused(Assign("dealer"), FLO).code == "already_done"
    pit.do(Assign("floorperson", "Flo"), FLO)
    assert pit.refused(Assign("floorperson", "Flo"), FLO).code == "already_done"


def test_software_leaves_the_table_to_the_dealer_who_is_assigned(pit: Pit) -> None:
    from croupier.runtime.automation import Automation

    pit.open()
    pit.seat_ann()
    rules = rules_of(pit.table)
    assert Automation().next_command(pit.table, rules) is not None
    pit.do(Assign("dealer", "Dan"), FLO)
    assert Automation().next_command(pit.table, rules) is None


def test_software_never_acts_at_a_live_table_of_the_house(pit: Pit) -> None:
    """Whoever is or is not assigned. At a rehearsal table it may."""
    from croupier.runtime.automation import Automation
    from croupier.runtime.dealer import DEALER as SOFTWARE_DEALER

    pit.open(source="live", care=False, submission=APPROVED)
    pit.do(Assign("dealer", "Dan"), FLO)
    pit.do(TakeSeat("Ann", 1), ANN)
    pit.do(BuyIn("Ann", 50_000), DAN)
    for name in ("", "software"):
        pit.do(Assign("dealer", name), FLO)
        for command in (OpenBetting(source="live"), GiveUpSeat("Ann", 1), CashOut("Ann")):
            refusal = pit.refused(command, SOFTWARE_DEALER)
            assert refusal.code == "by_people_only", command
        assert Automation().next_command(pit.table, rules_of(pit.table)) is None
    assert pit.attempts() == 6
    assert pit.table.seats == {1: "Ann"}
    lax = replace(pit.table, strict=False)
    assert Automation().next_command(lax, rules_of(lax)) is not None


# -- calls ----------------------------------------------------------------------------------------


def test_calls_wait_in_order_until_the_floor_answers(pit: Pit) -> None:
    pit.open()
    assert pit.refused(CallFloor("my chips"), ANN).code == "not_seated"
    pit.do(TakeSeat("Ann", 1), ANN)
    pit.do(CallFloor("the payout"), ANN)
    pit.do(CallFloor("a torn card"), DAN)
    pit.do(CallFloor("a fill"), DAN)
    assert [(call.number, call.name) for call in pit.table.calls] == [
        (1, "Ann"),
        (2, "Dan"),
        (3, "Dan"),
    ]
    assert pit.table.calls[0].since > 0
    again = pit.refused(CallFloor("hurry"), ANN)
    assert again.code == "already_done"
    assert "call 1 is open" in again.message
    assert pit.refused(AnswerCall(1), DAN).code == "wrong_role"
    pit.do(AnswerCall(1, "paid right"), FLO)
    assert pit.refused(AnswerCall(1), FRED).code == "nothing_there"
    pit.do(CallFloor("the next one"), ANN)
    assert [call.number for call in pit.table.calls] == [2, 3, 4]


def test_the_floor_is_not_called_without_a_reason(pit: Pit) -> None:
    pit.open()
    assert pit.refused(CallFloor("  "), DAN).code == "no_reason"
    assert pit.refused(CallFloor("help"), FLO).code == "wrong_role"


def test_a_call_is_answered_after_the_table_has_closed(pit: Pit) -> None:
    pit.open()
    pit.do(CallFloor("a fight"), DAN)
    pit.do(CloseTable(reason="a fight"), FLO)
    assert pit.refused(CallFloor("still"), DAN).code == "table_closed"
    pit.do(AnswerCall(1), FLO)
    assert pit.table.calls == ()


# -- floats ---------------------------------------------------------------------------------------


def test_a_float_takes_a_second_signature_before_a_round_opens(pit: Pit) -> None:
    pit.open(float=FLOAT)
    assert pit.table.money["inventory"] == 400_000
    pit.do(TakeSeat("Ann", 1), ANN)
    for command, actor in (
        (OpenBetting(), DAN),
        (BuyIn("Ann", 1000), ANN),
        (Fill(1000), FLO),
        (Credit(1000), FLO),
    ):
        refusal = pit.refused(command, actor)
        assert refusal.code == "count_unsigned"
        assert "Olga counted first" in refusal.message
    pit.do(SignCount(FLOAT), FLO)
    assert pit.table.count is not None
    assert (pit.table.count.by, pit.table.count.second) == ("Olga", "Flo")
    assert pit.refused(SignCount(FLOAT), FRED).code == "nothing_there"
    pit.do(BuyIn("Ann", 1000), ANN)
    pit.do(OpenBetting(), DAN)
    pit.do(VoidRound("practice"), FLO)


def test_the_second_signature_is_somebody_elses(pit: Pit) -> None:
    pit.open(float=FLOAT)
    for actor in (OLGA, Actor("floorperson", "Olga"), Actor("dealer", "olga")):
        assert pit.refused(SignCount(FLOAT), actor).code == "not_yours"
    assert pit.refused(SignCount(FLOAT), ANN).code == "wrong_role"
    assert pit.attempts() == 4


def test_a_second_count_that_differs_changes_nothing_and_says_by_how_much(pit: Pit) -> None:
    pit.open(float=FLOAT)
    refusal = pit.refused(SignCount({10_000: 20, 2_500: 39, 500: 205}), FLO)
    assert refusal.code == "counts_differ"
    assert "39 x $25 against 40, 205 x $5 against 200" in refusal.message
    short = pit.refused(SignCount({10_000: 20, 2_500: 39, 500: 200}), FLO)
    assert "$3,975 against $4,000 by Olga" in short.message
    pit.do(SignCount(FLOAT | {100: 0}), DEE)


def test_a_float_that_does_not_add_up_opens_nothing(pit: Pit) -> None:
    with pytest.raises(CroupierError, match=r"is \$5,000, but these chips are worth \$4,000") as no:
        pit.open(float=FLOAT, inventory=500_000)
    assert no.value.code == "not_equal"
    with pytest.raises(CroupierError, match="its worth is more than"):
        pit.open(float={-500: 3})
    assert pit.house.tables() == ()
    pit.open(float=FLOAT, inventory=400_000)


def test_without_a_float_nobody_signs(pit: Pit) -> None:
    pit.open(inventory=100_000)
    assert pit.table.count is None
    assert pit.refused(SignCount({}), FLO).code == "nothing_there"


def test_a_table_closes_with_a_count_and_opens_again_with_it(pit: Pit) -> None:
    pit.open(float=FLOAT)
    pit.do(SignCount(FLOAT), FLO)
    short = pit.refused(CloseTable(chips={10_000: 20}), FLO)
    assert short.code == "not_equal"
    assert "$2,000 less" in short.message
    pit.do(CloseTable(reason="end of the day", chips=FLOAT), FLO)
    assert not pit.table.is_open
    assert pit.refused(OpenTable("T1", "md-uth", TERMS), OLGA).code == "count_unsigned"
    assert pit.refused(SignCount(FLOAT), FLO).code == "not_yours"
    pit.do(SignCount(FLOAT), DAN)
    more = FLOAT | {10_000: 30}
    assert pit.refused(OpenTable("T1", "md-uth", TERMS, float={500: 1}), OLGA).code == "not_equal"
    pit.do(OpenTable("T1", "md-uth", TERMS, float=more), OLGA)
    assert pit.table.money["inventory"] == 500_000
    assert pit.table.count is not None
    assert pit.table.count.waits


def test_chips_are_not_counted_while_a_round_is_played(pit: Pit) -> None:
    pit.open(float=FLOAT)
    pit.do(SignCount(FLOAT), FLO)
    pit.do(TakeSeat("Ann", 1), ANN)
    pit.do(OpenBetting(), DAN)
    assert pit.refused(CloseTable("fire", chips=FLOAT), FLO).code == "not_now"
    pit.do(CloseTable("fire", "fire"), FLO)


# -- slips ----------------------------------------------------------------------------------------


def test_the_house_numbers_slips_and_uses_none_twice(pit: Pit) -> None:
    pit.open(inventory=100_000)
    pit.seat_ann()
    pit.by_two(Fill(50_000, chips={500: 100}))
    pit.by_two(Fill(10_000))
    pit.by_two(Credit(10_000))
    pit.by_two(EmptyDrop())
    assert pit.table.slips == {"F": 2, "C": 1, "D": 1}
    for used in ("F-0001", "F-0002", "C-0001", "D-0001"):
        refusal = pit.refused(Fill(100, used), FLO)
        assert refusal.code == "slip_used"
        assert used in refusal.message


def test_a_number_of_ones_own_is_used_once_and_never_given_again(pit: Pit) -> None:
    pit.open(inventory=100_000)
    pit.by_two(Fill(100, "F-0001"))
    pit.by_two(Fill(100, "77"))
    for command in (Fill(100, "77"), Credit(100, "77"), Fill(100, "F-0001")):
        assert pit.refused(command, FLO).code == "slip_used"
    pit.by_two(Fill(100))
    assert pit.table.slips == {"F": 2}
    pit.do(CloseTable(), FLO)
    pit.open()
    assert pit.refused(Fill(100, "77"), FLO).code == "slip_used"


def test_chips_on_a_slip_add_up(pit: Pit) -> None:
    pit.open(inventory=100_000)
    pit.seat_ann()
    for command in (
        Fill(1_000, chips={500: 3}),
        Credit(1_000, chips={500: 1}),
        EmptyDrop(chips={10_000: 4}),
    ):
        assert pit.refused(command, FLO).code == "not_equal"
    pit.by_two(EmptyDrop(chips={10_000: 5}))


def test_what_waits_for_the_house_is_in_the_list_of_work(pit: Pit) -> None:
    def steps() -> list[str]:
        return [step.step for step in work(pit.table, rules_of(pit.table), 0)]

    pit.open(float=FLOAT)
    pit.do(TakeSeat("Ann", 1), ANN)
    pit.do(CallFloor("a question"), ANN)
    assert steps() == ["float", "answer_call"], "no round opens"
    pit.do(SignCount(FLOAT), FLO)
    assert steps() == ["answer_call", "open_betting"]
    pit.do(AnswerCall(1), FLO)
    pit.do(CloseTable(chips=FLOAT), FLO)
    assert steps() == ["float"], "a closed table still waits for the second signature"


# -- limits ---------------------------------------------------------------------------------------


def test_limits_change_between_rounds_and_equal_wagers_follow(pit: Pit) -> None:
    pit.open(inventory=100_000)
    pit.seat_ann()
    pit.do(ChangeLimits({"ante": 2_500}, {"ante": 100_000}), FLO)
    rules = rules_of(pit.table)
    assert rules.limits["ante"] == rules.limits["blind"] == (2_500, 100_000)
    assert rules.minimum_wager == 2_500
    pit.do(OpenBetting(), DAN)
    assert pit.refused(ChangeLimits({"ante": 500}), FLO).code == "not_now"
    low = pit.refused(PlaceWagers(1, "Ann", {"ante": 1_000, "blind": 1_000}), ANN)
    assert "$25" in low.message
    pit.do(PlaceWagers(1, "Ann", {"ante": 2_500, "blind": 2_500}), ANN)
    pit.do(VoidRound("practice"), FLO)
    (first, *_) = round_moments(pit.journal, "T1", 1)
    assert rules_of(first.after).limits["ante"] == (2_500, 100_000)


def test_limits_are_checked_like_the_submission(pit: Pit) -> None:
    pit.open(inventory=100_000)
    assert pit.refused(ChangeLimits(), FLO).code == "nothing_there"
    assert pit.refused(ChangeLimits({"ante": 1_000}), FLO).code == "already_done"
    assert pit.refused(ChangeLimits({"anti": 1_000}), FLO).code == "unknown_name"
    crossed = pit.refused(ChangeLimits({"ante": 60_000}), FLO)
    assert (crossed.code, crossed.clause) == (
        "bad_limits",
        rules_of(pit.table).book.wagers["ante"].clause,
    )
    assert pit.refused(ChangeLimits({"ante": 1_500, "blind": 1_000}), FLO).code == "bad_limits"
    decided = pit.refused(ChangeLimits({"play": 1_000}), FLO)
    assert decided.code == "bad_limits"
    assert decided.message.startswith("Play: ")
    assert pit.refused(ChangeLimits({"ante": 0}), FLO).code == "bad_limits"
    for refusal in (crossed, decided, pit.refused(ChangeLimits(), FLO)):
        assert not re.search(r"limits\.|options\.|=", refusal.message), refusal.message
    assert pit.refused(ChangeLimits({"ante": 2_000}), DAN).code == "wrong_role"
