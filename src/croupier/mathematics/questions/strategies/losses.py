"""What a strategy loses, decision by decision and hand by hand, against the best play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from threading import Lock
from typing import TypeAlias

import numpy as np

from croupier.mathematics.counters.boards.games import BetDecision, HoldemGame
from croupier.mathematics.counters.boards.geometry import card_pairs, orbits_of
from croupier.mathematics.counters.boards.solver import Solution
from croupier.mathematics.counters.boards.strategies import StrategyArrays
from croupier.mathematics.kernels.arrays import I8, I64
from croupier.mathematics.questions.strategies.decisions_reached import (
    Arrived,
    ArrivedAtTurn,
    arrivals_at_flop,
    orders_of_flop,
    runouts_of,
    visit_river,
    visit_turn,
)
from croupier.mathematics.questions.strategies.describing import hand_codes, hand_words
from croupier.mathematics.questions.strategies.situations import (
    ExampleHand,
    early_situations,
    flop_situations,
    river_example,
    river_situations,
    turn_situations,
)
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen, Features

__all__ = ["Faults", "Mistake", "holdem_faults"]


@dataclass(frozen=True)
class Mistake:
    """Hands that read alike and are played alike wrongly. Shares are of all rounds; the loss is in
    units of one required wager per round, frequency included."""

    words: str
    example: ExampleHand
    taken: str
    best: str
    frequency: Fraction
    loss: Fraction


Key: TypeAlias = tuple[int, int, int]


class Faults:
    """Gathers losses as integers over a common total."""

    def __init__(self, scene: CardsSeen, actions: tuple[str, ...], total: int, ways: int) -> None:
        self.scene = scene
        self.actions = actions
        self.total = total  # of losses: one unit lost in every deal
        self.ways = ways  # losses are sums over so many ways to go on
        self.lost = 0
        self._found: dict[Key, list[int]] = {}
        self._example: dict[Key, tuple[int, Callable[[], ExampleHand], Features]] = {}
        self._lock = Lock()

    @property
    def loss(self) -> Fraction:
        return Fraction(self.lost, self.total)

    def add(
        self,
        features: Features,
        example: Callable[[int], ExampleHand],
        weights: I64,
        taken: I8,
        values: I64,
    ) -> None:
        """`values[action, situation]` are in units of 1/total for weight 1."""
        best = values.argmax(axis=0)
        situations = np.arange(values.shape[1])
        short = values[best, situations] - values[taken, situations]
        wrong = np.flatnonzero((short > 0) & (weights > 0))
        if not len(wrong):
            return
        loss = short[wrong] * weights[wrong]
        codes = hand_codes(self.scene, features[:, wrong])
        keys = np.stack([codes, taken[wrong].astype(np.int64), best[wrong]])
        kinds, where = np.unique(keys, axis=1, return_inverse=True)
        where = where.ravel()
        # Largest losses last, so that the last of a kind to be written is its example.
        order = np.argsort(loss, kind="stable")
        worst = np.zeros(kinds.shape[1], np.int64)
        worst[where[order]] = order
        sums = np.zeros((2, kinds.shape[1]), np.int64)
        np.add.at(sums[0], where, loss)
        np.add.at(sums[1], where, weights[wrong])
        with self._lock:
            self.lost += int(loss.sum())
            for place in range(kinds.shape[1]):
                self._merge(
                    kinds[:, place], sums[:, place], worst[place], wrong, loss, features, example
                )

    def _merge(
        self,
        kind: I64,
        sums: I64,
        worst: int,
        wrong: I64,
        loss: I64,
        features: Features,
        example: Callable[[int], ExampleHand],
    ) -> None:
        key = (int(kind[0]), int(kind[1]), int(kind[2]))
        old = self._found.setdefault(key, [0, 0])
        old[0] += int(sums[0])
        old[1] += int(sums[1])
        size, situation = int(loss[worst]), int(wrong[worst])
        if key not in self._example or self._example[key][0] < size:
            shown = features[:, situation : situation + 1].copy()
            self._example[key] = size, lambda: example(situation), shown

    def mistakes(self, most: int = 10) -> tuple[Mistake, ...]:
        worst = sorted(self._found.items(), key=lambda item: (-item[1][0], item[0]))[:most]
        return tuple(
            Mistake(
                hand_words(self.scene, self._example[key][2]),
                self._example[key][1](),
                self.actions[key[1]],
                self.actions[key[2]],
                Fraction(weight * self.ways, self.total),
                Fraction(lost, self.total),
            )
            for key, (lost, weight) in worst
        )


def holdem_faults(
    solution: Solution, strategy: StrategyArrays, actions: dict[int, tuple[str, ...]]
) -> dict[int, Faults]:
    """By community cards seen. The losses add up to the whole cost of the strategy."""
    game = solution.game
    found = {}
    for level in game.levels:
        scene = CardsSeen(2, level.seen)
        if level.seen == 5:
            found[5] = _at_river(game, strategy, scene, actions[5], level)
        elif level.seen == 4:
            found[4] = _at_turn(game, strategy, scene, actions[4], level)
        elif level.seen == 3:
            found[3] = _at_flop(solution, strategy, scene, actions[3], level)
        else:
            found[level.seen] = _early(solution, strategy, scene, actions[level.seen], level)
    return found


def _chosen(action: I8, level: BetDecision) -> I8:
    return np.where(action < 0, len(level.multiples), action).astype(np.int8)


def _early(
    solution: Solution,
    strategy: StrategyArrays,
    scene: CardsSeen,
    actions: tuple[str, ...],
    level: BetDecision,
) -> Faults:
    """Sums of a stage before the flop run over an orbit's members and are Python's integers; they
    are divided by what all of them have in common to fit 64 bits (refused if they cannot)."""
    game, stage = solution.game, solution.stages[scene.community]
    situations = early_situations(game.deck, scene.community)
    size = orbits_of(game.deck, scene.community).size
    sums = [stage.required + k * stage.decided for k in level.multiples] + [stage.declined]
    each = np.array([[int(v) // int(n) for v, n in zip(row, size, strict=True)] for row in sums])
    exact = all(
        int(v) == int(each[i, j]) * int(size[j])
        for i, row in enumerate(sums)
        for j, v in enumerate(row)
    )
    assert exact, "all members of an orbit have the same value"
    deals = comb(game.cards, 2) * comb(game.cards - 2, scene.community)
    orders = 2 if scene.community == 2 else 1
    total = deals * orders * stage.ways * game.scale
    faults = Faults(scene, actions, total, stage.ways * game.scale)
    weights = size * _orders_before(game, strategy, scene.community)
    chosen = _chosen(strategy.actions[scene.community], level)
    faults.add(situations.features, situations.example, weights, chosen, each)
    return faults


def _orders_before(game: HoldemGame, strategy: StrategyArrays, seen: int) -> I64:
    """In how many orders of the community cards seen nothing has been bet before."""
    orbits = orbits_of(game.deck, seen)
    hands, shown = np.divmod(orbits.example, orbits.width)
    free = np.ones(len(hands), np.int64)
    if 0 in strategy.actions and seen > 0:
        free &= strategy.actions[0][orbits_of(game.deck, 0).number[hands]] < 0
    if seen < 2:
        return free
    if 1 not in strategy.actions:
        return 2 * free
    one = orbits_of(game.deck, 1).number
    ends = card_pairs()[shown].astype(np.int64)
    first = [strategy.actions[1][one[hands * 52 + ends[:, end]]] < 0 for end in (0, 1)]
    return free * (first[0].astype(np.int64) + first[1])


def _at_flop(
    solution: Solution,
    strategy: StrategyArrays,
    scene: CardsSeen,
    actions: tuple[str, ...],
    level: BetDecision,
) -> Faults:
    game, stage = solution.game, solution.stages[3]
    situations = flop_situations(game.deck)
    deals = comb(game.cards, 2) * comb(game.cards - 2, 3) * orders_of_flop(game)
    faults = Faults(scene, actions, deals * stage.ways * game.scale, stage.ways * game.scale)
    values = np.stack(
        [*(stage.required + k * stage.decided for k in level.multiples), stage.declined]
    )
    chosen = _chosen(strategy.actions[3], level)
    faults.add(
        situations.features, situations.example, arrivals_at_flop(game, strategy), chosen, values
    )
    return faults


def _at_turn(
    game: HoldemGame,
    strategy: StrategyArrays,
    scene: CardsSeen,
    actions: tuple[str, ...],
    level: BetDecision,
) -> Faults:
    deals = comb(game.cards, 2) * comb(game.cards - 2, 3) * orders_of_flop(game) * (game.cards - 5)
    ways = (game.cards - 6) * game.dealer_hands * game.scale
    faults = Faults(scene, actions, deals * ways, ways)

    def visit(arrived: ArrivedAtTurn) -> None:
        found = arrived.found
        if 4 in strategy.actions:
            chosen = _chosen(strategy.actions[4][found.situations], level)
        else:
            chosen = found.values.argmax(axis=0).astype(np.int8)
        situations = turn_situations(game.deck, found.start, found.stop)
        faults.add(situations.features, situations.example, arrived.deals, chosen, found.values)

    visit_turn(game, strategy, visit)
    return faults


def _at_river(
    game: HoldemGame,
    strategy: StrategyArrays,
    scene: CardsSeen,
    actions: tuple[str, ...],
    level: BetDecision,
) -> Faults:
    deals = comb(game.cards, 2) * comb(game.cards - 2, 3) * orders_of_flop(game) * runouts_of(game)
    ways = game.dealer_hands * game.scale
    faults = Faults(scene, actions, deals * ways, ways)

    def visit(found: Arrived) -> None:
        policy = strategy.river.suited if found.suited else strategy.river.plain
        values = [found.required + k * found.decided for k in level.multiples]
        if level.decline == "fold":
            values.append(np.full_like(found.required, game.fold * game.dealer_hands))
        else:
            values.append(found.required)
        every = np.stack(values).reshape(len(values), -1)
        chosen = (
            every.argmax(axis=0) if not policy.size else policy[found.start : found.stop].ravel()
        )
        classes = found.deals.shape[1]

        def example(situation: int) -> ExampleHand:
            board, hand = divmod(situation, classes)
            return river_example(game.deck, found.suited, found.start + board, hand)

        features = river_situations(game.deck, found.suited, found.start, found.stop).features
        flat = features.reshape(len(features), -1)
        faults.add(flat, example, found.deals.ravel(), chosen.astype(np.int8), every)

    visit_river(game, strategy, visit)
    return faults
