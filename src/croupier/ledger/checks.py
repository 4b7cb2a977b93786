"""Chains and balances held against the journal, without knowing what the entries mean."""

from __future__ import annotations

from croupier.ledger.accounts import BalanceWrong, recompute
from croupier.ledger.chain import ChainBroken, check_chain
from croupier.ledger.entries import Head
from croupier.ledger.journal import Journal

__all__ = ["check_balances", "check_streams"]


def check_streams(journal: Journal) -> dict[str, Head]:
    """Walk every stream. The heads come back: kept elsewhere, they show when a tail is cut off."""
    picture = journal.picture()
    heads: dict[str, Head] = {}
    for stream, head in picture.heads.items():
        found = check_chain(journal.read(stream, up_to=head.version))
        if found != head:
            raise ChainBroken(stream, found.version + 1, "it is missing: the stream ends before")
        heads[stream] = head
    for stream, version, source in picture.mentioned:
        reached = heads[stream].version if stream in heads else 0
        if version > reached:
            what = f"it is missing: {source} of the stream speak of entry {version}"
            raise ChainBroken(stream, reached + 1, what)
    return heads


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
