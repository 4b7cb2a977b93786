"""Balances are only a convenience: the transfers in the journal are the truth, and give them anew.

A transfer takes from one account what it gives to another, so all balances always sum to zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from croupier.errors import CroupierError, plain
from croupier.ledger.entries import Entry, Transfer
from croupier.money import dollars

if TYPE_CHECKING:
    from croupier.ledger.journal import Journal

__all__ = ["BalanceWrong", "changes", "check_balances", "recompute"]


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


def changes(transfers: Iterable[Transfer], into: dict[str, int]) -> None:
    """Add to `into` what the transfers do to each account."""
    for transfer in transfers:
        into[transfer.source] = into.get(transfer.source, 0) - transfer.cents
        into[transfer.target] = into.get(transfer.target, 0) + transfer.cents


def recompute(entries: Iterable[Entry]) -> dict[str, int]:
    balances: dict[str, int] = {}
    for entry in entries:
        changes(entry.transfers, balances)
    return balances


def check_balances(journal: Journal) -> dict[str, int]:
    """Compare every balance with the journal; the first by name that differs is raised.

    Others may go on writing meanwhile: heads and balances are taken at one moment, and what the
    journal holds up to those heads never changes.
    """
    picture = journal.picture()
    balances = recompute(
        entry
        for stream, head in picture.heads.items()
        for entry in journal.read(stream, up_to=head.version)
    )
    for account in sorted(balances.keys() | picture.balances.keys()):
        stored, computed = picture.balances.get(account, 0), balances.get(account, 0)
        if stored != computed:
            raise BalanceWrong(account, stored, computed)
    return balances
