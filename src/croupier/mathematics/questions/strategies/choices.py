"""The decisions of a game as a written strategy answers them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from croupier.mathematics.counters.boards.games import HoldemGame, Path
from croupier.mathematics.counters.boards.rulebook import game_of
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen
from croupier.rulebooks.rules import Rules

__all__ = ["Fork", "HoldemChoice", "StrategyDecision", "choices_of", "forks", "holdem_choices"]


@dataclass(frozen=True)
class StrategyDecision:
    """A decision as a strategy's text sees it."""

    name: str
    actions: tuple[str, ...]  # bets in the order offered, then what declining is called
    scene: CardsSeen


@dataclass(frozen=True)
class HoldemChoice:
    """The questions about one wager on the same cards are one choice, under the first's name; of
    two words for the same bet the first counts."""

    decision: StrategyDecision
    actions: Mapping[tuple[int, str], int]
    """By question and word: the place of the action."""

    @property
    def seen(self) -> int:
        return self.decision.scene.community


def holdem_choices(game: HoldemGame, names: Sequence[str]) -> tuple[HoldemChoice, ...]:
    """The choices that some path comes to; `names` are those of the questions."""
    asked = {number for path in game.paths for number, _ in path.said}
    groups: dict[tuple[int, int], list[int]] = {}
    for number, question in enumerate(game.questions):
        if number in asked:
            groups.setdefault((question.seen, question.wager), []).append(number)
    found = []
    for (seen, _), numbers in groups.items():
        words: dict[int, str] = {}
        for number in numbers:
            for word, multiple in game.questions[number].bets:
                words.setdefault(multiple, word)
        decline = game.questions[numbers[-1]].decline
        actions = (*words.values(), decline) if decline else tuple(words.values())
        decision = StrategyDecision(names[numbers[0]], actions, CardsSeen(2, seen))
        places = {}
        for number in numbers:
            question = game.questions[number]
            places[number, question.decline] = len(words)
            for word, multiple in question.bets:
                places[number, word] = list(words).index(multiple)
        found.append(HoldemChoice(decision, places))
    return tuple(found)


def choices_of(rules: Rules) -> tuple[HoldemChoice, ...]:
    return holdem_choices(game_of(rules), [decision.name for decision in rules.book.decisions])


class Fork(NamedTuple):
    """A choice of a path that is asked it; by action, the places of the answers of its level that
    are left then."""

    choice: HoldemChoice
    places: tuple[tuple[int, ...], ...]


def forks(
    choices: Sequence[HoldemChoice], answers: Sequence[Path], among: Sequence[int] | None = None
) -> Iterator[Fork]:
    """The choices of one level that lead to these answers, one after another."""
    left = range(len(answers)) if among is None else among
    for number, choice in enumerate(choices):
        by_action: list[list[int]] = [[] for _ in choice.decision.actions]
        for place in left:
            said = [choice.actions[each] for each in answers[place].said if each in choice.actions]
            if said:
                by_action[said[-1]].append(place)
        if not any(by_action):
            continue
        yield Fork(choice, tuple(map(tuple, by_action)))
        for places in by_action:
            if len(places) > 1:
                yield from forks(choices[number + 1 :], answers, places)
        return
