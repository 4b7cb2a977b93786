"""Ultimate Texas Hold'em in Maryland: the life of a deck, from the box to the bin."""

from __future__ import annotations

import pytest

from croupier.deck_care import commands as c
from croupier.rounds import commands as r
from croupier.rounds.declaration import Actor
from tests.tables import care_procedure as care
from tests.tables.cared_for import ANN, DAN, FLO, CaredFor

DOC = "md-uth"


@pytest.mark.clause("md-uth", "3.A(3)")
def test_3_A_3_a_deck_comes_with_its_cover_cards() -> None:
    care.a_deck_comes_with_its_cover_cards(DOC, "3.A(3)", 2)


@pytest.mark.clause("md-uth", "3.A(2)", "3.B(1)")
def test_3_A_2_the_prompt_asks_for_cards_of_one_appearance_and_design() -> None:
    care.the_prompt_for_a_deck_says(DOC, "of one appearance", "of one design each")


@pytest.mark.clause("md-uth", "3.A(1)", "3.B")
def test_3_A_1_one_deck_unless_a_shuffler_serves_two() -> None:
    care.one_deck_unless_a_shuffler_serves_two(DOC, "3.B")


@pytest.mark.clause("md-uth", "3.B(2)")
def test_3_B_2_two_decks_have_different_backs() -> None:
    care.two_decks_have_different_backs(DOC, "3.B(2)")


@pytest.mark.clause("md-uth", "3.B(3)")
def test_3_B_3_one_deck_waits_in_the_shuffler() -> None:
    care.one_deck_waits_in_the_shuffler(DOC, "3.B(3)")


@pytest.mark.clause("md-uth", "3.B(4)")
def test_3_B_4_decks_are_swapped_every_round() -> None:
    care.decks_are_swapped_every_round(DOC, "3.B(4)")


@pytest.mark.clause("md-uth", "3.B(5)")
def test_3_B_5_the_discard_rack_has_one_deck() -> None:
    care.the_discard_rack_has_one_deck(DOC)


@pytest.mark.clause("md-uth", "3.C(1)")
def test_3_C_1_four_hours_by_hand() -> None:
    care.decks_live_so_many_hours(DOC, "3.C(1)", "hand", 4)


@pytest.mark.clause("md-uth", "3.C(1)")
def test_3_C_1_a_clock_that_is_set_back_changes_nothing() -> None:
    care.a_clock_that_is_set_back_changes_nothing(DOC, "3.C(1)")


@pytest.mark.clause("md-uth", "3.C(2)")
def test_3_C_2_eight_hours_from_a_manual_shoe() -> None:
    care.decks_live_so_many_hours(DOC, "3.C(2)", "manual_shoe", 8)


@pytest.mark.clause("md-uth", "3.C(2)")
def test_3_C_2_eight_hours_from_an_automated_shoe() -> None:
    care.decks_live_so_many_hours(DOC, "3.C(2)", "automated_shoe", 8)


@pytest.mark.clause("md-uth", "4.A")
def test_4_A_the_dealer_inspects_and_a_floorperson_verifies() -> None:
    care.the_dealer_inspects_and_a_floorperson_verifies(DOC, "4.A", "4.A")


@pytest.mark.clause("md-uth", "4.B")
def test_4_B_cards_are_spread_for_the_first_player() -> None:
    care.cards_are_spread_for_the_first_player(
        DOC, "4.B", "face up", "fanned columns", "across", "suit by suit", "in its order"
    )


@pytest.mark.clause("md-uth", "4.C(1)")
def test_4_C_1_turn_in_this_order() -> None:
    care.in_this_order(DOC, "turn", "4.C(1)")


@pytest.mark.clause("md-uth", "4.C(2)")
def test_4_C_2_wash_in_this_order() -> None:
    care.in_this_order(DOC, "wash", "4.C(2)")


@pytest.mark.clause("md-uth", "4.C(3)")
def test_4_C_3_stack_in_this_order() -> None:
    care.in_this_order(DOC, "stack", "4.C(3)")


@pytest.mark.clause("md-uth", "4.D")
def test_4_D_stacked_cards_are_shuffled() -> None:
    care.stacked_cards_are_shuffled(DOC, "5.A")


@pytest.mark.clause("md-uth", "4.E")
def test_4_E_each_of_two_decks_is_opened() -> None:
    care.each_of_two_decks_is_opened(DOC)


@pytest.mark.clause("md-uth", "4.F")
def test_4_F_prepared_decks_skip_the_opening() -> None:
    care.prepared_decks_skip_the_opening(DOC, "4.F", "5.F")


@pytest.mark.clause("md-uth", "5.A")
def test_5_A_the_dealer_shuffles() -> None:
    care.by_dealer_only(DOC)


@pytest.mark.clause("md-uth", "5.A(1)", "5.A(2)")
def test_5_A_1_shuffled_before_play_and_after_every_round() -> None:
    care.shuffled_before_play_and_after_every_round(DOC, "5.A", "5.A(2)")


@pytest.mark.clause("md-uth", "5.A(3)")
def test_5_A_3_shuffled_when_the_floor_says_so() -> None:
    care.shuffled_when_the_floor_says_so(DOC, "5.A(3)")


@pytest.mark.clause("md-uth", "5.B")
def test_5_B_the_prompt_asks_for_a_single_stack() -> None:
    care.the_prompt_says(DOC, "shuffle", "a random order", "in one stack")


@pytest.mark.clause("md-uth", "5.C", "5.D(1)")
def test_5_C_a_machine_shuffle_needs_no_cut() -> None:
    care.a_machine_shuffle_needs_no_cut(DOC)


@pytest.mark.clause("md-uth", "5.D(2)")
def test_5_D_2_a_hand_shuffle_is_cut() -> None:
    care.a_hand_shuffle_is_cut(DOC, "5.F")


@pytest.mark.clause("md-uth", "5.E", "5.E(1)", "5.E(2)")
def test_5_E_a_shuffler_that_counts_wrong_removes_the_deck() -> None:
    care.a_shuffler_that_counts_wrong_removes_the_deck(DOC, "5.E", "5.E(1)")


@pytest.mark.clause("md-uth", "5.F")
def test_5_F_the_cut_is_ten_deep() -> None:
    care.the_cut_is_ten_deep(DOC, "5.F")


@pytest.mark.clause("md-uth", "5.F(1)", "5.F(2)")
def test_5_F_1_the_prompt_says_how_to_cut() -> None:
    care.the_prompt_says(DOC, "cut", "to the bottom", "into the shoe", dealing="manual_shoe")


@pytest.mark.clause("md-uth", "5.G")
def test_5_G_a_recut_is_the_floors_order() -> None:
    care.a_recut_is_the_floors_order(DOC, "5.G", "5.F")


@pytest.mark.clause("md-uth", "5.H(1)")
def test_5_H_1_an_idle_table_has_its_cards_spread() -> None:
    care.an_idle_table_has_its_cards_spread(DOC, "5.H(1)", "face down", "face up if a player asks")


@pytest.mark.clause("md-uth", "5.H(2)")
def test_5_H_2_the_next_player_looks_and_the_table_opens_again() -> None:
    care.the_next_player_looks_and_the_table_opens_again(DOC)


@pytest.mark.clause("md-uth", "5.I")
def test_5_I_a_shoe_that_shuffles_and_counts_spares_the_cut() -> None:
    care.a_shoe_that_shuffles_and_counts_spares_the_cut(DOC, idle_too=False)


@pytest.mark.clause("md-uth", "8.B")
def test_8_B_no_round_from_a_manual_shoe_before_the_cards_are_ready() -> None:
    care.no_round_before_the_cards_are_ready(DOC, "manual_shoe")


@pytest.mark.clause("md-uth", "10.A(1)")
def test_10_A_1_no_round_from_an_automated_shoe_before_the_cards_are_ready() -> None:
    care.no_round_before_the_cards_are_ready(DOC, "automated_shoe")


@pytest.mark.clause("md-uth", "8.E")
def test_8_E_the_stub_is_counted_every_five_rounds() -> None:
    care.the_stub_is_counted_every_five_rounds(DOC, "8.E", "manual_shoe")


@pytest.mark.clause("md-uth", "8.F")
def test_8_F_a_right_count_lets_the_round_go_on() -> None:
    care.a_right_count_lets_the_round_go_on(DOC, "8.F", "manual_shoe")


@pytest.mark.clause("md-uth", "8.G", "8.G(1)")
def test_8_G_a_misdeal_voids_the_round_and_the_deck_stays() -> None:
    care.a_wrong_count_voids_the_round(DOC, "8.G", "manual_shoe", removed=False)


@pytest.mark.clause("md-uth", "8.G", "8.G(2)")
def test_8_G_an_incomplete_deck_voids_the_round_and_leaves() -> None:
    care.a_wrong_count_voids_the_round(DOC, "8.G", "manual_shoe", removed=True)


@pytest.mark.clause("md-uth", "9.C")
def test_9_C_the_stub_is_counted_every_five_rounds() -> None:
    care.the_stub_is_counted_every_five_rounds(DOC, "9.C", "hand")


@pytest.mark.clause("md-uth", "9.D")
def test_9_D_a_right_count_lets_the_round_go_on() -> None:
    care.a_right_count_lets_the_round_go_on(DOC, "9.D", "hand")


@pytest.mark.clause("md-uth", "9.E", "9.E(1)")
def test_9_E_a_misdeal_voids_the_round_and_the_deck_stays() -> None:
    care.a_wrong_count_voids_the_round(DOC, "9.E", "hand", removed=False)


@pytest.mark.clause("md-uth", "9.E", "9.E(2)")
def test_9_E_an_incomplete_deck_voids_the_round_and_leaves() -> None:
    care.a_wrong_count_voids_the_round(DOC, "9.E", "hand", removed=True)


@pytest.mark.clause("md-uth", "10.C")
def test_10_C_the_stub_is_counted_every_five_rounds() -> None:
    care.the_stub_is_counted_every_five_rounds(DOC, "10.C", "automated_shoe")


@pytest.mark.clause("md-uth", "10.D")
def test_10_D_a_right_count_lets_the_round_go_on() -> None:
    care.a_right_count_lets_the_round_go_on(DOC, "10.D", "automated_shoe")


@pytest.mark.clause("md-uth", "10.E", "10.E(1)")
def test_10_E_a_misdeal_voids_the_round_and_the_deck_stays() -> None:
    care.a_wrong_count_voids_the_round(DOC, "10.E", "automated_shoe", removed=False)


@pytest.mark.clause("md-uth", "10.E", "10.E(2)")
def test_10_E_an_incomplete_deck_voids_the_round_and_leaves() -> None:
    care.a_wrong_count_voids_the_round(DOC, "10.E", "automated_shoe", removed=True)


@pytest.mark.clause("md-uth", "13.J", "13.J(1)")
def test_13_J_a_broken_device_is_covered_first() -> None:
    care.a_broken_device_is_marked_first(DOC, "13.J", "covered", "13.J(1)")


@pytest.mark.clause("md-uth", "13.J", "13.J(2)")
def test_13_J_a_broken_device_has_a_sign_first() -> None:
    care.a_broken_device_is_marked_first(DOC, "13.J", "sign", "13.J(2)")


@pytest.mark.clause("md-uth", "13.J")
def test_13_J_hands_shuffle_when_the_shuffler_is_marked() -> None:
    care.a_marked_shuffler_lets_hands_shuffle(DOC, "13.J")


@pytest.mark.clause("md-uth", "13.H(1)")
def test_13_H_1_a_jam_between_rounds_means_a_new_shuffle() -> None:
    care.a_jam_between_rounds_means_a_new_shuffle(DOC)


@pytest.mark.clause("md-uth", "5.E", "5.E(2)")
def test_5_E_a_count_taken_back_before_the_deal() -> None:
    care.a_count_taken_back_before_the_deal(DOC, "5.E")


@pytest.mark.clause("md-uth", "5.E", "5.E(2)")
def test_5_E_a_wrong_count_of_the_other_deck_leaves_the_round() -> None:
    care.a_wrong_count_of_the_other_deck_leaves_the_round(DOC, "5.E")


@pytest.mark.clause("md-uth", "5.E(1)")
def test_5_E_only_a_shuffler_that_counts_counts_wrong() -> None:
    care.only_a_shuffler_that_counts_counts_wrong(DOC, "5.E")


@pytest.mark.clause("md-uth", "13.H")
def test_13_H_a_jam_sends_the_other_deck_back_to_the_shuffler() -> None:
    care.a_jam_sends_the_other_deck_back_to_the_shuffler(DOC)


@pytest.mark.clause("md-uth", "8.G(2)")
def test_8_G_2_a_stub_counted_after_the_round_takes_its_deck() -> None:
    care.a_stub_counted_after_the_round_takes_its_deck(DOC, "8.G(2)")


@pytest.mark.clause("md-uth", "4.A")
def test_4_A_whoever_inspected_does_not_confirm_it_himself() -> None:
    """A dealer who is a floorperson as well cannot sign twice; every deck is inspected."""
    table = CaredFor(DOC, dealing="manual_shoe", shuffler=True, decks=2)
    for back in ("red", "blue"):
        table.do(c.ReceiveDeck(back, table.book.cover_cards))
        assert table.refused(r.OpenBetting(1, "live"))[0] == "care_due"
        table.do(c.HandleDeck("inspect", back))
        himself = Actor("floorperson", "Dan")
        assert table.refused(c.HandleDeck("verify", back), himself) == ("not_yours", "4.A")
        operator = Actor("operator", "Dan")
        assert table.refused(c.HandleDeck("verify", back), operator) == ("not_yours", "4.A")
        assert table.refused(c.HandleDeck("spread", back)) == ("care_due", "4.A")
        table.do(c.HandleDeck("verify", back), FLO)
        assert table.refused(c.HandleDeck("verify", back), FLO)[0] == "care_due"


@pytest.mark.clause("md-uth", "5.G")
def test_5_G_a_recut_has_a_reason_and_a_cut_before_it() -> None:
    table = CaredFor(DOC, dealing="manual_shoe")
    table.open_deck("cut")
    assert table.refused(c.OrderRecut("before any cut"), FLO) == ("not_now", "5.G")
    table.do(c.CutDeck(20))
    assert table.refused(c.OrderRecut("  "), FLO)[0] == "no_reason"
    for actor in (DAN, ANN):
        assert table.refused(c.OrderRecut("seen"), actor)[0] == "wrong_role"
    table.do(c.OrderRecut("cards were seen"), FLO)
    assert table.deck().cut == 0
    assert table.refused(r.OpenBetting(1, "live"))[0] == "care_due"
    assert table.refused(c.CutDeck(9)) == ("bad_cut", "5.F")
    by_machine = CaredFor(DOC, dealing="hand", shuffler=True)
    by_machine.prepare()
    assert by_machine.refused(c.OrderRecut("never cut"), FLO) == ("nothing_there", "5.G")
