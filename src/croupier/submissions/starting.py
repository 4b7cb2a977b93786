"""A complete, lawful submission to start from, and submissions written as TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from croupier.money import format_cents
from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.rules import (
    families_to_choose,
    optional_wagers,
    progressive_wager,
    put_in_force,
)
from croupier.rulebooks.schema import Option, Rulebook
from croupier.rulebooks.submission import (
    Amount,
    Limits,
    MeterTerms,
    ProgressiveTerms,
    Submission,
)

_MINIMUM: Final = 15
_REQUIRED: Final = Limits(minimum=_MINIMUM, maximum=1000)
_OPTIONAL: Final = Limits(minimum=5, maximum=100)
_STAKE: Final = 5
_RATE: Final = "0.05"


def starting_submission(file: RulebookFile, dealing: str = "") -> Submission:
    """Return a submission with the first paytables, this way of dealing (else one that needs no
    machine), and the wagers it can serve. Meters start at the document's minimum."""
    book = file.default
    options = _options(book)
    if dealing and "dealing" in book.options:
        options["dealing"] = dealing
        if book.dealing[dealing].needs_shuffler and "shuffler" in book.options:
            options["shuffler"] = True
    offered = _served(book, str(options.get("dealing", "")))
    in_play = {name for name, wager in book.wagers.items() if wager.role != "optional"} | {*offered}
    return Submission(
        rulebook=book.id,
        offered=offered,
        paytables={
            family: next(iter(book.paytables[family]))
            for family in families_to_choose(book)
            if len(book.paytables[family]) > 1 and (family not in book.wagers or family in in_play)
        },
        options=options,
        limits=_limits(book, offered),
        progressive=_progressive(file, offered),
    )


def _options(book: Rulebook) -> dict[str, Amount | bool]:
    stated = {name: _first(option) for name, option in book.options.items() if option.must_state}
    if "minimum_wager" in book.options:
        stated["minimum_wager"] = _MINIMUM
    if "dealing" in book.options:
        ways = book.options["dealing"].choices
        machines = {way for way, dealing in book.dealing.items() if dealing.needs_shuffler}
        stated["dealing"] = next((way for way in ways if way not in machines), ways[0])
    return stated


def _first(option: Option) -> Amount | bool:
    if option.fixed is not None:
        return option.fixed
    if option.default is not None:
        return option.default
    match option.type:
        case "yes_no":
            return False
        case "choice":
            return option.choices[0]
        case "count":
            return option.least or 0
    return _MINIMUM


def _served(book: Rulebook, dealing: str) -> tuple[str, ...]:
    """Return the optional wagers that this way of dealing allows and whose own requirements are
    met."""
    served = [
        name
        for name in optional_wagers(book)
        if not book.wagers[name].dealt_by or dealing in book.wagers[name].dealt_by
    ]
    left_out = {*optional_wagers(book)} - {*served}
    return tuple(name for name in served if not left_out & {*book.wagers[name].needs})


def _limits(book: Rulebook, offered: tuple[str, ...]) -> dict[str, Limits]:
    limits = {}
    for name, wager in book.wagers.items():
        if wager.stakes or wager.role == "decided" or name == progressive_wager(book):
            continue
        if wager.role == "required":
            limits[name] = _REQUIRED
        elif name in offered:
            limits[name] = limits.get(wager.equals, _OPTIONAL)
    return limits


def _progressive(file: RulebookFile, offered: tuple[str, ...]) -> ProgressiveTerms:
    rules = put_in_force(file, Submission())
    name = progressive_wager(rules.book)
    if name is None or name not in offered:
        return ProgressiveTerms()
    stakes = rules.stakes.get(name, ())
    return ProgressiveTerms(
        stakes=(_dollars(stakes[-1]) if stakes else _STAKE,),
        meters={
            meter: MeterTerms(seed=_dollars(least), reset=_dollars(least), rate=_RATE)
            for meter, least in rules.resets.items()
        },
    )


def _dollars(cents: int) -> Amount:
    return format_cents(cents) if cents % 100 else cents // 100


_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


def submission_toml(submission: Submission) -> str:
    """Return the submission as TOML, without what is not stated; reading it back gives an equal
    submission."""
    tree = _stated(submission)
    lines = [
        f"{_key(name)} = {_value(value)}" for name, value in tree.items() if not _is_table(value)
    ]
    for name, value in tree.items():
        if _is_table(value):
            lines += _table(name, value)
    return "\n".join(lines) + "\n"


def _stated(submission: Submission) -> dict[str, Any]:
    """Return the value without parts that stand at their defaults."""
    bare: dict[str, Any] = msgspec.to_builtins(Submission())
    plain: dict[str, Any] = msgspec.to_builtins(submission)
    stated = {name: value for name, value in plain.items() if value != bare[name]}
    for name, default in bare.items():
        if name in stated and isinstance(default, dict) and default:
            stated[name] = {
                key: value for key, value in stated[name].items() if value != default[key]
            }
    return {name: _without_none(value) for name, value in stated.items()}


def _without_none(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: _without_none(part) for name, part in value.items() if part is not None}


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _table(name: str, entries: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield f"[{_key(name)}]"
    for key, value in entries.items():
        yield f"{_key(key)} = {_value(value)}"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value)
        case dict():
            inside = ", ".join(f"{_key(key)} = {_value(part)}" for key, part in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case list() | tuple():
            return f"[{', '.join(_value(part) for part in value)}]"
    return str(value)


def _text(text: str) -> str:
    """Return the text as a TOML string. JSON's strings are TOML's but for one control character;
    non-ASCII letters stay as they are."""
    written = json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    return written.encode("utf-8", "backslashreplace").decode()
