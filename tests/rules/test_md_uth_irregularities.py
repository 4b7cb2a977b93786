"""Ultimate Texas Hold'em in Maryland: everything that goes wrong.

Chapter 13 and the stubs of chapters 8 to 10.
"""

from __future__ import annotations

import pytest

from croupier.cards import parse_cards
from croupier.rounds.commands import CloseBets, LeaveRound, RevealCards, Settle
from tests.rules.clause_table import Check, clause_table
from tests.tables import accidents

DOC = "md-uth"


# fmt: off
CLAUSES = clause_table(DOC, [
    (("manual_shoe", "hand"), "13_A_one_face_up_card_is_set_aside", "13.A",
     accidents.one_card_is_set_aside, "13.A"),
    ("13_E_a_stack_with_a_face_up_card_is_short", "13.E",
     accidents.a_stack_with_a_face_up_card_is_void, "13.E"),
    (("manual_shoe", "hand", "automated_shoe"), "13_B_several_face_up_cards_void_the_round",
     "13.B",
     accidents.several_before_the_deal_are_void, "13.B"),
    (("manual_shoe", "hand", "automated_shoe"), "13_B_only_until_a_player_acts", "13.B",
     accidents.several_only_until_somebody_acts, "13.B"),
    (("manual_shoe", "hand"), "13_B_a_second_face_up_card_makes_several", "13.B",
     accidents.a_second_card_is_more_than_one, "13.B"),
    ("13_C_after_the_deal_some_wagers_are_still_settled", "13.C",
     accidents.several_after_the_deal_save, "13.C", {"trips"}, "As Ah"),
    ("13_C_with_nothing_to_settle_all_goes_back", "13.C",
     accidents.nothing_saved_means_void, "several_cards_face_up_after_deal", "13.C", "7h 8h"),
    (("manual_shoe", "hand", "automated_shoe"), "13_D_a_card_drawn_in_error_is_the_next", "13.D",
     accidents.an_unseen_card_is_the_next, "13.D"),
    ("13_E_a_wrong_number_of_cards_voids_all", "13.E",
     accidents.a_wrong_count_voids_all, "13.E"),
    ("13_E_no_void_in_the_middle_of_the_settlement", "13.E",
     accidents.too_late_when_settled, "wrong_count", "13.E"),
    ("13_E_players_report_nothing", "13.E",
     accidents.players_report_nothing, "wrong_count", "13.E"),
    ("13_F_an_exposed_dealer_card_voids_all_but_these", "13.F 13.G",
     accidents.an_exposed_dealer_card_saves, "13.F", "13.G", {"trips"}, "As Ah"),
    ("13_F_it_is_harmless_when_all_have_decided", "13.F",
     accidents.an_exposed_dealer_card_is_harmless_when_all_have_decided, "13.F"),
    ("13_F_with_nothing_to_settle_all_goes_back", "13.F",
     accidents.nothing_saved_means_void, "dealer_card_exposed", "13.F"),
    ("8_G_a_stub_counted_wrong_manual_shoe", "8.G 8.G(1) 8.G(2)",
     accidents.a_stub_is_counted_wrong, "manual_shoe", "8.G(1)", "8.G(2)"),
    ("9_E_a_stub_counted_wrong_hand", "9.E 9.E(1) 9.E(2)",
     accidents.a_stub_is_counted_wrong, "hand", "9.E(1)", "9.E(2)"),
    ("10_E_a_stub_counted_wrong_automated_shoe", "10.E 10.E(1) 10.E(2)",
     accidents.a_stub_is_counted_wrong, "automated_shoe", "10.E(1)", "10.E(2)"),
    ("8_G_2_what_is_settled_stands", "8.G(2)",
     accidents.a_stub_counted_late_leaves_the_round, "8.G(2)"),
    ("13_H_a_shuffler_jam_before_the_deal_returns_the_bets", "13.H 13.H(2)",
     accidents.a_jam_before_the_deal_returns_the_bets, "13.H"),
    ("13_H_a_jam_with_this_rounds_cards_inside_voids", "13.H 13.H(2)",
     accidents.a_jam_of_the_machine_that_holds_the_cards_voids, "13.H"),
    ("13_H_the_other_deck_jams_and_the_round_goes_on", "13.H",
     accidents.the_other_deck_jams, "hand", "13.H"),
    ("13_I_a_shoe_jam_voids_the_round", "13.I 13.I(1)",
     accidents.a_shoe_jam_voids, "13.I"),
    ("a_virtual_deck_has_no_accidents", "",
     accidents.a_virtual_deck_has_no_accidents),
])
# fmt: on


@pytest.mark.parametrize("check", CLAUSES)
def test_clause(check: Check) -> None:
    check()


@pytest.mark.clause("md-uth", "13.E")
def test_13_E_a_wrong_box_returns_only_the_wagers_on_it() -> None:
    """The box is not named: the rest of the deal is good (MD-46)."""
    table = accidents.dealt(DOC, dealing="automated_shoe")
    told = table.happens("box_wrong_count")
    assert told[-1] == accidents.WagersVoided(("six_card_bonus",), "13.E")
    table.everyone("4x")
    table.settle()
    line = table.line(1, "six_card_bonus")
    assert (line.result, line.net, line.clause) == ("void", 0, "13.E")
    assert [w for w, result in table.results(1).items() if result == "void"] == ["six_card_bonus"]
    assert table.round.box == (), "nobody has to enter it"


@pytest.mark.clause("md-uth", "13.E")
def test_13_E_no_box_no_accident_with_it() -> None:
    table = accidents.dealt(DOC, dealing="automated_shoe", offered=["trips"])
    assert table.cannot("box_wrong_count").code == "not_now"


@pytest.mark.clause("md-uth", "7.C(2)")
def test_7_C_2_who_leaves_a_question_open_loses_all_that_remains() -> None:
    """A fold at the river, and the side wagers with it (MD-37)."""
    table = accidents.dealt(DOC, dealing="manual_shoe")
    table.do(LeaveRound(1, "ann"))
    table.everyone("4x")
    table.settle()
    assert set(table.results(1).values()) == {"lose"}
    assert {line.clause for line in table.seat(1).lines} == {"7.C(2)"}


@pytest.mark.clause("md-uth", "7.C(2)")
def test_7_C_2_who_has_bet_before_leaving_keeps_his_action() -> None:
    table = accidents.dealt(DOC, dealing="manual_shoe")
    table.say(1, "4x")
    table.do(LeaveRound(1, "ann"))
    table.everyone("4x")
    table.settle()
    assert "7.C(2)" not in {line.clause for line in table.seat(1).lines}


SETTLED = {"side_wagers_after_exposed_card": "settled"}


@pytest.mark.clause("md-uth", "13.F", "13.G")
def test_13_F_the_other_reading_settles_every_side_wager_that_needs_no_dealer() -> None:
    """MD-41(b): like Trips, on the completed board. Bad Beat has no hand to compare with."""
    table = accidents.at_the_last_question(DOC, dealing="automated_shoe", readings=SETTLED)
    fed = table.link.shown()
    table.happens("dealer_card_exposed")
    assert table.link.shown() == fed, "the Progressive stands, and so does what it gave"
    table.enter(1, "As Ah")
    table.go()
    table.settle()
    results = table.results(1)
    stands = {"trips", "progressive", "six_card_bonus", "ultimate_pairs", "play_the_board"}
    assert {name for name, result in results.items() if result in ("win", "lose")} == stands
    assert {name for name, result in results.items() if result == "void"} == {
        *("ante", "blind", "bad_beat")
    }
    assert table.line(1, "ultimate_pairs").clause == "12.E'(1)(a)"
    assert table.line(1, "bad_beat").clause == "13.F"


@pytest.mark.clause("md-uth", "13.F", "13.G")
def test_13_F_the_other_reading_returns_a_table_with_a_line_for_the_dealers_aces() -> None:
    """MD-41(b): Ultimate Pairs by table B asks for the dealer's cards, which are void."""
    table = accidents.at_the_last_question(
        DOC, dealing="manual_shoe", readings=SETTLED, paytables={"ultimate_pairs": "B"}
    )
    told = table.happens("dealer_card_exposed")
    assert "ultimate_pairs" not in told[-1].saves
    table.enter(1, "As Ah")
    table.go()
    table.settle()
    assert table.results(1)["ultimate_pairs"] == "void"
    assert table.results(1)["play_the_board"] in ("win", "lose")


@pytest.mark.clause("md-uth", "13.C")
def test_13_C_the_other_reading_holds_for_cards_found_face_up_too() -> None:
    table = accidents.dealt(DOC, dealing="manual_shoe", readings=SETTLED)
    told = table.happens("several_cards_face_up_after_deal", "7h 8h")
    assert "progressive" in told[-1].saves
    table.enter(1, "As Ah")
    table.go()
    table.settle()
    assert table.results(1)["ultimate_pairs"] == "win"
    assert table.results(1)["bad_beat"] == "void"
    assert table.results(3) == {"ante": "void", "blind": "void"}


@pytest.mark.clause("md-uth", "13.I", "13.I(1)")
def test_13_I_as_long_as_cards_come_from_the_shoe_and_no_longer() -> None:
    """Before the deal, right after it, and while the dealer's cards wait inside: all wagers go
    back and the cards are shuffled anew. With all cards out the shoe can do no harm."""
    last = {"deal_order": "dealer_last"}
    table = accidents.betting(DOC, dealing="automated_shoe", options=last)
    assert table.cannot("shoe_jam").clause == "13.I", "no card is being dealt while people bet"
    table.do(CloseBets())
    table.happens("shoe_jam")
    accidents.all_is_back(table, "13.I")
    table = accidents.dealt(DOC, dealing="automated_shoe", options=last)
    table.everyone("check")
    table.happens("shoe_jam")
    accidents.all_is_back(table, "13.I")
    first = {"deal_order": "dealer_first"}
    table = accidents.dealt(DOC, dealing="automated_shoe", options=first)
    table.everyone("check")
    assert table.cannot("shoe_jam").clause == "13.I"


@pytest.mark.clause("md-uth", "13.C")
def test_13_C_the_board_is_finished_before_trips_are_settled() -> None:
    """From cards that lie face down: the two that lay open never come into it (MD-44)."""
    table = accidents.dealt(DOC, dealing="manual_shoe")
    table.happens("several_cards_face_up_after_deal", "7h 8h")
    table.enter(1, "As Ah")
    assert table.round.phase == "revealing"
    assert table.refused(Settle(every=True)).code == "not_now"
    assert table.refused(RevealCards(parse_cards("Ac 7h 2c"))).code == "bad_cards"
    table.do(RevealCards(parse_cards("Ac 2d 3c")))
    assert table.refused(Settle(every=True)).code == "not_now"
    table.do(RevealCards(parse_cards("9c 9d")))
    table.do(Settle(every=True))
    results = table.results(1)
    assert results.pop("trips") == "win", "a full house with the finished board"
    assert set(results.values()) == {"void"}


@pytest.mark.clause("md-uth", "13.C")
def test_13_C_one_card_alone_voids_nothing() -> None:
    table = accidents.dealt(DOC, dealing="manual_shoe")
    assert table.cannot("several_cards_face_up_after_deal", "7h").clause == "13.C"
    table.happens("one_card_face_up", "7h")
    assert not table.round.void
    told = table.happens("several_cards_face_up_after_deal", "8h")  # the second one
    assert [event.clause for event in told] == ["13.C", "13.C"]
    assert table.round.void_by == "13.C"
