"""What may be known, and how it is written into the rules."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from msgspec import structs

from croupier.errors import BadRequest, UnknownName, Unsolvable
from croupier.mathematics.questions.information.seen_cards import rules_seeing
from croupier.mathematics.questions.registry import figures_knowing
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from tests.commands.program import croupier


def rules_of(book: str) -> Rules:
    return put_in_force(load_rulebook(book), Submission())


@pytest.mark.parametrize(
    ("book", "knows", "seen"),
    [
        ("md-uth", {"flop": 1}, [1, 3, 5]),
        ("md-uth", {"flop": 3}, [3, 3, 5]),
        ("md-uth", {"turn and river": 1}, [1, 4, 5]),
        ("mississippi-stud", {"third street": 1}, [1, 1, 2]),
        ("mississippi-stud", {"fifth street": 1}, [1, 2, 3]),
    ],
)
def test_each_decision_sees_what_was_known(
    book: str, knows: dict[str, int], seen: list[int]
) -> None:
    changed = rules_seeing(rules_of(book), knows).book
    assert [decision.sees_community for decision in changed.decisions] == seen
    assert sum(reveal.community for reveal in changed.reveals) == changed.cards.community


@pytest.mark.parametrize(
    ("book", "knows", "error"),
    [
        ("md-uth", {"flp": 1}, UnknownName),
        ("md-uth", {"dealer": 3}, BadRequest),
        ("md-uth", {"dealer": 0}, BadRequest),
        ("md-uth", {"dealer": 1, "flop": 2}, Unsolvable),
        ("md-uth", {"dealer": 1, "flop": 1, "turn and river": 1}, Unsolvable),
        ("let-it-ride", {"dealer": 1}, UnknownName),
    ],
)
def test_what_is_out_of_reach_is_refused(
    book: str, knows: dict[str, int], error: type[Exception]
) -> None:
    with pytest.raises(error):
        figures_knowing(rules_of(book), knows)


def test_mississippi_stud_with_the_next_card() -> None:
    """A player who knows the card to come wins more than half of his ante a round."""
    found = figures_knowing(rules_of("mississippi-stud"), {"third street": 1})
    assert found.expected_value == Fraction(254633, 464100)


def test_the_command_tells_what_is_known() -> None:
    words = ("analyze", "three-card-poker", "--wager", "main", "--knows", "dealer=1")
    main = croupier(*words, "--json").json["wagers"]["main"]
    assert main["knows"] == {"dealer": 1}
    assert main["expected_value_exact"] == "443162/12724075"
    fair = Fraction(main["expected_value_without"])
    assert fair + Fraction(main["worth_exact"]) == Fraction(main["expected_value_exact"])
    assert "more than without" in croupier(*words).text
    for wrong in ("dealer=x", "dealer", "dealer=9", "cat=1"):
        assert croupier(*words[:-1], wrong, "--json").code == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("md-uth", "--shares", "6"), "must be 0 to 5"),
        (("md-uth", "--shares", "-1"), "must be 0 to 5"),
        (("md-uth", "--shares", "2", "--samples", "1"), "must be 2 to"),
        (("md-uth", "--shares", "2", "--seed", "-1"), "must be 0 to"),
        (("md-uth", "--shares", "1", "--knows", "dealer=1"), "ask for only one of them"),
    ],
)
def test_shared_hands_that_cannot_be_are_refused(words: tuple[str, ...], told: str) -> None:
    answer = croupier("analyze", *words, "--wager", "main", "--json")
    assert answer.code == 2
    assert told in answer.json["error"]["message"]


HANDS_PAID = {
    "royal_flush": (4, 1000),
    "straight_flush": (36, 200),
    "four_of_a_kind": (624, 50),
    "full_house": (3744, 11),
    "flush": (5108, 8),
    "straight": (10200, 5),
    "three_of_a_kind": (54912, 3),
    "two_pair": (123552, 2),
    "pair_tens_or_better": (422400, 1),
}


def test_a_seen_card_that_completes_the_hand() -> None:
    """Four own cards and one street: with the street seen nothing is left to come, two bets ride on
    paid hands only, and the third always."""
    rules = rules_of("let-it-ride")
    book = rules.book
    first, second = (structs.replace(each, sees_player=4) for each in book.decisions)
    changed = structs.replace(
        book,
        cards=structs.replace(book.cards, player=4, community=1),
        reveals=(structs.replace(book.reveals[0], name="street 1"),),
        decisions=(first, second),
        wagers={name: each for name, each in book.wagers.items() if name != "three_card_bonus"},
    )
    rules = replace(rules, book=changed, prepared={})
    found = figures_knowing(rules, {"street 1": 1})
    paid = sum(count for count, _ in HANDS_PAID.values())
    won = Fraction(sum(count * pays for count, pays in HANDS_PAID.values()), 2598960)
    lost = 1 - Fraction(paid, 2598960)
    assert found.expected_value == 3 * won - lost
    assert found.by_card == {}
