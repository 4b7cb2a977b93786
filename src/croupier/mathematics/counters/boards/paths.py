"""What a player can have said by each decision, and the bets that are down then.

A `Path` is all that was said up to some point. A `Level` has the paths that come to the decisions
on some number of community cards, and for each of them those that can leave. A decision about a
wager that is down already is not asked, and whoever has folded is asked nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

__all__ = ["Level", "Path", "Question", "levels_of", "paths_of"]


class Question(NamedTuple):
    """A decision: the wager's number among those decided in play, and what may be said: a bet of a
    multiple, or to decline, which is a fold or a check. Without a word nobody may decline."""

    seen: int
    wager: int
    bets: tuple[tuple[str, int], ...]
    decline: str
    folds: bool


class Path(NamedTuple):
    """`said` has the number of each question that was put, with the answer; `bets` the multiple of
    each wager that is down."""

    said: tuple[tuple[int, str], ...]
    bets: tuple[int, ...]
    folded: bool = False


class Level(NamedTuple):
    """`leaving[i]` are the paths that `arriving[i]` can become, in the order offered; itself alone
    where nothing is asked."""

    seen: int
    arriving: tuple[Path, ...]
    leaving: tuple[tuple[Path, ...], ...]

    @property
    def asked(self) -> tuple[int, ...]:
        """The numbers of the arriving paths that are asked something."""
        pairs = zip(self.arriving, self.leaving, strict=True)
        return tuple(number for number, (path, after) in enumerate(pairs) if after != (path,))

    @property
    def asked_paths(self) -> tuple[Path, ...]:
        return tuple(self.arriving[number] for number in self.asked)

    @property
    def onward(self) -> tuple[Path, ...]:
        """All paths that go on from here."""
        return tuple(path for paths in self.leaving for path in paths if not path.folded)


def levels_of(questions: Sequence[Question], wagers: int) -> tuple[Level, ...]:
    """Questions come in the order of the cards seen."""
    numbered = list(enumerate(questions))
    arriving: tuple[Path, ...] = (Path((), (0,) * wagers),)
    levels: list[Level] = []
    for seen, asked in groupby(numbered, key=lambda item: item[1].seen):
        here = list(asked)
        leaving = []
        for start in arriving:
            paths = [start]
            for number, question in here:
                paths = [new for path in paths for new in answers_to(path, number, question)]
            leaving.append(tuple(paths))
        levels.append(Level(seen, arriving, tuple(leaving)))
        arriving = levels[-1].onward
    return tuple(levels)


def answers_to(path: Path, number: int, question: Question) -> list[Path]:
    if path.folded or path.bets[question.wager]:
        return [path]
    before, after = path.bets[: question.wager], path.bets[question.wager + 1 :]
    found = [
        Path((*path.said, (number, word)), (*before, multiple, *after))
        for word, multiple in question.bets
    ]
    if question.decline:
        found.append(Path((*path.said, (number, question.decline)), path.bets, question.folds))
    return found


def paths_of(levels: Sequence[Level]) -> tuple[Path, ...]:
    """All paths there are, the beginning first."""
    found = dict.fromkeys(levels[0].arriving)
    for level in levels:
        found.update(dict.fromkeys(path for paths in level.leaving for path in paths))
    return tuple(found)
