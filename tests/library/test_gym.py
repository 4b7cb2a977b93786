"""`croupier.gym`: Gymnasium's own checker, and the same rewards as without it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import croupier

GAMES = ("md-uth", "md-235", "let-it-ride", "crazy-4-poker")


@pytest.fixture(scope="module")
def gym() -> Any:
    pytest.importorskip("gymnasium")
    import croupier.gym

    return croupier.gym


@pytest.mark.parametrize("rulebook", GAMES)
@pytest.mark.filterwarnings("ignore::UserWarning")  # the checker advises on styles
def test_gymnasiums_checker_finds_nothing(rulebook: str, gym: Any) -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(gym.PokerTable(rulebook, declines_illegal=True, render_mode="ansi"))


@pytest.mark.parametrize("rulebook", GAMES)
def test_rewards_are_in_units_of_the_wager(rulebook: str, gym: Any) -> None:
    table = gym.PokerTable(rulebook)
    plain = croupier.environment(rulebook)
    dice = np.random.default_rng(1)
    for seed in range(20):
        observation, info = table.reset(seed=seed)
        plain.reset(seed=seed)
        over = False
        while not over:
            assert table.observation_space.contains(observation)
            action = int((dice.random(len(plain.actions)) * info["action_mask"]).argmax())
            observation, reward, over, truncated, info = table.step(action)
            seen, won, *_ = plain.step(action)
            assert reward == float(won / plain.unit)
            assert not truncated
            assert dict(zip(table.wagers, observation["stakes"].tolist(), strict=True)) == {
                name: float(seen.stakes[name] / plain.unit) if name in seen.stakes else 0.0
                for name in table.wagers
            }
    with pytest.raises(croupier.Refusal):
        table.step(0)


@pytest.mark.parametrize("rulebook", GAMES)
def test_many_tables_at_once(rulebook: str, gym: Any) -> None:
    many = gym.PokerTables(rulebook, 50)
    batch = croupier.batch(rulebook, tables=50)
    observations, info = many.reset(seed=3)
    batch.reset(seed=3)
    dice = np.random.default_rng(1)
    for _ in range(20):
        assert many.observation_space.contains(observations)
        actions = (dice.random(info["action_mask"].shape) * info["action_mask"]).argmax(axis=1)
        assert many.action_space.contains(actions)
        observations, rewards, ended, truncated, info = many.step(actions)
        step = batch.step(actions)
        assert np.array_equal(rewards * batch.unit_cents, step.rewards_cents)
        assert np.array_equal(ended, step.ended)
        assert not truncated.any()
        assert ("final_obs" in info) == bool(ended.any())
    with pytest.raises(croupier.BadRequest, match="no options"):
        many.reset(options={"wagers": 5})


def test_without_gymnasium_the_error_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "try:\n    import croupier.gym\n"
        "except ImportError as error:\n    print(error)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert "pip install gymnasium" in told.stdout
