"""Play chips and money never share a journal: the first server says in it which of them it holds,
and from then on it is served as that and nothing else."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, cast

from croupier.errors import BadRequest, CroupierError, Refusal
from croupier.ledger.entries import Addition, NewEntry
from croupier.ledger.faults import Conflict
from croupier.ledger.journal import Journal
from croupier.ledger.records.cashier_entries import account_stream
from croupier.ledger.records.table_entries import table_record, table_stream
from croupier.rounds.declaration import SOFTWARE
from croupier.runtime.clock import now

__all__ = [
    "CHIPS",
    "ChipsKind",
    "check_chips",
    "check_takes_money",
    "claim_chips",
    "holds_money",
]

ChipsKind: TypeAlias = Literal["play", "money"]

CHIPS: Final = "program:chips"
_WRONG: Final[dict[ChipsKind, str]] = {
    "money": "holds play chips of a demo, which guests made from nothing: without the demo they "
    "would count as money. Serve it with --demo, or give the house a journal of its own: "
    "--database house.db",
    "play": "holds money: in a demo guests would make chips from nothing at its tables. Serve it "
    "with --no-demo, or give the demo a journal of its own: --database demo.db",
}


def check_chips(journal: Journal, kind: ChipsKind) -> None:
    """May it be served with chips of this kind?"""
    if _found(journal) - {kind}:
        raise BadRequest(f"the journal {journal.name} {_WRONG[kind]}")


def claim_chips(journal: Journal, kind: ChipsKind) -> None:
    """From now on it holds chips of this kind."""
    while True:
        check_chips(journal, kind)
        if journal.head(CHIPS).version:
            return
        entry = NewEntry(kind, b'{"chips":"%s"}' % kind.encode())
        try:
            journal.add(Addition(CHIPS, 0, (entry,)), at=now())
        except Conflict:
            continue  # another server was first: what does it say?
        return


def holds_money(journal: Journal) -> bool:
    """Has a house been served from it, or a cashier kept accounts in it?"""
    return "money" in _found(journal)


def check_takes_money(journal: Journal) -> None:
    """A cashier keeps no accounts beside play chips."""
    if "play" in _found(journal):
        raise Refusal(
            f"the journal {journal.name} holds play chips of a demo, so nobody has an account with "
            "the cashier: name the journal of the house",
            code="only_demo",
        )


def _found(journal: Journal) -> set[ChipsKind]:
    """By its own entry; by what was done, where no server has written one: a demo opens its tables
    by software, and only where there is money does a cashier keep accounts."""
    for entry in journal.read(CHIPS, up_to=1):
        return {cast("ChipsKind", entry.kind)}
    found: set[ChipsKind] = {"money"} if journal.streams(account_stream("")) else set()
    if any(_is_of_demo(journal, stream) for stream in journal.streams(table_stream(""))):
        found.add("play")
    return found


def _is_of_demo(journal: Journal, stream: str) -> bool:
    try:
        return any(table_record(one).by.name == SOFTWARE for one in journal.read(stream, up_to=1))
    except CroupierError:
        return False  # a damaged entry is for `verify` to tell
