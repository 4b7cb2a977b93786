"""`croupier paytables`, to the letter of the contract. What lines pay is held by tests/rules."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.rulebooks.clauses import clause_named
from tests.commands.contract import (
    DECIDED,
    HANDS,
    METERS,
    OPTIONAL,
    PAYTABLES,
    REQUIRED,
    RULEBOOKS,
)
from tests.commands.program import EXAMPLES, croupier


@pytest.fixture(scope="module")
def everything() -> dict[str, Any]:
    ended = croupier("paytables", "--json")
    assert ended.code == 0
    assert not ended.err
    answer: dict[str, Any] = ended.json
    return answer


def every_line(answer: dict[str, Any]) -> list[tuple[str, str, str, dict[str, Any]]]:
    return [
        (rulebook, family, table, line)
        for rulebook, families in answer.items()
        for family, tables in families.items()
        for table, lines in tables.items()
        for line in lines
    ]


def test_all_five_rulebooks_in_the_contracts_order(everything: dict[str, Any]) -> None:
    assert tuple(everything) == RULEBOOKS


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_families_and_tables_have_the_contracts_names(
    everything: dict[str, Any], rulebook: str
) -> None:
    found = {family: tuple(tables) for family, tables in everything[rulebook].items()}
    assert found == PAYTABLES[rulebook]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_one_rulebook_alone_says_the_same(everything: dict[str, Any], rulebook: str) -> None:
    ended = croupier("paytables", rulebook, "--json")
    assert ended.code == 0
    assert ended.json == {rulebook: everything[rulebook]}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_wager_that_pays_by_a_table_of_its_own_has_one(
    everything: dict[str, Any], rulebook: str
) -> None:
    wagers = {*REQUIRED[rulebook], *DECIDED[rulebook], *OPTIONAL[rulebook]}
    raises = {"three_card_raise", "five_card_raise"}  # paid by the table of the wager they double
    envy_or_bonus = {"envy", "envy_1", "envy_5", "bad_beat_bonus"}
    assert wagers - raises <= everything[rulebook].keys() <= wagers | envy_or_bonus


def test_every_line_has_hand_pays_and_clause(everything: dict[str, Any]) -> None:
    for rulebook, family, table, line in every_line(everything):
        where = (rulebook, family, table, line)
        assert list(line) == ["hand", "pays", "clause"], where
        assert line["hand"] in HANDS, where
        assert clause_named(rulebook, line["clause"]) is not None, where


def is_whole(number: object, least: int = 1) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= least


def test_every_pays_has_one_of_the_five_shapes(everything: dict[str, Any]) -> None:
    for where in every_line(everything):
        match where[3]["pays"]:
            case {"to": [n, d], **rest}:
                assert is_whole(n), where
                assert is_whole(d), where
            case {"for": n, **rest}:
                assert is_whole(n, 2), where
            case {"fixed": dollars, **rest}:
                assert is_whole(dollars), where
            case {"meter": name, "percent": percent, **rest}:
                assert name in METERS, where
                assert is_whole(percent), where
                assert percent <= 100, where
            case {"push": pushes, **rest}:
                assert pushes is True, where
            case _:
                pytest.fail(f"{where} pays nothing that the contract knows")
        assert not rest, where


def test_no_table_pays_a_hand_twice_or_nothing(everything: dict[str, Any]) -> None:
    for families in everything.values():
        for tables in families.values():
            for lines in tables.values():
                hands = [line["hand"] for line in lines]
                assert hands
                assert len(set(hands)) == len(hands)


def test_only_progressives_pay_from_meters_and_envy_is_a_fixed_sum(
    everything: dict[str, Any],
) -> None:
    for rulebook, family, table, line in every_line(everything):
        where = (rulebook, family, table, line)
        assert ("meter" in line["pays"]) <= (family == "progressive"), where
        if family.startswith("envy"):
            assert "fixed" in line["pays"], where


def test_the_contracts_own_line(everything: dict[str, Any]) -> None:
    assert everything["md-uth"]["blind"]["A"][0] == {
        "hand": "royal_flush",
        "pays": {"to": [500, 1]},
        "clause": "12.B(1)(a)",
    }


def test_a_rulebook_file_of_ones_own() -> None:
    ended = croupier("paytables", EXAMPLES / "harbour-holdem.toml", "--json")
    assert ended.code == 0
    assert list(ended.json) == ["harbour-holdem"]


@pytest.mark.parametrize("rulebook", [*RULEBOOKS, None])
def test_people_read_the_same_hands(everything: dict[str, Any], rulebook: str | None) -> None:
    ended = croupier("paytables", *([rulebook] if rulebook else []))
    assert ended.code == 0
    for book in [rulebook] if rulebook else RULEBOOKS:
        for family in everything[book]:
            assert family.replace("_", " ") in ended.text


@pytest.mark.parametrize(
    "name", ["md_uth", "MD-UTH", "uth", "", "md-uth ", "../md-uth", "x" * 9999]
)
def test_an_unknown_rulebook_is_refused(name: str) -> None:
    ended = croupier("paytables", name, "--json")
    assert ended.code == 2
    assert ended.error["code"] == "unknown_name"
    assert ended.error["clause"] is None
    assert len(ended.error["message"]) < 400
    assert "md-uth" in ended.error["message"]
    assert ended.err.startswith("croupier: unknown rulebook")
