"""Jackpot Hold 'Em: every line of every paytable of chapter 12, on rigged deals."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from croupier.cards import parse_cards
from croupier.rounds.settlement import settle as settle_round
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.bundled import read_bundled
from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission
from tests.rules.table import Settled, seat, settle

BOOK = "md-jackpot"


class Deal(NamedTuple):
    """The hand is complete with the third community card and stays what it is to the end."""

    cards: str
    board: str
    dealer: str


DEALS = {
    "royal of diamonds": Deal("Ad Kd", "Qd Jd Td 2c 3h", "2s 9c"),
    "royal of spades": Deal("As Ks", "Qs Js Ts 2c 3h", "2d 9c"),
    "royal of hearts": Deal("Ah Kh", "Qh Jh Th 2c 3s", "2s 9c"),
    "royal of clubs": Deal("Ac Kc", "Qc Jc Tc 2d 3h", "2s 9d"),
    "straight flush": Deal("9h 8h", "7h 6h 5h Kc 2d", "Ks 3c"),
    "lowest straight flush": Deal("Ad 3d", "2d 5d 4d Kc Kh", "Ks 3c"),
    "four of a kind": Deal("8s 8h", "8d 8c 4s Kc 2d", "Ks 3c"),
    "full house": Deal("8s 8h", "8d 4c 4s Kc 2d", "Ks 3c"),
    "flush": Deal("Ah 9h", "7h 4h 2h Kc 3d", "Ks Qc"),
    "straight": Deal("9h 8c", "7d 6s 5h Kc 2d", "Ks Qc"),
    "lowest straight": Deal("Ah 3c", "2d 5s 4h Kc Td", "Ks Qc"),
    "three of a kind": Deal("8s 8h", "8d 5c 3s Kc Jd", "Ks Qc"),
    "two pair": Deal("8s 5h", "8d 5c 3s Kc Jd", "Ks Qc"),
    "pair": Deal("As 5h", "Ad 8c 3s Kc Jd", "Ks Qc"),
    "high card": Deal("As Qh", "9d 8c 3s 5c 2d", "Ks Jc"),
}


def dealt(
    hand: str, *, said: str = "3x", told: dict[str, Any] | None = None, **bets: Any
) -> Settled:
    deal = DEALS[hand]
    wagers = {"ante": 10, "x_tra_bonus": 10, **bets}
    return settle(
        BOOK,
        seat(deal.cards, said, **wagers),
        community=deal.board,
        dealer=deal.dealer,
        **told or {},
    )


@pytest.mark.clause(BOOK, "12.A")
@pytest.mark.parametrize("hand", ["royal of spades", "flush", "pair"])
def test_12_A_ante_and_play_pay_even_money_whatever_the_hand(hand: str) -> None:
    settled = dealt(hand, said="check 2x")
    for wager, won in (("ante", "10.00"), ("play", "20.00")):
        assert settled.result(wager) == "win"
        assert settled.net(wager) == won
        assert settled.clause(wager) == "12.A"


@pytest.mark.clause(BOOK, "12.B(1)", "12.B")
@pytest.mark.parametrize(
    ("hand", "net", "clause"),
    [
        ("royal of diamonds", "5000.00", "12.B(1)(a)"),
        ("royal of spades", "5000.00", "12.B(1)(a)"),
        ("straight flush", "500.00", "12.B(1)(b)"),
        ("lowest straight flush", "500.00", "12.B(1)(b)"),
        ("four of a kind", "100.00", "12.B(1)(c)"),
        ("full house", "40.00", "12.B(1)(d)"),
        ("flush", "20.00", "12.B(1)(e)"),
        ("straight", "10.00", "12.B(1)(f)"),
        ("lowest straight", "10.00", "12.B(1)(f)"),
        ("three of a kind", "0.00", "12.B(1)(g)"),
        ("two pair", "0.00", "12.B(1)(g)"),
        ("pair", "0.00", "12.B(1)(g)"),
        ("high card", "0.00", "12.B(1)(g)"),
    ],
)
def test_12_B_1_a_winning_x_tra_bonus(hand: str, net: str, clause: str) -> None:
    settled = dealt(hand)
    assert settled.result("x_tra_bonus") == ("push" if net == "0.00" else "win")
    assert settled.net("x_tra_bonus") == net
    assert settled.clause("x_tra_bonus") == clause


@pytest.mark.clause(BOOK, "12.B(1)")
def test_12_B_1_a_winning_hand_that_no_line_names_comes_back() -> None:
    """The printed table has a line for all of them; take it away and nothing changes."""
    text = read_bundled(BOOK, "game.toml")
    tree = tomllib.loads(text)
    assert tree["paytables"]["x_tra_bonus"]["A"]["lines"].pop()["hand"] == "less_than_straight"
    deal = DEALS["pair"]
    wagers = {"ante": 1000, "x_tra_bonus": 1000}
    ann = PlayedSeat(1, "Ann", parse_cards(deal.cards), wagers, ("3x",))
    played = CompletedRound((ann,), parse_cards(deal.board), parse_cards(deal.dealer))
    (outcome,) = settle_round(played, put_in_force(RulebookFile(tree, BOOK), Submission())).seats
    (x_tra,) = [line for line in outcome.lines if line.wager == "x_tra_bonus"]
    assert (x_tra.result, x_tra.net, x_tra.clause) == ("push", 0, "12.B(1)")


@pytest.mark.clause(BOOK, "12.C(1)", "12.C")
@pytest.mark.parametrize(
    ("hand", "net", "clause"),
    [
        ("royal of diamonds", "500.00", "12.C(1)(a)"),
        ("royal of spades", "500.00", "12.C(1)(a)"),
        ("straight flush", "200.00", "12.C(1)(b)"),
        ("four of a kind", "150.00", "12.C(1)(c)"),
        ("full house", "40.00", "12.C(1)(d)"),
        ("flush", "35.00", "12.C(1)(e)"),
        ("straight", "20.00", "12.C(1)(f)"),
        ("lowest straight", "20.00", "12.C(1)(f)"),
        ("three of a kind", "15.00", "12.C(1)(g)"),
        ("two pair", "-5.00", "11.J(1)"),
        ("pair", "-5.00", "11.J(1)"),
        ("high card", "-5.00", "11.J(1)"),
    ],
)
def test_12_C_1_player_bonus(hand: str, net: str, clause: str) -> None:
    settled = dealt(hand, player_bonus=5)
    assert settled.result("player_bonus") == ("lose" if net == "-5.00" else "win")
    assert settled.net("player_bonus") == net
    assert settled.clause("player_bonus") == clause


@pytest.mark.clause(BOOK, "12.C(1)", "11.J(1)")
def test_12_C_1_player_bonus_counts_all_seven_cards() -> None:
    told = seat("8s 5h", "3x", ante=10, x_tra_bonus=10, player_bonus=5)
    settled = settle(BOOK, told, community="8d Kc Jd 8c 2s", dealer="Ks Qc")
    assert settled.clause("player_bonus") == "12.C(1)(g)"


SHOWN = {"star": 12_000, "spade": 11_000, "heart": 6_000, "diamond": 1_500}
SHOWN_E = SHOWN | {"club": 700}

# The lines in printed order, (a) first. A word is the meter that is paid out whole, a number what
# the player receives in all for each dollar bet.
PROGRESSIVE: dict[str, tuple[str, list[str | int]]] = {
    "A": ("12.D(2)", ["star", "spade", "heart", "diamond", 50, 30, 20, 10, 4]),
    "B": ("12.D(3)", ["star", "star", "spade", "heart", "diamond", 30, 20, 10, 4]),
    "C": ("12.D(4)", ["star", "spade", "heart", "diamond", 60, 40, 30, 15]),
    "D": ("12.D(5)", ["star", "star", "spade", "heart", "diamond", 50, 30, 15]),
    "E": ("12.D(6)", ["star", "spade", "heart", "diamond", "club", 50, 30, 10]),
}
LINES = [
    ("royal of diamonds",),
    ("royal of spades", "royal of hearts", "royal of clubs"),
    ("straight flush", "lowest straight flush"),
    ("four of a kind",),
    ("full house",),
    ("flush",),
    ("straight", "lowest straight"),
    ("three of a kind",),
    ("two pair",),
]
# The smallest amounts a meter may start from and be reset to: the document's, in dollars.
RESETS = {
    "A": {"star": 10_000, "spade": 5_000, "heart": 1_000, "diamond": 500},
    "B": {"star": 10_000, "spade": 1_000, "heart": 500, "diamond": 100},
    "C": {"star": 10_000, "spade": 5_000, "heart": 1_000, "diamond": 500},
    "D": {"star": 10_000, "spade": 1_000, "heart": 500, "diamond": 100},
    "E": {"star": 10_000, "spade": 10_000, "heart": 5_000, "diamond": 1_000, "club": 250},
}


def paid_lines() -> Iterator[Any]:
    for table, (clause, payments) in PROGRESSIVE.items():
        for letter, pays, hands in zip("abcdefghi", payments, LINES, strict=False):
            for hand in hands:
                marks = pytest.mark.clause(BOOK, clause, "12.D(1)", "11.K(2)(d)")
                told = f"{table} {hand}"
                yield pytest.param(table, hand, pays, f"{clause}({letter})", marks=marks, id=told)


def unpaid_hands() -> Iterator[Any]:
    for table, (clause, payments) in PROGRESSIVE.items():
        for hand in [*(hand for (hand, *_) in LINES[len(payments) :]), "pair", "high card"]:
            marks = pytest.mark.clause(BOOK, clause)
            yield pytest.param(table, hand, marks=marks, id=f"{table} {hand}")


def progressive(table: str, hand: str, stake: int) -> tuple[Settled, dict[str, int]]:
    """The settlement, and what the meters showed before it."""
    shown = SHOWN_E if table == "E" else SHOWN
    told = {"paytables": {"progressive": table}, "meters": shown}
    return dealt(hand, progressive=stake, told=told), dict(shown)


def as_money(meters: dict[str, int]) -> dict[str, str]:
    return {name: f"{dollars}.00" for name, dollars in meters.items()}


@pytest.mark.parametrize(("table", "hand", "pays", "clause"), list(paid_lines()))
def test_12_D_progressive_pays_each_line(
    table: str, hand: str, pays: str | int, clause: str
) -> None:
    for stake in (1, 5):
        settled, meters = progressive(table, hand, stake)
        received = meters[pays] if isinstance(pays, str) else pays * stake
        assert settled.result("progressive") == "win"
        assert settled.net("progressive") == f"{received - stake}.00"
        assert settled.clause("progressive") == clause
        if isinstance(pays, str):
            meters[pays] = RESETS[table][pays]
        assert settled.meters == as_money(meters)


@pytest.mark.parametrize(("table", "hand"), list(unpaid_hands()))
def test_12_D_progressive_loses_below_the_last_line(table: str, hand: str) -> None:
    settled, meters = progressive(table, hand, 5)
    assert settled.result("progressive") == "lose"
    assert settled.net("progressive") == "-5.00"
    assert settled.clause("progressive") == "12.D(1)"
    assert settled.meters == as_money(meters)


LATE_TRIPS: dict[str, Any] = {"community": "8d Kc Jd 8c 2s", "dealer": "Ks Qc"}


@pytest.mark.parametrize(
    ("choice", "net"), [("first_three_community", "-1.00"), ("best_of_seven", "9.00")]
)
@pytest.mark.clause(BOOK, "7.F(3)", "12.D(1)")
def test_7_F_3_reading_progressive_hand(choice: str, net: str) -> None:
    """Three of a kind that the fourth community card completes."""
    told = seat("8s 5h", "3x", ante=10, x_tra_bonus=10, progressive=1)
    settled = settle(BOOK, told, **LATE_TRIPS, readings={"progressive_hand": choice})
    assert settled.net("progressive") == net


@pytest.mark.clause(BOOK, "12.D(1)")
def test_12_D_1_what_comes_late_does_not_spoil_the_progressive_hand() -> None:
    """A straight on the first three community cards that ends as a full house by the river."""
    told = seat("9h 8c", "3x", ante=10, x_tra_bonus=10, progressive=1, player_bonus=5)
    settled = settle(BOOK, told, community="7d 6s 5h 9c 9d", dealer="Ks Qc")
    assert settled.clause("progressive") == "12.D(2)(g)"


@pytest.mark.clause(BOOK, "12.E(11)")
def test_12_E_11_the_second_winner_of_a_round_finds_the_reset_amount() -> None:
    """Two fours of a kind: the higher seat number takes the meter first."""
    bets: dict[str, Any] = {"ante": 10, "x_tra_bonus": 10, "progressive": 1}
    seats = [
        seat("8h 8c", "3x", 1, **bets),
        seat("9h 9c", "3x", 6, **bets),
        seat("2h 7c", "3x", 3, **bets),
    ]
    table: dict[str, Any] = {"community": "9d 8d 8s 9s Kc", "dealer": "Ks Qc"}
    best: dict[str, Any] = {"readings": {"progressive_hand": "best_of_seven"}}
    settled = settle(BOOK, *seats, **table, **best, meters={"diamond": "812.34"})
    assert settled.net("progressive", 6) == "811.34"
    assert settled.net("progressive", 1) == "499.00"
    assert settled.meters["diamond"] == "500.00"


@pytest.mark.clause(BOOK, "12.E(11)")
def test_12_E_11_a_meter_goes_back_to_the_reset_of_the_submission() -> None:
    told = {"progressive": {"meters": {"diamond": {"seed": 600, "reset": 750, "rate": "0.2"}}}}
    settled = dealt("four of a kind", progressive=1, told=told | {"meters": {"diamond": 900}})
    assert settled.net("progressive") == "899.00"
    assert settled.meters["diamond"] == "750.00"


LIMITED = {"options": {"payout_limit": "50000", "minimum_wager": "5"}}


@pytest.mark.clause(BOOK, "12.F", "12.F(2)")
def test_12_F_2_the_limit_cuts_what_a_hand_wins_but_never_the_progressive() -> None:
    bets: dict[str, Any] = {"ante": 100, "x_tra_bonus": 100, "player_bonus": 5}
    free = dealt("royal of diamonds", **bets, progressive=1)
    cut = dealt("royal of diamonds", **bets, progressive=1, told=LIMITED)
    paid = [free.net(wager) for wager in ("ante", "x_tra_bonus", "play", "player_bonus")]
    assert paid == ["100.00", "50000.00", "300.00", "500.00"]
    assert cut.net("player_bonus") == "0.00"
    assert cut.net("play") == "0.00"
    assert cut.net("x_tra_bonus") == "49900.00"
    assert cut.net("ante") == "100.00"
    assert cut.net("progressive") == free.net("progressive") == "9999.00"
    x_tra = cut.line("x_tra_bonus")
    assert x_tra is not None
    assert "12.F" in x_tra["explanation"]


@pytest.mark.clause(BOOK, "12.F")
def test_12_F_without_a_limit_and_below_it_everything_is_paid() -> None:
    assert dealt("royal of diamonds", ante=200, x_tra_bonus=200).net("x_tra_bonus") == "100000.00"
    exact = dealt("royal of diamonds", ante=96, x_tra_bonus=96, said="3x", told=LIMITED)
    assert exact.net("x_tra_bonus") == "48000.00"
    assert exact.net("play") == "288.00"


@pytest.mark.clause(BOOK, "12.F")
def test_12_F_each_hand_of_a_player_has_its_own_limit() -> None:
    bets: dict[str, Any] = {"ante": 100, "x_tra_bonus": 100}
    seats = [seat("Ts 9s", "3x", 1, "p", **bets), seat("5s 4s", "3x", 2, "p", **bets)]
    options = {"payout_limit": "5000", "minimum_wager": "5", "adjacent_boxes": 2}
    settled = settle(BOOK, *seats, community="8s 7s 6s 2c 3d", dealer="Kd Kh", options=options)
    assert settled.seat(1)["net"] == settled.seat(2)["net"] == "5000.00"
