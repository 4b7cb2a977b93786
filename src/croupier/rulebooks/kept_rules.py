"""Rulebooks by the hash of their text: what a journal keeps, so that it needs no program's files.

A table refers to its rulebook as `sha256:…`. Where that is the bundled one of today, it is taken;
any other must have been kept before, from the journal that refers to it.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

import msgspec

from croupier.errors import BadData, plain
from croupier.rulebooks.bundled import BUNDLED, read_bundled
from croupier.rulebooks.loader import RulebookFile, load_rulebook, parse_toml

__all__ = [
    "RulesText",
    "is_reference",
    "keep_rules",
    "kept_rules",
    "own_text",
    "reference_to",
    "referred",
    "todays_rules",
]

_PREFIX: Final = "sha256:"


class RulesText(msgspec.Struct, frozen=True):
    """A rulebook as it is written, and the patterns that all rulebooks share."""

    rulebook: str
    text: str
    patterns: str

    @property
    def hash(self) -> str:
        """SHA-256 over both texts, with a zero byte between them."""
        return sha256(f"{self.text}\0{self.patterns}".encode()).hexdigest()


_KEPT: Final[dict[str, RulesText]] = {}


@cache
def todays_rules(rulebook: str) -> RulesText:
    patterns = files(__package__).joinpath("patterns.toml").read_text("utf-8")
    return RulesText(rulebook, read_bundled(rulebook, "game.toml"), patterns)


def reference_to(rulebook: str) -> str:
    """To the bundled one, as it is today."""
    return _PREFIX + todays_rules(rulebook).hash


def is_reference(text: str) -> bool:
    return text.startswith(_PREFIX)


def keep_rules(rules: RulesText) -> None:
    """So that tables may refer to them. Their hash is computed here, whatever anybody says."""
    _KEPT[_PREFIX + rules.hash] = rules


def kept_rules() -> dict[str, RulesText]:
    """What was kept in this process, by the reference to it: another process has none of it."""
    return dict(_KEPT)


def own_text(rulebook: str, text: str) -> str:
    """The file of a rulebook, where the bundled one of today is not meant."""
    if not is_reference(text):
        return text
    if rulebook in BUNDLED and text == reference_to(rulebook):
        return ""
    return _kept(rulebook, text).text


def referred(rulebook: str, reference: str) -> RulebookFile:
    if rulebook in BUNDLED and reference == reference_to(rulebook):
        return load_rulebook(rulebook)
    kept = _kept(rulebook, reference)
    tree = parse_toml(kept.text, rulebook)
    shared = parse_toml(kept.patterns, "patterns.toml")
    return RulebookFile({**tree, "patterns": shared | tree.get("patterns", {})}, rulebook)


def _kept(rulebook: str, reference: str) -> RulesText:
    found = _KEPT.get(reference)
    if found is None:
        raise BadData(
            f"the rulebook {plain(rulebook)} with the hash {plain(reference, 80)} is not in this "
            "journal, and it is not the one that comes with this program"
        )
    return found
