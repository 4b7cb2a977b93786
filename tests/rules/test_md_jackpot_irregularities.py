"""Jackpot Hold 'Em: everything that goes wrong.

Chapter 13 and the stubs of chapters 8 to 10.
"""

from __future__ import annotations

import pytest

from tests.tables import accidents

DOC = "md-jackpot"


@pytest.mark.clause("md-jackpot", "13.A")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand"])
def test_13_A_one_face_up_card_is_set_aside(dealing: str) -> None:
    accidents.one_card_is_set_aside(DOC, dealing, "13.A")


@pytest.mark.clause("md-jackpot", "13.E")
def test_13_E_a_stack_with_a_face_up_card_is_short() -> None:
    accidents.a_stack_with_a_face_up_card_is_void(DOC, "13.E")


@pytest.mark.clause("md-jackpot", "13.B")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand", "automated_shoe"])
def test_13_B_several_face_up_cards_void_the_round(dealing: str) -> None:
    accidents.several_before_the_deal_are_void(DOC, dealing, "13.B")


@pytest.mark.clause("md-jackpot", "13.B")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand", "automated_shoe"])
def test_13_B_only_until_a_player_acts(dealing: str) -> None:
    accidents.several_only_until_somebody_acts(DOC, dealing, "13.B")


@pytest.mark.clause("md-jackpot", "13.B")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand"])
def test_13_B_a_second_face_up_card_makes_several(dealing: str) -> None:
    accidents.a_second_card_is_more_than_one(DOC, dealing, "13.B")


@pytest.mark.clause("md-jackpot", "13.C")
def test_13_C_after_the_deal_some_wagers_are_still_settled() -> None:
    accidents.several_after_the_deal_save(DOC, "13.C", {"player_bonus"}, "As Ah")


@pytest.mark.clause("md-jackpot", "13.C")
def test_13_C_with_nothing_to_settle_all_goes_back() -> None:
    accidents.nothing_saved_means_void(DOC, "several_cards_face_up_after_deal", "13.C", "7h 8h")


@pytest.mark.clause("md-jackpot", "13.D")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand", "automated_shoe"])
def test_13_D_a_card_drawn_in_error_is_the_next(dealing: str) -> None:
    accidents.an_unseen_card_is_the_next(DOC, dealing, "13.D")


@pytest.mark.clause("md-jackpot", "13.E")
def test_13_E_a_wrong_number_of_cards_voids_all() -> None:
    accidents.a_wrong_count_voids_all(DOC, "13.E")


@pytest.mark.clause("md-jackpot", "13.E")
def test_13_E_no_void_in_the_middle_of_the_settlement() -> None:
    accidents.too_late_when_settled(DOC, "wrong_count", "13.E")


@pytest.mark.clause("md-jackpot", "13.E")
def test_13_E_players_report_nothing() -> None:
    accidents.players_report_nothing(DOC, "wrong_count", "13.E")


@pytest.mark.clause("md-jackpot", "13.F", "13.G")
def test_13_F_an_exposed_dealer_card_voids_all_but_these() -> None:
    accidents.an_exposed_dealer_card_saves(DOC, "13.F", "13.G", {"player_bonus"}, "As Ah")


@pytest.mark.clause("md-jackpot", "13.F")
def test_13_F_it_is_harmless_when_all_have_decided() -> None:
    accidents.an_exposed_dealer_card_is_harmless_when_all_have_decided(DOC, "13.F")


@pytest.mark.clause("md-jackpot", "13.F")
def test_13_F_with_nothing_to_settle_all_goes_back() -> None:
    accidents.nothing_saved_means_void(DOC, "dealer_card_exposed", "13.F")


@pytest.mark.clause("md-jackpot", "8.G", "8.G(1)", "8.G(2)")
def test_8_G_a_stub_counted_wrong_manual_shoe() -> None:
    accidents.a_stub_is_counted_wrong(DOC, "manual_shoe", "8.G(1)", "8.G(2)")


@pytest.mark.clause("md-jackpot", "9.E", "9.E(1)", "9.E(2)")
def test_9_E_a_stub_counted_wrong_hand() -> None:
    accidents.a_stub_is_counted_wrong(DOC, "hand", "9.E(1)", "9.E(2)")


@pytest.mark.clause("md-jackpot", "10.E", "10.E(1)", "10.E(2)")
def test_10_E_a_stub_counted_wrong_automated_shoe() -> None:
    accidents.a_stub_is_counted_wrong(DOC, "automated_shoe", "10.E(1)", "10.E(2)")


@pytest.mark.clause("md-jackpot", "8.G(2)")
def test_8_G_2_what_is_settled_stands() -> None:
    accidents.a_stub_counted_late_leaves_the_round(DOC, "8.G(2)")


@pytest.mark.clause("md-jackpot", "13.H", "13.H(2)")
def test_13_H_a_shuffler_jam_before_the_deal_returns_the_bets() -> None:
    accidents.a_jam_before_the_deal_returns_the_bets(DOC, "13.H")


@pytest.mark.clause("md-jackpot", "13.H", "13.H(2)")
def test_13_H_a_jam_with_this_rounds_cards_inside_voids() -> None:
    accidents.a_jam_of_the_machine_that_holds_the_cards_voids(DOC, "13.H")


@pytest.mark.clause("md-jackpot", "13.H")
def test_13_H_the_other_deck_jams_and_the_round_goes_on() -> None:
    accidents.the_other_deck_jams(DOC, "hand", "13.H")


@pytest.mark.clause("md-jackpot", "13.I", "13.I(1)")
def test_13_I_a_shoe_jam_voids_the_round() -> None:
    accidents.a_shoe_jam_voids(DOC, "13.I")


def test_a_virtual_deck_has_no_accidents() -> None:
    accidents.a_virtual_deck_has_no_accidents(DOC)
