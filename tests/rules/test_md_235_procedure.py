"""2-3-5 in Maryland at a table: who does what when, and what is refused."""

from __future__ import annotations

import pytest

from croupier.rounds.commands import PlaceWagers, RevealCards, TakeBack
from croupier.rounds.views import Viewer, view
from tests.tables import procedure
from tests.tables.seated import NAMES, Sitting

DOC = "md-235"


@pytest.mark.clause("md-235", "7.A")
def test_7_A_bets_are_chips_on_the_spots() -> None:
    procedure.bets_are_chips_on_spots(DOC)


@pytest.mark.clause("md-235", "7.B")
def test_7_B_only_seated_players_bet() -> None:
    procedure.only_seated_players_bet(DOC, "7.B")


@pytest.mark.clause("md-235", "7.B(1)")
def test_7_B_1_a_player_with_cards_stays_until_the_round_is_over() -> None:
    procedure.stays_until_the_end(DOC, "7.B(1)")


@pytest.mark.clause("md-235", "7.B(2)")
def test_7_B_2_abandoned_wagers_are_lost_when_a_floorperson_says_so() -> None:
    procedure.abandoned_wagers_are_a_floorpersons_ruling(DOC, "7.B(2)")


@pytest.mark.clause("md-235", "7.B(2)")
def test_7_B_2_without_a_ruling_the_wagers_are_played() -> None:
    procedure.without_a_ruling_the_wagers_are_played(DOC, "raise")


@pytest.mark.clause("md-235", "7.C")
def test_7_C_the_later_wager_is_not_placed_with_the_others() -> None:
    procedure.the_play_wager_is_not_placed_before_the_deal(DOC, "three_card_raise")


@pytest.mark.clause("md-235", "7.D", "7.C")
def test_7_D_nothing_is_made_raised_or_withdrawn_after_the_close() -> None:
    procedure.nothing_changes_after_the_close(DOC, "7.D")


@pytest.mark.clause("md-235", "7.E(1)")
def test_7_E_1_incomplete_or_unequal_wagers_go_back_at_the_close() -> None:
    procedure.required_wagers_stand_or_go_back(DOC, "7.E(1)")


@pytest.mark.clause("md-235", "8.C")
def test_8_C_bets_are_closed_before_the_deal_manual_shoe() -> None:
    procedure.bets_are_closed_before_the_deal(DOC, "manual_shoe", "8.C")


@pytest.mark.clause("md-235", "8.C(1)")
def test_8_C_1_the_progressive_takes_no_wager_after_the_close() -> None:
    procedure.the_progressive_is_locked(DOC, "manual_shoe")


@pytest.mark.clause("md-235", "8.C(2)(b)")
def test_8_C_2_b_chips_equal_the_wagers_the_system_accepted() -> None:
    procedure.chips_are_counted_against_the_system(DOC, "manual_shoe", "8.C(2)(b)")


@pytest.mark.clause("md-235", "8.C(2)(c)")
def test_8_C_2_c_the_chips_are_in_the_tray_before_the_deal() -> None:
    procedure.chips_go_into_the_tray_before_the_deal(DOC, "manual_shoe")


@pytest.mark.clause("md-235", "7.C")
def test_7_C_bets_are_closed_before_the_deal_hand() -> None:
    procedure.bets_are_closed_before_the_deal(DOC, "hand", "7.C")


@pytest.mark.clause("md-235", "9.A(3)")
def test_9_A_3_the_progressive_takes_no_wager_after_the_close() -> None:
    procedure.the_progressive_is_locked(DOC, "hand")


@pytest.mark.clause("md-235", "9.A(4)(b)")
def test_9_A_4_b_chips_equal_the_wagers_the_system_accepted() -> None:
    procedure.chips_are_counted_against_the_system(DOC, "hand", "9.A(4)(b)")


@pytest.mark.clause("md-235", "9.A(4)(c)")
def test_9_A_4_c_the_chips_are_in_the_tray_before_the_deal() -> None:
    procedure.chips_go_into_the_tray_before_the_deal(DOC, "hand")


@pytest.mark.clause("md-235", "10.A(1)(a)")
def test_10_A_1_a_bets_are_closed_before_the_deal_automated_shoe() -> None:
    procedure.bets_are_closed_before_the_deal(DOC, "automated_shoe", "10.A(1)(a)")


@pytest.mark.clause("md-235", "10.A(1)(b)")
def test_10_A_1_b_the_progressive_takes_no_wager_after_the_close() -> None:
    procedure.the_progressive_is_locked(DOC, "automated_shoe")


@pytest.mark.clause("md-235", "10.A(1)(c)(ii)")
def test_10_A_1_c_ii_chips_equal_the_wagers_the_system_accepted() -> None:
    procedure.chips_are_counted_against_the_system(DOC, "automated_shoe", "10.A(1)(c)(ii)")


@pytest.mark.clause("md-235", "10.A(1)(c)(iii)")
def test_10_A_1_c_iii_the_chips_are_in_the_tray_before_the_deal() -> None:
    procedure.chips_go_into_the_tray_before_the_deal(DOC, "automated_shoe")


@pytest.mark.clause("md-235", "11.A")
def test_11_A_players_look_at_their_own_cards() -> None:
    procedure.players_look_at_their_own_cards(DOC, 2)


@pytest.mark.clause("md-235", "11.B", "11.B(1)")
def test_11_B_players_are_asked_clockwise_three_card() -> None:
    procedure.asked_clockwise_from_seat_1(DOC, "three_card", "11.B(1)", "check")


@pytest.mark.clause("md-235", "11.B(1)", "11.B(1)(a)", "11.B(1)(b)")
def test_11_B_1_exactly_these_choices_three_card() -> None:
    procedure.the_choices_are_exactly(DOC, "three_card", "11.B(1)", {"raise": 1}, "check")


@pytest.mark.clause("md-235", "11.B(1)'")
def test_11_B_1_second_players_are_asked_clockwise_five_card() -> None:
    procedure.asked_clockwise_from_seat_1(DOC, "five_card", "11.B(1)'", "check")


@pytest.mark.clause("md-235", "11.B(1)'", "11.B(1)'(a)", "11.B(1)'(b)")
def test_11_B_1_second_exactly_these_choices_five_card() -> None:
    procedure.the_choices_are_exactly(DOC, "five_card", "11.B(1)'", {"raise": 1}, "check")


@pytest.mark.clause("md-235", "11.B(2)")
def test_11_B_2_waits_until_everyone_has_decided_third_cards() -> None:
    procedure.cards_wait_until_all_have_decided(DOC, "three_card", "third cards", "11.B(2)", 0)


@pytest.mark.clause("md-235", "11.C(1)")
def test_11_C_1_waits_until_everyone_has_decided_community_cards() -> None:
    procedure.cards_wait_until_all_have_decided(DOC, "five_card", "community cards", "11.C(1)", 2)


@pytest.mark.clause("md-235", "11.D", "11.D(1)", "11.D(2)")
def test_11_D_hands_are_turned_up_and_settled_counterclockwise() -> None:
    procedure.seats_are_settled_counterclockwise(DOC, "raise", "11.D(2)")


@pytest.mark.clause("md-235", "11.D(5)(c)")
def test_11_D_5_c_the_progressive_waits_for_a_floorperson() -> None:
    procedure.progressive_waits_for_a_floorperson(DOC, "11.D(5)(c)")


@pytest.mark.clause("md-235", "11.D(5)(e)")
def test_11_D_5_e_envy_is_paid_when_every_hand_is_known() -> None:
    procedure.envy_is_paid_after_the_progressive(DOC)


@pytest.mark.clause("md-235", "11.E")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand", "automated_shoe"])
def test_11_E_cards_are_collected_so_that_hands_can_be_laid_out_again(dealing: str) -> None:
    procedure.cards_are_collected_in_an_order_that_reconstructs(DOC, dealing, "11.E")


@pytest.mark.clause("md-235", "7.F")
def test_7_F_adjacent_boxes_as_the_submission_says() -> None:
    procedure.adjacent_boxes_as_the_submission_says(DOC, "7.F")


@pytest.mark.clause("md-235", "12.K")
def test_12_K_a_payout_limit_leaves_the_validated_progressive_alone() -> None:
    procedure.a_payout_limit_leaves_the_validated_progressive_alone(DOC, "12.K")


@pytest.mark.clause("md-235", "11.B(2)")
def test_11_B_2_every_player_s_third_card_lies_open_for_everybody() -> None:
    """Not one player's alone, not before the last has decided, and not the first two."""
    table = Sitting(DOC, 1, 2, 3, offered=())
    hands = {1: "2c 3c 4c", 2: "5d 6d 7d", 3: "8h 9h Th"}
    table.open(hands, board="Js Qs")
    for seat in hands:
        table.bet(seat)
    table.deal()

    def third_cards(viewer: Viewer) -> list[str]:
        seen = view(table.round, viewer, table.rules)
        return [str(seat.cards[2]) for seat in seen.seats]

    stranger = Viewer("player", "a stranger")
    for seat in (1, 2, 3):
        assert third_cards(stranger) == ["None"] * 3
        assert third_cards(Viewer("player", NAMES[seat - 1])) == ["None"] * 3
        table.say(seat, "check")
    table.do(RevealCards())
    for viewer in (stranger, Viewer("dealer"), Viewer("player", NAMES[1])):
        assert third_cards(viewer) == ["4c", "7d", "Th"]
    first_two = [seat.cards[:2] for seat in view(table.round, stranger, table.rules).seats]
    assert first_two == [(None, None)] * 3


@pytest.mark.clause("md-235", "7.E(3)(a)")
@pytest.mark.parametrize("left_out", ["two_card_poker", "three_card_poker", "five_card_poker"])
def test_7_E_3_a_the_progressive_takes_all_three_wagers(left_out: str) -> None:
    """Two of them are not enough, whichever is missing; nor may one be taken back under it."""
    table = Sitting(DOC, 1, offered=("progressive",))
    table.open()
    three = {"two_card_poker": 1000, "three_card_poker": 1000, "five_card_poker": 1000}
    two = {name: cents for name, cents in three.items() if name != left_out}
    refused = table.refused(PlaceWagers(1, NAMES[0], two | {"progressive": 100}))
    assert refused.clause == "7.E(3)(a)"
    table.do(PlaceWagers(1, NAMES[0], three | {"progressive": 100}))
    assert table.refused(TakeBack(1, NAMES[0], (left_out,))).clause == "7.E(3)(a)"
