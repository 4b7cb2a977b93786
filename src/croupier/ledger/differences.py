"""The differences and gaps that `verify` and the checks of checkpoints report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from croupier.errors import plain

MOST_STREAMS = 5
Verdict: TypeAlias = Literal["anchored", "unanchored", "differs"]
"""`anchored`: nothing differs, and checkpoints signed with a trusted key cover every entry."""


class Difference(msgspec.Struct, frozen=True):
    """A place where the journal is not what happened, or not what was signed."""

    stream: str
    """The stream, such as `table:T1`."""
    version: int
    """The number of the entry."""
    message: str
    """The difference, in a sentence."""


class Gap(msgspec.Struct, frozen=True):
    """Why a journal without differences is not anchored, and what could have happened unnoticed."""

    missing: str
    """What is missing."""
    leaves_open: str
    """The undetected changes that this leaves possible."""

    def __str__(self) -> str:
        return f"{self.missing}, so {self.leaves_open}"


def verdict_of(differences: int, gaps: tuple[Gap, ...]) -> Verdict:
    if differences:
        return "differs"
    return "unanchored" if gaps else "anchored"


def conclusion_of(count: int, gaps: tuple[Gap, ...], differences: Iterable[Difference]) -> str:
    """Return the verdict as one line. `differences` holds the first of the `count` differences."""
    if not count:
        return f"whole, not anchored: {'; '.join(map(str, gaps))}" if gaps else "whole and anchored"
    streams = list(dict.fromkeys(difference.stream for difference in differences))
    named = [plain(stream, 60) for stream in streams[:MOST_STREAMS]]
    more = len(streams) - len(named)
    where = ", ".join([*named, *([f"{more:,} more"] if more else [])])
    return f"differs: {count:,} {'difference' if count == 1 else 'differences'}, in {where}"
