"""The floor's view: every table at a glance, the steps that wait and since when, and the evidence
for a progressive. Nothing here shows a card: cards come only with the table's view."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated, Final

import msgspec
from litestar import Controller, get
from litestar.params import PathParameter

from croupier.ledger.entries import stamp
from croupier.ledger.history.floor_records import LimitUse, RecordedVoid, cashier_uses, slip_at
from croupier.ledger.journal import Journal
from croupier.ledger.signatures.chain import ChainBroken
from croupier.money import MeterShare, format_cents
from croupier.reports.slips import SlipForm, slip_form
from croupier.rounds.payment import DENIALS
from croupier.rounds.state import Claim, Round
from croupier.rulebooks.rules import Rules, progressive_wager
from croupier.runtime.clock import now
from croupier.runtime.house_terms import limit_changes
from croupier.tables.state import Call, Table, rules_of
from croupier.tables.step_duties import FLOOR_DIALOGS, shown, shown_on_floor
from croupier.tables.work import WorkStep, work
from croupier.web.accounts.people import Person
from croupier.web.server.problems import PROBLEMS, NotThere
from croupier.web.server.requests import AnyRequest, NameInPath
from croupier.web.tables.deck_board import DeckBoardForm, deck_board
from croupier.web.tables.pit import Pit, ThePit
from croupier.web.tables.served_table import ServedTable
from croupier.web.tables.table_watch import Watched, step_key
from croupier.web.tables.views import money_forms
from croupier.web.tables.work import DutyForm, duty_forms, staff_of


class WaitingForm(msgspec.Struct, frozen=True):
    """A step that is due. `who` is the person waiting for it; `mine`: the asker may do it."""

    step: str
    label: str
    words: str
    clause: str
    by: tuple[str, ...]
    mine: bool
    who: str
    since: str
    seat: int = 0
    back: str = ""
    device: str = ""
    blocks: str = ""


class CallForm(msgspec.Struct, frozen=True):
    """A call for the floor from somebody at the table."""

    number: int
    role: str
    name: str
    reason: str
    since: str


class DenialForm(msgspec.Struct, frozen=True):
    """A ground for denying a progressive, as `refuse_progressive` takes it, and in words."""

    ground: str
    words: str


class EvidenceForm(msgspec.Struct, frozen=True):
    """Everything that a floorperson checks before a progressive is paid. `light`: the seat's wager
    was accepted before the bets closed. `entry` is the journal entry in which it was won. `denials`
    are the grounds on which it can be denied."""

    seat: int
    player: str
    hand: str
    pays: str
    clause: str
    stake: str
    light: bool
    meter: str
    reading: str
    amount: str
    dealt_by: str
    entry: int
    at: str
    denials: tuple[DenialForm, ...]


class FloorTableForm(msgspec.Struct, frozen=True):
    """A table at a glance. `pace` is in rounds per hour; `bets` is the total on the layout."""

    id: str
    title: str
    jurisdiction: str
    rulebook: str
    version: int
    is_open: bool
    source: str
    round: int
    phase: str
    void: bool
    dealer: str
    floorperson: str
    pace: int | None
    players: dict[int, str]
    seats: int
    meters: dict[str, str]
    bets: str
    money: dict[str, str]
    """The house's money: inventory, drop box and tip box."""
    waits: tuple[WaitingForm, ...]
    calls: tuple[CallForm, ...]
    claim: EvidenceForm | None
    keeps_decks: bool
    lights: tuple[int, ...]
    """The seats whose progressive wager the system has accepted in this round."""
    duties: dict[str, tuple[DutyForm, ...]]
    """The floorperson's duties under the document, by step. The list of all tables has only those
    for a progressive that waits for validation."""


class VoidForm(msgspec.Struct, frozen=True):
    """What was voided, by whom, why, under which clause, and the money returned."""

    table: str
    entry: int
    at: str
    round: int
    what: str
    seat: int
    by: str
    role: str
    second: str
    """The person who confirmed it, if a dealer reported it."""
    reason: str
    clause: str
    money: str


class FloorForm(msgspec.Struct, frozen=True):
    at: str
    tables: tuple[FloorTableForm, ...]
    voids: tuple[VoidForm, ...] = ()
    uses: tuple[LimitUse, ...] = ()
    """Money moved on somebody's word in the last 24 hours, newest first."""


def void_form(void: RecordedVoid) -> VoidForm:
    return VoidForm(
        void.table,
        void.entry,
        void.at,
        void.round,
        void.what,
        void.seat,
        void.by,
        void.role,
        void.second,
        void.reason,
        void.clause,
        format_cents(void.cents),
    )


def floor_table_form(
    table: Table,
    rules: Rules,
    meters: dict[str, int],
    steps: Sequence[WorkStep],
    watched: Watched,
    *,
    role: str,
    by_software: bool,
    alone: bool,
) -> FloorTableForm:
    """Return a table as the floor sees it. `alone`: on its own page, not in the list of all
    tables."""
    state = table.round
    is_over = state.phase == "over"
    return FloorTableForm(
        id=table.id,
        title=rules.book.title,
        jurisdiction=rules.book.jurisdiction,
        rulebook=table.rulebook,
        version=table.version,
        is_open=table.is_open,
        source=table.source,
        round=state.number,
        phase=state.phase,
        void=state.void,
        dealer=_dealer(table, watched, by_software),
        floorperson=table.staff.get("floorperson", ""),
        pace=watched.pace,
        players=dict(sorted(table.seats.items())),
        seats=rules.book.positions.most,
        meters=money_forms(meters),
        bets=format_cents(0 if is_over else _on_layout(table)),
        money={name: format_cents(table.money.get(name, 0)) for name in _HOUSE},
        waits=tuple([_waiting(table, step, watched, role) for step in steps]),
        calls=tuple([_call(call) for call in table.calls]),
        claim=None
        if state.claim is None
        else _evidence(state, state.claim, rules, meters, watched),
        keeps_decks=table.care is not None,
        lights=() if is_over else _lights(state, rules),
        duties=_duties(table, rules, steps, role, alone=alone),
    )


_HOUSE = ("inventory", "drop", "tips")


def _duties(
    table: Table, rules: Rules, steps: Sequence[WorkStep], role: str, *, alone: bool
) -> dict[str, tuple[DutyForm, ...]]:
    """Return the duties for a progressive that waits for validation and, on the table's own page,
    those of the floor's dialogs."""
    dialogs = FLOOR_DIALOGS if alone else ()
    step_duties = {name: shown_on_floor(name, table, rules, role) for name in dialogs}
    step_duties |= {
        step.step: shown(step, table, rules, role) for step in steps if step.step == "validate"
    }
    return {name: duty_forms(duties) for name, duties in step_duties.items() if duties}


def _lights(state: Round, rules: Rules) -> tuple[int, ...]:
    name = progressive_wager(rules.book)
    return tuple([seat.number for seat in state.seats if name in seat.wagers])


def _dealer(table: Table, watched: Watched, by_software: bool) -> str:
    """Return the assigned dealer or, where software may deal, the software or the last person who
    dealt."""
    if table.by_people_only:
        return table.staff.get("dealer", "")
    return table.staff.get("dealer") or ("software" if by_software else watched.dealer)


def _on_layout(table: Table) -> int:
    return sum(cents for name, cents in table.money.items() if name.startswith("layout:"))


def _waiting(table: Table, step: WorkStep, watched: Watched, role: str) -> WaitingForm:
    return WaitingForm(
        step.step,
        step.label,
        step.words,
        step.clause,
        step.by,
        role in step.by,
        _who_waits(table, step),
        watched.since[step_key(step)],
        step.seat,
        step.back,
        step.device,
        step.blocks,
    )


def _who_waits(table: Table, step: WorkStep) -> str:
    seat = table.round.seat(step.seat) if step.seat else None
    if seat is not None:
        return seat.player
    deck = table.care.deck(step.back) if table.care is not None and step.back else None
    if step.step == "verify" and deck is not None:
        return deck.inspected_by
    return ""


def _call(call: Call) -> CallForm:
    since = datetime.fromtimestamp(call.since, UTC).isoformat()
    return CallForm(call.number, call.role, call.name, call.reason, since)


def _evidence(
    state: Round, claim: Claim, rules: Rules, meters: dict[str, int], watched: Watched
) -> EvidenceForm:
    seat = state.seat(claim.seat)
    assert seat is not None, "a claim is of a seat in the round"
    reading = meters.get(claim.meter, 0)
    share = MeterShare(claim.meter, claim.percent).award(reading) if claim.meter else claim.cents
    return EvidenceForm(
        claim.seat,
        seat.player,
        claim.hand,
        claim.pays,
        claim.clause,
        format_cents(claim.stake),
        claim.seat in _lights(state, rules),
        claim.meter,
        format_cents(reading) if claim.meter else "",
        format_cents(share),
        watched.dealt_by,
        watched.claimed,
        watched.claimed_at,
        tuple([DenialForm(ground, _begun(line.words)) for ground, line in DENIALS.items()]),
    )


def _begun(words: str) -> str:
    return words[:1].upper() + words[1:]


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
        """Return each table with its game, dealer, pace and waiting steps, and the recent voids."""
        person, at = staff_of(request), now()
        served = list(pit.tables)
        tables = await _looked_at(pit, served, person, at, alone=False)
        voids, uses = await _voids(pit, served, at), await _uses(pit, served, at)
        return FloorForm(at.isoformat(), tables, voids, uses)

    @get("/tables/{table:str}/floor", summary="A table for the floor", responses=PROBLEMS)
    async def table(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> FloorTableForm:
        """Return the same for one table, with the evidence for a progressive that waits."""
        person, at = staff_of(request), now()
        (form,) = await _looked_at(pit, [pit.table(table)], person, at, alone=True)
        return form

    @get("/tables/{table:str}/decks", summary="The decks of a table", responses=PROBLEMS)
    async def decks(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> DeckBoardForm:
        """Return the decks with their ages and who did each step, the devices, and the next stub
        count."""
        staff_of(request)
        served = pit.table(table)
        shown, rules = served.table, served.rules
        history = await pit.blocking(lambda: served.watch.deck_history(shown))
        return deck_board(shown, rules, history, int(now().timestamp()))

    @get("/tables/{table:str}/slips", summary="Fills, credits and drops", responses=PROBLEMS)
    async def slips(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> SlipsForm:
        """Return the slips, newest first."""
        staff_of(request)
        served = pit.table(table)
        version = served.table.version
        slips = await pit.blocking(lambda: served.watch.slips(version))
        return SlipsForm(tuple([slip_form(slip) for slip in slips]))

    @get("/tables/{table:str}/slips/{entry:int}", summary="A slip", responses=PROBLEMS)
    async def slip(
        self, request: AnyRequest, table: NameInPath, entry: EntryNumber, pit: ThePit
    ) -> SlipForm:
        staff_of(request)
        pit.table(table)
        slip = await pit.blocking(lambda: slip_at(pit.journal, table, entry))
        if slip is None:
            raise NotThere(f"entry {entry} of table {table} is no fill, credit or drop")
        return slip_form(slip)


async def _voids(pit: Pit, served: Sequence[ServedTable], at: datetime) -> tuple[VoidForm, ...]:
    since, shown = stamp(at - _BOARD), [(moment.watch, moment.table.version) for moment in served]
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
                journal.refuse(error)  # the board shows the rest and this error
        yield from _refused(journal, at)

    uses = await pit.blocking(lambda: list(gather()))
    return tuple(sorted(uses, key=lambda use: use.at, reverse=True))


def _refused(journal: Journal, at: datetime) -> list[LimitUse]:
    """Return what the house refuses to play, pay or sign, which stays on the board until it is
    fixed."""
    return [
        LimitUse(
            "",
            attempt.version,
            stamp(at),
            "croupier",
            "software",
            f"Not the house's own: {attempt}",
        )
        for attempt in list(journal.refused.values())
    ]


async def _looked_at(
    pit: Pit, served: Sequence[ServedTable], who: Person, now: datetime, *, alone: bool
) -> tuple[FloorTableForm, ...]:
    """Return the tables as they stand now. A thread reads from the journal how long each step has
    waited."""
    standing = [(each, each.table, each.meters, each.is_dealt_by_software) for each in served]

    def read() -> tuple[FloorTableForm, ...]:
        rows = []
        for each, table, meters, by_software in standing:
            rules = rules_of(table)
            steps = work(table, rules, int(now.timestamp()))
            watched = each.watch.look(table, steps, now)
            rows.append(
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
        return tuple(rows)

    forms: tuple[FloorTableForm, ...] = await pit.blocking(read)
    return forms
