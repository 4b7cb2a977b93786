"""Forms of verbs in a pit's log: patterns whose groups are the fields of a command.

The valid values of a field come from the command's own declaration.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

from croupier.errors import shown
from croupier.money import Cents
from croupier.rounds.declaration import Command
from croupier.scenarios.roster import Roster
from croupier.scenarios.scenario import LineError, MakeCommand, NamedPerson
from croupier.scenarios.text_parts import amount, cards_of, items, look_up, whole_number
from croupier.tables.command_input import is_required
from croupier.tables.state import Table

CommandMakers: TypeAlias = tuple[MakeCommand, ...]
VerbReader: TypeAlias = Callable[[Roster, NamedPerson, str], CommandMakers]
ValueAt: TypeAlias = Callable[[Table], Any]
"""A value that may depend on the table's state, such as a player's seat."""


class VerbForm(NamedTuple):
    kind: type[Command]
    pattern: re.Pattern[str]
    stated: dict[str, Any]
    """Fields whose values follow from the words themselves."""


def form(command_type: type[Command], pattern: str = "", **stated: Any) -> VerbForm:
    return VerbForm(command_type, re.compile(pattern, re.IGNORECASE), stated)


def read_forms(*forms: VerbForm, ask: str = "") -> VerbReader:
    """Return the reader of a verb with these forms; `ask` is the message if none of them fits."""

    def read(roster: Roster, who: NamedPerson, rest: str) -> CommandMakers:
        for form in forms:
            match = form.pattern.fullmatch(rest)
            if match is not None:
                return (_maker(form, roster, who, match.groupdict()),)
        raise LineError(ask or f"{shown(rest)} says too much")

    return read


def _maker(
    part: VerbForm, roster: Roster, who: NamedPerson, said: dict[str, str | None]
) -> MakeCommand:
    command_type, hints = part.kind, get_type_hints(part.kind)
    values: dict[str, ValueAt] = {
        name: _value(roster, name, hints[name], text)
        for name, text in said.items()
        if text is not None
    }
    if is_required(command_type, "player"):
        values.setdefault("player", who.player)
    if is_required(command_type, "seat"):
        values.setdefault("seat", who.position)

    def make(table: Table) -> Any:
        return command_type(**part.stated, **{name: value(table) for name, value in values.items()})

    return make


def _value(roster: Roster, name: str, hint: Any, text: str) -> ValueAt:
    """Return the value of a field. Seats and players depend on the table; all other values are
    known when the line is read."""
    if name == "player":
        return roster.player(text).player
    if name == "seat":
        return roster.player(text).position
    match = _known_value(roster, name, hint, text.strip())
    return lambda _: match


def _known_value(roster: Roster, name: str, hint: Any, text: str) -> Any:
    value_kind = get_args(hint)[0] if type(None) in get_args(hint) else hint
    if name == "wagers":
        return tuple(roster.wager(item) for item in items(text))
    if name == "method":
        ways = {way: way for way in roster.book.dealing}
        return look_up("way of dealing here", text, ways)
    if value_kind is Cents:
        return amount(text)
    if value_kind is int:
        return whole_number(text, f"a number ({name.replace('_', ' ')})")
    if value_kind is bool:
        return True
    if get_origin(value_kind) is Literal:
        return look_up(name, text, {choice: choice for choice in get_args(value_kind)})
    return cards_of(text) if get_origin(value_kind) is tuple else text
