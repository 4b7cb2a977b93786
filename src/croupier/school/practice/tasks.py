"""Questions of practice to the mathematics, answered in another process."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from croupier.reports.strategy_aids import StrategyAtHand, strategy_at_hand
from croupier.rulebooks.rules import rules_for
from croupier.runtime.player_questions import ExactValues, Question, answer, beaten_dealers
from croupier.school.practice.game_figures import GameFigures, figures_of
from croupier.school.practice.spots import Spot, find_spot


class PriceWanted(NamedTuple):
    question: Question


class Worth(NamedTuple):
    """The value of every answer, and how often the hand beats the dealer's."""

    values: ExactValues
    beaten: tuple[int, int, int]


class FiguresWanted(NamedTuple):
    game: str


class StrategyWanted(NamedTuple):
    """The strategy for the rules of a table, or those of practice."""

    rulebook: str
    rulebook_text: str
    submission: str


class SpotWanted(NamedTuple):
    game: str
    seed: str
    decision: str
    situation: str = ""


Task: TypeAlias = PriceWanted | FiguresWanted | StrategyWanted | SpotWanted
TaskResult: TypeAlias = Worth | GameFigures | StrategyAtHand | Spot


def done(task: Task) -> TaskResult:
    match task:
        case PriceWanted():
            return Worth(answer(task.question), beaten_dealers(task.question))
        case FiguresWanted():
            return figures_of(task.game)
        case StrategyWanted():
            return strategy_at_hand(rules_for(*task))
        case SpotWanted():
            return find_spot(task.game, task.seed, task.decision, task.situation)
