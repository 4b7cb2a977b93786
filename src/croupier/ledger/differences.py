"""What `verify` and the checks of checkpoints tell."""

from __future__ import annotations

import msgspec

__all__ = ["Difference"]


class Difference(msgspec.Struct, frozen=True):
    """Where the journal is not what happened, or not what was signed."""

    stream: str
    version: int
    message: str
