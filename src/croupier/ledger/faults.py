"""What a store says when it cannot do what was asked."""

from __future__ import annotations

from croupier.errors import CroupierError

__all__ = ["Conflict", "JournalUnavailable", "Repeated"]


class Conflict(CroupierError):
    """Somebody else appended first: reload and try again. Nothing was written."""

    code = "conflict"


class Repeated(Conflict):
    """A request with this key was written before: `Journal.answered` has what it wrote."""

    code = "repeated"


class JournalUnavailable(CroupierError):
    """The database cannot be used just now; the same addition may be tried again.

    Nothing was written, except when `perhaps_written`: the connection broke while the commit was
    on its way. Trying again is safe even then, since an addition is never written twice: it ends
    in a `Conflict` (or `Repeated`, with a request key) if the first attempt got through.
    """

    code = "store_unavailable"
    perhaps_written = False
