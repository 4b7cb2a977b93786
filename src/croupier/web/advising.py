"""Exact advice from the mathematics, worked out in a process of its own.

The first question about a table may have to compile and to solve for a while; the server goes on
meanwhile and says "preparing". What was asked once is remembered.
"""

from __future__ import annotations

from fractions import Fraction

from croupier.runtime.player_questions import ExactValues, Question, answer
from croupier.web.beside import Beside

__all__ = ["Adviser", "Values"]

Values = dict[str, Fraction]
"""Expected net of the round by action, in units of one required wager, best play afterwards."""


class Adviser(Beside[Question, ExactValues]):
    def __init__(self) -> None:
        super().__init__(answer)

    async def values(self, question: Question, patience: float = 1.0) -> Values | None:
        """What each action is worth, or nothing yet."""
        found = await self.ask(question, patience)
        if found is None:
            return None
        return {action: Fraction(*value) for action, value in found.items()}
