"""Rulebooks in the journal: the stream `rules` has every rulebook that a table was opened with."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import Final

from croupier.errors import BadData
from croupier.ledger.entries import Addition, Entry, NewEntry
from croupier.rounds.declaration import from_json, to_json
from croupier.rulebooks.kept_rules import RulesText, is_reference, keep_rules, rules_at
from croupier.tables.commands import OpenTable

RULES: Final = "rules"


def rules_text(entry: Entry) -> RulesText:
    rules: RulesText = from_json(entry.body, RulesText)
    return rules


def keep_journal_rules(entry: Entry) -> None:
    """Keep a rulebook of the journal so that tables can look it up. An unreadable one is left for
    `verify` to report."""
    with suppress(BadData):
        keep_rules(rules_text(entry))


def rules_key(rules: RulesText) -> str:
    """Return a key that is the same for the same rulebook under the same name."""
    return f"{rules.hash} {rules.rulebook}"


def rules_addition(there: Collection[str], last: int, command: OpenTable) -> Addition | None:
    """Return the rulebook of a table that opens as an addition, or None if the journal has it.
    `there` are the keys of the rulebooks it has, up to version `last` of their stream."""
    if not is_reference(command.rulebook_text):
        return None
    rules = rules_at(command.rulebook, command.rulebook_text)
    if rules_key(rules) in there:
        return None
    return Addition(RULES, last, (NewEntry("rulebook", to_json(rules)),))
