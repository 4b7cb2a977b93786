"""The base of all results of the library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from croupier.errors import BadData, BadRequest, plain

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the current piece of work, the number of pieces done, and their total number."""


def quiet(label: str, done: int, total: int) -> None:
    """Report no progress."""


class Record(msgspec.Struct, frozen=True):
    """A result: amounts are `Money`, in `to_dict` and `to_json` dollars as `"7.50"`."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data, as the contract writes it (docs/contract.md)."""
        raise NotImplementedError

    def to_json(self) -> str:
        """Return the line that the command with `--json` prints."""
        return msgspec.json.encode(self.to_dict()).decode()


def write_file(to: str | Path, data: bytes) -> None:
    """Write a whole file; if that fails, the error says why."""
    try:
        Path(to).write_bytes(data)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadData(f"{plain(to, 200)} cannot be written: {reason}") from None


def check_count(name: str, value: int, most: int, least: int = 1) -> None:
    """Refuse a number outside its range."""
    if not least <= value <= most:
        raise BadRequest(f"{name} is {value}, but must be {least:,} to {most:,}")
