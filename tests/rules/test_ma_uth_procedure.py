"""Ultimate Texas Hold'em in Massachusetts at a table: who does what when, and what is refused."""

from __future__ import annotations

import pytest

from croupier.scenarios import read_text, rehearse
from tests.rules.clause_table import Check, clause_table
from tests.tables import procedure

DOC = "ma-uth"


# fmt: off
CLAUSES = clause_table(DOC, [
    ("6_e_only_seated_players_bet", "6(e)",
     procedure.only_seated_players_bet, "6(e)"),
    ("6_e_a_player_with_cards_stays_until_the_round_is_over", "6(e)",
     procedure.stays_until_the_end, "6(e)"),
    ("6_b_the_later_wager_is_not_placed_with_the_others", "6(b)",
     procedure.the_play_wager_is_not_placed_before_the_deal, "play"),
    ("6_b_nothing_is_made_raised_or_withdrawn_after_the_close", "6(b)",
     procedure.nothing_changes_after_the_close, "6(b)"),
    ("1_Ante_incomplete_or_unequal_wagers_go_back_at_the_close", "1.Ante",
     procedure.required_wagers_stand_or_go_back, "1.Ante"),
    ("7_b_bets_are_closed_before_the_deal_manual_shoe", "7(b)",
     procedure.bets_are_closed_before_the_deal, "manual_shoe", "7(b)"),
    ("8_b_2_bets_are_closed_before_the_deal_automated_shoe", "8(b)(2)",
     procedure.bets_are_closed_before_the_deal, "automated_shoe", "8(b)(2)"),
    ("7_f_players_look_at_their_own_cards", "7(f)",
     procedure.players_look_at_their_own_cards, 2),
    ("9_a_players_are_asked_clockwise_preflop", "9(a) 7(f)(1)",
     procedure.asked_clockwise_from_seat_1, "preflop", "9(a)", "check"),
    ("9_a_exactly_these_choices_preflop", "9(a) 9(a)(1) 7(f)(1) 7(f)(1)(i)",
     procedure.the_choices_are_exactly, "preflop", "9(a)", {"4x": 4, "3x": 3}, "check"),
    ("9_c_players_are_asked_clockwise_flop", "9(c) 7(f)(3)",
     procedure.asked_clockwise_from_seat_1, "flop", "9(c)", "check"),
    ("9_c_exactly_these_choices_flop", "9(c) 9(c)(1) 7(f)(3) 7(f)(3)(i)",
     procedure.the_choices_are_exactly, "flop", "9(c)", {"2x": 2}, "check"),
    ("9_c_only_those_without_a_bet_are_asked_flop", "9(c) 7(f)(3)",
     procedure.only_those_without_a_bet_are_asked, "4x", "flop", "9(c)"),
    ("9_e_players_are_asked_clockwise_river", "9(e) 7(f)(5)",
     procedure.asked_clockwise_from_seat_1, "river", "9(e)", "fold"),
    ("9_e_exactly_these_choices_river", "9(e) 9(e)(1) 7(f)(5) 7(f)(5)(i)",
     procedure.the_choices_are_exactly, "river", "9(e)", {"1x": 1}, "fold"),
    ("9_e_only_those_without_a_bet_are_asked_river", "9(e) 7(f)(5)",
     procedure.only_those_without_a_bet_are_asked, "4x", "river", "9(e)"),
    ("9_b_waits_until_everyone_has_decided_flop", "9(b)",
     procedure.cards_wait_until_all_have_decided, "preflop", "flop", "9(b)", 3),
    ("9_d_waits_until_everyone_has_decided_turn_and_river", "9(d)",
     procedure.cards_wait_until_all_have_decided, "flop", "turn and river", "9(d)", 5),
    ("9_e_2_i_a_folded_hand_stays_face_down_under_trips", "9(e)(2)(i) 7(f)(5)(ii)a",
     procedure.a_folded_hand_stays_face_down, "trips"),
    ("9_f_the_dealer_shows_when_all_have_decided", "9(f) 7(f)(6)",
     procedure.dealer_shows_when_all_have_decided, "9(f)"),
    ("9_f_the_dealer_announces_his_hand", "9(f) 7(f)(6)",
     procedure.dealer_announces_his_hand),
    ("9_h_hands_are_turned_up_and_settled_counterclockwise", "9(h) 7(f)(7)",
     procedure.seats_are_settled_counterclockwise, "4x", "9(h)"),
    (("manual_shoe", "automated_shoe"),
     "9_i_cards_are_collected_so_that_hands_can_be_laid_out_again", "9(i)",
     procedure.cards_are_collected_in_an_order_that_reconstructs, "9(i)"),
    ("11_one_position_for_a_player", "11",
     procedure.one_position_for_a_player, "11"),
    ("13_d_a_payout_limit_leaves_the_validated_progressive_alone", "13(d)",
     procedure.a_payout_limit_leaves_the_validated_progressive_alone, "10(e)"),
])
# fmt: on


@pytest.mark.parametrize("check", CLAUSES)
def test_clause(check: Check) -> None:
    check()


MATRIX = {
    7: ("70 to 1", "30 to 1", "20 to 1", "4 to 1"),
    6: ("80 to 1", "40 to 1", "30 to 1", "4 to 1"),
    5: ("100 to 1", "40 to 1", "35 to 1", "5 to 1"),
    4: ("125 to 1", "70 to 1", "40 to 1", "6 to 1"),
    3: ("150 to 1", "80 to 1", "50 to 1", "8 to 1"),
    2: ("200 to 1", "100 to 1", "70 to 1", "12 to 1"),
}
PAID_HANDS = ("royal flush", "straight flush", "four of a kind", "full house")


@pytest.mark.clause("ma-uth", "12(e)", "12(c)")
@pytest.mark.parametrize("hands", MATRIX)
def test_12_e_the_column_of_the_round_is_shown_from_the_showdown_on(hands: int) -> None:
    """To players, dealer and floor; a seat without a bet is not in the round."""
    table = procedure.sitting(DOC, *range(1, 7), dealing="automated_shoe")
    table.open()
    for seat in range(1, hands):
        table.bet(seat)
    table.deal()
    table.go()
    while table.round.phase == "deciding":
        assert procedure.seen(table, "player", "ann").odds == ()
        table.say(table.round.turn, "4x")
    table.go()
    for audience in ("player", "dealer", "floorperson"):
        (odds,) = procedure.seen(table, audience).odds
        assert (odds.wager, odds.hands, odds.clause) == ("cover_all", hands, "12(e)")
        assert odds.lines == tuple(zip(PAID_HANDS, MATRIX[hands], strict=True))


@pytest.mark.clause("ma-uth", "12(e)")
def test_12_e_the_dealers_turn_tells_the_column() -> None:
    text = """\
table T1 plays ma-uth, dealt by the automated shoe
Ann sits at seat 1 with 1,000
Bob sits at seat 4 with 1,000
round
Ann bets ante 10, blind 10, cover all 5
Bob bets ante 10, blind 10
no more bets
deal
Ann raises 4x
Bob raises 4x
reveal flop
reveal turn and river
show dealer
"""
    told = rehearse(read_text(text)).playthrough()
    assert "Cover All with 3 hands: royal flush 150 to 1, straight flush 80 to 1" in told
    without = text.replace("Ann sits", "offers trips\nAnn sits").replace(", cover all 5", "")
    assert "Cover All" not in rehearse(read_text(without)).playthrough()
