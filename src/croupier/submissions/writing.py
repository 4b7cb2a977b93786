"""A submission as the TOML file that `croupier check` reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from croupier.rulebooks.submission import Submission

__all__ = ["submission_toml"]

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


def submission_toml(submission: Submission) -> str:
    """Only what is stated; reading it again gives an equal submission."""
    tree = _stated(submission)
    lines = [f"{_key(name)} = {_value(one)}" for name, one in tree.items() if not _is_table(one)]
    for name, one in tree.items():
        if _is_table(one):
            lines += _table(name, one)
    return "\n".join(lines) + "\n"


def _stated(submission: Submission) -> dict[str, Any]:
    """Without what was left out: a part that stands at its default says nothing."""
    bare: dict[str, Any] = msgspec.to_builtins(Submission())
    plain: dict[str, Any] = msgspec.to_builtins(submission)
    stated = {name: one for name, one in plain.items() if one != bare[name]}
    for name, default in bare.items():
        if name in stated and isinstance(default, dict) and default:
            stated[name] = {key: one for key, one in stated[name].items() if one != default[key]}
    return {name: _without_none(one) for name, one in stated.items()}


def _without_none(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: _without_none(one) for name, one in value.items() if one is not None}


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _table(name: str, told: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield f"[{_key(name)}]"
    for key, one in told.items():
        yield f"{_key(key)} = {_value(one)}"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value)
        case dict():
            inside = ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case list() | tuple():
            return f"[{', '.join(_value(one) for one in value)}]"
    return str(value)


def _text(text: str) -> str:
    """JSON's strings are TOML's but for one control character; letters stay as they are."""
    written = json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    return written.encode("utf-8", "backslashreplace").decode()
