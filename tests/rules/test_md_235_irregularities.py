"""235 Stud Poker: everything that goes wrong.

Chapter 13 and the stubs of chapters 8 to 10.
"""

from __future__ import annotations

import pytest

from croupier.rounds.commands import CloseBets
from tests.rules.clause_table import Check, clause_table
from tests.tables import accidents

DOC = "md-235"


# fmt: off
CLAUSES = clause_table(DOC, [
    (("manual_shoe", "hand"), "13_A_one_face_up_card_is_set_aside", "13.A",
     accidents.one_card_is_set_aside, "13.A"),
    ("13_D_a_stack_with_a_face_up_card_is_short", "13.D",
     accidents.a_stack_with_a_face_up_card_is_void, "13.D"),
    (("manual_shoe", "hand", "automated_shoe"), "13_B_several_face_up_cards_void_the_round",
     "13.B",
     accidents.several_before_the_deal_are_void, "13.B"),
    (("manual_shoe", "hand", "automated_shoe"), "13_B_only_until_a_player_acts", "13.B",
     accidents.several_only_until_somebody_acts, "13.B"),
    (("manual_shoe", "hand"), "13_B_a_second_face_up_card_makes_several", "13.B",
     accidents.a_second_card_is_more_than_one, "13.B"),
    (("manual_shoe", "hand", "automated_shoe"), "13_C_a_card_drawn_in_error_is_the_next", "13.C",
     accidents.an_unseen_card_is_the_next, "13.C"),
    ("13_D_a_wrong_number_of_cards_voids_all", "13.D",
     accidents.a_wrong_count_voids_all, "13.D"),
    ("13_D_no_void_in_the_middle_of_the_settlement", "13.D",
     accidents.too_late_when_settled, "wrong_count", "13.D"),
    ("13_D_players_report_nothing", "13.D",
     accidents.players_report_nothing, "wrong_count", "13.D"),
    ("8_F_a_stub_counted_wrong_manual_shoe", "8.F 8.F(1) 8.F(2)",
     accidents.a_stub_is_counted_wrong, "manual_shoe", "8.F(1)", "8.F(2)"),
    ("9_G_a_stub_counted_wrong_hand", "9.G 9.G(1) 9.G(2)",
     accidents.a_stub_is_counted_wrong, "hand", "9.G(1)", "9.G(2)"),
    ("10_G_a_stub_counted_wrong_automated_shoe", "10.G 10.G(1) 10.G(2)",
     accidents.a_stub_is_counted_wrong, "automated_shoe", "10.G(1)", "10.G(2)"),
    ("8_F_2_what_is_settled_stands", "8.F(2)",
     accidents.a_stub_counted_late_leaves_the_round, "8.F(2)"),
    ("13_F_a_shuffler_jam_leaves_the_bets", "13.F",
     accidents.a_jam_leaves_the_bets, "hand", "13.F"),
    ("13_F_the_other_deck_jams_and_the_round_goes_on", "13.F",
     accidents.the_other_deck_jams, "hand", "13.F"),
    ("13_G_a_shoe_jam_voids_the_round", "13.G",
     accidents.a_shoe_jam_voids, "13.G"),
    ("a_virtual_deck_has_no_accidents", "",
     accidents.a_virtual_deck_has_no_accidents),
])
# fmt: on


@pytest.mark.parametrize("check", CLAUSES)
def test_clause(check: Check) -> None:
    check()


@pytest.mark.clause("md-235", "13.E")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand", "automated_shoe"])
def test_13_E_an_early_community_card_voids_all(dealing: str) -> None:
    table = accidents.dealt(DOC, dealing=dealing)
    table.everyone("check")
    table.happens("community_card_exposed")
    accidents.all_is_back(table, "13.E")


@pytest.mark.clause("md-235", "13.E")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand", "automated_shoe"])
def test_13_E_from_the_close_of_the_bets_until_the_board_is_turned_up(dealing: str) -> None:
    """While the cards are dealt and while players decide; neither before nor after."""
    table = accidents.betting(DOC, dealing=dealing)
    assert table.cannot("community_card_exposed").code == "not_now"
    table.do(CloseBets())
    table.happens("community_card_exposed")
    accidents.all_is_back(table, "13.E")
    assert table.cannot("community_card_exposed").code == "not_now"


@pytest.mark.clause("md-235", "13.E")
def test_13_E_not_when_the_board_is_open() -> None:
    table = accidents.at_the_last_question(DOC, dealing="manual_shoe")
    assert table.can_happen("community_card_exposed")
    table.everyone("check")
    assert table.cannot("community_card_exposed").clause == "13.E"


@pytest.mark.clause("md-235", "11.B(2)")
def test_11_B_2_a_third_card_seen_early_is_for_the_floor_to_decide() -> None:
    """No clause voids the hand; a floorperson may, before its first decision (C23)."""
    table = accidents.dealt(DOC, dealing="manual_shoe")
    refusal = table.cannot("third_card_exposed", seat=3)
    assert (refusal.code, refusal.clause) == ("wrong_role", "11.B(2)")
    told = table.happens("third_card_exposed", seat=3, by=accidents.FLOOR)
    assert told[-1] == accidents.HandVoided(3, "11.B(2)")
    table.say(1, "check")
    assert table.cannot("third_card_exposed", seat=1, by=accidents.FLOOR).code == "not_now"
    table.play_out()
    assert table.rack(3) == accidents.START
