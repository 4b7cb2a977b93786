"""What no solver models, from the command line: code `unsolvable`, exit 2, or the error in its
place beside the wagers that are solved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.commands.program import Ended, croupier
from tests.mathematics.changed import HARBOUR, dealt, decision, toml_of, tree_of

FOUR = dealt({"flop": 3, "turn": 1}) | {
    "decisions": [decision("turn", 4, {"1x": 1}, "fold")],
    "wagers.lighthouse.after_fold": "loses",
    "deck.copies": 2,
}


@pytest.fixture
def book(tmp_path: Path) -> str:
    """A board of four from two decks, and one of its side wagers lost with a fold."""
    path = tmp_path / "four.toml"
    path.write_text(toml_of(tree_of(HARBOUR, FOUR)), "utf-8")
    return str(path)


def check(ended: Ended) -> str:
    assert ended.code == 2
    error = ended.error
    assert error["code"] == "unsolvable"
    assert error["clause"] is None
    return str(error["message"])


def test_analyze_answers_what_is_solved(book: str) -> None:
    ended = croupier("analyze", book, "--json")
    assert ended.code == 0
    wagers: dict[str, Any] = ended.json["wagers"]
    assert list(wagers) == ["main", "lighthouse", "first_mates"]
    assert wagers["first_mates"]["expected_value_exact"] == "-6/1339"
    for name, field in (
        ("main", "deck.copies"),
        ("lighthouse", "wagers.lighthouse.after_fold"),
    ):
        assert list(wagers[name]) == ["error"]
        assert list(wagers[name]["error"]) == ["code", "message", "clause"]
        assert wagers[name]["error"]["code"] == "unsolvable"
        assert field in wagers[name]["error"]["message"]


def test_analyze_with_every_table_too(book: str) -> None:
    wagers = croupier("analyze", book, "--all", "--json").json["wagers"]
    assert wagers["main"]["A"]["error"]["code"] == "unsolvable"
    assert wagers["first_mates"]["A"]["expected_value_exact"] == "-6/1339"


@pytest.mark.parametrize("wager", ["main", "lighthouse"])
@pytest.mark.parametrize("every", [(), ("--all",)])
def test_analyze_of_one_wager_is_refused(book: str, wager: str, every: tuple[str, ...]) -> None:
    assert "deck.copies is 2" in check(
        croupier("analyze", book, "--wager", wager, *every, "--json")
    )


def test_analyze_tells_people(book: str) -> None:
    ended = croupier("analyze", book)
    assert ended.code == 0
    assert "not solved" in ended.text
    assert "deck.copies is 2" in " ".join(ended.text.split())
    assert "`--sample 10000` plays rounds instead" in ended.text


@pytest.mark.parametrize(
    "words",
    [
        ("advise", "{}", "--cards", "Ah Kd", "--community", "2c 7d 9s Jh"),
        ("strategy", "show", "{}"),
        ("strategy", "chart", "{}"),
        ("strategy", "search", "{}"),
        ("session", "{}", "--stake", "ante=10"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_nothing_else_guesses(book: str, words: tuple[str, ...]) -> None:
    said = [word.format(book) for word in words]
    assert "deck.copies is 2" in check(croupier(*said, "--json"))


def test_advice_on_two_decisions_after_the_same_cards(tmp_path: Path) -> None:
    two = [decision("big", 3, {"3x": 3}), decision("small", 3, {"1x": 1}, "fold")]
    path = tmp_path / "two.toml"
    path.write_text(toml_of(tree_of(HARBOUR, {"decisions": two, "layout": None})), "utf-8")
    asked = ("advise", str(path), "--cards", "Ah Kd", "--community", "2c 7d 9s", "--json")
    first, second = croupier(*asked), croupier(*asked, "--decision", "small")
    assert (first.json["decision"], list(first.json["actions"])) == ("big", ["3x", "check"])
    assert (second.json["decision"], list(second.json["actions"])) == ("small", ["1x", "fold"])
    wrong = croupier(*asked, "--decision", "smal")
    assert wrong.code == 2
    assert "small" in wrong.error["message"]
