"""Strategy texts that cannot be followed are refused: where, what, and what would be right."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.strategies.boards_decisions import (
    HoldemDecisions,
    holdem_choices,
)
from croupier.mathematics.questions.strategies.compiling import answers_of
from croupier.mathematics.questions.strategies.text import (
    BadStrategy,
    WrittenStrategy,
    open_strategy,
    read_strategy,
    read_text,
    shipped_for,
    shipped_names,
)
from croupier.rulebooks.bundled import BUNDLED
from tests.mathematics.counters.boards.examples import solve, ultimate, whole
from tests.mathematics.dealt import rules_of

SMALL = 0b1111110000000  # nine to ace
SMALL_GAME = ultimate(deck=SMALL)
GAME = whole(SMALL_GAME)
CHOSEN = holdem_choices(GAME, ("preflop", "flop", "river"))
DECISIONS = HoldemDecisions("small", GAME, CHOSEN, partial(solve, SMALL_GAME))
CHOICES = DECISIONS.choices
WHOLE = """
preflop:
    4x with any ace
    check otherwise
flop:
    2x with a hidden pair
    check otherwise
river:
    1x with fewer than 21 dealer outs
    fold otherwise
"""


def read(text: str) -> WrittenStrategy:
    return read_text(text, CHOICES, "mine.txt")


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("preflop:", "preflopp:", 2, "its decisions are 'preflop', 'flop', 'river'"),
        ("4x with any ace", "5x with any ace", 3, "the actions are 4x, 3x, check"),
        ("4x with any ace", "4x any ace", 3, "comes 'with'"),
        ("4x with any ace", "4x with", 3, "comes 'with'"),
        ("4x with any ace", "4x with any ace,", 3, "is not a hand"),
        ("4x with any ace", "4x with any azz", 3, "did you mean 'any ace'?"),
        ("4x with any ace", "4x with AAs", 3, "neither suited nor offsuit"),
        ("4x with any ace", "4x with a hidden pair", 3, "no community card is seen yet"),
        ("4x with any ace", "4x with fewer than 9 dealer outs", 3, "when four or five community"),
        ("4x with any ace", "4x with (any ace, K5o+", 3, "bracket is not closed"),
        ("4x with any ace", "4x with any ace K5o+", 3, "with a comma between"),
        ("4x with any ace", "4x with K9s-Q5s", 3, "is not a range"),
        ("2x with a hidden pair", "2x with any pair", 6, "a pocket pair"),
        ("1x with fewer than 21", "1x with suited, fewer than 21", 9, "suits of own cards"),
        ("1x with fewer than 21", "1x with four to a flush, fewer than 21", 9, "after the river"),
        ("    fold otherwise\n", "    fold otherwise\n    1x with any ace\n", 11, "put it last"),
        ("    fold otherwise\n", "    fold otherwise\nflop:\n", 11, "is there twice"),
        ("\npreflop:", "\n4x with any ace\npreflop:", 2, "begin with 'preflop:'"),
    ],
)
def test_refused_with_line_reason_and_remedy(old: str, new: str, line: int, said: str) -> None:
    assert old in WHOLE
    with pytest.raises(BadStrategy) as refusal:
        read(WHOLE.replace(old, new, 1))
    assert refusal.value.message.startswith(f"mine.txt, line {line}: ")
    assert said in refusal.value.message


def test_every_decision_must_be_there() -> None:
    with pytest.raises(BadStrategy, match="nothing is said about the decision 'river'"):
        read(WHOLE[: WHOLE.index("river:")])
    with pytest.raises(BadStrategy, match="there is no line under 'river:'"):
        read(WHOLE[: WHOLE.index("    1x")])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "4x with any ace\n    check otherwise",
            "4x with any ace\n    check with any pair\n    check otherwise",
            "contradiction at 'preflop': Ad Ac is 'check' by this line and '4x' by line 3",
        ),
        (
            "2x with a hidden pair\n    check otherwise",
            "2x with a hidden pair\n    check with top pair\n    check otherwise",
            "line 7: a contradiction at 'flop': ",
        ),
        (
            "1x with fewer than 21 dealer outs\n    fold otherwise",
            "1x with fewer than 21 dealer outs\n    fold with a paired board\n    fold otherwise",
            "line 10: a contradiction at 'river': ",
        ),
        (
            "4x with any ace\n    check otherwise",
            "4x with any ace\n    check with not any ace except KQs",
            "line 4: 'preflop' leaves hands undecided, Kc Qc to begin with",
        ),
        (
            "1x with fewer than 21 dealer outs\n    fold otherwise",
            "1x with fewer than 5 dealer outs\n    fold with at least 7 dealer outs",
            "line 10: 'river' leaves hands undecided, ",
        ),
    ],
)
def test_contradictions_and_undecided_hands_are_shown_with_cards(
    old: str, new: str, said: str
) -> None:
    assert old in WHOLE
    plan = read(WHOLE.replace(old, new, 1))
    with pytest.raises(BadStrategy) as refusal:
        DECISIONS.strategy(partial(answers_of, plan))
    assert said in refusal.value.message


def test_two_lines_may_agree_and_lines_may_be_broken() -> None:
    plan = read(
        "# a comment\ntitle: Twice the same\npreflop: 4x with any ace,\n  K5o+ or\n  any pair\n"
        "  4x with any ace  # again\n  check otherwise\nflop: check always\nriver: fold otherwise"
    )
    assert plan.title == "Twice the same"
    answers = DECISIONS.strategy(partial(answers_of, plan)).answers
    (preflop,), (flop,) = (answers[seen].values() for seen in (0, 3))
    assert set(preflop.tolist()) == {0, 2}
    assert set(flop.tolist()) == {1}


def test_files_that_are_no_text(tmp_path: Path) -> None:
    with pytest.raises(BadStrategy, match="cannot be read"):
        read_strategy(tmp_path / "nothing.txt", CHOICES)
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadStrategy, match="not UTF-8"):
        read_strategy(tmp_path / "bytes.txt", CHOICES)
    with pytest.raises(BadStrategy, match="longer than any"):
        read("x" * 200_000)
    with pytest.raises(BadStrategy, match="nobody could remember"):
        read(WHOLE.replace("any ace", "(" * 50 + "any ace" + ")" * 50))


def test_every_game_has_a_book_and_every_book_reads() -> None:
    found = set()
    for document in BUNDLED:
        names = shipped_for(document)
        assert names, document
        found |= set(names)
        for name in names:
            plan = open_strategy(name, solver_for(rules_of(document)).choices())
            assert document in plan.games
    assert found == set(shipped_names())
