"""Hand reading: the answers are those of the reference evaluator, which tries every choice of five
cards, and of `croupier.settle`."""

from __future__ import annotations

import pytest

from croupier.cards import Card, cards_in
from croupier.ranking.hands import CATEGORY_NAMES
from croupier.ranking.reference import best_five
from croupier.rulebooks.rankings import ranking_of
from croupier.school.drills.drawing import draw_drill, rulebooks_for
from croupier.school.drills.drill import Drill
from tests.school.drills.dealt_again import book_of, with_a_player


def value_of(drill: Drill, hand: str, cards: tuple[Card, ...]) -> int:
    """By the reference for five cards, else by the ranking's slow way."""
    ranking = ranking_of(book_of(drill.question), hand)
    if ranking.names == CATEGORY_NAMES and ranking.size == 5 and len(cards) >= 5:
        return best_five(cards)[0]
    return ranking.value_of(cards)


def check_category(drill: Drill) -> None:
    book = book_of(drill.question)
    cards = cards_in(drill.question.scene.cards)
    value = value_of(drill, book.announces, cards)
    name = ranking_of(book, book.announces).names[value >> 20]
    for place, choice in enumerate(drill.question.choices):
        said = choice.words.lower().replace("-card ", "_card_").replace(" ", "_")
        said = said.removeprefix("an_").removeprefix("a_")
        assert (said == name) == (place == drill.right)


def check_best(drill: Drill) -> None:
    book = book_of(drill.question)
    cards = cards_in(drill.question.scene.cards)
    best = value_of(drill, book.announces, cards)
    for place, choice in enumerate(drill.question.choices):
        chosen = cards_in(choice.cards)
        assert set(chosen) <= set(cards)
        assert (value_of(drill, book.announces, chosen) == best) == (place == drill.right)


def check_winner(drill: Drill) -> None:
    book, scene = book_of(drill.question), drill.question.scene
    assert book.dealer is not None
    seat = next(seat for seat in scene.seats if seat.asked)
    board = cards_in(scene.community)
    mine = value_of(drill, book.announces, (*board, *cards_in(seat.cards)))
    theirs = value_of(drill, book.dealer.hand, (*board, *cards_in(scene.dealer)))
    right = "The player" if mine > theirs else "The dealer"
    assert drill.answer == ("Nobody: it is a tie" if mine == theirs else right)


def check_qualifies(drill: Drill) -> None:
    assert drill.answer == ("Yes" if with_a_player(drill.question).dealer.qualifies else "No")


def check_highest(drill: Drill) -> None:
    book, scene = book_of(drill.question), drill.question.scene
    board = cards_in(scene.community)
    values = {
        seat.seat: value_of(drill, book.announces, (*board, *cards_in(seat.cards)))
        for seat in scene.seats
    }
    best = max(values.values())
    assert list(values.values()).count(best) == 1
    assert values[int(drill.answer.removeprefix("Seat "))] == best


CHECKS = {
    "hands.category": check_category,
    "hands.best": check_best,
    "hands.winner": check_winner,
    "hands.qualifies": check_qualifies,
    "hands.highest": check_highest,
}


@pytest.mark.parametrize("skill", CHECKS)
def test_every_hand_is_what_the_ranking_says(skill: str) -> None:
    books = rulebooks_for(skill)
    assert len(books) >= 8
    for book in books:
        for seed in range(3):
            CHECKS[skill](draw_drill(skill, book, f"hands {seed}"))


@pytest.mark.full
@pytest.mark.parametrize("skill", CHECKS)
def test_ten_thousand_hands_of_each_kind(skill: str) -> None:
    books = rulebooks_for(skill)
    for number in range(10_000):
        book = books[number * len(books) // 10_000]
        CHECKS[skill](draw_drill(skill, book, f"many {number}"))
