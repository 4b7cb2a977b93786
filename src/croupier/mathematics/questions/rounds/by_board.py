"""The rounds of hold'em against the dealer under the best play."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.boards.betting import Ending
from croupier.mathematics.counters.boards.rulebook import USUAL, HandTops, game_of
from croupier.mathematics.counters.boards.solution_cache import solution_of
from croupier.mathematics.counters.boards.strategies import (
    OutcomeTable,
    optimal_strategy,
    outcome_table,
)
from croupier.mathematics.counters.several_bets.rulebook import bets_table_of
from croupier.mathematics.game.course import asked_decisions
from croupier.mathematics.questions.rounds.played import Answers, Betting, PlayedRounds, cells_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook

__all__ = ["bets_rounds", "holdem_rounds", "rounds_of_table"]


def holdem_rounds(rules: Rules) -> PlayedRounds:
    """With one wager decided in play."""
    table = rules.prepared.get(OutcomeTable)
    if not isinstance(table, OutcomeTable):
        game = game_of(rules)
        strategy = optimal_strategy(solution_of(rules, game), rules.takes_first)
        table = rules.prepared[OutcomeTable] = outcome_table(game, strategy)
    return rounds_of_table(rules, table)


def rounds_of_table(rules: Rules, table: OutcomeTable) -> PlayedRounds:
    wager = rules.book.decisions[0].wager
    bettings = [
        _betting(
            rules,
            USUAL,
            _answers(rules.book, ending),
            {wager: ending.multiple},
            ending.fold,
            deals,
        )
        for ending, deals in zip(table.endings, table.deals.sum(axis=1), strict=True)
    ]
    return PlayedRounds(rules, USUAL.cases(rules), bettings, USUAL.names)


def _answers(book: Rulebook, ending: Ending) -> Answers:
    """The decisions up to the end of the betting, and what was said at each of them."""
    answers: list[tuple[str, str]] = []
    for decision in asked_decisions(book):
        if decision.sees_community == ending.seen and not ending.fold:
            for said, multiple in decision.bets.items():
                if multiple == ending.multiple:
                    return (*answers, (decision.name, said))
        if decision.sees_community <= ending.seen:
            answers.append((decision.name, decision.otherwise))
    return tuple(answers)


def bets_rounds(rules: Rules) -> PlayedRounds:
    """With several wagers decided in play."""
    table, book = bets_table_of(rules), rules.book
    ranking, strengths = table.game.ranking, table.game.strengths
    tops = USUAL
    if ranking is not None and strengths is not None:
        tops = HandTops(strengths.values, ranking.names)
    wagers = tuple(dict.fromkeys(decision.wager for decision in book.decisions))
    bettings = [
        _betting(
            rules,
            tops,
            tuple((book.decisions[number].name, word) for number, word in path.said),
            dict(zip(wagers, path.bets, strict=True)),
            path.folded,
            deals,
        )
        for path, deals in table.endings
    ]
    return PlayedRounds(rules, tops.cases(rules), bettings, tops.names, lists_answers=True)


def _betting(
    rules: Rules,
    tops: HandTops,
    answers: Answers,
    bets: Mapping[str, int],
    folded: bool,
    deals: NDArray[np.int64],
) -> Betting:
    """`deals` are by strength here."""
    by_case = np.zeros((len(tops), deals.shape[1]), np.int64)
    np.add.at(by_case, tops.numbers, deals[: len(tops.numbers)])
    return Betting(
        answers, dict.fromkeys(rules.required, 1) | dict(bets), folded, cells_of(by_case)
    )
