"""A strategy as a table of everything that can be seen: the best play, or a written strategy."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.cards import format_cards
from croupier.errors import BadCards, BadRequest, Unsolvable
from croupier.mathematics.kernels.arrays import I8, I64
from croupier.mathematics.questions.players.boards import (
    HoldemPlayer,
    of_other_version,
    read_player,
    write_player,
)
from croupier.mathematics.questions.situation import Player, Situation
from croupier.mathematics.questions.strategies.compiling import answers_of
from croupier.mathematics.questions.strategies.decisions import (
    RowKey,
    SeenCards,
    TableDecisions,
    TableSets,
)
from croupier.mathematics.questions.strategies.text import WrittenStrategy

U64 = NDArray[np.uint64]
_MIX: Final = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5)
_WORD: Final = (1 << 64) - 1


class _Table(NamedTuple):
    """The answers to one part of the rows, in ascending order of the numbers computed from the
    rows."""

    numbers: U64
    answers: I8

    def answer(self, key: RowKey) -> int:
        number = sum([slot * mix for slot, mix in zip(key, _MIX, strict=True)]) & _WORD
        return int(self.answers[bisect_left(self.numbers.data, number)])


_MakeTable = Callable[[int, RowKey], Mapping[int, _Table]]
"""Returns, for a decision and a part of its rows, a table for each combination of bets."""


class TablePlayer(Player):
    """A player that looks answers up in tables, made when the first hand of a part comes up."""

    def __init__(
        self,
        rulebook: str,
        decisions: Sequence[SeenCards],
        parts: Sequence[Sequence[RowKey]],
        make: _MakeTable,
    ) -> None:
        self.rulebook = rulebook
        self._decisions, self._parts, self._make = tuple(decisions), tuple(parts), make
        self._tables: dict[tuple[int, RowKey], Mapping[int, _Table]] = {}

    def answer(self, seen: Situation) -> str:
        """Return the answer; earlier answers that are not stated are this player's, folds
        left out."""
        place = self._asked(seen)
        decision = self._decisions[place]
        every = [*seen.own, *seen.community, *seen.dealer]
        if len(set(every)) != len(every):
            raise BadCards(f"a deck holds every card once: {format_cards(every)}")
        said = self._said_before(place, seen) if seen.said is None else seen.said
        column = decision.columns.get(_joined(said))
        if column is None:
            raise BadRequest(f"{decision.name!r} is not put after {' '.join(said) or 'nothing'!r}")
        return self._word(place, seen, column)

    def _word(self, place: int, seen: Situation, column: int) -> str:
        decision = self._decisions[place]
        held = {"player": seen.own, "community": seen.community, "dealer": seen.dealer}
        key = decision.key([held[source][number] for source, number in decision.places])
        return decision.words[self._of_part(place, decision.part_of(key))[column].answer(key)]

    def _of_part(self, place: int, part: RowKey) -> Mapping[int, _Table]:
        tables = self._tables.get((place, part))
        if tables is None:
            tables = self._tables[place, part] = self._make(place, part)
        return tables

    def make_all(self) -> None:
        """Make all tables now."""
        for place, parts in enumerate(self._parts):
            for part in parts:
                self._of_part(place, part)

    def _asked(self, seen: Situation) -> int:
        counts = {
            "player": len(seen.own),
            "community": len(seen.community),
            "dealer": len(seen.dealer),
        }
        for place, decision in enumerate(self._decisions):
            fits = all(decision.count(source) == count for source, count in counts.items())
            if fits and seen.decision in ("", decision.name):
                return place
        listed = ", ".join(f"{each.name} on {_cards(each.count)}" for each in self._decisions)
        raise BadCards(f"{_cards(counts.__getitem__)}: the decisions are {listed}")

    def _said_before(self, place: int, seen: Situation) -> list[str]:
        said: list[str] = []
        for number, earlier in enumerate(self._decisions[:place]):
            column = earlier.columns.get(_joined(said))
            if column is not None:
                word = self._word(number, seen, column)
                said.append(word if word != "fold" else earlier.words[0])
        return said

    def save(self, path: Path) -> None:
        about = {
            "kind": "table",
            "rulebook": self.rulebook,
            "decisions": msgspec.to_builtins(self._decisions),
            "parts": self._parts,
        }
        arrays: dict[str, NDArray[Any]] = {}
        for place, parts in enumerate(self._parts):
            for number, part in enumerate(parts):
                for column, table in self._of_part(place, part).items():
                    arrays[f"numbers_{place}_{number}_{column}"] = table.numbers
                    arrays[f"answers_{place}_{number}_{column}"] = table.answers
        write_player(path, about, arrays)

    @classmethod
    def restored(cls, about: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> TablePlayer:
        """Return the player that `save` wrote."""
        decisions = msgspec.convert(about["decisions"], tuple[SeenCards, ...])
        parts = msgspec.convert(about["parts"], tuple[tuple[RowKey, ...], ...])

        def make(place: int, part: RowKey) -> dict[int, _Table]:
            number = parts[place].index(part)
            columns = set(decisions[place].columns.values())
            names = {column: f"{place}_{number}_{column}" for column in columns}
            return {
                column: _Table(arrays[f"numbers_{name}"], arrays[f"answers_{name}"])
                for column, name in names.items()
                if f"numbers_{name}" in arrays
            }

        player = cls(about["rulebook"], decisions, parts, make)
        player.make_all()
        return player


def _joined(said: Iterable[str]) -> str:
    return "\n".join(said)


def _cards(count: Callable[[str], int]) -> str:
    counts = f"{count('player')} own and {count('community')} community cards"
    return f"{counts} and {count('dealer')} of the dealer's" if count("dealer") else counts


def load_player(path: Path) -> Player:
    """Return the player of a file that `save` wrote."""
    about, arrays = read_player(path)
    try:
        if about["kind"] == "table":
            return TablePlayer.restored(about, arrays)
        return HoldemPlayer.restored(about, arrays)
    except (KeyError, ValueError, TypeError) as error:
        raise of_other_version(path, error) from None


# -- tables of a game's decisions -----------------------------------------------------------------


def best_player(decisions: TableDecisions) -> TablePlayer:
    """Return the best play. Refused if it depends on the results of complete hands, or decides when
    all cards are seen: no table of open cards has it."""
    return _player(decisions, lambda sets: sets.best)


def player_following(decisions: TableDecisions, plan: WrittenStrategy) -> TablePlayer:
    """Return a written strategy as a player, compiled now, so that one that cannot be followed is
    refused before the first hand."""
    player = _player(decisions, partial(answers_of, plan))
    player.make_all()
    return player


def _player(decisions: TableDecisions, choose: Callable[[TableSets], I8]) -> TablePlayer:
    def make(place: int, part: RowKey) -> dict[int, _Table]:
        pieces: dict[int, list[tuple[I64, I8]]] = {}
        for sets in decisions.sets(place, part):
            pieces.setdefault(sets.column, []).append((sets.rows, choose(sets)))
        return {column: _table(decisions, place, each) for column, each in pieces.items()}

    parts = [decisions.parts(place) for place in range(len(decisions.choices))]
    return TablePlayer(decisions.rulebook, decisions.seen, parts, make)


def _table(decisions: TableDecisions, place: int, pieces: Sequence[tuple[I64, I8]]) -> _Table:
    """Return one entry for each row: rows that differ only in the results of complete hands are
    alike."""
    rows = np.concatenate([rows for rows, _ in pieces]).astype(np.uint64)
    answers = np.concatenate([answers for _, answers in pieces])
    numbers = (rows * np.array(_MIX, np.uint64)).sum(axis=1, dtype=np.uint64)
    order = np.argsort(numbers, kind="stable")
    rows, answers, numbers = rows[order], answers[order], numbers[order]
    same = numbers[1:] == numbers[:-1]
    assert (rows[1:][same] == rows[:-1][same]).all(), "two rows have one number"
    if (answers[1:][same] != answers[:-1][same]).any():
        raise Unsolvable(
            f"{decisions.rulebook}: what is right at {decisions.choices[place].name!r} "
            "depends on hands that are complete, so it is not kept as a table of cards"
        )
    first = np.append(True, ~same)
    return _Table(numbers[first], answers[first])
