"""The lobby, the tables, and what may be asked of them."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from litestar import Controller, get, post
from litestar.params import HeaderParameter, JSONBody

from croupier.errors import BadData, plain
from croupier.money import format_cents
from croupier.rulebooks.rules import Rules
from croupier.web.desk import Desk
from croupier.web.forms import (
    CardSeat,
    CommandForm,
    DoneForm,
    LimitForm,
    TableCard,
    TableForm,
    TablesForm,
)
from croupier.web.guard import visit_of
from croupier.web.routes.answers import PROBLEMS
from croupier.web.routes.given import AnyRequest, NameInPath, ThePit
from croupier.web.rulesheet import RulesForm, rules_form
from croupier.web.seeing import NOBODY, money_forms

__all__ = ["Tables"]

_decoder: Final = msgspec.json.Decoder(CommandForm)
Key = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        min_length=1,
        max_length=80,
        pattern=r"^[A-Za-z0-9_.~-]+$",
        description="A new one for each command; a retry carries the same and is done once",
    ),
]


class Tables(Controller):
    path = "/api/v1/tables"
    tags = ("tables",)

    @get("/", summary="The lobby", responses=PROBLEMS)
    async def lobby(self, pit: ThePit) -> TablesForm:
        return TablesForm(tuple([_card(desk) for desk in pit.desks]))

    @get("/{table:str}", summary="A table as you may see it", responses=PROBLEMS)
    async def table(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> TableForm:
        person = visit_of(request).person
        return pit.desk(table).form(NOBODY if person is None else person.onlooker)

    @get("/{table:str}/rules", summary="What is played here", responses=PROBLEMS)
    async def rules(self, table: NameInPath, pit: ThePit) -> RulesForm:
        return rules_form(pit.desk(table).rules)

    @post("/{table:str}/commands", status_code=200, summary="Do something", responses=PROBLEMS)
    async def command(
        self,
        request: AnyRequest,
        table: NameInPath,
        data: JSONBody[CommandForm],
        key: Key,
        pit: ThePit,
    ) -> DoneForm:
        """Carried out completely, or refused and nothing has changed."""
        person = visit_of(request).signed_in()
        form = await _strictly(request, data)
        done = await pit.carry_out(table, form, person, key)
        return DoneForm(done.version, done.repeated)


async def _strictly(request: AnyRequest, data: CommandForm) -> CommandForm:
    """Litestar reads "1" as 1; where money moves, what is meant is written."""
    try:
        form: CommandForm = _decoder.decode(await request.body())
    except msgspec.MsgspecError as error:
        raise BadData(plain(error, 300)) from None
    assert type(form) is type(data)
    return form


def _card(desk: Desk) -> TableCard:
    table, rules = desk.table, desk.rules
    book = rules.book
    seats = tuple([CardSeat(n, table.seats.get(n)) for n in range(1, book.positions.most + 1)])
    return TableCard(
        id=table.id,
        rulebook=table.rulebook,
        title=book.title,
        jurisdiction=book.jurisdiction,
        document=book.document,
        summary=" ".join(book.summary.split()),
        limits=_limits(rules),
        seats=seats,
        open_seats=sum(seat.player is None for seat in seats) if table.is_open else 0,
        meters=money_forms(desk.meters),
        is_open=table.is_open,
        phase=table.round.phase,
        round=table.round.number,
        version=table.version,
        players_watching=desk.watching,
        waits_for_floor=table.round.claim is not None,
    )


def _limits(rules: Rules) -> dict[str, LimitForm]:
    limits = {}
    for name in rules.book.wagers:
        low, high = rules.limits.get(name, (None, None))
        if low is not None or high is not None:
            limits[name] = LimitForm(
                None if low is None else format_cents(low),
                None if high is None else format_cents(high),
            )
    return limits
