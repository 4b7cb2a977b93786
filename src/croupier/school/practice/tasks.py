"""What practice asks of the mathematics, as questions that another process answers."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from croupier.reports.strategy_at_hand import StrategyAtHand, strategy_at_hand
from croupier.rulebooks.rules import rules_for
from croupier.runtime.player_questions import ExactValues, Question, answer
from croupier.school.practice.game_figures import GameFigures, figures_of
from croupier.school.practice.spots import Spot, find_spot

__all__ = ["FiguresWanted", "SpotWanted", "StrategyWanted", "Task", "TaskResult", "done"]


class FiguresWanted(NamedTuple):
    game: str


class StrategyWanted(NamedTuple):
    """By the rules of a table, or those of practice."""

    rulebook: str
    rulebook_text: str
    submission: str


class SpotWanted(NamedTuple):
    game: str
    seed: str
    decision: str
    situation: str = ""


Task: TypeAlias = Question | FiguresWanted | StrategyWanted | SpotWanted
TaskResult: TypeAlias = ExactValues | GameFigures | StrategyAtHand | Spot


def done(task: Task) -> TaskResult:
    match task:
        case Question():
            return answer(task)
        case FiguresWanted():
            return figures_of(task.game)
        case StrategyWanted():
            return strategy_at_hand(rules_for(*task))
        case SpotWanted():
            return find_spot(task.game, task.seed, task.decision, task.situation)
