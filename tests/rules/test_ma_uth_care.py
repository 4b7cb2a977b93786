"""Ultimate Texas Hold'em in Massachusetts: the life of a deck, from the box to the bin."""

from __future__ import annotations

from functools import partial

import pytest

from tests.rules.clause_table import Check, clause_table
from tests.tables import care_procedure as care

DOC = "ma-uth"


# fmt: off
CLAUSES = clause_table(DOC, [
    ("2_a_a_deck_comes_with_two_cover_cards", "2(a)",
     care.a_deck_comes_with_its_cover_cards, "2(a)", 2),
    ("2_a_the_prompt_says_which_cover_cards", "2(a)",
     care.the_prompt_for_a_deck_says, "solid yellow or green cover cards"),
    ("2_a_one_deck_unless_a_shuffler_serves_two", "2(a) 2(b)",
     care.one_deck_unless_a_shuffler_serves_two, "2(b)"),
    ("2_b_2_two_decks_have_different_backs", "2(b)(2)",
     care.two_decks_have_different_backs, "2(b)(2)"),
    ("2_b_3_one_deck_waits_in_the_shuffler", "2(b)(3)",
     care.one_deck_waits_in_the_shuffler, "2(b)(3)"),
    ("2_b_4_decks_are_swapped_every_round", "2(b)(4)",
     care.decks_are_swapped_every_round, "2(b)(4)"),
    ("2_b_5_the_discard_rack_has_one_deck", "2(b)(5)",
     care.the_discard_rack_has_one_deck),
    ("3_a_the_dealer_inspects_and_a_floorperson_verifies", "3(a) 3(b)",
     care.the_dealer_inspects_and_a_floorperson_verifies, "3(a)", "3(b)"),
    ("3_b_cards_are_spread_for_the_first_player", "3(b)",
     care.cards_are_spread_for_the_first_player, "3(c)", "face up", "fanned columns", "across",
     "suit by suit", "in its order"),
    ("3_c_turn_in_this_order", "3(c)",
     care.in_this_order, "turn", "3(c)"),
    ("3_c_wash_in_this_order", "3(c)",
     care.in_this_order, "wash", "3(c)"),
    ("3_c_stack_in_this_order", "3(c)",
     care.in_this_order, "stack", "3(c)"),
    ("3_c_stacked_cards_are_shuffled", "3(c) 4(a)",
     care.stacked_cards_are_shuffled, "4(a)"),
    ("3_d_each_of_two_decks_is_opened", "3(d)",
     care.each_of_two_decks_is_opened),
    ("4_a_shuffled_before_play_and_after_every_round", "4(a)",
     care.shuffled_before_play_and_after_every_round, "4(a)", "4(a)"),
    ("4_a_the_prompt_asks_for_a_single_stack", "4(a)",
     care.the_prompt_says, "shuffle", "a random order", "in one stack"),
    ("4_b_a_machine_shuffle_needs_no_cut", "4(b)",
     care.a_machine_shuffle_needs_no_cut),
    ("4_b_no_round_before_the_cards_are_ready", "4(b)",
     care.no_round_before_the_cards_are_ready, "automated_shoe"),
    ("4_c_a_hand_shuffle_is_cut", "4(c) 4(c)(2)",
     care.a_hand_shuffle_is_cut, "4(c)"),
    ("4_c_the_cut_is_ten_deep", "4(c) 4(c)(1)(ii)",
     care.the_cut_is_ten_deep, "4(c)"),
    ("4_c_1_the_prompt_says_how_to_cut", "4(c)(1) 4(c)(1)(i) 4(c)(1)(ii) 4(c)(1)(iii) 4(c)(1)(iv)",
     partial(care.the_prompt_says, dealing="manual_shoe"), "cut", "one hand only",
     "cover card down before the deck", "at least 10 cards from the top onto it",
     "the rest onto these", "the cover card goes to the discard rack"),
    ("4_d_a_recut_is_the_supervisors_order", "4(d)",
     care.a_recut_is_the_floors_order, "4(d)", "4(c)"),
    ("4_e_an_idle_table_has_its_cards_spread", "4(e)",
     care.an_idle_table_has_its_cards_spread, "4(e)", "Spread the cards out"),
    ("4_e_the_next_player_looks_and_the_table_opens_again", "4(e)",
     care.the_next_player_looks_and_the_table_opens_again),
    ("7_g_the_stub_is_counted_every_five_rounds", "7(g)",
     care.the_stub_is_counted_every_five_rounds, "7(g)", "manual_shoe"),
    ("7_g_1_a_right_count_lets_the_round_go_on", "7(g)(1)",
     care.a_right_count_lets_the_round_go_on, "7(g)(1)", "manual_shoe"),
    ("7_g_2_a_misdeal_voids_the_round_and_the_deck_stays", "7(g)(2)",
     partial(care.a_wrong_count_voids_the_round, removed=False), "7(g)(2)", "manual_shoe"),
    ("7_g_2_an_incomplete_deck_voids_the_round_and_leaves", "7(g)(2)",
     partial(care.a_wrong_count_voids_the_round, removed=True), "7(g)(2)", "manual_shoe"),
    ("7_h_a_shuffler_that_counts_spares_the_stub", "7(h)",
     care.a_shuffler_that_counts_spares_the_stub),
    ("7_h_a_shuffler_that_counts_wrong_removes_the_deck", "7(h)",
     care.a_shuffler_that_counts_wrong_removes_the_deck, "7(h)", "7(h)"),
    ("8_d_the_stub_of_the_machine_is_counted_every_five_rounds", "8(d)",
     care.the_stub_is_counted_every_five_rounds, "8(d)", "automated_shoe"),
    ("14_e_a_jam_between_rounds_means_a_new_shuffle", "14(e)",
     care.a_jam_between_rounds_means_a_new_shuffle),
    ("7_h_a_count_taken_back_before_the_deal", "7(h)",
     care.a_count_taken_back_before_the_deal, "7(h)"),
    ("7_h_a_wrong_count_of_the_other_deck_leaves_the_round", "7(h)",
     care.a_wrong_count_of_the_other_deck_leaves_the_round, "7(h)"),
    ("7_h_only_a_shuffler_that_counts_counts_wrong", "7(h)",
     care.only_a_shuffler_that_counts_counts_wrong, "7(h)"),
    ("14_e_a_jam_sends_the_other_deck_back_to_the_shuffler", "14(e)",
     care.a_jam_sends_the_other_deck_back_to_the_shuffler),
    ("7_g_2_a_stub_counted_after_the_round_takes_its_deck", "7(g)(2)",
     care.a_stub_counted_after_the_round_takes_its_deck, "7(g)(2)"),
])
# fmt: on


@pytest.mark.parametrize("check", CLAUSES)
def test_clause(check: Check) -> None:
    check()
