"""A table in memory, for practice, rehearsal and mass runs: no store behind it."""

from __future__ import annotations

from typing import Final, get_args

from croupier.progressives import Link
from croupier.rounds.commands import RoundCommand
from croupier.tables.commands import Actor, TableCommand
from croupier.tables.events import TableEvent
from croupier.tables.planning import Plan, check_foreseeable, plan
from croupier.tables.state import Table, rules_of

__all__ = ["RunningTable"]

_OF_ROUNDS: Final = frozenset(get_args(RoundCommand))
"""They leave the table's rules as they are."""


class RunningTable:
    """A table in memory, for practice, rehearsal and mass runs: no store behind it."""

    def __init__(self, table: Table, link: Link | None = None) -> None:
        self.table = table
        self.link = link
        self.rules = rules_of(table)

    def do(self, command: TableCommand, actor: Actor, at: int = 0) -> tuple[TableEvent, ...]:
        made = plan(self.table, self.link, command, actor, at, self.rules)
        self.table, self.link = made.table, made.link
        if type(command) not in _OF_ROUNDS:
            self.rules = rules_of(made.table)
        return made.events

    def foresee(self, command: TableCommand, actor: Actor) -> Plan:
        """What a decision would lead to, for whoever has to confirm it. Nothing happens."""
        check_foreseeable(command)
        return plan(self.table, self.link, command, actor)
