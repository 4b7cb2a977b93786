"""Tables for Gymnasium: `croupier.gym.PokerTable("md-uth")` is an environment of its own kind, and
`croupier.gym.PokerTables("md-uth", 1024)` many of them at once.

Gymnasium is not one of Croupier's packages: `pip install gymnasium`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from croupier.errors import BadRequest
from croupier.library.batch import Bools, TableBatch, batch
from croupier.library.environment import Observation, environment
from croupier.library.rulebook import AnyRulebook, AnySubmission
from croupier.money import Amount, Money
from croupier.rulebooks.schema import Rulebook

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as missing:  # pragma: no cover - the tests have it
    raise ImportError(
        "croupier.gym needs Gymnasium, which is not installed: pip install gymnasium"
    ) from missing


def _observations(decisions: int, wagers: int, most: float) -> spaces.Dict:
    """Return cards and the decision as zeros and ones, and the stakes in units of one required
    wager."""
    return spaces.Dict(
        {
            "cards": spaces.MultiBinary(3 * 52),
            "decision": spaces.MultiBinary(decisions),
            "stakes": spaces.Box(0.0, most, (wagers,), np.float32),
        }
    )


def _most(placed: Mapping[str, Money], book: Rulebook) -> float:
    """Return the most chips on one wager, in units of one required wager."""
    unit = next(placed[name] for name, wager in book.wagers.items() if wager.role == "required")
    bets = [
        placed[decision.multiple_of] * multiple
        for decision in book.decisions
        for multiple in decision.bets.values()
    ]
    return float(max([*placed.values(), *bets]) / unit)


class PokerTable(gymnasium.Env):
    """One table with one player; an episode is a round.

    Observations are a dictionary: `cards` (52 zeros and ones for the player's cards, 52 for the
    community's, 52 for the dealer's), `decision` (one for each decision of the game) and `stakes`
    (the chips on each wager). Rewards and stakes are in units of one required wager. `info` has
    `action_mask`; an action that the rules do not allow raises a `Refusal`, unless
    `declines_illegal` is true: then the player declines instead.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        rulebook: AnyRulebook,
        wagers: Mapping[str, Amount] | None = None,
        *,
        submission: AnySubmission = None,
        declines_illegal: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.environment = environment(rulebook, wagers, submission=submission)
        """The `croupier.TableEnvironment` that is played."""
        self.declines_illegal = declines_illegal
        self.render_mode = render_mode
        book = self.environment.rulebook.document
        placed = self.environment.wagers
        self.wagers = tuple(
            [n for n, w in book.wagers.items() if n in placed or w.role == "decided"]
        )
        """The names of the wagers in `stakes`."""
        self.action_space = spaces.Discrete(len(self.environment.actions))
        self.observation_space = _observations(
            len(self.environment.decisions), len(self.wagers), _most(self.environment.wagers, book)
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal a new round."""
        super().reset(seed=seed)
        observation, info = self.environment.reset(seed=seed, options=options)
        return self._arrays(observation), self._info(info)

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Answer the decision with an action's number."""
        env = self.environment
        if self.declines_illegal and env.legal_actions() and not env.action_mask()[int(action)]:
            action = env.actions.index(env.legal_actions()[-1])
        observation, won, terminated, truncated, info = env.step(int(action))
        reward = float(won / env.unit)
        return self._arrays(observation), reward, terminated, truncated, self._info(info)

    def render(self) -> str | None:
        """Return the round so far in words, with `render_mode="ansi"`."""
        return self.environment.render() if self.render_mode == "ansi" else None

    def _arrays(self, observation: Observation) -> dict[str, Any]:
        bits = np.array(observation.bits(self.environment.decisions), np.int8)
        unit, stakes = self.environment.unit, observation.stakes
        units = [float(stakes[name] / unit) if name in stakes else 0.0 for name in self.wagers]
        return {
            "cards": bits[: 3 * 52],
            "decision": bits[3 * 52 :],
            "stakes": np.array(units, np.float32),
        }

    def _info(self, info: Mapping[str, Any]) -> dict[str, Any]:
        return {**info, "action_mask": np.array(info["action_mask"], np.int8)}


class PokerTables(VectorEnv):
    """Many tables at once, as a vector environment: `croupier.batch` in Gymnasium's form.

    Observations and rewards are those of `PokerTable`, with a row for each table. When a round
    ends, the next one is dealt in the same step; `info["final_obs"]` has the rounds that ended, and
    `info["action_mask"]` the legal actions of the next decisions.
    """

    def __init__(
        self,
        rulebook: AnyRulebook,
        num_envs: int = 1024,
        wagers: Mapping[str, Amount] | None = None,
        *,
        submission: AnySubmission = None,
    ) -> None:
        self.batch: TableBatch = batch(rulebook, wagers, tables=num_envs, submission=submission)
        """The `croupier.TableBatch` that is played."""
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.wagers = self.batch.wagers
        """The names of the wagers in `stakes`."""
        book = self.batch.rulebook.document
        self.single_action_space = spaces.Discrete(len(self.batch.actions))
        self.single_observation_space = _observations(
            len(self.batch.decisions), len(self.wagers), _most(self.batch.placed, book)
        )
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal a new round at every table."""
        if options:
            raise BadRequest("there are no options: pass the wagers to PokerTables")
        super().reset(seed=seed)
        observation, legal = self.batch.reset(seed)
        return self._arrays(observation), self._info(legal)

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Give one action for each table."""
        step = self.batch.step(actions)
        info = self._info(step.legal)
        if step.ended.any():
            info |= {"final_obs": self._arrays(step.final), "_final_obs": step.ended}
        rewards = step.rewards_cents / self.batch.unit_cents
        never = np.zeros(self.num_envs, np.bool_)
        return self._arrays(step.observation), rewards, step.ended, never, info

    def _arrays(self, observation: Any) -> dict[str, Any]:
        bits = observation.bits(len(self.batch.decisions))
        units = (observation.stakes / self.batch.unit_cents).astype(np.float32)
        return {"cards": bits[:, : 3 * 52], "decision": bits[:, 3 * 52 :], "stakes": units}

    def _info(self, legal: Bools) -> dict[str, Any]:
        return {"action_mask": legal.astype(np.int8)}
