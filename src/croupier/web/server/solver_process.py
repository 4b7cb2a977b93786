"""Work for the mathematics, done in a process beside the server: tables go on meanwhile."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, Final, Generic, TypeVar

import msgspec
from litestar import Response
from litestar.openapi.datastructures import ResponseSpec

from croupier.errors import Refusal
from croupier.rulebooks.kept_rules import RulesText, keep_rules, kept_rules
from croupier.web.server.problems import PROBLEMS

REMEMBERED: Final = 5000

Question = TypeVar("Question", bound=Hashable)
Answer = TypeVar("Answer")
Given = TypeVar("Given")
Result = TypeVar("Result")


class Beside(Generic[Question, Answer]):
    """Answers questions by a function of a module, and remembers what was asked once. Belongs to
    the event loop."""

    remembered: int = REMEMBERED

    def __init__(self, answer: Callable[[Question], Answer]) -> None:
        self._answer = answer
        self._pool: ProcessPoolExecutor | None = None
        self._told: set[str] = set()
        """The rulebooks that the process beside knows."""
        self._asked: OrderedDict[Question, Future[Answer]] = OrderedDict()

    async def ask(self, question: Question, patience: float = 1.0) -> Answer | None:
        """The answer, or nothing yet: the same question is answered a little later."""
        asked = self._asked.get(question)
        if asked is None:
            asked = self._submit(question)
        waited = asyncio.wrap_future(asked)
        waited.add_done_callback(_look_at)
        done, _ = await asyncio.wait({waited}, timeout=patience)
        if not done or not asked.done():
            return None
        try:
            return asked.result()
        except BrokenProcessPool:
            self.close()
            raise Refusal("the calculation stopped: ask again", code="not_now") from None
        except Exception:
            self._asked.pop(question, None)
            raise

    def knows(self, question: Question) -> bool:
        """Was it asked before, and is the answer there or on its way?"""
        return question in self._asked

    def waiting(self, but: Question) -> int:
        """How many questions have no answer yet, this one aside."""
        return sum(not one.done() for asked, one in self._asked.items() if asked != but)

    def run(self, work: Callable[[Given], Result], given: Given) -> Future[Result]:
        """By any function of a module, in the process beside. A table may be played by rules that
        an older program came with: those that the journal has kept go with the question."""
        pool = self._started()
        news = {name: rules for name, rules in kept_rules().items() if name not in self._told}
        self._told |= news.keys()
        return pool.submit(_work_with, tuple(news.values()), work, given)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_begin)
            self._told.clear()
        return self._pool

    def _submit(self, question: Question) -> Future[Answer]:
        asked = self._asked[question] = self.run(self._answer, question)
        while len(self._asked) > self.remembered:
            self._asked.popitem(last=False)
        return asked

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None
        self._asked.clear()


def _work_with(
    rules: tuple[RulesText, ...], work: Callable[[Given], Result], given: Given
) -> Result:
    for one in rules:
        keep_rules(one)
    return work(given)


def _look_at(waited: asyncio.Future[Any]) -> None:
    """Whoever asks again is told what went wrong; nobody else need be."""
    if not waited.cancelled():
        waited.exception()


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


class PreparingForm(msgspec.Struct, frozen=True):
    """The game is being worked out for the first time: ask again in `seconds`."""

    status: str = "preparing"
    seconds: float = 1.0


PREPARING = {
    202: ResponseSpec(PreparingForm, description="Not solved yet", generate_examples=False),
    **PROBLEMS,
}


def preparing() -> Response[Any]:
    return Response(PreparingForm(), status_code=202, headers={"Retry-After": "1"})
