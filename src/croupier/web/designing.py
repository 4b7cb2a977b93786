"""Paytables as somebody would have them, and their reports: worked out in processes beside the
tables, for one person after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Generic, NamedTuple, TypeVar

from croupier.errors import Refusal
from croupier.web.beside import Beside
from croupier.web.design_forms import Answer, Question, ReportFile, WantedReport
from croupier.web.problems import Overloaded, TooMany

__all__ = ["DesignReports", "Designer", "InTurns"]

Asked = TypeVar("Asked", bound=Hashable)
Found = TypeVar("Found")


class _Waiting(NamedTuple, Generic[Asked, Found]):
    who: str
    question: Asked
    answer: Future[Found]


class InTurns(Beside[Asked, Found]):
    """Of each person at most one question is worked out and one waits. Next comes the person who
    was served longest ago, so that nobody holds the queue."""

    most_waiting: int = 40
    """People who wait; the next is sent away."""

    def __init__(self, answer: Callable[[Asked], Found]) -> None:
        super().__init__(answer)
        self._waiting: list[_Waiting[Asked, Found]] = []
        self._running: _Waiting[Asked, Found] | None = None
        self._served: dict[str, int] = {}
        self._turns = 0

    async def ask_as(self, who: str, question: Asked, patience: float = 1.0) -> Found | None:
        """The answer, or nothing yet: the same question is answered a little later."""
        if not self.knows(question):
            self._check(who)
            one = _Waiting(who, question, Future[Found]())
            self._asked[question] = one.answer
            self._waiting.append(one)
            self._forget_old()
            self._go_on()
        return await self.ask(question, patience)

    def _check(self, who: str) -> None:
        if any(one.who == who for one in self._waiting):
            raise TooMany(
                "your last question still waits for its turn: others are asking, too. Ask this "
                "one again in a moment",
                1.0,
            )
        if len(self._waiting) >= self.most_waiting:
            raise Overloaded("many people are asking just now: try again in a minute")

    def _go_on(self) -> None:
        if self._running is not None or not self._waiting:
            return
        one = min(self._waiting, key=lambda waiting: self._served.get(waiting.who, 0))
        self._waiting.remove(one)
        self._running, self._turns = one, self._turns + 1
        there = {waiting.who for waiting in self._waiting}
        self._served = {who: at for who, at in self._served.items() if who in there}
        self._served[one.who] = self._turns
        loop = asyncio.get_running_loop()

        def end(done: Future[Found]) -> None:
            with suppress(RuntimeError):  # the server has stopped
                loop.call_soon_threadsafe(self._end, one, done)

        self.run(self._answer, one.question).add_done_callback(end)

    def _end(self, one: _Waiting[Asked, Found], done: Future[Found]) -> None:
        if self._running is not one:
            return  # the process has ended meanwhile, and everything with it
        self._running = None
        if done.cancelled():
            one.answer.cancel()
        elif isinstance(error := done.exception(), BrokenProcessPool):
            self.close()  # the next question starts another process
            stopped = Refusal("the calculation stopped: ask again", code="not_now")
            one.answer.set_exception(stopped)
        elif error is not None:
            one.answer.set_exception(error)
        else:
            one.answer.set_result(done.result())
        self._go_on()

    def _forget_old(self) -> None:
        """Answers only: a question that waits keeps its place."""
        old = [question for question, answer in self._asked.items() if answer.done()]
        for question in old[: max(0, len(self._asked) - self.remembered)]:
            del self._asked[question]

    def close(self) -> None:
        super().close()
        self._waiting.clear()
        self._running = None


class Designer(InTurns[Question, Answer]):
    def __init__(self) -> None:
        super().__init__(worked_out)


class DesignReports(InTurns[WantedReport, ReportFile]):
    """A minute of work each, in a process of its own."""

    remembered = 12  # a megabyte each
    most_waiting = 8

    def __init__(self) -> None:
        super().__init__(made_report)


def worked_out(question: Question) -> Answer:
    """In the process beside the server, which alone loads the solvers."""
    from croupier.web.design_work import answer

    return answer(question)


def made_report(asked: WantedReport) -> ReportFile:
    """In the process beside the server, which alone loads the solvers."""
    from croupier.web.design_work import report_file

    return report_file(asked.table, asked.name, asked.date)
