"""Jackpot Hold 'Em: everything that goes wrong.

Chapter 13 and the stubs of chapters 8 to 10.
"""

from __future__ import annotations

import pytest

from tests.rules.clause_table import Check, clause_table
from tests.tables import accidents

DOC = "md-jackpot"


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
     accidents.several_after_the_deal_save, "13.C", {"player_bonus"}, "As Ah"),
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
     accidents.an_exposed_dealer_card_saves, "13.F", "13.G", {"player_bonus"}, "As Ah"),
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
