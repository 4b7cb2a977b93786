"""Commands, events and states as JSON: cards by name, a command's money as dollars, everything
else as it is."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec

from croupier.cards import Card
from croupier.errors import BadAmount, BadCards, BadData, CroupierError, plain, shown
from croupier.money import Cents, format_cents, parse_cents

__all__ = ["from_json", "to_json"]

T = TypeVar("T")


def _written(value: Any) -> Any:
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Cents):
        return format_cents(value)
    raise NotImplementedError(type(value))


def _read(wanted: type, value: Any) -> Any:
    if wanted is Card:
        if not isinstance(value, str):
            raise BadCards(f'{shown(value)} is not a card: write it as in "As"')
        return Card.parse(value)
    if wanted is Cents:
        if not isinstance(value, str):  # inside, a number is cents: nobody shall have to guess
            raise BadAmount(f'{shown(value)}: write the amount as a string, as in "7.50"')
        return Cents(parse_cents(value))
    raise NotImplementedError(wanted)


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_written)
_DECODERS: Final[dict[Any, msgspec.json.Decoder[Any]]] = {}


def to_json(value: object) -> bytes:
    """Fields in the order of their struct, so that one value has one text. A command is made
    ready by `Command.outside`."""
    return _ENCODER.encode(value)


def from_json(text: bytes | str, form: type[T] | Any, what: str = "a record of ours") -> T:
    """The value that the text means, or `BadData` with the place where it differs."""
    decoder = _DECODERS.get(form)
    if decoder is None:
        decoder = _DECODERS[form] = msgspec.json.Decoder(form, dec_hook=_read)
    try:
        found: T = decoder.decode(text)
    except CroupierError:
        raise
    except msgspec.MsgspecError as error:
        raise BadData(f"not {what}: {plain(error, 200)}") from None
    return found
