"""`croupier serve --submission FILE` and `--rules FILE`: one table, open when the server starts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import msgspec

from croupier.commands.stderr import print_refusal
from croupier.commands.table import FIRST_INVENTORY, Terms, refuse_submission, terms_of
from croupier.errors import Refusal, RuleBroken, plain
from croupier.files import is_toml_file
from croupier.ledger.journal import Journal
from croupier.rounds.declaration import Actor
from croupier.rulebooks.kept_rules import own_text
from croupier.rulebooks.rules import submission_of
from croupier.runtime.house import House
from croupier.tables.commands import OpenTable
from croupier.tables.state import Table

__all__ = ["open_served_table"]

OPERATOR: Final = Actor("operator", "command line")


def open_served_table(store: Journal, named: str) -> bool:
    """Open it, unless it is open on these terms already. What is wrong is printed."""
    terms = terms_of(named)
    errors = [finding for finding in terms.findings if finding.severity == "error"]
    if errors:
        refuse_submission(terms.findings, errors, as_json=False)
        return False
    house = House(store)
    name = _name(named, terms)
    before = house.table(name) if name in house.tables() else None
    try:
        if before is not None and before.is_open:
            _check_same(before, terms)
            return True
        inventory = FIRST_INVENTORY if before is None else 0
        command = OpenTable(
            name,
            terms.rulebook,
            terms.submission,
            terms.rulebook_text,
            inventory=inventory,
            strict=True,
        )
        house.do(name, command, OPERATOR)
    except (Refusal, RuleBroken) as refusal:
        print_refusal(refusal, as_json=False)
        return False
    return True


def _name(named: str, terms: Terms) -> str:
    """The table's name in the submission, else the file's or the rulebook's."""
    stated = submission_of(terms.submission).table
    text = stated or (Path(named).stem if is_toml_file(named) else terms.rulebook)
    return re.sub(r"[\s:]+", "-", text.strip())[:60] or terms.rulebook


def _check_same(table: Table, terms: Terms) -> None:
    text = own_text(table.rulebook, table.rulebook_text)
    had = (table.rulebook, text, _plain(table.submission))
    if had != (terms.rulebook, terms.rulebook_text, _plain(terms.submission)):
        raise Refusal(
            f"table {plain(table.id)} is open on other terms: close it first "
            f"(croupier table close {plain(table.id)} --as operator:NAME)",
            code="already_done",
        )


def _plain(submission: str) -> bytes:
    """Limits may have changed since the table was opened."""
    terms = submission_of(submission)
    options = {name: one for name, one in terms.options.items() if name != "minimum_wager"}
    return msgspec.json.encode(msgspec.structs.replace(terms, limits={}, options=options))
