"""A way to play a game of streets, as a table: the best one, or one that a person wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.cards import Card, format_cards
from croupier.errors import BadCards, BadRequest, Unsolvable
from croupier.mathematics.counters.stages.course import Units
from croupier.mathematics.counters.stages.solver import Asked, StreetsSolution, solve_streets
from croupier.mathematics.questions.advice.situation import AdvisedPlayer, Situation
from croupier.mathematics.questions.advice.stages import advise_streets
from croupier.mathematics.questions.strategies.files import write_player
from croupier.rulebooks.rules import Rules

__all__ = ["StreetsPlayer", "best_player", "player_of"]

_Key = tuple[int, int, int, int]
_SUIT: Final = (1 << 13) - 1


class _Decision(msgspec.Struct, frozen=True):
    """A question: its name, its words, the places of the cards seen by then with the group of each,
    which suits are alike, and by the words said before the combination of bets that lies there."""

    name: str
    words: tuple[str, ...]
    places: tuple[tuple[str, int], ...]
    groups: tuple[int, ...]
    slots: tuple[int, ...]
    blocks: tuple[int, ...]
    columns: dict[str, int]

    def key(self, cards: Sequence[Card]) -> _Key:
        """The row of these cards, in the order of the places: suits that are alike in order."""
        row = [0, 0, 0, 0]
        for card, group in zip(cards, self.groups, strict=True):
            row[self.slots[card.suit]] |= 1 << card.rank + 13 * group
        ordered = sorted(zip(self.blocks, row, strict=True), key=lambda slot: (slot[0], -slot[1]))
        first, second, third, fourth = (bits for _, bits in ordered)
        return first, second, third, fourth


class StreetsPlayer:
    """`answers[decision]`: by row and combination of bets the number of the word that is said."""

    def __init__(
        self,
        rulebook: str,
        decisions: Sequence[_Decision],
        rows: Mapping[str, npt.NDArray[np.int64]],
        answers: Mapping[str, npt.NDArray[np.int8]],
    ) -> None:
        self.rulebook = rulebook
        self._decisions = {decision.name: decision for decision in decisions}
        self._rows, self._answers = dict(rows), dict(answers)
        self._places: dict[str, dict[_Key, int]] = {
            name: {(a, b, c, d): number for number, (a, b, c, d) in enumerate(listed.tolist())}
            for name, listed in rows.items()
        }

    def action(self, cards: Sequence[Card], community: Sequence[Card] = ()) -> str:
        return self.answer(Situation(cards, community))

    def answer(self, seen: Situation) -> str:
        """The word for the decision that is put; where it is not said what was answered before,
        that was said by this player, with a fold left out."""
        decision = self._asked(seen)
        every = [*seen.own, *seen.community]
        if len(set(every)) != len(every):
            raise BadCards(f"a deck holds every card once: {format_cards(every)}")
        said = self._said_before(decision, seen) if seen.said is None else seen.said
        column = decision.columns.get(_joined(said))
        if column is None:
            raise BadRequest(f"{decision.name!r} is not put after {' '.join(said) or 'nothing'!r}")
        return self._word(decision, seen, column)

    def _word(self, decision: _Decision, seen: Situation, column: int) -> str:
        held = {"player": seen.own, "community": seen.community}
        cards = [held[source][number] for source, number in decision.places]
        row = self._places[decision.name][decision.key(cards)]
        return decision.words[int(self._answers[decision.name][row, column])]

    def _asked(self, seen: Situation) -> _Decision:
        counts = {"player": len(seen.own), "community": len(seen.community)}
        for name, decision in self._decisions.items():
            sources = [source for source, _ in decision.places]
            fits = all(sources.count(source) == count for source, count in counts.items())
            if fits and seen.decision in ("", name):
                return decision
        raise BadCards(
            f"{counts['player']} own and {counts['community']} community cards: what is decided is "
            + ", ".join(
                f"{decision.name} on {_counted(decision, 'player')} own and "
                f"{_counted(decision, 'community')} community cards"
                for decision in self._decisions.values()
            )
        )

    def _said_before(self, decision: _Decision, seen: Situation) -> list[str]:
        said: list[str] = []
        for earlier in self._decisions.values():
            if earlier is decision:
                break
            column = earlier.columns.get(_joined(said))
            if column is not None:
                word = self._word(earlier, seen, column)
                said.append(word if word != "fold" else earlier.words[0])
        return said

    def save(self, path: Path) -> None:
        about = {
            "kind": "streets",
            "rulebook": self.rulebook,
            "decisions": msgspec.to_builtins(tuple(self._decisions.values())),
        }
        arrays: dict[str, npt.NDArray[Any]] = {
            f"{part}_{number}": listed[name]
            for number, name in enumerate(self._decisions)
            for part, listed in (("rows", self._rows), ("answers", self._answers))
        }
        write_player(path, about, arrays)

    @classmethod
    def restored(
        cls, about: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]
    ) -> StreetsPlayer:
        """What `save` wrote."""
        decisions = msgspec.convert(about["decisions"], tuple[_Decision, ...])
        rows = {each.name: arrays[f"rows_{n}"] for n, each in enumerate(decisions)}
        answers = {each.name: arrays[f"answers_{n}"] for n, each in enumerate(decisions)}
        return cls(about["rulebook"], decisions, rows, answers)


def _joined(said: Iterable[str]) -> str:
    return "\n".join(said)


def _counted(decision: _Decision, source: str) -> int:
    return sum(place[0] == source for place in decision.places)


def player_of(solution: StreetsSolution) -> StreetsPlayer:
    """Play as the solution does. Refused where an answer depends on what a complete hand came to,
    or is given when all cards are seen: no table of open cards has it."""
    said = _said_before(solution)
    decisions, rows, answers = [], {}, {}
    for asked, columns in zip(solution.asked, said, strict=True):
        name = asked.question.decision.name
        rows[name], answers[name] = _open_cards(solution, asked)
        decisions.append(_decision(solution, asked, columns))
    return StreetsPlayer(solution.rules.book.id, decisions, rows, answers)


def best_player(rules: Rules) -> StreetsPlayer | AdvisedPlayer:
    """The best play, as a table where there is one."""
    try:
        return player_of(solve_streets(rules))
    except Unsolvable:
        return AdvisedPlayer(rules, advise_streets)


def _open_cards(
    solution: StreetsSolution, asked: Asked
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int8]]:
    """The rows without the results of complete hands, and the answer for each."""
    time = asked.question.time
    every = solution.stages.all[time].table.rows[:, :4]
    rows, first, where = np.unique(every, axis=0, return_index=True, return_inverse=True)
    answers = asked.best[first]
    if time == solution.stages.last or (answers[where.ravel()] != asked.best).any():
        raise Unsolvable(
            f"{solution.rules.book.id}: what is right at {asked.question.decision.name!r} depends "
            "on hands that are complete, so it is not kept as a table of cards"
        )
    return rows, answers


def _decision(solution: StreetsSolution, asked: Asked, columns: dict[str, int]) -> _Decision:
    stages, time = solution.stages, asked.question.time
    return _Decision(
        asked.question.decision.name,
        tuple([answer.word for answer in asked.question.answers]),
        solution.course.order[:time],
        stages.groups_at(time),
        tuple(stages.slots),
        tuple(stages.blocks.tolist()),
        columns,
    )


def _said_before(solution: StreetsSolution) -> Iterator[dict[str, int]]:
    """For each question: all that can have been said before it, and the combination of bets that
    it led to."""
    now: dict[tuple[str, ...], Units] = {(): solution.course.start}
    for asked in solution.asked:
        question = asked.question
        put = {said: units for said, units in now.items() if question.is_asked(units)}
        yield {_joined(said): asked.column[solution.pooled(units)] for said, units in put.items()}
        now = {said: units for said, units in now.items() if said not in put} | {
            (*said, answer.word): solution.after(units, answer)
            for said, units in put.items()
            for answer in question.answers
            if not answer.folds
        }
