"""Terms of the house, kept in its journal: the limits on what one person may do alone, and whether
chips are play chips or money.

Limits are set on the command line and not on a page, so nobody who works under them can raise them.
Play chips and money never share a journal: the first server records which of them it holds, and
from then on the journal is served only as that.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, cast

import msgspec
from msgspec.structs import replace

from croupier.errors import BadAmount, BadRequest, CroupierError, Refusal
from croupier.ledger.entries import Addition, Entry, NewEntry
from croupier.ledger.faults import Conflict
from croupier.ledger.history.floor_records import LimitUse
from croupier.ledger.journal import Journal
from croupier.ledger.records.cashier_entries import account_stream
from croupier.ledger.records.table_entries import table_record, table_stream
from croupier.money import MOST_CENTS, dollars
from croupier.rounds.declaration import SOFTWARE, from_json, to_json
from croupier.runtime.clock import now
from croupier.tables.two_people import HouseLimits

LIMITS: Final = "house:limits"


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    limits: HouseLimits
    by: str


def house_limits(journal: Journal) -> HouseLimits:
    """Return the limits in force: those last set, or the defaults."""
    version = journal.head(LIMITS).version
    if not version:
        return HouseLimits()
    (entry,) = journal.read(LIMITS, version - 1, version)
    return _record(entry).limits


def limit_changes(journal: Journal, since: str) -> list[LimitUse]:
    """Return each change of the limits since this time, for the floor's board."""
    changes = []
    for entry in journal.since(LIMITS, since):
        record = _record(entry)
        sums = ", ".join(
            f"{name.replace('_', ' ')} {dollars(getattr(record.limits, name))}"
            for name in record.limits.__struct_fields__
        )
        words = f"The limits of the house are set: {sums}"
        changes.append(LimitUse("", entry.version, entry.at, record.by, "operator", words))
    return changes


def set_house_limits(journal: Journal, by: str, **cents: int) -> HouseLimits:
    """Change the named limits, in cents; the others stay."""
    for name, value in cents.items():
        if not 0 <= value <= MOST_CENTS:
            raise BadAmount(f"{name}: {dollars(value)} is not a limit")
    while True:
        version = journal.head(LIMITS).version
        limits = replace(house_limits(journal), **cents)
        entry = NewEntry("limits", to_json(_Record(limits, by)))
        try:
            journal.add(Addition(LIMITS, version, (entry,)), at=now())
        except Conflict:
            continue  # another process was first: change its limits
        return limits


def _record(entry: Entry) -> _Record:
    record: _Record = from_json(entry.body, _Record)
    return record


ChipsKind: TypeAlias = Literal["play", "money"]

CHIPS: Final = "program:chips"
_WRONG: Final[dict[ChipsKind, str]] = {
    "money": "holds play chips of a demo, which guests made from nothing: without the demo they "
    "would count as money. Serve it with --demo, or give the house a journal of its own: "
    "--database house.db",
    "play": "holds money: in a demo guests would make chips from nothing at its tables. Serve it "
    "with --no-demo, or give the demo a journal of its own: --database demo.db",
}


def check_chips(journal: Journal, chips: ChipsKind) -> None:
    """Refuse a journal that holds the other kind of chips."""
    if _found(journal) - {chips}:
        raise BadRequest(f"the journal {journal.name} {_WRONG[chips]}")


def claim_chips(journal: Journal, chips: ChipsKind) -> None:
    """Record which kind of chips the journal holds from now on."""
    while True:
        check_chips(journal, chips)
        if journal.head(CHIPS).version:
            return
        entry = NewEntry(chips, b'{"chips":"%s"}' % chips.encode())
        try:
            journal.add(Addition(CHIPS, 0, (entry,)), at=now())
        except Conflict:
            continue  # another server was first: check its record
        return


def holds_money(journal: Journal) -> bool:
    """Return whether the journal holds money: a house was served from it, or a cashier kept
    accounts in it."""
    return "money" in _found(journal)


def check_takes_money(journal: Journal) -> None:
    """Refuse cashier accounts in a journal of play chips."""
    if "play" in _found(journal):
        raise Refusal(
            f"the journal {journal.name} holds play chips of a demo, so nobody has an account with "
            "the cashier: name the journal of the house",
            code="only_demo",
        )


def _found(journal: Journal) -> set[ChipsKind]:
    """Return the kinds of chips in the journal: by its own entry, or, if no server has written one,
    by its contents. Software opens the tables of a demo, and cashier accounts mean money."""
    for entry in journal.read(CHIPS, up_to=1):
        return {cast("ChipsKind", entry.kind)}
    kinds: set[ChipsKind] = {"money"} if journal.streams(account_stream("")) else set()
    if any(_is_of_demo(journal, stream) for stream in journal.streams(table_stream(""))):
        kinds.add("play")
    return kinds


def _is_of_demo(journal: Journal, stream: str) -> bool:
    try:
        return any(
            table_record(entry).by.name == SOFTWARE for entry in journal.read(stream, up_to=1)
        )
    except CroupierError:
        return False  # `verify` reports a damaged entry
