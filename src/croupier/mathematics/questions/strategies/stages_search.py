"""The search for short strategies for games of streets.

Where more than one bet is worth it, the phrases for the largest are chosen first, then those for
the next among the hands that are left. Every hand counts as often as it comes to the decision when
the decisions before are played as written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.stages.outcomes import played_out
from croupier.mathematics.counters.stages.solver import Asked, StreetsSolution
from croupier.mathematics.questions.strategies.choices import StrategyDecision
from croupier.mathematics.questions.strategies.choosing import (
    Counter,
    choose,
    usable_phrases,
    written_section,
)
from croupier.mathematics.questions.strategies.phrases import library
from croupier.mathematics.questions.strategies.stages_plans import (
    Answers,
    Hands,
    compile_section,
    following,
    hands_at,
    solve_apart,
)
from croupier.mathematics.questions.strategies.text import read_text
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen, Flags, HandTest
from croupier.rulebooks.rules import Rules

__all__ = ["search_streets"]

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def search_streets(
    rules: Rules,
    choices: Sequence[StrategyDecision],
    word_price: float,
    say: Callable[[str], None],
) -> str:
    """The text of a simple strategy; `say` gets what each decision loses."""
    solution = solve_apart(rules)
    answers: dict[str, NDArray[np.int8]] = {}
    parts = []
    for place, (asked, choice) in enumerate(zip(solution.asked, choices, strict=True)):
        decision = _Decision(solution, asked, choice, answers, place)
        lines = [(choice.actions[answer], hands) for answer, hands in decision.lines(word_price)]
        text = written_section(choice.name, lines, choice.actions[decision.otherwise])
        plan = read_text(text, [choice])
        answers[choice.name] = compile_section(solution, asked, plan, plan.sections[0])
        lost = decision.lost(answers[choice.name])
        say(f"{choice.name}: loses {lost:.6f} with {text.strip()!r}")
        parts.append(text)
    return "".join(parts)


class _Decision:
    """A decision with what each answer is worth to every hand that comes to it, in units of one
    required wager and times how often it comes."""

    def __init__(
        self,
        solution: StreetsSolution,
        asked: Asked,
        choice: StrategyDecision,
        answers: Answers,
        place: int,
    ) -> None:
        self.choice = choice
        self.hands: Hands = hands_at(solution, asked)
        back = asked.question.decision.takes_back
        words = [answer.word for answer in asked.question.answers]
        self._units = [answer.units for answer in asked.question.answers]
        self.otherwise = len(words) - (2 if back else 1)
        weights = played_out(following(solution, answers)).arrivals[place]
        total = float(solution.stages.ways(0) * solution.scale)
        self.worth = [values * (weights / total) for values in asked.values]
        self._best = asked.best[weights > 0]

    def lines(self, word_price: float) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The answers that are ever the best, with the phrases for them."""
        scene = self.choice.scene
        tests = usable_phrases((*library(scene), *_phrases(scene)), scene)
        free = np.ones(self.worth[0].shape, np.bool_)
        named = set(self._best.ravel().tolist()) - {self.otherwise}
        left = sorted(named, key=lambda answer: self._units[answer], reverse=True)
        while left:
            answer = left.pop(0)
            rest = np.maximum.reduce([self.worth[other] for other in (*left, self.otherwise)])
            gains = np.where(free, self.worth[answer] - rest, 0.0)
            counter = Counter(list(tests.values()))
            for column, features in self.hands.features():
                counter.add(features, gains[:, column])
            if not counter.sums:
                continue
            phrases = choose(counter.cases(), list(tests), word_price).phrases
            yield answer, phrases
            for held in self.holding([tests[phrase] for phrase in phrases]):
                free &= ~held

    def holding(self, tests: Sequence[HandTest]) -> Iterator[Flags]:
        """For each test, by row and combination of bets, whether it holds."""
        for test in tests:
            held = [test(features) for _, features in self.hands.features()]
            yield np.stack(held, axis=1)

    def lost(self, answers: NDArray[np.int8]) -> float:
        worth = np.stack(self.worth)
        chosen = np.take_along_axis(worth, answers[None].astype(np.int64), axis=0)[0]
        return float((worth.max(axis=0) - chosen).sum())


def _phrases(scene: CardsSeen) -> Iterator[str]:
    """What only games of streets have words for, where the ranks are not all worth the same."""
    if len(set(scene.points)) < 2:
        return
    seen = scene.own + scene.community
    points = [_counted(number, "point") for number in range(1, min(2 * seen, 9) + 1)]
    for each in points:
        yield f"at least {each}"
        yield f"suited and at least {each}"
    yield from ("a pair", "a pair or better", "three of a kind or better", "two pair or better")
    for rank in ("fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens"):
        yield f"a pair of {rank} or better"
    draws = [f"{_NUMBERS[seen]} to a flush", f"{_NUMBERS[seen]} to a royal flush"]
    for word in ("straight", "straight flush"):
        draws += [f"{_NUMBERS[seen]} to a {word} with no gaps", f"{_NUMBERS[seen]} to a {word}"]
        draws += [f"{_NUMBERS[seen]} to a {word} with at most one gap"]
    counts = [
        _counted(number, f"{kind} card")
        for number in range(1, seen + 1)
        for kind in (("high", "middle") if 1 in scene.points else ("high",))
    ]
    for draw in draws:
        yield draw
        yield from (f"{draw} and {count}" for count in counts)
        yield from (f"{draw} and at least {each}" for each in points)
    for count in counts:
        yield count
        yield from (
            f"{count} and at least {_counted(units, 'unit')} down" for units in (4, 5, 6, 7)
        )


def _counted(number: int, word: str) -> str:
    return f"{_NUMBERS[number]} {word}{'s' if number > 1 else ''}"
