"""Massachusetts 6(a), MA-29: a match play coupon lies beside chips and is never a chip."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.errors import CroupierError
from croupier.ledger.journal import open_journal
from croupier.ledger.verification.verify import verify
from croupier.rounds.actions import legal_actions
from croupier.rounds.commands import (
    Act,
    CloseBets,
    Collect,
    Deal,
    OpenBetting,
    PlaceCoupon,
    PlaceWagers,
    RevealCards,
    Settle,
    ShowDealer,
    TakeBack,
    VoidRound,
)
from croupier.rounds.declaration import Actor
from croupier.rounds.views import Viewer, view
from croupier.runtime.house import House
from croupier.tables.commands import Assign, BuyIn, Correct, OpenTable, TakeSeat
from croupier.tables.deciding import open_table
from croupier.web.tables.views import Onlooker, table_form
from tests.tables.seated import FLOOR, NAMES, Sitting

DOC = "ma-uth"
ANN = NAMES[0]
BOARD = "2c 3s Th Jc 4d"


def _betting(**told: object) -> Sitting:
    options = {"match_play": True} | dict(told)
    table = Sitting(DOC, 1, 3, offered=(), options=options)
    table.open({1: "Kc Kh", 3: "7d 8d"}, dealer="9c 9s", board=BOARD)
    table.bet(1)
    table.bet(3)
    return table


def _lay(amount: int, seat: int = 1) -> PlaceCoupon:
    return PlaceCoupon(seat, NAMES[seat - 1], amount, f"MP-{seat}")


def _played(hand: str, dealer: str, action: str = "4x") -> Sitting:
    table = Sitting(DOC, 1, offered=(), options={"match_play": True})
    table.open({1: hand}, dealer=dealer, board=BOARD)
    table.bet(1)
    table.do(_lay(1000))
    table.deal()
    if action == "fold":
        for said in ("check", "check", "fold"):
            table.everyone(said)
    else:
        table.everyone(action)
    table.settle()
    return table


@pytest.mark.clause(DOC, "6(a)")
def test_6_a_a_winning_ante_pays_the_coupon_even_money_in_chips() -> None:
    with_coupon = _played("Kc Kh", "9c 9s")
    line = with_coupon.line(1, "match_play")
    assert (line.result, line.net, line.stake, line.coupon) == ("win", 1000, 0, 1000)
    assert line.clause == "6(a)"
    assert line.reason.follows == "ante"
    others = sum(x.net for x in with_coupon.seat(1).lines if x.wager != "match_play")
    assert with_coupon.rack(1) == 1_000_000 + others + 1000


@pytest.mark.clause(DOC, "6(a)")
@pytest.mark.parametrize(("dealer", "action"), [("As Ah", "4x"), ("9c 9s", "fold")])
def test_6_a_a_losing_ante_takes_the_coupon_and_no_chip_for_it(dealer: str, action: str) -> None:
    table = _played("Kc Kh", dealer, action)
    line = table.line(1, "match_play")
    assert (line.result, line.net, line.stake) == ("lose", 0, 0)
    others = sum(x.net for x in table.seat(1).lines)
    assert table.rack(1) == 1_000_000 + others


@pytest.mark.clause(DOC, "6(a)")
@pytest.mark.parametrize(
    ("hand", "dealer"), [("Kc Kh", "8c 9s"), ("Kc Kh", "Kd Ks")], ids=["unqualified", "tie"]
)
def test_6_a_an_ante_that_comes_back_brings_the_coupon_back(hand: str, dealer: str) -> None:
    line = _played(hand, dealer).line(1, "match_play")
    assert (line.result, line.net) == ("push", 0)


@pytest.mark.clause(DOC, "6(a)")
def test_6_a_a_coupon_takes_as_much_in_chips_beside_it() -> None:
    table = _betting()
    assert table.refused(_lay(1001)).clause == "6(a)"
    assert table.refused(_lay(-5)).code == "bad_amount"
    assert table.refused(_lay(500, seat=2)).code == "not_seated"
    table.do(_lay(1000))
    lower = PlaceWagers(1, ANN, {"ante": 500, "blind": 500})
    assert table.refused(lower).clause == "6(a)", "the chips under it stay"
    table.do(_lay(500))
    table.do(lower)
    table.do(_lay(0))
    assert table.seat(1).coupon == 0
    assert table.refused(_lay(0)).code == "nothing_there"


@pytest.mark.clause(DOC, "6(a)")
def test_6_a_nobody_else_lays_it_and_not_after_the_close() -> None:
    table = _betting()
    other = Actor("player", NAMES[2])
    assert table.refused(_lay(500), other).code == "not_yours"
    assert table.refused(_lay(500), Actor("dealer", "Dan")).code == "not_yours"
    table.do(CloseBets())
    late = table.refused(_lay(500))
    assert (late.code, late.clause) == ("not_now", "6(b)")


@pytest.mark.clause(DOC, "6(a)")
def test_6_a_only_where_the_operator_says_so() -> None:
    table = _betting(match_play=False)
    assert table.refused(_lay(500)).clause == "6(a)"
    assert "match_play" in table.refused(_lay(500)).message


@pytest.mark.parametrize("book", ["md-uth", "md-wpt", "md-jackpot", "md-235"])
def test_maryland_takes_chips_and_plaques_alone(book: str) -> None:
    table = Sitting(book, 1, offered=())
    table.open()
    table.bet(1)
    assert table.refused(_lay(500)).code == "rule_broken"
    with pytest.raises(CroupierError):
        Sitting(book, 1, options={"match_play": True})


@pytest.mark.clause(DOC, "6(a)")
def test_6_a_it_moves_no_money_when_laid_taken_back_or_void() -> None:
    table = _betting()
    money = table.table.money
    table.do(_lay(1000))
    assert table.table.money == money
    table.do(TakeBack(1, ANN))
    assert table.round.seat(1) is None
    table.bet(1)
    table.do(_lay(1000))
    table.do(CloseBets())
    table.do(Deal())
    table.do(VoidRound("a misdeal"), FLOOR)
    assert table.rack(1) == 1_000_000


@pytest.mark.clause(DOC, "6(a)")
def test_6_a_everybody_sees_it_and_the_player_is_offered_it() -> None:
    table = _betting()
    (choice,) = [x for x in legal_actions(table.round, table.rules, 1, ANN) if x.do == "coupon"]
    assert (choice.least, choice.most, choice.clause) == (1, 1000, "6(a)")
    table.do(_lay(700))
    seen = view(table.round, Viewer("player", "a stranger"), table.rules)
    assert [seat.coupon for seat in seen.seats] == [700, 0]


@pytest.mark.clause(DOC, "6(a)")
def test_6_a_the_journal_tells_it_and_verifies(tmp_path: Path) -> None:
    dan, flo, ann = Actor("dealer", "Dan"), Actor("floorperson", "Flo"), Actor("player", "ann")
    terms = json.dumps({"offered": [], "options": {"match_play": True}})
    with open_journal(str(tmp_path / "journal.db")) as store:
        house = House(store)
        house.do("T1", OpenTable("T1", DOC, terms, inventory=10**6), flo)
        house.do("T1", TakeSeat("ann", 1), ann)
        house.do("T1", BuyIn("ann", 100_000), ann)
        house.do("T1", OpenBetting(), dan)
        house.do("T1", PlaceWagers(1, "ann", {"ante": 1000, "blind": 1000}), ann)
        house.do("T1", PlaceCoupon(1, "ann", 1000, "MP-7"), ann)
        house.do("T1", CloseBets(), dan)
        house.do("T1", Deal(), dan)
        house.do("T1", Act(1, "ann", "4x"), ann)
        for command in (RevealCards(), RevealCards(), ShowDealer(), Settle(), Collect()):
            house.do("T1", command, dan)
        house.do("T1", Correct(1, 1, "ann", "blind", 100, "it was worth more"), flo)
        assert verify(store).valid


@pytest.mark.clause(DOC, "6(a)")
def test_6_a_a_house_takes_coupons_where_a_dealer_looks_at_them() -> None:
    """With virtual cards the player's own word would be money."""
    terms = json.dumps({"offered": [], "options": {"match_play": True}})
    opening = OpenTable("M7", DOC, terms, strict=True)
    with pytest.raises(CroupierError) as refused:
        open_table(opening, FLOOR)
    assert refused.value.clause == "6(a)"
    assert "live tables only" in refused.value.message
    # For practice, where chips are play chips, it may be tried; and without coupons it opens.
    assert open_table(replace(opening, strict=False), FLOOR)
    assert open_table(replace(opening, submission='{"offered": []}'), FLOOR)


@pytest.mark.clause(DOC, "6(a)")
def test_6_a_at_a_live_table_of_the_house_the_dealer_lays_it(tmp_path: Path) -> None:
    """A player's own word would be money there too."""
    dan, flo, ann = Actor("dealer", "Dan"), Actor("floorperson", "Flo"), Actor("player", "ann")
    approval = {"number": "A-1", "date": "2026-11-15", "authority": "Commission"}
    terms = json.dumps(
        {
            "offered": [],
            "options": {"match_play": True, "dealing": "manual_shoe"},
            "approvals": {"shoe": approval},
        }
    )
    with open_journal(str(tmp_path / "journal.db")) as store:
        house = House(store)
        opening = OpenTable("T1", DOC, terms, source="live", care=False, strict=True)
        house.do("T1", opening, flo)
        house.do("T1", Assign("dealer", "Dan"), flo)
        for command in (TakeSeat("ann", 1), BuyIn("ann", 100_000), OpenBetting()):
            house.do("T1", command, dan)
        house.do("T1", PlaceWagers(1, "ann", {"ante": 1000, "blind": 1000}), ann)
        with pytest.raises(CroupierError) as refused:
            house.do("T1", PlaceCoupon(1, "ann", 1000, "MP-7"), ann)
        assert (refused.value.code, refused.value.clause) == ("not_yours", "6(a)")
        table = house.table("T1")
        offered = table_form(table, Onlooker("player", "ann"), meters={}).actions
        assert {action.do for action in offered} >= {"place", "ready"}
        assert "coupon" not in {action.do for action in offered}
        house.do("T1", PlaceCoupon(1, "ann", 1000, "MP-7"), dan)
        assert verify(store).valid
