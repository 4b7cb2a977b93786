"""The best play of a game with several bets, looked up for millions of decisions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from croupier.mathematics.counters.boards.geometry import flops_of, orbits_of
from croupier.mathematics.counters.boards.turns import turns_of
from croupier.mathematics.counters.several_bets.bets import Path
from croupier.mathematics.counters.several_bets.rulebook import bets_solution_of
from croupier.mathematics.kernels.arrays import I8
from croupier.mathematics.questions.advice.boards import pair_of_cards
from croupier.mathematics.questions.advice.several_bets import advise_several_bets
from croupier.mathematics.questions.advice.situation import AdvisedPlayer, Situation
from croupier.rulebooks.rules import Rules

__all__ = ["BetsPlayer"]


class BetsPlayer(AdvisedPlayer):
    """At the river, and where it is not told what was said before, every hand is counted."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, advise_several_bets)
        self._solution = solution = bets_solution_of(rules)
        self._game = solution.game
        self._several = {
            level.seen
            for level in self._game.levels
            if sum(question.seen == level.seen for question in self._game.questions) > 1
        }
        """Where two questions are put on the same cards, so that an answer is not a path."""
        self._paths = {
            tuple(word for _, word in path.said): path
            for level in self._game.levels
            for path in level.arriving
        }
        self._actions: dict[tuple[int, Path], I8] = {}
        self._turns = _Turns(self._game.deck) if self._game.level(4) else None

    def answer(self, seen: Situation) -> str:
        shown = len(seen.community)
        path = None if seen.said is None else self._paths.get(tuple(seen.said))
        level = self._game.level(shown)
        if path is None or level is None or shown == 5 or shown in self._several:
            return super().answer(seen)
        if path not in level.arriving or len(seen.own) != 2:
            return super().answer(seen)
        number = level.arriving.index(path)
        answers = level.leaving[number]
        place = int(self._best(path, number, shown)[self._place(seen.own, seen.community)])
        return answers[place].said[-1][1]

    def _best(self, path: Path, number: int, shown: int) -> I8:
        if shown == 4:
            best: I8 = self._solution.turn[number]
            return best
        if (shown, path) not in self._actions:
            self._actions[shown, path] = self._solution.stages[shown].actions(path)
        return self._actions[shown, path]

    def _place(self, own: Sequence[int], community: Sequence[int]) -> int:
        deck = self._game.deck
        if len(community) == 4:
            assert self._turns is not None
            return self._turns.place(own, community)
        if len(community) == 3:
            return pair_of_cards(flops_of(deck), own, community)
        orbits = orbits_of(deck, len(community))
        shown = (0, *community)[-1] if len(community) < 2 else _hand(community)
        return int(orbits.number[_hand(own) * orbits.width + shown])


class _Turns:
    """Where a hand on four community cards stands among the situations of the turn."""

    def __init__(self, deck: int) -> None:
        self._turns = turns_of(deck)
        boards = self._turns.cards.tolist()
        self._numbers = {sum(1 << c for c in board): number for number, board in enumerate(boards)}

    def place(self, own: Sequence[int], community: Sequence[int]) -> int:
        columns = [0] * 4
        for card in community:
            columns[card // 13] |= 1 << 13 + card % 13
        for card in own:
            columns[card // 13] |= 1 << card % 13
        columns.sort(reverse=True)
        board = sum(column >> 13 << 13 * suit for suit, column in enumerate(columns))
        hand = [13 * s + rank for s in range(4) for rank in range(13) if columns[s] >> rank & 1]
        number = self._numbers[board]
        start, stop = int(self._turns.start[number]), int(self._turns.start[number + 1])
        return start + bisect_left(self._turns.hand[start:stop], _hand(hand))


def _hand(cards: Sequence[int]) -> int:
    high, low = max(cards), min(cards)
    return high * (high - 1) // 2 + low
