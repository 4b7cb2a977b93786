"""Lines left open: how they are written, and every way to fill them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from croupier.errors import BadRequest, UnknownName
from croupier.mathematics.questions.open_lines.open_table import (
    OpenTable,
    VariedLine,
    read_range,
    read_varied,
)
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission

RULES = put_in_force(load_rulebook("md-uth"), Submission())


def opened(*texts: str, family: str = "trips") -> OpenTable:
    return OpenTable.of(RULES, family, "A", [read_varied(text) for text in texts])


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("flush=4..6", [4, 5, 6]),
        ("flush=1..2:1/2", [1, Fraction(3, 2), 2]),
        ("flush=1..2:0.4", [1, Fraction(7, 5), Fraction(9, 5)]),
        ("flush=5", [5]),
        ("flush=0..1", [0, 1]),
    ],
)
def test_a_range_is_read(text: str, values: list[Fraction]) -> None:
    assert list(read_varied(text).values()) == values


@pytest.mark.parametrize(
    "text",
    [
        *(
            "flush",
            "=1..2",
            "flush=",
            "flush=2..1",
            "flush=1..2:0",
            "flush=1..2:-1",
            "flush=--1..2",
        ),
        *("flush=nan..2", "flush=1e9..2", "flush=1..2..3", "flush=1/0..2", "flush=1..2:"),
    ],
)
def test_a_range_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(BadRequest, match="--vary"):
        read_varied(text)


def test_an_edge_may_be_below_zero() -> None:
    assert read_range("-1.5..2", "--edge") == (Fraction(-3, 2), Fraction(2))
    for text in ("2..1", "", "..", "x", "1..2..3"):
        with pytest.raises(BadRequest, match="--edge"):
            read_range(text, "--edge")


def test_a_better_hand_never_pays_less() -> None:
    """Trips A: full house 9 to 1, flush 7, straight 4, three of a kind 3."""
    table = opened("straight=1..12", "flush=1..12")
    found = set(table.candidates())
    assert found == {
        (Fraction(flush), Fraction(straight))
        for flush, straight in product(range(1, 13), repeat=2)
        if 9 >= flush >= straight >= 3
    }
    assert len(set(table.candidates(any_order=True))) == table.count == 144


def test_what_is_printed_out_of_order_may_stay_so() -> None:
    table = opened("flush=5..9")
    swapped = OpenTable(
        table.filled([Fraction(2)]), "trips", "A", (VariedLine("flush", Fraction(1), Fraction(4)),)
    )
    assert [int(flush) for (flush,) in swapped.candidates()] == [1, 2, 3, 4]


def test_filling_changes_the_open_lines_only() -> None:
    table = opened("flush=0..9:1/2")
    printed = {line.hand: line.pays for line in table.printed.lines}
    filled = table.filled([Fraction(13, 2)]).book.paytables["trips"]["A"]
    assert {line.hand: line.pays for line in filled.lines} == printed | {"flush": "13 to 2"}
    assert table.pays_of([Fraction(0)])["flush"] == "push"
    assert {line.hand: line.pays for line in table.printed.lines} == printed


def test_only_odds_of_the_table_are_open() -> None:
    with pytest.raises(UnknownName, match="did you mean 'flush'"):
        opened("flsh=1..2")
    with pytest.raises(BadRequest, match="twice"):
        opened("flush=1..2", "flush=3..4")
    with pytest.raises(BadRequest, match="meter"):
        opened("royal_flush=1..2", family="progressive")


def test_minus_1_is_a_line_of_a_side_wager_that_is_not_paid() -> None:
    table = opened("straight=-1..1")
    (line,) = table.lines
    assert [table.pays_of((pay,))["straight"] for pay in line.values()] == [
        "not paid",
        "push",
        "1 to 1",
    ]
    for texts, family, why in (
        (("straight=-1",), "blind", "side wagers"),
        (("straight=-2..1",), "trips", "only -1"),
        (("straight=-1..1:1/2",), "trips", "only -1"),
    ):
        with pytest.raises(BadRequest, match=why):
            opened(*texts, family=family)


def test_a_line_whose_hands_another_line_would_pay_is_never_left_out() -> None:
    rules, refused = put_in_force(load_rulebook("md-wpt"), Submission()), 0
    for family, tables in rules.book.paytables.items():
        for table_id in tables:
            table = OpenTable.of(rules, family, table_id, [])
            if not table.is_side:
                continue
            for hand, worth in table.worths.items():
                if worth is not None and (other := table._paid_instead(hand)):
                    with pytest.raises(BadRequest, match=other):
                        OpenTable.of(rules, family, table_id, [read_varied(f"{hand}=-1")])
                    refused += 1
    assert refused
