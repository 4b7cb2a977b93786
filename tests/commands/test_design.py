"""`croupier design`: the contract's form, and requests that make no sense."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from tests.commands.program import croupier

TRIPS = ("design", "md-uth", "--wager", "trips", "--vary", "flush=5..9", "--vary", "straight=3..6")


def test_tables_between_two_edges_best_first() -> None:
    ended = croupier(*TRIPS, "--edge", "2..4", "--json")
    found = ended.json
    assert ended.code == 0
    assert found["found"] == len(found["tables"]) == 3
    assert found["searched"] == 19
    edges = [-Fraction(table["expected_value_exact"]) for table in found["tables"]]
    assert edges == sorted(edges)
    assert all(Fraction(2, 100) <= edge <= Fraction(4, 100) for edge in edges)
    first = found["tables"][0]
    assert first["pays"]["flush"] == "5 to 1"
    assert first["house_edge"] == float(edges[0])
    assert {"standard_deviation", "hit_frequency"} <= first.keys()
    assert found["sensitivities"]["flush"]["edge_per_unit_exact"] == "1011911/33446140"


def test_the_printed_table_is_among_the_others() -> None:
    exact = croupier("analyze", "md-uth", "--wager", "trips", "--json").json["wagers"]["trips"]
    found = croupier(*TRIPS, "--edge", "0..100", "--json").json
    printed = [t for t in found["tables"] if t["pays"]["flush"] == "7 to 1"]
    same = [t for t in printed if t["pays"]["straight"] == "4 to 1"]
    assert [t["expected_value_exact"] for t in same] == [exact["expected_value_exact"]]


def test_further_wishes() -> None:
    found = croupier(*TRIPS, "--edge", "0..20", "--deviation", "2.6..2.7", "--json").json
    assert found["found"] > 0
    assert all(2.6 <= table["standard_deviation"] <= 2.7 for table in found["tables"])
    assert croupier(*TRIPS, "--edge", "0..20", "--hit-frequency", "20..30", "--json").code == 1
    steady = croupier(*TRIPS, "--edge", "0..20", "--best", "deviation", "--limit", "4", "--json")
    deviations = [table["standard_deviation"] for table in steady.json["tables"]]
    assert deviations == sorted(deviations)
    assert len(deviations) == 4 < steady.json["found"]


def test_an_impossible_edge_has_the_nearest() -> None:
    ended = croupier(*TRIPS, "--edge", "3", "--json")
    assert ended.code == 1
    assert ended.json["found"] == 0
    assert ended.json["tables"] == []
    below, above = (table["house_edge"] for table in ended.json["nearest"])
    assert below < 0.03 < above
    far = croupier(*TRIPS, "--edge", "50..60")
    assert far.code == 1
    assert "11.57" in far.text
    assert croupier(*TRIPS, "--edge", "-9..-3", "--json").json["found"] > 0


@pytest.mark.full
def test_cover_all_goes_by_the_number_of_hands() -> None:
    words = ("design", "ma-uth", "--wager", "cover_all", "--table", "2", "--edge", "0..100")
    found = croupier(*words, "--vary", "full_house=4..8", "--json").json
    assert found["paytable"] == {"cover_all": "2"}
    assert found["found"] > 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (("--vary", "flsh=1..2"), "did you mean 'flush'"),
        (("--vary", "royal_flush=1..9:0.0001"), "1,600,020 tables.*--most 1600020"),
        (("--vary", "full_house=1..2"), "none of 40 tables keeps the order"),
        (("--best", "edges"), "did you mean 'edge'"),
        (("--limit", "-1"), "--limit is -1"),
        (("--most", "0"), "--most is 0"),
        (("--deviation", "-1..2"), "never below 0"),
        (("--table", "Q"), "unknown paytable"),
        (("--hit-frequency", "many"), "--hit-frequency 'many'"),
    ],
)
def test_what_makes_no_sense_is_refused(changes: tuple[str, ...], message: str) -> None:
    ended = croupier(*TRIPS, "--edge", "2..4", *changes, "--json")
    assert ended.code == 2
    assert ended.error["message"]
    assert re.search(message, ended.error["message"])


def test_a_wager_without_a_table_of_its_own() -> None:
    words = ("--vary", "flush=1..2", "--edge", "1..2", "--json")
    refused = croupier("design", "md-235", "--wager", "three_card_raise", *words)
    assert refused.code == 2
    assert "no table" in refused.error["message"]
    assert croupier("design", "md-uth", "--wager", "tripps", *words).code == 2
    assert croupier("design", "md-uth", "--wager", "trips", "--edge", "1..2", "--json").code == 2
