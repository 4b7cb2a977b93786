"""The exact price of a strategy: its edge, its cost compared with the best play, and its
mistakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from threading import Lock
from typing import TypeAlias

import numpy as np

from croupier.cards import RANK_WORDS, RANKS
from croupier.mathematics.kernels.arrays import I8, I64
from croupier.mathematics.questions.strategies.compared_hands import HeldFeature, RankedHands
from croupier.mathematics.questions.strategies.compiling import answers_of
from croupier.mathematics.questions.strategies.decisions import (
    Decisions,
    InformationSets,
    Look,
    PlayedFigures,
    StrategyDecision,
    Unit,
)
from croupier.mathematics.questions.strategies.features import Feature
from croupier.mathematics.questions.strategies.situations import ExampleHand
from croupier.mathematics.questions.strategies.text import WrittenStrategy
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen, Features, Flags
from croupier.ranking.hands import CATEGORY_NAMES, Category


@dataclass(frozen=True)
class Mistake:
    """Hands described by the same words and misplayed in the same way. Shares are of all rounds;
    the loss is in units of one required wager per round, frequency included."""

    words: str
    example: ExampleHand
    taken: str
    best: str
    frequency: Fraction
    loss: Fraction


@dataclass(frozen=True)
class Price:
    """The price of a strategy. Amounts in units of one required wager, shares of all rounds."""

    title: str
    rulebook: str
    value: Fraction
    optimal: Fraction
    standard_deviation: float
    units_decided: Fraction  # the average amount bet in play
    frequencies: dict[str, dict[str, Fraction]]
    losses: dict[str, Fraction]  # by decision; they add up to the cost
    mistakes: dict[str, tuple[Mistake, ...]]

    @property
    def house_edge(self) -> Fraction:
        return -self.value

    @property
    def cost(self) -> Fraction:
        return self.optimal - self.value


def price_written(decisions: Decisions, plan: WrittenStrategy, *, mistakes: int) -> Price:
    """Return the price of a written strategy."""
    play = partial(decisions.played, partial(answers_of, plan))
    return price_play(decisions, play, plan.title, mistakes)


def price_play(
    decisions: Decisions, play: Callable[[Look], PlayedFigures], title: str, mistakes: int = 10
) -> Price:
    """Return the price of a strategy, which shows all its decisions and returns its figures."""
    losses = [
        _Losses(choice, decisions.unit(place)) for place, choice in enumerate(decisions.choices)
    ]
    figures = play(lambda sets, answers, weights: losses[sets.place].add(sets, answers, weights))
    by_name = {each.choice.name: each for each in losses}
    assert sum(each.loss for each in losses) == decisions.best_value - figures.value
    return Price(
        title=title,
        rulebook=decisions.rulebook,
        value=figures.value,
        optimal=decisions.best_value,
        standard_deviation=figures.standard_deviation,
        units_decided=figures.units_decided,
        frequencies=figures.frequencies,
        losses={name: each.loss for name, each in by_name.items()},
        mistakes={name: each.mistakes(mistakes) for name, each in by_name.items()},
    )


Key: TypeAlias = tuple[int, int, int]


class _Losses:
    """Collects the losses at one decision as integers over a common total."""

    def __init__(self, choice: StrategyDecision, unit: Unit) -> None:
        self.choice, self._unit = choice, unit
        self._lost = 0
        self._sums: dict[Key, list[int]] = {}
        self._example: dict[Key, tuple[int, Callable[[], ExampleHand], Features]] = {}
        self._lock = Lock()

    @property
    def loss(self) -> Fraction:
        return Fraction(self._lost, self._unit.total)

    def add(self, sets: InformationSets, taken: I8, weights: I64) -> None:
        values, features = sets.values, sets.features
        best = values.argmax(axis=0)
        situations = np.arange(values.shape[1])
        short = values[best, situations] - values[taken, situations]
        wrong = np.flatnonzero((short > 0) & (weights > 0))
        if not len(wrong):
            return
        loss = short[wrong] * weights[wrong]
        codes = _hand_codes(self.choice.scene, features[:, wrong])
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
            self._lost += int(loss.sum())
            for (code, said, right), (lost, weight), at in zip(
                kinds.T.tolist(), sums.T.tolist(), worst.tolist(), strict=True
            ):
                key = (code, said, right)
                total = self._sums.setdefault(key, [0, 0])
                total[0] += lost
                total[1] += weight
                size, number = int(loss[at]), int(wrong[at])
                if key not in self._example or self._example[key][0] < size:
                    shown = features[:, number : number + 1].copy()
                    self._example[key] = size, partial(sets.example, number), shown

    def mistakes(self, most: int) -> tuple[Mistake, ...]:
        worst = sorted(self._sums.items(), key=lambda item: (-item[1][0], item[0]))[:most]
        return tuple(
            Mistake(
                _hand_words(self.choice.scene, self._example[key][2]),
                self._example[key][1](),
                self.choice.actions[key[1]],
                self.choice.actions[key[2]],
                Fraction(weight * self._unit.ways, self._unit.total),
                Fraction(lost, self._unit.total),
            )
            for key, (lost, weight) in worst
        )


# -- a hand in a few words: hands that read alike are one entry ------------------------------------

F = Feature


def _parts(scene: CardsSeen, seen: Features) -> list[I64]:
    """Return the key of an entry, each part at least 0 and less than 64."""
    wide = seen.astype(np.int64)
    if scene.community == 0 and scene.own == 2:
        return [wide[F.HIGH], wide[F.SECOND], wide[F.SUITED]]
    category = wide[F.CATEGORY]
    grouped = (category >= Category.PAIR) & (category != Category.FLUSH)
    rank = np.where(grouped & (wide[F.IMPROVED] == 1), wide[F.MADE], wide[F.HIGH])
    parts = [category, wide[F.IMPROVED], rank + 1]
    if scene.river:
        return [*parts, np.minimum(wide[F.OUTS], 60)]
    return [*parts, *(flag.astype(np.int64) for flag in _draws(scene, seen))]


def _draws(scene: CardsSeen, seen: Features) -> tuple[Flags, Flags, Flags]:
    """Return whether the words name a flush draw, an open-ended one, another straight draw."""
    drawn = min(scene.own + scene.community, 4)
    unmade = seen[F.CATEGORY] < Category.STRAIGHT
    open_ended = unmade & (seen[F.OPEN] == 1)
    straight = unmade & (seen[F.STRAIGHT] == drawn) & ~open_ended
    return unmade & (seen[F.FLUSH] == drawn), open_ended, straight


def _hand_codes(scene: CardsSeen, seen: Features) -> I64:
    """Return a number per hand; hands with the same number have the same words."""
    if scene.ranked is not None:
        return _compared_codes(scene.ranked, seen)
    code = np.zeros(seen.shape[1], np.int64)
    for part in _parts(scene, seen):
        code = code * 64 + part
    return code


def _compared_codes(ranked: RankedHands, seen: Features) -> I64:
    """Return codes by the words of the hand and the highest of the dealer's cards."""
    kinds = [ranked.hand_name(strength) for strength in range(ranked.count)]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(kinds))}
    of_strength = np.array([numbers[key] for key in kinds], np.int64)
    strengths, dealer = seen[HeldFeature.STRENGTH], seen[HeldFeature.DEALER].astype(np.int64)
    return np.asarray(of_strength[strengths] * 14 + dealer + 1)


def _article(rank: str) -> str:
    return f"an {rank}" if rank[0] in "ae" else f"a {rank}"


def _hand_words(scene: CardsSeen, seen: Features) -> str:
    """Return the words of one hand: `seen` has one column."""
    if scene.ranked is not None:
        hand = scene.ranked.hand_name(int(seen[HeldFeature.STRENGTH, 0]))
        dealer = int(seen[HeldFeature.DEALER, 0])
        return f"{hand} against {_article(RANK_WORDS[dealer])}" if dealer >= 0 else hand
    values = [int(value) for value in seen[:, 0]]
    if scene.community == 0 and scene.own == 2:
        suited = "" if values[F.HIGH] == values[F.SECOND] else "s" if values[F.SUITED] else "o"
        return RANKS[values[F.HIGH]] + RANKS[values[F.SECOND]] + suited
    words = [_made(scene, values)]
    if scene.river:
        words.append(f"{values[F.OUTS]} dealer outs")
        return ", ".join(words)
    flush, open_ended, straight = (bool(flag[0]) for flag in _draws(scene, seen))
    many = "three" if scene.own + scene.community == 3 else "four"
    if flush:
        words.append(f"{many} to a flush")
    if open_ended:
        words.append("open-ended")
    if straight:
        words.append(f"{many} to a straight")
    return ", ".join(words)


def _made(scene: CardsSeen, values: list[int]) -> str:
    category = Category(values[F.CATEGORY])
    if category == Category.HIGH_CARD:
        return f"{RANK_WORDS[values[F.HIGH]]} high"
    name = CATEGORY_NAMES[category].replace("_", " ")
    if scene.community and not values[F.IMPROVED]:
        return f"the board's {name}, own {RANK_WORDS[values[F.HIGH]]} high"
    if category == Category.FLUSH:
        return f"{name}, own {RANK_WORDS[values[F.HIGH]]} high"
    rank = RANK_WORDS[values[F.MADE]]
    if category in {Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}:
        return f"{name}, {rank} high"
    return f"{name}, {rank}{'es' if rank.endswith('x') else 's'}"
