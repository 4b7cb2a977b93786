"""The fields of a command as a form asks for them, from the command's own types."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

import msgspec

from croupier.cards import Card
from croupier.money import Cents
from croupier.rounds.declaration import Command
from croupier.tables.command_input import fields_of, is_required

__all__ = ["CommandField", "FieldKind", "command_fields"]

FieldKind: TypeAlias = Literal[
    "text",
    "number",
    "money",
    "flag",
    "choice",
    "cards",
    "chips",
    "amounts",
    "texts",
    "names",
    "seat",
]


class CommandField(msgspec.Struct, frozen=True, omit_defaults=True):
    """`amounts`: money by name; `texts`: words by name; `chips`: how many of each worth; `names`:
    several of them."""

    name: str
    kind: FieldKind
    required: bool
    words: str = ""
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    """Of a number its value, of a text its length."""


@cache
def command_fields(kind: type[Command]) -> tuple[CommandField, ...]:
    """Everything that a person says with the command, in the order of its declaration."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_field(name, hints[name], is_required(kind, name)) for name in fields_of(kind))


def _field(name: str, hint: Any, required: bool) -> CommandField:
    form, marks = _without_none(hint)
    least = next((mark.ge for mark in marks if mark.ge is not None), None)
    most = next((mark.le for mark in marks if mark.le is not None), None)
    longest = next((mark.max_length for mark in marks if mark.max_length is not None), None)
    return CommandField(
        name,
        _kind(name, form),
        required,
        next((mark.description for mark in marks if mark.description), ""),
        get_args(form) if get_origin(form) is Literal else (),
        None if least is None else int(least),
        longest if most is None else int(most),
    )


def _without_none(hint: Any) -> tuple[Any, list[msgspec.Meta]]:
    """The type of what is written, and the limits that stand beside it."""
    if get_origin(hint) is Annotated:
        form, *extra = get_args(hint)
        inner, marks = _without_none(form)
        return inner, [*(mark for mark in extra if isinstance(mark, msgspec.Meta)), *marks]
    parts = [part for part in get_args(hint) if part is not type(None)]
    if type(None) in get_args(hint) and len(parts) == 1:
        return _without_none(parts[0])
    return hint, []


_PLAIN: Final[dict[Any, FieldKind]] = {Cents: "money", int: "number", bool: "flag"}


def _kind(name: str, form: Any) -> FieldKind:
    origin, parts = get_origin(form), get_args(form)
    if origin is dict:
        if parts[0] is Cents:
            return "chips"
        return "amounts" if _without_none(parts[1])[0] is Cents else "texts"
    if origin is tuple:
        return "cards" if _without_none(parts[0])[0] is Card else "names"
    if origin is Literal:
        return "choice"
    if name == "seat" and form is int:
        return "seat"
    return _PLAIN.get(form, "text")
