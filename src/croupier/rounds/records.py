"""Commands, events and states as JSON: cards by name, a command's money as dollars, everything
else as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, get_args, get_type_hints

import msgspec
from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import BadData, CroupierError, plain
from croupier.money import Cents, format_cents, parse_cents
from croupier.rounds.declaration import Command

__all__ = ["from_json", "outside", "to_json"]

T = TypeVar("T")
C = TypeVar("C", bound=Command)


def _written(value: Any) -> Any:
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Cents):
        return format_cents(value)
    raise NotImplementedError(type(value))


def _read(wanted: type, value: Any) -> Any:
    if wanted is Card and isinstance(value, str):
        return Card.parse(value)
    if wanted is Cents:
        return Cents(parse_cents(value))
    raise NotImplementedError(wanted)


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_written)
_DECODERS: Final[dict[Any, msgspec.json.Decoder[Any]]] = {}


def to_json(value: object) -> bytes:
    """Fields in the order of their struct, so that one value has one text. Commands on their way
    out go through `outside` first."""
    return _ENCODER.encode(value)


def from_json(text: bytes | str, form: type[T] | Any) -> T:
    decoder = _DECODERS.get(form)
    if decoder is None:
        decoder = _DECODERS[form] = msgspec.json.Decoder(form, dec_hook=_read)
    try:
        found: T = decoder.decode(text)
    except CroupierError:
        raise
    except msgspec.MsgspecError as error:
        raise BadData(f"not a record of ours: {plain(error, 200)}") from None
    return found


# -- money ----------------------------------------------------------------------------------------


def outside(command: C) -> C:
    """The command with its amounts marked as money, so that `to_json` writes them as dollars."""
    kind = type(command)
    fields = _MONEY.get(kind)
    if fields is None:
        fields = _MONEY[kind] = _money_fields(kind)
    if not fields:
        return command
    return replace(command, **{name: mark(getattr(command, name)) for name, mark in fields})


_MONEY: Final[dict[type, tuple[tuple[str, Callable[[Any], Any]], ...]]] = {}


def _money_fields(kind: type[Command]) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    hints = get_type_hints(kind)
    found = []
    for name in kind.__struct_fields__:
        hint = hints[name]
        if hint is Cents or Cents in get_args(hint):
            found.append((name, _marked_keys if _keys_are_money(hint) else _marked))
    return tuple(found)


def _keys_are_money(hint: Any) -> bool:
    return (
        bool(get_args(hint))
        and get_args(hint)[0] is Cents
        and len(get_args(hint)) == 2
        and (get_args(hint)[1] is int)
    )


def _marked(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: Cents(cents) for name, cents in value.items()}
    return None if value is None else Cents(value)


def _marked_keys(chips: dict[int, int]) -> Any:
    return {Cents(worth): count for worth, count in chips.items()}
