"""Ultimate Texas Hold'em in Massachusetts: everything that goes wrong.

Section 14 and the stub of section 7.
"""

from __future__ import annotations

import pytest

from croupier.cards import parse_cards
from croupier.rounds.actions import floor_actions
from croupier.rounds.commands import LeaveRound, RevealCards, RuleAbandoned
from croupier.rounds.views import odds_of_round
from tests.rules.clause_table import Check, clause_table
from tests.tables import accidents

DOC = "ma-uth"


# fmt: off
CLAUSES = clause_table(DOC, [
    (("manual_shoe", "automated_shoe"), "14_b_one_face_up_card_is_set_aside", "14(b)",
     accidents.one_card_is_set_aside, "14(b)"),
    (("manual_shoe", "automated_shoe"), "14_b_several_face_up_cards_void_the_round", "14(b)",
     accidents.several_before_the_deal_are_void, "14(b)"),
    (("manual_shoe", "automated_shoe"), "14_b_only_until_a_player_acts", "14(b)",
     accidents.several_only_until_somebody_acts, "14(b)"),
    (("manual_shoe", "automated_shoe"), "14_b_a_second_face_up_card_makes_several", "14(b)",
     accidents.a_second_card_is_more_than_one, "14(b)"),
    ("14_b_after_the_deal_some_wagers_are_still_settled", "14(b)",
     accidents.several_after_the_deal_save, "14(b)", {"trips"}, "As Ah"),
    ("14_b_with_nothing_to_settle_all_goes_back", "14(b)",
     accidents.nothing_saved_means_void, "several_cards_face_up_after_deal", "14(b)", "7h 8h"),
    (("manual_shoe", "automated_shoe"), "14_c_a_card_drawn_in_error_is_the_next", "14(c)",
     accidents.an_unseen_card_is_the_next, "14(c)"),
    ("14_d_no_void_in_the_middle_of_the_settlement", "14(d)",
     accidents.too_late_when_settled, "dealer_wrong_count", "14(d)"),
    ("14_a_an_exposed_dealer_card_voids_all_but_these", "14(a)",
     accidents.an_exposed_dealer_card_saves, "14(a)", "14(a)", {"trips"}, "As Ah"),
    ("14_a_it_is_harmless_when_all_have_decided", "14(a)",
     accidents.an_exposed_dealer_card_is_harmless_when_all_have_decided, "14(a)"),
    ("14_a_with_nothing_to_settle_all_goes_back", "14(a)",
     accidents.nothing_saved_means_void, "dealer_card_exposed", "14(a)"),
    ("7_g_2_a_stub_counted_wrong_manual_shoe", "7(g)(2)",
     accidents.a_stub_is_counted_wrong, "manual_shoe", "7(g)(2)", "7(g)(2)"),
    ("8_d_a_stub_counted_wrong_automated_shoe", "8(d) 7(g)(2)",
     accidents.a_stub_is_counted_wrong, "automated_shoe", "8(d)", "8(d)"),
    ("7_g_2_what_is_settled_stands", "7(g)(2)",
     accidents.a_stub_counted_late_leaves_the_round, "7(g)(2)"),
    ("14_e_a_shuffler_jam_leaves_the_bets", "14(e)",
     accidents.a_jam_leaves_the_bets, "manual_shoe", "14(e)"),
    ("14_e_the_other_deck_jams_and_the_round_goes_on", "14(e)",
     accidents.the_other_deck_jams, "automated_shoe", "14(e)"),
    ("14_f_a_shoe_jam_voids_the_round", "14(f)",
     accidents.a_shoe_jam_voids, "14(f)"),
    ("a_virtual_deck_has_no_accidents", "",
     accidents.a_virtual_deck_has_no_accidents),
])
# fmt: on


@pytest.mark.parametrize("check", CLAUSES)
def test_clause(check: Check) -> None:
    check()


@pytest.mark.clause("ma-uth", "14(d)")
def test_14_d_a_player_with_a_wrong_number_is_out_alone() -> None:
    table = accidents.dealt(DOC, 1, 3, 5, dealing="automated_shoe")
    assert table.cannot("wrong_count").code == "seat_closed"
    assert table.cannot("wrong_count", seat=2).code == "seat_closed"
    told = table.happens("wrong_count", seat=1)
    assert told[-1] == accidents.HandVoided(1, "14(d)")
    assert table.link.shown() == table.rules.resets, "only his chip had gone to the meter"
    assert table.round.turn == 3
    table.everyone("4x")
    table.settle()
    assert {line.result for line in table.seat(1).lines} == {"void"}
    assert {line.clause for line in table.seat(1).lines} == {"14(d)"}
    assert table.rack(1) == accidents.START
    assert "void" not in table.results(3).values()
    assert table.cannot("wrong_count", seat=3).code == "not_now"


@pytest.mark.clause("ma-uth", "14(d)")
def test_14_d_the_last_hand_out_ends_the_round() -> None:
    table = accidents.dealt(DOC, 1, dealing="manual_shoe")
    table.happens("wrong_count", seat=1)
    accidents.all_is_back(table, "14(d)", "")


@pytest.mark.clause("ma-uth", "14(d)")
def test_14_d_cover_all_keeps_its_column_without_the_void_hand() -> None:
    """Three hands and the dealer's were dealt: quads pay as four hands have them (MA-28)."""
    table = accidents.Live(DOC, 1, 3, 5, dealing="automated_shoe")
    table.open()
    table.bet(1)
    table.bet(3, cover_all=5)
    table.bet(5)
    table.deal()
    table.happens("wrong_count", seat=1)
    for seat, cards in ((3, "Qh Qd"), (5, "8c 3d")):
        table.enter(seat, cards)
        table.say(seat, "4x")
    table.do(RevealCards(parse_cards("Qs Qc 7h")))
    table.do(RevealCards(parse_cards("2h 3h")))
    table.go()
    (odds,) = odds_of_round(table.round, table.rules)
    assert (odds.hands, dict(odds.lines)["four of a kind"]) == (4, "40 to 1"), "as shown (12(e))"
    table.settle()
    line = table.line(3, "cover_all")
    assert (line.net, line.pays) == (5 * 40 * 100, "40 to 1")


@pytest.mark.clause("ma-uth", "14(d)")
@pytest.mark.parametrize("kind", ["dealer_wrong_count", "board_wrong_count"])
def test_14_d_a_wrong_number_that_cannot_be_cured_voids_all(kind: str) -> None:
    table = accidents.dealt(DOC, dealing="manual_shoe")
    table.happens(kind)
    accidents.all_is_back(table, "14(d)")


@pytest.mark.clause("ma-uth", "14(d)")
@pytest.mark.parametrize("dealing", ["manual_shoe", "automated_shoe"])
def test_14_d_a_dealer_short_of_a_card_takes_the_next(dealing: str) -> None:
    table = accidents.dealt(DOC, dealing=dealing)
    (noted,) = table.happens("dealer_short_of_a_card")
    assert (noted.clause, noted.deck) == ("14(d)", "")
    table.play_out()
    assert not table.round.void


@pytest.mark.clause("ma-uth", "14(d)")
def test_14_d_no_cure_when_the_stub_is_gone() -> None:
    table = accidents.at_the_last_question(DOC, dealing="manual_shoe")
    refusal = table.cannot("dealer_short_of_a_card")
    assert (refusal.code, refusal.clause) == ("not_now", "14(d)")
    assert table.can_happen("dealer_wrong_count")


@pytest.mark.clause("ma-uth", "6(e)")
def test_6_e_no_wagers_are_abandoned_here() -> None:
    """The document has no such rule: what is left behind is settled (MA-30)."""
    table = accidents.dealt(DOC, dealing="manual_shoe")
    table.do(LeaveRound(1, "ann"))
    refusal = table.refused(RuleAbandoned(1), accidents.FLOOR)
    assert (refusal.code, refusal.clause) == ("no_such_rule", None)
    assert "rule_abandoned" not in floor_actions(table.round, table.rules)
