"""What people have confirmed with a command: under whose name, and only with occasion for it."""

from __future__ import annotations

import json
from pathlib import Path

from croupier.cards import DECK
from croupier.deck_care import commands as c
from croupier.ledger.history.past_rounds import duties_on_record, moments
from croupier.ledger.journal import open_journal
from croupier.rounds import commands as r
from croupier.rounds.declaration import SOFTWARE, Actor
from croupier.runtime.house import House
from croupier.runtime.journal_session import Expected
from croupier.tables.commands import CloseTable, OpenTable, TableCommand
from croupier.tables.planning import plan_opening
from croupier.tables.state import rules_of
from croupier.tables.step_duties import confirmed, shown
from croupier.tables.work import work
from tests.tables.as_shown import do_as_shown
from tests.tables.cared_for import ANN, DAN, FLO, CaredFor


def clauses(house: CaredFor, command: TableCommand, actor: Actor = DAN) -> list[str]:
    """What the actor confirms with a command that is then given."""
    found = [d.clause for d in confirmed(command, actor, house.table, house.rules)]
    house.do(command, actor)
    return found


def foreseen(house: CaredFor, command: TableCommand, actor: Actor = DAN) -> list[str]:
    return [d.clause for d in confirmed(command, actor, house.table, house.rules)]


def test_4_A_the_dealer_confirms_the_inspection_and_the_floor_its_own_part() -> None:
    house = CaredFor("md-uth", dealing="manual_shoe")
    assert {"3.A(2)", "3.A(3)"} <= set(clauses(house, c.ReceiveDeck("red", 2)))
    assert clauses(house, c.HandleDeck("inspect")) == ["4.A"]
    (verified,) = confirmed(c.HandleDeck("verify"), FLO, house.table, house.rules)
    assert (verified.clause, verified.role, verified.step) == ("4.A", "floorperson", "verify")
    house.do(c.HandleDeck("verify"), FLO)
    assert clauses(house, c.HandleDeck("spread")) == ["4.B"]
    (viewed,) = confirmed(c.HandleDeck("view", player="Ann"), ANN, house.table, house.rules)
    assert (viewed.clause, viewed.role) == ("4.B", "player")
    house.do(c.HandleDeck("view", player="Ann"), ANN)
    assert clauses(house, c.HandleDeck("turn")) == ["4.C(1)"]
    assert clauses(house, c.HandleDeck("wash")) == ["4.C(2)"]
    assert clauses(house, c.HandleDeck("stack")) == ["4.C(3)"]
    assert "5.D(1)" not in clauses(house, c.ShuffleDeck("hand")), "the table has no shuffler"
    assert {"5.D(2)", "5.F", "5.F(1)", "5.F(2)"} <= set(clauses(house, c.CutDeck(20)))


def test_a_round_from_the_hand_is_confirmed_step_by_step() -> None:
    house = CaredFor("md-uth", dealing="hand")
    house.prepare()
    house.open_betting()
    house.do(r.PlaceWagers(1, "Ann", {"ante": 1000, "blind": 1000}))
    assert clauses(house, r.CloseBets()) == ["7.B", "7.E", "9.A(3)"]
    dealt = clauses(house, r.Deal())
    assert dealt == ["9.A(2)", "9.A(2)(a)", "9.A(2)(b)", "9.B(1)", "9.B(2)"]
    assert clauses(house, r.Act(1, "Ann", "check")) == ["11.A(1)", "11.A(2)", "11.B"]
    flop = clauses(house, r.RevealCards(DECK[:3]))
    assert "11.C(1)" in flop
    assert not {"9.B(4)", "11.E(1)"} & set(flop), "the stub is racked after the last card"
    # What a player says himself is his own duty.
    own = foreseen(house, r.Act(1, "Ann", "check"), ANN)
    assert "11.D(1)" in own
    assert not {"11.D", "11.B(1)"} & set(own)


def test_folded_cards_are_dealt_with_when_the_dealer_goes_on() -> None:
    house = CaredFor("md-uth", dealing="manual_shoe", offered=("trips",))
    house.prepare()
    house.open_betting()
    house.do(r.PlaceWagers(1, "Ann", {"ante": 1000, "blind": 1000}))
    house.do(r.CloseBets())
    house.do(r.Deal())
    house.do(r.Act(1, "Ann", "check"))
    house.do(r.RevealCards(DECK[:3]))
    house.do(r.Act(1, "Ann", "check"))
    house.do(r.RevealCards(DECK[3:5]))
    assert {"11.F"} <= set(foreseen(house, r.Act(1, "Ann", "fold"), ANN))
    assert not {"11.F(2)", "11.F(3)(b)"} & set(foreseen(house, r.Act(1, "Ann", "fold"), ANN))
    assert not {"11.F(2)", "11.F(3)(b)"} & set(foreseen(house, r.Act(1, "Ann", "fold")))
    house.do(r.Act(1, "Ann", "fold"), ANN)
    done = foreseen(house, r.ShowDealer())
    assert {"11.G(1)", "11.F(2)", "11.F(3)(b)"} <= set(done)
    assert "11.F(3)(a)" not in done, "nobody has Trips down"
    step = next(step for step in work(house.table, house.rules, house.at) if step.step != "receive")
    told = [duty.clause for duty in shown(step, house.table, house.rules, "dealer")]
    assert {"11.F(2)", "11.F(3)(b)"} <= set(told)


def test_a_right_count_confirms_no_void_round() -> None:
    house = CaredFor("md-uth", dealing="manual_shoe")
    house.prepare()
    house.deal()
    house.play_on("settling")
    assert foreseen(house, c.CountStub(house.right_stub())) == [], "no screen asks for it yet"
    house.play_on()
    for _ in range(3):
        house.round()
    house.prepare()
    house.deal()
    house.play_on("settling")
    right = house.right_stub()
    assert foreseen(house, c.CountStub(right)) == ["8.E", "8.F", "8.G"]
    assert "8.G(1)" in foreseen(house, c.CountStub(right - 1, misdealt=True))
    assert "8.G(2)" in foreseen(house, c.CountStub(right - 1))
    assert "8.G(1)" not in foreseen(house, c.CountStub(right - 1))


def test_only_the_accident_that_was_reported_is_confirmed() -> None:
    house = CaredFor("md-uth", dealing="manual_shoe")
    house.prepare()
    house.deal()
    assert foreseen(house, r.Report("card_drawn_in_error")) == ["13.D"]
    assert foreseen(house, r.Report("wrong_count")) == ["13.E"]
    assert foreseen(house, r.VoidRound("a fire"), FLO) == []


def test_13_J_a_cover_is_no_sign() -> None:
    house = CaredFor("md-uth", dealing="manual_shoe", shuffler=True)
    covered = c.MarkOutOfOrder("shuffler", "covered")
    assert foreseen(house, covered) == [], "nothing is out of order"
    assert clauses(house, c.ReportMalfunction("shuffler")) == []
    assert foreseen(house, covered) == ["13.J", "13.J(1)"]
    assert foreseen(house, c.MarkOutOfOrder("shuffler", "sign"), FLO) == ["13.J", "13.J(2)"]


def test_3_C_a_deck_that_goes_for_another_reason_was_not_too_old() -> None:
    house = CaredFor("md-uth", dealing="manual_shoe")
    house.prepare()
    assert foreseen(house, c.RemoveDeck("red", "a coffee"), FLO) == []
    house.pass_hours(9)
    house.do(c.OrderShuffle("to be sure"), FLO)
    assert foreseen(house, c.RemoveDeck("red"), FLO) == ["3.C(2)"]


def test_software_has_no_hands_and_virtual_cards_need_none() -> None:
    house = CaredFor("md-uth", dealing="hand")
    house.prepare()
    house.open_betting()
    house.bet()
    assert foreseen(house, r.Deal(), Actor("dealer", SOFTWARE)) == []
    assert foreseen(house, r.Deal())


def test_the_journal_says_who_confirmed_what(tmp_path: Path) -> None:
    """From the entries alone: the operator with the opening, dealer and floor with the deck."""
    olga = Actor("operator", "Olga")
    terms = json.dumps({"offered": [], "options": {"dealing": "manual_shoe"}})
    with open_journal(tmp_path / "journal.db") as store:
        house = House(store)
        opening = OpenTable("one", "md-uth", terms, source="live", inventory=10**8)
        do_as_shown(house, "one", opening, olga)
        do_as_shown(house, "one", c.ReceiveDeck("red", 2), DAN)
        do_as_shown(house, "one", c.HandleDeck("inspect"), DAN)
        do_as_shown(house, "one", c.HandleDeck("verify"), FLO)
        house.do("one", c.HandleDeck("spread"), DAN)
        told = {
            (moment.actor.name, duty.step): {d.clause for d in duties_on_record(moment).confirmed}
            for moment in moments(store, "one")
            for duty in duties_on_record(moment).confirmed
        }
    assert {"2.A", "2.D(2)", "7.G", "12.B"} <= told["Olga", "open_table"]
    assert "9.A(1)" not in told["Olga", "open_table"], "the cards come from a shoe"
    assert {"2.B(1)", "2.B(2)"} <= told["Olga", "felt"]
    assert ("Olga", "approvals") not in told, "none is named"
    assert {"3.A(2)", "3.A(3)"} <= told["Dan", "receive"]
    assert told["Dan", "inspect"] == {"4.A"}
    assert told["Flo", "verify"] == {"4.A"}
    assert ("Dan", "verify") not in told
    assert ("Dan", "spread") not in told, "no screen showed its duties"


def test_only_what_stood_on_the_screen_is_on_record(tmp_path: Path) -> None:
    """Through the library or the API a command can be given without any screen, and a page can
    name clauses that have nothing to do with it."""
    with open_journal(tmp_path / "journal.db") as store:
        house = House(store)
        terms = json.dumps({"offered": [], "options": {"dealing": "manual_shoe"}})
        opening = OpenTable("one", "md-uth", terms, source="live", inventory=10**8)
        house.do("one", opening, Actor("operator", "Olga"))
        house.do("one", c.ReceiveDeck("red", 2), DAN, None, Expected(duties=("3.A(2)", "4.B")))
        house.do("one", c.HandleDeck("inspect"), DAN)
        records = [duties_on_record(moment) for moment in moments(store, "one")]
    assert [[d.clause for d in record.confirmed] for record in records] == [[], ["3.A(2)"], []]
    assert [record.shown for record in records] == [(), (), ()]


def test_opening_again_confirms_the_duties_of_the_new_terms(tmp_path: Path) -> None:
    olga, plain = Actor("operator", "Olga"), {"offered": [], "options": {"dealing": "manual_shoe"}}
    meters = {"meters": {"main": {"rate": "0.05"}}}
    terms = [plain, plain | {"offered": ["progressive"], "progressive": meters}]
    with open_journal(tmp_path / "journal.db") as store:
        house = House(store)
        for one in (*terms, plain):
            opening = OpenTable("one", "md-uth", json.dumps(one), source="live", inventory=10**6)
            do_as_shown(house, "one", opening, olga)
            house.do("one", CloseTable(), olga)
        opened = [m for m in moments(store, "one") if m.event_name == "table_opened"]
        said = [{d.clause for d in duties_on_record(moment).confirmed} for moment in opened]
    assert ["2.C" in clauses for clauses in said] == [False, True, False]


def test_2_B_the_opening_confirms_the_approvals_that_it_names_and_no_others() -> None:
    given = {"number": "A-1", "date": "2026-11-02", "authority": "the Commission"}
    terms = {"offered": ["progressive"], "options": {"dealing": "manual_shoe"}}
    paper = json.dumps(terms | {"approvals": {"layout": given}})
    opening = OpenTable("one", "md-uth", paper, source="live")
    olga = Actor("operator", "Olga")
    table = plan_opening(opening, olga, with_link=False).table
    found = confirmed(opening, olga, table, rules_of(table))
    assert {duty.clause for duty in found if duty.step == "approvals"} == {"2.B"}
    assert {"2.B(7)"} <= {duty.clause for duty in found if duty.step == "sign"}
    assert {"2.C", "2.C(2)"} <= {duty.clause for duty in found if duty.step == "meters"}
