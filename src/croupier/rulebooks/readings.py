"""How a document is read where it can be read in more than one way.

A reading that an operator may take otherwise is a switch, under `[readings]` in the rulebook; each
choice is a set of places in the rulebook file and their new values. All others are adopted once
and for all in the document's `readings.toml`, each with the clauses it is about, what is taken,
and why.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any, Literal

import msgspec

from croupier.errors import BadData, suggest
from croupier.rulebooks.bundled import read_bundled
from croupier.rulebooks.paths import child
from croupier.rulebooks.schema import Reading

__all__ = ["AdoptedReading", "adopted_readings", "apply_readings", "chosen_readings"]


class AdoptedReading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    clauses: tuple[str, ...]
    weight: Literal["money", "procedure"]
    """Whether reading it otherwise would change money on some round."""
    question: str
    reading: str
    reason: str


@cache
def adopted_readings(document: str) -> tuple[AdoptedReading, ...]:
    """The adopted readings of a document, in the order of their ids."""
    tree = tomllib.loads(read_bundled(document, "readings.toml"))
    return msgspec.convert(tree["adopted"], tuple[AdoptedReading, ...])


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
        node = child(node, key)
        if node is None:
            raise BadData(f"{where}: no place {path!r} in this rulebook (nothing called {key!r})")
    if not isinstance(node, dict):
        raise BadData(f"{where}: {path!r} does not lead to a table")
    node[last] = value
