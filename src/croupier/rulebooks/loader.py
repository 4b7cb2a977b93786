"""Reading rulebook files: the five bundled documents, and any file a person writes.

A malformed file is refused with the path of the error and the form that was expected. Everything
that names something else (a hand, a paytable, a meter) is checked to lead somewhere.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from croupier.errors import BadData, suggest
from croupier.rulebooks.clauses import DOCUMENTS
from croupier.rulebooks.readings import apply_readings, chosen_readings
from croupier.rulebooks.references import problems_of
from croupier.rulebooks.schema import Rulebook

__all__ = ["RulebookFile", "load_rulebook", "open_rulebook", "parse_toml"]


class RulebookFile:
    """A rulebook as written, from which the rulebook under any choice of readings is made."""

    def __init__(self, tree: dict[str, Any], source: str) -> None:
        tree = {**tree, "patterns": _common_patterns() | tree.get("patterns", {})}
        self._tree = tree
        self._source = source
        self.default = self._convert(tree)
        self._read: dict[tuple[tuple[str, str], ...], Rulebook] = {}

    def under(self, readings: Mapping[str, str]) -> Rulebook:
        """The rulebook with these readings chosen, the first choice for those not named."""
        choices = chosen_readings(self.default.readings, readings)
        key = tuple(choices.items())
        if key not in self._read:
            self._read[key] = self._convert(
                apply_readings(self._tree, self.default.readings, choices)
            )
        return self._read[key]

    def _convert(self, tree: dict[str, Any]) -> Rulebook:
        try:
            rulebook = msgspec.convert(tree, Rulebook)
        except msgspec.ValidationError as error:
            raise BadData(f"{self._source}: {told_with_path(error)}") from None
        problems = list(problems_of(rulebook))
        if problems:
            raise BadData(f"{self._source}: " + "\n  ".join(problems))
        return rulebook


def told_with_path(error: msgspec.ValidationError) -> str:
    """msgspec's message with the path in front and in TOML's own form."""
    message, _, path = str(error).partition(" - at `$")
    path = path.rstrip("`").lstrip(".")
    return f"at {path}: {message}" if path else message


def parse_toml(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadData(f"{source} is not TOML: {error}") from None


@cache
def _common_patterns() -> dict[str, Any]:
    text = files(__package__).joinpath("patterns.toml").read_text("utf-8")
    return parse_toml(text, "patterns.toml")


@cache
def load_rulebook(name: str) -> RulebookFile:
    """One of the five bundled rulebooks by id."""
    if name not in DOCUMENTS:
        raise suggest("rulebook", name, DOCUMENTS)
    text = files(__package__).joinpath("documents", f"{name}.toml").read_text("utf-8")
    return RulebookFile(parse_toml(text, f"{name}.toml"), f"{name}.toml")


def open_rulebook(name: str) -> RulebookFile:
    """A bundled rulebook by id, or any rulebook by the path of its `.toml` file."""
    if not name.endswith(".toml"):
        return load_rulebook(name)
    try:
        text = Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadData(f"{name} cannot be read: {_reason(error)}") from None
    return RulebookFile(parse_toml(text, name), name)


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return error.strerror or "?" if isinstance(error, OSError) else "it is not UTF-8 text"
