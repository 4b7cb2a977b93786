"""The rules that a command line asks for: a rulebook, with every choice of its options made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from croupier.errors import BadRequest
from croupier.rulebooks.changed_pays import read_changes, with_changes
from croupier.rulebooks.loader import RulebookFile, open_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission

__all__ = ["choices", "pairs", "pays_note", "rules_asked"]

_EXAMPLES: Final = {
    "--knows": "dealer=1",
    "--stake": "trips=5",
    "--meter": "main=12500",
    "--contribution": "main=0.1",
    "--reading": "bad_beat_loser=player_only",
}


def rules_asked(
    rulebook: str,
    paytables: Iterable[str] = (),
    readings: Iterable[str] = (),
    pays: Sequence[str] = (),
    *,
    takes_first: bool = True,
) -> Rules:
    """A rulebook with `WAGER=ID`, `NAME=CHOICE` and `WAGER.HAND=ODDS` as on the command line."""
    file: RulebookFile = open_rulebook(rulebook)
    rules = put_in_force(file, choices(paytables, readings), takes_first=takes_first)
    return with_changes(rules, read_changes(rules, pays))


def choices(paytables: Iterable[str], readings: Iterable[str]) -> Submission:
    return Submission(
        paytables=pairs(paytables, "--paytable"), readings=pairs(readings, "--reading")
    )


def pairs(texts: Iterable[str], flag: str) -> dict[str, str]:
    """`WAGER=ID`, as often as wanted."""
    example = _EXAMPLES.get(flag, "trips=B")
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise BadRequest(f"{flag} {text!r}: write NAME=VALUE, as in {flag} {example}")
        if found.setdefault(name, value) != value:
            raise BadRequest(f"{flag} {name} is given twice: {found[name]} and {value}")
    return found


def pays_note(rules: Rules) -> str:
    """What was changed by `--pays`, for people; empty where nothing was."""
    changed = ", ".join(f"{name} pays {pays}" for name, pays in rules.pays.items())
    return f"Pays changed, not as the rulebook prints them: {changed}." if changed else ""
