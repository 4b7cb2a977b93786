"""Rulebooks with some places changed: games that nobody bundles, and some that nobody solves."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final

from croupier.rulebooks.bundled import BUNDLED, DOCUMENTS, read_bundled
from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission

ROOT: Final = Path(__file__).parents[2]
HARBOUR: Final = str(ROOT / "examples" / "harbour-holdem.toml")


def _own_rulebooks() -> list[str]:
    """Every rulebook file that stands beside the bundled ones: in the examples and the tests."""
    found = sorted((*ROOT.glob("examples/*.toml"), *ROOT.glob("tests/**/*.toml")))
    return [str(path) for path in found if "wagers" in tomllib.loads(path.read_text("utf-8"))]


RULEBOOKS: Final = (*DOCUMENTS, *_own_rulebooks())
"""All rulebooks there are: bundled, and in the examples and tests."""


@cache
def _tree(book: str) -> dict[str, Any]:
    if book in BUNDLED:
        return tomllib.loads(read_bundled(book, "game.toml"))
    return tomllib.loads(Path(book).read_text("utf-8"))


def tree_of(book: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The contents of a rulebook file with places (`decisions.0.otherwise`) given others; None
    takes a place out. Readings are left out, since they may name places that are gone."""
    tree = deepcopy(_tree(book))
    tree["readings"] = {}
    for path, value in changes.items():
        *parents, last = path.split(".")
        node: Any = tree
        for key in parents:
            node = node[int(key)] if isinstance(node, list) else node.setdefault(key, {})
        if value is None and isinstance(node, dict):
            node.pop(last, None)
        elif value is None:
            del node[int(last)]
        elif isinstance(node, list):
            node[int(last)] = value
        else:
            node[last] = value
    return tree


def changed(book: str, changes: Mapping[str, Any]) -> Rules:
    return put_in_force(RulebookFile(tree_of(book, changes), "changed"), Submission())


def lines(*paid: tuple[str, str]) -> list[dict[str, str]]:
    return [{"hand": hand, "pays": pays, "clause": "x"} for hand, pays in paid]


def dealt(reveals: Mapping[str, int], player: int = 2, dealer: int = 2) -> dict[str, Any]:
    """Harbour Hold'em with other cards: so many to each, and a board turned up in these steps."""
    order: list[dict[str, Any]] = [{"to": ["players"], "times": player, "clause": "x"}]
    if dealer:
        order.append({"to": ["dealer"], "times": dealer, "clause": "x"})
    order += [
        {"at": name, "to": ["community"], "cards": count, "clause": "x"}
        for name, count in reveals.items()
    ]
    return {
        "cards.player": player,
        "cards.dealer": dealer,
        "cards.community": sum(reveals.values()),
        "reveals": [
            {"name": name, "community": count, "clause": "x"} for name, count in reveals.items()
        ],
        "dealing.manual_shoe.order": order,
        "layout": None,  # what the felt tells need not fit any more
    }


def decision(
    name: str, seen: int, bets: Mapping[str, int], otherwise: str = "check", **more: Any
) -> dict[str, Any]:
    """A decision of Harbour Hold'em."""
    return {
        "name": name,
        "sees_player": 2,
        "sees_community": seen,
        "wager": "sail",
        "multiple_of": "ante",
        "bets": dict(bets),
        "otherwise": otherwise,
        "clause": "x",
    } | more


def stud(changes: dict[str, Any]) -> Rules:
    """235 Stud, dealt in one step whatever the cards are."""
    own, board = changes.get("cards.player", 3), changes.get("cards.community", 2)
    order = [
        {"to": ["players"], "cards": own, "clause": "x"},
        {"to": ["community"], "cards": board, "clause": "x"},
    ]
    base: dict[str, Any] = {
        "dealing": {"hand": {"title": "x", "clause": "x", "order": order}},
        "options": {},
        "care": None,
        "irregularities": {},
        "layout": None,
        "payout_limits": [],
        "reveals.1.community": board,
    }
    if own != 3:
        base["hands"] = {
            "two": {"cards": ["player:2"], "ranking": "two_card", "clause": "x"},
            "three": {"cards": ["player:2", "community:1"], "ranking": "three_card", "clause": "x"},
            "five": {"cards": ["player", "community"], "ranking": "five_card", "clause": "x"},
        }
        base["decisions.0.sees_player"] = own - 1
        base["decisions.1.sees_player"] = own
    return changed("md-235", base | changes)


def toml_of(tree: Mapping[str, Any]) -> str:
    """The text of a file with these contents, every key on a line of its own."""
    return "".join(f"{json.dumps(key)} = {_inline(value)}\n" for key, value in tree.items())


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        parts = [f"{json.dumps(key)} = {_inline(part)}" for key, part in value.items()]
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value)
