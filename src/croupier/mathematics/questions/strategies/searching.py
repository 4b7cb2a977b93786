"""The search for short strategies that lose little: greedy, by what each hand gains.

Decision by decision, in order, it looks for the set of phrases to bet with whose loss, counted on
every hand that comes there when the decisions before are played as written, plus a price for every
word to remember is least: adding, dropping and exchanging phrases until nothing helps. Hands on
which all phrases say the same are counted together, so a candidate costs microseconds. Where more
than one bet is worth it, the phrases for the largest are chosen first, then those for the next
among the hands that are left. The result is a text, priced exactly like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from threading import Lock
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.questions.strategies.compared_hands import HeldFeature, RankedHands
from croupier.mathematics.questions.strategies.compared_words import phrases_of_cuts, plain_phrases
from croupier.mathematics.questions.strategies.compiling import answers_of
from croupier.mathematics.questions.strategies.decisions import (
    NEVER,
    Choose,
    Decisions,
    InformationSets,
)
from croupier.mathematics.questions.strategies.phrases import library
from croupier.mathematics.questions.strategies.text import phrase_test, read_text
from croupier.mathematics.questions.strategies.vocabulary import Features, HandTest

Floats: TypeAlias = npt.NDArray[np.float64]

_CHUNK: Final = 1 << 16
"""This many hands are asked about all phrases at a time."""
_MOST_FOR_PAIRS: Final = 400
"""Among more phrases than this no pair is tried in the place of a single one: it would take
minutes."""


def search_decisions(decisions: Decisions, word_price: float, say: Callable[[str], None]) -> str:
    """The text of a simple strategy; `say` gets what each decision loses."""
    text = ""
    for place, choice in enumerate(decisions.choices):
        earlier = partial(answers_of, read_text(text, decisions.choices[:place]))
        lines, lost = _Search(decisions, place, earlier).lines(word_price)
        say(f"{choice.name}: loses {lost:.6f} with {'; '.join(lines)}")
        text += "\n    ".join([f"{choice.name.replace('_', ' ')}:", *lines]) + "\n"
    return text


class _Search:
    """One decision; those before it are answered by `earlier`."""

    def __init__(self, decisions: Decisions, place: int, earlier: Choose) -> None:
        self._decisions, self._place, self._earlier = decisions, place, earlier
        self._choice = decisions.choices[place]
        self._order, self._otherwise = decisions.searched(place)
        self._total = float(decisions.unit(place).total)

    def lines(self, word_price: float) -> tuple[list[str], float]:
        """The lines of the text, and what they lose in units of one required wager."""
        scene, actions = self._choice.scene, self._choice.actions
        wanted = self._cut_phrases() if scene.ranked else library(scene, folds="fold" in actions)
        tests = {phrase: phrase_test(phrase, scene) for phrase in dict.fromkeys(wanted)}
        usable = {phrase: test for phrase, test in tests.items() if test is not None}
        counters = [_Counter(list(usable.values())) for _ in self._order]
        self._visit(lambda sets, weights: self._count(sets, weights, counters))
        lines: list[str] = []
        taken: list[str] = []
        lost = 0.0
        for answer, counter in zip(self._order, counters, strict=True):
            if counter.sums:
                cases = counter.cases().without([list(usable).index(phrase) for phrase in taken])
                phrases, loss = choose(cases, list(usable), word_price)
                lost += loss
                if phrases:
                    left_over = "otherwise " if lines else ""
                    lines.append(f"{actions[answer]} {left_over}with {', '.join(phrases)}")
                taken += phrases
        return [*lines, f"{actions[self._otherwise]} otherwise"], lost

    def _visit(self, look: Callable[[InformationSets, I64], None]) -> None:
        self._decisions.visit(self._place, self._earlier, look)

    def _gains(self, values: I64) -> list[Floats]:
        """What each answer brings over the best of those that come after it, in units of one
        required wager, of all rounds."""
        gains = []
        for number, answer in enumerate(self._order):
            left = [*self._order[number + 1 :], self._otherwise]
            rest = np.maximum.reduce([values[other] for other in left])
            known = (values[answer] != NEVER) | (rest != NEVER)
            gain = np.where(values[answer] == NEVER, -1e18, (values[answer] - rest) / self._total)
            gains.append(np.where(known, gain, 0.0))
        return gains

    def _count(self, sets: InformationSets, weights: I64, counters: Sequence[_Counter]) -> None:
        features = sets.features
        gains = [gain * weights for gain in self._gains(sets.values)]
        for start in range(0, features.shape[1], _CHUNK):
            part = slice(start, start + _CHUNK)
            for counter, gain in zip(counters, gains, strict=True):
                counter.add(features[:, part], gain[part])

    # -- hands against the dealer's: where the best play changes ----------------------------------

    def _cut_phrases(self) -> list[str]:
        """Hands from which on an answer pays, for all of the dealer's cards together and for each,
        and where that card matches one's own."""
        scene = self._choice.scene
        assert scene.ranked is not None
        ranked, lock = scene.ranked, Lock()
        sums = np.zeros((len(self._order), 14, 2, ranked.count))

        def look(sets: InformationSets, weights: I64) -> None:
            groups = _groups(sets.features, ranked)
            for number, gain in enumerate(self._gains(sets.values)):
                # A hand that does not allow the bet has no say in where the line is drawn.
                worth = np.where(gain > -1e17, gain, 0.0) * weights
                by_group = np.bincount(groups, worth, sums[number].size)
                with lock:
                    sums[number] += by_group.reshape(sums[number].shape)

        self._visit(look)
        cuts = set()
        for by_card in sums:
            each = [by_card.sum(axis=(0, 1)), by_card[:, 0].sum(axis=0), by_card[:, 1].sum(axis=0)]
            cuts |= {_cut(gains) for gains in (*each, *by_card.sum(axis=1)) if gains.any()}
        return [*plain_phrases(scene), *phrases_of_cuts(scene, cuts - {ranked.count})]


def _groups(features: Features, ranked: RankedHands) -> I64:
    dealer = features[HeldFeature.DEALER].astype(np.int64) + 1
    matches = features[HeldFeature.MATCHES] > 0
    strengths = features[HeldFeature.STRENGTH]
    return np.asarray((dealer * 2 + matches) * ranked.count + strengths)


def _cut(gains: Floats) -> int:
    """The strength from which on taking all hands gains most."""
    above = np.append(np.cumsum(gains[::-1])[::-1], 0.0)
    return int(above.argmax())


# -- choosing phrases -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Cases:
    """Hands on which all phrases agree, together: holds[phrase, case], and what betting gains: with
    every hand of a case, or with those only where it does gain."""

    holds: npt.NDArray[np.bool_]
    gain: Floats
    best: Floats

    def without(self, phrases: Sequence[int]) -> Cases:
        """Those in which none of these phrases holds."""
        free = ~self.holds[phrases].any(axis=0)
        return Cases(self.holds[:, free], self.gain[free], self.best[free])


class _Counter:
    """Adds up gains by which phrases hold; a case is the packed row of their answers."""

    def __init__(self, tests: Sequence[HandTest]) -> None:
        self.tests = tests
        self.sums: dict[bytes, tuple[float, float]] = {}
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
        sums, best = (
            np.bincount(where.ravel(), weights=each, minlength=len(kinds)).tolist()
            for each in (gains, np.maximum(gains, 0))
        )
        with self._lock:
            for kind, gain, most in zip(kinds, sums, best, strict=True):
                key = kind.tobytes()
                before = self.sums.get(key, (0.0, 0.0))
                self.sums[key] = (before[0] + gain, before[1] + most)

    def cases(self) -> Cases:
        packed = np.frombuffer(b"".join(self.sums), np.uint8).reshape(len(self.sums), -1)
        holds = np.unpackbits(packed, axis=1, count=len(self.tests)).T.astype(np.bool_)
        gain, best = np.array(list(self.sums.values())).T
        return Cases(holds, gain, best)


def choose(cases: Cases, phrases: Sequence[str], word_price: float) -> tuple[list[str], float]:
    """The phrases whose loss plus the price of their words is least, as far as steps can tell, and
    their loss."""
    prices = [word_price * len(phrase.split()) for phrase in phrases]

    def worth(chosen: frozenset[int]) -> float:
        if not chosen:
            return 0.0
        taken = np.logical_or.reduce([cases.holds[i] for i in chosen])
        return float(cases.gain @ taken) - sum(prices[i] for i in chosen)

    chosen: frozenset[int] = frozenset()
    while (better := _step(chosen, worth, len(phrases))) is not None:
        chosen = better
    taken = cases.holds[sorted(chosen)].any(axis=0)
    lost = float(cases.best.sum()) - float(cases.gain[taken].sum())
    order = sorted(chosen, key=lambda i: -float(cases.gain[cases.holds[i]].sum()))
    return [phrases[i] for i in order], lost


def _step(
    chosen: frozenset[int], worth: Callable[[frozenset[int]], float], phrases: int
) -> frozenset[int] | None:
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
