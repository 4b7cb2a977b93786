"""Paytables as somebody would have them, priced and searched in a process beside the tables."""

from __future__ import annotations

from typing import Final

from croupier.web.beside import Beside
from croupier.web.design_forms import Answer, Question
from croupier.web.problems import Overloaded

__all__ = ["Designer"]

MOST_WAITING: Final = 6


class Designer(Beside[Question, Answer]):
    def __init__(self) -> None:
        super().__init__(worked_out)

    async def ask(self, question: Question, patience: float = 1.0) -> Answer | None:
        if self.waiting(question) >= MOST_WAITING:
            raise Overloaded("many paytables are being worked out: try again in a moment")
        return await super().ask(question, patience)


def worked_out(question: Question) -> Answer:
    """In the process beside the server, which alone loads the solvers."""
    from croupier.web.design_work import answer

    return answer(question)
