"""What a strategy loses, decision by decision and hand by hand, against the best play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb
from threading import Lock
from typing import NamedTuple, TypeAlias

import numpy as np

from croupier.mathematics.counters.boards.games import HoldemGame, Path
from croupier.mathematics.counters.boards.geometry import orbits_of
from croupier.mathematics.counters.boards.solver import (
    Solution,
    Stage,
    is_asked_at_river,
    river_game,
)
from croupier.mathematics.counters.boards.strategies import Strategy, orders_of_flop, runouts_of
from croupier.mathematics.kernels.arrays import I8, I64
from croupier.mathematics.questions.strategies.choices import Fork, HoldemChoice, forks
from croupier.mathematics.questions.strategies.decisions_reached import (
    Arrived,
    AtTurn,
    arrivals_at_flop,
    orders_before,
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

__all__ = ["Faults", "Mistake", "deals_of", "holdem_faults", "river_values"]


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
    solution: Solution, strategy: Strategy, choices: Sequence[HoldemChoice]
) -> dict[str, Faults]:
    """By the choices' names. The losses add up to the whole cost of the strategy."""
    found: dict[str, Faults] = {}
    for level in solution.game.levels:
        here = [choice for choice in choices if choice.seen == level.seen]
        if level.seen == 5:
            found |= _at_river(strategy, here)
        elif level.seen == 4:
            found |= _at_turn(strategy, here)
        else:
            found |= _up_to_flop(solution, strategy, here, level.seen)
    return found


def deals_of(game: HoldemGame, seen: int) -> int:
    """Hands with the community cards seen, in the orders told apart."""
    hands = comb(game.cards, 2)
    if seen < 3:
        return hands * comb(game.cards - 2, seen) * (2 if seen == 2 else 1)
    flops = hands * comb(game.cards - 2, 3) * orders_of_flop(game)
    return flops * (1, game.cards - 5, runouts_of(game))[seen - 3]


def _faults(game: HoldemGame, here: Sequence[HoldemChoice], ways: int) -> dict[str, Faults]:
    total = deals_of(game, here[0].seen) * ways if here else 0
    return {
        choice.decision.name: Faults(choice.decision.scene, choice.decision.actions, total, ways)
        for choice in here
    }


class _Hands(NamedTuple):
    """Situations with what is seen there, and how many deals come to each."""

    features: I8
    example: Callable[[int], ExampleHand]
    weights: I64


def _add(
    found: Mapping[str, Faults],
    every: Sequence[Fork],
    hands: _Hands,
    chosen: I8,
    values: Sequence[I64],
) -> None:
    """`chosen` are the places of the answers taken, and `values` what each answer is worth."""
    for fork in every:
        taken, mine = np.zeros(len(chosen), np.int8), np.zeros(len(chosen), np.bool_)
        worth = []
        for action, places in enumerate(fork.places):
            if not places:  # the same bet is offered in other words
                worth.append(np.full(len(chosen), np.iinfo(np.int64).min // 2))
                continue
            worth.append(np.maximum.reduce([values[place] for place in places]))
            here = np.isin(chosen, places) if len(places) > 1 else chosen == places[0]
            taken[here] = action
            mine |= here
        weights = hands.weights if len(every) == 1 else hands.weights * mine
        faults = found[fork.choice.decision.name]
        faults.add(hands.features, hands.example, weights, taken, np.stack(worth))


def _up_to_flop(
    solution: Solution, strategy: Strategy, here: Sequence[HoldemChoice], seen: int
) -> dict[str, Faults]:
    game, stage = solution.game, solution.stages[seen]
    found = _faults(game, here, stage.ways * game.scale)
    situations = flop_situations(game.deck) if seen == 3 else early_situations(game.deck, seen)
    if seen == 3:
        arriving = arrivals_at_flop(strategy)
    else:
        size = orbits_of(game.deck, seen).size
        arriving = {path: size * times for path, times in orders_before(strategy, seen).items()}
    for path in stage.level.asked_paths:
        hands = _Hands(situations.features, situations.example, arriving[path])
        answers = stage.answers(path)
        values = [_each(stage, answer) for answer in answers]
        chosen = strategy.answers[seen][path]
        _add(found, list(forks(here, answers)), hands, chosen, values)
    return found


def _each(stage: Stage, path: Path) -> I64:
    """The sums of one member of every orbit: before the flop they run over all of them and are
    Python's integers (refused if one does not fit 64 bits)."""
    sums = stage.worth(path)
    if stage.size is None:
        return sums
    each = [divmod(int(value), int(size)) for value, size in zip(sums, stage.size, strict=True)]
    assert not any(rest for _, rest in each), "all members of an orbit have the same value"
    return np.array([value for value, _ in each])


def _at_turn(strategy: Strategy, here: Sequence[HoldemChoice]) -> dict[str, Faults]:
    game = strategy.game
    found = _faults(game, here, (game.cards - 6) * game.dealer_hands * game.scale)

    def visit(arrived: AtTurn) -> None:
        situations = turn_situations(game.deck, arrived.start, arrived.stop)
        hands = _Hands(situations.features, situations.example, arrived.deals)
        if strategy.is_asked(4, arrived.path):
            chosen = strategy.answers[4][arrived.path][arrived.situations]
        else:
            chosen = arrived.values.argmax(axis=0).astype(np.int8)
        every = list(forks(here, game.answers(4, arrived.path)))
        _add(found, every, hands, chosen, list(arrived.values))

    visit_turn(strategy, visit)
    return found


def _at_river(strategy: Strategy, here: Sequence[HoldemChoice]) -> dict[str, Faults]:
    game = strategy.game
    found = _faults(game, here, game.dealer_hands * game.scale)
    (faults,) = found.values()

    def add(path: Path, arrived: Arrived) -> None:
        policy = strategy.river.suited if arrived.suited else strategy.river.plain
        every = river_values(game, path, arrived)
        chosen = every.argmax(axis=0)
        if policy.size:
            chosen = policy[arrived.start : arrived.stop].ravel()
        classes = arrived.deals.shape[1]

        def example(situation: int) -> ExampleHand:
            board, hand = divmod(situation, classes)
            return river_example(game.deck, arrived.suited, arrived.start + board, hand)

        part = (arrived.suited, arrived.start, arrived.stop)
        features = river_situations(game.deck, *part).features
        flat = features.reshape(len(features), -1)
        faults.add(flat, example, arrived.deals.ravel(), chosen.astype(np.int8), every)

    for path in strategy.origins:
        if not path.folded and is_asked_at_river(game, path):
            visit_river(strategy, path, partial(add, path))
    return found


def river_values(game: HoldemGame, path: Path, arrived: Arrived) -> I64:
    """[choice, situation]: what the river's choices are worth, as `RiverGame` lists them."""
    own, _ = river_game(game, path)
    values = [arrived.required + k * arrived.decided for k in own.multiples]
    if own.folds:
        values.append(np.zeros_like(arrived.required))
    return np.stack(values).reshape(len(values), -1)
