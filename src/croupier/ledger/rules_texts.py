"""Rules travel with the record: the stream `rules` has every rulebook that a table was opened
with."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from croupier.errors import BadData
from croupier.ledger.entries import Addition, Entry, NewEntry
from croupier.rounds.records import from_json, to_json
from croupier.rulebooks.kept_rules import RulesText, is_reference, keep_rules, rules_at
from croupier.tables.commands import OpenTable

__all__ = ["RULES", "keep_journal_rules", "rules_addition", "rules_text"]

RULES: Final = "rules"


def rules_text(entry: Entry) -> RulesText:
    found: RulesText = from_json(entry.body, RulesText)
    return found


def keep_journal_rules(entry: Entry) -> None:
    """Let tables look up what they refer to. What cannot be read is for `verify` to report."""
    with suppress(BadData):
        keep_rules(rules_text(entry))


def rules_addition(found: Iterable[Entry], command: OpenTable) -> Addition | None:
    """The rulebook of a table that opens, unless it is among those found in the journal."""
    if not is_reference(command.rulebook_text):
        return None
    rules, last = rules_at(command.rulebook, command.rulebook_text), 0
    for entry in found:
        last = entry.version
        if rules_text(entry) == rules:
            return None
    return Addition(RULES, last, (NewEntry("rulebook", to_json(rules)),))
