"""Commands that one person may not carry out alone: they wait until a second person confirms.

The controls are checked when a command is planned, and the entry records who proposed and who
confirmed. So older journals, in which one person was enough, replay as they were written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, get_args

import msgspec

from croupier.deck_care.commands import CountStub
from croupier.errors import Refusal, plain
from croupier.money import dollars
from croupier.rounds.commands import (
    LeaveRound,
    Report,
    RoundCommand,
    RuleAbandoned,
    Settle,
    VoidRound,
)
from croupier.rounds.declaration import CREW, FLOOR, Actor, Role, from_json, is_software, to_json
from croupier.rounds.events import SeatSettled
from croupier.rulebooks.rules import Rules
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


class HouseLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sums up to which the operator lets one person act alone, in cents."""

    correction: int = 50_000
    """Corrections by single people at a table in a day, in total."""
    buy_in: int = 1_000_000
    """Buy-ins of one player at a live table in a day, on the dealer's word."""
    buy_ins: int = 5_000_000
    """Buy-ins of all players at a live table in a day, on the dealer's word."""
    payout: int = 1_000_000
    """Payout to one seat in a round at a live table, by the cards that the dealer has entered."""
    deposit: int = 1_000_000
    """Deposits into one account in a day, by single cashiers in total."""
    deposits: int = 10_000_000
    """Deposits into all accounts in a day, by single cashiers in total."""
    pay_out: int = 1_000_000
    """Withdrawals from one account in a day, by single cashiers in total."""


class MovedAlone(msgspec.Struct, frozen=True):
    """Amounts that moved at a table on one person's word, in cents."""

    corrections: int = 0
    buy_ins: dict[str, int] = {}
    """By player, case-insensitive: a variant of a name does not get a second limit."""


class Controls(msgspec.Struct, frozen=True):
    """The limits on what one person may do alone at a table now."""

    limits: HouseLimits = HouseLimits()
    money: bool = False
    """The journal holds real money: chips at virtual tables come from accounts and go back
    there."""
    alone: MovedAlone = MovedAlone()
    """The amounts that single people have moved at the table in the last day."""
    has_account: bool = False
    """Whether the player of this command has an account with the cashier."""


class Wait(msgspec.Struct, frozen=True):
    """The reason why a command waits for a second person, and the roles that may confirm it."""

    by: tuple[Role, ...]
    why: str


CONTROLLED: Final = (BuyIn, CashOut, Correct, Credit, EmptyDrop, Fill, GiveUpSeat)
"""Commands subject to the controls of the house."""

_BY_TWO: Final[dict[type, Wait]] = {
    Fill: Wait(CREW, "a fill takes two people"),
    Credit: Wait(CREW, "a credit takes two people"),
    EmptyDrop: Wait(CREW, "a drop takes two people"),
}


def second_person(
    table: Table, command: TableCommand, actor: Actor, controls: Controls
) -> Wait | None:
    """Return the reason this command waits and the roles that may confirm it, or None if one person
    is enough."""
    if not table.strict:
        return None
    limits = controls.limits
    match command:
        case Correct():
            alone = controls.alone.corrections + abs(command.amount)
            if alone > limits.correction:
                return Wait(FLOOR, _over("corrects", alone, limits.correction))
        case BuyIn(account=False):
            bought = controls.alone.buy_ins
            alone = bought.get(command.player.casefold(), 0) + command.amount
            if alone > limits.buy_in:
                return Wait(FLOOR, _over("buys in for", alone, limits.buy_in))
            alone = sum(bought.values()) + command.amount
            if alone > limits.buy_ins:
                return Wait(FLOOR, _over("buys players in for", alone, limits.buy_ins))
        case CashOut() if actor.role in FLOOR and table.source == "live":
            return Wait(CREW, "the floor takes a player's chips off the table with a second person")
    return _BY_TWO.get(type(command))


def _over(does: str, cents: int, limit: int) -> str:
    return (
        f"one person {does} up to {dollars(limit)} at a table in a day, and this makes "
        f"{dollars(cents)}"
    )


def check_controls(table: Table, command: TableCommand, actor: Actor, controls: Controls) -> None:
    """Refuse what nobody may do here, with or without a second person."""
    match command:
        case Correct() if table.strict and table.source == "virtual":
            if command.round not in table.reopened:
                raise Refusal(
                    f"software dealt and settled round {command.round}: it is corrected only after "
                    "an auditor has reopened it",
                    code="not_reopened",
                )
        case Confirm():
            for pending in table.pending:
                if pending.number == command.number:
                    first = Actor(pending.role, pending.name)
                    check_controls(table, read_command(pending.command), first, controls)
        case BuyIn(account=False) if controls.money or table.by_people_only:
            _check_word_of_mouth(table, command, actor)
        case CashOut(account=False) if controls.money and table.source == "virtual":
            raise Refusal(
                f"the chips of {plain(command.player)} go back to their account with the cashier",
                code="account_only",
            )
        case CashOut(account=True) if table.source == "live" and actor.role not in FLOOR:
            raise Refusal(
                "at a live table players take their chips with them: only the floor returns them "
                "to an account, with a second person",
                code="wrong_source",
            )
        case GiveUpSeat() if table.strict and actor.role != "player":
            _check_ends_seat(table, command, actor)


def _check_word_of_mouth(table: Table, command: BuyIn, actor: Actor) -> None:
    """Refuse cash buy-ins at tables with virtual cards, and at live tables unless the dealer on
    duty takes the money."""
    if table.source == "virtual":
        raise Refusal(
            "chips at a table with virtual cards come from the player's account with the cashier: "
            f"{plain(command.player)} buys in from there",
            code="account_only",
        )
    if is_software(actor.name):
        return  # `check_acts_in_person` refuses software
    if actor.role != "dealer" or table.staff.get("dealer") != actor.name:
        dealer = table.staff.get("dealer", "")
        takes = f"{plain(dealer)} does" if dealer else "nobody is assigned to deal here yet"
        raise Refusal(
            f"only the dealer on duty takes money at table {table.id}: {takes}",
            code="not_on_duty",
        )


def _check_ends_seat(table: Table, command: GiveUpSeat, actor: Actor) -> None:
    """Refuse to end a player's seat for them: the floor must give a reason, and only at a live
    table may the dealer do it at the player's request."""
    if actor.role in FLOOR and not command.reason.strip():
        raise Refusal(f"say why {plain(command.player)} loses the seat", code="no_reason")
    if actor.role == "dealer" and table.source == "virtual" and not is_software(actor.name):
        raise Refusal(
            "with virtual cards only the player gives up a seat, or the floor with a reason",
            code="not_yours",
        )


def check_opener(command: OpenTable, before: Table | None) -> None:
    """Refuse to open a strict live table with uncounted chips, or to switch a strict table between
    real and virtual chips."""
    if before is not None and before.strict and before.source != command.source:
        raise Refusal(
            f"the cards and chips of table {before.id} are {before.source}, and stay so: open "
            f"another table for {command.source} cards",
            code="wrong_source",
        )
    if command.strict and command.source == "live" and command.inventory and not command.float:
        raise Refusal(
            f"count the chips that open table {command.table} by denomination (float): a second "
            "person signs the count before bets open",
            code="not_counted",
        )


# -- what a dealer reports, counts and pays --------------------------------------------------------

_VOID: Final = Wait(FLOOR, "what a dealer reports is void only when the floor confirms it")
_FOR_THE_FLOOR: Final = (Report, CountStub, Settle)
"""Commands that a dealer gives alone, unless they void something or pay a large amount."""
_STANDS_STILL: Final = {*get_args(RoundCommand), CountStub}
_GOES_ON: Final = (VoidRound, Report, LeaveRound, RuleAbandoned)
"""Commands that are still allowed in a round while a void waits for the floor."""


def void_by_dealer(table: Table, actor: Actor, events: Iterable[TableEvent]) -> Wait | None:
    """Return the wait if a dealer's report or count would void wagers: a dealer may not void a
    round alone."""
    if actor.role != "dealer" or not table.round.seats:
        return None
    return _VOID if any(map(is_void, events)) else None


def large_payout(
    actor: Actor, events: Iterable[TableEvent], controls: Controls | None
) -> Wait | None:
    """Return the wait if a dealer's settlement pays a seat more than the limit: the dealer entered
    the cards, so the floor checks them before a large payout."""
    if actor.role != "dealer" or controls is None:
        return None
    limit = controls.limits.payout
    for event in events:
        if isinstance(event, SeatSettled):
            won = sum(line.net for line in event.lines)
            if won > limit:
                return Wait(
                    FLOOR,
                    f"seat {event.seat} wins {dollars(won)}, and the dealer alone pays up to "
                    f"{dollars(limit)}",
                )
    return None


def waiting_for_floor(table: Table) -> Pending | None:
    """Return the dealer's report, count or settlement in this round that the floor must confirm, if
    any."""
    if table.round.phase != "over":
        for pending in table.pending:
            if pending.number >= table.began and _is_of_round(pending):
                return pending
    return None


def _is_of_round(pending: Pending) -> bool:
    return pending.role == "dealer" and isinstance(read_command(pending.command), _FOR_THE_FLOOR)


def check_stands_still(table: Table, command: TableCommand) -> None:
    """Refuse to continue the round before the floor has decided, and to confirm a report about an
    earlier round."""
    if isinstance(command, Confirm):
        pending = next((entry for entry in table.pending if entry.number == command.number), None)
        if pending is not None and _is_of_round(pending) and pending != waiting_for_floor(table):
            raise Refusal(
                f"the round that {plain(pending.name)} reported this of is over: decline it",
                code="not_now",
            )
    elif type(command) in _STANDS_STILL and not isinstance(command, _GOES_ON):
        pending = waiting_for_floor(table)
        if pending is not None:
            raise Refusal(
                f"what {plain(pending.name)} has done waits for the floor (number "
                f"{pending.number}): it is confirmed or declined first",
                code="waits_for_floor",
            )


# -- proposals ------------------------------------------------------------------------------------


def propose(table: Table, command: TableCommand, actor: Actor, at: int, wait: Wait) -> Proposed:
    """Return the event of a proposed command. Its number is that of its entry."""
    text = to_json(command.outside()).decode()
    if any((waiting.command, waiting.name) == (text, actor.name) for waiting in table.pending):
        raise Refusal(
            f"{command.declared.label}: this waits for a second person already",
            code="already_done",
        )
    number = table.version + 1
    return Proposed(number, text, actor.role, actor.name, at, wait.by, wait.why)


def read_command(text: str) -> TableCommand:
    """Read a proposed command from JSON."""
    command: TableCommand = from_json(text, TableCommand)
    return command


def to_account(table: Table, command: TableCommand, actor: Actor, controls: Controls) -> bool:
    """Return whether the money must go to the player's account, whatever the command states."""
    match command:
        case Correct():
            return controls.money and table.source == "virtual"
        case CashOut():
            is_gone = actor.role != "player" and not table.is_seated(command.player)
            is_absent = table.by_people_only and (actor.role in FLOOR or is_gone)
            return is_absent and controls.has_account
    return False


def correction_in(table: Table, command: TableCommand) -> Correct | None:
    """Return the correction that a command makes or confirms, if any."""
    if isinstance(command, Confirm):
        waiting = [entry for entry in table.pending if entry.number == command.number]
        command = read_command(waiting[0].command) if waiting else command
    return command if isinstance(command, Correct) else None


def to_confirm(table: Table, number: int, actor: Actor) -> Pending:
    """Return the proposal, or refuse if this person may not confirm it."""
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


def decline(
    table: Table, command: Decline, _: Rules, actor: Actor, *__: Any
) -> tuple[TableEvent, ...]:
    """Decline a proposal: anybody who could confirm it may do so, and the person who made it."""
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


def same_person(name: str, second: str) -> bool:
    return name.strip().casefold() == second.strip().casefold()
