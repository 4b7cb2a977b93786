"""Readings applied: each choice is a set of places in the rulebook file and their new values."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from croupier.errors import BadData, suggest
from croupier.rulebooks.schema import Reading

__all__ = ["apply_readings", "chosen_readings"]


def chosen_readings(readings: Mapping[str, Reading], wanted: Mapping[str, str]) -> dict[str, str]:
    """Every reading with its choice: the wanted one, else the first. Unknown names are refused."""
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
    """A copy of the rulebook's tree with every change that the choices ask for."""
    changed = deepcopy(tree)
    for name, choice in choices.items():
        for path, value in readings[name].choices[choice].set.items():
            _put(changed, path, value, where=f"readings.{name}.choices.{choice}.set")
    return changed


def _put(tree: Any, path: str, value: object, *, where: str) -> None:
    *parents, last = path.split(".")
    node = tree
    for key in parents:
        node = _child(node, key)
        if node is None:
            raise BadData(f"{where}: no place {path!r} in this rulebook (nothing called {key!r})")
    if not isinstance(node, dict):
        raise BadData(f"{where}: {path!r} does not lead to a table")
    node[last] = value


def _child(node: Any, key: str) -> Any:
    """A table's entry by key; in a list of lines the one for that hand."""
    if isinstance(node, dict):
        return node.get(key)
    if isinstance(node, list):
        return next((i for i in node if isinstance(i, dict) and i.get("hand") == key), None)
    return None
