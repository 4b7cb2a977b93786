"""md-uth chapters 2, 3, 7: who may bet what, on how many positions, from which deck."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.table import Settled, refused, seat, settle

BOARD = "Qh 9s 5d 4c Kh"
DEALER = "Kc 2d"
BOX = "3h 6h 7s 8d"
OPTIONAL = {
    "trips": "7.F(2)",
    "progressive": "7.F(3)",
    "six_card_bonus": "7.F(4)",
    "ultimate_pairs": "7.F(5)",
    "bad_beat": "7.F(6)",
    "play_the_board": "7.F(7)",
}


def play(*seats: dict[str, Any], **told: Any) -> Settled:
    return settle("md-uth", *seats, community=BOARD, dealer=DEALER, box=BOX, **told)


def no(*seats: dict[str, Any], **told: Any) -> tuple[str, str | None]:
    """The refusal's code and clause."""
    error = refused("md-uth", *seats, community=BOARD, dealer=DEALER, box=BOX, **told)
    return error.code, error.clause


def bettor(number: int = 1, cards: str = "Ac 7d", player: str | None = None) -> dict[str, Any]:
    return seat(cards, "4x", number, player, ante=10, blind=10)


# -- positions and the deck -------------------------------------------------------------------


@pytest.mark.clause("md-uth", "2.A")
def test_2_A_six_players_may_bet() -> None:
    hands = ["Ac 7d", "Ad 7h", "Ah 7c", "As 8c", "Jc Jd", "Jh Js"]
    told = play(*[bettor(number, cards) for number, cards in enumerate(hands, start=1)])
    assert [told.seat(number)["seat"] for number in range(1, 7)] == [1, 2, 3, 4, 5, 6]


@pytest.mark.clause("md-uth", "2.A")
@pytest.mark.parametrize("number", [0, 7])
def test_2_A_there_is_no_seventh_position(number: int) -> None:
    assert no(bettor(number)) == ("rule_broken", "2.A")


@pytest.mark.clause("md-uth", "3.A(1)")
@pytest.mark.parametrize("cards", ["Kh 7d", "2d 7d", "3h 7d"], ids=["board", "dealer", "box"])
def test_3_A_1_one_deck_holds_a_card_once(cards: str) -> None:
    assert no(bettor(cards=cards)) == ("bad_cards", "3.A(1)")
    assert no(bettor(1, "Ac 7d"), bettor(2, "Ac 8c")) == ("bad_cards", "3.A(1)")


# -- required wagers --------------------------------------------------------------------------


@pytest.mark.clause("md-uth", "7.F(1)")
@pytest.mark.parametrize("wagers", [{"blind": 10}, {"ante": 10}, {"trips": 10}])
def test_7_F_1_ante_and_blind_are_both_required(wagers: dict[str, Any]) -> None:
    assert no(seat("Ac 7d", "4x", **wagers)) == ("rule_broken", "7.F(1)")


@pytest.mark.clause("md-uth", "7.F(1)")
@pytest.mark.parametrize(("ante", "blind"), [(10, 5), (5, 10), (10, "10.01")])
def test_7_F_1_ante_and_blind_are_equal(ante: int, blind: int | str) -> None:
    assert no(seat("Ac 7d", "4x", ante=ante, blind=blind)) == ("rule_broken", "7.F(1)")


@pytest.mark.clause("md-uth", "7.F(1)", "1.B(5)")
def test_7_F_1_play_is_not_bet_before_the_deal() -> None:
    told = seat("Ac 7d", "4x", ante=10, blind=10, play=40)
    assert no(told) == ("bad_request", "7.F(1)")


@pytest.mark.clause("md-uth", "7.F(1)")
def test_7_F_1_a_wager_of_nothing_is_none() -> None:
    assert no(seat("Ac 7d", "4x", ante=0, blind=0))[0] == "bad_amount"
    assert no(seat("Ac 7d", "4x", ante=-10, blind=-10))[0] == "bad_amount"


# -- optional wagers --------------------------------------------------------------------------


@pytest.mark.clause("md-uth", "7.F(2)", "1.B(7)", "7.F(3)")
def test_7_F_2_no_side_wager_is_required() -> None:
    told = play(bettor())
    assert [line["wager"] for line in told.seat(1)["lines"]] == ["ante", "blind", "play"]


@pytest.mark.clause("md-uth", *OPTIONAL.values())
@pytest.mark.parametrize(("wager", "clause"), OPTIONAL.items())
def test_7_F_an_optional_wager_is_taken_only_where_it_is_offered(wager: str, clause: str) -> None:
    stake: dict[str, Any] = {"trips": 5, wager: 5}
    told = seat("Ac 7d", "4x", ante=10, blind=10, **stake)
    assert play(told).line(wager) is not None
    without = tuple(name for name in OPTIONAL if name != wager)
    assert no(told, offered=without) == ("rule_broken", clause)


@pytest.mark.clause("md-uth", "7.F(2)", "7.F(3)(a)", "7.F(5)", "7.F(6)", "7.F(7)")
@pytest.mark.parametrize("wager", OPTIONAL)
def test_7_F_no_side_wager_stands_without_ante_and_blind(wager: str) -> None:
    stakes: dict[str, Any] = {"trips": 5, wager: 5}
    assert no(seat("Ac 7d", "4x", **stakes)) == ("rule_broken", "7.F(1)")
    assert no(seat("Ac 7d", "4x", ante=10, **stakes)) == ("rule_broken", "7.F(1)")


@pytest.mark.clause("md-uth", "7.F(4)(b)")
def test_7_F_4_b_six_card_bonus_needs_trips() -> None:
    told = seat("Ac 7d", "4x", ante=10, blind=10, six_card_bonus=5)
    assert no(told) == ("rule_broken", "7.F(4)(b)")
    assert play(seat("Ac 7d", "4x", ante=10, blind=10, six_card_bonus=5, trips=1)).line("trips")


@pytest.mark.clause("md-uth", "7.F(4)(b)")
def test_7_F_4_b_read_as_an_order_of_placing_trips_is_not_needed() -> None:
    told = seat("Ac 7d", "4x", ante=10, blind=10, six_card_bonus=5)
    settled = play(told, readings={"six_card_bonus_needs_trips": "no"})
    assert settled.result("six_card_bonus") == "lose"


@pytest.mark.clause("md-uth", "7.F(4)")
def test_7_F_4_the_box_holds_four_cards() -> None:
    told = seat("Ac 7d", "4x", ante=10, blind=10, six_card_bonus=5, trips=1)
    for box in (None, "3h 6h 7s", "3h 6h 7s 8d 8c"):
        error = refused("md-uth", told, community=BOARD, dealer=DEALER, box=box)
        assert error.code == "bad_cards"


@pytest.mark.clause("md-uth", "7.F(4)", "10.B(1)")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand"])
def test_10_B_1_only_a_machine_deals_the_bonus_box(dealing: str) -> None:
    told = seat("Ac 7d", "4x", ante=10, blind=10, six_card_bonus=5, trips=1)
    assert no(told, options={"dealing": dealing}) == ("rule_broken", "10.B(1)")
    assert play(told, options={"dealing": "automated_shoe"}).line("six_card_bonus")


@pytest.mark.clause("md-uth", "7.F(3)(a)", "12.D(5)(a)")
@pytest.mark.parametrize("stake", [2, 10, "0.50", "5.01"])
def test_12_D_5_a_progressive_takes_one_or_five_dollars(stake: int | str) -> None:
    told = seat("Ac 7d", "4x", ante=10, blind=10, progressive=stake)
    assert no(told) == ("rule_broken", "12.D(5)(a)")


@pytest.mark.clause("md-uth", "7.F(3)(a)", "12.D(5)(a)")
@pytest.mark.parametrize("stake", [1, 5])
def test_12_D_5_a_each_of_the_two_amounts_is_taken(stake: int) -> None:
    told = seat("Ac 7d", "4x", ante=10, blind=10, progressive=stake)
    assert play(told).net("progressive") == f"-{stake}.00"


def test_12_D_5_a_the_submission_may_keep_to_one_of_the_two() -> None:
    told = seat("Ac 7d", "4x", ante=10, blind=10, progressive=1)
    assert no(told, progressive={"stakes": [5]}) == ("rule_broken", "12.D(5)(a)")


@pytest.mark.clause("md-uth", "7.F(1)")
@pytest.mark.parametrize("ante", [9, 101])
def test_limits_of_the_submission_hold(ante: int) -> None:
    limits = {name: {"minimum": 10, "maximum": 100} for name in ("ante", "blind")}
    told = seat("Ac 7d", "4x", ante=ante, blind=ante)
    assert no(told, limits=limits) == ("rule_broken", "7.F(1)")
    for legal in (10, 100):
        assert play(seat("Ac 7d", "4x", ante=legal, blind=legal), limits=limits).line("ante")


# -- several boxes ----------------------------------------------------------------------------


@pytest.mark.clause("md-uth", "7.G")
def test_7_G_a_player_bets_on_as_many_adjacent_boxes_as_the_submission_says() -> None:
    both = bettor(3, player="ann"), bettor(4, "Ad 8c", player="ann")
    assert no(*both, options={"adjacent_boxes": 1}) == ("rule_broken", "7.G")
    assert play(*both, options={"adjacent_boxes": 2}).line("ante", 4)
    three = *both, bettor(5, "Ah 8h", player="ann")
    assert no(*three, options={"adjacent_boxes": 2}) == ("rule_broken", "7.G")


@pytest.mark.clause("md-uth", "7.G")
def test_7_G_the_boxes_of_a_player_are_adjacent() -> None:
    apart = bettor(2, player="ann"), bettor(4, "Ad 8c", player="ann")
    assert no(*apart, options={"adjacent_boxes": 3}) == ("rule_broken", "7.G")


def test_7_G_different_players_are_not_counted_together() -> None:
    told = play(bettor(2, player="ann"), bettor(4, "Ad 8c", player="bob"), bettor(5, "Ah 8h"))
    assert told.line("ante", 5)
