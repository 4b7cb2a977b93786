"""Plain data and JSON as typed records. An error says where it is, what was expected there, and
which name was probably meant.

msgspec says `$.wagers[...].settles`; a person who wrote the file wants to read `wagers.ante`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import UnionType
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from croupier.errors import BadData, BadRequest, plain, suggest

__all__ = ["into_form", "read_json"]

_T = TypeVar("_T")
_UNKNOWN_FIELD: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_STEP: Final = re.compile(r"\.(\w+)|\[(\d+)\]|(\[\.\.\.\])")


def into_form(tree: object, form: type[_T], source: str) -> _T:
    """Plain data (from TOML) as the given form."""
    try:
        return msgspec.convert(tree, form)
    except msgspec.ValidationError as error:
        raise _form_error(error, tree, form).within(source) from None


def read_json(text: bytes | str, form: type[_T]) -> _T:
    """JSON in the given form."""
    try:
        try:
            return msgspec.json.decode(text, type=form)
        except msgspec.ValidationError as error:
            # The form is looked at while it is read: what comes after may not be JSON at all.
            raise _form_error(error, msgspec.json.decode(text), form) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadData(f"this is not JSON: {error}") from None
    except RecursionError:
        raise BadData("this is nested deeper than anything that is asked for") from None


def _form_error(error: msgspec.ValidationError, tree: object, form: object) -> BadRequest:
    """The error to raise, with the exact place in the data and the form expected there."""
    message, _, path = str(error).partition(" - at `$")
    place, node, kind = _place(path, tree, form)
    at = f"at {place}: " if place else ""
    unknown = _UNKNOWN_FIELD.match(message)
    if unknown is None:
        return BadData(f"{at}{message}")
    fields = [name for struct in _structs(kind, node) for name in _fields(struct)]
    said = suggest("field", unknown[1], dict.fromkeys(fields))
    return BadData(f"{at}{said}", code=said.code)


def _place(path: str, tree: Any, kind: Any) -> tuple[str, Any, Any]:
    """The place as people write it, with the data and the form that stand there."""
    place, node = "", tree
    for field, index, _ in _STEP.findall(path):
        key: str | int
        if field:
            key = field
            kind = next((_fields(s)[key] for s in _structs(kind, node) if key in _fields(s)), None)
        elif index:
            key = int(index)
            kind = _inner(kind)
        else:
            kind = _inner(kind)
            entries = node.items() if isinstance(node, dict) else ()
            key = next((name for name, value in entries if not _fits(value, kind)), "…")
        place += f"[{key}]" if isinstance(key, int) else f".{plain(key)}"
        if isinstance(node, dict):
            node = node.get(key)
        elif isinstance(node, list) and isinstance(key, int):
            node = node[key]
    return place.removeprefix("."), node, kind


def _fits(value: object, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _inner(kind: Any) -> Any:
    """What a table or a list of this kind holds."""
    for member in _members(kind):
        origin = get_origin(member)
        if origin is dict:
            return get_args(member)[1]
        if origin in (list, tuple):
            return get_args(member)[0]
    return object


def _members(kind: Any) -> Iterator[Any]:
    yield from get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _structs(kind: Any, node: object) -> list[type[msgspec.Struct]]:
    """The structs that may stand here; of tagged ones the one that the data asks for."""
    found = [m for m in _members(kind) if isinstance(m, type) and issubclass(m, msgspec.Struct)]
    tagged = [
        struct
        for struct in found
        if isinstance(node, dict)
        and struct.__struct_config__.tag_field is not None
        and node.get(struct.__struct_config__.tag_field) == struct.__struct_config__.tag
    ]
    return tagged or found


def _fields(struct: type[msgspec.Struct]) -> dict[str, Any]:
    hints = get_type_hints(struct)
    return {name: hints[name] for name in struct.__struct_fields__}
