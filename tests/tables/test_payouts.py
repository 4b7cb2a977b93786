"""What the dealer puts down and takes: amounts, chips, and the same money that the ledger moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.rounds.state import LineRecord, Reason, SeatInRound
from croupier.tables.payouts import CHIPS, SeatPayout, chips_of, chips_words, payout
from croupier.tables.state import Table, rules_of

RULES = rules_of(Table("T1", "md-uth"))
WHY = Reason("hand_paid")


@pytest.mark.parametrize(
    ("cents", "words"),
    [
        (4_500, "one green, four red"),
        (100, "one white"),
        (750, "one red, two white, $0.50 in coin"),
        (166_600, "one yellow, one purple, one black, two green, three red, one white"),
        (1_200_000, "12 yellow"),
        (50, "$0.50 in coin"),
        (0, ""),
    ],
)
def test_an_amount_is_told_as_the_fewest_chips(cents: int, words: str) -> None:
    assert chips_words(cents) == words


@given(st.integers(0, 10**9))
def test_chips_and_coins_are_the_amount(cents: int) -> None:
    chips = chips_of(cents)
    assert sum(worth * count for worth, count in chips.items()) + cents % 100 == cents
    assert list(chips) == sorted(chips, reverse=True)
    following = dict(zip(list(CHIPS)[1:], CHIPS, strict=False))
    assert all(count * worth < following.get(worth, 10**12) for worth, count in chips.items())


def _paid(*lines: LineRecord) -> SeatPayout:
    return payout(SeatInRound(3, "ben", lines=lines), RULES)


def test_a_seat_is_paid_with_the_clause_of_every_line() -> None:
    won = LineRecord("ante", 1_000, "win", 1_000, "11.H(1)", WHY)
    pushed = LineRecord("blind", 1_000, "push", 0, "11.H(2)", WHY)
    ben = _paid(won, pushed)
    assert (ben.seat, ben.pays, ben.takes) == (3, 1_000, 0)
    assert [(line.wager, line.pays, line.clause) for line in ben.lines] == [
        ("ante", 1_000, "11.H(1)"),
        ("blind", 0, "11.H(2)"),
    ]


def test_a_progressive_that_was_collected_before_the_deal_comes_back_with_its_win() -> None:
    fixed = LineRecord("progressive", 100, "win", 4_900, "12.E", WHY)
    ben = _paid(fixed)
    assert (ben.pays, ben.takes) == (5_000, 0)
    lost = LineRecord("progressive", 100, "lose", -100, "12.E", WHY)
    ben = _paid(lost)
    assert (ben.pays, ben.takes) == (0, 0), "its chips are in the rack already"


def test_what_a_meter_pays_is_told_apart_from_the_chips() -> None:
    award = LineRecord("progressive", 100, "win", 999_900, "12.E", WHY, from_meter="main")
    ben = _paid(award)
    assert ben.pays == 0
    assert [(line.pays, line.from_meter) for line in ben.lines] == [(1_000_000, "main")]


def test_a_stake_that_is_lost_with_its_win_is_taken_and_the_odds_are_paid() -> None:
    line = LineRecord("trips", 500, "win", 1_000, "12.B", WHY, "3 to 1", stake_lost=True)
    ben = _paid(line)
    assert (ben.pays, ben.takes) == (1_500, 500)
