"""Sentences for what the house does at a table outside the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec.structs import replace

from croupier.money import dollars
from croupier.rounds.commands import Report
from croupier.rounds.explaining import line_title
from croupier.rulebooks.rules import Rules
from croupier.tables import commands as table_commands
from croupier.tables import events as did
from croupier.tables.chip_counts import chips_in_words, worth
from croupier.tables.state import ChipCount, Table
from croupier.tables.two_people import read_command

Lines = Iterable[str]


def _signed(event: did.CountSigned, table: Table, _: Rules) -> Lines:
    assert table.count is not None
    paper = "float" if event.when == "opening" else "closing count"
    total = dollars(worth(table.count.chips))
    yield f"{event.by} counts again and signs the {paper} of {total}, after {table.count.by}"


def _assigned(event: table_commands.Assign, _: Table, __: Rules) -> Lines:
    duty = "deals at this table" if event.role == "dealer" else "is this table's floorperson"
    yield f"{event.name} {duty}" if event.name else f"nobody is assigned as {event.role} any more"


def _called(event: did.FloorCalled, _: Table, __: Rules) -> Lines:
    yield f"{event.role} {event.name} calls the floor (call {event.number}): {event.reason}"


def _answered(event: did.CallAnswered, _: Table, __: Rules) -> Lines:
    decided = f": {event.decided}" if event.decided else ""
    yield f"{event.by} answers call {event.number}{decided}"


def _slip_given(event: did.SlipGiven, _: Table, __: Rules) -> Lines:
    yield f"the slip has number {event.slip}"


def _proposed(event: did.Proposed, _: Table, rules: Rules) -> Lines:
    proposal = proposal_lines(event.command, rules)
    yield f"{event.role} {event.name} proposes (number {event.number}): {proposal}"
    yield f"it waits for a second person, {role_names(event.by)}: {event.why}"


def role_names(by: tuple[str, ...]) -> str:
    return " or ".join(f"a {role}" for role in by if role != "operator")


def proposal_lines(text: str, rules: Rules) -> str:
    """Describe a command that waits for a second person: `Fill the inventory: $2,000, slip
    F-12`."""
    command = read_command(text)
    if isinstance(command, Report):
        accident = rules.book.irregularities.get(command.kind)
        command = replace(command, kind=accident.title if accident is not None else command.kind)
    parts = []
    for name in command.__struct_fields__:
        value = getattr(command, name)
        if value and not isinstance(value, dict | bool):
            parts.append(_PART.get(name, "{}").format(_shown(name, value, rules)))
    return f"{command.declared.label}: {', '.join(parts)}" if parts else command.declared.label


def _shown(name: str, value: Any, rules: Rules) -> str:
    if name == "amount":
        return dollars(value)
    if name == "wager":
        return line_title(value, rules.book)
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


_PART: Final = {
    "slip": "slip {}",
    "round": "round {}",
    "seat": "seat {}",
    "player": "player {}",
    "reason": "because: {}",
    "count": "{} cards",
    "held": "{} cards",
}


def _confirmed(event: did.Confirmed, _: Table, __: Rules) -> Lines:
    yield f"{event.by} confirms number {event.number} as the second person"


def _declined(event: did.Declined, _: Table, __: Rules) -> Lines:
    yield f"{event.by} declines number {event.number}: {event.reason}"


def _reopened(event: table_commands.ReopenRound, _: Table, __: Rules) -> Lines:
    yield f"an auditor opens round {event.round} to corrections: {event.reason}"


def _limits(event: did.LimitsChanged, _: Table, rules: Rules) -> Lines:
    yield f"{event.by} changes the limits: {limits_in_words(rules)}"


def limits_in_words(rules: Rules) -> str:
    """Return `Ante $10 to $500, Trips from $5`; empty if the table states no limits."""
    limits = []
    for name, (low, high) in rules.limits.items():
        title = rules.book.wagers[name].title
        if low is not None and high is not None:
            limits.append(f"{title} {dollars(low)} to {dollars(high)}")
        elif low is not None:
            limits.append(f"{title} from {dollars(low)}")
        elif high is not None:
            limits.append(f"{title} up to {dollars(high)}")
    return ", ".join(limits)


def count_in_words(count: ChipCount) -> str:
    """Describe the first of two counts."""
    return f"{count.by} counts {chips_in_words(count.chips)}; a second person signs the count"


HOUSE_SENTENCES: Final[dict[type, Callable[[Any, Table, Rules], Lines]]] = {
    did.CountSigned: _signed,
    table_commands.Assign: _assigned,
    did.FloorCalled: _called,
    did.CallAnswered: _answered,
    did.SlipGiven: _slip_given,
    did.LimitsChanged: _limits,
    did.Proposed: _proposed,
    did.Confirmed: _confirmed,
    did.Declined: _declined,
    table_commands.ReopenRound: _reopened,
}
