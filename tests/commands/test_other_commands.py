"""`conformance`, `rulebooks`, `demo` and `completion`."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from croupier.rulebooks.clauses import clauses_of
from tests.commands.contract import (
    CLAUSES,
    DECIDED,
    GAMES,
    OPTIONAL,
    READINGS,
    REQUIRED,
    RULEBOOKS,
)
from tests.commands.program import EXAMPLES, ROOT, croupier, spawn

STATUSES = {"open", "enforced", "guided", "shown", "not_applicable"}


def test_conformance_has_all_1181_clauses() -> None:
    ended = croupier("conformance", "--json")
    assert ended.code == 0
    assert tuple(ended.json) == RULEBOOKS
    assert {document: len(clauses) for document, clauses in ended.json.items()} == CLAUSES
    assert sum(CLAUSES.values()) == 1181


@pytest.mark.parametrize("document", RULEBOOKS)
def test_conformance_of_one_document(document: str) -> None:
    ended = croupier("conformance", document, "--json")
    assert ended.code == 0
    assert list(ended.json) == [document]
    answers: dict[str, dict[str, Any]] = ended.json[document]
    assert list(answers) == list(clauses_of(document))
    for clause, answer in answers.items():
        assert list(answer)[:4] == ["kind", "status", "by", "tests"], clause
        assert answer["kind"] == clauses_of(document)[clause].kind
        assert answer["status"] in STATUSES
        assert isinstance(answer["by"], str)
        assert all(isinstance(test, str) for test in answer["tests"])
        if answer["status"] == "not_applicable":
            assert answer["reason"], clause


@pytest.mark.parametrize("document", [None, "ma-uth"])
def test_conformance_counts_for_people(document: str | None) -> None:
    ended = croupier("conformance", *([document] if document else []))
    assert ended.code == 0
    for name in [document] if document else RULEBOOKS:
        assert str(CLAUSES[name]) in ended.text


def test_conformance_writes_pages(tmp_path: Path) -> None:
    assert croupier("conformance", "--write", tmp_path / "pages").code == 0
    written = {path.name for path in (tmp_path / "pages").iterdir()}
    assert written == {"README.md", *(f"{document}.md" for document in RULEBOOKS)}


@pytest.mark.parametrize("name", ["md-ut", "12.A", "", "examples/harbour-holdem.toml"])
def test_conformance_of_an_unknown_document(name: str) -> None:
    ended = croupier("conformance", name, "--json")
    assert ended.code == 2
    assert ended.error["code"] == "unknown_name"


def test_conformance_cannot_write_into_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = croupier("conformance", "--write", tmp_path / "file" / "pages", "--json")
    assert ended.code == 2
    assert "cannot be written" in ended.error["message"]


def test_the_rulebooks_are_listed() -> None:
    ended = croupier("rulebooks", "list", "--json")
    assert ended.code == 0
    assert tuple(ended.json) == (*RULEBOOKS, *GAMES)
    for name, brief in ended.json.items():
        if name in GAMES:
            continue
        wagers = {*REQUIRED[name], *DECIDED[name], *OPTIONAL[name]}
        assert set(brief["wagers"]) == wagers
        assert {r: tuple(c) for r, c in brief["readings"].items()} == READINGS[name]
    people = croupier("rulebooks", "list")
    assert people.code == 0
    assert all(name in people.text for name in (*RULEBOOKS, *GAMES))


@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_rulebook_is_shown_with_the_reason_of_each_reading(name: str) -> None:
    people = croupier("rulebooks", "show", name)
    assert people.code == 0
    for reading, choices in READINGS[name].items():
        assert reading in people.text
        for choice in choices:
            assert choice in people.text
    ended = croupier("rulebooks", "show", name, "--json")
    assert ended.code == 0
    assert all(reading["reason"] for reading in ended.json[name]["readings"].values())


def test_a_rulebook_file_is_shown() -> None:
    path = EXAMPLES / "harbour-holdem.toml"
    assert croupier("rulebooks", "show", path).code == 0
    assert list(croupier("rulebooks", "show", path, "--json").json) == ["harbour-holdem"]


@pytest.mark.parametrize("name", ["md-uht", "", "none.toml", "md-uth.toml", "."])
def test_an_unknown_rulebook_is_not_shown(name: str) -> None:
    ended = croupier("rulebooks", "show", name, "--json")
    assert ended.code == 2
    assert ended.error["clause"] is None


def test_a_demonstration_can_be_dealt_again() -> None:
    once, again = (croupier("demo", "--seed", "7", "--json") for _ in range(2))
    assert once.code == 0
    assert once == again
    assert tuple(once.json) == RULEBOOKS
    assert once.json != croupier("demo", "--seed", "8", "--json").json
    told = croupier("demo", "--seed", "7")
    assert told == croupier("demo", "--seed", "7")
    assert "croupier demo --seed 7" in told.text


def test_a_demonstration_without_a_seed_names_the_one_it_took() -> None:
    told = croupier("demo", "md-235")
    assert told.code == 0
    seed = told.text.split("--seed ")[1].split()[0]
    assert croupier("demo", "md-235", "--seed", seed).out == told.out


@pytest.mark.parametrize("name", [*RULEBOOKS, "examples/harbour-holdem.toml"])
@pytest.mark.parametrize("seats", [1, 6])
def test_a_demonstration_of_one_game(name: str, seats: int) -> None:
    path = str(ROOT / name) if name.endswith(".toml") else name
    ended = croupier("demo", path, "--seats", str(seats), "--seed", "1", "--json")
    assert ended.code == 0
    (answer,) = ended.json.values()
    assert [seat["seat"] for seat in answer["seats"]] == list(range(1, seats + 1))


@pytest.mark.parametrize("name", ["md-uht", "", "none.toml"])
def test_a_demonstration_of_an_unknown_game(name: str) -> None:
    assert croupier("demo", name, "--json").code == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    ended = croupier("completion", shell)
    assert ended.code == 0
    for command in ("paytables", "settle", "check", "conformance", "rulebooks", "demo"):
        assert command in ended.text


def test_bash_accepts_its_completion(tmp_path: Path) -> None:
    script = tmp_path / "croupier.bash"
    script.write_bytes(croupier("completion", "bash").out)
    try:
        done = subprocess.run(["bash", "-n", script], capture_output=True, check=False, timeout=20)
    except FileNotFoundError:
        pytest.skip("no bash here")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("settle", "-", "--json"), "rounds.jsonl"),
        (("check", "-", "--json"), "submissions/maryland-uth.toml"),
        (("rulebooks", "check", "-", "--rounds", "0", "--json"), "harbour-holdem.toml"),
        (("rehearse", "-"), "first-night.rehearsal"),
    ],
    ids=lambda said: said[0] if isinstance(said, tuple) else "",
)
def test_a_dash_is_standard_input(words: tuple[str, ...], file: str) -> None:
    """../shared/contract.md, "Input, everywhere"."""
    ended = spawn(*words, stdin=(EXAMPLES / file).read_bytes())
    assert ended.code == 0, ended.err
    assert ended.out


def test_a_dash_never_waits_for_a_second_reading() -> None:
    ended = spawn("demo", "-", "--seed", "1", stdin=(EXAMPLES / "harbour-holdem.toml").read_bytes())
    by_path = spawn("demo", EXAMPLES / "harbour-holdem.toml", "--seed", "1")
    assert (ended.code, by_path.code) == (0, 0), ended.err
    assert ended.text.splitlines()[:-1] == by_path.text.splitlines()[:-1]


def test_the_demo_tells_how_to_deal_the_same_cards_again() -> None:
    """The line that it prints is a command, and that command deals them."""
    first = spawn("demo", "md-wpt", "--seats", "2", "--seed", "7")
    again = first.text.rstrip().splitlines()[-1].partition("croupier ")[2].split()
    assert spawn(*again).text == first.text
