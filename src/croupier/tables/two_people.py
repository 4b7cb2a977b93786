"""Commands that one person may not carry out alone: they wait until a second person confirms.

The controls are checked when a command is planned, and the entry says who proposed and who
confirmed. So older journals, in which one person was enough, replay as they were written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, get_args

import msgspec

from croupier.care.commands import CountStub
from croupier.errors import Refusal, plain
from croupier.money import dollars
from croupier.rounds.commands import (
    LeaveRound,
    Report,
    RoundCommand,
    RuleAbandoned,
    VoidRound,
)
from croupier.rounds.declaration import CREW, FLOOR, Actor, Role, is_software, tag_of
from croupier.rounds.records import from_json, to_json
from croupier.tables.commands import (
    BuyIn,
    CashOut,
    Confirm,
    Correct,
    Credit,
    Decline,
    EmptyDrop,
    Fill,
    GiveUpSeat,
    OpenTable,
    TableCommand,
)
from croupier.tables.events import Declined, Proposed, TableEvent, is_void
from croupier.tables.state import Pending, Table

__all__ = [
    "CONTROLLED",
    "Controls",
    "HouseLimits",
    "Wait",
    "check_controls",
    "check_opener",
    "check_void_waits",
    "correction_in",
    "decline",
    "propose",
    "read_command",
    "same_person",
    "second_person",
    "to_confirm",
    "void_by_dealer",
    "waiting_void",
]


class HouseLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sums up to which the operator lets one person act alone, in cents."""

    correction: int = 50_000
    """Of single people at a table since it opened, together."""
    buy_in: int = 1_000_000
    """For one player at a live table since it opened, on the dealer's word."""
    deposit: int = 1_000_000
    """Into one account in a day, by single cashiers together."""
    pay_out: int = 1_000_000
    """From one account in a day, by single cashiers together."""


class Controls(msgspec.Struct, frozen=True):
    """What one person may do alone at a table now."""

    limits: HouseLimits = HouseLimits()
    money: bool = False
    """The journal holds money: chips at virtual tables come from accounts and go back there."""


class Wait(msgspec.Struct, frozen=True):
    """Why a command waits for a second person, and the roles that may confirm it."""

    by: tuple[Role, ...]
    why: str


CONTROLLED: Final = (BuyIn, CashOut, Correct, Credit, EmptyDrop, Fill, GiveUpSeat)
"""Commands that the controls of the house concern."""

_BY_TWO: Final[dict[type, Wait]] = {
    Fill: Wait(CREW, "a fill takes two people"),
    Credit: Wait(CREW, "a credit takes two people"),
    EmptyDrop: Wait(CREW, "a drop takes two people"),
}


def second_person(table: Table, command: TableCommand, controls: Controls) -> Wait | None:
    """Return why and for whom this command waits, or None if one person is enough."""
    if not table.strict:
        return None
    limits = controls.limits
    match command:
        case Correct():
            alone = table.alone.get("correct", 0) + abs(command.amount)
            if alone > limits.correction:
                return Wait(FLOOR, _over("corrects", alone, limits.correction))
        case BuyIn(account=False):
            alone = table.alone.get(f"buy_in:{command.player}", 0) + command.amount
            if alone > limits.buy_in:
                return Wait(FLOOR, _over("buys in for", alone, limits.buy_in))
    return _BY_TWO.get(type(command))


def _over(does: str, cents: int, limit: int) -> str:
    return f"one person {does} up to {dollars(limit)} at a table, and this makes {dollars(cents)}"


def check_controls(table: Table, command: TableCommand, actor: Actor, controls: Controls) -> None:
    """Refuse what no person may do here, with or without a second one."""
    match command:
        case Correct() if table.strict and table.source == "virtual":
            if command.round not in table.reopened:
                raise Refusal(
                    f"software dealt and settled round {command.round}: it is corrected only after "
                    "an auditor has reopened it (reopen_round)",
                    code="not_reopened",
                )
        case BuyIn(account=False) if controls.money:
            _check_word_of_mouth(table, command, actor)
        case CashOut(account=False) if controls.money and table.source == "virtual":
            raise Refusal(
                f"the chips of {plain(command.player)} go back to their account with the cashier: "
                "give account=true",
                code="account_only",
            )
        case GiveUpSeat() if table.strict and actor.role != "player":
            _check_ends_seat(table, command, actor)


def _check_word_of_mouth(table: Table, command: BuyIn, actor: Actor) -> None:
    """Money that changes hands at the table is taken by the dealer who stands there."""
    if table.source == "virtual":
        raise Refusal(
            "chips at a table with virtual cards come from the player's account with the cashier: "
            f"{plain(command.player)} buys in with account=true",
            code="account_only",
        )
    if actor.role == "player" or is_software(actor.name):
        return  # not at this table: `pit` and `check_chips` speak of them
    if actor.role != "dealer" or table.staff.get("dealer") != actor.name:
        dealer = table.staff.get("dealer", "")
        takes = f"{plain(dealer)} does" if dealer else "nobody is assigned to deal here yet"
        raise Refusal(
            f"only the dealer on duty takes money at table {table.id}: {takes}",
            code="not_on_duty",
        )


def _check_ends_seat(table: Table, command: GiveUpSeat, actor: Actor) -> None:
    """A seat is the player's to give up; at a live table they ask the dealer, who does it."""
    if actor.role in FLOOR and not command.reason.strip():
        raise Refusal(f"say why {plain(command.player)} loses the seat (reason)", code="no_reason")
    if actor.role == "dealer" and table.source == "virtual" and not is_software(actor.name):
        raise Refusal(
            "with virtual cards only the player gives up a seat, or the floor with a reason",
            code="not_yours",
        )


def check_opener(command: OpenTable) -> None:
    """Real chips that come to a table are counted by two people: by who opens it and who signs."""
    if command.strict and command.source == "live" and command.inventory and not command.float:
        raise Refusal(
            f"count the chips that open table {command.table} by denomination (float): a second "
            "person signs the count before bets open",
            code="not_counted",
        )


# -- what is void ---------------------------------------------------------------------------------

_VOID: Final = Wait(FLOOR, "what a dealer reports is void only when the floor confirms it")
_MAY_VOID: Final = (Report, CountStub)
_STANDS_STILL: Final = {*get_args(RoundCommand), CountStub}
_GOES_ON: Final = (VoidRound, Report, LeaveRound, RuleAbandoned)
"""What may still be done in a round while a void waits for the floor."""


def void_by_dealer(table: Table, actor: Actor, events: Iterable[TableEvent]) -> Wait | None:
    """A dealer may not void a round, by whichever road: what they report or count waits for the
    floor if wagers are void by it."""
    if actor.role != "dealer" or not table.round.seats:
        return None
    return _VOID if any(map(is_void, events)) else None


def waiting_void(table: Table) -> Pending | None:
    """The report or count of this round that waits for the floor: something is void by it."""
    if table.round.phase != "over":
        for pending in table.pending:
            if pending.number >= table.began and _may_void(pending):
                return pending
    return None


def _may_void(pending: Pending) -> bool:
    return pending.role == "dealer" and isinstance(read_command(pending.command), _MAY_VOID)


def check_void_waits(table: Table, command: TableCommand) -> None:
    """The round stands still until the floor has said whether it is void, and what was reported in
    one round voids no other."""
    if isinstance(command, Confirm):
        pending = next((entry for entry in table.pending if entry.number == command.number), None)
        if pending is not None and _may_void(pending) and pending != waiting_void(table):
            raise Refusal(
                f"the round that {plain(pending.name)} reported this of is over: decline it",
                code="not_now",
            )
    elif type(command) in _STANDS_STILL and not isinstance(command, _GOES_ON):
        pending = waiting_void(table)
        if pending is not None:
            raise Refusal(
                f"what {plain(pending.name)} reported waits for the floor (number "
                f"{pending.number}): it is confirmed or declined first",
                code="waits_for_floor",
            )


# -- proposals ------------------------------------------------------------------------------------


def propose(table: Table, command: TableCommand, actor: Actor, at: int, wait: Wait) -> Proposed:
    """Make the event by which a command waits. Its number is that of the entry."""
    text = to_json(command.outside()).decode()
    if any((waiting.command, waiting.name) == (text, actor.name) for waiting in table.pending):
        raise Refusal(f"{tag_of(command)} waits for a second person already", code="already_done")
    number = table.version + 1
    return Proposed(number, text, actor.role, actor.name, at, wait.by, wait.why)


def read_command(text: str) -> TableCommand:
    """Read a command that waits."""
    command: TableCommand = from_json(text, TableCommand)
    return command


def correction_in(table: Table, command: TableCommand) -> Correct | None:
    """Return the correction that a command makes, or confirms."""
    if isinstance(command, Confirm):
        waiting = [entry for entry in table.pending if entry.number == command.number]
        command = read_command(waiting[0].command) if waiting else command
    return command if isinstance(command, Correct) else None


def to_confirm(table: Table, number: int, actor: Actor) -> Pending:
    """Return the command that this person may confirm now."""
    pending = _waiting(table, number)
    if same_person(pending.name, actor.name):
        raise Refusal(
            f"{plain(pending.name)} proposed it: the second person is somebody else",
            code="not_yours",
        )
    if actor.role not in pending.by:
        roles = " or ".join(role for role in pending.by if role != "operator")
        raise Refusal(f"this takes a {roles} to confirm", code="wrong_role")
    return pending


def decline(table: Table, command: Decline, actor: Actor, _: int) -> tuple[TableEvent, ...]:
    """Let a proposal go: by anybody who could confirm it, or by who made it."""
    pending = _waiting(table, command.number)
    if not command.reason.strip():
        raise Refusal("say why it is declined", code="no_reason")
    if not same_person(pending.name, actor.name):
        to_confirm(table, command.number, actor)
    return (Declined(command.number, actor.name, command.reason.strip()),)


def _waiting(table: Table, number: int) -> Pending:
    for pending in table.pending:
        if pending.number == number:
            return pending
    numbers = ", ".join(str(pending.number) for pending in table.pending)
    open_now = f"open are {numbers}" if numbers else "nothing waits for a second person"
    raise Refusal(f"proposal {number} is not open: {open_now}", code="nothing_there")


def same_person(name: str, other: str) -> bool:
    return name.strip().casefold() == other.strip().casefold()
