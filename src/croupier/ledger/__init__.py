"""The journal: append-only, hash-chained, with double-entry accounts in the same transaction.

It knows nothing of poker. What it stores, how the chain is computed and what a crash may do to it
is told in docs/ledger.md.
"""

from __future__ import annotations

from croupier.ledger.accounts import BalanceWrong
from croupier.ledger.chain import GENESIS, ChainBroken, check_chain, hash_of
from croupier.ledger.checks import check_balances
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
from croupier.ledger.journal import Conflict, Journal, JournalUnavailable, Repeated, open_journal

__all__ = [
    "GENESIS",
    "Addition",
    "BalanceWrong",
    "ChainBroken",
    "Chapter",
    "Conflict",
    "Entry",
    "Head",
    "Journal",
    "JournalUnavailable",
    "Mark",
    "NewEntry",
    "Repeated",
    "Snapshot",
    "Transfer",
    "check_balances",
    "check_chain",
    "hash_of",
    "open_journal",
    "stamp",
]
