"""WPT in Maryland at a table: who does what when, and what is refused."""

from __future__ import annotations

import pytest

from tests.rules.clause_table import Check, clause_table
from tests.tables import procedure

DOC = "md-wpt"


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
     procedure.the_play_wager_is_not_placed_before_the_deal, "raise"),
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
    ("11_B_players_are_asked_clockwise_preflop", "11.B 11.B(1)",
     procedure.asked_clockwise_from_seat_1, "preflop", "11.B(1)", "check"),
    ("11_B_1_exactly_these_choices_preflop", "11.B(1) 11.B(2)(a)",
     procedure.the_choices_are_exactly, "preflop", "11.B(1)", {"3x": 3}, "check"),
    ("11_D_players_are_asked_clockwise_flop", "11.D 11.D(1)",
     procedure.asked_clockwise_from_seat_1, "flop", "11.D(1)", "check"),
    ("11_D_1_exactly_these_choices_flop", "11.D(1) 11.D(2)(a)",
     procedure.the_choices_are_exactly, "flop", "11.D(1)", {"2x": 2}, "check"),
    ("11_D_only_those_without_a_bet_are_asked_flop", "11.D",
     procedure.only_those_without_a_bet_are_asked, "3x", "flop", "11.D(1)"),
    ("11_F_players_are_asked_clockwise_river", "11.F",
     procedure.asked_clockwise_from_seat_1, "river", "11.F", "fold"),
    ("11_F_exactly_these_choices_river", "11.F 11.F(1)",
     procedure.the_choices_are_exactly, "river", "11.F", {"1x": 1}, "fold"),
    ("11_F_only_those_without_a_bet_are_asked_river", "11.F",
     procedure.only_those_without_a_bet_are_asked, "3x", "river", "11.F"),
    ("11_C_2_waits_until_everyone_has_decided_flop", "11.C(2)",
     procedure.cards_wait_until_all_have_decided, "preflop", "flop", "11.C(2)", 3),
    ("11_E_2_waits_until_everyone_has_decided_turn_and_river", "11.E(2)",
     procedure.cards_wait_until_all_have_decided, "flop", "turn and river", "11.E(2)", 5),
    ("11_F_3_a_a_folded_hand_stays_face_down_under_trips_plus", "11.F(3)(a)",
     procedure.a_folded_hand_stays_face_down, "trips_plus"),
    ("11_F_3_c_a_folded_hand_stays_face_down_under_pocket_bonus", "11.F(3)(c)",
     procedure.a_folded_hand_stays_face_down, "pocket_bonus"),
    ("11_G_1_the_dealer_shows_when_all_have_decided", "11.G(1)",
     procedure.dealer_shows_when_all_have_decided, "11.G(1)"),
    ("11_G_3_the_dealer_announces_his_hand", "11.G(3)",
     procedure.dealer_announces_his_hand),
    ("11_H_3_hands_are_turned_up_and_settled_counterclockwise",
     "11.H(3) 11.H(1)(a) 11.H(1)(c) 11.H(3)(a) 11.H(3)(c) 11.H(3)(d) 11.H(1)(d)",
     procedure.seats_are_settled_counterclockwise, "3x", "11.H(3)(d)"),
    ("11_J_2_c_the_progressive_waits_for_a_floorperson", "11.J(2)(c)",
     procedure.progressive_waits_for_a_floorperson, "11.J(2)(c)"),
    ("11_J_2_e_envy_is_paid_when_every_hand_is_known", "11.J(2)(e)",
     procedure.envy_is_paid_after_the_progressive, "J"),
    (("manual_shoe", "hand", "automated_shoe"),
     "11_K_cards_are_collected_so_that_hands_can_be_laid_out_again", "11.K",
     procedure.cards_are_collected_in_an_order_that_reconstructs, "11.K"),
    ("7_G_one_position_for_a_player", "7.G",
     procedure.one_position_for_a_player, "7.G"),
    ("12_E_2_a_payout_limit_leaves_the_validated_progressive_alone", "12.E'(2)",
     procedure.a_payout_limit_leaves_the_validated_progressive_alone, "12.E'"),
])
# fmt: on


@pytest.mark.parametrize("check", CLAUSES)
def test_clause(check: Check) -> None:
    check()
