"""Money that moved on somebody's word: corrections, buy-ins, what two people proposed and
confirmed, and what cashiers took and paid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from croupier.cashier import Deposit
from croupier.ledger.cashier_entries import account_of_stream, account_record, account_stream
from croupier.ledger.entries import Entry
from croupier.ledger.journal import Journal
from croupier.ledger.newest import Recent
from croupier.ledger.past_rounds import Moment, entry_moments
from croupier.ledger.table_entries import table_record, table_stream
from croupier.money import dollars
from croupier.rounds.events import ProgressivePaid
from croupier.tables.commands import BuyIn, Correct, Credit, Fill, ReopenRound
from croupier.tables.events import Confirmed, Corrected, Declined, DropEmptied, Proposed
from croupier.tables.sentences import describe_event
from croupier.tables.two_people import MovedAlone

__all__ = ["LimitUse", "cashier_uses", "deposited_alone", "moved_alone", "recent_uses"]

_COMMANDS: Final = frozenset(
    {
        *("correct", "buy_in", "fill", "credit", "empty_drop"),
        *("confirm", "decline", "reopen_round", "validate_progressive"),
    }
)

_PROPOSED: Final = b'"proposed"'
"""The tag of what waits for a second person, whatever the command."""


class LimitUse(msgspec.Struct, frozen=True):
    """Entry `entry` of the table's journal, or of a player's account, in words."""

    table: str
    entry: int
    at: str
    by: str
    role: str
    words: str


def recent_uses(journal: Journal, table: str) -> Recent[LimitUse]:
    return Recent(journal, table_stream(table), lambda entry: _uses(journal, entry))


def _uses(journal: Journal, entry: Entry) -> Iterator[LimitUse]:
    if entry.kind not in _COMMANDS and _PROPOSED not in entry.body:
        return
    moments = entry_moments(journal, entry.stream, entry.version)
    if not moments or not moments[0].after.strict or not any(map(_moves_money, moments)):
        return
    first = moments[0]
    words = [line for moment in moments for line in describe_event(moment.event, moment.after)]
    by, table = first.actor, first.after.id
    yield LimitUse(table, entry.version, entry.at, by.name, by.role, "; ".join(words))


def _moves_money(moment: Moment) -> bool:
    """By hand, or because somebody wanted it to. From an account players buy in for themselves."""
    if isinstance(moment.event, BuyIn):
        return not moment.event.account
    if isinstance(moment.event, ProgressivePaid):
        return moment.after.source == "live"
    decided = Confirmed | Declined | Proposed | ReopenRound
    return isinstance(moment.event, decided | Corrected | Credit | DropEmptied | Fill)


def cashier_uses(journal: Journal, since: str) -> list[LimitUse]:
    """What cashiers took and paid since this time, and what waits for a second one."""
    uses = []
    for entry in journal.recent(account_stream(""), since, ("deposit", "pay_out")):
        record, person = account_record(entry), account_of_stream(entry.stream)
        does = {"deposit": "takes a deposit of", "pay_out": "pays out"}[entry.kind]
        words = f"{record.by.name} {does} {dollars(getattr(record.command, 'amount', 0))}"
        words += f" for the account of {person}"
        words += "; it waits for a second cashier" if record.waits else ""
        words += " as the second cashier" if getattr(record.command, "confirms", 0) else ""
        name, role = record.by.name, record.by.role
        uses.append(LimitUse("", entry.version, entry.at, name, role, words))
    return uses


def deposited_alone(journal: Journal, since: str) -> int:
    """What single cashiers took for all accounts since this time, in cents."""
    cents = 0
    for entry in journal.recent(account_stream(""), since, ("deposit",)):
        record = account_record(entry)
        if isinstance(record.command, Deposit) and not record.waits and not record.command.confirms:
            cents += record.command.amount
    return cents


def moved_alone(journal: Journal, table: str, since: str) -> MovedAlone:
    """What single people moved at a table since this time."""
    corrections, buy_ins = 0, dict[str, int]()
    for entry in journal.since(table_stream(table), since, ("buy_in", "correct")):
        record = table_record(entry)
        if record.wait is not None:
            continue
        match record.command:
            case BuyIn(player=player, amount=cents, account=False):
                name = player.casefold()
                buy_ins[name] = buy_ins.get(name, 0) + cents
            case Correct(amount=cents):
                corrections += abs(cents)
    return MovedAlone(corrections, buy_ins)
