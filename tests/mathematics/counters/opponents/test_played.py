"""Rounds through the engine under the best play, against the exact values."""

from __future__ import annotations

import pytest

from croupier.simulation.comparing import compare
from croupier.simulation.playing import Stretch, play_stretch
from croupier.simulation.run_setting import setting_for

GAMES = ("caribbean-stud", "crazy-4-poker", "four-card-poker", "high-card-flush")


def check(game: str, rounds: int) -> None:
    """The main game, of which bonuses are a part, is no further off than chance allows."""
    setting, rules = setting_for(game, bets={"ante": 100}, seats=5, seed=game)
    main, *parts = compare(play_stretch(setting, Stretch(1, rounds)), setting, rules)
    assert main.z is not None
    assert abs(main.z) < 4, main
    assert {part.wager for part in parts} >= {*rules.required, *rules.book.bonuses}
    assert all(part.reason == "part of main" for part in parts)
    assert sum(part.net for part in parts) == main.net


def test_three_card_poker_is_played_to_its_exact_value() -> None:
    check("three-card-poker", 400)


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_games_are_played_to_their_exact_value(game: str) -> None:
    check(game, 2000)
