"""md-uth chapters 1 and 11: decisions, folds, the showdown and the dealer's qualifier."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.errors import CroupierError
from tests.rules.table import Settled, refused, seat, settle

BOARD = "Qh 9s 5d 4c Kh"
SIDE = ("trips", "six_card_bonus", "ultimate_pairs", "bad_beat", "play_the_board", "progressive")


def main(cards: str, said: str = "4x", board: str = BOARD, dealer: str = "Kc 2d") -> Settled:
    """A $10 hand with no side wagers; the dealer shows a pair of kings."""
    return settle("md-uth", seat(cards, said, ante=10, blind=10), community=board, dealer=dealer)


def no(said: str) -> CroupierError:
    told = seat("Ac Ad", said, ante=10, blind=10)
    return refused("md-uth", told, community=BOARD, dealer="2c 2d")


def three(told: Settled) -> list[tuple[str, str, str]]:
    lines = [told.line(wager) for wager in ("ante", "blind", "play")]
    return [(line["result"], line["net"], line["clause"]) for line in lines if line is not None]


# -- decisions --------------------------------------------------------------------------------


@pytest.mark.clause("md-uth", "11.B(1)", "11.D(1)", "11.F", "1.B(5)")
@pytest.mark.parametrize(
    ("said", "stake"),
    [("4x", "40.00"), ("3x", "30.00"), ("check 2x", "20.00"), ("check check 1x", "10.00")],
)
def test_11_the_play_wager_is_the_multiple_of_the_ante(said: str, stake: str) -> None:
    line = main("Ac Ad", said).line("play")
    assert line is not None
    assert (line["stake"], line["net"]) == (stake, stake)


@pytest.mark.clause("md-uth", "11.B(1)")
@pytest.mark.parametrize("said", ["1x", "2x", "5x", "fold", "raise", ""])
def test_11_B_1_before_the_flop_only_check_three_or_four(said: str) -> None:
    error = refused(
        "md-uth", seat("Ac Ad", said, ante=10, blind=10), community=BOARD, dealer="2c 2d"
    )
    assert (error.code, error.clause) == ("rule_broken", "11.B(1)")


@pytest.mark.clause("md-uth", "11.D(1)", "11.B(2)(b)")
@pytest.mark.parametrize("said", ["check", "check 1x", "check 3x", "check 4x", "check fold"])
def test_11_D_1_after_the_flop_only_check_or_two(said: str) -> None:
    error = refused(
        "md-uth", seat("Ac Ad", said, ante=10, blind=10), community=BOARD, dealer="2c 2d"
    )
    assert (error.code, error.clause) == ("rule_broken", "11.D(1)")


@pytest.mark.clause("md-uth", "11.F", "11.D(2)(b)", "1.B(4)")
@pytest.mark.parametrize("last", ["", "check", "2x", "3x", "4x"])
def test_11_F_at_the_end_only_one_or_fold(last: str) -> None:
    error = no(f"check check {last}")
    assert (error.code, error.clause) == ("rule_broken", "11.F")


@pytest.mark.clause("md-uth", "11.B(1)", "11.D(1)", "11.F")
@pytest.mark.parametrize("said", ["4x 2x", "4x check", "check 2x 1x", "check check 1x 1x"])
def test_11_there_is_one_play_wager_in_a_round(said: str) -> None:
    error = refused(
        "md-uth", seat("Ac Ad", said, ante=10, blind=10), community=BOARD, dealer="2c 2d"
    )
    assert error.code == "rule_broken"


@pytest.mark.clause("md-uth", "1.B(1)", "11.B(2)(b)", "11.D(2)(b)")
def test_1_B_1_who_checks_is_still_in() -> None:
    told = main("Ac Ad", "check check 1x")
    assert [told.result(wager) for wager in ("ante", "play")] == ["win", "win"]


# -- folding ----------------------------------------------------------------------------------


@pytest.mark.clause("md-uth", "1.B(4)", "11.F(2)")
def test_11_F_2_a_fold_loses_ante_and_blind_even_with_the_better_hand() -> None:
    told = main("Ac Ad", "check check fold")
    assert three(told) == [("lose", "-10.00", "11.F(2)"), ("lose", "-10.00", "11.F(2)")]
    assert told.line("play") is None


@pytest.mark.clause("md-uth", "11.F(2)", "11.H(1)")
def test_11_F_2_a_folders_ante_is_gone_when_the_dealer_has_nothing() -> None:
    told = main("Ac Ad", "check check fold", dealer="7c 2d")
    assert told.dealer["qualifies"] is False
    assert told.net("ante") == "-10.00"


def folder(**readings: str) -> Settled:
    """Three queens folded against three kings, with every side wager down."""
    wagers: dict[str, Any] = dict.fromkeys(SIDE, 5)
    return settle(
        "md-uth",
        seat("Qc Qd", "check check fold", ante=10, blind=10, **wagers),
        community="Qh Ks 5d 5c Kh",
        dealer="Kc 2d",
        box="2h 3s Qs 9c",
        paytables={"trips": "A", "progressive": "B", "play_the_board": "A", "bad_beat": "A"},
        readings=readings,
    )


@pytest.mark.clause("md-uth", "11.F(3)(a)", "11.F(3)(c)", "11.I(2)", "11.I(4)")
@pytest.mark.parametrize("reading", ["stand", "lose"])
def test_11_F_3_trips_and_six_card_bonus_outlive_a_fold(reading: str) -> None:
    told = folder(side_wagers_after_fold=reading)
    assert told.net("trips") == "45.00"
    assert told.net("six_card_bonus") == "25.00"


@pytest.mark.clause("md-uth", "11.F(2)")
def test_11_F_2_the_other_side_wagers_stand_after_a_fold() -> None:
    told = folder()
    nets = [told.net(wager) for wager in SIDE[2:]]
    assert nets == ["50.00", "200.00", "15.00", "40.00"]


def test_11_F_2_read_otherwise_the_other_side_wagers_are_lost() -> None:
    told = folder(side_wagers_after_fold="lose")
    for wager in SIDE[2:]:
        assert (told.result(wager), told.net(wager), told.clause(wager)) == (
            "lose",
            "-5.00",
            "11.F(2)",
        )


# -- the showdown -----------------------------------------------------------------------------


@pytest.mark.clause("md-uth", "11.G(2)")
@pytest.mark.parametrize(
    ("dealer", "hand"),
    [
        ("Kc Kd", "three_of_a_kind"),
        ("Qc 2d", "pair"),
        ("Th Jh", "straight"),
        ("2c 3d", "high_card"),
    ],
    ids=["two own cards", "one own card", "with the ten and jack", "none"],
)
def test_11_G_2_the_dealer_takes_the_best_five_of_seven(dealer: str, hand: str) -> None:
    assert main("Ac Ad", dealer=dealer).dealer["hand"] == hand


@pytest.mark.clause("md-uth", "11.H(2)(b)")
def test_11_H_2_b_the_player_takes_the_best_five_of_seven() -> None:
    told = main("Ac Qd", board="Qh Qs 5d 5c Ah")
    assert told.seat(1)["hand"] == "full_house"
    assert set(told.seat(1)["best"].split()) == {"Qd", "Qh", "Qs", "Ac", "Ah"}
    assert main("2c 3d", board="Ah Kh Qh Jh Th").seat(1)["hand"] == "royal_flush"


@pytest.mark.clause("md-uth", "11.H(3)(a)", "11.H(2)")
def test_11_H_3_a_the_lower_hand_loses_all_three() -> None:
    told = main("9c 3d", "check 2x")
    assert three(told) == [
        ("lose", "-10.00", "11.H(3)(a)"),
        ("lose", "-10.00", "11.H(3)(a)"),
        ("lose", "-20.00", "11.H(3)(a)"),
    ]


@pytest.mark.clause("md-uth", "11.H(3)(a)", "12.B(1)")
def test_11_H_3_a_a_blind_that_loses_is_never_paid() -> None:
    told = main("Ac Ad", board="Ah Kd Kc 7s 2h", dealer="Kh Ks")
    assert told.seat(1)["hand"] == "full_house"
    assert told.net("blind") == "-10.00"


@pytest.mark.clause("md-uth", "11.H(3)(b)", "12.A", "11.H(2)")
def test_12_A_ante_and_play_win_even_money() -> None:
    told = main("Ac Ad")
    assert told.dealer == {"hand": "pair", "best": told.dealer["best"], "qualifies": True}
    assert three(told) == [
        ("win", "10.00", "12.A"),
        ("push", "0.00", "12.B(1)(g)"),
        ("win", "40.00", "12.A"),
    ]
    assert told.seat(1)["net"] == "50.00"


@pytest.mark.clause("md-uth", "11.H(3)(d)")
def test_11_H_3_d_a_tie_returns_all_three() -> None:
    told = main("Kd 2h")
    assert three(told) == [("push", "0.00", "11.H(3)(d)")] * 3


@pytest.mark.clause("md-uth", "11.H(3)(d)")
def test_11_H_3_d_a_tie_with_a_royal_flush_pays_no_blind() -> None:
    assert main("2c 3d", board="Ah Kh Qh Jh Th").net("blind") == "0.00"


@pytest.mark.clause("md-uth", "11.H(1)")
@pytest.mark.parametrize(
    ("cards", "others"),
    [
        ("Ac 2h", [("push", "0.00", "12.B(1)(g)"), ("win", "40.00", "12.A")]),
        ("3c 2h", [("lose", "-10.00", "11.H(3)(a)"), ("lose", "-40.00", "11.H(3)(a)")]),
        ("Jd 7h", [("push", "0.00", "11.H(3)(d)"), ("push", "0.00", "11.H(3)(d)")]),
        ("Qc 2h", [("push", "0.00", "12.B(1)(g)"), ("win", "40.00", "12.A")]),
    ],
    ids=["higher", "lower", "equal", "a pair"],
)
def test_11_H_1_ante_returns_when_dealer_has_less_than_a_pair(
    cards: str, others: list[tuple[str, str, str]]
) -> None:
    told = main(cards, dealer="Jc 7d")
    assert told.dealer["qualifies"] is False
    assert three(told) == [("push", "0.00", "11.H(1)"), *others]


@pytest.mark.clause("md-uth", "11.H(1)", "12.B(1)")
def test_11_H_1_a_blind_is_paid_although_the_dealer_has_nothing() -> None:
    told = main("Ts Jd", dealer="3c 2d")
    assert [told.net(wager) for wager in ("ante", "blind", "play")] == ["0.00", "10.00", "40.00"]


@pytest.mark.clause("md-uth", "11.H(1)", "11.H(2)")
@pytest.mark.parametrize(
    ("board", "dealer"), [("2h 9s 5d 4c Kh", "2c 7d"), ("2h 2s 5d 8c Kh", "3c 7d")]
)
def test_11_H_2_a_pair_of_twos_qualifies(board: str, dealer: str) -> None:
    told = main("Ac Ad", board=board, dealer=dealer)
    assert told.dealer["qualifies"] is True
    assert told.net("ante") == "10.00"


@pytest.mark.clause("md-uth", "11.I(1)", "11.I(2)", "1.B(7)")
@pytest.mark.parametrize(("dealer", "main_result"), [("Kc Kd", "lose"), ("2c 3d", "win")])
def test_11_I_2_trips_pays_whoever_wins(dealer: str, main_result: str) -> None:
    told = settle(
        "md-uth",
        seat("Qc Qd", "4x", ante=10, blind=10, trips=5),
        community=BOARD,
        dealer=dealer,
        paytables={"trips": "A"},
    )
    assert told.result("play") == main_result
    assert (told.result("trips"), told.net("trips")) == ("win", "15.00")
