"""Solver processes beside the server, so that tables go on while they work."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, Final, Generic, TypeVar
from weakref import WeakSet

import msgspec
from litestar import Response
from litestar.openapi.datastructures import ResponseSpec

from croupier.errors import Refusal
from croupier.rulebooks.kept_rules import RulesText, keep_rules, kept_rules
from croupier.web.server.memo import Memo
from croupier.web.server.problems import PROBLEMS

REMEMBERED: Final = 5000

Question = TypeVar("Question", bound=Hashable)
Answer = TypeVar("Answer")
Argument = TypeVar("Argument")
Result = TypeVar("Result")


class SolverProcess:
    """One process for solving, started when it is first needed. Work waits in a queue."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._known_rules: set[str] = set()
        """The rulebooks that have been sent to the process."""
        self._working = WeakSet[Future[Any]]()

    def run(self, work: Callable[[Argument], Result], argument: Argument) -> Future[Result]:
        """Run a module-level function in the process. Rules of an older program that the journal
        has kept are sent with the call, because a table may still use them."""
        pool = self._started()
        news = {id_: rules for id_, rules in kept_rules().items() if id_ not in self._known_rules}
        self._known_rules |= news.keys()
        future = pool.submit(_work_with, tuple(news.values()), work, argument)
        self._working.add(future)
        return future

    def stopped_at(self, future: Future[Any]) -> None:
        """Close the process if it ended while it worked on this future: the next call starts
        another."""
        if future in self._working:
            self.close()

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_begin)
            self._known_rules.clear()
        return self._pool

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None
        self._working.clear()


class SolverPool:
    """The processes for solving, separated by how long their work takes, so that people at a table
    never wait behind a report. Each is started when it is first needed."""

    def __init__(self) -> None:
        self.quick = SolverProcess()
        """Advice, practice and figures of wagers: a second, or a few for a new game."""
        self.designs = SolverProcess()
        """The designer's questions: a few seconds each."""
        self.long = SolverProcess()
        """Reports and certificates: a minute each."""

    def close(self) -> None:
        for process in (self.quick, self.designs, self.long):
            process.close()


class Answers(Generic[Question, Answer]):
    """Answers questions by running a module-level function in a solver process, and caches the
    answers. Used from the event loop only."""

    remembered: int = REMEMBERED
    keeps_open: bool = False
    """Questions without an answer are never evicted from the cache."""

    def __init__(
        self, answer: Callable[[Question], Answer], process: SolverProcess | None = None
    ) -> None:
        self._answer = answer
        self.process = SolverProcess() if process is None else process
        self.answers: Memo[Question, Future[Answer]] = Memo(
            self.remembered, keeps=_is_open if self.keeps_open else None
        )

    async def ask(self, question: Question, patience: float = 1.0) -> Answer | None:
        """Return the answer, or None if it takes longer than `patience` seconds: ask again
        later."""
        answer = self.answers.get(question)
        if answer is None:
            answer = self.answers[question] = self.run(self._answer, question)
        waited = asyncio.wrap_future(answer)
        waited.add_done_callback(_look_at)
        done, _ = await asyncio.wait({waited}, timeout=patience)
        if not done or not answer.done():
            return None
        try:
            return answer.result()
        except BrokenProcessPool:
            self.process.stopped_at(answer)
            self.forget()
            raise Refusal("the calculation stopped: ask again", code="not_now") from None
        except Exception:
            self.answers.pop(question, None)
            raise

    def knows(self, question: Question) -> bool:
        """Return whether this question was asked before and its answer is cached or on its way."""
        return question in self.answers

    def waiting(self, but: Question) -> int:
        """Return the number of questions without an answer, not counting `but`."""
        return sum(
            _is_open(answer)
            for other_question, answer in self.answers.items()
            if other_question != but
        )

    def run(self, work: Callable[[Argument], Result], argument: Argument) -> Future[Result]:
        return self.process.run(work, argument)

    def forget(self) -> None:
        self.answers.clear()

    def close(self) -> None:
        self.process.close()
        self.forget()


def _is_open(answer: Future[Any]) -> bool:
    return not answer.done()


def _work_with(
    rules: tuple[RulesText, ...], work: Callable[[Argument], Result], argument: Argument
) -> Result:
    for text in rules:
        keep_rules(text)
    return work(argument)


def _look_at(waited: asyncio.Future[Any]) -> None:
    """Mark the exception as retrieved. Anyone who asks again gets the error; nobody else needs
    it."""
    if not waited.cancelled():
        waited.exception()


def _begin() -> None:
    """Initialize a solver process: low priority because tables come first, Ctrl-C ignored, and an
    end together with the server."""
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
    """The game is being solved for the first time: ask again in `seconds`."""

    status: str = "preparing"
    seconds: float = 1.0


PREPARING = {
    202: ResponseSpec(PreparingForm, description="Not solved yet", generate_examples=False),
    **PROBLEMS,
}


def preparing() -> Response[Any]:
    return Response(PreparingForm(), status_code=202, headers={"Retry-After": "1"})
