"""Commands from outside: JSON from the API, `key=value` from the command line and from rehearsals.
Everything is derived from the commands' declarations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

from croupier.cards import Card, parse_cards
from croupier.errors import BadData, BadRequest, plain, shown, suggest
from croupier.money import Cents
from croupier.rounds.declaration import Actor, Command
from croupier.rounds.records import from_json
from croupier.tables.commands import COMMANDS, TableCommand

__all__ = ["command_from_data", "command_from_json", "command_from_words", "fields_of"]

_JSON: Final = msgspec.json.Decoder()
_encode: Final = msgspec.json.Encoder().encode


def command_from_json(text: bytes, actor: Actor) -> TableCommand:
    """Read a command from a JSON object. Where no player is named, it is the one who gives it."""
    try:
        found = _JSON.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadData(f"this is not JSON: {plain(error, 200)}") from None
    if not isinstance(found, dict):
        raise BadData('a command is an object, as in {"type": "deal"}')
    return command_from_data(found, actor)


def command_from_data(found: Mapping[str, Any], actor: Actor) -> TableCommand:
    """Make a command from decoded JSON."""
    tag = found.get("type")
    if not isinstance(tag, str):
        raise BadData('a command has a type, as in {"type": "deal"}')
    kind = COMMANDS.get(tag)
    if kind is None:
        raise suggest("command", tag, COMMANDS)
    for name in kind.declared.filled & found.keys():
        raise BadData(f"{name} is filled in by the house: leave it out of {tag}")
    fields = dict(found)
    if (
        "player" in kind.__struct_fields__
        and "player" not in fields
        and _is_required(kind, "player")
    ):
        fields["player"] = actor.name
    command: TableCommand = from_json(_encode(fields), kind)
    return command


def _is_required(kind: type[Command], name: str) -> bool:
    """The field has no default."""
    fields = kind.__struct_fields__
    return fields.index(name) < len(fields) - len(kind.__struct_defaults__)


def fields_of(kind: type[Command]) -> dict[str, Any]:
    """The fields that a person fills in, each with its type."""
    hints = get_type_hints(kind)
    return {
        name: hints[name] for name in kind.__struct_fields__ if name not in kind.declared.filled
    }


# -- words ----------------------------------------------------------------------------------------


def command_from_words(tag: str, words: Iterable[str], actor: Actor) -> TableCommand:
    """Make a command from words such as `seat=1 wagers.ante=10 wagers.blind=10`."""
    kind = COMMANDS.get(tag)
    if kind is None:
        raise suggest("command", tag, COMMANDS)
    known = fields_of(kind)
    fields: dict[str, Any] = {}
    for word in words:
        key, sign, value = word.partition("=")
        name, dot, part = key.partition(".")
        if not sign:
            raise BadRequest(f"{shown(word)}: write name=value, as in {_like(kind)}")
        if name not in known:
            raise suggest(f"field of {tag}", name, known)
        if dot:
            fields.setdefault(name, {})[part] = _value(known[name], value, inside=True)
        elif name in fields:
            raise BadRequest(f"{name} is there twice")
        else:
            fields[name] = _value(known[name], value)
    return command_from_data({"type": tag, **fields}, actor)


def _like(kind: type[Command]) -> str:
    """An example to show in a message."""
    names = [
        f"{name}.ante=10" if get_origin(hint) is dict else f"{name}=…"
        for name, hint in fields_of(kind).items()
    ]
    return " ".join(names) or "nothing: this command takes no field"


def _value(hint: Any, text: str, *, inside: bool = False) -> Any:
    """A word as JSON data of the field's type."""
    forms = list(get_args(hint)) if _is_union(hint) else [hint]
    if inside:
        forms = [get_args(form)[-1] for form in forms if get_origin(form) is dict]
        if not forms:
            raise BadRequest(f"{shown(text)}: this field has no parts")
    form = forms[0] if forms else str
    if get_origin(form) is dict:
        return _pairs(form, text)
    if get_origin(form) is tuple:
        if get_args(form)[0] is Card:
            return [str(card) for card in parse_cards(text)]
        return [part for part in re.split(r"[,\s]+", text) if part]
    if form is bool:
        return _yes_or_no(text)
    if form is int and re.fullmatch(r"-?[0-9]{1,18}", text):
        return int(text)
    return text.replace(",", "").removeprefix("$") if form is Cents else text


def _is_union(hint: Any) -> bool:
    return type(None) in get_args(hint)


def _pairs(form: Any, text: str) -> dict[str, Any]:
    """`ante:10,blind:10`, or `5:20` for twenty chips of five dollars."""
    found = {}
    for item in filter(None, re.split(r"[,\s]+", text)):
        key, sign, value = item.partition(":")
        if not sign:
            raise BadRequest(f"{shown(item)}: write name:value, separated by commas")
        found[key] = _value(get_args(form)[1], value)
    return found


def _yes_or_no(text: str) -> bool:
    answers = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    if text.lower() not in answers:
        raise BadRequest(f"{shown(text)}: write yes or no")
    return answers[text.lower()]
