"""The five bundled rulebooks against the contract, under every reading, clause by clause."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import croupier.rulebooks
from croupier.errors import CroupierError
from croupier.rulebooks.bundled import DOCUMENTS, rulebooks_in
from croupier.rulebooks.clauses import clause_named, clauses_of
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission
from tests.commands.contract import (
    CLAUSES,
    DECIDED,
    METERS,
    OPTIONAL,
    PAYTABLES,
    READINGS,
    REQUIRED,
    RULEBOOKS,
)

FOLDER = Path(croupier.rulebooks.__path__[0])


def test_the_documents_are_the_contracts() -> None:
    assert DOCUMENTS == RULEBOOKS


@pytest.mark.parametrize("name", RULEBOOKS)
def test_one_document_is_one_folder(name: str) -> None:
    assert load_rulebook(name).default.id == name
    assert {path.name for path in (FOLDER / name).iterdir()} == {
        "game.toml",
        "clauses.tsv",
        "readings.toml",
        "answers.toml",
        "tests.tsv",
        "demo.toml",
        "duties.tsv",
    }


def test_no_document_is_named_in_python() -> None:
    """What is particular to a document stands in its folder; only examples and help name one."""
    for path in FOLDER.parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant):
                assert node.value not in RULEBOOKS, f"{path.name}:{node.lineno} names {node.value}"


def test_a_rulebook_is_found_by_its_folder(tmp_path: Path) -> None:
    for name in ("second", "first", "ma-uth", "md-uth"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.toml").write_text("")
    (tmp_path / "empty").mkdir()
    (tmp_path / "game.toml").write_text("")
    assert list(rulebooks_in(tmp_path)) == ["md-uth", "ma-uth", "first", "second"]
    assert rulebooks_in(tmp_path / "nowhere") == {}


def test_an_unknown_rulebook_is_refused_with_the_known_ones() -> None:
    with pytest.raises(CroupierError, match="md-uth"):
        load_rulebook("md-ut")


@pytest.mark.parametrize("name", RULEBOOKS)
def test_wagers_have_the_contracts_names_and_roles(name: str) -> None:
    wagers = load_rulebook(name).default.wagers
    for role, expected in (("required", REQUIRED), ("decided", DECIDED), ("optional", OPTIONAL)):
        found = [wager for wager, terms in wagers.items() if terms.role == role]
        assert sorted(found) == sorted(expected[name]), role
    assert [w for w, terms in wagers.items() if terms.role == "required"] == list(REQUIRED[name])


@pytest.mark.parametrize("name", RULEBOOKS)
def test_readings_are_the_contracts_default_first(name: str) -> None:
    readings = load_rulebook(name).default.readings
    assert {r: tuple(terms.choices) for r, terms in readings.items()} == READINGS[name]
    assert load_rulebook(name).under({}) == load_rulebook(name).under(
        {reading: choices[0] for reading, choices in READINGS[name].items()}
    )


@pytest.mark.parametrize("name", RULEBOOKS)
def test_readings_say_why(name: str) -> None:
    for reading in load_rulebook(name).default.readings.values():
        assert reading.question.endswith("?")
        assert reading.reason
        assert reading.ids
        assert all(choice.meaning for choice in reading.choices.values())
        default, *others = reading.choices.values()
        assert not default.set, "the first choice is the file as it stands"
        assert all(other.set for other in others)


@pytest.mark.parametrize("name", RULEBOOKS)
def test_paytables_and_meters_have_the_contracts_names(name: str) -> None:
    paytables = load_rulebook(name).default.paytables
    assert {family: tuple(tables) for family, tables in paytables.items()} == PAYTABLES[name]
    for tables in paytables.values():
        for table in tables.values():
            assert table.meters.keys() <= METERS


def every_choice(name: str) -> list[dict[str, str]]:
    return [{reading: choice} for reading, choices in READINGS[name].items() for choice in choices]


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_reading_loads(name: str) -> None:
    file = load_rulebook(name)
    default = file.under({})
    for choice in every_choice(name):
        ((reading, chosen),) = choice.items()
        changed = file.under(choice) != default
        assert changed == (chosen != READINGS[name][reading][0]), choice


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_two_readings_load_together(name: str) -> None:
    file = load_rulebook(name)
    for one, other in combinations(every_choice(name), 2):
        if one.keys() != other.keys():
            rules = put_in_force(file, Submission(readings=one | other))
            assert rules.readings.items() >= (one | other).items()


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_paytable_can_be_put_in_force(name: str) -> None:
    file = load_rulebook(name)
    families = put_in_force(file, Submission()).chosen
    for family in families:
        for table in PAYTABLES[name][family]:
            rules = put_in_force(file, Submission(paytables={family: table}))
            assert rules.chosen[family] == table
    assert set(PAYTABLES[name]) - set(families) <= {"cover_all", "envy", "envy_1", "envy_5"}


def cited(node: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every clause id of a rulebook file with its place."""
    if isinstance(node, list):
        for number, item in enumerate(node):
            yield from cited(item, f"{place}[{number}]")
    elif isinstance(node, dict):
        for key, value in node.items():
            where = f"{place}.{key}"
            if key in {"clause_on", "clause_by", "choice_clauses"}:
                yield from ((f"{where}.{name}", clause) for name, clause in value.items())
            elif key == "clauses":
                yield from ((where, clause) for clause in value)
            elif key == "progressive" and not place:
                yield from ((f"{where}.{name}", clause) for name, clause in value.items())
            elif key == "lost" or key.endswith("clause"):
                yield where, value
            else:
                yield from cited(value, where)


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_clause_that_is_cited_exists(name: str) -> None:
    tree = tomllib.loads((FOLDER / name / "game.toml").read_text("utf-8"))
    citations = list(cited(tree))
    assert len(citations) > 100
    missing = [(place, id_) for place, id_ in citations if clause_named(name, id_) is None]
    assert missing == []


@pytest.mark.parametrize("name", RULEBOOKS)
def test_clauses_set_by_a_reading_exist(name: str) -> None:
    for reading in load_rulebook(name).default.readings.values():
        for choice in reading.choices.values():
            for place, value in choice.set.items():
                if place.endswith("clause"):
                    assert clause_named(name, str(value)) is not None, (place, value)


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_line_and_every_meter_cites_a_clause(name: str) -> None:
    book = load_rulebook(name).default
    for tables in book.paytables.values():
        for table in tables.values():
            assert table.clause
            assert all(line.clause for line in table.lines)
            assert all(seed.clause and seed.minimum > 0 for seed in table.meters.values())
    for wager in book.wagers.values():
        assert wager.clause
        assert bool(wager.needs) == bool(wager.needs_clause)
        assert bool(wager.dealt_by) == bool(wager.dealt_by_clause)
        assert not wager.stakes or wager.stakes_clause


@pytest.mark.parametrize("name", RULEBOOKS)
def test_the_clauses_are_numbered_once_and_have_kinds(name: str) -> None:
    clauses = clauses_of(name)
    assert len(clauses) == CLAUSES[name]
    lines = (FOLDER / name / "clauses.tsv").read_text("utf-8").splitlines()
    assert len(lines) == CLAUSES[name] + 1
    assert all(clause.kind and clause.gist for clause in clauses.values())


def test_a_part_of_a_clause_stands_in_the_clause() -> None:
    found = clause_named("md-uth", "12.B(1)(a)")
    assert found is not None
    assert found.id in {"12.B(1)", "12.B(1)(a)"}
    assert clause_named("md-uth", "99.Z") is None
    assert clause_named("md-uth", "") is None


@pytest.mark.parametrize("name", RULEBOOKS)
def test_payout_limits_cover_wagers_and_no_progressive(name: str) -> None:
    book = load_rulebook(name).default
    for limit in book.payout_limits:
        assert set(limit.covers) <= set(book.wagers)
        assert "progressive" not in limit.covers
        assert set(REQUIRED[name]) | set(DECIDED[name]) <= set(limit.covers)
