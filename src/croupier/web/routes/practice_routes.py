"""Practice for players: whole hands, a daily one, flash drills, leaks, an exam, and the strategy at
hand."""

from __future__ import annotations

from typing import Any, TypeVar

from anyio import to_thread
from litestar import Controller, MediaType, Response, get, post
from litestar.params import JSONBody

from croupier.reports.strategy_aids import StrategyAtHand, strategy_card
from croupier.school.certificates import text
from croupier.school.practice.hands import checked_game
from croupier.school.practice.sessions import checked_mode
from croupier.web.guard import visit_of
from croupier.web.practice_forms import (
    AnswerForm,
    BeginForm,
    CurveForm,
    LeaksForm,
    NextForm,
    PracticeForm,
    PracticeGames,
)
from croupier.web.routes.dependencies import AnyRequest, NameInPath, ThePit, ThePractice
from croupier.web.routes.problem_responses import PROBLEMS
from croupier.web.routes.round_routes import PREPARING, preparing

__all__ = ["PracticeRoutes"]

T = TypeVar("T")


def _ready(found: T | None) -> Response[Any]:
    return preparing() if found is None else Response(found)


async def _card(found: StrategyAtHand | None) -> Response[Any]:
    if found is None:
        return preparing()
    data = await to_thread.run_sync(strategy_card, found)
    return Response(data, media_type="application/pdf")


def _person(request: AnyRequest) -> str:
    return visit_of(request).signed_in().name


class PracticeRoutes(Controller):
    path = "/api/v1/practice"
    tags = ("practice",)

    @get("/", summary="Games to practise", responses=PROBLEMS)
    async def games(self, request: AnyRequest, practice: ThePractice) -> PracticeGames:
        """With your accuracy so far, and how many leaks are due."""
        return await practice.games(_person(request))

    @get("/certificates/{name:str}", summary="A certificate of yours", responses=PROBLEMS)
    async def certificate(
        self, request: AnyRequest, practice: ThePractice, name: NameInPath
    ) -> Response[str]:
        """A file that `croupier certificate` recomputes on any machine."""
        found = await practice.certificate(_person(request), name[:100])
        headers = {
            "Content-Disposition": f'attachment; filename="certificate-{found.hash[:16]}.json"'
        }
        return Response(text(found), media_type=MediaType.JSON, headers=headers)

    @get("/{game:str}/curve", summary="Luck apart from skill", responses=PREPARING)
    async def curve(
        self, request: AnyRequest, practice: ThePractice, game: NameInPath
    ) -> Response[CurveForm]:
        """Of your session: result = expected - mistakes + luck, and the band of 95%."""
        return _ready(await practice.curve(_person(request), checked_game(game)))

    @get("/{game:str}/leaks", summary="Where you lose money", responses=PROBLEMS)
    async def leaks(
        self, request: AnyRequest, practice: ThePractice, game: NameInPath
    ) -> LeaksForm:
        """The dearest situation first."""
        return await practice.leaks(_person(request), checked_game(game))

    @get("/{game:str}/strategy", summary="Chart and strategies in words", responses=PREPARING)
    async def strategy(self, practice: ThePractice, game: NameInPath) -> Response[StrategyAtHand]:
        """With the exact price of each strategy."""
        return _ready(await practice.strategy(checked_game(game)))

    @get("/tables/{table:str}/strategy", summary="Strategy of a table", responses=PREPARING)
    async def table_strategy(
        self, practice: ThePractice, pit: ThePit, table: NameInPath
    ) -> Response[StrategyAtHand]:
        """By the rules and paytables that are in force there."""
        found = pit.table(table).table
        return _ready(
            await practice.strategy(found.rulebook, found.rulebook_text, found.submission)
        )

    @get(
        "/tables/{table:str}/card.pdf", summary="Strategy of a table to print", responses=PREPARING
    )
    async def table_card(
        self, practice: ThePractice, pit: ThePit, table: NameInPath
    ) -> Response[bytes]:
        found = pit.table(table).table
        rules = found.rulebook, found.rulebook_text, found.submission
        return await _card(await practice.strategy(*rules))

    @get("/{game:str}/card.pdf", summary="Strategy to print", responses=PREPARING)
    async def card(self, practice: ThePractice, game: NameInPath) -> Response[bytes]:
        """Chart, words and prices on one page."""
        return await _card(await practice.strategy(checked_game(game)))

    @get("/{game:str}/in/{mode:str}", summary="How practice stands", responses=PREPARING)
    async def state(
        self, request: AnyRequest, practice: ThePractice, game: NameInPath, mode: NameInPath
    ) -> Response[PracticeForm]:
        """In the mode `play`, `daily`, `flash`, `leaks` or `exam`. All but an exam begin by
        themselves."""
        person = _person(request)
        return _ready(await practice.state(person, checked_game(game), checked_mode(mode)))

    @post("/{game:str}/in/{mode:str}", status_code=201, summary="Begin anew", responses=PREPARING)
    async def begin(
        self,
        request: AnyRequest,
        practice: ThePractice,
        game: NameInPath,
        mode: NameInPath,
        data: JSONBody[BeginForm],
    ) -> Response[PracticeForm]:
        person = _person(request)
        found = await practice.begin(person, checked_game(game), checked_mode(mode), data.street)
        return _ready(found)

    @post(
        "/{game:str}/in/{mode:str}/answer",
        status_code=200,
        summary="Answer the question on the table",
        responses=PREPARING,
    )
    async def answer(
        self,
        request: AnyRequest,
        practice: ThePractice,
        game: NameInPath,
        mode: NameInPath,
        data: JSONBody[AnswerForm],
    ) -> Response[PracticeForm]:
        """Priced exactly and counted once. 202: nothing was counted yet, send it again."""
        person = _person(request)
        return _ready(await practice.answer(person, checked_game(game), checked_mode(mode), data))

    @post(
        "/{game:str}/in/{mode:str}/next",
        status_code=200,
        summary="On to the next hand",
        responses=PREPARING,
    )
    async def next_hand(
        self,
        request: AnyRequest,
        practice: ThePractice,
        game: NameInPath,
        mode: NameInPath,
        data: JSONBody[NextForm],
    ) -> Response[PracticeForm]:
        person = _person(request)
        found = await practice.next(person, checked_game(game), checked_mode(mode), data.hand)
        return _ready(found)
