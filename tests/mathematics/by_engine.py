"""The slow way to a value: every deal of a small deck, played by the engine's own course of a round
and settled by the engine, every decision taken as well as can be. Nothing of `mathematics` is used.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

from croupier.cards import DECK, Card, mask_of
from croupier.ranking.plain import value_of
from croupier.rounds.round_flow import Ask, Show, flow_of
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision

STAKE = 6000  # cents: halves, thirds and quarters of it are whole

Cards = frozenset[Card]
Said = tuple[str, ...]
Best = Callable[[int, Cards, Said], int]
"""Of a step, the cards shown and the words said: the best sum in cents."""


class ByEngine:
    """One game of two cards against two, on a deck of the ranks in `deck` (a mask)."""

    def __init__(self, rules: Rules, deck: int) -> None:
        self.rules = rules
        self.deck = [card for card in DECK if deck >> card.rank & 1]
        self.steps = flow_of(rules).steps
        self._nets: dict[tuple[int, int, Said], int] = {}

    def value(self) -> Fraction:
        """The expected net in units of one required wager."""
        kinds: dict[tuple[int, int, bool], tuple[tuple[Card, ...], int]] = {}
        for a, b in combinations(self.deck, 2):
            # No suit is better than another, so hands that exchanging suits makes alike are.
            key = min(a.rank, b.rank), max(a.rank, b.rank), a.suit == b.suit
            hand, times = kinds.get(key, ((a, b), 0))
            kinds[key] = hand, times + 1
        total = sum(self.best(hand) * times for hand, times in kinds.values())
        return Fraction(total, comb(len(self.deck), 2) * self._ways(0) * STAKE)

    def values(self, own: tuple[Card, ...], shown: Cards, said: Said) -> dict[str, Fraction]:
        """What every word is worth that may be said now, after `said` on the cards shown."""
        step, ask = next(
            (place, step)
            for place, step in enumerate(self.steps)
            if isinstance(step, Ask) and self._is_asked(step.decision, said)
        )
        unit = self._ways(len(shown)) * STAKE
        best = self._player(own)
        return {
            word: Fraction(best(step + 1, shown, (*said, word)), unit)
            for word in (*ask.decision.bets, ask.decision.otherwise)
        }

    def _is_asked(self, wanted: Decision, said: Said) -> bool:
        """Is this the question that comes after these words? Nobody is asked for a wager that is
        down, or after a fold."""
        words, down = list(said), set()
        for step in self.steps:
            if not isinstance(step, Ask) or step.decision.wager in down:
                continue
            if step.decision is wanted:
                return not words
            if not words:
                return False
            word = words.pop(0)
            if word in step.decision.bets:
                down.add(step.decision.wager)
            elif word == "fold":
                return False
        return False

    def _ways(self, shown: int) -> int:
        """Boards and dealer's hands that may still come."""
        left = len(self.deck) - 2 - shown
        return comb(left, 5 - shown) * comb(left - 5 + shown, 2)

    def best(self, own: tuple[Card, ...]) -> int:
        """The sum of the best play over all that may come, in cents."""
        return self._player(own)(0, frozenset(), ())

    def _player(self, own: tuple[Card, ...]) -> Best:
        rest = [card for card in self.deck if card not in own]

        @cache
        def best(step: int, shown: Cards, said: Said) -> int:
            if step == len(self.steps):
                more = 5 - len(shown)
                left = [card for card in rest if card not in shown]
                return sum(at_end(shown.union(new), said) for new in combinations(left, more))
            now = self.steps[step]
            if isinstance(now, Show):
                return turned_up(step, now.reveal.community, shown, said)
            if not self._is_asked(now.decision, said):
                return best(step + 1, shown, said)
            words = (*now.decision.bets, now.decision.otherwise)
            return max(best(step + 1, shown, (*said, word)) for word in words)

        def turned_up(step: int, count: int, shown: Cards, said: Said) -> int:
            """All cards that may come; each set comes in as many ways as it is cut from boards."""
            left = [card for card in rest if card not in shown]
            found = sum(best(step + 1, shown.union(new), said) for new in combinations(left, count))
            times = comb(5 - len(shown), count)
            assert found % times == 0
            return found // times

        @cache
        def at_end(board: Cards, said: Said) -> int:
            left = [card for card in rest if card not in board]
            return sum(self.net(own, theirs, board, said) for theirs in combinations(left, 2))

        return best

    def net(self, own: tuple[Card, ...], theirs: tuple[Card, ...], board: Cards, said: Said) -> int:
        """By the engine; the same strengths settle alike (others deal at random to show that)."""
        shared = mask_of(tuple(board))
        key = value_of(mask_of(own) | shared), value_of(mask_of(theirs) | shared), said
        if key not in self._nets:
            wagers = dict.fromkeys(self.rules.required, STAKE)
            seat = PlayedSeat(1, "p", own, wagers, said)
            settled = settle(CompletedRound((seat,), tuple(board), theirs), self.rules)
            self._nets[key] = settled.seats[0].net
        return self._nets[key]
