"""Ultimate Texas Hold'em in Maryland at a table: who does what when, and what is refused."""

from __future__ import annotations

import pytest

from croupier.rounds.commands import (
    CloseBets,
    Collect,
    Deal,
    RevealCards,
    Settle,
    ShowDealer,
    ValidateProgressive,
)
from croupier.rounds.declaration import Actor
from croupier.tables.commands import GiveUpSeat
from tests.tables import procedure
from tests.tables.seated import DEALER, FLOOR, NAMES, Sitting

DOC = "md-uth"


@pytest.mark.clause("md-uth", "7.A", "7.B")
def test_7_A_bets_are_chips_on_the_spots() -> None:
    procedure.bets_are_chips_on_spots(DOC)


@pytest.mark.clause("md-uth", "7.C")
def test_7_C_only_seated_players_bet() -> None:
    procedure.only_seated_players_bet(DOC, "7.C")


@pytest.mark.clause("md-uth", "7.C(1)")
def test_7_C_1_a_player_with_cards_stays_until_the_round_is_over() -> None:
    procedure.stays_until_the_end(DOC, "7.C(1)")


@pytest.mark.clause("md-uth", "7.C(2)")
def test_7_C_2_abandoned_wagers_are_lost_when_a_floorperson_says_so() -> None:
    procedure.abandoned_wagers_are_a_floorpersons_ruling(DOC, "7.C(2)")


@pytest.mark.clause("md-uth", "7.C(2)")
def test_7_C_2_without_a_ruling_the_wagers_are_played() -> None:
    procedure.without_a_ruling_the_wagers_are_played(DOC, "4x")


@pytest.mark.clause("md-uth", "7.D")
def test_7_D_the_later_wager_is_not_placed_with_the_others() -> None:
    procedure.the_play_wager_is_not_placed_before_the_deal(DOC, "play")


@pytest.mark.clause("md-uth", "7.E", "7.D")
def test_7_E_nothing_is_made_raised_or_withdrawn_after_the_close() -> None:
    procedure.nothing_changes_after_the_close(DOC, "7.E")


@pytest.mark.clause("md-uth", "7.F(1)")
def test_7_F_1_incomplete_or_unequal_wagers_go_back_at_the_close() -> None:
    procedure.required_wagers_stand_or_go_back(DOC, "7.F(1)")


@pytest.mark.clause("md-uth", "8.C(1)")
def test_8_C_1_bets_are_closed_before_the_deal_manual_shoe() -> None:
    procedure.bets_are_closed_before_the_deal(DOC, "manual_shoe", "8.C(1)")


@pytest.mark.clause("md-uth", "8.C(2)")
def test_8_C_2_the_progressive_takes_no_wager_after_the_close() -> None:
    procedure.the_progressive_is_locked(DOC, "manual_shoe")


@pytest.mark.clause("md-uth", "8.C(3)")
def test_8_C_3_chips_equal_the_wagers_the_system_accepted() -> None:
    procedure.chips_are_counted_against_the_system(DOC, "manual_shoe", "8.C(3)")


@pytest.mark.clause("md-uth", "8.C(4)")
def test_8_C_4_the_chips_are_in_the_tray_before_the_deal() -> None:
    procedure.chips_go_into_the_tray_before_the_deal(DOC, "manual_shoe")


@pytest.mark.clause("md-uth", "9.A(3)")
def test_9_A_3_bets_are_closed_before_the_deal_hand() -> None:
    procedure.bets_are_closed_before_the_deal(DOC, "hand", "9.A(3)")


@pytest.mark.clause("md-uth", "9.A(3)(a)")
def test_9_A_3_a_the_progressive_takes_no_wager_after_the_close() -> None:
    procedure.the_progressive_is_locked(DOC, "hand")


@pytest.mark.clause("md-uth", "9.A(3)(b)")
def test_9_A_3_b_chips_equal_the_wagers_the_system_accepted() -> None:
    procedure.chips_are_counted_against_the_system(DOC, "hand", "9.A(3)(b)")


@pytest.mark.clause("md-uth", "9.A(3)(c)")
def test_9_A_3_c_the_chips_are_in_the_tray_before_the_deal() -> None:
    procedure.chips_go_into_the_tray_before_the_deal(DOC, "hand")


@pytest.mark.clause("md-uth", "10.A(2)(a)")
def test_10_A_2_a_bets_are_closed_before_the_deal_automated_shoe() -> None:
    procedure.bets_are_closed_before_the_deal(DOC, "automated_shoe", "10.A(2)(a)")


@pytest.mark.clause("md-uth", "10.A(2)(b)(i)")
def test_10_A_2_b_i_the_progressive_takes_no_wager_after_the_close() -> None:
    procedure.the_progressive_is_locked(DOC, "automated_shoe")


@pytest.mark.clause("md-uth", "10.A(2)(b)(ii)")
def test_10_A_2_b_ii_chips_equal_the_wagers_the_system_accepted() -> None:
    procedure.chips_are_counted_against_the_system(DOC, "automated_shoe", "10.A(2)(b)(ii)")


@pytest.mark.clause("md-uth", "10.A(2)(b)(iii)")
def test_10_A_2_b_iii_the_chips_are_in_the_tray_before_the_deal() -> None:
    procedure.chips_go_into_the_tray_before_the_deal(DOC, "automated_shoe")


@pytest.mark.clause("md-uth", "11.A")
def test_11_A_players_look_at_their_own_cards() -> None:
    procedure.players_look_at_their_own_cards(DOC, 2)


@pytest.mark.clause("md-uth", "11.B", "11.B(1)")
def test_11_B_players_are_asked_clockwise_preflop() -> None:
    procedure.asked_clockwise_from_seat_1(DOC, "preflop", "11.B(1)", "check")


@pytest.mark.clause("md-uth", "11.B(1)", "11.B(2)(a)")
def test_11_B_1_exactly_these_choices_preflop() -> None:
    procedure.the_choices_are_exactly(DOC, "preflop", "11.B(1)", {"4x": 4, "3x": 3}, "check")


@pytest.mark.clause("md-uth", "11.D", "11.D(1)")
def test_11_D_players_are_asked_clockwise_flop() -> None:
    procedure.asked_clockwise_from_seat_1(DOC, "flop", "11.D(1)", "check")


@pytest.mark.clause("md-uth", "11.D(1)", "11.D(2)(a)")
def test_11_D_1_exactly_these_choices_flop() -> None:
    procedure.the_choices_are_exactly(DOC, "flop", "11.D(1)", {"2x": 2}, "check")


@pytest.mark.clause("md-uth", "11.D")
def test_11_D_only_those_without_a_bet_are_asked_flop() -> None:
    procedure.only_those_without_a_bet_are_asked(DOC, "4x", "flop", "11.D(1)")


@pytest.mark.clause("md-uth", "11.F")
def test_11_F_players_are_asked_clockwise_river() -> None:
    procedure.asked_clockwise_from_seat_1(DOC, "river", "11.F", "fold")


@pytest.mark.clause("md-uth", "11.F", "11.F(1)")
def test_11_F_exactly_these_choices_river() -> None:
    procedure.the_choices_are_exactly(DOC, "river", "11.F", {"1x": 1}, "fold")


@pytest.mark.clause("md-uth", "11.F")
def test_11_F_only_those_without_a_bet_are_asked_river() -> None:
    procedure.only_those_without_a_bet_are_asked(DOC, "4x", "river", "11.F")


@pytest.mark.clause("md-uth", "11.C", "11.C(2)")
def test_11_C_waits_until_everyone_has_decided_flop() -> None:
    procedure.cards_wait_until_all_have_decided(DOC, "preflop", "flop", "11.C(2)", 3)


@pytest.mark.clause("md-uth", "11.E", "11.E(2)")
def test_11_E_waits_until_everyone_has_decided_turn_and_river() -> None:
    procedure.cards_wait_until_all_have_decided(DOC, "flop", "turn and river", "11.E(2)", 5)


@pytest.mark.clause("md-uth", "11.F(3)(a)")
def test_11_F_3_a_a_folded_hand_stays_face_down_under_trips() -> None:
    procedure.a_folded_hand_stays_face_down(DOC, "trips")


@pytest.mark.clause("md-uth", "11.G", "11.G(1)")
def test_11_G_the_dealer_shows_when_all_have_decided() -> None:
    procedure.dealer_shows_when_all_have_decided(DOC, "11.G(1)")


@pytest.mark.clause("md-uth", "11.G(3)")
def test_11_G_3_the_dealer_announces_his_hand() -> None:
    procedure.dealer_announces_his_hand(DOC)


@pytest.mark.clause("md-uth", "11.H(2)", "11.H(2)(a)", "11.H(2)(c)", "11.H(2)(d)")
def test_11_H_2_hands_are_turned_up_and_settled_counterclockwise() -> None:
    procedure.seats_are_settled_counterclockwise(DOC, "4x", "11.H(2)(d)")


@pytest.mark.clause("md-uth", "11.J(2)(c)", "11.J(2)")
def test_11_J_2_c_the_progressive_waits_for_a_floorperson() -> None:
    procedure.progressive_waits_for_a_floorperson(DOC, "11.J(2)(c)")


@pytest.mark.clause("md-uth", "11.J(2)(e)")
def test_11_J_2_e_envy_is_paid_when_every_hand_is_known() -> None:
    procedure.envy_is_paid_after_the_progressive(DOC)


@pytest.mark.clause("md-uth", "11.K")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand", "automated_shoe"])
def test_11_K_cards_are_collected_so_that_hands_can_be_laid_out_again(dealing: str) -> None:
    procedure.cards_are_collected_in_an_order_that_reconstructs(DOC, dealing, "11.K")


@pytest.mark.clause("md-uth", "7.G")
def test_7_G_adjacent_boxes_as_the_submission_says() -> None:
    procedure.adjacent_boxes_as_the_submission_says(DOC, "7.G")


@pytest.mark.clause("md-uth", "12.F(2)")
def test_12_F_2_a_payout_limit_leaves_the_validated_progressive_alone() -> None:
    procedure.a_payout_limit_leaves_the_validated_progressive_alone(DOC, "12.F")


@pytest.mark.clause("md-uth", "11.J(2)(c)")
def test_11_J_2_c_a_progressive_at_fixed_odds_waits_for_a_floorperson_too() -> None:
    """A full house pays no meter; it is validated all the same, and nothing is paid before."""
    table = Sitting(DOC, 1, 3)
    table.open({1: "Kc Kh", 3: "7d 8d"}, dealer="8c 9s", board="Ks 2c 2d Th Jc")
    table.bet(1, progressive=1)
    table.bet(3)
    table.deal()
    table.everyone("4x")
    table.do(Settle(every=True))
    claim = table.round.claim
    assert claim is not None
    assert (claim.seat, claim.meter, claim.hand) == (1, "", "full_house")
    assert "progressive" not in {line.wager for line in table.seat(1).lines}
    rack = table.rack(1)
    assert table.refused(Collect()).code == "not_now"
    refused = table.refused(ValidateProgressive(1), DEALER)
    assert (refused.code, refused.clause) == ("wrong_role", "11.J(2)(c)")
    table.do(ValidateProgressive(1), FLOOR)
    assert table.rack(1) == rack + claim.cents
    assert table.line(1, "progressive").from_meter == ""


@pytest.mark.clause("md-uth", "7.C(1)")
def test_7_C_1_from_the_deal_to_the_settlement_of_the_seat() -> None:
    """Nobody gives his seat up in any phase between; once his own wagers are settled he may."""
    table = Sitting(DOC, 1, 3, offered=())
    table.open()
    table.bet(1)
    table.bet(3)
    phases = set()

    def stays(seat: int) -> None:
        refused = table.refused(GiveUpSeat(NAMES[seat - 1], seat), Actor("player", NAMES[seat - 1]))
        assert (refused.code, refused.clause) == ("in_round", "7.C(1)")
        phases.add(table.round.phase)

    for command in (CloseBets(), Deal()):
        table.do(command)
        stays(1)
    for _ in range(2):
        table.say(1, "check")
        stays(1)
        table.say(3, "check")
        stays(1)
        table.do(RevealCards())
    for seat in (1, 3):
        table.say(seat, "1x")
    stays(1)
    table.do(ShowDealer())
    stays(3)
    table.do(Settle())
    stays(1)
    table.do(GiveUpSeat(NAMES[2], 3), Actor("player", NAMES[2]))
    assert phases == {"closed", "deciding", "revealing", "showdown", "settling"}
