"""What a person means by the name of a file."""

from __future__ import annotations

from typing import Final

__all__ = ["STANDARD_INPUT", "is_toml_file"]

STANDARD_INPUT: Final = "/dev/stdin"
"""What `-` means where a command takes a file."""


def is_toml_file(name: object) -> bool:
    """Is it a file that somebody wrote, and not the id of a bundled rulebook?"""
    return str(name).endswith(".toml") or str(name) == STANDARD_INPUT
