"""Errors of the journal."""

from __future__ import annotations

from typing import Final

from croupier.errors import CroupierError


class Conflict(CroupierError):
    """Another writer was first: reload and try again. Nothing was written."""

    code = "conflict"


class Repeated(Conflict):
    """A request with this key was written before: `Journal.answered` returns what it wrote."""

    code = "repeated"


LEASE_LOST: Final = "CR001"
"""The error code (SQLSTATE) by which PostgreSQL reports it."""


class LeaseLost(CroupierError):
    """Another process runs the table now. Nothing was written."""

    code = "lease_lost"


class JournalDamaged(CroupierError):
    """The database holds data that no journal has written: its file or its disk is damaged."""

    code = "journal_damaged"


class JournalUnavailable(CroupierError):
    """The database cannot be used now; the same addition may be tried again.

    Nothing was written, unless `perhaps_written`: the connection broke during the commit. Trying
    again is safe even then, since an addition is never written twice: if the first attempt was
    written, the second raises `Conflict` (or `Repeated`, with a request key).
    """

    code = "store_unavailable"
    perhaps_written = False


class ProofFailed(CroupierError):
    """The proof does not prove its claim."""

    code = "proof_failed"
