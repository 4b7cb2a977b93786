"""`croupier shuffle`: decks, seals and the report, as people type it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from croupier.cards import DECK, format_cards, parse_cards
from croupier.randomness import shuffling
from tests.commands.program import ROOT, croupier


def test_a_deck_can_be_verified() -> None:
    made = croupier("shuffle", "--json").json
    assert sorted(parse_cards(made["order"])) == list(DECK)
    words = ["--commitment", made["commitment"].upper(), "--salt", made["salt"]]
    good = croupier("shuffle", "verify", *words, "--order", made["order"].lower(), "--json")
    assert (good.code, good.json) == (0, {"opens": True})
    other = croupier("shuffle", "verify", *words, "--order", format_cards(DECK))
    assert other.code == 1
    assert "does NOT open" in other.text


def test_a_seed_gives_the_same_deck() -> None:
    assert croupier("shuffle", "--seed", "3").out == croupier("shuffle", "--seed", "3").out
    assert croupier("shuffle").out != croupier("shuffle").out


def test_the_documented_example() -> None:
    """docs/shuffle.md: the deck of its seed, and the shell lines that open its seal."""
    lines = (ROOT / "docs" / "shuffle.md").read_text().splitlines()
    made = croupier("shuffle", "--seed", "7", "--json")
    assert "    " + made.text.rstrip() in lines
    start = next(i for i, line in enumerate(lines) if line.startswith("    salt="))
    script = "\n".join(lines[start : start + 3])
    said = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
    assert said.split()[0] == made.json["commitment"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--commitment", "x", "--salt", "0" * 64, "--order", format_cards(DECK)], "64 hex"),
        (
            ["--commitment", "0" * 64, "--salt", "", "--order", format_cards(DECK)],
            "salt is 64 hexadecimal digits",
        ),
        (["--commitment", "0" * 64, "--salt", "0" * 64, "--order", "As Kd"], "all 52"),
        (["--commitment", "0" * 64, "--salt", "0" * 64, "--order", "As As"], "twice"),
        (["--commitment", "0" * 64, "--salt", "0" * 64, "--order", "Ax"], "not a card"),
        (["--salt", "0" * 64], "--commitment"),
    ],
)
def test_nonsense_is_told(words: list[str], says: str) -> None:
    ended = croupier("shuffle", "verify", *words, "--json")
    assert ended.code == 2
    assert says in ended.error["message"]


def test_the_report(tmp_path: Path) -> None:
    page = tmp_path / "report.md"
    words = ("shuffle", "test", "--decks", "5000", "--seed", "2")
    ended = croupier(*words, "--report", page)
    assert ended.code == 0
    assert "No bias was found" in ended.text
    first = page.read_text()
    assert "croupier shuffle test --decks 5000 --seed 2" in first
    assert "| non-overlapping templates | 000000001 |" in first
    answer = croupier(*words, "--report", page, "--json").json
    assert page.read_text() == first
    assert answer["fair"] is True
    assert len(answer["nist_tests"]) == 15
    assert len(answer["nist_parts"]) == 159
    assert answer["smallest_p_value"] >= answer["limit"]


def test_bias_ends_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffling, "_LIMITS", (256,) * 52)  # the modulo bias
    ended = croupier("shuffle", "test", "--decks", "10000", "--seed", "1")
    assert ended.code == 1
    assert "NOT fair" in ended.text
    assert "FAILS" in ended.text


@pytest.mark.parametrize(
    "words",
    [
        ["--decks", "10"],
        ["--decks", "many"],
        ["--decks", "1000", "--bits", "3"],
        ["--decks", "1000", "--report", "/nowhere/at/all.md"],
        ["--decks", "1000", "--report", "/"],
    ],
)
def test_a_test_that_cannot_be_made_is_told(words: list[str]) -> None:
    ended = croupier("shuffle", "test", *words, "--json")
    assert ended.code == 2
    assert ended.error["message"]
