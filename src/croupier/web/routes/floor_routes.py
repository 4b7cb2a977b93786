"""For the floor: all tables at a glance, one of them with its evidence, its decks and its slips."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Final

import msgspec
from litestar import Controller, get
from litestar.params import PathParameter

from croupier.ledger.chain import ChainBroken
from croupier.ledger.entries import stamp
from croupier.ledger.journal import Journal
from croupier.ledger.slips import slip_at
from croupier.ledger.uses_of_limits import LimitUse, cashier_uses
from croupier.reports.slips import SlipForm, slip_form
from croupier.runtime.clock import now
from croupier.runtime.house_terms import limit_changes
from croupier.tables.state import rules_of
from croupier.tables.work import work
from croupier.web.deck_board import DeckBoardForm, deck_board
from croupier.web.floor import (
    FloorForm,
    FloorTableForm,
    VoidForm,
    floor_table_form,
    void_form,
)
from croupier.web.people import Person
from croupier.web.pit import Pit
from croupier.web.problems import NotThere
from croupier.web.routes.dependencies import AnyRequest, NameInPath, ThePit
from croupier.web.routes.problem_responses import PROBLEMS
from croupier.web.routes.work_routes import staff_of
from croupier.web.served import ServedTable

__all__ = ["Floor"]

_BOARD: Final = timedelta(hours=24)
"""How long a void, or money moved on somebody's word, stays on the floor's board."""
EntryNumber = Annotated[int, PathParameter(ge=1, le=2**53)]


class SlipsForm(msgspec.Struct, frozen=True):
    slips: tuple[SlipForm, ...]


class Floor(Controller):
    path = "/api/v1"
    tags = ("work",)

    @get("/floor", summary="All tables at a glance", responses=PROBLEMS)
    async def floor(self, request: AnyRequest, pit: ThePit) -> FloorForm:
        """What is played, who deals, how quickly, what waits since when, and what was void."""
        person, at = staff_of(request), now()
        served = list(pit.tables)
        tables = await _looked_at(pit, served, person, at, alone=False)
        voids, uses = await _voids(pit, served, at), await _uses(pit, served, at)
        return FloorForm(at.isoformat(), tables, voids, uses)

    @get("/tables/{table:str}/floor", summary="A table for the floor", responses=PROBLEMS)
    async def table(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> FloorTableForm:
        """The same of one table, with the evidence of a progressive that waits."""
        person, at = staff_of(request), now()
        (found,) = await _looked_at(pit, [pit.table(table)], person, at, alone=True)
        return found

    @get("/tables/{table:str}/decks", summary="The decks of a table", responses=PROBLEMS)
    async def decks(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> DeckBoardForm:
        """With their ages, who did which step, the devices, and the next stub count."""
        staff_of(request)
        served = pit.table(table)
        shown, rules = served.table, served.rules
        history = await pit.blocking(lambda: served.watch.deck_history(shown))
        return deck_board(shown, rules, history, int(now().timestamp()))

    @get("/tables/{table:str}/slips", summary="Fills, credits and drops", responses=PROBLEMS)
    async def slips(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> SlipsForm:
        """The newest first."""
        staff_of(request)
        served = pit.table(table)
        version = served.table.version
        found = await pit.blocking(lambda: served.watch.slips(version))
        return SlipsForm(tuple([slip_form(slip) for slip in found]))

    @get("/tables/{table:str}/slips/{entry:int}", summary="A slip", responses=PROBLEMS)
    async def slip(
        self, request: AnyRequest, table: NameInPath, entry: EntryNumber, pit: ThePit
    ) -> SlipForm:
        staff_of(request)
        pit.table(table)
        found = await pit.blocking(lambda: slip_at(pit.journal, table, entry))
        if found is None:
            raise NotThere(f"entry {entry} of table {table} is no fill, credit or drop")
        return slip_form(found)


async def _voids(pit: Pit, served: Sequence[ServedTable], at: datetime) -> tuple[VoidForm, ...]:
    since, shown = stamp(at - _BOARD), [(one.watch, one.table.version) for one in served]
    voids = await pit.blocking(
        lambda: [void for watch, version in shown for void in watch.voids(version, since)]
    )
    return tuple(void_form(void) for void in sorted(voids, key=lambda void: void.at, reverse=True))


async def _uses(pit: Pit, served: Sequence[ServedTable], at: datetime) -> tuple[LimitUse, ...]:
    since, shown = stamp(at - _BOARD), [(each.watch, each.table.version) for each in served]
    journal = pit.journal

    def gather() -> Iterator[LimitUse]:
        sources: list[Callable[[], Iterable[LimitUse]]] = [
            *(partial(watch.uses, version, since) for watch, version in shown),
            partial(cashier_uses, journal, since),
            partial(limit_changes, journal, since),
        ]
        for source in sources:
            try:
                yield from source()
            except ChainBroken as error:
                journal.refuse(error)  # the board shows the rest, and this
        yield from _refused(journal, at)

    uses = await pit.blocking(lambda: list(gather()))
    return tuple(sorted(uses, key=lambda use: use.at, reverse=True))


def _refused(journal: Journal, at: datetime) -> list[LimitUse]:
    """What the house neither plays, pays nor signs: it stays on the board until it is put right."""
    return [
        LimitUse("", one.version, stamp(at), "croupier", "software", f"Not the house's own: {one}")
        for one in list(journal.refused.values())
    ]


async def _looked_at(
    pit: Pit, served: Sequence[ServedTable], who: Person, now: datetime, *, alone: bool
) -> tuple[FloorTableForm, ...]:
    """How they stand at this moment, told in a thread: the journal is asked since when."""
    standing = [(one, one.table, one.meters, one.is_dealt_by_software) for one in served]

    def tell() -> tuple[FloorTableForm, ...]:
        found = []
        for one, table, meters, by_software in standing:
            rules = rules_of(table)
            steps = work(table, rules, int(now.timestamp()))
            watched = one.watch.look(table, steps, now)
            found.append(
                floor_table_form(
                    table,
                    rules,
                    meters,
                    steps,
                    watched,
                    role=who.role,
                    by_software=by_software,
                    alone=alone,
                )
            )
        return tuple(found)

    told: tuple[FloorTableForm, ...] = await pit.blocking(tell)
    return told
