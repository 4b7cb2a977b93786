"""Games of streets without a dealer, written in a few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from tests.mathematics.changed import lines

PATTERNS: dict[str, dict[str, Any]] = {
    "tens": {"category": ["pair"], "made": "TJQKA"},
    "jacks": {"category": ["pair"], "made": "JQKA"},
    "sixes": {"category": ["pair"], "made": "6789T"},
    "red": {"suits": "hd"},
    "red_pair": {"category": ["pair"], "suits": "hd"},
    "spade_flush": {"category": ["flush"], "suits": "s"},
}


def paytable(hand: str, paid: str, **more: Any) -> dict[str, Any]:
    """A wager on a named hand, by the family of paytables `paid`."""
    return {"by": "paytable", "hand": hand, "paytable": paid, "lost": "x"} | more


def wager(role: str, settles: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"title": "x", "role": role, "clause": "x", "settles": dict(settles)} | more


def asked(name: str, own: int, board: int, otherwise: str = "check", **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "sees_player": own,
        "sees_community": board,
        "otherwise": otherwise,
        "clause": "x",
    } | more


def hand(*cards: str, ranking: str = "five_card", **more: Any) -> dict[str, Any]:
    return {"cards": list(cards), "ranking": ranking, "clause": "x"} | more


def tree(
    own: int,
    reveals: Sequence[tuple[int, int]],
    decisions: Sequence[Mapping[str, Any]],
    hands: Mapping[str, Any],
    wagers: Mapping[str, Any],
    tables: Mapping[str, Sequence[tuple[str, str]]],
    **more: Any,
) -> dict[str, Any]:
    """The contents of a rulebook file; `reveals` has own and community cards of each step."""
    turned = [
        {"name": f"step_{n}", "player": mine, "community": board, "clause": "x"}
        for n, (mine, board) in enumerate(reveals)
    ]
    board = sum(count for _, count in reveals)
    order = [
        {"to": ["players"], "cards": own, "clause": "x"},
        {"to": ["community"], "cards": board, "clause": "x"},
    ]
    return {
        "id": "streets",
        "title": "Streets",
        "jurisdiction": "x",
        "document": "x",
        "summary": "x",
        "positions": {"most": 1, "clause": "x", "per_player": "one", "per_player_clause": "x"},
        "cards": {"player": own, "community": board, "clause": "x"},
        "decks_clause": "x",
        "reveals": turned,
        "decisions": [dict(decision) for decision in decisions],
        "hands": dict(hands),
        "announces": next(iter(hands)),
        "wagers": dict(wagers),
        "required_clause": "x",
        "paytables": {
            name: {"only": {"clause": "x", "lines": lines(*paid)}} for name, paid in tables.items()
        },
        "patterns": PATTERNS,
        "dealing": {"hand": {"title": "x", "clause": "x", "order": order}},
        "options": {},
    } | more


def rules_of_tree(contents: dict[str, Any]) -> Rules:
    return put_in_force(RulebookFile(contents, "streets"), Submission())


LADDER = (
    *(("royal_flush", "1000 to 1"), ("straight_flush", "200 to 1"), ("four_of_a_kind", "50 to 1")),
    *(("full_house", "11 to 1"), ("flush", "8 to 1"), ("straight", "5 to 1")),
    *(("three_of_a_kind", "3 to 1"), ("two_pair", "2 to 1"), ("tens", "1 to 1")),
)
STUD_LADDER = (
    *(("royal_flush", "500 to 1"), ("straight_flush", "100 to 1"), ("four_of_a_kind", "40 to 1")),
    *(("full_house", "10 to 1"), ("flush", "6 to 1"), ("straight", "4 to 1")),
    *(("three_of_a_kind", "3 to 1"), ("two_pair", "2 to 1"), ("jacks", "1 to 1")),
    ("sixes", "push"),
)


def let_it_ride() -> dict[str, Any]:
    five = hand("player", "community")
    paid = paytable("five", "pays")
    return tree(
        3,
        [(0, 1), (0, 1)],
        [
            asked("first", 3, 0, "ride", takes_back="bet_1"),
            asked("second", 3, 1, "ride", takes_back="bet_2"),
        ],
        {"five": five},
        {name: wager("required", paid) for name in ("bet_1", "bet_2", "bet_3")},
        {"pays": LADDER},
    )


def mississippi() -> dict[str, Any]:
    streets = ("third", "fourth", "fifth")
    paid = paytable("five", "pays")
    return tree(
        2,
        [(0, 1)] * 3,
        [
            asked(
                *(name, 2, seen, "fold"),
                wager=name,
                multiple_of="ante",
                bets={"1x": 1, "2x": 2, "3x": 3},
            )
            for seen, name in enumerate(streets)
        ],
        {"five": hand("player", "community")},
        {"ante": wager("required", paid, after_fold="loses")}
        | {name: wager("decided", paid, after_fold="loses") for name in streets},
        {"pays": STUD_LADDER},
    )
