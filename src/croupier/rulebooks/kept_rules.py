"""Rulebooks by the hash of their text, so that a journal does not depend on the program's files.

A table refers to its rulebook as `sha256:…`. If that is the current bundled rulebook, it is used;
any other must have been kept before, from the journal that refers to it.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

import msgspec

from croupier.errors import BadData, plain
from croupier.rulebooks.bundled import BUNDLED, read_bundled
from croupier.rulebooks.loader import RulebookFile, load_rulebook, parse_toml

_PREFIX: Final = "sha256:"


class RulesText(msgspec.Struct, frozen=True):
    """The text of a rulebook, and the patterns that all rulebooks share."""

    rulebook: str
    text: str
    patterns: str

    @property
    def hash(self) -> str:
        """The SHA-256 over both texts, with a zero byte between them."""
        return sha256(f"{self.text}\0{self.patterns}".encode()).hexdigest()


_KEPT: Final[dict[str, RulesText]] = {}
_DRAFTED: Final[OrderedDict[str, RulesText]] = OrderedDict()
"""Texts of tables that are about to open. Most are written a moment later; later drafts push out
the refused ones, so that refused drafts cannot fill the memory."""
MOST_DRAFTED: Final = 16


@cache
def _patterns() -> str:
    return files(__package__).joinpath("patterns.toml").read_text("utf-8")


@cache
def todays_rules(rulebook: str) -> RulesText:
    return RulesText(rulebook, read_bundled(rulebook, "game.toml"), _patterns())


def reference_to(rulebook: str) -> str:
    """Return the reference to the current text of a bundled rulebook."""
    return _PREFIX + todays_rules(rulebook).hash


def draft_rules(rulebook: str, text: str) -> str:
    """Return a reference to the file of a rulebook, so that a journal has its text once, however
    many tables use it; "" for a bundled one."""
    if is_reference(text) or (not text and rulebook not in BUNDLED):
        return text
    rules = _own(rulebook, text) if text else todays_rules(rulebook)
    reference = _PREFIX + rules.hash
    if reference not in _KEPT:
        _DRAFTED.pop(reference, None)
        _DRAFTED[reference] = rules
        if len(_DRAFTED) > MOST_DRAFTED:
            _DRAFTED.popitem(last=False)
    return reference


def is_kept(rulebook: str, text: str) -> bool:
    """Return whether a table with this text would take no more memory."""
    return not text or is_reference(text) or _PREFIX + _own(rulebook, text).hash in _KEPT


def _own(rulebook: str, text: str) -> RulesText:
    return RulesText(rulebook, text, _patterns())


def adopt_rules(reference: str) -> None:
    """Note that a journal now has the rules of this draft."""
    rules = _DRAFTED.pop(reference, None)
    if rules is not None:
        _KEPT[reference] = rules


def is_reference(text: str) -> bool:
    return text.startswith(_PREFIX)


def keep_rules(rules: RulesText) -> None:
    """Keep rules so that tables may refer to them. Their hash is computed here, not taken from the
    caller."""
    _KEPT[_PREFIX + rules.hash] = rules


def kept_rules() -> dict[str, RulesText]:
    """Return all rules kept in this process, by reference; other processes do not share them."""
    return dict(_KEPT)


def own_text(rulebook: str, text: str) -> str:
    """Return the text of a rulebook's file, unless the current bundled rulebook is meant."""
    if not is_reference(text):
        return text
    if rulebook in BUNDLED and text == reference_to(rulebook):
        return ""
    return rules_at(rulebook, text).text


def referred(rulebook: str, reference: str) -> RulebookFile:
    if rulebook in BUNDLED and reference == reference_to(rulebook):
        return load_rulebook(rulebook)
    kept = rules_at(rulebook, reference)
    tree = parse_toml(kept.text, rulebook)
    shared = parse_toml(kept.patterns, "patterns.toml")
    return RulebookFile({**tree, "patterns": shared | tree.get("patterns", {})}, rulebook)


def rules_at(rulebook: str, reference: str) -> RulesText:
    """Return the text to which a table refers."""
    if rulebook in BUNDLED and reference == reference_to(rulebook):
        return todays_rules(rulebook)
    kept = _KEPT.get(reference) or _DRAFTED.get(reference)
    if kept is None:
        raise BadData(
            f"the rulebook {plain(rulebook)} with the hash {plain(reference, 80)} is not in this "
            "journal, and it is not the one that comes with this program"
        )
    return kept
