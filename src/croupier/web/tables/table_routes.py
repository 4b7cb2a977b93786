"""The lobby, the tables, and their commands."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Final
from urllib.parse import urlencode

from litestar import Controller, Response, get, post
from litestar.params import HeaderParameter, JSONBody, QueryParameter

from croupier.money import format_cents
from croupier.rounds.declaration import from_json
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.rules import Rules
from croupier.runtime.journal_session import Expected
from croupier.web.accounts.guard import visit_of
from croupier.web.accounts.trial import is_rehearsal
from croupier.web.server.problems import PROBLEMS
from croupier.web.server.qr_code import qr_code
from croupier.web.server.requests import AnyRequest, NameInPath, PageNumber, PageSize
from croupier.web.tables.forms import (
    CardSeat,
    DoneForm,
    GameCount,
    LimitForm,
    ReadyForm,
    TableCard,
    TableForm,
    TablesForm,
)
from croupier.web.tables.lessons import lessons
from croupier.web.tables.outsiders import veiled
from croupier.web.tables.pit import ThePit
from croupier.web.tables.rulesheet import RulesForm, rules_form
from croupier.web.tables.served_table import ServedTable
from croupier.web.tables.views import Onlooker, money_forms

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

RoundMeant = Annotated[
    int,
    QueryParameter(
        name="round",
        ge=0,
        le=2**53,
        description="The round that is meant: in another one the command is stale. 0: any",
    ),
]
DecisionMeant = Annotated[
    str,
    QueryParameter(
        max_length=60, description="The question that is answered: once another is asked, stale"
    ),
]
VersionSeen = Annotated[
    int,
    QueryParameter(
        ge=0,
        le=2**53,
        description="The table's version before one's eyes: stale if the same was decided since",
    ),
]
MOST_DUTIES: Final = 100
DutiesShown = Annotated[
    str,
    QueryParameter(
        description="Clauses of the duties that stood on the screen, with commas between them: no "
        "other is on record as confirmed",
    ),
]


class Tables(Controller):
    path = "/api/v1/tables"
    tags = ("tables",)

    @get("/", summary="The lobby", responses=PROBLEMS)
    async def lobby(
        self,
        request: AnyRequest,
        pit: ThePit,
        page: PageNumber = 1,
        size: PageSize = 50,
        game: Annotated[str, QueryParameter(max_length=60, description="A rulebook")] = "",
        search: Annotated[
            str, QueryParameter(max_length=60, description="Part of a table's or a game's name")
        ] = "",
        *,
        rehearsals: Annotated[bool, QueryParameter(description="Those of guests, too")] = True,
    ) -> TablesForm:
        """Return the tables: those of the documents first, then by game and name; rehearsal tables
        last."""
        listed = [table for table in pit.lobby if rehearsals or not is_rehearsal(table.name)]
        wanted = [table for table in listed if _is_wanted(table, game, search.casefold().split())]
        who = pit.onlooker(visit_of(request).person)
        shown = wanted[(page - 1) * size : page * size]
        narrowed = {"game": game, "search": search, "rehearsals": "" if rehearsals else "false"}
        query = urlencode({name: value for name, value in narrowed.items() if value})
        more = f"{request.url.path}?page={page + 1}&size={size}{query and f'&{query}'}"
        return TablesForm(
            tuple([_card(served, who) for served in shown]),
            len(wanted),
            page,
            more if page * size < len(wanted) else None,
            _games(listed),
        )

    @get("/{table:str}", summary="A table as you may see it", responses=PROBLEMS)
    async def table(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> TableForm:
        return pit.table(table).form(pit.onlooker(visit_of(request).person))

    @get("/{table:str}/rules", summary="What is played here", responses=PROBLEMS)
    async def rules(self, table: NameInPath, pit: ThePit) -> RulesForm:
        return rules_form(pit.table(table).rules)

    @post("/{table:str}/commands", status_code=200, summary="Do something", responses=PROBLEMS)
    async def command(
        self,
        request: AnyRequest,
        table: NameInPath,
        key: Key,
        pit: ThePit,
        meant_round: RoundMeant = 0,
        decision: DecisionMeant = "",
        seen: VersionSeen = 0,
        duties: DutiesShown = "",
    ) -> DoneForm:
        """Carry out the command completely, or refuse it and change nothing."""
        visit = visit_of(request)
        person = visit.signed_in()
        text = await request.body()
        shown = dict.fromkeys(clause for clause in duties.split(",") if 0 < len(clause) < 60)
        listed = tuple(shown)[:MOST_DUTIES]
        expected = Expected(meant_round, decision, seen=seen, duties=listed)
        done = await pit.carry_out(table, text, person, key, expected, visit.address)
        return DoneForm(done.version, done.repeated, done.waits)

    @post("/{table:str}/ready", status_code=200, summary="Done betting", responses=PROBLEMS)
    async def ready(
        self,
        request: AnyRequest,
        table: NameInPath,
        data: JSONBody[ReadyForm],
        pit: ThePit,
        meant_round: RoundMeant = 0,
    ) -> DoneForm:
        """Note that a seat is done betting. Once everyone who has bet is ready, the dealer closes
        the bets."""
        person = visit_of(request).signed_in()
        # Litestar reads "1" as 1; decode again, strictly.
        data = from_json(await request.body(), ReadyForm, "a seat that is ready")
        done = await pit.get_ready(table, data.seat, person, Expected(meant_round))
        return DoneForm(done.version, done.repeated)

    @get(
        "/{table:str}/invitation",
        summary="The table's address as a QR code",
        media_type="image/svg+xml",
        responses=PROBLEMS,
    )
    async def invitation(
        self, request: AnyRequest, table: NameInPath, pit: ThePit
    ) -> Response[bytes]:
        served = pit.table(table)
        address = f"{str(request.base_url).rstrip('/')}/tables/{served.name}"
        return Response(qr_code(address), media_type="image/svg+xml")


def _is_wanted(served: ServedTable, game: str, words: list[str]) -> bool:
    rulebook = served.table.rulebook
    if game and rulebook != game:
        return False
    if not words:
        return True
    book = served.rules.book
    text = f"{served.name} {rulebook} {book.title} {book.jurisdiction}".casefold()
    return all(word in text for word in words)


def _games(listed: list[ServedTable]) -> tuple[GameCount, ...]:
    first: dict[str, ServedTable] = {}
    for served in listed:
        first.setdefault(served.table.rulebook, served)
    many = Counter(served.table.rulebook for served in listed)
    books = [(name, first_served.rules.book) for name, first_served in first.items()]
    return tuple(
        [GameCount(name, book.title, book.jurisdiction, many[name]) for name, book in books]
    )


def _card(served: ServedTable, who: Onlooker) -> TableCard:
    table, rules = served.table, served.rules
    book = rules.book
    named = veiled(table).seats if who.is_kept_out(table) else table.seats
    seats = tuple([CardSeat(n, named.get(n)) for n in range(1, book.positions.most + 1)])
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
        meters=money_forms(served.meters),
        is_open=table.is_open,
        phase=table.round.phase,
        round=table.round.number,
        version=table.version,
        players_watching=len(served.audience.subscribers),
        waits_for_floor=table.round.claim is not None,
        rehearsal=is_rehearsal(table.id),
        by_document=table.rulebook in DOCUMENTS,
        lesson=table.rulebook in lessons(),
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
