"""All errors, in one tree.

Every error has a short `code` for programs, a message for people (what is wrong, where, what would
be right) and the clause of the document if a rule is the reason.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from difflib import get_close_matches


class CroupierError(Exception):
    """The base of all errors. `str(error)` is the message for people."""

    code = "error"
    """A short word for programs: `not_now`, `rule_broken`, `unknown_name`."""
    clause: str | None
    """The clause of the document that forbids it, if a rule is the reason."""

    def __init__(self, message: str, *, clause: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.clause = clause
        if code is not None:
            self.code = code

    @property
    def message(self) -> str:
        """The message, as text that can always be encoded as UTF-8."""
        return str(self).encode("utf-8", "backslashreplace").decode("utf-8")

    def within(self, where: str) -> CroupierError:
        """Return the same error with its place in front: 'seat 3: …'."""
        return type(self)(f"{where}: {self}", clause=self.clause, code=self.code)


class BadRequest(CroupierError):
    """The request itself is wrong: exit code 2."""

    code = "bad_request"


class BadData(BadRequest):
    """JSON or TOML that cannot be parsed or does not have the expected form."""

    code = "bad_data"


class BadCards(BadRequest):
    """Cards that cannot be read, or cannot be in one round together."""

    code = "bad_cards"


class BadAmount(BadRequest):
    """An amount that cannot be read, or is out of range; a float always is."""

    code = "bad_amount"


class UnknownName(BadRequest):
    """An unknown name; the nearest known one is suggested."""

    code = "unknown_name"


class RuleBroken(BadRequest):
    """The request is well formed, but the document forbids it; `clause` names the clause."""

    code = "rule_broken"


class Unsolvable(BadRequest):
    """A game or a wager that no solver models: it gets no figure, not a wrong one."""

    code = "unsolvable"


class Refusal(BadRequest):
    """A command that the table refuses. `code` says why in one word; nothing has changed."""

    code = "refused"


def not_installed(feature: str, package: object, extra: str) -> BadRequest:
    """Return the refusal of a feature whose optional package is missing, with the command that
    installs it in the folder of Croupier's sources."""
    return BadRequest(
        f"{feature}: {package} is not installed. In the folder of Croupier's sources run: "
        f"pip install '.[{extra}]'",
        code="not_installed",
    )


def our_fault(error: Exception) -> CroupierError:
    """Turn a bug in this program into an error without a traceback. With CROUPIER_DEBUG set, raise
    the bug itself."""
    if "CROUPIER_DEBUG" in os.environ:
        raise error
    detail = plain(f"{type(error).__name__}: {error}", 200)
    return CroupierError(f"this is a fault of the program, not yours ({detail})", code="internal")


def shown(value: object, most: int = 60) -> str:
    """Quote a value for a message; cut it if it is long."""
    text = repr(value[:most] if isinstance(value, str) else value)
    whole = len(text) <= most + 2 and not (isinstance(value, str) and len(value) > most)
    return text if whole else f"{text[:most]}…"


def plain(name: object, most: int = 60) -> str:
    """Write a name or a path for a message; quote it if it is long or not printable."""
    text = str(name)
    return text if text.isprintable() and 0 < len(text) <= most else shown(text, most)


def suggest(
    noun: str, name: str, known: Iterable[str], *, clause: str | None = None
) -> UnknownName:
    """Return the error for an unknown name, with the nearest known one."""
    names = {known_name.lower(): known_name for known_name in known}
    close = get_close_matches(name[:60].lower(), names, n=1, cutoff=0.5)
    listing = ", ".join(names.values()) if names else "none"
    hint = f"did you mean {names[close[0]]!r}? " if close else ""
    return UnknownName(f"unknown {noun} {shown(name)}: {hint}known are: {listing}", clause=clause)


def with_article(words: str) -> str:
    """Put the article in front: a dealer, an operator."""
    return f"an {words}" if words[:1] in "aeiou" else f"a {words}"
