"""How a rehearsal table is known: by its name."""

from __future__ import annotations

from typing import Final

__all__ = ["is_rehearsal", "rehearsal_name"]

_PREFIX: Final = "rehearsal-"


def rehearsal_name(rulebook: str, number: int) -> str:
    return f"{_PREFIX}{rulebook}-{number}"


def is_rehearsal(table: str) -> bool:
    return table.startswith(_PREFIX)
