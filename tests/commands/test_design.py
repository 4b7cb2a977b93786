"""`croupier design`: the contract's form, and requests that make no sense."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from croupier import design
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
    assert "no paytable" in refused.error["message"]
    assert croupier("design", "md-uth", "--wager", "tripps", *words).code == 2
    assert croupier("design", "md-uth", "--wager", "trips", "--edge", "1..2", "--json").code == 2


TOGETHER = (
    *("design", "three-card-poker", "--vary", "ante_bonus.straight=0..1"),
    *("--vary", "pair_plus.flush=3..4", "--stake", "main=10", "--stake", "pair_plus=5"),
)


def test_several_wagers_bet_together() -> None:
    found = croupier(*TOGETHER, "--hold", "1..9", "--json").json
    assert found["stakes"] == {"ante": "10.00", "pair_plus": "5.00"}
    assert found["paytables"] == {"ante_bonus": "only", "pair_plus": "A"}
    for one in found["tables"]:
        edges = {name: -Fraction(w["expected_value_exact"]) for name, w in one["wagers"].items()}
        lost = -Fraction(one["expected_value_exact"])
        assert lost == 10 * edges["main"] + 5 * edges["pair_plus"]
        assert Fraction(one["hold_exact"]) == lost / Fraction(one["wagered_exact"])
        assert one["standard_deviation"] > 0
    assert croupier(*TOGETHER, "--hold", "1..9").code == 0
    narrow = croupier(*TOGETHER, "--hold", "1..9", "--edge", "pair_plus=5..9", "--json").json
    assert 0 < narrow["found"] < found["found"]
    nothing = croupier(*TOGETHER, "--hold", "60..70", "--json")
    assert nothing.code == 1
    assert len(nothing.json["nearest"]) == 1


def test_the_library_searches_what_the_command_does() -> None:
    vary = ["ante_bonus.straight=0..1", "pair_plus.flush=3..4"]
    found = design("three-card-poker", vary, stakes={"main": 10, "pair_plus": 5}, hold="1..9")
    assert found.to_dict() == croupier(*TOGETHER, "--hold", "1..9", "--json").json
    assert "3 to 1" in found._repr_html_()


def test_the_hold_of_a_main_game_is_its_element_of_risk() -> None:
    words = ("design", "three-card-poker", "--wager", "main", "--vary", "straight=1")
    (table,) = croupier(*words, "--hold", "0..9", "--json").json["tables"]
    main = croupier("analyze", "three-card-poker", "--wager", "main", "--json").json["wagers"][
        "main"
    ]
    assert table["hold"] == pytest.approx(main["element_of_risk"], abs=1e-15)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "name a target"),
        (("--edge", "2..3"), "--edge: name the wager"),
        (("--edge", "trips=2..3"), "unknown --edge"),
        (("--edge", "main=2", "--edge", "main=3"), "twice"),
        (("--hold", "3..2"), "--hold"),
        (("--hold", "1", "--stake", "play=5"), "play"),
        (("--hold", "1", "--stake", "main=x"), "--stake main"),
        (("--hold", "1", "--stake", "ante=0"), "more than 0"),
        (("--hold", "1", "--vary", ".x=1"), "WAGER.HAND"),
        (("--hold", "1", "--vary", "x=1"), "which wager"),
        (("--hold", "1", "--vary", "nobody.flush=1"), "nobody"),
        (("--hold", "1", "--vary", "pair_plus.flush=1"), "twice"),
        (("--deviation", "1..2", "--most", "1"), "no more than 1"),
    ],
)
def test_several_wagers_asked_wrongly(words: tuple[str, ...], message: str) -> None:
    ended = croupier(*TOGETHER, *words, "--json")
    assert ended.code == 2
    assert message in ended.error["message"]
