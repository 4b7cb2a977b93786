"""What was played, what to play, what it cost: history, replay, advice, review, lessons."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, QueryParameter

from croupier.errors import BadRequest, Refusal, shown
from croupier.money import dollars, format_cents
from croupier.runtime.player_questions import question_for
from croupier.web.advising import Values
from croupier.web.guard import visit_of
from croupier.web.history import (
    Decided,
    RoundsForm,
    ToldRound,
    Wanted,
    decisions_of,
    listed,
    told,
)
from croupier.web.lessons import LessonForm, lesson, lessons
from croupier.web.problems import Denied, NotThere
from croupier.web.routes.dependencies import AnyRequest, NameInPath, TheAdviser, TheFigures, ThePit
from croupier.web.routes.problem_responses import PROBLEMS
from croupier.web.trial import may_work_at
from croupier.web.wager_figures import FiguresForm, asked_about

__all__ = ["PREPARING", "Lessons", "Rounds", "preparing", "time_of"]

RoundNumber = Annotated[int, PathParameter(ge=1, le=2**53)]
TimeAsked = Annotated[
    str, QueryParameter(max_length=40, description="ISO 8601 with a zone: 2026-11-15T18:00:00Z")
]


class ActionValue(msgspec.Struct, frozen=True):
    """The expected net of the round in units of one required wager, best play afterwards."""

    expected_value: float
    exact: str
    cost: float
    words: str


class AdviceForm(msgspec.Struct, frozen=True):
    decision: str
    actions: dict[str, ActionValue]
    best: str


class ReviewedDecision(msgspec.Struct, frozen=True):
    """`cost` in units of one required wager, `cost_money` in dollars; `right`: nothing was lost."""

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


class Rounds(Controller):
    path = "/api/v1/tables"
    tags = ("rounds",)

    @get("/{table:str}/rounds", summary="The table's rounds", responses=PROBLEMS)
    async def rounds(
        self,
        request: AnyRequest,
        table: NameInPath,
        pit: ThePit,
        before: Annotated[int | None, QueryParameter(ge=1, le=2**53)] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=100)] = 20,
        player: Annotated[str, QueryParameter(max_length=60)] = "",
        since: TimeAsked = "",
        until: TimeAsked = "",
    ) -> RoundsForm:
        """The newest first; those in play are not among them."""
        pit.table(table)
        who = pit.onlooker(visit_of(request).person)
        if who.private and player not in ("", who.name):
            raise Denied(
                "the rounds of a player are for that player and the house", code="not_yours"
            )
        wanted = Wanted(player, time_of(since, "since"), time_of(until, "until"))
        return await pit.looking_back(
            lambda: listed(pit.journal, table, who, before, limit, wanted)
        )

    @get("/{table:str}/rounds/{number:int}", summary="A round again", responses=PROBLEMS)
    async def round(
        self, request: AnyRequest, table: NameInPath, number: RoundNumber, pit: ThePit
    ) -> ToldRound:
        """In words and step by step on the felt, with what opens the deck's seal."""
        pit.table(table)
        person = visit_of(request).person
        # A guest who tries a job sees the cards of rehearsals only.
        sees = person is not None and may_work_at(person, table)
        who = pit.onlooker(person if sees else None)
        return await pit.looking_back(lambda: told(pit.journal, table, number, who))

    @get("/{table:str}/advice", summary="What is best now?", responses=PREPARING)
    async def advice(
        self,
        request: AnyRequest,
        table: NameInPath,
        seat: Annotated[int, QueryParameter(ge=1, le=20)],
        pit: ThePit,
        adviser: TheAdviser,
    ) -> Response[AdviceForm]:
        """Exact values of every action, for one's own seat when it is asked."""
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
        "/{table:str}/figures/{wager:str}",
        summary="What a wager costs, and how often it pays",
        responses=PREPARING,
    )
    async def wager_figures(
        self, table: NameInPath, wager: NameInPath, pit: ThePit, figures: TheFigures
    ) -> Response[FiguresForm]:
        """Exact, under the rules of this table; a progressive with its meters as they are now."""
        served = pit.table(table)
        asked = asked_about(served.table, served.rules, wager, served.meters)
        found = await figures.ask(asked)
        return preparing() if found is None else Response(found)

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
        """Of one's own decisions in a finished round."""
        person = visit_of(request).signed_in()
        pit.table(table)
        found = await pit.looking_back(
            lambda: decisions_of(pit.journal, table, number, person.name)
        )
        decisions = []
        for one in found:
            values = await adviser.values(one.question)
            if values is None:
                return preparing()
            decisions.append((one, values))
        return Response(_review(table, number, decisions))


class Lessons(Controller):
    path = "/api/v1/lessons"
    tags = ("rounds",)

    @get("/{rulebook:str}", summary="A first round to walk through", responses=PROBLEMS)
    async def lesson(self, rulebook: NameInPath, pit: ThePit) -> LessonForm:
        """A round from a fixed deck, step by step as the learner at seat 3 sees it."""
        if rulebook not in lessons():
            raise NotThere(f"there is no lesson for {rulebook[:60]!r}")
        found: LessonForm = await pit.looking_back(lambda: lesson(rulebook))
        return found


def time_of(text: str, name: str) -> datetime | None:
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
        is_time = at.tzinfo is not None and bool(at.astimezone(UTC))
    except (ValueError, OverflowError):
        is_time = False
    if not is_time:
        raise BadRequest(
            f"{name}={shown(text)} is not a time: write it with its zone, 2026-11-15T18:00:00Z"
        )
    return at


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


def _review(table: str, number: int, found: list[tuple[Decided, Values]]) -> ReviewForm:
    decisions, total = [], 0
    for one, values in found:
        best = _best(values)
        cost = max(values.values()) - values[one.said]
        cents = round(cost * one.unit_cents)
        total += cents
        right = not cost
        decisions.append(
            ReviewedDecision(
                seat=one.seat,
                decision=one.question.decision,
                said=one.said,
                best=one.said if right else best,
                right=right,
                cost=float(cost),
                cost_exact=f"{cost.numerator}/{cost.denominator}",
                cost_money=format_cents(cents),
                actions=_actions(values),
                words=f"{one.said} was best."
                if right
                else f"{one.said} cost {dollars(cents)} on average: {best} was best.",
            )
        )
    return ReviewForm(table, number, tuple(decisions), format_cents(total))
