"""Checks of chains and balances that do not need the meaning of the entries."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.errors import CroupierError, plain
from croupier.ledger.entries import Entry, StreamHead, add_transfers
from croupier.ledger.journal import Journal
from croupier.ledger.signatures.chain import ChainBroken, check_chain
from croupier.money import dollars


class BalanceWrong(CroupierError):
    """A stored balance is not what the journal's transfers give."""

    code = "balance_wrong"

    def __init__(self, account: str, stored_cents: int, journal_cents: int) -> None:
        super().__init__(
            f"account {plain(account, 200)} is stored as {dollars(stored_cents)}, "
            f"but the journal's transfers give {dollars(journal_cents)}"
        )
        self.account = account
        self.stored_cents = stored_cents
        self.journal_cents = journal_cents

    def within(self, where: str) -> CroupierError:
        return CroupierError(f"{where}: {self}", code=self.code)


def check_streams(journal: Journal) -> dict[str, StreamHead]:
    """Check every stream and return the heads. Heads kept elsewhere can later show that the end of
    a stream was cut off."""
    view, stored = journal.consistent_view(), journal.as_stored()
    heads: dict[str, StreamHead] = {}
    for stream, head in view.heads.items():
        reached_head = check_chain(stored.read(stream, up_to=head.version))
        if reached_head != head:
            raise ChainBroken(
                stream, reached_head.version + 1, "it is missing: the stream ends before"
            )
        heads[stream] = head
    for stream, version, source in view.mentioned:
        reached = heads[stream].version if stream in heads else 0
        if version > reached:
            message = f"it is missing: {source} of the stream speak of entry {version}"
            raise ChainBroken(stream, reached + 1, message)
    return heads


def check_balances(journal: Journal) -> dict[str, int]:
    """Compare every balance with the transfers; raises for the first account that differs.

    Others may write meanwhile: heads and balances are read at one moment, and the entries up to
    those heads never change.
    """
    view = journal.consistent_view()
    balances = _balances_of(
        entry
        for stream, head in view.heads.items()
        for entry in journal.read(stream, up_to=head.version)
    )
    for account in sorted(balances.keys() | view.balances.keys()):
        stored, computed = view.balances.get(account, 0), balances.get(account, 0)
        if stored != computed:
            raise BalanceWrong(account, stored, computed)
    return balances


def _balances_of(entries: Iterable[Entry]) -> dict[str, int]:
    balances: dict[str, int] = {}
    for entry in entries:
        add_transfers(entry.transfers, balances)
    return balances
