"""The best play, prepared for many decisions: one look into a table of all hands.

A table is made when the first hand comes up with such cards of the dealer's seen.
"""

from __future__ import annotations

from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.opponents.decks import I64, FourSuits, hand_classes, suits_of
from croupier.mathematics.counters.opponents.game import VersusGame, game_of
from croupier.mathematics.counters.opponents.solver import best_actions
from croupier.mathematics.questions.advice.opponents import advise_versus
from croupier.mathematics.questions.advice.situation import AdvisedPlayer, Situation
from croupier.rulebooks.rules import Rules

__all__ = ["VersusPlayer"]

_MOST_CLASSES: Final = 20 * 10**6
"""Of hands with what is seen, each of nine bytes."""


class _Table(NamedTuple):
    """The action on every class of hands, by the four suits read as one number."""

    hands: I64
    actions: NDArray[np.int8]


class VersusPlayer(AdvisedPlayer):
    """Where the tables would be too large, or a hand is soon counted, every hand is counted."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, advise_versus)
        self._game = game = game_of(rules)
        self._words = rules.book.decisions[0].answers
        self._tables: dict[FourSuits, _Table] = {}
        classes = comb(game.deck.size, game.seen) * comb(game.deck.size - game.seen, game.own) // 24
        self._has_tables = not game.by_suit and classes <= _MOST_CLASSES

    def answer(self, seen: Situation) -> str:
        game = self._game
        if not self._has_tables or (len(seen.own), len(seen.dealer)) != (game.own, game.seen):
            return super().answer(seen)
        # Exchanged so that the suits descend, first by what is seen: that is the class.
        suits = sorted(zip(suits_of(seen.dealer), suits_of(seen.own), strict=True), reverse=True)
        (a, i), (b, j), (c, k), (d, m) = suits
        table = self._tables.get((a, b, c, d))
        if table is None:
            table = self._tables[a, b, c, d] = _table(game, (a, b, c, d))
        place = np.searchsorted(table.hands, ((i << 13 | j) << 13 | k) << 13 | m)
        return self._words[int(table.actions[place])]


def _table(game: VersusGame, seen: FourSuits) -> _Table:
    classes = hand_classes(game.deck, game.own, seen)
    hands = np.zeros(len(classes.masks), np.int64)
    for suit in range(4):
        hands = hands << 13 | classes.masks[:, suit]
    order = np.argsort(hands)
    return _Table(hands[order], best_actions(game, seen, classes)[order])
