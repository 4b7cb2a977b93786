"""The exact cost of a wager and how often it pays, computed by the solvers."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from litestar import Controller, Response, get
from litestar.di import NamedDependency

from croupier.errors import Unsolvable
from croupier.money import dollars
from croupier.rulebooks.rules import Rules, rules_for
from croupier.tables.state import Table
from croupier.web.server.problems import NotThere
from croupier.web.server.requests import NameInPath
from croupier.web.server.solver_process import PREPARING, Answers, SolverProcess, preparing
from croupier.web.tables.pit import ThePit

MAIN: Final = "main"


class FiguresForm(msgspec.Struct, frozen=True):
    """The figures of a wager. `of` lists the wagers that form one game and share their figures.
    `unsolved` says why there are no figures; then the other fields are empty."""

    wager: str
    of: tuple[str, ...]
    unit: str = ""
    """The title of the wager on which `house_edge` is based."""
    house_edge: float | None = None
    house_edge_exact: str = ""
    hit_rate: float | None = None
    meters: dict[str, str] = {}
    """What the meters showed when the figures were computed."""
    breaks_even_at: dict[str, str] = {}
    """For each meter, the amount from which the wager favors the player if the other meters stay
    the same."""
    unsolved: str = ""


class WagerAsked(NamedTuple):
    """A wager under the rules of a table; `game` holds the wagers that belong together."""

    rulebook: str
    rulebook_text: str
    submission: str
    wager: str
    game: tuple[str, ...]
    meters: tuple[tuple[str, int], ...] = ()


class Figures(Answers[WagerAsked, FiguresForm]):
    def __init__(self, process: SolverProcess | None = None) -> None:
        super().__init__(figures_of, process)


TheFigures: TypeAlias = NamedDependency[Figures]


class FigureRoutes(Controller):
    path = "/api/v1/tables"
    tags = ("rounds",)

    @get(
        "/{table:str}/figures/{wager:str}",
        summary="What a wager costs, and how often it pays",
        responses=PREPARING,
    )
    async def wager_figures(
        self, table: NameInPath, wager: NameInPath, pit: ThePit, figures: TheFigures
    ) -> Response[FiguresForm]:
        """Return exact figures under the rules of this table, for a progressive with the current
        meters."""
        served = pit.table(table)
        question = asked_about(served.table, served.rules, wager, served.meters)
        form = await figures.ask(question)
        return preparing() if form is None else Response(form)


def asked_about(table: Table, rules: Rules, wager: str, meters: dict[str, int]) -> WagerAsked:
    """Return the question about a wager. A required wager and the bets made on it in play count as
    one game: none of them has an edge of its own, since one is bet for the sake of the other."""
    named = rules.book.wagers.get(wager)
    if named is None:
        raise NotThere(f"this table has no wager {wager[:60]!r}: ask for one of its rules")
    game: tuple[str, ...] = (wager,)
    if named.role != "optional":
        game = tuple(
            [
                name
                for name, other_wager in rules.book.wagers.items()
                if other_wager.role != "optional"
            ]
        )
    readings = tuple(sorted(meters.items())) if named.taken_before_deal else ()
    return WagerAsked(table.rulebook, table.rulebook_text, table.submission, wager, game, readings)


# -- in the other process -------------------------------------------------------------------------


def figures_of(question: WagerAsked) -> FiguresForm:
    from croupier.mathematics.cache import keeping_nothing
    from croupier.mathematics.questions.analysis import Asked, analyze

    rules = rules_for(question.rulebook, question.rulebook_text, question.submission)
    wagers = rules.book.wagers
    of = tuple([wagers[name].title for name in question.game])
    name = question.wager if wagers[question.wager].role == "optional" else MAIN
    try:
        if question.meters:  # meters change with every bet: not worth caching on disk
            with keeping_nothing():
                analysis: dict[str, Any] = analyze(rules, name, Asked(meters=dict(question.meters)))
        else:
            analysis = analyze(rules, name)
    except Unsolvable as error:
        return FiguresForm(question.wager, of, unsolved=str(error))
    first = next(
        entry for entry in question.game if name != MAIN or wagers[entry].role == "required"
    )
    exact = str(analysis["expected_value_exact"])
    return FiguresForm(
        wager=question.wager,
        of=of,
        unit=wagers[first].title,
        house_edge=float(analysis["house_edge"]),
        house_edge_exact=exact.removeprefix("-") if exact.startswith("-") else _negative(exact),
        hit_rate=analysis["hit_frequency"],
        meters={meter: dollars(cents) for meter, cents in question.meters},
        breaks_even_at={
            meter: f"${entry['break_even']:,.0f}"
            for meter, entry in analysis.get("meters", {}).items()
            if entry["break_even"] is not None
        },
    )


def _negative(exact: str) -> str:
    return exact if exact == "0" else f"-{exact}"
