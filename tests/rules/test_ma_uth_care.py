"""Ultimate Texas Hold'em in Massachusetts: the life of a deck, from the box to the bin."""

from __future__ import annotations

import pytest

from tests.tables import care_procedure as care

DOC = "ma-uth"


@pytest.mark.clause("ma-uth", "2(a)")
def test_2_a_a_deck_comes_with_two_cover_cards() -> None:
    care.a_deck_comes_with_its_cover_cards(DOC, "2(a)", 2)


@pytest.mark.clause("ma-uth", "2(a)")
def test_2_a_the_prompt_says_which_cover_cards() -> None:
    care.the_prompt_for_a_deck_says(DOC, "solid yellow or green cover cards")


@pytest.mark.clause("ma-uth", "2(a)", "2(b)")
def test_2_a_one_deck_unless_a_shuffler_serves_two() -> None:
    care.one_deck_unless_a_shuffler_serves_two(DOC, "2(b)")


@pytest.mark.clause("ma-uth", "2(b)(2)")
def test_2_b_2_two_decks_have_different_backs() -> None:
    care.two_decks_have_different_backs(DOC, "2(b)(2)")


@pytest.mark.clause("ma-uth", "2(b)(3)")
def test_2_b_3_one_deck_waits_in_the_shuffler() -> None:
    care.one_deck_waits_in_the_shuffler(DOC, "2(b)(3)")


@pytest.mark.clause("ma-uth", "2(b)(4)")
def test_2_b_4_decks_are_swapped_every_round() -> None:
    care.decks_are_swapped_every_round(DOC, "2(b)(4)")


@pytest.mark.clause("ma-uth", "2(b)(5)")
def test_2_b_5_the_discard_rack_has_one_deck() -> None:
    care.the_discard_rack_has_one_deck(DOC)


@pytest.mark.clause("ma-uth", "3(a)", "3(b)")
def test_3_a_the_dealer_inspects_and_a_floorperson_verifies() -> None:
    care.the_dealer_inspects_and_a_floorperson_verifies(DOC, "3(a)", "3(b)")


@pytest.mark.clause("ma-uth", "3(b)")
def test_3_b_cards_are_spread_for_the_first_player() -> None:
    care.cards_are_spread_for_the_first_player(
        DOC, "3(c)", "face up", "fanned columns", "across", "suit by suit", "in its order"
    )


@pytest.mark.clause("ma-uth", "3(c)")
def test_3_c_turn_in_this_order() -> None:
    care.in_this_order(DOC, "turn", "3(c)")


@pytest.mark.clause("ma-uth", "3(c)")
def test_3_c_wash_in_this_order() -> None:
    care.in_this_order(DOC, "wash", "3(c)")


@pytest.mark.clause("ma-uth", "3(c)")
def test_3_c_stack_in_this_order() -> None:
    care.in_this_order(DOC, "stack", "3(c)")


@pytest.mark.clause("ma-uth", "3(c)", "4(a)")
def test_3_c_stacked_cards_are_shuffled() -> None:
    care.stacked_cards_are_shuffled(DOC, "4(a)")


@pytest.mark.clause("ma-uth", "3(d)")
def test_3_d_each_of_two_decks_is_opened() -> None:
    care.each_of_two_decks_is_opened(DOC)


@pytest.mark.clause("ma-uth", "4(a)")
def test_4_a_shuffled_before_play_and_after_every_round() -> None:
    care.shuffled_before_play_and_after_every_round(DOC, "4(a)", "4(a)")


@pytest.mark.clause("ma-uth", "4(a)")
def test_4_a_the_prompt_asks_for_a_single_stack() -> None:
    care.the_prompt_says(DOC, "shuffle", "a random order", "in one stack")


@pytest.mark.clause("ma-uth", "4(b)")
def test_4_b_a_machine_shuffle_needs_no_cut() -> None:
    care.a_machine_shuffle_needs_no_cut(DOC)


@pytest.mark.clause("ma-uth", "4(b)")
def test_4_b_no_round_before_the_cards_are_ready() -> None:
    care.no_round_before_the_cards_are_ready(DOC, "automated_shoe")


@pytest.mark.clause("ma-uth", "4(c)", "4(c)(2)")
def test_4_c_a_hand_shuffle_is_cut() -> None:
    care.a_hand_shuffle_is_cut(DOC, "4(c)")


@pytest.mark.clause("ma-uth", "4(c)", "4(c)(1)(ii)")
def test_4_c_the_cut_is_ten_deep() -> None:
    care.the_cut_is_ten_deep(DOC, "4(c)")


@pytest.mark.clause("ma-uth", "4(c)(1)", "4(c)(1)(i)", "4(c)(1)(ii)", "4(c)(1)(iii)", "4(c)(1)(iv)")
def test_4_c_1_the_prompt_says_how_to_cut() -> None:
    care.the_prompt_says(
        DOC,
        "cut",
        "one hand only",
        "cover card down before the deck",
        "at least 10 cards from the top onto it",
        "the rest onto these",
        "the cover card goes to the discard rack",
        dealing="manual_shoe",
    )


@pytest.mark.clause("ma-uth", "4(d)")
def test_4_d_a_recut_is_the_supervisors_order() -> None:
    care.a_recut_is_the_floors_order(DOC, "4(d)", "4(c)")


@pytest.mark.clause("ma-uth", "4(e)")
def test_4_e_an_idle_table_has_its_cards_spread() -> None:
    care.an_idle_table_has_its_cards_spread(DOC, "4(e)", "Spread the cards out")


@pytest.mark.clause("ma-uth", "4(e)")
def test_4_e_the_next_player_looks_and_the_table_opens_again() -> None:
    care.the_next_player_looks_and_the_table_opens_again(DOC)


@pytest.mark.clause("ma-uth", "7(g)")
def test_7_g_the_stub_is_counted_every_five_rounds() -> None:
    care.the_stub_is_counted_every_five_rounds(DOC, "7(g)", "manual_shoe")


@pytest.mark.clause("ma-uth", "7(g)(1)")
def test_7_g_1_a_right_count_lets_the_round_go_on() -> None:
    care.a_right_count_lets_the_round_go_on(DOC, "7(g)(1)", "manual_shoe")


@pytest.mark.clause("ma-uth", "7(g)(2)")
def test_7_g_2_a_misdeal_voids_the_round_and_the_deck_stays() -> None:
    care.a_wrong_count_voids_the_round(DOC, "7(g)(2)", "manual_shoe", removed=False)


@pytest.mark.clause("ma-uth", "7(g)(2)")
def test_7_g_2_an_incomplete_deck_voids_the_round_and_leaves() -> None:
    care.a_wrong_count_voids_the_round(DOC, "7(g)(2)", "manual_shoe", removed=True)


@pytest.mark.clause("ma-uth", "7(h)")
def test_7_h_a_shuffler_that_counts_spares_the_stub() -> None:
    care.a_shuffler_that_counts_spares_the_stub(DOC)


@pytest.mark.clause("ma-uth", "7(h)")
def test_7_h_a_shuffler_that_counts_wrong_removes_the_deck() -> None:
    care.a_shuffler_that_counts_wrong_removes_the_deck(DOC, "7(h)", "7(h)")


@pytest.mark.clause("ma-uth", "8(d)")
def test_8_d_the_stub_of_the_machine_is_counted_every_five_rounds() -> None:
    care.the_stub_is_counted_every_five_rounds(DOC, "8(d)", "automated_shoe")


@pytest.mark.clause("ma-uth", "14(e)")
def test_14_e_a_jam_between_rounds_means_a_new_shuffle() -> None:
    care.a_jam_between_rounds_means_a_new_shuffle(DOC)


@pytest.mark.clause("ma-uth", "7(h)")
def test_7_h_a_count_taken_back_before_the_deal() -> None:
    care.a_count_taken_back_before_the_deal(DOC, "7(h)")


@pytest.mark.clause("ma-uth", "7(h)")
def test_7_h_a_wrong_count_of_the_other_deck_leaves_the_round() -> None:
    care.a_wrong_count_of_the_other_deck_leaves_the_round(DOC, "7(h)")


@pytest.mark.clause("ma-uth", "7(h)")
def test_7_h_only_a_shuffler_that_counts_counts_wrong() -> None:
    care.only_a_shuffler_that_counts_counts_wrong(DOC, "7(h)")


@pytest.mark.clause("ma-uth", "14(e)")
def test_14_e_a_jam_sends_the_other_deck_back_to_the_shuffler() -> None:
    care.a_jam_sends_the_other_deck_back_to_the_shuffler(DOC)


@pytest.mark.clause("ma-uth", "7(g)(2)")
def test_7_g_2_a_stub_counted_after_the_round_takes_its_deck() -> None:
    care.a_stub_counted_after_the_round_takes_its_deck(DOC, "7(g)(2)")
