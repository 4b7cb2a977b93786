"""Jackpot Hold'em in Maryland at a table: who does what when, and what is refused."""

from __future__ import annotations

import pytest

from tests.rules.clause_table import Check, clause_table
from tests.tables import procedure

DOC = "md-jackpot"


# fmt: off
CLAUSES = clause_table(DOC, [
    ("7_A_bets_are_chips_on_the_spots", "7.A 7.B",
     procedure.bets_are_chips_on_spots),
    ("7_C_only_seated_players_bet", "7.C",
     procedure.only_seated_players_bet, "7.C"),
    ("7_C_1_a_player_with_cards_stays_until_the_round_is_over", "7.C(1)",
     procedure.stays_until_the_end, "7.C(1)"),
    ("7_C_2_abandoned_wagers_are_lost_when_a_floorperson_says_so", "7.C(2)",
     procedure.abandoned_wagers_are_a_floorpersons_ruling, "7.C(2)"),
    ("7_C_2_without_a_ruling_the_wagers_are_played", "7.C(2)",
     procedure.without_a_ruling_the_wagers_are_played, "3x"),
    ("7_D_the_later_wager_is_not_placed_with_the_others", "7.D",
     procedure.the_play_wager_is_not_placed_before_the_deal, "play"),
    ("7_E_nothing_is_made_raised_or_withdrawn_after_the_close", "7.E 7.D",
     procedure.nothing_changes_after_the_close, "7.E"),
    ("7_F_1_incomplete_or_unequal_wagers_go_back_at_the_close", "7.F(1)",
     procedure.required_wagers_stand_or_go_back, "7.F(1)"),
    ("8_C_1_bets_are_closed_before_the_deal_manual_shoe", "8.C(1)",
     procedure.bets_are_closed_before_the_deal, "manual_shoe", "8.C(1)"),
    ("8_C_2_the_progressive_takes_no_wager_after_the_close", "8.C(2)",
     procedure.the_progressive_is_locked, "manual_shoe"),
    ("8_C_3_chips_equal_the_wagers_the_system_accepted", "8.C(3)",
     procedure.chips_are_counted_against_the_system, "manual_shoe", "8.C(3)"),
    ("8_C_4_the_chips_are_in_the_tray_before_the_deal", "8.C(4)",
     procedure.chips_go_into_the_tray_before_the_deal, "manual_shoe"),
    ("9_A_3_bets_are_closed_before_the_deal_hand", "9.A(3)",
     procedure.bets_are_closed_before_the_deal, "hand", "9.A(3)"),
    ("9_A_3_a_the_progressive_takes_no_wager_after_the_close", "9.A(3)(a)",
     procedure.the_progressive_is_locked, "hand"),
    ("9_A_3_b_chips_equal_the_wagers_the_system_accepted", "9.A(3)(b)",
     procedure.chips_are_counted_against_the_system, "hand", "9.A(3)(b)"),
    ("9_A_3_c_the_chips_are_in_the_tray_before_the_deal", "9.A(3)(c)",
     procedure.chips_go_into_the_tray_before_the_deal, "hand"),
    ("10_A_2_a_bets_are_closed_before_the_deal_automated_shoe", "10.A(2)(a)",
     procedure.bets_are_closed_before_the_deal, "automated_shoe", "10.A(2)(a)"),
    ("10_A_2_b_i_the_progressive_takes_no_wager_after_the_close", "10.A(2)(b)(i)",
     procedure.the_progressive_is_locked, "automated_shoe"),
    ("10_A_2_b_ii_chips_equal_the_wagers_the_system_accepted", "10.A(2)(b)(ii)",
     procedure.chips_are_counted_against_the_system, "automated_shoe", "10.A(2)(b)(ii)"),
    ("10_A_2_b_iii_the_chips_are_in_the_tray_before_the_deal", "10.A(2)(b)(iii)",
     procedure.chips_go_into_the_tray_before_the_deal, "automated_shoe"),
    ("11_A_players_look_at_their_own_cards", "11.A",
     procedure.players_look_at_their_own_cards, 2),
    ("11_C_players_are_asked_clockwise_first_card", "11.C 11.C(1)",
     procedure.asked_clockwise_from_seat_1, "first_card", "11.C(1)", "check"),
    ("11_C_1_exactly_these_choices_first_card", "11.C(1) 11.C(2)(a)",
     procedure.the_choices_are_exactly, "first_card", "11.C(1)", {"3x": 3}, "check"),
    ("11_E_players_are_asked_clockwise_third_card", "11.E 11.E(1)",
     procedure.asked_clockwise_from_seat_1, "third_card", "11.E(1)", "check"),
    ("11_E_1_exactly_these_choices_third_card", "11.E(1) 11.E(2)(a)",
     procedure.the_choices_are_exactly, "third_card", "11.E(1)", {"2x": 2}, "check"),
    ("11_E_only_those_without_a_bet_are_asked_third_card", "11.E",
     procedure.only_those_without_a_bet_are_asked, "3x", "third_card", "11.E(1)"),
    ("11_G_players_are_asked_clockwise_fifth_card", "11.G",
     procedure.asked_clockwise_from_seat_1, "fifth_card", "11.G", "fold"),
    ("11_G_exactly_these_choices_fifth_card", "11.G 11.G(1)",
     procedure.the_choices_are_exactly, "fifth_card", "11.G", {"1x": 1}, "fold"),
    ("11_G_only_those_without_a_bet_are_asked_fifth_card", "11.G",
     procedure.only_those_without_a_bet_are_asked, "3x", "fifth_card", "11.G"),
    ("11_D_waits_until_everyone_has_decided_next_two_cards", "11.D",
     procedure.cards_wait_until_all_have_decided, "first_card", "next two cards", "11.D", 3),
    ("11_F_waits_until_everyone_has_decided_last_two_cards", "11.F",
     procedure.cards_wait_until_all_have_decided, "third_card", "last two cards", "11.F", 5),
    ("11_G_3_a_a_folded_hand_stays_face_down_under_player_bonus", "11.G(3)(a)",
     procedure.a_folded_hand_stays_face_down, "player_bonus"),
    ("11_H_1_the_dealer_shows_when_all_have_decided", "11.H(1)",
     procedure.dealer_shows_when_all_have_decided, "11.H(1)"),
    ("11_H_3_the_dealer_announces_his_hand", "11.H(3)",
     procedure.dealer_announces_his_hand),
    ("11_I_2_hands_are_turned_up_and_settled_counterclockwise",
     "11.I(2) 11.I(2)(a) 11.I(2)(c) 11.I(2)(d)",
     procedure.seats_are_settled_counterclockwise, "3x", "11.I(2)(d)"),
    ("11_K_2_c_the_progressive_waits_for_a_floorperson", "11.K(2)(c)",
     procedure.progressive_waits_for_a_floorperson, "11.K(2)(c)"),
    (("manual_shoe", "hand", "automated_shoe"),
     "11_L_cards_are_collected_so_that_hands_can_be_laid_out_again", "11.L",
     procedure.cards_are_collected_in_an_order_that_reconstructs, "11.L"),
    ("7_G_adjacent_boxes_as_the_submission_says", "7.G",
     procedure.adjacent_boxes_as_the_submission_says, "7.G"),
    ("11_B_the_first_card_is_turned_up_before_anybody_is_asked", "11.B",
     procedure.the_first_card_is_turned_up_before_anybody_is_asked, "11.B"),
    ("12_F_2_a_payout_limit_leaves_the_validated_progressive_alone", "12.F(2)",
     procedure.a_payout_limit_leaves_the_validated_progressive_alone, "12.F"),
])
# fmt: on


@pytest.mark.parametrize("check", CLAUSES)
def test_clause(check: Check) -> None:
    check()
