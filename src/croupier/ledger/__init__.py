"""The journal: append-only entries in hash chains, and double-entry accounts with them.

docs/ledger.md explains what it stores, how the chain is computed and what happens in a crash.
"""
