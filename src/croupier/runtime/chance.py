"""The decks of virtual tables: drawn, shuffled and sealed here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.cards import Card
from croupier.randomness.shuffling import Source, from_system, seal, shuffle
from croupier.rounds.commands import OpenBetting, RefuseProgressive
from croupier.rounds.denials import named_denial
from croupier.rulebooks.decks import cards_of
from croupier.tables.commands import TableCommand
from croupier.tables.state import Table, rules_of

__all__ = ["as_recorded", "next_round", "with_deck"]


def next_round(
    table: Table, draw: Source = from_system, order: Iterable[Card] | None = None
) -> OpenBetting:
    """The command that opens the next round. A virtual table gets a sealed deck, in this order or
    freshly shuffled."""
    number = table.round.number + 1
    if table.source == "live":
        return OpenBetting(number, "live")
    whole = cards_of(rules_of(table).book.deck)
    sealed = seal(shuffle(draw, whole) if order is None else order, draw, whole)
    return OpenBetting(number, "virtual", sealed.commitment, sealed.salt, sealed.order)


def with_deck(command: TableCommand, table: Table, draw: Source) -> TableCommand:
    """The command as given; if it opens the bets without a deck, the house adds one."""
    if type(command) is OpenBetting and not command.number:
        return next_round(table, draw)
    return command


def as_recorded(command: TableCommand, table: Table, draw: Source) -> TableCommand:
    """The command as the journal keeps it: with a deck, and with the reason that a denial names."""
    if type(command) is RefuseProgressive:
        return named_denial(command)
    return with_deck(command, table, draw)
