"""The journal: append-only entries in hash chains, with double-entry accounts.

docs/ledger.md explains what it stores, how the chain is computed and what happens in a crash.
"""
