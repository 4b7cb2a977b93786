"""The refusals of a link."""

from __future__ import annotations

from croupier.errors import RuleBroken


class LinkRefusal(RuleBroken):
    """A command that the link refuses; its state does not change.

    `code` is for programs: `unknown_table`, `late_wager`, `not_validated`, …
    """

    code = "link_refused"

    def __init__(self, message: str, *, clause: str | None = None, code: str | None = None) -> None:
        super().__init__(message, clause=clause or None, code=code)
