"""Ultimate Texas Hold'em in Maryland: the life of a deck, from the box to the bin."""

from __future__ import annotations

from functools import partial

import pytest

from croupier.deck_care import commands as c
from croupier.rounds import commands as r
from croupier.rounds.declaration import Actor
from tests.rules.clause_table import Check, clause_table
from tests.tables import care_procedure as care
from tests.tables.cared_for import ANN, DAN, FLO, CaredFor

DOC = "md-uth"


# fmt: off
CLAUSES = clause_table(DOC, [
    ("3_A_3_a_deck_comes_with_its_cover_cards", "3.A(3)",
     care.a_deck_comes_with_its_cover_cards, "3.A(3)", 2),
    ("3_A_2_the_prompt_asks_for_cards_of_one_appearance_and_design", "3.A(2) 3.B(1)",
     care.the_prompt_for_a_deck_says, "of one appearance", "of one design each"),
    ("3_A_1_one_deck_unless_a_shuffler_serves_two", "3.A(1) 3.B",
     care.one_deck_unless_a_shuffler_serves_two, "3.B"),
    ("3_B_2_two_decks_have_different_backs", "3.B(2)",
     care.two_decks_have_different_backs, "3.B(2)"),
    ("3_B_3_one_deck_waits_in_the_shuffler", "3.B(3)",
     care.one_deck_waits_in_the_shuffler, "3.B(3)"),
    ("3_B_4_decks_are_swapped_every_round", "3.B(4)",
     care.decks_are_swapped_every_round, "3.B(4)"),
    ("3_B_5_the_discard_rack_has_one_deck", "3.B(5)",
     care.the_discard_rack_has_one_deck),
    ("3_C_1_four_hours_by_hand", "3.C(1)",
     care.decks_live_so_many_hours, "3.C(1)", "hand", 4),
    ("3_C_1_a_clock_that_is_set_back_changes_nothing", "3.C(1)",
     care.a_clock_that_is_set_back_changes_nothing, "3.C(1)"),
    ("3_C_2_eight_hours_from_a_manual_shoe", "3.C(2)",
     care.decks_live_so_many_hours, "3.C(2)", "manual_shoe", 8),
    ("3_C_2_eight_hours_from_an_automated_shoe", "3.C(2)",
     care.decks_live_so_many_hours, "3.C(2)", "automated_shoe", 8),
    ("4_A_the_dealer_inspects_and_a_floorperson_verifies", "4.A",
     care.the_dealer_inspects_and_a_floorperson_verifies, "4.A", "4.A"),
    ("4_B_cards_are_spread_for_the_first_player", "4.B",
     care.cards_are_spread_for_the_first_player, "4.B", "face up", "fanned columns", "across",
     "suit by suit", "in its order"),
    ("4_C_1_turn_in_this_order", "4.C(1)",
     care.in_this_order, "turn", "4.C(1)"),
    ("4_C_2_wash_in_this_order", "4.C(2)",
     care.in_this_order, "wash", "4.C(2)"),
    ("4_C_3_stack_in_this_order", "4.C(3)",
     care.in_this_order, "stack", "4.C(3)"),
    ("4_D_stacked_cards_are_shuffled", "4.D",
     care.stacked_cards_are_shuffled, "5.A"),
    ("4_E_each_of_two_decks_is_opened", "4.E",
     care.each_of_two_decks_is_opened),
    ("4_F_prepared_decks_skip_the_opening", "4.F",
     care.prepared_decks_skip_the_opening, "4.F", "5.F"),
    ("5_A_the_dealer_shuffles", "5.A",
     care.by_dealer_only),
    ("5_A_1_shuffled_before_play_and_after_every_round", "5.A(1) 5.A(2)",
     care.shuffled_before_play_and_after_every_round, "5.A", "5.A(2)"),
    ("5_A_3_shuffled_when_the_floor_says_so", "5.A(3)",
     care.shuffled_when_the_floor_says_so, "5.A(3)"),
    ("5_B_the_prompt_asks_for_a_single_stack", "5.B",
     care.the_prompt_says, "shuffle", "a random order", "in one stack"),
    ("5_C_a_machine_shuffle_needs_no_cut", "5.C 5.D(1)",
     care.a_machine_shuffle_needs_no_cut),
    ("5_D_2_a_hand_shuffle_is_cut", "5.D(2)",
     care.a_hand_shuffle_is_cut, "5.F"),
    ("5_E_a_shuffler_that_counts_wrong_removes_the_deck", "5.E 5.E(1) 5.E(2)",
     care.a_shuffler_that_counts_wrong_removes_the_deck, "5.E", "5.E(1)"),
    ("5_F_the_cut_is_ten_deep", "5.F",
     care.the_cut_is_ten_deep, "5.F"),
    ("5_F_1_the_prompt_says_how_to_cut", "5.F(1) 5.F(2)",
     partial(care.the_prompt_says, dealing="manual_shoe"), "cut", "to the bottom",
     "into the shoe"),
    ("5_G_a_recut_is_the_floors_order", "5.G",
     care.a_recut_is_the_floors_order, "5.G", "5.F"),
    ("5_H_1_an_idle_table_has_its_cards_spread", "5.H(1)",
     care.an_idle_table_has_its_cards_spread, "5.H(1)", "face down", "face up if a player asks"),
    ("5_H_2_the_next_player_looks_and_the_table_opens_again", "5.H(2)",
     care.the_next_player_looks_and_the_table_opens_again),
    ("5_I_a_shoe_that_shuffles_and_counts_spares_the_cut", "5.I",
     partial(care.a_shoe_that_shuffles_and_counts_spares_the_cut, idle_too=False)),
    ("8_B_no_round_from_a_manual_shoe_before_the_cards_are_ready", "8.B",
     care.no_round_before_the_cards_are_ready, "manual_shoe"),
    ("10_A_1_no_round_from_an_automated_shoe_before_the_cards_are_ready", "10.A(1)",
     care.no_round_before_the_cards_are_ready, "automated_shoe"),
    ("8_E_the_stub_is_counted_every_five_rounds", "8.E",
     care.the_stub_is_counted_every_five_rounds, "8.E", "manual_shoe"),
    ("8_F_a_right_count_lets_the_round_go_on", "8.F",
     care.a_right_count_lets_the_round_go_on, "8.F", "manual_shoe"),
    ("8_G_a_misdeal_voids_the_round_and_the_deck_stays", "8.G 8.G(1)",
     partial(care.a_wrong_count_voids_the_round, removed=False), "8.G", "manual_shoe"),
    ("8_G_an_incomplete_deck_voids_the_round_and_leaves", "8.G 8.G(2)",
     partial(care.a_wrong_count_voids_the_round, removed=True), "8.G", "manual_shoe"),
    ("9_C_the_stub_is_counted_every_five_rounds", "9.C",
     care.the_stub_is_counted_every_five_rounds, "9.C", "hand"),
    ("9_D_a_right_count_lets_the_round_go_on", "9.D",
     care.a_right_count_lets_the_round_go_on, "9.D", "hand"),
    ("9_E_a_misdeal_voids_the_round_and_the_deck_stays", "9.E 9.E(1)",
     partial(care.a_wrong_count_voids_the_round, removed=False), "9.E", "hand"),
    ("9_E_an_incomplete_deck_voids_the_round_and_leaves", "9.E 9.E(2)",
     partial(care.a_wrong_count_voids_the_round, removed=True), "9.E", "hand"),
    ("10_C_the_stub_is_counted_every_five_rounds", "10.C",
     care.the_stub_is_counted_every_five_rounds, "10.C", "automated_shoe"),
    ("10_D_a_right_count_lets_the_round_go_on", "10.D",
     care.a_right_count_lets_the_round_go_on, "10.D", "automated_shoe"),
    ("10_E_a_misdeal_voids_the_round_and_the_deck_stays", "10.E 10.E(1)",
     partial(care.a_wrong_count_voids_the_round, removed=False), "10.E", "automated_shoe"),
    ("10_E_an_incomplete_deck_voids_the_round_and_leaves", "10.E 10.E(2)",
     partial(care.a_wrong_count_voids_the_round, removed=True), "10.E", "automated_shoe"),
    ("13_J_a_broken_device_is_covered_first", "13.J 13.J(1)",
     care.a_broken_device_is_marked_first, "13.J", "covered", "13.J(1)"),
    ("13_J_a_broken_device_has_a_sign_first", "13.J 13.J(2)",
     care.a_broken_device_is_marked_first, "13.J", "sign", "13.J(2)"),
    ("13_J_hands_shuffle_when_the_shuffler_is_marked", "13.J",
     care.a_marked_shuffler_lets_hands_shuffle, "13.J"),
    ("13_H_1_a_jam_between_rounds_means_a_new_shuffle", "13.H(1)",
     care.a_jam_between_rounds_means_a_new_shuffle),
    ("5_E_a_count_taken_back_before_the_deal", "5.E 5.E(2)",
     care.a_count_taken_back_before_the_deal, "5.E"),
    ("5_E_a_wrong_count_of_the_other_deck_leaves_the_round", "5.E 5.E(2)",
     care.a_wrong_count_of_the_other_deck_leaves_the_round, "5.E"),
    ("5_E_only_a_shuffler_that_counts_counts_wrong", "5.E(1)",
     care.only_a_shuffler_that_counts_counts_wrong, "5.E"),
    ("13_H_a_jam_sends_the_other_deck_back_to_the_shuffler", "13.H",
     care.a_jam_sends_the_other_deck_back_to_the_shuffler),
    ("8_G_2_a_stub_counted_after_the_round_takes_its_deck", "8.G(2)",
     care.a_stub_counted_after_the_round_takes_its_deck, "8.G(2)"),
])
# fmt: on


@pytest.mark.parametrize("check", CLAUSES)
def test_clause(check: Check) -> None:
    check()


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
