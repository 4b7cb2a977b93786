"""2-3-5 in Maryland at a table: who does what when, and what is refused."""

from __future__ import annotations

import pytest

from croupier.rounds.commands import PlaceWagers, RevealCards, TakeBack
from croupier.rounds.views import Viewer, view
from tests.rules.clause_table import Check, clause_table
from tests.tables import procedure
from tests.tables.seated import NAMES, Sitting

DOC = "md-235"


# fmt: off
CLAUSES = clause_table(DOC, [
    ("7_A_bets_are_chips_on_the_spots", "7.A",
     procedure.bets_are_chips_on_spots),
    ("7_B_only_seated_players_bet", "7.B",
     procedure.only_seated_players_bet, "7.B"),
    ("7_B_1_a_player_with_cards_stays_until_the_round_is_over", "7.B(1)",
     procedure.stays_until_the_end, "7.B(1)"),
    ("7_B_2_abandoned_wagers_are_lost_when_a_floorperson_says_so", "7.B(2)",
     procedure.abandoned_wagers_are_a_floorpersons_ruling, "7.B(2)"),
    ("7_B_2_without_a_ruling_the_wagers_are_played", "7.B(2)",
     procedure.without_a_ruling_the_wagers_are_played, "raise"),
    ("7_C_the_later_wager_is_not_placed_with_the_others", "7.C",
     procedure.the_play_wager_is_not_placed_before_the_deal, "three_card_raise"),
    ("7_D_nothing_is_made_raised_or_withdrawn_after_the_close", "7.D 7.C",
     procedure.nothing_changes_after_the_close, "7.D"),
    ("7_E_1_incomplete_or_unequal_wagers_go_back_at_the_close", "7.E(1)",
     procedure.required_wagers_stand_or_go_back, "7.E(1)"),
    ("8_C_bets_are_closed_before_the_deal_manual_shoe", "8.C",
     procedure.bets_are_closed_before_the_deal, "manual_shoe", "8.C"),
    ("8_C_1_the_progressive_takes_no_wager_after_the_close", "8.C(1)",
     procedure.the_progressive_is_locked, "manual_shoe"),
    ("8_C_2_b_chips_equal_the_wagers_the_system_accepted", "8.C(2)(b)",
     procedure.chips_are_counted_against_the_system, "manual_shoe", "8.C(2)(b)"),
    ("8_C_2_c_the_chips_are_in_the_tray_before_the_deal", "8.C(2)(c)",
     procedure.chips_go_into_the_tray_before_the_deal, "manual_shoe"),
    ("7_C_bets_are_closed_before_the_deal_hand", "7.C",
     procedure.bets_are_closed_before_the_deal, "hand", "7.C"),
    ("9_A_3_the_progressive_takes_no_wager_after_the_close", "9.A(3)",
     procedure.the_progressive_is_locked, "hand"),
    ("9_A_4_b_chips_equal_the_wagers_the_system_accepted", "9.A(4)(b)",
     procedure.chips_are_counted_against_the_system, "hand", "9.A(4)(b)"),
    ("9_A_4_c_the_chips_are_in_the_tray_before_the_deal", "9.A(4)(c)",
     procedure.chips_go_into_the_tray_before_the_deal, "hand"),
    ("10_A_1_a_bets_are_closed_before_the_deal_automated_shoe", "10.A(1)(a)",
     procedure.bets_are_closed_before_the_deal, "automated_shoe", "10.A(1)(a)"),
    ("10_A_1_b_the_progressive_takes_no_wager_after_the_close", "10.A(1)(b)",
     procedure.the_progressive_is_locked, "automated_shoe"),
    ("10_A_1_c_ii_chips_equal_the_wagers_the_system_accepted", "10.A(1)(c)(ii)",
     procedure.chips_are_counted_against_the_system, "automated_shoe", "10.A(1)(c)(ii)"),
    ("10_A_1_c_iii_the_chips_are_in_the_tray_before_the_deal", "10.A(1)(c)(iii)",
     procedure.chips_go_into_the_tray_before_the_deal, "automated_shoe"),
    ("11_A_players_look_at_their_own_cards", "11.A",
     procedure.players_look_at_their_own_cards, 2),
    ("11_B_players_are_asked_clockwise_three_card", "11.B 11.B(1)",
     procedure.asked_clockwise_from_seat_1, "three_card", "11.B(1)", "check"),
    ("11_B_1_exactly_these_choices_three_card", "11.B(1) 11.B(1)(a) 11.B(1)(b)",
     procedure.the_choices_are_exactly, "three_card", "11.B(1)", {"raise": 1}, "check"),
    ("11_B_1_second_players_are_asked_clockwise_five_card", "11.B(1)'",
     procedure.asked_clockwise_from_seat_1, "five_card", "11.B(1)'", "check"),
    ("11_B_1_second_exactly_these_choices_five_card", "11.B(1)' 11.B(1)'(a) 11.B(1)'(b)",
     procedure.the_choices_are_exactly, "five_card", "11.B(1)'", {"raise": 1}, "check"),
    ("11_B_2_waits_until_everyone_has_decided_third_cards", "11.B(2)",
     procedure.cards_wait_until_all_have_decided, "three_card", "third cards", "11.B(2)", 0),
    ("11_C_1_waits_until_everyone_has_decided_community_cards", "11.C(1)",
     procedure.cards_wait_until_all_have_decided, "five_card", "community cards", "11.C(1)", 2),
    ("11_D_hands_are_turned_up_and_settled_counterclockwise", "11.D 11.D(1) 11.D(2)",
     procedure.seats_are_settled_counterclockwise, "raise", "11.D(2)"),
    ("11_D_5_c_the_progressive_waits_for_a_floorperson", "11.D(5)(c)",
     procedure.progressive_waits_for_a_floorperson, "11.D(5)(c)"),
    ("11_D_5_e_envy_is_paid_when_every_hand_is_known", "11.D(5)(e)",
     procedure.envy_is_paid_after_the_progressive),
    (("manual_shoe", "hand", "automated_shoe"),
     "11_E_cards_are_collected_so_that_hands_can_be_laid_out_again", "11.E",
     procedure.cards_are_collected_in_an_order_that_reconstructs, "11.E"),
    ("7_F_adjacent_boxes_as_the_submission_says", "7.F",
     procedure.adjacent_boxes_as_the_submission_says, "7.F"),
    ("12_K_a_payout_limit_leaves_the_validated_progressive_alone", "12.K",
     procedure.a_payout_limit_leaves_the_validated_progressive_alone, "12.K"),
])
# fmt: on


@pytest.mark.parametrize("check", CLAUSES)
def test_clause(check: Check) -> None:
    check()


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
