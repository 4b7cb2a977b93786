"""The journal: append-only, hash-chained, with double-entry accounts in the same transaction.

It knows nothing of poker. What it stores, how the chain is computed and what a crash may do to it
is told in docs/ledger.md.
"""

from __future__ import annotations

from croupier.ledger.accounts import BalanceWrong, check_balances
from croupier.ledger.chain import GENESIS, ChainBroken, check_chain, hash_of
from croupier.ledger.entries import (
    Addition,
    Chapter,
    Entry,
    Head,
    Mark,
    NewEntry,
    Snapshot,
    Transfer,
    stamp,
)
from croupier.ledger.store import Conflict, Repeated, Store, StoreUnavailable, open_store

__all__ = [
    "GENESIS",
    "Addition",
    "BalanceWrong",
    "ChainBroken",
    "Chapter",
    "Conflict",
    "Entry",
    "Head",
    "Mark",
    "NewEntry",
    "Repeated",
    "Snapshot",
    "Store",
    "StoreUnavailable",
    "Transfer",
    "check_balances",
    "check_chain",
    "hash_of",
    "open_store",
    "stamp",
]
