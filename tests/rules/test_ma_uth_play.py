"""ma-uth sections 1, 6, 7(f), 9, 11: wagers, decisions, folds and the showdown."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.errors import CroupierError
from tests.rules.table import Settled, refused, seat, settle

BOARD = "Qh 9s 5d 4c Kh"
WAYS = ["manual_shoe", "automated_shoe"]


def main(
    cards: str,
    said: str = "4x",
    board: str = BOARD,
    dealer: str = "Kc 2d",
    dealing: str = "automated_shoe",
) -> Settled:
    """A $10 hand with no side wagers; the dealer shows a pair of kings."""
    hand = seat(cards, said, ante=10, blind=10)
    options = {"dealing": dealing}
    return settle("ma-uth", hand, community=board, dealer=dealer, options=options)


def no(*seats: dict[str, Any], **told: Any) -> tuple[str, str | None]:
    error = refused("ma-uth", *seats, community=BOARD, dealer="2c 2d", **told)
    return error.code, error.clause


def said_wrong(said: str, dealing: str) -> CroupierError:
    hand = seat("Ac Ad", said, ante=10, blind=10)
    options = {"dealing": dealing}
    return refused("ma-uth", hand, community=BOARD, dealer="2c 2d", options=options)


def three(told: Settled) -> list[tuple[str, str, str]]:
    lines = [told.line(wager) for wager in ("ante", "blind", "play")]
    return [(line["result"], line["net"], line["clause"]) for line in lines if line is not None]


# -- wagers -----------------------------------------------------------------------------------


@pytest.mark.clause("ma-uth", "1.Ante", "1.Blind")
@pytest.mark.parametrize(
    ("wagers", "clause"),
    [({"blind": 10}, "1.Ante"), ({"ante": 10}, "1.Blind"), ({"trips": 10}, "1.Ante")],
)
def test_1_ante_and_blind_are_both_required(wagers: dict[str, Any], clause: str) -> None:
    assert no(seat("Ac 7d", "4x", **wagers)) == ("rule_broken", clause)


@pytest.mark.clause("ma-uth", "1.Ante", "1.Blind")
@pytest.mark.parametrize(("ante", "blind"), [(10, 5), (5, 10), (10, "10.01")])
def test_1_ante_and_blind_are_equal(ante: int, blind: int | str) -> None:
    assert no(seat("Ac 7d", "4x", ante=ante, blind=blind)) == ("rule_broken", "1.Ante")


@pytest.mark.clause("ma-uth", "6(c)", "1.Trips wager")
def test_6_c_trips_comes_with_ante_and_blind_and_is_never_required() -> None:
    assert no(seat("Ac 7d", "4x", ante=10, trips=5))[0] == "rule_broken"
    assert no(seat("Ac 7d", "4x", blind=10, trips=5))[0] == "rule_broken"
    assert main("Ac 7d").line("trips") is None


@pytest.mark.clause("ma-uth", "6(c)")
@pytest.mark.parametrize("cards", ["Qc Qd", "Ac 7d"], ids=["trips won", "trips lost"])
def test_6_c_trips_has_no_bearing_on_the_other_wagers(cards: str) -> None:
    hand = seat(cards, "4x", ante=10, blind=10, trips=5)
    told = settle("ma-uth", hand, community=BOARD, dealer="Kc 2d")
    assert three(told) == three(main(cards))


@pytest.mark.clause("ma-uth", "6(d)")
def test_6_d_play_is_not_bet_before_the_deal() -> None:
    assert no(seat("Ac 7d", "4x", ante=10, blind=10, play=40))[0] == "bad_request"


@pytest.mark.clause("ma-uth", "11")
@pytest.mark.parametrize("seats", [(3, 4), (1, 6)])
def test_11_one_player_bets_on_one_position(seats: tuple[int, int]) -> None:
    first, second = seats
    both = (
        seat("Ac 7d", "4x", first, "ann", ante=10, blind=10),
        seat("Ad 8c", "4x", second, "ann", ante=10, blind=10),
    )
    assert no(*both) == ("rule_broken", "11")


# -- decisions --------------------------------------------------------------------------------


@pytest.mark.clause("ma-uth", "9(a)", "9(c)", "9(e)", "1.Play wager", "6(d)")
@pytest.mark.clause("ma-uth", "7(f)(1)", "7(f)(3)", "7(f)(5)")
@pytest.mark.parametrize("dealing", WAYS)
@pytest.mark.parametrize(
    ("said", "stake"),
    [("4x", "40.00"), ("3x", "30.00"), ("check 2x", "20.00"), ("check check 1x", "10.00")],
)
def test_9_the_play_wager_is_the_multiple_of_the_ante(said: str, stake: str, dealing: str) -> None:
    line = main("Ac Ad", said, dealing=dealing).line("play")
    assert line is not None
    assert (line["stake"], line["net"]) == (stake, stake)


@pytest.mark.clause("ma-uth", "9(a)", "7(f)(1)", "6(d)")
@pytest.mark.parametrize("dealing", WAYS)
@pytest.mark.parametrize("said", ["1x", "2x", "5x", "fold", ""])
def test_9_a_before_the_flop_only_check_three_or_four(said: str, dealing: str) -> None:
    error = said_wrong(said, dealing)
    assert (error.code, error.clause) == ("rule_broken", "9(a)")


@pytest.mark.clause("ma-uth", "9(a)(2)", "9(c)", "7(f)(1)(ii)", "7(f)(3)", "6(d)")
@pytest.mark.parametrize("dealing", WAYS)
@pytest.mark.parametrize("said", ["check", "check 1x", "check 3x", "check 4x", "check fold"])
def test_9_c_after_the_flop_only_check_or_two(said: str, dealing: str) -> None:
    error = said_wrong(said, dealing)
    assert (error.code, error.clause) == ("rule_broken", "9(c)")


@pytest.mark.clause("ma-uth", "9(c)(2)", "9(e)", "7(f)(3)(ii)", "7(f)(5)", "6(d)")
@pytest.mark.parametrize("dealing", WAYS)
@pytest.mark.parametrize("last", ["", "check", "2x", "3x", "4x"])
def test_9_e_at_the_end_only_one_or_fold(last: str, dealing: str) -> None:
    error = said_wrong(f"check check {last}", dealing)
    assert (error.code, error.clause) == ("rule_broken", "9(e)")


@pytest.mark.clause("ma-uth", "9(c)", "9(e)", "7(f)(3)", "7(f)(5)", "1.Play wager")
@pytest.mark.parametrize("said", ["4x 2x", "4x check", "check 2x 1x", "check check 1x 1x"])
def test_9_there_is_one_play_wager_in_a_round(said: str) -> None:
    assert said_wrong(said, "automated_shoe").code == "rule_broken"


@pytest.mark.clause("ma-uth", "1.Check", "9(a)(2)", "9(c)(2)", "7(f)(1)(ii)", "7(f)(3)(ii)")
@pytest.mark.parametrize("dealing", WAYS)
def test_1_check_who_checks_is_still_in(dealing: str) -> None:
    told = main("Ac Ad", "check check 1x", dealing=dealing)
    assert [told.result(wager) for wager in ("ante", "play")] == ["win", "win"]


@pytest.mark.clause("ma-uth", "1.Round of play")
def test_1_round_every_hand_is_decided_and_every_wager_settled_once() -> None:
    undecided = seat("Ac Ad", "4x", 1, ante=10, blind=10), seat("Jc Jd", "", 2, ante=10, blind=10)
    assert no(*undecided) == ("rule_broken", "9(a)")
    wagers: dict[str, Any] = {"ante": 10, "blind": 10, "trips": 5, "progressive": 5, "cover_all": 5}
    told = settle(
        "ma-uth",
        seat("Ac Ad", "4x", 1, **wagers),
        seat("Jc Jd", "check check fold", 2, **wagers),
        community=BOARD,
        dealer="2c 2d",
    )
    placed = sorted(wagers)
    assert sorted(line["wager"] for line in told.seat(2)["lines"]) == placed
    assert sorted(line["wager"] for line in told.seat(1)["lines"]) == sorted([*placed, "play"])


# -- folding ----------------------------------------------------------------------------------


@pytest.mark.clause("ma-uth", "1.Fold", "9(e)(2)", "7(f)(5)(ii)")
@pytest.mark.parametrize("dealing", WAYS)
@pytest.mark.parametrize("dealer", ["Kc 2d", "7c 2d"], ids=["a pair", "no pair"])
def test_9_e_2_a_fold_loses_ante_and_blind(dealer: str, dealing: str) -> None:
    told = main("Ac Ad", "check check fold", dealer=dealer, dealing=dealing)
    assert three(told) == [("lose", "-10.00", "9(e)(2)"), ("lose", "-10.00", "9(e)(2)")]


def folder(**readings: str) -> Settled:
    """Three queens folded, with every side wager down; the dealer makes the full house."""
    return settle(
        "ma-uth",
        seat("Qc Qd", "check check fold", ante=10, blind=10, trips=5, progressive=5, cover_all=5),
        community="Qh 9s 5d 9c Kh",
        dealer="Kc Ks",
        paytables={"trips": "A", "progressive": "PTMGL01"},
        readings=readings,
    )


@pytest.mark.clause("ma-uth", "9(e)(2)(i)", "7(f)(5)(ii)a", "9(h)(4)")
@pytest.mark.parametrize("reading", ["stand", "lose"])
def test_9_e_2_i_trips_outlives_a_fold(reading: str) -> None:
    assert folder(side_wagers_after_fold=reading).net("trips") == "45.00"


@pytest.mark.clause("ma-uth", "9(e)(2)", "7(f)(5)(ii)")
def test_9_e_2_progressive_and_cover_all_stand_after_a_fold() -> None:
    told = folder()
    assert (told.net("progressive"), told.net("cover_all")) == ("40.00", "60.00")


def test_9_e_2_read_otherwise_progressive_and_cover_all_are_lost() -> None:
    told = folder(side_wagers_after_fold="lose")
    for wager in ("progressive", "cover_all"):
        assert (told.net(wager), told.clause(wager)) == ("-5.00", "9(e)(2)")


# -- the showdown -----------------------------------------------------------------------------


@pytest.mark.clause("ma-uth", "1.Hand", "1.Community card")
@pytest.mark.parametrize(
    ("cards", "hand"),
    [
        ("Kc Kd", "three_of_a_kind"),
        ("Qc 2h", "pair"),
        ("Th Jh", "straight"),
        ("2h 3d", "high_card"),
    ],
)
def test_1_hand_is_the_best_five_of_seven_for_player_and_dealer(cards: str, hand: str) -> None:
    assert main(cards, dealer="7c 7d").seat(1)["hand"] == hand
    assert main("7c 7d", dealer=cards).dealer["hand"] == hand


@pytest.mark.clause("ma-uth", "1.Community card", "1.Hand")
def test_1_community_cards_may_all_five_be_used() -> None:
    told = main("2c 3d", board="Ah Kh Qh Jh Th", dealer="2d 3c")
    assert (told.seat(1)["hand"], told.dealer["hand"]) == ("royal_flush", "royal_flush")
    for board in ("Qh 9s 5d 4c", "Qh 9s 5d 4c Kh Kd"):
        error = refused(
            "ma-uth", seat("2c 3h", "4x", ante=10, blind=10), community=board, dealer="7c 7d"
        )
        assert error.code == "bad_cards"


@pytest.mark.clause("ma-uth", "9(h)(1)", "9(h)")
def test_9_h_1_the_lower_hand_loses_all_three() -> None:
    assert three(main("9c 3d", "check 2x")) == [
        ("lose", "-10.00", "9(h)(1)"),
        ("lose", "-10.00", "9(h)(1)"),
        ("lose", "-20.00", "9(h)(1)"),
    ]


@pytest.mark.clause("ma-uth", "9(h)(1)", "10(c)")
def test_9_h_1_a_blind_that_loses_is_never_paid() -> None:
    told = main("Ac Ad", board="Ah Kd Kc 7s 2h", dealer="Kh Ks")
    assert told.seat(1)["hand"] == "full_house"
    assert told.net("blind") == "-10.00"


@pytest.mark.clause("ma-uth", "9(h)(2)", "9(h)", "10(b)")
def test_10_b_ante_and_play_win_even_money() -> None:
    assert three(main("Ac Ad", "check 2x")) == [
        ("win", "10.00", "10(b)"),
        ("push", "0.00", "10(c)"),
        ("win", "20.00", "10(b)"),
    ]


@pytest.mark.clause("ma-uth", "9(h)(3)", "1.Push")
@pytest.mark.parametrize("board", [BOARD, "Ah Kh Qh Jh Th"])
def test_9_h_3_a_push_neither_pays_nor_takes(board: str) -> None:
    cards = "Kd 2h" if board == BOARD else "2h 3d"
    assert three(main(cards, board=board)) == [("push", "0.00", "9(h)(3)")] * 3


@pytest.mark.clause("ma-uth", "9(g)")
@pytest.mark.parametrize(
    ("cards", "others"),
    [
        ("Ac 2h", [("push", "0.00", "10(c)"), ("win", "40.00", "10(b)")]),
        ("Th Js", [("win", "10.00", "10(c)"), ("win", "40.00", "10(b)")]),
        ("3c 2h", [("lose", "-10.00", "9(h)(1)"), ("lose", "-40.00", "9(h)(1)")]),
        ("Jd 7h", [("push", "0.00", "9(h)(3)"), ("push", "0.00", "9(h)(3)")]),
    ],
    ids=["higher", "a straight", "lower", "equal"],
)
def test_9_g_ante_returns_when_dealer_has_less_than_a_pair(
    cards: str, others: list[tuple[str, str, str]]
) -> None:
    told = main(cards, dealer="Jc 7d")
    assert told.dealer["qualifies"] is False
    assert three(told) == [("push", "0.00", "9(g)"), *others]


@pytest.mark.clause("ma-uth", "9(g)", "9(h)")
@pytest.mark.parametrize(
    ("board", "dealer"), [("2h 9s 5d 4c Kh", "2c 7d"), ("2h 2s 5d 8c Kh", "3c 7d")]
)
def test_9_h_a_pair_of_twos_qualifies(board: str, dealer: str) -> None:
    told = main("Ac Ad", board=board, dealer=dealer)
    assert told.dealer["qualifies"] is True
    assert told.net("ante") == "10.00"


@pytest.mark.clause("ma-uth", "7(f)(7)")
@pytest.mark.parametrize("cards", ["Ac Ad", "9c 3d", "Kd 2h", "Th Js"])
def test_7_f_7_the_manual_shoe_leads_to_the_same_settlement(cards: str) -> None:
    by_hand, by_machine = (main(cards, dealing=dealing).answer for dealing in WAYS)
    assert by_hand == by_machine
