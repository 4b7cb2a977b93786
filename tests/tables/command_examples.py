"""An example of every command, made from the types of its fields."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Meta

from croupier.cards import Card
from croupier.money import Cents
from croupier.rounds.declaration import Command, tag_of
from croupier.tables.command_input import fields_of, is_required

__all__ = ["NAME", "json_example", "word_example"]

NAME = "text"
"""What every field of text says: the table and whoever acts are called the same."""


def json_example(kind: type[Command], *, whole: bool) -> dict[str, Any]:
    """As the API takes it: with all fields, or with those that must be there."""
    hints = get_type_hints(kind, include_extras=True)
    fields = [name for name in fields_of(kind) if whole or is_required(kind, name)]
    return {"type": tag_of(kind), **{name: _value(hints[name]) for name in fields}}


def word_example(kind: type[Command], *, whole: bool) -> list[str]:
    """The same as `name=value`, for the command line and for rehearsals."""
    words = []
    for name, value in json_example(kind, whole=whole).items():
        if isinstance(value, dict):
            words += [f"{name}.{key}={part}" for key, part in value.items()]
        elif name != "type":
            words.append(f"{name}={_word(value)}")
    return words


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _value(hint: Any, *metas: Meta) -> Any:
    if get_origin(hint) is Annotated:
        base, *more = get_args(hint)
        return _value(base, *metas, *[meta for meta in more if isinstance(meta, Meta)])
    parts = get_args(hint)
    if type(None) in parts:
        return _value(parts[0], *metas)
    origin = get_origin(hint)
    if origin is Literal:
        return parts[0]
    if origin is tuple:
        return [_value(parts[0])]
    if origin is dict:
        return {_value(parts[0]): _value(parts[1])}
    return _plain(hint, metas)


def _plain(hint: Any, metas: tuple[Meta, ...]) -> Any:
    if any(meta.pattern == "^[0-9a-f]{64}$" for meta in metas):
        return "5a" * 32
    if hint is str:
        assert all(len(NAME) <= (meta.max_length or 99) for meta in metas)
        return NAME
    if hint is bool:
        return True
    if hint is int:
        return max([1, *(int(meta.ge) for meta in metas if meta.ge is not None)])
    if hint is Card:
        return "As"
    assert hint is Cents, f"no example is known for {hint}: add one here"
    return "5.00"
