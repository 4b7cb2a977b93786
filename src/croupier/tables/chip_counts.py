"""Counts of chips by denomination: the opening float and the closing count, each with two
signatures, and slip numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec.structs import replace

from croupier.errors import BadAmount, Refusal, plain, shown
from croupier.money import dollars
from croupier.rounds.commands import OpenBetting
from croupier.rounds.declaration import Actor, Command
from croupier.rulebooks.rules import Rules
from croupier.tables.commands import (
    BuyIn,
    CloseTable,
    ColorUp,
    Correct,
    Credit,
    EmptyDrop,
    Fill,
    OpenTable,
    SignCount,
)
from croupier.tables.events import CountSigned, DropEmptied, SlipGiven, TableEvent
from croupier.tables.state import ChipCount, Table
from croupier.tables.two_people import same_person

Letter: TypeAlias = Literal["F", "C", "D"]

_WAIT: Final = (OpenBetting, BuyIn, ColorUp, Fill, Credit, Correct)
"""Commands that move chips of the inventory: refused until the count is countersigned."""
_LETTERS: Final[dict[type, Letter]] = {Fill: "F", Credit: "C", EmptyDrop: "D"}
_HOUSE_NUMBER: Final = re.compile(r"([FCD])-([0-9]{4,})")


def worth(chips: Mapping[int, int]) -> int:
    """Return the value of the chips, in cents."""
    return sum(value * count for value, count in chips.items())


def chips_in_words(chips: Mapping[int, int]) -> str:
    """Format chips as `20 x $25, 100 x $5`, highest denomination first."""
    return ", ".join(
        f"{chips[value]:,} x {dollars(value)}" for value in sorted(chips, reverse=True)
    )


def _counted(chips: Mapping[int, int]) -> dict[int, int]:
    """Return the counts without empty denominations, highest first; refuse a chip worth $0 or
    less."""
    for value in chips:
        if value <= 0:
            raise BadAmount(f"a chip of {dollars(value)} is no chip: its worth is more than $0")
    return {value: chips[value] for value in sorted(chips, reverse=True) if chips[value]}


def check_adds_up(chips: Mapping[int, int], cents: int, name: str) -> None:
    """Refuse chips whose total is not the stated amount. An empty count is accepted."""
    total = worth(_counted(chips))
    if chips and total != cents:
        more = "more" if total > cents else "less"
        raise Refusal(
            f"{name} is {dollars(cents)}, but these chips are worth {dollars(total)}: "
            f"{dollars(abs(total - cents))} {more}",
            code="not_equal",
        )


# -- two signatures -------------------------------------------------------------------------------


def opening_count(
    command: OpenTable, actor: Actor, before: Table | None
) -> tuple[ChipCount | None, int]:
    """Return the opening count that needs a second signature, and the chips the cage brings, in
    cents."""
    if before is not None and before.count is not None and before.count.waits:
        raise Refusal(
            f"the closing count of table {before.id} waits for its second signature",
            code="count_unsigned",
        )
    if not command.float:
        unsigned = ChipCount("opening", {}, actor.name) if command.signed else None
        return unsigned, command.inventory
    chips = _counted(command.float)
    there = before.money.get("inventory", 0) if before is not None else 0
    brought = command.inventory or worth(chips) - there
    if brought < 0:
        raise Refusal(
            f"the inventory holds {dollars(there)}, but the float is worth "
            f"{dollars(worth(chips))}: {dollars(-brought)} less",
            code="not_equal",
        )
    check_adds_up(command.float, there + brought, "the inventory")
    return ChipCount("opening", chips, actor.name), brought


def closing_count(table: Table, command: CloseTable, actor: Actor) -> ChipCount | None:
    if not command.chips:
        return None
    check_adds_up(command.chips, table.money.get("inventory", 0), "the inventory")
    return ChipCount("closing", _counted(command.chips), actor.name)


def check_count_signed(table: Table, command: Command) -> None:
    """Refuse to move chips of the inventory before a second person has signed the count."""
    count = table.count
    if count is not None and count.waits and isinstance(command, _WAIT):
        paper = "float" if count.when == "opening" else "closing count"
        again = "counted first, somebody else counts again and signs"
        if not count.chips:
            paper, again = "own rules", "opened it, somebody else reads them and signs"
        raise Refusal(
            f"the {paper} of table {table.id} waits for its second signature: {plain(count.by)} "
            f"{again}",
            code="count_unsigned",
        )


def sign_count(
    table: Table, command: SignCount, _: Rules, actor: Actor, *__: Any
) -> tuple[TableEvent, ...]:
    count = table.count
    if count is None or not count.waits:
        raise Refusal("no count of the chips waits for a signature", code="nothing_there")
    if same_person(count.by, actor.name):
        raise Refusal(
            f"{plain(count.by)} counted first: the second signature is somebody else's",
            code="not_yours",
        )
    chips = _counted(command.chips)
    if chips != count.chips:
        raise Refusal(
            f"the counts differ, so nothing is signed: {_difference(count, chips)}",
            code="counts_differ",
        )
    return (CountSigned(count.when, actor.name),)


def _difference(count: ChipCount, chips: Mapping[int, int]) -> str:
    odd = [
        f"{chips.get(value, 0):,} x {dollars(value)} against {count.chips.get(value, 0):,}"
        for value in sorted({*chips, *count.chips}, reverse=True)
        if chips.get(value, 0) != count.chips.get(value, 0)
    ]
    return (
        f"{', '.join(odd)}; {dollars(worth(chips))} against {dollars(worth(count.chips))} by "
        f"{plain(count.by)}"
    )


# -- slips ----------------------------------------------------------------------------------------


def slip_for(
    table: Table, command: Fill | Credit | EmptyDrop
) -> tuple[str, tuple[TableEvent, ...]]:
    """Return the slip's number, and the event that assigns it if the command names none."""
    if command.slip:
        if not command.slip.strip():
            raise Refusal(
                "name the slip that goes with it, or leave the number to the house", code="no_slip"
            )
        _check_new(table, command.slip)
        return command.slip, ()
    letter = _LETTERS[type(command)]
    number = table.slips.get(letter, 0) + 1
    while _written(letter, number) in table.own_slips:
        number += 1
    slip = _written(letter, number)
    return slip, (SlipGiven(letter, slip),)


def _check_new(table: Table, slip: str) -> None:
    number = _HOUSE_NUMBER.fullmatch(slip)
    was_given = number is not None and 0 < int(number[2]) <= table.slips.get(number[1], 0)
    if was_given or slip in table.own_slips:
        raise Refusal(
            f"slip {shown(slip)} was used before at table {table.id}: every slip has a number of "
            "its own",
            code="slip_used",
        )


def _written(letter: str, number: int) -> str:
    return f"{letter}-{number:04d}"


def after_slip(table: Table, event: Fill | Credit | DropEmptied | SlipGiven) -> Table:
    """Return the table with the slip number recorded, so that it is not used again."""
    if isinstance(event, SlipGiven):
        number = _HOUSE_NUMBER.fullmatch(event.slip)
        assert number is not None
        return replace(table, slips=table.slips | {event.letter: int(number[2])})
    if not table.strict or not event.slip:
        return table
    return replace(table, own_slips=(*table.own_slips, event.slip))
