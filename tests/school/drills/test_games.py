"""The paytables that are drilled: one name for each choice, and names that are none refused."""

from __future__ import annotations

import pytest

from croupier.errors import CroupierError
from croupier.rulebooks.bundled import BUNDLED
from croupier.school.drills.drawing import draw_drill
from croupier.school.drills.games import (
    families_of,
    game_at_table,
    game_for,
    game_named,
    paytables_of,
    rules_of_game,
)
from croupier.school.mastery import skill_key


def test_a_choice_has_one_name() -> None:
    assert game_named("md-uth:trips=A") == "md-uth"
    assert game_named("md-uth:trips=D, blind=B") == "md-uth:blind=B,trips=D"
    assert paytables_of("md-uth:trips=D,blind=B") == {"blind": "B", "trips": "D"}
    assert rules_of_game("md-uth:trips=D").chosen["trips"] == "D"
    assert game_for("hands.winner", "md-uth:trips=D") == "md-uth"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("md-uht", "md-uth"),
        ("md-uth:", "chooses no paytable"),
        ("md-uth:trips", "chooses no paytable"),
        ("md-uth:trips=", "chooses no paytable"),
        ("md-uth:trip=D", "trips"),
        ("md-uth:trips=Z", "known are: A, B, C, D, E"),
        ("md-uth:trips=D,trips=B", "chosen twice"),
        ("md-uth:" + "x" * 200, "at most 160"),
        ("", "known are"),
    ],
)
def test_a_game_that_is_none_is_refused(name: str, reason: str) -> None:
    with pytest.raises(CroupierError, match=reason):
        game_named(name)


def test_every_paytable_can_be_drilled() -> None:
    for rulebook in BUNDLED:
        for one in families_of(rulebook):
            assert one.title
            for table in one.tables[1:]:
                game = f"{rulebook}:{one.family}={table}"
                assert rules_of_game(game).chosen[one.family] == table


def test_only_payouts_hang_on_the_paytables() -> None:
    other = draw_drill("hands.winner", "md-uth:trips=D", "1")
    assert other == draw_drill("hands.winner", "md-uth", "1")
    assert skill_key("md-uth:trips=D", "hands.winner") == "md-uth/hands.winner"
    assert skill_key("md-uth:trips=D", "payout.odds") == "md-uth:trips=D/payout.odds"


def test_a_table_plays_a_game_with_its_paytables() -> None:
    submission = '{"paytables":{"trips":"D","blind":"A"}}'
    assert game_at_table("md-uth", "", submission) == "md-uth:trips=D"
    assert game_at_table("md-uth", "id = 'md-uth'", submission) == "", "a rulebook of its own"
    assert game_at_table("house-game", "", "{}") == ""
