"""What can be wrong, in one tree.

Every error carries a short `code` for programs, a message for people (what is wrong, where, what
would be right) and the clause of the document when a rule is involved.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "BadAmount",
    "BadCards",
    "BadData",
    "BadRequest",
    "CroupierError",
    "RuleBroken",
    "UnknownName",
    "suggest",
]


class CroupierError(Exception):
    """Anything Croupier says no to. `str(error)` is the message for people."""

    code = "error"

    def __init__(self, message: str, *, clause: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.clause = clause
        if code is not None:
            self.code = code

    @property
    def message(self) -> str:
        return str(self)

    def within(self, where: str) -> CroupierError:
        """The same error, told from one level further out: 'seat 3: …'."""
        return type(self)(f"{where}: {self}", clause=self.clause, code=self.code)


class BadRequest(CroupierError):
    """The request itself is wrong: exit code 2."""

    code = "bad_request"


class BadData(BadRequest):
    """JSON or TOML that is broken or does not have the expected form."""

    code = "bad_data"


class BadCards(BadRequest):
    code = "bad_cards"


class BadAmount(BadRequest):
    code = "bad_amount"


class UnknownName(BadRequest):
    """A name nobody knows; the nearest right one is suggested."""

    code = "unknown_name"


class RuleBroken(BadRequest):
    """The request is well formed but the document forbids it; `clause` says where."""

    code = "rule_broken"


def suggest(
    kind: str, name: str, known: Iterable[str], *, clause: str | None = None
) -> UnknownName:
    """The error for an unknown name, with the nearest known ones."""
    names = list(known)
    close = get_close_matches(name, names, n=1, cutoff=0.5)
    listing = ", ".join(names) if names else "none"
    hint = f"did you mean {close[0]!r}? " if close else ""
    return UnknownName(f"unknown {kind} {name!r}: {hint}known are: {listing}", clause=clause)
