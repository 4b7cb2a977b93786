"""The slow way to a game of streets: every order of cards of a small deck, settled by the engine,
every decision taken as well as can be. Nothing of `mathematics` is used."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from croupier.cards import DECK, RANKS, Card
from croupier.rounds.completed import CompletedRound, PlayedSeat
from croupier.rounds.round_flow import Ask, Show, flow_of
from croupier.rounds.settlement import settle
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision

STAKE = 6000  # cents: halves, thirds and quarters of it are whole

Cards = tuple[Card, ...]
Said = tuple[str, ...]


class ByEngine:
    """A game walked card by card: own cards first, as they are looked at, then what is shown."""

    def __init__(self, rules: Rules) -> None:
        self.rules, flow = rules, flow_of(rules)
        self.deck = [card for card in DECK if RANKS[card.rank] in rules.book.deck.ranks]
        self.steps: list[str | Decision] = ["player"] * flow.first_look
        for step in flow.steps:
            if isinstance(step, Show):
                self.steps += ["player"] * step.reveal.player
                self.steps += ["community"] * step.reveal.community
            else:
                assert isinstance(step, Ask)
                self.steps.append(step.decision)
        cards = rules.book.cards
        self.steps += ["community"] * (cards.community - self.steps.count("community"))
        self._nets: dict[tuple[Cards, Cards, Said], int] = {}
        self._best = cache(self._worth)

    def value(self) -> Fraction:
        """The expected net in units of one required wager."""
        return self._best(0, (), (), ()) / STAKE

    def values(self, place: int, own: Cards, board: Cards, said: Said) -> dict[str, Fraction]:
        """What every word is worth at the decision that stands at this step."""
        decision = self.steps[place]
        assert isinstance(decision, Decision)
        return {
            word: self._best(place + 1, own, board, (*said, word)) / STAKE
            for word in words_of(decision)
            if self._may(decision, word, own, board)
        }

    def asked(self, said: Said) -> Iterator[tuple[int, Decision]]:
        """The decisions that come after these answers."""
        yield from ((n, step) for n, step in enumerate(self.steps) if isinstance(step, Decision))

    def _worth(self, place: int, own: Cards, board: Cards, said: Said) -> Fraction:
        if place == len(self.steps):
            return Fraction(self._net(own, board, said))
        step = self.steps[place]
        if isinstance(step, Decision):
            if "fold" in said or self._is_down(place, said):
                return self._best(place + 1, own, board, said)
            return max(self.values(place, own, board, said).values()) * STAKE
        left = [card for card in self.deck if card not in own and card not in board]
        return sum(
            (
                self._best(place + 1, (*own, card), board, said)
                if step == "player"
                else self._best(place + 1, own, (*board, card), said)
                for card in left
            ),
            Fraction(0),
        ) / len(left)

    def _is_down(self, place: int, said: Said) -> bool:
        """Was the wager of this decision bet at one before?"""
        decision, words, down = self.steps[place], list(said), set()
        assert isinstance(decision, Decision)
        for step in self.steps[:place]:
            if isinstance(step, Decision) and (not step.wager or step.wager not in down):
                word = words.pop(0)
                if word in step.bets:
                    down.add(step.wager)
        return bool(decision.wager) and decision.wager in down

    def _may(self, decision: Decision, word: str, own: Cards, board: Cards) -> bool:
        least = decision.only_with.get(word)
        if least is None:
            return True
        from croupier.rulebooks.rankings import ranking_of

        ranking = ranking_of(self.rules.book, least.hand)
        held: list[Card] = []
        for text in self.rules.book.hands[least.hand].cards:
            place, _, first = text.partition(":")
            cards = own if place == "player" else board
            held += cards[: int(first)] if first else cards
        return ranking.value_of(held) >= ranking.least(least.at_least, least.of)

    def _net(self, own: Cards, board: Cards, said: Said) -> int:
        """The order of cards changes nothing but for hands on some of them, which the key keeps."""
        key = own, board, said
        if key not in self._nets:
            wagers = dict.fromkeys(self.rules.required, STAKE)
            seat = PlayedSeat(1, "p", own, wagers, said)
            self._nets[key] = settle(CompletedRound((seat,), board), self.rules).seats[0].net
        return self._nets[key]


def words_of(decision: Decision) -> tuple[str, ...]:
    back = ("take_back",) if decision.takes_back else ()
    return (*decision.bets, *back, decision.otherwise)
