"""Balances are only a convenience: the transfers in the journal are the truth, and give them anew.

A transfer takes from one account what it gives to another, so all balances always sum to zero.
"""

from __future__ import annotations

from collections.abc import Iterable

from croupier.errors import CroupierError, plain
from croupier.ledger.entries import Entry, Transfer
from croupier.money import dollars

__all__ = ["BalanceWrong", "changes", "recompute"]


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
