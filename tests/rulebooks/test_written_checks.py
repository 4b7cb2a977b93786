"""Contradictions of a file that a person wrote, and the bundled files, which have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.errors import BadData
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.loader import (
    RulebookFile,
    contradictions,
    load_rulebook,
    parse_toml,
    rulebook_from,
)

HARBOUR = (Path(__file__).parents[2] / "examples" / "harbour-holdem.toml").read_text("utf-8")
FOLD = "contradicts settles.folded, which says what a fold does to 'ante': leave"
READING = """
[readings.mine]
ids = ["1"]
question = "Which?"
clauses = ["1"]
reason = "Because."
choices.a.meaning = "as it stands"
choices.b.meaning = "otherwise"
choices.b.set = { "wagers.ante.after_fold" = "loses" }
"""
OPTION = """
[options.decks]
type = "count"
words = "decks"
least = 3
most = 2
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *(
            (HARBOUR.replace('"harbour-holdem"', f'"{name}"', 1), "at id: ")
            for name in ("my game", "my/game", "Harbour", "my_game", "-x", "x-", "a--b", "")
        ),
        *(
            (HARBOUR.replace("[wagers.ante]\n", f"[wagers.ante]\n{line}\n", 1), f"{FOLD} {field}")
            for field, line in (
                ("after_fold", 'after_fold = "loses"'),
                ("after_fold", 'after_fold = "stands"'),
                ("after_fold_clause", 'after_fold_clause = "1"'),
            )
        ),
        (HARBOUR + READING, f"at readings.mine.choices.b.set: after_fold {FOLD}"),
        (HARBOUR + OPTION, "at options.decks.least: 3 is more than most, 2"),
    ],
)
def test_a_contradiction_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadData) as caught:
        rulebook_from(text, "mine.toml")
    assert message in caught.value.message
    # A journal may hold such a rulebook from before: it is still read.
    assert RulebookFile(parse_toml(text, "mine.toml"), "mine.toml").default.wagers


@pytest.mark.parametrize("name", BUNDLED)
def test_no_bundled_file_contradicts_itself(name: str) -> None:
    file = load_rulebook(name)
    assert list(contradictions(file.tree, file.default)) == []


def test_equal_ends_and_an_id_with_digits_are_accepted() -> None:
    text = HARBOUR.replace('"harbour-holdem"', '"21-holdem-2"', 1) + OPTION.replace("3", "2")
    assert rulebook_from(text, "mine.toml").default.id == "21-holdem-2"
