"""What a check finds: a rule broken (error), or something legal and unwise (warning)."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Finding", "error", "warning"]


class Finding(msgspec.Struct, frozen=True):
    severity: Literal["error", "warning"]
    clause: str | None
    message: str


def error(message: str, clause: str | None = None) -> Finding:
    return Finding("error", clause or None, message)


def warning(message: str, clause: str | None = None) -> Finding:
    return Finding("warning", clause or None, message)
