"""The dealer's console besides commands: payouts in chips, and cards from a reading shoe."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from litestar import Controller, delete, get, post
from litestar.params import JSONBody
from msgspec import Meta
from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import CroupierError, Refusal
from croupier.ledger.records.table_entries import Asker
from croupier.money import format_cents
from croupier.rounds.declaration import SHOE, Actor, from_json
from croupier.rounds.explaining import Holdings, sentence
from croupier.rounds.state import Round, SeatInRound
from croupier.rounds.views import turned_up
from croupier.rulebooks.rules import Rules
from croupier.runtime.journal_session import Expected
from croupier.tables.payouts import chips_words, foreseen, payout, taken_at_fold
from croupier.web.accounts.guard import visit_of
from croupier.web.server.problems import PROBLEMS, Denied
from croupier.web.server.requests import AnyRequest, NameInPath
from croupier.web.tables.pit import ThePit
from croupier.web.tables.served_table import ServedTable
from croupier.web.tables.shoes import Shoes, TheShoes, attempted_entry, entries_of, read_cards
from croupier.web.tables.table_routes import Key

STAFF: Final = ("dealer", "floorperson", "operator", "auditor")


class PaidLineForm(msgspec.Struct, frozen=True):
    """The result of one wager. `pays` and `takes` are the amounts that change hands; `chips` is
    `pays` in chips."""

    wager: str
    pays: str
    takes: str
    chips: str
    from_meter: str
    clause: str
    result: str = ""
    words: str = ""
    """The reason, in a sentence."""


class PaidSeatForm(msgspec.Struct, frozen=True):
    """What one seat is paid and loses. `state` is `settled`, `next` (the dealer is about to pay it)
    or `folded` (taken at once, and recorded when the seat is settled)."""

    seat: int
    player: str
    pays: str
    takes: str
    chips: str
    lines: tuple[PaidLineForm, ...]
    state: Literal["settled", "next", "folded"] = "settled"
    hand: str = ""
    cards: tuple[str, ...] = ()
    """For the `next` seat, its cards as they were entered."""
    cards_too: bool = False
    """For a folded seat: its cards are taken together with the wagers."""


class PayoutsForm(msgspec.Struct, frozen=True):
    """The seats that are paid or taken from in this round, from the dealer's right."""

    table: str
    version: int
    round: int
    seats: tuple[PaidSeatForm, ...]


class ReadForm(msgspec.Struct, frozen=True):
    """The number of cards accepted, and how many of them wait until their hand is complete."""

    version: int
    taken: int
    waiting: int
    repeated: bool = False


class NewShoeForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=40)]


class ShoeForm(msgspec.Struct, frozen=True):
    """A reading shoe. `token` is shown only once, when it is created."""

    name: str
    made_by: str
    made_at: str
    token: str = ""


class ShoesForm(msgspec.Struct, frozen=True):
    shoes: tuple[ShoeForm, ...]


class DealerRoutes(Controller):
    path = "/api/v1/tables"
    tags = ("dealing",)

    @get("/{table:str}/payouts", summary="What the dealer pays and takes", responses=PROBLEMS)
    async def payouts(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> PayoutsForm:
        person = visit_of(request).signed_in()
        if person.role not in STAFF:
            raise Refusal("payouts in chips are for the people who deal", code="wrong_role")
        served = pit.table(table)
        state, rules = served.table.round, served.rules
        seats = [
            _paid(seat, state, rules, is_up=turned_up(state, seat, rules))
            for seat in state.seats
            if seat.lines
        ]
        for seat, cards_too in taken_at_fold(state, rules):
            folded = _paid(seat, state, rules, is_up=False)
            seats.append(replace(folded, state="folded", cards_too=cards_too))
        # Shown only to the dealer, who has just turned this hand up (11.H(2)(a)).
        coming = foreseen(state, rules, {}) if person.role == "dealer" else None
        if coming is not None:
            cards = tuple(str(card) for card in coming.cards)
            seats.append(
                replace(_paid(coming, state, rules, is_up=True), state="next", cards=cards)
            )
        seats.sort(key=lambda seat: -seat.seat)
        return PayoutsForm(served.name, served.table.version, state.number, tuple(seats))

    @post("/{table:str}/shoe", status_code=200, summary="Cards read by a shoe", responses=PROBLEMS)
    async def read(
        self, request: AnyRequest, table: NameInPath, key: Key, pit: ThePit, shoes: TheShoes
    ) -> ReadForm:
        """Enter cards, sent as lines of text (`Ah`) or a JSON list (`["Ah", "Kd"]`) in the order in
        which they left the shoe: each goes to the next place in the dealing order. Send them from
        the dealer's session or with `Authorization: Bearer TOKEN`. If one card is impossible, none
        is accepted."""
        served = pit.table(table)
        actor = await _reader(request, served.name, pit, shoes)
        cards = read_cards(await request.body())
        async with shoes.turns[served.name]:
            return await _take(served, shoes, actor, cards, f"{actor}:{key}", pit)

    @get("/{table:str}/shoes", summary="The reading shoes of a table", responses=PROBLEMS)
    async def listed(
        self, request: AnyRequest, table: NameInPath, pit: ThePit, shoes: TheShoes
    ) -> ShoesForm:
        _operator(request)
        name = pit.table(table).name
        shoes_here = await pit.blocking(lambda: shoes.of_table(name))
        return ShoesForm(
            tuple([ShoeForm(shoe.name, shoe.made_by, shoe.made_at) for shoe in shoes_here])
        )

    @post("/{table:str}/shoes", status_code=201, summary="A token for a shoe", responses=PROBLEMS)
    async def add(
        self,
        request: AnyRequest,
        table: NameInPath,
        data: JSONBody[NewShoeForm],
        pit: ThePit,
        shoes: TheShoes,
    ) -> ShoeForm:
        """Create a token for a shoe. Any earlier token of the shoe stops working."""
        by, name = _operator(request), pit.table(table).name
        data = from_json(await request.body(), NewShoeForm, "a shoe")
        made, token = await pit.blocking(lambda: shoes.add(name, data.name, by))
        return ShoeForm(made.name, made.made_by, made.made_at, token)

    @delete("/{table:str}/shoes/{shoe:str}", status_code=200, responses=PROBLEMS)
    async def remove(
        self,
        request: AnyRequest,
        table: NameInPath,
        shoe: NameInPath,
        pit: ThePit,
        shoes: TheShoes,
    ) -> ShoesForm:
        _operator(request)
        name = pit.table(table).name
        await pit.blocking(lambda: shoes.remove(name, shoe))
        return ShoesForm(())


def _operator(request: AnyRequest) -> str:
    person = visit_of(request).signed_in()
    if person.role != "operator":
        raise Refusal("an operator makes the tokens of shoes", code="wrong_role")
    return person.name


async def _reader(request: AnyRequest, table: str, pit: ThePit, shoes: Shoes) -> Actor:
    """Return the actor in whose name the cards are entered: the shoe or the signed-in dealer."""
    visit = visit_of(request)
    if visit.bearer:
        shoe = await pit.blocking(lambda: shoes.find(visit.bearer))
        if shoe is None or shoe.table != table:
            raise Denied(f"no shoe of table {table} has this token", code="signed_out")
        return Actor("dealer", f"{SHOE}{shoe.name}")
    person = visit.signed_in()
    if person.role != "dealer":
        raise Refusal("cards are read for the dealer of the table", code="wrong_role")
    return Actor("dealer", person.name)


async def _take(
    served: ServedTable,
    shoes: Shoes,
    actor: Actor,
    cards: tuple[Card, ...],
    request: str,
    pit: ThePit,
) -> ReadForm:
    name, number = served.name, served.table.round.number
    read = await pit.blocking(lambda: shoes.read(name, number))
    if any(card.request == request for card in read):
        return ReadForm(served.table.version, 0, 0, repeated=True)
    state = served.table.round
    try:
        fresh, entries = entries_of(cards, request, state, served.rules, read)
    except CroupierError as refusal:
        entry_command = attempted_entry(cards, state, served.rules, read)
        await served.note_refused(entry_command, Asker(actor.role, actor.name), refusal)
        raise
    await pit.blocking(lambda: shoes.keep(name, number, len(read), fresh))
    try:
        for n, entry in enumerate(entries, 1):
            await served.do(entry, actor, request=f"{request}-{n}", expected=Expected(number))
    except CroupierError:
        await pit.blocking(lambda: shoes.forget(name, number, request))
        raise
    entered = {card for entry in entries for card in entry.cards}
    waiting = sum([card.card not in entered for card in fresh])
    return ReadForm(served.table.version, len(fresh), waiting)


def _paid(seat: SeatInRound, state: Round, rules: Rules, *, is_up: bool) -> PaidSeatForm:
    hands = Holdings(seat.holds if is_up else {}, state.dealer_holds)
    paid = payout(seat, rules)
    lines = [
        PaidLineForm(
            line.wager,
            format_cents(line.pays),
            format_cents(line.takes),
            "" if line.from_meter else chips_words(line.pays),
            line.from_meter,
            line.clause,
            record.result,
            sentence(record, rules, hands),
        )
        for line, record in zip(paid.lines, seat.lines, strict=True)
    ]
    return PaidSeatForm(
        seat.number,
        seat.player,
        format_cents(paid.pays),
        format_cents(paid.takes),
        chips_words(paid.pays),
        tuple(lines),
        hand=seat.hand if is_up else "",
    )
