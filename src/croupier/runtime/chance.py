"""Where the cards of virtual tables come from: drawn, shuffled and sealed here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.cards import Card
from croupier.randomness.shuffling import Source, from_system, matches_seal, seal, shuffle
from croupier.rounds.commands import OpenBetting
from croupier.tables.commands import TableCommand
from croupier.tables.state import Table

__all__ = ["is_opened_by", "next_round", "with_deck"]


def next_round(
    table: Table, draw: Source = from_system, order: Iterable[Card] | None = None
) -> OpenBetting:
    """The opening of the next round: with a sealed deck where the cards are virtual, in this order
    or else freshly shuffled."""
    number = table.round.number + 1
    if table.source == "live":
        return OpenBetting(number, "live")
    sealed = seal(shuffle(draw) if order is None else order, draw)
    return OpenBetting(number, "virtual", sealed.commitment, sealed.salt, sealed.order)


def with_deck(command: TableCommand, table: Table, draw: Source) -> TableCommand:
    """The command with what the house adds to it: whoever opens the bets brings no deck."""
    if isinstance(command, OpenBetting) and not command.number:
        return next_round(table, draw)
    return command


def is_opened_by(opened: OpenBetting) -> bool:
    """Is the deck the one that was sealed? Live cards have no seal."""
    return not opened.commitment or matches_seal(opened.commitment, opened.salt, opened.deck)
