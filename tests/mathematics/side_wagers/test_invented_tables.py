"""Tables nobody printed: degenerate ones that must come out even, odd ones checked otherwise."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from croupier.mathematics.questions.registry import analyze_wager, solver_for
from croupier.mathematics.side_wagers.analysis import analyze_side
from croupier.rulebooks.bundled import read_bundled
from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission


def _changed(name: str, changes: dict[str, Any]) -> Rules:
    """A rulebook with places (dotted) given other contents."""
    text = read_bundled(name, "game.toml")
    tree = tomllib.loads(text)
    for path, value in changes.items():
        *parents, last = path.split(".")
        node = tree
        for key in parents:
            node = node.setdefault(key, {})
        node[last] = value
    tree["readings"] = {}
    return put_in_force(RulebookFile(tree, name), Submission())


def _lines(*lines: tuple[str, str]) -> list[dict[str, str]]:
    return [{"hand": hand, "pays": pays, "clause": "x"} for hand, pays in lines]


SIDES = [
    ("md-uth", "trips"),
    ("md-uth", "six_card_bonus"),
    ("md-uth", "ultimate_pairs"),
    ("md-uth", "play_the_board"),
    ("md-wpt", "pocket_bonus"),
    ("md-235", "two_card_poker"),
    ("md-235", "three_card_poker"),
    ("md-235", "five_card_poker"),
]


@pytest.mark.parametrize(("book", "wager"), SIDES)
def test_a_table_that_always_wins(book: str, wager: str) -> None:
    table = "only" if book == "md-235" else "A"
    rules = _changed(book, {f"paytables.{wager}.{table}.lines": _lines(("any_winning", "3 to 2"))})
    analysis = analyze_side(rules, wager)
    assert analysis.expected_value == Fraction(3, 2)
    assert analysis.variance == 0
    assert analysis.hit_frequency == 1


@pytest.mark.parametrize(("book", "wager"), SIDES)
def test_a_table_that_always_pushes(book: str, wager: str) -> None:
    table = "only" if book == "md-235" else "A"
    rules = _changed(book, {f"paytables.{wager}.{table}.lines": _lines(("any_winning", "push"))})
    analysis = analyze_side(rules, wager)
    assert analysis.expected_value == analysis.variance == analysis.hit_frequency == 0


def test_cover_all_that_always_wins() -> None:
    lines = _lines(("any_winning", "1 to 1"))
    rules = _changed("ma-uth", {"paytables.cover_all.3.lines": lines})
    assert analyze_side(rules, "cover_all", hands=3).expected_value == 1


def test_royals_by_suit_in_cover_all_and_bad_beat() -> None:
    """No suit is better than another: a quarter of the royals are spades."""
    patterns = {"royal_spades": {"category": ["royal_flush"], "suits": "s"}}
    lines = _lines(("royal_spades", "9 to 1"), ("royal_flush", "5 to 1"))
    rules = _changed("ma-uth", {"patterns": patterns, "paytables.cover_all.2.lines": lines})
    found = {o.hand: o.combinations for o in analyze_side(rules, "cover_all").outcomes}
    assert found["royal_flush"] == 3 * found["royal_spades"] > 0


def test_stud_where_every_wager_wins() -> None:
    even = _lines(("any_winning", "1 to 1"))
    rules = _changed(
        "md-235",
        {
            f"paytables.{family}.only.lines": even
            for family in ("two_card_poker", "three_card_poker", "five_card_poker")
        },
    )
    figures = solver_for(rules).figures()
    assert figures.expected_value == 5
    assert figures.units_wagered == 5
    assert figures.standard_deviation == 0
    assert analyze_wager(rules, "win_em_all").hit_frequency == 1


def test_frequent_hands_elsewhere_are_counted_too() -> None:
    """A line on the board's pair beside one on the final hand: the slow road, checked by counts."""
    patterns = {
        "board_pair": {"hand": "board", "category": ["pair"]},
        "trips_on_no_pair": {
            "category": ["three_of_a_kind"],
            "unless": [{"hand": "board", "category": ["pair", "three_of_a_kind"]}],
        },
    }
    lines = _lines(("trips_on_no_pair", "2 to 1"), ("board_pair", "1 to 1"))
    rules = _changed("md-uth", {"patterns": patterns, "paytables.trips.A.lines": lines})
    analysis = analyze_side(rules, "trips")
    found = {o.hand: analysis.probability(o) for o in analysis.outcomes}
    assert found["board_pair"] == Fraction(1_098_240, comb(52, 5))
    # Trips with an unpaired board: a set, less the boards and hands that make something better.
    assert 0 < found["trips_on_no_pair"] < Fraction(3 * 5, comb(47, 2))


def test_suits_of_whole_hands_and_exact_ranks() -> None:
    patterns = {
        "all_red": {"suits": "hd"},
        "deuces_full_of_treys": {"ranks": ["22233"]},
    }
    lines = _lines(("deuces_full_of_treys", "50 to 1"), ("all_red", "3 to 1"))
    rules = _changed("md-uth", {"patterns": patterns, "paytables.play_the_board.A.lines": lines})
    found = {o.hand: o.combinations for o in analyze_side(rules, "play_the_board").outcomes}
    assert found["deuces_full_of_treys"] == 4 * 6
    assert found["all_red"] == comb(26, 5)


def test_meters_break_even_where_the_value_is_zero() -> None:
    rules = _changed("md-uth", {})
    analysis = analyze_side(rules, "progressive")
    meter = analysis.meter_figures["main"]
    assert meter.break_even is not None
    cents = meter.break_even * 100
    assert cents.denominator in (1, 19)  # 4 * 100% + 36 * 10% of 2,598,960 hands
    near = analyze_side(rules, "progressive", meters={"main": int(cents)})
    assert abs(near.expected_value) < Fraction(1, 10**6)
    rate = Fraction(1, 10)
    assert meter.long_run_return(rate) == rate + meter.emptied * meter.reset / meter.stake
    mean = meter.mean_reading(rate)
    assert mean is not None
    assert mean * meter.mean_share == meter.stake * meter.long_run_return(rate)


@pytest.mark.parametrize("reading", [1_000_000, 1_000_007, 1_234_567, 99])
def test_what_a_meter_shows_does_not_move_its_break_even(reading: int) -> None:
    """A tenth of the meter is rounded down to whole cents: that must not enter the line."""
    rules = _changed("md-uth", {})
    shown = analyze_side(rules, "progressive").meter_figures["main"].break_even
    found = analyze_side(rules, "progressive", meters={"main": reading}).meter_figures["main"]
    assert found.break_even == shown
