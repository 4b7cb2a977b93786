"""File names on the command line."""

from __future__ import annotations

from typing import Final

__all__ = ["STANDARD_INPUT", "is_toml_file"]

STANDARD_INPUT: Final = "/dev/stdin"
"""The name for standard input, in commands that take a file."""


def is_toml_file(name: object) -> bool:
    """Return whether the name is the path of a TOML file or standard input, not the id of a bundled
    rulebook."""
    return str(name).endswith(".toml") or str(name) == STANDARD_INPUT
