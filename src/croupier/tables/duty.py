"""Staff on duty at a table, and calls for the floor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, get_args

from croupier.errors import BadRequest, Refusal, plain, shown
from croupier.rounds.commands import EnterCards, RoundCommand
from croupier.rounds.declaration import SHOE, Actor, Command, is_software
from croupier.rulebooks.rules import Rules
from croupier.tables.commands import AnswerCall, Assign, CallFloor, SignCount
from croupier.tables.events import CallAnswered, FloorCalled, TableEvent
from croupier.tables.state import Table

Events = tuple[TableEvent, ...]
_DEALS: Final = get_args(RoundCommand)


def is_on_duty(table: Table, command: Command, role: str, name: str) -> bool:
    """Return whether this person may give the command here. If a dealer is assigned, no other
    dealer deals, but the reading shoe enters cards for them, and any dealer may countersign a count
    or call the floor."""
    if role != "dealer" or table.staff.get("dealer", "") in ("", name):
        return True
    is_read = isinstance(command, EnterCards) and name.startswith(SHOE)
    return is_read or isinstance(command, SignCount | CallFloor)


def check_on_duty(table: Table, command: Command, actor: Actor) -> None:
    if not is_on_duty(table, command, actor.role, actor.name):
        assigned = table.staff["dealer"]
        raise Refusal(
            f"{plain(assigned)} deals at table {table.id}, not {plain(actor.name)}: a floorperson "
            "can assign another dealer",
            code="not_on_duty",
        )


def check_person(name: str) -> None:
    """Refuse a name that cannot be printed, or that could be confused with an account's."""
    if not name.isprintable() or ":" in name or name != name.strip():
        raise BadRequest(
            f"{shown(name)} cannot name a person: write it without a colon and without blanks "
            "around it"
        )


def check_acts_in_person(table: Table, command: Command, actor: Actor) -> None:
    if table.by_people_only and is_software(actor.name):
        raise Refusal(
            f"table {table.id} is a live table: software does not {command.doing()} there",
            code="by_people_only",
        )


def check_one_live_table(table: Table, command: Assign, tables: Iterable[Table]) -> None:
    """Refuse to assign a dealer who already deals another live table, unless the floor confirms
    it."""
    if command.role != "dealer" or not command.name or command.also or table.source != "live":
        return
    busy = _dealt_elsewhere(command.name, table, tables)
    if busy:
        raise Refusal(
            f"{plain(command.name)} deals live table {busy}: assign another dealer there first, or "
            "confirm that they keep the live table they deal now",
            code="deals_elsewhere",
        )


def check_deals_here(table: Table, command: Command, actor: Actor, tables: Iterable[Table]) -> None:
    """Refuse a dealer who deals another live table. Without an assigned dealer any other dealer may
    deal."""
    is_free = table.source == "live" and not table.staff.get("dealer")
    if actor.role != "dealer" or not is_free or not isinstance(command, _DEALS):
        return
    busy = _dealt_elsewhere(actor.name, table, tables)
    if busy:
        raise Refusal(
            f"{plain(actor.name)} deals live table {busy}: a floorperson assigns a dealer here "
            "first",
            code="deals_elsewhere",
        )


def _dealt_elsewhere(name: str, table: Table, tables: Iterable[Table]) -> str:
    """Return another live table that this dealer is assigned to, or an empty string."""
    for busy in tables:
        is_live = busy.id != table.id and busy.is_open and busy.source == "live"
        if is_live and busy.staff.get("dealer") == name:
            return busy.id
    return ""


def assign(table: Table, command: Assign, *_: Any) -> Events:
    check_person(command.name)
    if table.staff.get(command.role, "") == command.name:
        who = f"{plain(command.name)} is" if command.name else "nobody is"
        raise Refusal(f"{who} assigned as {command.role} already", code="already_done")
    return (command,)


def call_floor(
    table: Table, command: CallFloor, _: Rules, actor: Actor, at: int, *__: Any
) -> Events:
    if not command.reason.strip():
        raise Refusal("say why the floor is called", code="no_reason")
    if actor.role == "player":
        if not table.is_seated(actor.name):
            raise Refusal(
                f"{plain(actor.name)} is not seated at this table: take a seat first",
                code="not_seated",
            )
        for call in table.calls:
            if call.role == "player" and call.name == actor.name:
                raise Refusal(
                    f"{plain(actor.name)} has called the floor already: call {call.number} is open",
                    code="already_done",
                )
    number = table.last_call + 1
    return (FloorCalled(number, actor.role, actor.name, command.reason, at),)


def answer_call(table: Table, command: AnswerCall, _: Rules, actor: Actor, *__: Any) -> Events:
    if all(call.number != command.number for call in table.calls):
        numbers = ", ".join(str(call.number) for call in table.calls)
        waiting = f"open are {numbers}" if numbers else "nobody waits for the floor"
        raise Refusal(f"call {command.number} is not open: {waiting}", code="nothing_there")
    return (CallAnswered(command.number, actor.name, command.decided.strip()),)
