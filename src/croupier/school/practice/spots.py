"""Single questions for flash drills, reached by the best play as a good player meets them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from croupier.errors import Refusal, suggest
from croupier.rulebooks.rules import rules_for
from croupier.runtime.player_questions import Question, answer
from croupier.school.practice.hands import SUBMISSION, Hand, checked_game
from croupier.school.practice.situations import situation_of

MOST_TRIED: Final = 400

Answer = Callable[[Question], Mapping[str, tuple[int, int]]]


class Spot(NamedTuple):
    """The question that hand `number` of `seed` asks after these answers."""

    seed: str
    number: int
    answers: tuple[str, ...]


def streets_of(game: str) -> tuple[str, ...]:
    """Return the decisions of a game in order."""
    book = rules_for(checked_game(game), "", SUBMISSION).book
    return tuple([decision.name for decision in book.decisions])


def values_at(hand: Hand, solve: Answer = answer) -> dict[str, Fraction]:
    """Return the exact value of every allowed answer, as `advise` gives it."""
    values = solve(hand.question)
    return {choice.action: Fraction(*values[choice.action]) for choice in hand.choices}


def best_answer(hand: Hand) -> str:
    values = values_at(hand)
    return max(values, key=lambda action: values[action])


def find_spot(game: str, seed: str, decision: str = "", situation: str = "") -> Spot:
    """Return the first hand of the seed in which best play reaches this decision, in this situation
    if one is named. Solves the game: call it in another process."""
    streets = streets_of(game)
    if decision and decision not in streets:
        raise suggest("decision", decision, streets)
    for number in range(1, MOST_TRIED + 1):
        answers = _reached(game, seed, number, decision, situation)
        if answers is not None:
            return Spot(seed, number, answers)
    wanted = situation or decision
    raise Refusal(f"no hand came to {wanted!r} in {MOST_TRIED}: choose another", code="not_now")


def _reached(
    game: str, seed: str, number: int, decision: str, situation: str
) -> tuple[str, ...] | None:
    hand = Hand(game, seed, number)
    answers: list[str] = []
    while (decision_now := hand.decision) is not None:
        if not decision or decision_now.name == decision:
            here = situation_of(hand.rules, decision_now.name, hand.own, hand.community)
            if not situation or here == situation:
                return tuple(answers)
        answers.append(best_answer(hand))
        hand.say(answers[-1])
    return None
