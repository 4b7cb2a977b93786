"""Places in a rulebook file, written as people point at them: `wagers.ante.settles`.

An entry of a list is found by its name (`reveals.flop`), by its hand (`lines.royal_flush`) or by
its number from 0 (`guide[3]`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

__all__ = ["at_path", "child", "citing"]

_STEP: Final = re.compile(r"[^.\[\]]+|\[\d+\]")
_LABELS: Final = ("name", "hand")


def child(node: Any, key: str) -> Any:
    """A table's entry by key, a list's by name, hand or number; None where there is none."""
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
    """What stands at this place of the file; None where nothing does."""
    steps = _STEP.findall(path)
    if not path or ".".join(steps).replace(".[", "[") != path:
        return None
    for step in steps:
        tree = child(tree, step)
    return tree


def citing(node: Any, clause: str, path: str = "") -> Iterator[str]:
    """The places under `path` that carry this clause id, as a value or as a key.

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
    """`.flop` where that finds the item again, else `[2]`."""
    if isinstance(item, dict):
        for field in _LABELS:
            label = item.get(field)
            if isinstance(label, str) and child(among, label) is item:
                return f".{label}"
    return f"[{number}]"
