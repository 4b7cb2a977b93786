"""Amounts as they are typed: exact to the cent, and nonsense is refused in plain words."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import BadRequest
from croupier.money import dollars, format_cents
from croupier.school.drills.amounts import cents_typed


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("17.50", 1750),
        (" $17.5 ", 1750),
        ("1,750", 175_000),
        ("$1,234,567.89", 123_456_789),
        ("-20", -2000),
        ("-$20", -2000),
        ("−20", -2000),
        ("+$45", 4500),
        ("0", 0),
        ("0.01", 1),
        ("007", 700),
    ],
)
def test_what_a_dealer_types(text: str, cents: int) -> None:
    assert cents_typed(text) == cents


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "nothing was typed"),
        ("   ", "nothing was typed"),
        ("17,50", "before the cents"),
        ("17.505", "fraction of a cent"),
        ("ten", "not an amount"),
        ("1e3", "not an amount"),
        ("NaN", "not an amount"),
        ("--5", "not an amount"),
        ("5-", "not an amount"),
        ("1.2.3", "not an amount"),
        ("17.", "not an amount"),
        ("1,75,0", "not an amount"),
        ("٣", "not an amount"),
        ("0x10", "not an amount"),
        ("5\n", ""),
        ("9" * 50, "not an amount"),
        ("1" + " " * 200 + "2", "not an amount"),
        ("<b>5</b>", "not an amount"),
    ],
)
def test_nonsense_is_refused_in_plain_words(text: str, reason: str) -> None:
    if not reason:
        assert cents_typed(text) == 500  # white space around it
        return
    with pytest.raises(BadRequest, match=reason):
        cents_typed(text)


@given(st.integers(-(10**11), 10**11))
def test_every_amount_is_read_as_it_is_written(cents: int) -> None:
    assert cents_typed(format_cents(cents)) == cents
    assert cents_typed(dollars(cents)) == cents


@given(st.text("0123456789.,$+-− e٣", max_size=30))
def test_any_text_is_an_amount_or_refused(text: str) -> None:
    with suppress(BadRequest):
        assert isinstance(cents_typed(text), int)
