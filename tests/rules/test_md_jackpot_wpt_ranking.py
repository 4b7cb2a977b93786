"""Chapter 6 of md-jackpot and md-wpt, which rank hands alike: who beats whom at a real showdown."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import pytest

from tests.rules.table import Settled, seat, settle

DOCUMENTS = ("md-jackpot", "md-wpt")
both = pytest.mark.parametrize("rulebook", DOCUMENTS)


def clauses(*ids: str) -> tuple[pytest.MarkDecorator, ...]:
    """The two documents letter this chapter alike."""
    return tuple(pytest.mark.clause(document, *ids) for document in DOCUMENTS)


def row(told: str, ids: str, board: str, higher: str, lower: str) -> Any:
    return pytest.param(board, higher, lower, id=told, marks=clauses(*ids.split()))


def showdown(rulebook: str, board: str, player: str, dealer: str) -> str:
    """What becomes of the bet that is decided by comparison alone."""
    second, decided = {"md-jackpot": ("x_tra_bonus", "play"), "md-wpt": ("odds", "raise")}[rulebook]
    bets: dict[str, Any] = {"ante": 10, second: 10}
    settled = settle(rulebook, seat(player, "3x", **bets), community=board, dealer=dealer)
    return settled.result(decided)


def beats(rulebook: str, board: str, higher: str, lower: str) -> None:
    assert showdown(rulebook, board, higher, lower) == "win"
    assert showdown(rulebook, board, lower, higher) == "lose"


@both
@pytest.mark.parametrize(
    ("board", "higher", "lower"),
    [
        row("royal over straight flush", "6.D 6.D(1)", "Ks Qs Js Ts 2d", "As 3c", "9s 3d"),
        row("straight flush over quads", "6.D 6.D(2)", "9s 8s 7s 4h 4d", "6s 5s", "4s 4c"),
        row("quads over full house", "6.D 6.D(3)", "9s 9h 5d 5c 2h", "5s 5h", "9d 3c"),
        row("full house over flush", "6.D 6.D(4)", "9s 9h 5s 4s 2d", "9d 5c", "As Ks"),
        row("flush over straight", "6.D 6.D(5)", "9s 8s 7s 3d 2c", "As 2s", "Jd Td"),
        row("straight over trips", "6.D 6.D(6)", "9s 8h 7d 2c 2d", "Jc Ts", "2s Ah"),
        row("trips over two pair", "6.D 6.D(7)", "9s 7h 5d Ac 2d", "5s 5h", "As 9h"),
        row("two pair over pair", "6.D 6.D(8)", "9s 7h 5d 2c Qs", "5s 2h", "Ah Ad"),
        row("pair over high card", "6.D 6.D(9)", "9s 7h 5d 3c Qs", "3s 2h", "Ah Kd"),
    ],
)
def test_6_D_categories_in_order(rulebook: str, board: str, higher: str, lower: str) -> None:
    beats(rulebook, board, higher, lower)


@both
@pytest.mark.parametrize(
    ("board", "higher", "lower"),
    [
        row("king-high straight flush best", "6.D(2)", "Qs Js Ts 9s 2d", "Ks 3c", "8s 3d"),
        row("five-high straight flush worst", "6.D(2) 6.B", "5s 4s 3s 2s Kd", "6s 9c", "As 9d"),
        row("yet a straight flush", "6.D(2) 6.B", "5s 4s 3s Kd Kh", "As 2s", "Ks Kc"),
        row("four aces best", "6.D(3)", "As Ah Ks Kh 2d", "Ad Ac", "Kd Kc"),
        row("four twos worst", "6.D(3)", "2s 2h 3s 3h 9d", "3d 3c", "2d 2c"),
        row("aces full of kings best", "6.D(4)", "As Ah Ks Kh 2c", "Ad 3d", "Kd 3c"),
        row("the three before the pair", "6.D(4)", "2s 2h 3s 3h 9d", "3d 5c", "2d 5h"),
        row("the pair next", "6.D(4)", "8s 8h 8d 5c 4d", "5s Kd", "4s Kh"),
        row("ace-king-queen-jack-nine best", "6.D(5)", "As Ks Qs Js 2d", "9s 3c", "8s 3d"),
        row("seven-high flush worst", "6.D(5)", "5s 4s 3s 2s Kd", "8s 9c", "7s 9d"),
        row("ace-high straight best", "6.D(6)", "Ks Qh Jd Tc 2s", "Ah 3c", "9h 3d"),
        row("five-high straight worst", "6.D(6) 6.B", "5s 4h 3d 2c Ks", "6h 9c", "Ah 9d"),
        row("yet a straight", "6.D(6) 6.B", "5s 4h 3d Kc Kd", "Ah 2c", "Ks 9h"),
        row("three aces best", "6.D(7)", "As Kh 7d 4c 2s", "Ah Ad", "Kd Kc"),
        row("three twos worst", "6.D(7)", "3s 2h 9d Jc Ks", "3h 3d", "2s 2d"),
        row("aces and kings best", "6.D(8)", "As Kh Qd 7c 4s", "Ah Kd", "Ad Qh"),
        row("threes and twos worst", "6.D(8)", "2s 2h 9d Jc Ks", "4s 4h", "3s 3h"),
        row("two aces best", "6.D(9)", "9s 7h 5d 3c Qs", "Ah Ad", "Kh Kd"),
        row("two twos worst", "6.D(9)", "9s 7h 5d 3c 2s", "3s Jh", "2h Jd"),
    ],
)
def test_6_D_order_within_a_category(rulebook: str, board: str, higher: str, lower: str) -> None:
    beats(rulebook, board, higher, lower)


@both
@pytest.mark.parametrize(
    ("board", "higher", "lower"),
    [
        row("queen-king-ace-two-three", "6.B", "Ks Qh 2d 3c 8s", "8h 4d", "Ah 9c"),
        row("jack-queen-king-ace-two", "6.B", "Ks Qh Jd 2c 8s", "2h 3d", "Ah 9c"),
        row("king-ace-two-three-four", "6.B", "Ks 2h 3d 4c 8s", "2d 7d", "Ah Jc"),
        row("the same of one suit is a flush", "6.B", "Ks Qs 2s 8d 8h", "8c 2d", "As 3s"),
    ],
)
def test_6_B_no_sequence_runs_round_the_ace(
    rulebook: str, board: str, higher: str, lower: str
) -> None:
    beats(rulebook, board, higher, lower)


@both
@pytest.mark.clause("md-jackpot", "6.A")
@pytest.mark.clause("md-wpt", "6.A")
def test_6_A_ranks_run_from_the_ace_down_to_the_two(rulebook: str) -> None:
    for high, low in pairwise("AKQJT9876543"):
        beats(rulebook, "2s 2h 2d 2c 3s", f"{high}h 3h", f"{low}d 3c")
    beats(rulebook, "As Ah Ad Ac 2s", "3h 2d", "2h 2c")


@both
@pytest.mark.clause("md-jackpot", "6.C")
@pytest.mark.clause("md-wpt", "6.C")
def test_6_C_no_suit_is_above_another(rulebook: str) -> None:
    for mine, theirs in permutations("shdc", 2):
        cards = f"A{mine} K{theirs}", f"A{theirs} K{mine}"
        assert showdown(rulebook, "9s 7h 5d 3c Qs", *cards) == "push"


@both
@pytest.mark.parametrize(
    ("board", "higher", "lower"),
    [
        row("highest card", "6.E 6.E(1)", "9s 7h 5d 3c Qs", "Ah 2d", "Kh Jc"),
        row("second highest card", "6.E 6.E(1)", "9s 7h 5d 3c Qs", "Ah Jd", "Ad Th"),
        row("beside a pair", "6.E 6.E(1)", "9s 7h 5d 3c Qs", "Qh Ad", "Qd Kh"),
        row("beside two pairs", "6.E 6.E(1)", "9s 9h 5d 5c 2s", "Ah 3c", "Kh Qd"),
        row("beside three of a kind", "6.E 6.E(1)", "9s 9h 9d 5c 2s", "Ah 3c", "Kh Qd"),
        row("beside four of a kind", "6.E 6.E(1)", "7s 7h 7d 7c 3s", "Ah 2c", "Kh Qc"),
        row("the pair before its kicker", "6.E", "9s 7h 5d 3c Ks", "9h 2d", "7c Ah"),
    ],
)
def test_6_E_1_equal_ranks_are_decided_by_the_highest_other_card(
    rulebook: str, board: str, higher: str, lower: str
) -> None:
    beats(rulebook, board, higher, lower)


@both
@pytest.mark.parametrize(
    ("board", "mine", "theirs"),
    [
        row("the same ranks", "6.E(2)", "9s 7h 5d 3c Qs", "Ah 2d", "Ac 2h"),
        row("the board plays", "6.E(2)", "As Kd Qh Js 9c", "3h 2d", "4h 2c"),
        row("a sixth card never counts", "6.E(2)", "Ks Kd Qh Qs Ac", "Jh 2d", "3h 2c"),
        row("a royal flush on the board", "6.E(2)", "As Ks Qs Js Ts", "9s 2d", "Ah Ad"),
    ],
)
def test_6_E_2_identical_hands_tie(rulebook: str, board: str, mine: str, theirs: str) -> None:
    assert showdown(rulebook, board, mine, theirs) == "push"


@both
@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("As Ks Qs Js Ts", "royal_flush"),
        ("Ks Qs Js Ts 9s", "straight_flush"),
        ("4s 4h 4d 4c 9s", "four_of_a_kind"),
        ("4s 4h 4d 9c 9s", "full_house"),
        ("As Js 9s 5s 2s", "flush"),
        ("9s 8h 7d 6c 5s", "straight"),
        ("4s 4h 4d Kc 9s", "three_of_a_kind"),
        ("4s 4h 9d 9c Ks", "two_pair"),
        ("4s 4h 9d Qc Ks", "pair"),
        ("4s 6h 9d Qc Ks", "high_card"),
    ],
)
@pytest.mark.clause("md-jackpot", "6.D")
@pytest.mark.clause("md-wpt", "6.D", "1.B(3)")
def test_6_D_each_hand_has_its_name(rulebook: str, cards: str, name: str) -> None:
    second = {"md-jackpot": "x_tra_bonus", "md-wpt": "odds"}[rulebook]
    bets: dict[str, Any] = {"ante": 10, second: 10}
    settled: Settled = settle(
        rulebook, seat("3c 2d", "3x", **bets), community=cards, dealer="3h 2h"
    )
    assert settled.seat(1)["hand"] == settled.dealer["hand"] == name
    assert sorted(settled.seat(1)["best"].split()) == sorted(cards.split())
