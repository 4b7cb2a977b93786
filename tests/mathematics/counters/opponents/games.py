"""Games of hand against hand as rulebooks, put together from a few choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from tests.mathematics.changed import lines

RETURN = {"do": "return", "clause": "x"}
COLLECT = {"do": "collect", "clause": "x"}


def pay(table: str, **more: Any) -> dict[str, Any]:
    return {"do": "pay", "paytable": table, "clause": "x", **more}


def showdown(higher: Any, equal: Any, lower: Any) -> dict[str, Any]:
    return {"higher": higher, "equal": equal, "lower": lower}


def against_dealer(
    qualified: Mapping[str, Any], unqualified: Mapping[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    found = {"by": "versus_dealer", "hand": "own", "folded": COLLECT, "qualified": qualified}
    return found | ({"unqualified": unqualified} if unqualified else {}) | more


def wager(role: str, settles: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"title": "x", "role": role, "clause": "x", "settles": settles} | more


def table(*paid: tuple[str, str]) -> dict[str, Any]:
    return {"only": {"clause": "x", "lines": lines(*paid)}}


def every(names: Sequence[str], pays: str = "1 to 1") -> dict[str, Any]:
    """One line for all hands."""
    line = {"hand": "any", "pays": pays, "clause": "x", "covers": list(names)}
    return {"only": {"clause": "x", "lines": [line]}}


def tree(own: int, theirs: int, ranking: str, seen: int = 0, **more: Any) -> dict[str, Any]:
    """A file with everything but wagers, paytables and the decision's bets."""
    hand = {"ranking": ranking, "clause": "x"}
    order: list[dict[str, Any]] = [
        {"to": ["players"], "cards": own, "clause": "x"},
        {"to": ["dealer"], "cards": theirs, "clause": "x"},
    ]
    return {
        **dict.fromkeys(("id", "title", "jurisdiction", "document", "summary"), "x"),
        "positions": {"most": 1, "clause": "x", "per_player": "one", "per_player_clause": "x"},
        "cards": {"player": own, "dealer": theirs, "clause": "x"},
        "decks_clause": "x",
        "required_clause": "x",
        "announces": "own",
        "reveals": [{"name": "up", "dealer": seen, "clause": "x"}] if seen else [],
        "hands": {"own": hand | {"cards": ["player"]}, "theirs": hand | {"cards": ["dealer"]}},
        "dealer": {"hand": "theirs", "clause": "x"},
        "dealing": {"hand": {"title": "x", "clause": "x", "order": order}},
        "options": {},
    } | more


def decision(own: int, bets: Mapping[str, int], seen: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "name": "play",
        "sees_player": own,
        "sees_dealer": seen,
        "wager": "play",
        "multiple_of": "ante",
        "bets": dict(bets),
        "otherwise": "fold",
        "clause": "x",
    } | more


def in_force(game: Mapping[str, Any]) -> Rules:
    return put_in_force(RulebookFile(dict(game), "a game"), Submission())
