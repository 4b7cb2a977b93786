"""What all results of the library have in common."""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["Record"]


class Record(msgspec.Struct, frozen=True):
    """A result. Money is in whole cents, in fields whose names end in `_cents`; outside, in
    `to_dict` and `to_json`, it is dollars as `"7.50"`."""

    def to_dict(self) -> dict[str, Any]:
        """As the contract writes it (docs/contract.md), in plain Python data."""
        raise NotImplementedError

    def to_json(self) -> str:
        """The line that the command with `--json` prints."""
        return msgspec.json.encode(self.to_dict()).decode()
