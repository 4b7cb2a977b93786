"""A table in memory: a command is planned, then adopted. For practice, rehearsal and simulation;
`runtime/journal_session.py` writes to the journal in between."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Final, get_args

from croupier.cards import Card
from croupier.errors import BadRequest, Refusal, plain
from croupier.progressives import Link
from croupier.randomness.shuffling import Source, from_system, seal, shuffle
from croupier.rounds.commands import OpenBetting, RefuseProgressive, RoundCommand
from croupier.rounds.declaration import Actor
from croupier.rounds.payment import named_denial
from croupier.rounds.state import Round
from croupier.rulebooks.decks import cards_of
from croupier.tables.commands import BuyIn, CashOut, Correct, OpenTable, TableCommand
from croupier.tables.events import TableEvent
from croupier.tables.people_and_money import check_correction
from croupier.tables.planning import (
    CommandPlan,
    as_confirmed,
    check_foreseeable,
    plan,
    plan_opening,
)
from croupier.tables.state import Table, rules_of


def next_round(
    table: Table, draw: Source = from_system, order: Iterable[Card] | None = None
) -> OpenBetting:
    """Return the command that opens the next round. A virtual table gets a sealed deck, in this
    order or freshly shuffled."""
    number = table.round.number + 1
    if table.source == "live":
        return OpenBetting(number, "live")
    whole = cards_of(rules_of(table).book.deck)
    sealed = seal(shuffle(draw, whole) if order is None else order, draw, whole)
    return OpenBetting(number, "virtual", sealed.commitment, sealed.salt, sealed.order)


def with_deck(command: TableCommand, table: Table, draw: Source) -> TableCommand:
    """Return the command; if it opens the bets without a deck, the house adds one."""
    if type(command) is OpenBetting and not command.number:
        return next_round(table, draw)
    return command


def as_recorded(command: TableCommand, table: Table, draw: Source) -> TableCommand:
    """Return the command as the journal keeps it: with a deck, and with the reason that a denial
    names."""
    if type(command) is RefuseProgressive:
        return named_denial(command)
    return with_deck(command, table, draw)


_OF_ROUNDS: Final = frozenset(get_args(RoundCommand))
"""Commands that do not change the table's rules."""
COMPLETED_BY_HOUSE: Final = frozenset({OpenBetting, RefuseProgressive})
"""Commands that `as_recorded` may complete."""


class TableSession:
    """A table in memory; nothing is written. With `keep_rounds`, corrections are checked against
    the finished rounds."""

    def __init__(
        self,
        table: Table,
        link: Link | None = None,
        *,
        draw: Source = from_system,
        keep_rounds: bool = False,
    ) -> None:
        self.table = table
        self.link = link
        self.rules = rules_of(table)
        self._draw = draw
        self._rounds: dict[int, Round] | None = {} if keep_rounds else None

    @classmethod
    def opened(
        cls,
        command: OpenTable,
        actor: Actor,
        *,
        with_link: bool = True,
        draw: Source = from_system,
    ) -> TableSession:
        made = plan_opening(command, actor, with_link=with_link)
        return cls(made.table, made.link, draw=draw)

    def now(self) -> int:
        """Return 0: time does not pass in memory."""
        return 0

    def do(self, command: TableCommand, actor: Actor, at: int = 0) -> tuple[TableEvent, ...]:
        made = self.plan(command, actor, at)
        self.adopt(made)
        return made.events

    def plan(self, command: TableCommand, actor: Actor, at: int = 0) -> CommandPlan:
        """Plan a command. A refusal raises."""
        if type(command) in _OF_ROUNDS:
            if type(command) in COMPLETED_BY_HOUSE:
                command = as_recorded(command, self.table, self._draw)
            return plan(self.table, self.link, command, actor, at, self.rules)
        if isinstance(command, OpenTable):
            check_name(command, self.table.id)
            with_link = self.link is not None
            return plan_opening(command, actor, self.table, self.link, with_link=with_link)
        if isinstance(command, BuyIn | CashOut) and command.account:
            raise Refusal("accounts with the cashier are kept in a journal", code="no_journal")
        made = plan(self.table, self.link, command, actor, at, self.rules)
        if isinstance(command, Correct) and self._rounds and command.round in self._rounds:
            check_correction(self._rounds[command.round], command)
        return made

    def foresee(self, command: TableCommand, actor: Actor, at: int = 0) -> CommandPlan:
        """Plan a decision for the person who confirms it. Nothing changes."""
        check_foreseeable(command)
        return as_confirmed(self.table, self.link, self.plan(command, actor, at), at)

    def adopt(self, made: CommandPlan) -> None:
        self.table, self.link = made.table, made.link
        if type(made.command) not in _OF_ROUNDS:
            self.rules = rules_of(made.table)
        if self._rounds is not None and made.ends_round:
            self._rounds = {**self._rounds, made.table.round.number: made.table.round}

    def copy(self) -> TableSession:
        """Return an independent session on the same table, to look ahead with; a seeded source
        draws the same bytes."""
        session = copy(self)
        vars(session)["_draw"] = copy(self._draw)
        return session

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "rules"}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state)
        self.rules = rules_of(self.table)


def check_name(command: OpenTable, name: str) -> None:
    if command.table != name:
        raise BadRequest(f"this opens table {plain(command.table)}, not {plain(name)}")
