"""Good requests made bad at random: entries dropped, renamed, retyped, doubled, swapped."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

__all__ = ["mutated"]

JUNK: tuple[object, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 7, 10, 1.5, -2.5, 1e300, 10**18, 10**400),
    *("", " ", "0", "1", "-1", "5", "10.00", "7.505", "x", "A", "B", "only", "yes", "no", "4x"),
    *("check", "fold", "raise", "1x", "As", "Kd Kd", "10c", "ah", "Zz", "As Kd 7h 2c 2d"),
    *("ante", "progressive", "main", "md-235", "\x00", "\x1b[31m", "é", "x" * 5000),
    *([], {}, [[]], [None], ["As"], {"a": 1}, {"ante": 5}, {"main": "1"}),
)


def mutated(request: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A copy with one to three changes; now and then it is still a good request."""
    changed = copy.deepcopy(request)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        places = list(_places(changed))
        if places:
            _change(*chance.choice(places), chance)
    return changed


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every entry of every table and list, as its container and key."""
    entries = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in list(entries):
        yield node, key
        if isinstance(value, dict | list):
            yield from _places(value)


def _change(node: Any, key: Any, chance: random.Random) -> None:
    match chance.randrange(7):
        case 0:
            del node[key]
        case 1 if isinstance(node, dict):
            node[_misspelt(str(key), chance)] = node.pop(key)
        case 2 if isinstance(node, list):
            node.append(copy.deepcopy(node[key]))
        case 3 if isinstance(node[key], str):
            node[key] = _misspelt(node[key], chance)
        case 4:
            other = chance.choice(list(node) if isinstance(node, dict) else range(len(node)))
            node[key], node[other] = node[other], node[key]
        case 5 if isinstance(node[key], int | float):
            node[key] = chance.choice([node[key] * 2, -node[key], str(node[key]), [node[key]]])
        case _:
            node[key] = copy.deepcopy(chance.choice(JUNK))


def _misspelt(text: str, chance: random.Random) -> str:
    letters = list(text)
    place = chance.randrange(len(letters) + 1)
    match chance.randrange(4):
        case 0:
            letters[place : place + 1] = []
        case 1:
            letters.insert(place, chance.choice("abxA2s ., 0\u212a\x7f"))
        case 2:
            letters = [letter.swapcase() for letter in letters]
        case _:
            letters.reverse()
    return "".join(letters)
