"""People, seats and chips at a table: what is allowed, and what is refused with code and clause."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.errors import BadRequest
from croupier.money import MOST_CENTS
from croupier.rounds.commands import (
    Act,
    CloseBets,
    Deal,
    LeaveRound,
    PlaceWagers,
    Settle,
    VoidRound,
)
from croupier.rounds.declaration import Actor
from croupier.rounds.events import WagersTakenBack
from croupier.tables.commands import (
    BuyIn,
    CashOut,
    CloseTable,
    ColorUp,
    Credit,
    EmptyDrop,
    Fill,
    GiveUpSeat,
    OpenTable,
    TakeSeat,
    Tip,
)
from croupier.tables.deciding import open_table
from tests.tables.seated import DEALER, FLOOR, OPERATOR, Sitting, game

ANN = Actor("player", "ann")
BEN = Actor("player", "ben")


def money(table: Sitting, *accounts: str) -> tuple[int, ...]:
    return tuple(table.table.money.get(account, 0) for account in accounts)


def test_a_buy_in_is_cash_in_the_drop_and_chips_from_the_inventory() -> None:
    table = Sitting("md-uth", 1, money=100)
    before = money(table, "inventory", "drop", "rack:ann")
    table.do(BuyIn("ann", 25_000), ANN)
    after = money(table, "inventory", "drop", "rack:ann")
    assert [b - a for a, b in zip(before, after, strict=True)] == [-25_000, 25_000, 25_000]


def test_a_buy_in_larger_than_the_inventory_is_made_up_from_the_cage() -> None:
    table = Sitting("md-uth", 1, money=100)
    table.do(Credit(table.table.money["inventory"] - 500, "C-1"), FLOOR)
    table.do(BuyIn("ann", 2_000), ANN)
    assert money(table, "inventory", "rack:ann") == (0, 12_000)


@pytest.mark.parametrize("cents", [0, -1, MOST_CENTS + 1])
def test_amounts_that_cannot_change_hands(cents: int) -> None:
    table = Sitting("md-uth", 1)
    for command, actor in (
        (BuyIn("ann", cents), ANN),
        (CashOut("ann", cents), ANN),
        (Tip("ann", cents), ANN),
        (Fill(cents, "F-1"), FLOOR),
        (Credit(cents, "C-1"), FLOOR),
    ):
        assert table.refused(command, actor).code == "bad_amount"


def test_only_seated_players_buy_in() -> None:
    table = Sitting("md-uth", 1)
    refusal = table.refused(BuyIn("ben", 1000), BEN)
    assert (refusal.code, refusal.clause) == ("not_seated", "7.C")


def test_chips_are_cashed_out_in_part_or_all_of_them() -> None:
    table = Sitting("md-uth", 1, money=100)
    table.do(CashOut("ann", 4_000), ANN)
    assert table.rack(1) == 6_000
    assert table.refused(CashOut("ann", 6_001), ANN).code == "not_enough_money"
    table.do(CashOut("ann"), ANN)
    assert "rack:ann" not in table.table.money
    assert table.refused(CashOut("ann"), ANN).code == "not_enough_money"


def test_chips_are_changed_only_for_the_same_worth() -> None:
    table = Sitting("md-uth", 1, money=100)
    table.do(ColorUp("ann", {500: 20}, {2500: 4}), ANN)
    assert table.rack(1) == 10_000
    assert table.refused(ColorUp("ann", {500: 20}, {2500: 5}), ANN).code == "not_equal"
    assert table.refused(ColorUp("ann", {500: 21}, {2500: 4}), ANN).code == "not_enough_money"
    for gives, gets in (({}, {100: 1}), ({100: 0}, {100: 1}), ({-100: -1}, {100: 1})):
        assert table.refused(ColorUp("ann", gives, gets), ANN).code == "bad_amount"


def test_a_tip_goes_into_the_tip_box() -> None:
    table = Sitting("md-uth", 1, money=100)
    table.do(Tip("ann", 500), ANN)
    assert money(table, "tips", "rack:ann") == (500, 9_500)
    assert table.refused(Tip("ann", 9_501), ANN).code == "not_enough_money"


def test_fills_and_credits_need_a_floorperson_and_a_slip() -> None:
    table = Sitting("md-uth", 1)
    before = table.table.money["inventory"]
    table.do(Fill(70_000, "F-1"), FLOOR)
    assert table.table.money["inventory"] == before + 70_000
    table.do(Credit(before + 70_000, "C-1"), OPERATOR)
    assert "inventory" not in table.table.money
    assert table.refused(Credit(1, "C-2"), FLOOR).code == "not_enough_money"
    for command in (Fill(100, " "), Credit(100, "  ")):
        assert table.refused(command, FLOOR).code == "no_slip"
        for actor in (DEALER, ANN):
            assert table.refused(command, actor).code == "wrong_role"


def test_the_drop_is_emptied_to_the_count_room() -> None:
    table = Sitting("md-uth", 1, money=100)
    table.do(Tip("ann", 300), ANN)
    for actor in (DEALER, ANN):
        assert table.refused(EmptyDrop("D-1"), actor).code == "wrong_role"
    assert table.refused(EmptyDrop(" "), FLOOR).code == "no_slip"
    table.do(EmptyDrop("D-1"), FLOOR)
    assert money(table, "drop", "tips") == (0, 0)
    assert table.refused(EmptyDrop("D-2"), FLOOR).code == "nothing_there"


def test_limits_of_a_wager_are_refused_with_its_clause() -> None:
    limits: Any = {"ante": {"minimum": "10", "maximum": "200"}}
    table = Sitting("md-uth", 1, limits=limits)
    table.open()
    for dollars in (9, 201):
        refusal = table.refused(table.bets(1, ante=dollars, blind=dollars), ANN)
        assert refusal.code == "rule_broken"
        assert refusal.clause == table.rules.book.wagers["ante"].clause
    table.bet(1, ante=10, blind=10)
    table.bet(1, ante=200, blind=200)


@pytest.mark.parametrize("document", ["md-uth", "md-235", "ma-uth", "md-wpt", "md-jackpot"])
def test_refused_wagers_are_named_as_on_the_layout(document: str) -> None:
    """`Two Card Poker`, never `two_card_poker`: the sentence stands on the dealer's screen."""
    first = next(iter(game(document).rules.required))
    limits: Any = {first: {"minimum": "10"}}
    table = Sitting(document, 1, limits=limits)
    table.open()
    said = [table.refused(CloseBets(), DEALER).message]
    for name, wager in table.rules.book.wagers.items():
        for cents in (0, 300):
            taken = PlaceWagers(1, "ann", {name: cents})
            if cents and wager.role == "required" and name != first:
                continue  # it is placed
            said.append(table.refused(taken, ANN).message)
            assert wager.title in said[-1], said
    assert not [words for words in said if "_" in words], said


def test_nobody_bets_money_he_does_not_have() -> None:
    table = Sitting("md-uth", 1, money=50)
    table.open()
    assert table.refused(table.bets(1, ante=26, blind=26), ANN).code == "not_enough_money"
    table.bet(1, ante=20, blind=20)
    assert table.refused(table.bets(1, ante=25, blind=26), ANN).code == "not_enough_money"
    table.bet(1, ante=25, blind=25)
    assert table.rack(1) == 0
    table.deal()
    for action in ("4x", "3x"):
        assert table.refused(table.says(1, action), ANN).code == "not_enough_money"
    table.say(1, "check")
    table.go()
    table.do(BuyIn("ann", 5_000), ANN)
    table.say(1, "2x")
    assert table.rack(1) == 0


def test_bets_may_be_open_before_the_buy_in() -> None:
    """Whoever has no chips is told to buy in, and does so while the bets are open."""
    table = Sitting("md-uth", 1, money=100)
    table.do(CashOut("ann"), ANN)
    table.open()
    refusal = table.refused(table.bets(1), ANN)
    assert refusal.code == "not_enough_money"
    assert refusal.message == "ann has $0 on the table, but this takes $20: buy in for more"
    table.do(BuyIn("ann", 10_000), ANN)
    table.bet(1)
    table.deal()
    table.play_out()


def test_bets_that_are_open_for_nobody_are_called_off() -> None:
    """The last player leaves without a bet: the dealer had nothing to do, and nobody was there."""
    table = Sitting("md-uth", 1, 2)
    table.open()
    table.do(GiveUpSeat("ann", 1), ANN)
    assert table.round.phase == "betting", "somebody else may bet"
    table.do(GiveUpSeat("ben", 2), BEN)
    assert (table.round.phase, table.round.void) == ("over", True)
    table.do(TakeSeat("ben", 2), BEN)
    table.open()
    assert table.round.number == 2


def test_seats_are_taken_once_and_given_up_by_their_owner() -> None:
    table = Sitting("md-uth", 1)
    assert table.refused(TakeSeat("ben", 1), BEN).code == "seat_taken"
    assert table.refused(TakeSeat("ann", 2), ANN).code == "already_done"
    for seat in (0, 7):
        refusal = table.refused(TakeSeat("ben", seat), BEN)
        assert (refusal.code, refusal.clause) == ("rule_broken", table.rules.book.positions.clause)
    assert table.refused(GiveUpSeat("ben", 1), BEN).code == "not_yours"
    for name in ("", "a:b", " ann", "x" * 61, "tab\t"):
        assert table.refused(TakeSeat(name, 2), DEALER).code == "bad_request"
    table.do(GiveUpSeat("ann", 1), ANN)
    assert table.refused(GiveUpSeat("ann", 1), ANN).code == "not_yours"
    table.do(CashOut("ann"), ANN)


def test_nobody_sits_down_behind_wagers_of_a_round_in_play() -> None:
    table = Sitting("md-uth", 1, 3)
    table.open()
    table.bet(1)
    table.bet(3)
    table.deal()
    table.do(LeaveRound(1, "ann"), ANN)
    table.do(GiveUpSeat("ann", 1), ANN)
    assert table.refused(TakeSeat("ben", 1), BEN).code == "seat_taken"
    table.play_out()
    table.do(TakeSeat("ben", 1), BEN)


def test_a_closed_seat_cannot_be_played() -> None:
    table = Sitting("md-uth", 1, 3)
    table.open()
    table.bet(1)
    table.deal()
    cat = Actor("player", "cat")
    assert table.refused(Act(3, "cat", "check"), cat).code == "seat_closed"
    assert table.refused(LeaveRound(3, "cat"), cat).code == "seat_closed"


def test_players_act_for_themselves_only() -> None:
    table = Sitting("md-uth", 1, 2)
    table.open()
    for command in (table.bets(1), BuyIn("ann", 100), CashOut("ann"), Tip("ann", 100)):
        assert table.refused(command, BEN).code == "not_yours"
    assert table.refused(table.bets(1, "ben"), BEN).code == "seat_taken"
    table.bet(1)
    assert table.refused(GiveUpSeat("ann", 1), BEN).code == "not_yours"


def test_commands_given_twice_are_refused_the_second_time() -> None:
    table = Sitting("md-uth", 1)
    table.open()
    table.bet(1)
    table.do(CloseBets())
    assert table.refused(CloseBets()).code == "not_now"
    table.do(Deal())
    assert table.refused(Deal()).code == "not_now"
    table.say(1, "check")
    assert table.refused(table.says(1, "check"), ANN).code == "not_now"
    table.do(LeaveRound(1, "ann"), ANN)
    assert table.refused(LeaveRound(1, "ann"), ANN).code == "already_done"


def test_a_void_round_gives_everything_back_and_the_meter_too() -> None:
    table = Sitting("md-uth", 1, 3, rate="0.25")
    shown = table.link.shown()
    racks = table.rack(1), table.rack(3)
    table.open()
    table.bet(1, progressive=1, trips=5)
    table.bet(3, progressive=1)
    table.deal()
    assert table.link.shown() != shown
    table.say(1, "4x")
    for actor in (DEALER, ANN):
        assert table.refused(VoidRound("a misdeal"), actor).code == "wrong_role"
    assert table.refused(VoidRound(" "), FLOOR).code == "no_reason"
    table.do(VoidRound("a misdeal"), FLOOR)
    assert (table.rack(1), table.rack(3)) == racks
    assert table.link.shown() == shown
    assert table.refused(VoidRound("again"), FLOOR).code == "not_now"


def test_a_round_that_is_settled_in_part_is_not_voided() -> None:
    table = Sitting("md-uth", 1, 3)
    table.open()
    table.bet(1)
    table.bet(3)
    table.deal()
    table.everyone("4x")
    table.do(Settle())
    assert table.refused(VoidRound("a misdeal"), FLOOR).code == "not_now"


def test_a_closed_table_only_pays_out() -> None:
    table = Sitting("md-uth", 1)
    for actor in (DEALER, ANN):
        assert table.refused(CloseTable(), actor).code == "wrong_role"
    table.open()
    assert table.refused(CloseTable(), FLOOR).code == "not_now"
    table.do(VoidRound("nobody plays"), FLOOR)
    table.do(CloseTable(), FLOOR)
    for command, actor in (
        (TakeSeat("ben", 2), BEN),
        (BuyIn("ann", 1000), ANN),
        (PlaceWagers(1, "ann", table.least()), ANN),
        (Fill(100, "F-1"), FLOOR),
    ):
        assert table.refused(command, actor).code == "table_closed"
    table.do(CashOut("ann"), ANN)
    table.do(GiveUpSeat("ann", 1), ANN)
    table.do(EmptyDrop("D-1"), FLOOR)


def test_only_floorperson_and_operator_open_a_table_and_only_with_good_papers() -> None:
    played = game("md-uth")
    command = OpenTable("one", played.rulebook, played.submission)
    for actor in (DEALER, ANN):
        with pytest.raises(BadRequest) as refusal:
            open_table(command, actor)
        assert refusal.value.code == "wrong_role"
    for wrong in (
        OpenTable("", "md-uth"),
        OpenTable("a table", "md-uth"),
        OpenTable("one", "md-utk"),
        OpenTable("one", "md-uth", "{"),
        OpenTable("one", "md-uth", '{"paytables": {"trips": "Z"}}'),
        OpenTable("one", "md-uth", inventory=-1),
    ):
        with pytest.raises(BadRequest):
            open_table(wrong, OPERATOR)


@pytest.mark.parametrize("source", ["virtual", "live"])
def test_who_leaves_while_the_bets_are_open_takes_all_wagers_back(source: str) -> None:
    table = Sitting("md-uth", 1, 3, source=source)
    table.open()
    racks = table.rack(1), table.rack(3)
    table.bet(1, trips=5, progressive=1)
    table.bet(3)
    (event,) = table.do(LeaveRound(1, "ann"))
    assert event == WagersTakenBack(1, ("ante", "blind", "trips", "progressive"))
    assert table.rack(1) == racks[0]
    assert table.round.seat(1) is None
    assert not any(name.startswith("layout:1") for name in table.table.money)
    assert table.rack(3) == racks[1] - 2000, "the others' wagers stay"
    table.deal()
    assert [seat.number for seat in table.round.seats] == [3]
