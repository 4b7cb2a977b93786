"""The tables open to a newcomer: one for each document, then one for each game."""

from __future__ import annotations

import json
from typing import Any, Final

from croupier.errors import CroupierError
from croupier.ledger.journal import Journal
from croupier.rounds.declaration import Actor
from croupier.rulebooks.bundled import DOCUMENTS, GAMES, read_bundled
from croupier.rulebooks.loader import parse_toml
from croupier.rulebooks.rules import Rules, progressive_wager, rules_for
from croupier.runtime.house import House
from croupier.tables.commands import OpenTable

INVENTORY: Final = 25_000_000
OPERATOR: Final = Actor("operator", "software")

_LIMITED: Final = {"minimum": 5, "maximum": 500}
# Dealing methods that need no machine, so that nobody has to imagine one, except the automated shoe
# where a wager of the game needs it.
DEMO_TABLES: Final[dict[str, dict[str, Any]]] = {
    document: parse_toml(read_bundled(document, "demo.toml"), f"{document}/demo.toml")
    for document in DOCUMENTS
} | {game: {} for game in GAMES}


def submission_for(rulebook: str, choices: dict[str, Any] | None = None) -> str:
    """Return the choices for a demo table as JSON: limits, one progressive stake, and its rates."""
    terms = json.loads(json.dumps(DEMO_TABLES.get(rulebook, {}) if choices is None else choices))
    bare = rules_for(rulebook, "", json.dumps(terms))
    terms.setdefault("limits", dict.fromkeys(_limited(bare), _LIMITED))
    options = terms.setdefault("options", {})
    if "minimum_wager" in bare.book.options:
        options.setdefault("minimum_wager", 5)
    if bare.book.positions.per_player == "submission":
        options.setdefault("adjacent_boxes", 2)
    if progressive_wager(bare.book) in bare.offered and "progressive" not in terms:
        stakes = bare.stakes.get("progressive", (500,))
        terms["progressive"] = {
            "stakes": [str(stakes[0] // 100)],
            "meters": {name: {"rate": "0.05"} for name in bare.resets},
        }
    return json.dumps(terms)


def _limited(rules: Rules) -> list[str]:
    """Return the wagers that get limits. The progressive gets none: it accepts only the stated
    stake."""
    fixed = {*rules.stakes, progressive_wager(rules.book)}
    return [
        name
        for name, wager in rules.book.wagers.items()
        if wager.role != "decided" and name not in fixed
    ]


def open_demo_tables(journal: Journal) -> None:
    """Open the demo tables that do not exist yet; another worker may be doing the same."""
    house = House(journal)
    there = set(house.tables())
    for rulebook in DEMO_TABLES:
        if rulebook in there:
            continue
        command = OpenTable(rulebook, rulebook, submission_for(rulebook), inventory=INVENTORY)
        try:
            house.do(rulebook, command, OPERATOR)
        except CroupierError:
            if rulebook not in house.tables():
                raise
