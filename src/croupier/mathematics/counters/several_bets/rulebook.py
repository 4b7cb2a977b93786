"""A rulebook's main game in this solver's terms, and its solution, found once."""

from __future__ import annotations

import numpy as np

from croupier.mathematics.counters.boards.ranking_pass import TooManyColumns
from croupier.mathematics.counters.boards.rulebook import (
    USUAL,
    HandTops,
    UnitNets,
    qualifier_of,
)
from croupier.mathematics.counters.several_bets.bets import Question
from croupier.mathematics.counters.several_bets.games import SeveralBets
from croupier.mathematics.counters.several_bets.outcomes import OutcomeTable, outcome_table
from croupier.mathematics.counters.several_bets.shape import SEVERAL
from croupier.mathematics.counters.several_bets.solver import Solution, solve
from croupier.mathematics.counters.several_bets.strengths import deck_strengths
from croupier.mathematics.hand_values import deck_mask
from croupier.mathematics.shapes.fields import main_fields
from croupier.mathematics.shapes.shape import refused, unsolvable
from croupier.ranking.by_categories import ByCategories
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook

__all__ = ["bets_game_of", "bets_solution_of", "bets_table_of"]


def bets_table_of(rules: Rules) -> OutcomeTable:
    """Every deal under the best play of these rules."""
    found = rules.prepared.get(OutcomeTable)
    if not isinstance(found, OutcomeTable):
        found = rules.prepared[OutcomeTable] = outcome_table(bets_solution_of(rules))
    return found


def bets_solution_of(rules: Rules) -> Solution:
    """The solved main game under these rules."""
    found = rules.prepared.get(Solution)
    if not isinstance(found, Solution):
        try:
            found = rules.prepared[Solution] = solve(bets_game_of(rules))
        except TooManyColumns:
            raise refused(
                "the main game",
                "the wagers that decisions bet pay in too many different ways together: with fewer "
                "multiples, or paytables that are alike, it can be solved",
            ) from None
    return found


def bets_game_of(rules: Rules) -> SeveralBets:
    """The main game under the rules in force; refused where the solver does not model it."""
    found = rules.prepared.get(SeveralBets)
    if not isinstance(found, SeveralBets):
        found = rules.prepared[SeveralBets] = _game(rules)
    return found


def _game(rules: Rules) -> SeveralBets:
    book = rules.book
    misfit = next(SEVERAL.misfits(rules, main_fields(rules)), None)
    if misfit is not None:
        raise unsolvable("the main game", misfit, SEVERAL)
    assert book.dealer is not None
    ranking = ranking_of(book, book.dealer.hand)
    is_usual = isinstance(ranking, ByCategories) and ranking.is_usual
    tops = USUAL if is_usual else HandTops(deck_strengths(ranking).values, ranking.names)
    wagers = tuple(dict.fromkeys(decision.wager for decision in book.decisions))
    nets = UnitNets(rules, tops, wagers)
    try:
        required, *decided = nets.tables()
        return SeveralBets(
            questions=_questions(book, wagers),
            required=required,
            decided=tuple(decided),
            folded=nets.folded,
            qualifier=qualifier_of(book) if is_usual else _qualifier(book, ranking),
            scale=nets.scale,
            deck=deck_mask(ranking),
            ranking=None if is_usual else ranking,
            takes_first=rules.takes_first,
        )
    except OverflowError as error:
        raise refused("the main game", f"the bets and paytables lead too far ({error})") from None


def _qualifier(book: Rulebook, ranking: Ranking) -> int:
    assert book.dealer is not None
    least = ranking.least(book.dealer.at_least, book.dealer.of)
    return int(np.searchsorted(deck_strengths(ranking).values, least))


def _questions(book: Rulebook, wagers: tuple[str, ...]) -> tuple[Question, ...]:
    return tuple(
        Question(
            seen=decision.sees_community,
            wager=wagers.index(decision.wager),
            bets=tuple(decision.bets.items()),
            decline=decision.otherwise,
            folds=decision.otherwise == "fold",
        )
        for decision in book.decisions
    )
