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
    """Without what was left out."""
    plain: dict[str, Any] = msgspec.to_builtins(submission)
    plain["progressive"] = {name: one for name, one in plain["progressive"].items() if one}
    plain["limits"] = {name: _some(one) for name, one in plain["limits"].items()}
    if "meters" in plain["progressive"]:
        meters = plain["progressive"]["meters"]
        plain["progressive"]["meters"] = {name: _some(one) for name, one in meters.items()}
    offered = plain.pop("offered")
    stated = {name: one for name, one in plain.items() if one}
    return stated if offered is None else {**stated, "offered": offered}


def _some(told: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in told.items() if one is not None}


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
