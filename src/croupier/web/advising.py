"""Exact advice from the mathematics, worked out in a process of its own.

The first question about a table may have to compile and to solve for a while; the server goes on
meanwhile and says "preparing". So that nobody meets that, `croupier serve` has it compiled while
people are still in the lobby. What was asked once is remembered.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from croupier.runtime.player_questions import ExactValues, Played, Question, answer, prepare
from croupier.web.beside import Beside

__all__ = ["Adviser", "Values"]

Values = dict[str, Fraction]
"""Expected net of the round by action, in units of one required wager, best play afterwards."""


_log: Final = logging.getLogger("croupier.web")


class Adviser(Beside[Question, ExactValues]):
    def __init__(self) -> None:
        super().__init__(answer)

    async def values(self, question: Question, patience: float = 1.0) -> Values | None:
        """What each action is worth, or nothing yet."""
        found = await self.ask(question, patience)
        if found is None:
            return None
        return {action: Fraction(*value) for action, value in found.items()}

    async def prepare(self, games: Iterable[Played]) -> None:
        """One game after the other: who asks meanwhile waits for one of them at most."""
        for game in dict.fromkeys(games):
            try:
                await asyncio.wrap_future(self.run(prepare, game))
            except Exception:  # it only costs time: whoever asks is told what is wrong
                _log.exception("advice for %s cannot be prepared", game.rulebook)
