"""Choosing few phrases that lose little: greedy, by what each hand gains.

Hands on which all phrases say the same are counted together, so a candidate costs microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from threading import Lock
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.mathematics.questions.strategies.text import phrase_test
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen, Features, HandTest

__all__ = [
    "Cases",
    "ChosenPhrases",
    "Counter",
    "Floats",
    "choose",
    "usable_phrases",
    "written_section",
]

Floats: TypeAlias = npt.NDArray[np.float64]


_MOST_FOR_PAIRS: Final = 400
"""Among more phrases than this no pair is tried in the place of one: it would take minutes."""


@dataclass(frozen=True)
class Cases:
    """Hands on which all phrases agree, together: holds[phrase, case], and what betting gains."""

    holds: npt.NDArray[np.bool_]
    gain: Floats
    best: float  # the gain of the best play

    def without(self, phrases: Sequence[int]) -> Cases:
        """Those in which none of these phrases holds."""
        free = ~self.holds[phrases].any(axis=0)
        return Cases(self.holds[:, free], self.gain[free], self.best)


@dataclass(frozen=True)
class ChosenPhrases:
    phrases: tuple[str, ...]
    lost: float


class Counter:
    """Adds up gains by which phrases hold; a case is the packed row of their answers."""

    def __init__(self, tests: Sequence[HandTest]) -> None:
        self.tests = tests
        self.sums: dict[bytes, float] = {}
        self.best = 0.0
        self._lock = Lock()

    def add(self, features: Features, gains: Floats) -> None:
        used = np.flatnonzero(gains)
        if not len(used):
            return
        features, gains = features[:, used], gains[used]
        bits = np.packbits(np.stack([test(features) for test in self.tests]), axis=0)
        rows = np.ascontiguousarray(bits.T)
        packed = rows.view([("", np.uint8)] * rows.shape[1]).ravel()
        kinds, where = np.unique(packed, return_inverse=True)
        sums = np.bincount(where.ravel(), weights=gains, minlength=len(kinds))
        with self._lock:
            self.best += float(np.maximum(gains, 0).sum())
            for kind, total in zip(kinds, sums.tolist(), strict=True):
                key = kind.tobytes()
                self.sums[key] = self.sums.get(key, 0.0) + total

    def cases(self) -> Cases:
        packed = np.frombuffer(b"".join(self.sums), np.uint8).reshape(len(self.sums), -1)
        holds = np.unpackbits(packed, axis=1, count=len(self.tests)).T.astype(np.bool_)
        return Cases(holds, np.array(list(self.sums.values())), self.best)


def choose(cases: Cases, phrases: Sequence[str], word_price: float) -> ChosenPhrases:
    """The phrases whose loss plus the price of their words is least, as far as steps can tell."""
    prices = [word_price * len(phrase.split()) for phrase in phrases]

    def worth(chosen: frozenset[int]) -> float:
        if not chosen:
            return 0.0
        taken = np.logical_or.reduce([cases.holds[i] for i in chosen])
        return float(cases.gain @ taken) - sum(prices[i] for i in chosen)

    chosen: frozenset[int] = frozenset()
    while True:
        better = _step(chosen, worth, len(phrases))
        if better is None:
            break
        chosen = better
    taken = cases.holds[sorted(chosen)].any(axis=0) if chosen else np.zeros(len(cases.gain), bool)
    lost = cases.best - float(cases.gain[taken].sum())
    order = sorted(chosen, key=lambda i: -float(cases.gain[cases.holds[i]].sum()))
    return ChosenPhrases(tuple(phrases[i] for i in order), lost)


Worth: TypeAlias = Callable[[frozenset[int]], float]


def _step(chosen: frozenset[int], worth: Worth, phrases: int) -> frozenset[int] | None:
    """The best of adding, dropping or exchanging one; failing that, of one for two others."""
    others = [i for i in range(phrases) if i not in chosen]
    single = [chosen | {i} for i in others]
    single += [chosen - {i} for i in chosen]
    single += [chosen - {i} | {j} for i in chosen for j in others]
    now = worth(chosen) + 1e-12
    best = max(single, key=worth)
    if worth(best) > now:
        return best
    if phrases > _MOST_FOR_PAIRS:
        return None
    double = (chosen - {i} | set(two) for i in chosen for two in combinations(others, 2))
    best = max(double, key=worth, default=chosen)
    return best if worth(best) > now else None


def usable_phrases(phrases: Iterable[str], scene: CardsSeen) -> dict[str, HandTest]:
    """The tests of those that have a meaning at a decision."""
    tests = {phrase: phrase_test(phrase, scene) for phrase in phrases}
    return {phrase: test for phrase, test in tests.items() if test is not None}


def written_section(
    decision: str, lines: Iterable[tuple[str, Sequence[str]]], otherwise: str
) -> str:
    """The text of a decision; `lines` are actions with their hands, each of what is left."""
    text = [f"{decision.replace('_', ' ')}:\n"]
    for action, hands in lines:
        if hands:
            left_over = "otherwise " if len(text) > 1 else ""
            text.append(f"    {action} {left_over}with {', '.join(hands)}\n")
    return "".join([*text, f"    {otherwise} otherwise\n"])
