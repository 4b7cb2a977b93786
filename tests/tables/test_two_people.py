"""One person may not create money: corrections are bounded, and what moves much takes two."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.cashier import Deposit, PayOut
from croupier.errors import CroupierError
from croupier.ledger.history.past_rounds import finished_round
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.records.people_accounts import ByWhom, record_change
from croupier.ledger.records.table_entries import attempts_stream
from croupier.ledger.verification.verify import verify
from croupier.rounds.declaration import Actor
from croupier.rounds.payout_limits import net_bounds
from croupier.rounds.state import Round, SeatInRound
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission
from croupier.runtime.cashier_session import CashierSession
from croupier.runtime.house import House
from croupier.runtime.house_terms import house_limits, set_house_limits
from croupier.tables.commands import (
    Assign,
    BuyIn,
    CashOut,
    Confirm,
    Correct,
    Credit,
    Decline,
    EmptyDrop,
    Fill,
    GiveUpSeat,
    OpenTable,
    ReopenRound,
    SignCount,
    TableCommand,
    TakeSeat,
)
from croupier.tables.two_people import HouseLimits
from croupier.tables.work import work
from tests.tables.dealing_school import open_table, play, terms

DAN, DEE = Actor("dealer", "Dan"), Actor("dealer", "Dee")
FLO, FRED = Actor("floorperson", "Flo"), Actor("floorperson", "Fred")
OLGA, AUDREY = Actor("operator", "Olga"), Actor("auditor", "Audrey")
CLEO, CORA = Actor("cashier", "Cleo"), Actor("cashier", "Cora")
ANN = Actor("player", "p1")
FLOAT = {10_000: 200}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.db") as opened:
        yield opened


def a_house(store: Journal, source: Any = "live", rounds: int = 0) -> House:
    """A table that the house opened for real, with players, and rounds that were played."""
    house = House(store)
    opening = OpenTable(
        *("T1", "md-uth", terms("md-uth")), source=source, float=FLOAT, link="", care=False
    )
    house.do("T1", opening, FLO)
    house.do("T1", SignCount(FLOAT), DAN)
    for seat in (1, 2):
        house.do("T1", TakeSeat(f"p{seat}", seat), DAN)
        house.do("T1", BuyIn(f"p{seat}", 500_000), Actor("player", f"p{seat}"))
    for _ in play(house, "T1", rounds, Random(8)):
        pass
    session = house.session("T1")
    assert session.known is not None
    # Only what the house opens for real is controlled: the rounds above were played before.
    session.known = replace(session.known, table=replace(session.table, strict=True))
    return house


def refused(house: House, command: TableCommand, actor: Actor) -> str:
    """The code of the refusal: nothing changes, and the attempt is recorded."""
    before, tried = house.table("T1"), house.journal.head(attempts_stream("T1")).version
    with pytest.raises(CroupierError) as refusal:
        house.do("T1", command, actor)
    assert house.table("T1") == before
    assert house.journal.head(attempts_stream("T1")).version == tried + 1
    return refusal.value.code


def players_money(house: House) -> int:
    """Chips of the players and what the cashier holds for them."""
    at_table = house.table("T1").money.items()
    chips = sum(cents for name, cents in at_table if name.startswith(("rack:", "layout:")))
    return chips + sum(house.journal.balances("cashier:").values())


def correction(house: House, cents: int, wager: str = "ante", number: int = 1) -> Correct:
    seat = finished_round(house.journal, "T1", number).seats[0]
    return Correct(number, seat.number, seat.player, wager, cents, "seen on the recording")


# -- corrections are bounded ----------------------------------------------------------------------


def test_a_correction_is_bounded_by_what_the_wager_could_win_and_lose(store: Journal) -> None:
    house = a_house(store, rounds=4)
    number = next(n for n in range(1, 5) if finished_round(store, "T1", n).seats[0].lines)
    seat = finished_round(store, "T1", number).seats[0]
    (ante,) = (line for line in seat.lines if line.wager == "ante")
    most, least = ante.stake - ante.net, -ante.stake - ante.net
    assert refused(house, correction(house, 100_000_000, number=number), FLO) == "over_limit"
    assert refused(house, correction(house, most + 1, number=number), FLO) == "over_limit"
    assert refused(house, correction(house, least - 1, number=number), FLO) == "over_limit"
    house.do("T1", correction(house, least, number=number), FLO)
    assert refused(house, correction(house, -1, number=number), FLO) == "over_limit", (
        "of all together"
    )
    house.do("T1", correction(house, most - least, number=number), FLO)
    assert refused(house, correction(house, 1, number=number), FLO) == "over_limit"
    assert verify(store).valid


@pytest.mark.parametrize(
    ("document", "wager", "stake", "bounds"),
    [
        ("md-uth", "ante", 1000, (-1000, 1000)),
        ("md-uth", "blind", 1000, (-1000, 500_000)),
        ("md-uth", "play", 4000, (-4000, 4000)),
        ("md-uth", "trips", 500, (-500, 25_000)),
        ("md-235", "three_card_poker", 500, (-500, 25_000)),
    ],
)
def test_what_a_wager_could_come_to(
    document: str, wager: str, stake: int, bounds: tuple[int, int]
) -> None:
    rules = put_in_force(load_rulebook(document), Submission())
    seat = SeatInRound(1, "ann", wagers={wager: stake})
    low, high = net_bounds(Round(1, "over", (seat,)), seat, wager, rules, {})
    assert (low, high) == bounds


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_settled_line_lies_within_its_bounds(store: Journal, document: str) -> None:
    """The settlement and the bounds are written apart."""
    house = House(store)
    open_table(house, "T1", document, players=3)
    rules = house.session("T1").rules
    lines = 0
    for _ in play(house, "T1", 40, Random(3)):
        pass
    for number in range(1, 41):
        round_ = finished_round(store, "T1", number)
        for seat in round_.seats:
            for line in seat.lines:
                low, high = net_bounds(round_, seat, line.wager, rules, {})
                assert low <= line.net <= high, (number, seat.number, line)
                lines += 1
    assert lines > 200


def test_a_round_that_software_dealt_is_corrected_only_after_an_auditor_reopened_it(
    store: Journal,
) -> None:
    house = a_house(store, "virtual", rounds=1)
    told = correction(house, 1000, "blind")
    assert refused(house, told, FLO) == "not_reopened"
    assert refused(house, ReopenRound(1, "a complaint"), FLO) == "wrong_role"
    assert refused(house, ReopenRound(2, "a complaint"), AUDREY) == "not_now"
    house.do("T1", ReopenRound(1, "a complaint"), AUDREY)
    assert refused(house, ReopenRound(1, "again"), AUDREY) == "already_done"
    house.do("T1", told, FLO)
    assert verify(store).valid


def test_a_large_correction_waits_for_a_second_person(store: Journal) -> None:
    house = a_house(store, rounds=1)
    before = players_money(house)
    told = correction(house, 60_000, "blind")
    house.do("T1", told, FLO)
    number = house.table("T1").pending[0].number
    assert players_money(house) == before, "nothing has moved"
    assert refused(house, told, FLO) == "already_done"
    for actor, code in [(FLO, "not_yours"), (DAN, "wrong_role"), (ANN, "wrong_role")]:
        assert refused(house, Confirm(number), actor) == code
    assert refused(house, Confirm(number + 1), FRED) == "nothing_there"
    house.do("T1", Confirm(number), FRED)
    assert players_money(house) == before + 60_000
    assert refused(house, Confirm(number), OLGA) == "nothing_there"
    assert verify(store).valid, verify(store).differences


def test_small_corrections_add_up_to_the_limit_of_the_table(store: Journal) -> None:
    house = a_house(store, rounds=3)
    for number in (1, 2):
        house.do("T1", correction(house, 20_000, "blind", number), FLO)
    house.do("T1", correction(house, 20_000, "blind", 3), FLO)
    assert len(house.table("T1").pending) == 1
    house.do("T1", correction(house, 20_000, "blind", 3), FRED)
    assert len(house.table("T1").pending) == 2, "whoever corrects: a name is quickly made"


@pytest.mark.parametrize("signs", [(1, -1, 1), (1, 1, -1)])
def test_money_that_is_taken_back_counts_towards_the_limit_too(
    store: Journal, signs: tuple[int, ...]
) -> None:
    house = a_house(store, rounds=1)
    for sign in signs:
        assert not house.table("T1").pending
        house.do("T1", correction(house, sign * 20_000, "blind"), FLO)
    assert len(house.table("T1").pending) == 1


def test_each_seat_has_its_own_bounds(store: Journal) -> None:
    house = a_house(store, rounds=1)
    for seat in finished_round(store, "T1", 1).seats:
        told = Correct(1, seat.number, seat.player, "blind", 400_000, "seen on the recording")
        house.do("T1", told, FLO)
        house.do("T1", Confirm(house.table("T1").pending[0].number), FRED)
    assert verify(store).valid


def test_a_proposal_is_bounded_when_it_is_confirmed(store: Journal) -> None:
    """Two corrections, each within bounds, are not confirmed beyond them together."""
    house = a_house(store, rounds=1)
    most = 500_000
    house.do("T1", correction(house, most - 100, "blind"), FLO)
    house.do("T1", correction(house, most - 200, "blind"), FRED)
    first, second = (waiting.number for waiting in house.table("T1").pending)
    house.do("T1", Confirm(first), OLGA)
    assert refused(house, Confirm(second), OLGA) == "over_limit"
    house.do("T1", Decline(second, "the same dispute"), OLGA)
    assert house.table("T1").pending == ()


# -- fills, credits, drops, openers ---------------------------------------------------------------


@pytest.mark.parametrize("command", [Fill(200_000), Credit(10_000), EmptyDrop()])
def test_fills_credits_and_drops_take_two_people(store: Journal, command: TableCommand) -> None:
    house = a_house(store)
    before = house.table("T1").money
    house.do("T1", command, FLO)
    assert house.table("T1").money == before
    (waiting,) = house.table("T1").pending
    assert refused(house, Confirm(waiting.number), FLO) == "not_yours"
    assert (
        refused(house, Confirm(waiting.number), Actor("operator", " flo ".strip())) == "not_yours"
    )
    house.do("T1", Confirm(waiting.number), DAN)
    assert house.table("T1").money != before
    assert house.table("T1").pending == ()
    assert verify(store).valid


def test_a_proposal_is_on_the_board_until_it_is_decided(store: Journal) -> None:
    house = a_house(store)
    house.do("T1", Fill(200_000, "F-9"), FLO)
    table = house.table("T1")
    (step,) = (step for step in work(table, house.session("T1").rules, 0) if step.step == "confirm")
    assert step.words == "Flo proposes: Fill the inventory: $2,000, slip F-9"
    assert refused(house, Decline(table.pending[0].number, " "), FRED) == "no_reason"
    house.do("T1", Decline(table.pending[0].number, "typed twice"), FLO)
    assert house.table("T1").pending == (), "who proposed may withdraw"


def test_a_proposal_survives_the_next_round(store: Journal) -> None:
    house = a_house(store)
    house.do("T1", Fill(200_000), FLO)
    for _ in play(house, "T1", 2, Random(3)):
        pass
    house.do("T1", Confirm(house.table("T1").pending[0].number), DAN)
    assert verify(store).valid


def test_real_chips_are_counted_by_two_people_before_bets_open(store: Journal) -> None:
    house = House(store)
    opening = OpenTable("T1", "casino-holdem", source="live", inventory=5, strict=True)
    with pytest.raises(CroupierError) as refusal:
        house.do("T1", opening, FLO)
    assert refusal.value.code == "not_counted"


# -- buying in ------------------------------------------------------------------------------------


def with_money(house: House) -> House:
    CashierSession(house.journal, "somebody").carry_out(Deposit(100), Actor("cashier", "Cas"))
    return house


def test_only_the_dealer_on_duty_buys_in_by_word_of_mouth(store: Journal) -> None:
    house = with_money(a_house(store))
    told = BuyIn("p1", 10_000)
    for actor in (DAN, FLO, OLGA):
        assert refused(house, told, actor) == "not_on_duty", "nobody is assigned"
    house.do("T1", Assign("dealer", "Dan"), FLO)
    assert refused(house, told, DEE) == "not_on_duty"
    assert refused(house, told, FLO) == "not_on_duty"
    house.do("T1", told, DAN)
    assert verify(store).valid


def test_chips_at_a_virtual_table_come_from_the_account(store: Journal) -> None:
    house = with_money(a_house(store, "virtual"))
    house.do("T1", Assign("dealer", "Dan"), FLO)
    for actor in (ANN, DAN, FLO, OLGA):
        assert refused(house, BuyIn("p1", 10_000), actor) == "account_only"


def test_above_the_limit_the_floor_confirms_a_buy_in(store: Journal) -> None:
    house = with_money(a_house(store))
    house.do("T1", Assign("dealer", "Dan"), FLO)
    before = players_money(house)
    house.do("T1", BuyIn("p1", 99_999_999_999), DAN)
    (waiting,) = house.table("T1").pending
    assert players_money(house) == before
    assert refused(house, Confirm(waiting.number), DEE) == "not_on_duty"
    house.do("T1", Decline(waiting.number, "no money was seen"), FLO)
    house.do("T1", BuyIn("p1", 500_000), DAN)  # after the first $5,000 of `a_house`
    assert not house.table("T1").pending
    house.do("T1", BuyIn("p1", 1), DAN)
    (waiting,) = house.table("T1").pending
    house.do("T1", Confirm(waiting.number), FLO)
    assert players_money(house) == before + 500_001
    assert verify(store).valid


# -- cashiers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "other"), [(Deposit, PayOut), (PayOut, Deposit)])
def test_a_large_sum_takes_two_cashiers(store: Journal, kind: Any, other: Any) -> None:
    session = CashierSession(store, "p1")
    number = session.carry_out(Deposit(5_000_000), CLEO).version
    session.carry_out(Deposit(5_000_000, confirms=number), CORA)
    number = session.carry_out(kind(2_000_000), CLEO).version
    for command, actor, code in (
        (kind(2_000_000, confirms=number), Actor("cashier", "CLEO"), "not_yours"),
        (kind(2_000_001, confirms=number), CORA, "not_equal"),
        (kind(2_000_000, "R-9", number), CORA, "not_equal"),
        (other(2_000_000, confirms=number), CORA, "not_equal"),
        (kind(2_000_000, confirms=number + 1), CORA, "nothing_there"),
    ):
        assert refused_by_cashier(session, command, actor) == code
    assert session.held.cents == 5_000_000
    session.carry_out(kind(2_000_000, confirms=number), CORA)
    assert session.held.cents == (7_000_000 if kind is Deposit else 3_000_000)
    again = kind(2_000_000, confirms=number)
    assert refused_by_cashier(session, again, Actor("cashier", "Carl")) == "nothing_there"
    assert verify(store).valid


def refused_by_cashier(session: CashierSession, command: Any, actor: Actor) -> str:
    with pytest.raises(CroupierError) as refusal:
        session.carry_out(command, actor)
    return refusal.value.code


@pytest.mark.parametrize("kind", [Deposit, PayOut])
def test_small_sums_of_an_account_add_up_to_the_limit(store: Journal, kind: Any) -> None:
    session = CashierSession(store, "p1")
    number = session.carry_out(Deposit(5_000_000), CLEO).version
    session.carry_out(Deposit(5_000_000, confirms=number), CORA)
    done = [session.carry_out(kind(cents), CLEO).waits for cents in (600_000, 400_000, 1)]
    assert done == [False, False, True]


def test_two_cashiers_whom_one_operator_made_are_one(store: Journal) -> None:
    for name in ("One", "Two"):
        record_change(store, "person_added", name, ByWhom("operator", "Olga"), role="cashier")
    session = CashierSession(store, "p1")
    number = session.carry_out(Deposit(2_000_000), Actor("cashier", "One")).version
    second = Deposit(2_000_000, confirms=number)
    for person in (Actor("cashier", "Two"), OLGA):
        assert refused_by_cashier(session, second, person) == "not_independent"
    session.carry_out(second, CORA)


# -- seats and accounts ---------------------------------------------------------------------------


def test_chips_go_back_to_the_account_and_nowhere_else(store: Journal) -> None:
    house = with_money(a_house(store, "virtual"))
    assert refused(house, GiveUpSeat("p1", 1), FLO) == "no_reason"
    assert refused(house, GiveUpSeat("p1", 1), DAN) == "not_yours"
    house.do("T1", GiveUpSeat("p1", 1, "gone for an hour"), FLO)
    assert refused(house, CashOut("p1"), FLO) == "account_only"
    rack = house.table("T1").rack("p1")
    house.do("T1", CashOut("p1", account=True), FLO)
    assert CashierSession(store, "p1").held.cents == rack
    assert verify(store).valid


def test_at_a_live_table_the_dealer_frees_the_seat_of_who_asks(store: Journal) -> None:
    house = a_house(store)
    house.do("T1", GiveUpSeat("p1", 1), DAN)
    assert 1 not in house.table("T1").seats


# -- who the second person is ---------------------------------------------------------------------


def test_a_person_whose_password_the_first_one_set_is_no_second_person(store: Journal) -> None:
    house = a_house(store)
    record_change(store, "person_added", "Puppet", ByWhom("operator", "Olga"), role="floorperson")
    puppet = Actor("floorperson", "Puppet")
    house.do("T1", Fill(200_000), OLGA)
    (waiting,) = house.table("T1").pending
    assert refused(house, Confirm(waiting.number), puppet) == "not_independent"
    house.do("T1", Decline(waiting.number, "withdrawn"), OLGA)
    house.do("T1", Fill(200_000), puppet)
    (waiting,) = house.table("T1").pending
    assert refused(house, Confirm(waiting.number), OLGA) == "not_independent"
    record_change(store, "password_set", "Puppet", ByWhom("console", "root"))
    house.do("T1", Confirm(waiting.number), OLGA)


def test_two_people_whose_passwords_one_operator_set_are_one(store: Journal) -> None:
    house = a_house(store)
    for name in ("One", "Two"):
        record_change(store, "person_added", name, ByWhom("operator", "Olga"), role="floorperson")
    first, second = Actor("floorperson", "One"), Actor("floorperson", "Two")
    house.do("T1", Fill(200_000), first)
    (waiting,) = house.table("T1").pending
    assert refused(house, Confirm(waiting.number), second) == "not_independent"
    record_change(store, "password_set", "Two", ByWhom("operator", "Omar"))
    house.do("T1", Confirm(waiting.number), second)


def test_the_operator_sets_the_limits(store: Journal) -> None:
    assert house_limits(store) == HouseLimits()
    set_house_limits(store, "house", correction=100)
    set_house_limits(store, "house", buy_in=200)
    assert house_limits(store) == HouseLimits(correction=100, buy_in=200)
    with pytest.raises(CroupierError):
        set_house_limits(store, "house", correction=-1)
    house = a_house(store, rounds=1)
    house.do("T1", correction(house, 101, "blind"), FLO)
    assert house.table("T1").pending
