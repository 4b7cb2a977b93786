"""The readings of a document: the choices at passages that can be read in more than one way.

A reading that an operator may choose is a switch, under `[readings]` in the rulebook; each choice
is a set of places in the rulebook file and their new values. All others are adopted once and for
all in the document's `readings.toml`, each with its clauses, the reading taken, and the reason.

Places are written as dotted paths: `wagers.ante.settles`. An entry of a list is found by its name
(`reveals.flop`), by its hand (`lines.royal_flush`) or by its number from 0 (`guide[3]`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from typing import Any, Final, Literal

import msgspec

from croupier.errors import BadData, suggest
from croupier.rulebooks.bundled import read_bundled
from croupier.rulebooks.schema import Reading

_STEP: Final = re.compile(r"[^.\[\]]+|\[\d+\]")
_LABELS: Final = ("name", "hand")


def child(node: Any, key: str) -> Any:
    """Return a table's entry by key, or a list's by name, hand or number; None if there is none."""
    if isinstance(node, dict):
        return node.get(key)
    if not isinstance(node, list):
        return None
    if key.startswith("["):
        number = int(key[1:-1])
        return node[number] if number < len(node) else None
    tables = (item for item in node if isinstance(item, dict))
    return next((item for item in tables if key in map(item.get, _LABELS)), None)


def at_path(tree: Any, path: str) -> Any:
    """Return the value at this place of the file; None if there is none."""
    steps = _STEP.findall(path)
    if not path or ".".join(steps).replace(".[", "[") != path:
        return None
    for step in steps:
        tree = child(tree, step)
    return tree


def citing(node: Any, clause: str, path: str = "") -> Iterator[str]:
    """Yield the places under `path` that carry this clause id, as a value or as a key.

    The `clause` of a table speaks for the whole table.
    """
    if isinstance(node, list):
        for number, item in enumerate(node):
            if item == clause:
                yield path
            else:
                yield from citing(item, clause, f"{path}{_label(item, node, number)}")
    elif isinstance(node, dict):
        if node.get("clause") == clause:
            yield path
        for key, value in node.items():
            place = f"{path}.{key}" if path else key
            if key == clause:
                yield path
            if value == clause and key != "clause":
                yield place
            yield from citing(value, clause, place)


def _label(item: Any, among: list[Any], number: int) -> str:
    """Return `.flop` if that finds the item again, or else `[2]`."""
    if isinstance(item, dict):
        for field in _LABELS:
            label = item.get(field)
            if isinstance(label, str) and child(among, label) is item:
                return f".{label}"
    return f"[{number}]"


class AdoptedReading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    clauses: tuple[str, ...]
    weight: Literal["money", "procedure"]
    """Whether another reading would change money on some round."""
    question: str
    reading: str
    reason: str


@cache
def adopted_readings(document: str) -> tuple[AdoptedReading, ...]:
    """Return the adopted readings of a document, in the order of their ids."""
    tree = tomllib.loads(read_bundled(document, "readings.toml"))
    return msgspec.convert(tree["adopted"], tuple[AdoptedReading, ...])


def chosen_readings(readings: Mapping[str, Reading], wanted: Mapping[str, str]) -> dict[str, str]:
    """Return every reading with its choice: the one requested, or else the first. Unknown names are
    refused."""
    for name, choice in wanted.items():
        if name not in readings:
            raise suggest("reading", name, readings)
        if choice not in readings[name].choices:
            raise suggest(
                f"choice for reading {name!r}",
                str(choice),
                readings[name].choices,
                clause=readings[name].clauses[0],
            )
    return {name: wanted.get(name, next(iter(r.choices))) for name, r in readings.items()}


def apply_readings(
    tree: dict[str, Any], readings: Mapping[str, Reading], choices: Mapping[str, str]
) -> dict[str, Any]:
    """Return a copy of the rulebook's tree with the changes of these choices."""
    changed = deepcopy(tree)
    for name, choice in choices.items():
        for path, value in readings[name].choices[choice].set.items():
            _put(changed, path, value, where=f"readings.{name}.choices.{choice}.set")
    return changed


def _put(tree: Any, path: str, value: object, *, where: str) -> None:
    *parents, last = path.split(".")
    node = tree
    for key in parents:
        node = child(node, key)
        if node is None:
            raise BadData(f"{where}: no place {path!r} in this rulebook (nothing called {key!r})")
    if not isinstance(node, dict):
        raise BadData(f"{where}: {path!r} does not lead to a table")
    node[last] = value
