"""Exact advice from the mathematics, worked out in a process of its own.

The first question about a table may have to compile and to solve for a while; the server goes on
meanwhile and says "preparing". What was asked once is remembered.
"""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from fractions import Fraction
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Final

from croupier.errors import Refusal
from croupier.runtime.player_questions import ExactValues, Question, answer

__all__ = ["Adviser", "Values"]

REMEMBERED: Final = 5000

Values = dict[str, Fraction]
"""Expected net of the round by action, in units of one required wager, best play afterwards."""


# -- in the other process -------------------------------------------------------------------------


def _begin() -> None:
    """A low priority, since tables come first; deaf to Ctrl-C; ended together with the server."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)
    Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(0)


# -- in the server --------------------------------------------------------------------------------


class Adviser:
    """Belongs to the event loop."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._asked: OrderedDict[Question, Future[ExactValues]] = OrderedDict()

    async def ask(self, question: Question, patience: float = 1.0) -> Values | None:
        """The values, or nothing yet: the same question is answered a little later."""
        asked = self._asked.get(question)
        if asked is None:
            asked = self._submit(question)
        done, _ = await asyncio.wait({asyncio.wrap_future(asked)}, timeout=patience)
        if not done or not asked.done():
            return None
        try:
            return {action: Fraction(*value) for action, value in asked.result().items()}
        except BrokenProcessPool:
            self.close()
            raise Refusal("the adviser fell over: ask again", code="not_now") from None
        except Exception:
            self._asked.pop(question, None)
            raise

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_begin)
        return self._pool

    def _submit(self, question: Question) -> Future[ExactValues]:
        asked = self._asked[question] = self._started().submit(answer, question)
        while len(self._asked) > REMEMBERED:
            self._asked.popitem(last=False)
        return asked

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None
        self._asked.clear()
