"""What the house does at a table beside the game, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from croupier.money import dollars
from croupier.rulebooks.rules import Rules
from croupier.tables import events as did
from croupier.tables.chip_counts import told_chips, worth
from croupier.tables.state import ChipCount, Table

__all__ = ["HOUSE_SENTENCES", "told_count", "told_limits"]

Told = Iterable[str]


def _signed(event: did.CountSigned, table: Table, _: Rules) -> Told:
    assert table.count is not None
    what = "float" if event.when == "opening" else "closing count"
    total = dollars(worth(table.count.chips))
    yield f"{event.by} counts again and signs the {what} of {total}, after {table.count.by}"


def _assigned(event: did.Assign, _: Table, __: Rules) -> Told:
    what = "deals at this table" if event.role == "dealer" else "is this table's floorperson"
    yield f"{event.name} {what}" if event.name else f"nobody is assigned as {event.role} any more"


def _called(event: did.FloorCalled, _: Table, __: Rules) -> Told:
    yield f"{event.role} {event.name} calls the floor (call {event.number}): {event.reason}"


def _answered(event: did.CallAnswered, _: Table, __: Rules) -> Told:
    decided = f": {event.decided}" if event.decided else ""
    yield f"{event.by} answers call {event.number}{decided}"


def _slip_given(event: did.SlipGiven, _: Table, __: Rules) -> Told:
    yield f"the slip has number {event.slip}"


def _limits(event: did.LimitsChanged, _: Table, rules: Rules) -> Told:
    yield f"{event.by} changes the limits: {told_limits(rules)}"


def told_limits(rules: Rules) -> str:
    """`Ante $10 to $500, Trips from $5`; empty where the table states none."""
    told = []
    for name, (low, high) in rules.limits.items():
        title = rules.book.wagers[name].title
        if low is not None and high is not None:
            told.append(f"{title} {dollars(low)} to {dollars(high)}")
        elif low is not None:
            told.append(f"{title} from {dollars(low)}")
        elif high is not None:
            told.append(f"{title} up to {dollars(high)}")
    return ", ".join(told)


def told_count(count: ChipCount) -> str:
    """The first of two signatures."""
    return f"{count.by} counts {told_chips(count.chips)}; a second person signs the count"


HOUSE_SENTENCES: Final[dict[type, Callable[[Any, Table, Rules], Told]]] = {
    did.CountSigned: _signed,
    did.Assign: _assigned,
    did.FloorCalled: _called,
    did.CallAnswered: _answered,
    did.SlipGiven: _slip_given,
    did.LimitsChanged: _limits,
}
