"""Exact advice from the solvers, computed in a separate process.

The first question about a table may need to compile and solve for a while; meanwhile the server
answers "preparing". To spare people this wait, `croupier serve` compiles while they are still in
the lobby. Answers are cached.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, Final, TypeAlias

import msgspec
from litestar import Controller, Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from croupier.errors import Refusal
from croupier.money import dollars, format_cents
from croupier.runtime.player_questions import (
    ExactValues,
    Played,
    Question,
    answer,
    prepare,
    question_for,
)
from croupier.web.accounts.guard import visit_of
from croupier.web.server.requests import AnyRequest, NameInPath
from croupier.web.server.solver_process import PREPARING, Answers, SolverProcess, preparing
from croupier.web.tables.history import Decided, RoundNumber, decisions_of
from croupier.web.tables.pit import ThePit

Values = dict[str, Fraction]
"""Expected net of the round by action, in units of one required wager, with best play
afterwards."""


_log: Final = logging.getLogger("croupier.web")


class Adviser(Answers[Question, ExactValues]):
    def __init__(self, process: SolverProcess | None = None) -> None:
        super().__init__(answer, process)

    async def values(self, question: Question, patience: float = 1.0) -> Values | None:
        """Return the value of each action, or None if it is still being computed."""
        exact = await self.ask(question, patience)
        if exact is None:
            return None
        return {action: Fraction(*value) for action, value in exact.items()}

    async def prepare(self, games: Iterable[Played]) -> None:
        """Prepare one game after another, so that a question asked meanwhile waits for at most one
        of them."""
        for game in dict.fromkeys(games):
            try:
                await asyncio.wrap_future(self.run(prepare, game))
            except Exception:  # preparation is optional: anyone who asks gets the error
                _log.exception("advice for %s cannot be prepared", game.rulebook)


TheAdviser: TypeAlias = NamedDependency[Adviser]


class ActionValue(msgspec.Struct, frozen=True):
    """The expected net of the round in units of one required wager, with best play afterwards."""

    expected_value: float
    exact: str
    cost: float
    words: str


class AdviceForm(msgspec.Struct, frozen=True):
    decision: str
    actions: dict[str, ActionValue]
    best: str


class ReviewedDecision(msgspec.Struct, frozen=True):
    """A decision compared with the best one. `cost` is in units of one required wager, `cost_money`
    in dollars; `right` means that it cost nothing."""

    seat: int
    decision: str
    said: str
    best: str
    right: bool
    cost: float
    cost_exact: str
    cost_money: str
    actions: dict[str, ActionValue]
    words: str


class ReviewForm(msgspec.Struct, frozen=True):
    table: str
    number: int
    decisions: tuple[ReviewedDecision, ...]
    cost_money: str


class AdviceRoutes(Controller):
    path = "/api/v1/tables"
    tags = ("rounds",)

    @get("/{table:str}/advice", summary="What is best now?", responses=PREPARING)
    async def advice(
        self,
        request: AnyRequest,
        table: NameInPath,
        seat: Annotated[int, QueryParameter(ge=1, le=20)],
        pit: ThePit,
        adviser: TheAdviser,
    ) -> Response[AdviceForm]:
        """Return the exact value of every action, for your own seat when it has a decision."""
        person = visit_of(request).signed_in()
        served = pit.table(table)
        held = served.table.round.seat(seat)
        if person.role != "player" or held is None or held.player != person.name:
            raise Refusal("advice is for one's own seat", code="not_yours")
        question = question_for(served.table, seat)
        values = await adviser.values(question)
        if values is None:
            return preparing()
        return Response(AdviceForm(question.decision, _actions(values), _best(values)))

    @get(
        "/{table:str}/rounds/{number:int}/review",
        summary="What was best, and what mistakes cost",
        responses=PREPARING,
    )
    async def review(
        self,
        request: AnyRequest,
        table: NameInPath,
        number: RoundNumber,
        pit: ThePit,
        adviser: TheAdviser,
    ) -> Response[ReviewForm]:
        """Return the cost of each of your own decisions in a finished round."""
        person = visit_of(request).signed_in()
        pit.table(table)
        moments = await pit.looking_back(
            lambda: decisions_of(pit.journal, table, number, person.name)
        )
        decisions = []
        for moment in moments:
            values = await adviser.values(moment.question)
            if values is None:
                return preparing()
            decisions.append((moment, values))
        return Response(_review(table, number, decisions))


def _best(values: Values) -> str:
    return max(values, key=lambda action: values[action])


def _actions(values: Values) -> dict[str, ActionValue]:
    best = max(values.values())
    return {
        action: ActionValue(
            float(value),
            f"{value.numerator}/{value.denominator}",
            float(best - value),
            _words(action, float(value), float(best - value)),
        )
        for action, value in values.items()
    }


def _words(action: str, value: float, cost: float) -> str:
    if not cost:
        return f"{action} is best: {value:+.3f} units on average."
    return f"{action}: {value:+.3f} units on average, {cost:.3f} less than the best."


def _review(table: str, number: int, priced: list[tuple[Decided, Values]]) -> ReviewForm:
    decisions, total = [], 0
    for decided, values in priced:
        best = _best(values)
        cost = max(values.values()) - values[decided.said]
        cents = round(cost * decided.unit_cents)
        total += cents
        right = not cost
        decisions.append(
            ReviewedDecision(
                seat=decided.seat,
                decision=decided.question.decision,
                said=decided.said,
                best=decided.said if right else best,
                right=right,
                cost=float(cost),
                cost_exact=f"{cost.numerator}/{cost.denominator}",
                cost_money=format_cents(cents),
                actions=_actions(values),
                words=f"{decided.said} was best."
                if right
                else f"{decided.said} cost {dollars(cents)} on average: {best} was best.",
            )
        )
    return ReviewForm(table, number, tuple(decisions), format_cents(total))
