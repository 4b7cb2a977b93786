"""Ultimate Texas Hold'em in Massachusetts at a table: who does what when, and what is refused."""

from __future__ import annotations

import pytest

from croupier.scenarios import read_text, rehearse
from tests.tables import procedure

DOC = "ma-uth"


@pytest.mark.clause("ma-uth", "6(e)")
def test_6_e_only_seated_players_bet() -> None:
    procedure.only_seated_players_bet(DOC, "6(e)")


@pytest.mark.clause("ma-uth", "6(e)")
def test_6_e_a_player_with_cards_stays_until_the_round_is_over() -> None:
    procedure.stays_until_the_end(DOC, "6(e)")


@pytest.mark.clause("ma-uth", "6(b)")
def test_6_b_the_later_wager_is_not_placed_with_the_others() -> None:
    procedure.the_play_wager_is_not_placed_before_the_deal(DOC, "play")


@pytest.mark.clause("ma-uth", "6(b)")
def test_6_b_nothing_is_made_raised_or_withdrawn_after_the_close() -> None:
    procedure.nothing_changes_after_the_close(DOC, "6(b)")


@pytest.mark.clause("ma-uth", "1.Ante")
def test_1_Ante_incomplete_or_unequal_wagers_go_back_at_the_close() -> None:
    procedure.required_wagers_stand_or_go_back(DOC, "1.Ante")


@pytest.mark.clause("ma-uth", "7(b)")
def test_7_b_bets_are_closed_before_the_deal_manual_shoe() -> None:
    procedure.bets_are_closed_before_the_deal(DOC, "manual_shoe", "7(b)")


@pytest.mark.clause("ma-uth", "8(b)(2)")
def test_8_b_2_bets_are_closed_before_the_deal_automated_shoe() -> None:
    procedure.bets_are_closed_before_the_deal(DOC, "automated_shoe", "8(b)(2)")


@pytest.mark.clause("ma-uth", "7(f)")
def test_7_f_players_look_at_their_own_cards() -> None:
    procedure.players_look_at_their_own_cards(DOC, 2)


@pytest.mark.clause("ma-uth", "9(a)", "7(f)(1)")
def test_9_a_players_are_asked_clockwise_preflop() -> None:
    procedure.asked_clockwise_from_seat_1(DOC, "preflop", "9(a)", "check")


@pytest.mark.clause("ma-uth", "9(a)", "9(a)(1)", "7(f)(1)", "7(f)(1)(i)")
def test_9_a_exactly_these_choices_preflop() -> None:
    procedure.the_choices_are_exactly(DOC, "preflop", "9(a)", {"4x": 4, "3x": 3}, "check")


@pytest.mark.clause("ma-uth", "9(c)", "7(f)(3)")
def test_9_c_players_are_asked_clockwise_flop() -> None:
    procedure.asked_clockwise_from_seat_1(DOC, "flop", "9(c)", "check")


@pytest.mark.clause("ma-uth", "9(c)", "9(c)(1)", "7(f)(3)", "7(f)(3)(i)")
def test_9_c_exactly_these_choices_flop() -> None:
    procedure.the_choices_are_exactly(DOC, "flop", "9(c)", {"2x": 2}, "check")


@pytest.mark.clause("ma-uth", "9(c)", "7(f)(3)")
def test_9_c_only_those_without_a_bet_are_asked_flop() -> None:
    procedure.only_those_without_a_bet_are_asked(DOC, "4x", "flop", "9(c)")


@pytest.mark.clause("ma-uth", "9(e)", "7(f)(5)")
def test_9_e_players_are_asked_clockwise_river() -> None:
    procedure.asked_clockwise_from_seat_1(DOC, "river", "9(e)", "fold")


@pytest.mark.clause("ma-uth", "9(e)", "9(e)(1)", "7(f)(5)", "7(f)(5)(i)")
def test_9_e_exactly_these_choices_river() -> None:
    procedure.the_choices_are_exactly(DOC, "river", "9(e)", {"1x": 1}, "fold")


@pytest.mark.clause("ma-uth", "9(e)", "7(f)(5)")
def test_9_e_only_those_without_a_bet_are_asked_river() -> None:
    procedure.only_those_without_a_bet_are_asked(DOC, "4x", "river", "9(e)")


@pytest.mark.clause("ma-uth", "9(b)")
def test_9_b_waits_until_everyone_has_decided_flop() -> None:
    procedure.cards_wait_until_all_have_decided(DOC, "preflop", "flop", "9(b)", 3)


@pytest.mark.clause("ma-uth", "9(d)")
def test_9_d_waits_until_everyone_has_decided_turn_and_river() -> None:
    procedure.cards_wait_until_all_have_decided(DOC, "flop", "turn and river", "9(d)", 5)


@pytest.mark.clause("ma-uth", "9(e)(2)(i)", "7(f)(5)(ii)a")
def test_9_e_2_i_a_folded_hand_stays_face_down_under_trips() -> None:
    procedure.a_folded_hand_stays_face_down(DOC, "trips")


@pytest.mark.clause("ma-uth", "9(f)", "7(f)(6)")
def test_9_f_the_dealer_shows_when_all_have_decided() -> None:
    procedure.dealer_shows_when_all_have_decided(DOC, "9(f)")


@pytest.mark.clause("ma-uth", "9(f)", "7(f)(6)")
def test_9_f_the_dealer_announces_his_hand() -> None:
    procedure.dealer_announces_his_hand(DOC)


@pytest.mark.clause("ma-uth", "9(h)", "7(f)(7)")
def test_9_h_hands_are_turned_up_and_settled_counterclockwise() -> None:
    procedure.seats_are_settled_counterclockwise(DOC, "4x", "9(h)")


@pytest.mark.clause("ma-uth", "9(i)")
@pytest.mark.parametrize("dealing", ["manual_shoe", "automated_shoe"])
def test_9_i_cards_are_collected_so_that_hands_can_be_laid_out_again(dealing: str) -> None:
    procedure.cards_are_collected_in_an_order_that_reconstructs(DOC, dealing, "9(i)")


@pytest.mark.clause("ma-uth", "11")
def test_11_one_position_for_a_player() -> None:
    procedure.one_position_for_a_player(DOC, "11")


@pytest.mark.clause("ma-uth", "13(d)")
def test_13_d_a_payout_limit_leaves_the_validated_progressive_alone() -> None:
    procedure.a_payout_limit_leaves_the_validated_progressive_alone(DOC, "10(e)")


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
