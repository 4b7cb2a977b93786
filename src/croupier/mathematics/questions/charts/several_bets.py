"""The first decision over the 169 starting hands, and what each decision is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from croupier.cards import RANKS, Card
from croupier.errors import BadRequest
from croupier.mathematics.counters.several_bets.bets import Question
from croupier.mathematics.counters.several_bets.games import SeveralBets
from croupier.mathematics.counters.several_bets.rulebook import bets_game_of, bets_solution_of
from croupier.mathematics.counters.several_bets.solver import solve
from croupier.mathematics.questions.advice.several_bets import advise_several_bets
from croupier.mathematics.questions.advice.situation import Advice, Situation
from croupier.mathematics.questions.strategies.choices import StrategyDecision
from croupier.mathematics.questions.strategies.grid import (
    Grid,
    HandCell,
    Skipped,
    grid_of,
    hand_name,
    members_of,
)
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen
from croupier.rulebooks.rules import Rules

__all__ = ["bets_grid", "bets_values", "grid_by_advice"]


def bets_grid(rules: Rules) -> Grid:
    return grid_by_advice(rules, advise_several_bets)


def grid_by_advice(rules: Rules, advise: Callable[[Rules, Situation], Advice]) -> Grid:
    """The first decision, asked of the advice on one hand of each cell."""
    decision = rules.book.decisions[0]
    if decision.sees_community:
        raise BadRequest("a first decision after community cards has no chart of starting hands")
    if rules.book.deck.ranks != RANKS:
        raise BadRequest("the chart of starting hands is drawn for a deck of 52 cards")
    words = (*decision.bets, decision.otherwise)
    choice = StrategyDecision(decision.name, words, CardsSeen(decision.sees_player, 0))

    def cell(row: int, column: int) -> HandCell:
        members = members_of(row, column)
        advice = advise(rules, Situation([Card(card) for card in members[0]]))
        best = max(advice.values.values())
        equal = [word for word in words if advice.values.get(word) == best]
        right = equal[0 if rules.takes_first else -1]
        return HandCell(
            hand_name(row, column),
            advice.values,
            {word: Fraction(word == right) for word in words},
            best - advice.values[decision.otherwise],
            len(members),
        )

    return grid_of(rules, choice, cell)


def bets_values(rules: Rules) -> tuple[Fraction, list[Skipped]]:
    """The house edge of the best play, and what it becomes without each decision."""
    game = bets_game_of(rules)
    found = []
    for number, question in enumerate(game.questions):
        how, other = _without(game, number, question)
        if other is not None:
            name = rules.book.decisions[number].name
            found.append(Skipped(name, f"always {how}", -solve(other).value))
    return -bets_solution_of(rules).value, found


def _without(game: SeveralBets, number: int, question: Question) -> tuple[str, SeveralBets | None]:
    """The game in which a check, or the first bet instead of a fold, is all that may be said."""
    before, after = game.questions[:number], game.questions[number + 1 :]
    if not question.folds:
        rest = (*before, *after)
        return question.decline, replace(game, questions=rest) if rest else None
    bet = question._replace(bets=question.bets[:1], decline="")
    return question.bets[0][0], replace(game, questions=(*before, bet, *after))
