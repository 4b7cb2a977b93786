"""One good round of each game, and ways to spoil it."""

from __future__ import annotations

import json
from typing import Any, Final

from croupier.rulebooks.clauses import clause_named
from tests.commands.program import lines_of, settle_batch

__all__ = ["DROP", "GOOD", "refusal", "spoiled"]


def _holdem(rulebook: str, actions: list[str], **wagers: int) -> dict[str, Any]:
    return {
        "rulebook": rulebook,
        "dealer": "Qs Qh",
        "community": "As Kd 7h 2c 2d",
        "seats": [
            {"seat": 2, "player": "Ann", "cards": "Ah Ad", "wagers": wagers, "actions": actions},
            {
                "seat": 5,
                "player": "Bob",
                "cards": "9s 8s",
                "wagers": dict(wagers),
                "actions": ["check", "check", "fold"],
            },
        ],
    }


_STUD: Final[dict[str, Any]] = {"two_card_poker": 5, "three_card_poker": 5, "five_card_poker": 5}

GOOD: Final[dict[str, dict[str, Any]]] = {
    "md-uth": _holdem("md-uth", ["check", "2x"], ante=10, blind=10, trips=5, progressive=1),
    "ma-uth": _holdem("ma-uth", ["4x"], ante=10, blind=10, trips=5, progressive=5, cover_all=5),
    "md-jackpot": _holdem("md-jackpot", ["check", "2x"], ante=10, x_tra_bonus=10, progressive=1),
    "md-wpt": _holdem("md-wpt", ["check", "check", "1x"], ante=10, odds=10, progressive=1),
    "md-235": {
        "rulebook": "md-235",
        "community": "9h 9s",
        "seats": [
            {
                "seat": 2,
                "player": "Ann",
                "cards": "9c 9d 2h",
                "wagers": {**_STUD, "win_em_all": 5, "progressive": 5},
                "actions": ["check", "raise"],
            },
            {
                "seat": 5,
                "player": "Bob",
                "cards": "Ac Kc Qc",
                "wagers": dict(_STUD),
                "actions": ["raise", "raise"],
            },
        ],
    },
}


class _Drop:
    def __repr__(self) -> str:
        return "DROP"


DROP: Final = _Drop()


def spoiled(rulebook: str, /, **changes: object) -> dict[str, Any]:
    """The good round with changes: `seats__0__wagers__ante=5`; DROP takes the entry out."""
    request: dict[str, Any] = json.loads(json.dumps(GOOD[rulebook]))
    for path, value in changes.items():
        *parents, last = [int(key) if key.isdigit() else key for key in path.split("__")]
        node: Any = request
        for key in parents:
            node = node[key] if isinstance(key, int) else node.setdefault(key, {})
        if value is DROP:
            del node[last]
        else:
            node[last] = value
    return request


def refusal(line: object, rulebook: str = "md-uth") -> dict[str, Any]:
    """The error a line is answered with, good lines around it settled all the same."""
    good = GOOD[rulebook]
    ended = settle_batch(lines_of([good, line, good]))
    assert ended.code == 2, ended.text
    before, answer, after = ended.lines
    assert before == after
    assert before["rulebook"] == rulebook
    assert list(answer) == ["error"], answer
    error: dict[str, Any] = answer["error"]
    assert list(error) == ["code", "message", "clause"]
    assert error["code"] != "internal", error
    assert 0 < len(error["message"]) < 400, error
    assert error["message"].isprintable(), error
    assert ended.err.startswith("croupier: line 2: ")
    assert ended.err.count("\n") == 1
    if error["clause"] is not None:
        assert clause_named(rulebook, error["clause"]) is not None, error
    return error
