"""Every bundled rulebook is asked everything: there is an answer, or a clear refusal."""

from __future__ import annotations

import pytest

from croupier.cards import format_cards
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from tests.commands.program import Ended, croupier
from tests.params import few

QUICK = ("mississippi-stud", "three-card-poker")
BOOKS = few(BUNDLED, *QUICK)


def rules_of(book: str) -> Rules:
    return put_in_force(load_rulebook(book), Submission())


def stakes(rules: Rules) -> list[str]:
    placed = [f"{name}={min(rules.stakes.get(name, (1000,))) / 100}" for name in rules.required]
    return [word for one in placed for word in ("--stake", one)]


def seen(rules: Rules) -> list[str]:
    """Some cards, as many as are seen at the first decision."""
    first, deck = rules.book.decisions[0], list(cards_of(rules.book.deck))
    words = []
    for flag, count in (
        ("--cards", first.sees_player),
        ("--community", first.sees_community),
        ("--dealer", first.sees_dealer),
    ):
        cards, deck = deck[: 5 * count : 5], deck[5 * count + 1 :]
        words += [flag, format_cards(cards)] if count else []
    return words


def questions(book: str) -> dict[str, list[str]]:
    rules = rules_of(book)
    return {
        "analyze": ["analyze", book],
        "advise": ["advise", book, *seen(rules)],
        "show": ["strategy", "show", book],
        "chart": ["strategy", "chart", book],
        "compare": ["strategy", "compare", book],
        "session": ["session", book, *stakes(rules), "--rounds", "20", "--bankroll", "500"],
        "simulate": ["simulate", book, "--rounds", "10", "--seats", "2"],
    }


@pytest.mark.parametrize("book", BOOKS)
def test_an_answer_or_a_clear_refusal(book: str) -> None:
    asked = questions(book)
    main = croupier(*asked["analyze"], "--wager", "main", "--json")
    for name, words in asked.items():
        ended: Ended = croupier(*words, "--json")
        if ended.code == 0:
            assert "expected_value_exact" in ended.text or name in ("show", "chart", "simulate")
            continue
        assert ended.code == 2, (name, ended.text)
        assert ended.error["code"] in ("unsolvable", "bad_request"), name
        assert "fault of the program" not in ended.error["message"]
        # A game that is solved has advice, a session and a best play to simulate.
        assert main.code == 2 or name in ("show", "chart", "compare"), ended.error["message"]
