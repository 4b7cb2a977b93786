"""The search for short strategies above the decisions of any game.

Where more than one bet is worth it, the phrases for the largest are chosen first, then those for
the next among the hands that are left. Every hand counts as often as it comes to the decision when
the decisions before are played as written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final

import numpy as np

from croupier.mathematics.kernels.arrays import I8, I64
from croupier.mathematics.questions.strategies.choosing import (
    Counter,
    Floats,
    choose,
    usable_phrases,
    written_section,
)
from croupier.mathematics.questions.strategies.compared_hands import HeldFeature, RankedHands
from croupier.mathematics.questions.strategies.compared_words import phrases_of_cuts, plain_phrases
from croupier.mathematics.questions.strategies.decisions import (
    NEVER,
    Decisions,
    InformationSets,
    Look,
)
from croupier.mathematics.questions.strategies.phrases import library
from croupier.mathematics.questions.strategies.text import WrittenStrategy, read_text
from croupier.mathematics.questions.strategies.vocabulary import Features
from croupier.mathematics.questions.strategies.written import answers_of

__all__ = ["search_decisions"]

_CHUNK: Final = 1 << 16
"""So many hands are asked about all phrases at a time."""


def search_decisions(decisions: Decisions, word_price: float, say: Callable[[str], None]) -> str:
    """The text of a simple strategy; `say` gets what each decision loses."""
    plans: list[WrittenStrategy] = []
    for place in range(len(decisions.choices)):
        search = _Search(decisions, place, plans)
        text = search.text(word_price)
        plans.append(read_text(text, [decisions.choices[place]]))
        lost = search.lost()
        say(f"{decisions.choices[place].name}: loses {lost:.6f} with {text.strip()!r}")
    return "".join(plan.text for plan in plans)


class _Search:
    """One decision; `plans` has a text for each before it, and soon its own."""

    def __init__(self, decisions: Decisions, place: int, plans: list[WrittenStrategy]) -> None:
        self._decisions, self._place, self._plans = decisions, place, plans
        self._choice = decisions.choices[place]
        bets = decisions.rules.book.decisions[place]
        self._otherwise = len(self._choice.actions) - (2 if bets.takes_back else 1)
        used = decisions.answers_used(place) - {self._otherwise}
        units = [*bets.bets.values(), *[0] * len(self._choice.actions)]
        self._order = sorted(used, key=lambda answer: units[answer], reverse=True)

    def text(self, word_price: float) -> str:
        scene = self._choice.scene
        wanted = self._cut_phrases() if scene.ranked else library(scene)
        tests = usable_phrases(dict.fromkeys(wanted), scene)
        counters = [Counter(list(tests.values())) for _ in self._order]
        self._visit(lambda sets, _, weights: self._count(sets, weights, counters))
        lines = []
        taken: list[str] = []
        for answer, counter in zip(self._order, counters, strict=True):
            if counter.sums:
                cases = counter.cases().without([list(tests).index(phrase) for phrase in taken])
                phrases = choose(cases, list(tests), word_price).phrases
                lines.append((self._choice.actions[answer], phrases))
                taken += phrases
        actions = self._choice.actions
        return written_section(self._choice.name, lines, actions[self._otherwise])

    def lost(self) -> float:
        """What the last of the texts loses at this decision."""
        sums: list[float] = []

        def look(sets: InformationSets, answers: I8, weights: I64) -> None:
            values = sets.values
            chosen = np.take_along_axis(values, answers[None].astype(np.int64), axis=0)[0]
            sums.append(float((self._worth(values.max(axis=0) - chosen) * weights).sum()))

        self._visit(look)
        return sum(sums)

    def _visit(self, look: Look) -> None:
        """All sets of this decision, with the weights that the texts so far lead to."""

        def answer(sets: InformationSets) -> I8:
            if sets.place >= len(self._plans):
                return sets.best
            plan = self._plans[sets.place]
            return answers_of(plan, plan.sections[0], sets)

        def at_place(sets: InformationSets, answers: I8, weights: I64) -> None:
            if sets.place == self._place:
                look(sets, answers, weights)

        self._decisions.played(answer, at_place)

    def _worth(self, values: I64) -> Floats:
        """In units of one required wager, of all rounds."""
        return np.asarray(values / self._decisions.unit(self._place).total)

    def _gains(self, values: I64) -> list[Floats]:
        """What each answer brings over the best of those that come after it."""
        found = []
        for number, answer in enumerate(self._order):
            left = [*self._order[number + 1 :], self._otherwise]
            rest = np.maximum.reduce([values[other] for other in left])
            known = (values[answer] != NEVER) | (rest != NEVER)
            gain = np.where(values[answer] == NEVER, -1e18, self._worth(values[answer] - rest))
            found.append(np.where(known, gain, 0.0))
        return found

    def _count(self, sets: InformationSets, weights: I64, counters: Sequence[Counter]) -> None:
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

        def look(sets: InformationSets, _: I8, weights: I64) -> None:
            groups = _groups(sets.features, ranked)
            for number, gain in enumerate(self._gains(sets.values)):
                # A hand that does not allow the bet has no say in where the line is drawn.
                worth = np.where(gain > -1e17, gain, 0.0) * weights
                found = np.bincount(groups, worth, sums[number].size)
                with lock:
                    sums[number] += found.reshape(sums[number].shape)

        self._visit(look)
        cuts = set()
        for by_card in sums:
            each = [by_card.sum(axis=(0, 1)), by_card[:, 0].sum(axis=0), by_card[:, 1].sum(axis=0)]
            cuts |= {_cut(gains) for gains in (*each, *by_card.sum(axis=1)) if gains.any()}
        phrases = (*plain_phrases(scene), *phrases_of_cuts(scene, cuts - {ranked.count}))
        return list(phrases)


def _groups(features: Features, ranked: RankedHands) -> I64:
    dealer = features[HeldFeature.DEALER].astype(np.int64) + 1
    matches = features[HeldFeature.MATCHES] > 0
    strengths = features[HeldFeature.STRENGTH]
    return np.asarray((dealer * 2 + matches) * ranked.count + strengths)


def _cut(gains: Floats) -> int:
    """The strength from which on taking all hands gains most."""
    above = np.append(np.cumsum(gains[::-1])[::-1], 0.0)
    return int(above.argmax())
