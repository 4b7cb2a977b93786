"""Commands from outside: JSON from the API, `key=value` words from the command line and from
rehearsals. Parsing is derived from the commands' declarations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

import msgspec

from croupier.cards import Card, cards_in
from croupier.cashier import CASHIER_COMMANDS, CashierCommand
from croupier.errors import BadAmount, BadData, BadRequest, UnknownName, plain, shown, suggest
from croupier.money import Cents, dollars, parse_cents
from croupier.progressives import LINK_COMMANDS, LinkCommand
from croupier.rounds.declaration import ROLES, Actor, Command, from_json, to_json
from croupier.rulebooks.decoding import each_key_once
from croupier.tables.commands import COMMANDS, TableCommand

Kinds: TypeAlias = Mapping[str, type[Command]]

MOST_AT_ONCE: Final = 100_000_000_000
"""In cents: one billion dollars."""

_KINDS: Final = frozenset(COMMANDS.values())
_JSON: Final = msgspec.json.Decoder()
_encode: Final = msgspec.json.Encoder().encode
_THOUSANDS: Final = re.compile(r"(-?)\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(\.[0-9]{1,2})?")


def command_from_json(text: bytes, actor: Actor) -> TableCommand:
    """Read a table command from JSON. A player who gives the command need not be named in it."""
    command: TableCommand = _from_json(text, actor, COMMANDS)
    return command


def link_command_from_json(text: bytes, actor: Actor) -> LinkCommand:
    """Read a command to a progressive link from JSON."""
    command: LinkCommand = _from_json(text, actor, LINK_COMMANDS)
    return command


def cashier_command_from_json(text: bytes, actor: Actor) -> CashierCommand:
    """Read a cashier's command about an account from JSON."""
    command: CashierCommand = _from_json(text, actor, CASHIER_COMMANDS)
    return command


def _from_json(text: bytes, actor: Actor, kinds: Kinds) -> Any:
    try:
        fields = _JSON.decode(text)
        each_key_once(text)
        if not isinstance(fields, dict):
            raise BadData('a command is an object, as in {"type": "deal"}')
        return _from_data(fields, actor, kinds)
    except RecursionError:
        raise BadData("this is nested too deeply for a command") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadData(f"this is not JSON: {plain(error, 200)}") from None
    except UnknownName as error:
        raise BadData(error.message) from None


def command_from_data(fields: Mapping[str, Any], actor: Actor) -> TableCommand:
    """Read a table command from a dictionary of plain data."""
    command: TableCommand = _from_data(fields, actor, COMMANDS)
    return command


def _from_data(fields: Mapping[str, Any], actor: Actor, kinds: Kinds) -> Any:
    tag = fields.get("type")
    if not isinstance(tag, str):
        raise BadData('a command has a type, as in {"type": "deal"}')
    command_form = kinds.get(tag)
    if command_form is None:
        raise suggest("command", tag, kinds)
    for name in sorted(command_form.declared.filled & fields.keys()):
        raise BadData(f"{name} is for the house to say, not for the person who gives {tag}")
    filled = dict(fields)
    if actor.role == "player" and "player" not in filled and is_required(command_form, "player"):
        filled["player"] = actor.name
    command: Command = from_json(_encode(filled), command_form, f"a {tag} command")
    for name, form in _forms(command_form).items():
        _check_most(name, form, getattr(command, name))
    return command


def _check_most(name: str, form: Any, value: Any) -> None:
    """Refuse amounts so large that their sums could exceed 64 bits. Counts of chips need no check
    here: they are compared with an amount, or with the inventory."""
    if form is Cents and value is not None:
        amounts = [value]
    else:
        amounts = list(value.values()) if get_args(form)[1:] == (Cents,) else []
    if any(abs(cents) >= MOST_AT_ONCE for cents in amounts):
        raise BadAmount(f"{name}: a command moves less than {dollars(MOST_AT_ONCE)}")


def is_required(form: type[Command], name: str) -> bool:
    """Return whether the command has the field without a default."""
    fields = form.__struct_fields__
    return name in fields[: len(fields) - len(form.__struct_defaults__)]


def fields_of(form: type[Command]) -> dict[str, Any]:
    """Return the fields that a person may fill in, with their types; the software fills in the
    rest."""
    hints = get_type_hints(form)
    return {
        name: hints[name] for name in form.__struct_fields__ if name not in form.declared.filled
    }


# -- made in Python -------------------------------------------------------------------------------


def checked_command(command: TableCommand) -> TableCommand:
    """Return the command as the journal will read it again. Python does not check the types and
    lengths that a command declares, so anything that the journal could not read is refused here."""
    command_form = type(command)
    if command_form not in _KINDS:
        raise BadRequest(f"{shown(command)} is not a command of a table")
    title = f"a {command_form.__struct_config__.tag} command"
    for name, form in _forms(command_form).items():
        _check_money(name, form, getattr(command, name))
    try:
        text = to_json(command.outside())
    except (msgspec.MsgspecError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadData(f"not {title}: {plain(error, 200)}") from None
    checked: TableCommand = from_json(text, command_form, title)
    return checked


@cache
def _forms(form: type[Command]) -> dict[str, Any]:
    hints = get_type_hints(form)
    return {name: _form(hints[name]) for name in form.__struct_fields__}


def _check_money(name: str, form: Any, value: Any) -> None:
    """Refuse money that is not a whole number of cents: a float, a text or a bool."""
    if form is Cents and value is not None and type(value) is not int:
        raise BadAmount(f"{name}: {shown(value)} is not a number of cents")
    if get_origin(form) is dict and isinstance(value, Mapping):
        for pair in value.items():
            for part, inside in zip(get_args(form), pair, strict=True):
                _check_money(name, part, inside)


def checked_actor(actor: Actor) -> Actor:
    """Return the actor, or refuse an unknown role or an unusable name."""
    said: Any = actor
    if not isinstance(said, Actor):
        raise BadRequest(f"{shown(said)} is nobody who acts: write Actor(role, name)")
    role: Any = said.role
    if role not in ROLES:
        raise suggest("role", str(role), ROLES)
    checked_name(said.name)
    return actor


def checked_name(name: Any) -> str:
    """Return the name, or refuse one that cannot be printed or stored."""
    if not isinstance(name, str) or not 0 < len(name) <= 60 or not name.isprintable():
        raise BadRequest(f"{shown(name)} cannot name a person: write 1 to 60 printable characters")
    if ":" in name or name != name.strip():
        raise BadRequest(
            f"{shown(name)} cannot name a person: write it without a colon and without blanks "
            "around it"
        )
    return name


# -- words ----------------------------------------------------------------------------------------


def command_from_words(tag: str, words: Iterable[str], actor: Actor) -> TableCommand:
    """Read a table command from words such as `seat=1 wagers.ante=10 wagers.blind=10`."""
    command: TableCommand = _from_words(tag, words, actor, COMMANDS)
    return command


def link_command_from_words(tag: str, words: Iterable[str], actor: Actor) -> LinkCommand:
    """Read a command to a progressive link from `key=value` words."""
    command: LinkCommand = _from_words(tag, words, actor, LINK_COMMANDS)
    return command


def cashier_command_from_words(tag: str, words: Iterable[str], actor: Actor) -> CashierCommand:
    """Read a cashier's command about an account from `key=value` words."""
    command: CashierCommand = _from_words(tag, words, actor, CASHIER_COMMANDS)
    return command


def _from_words(tag: str, words: Iterable[str], actor: Actor, kinds: Kinds) -> Any:
    form = kinds.get(tag)
    if form is None:
        raise suggest("command", tag, kinds)
    known = fields_of(form)
    values: dict[str, Any] = {}
    for word in words:
        key, sign, value = word.partition("=")
        name, dot, part = key.partition(".")
        if not sign:
            raise BadRequest(f"{shown(word)}: write name=value; {_takes(form)}")
        if name not in known:
            raise suggest(f"field of {tag}", name, known)
        if dot:
            parts = values.setdefault(name, {})
            if part in parts:
                raise BadRequest(f"{key} is there twice")
            parts[part] = _part(name, known[name], value)
        elif name in values:
            raise BadRequest(f"{name} is there twice")
        else:
            values[name] = _value(name, _form(known[name]), value)
    there = {*values, "player"} if actor.role == "player" else {*values}
    missing = [name for name in known if name not in there and is_required(form, name)]
    if missing:
        raise BadRequest(f"{tag} lacks {' and '.join(missing)}: {_takes(form)}")
    return _from_data({"type": tag, **values}, actor, kinds)


def _takes(form: type[Command]) -> str:
    tag = form.__struct_config__.tag
    return f"it takes {usage(form)}" if fields_of(form) else f"{tag} takes no field"


def usage(command_form: type[Command]) -> str:
    """Return the usage text of a command: `seat=NUMBER [player=NAME] wagers.NAME=DOLLARS`. Optional
    fields are in brackets."""
    words = []
    for name, hint in fields_of(command_form).items():
        word = _placeholder(name, _form(hint))
        may_stay_out = name == "player" or not is_required(command_form, name)
        words.append(f"[{word}]" if may_stay_out else word)
    return " ".join(words)


def _placeholder(name: str, form: Any) -> str:
    origin, parts = get_origin(form), get_args(form)
    if origin is dict:
        if parts[0] is Cents:
            return f"{name}.DOLLARS=COUNT"
        return f"{name}.NAME={'DOLLARS' if parts[1] is Cents else 'TEXT'}"
    if origin is tuple:
        several = {Card: "CARDS", int: "NUMBER,NUMBER"}
        return f"{name}={several.get(parts[0], 'NAME,NAME')}"
    if origin is Literal:
        return f"{name}={'|'.join(parts)}"
    known = {Cents: "DOLLARS", int: "NUMBER", bool: "yes|no"}
    names = ("player", "wager", "table", "rulebook", "link")
    return f"{name}={known.get(form, 'NAME' if name in names else 'TEXT')}"


def _form(hint: Any) -> Any:
    """Return the field's type without `None`."""
    return get_args(hint)[0] if type(None) in get_args(hint) else hint


def _part(name: str, hint: Any, text: str) -> Any:
    form = _form(hint)
    if get_origin(form) is not dict:
        raise BadRequest(f"{name} has no parts: write {_placeholder(name, form)}")
    return _value(name, get_args(form)[1], text)


def _value(name: str, form: Any, text: str) -> Any:
    """Return a word as the field's JSON value."""
    if get_origin(form) is dict:
        return _pairs(name, form, text)
    if get_origin(form) is Literal and text not in get_args(form):
        raise suggest(name, text, get_args(form))
    if get_origin(form) is tuple:
        if get_args(form)[0] is Card:
            return [str(card) for card in cards_in(text)]
        each = get_args(form)[0]
        return [_value(name, each, part) for part in re.split(r"[,\s]+", text) if part]
    if form is bool:
        return _yes_or_no(text)
    if form is int:
        if not re.fullmatch(r"-?[0-9]{1,18}", text):
            raise BadRequest(f"{name}: {shown(text)} is not a whole number")
        return int(text)
    return _dollars(text) if form is Cents else text


def _dollars(text: str) -> str:
    """Return `$1,000` as `1000`. A text with misplaced commas is returned unchanged, and refused
    later."""
    match = _THOUSANDS.fullmatch(text)
    return "".join(match.groups("")).replace(",", "") if match is not None else text


def cents_from_words(text: str) -> int:
    """Read an amount as people write it: `$1,000` or `7.50`."""
    return parse_cents(_dollars(text))


def _pairs(name: str, form: Any, text: str) -> dict[str, Any]:
    """Read `ante:10,blind:10`, or `5:20` for twenty $5 chips."""
    pairs = {}
    for item in filter(None, re.split(r"[,\s]+", text)):
        key, sign, value = item.partition(":")
        if not sign:
            raise BadRequest(f"{shown(item)}: write name:value, separated by commas")
        if key in pairs:
            raise BadRequest(f"{key} is there twice")
        pairs[key] = _value(name, get_args(form)[1], value)
    return pairs


def _yes_or_no(text: str) -> bool:
    answers = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    if text.lower() not in answers:
        raise BadRequest(f"{shown(text)}: write yes or no")
    return answers[text.lower()]
