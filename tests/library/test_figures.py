"""Analyses, advice and charts: what the commands print, as exact records."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import croupier
from croupier.mathematics.questions import analysis
from croupier.rulebooks.rules import Rules
from tests.commands.contract import GAMES, RULEBOOKS
from tests.commands.program import EXAMPLES
from tests.commands.program import croupier as program


def printed(*words: str | Path) -> str:
    ended = program(*words, "--json")
    assert ended.code == 0, ended.err
    return ended.text.rstrip("\n")


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (["md-uth"], {}),
        (["md-235"], {}),
        (["md-uth", "--wager", "trips", "--paytable", "trips=B"], {"paytables": {"trips": "B"}}),
        (["md-wpt", "--wager", "trips_plus", "--all"], {"every_table": True}),
        (
            ["md-uth", "--wager", "progressive", "--meter", "main=12500", "--others", "2"],
            {"meters": {"main": 12500}, "others": 2},
        ),
        (["ma-uth", "--wager", "cover_all", "--hands", "4"], {"hands": 4}),
        (["ma-uth", "--wager", "cover_all", "--all"], {"every_table": True}),
        (
            ["md-uth", "--wager", "bad_beat", "--reading", "bad_beat_loser=player_only"],
            {"readings": {"bad_beat_loser": "player_only"}},
        ),
    ],
    ids=lambda value: " ".join(value[:3]) if isinstance(value, list) else "",
)
def test_an_analysis_is_the_commands(words: list[str], asked: dict[str, Any]) -> None:
    wagers = words[2] if words[1:2] == ["--wager"] else ()
    found = croupier.analyze(words[0], wagers, **asked)
    assert found.to_json() == printed("analyze", *words)
    for figures in found:
        assert figures.to_dict()["house_edge"] == float(figures.house_edge)


def test_figures_are_fractions() -> None:
    found = croupier.analyze("md-uth")
    assert found["main"].expected_value == Fraction(-50_643_648_973, 2_317_817_502_000)
    assert found["main"].paytables == {"blind": "A"}
    outcomes = found["trips"].outcomes
    deals = sum(outcome["combinations"] for outcome in outcomes)
    for outcome in outcomes:
        assert outcome["probability"] == pytest.approx(outcome["combinations"] / deals)
    (meter,) = found["progressive"].break_even_dollars.values()
    assert isinstance(meter, Fraction)
    assert "house edge" in found._repr_html_()
    assert repr(found["trips"]).startswith("<WagerFigures trips: house edge ")
    with pytest.raises(KeyError):
        _ = found["blind"]


def test_of_several_wagers_an_unsolvable_one_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    real = analysis.analyze

    def partly(rules: Rules, wager: str, request: analysis.Asked) -> dict[str, object]:
        if wager == "main":
            raise croupier.Unsolvable("no solver models this game")
        return real(rules, wager, request)

    monkeypatch.setattr("croupier.library.figures.solved", partly)
    for every in (False, True):
        found = croupier.analyze("md-uth", ["main", "trips"], every_table=every)
        main, trips = next(iter(found)), list(found)[-1]
        assert main.error is not None
        assert main.to_dict()["error"]["code"] == "unsolvable"
        assert trips.error is None
        assert "no solver models" in found._repr_html_()
        assert "unsolvable" in repr(main)
        with pytest.raises(croupier.BadRequest, match="no solver"):
            _ = main.house_edge
    with pytest.raises(croupier.BadRequest, match="no solver"):
        croupier.analyze("md-uth", "main")


def test_every_table_is_asked_for_by_its_letter() -> None:
    found = croupier.analyze("md-uth", "trips", every_table=True)
    alone = croupier.analyze("md-uth", "trips", paytables={"trips": "B"})
    assert found["trips", "B"].details == alone["trips"].details
    with pytest.raises(croupier.UnknownName, match="did you mean"):
        _ = found["trips", "b"]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"wagers": "blind"}, "unknown_name"),
        ({"stakes": {"tripe": 5}}, "unknown_name"),
        ({"stakes": {"trips": 0.5}}, "bad_amount"),
        ({"meters": {"mega": 5}}, "unknown_name"),
        ({"others": 6}, "bad_request"),
        ({"hands": 1}, "bad_request"),
        ({"paytables": {"trips": "Z"}}, "unknown_name"),
    ],
)
def test_what_makes_no_sense_is_refused(asked: dict[str, Any], code: str) -> None:
    with pytest.raises(croupier.CroupierError) as caught:
        croupier.analyze("md-uth", **asked)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("rulebook", "cards", "community", "known"),
    [
        ("md-uth", "Ah 7d", "", ""),
        ("md-uth", "Ah 7d", "2c 7h Ts", ""),
        ("md-uth", "Kd 4h", "Ks 9d 2c Ts 3d", ""),
        ("md-235", "Kd Kh", "", ""),
        ("md-235", "Kd Kh 2c", "", "9c 9d"),
        (str(EXAMPLES / "harbour-holdem.toml"), "Kd 4h", "Ks 9d 2c Ts", ""),
    ],
)
def test_advice_is_the_commands(rulebook: str, cards: str, community: str, known: str) -> None:
    found = croupier.advise(rulebook, cards, community, known=known)
    words = ["advise", rulebook, "--cards", cards, "--community", community, "--known", known]
    assert found.to_json() == printed(*words)
    assert found.cost(found.best) == 0
    assert all(isinstance(value, Fraction) for value in found.values.values())
    assert str(found.values[found.best]) in found._repr_html_()
    assert found.best in repr(found)


def test_advice_on_impossible_cards_is_refused() -> None:
    for cards, community in (("Ah Ah", ""), ("Ah 7d", "7d 2c 3c"), ("Ah 7d", "2c"), ("Ah", "")):
        with pytest.raises(croupier.BadCards):
            croupier.advise("md-uth", cards, community)
    with pytest.raises(croupier.BadCards):
        croupier.advise("md-uth", "Ah 7d", known="2c")
    with pytest.raises(croupier.BadCards):
        croupier.advise("md-235", "Kd Kh", "2c 3c")
    with pytest.raises(croupier.UnknownName):
        croupier.advise("md-uth", croupier.parse_cards("Ah 7d"), "2c 7h Ts").cost("9x")


def test_a_chart_is_the_commands_and_a_picture(tmp_path: Path) -> None:
    found = croupier.chart("md-uth")
    by_command, by_library = tmp_path / "command.svg", tmp_path / "library.svg"
    assert found.to_json() == printed("strategy", "chart", "md-uth", "--svg", by_command)
    found.save(by_library)
    assert by_library.read_bytes() == by_command.read_bytes()
    assert ElementTree.fromstring(found._repr_svg_()).tag.endswith("svg")
    assert found.hands["AKs"].best == "4x"
    assert len(found.hands) == 169
    with pytest.raises(croupier.BadData):
        found.save(tmp_path / "no" / "such" / "folder.svg")


def test_rulebooks_show_what_is_in_force() -> None:
    assert croupier.bundled_rulebooks() == (*RULEBOOKS, *GAMES)
    book = croupier.load_rulebook("md-uth", paytables={"blind": "B"})
    assert book.paytables["blind"] == "B"
    assert book.paytable("blind").lines == book.paytable("blind", "B").lines
    assert book.to_json() == printed("paytables", "md-uth")
    assert book.choosing() is book
    assert "progressive_hand" in book.readings
    for piece in ("Ultimate Texas Hold&#x27;em", "preflop", "4x", "trips"):
        assert piece in book._repr_html_()
    for wager, table in (("blond", None), ("blind", "Q")):
        with pytest.raises(croupier.UnknownName):
            book.paytable(wager, table)


def test_a_submission_is_an_object_or_a_file() -> None:
    path = EXAMPLES / "submissions" / "maryland-uth.toml"
    book = croupier.load_rulebook("md-uth", path)
    assert json.loads(book.submission_json)["rulebook"] == "md-uth"
    with pytest.raises(croupier.BadRequest, match="is for md-uth"):
        croupier.load_rulebook("ma-uth", path)
    with pytest.raises(croupier.BadData, match="did you mean"):
        croupier.load_rulebook("md-uth", {"paytable": {"blind": "B"}})
