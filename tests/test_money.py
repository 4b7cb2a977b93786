"""Exact amounts, and what a paytable line pays."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import BadAmount, BadData
from croupier.money import (
    Fixed,
    For,
    MeterShare,
    Money,
    Push,
    To,
    dollars,
    format_cents,
    parse_cents,
    parse_pays,
)

CENTS = st.integers(-(10**15), 10**15)


@given(CENTS)
def test_every_amount_reads_back(cents: int) -> None:
    assert parse_cents(format_cents(cents)) == cents
    assert format_cents(cents).rpartition(".")[2].isdigit()


@given(st.integers(-(10**13), 10**13))
def test_whole_dollars(amount: int) -> None:
    assert parse_cents(amount) == parse_cents(str(amount)) == amount * 100


@pytest.mark.parametrize(
    ("written", "cents"),
    [
        ("7.50", 750),
        ("7.5", 750),
        ("10", 1000),
        (10, 1000),
        ("0.01", 1),
        ("-10.00", -1000),
        (" 5 ", 500),
        ("007", 700),
        ("0", 0),
        ("-0", 0),
        ("10000000000000.00", 10**15),
    ],
)
def test_amounts(written: object, cents: int) -> None:
    assert parse_cents(written) == cents


@pytest.mark.parametrize(
    "written",
    [
        *("", " ", "x", "1.234", ".5", "5.", "+5", "--5", "1,000", "1_000", "$5", "5 $", "1e3"),
        *("NaN", "inf", "0x1", "1/2", "１", "٣", "5\x00", "1 0", "10000000000000.01", "9" * 16),
        *(1.0, 0.1, float("nan"), float("inf"), 1e300, True, False, None, [], {}, b"5"),
        *(10**14, -(10**14), 10**400, "9" * 5000, Fraction(1, 2)),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_amount(written: object) -> None:
    with pytest.raises(BadAmount) as refused:
        parse_cents(written)
    assert len(refused.value.message) < 250


@pytest.mark.parametrize(
    ("cents", "printed", "people"),
    [
        (0, "0.00", "$0"),
        (750, "7.50", "$7.50"),
        (-1000, "-10.00", "-$10"),
        (-5, "-0.05", "-$0.05"),
        (1_250_000, "12500.00", "$12,500"),
    ],
)
def test_amounts_as_printed(cents: int, printed: str, people: str) -> None:
    assert format_cents(cents) == printed
    assert dollars(cents) == people


def test_to_gives_the_stake_back_and_for_does_not() -> None:
    """The contract's own figures: 9 for 1 on 1 is 8.00, 9 to 1 on 1 is 9.00."""
    assert For(9).winnings(100) == 800
    assert To(9, 1).winnings(100) == 900
    assert To(1, 1).winnings(1000) == 1000


@pytest.mark.parametrize(("stake", "won"), [(2, 3), (3, 5), (1, 2), (100, 150), (1235, 1853)])
def test_half_a_cent_is_rounded_for_the_player(stake: int, won: int) -> None:
    assert To(3, 2).winnings(stake) == won


@given(st.integers(1, 10**9), st.integers(1, 500), st.integers(1, 20))
def test_odds_are_exact_up_to_the_cent(stake: int, n: int, d: int) -> None:
    assert 0 <= To(n, d).winnings(stake) - Fraction(stake * n, d) < 1


@given(st.integers(0, 10**15), st.integers(1, 100))
def test_a_share_of_a_meter_is_rounded_down(shown: int, percent: int) -> None:
    award = MeterShare("main", percent).award(shown)
    assert 0 <= Fraction(shown * percent, 100) - award < 1
    assert MeterShare("main", 100).award(shown) == shown


@pytest.mark.parametrize(
    ("written", "pays"),
    [
        ("500 to 1", To(500, 1)),
        ("3 to 2", To(3, 2)),
        ("1,000 to 1", To(1000, 1)),
        ("300 for 1", For(300)),
        ("$200", Fixed(20_000)),
        ("$1,000,000", Fixed(100_000_000)),
        ("$7.50", Fixed(750)),
        ("100% of main", MeterShare("main", 100)),
        ("5% of mega", MeterShare("mega", 5)),
        ("push", Push()),
    ],
)
def test_payouts_as_dealers_write_them(written: str, pays: Any) -> None:
    assert parse_pays(written) == pays
    assert str(pays)


@pytest.mark.parametrize(
    "written",
    [
        *("", "5", "5 to", "to 1", "5 to 0", "0 to 1", "0 for 1", "5 for 2", "5  to 1", " 5 to 1"),
        *(", to 1", "$", "$,", "$-5", "$1.5", "-5 to 1", "5.5 to 1", "0% of main", "101% of main"),
        *("5% of", "5 % of main", "5% of two words", "Push", "PUSH", "nothing", "٣ to 1"),
        *("9" * 20 + " to 1", "1 to " + "9" * 20, "$" + "9" * 20, "x" * 10_000),
    ],
    ids=lambda text: text[:20],
)
def test_payouts_nobody_pays(written: str) -> None:
    with pytest.raises((BadData, BadAmount)) as refused:
        parse_pays(written)
    assert len(refused.value.message) < 250


# -- Money, what the library hands out -------------------------------------------------------------


@given(CENTS)
def test_money_reads_back_prints_and_can_be_kept(cents: int) -> None:
    money = Money.of_cents(cents)
    assert (money.cents, money.text, str(money)) == (cents, format_cents(cents), dollars(cents))
    assert Money(money) is money
    assert eval(repr(money)) == Money(money.text) == money
    assert parse_cents(money) == cents
    assert pickle.loads(pickle.dumps(money)) == money
    assert copy.copy(money) is copy.deepcopy(money) is money
    assert bool(money) == (cents != 0)


SMALL = st.integers(-(10**12), 10**12)


@given(SMALL, SMALL, st.integers(-1000, 1000))
def test_money_counts_like_its_cents(a: int, b: int, times: int) -> None:
    one, two = Money.of_cents(a), Money.of_cents(b)
    assert (one + two).cents == a + b
    assert (one - two).cents == a - b
    assert (one * times).cents == (times * one).cents == a * times
    assert (-one).cents == -a
    assert abs(one).cents == abs(a)
    assert (one < two, one <= two, one > two, one >= two, one == two) == (
        *(a < b, a <= b, a > b, a >= b, a == b),
    )
    assert sum([one, two]) == one + two
    assert (one + times).cents == (times + one).cents == a + 100 * times
    assert (times - one).cents == 100 * times - a
    if b:
        assert one / two == Fraction(a, b)
    if times:
        assert one / times == Fraction(a, 100 * times)


@given(st.integers(-(10**9), 10**9))
def test_money_equals_whole_dollars_and_hashes_like_them(amount: int) -> None:
    assert Money(amount) == amount
    assert hash(Money(amount)) == hash(amount)
    assert len({Money(amount), amount}) == 1


def test_money_shows_its_sign_where_that_is_wanted() -> None:
    assert (
        f"{Money('7.50'):+} {Money(-10):+} {Money(0):+} {Money(12500)}" == "+$7.50 -$10 $0 $12,500"
    )
    assert f"{Money(5):>6}|{Money(5):+>6}" == "    $5|   +$5"


def test_money_never_meets_a_float_and_never_changes() -> None:
    money = Money("7.50")
    wrong: Any
    for wrong in (7.5, True, None, "7.505", "ten", [], Fraction(15, 2)):
        with pytest.raises(BadAmount):
            Money(wrong)
    half: Any = 0.5
    sums: list[Callable[[], object]] = [
        lambda: money + half,
        lambda: half + money,
        lambda: money - half,
        lambda: money * half,
        lambda: money / half,
        lambda: money < half,
    ]
    for count in sums:
        with pytest.raises(TypeError):
            count()
    assert money != 7.5
    assert money != "7.50"
    with pytest.raises(AttributeError):
        money.cents = 800
    with pytest.raises(AttributeError):
        money.color = "red"
