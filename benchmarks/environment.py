"""Programs that learn: `croupier.environment` one table at a time, `croupier.batch` many at once.

Both play the same game with the same wagers on one core, in turns, with random legal actions whose
choice is not part of the time. A step is one answer to one decision; the rounds between are dealt
and settled inside the time. The table shows medians.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import median
from time import process_time

import numpy as np

import croupier

TURNS = 5
STEPS = 1500
BATCH_STEPS = 60
TABLES = 1024
GAMES = ("md-uth", "md-235", "mississippi-stud", "high-card-flush")
SIDES = {"md-uth": {"ante": 10, "blind": 10, "trips": 5, "progressive": 1, "bad_beat": 5}}


def one_table(rulebook: str, wagers: dict[str, int] | None) -> Callable[[], float]:
    env = croupier.environment(rulebook, wagers, seed=1)
    dice = random.Random(1)

    def rate() -> float:
        spent = 0.0
        start = process_time()
        _, info = env.reset()
        spent += process_time() - start
        for _ in range(STEPS):
            action = dice.choice(info["legal_actions"])
            start = process_time()
            _, _, over, _, info = env.step(action)
            if over:
                _, info = env.reset()
            spent += process_time() - start
        return STEPS / spent

    return rate


def many_tables(rulebook: str, wagers: dict[str, int] | None) -> Callable[[], float]:
    batch = croupier.batch(rulebook, wagers, tables=TABLES, seed=1)
    dice = np.random.default_rng(1)
    _, legal = batch.reset()

    def rate() -> float:
        nonlocal legal
        spent = 0.0
        for _ in range(BATCH_STEPS):
            actions = (dice.random(legal.shape) * legal).argmax(axis=1)
            start = process_time()
            legal = batch.step(actions).legal
            spent += process_time() - start
        return TABLES * BATCH_STEPS / spent

    return rate


def main() -> None:
    print(f"\nPrograms that learn: steps a second on one core, {TABLES} tables in a batch")
    print(f"{'rulebook':24}{'environment':>14}{'batch':>14}{'times':>8}")
    cases = [*[(name, None) for name in GAMES], *SIDES.items()]
    for rulebook, wagers in cases:
        one, many = one_table(rulebook, wagers), many_tables(rulebook, wagers)
        one(), many()  # compiled, and results met before
        rates = [(one(), many()) for _ in range(TURNS)]
        alone, together = (median(column) for column in zip(*rates, strict=True))
        name = rulebook + (f", {len(wagers)} wagers" if wagers else "")
        print(f"{name:24}{alone:14,.0f}{together:14,.0f}{together / alone:8.0f}")


if __name__ == "__main__":
    main()
