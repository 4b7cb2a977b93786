"""Money that moved at a table on somebody's word: corrections, buy-ins, and what two people
proposed and confirmed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from croupier.ledger.journal import Journal
from croupier.ledger.newest import Newest
from croupier.ledger.past_rounds import Moment, entry_moments
from croupier.ledger.table_entries import table_stream
from croupier.tables.events import (
    BuyIn,
    Corrected,
    Credit,
    Declined,
    DropEmptied,
    Fill,
    Proposed,
    ReopenRound,
)
from croupier.tables.sentences import describe_event

__all__ = ["LimitUse", "newest_uses"]

_MOST: Final = 200
_COMMANDS: Final = frozenset(
    {
        *("correct", "buy_in", "fill", "credit", "empty_drop"),
        *("confirm", "decline", "reopen_round"),
    }
)


class LimitUse(msgspec.Struct, frozen=True):
    """Entry `entry` of the table's journal, in words."""

    table: str
    entry: int
    at: str
    by: str
    role: str
    words: str


def newest_uses(journal: Journal, table: str) -> Newest[LimitUse]:
    return Newest(lambda after, up_to: _read(journal, table, after, up_to), _MOST)


def _read(journal: Journal, table: str, after: int, up_to: int) -> Iterator[LimitUse]:
    stream = table_stream(table)
    for entry in journal.read(stream, after, up_to):
        if entry.kind not in _COMMANDS:
            continue
        moments = entry_moments(journal, stream, entry.version)
        if not moments or not moments[0].after.strict or not any(map(_moves_money, moments)):
            continue
        first = moments[0]
        words = [line for moment in moments for line in describe_event(moment.event, moment.after)]
        by = first.actor
        yield LimitUse(table, entry.version, entry.at, by.name, by.role, "; ".join(words))


def _moves_money(moment: Moment) -> bool:
    """By hand, or because somebody wanted it to. From an account players buy in for themselves."""
    if isinstance(moment.event, BuyIn):
        return not moment.event.account
    return isinstance(
        moment.event, Corrected | Credit | Declined | DropEmptied | Fill | Proposed | ReopenRound
    )
