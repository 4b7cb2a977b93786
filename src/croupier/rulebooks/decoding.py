"""Plain data and JSON as typed records.

An error names the place, what was expected there, and the name that was probably meant. msgspec
says `$.wagers[...].settles`; the author of a file wants to read `wagers.ante`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain, islice
from types import UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from croupier.errors import BadData, BadRequest, plain, shown, suggest

_T = TypeVar("_T")
MOST_TOLD: Final = 40
"""The largest number of mistakes in one file that are reported at a time."""
_UNKNOWN_FIELD: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING_FIELD: Final = re.compile(r"Object missing required field `(.*)`", re.DOTALL)
_MISSING: Final = "{!r} is missing"
_EXPECTED: Final = re.compile(r"Expected `(.+?)`, got `(\w+)`")
_KINDS: Final = {
    "int": "a whole number",
    "float": "a number with decimals",
    "str": "text",
    "bool": "true or false",
    "object": "a table",
    "array": "a list",
    "null": "nothing",
}
_STEP: Final = re.compile(r"\.(\w+)|\[(\d+)\]|(\[\.\.\.\])")


def into_form(tree: object, form: type[_T], source: str) -> _T:
    """Convert plain data (from TOML) to a form, or report everything that is wrong at once."""
    try:
        return msgspec.convert(tree, form)
    except msgspec.ValidationError as error:
        problems = list(islice(_problems(tree, form, ""), MOST_TOLD))
        if len(problems) > 1:
            raise BadData("\n  ".join(map(str, problems))).within(source) from None
        raise _form_error(error, tree, form).within(source) from None


def _problems(node: Any, form: Any, place: str) -> Iterator[BadRequest]:
    """Yield each mistake separately, with the deepest place that can be named."""
    if _fits(node, form):
        return
    structs = _structs(form, node)
    any_problem = False
    if isinstance(node, dict) and len(structs) == 1:
        inside: Iterator[BadRequest] = _struct_problems(node, structs[0], place)
    elif isinstance(node, dict) and not structs:
        inner = _inner(form)
        inside = chain.from_iterable(
            _problems(value, inner, _below(place, plain(key))) for key, value in node.items()
        )
    elif isinstance(node, list):
        inner = _inner(form)
        inside = chain.from_iterable(
            _problems(value, inner, f"{place}[{n}]") for n, value in enumerate(node)
        )
    else:
        inside = iter(())
    for problem in inside:
        any_problem = True
        yield problem
    if not any_problem:
        yield _told(node, form, place)


def _struct_problems(
    node: dict[str, Any], struct: type[msgspec.Struct], place: str
) -> Iterator[BadRequest]:
    fields = _fields(struct)
    at = f"at {place}: " if place else ""
    tag = struct.__struct_config__.tag_field
    for name, value in node.items():
        if name in fields:
            yield from _problems(value, fields[name], _below(place, name))
        elif name != tag:
            said = suggest("field", name, fields)
            yield BadData(f"{at}{said}", code=said.code)
    for name in _required(struct):
        if name not in node:
            yield BadData(f"{at}{_MISSING.format(name)}")


def _required(struct: type[msgspec.Struct]) -> list[str]:
    return [
        field.name
        for field in msgspec.structs.fields(struct)
        if field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT
    ]


# -- a file with mistakes, as far as it can be read -----------------------------------------------


class _Hopeless(Exception):
    """Raised if there is no substitute for a missing value."""


UNREADABLE: Final = "\N{REPLACEMENT CHARACTER}"
"""The substitute for text that is missing, or for a value that is not text."""


def mended(tree: object, form: type[_T]) -> tuple[_T, tuple[str, ...]] | None:
    """Return the data in its form, with substitutes for the bad values so that the rest can be
    checked, and the places of those values; None if there is no substitute."""
    places: list[str] = []
    try:
        result = msgspec.convert(_mend(tree, form, "", places), form)
    except (_Hopeless, msgspec.ValidationError):
        return None
    return result, tuple(places)


def _mend(node: Any, form: Any, place: str, places: list[str]) -> Any:
    if _fits(node, form):
        return node
    structs = _structs(form, node)
    if isinstance(node, dict) and len(structs) == 1:
        fields, tag = _fields(structs[0]), structs[0].__struct_config__.tag_field
        whole = {name: node[name] for name in node if name in fields or name == tag}
        for name in _required(structs[0]):
            if name not in whole:
                places.append(_below(place, name))
                whole[name] = _stand_in(fields[name])
        for name in whole.keys() & fields.keys():
            whole[name] = _mend(whole[name], fields[name], _below(place, name), places)
        return whole
    inner = _inner(form)
    if isinstance(node, dict) and not structs and inner is not object:
        return {k: _mend(v, inner, _below(place, plain(k)), places) for k, v in node.items()}
    if isinstance(node, list) and inner is not object:
        return [_mend(part, inner, f"{place}[{n}]", places) for n, part in enumerate(node)]
    places.append(place)
    return _stand_in(form)


def _stand_in(form: Any) -> object:
    for member in _members(form):
        if choices := _choices(member):
            return choices[0]
        if member in (str, int, bool):
            return {str: UNREADABLE, int: 1, bool: False}[member]
        if get_origin(member) in (list, tuple, dict):
            return {} if get_origin(member) is dict else []
    raise _Hopeless


def _below(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _told(node: object, form: Any, place: str) -> BadRequest:
    """Return msgspec's message about this one value."""
    try:
        msgspec.convert(node, form)
    except msgspec.ValidationError as error:
        said = _form_error(error, node, form)
        inside, text = "", str(said)
        if text.startswith("at ") and ": " in text:
            inside, _, text = text[3:].partition(": ")
        where = _below(place, inside) if inside else place
        return BadData(f"at {where}: {text}" if where else text)
    return BadData(f"at {place}: this is not what is asked for")


def read_json(text: bytes | str, form: type[_T]) -> _T:
    """Decode JSON into a form; a repeated key in an object is refused."""
    try:
        try:
            value = msgspec.json.decode(text, type=form)
            each_key_once(text)
            return value
        except msgspec.ValidationError as error:
            # The form is checked while reading: what follows may not be JSON at all.
            raise _form_error(error, msgspec.json.decode(text), form) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadData(f"this is not JSON: {error}") from None
    except RecursionError:
        raise BadData("this is nested deeper than anything that is asked for") from None


def each_key_once(text: bytes | str) -> None:
    """Return an object's pairs as a dict; a repeated key is refused, because it is ambiguous."""
    json.loads(text, object_pairs_hook=_once, parse_int=str)


def _once(pairs: list[tuple[str, Any]]) -> None:
    names: set[str] = set()
    for name, _ in pairs:
        if name in names:
            raise BadData(f"{shown(name)} is there twice")
        names.add(name)


def _form_error(error: msgspec.ValidationError, tree: object, form: object) -> BadRequest:
    """Return the error with the exact place in the data and the form expected there."""
    message, _, path = str(error).partition(" - at `$")
    place, node, form_there = _place(path, tree, form)
    at = f"at {place}: " if place else ""
    unknown = _UNKNOWN_FIELD.match(message)
    if unknown is None:
        return BadData(f"{at}{_plain_words(message, node, form_there)}")
    fields = [name for struct in _structs(form_there, node) for name in _fields(struct)]
    said = suggest("field", unknown[1], dict.fromkeys(fields))
    return BadData(f"{at}{said}", code=said.code)


def _plain_words(message: str, node: object, form: Any) -> str:
    """Return msgspec's message in words that the author of a file understands."""
    if match := _MISSING_FIELD.fullmatch(message):
        return _MISSING.format(match[1])
    choices = [name for member in _members(form) for name in _choices(member)]
    if message.startswith("Invalid enum value") and choices and isinstance(node, str):
        return suggest("choice", node, choices).message
    if message.startswith("Invalid value") and isinstance(node, str):
        tags = [struct.__struct_config__.tag for struct in _structs(form, None)]
        return suggest("choice", node, [str(tag) for tag in tags]).message if tags else message
    if match := _EXPECTED.fullmatch(message):
        parts = [part.strip("` ") for part in match[1].split("|")]
        wanted = " or ".join(_KINDS.get(part, part) for part in parts if part != "null")
        got = _KINDS.get(match[2], match[2])
        return f"{wanted} is expected here, not {got}"
    return message


def _choices(form: Any) -> tuple[str, ...]:
    return get_args(form) if get_origin(form) is Literal else ()


def _place(path: str, tree: Any, form: Any) -> tuple[str, Any, Any]:
    """Return the place as people write it, with the data and the form there."""
    place, node = "", tree
    for field, index, _ in _STEP.findall(path):
        key: str | int
        if field:
            key = field
            structs = _structs(form, node)
            if not any(struct.__struct_config__.tag_field == key for struct in structs):
                form = next((_fields(s)[key] for s in structs if key in _fields(s)), None)
        elif index:
            key = int(index)
            form = _inner(form)
        else:
            form = _inner(form)
            entries = node.items() if isinstance(node, dict) else ()
            key = next((name for name, value in entries if not _fits(value, form)), "…")
        place += f"[{key}]" if isinstance(key, int) else f".{plain(key)}"
        if isinstance(node, dict):
            node = node.get(key)
        elif isinstance(node, list) and isinstance(key, int):
            node = node[key]
    return place.removeprefix("."), node, form


def _fits(value: object, form: Any) -> bool:
    try:
        msgspec.convert(value, form)
    except msgspec.ValidationError:
        return False
    return True


def _inner(form: Any) -> Any:
    """Return the form of the entries of a table or a list."""
    for member in _members(form):
        origin = get_origin(member)
        if origin is dict:
            return get_args(member)[1]
        if origin in (list, tuple):
            return get_args(member)[0]
    return object


def _members(form: Any) -> Iterator[Any]:
    yield from get_args(form) if get_origin(form) in (Union, UnionType) else (form,)


def _structs(form: Any, node: object) -> list[type[msgspec.Struct]]:
    """Return the structs that are allowed here; of tagged structs, the one that the data names."""
    structs = [m for m in _members(form) if isinstance(m, type) and issubclass(m, msgspec.Struct)]
    tagged = [
        struct
        for struct in structs
        if isinstance(node, dict)
        and struct.__struct_config__.tag_field is not None
        and node.get(struct.__struct_config__.tag_field) == struct.__struct_config__.tag
    ]
    return tagged or structs


def _fields(struct: type[msgspec.Struct]) -> dict[str, Any]:
    hints = get_type_hints(struct)
    return {name: hints[name] for name in struct.__struct_fields__}
