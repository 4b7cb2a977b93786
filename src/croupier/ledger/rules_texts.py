"""Rules travel with the record: the stream `rules` has every rulebook that a table was opened
with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from croupier.errors import BadData
from croupier.ledger.entries import Addition, Entry, NewEntry
from croupier.rounds.records import from_json, to_json
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.kept_rules import RulesText, is_reference, keep_rules, todays_rules
from croupier.tables.commands import OpenTable

__all__ = ["RULES", "keep_journal_rules", "rules_addition", "rules_text"]

RULES: Final = "rules"


def rules_text(entry: Entry) -> RulesText:
    found: RulesText = from_json(entry.body, RulesText)
    return found


def keep_journal_rules(found: Iterable[Entry]) -> None:
    """What the tables of a journal refer to can be looked up from now on. What cannot be read is
    for `verify` to tell."""
    for entry in found:
        try:
            keep_rules(rules_text(entry))
        except BadData:
            continue


def rules_addition(found: Iterable[Entry], command: OpenTable) -> Addition | None:
    """The rulebook of a table that opens, unless it is among those found in the journal."""
    if not is_reference(command.rulebook_text) or command.rulebook not in BUNDLED:
        return None
    rules, last = todays_rules(command.rulebook), 0
    for entry in found:
        last = entry.version
        if rules_text(entry) == rules:
            return None
    return Addition(RULES, last, (NewEntry("rulebook", to_json(rules)),))
