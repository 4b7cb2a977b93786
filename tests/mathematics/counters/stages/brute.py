"""The slow way to a game of streets: every order of cards of a small deck, settled by the engine,
every decision taken as well as can be. Nothing of `mathematics` is used."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from croupier.cards import DECK, RANKS, Card
from croupier.rounds.round_flow import Ask, Show, answers_given, flow_of
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.rankings import ranking_of
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
        self._worth_of = cache(self._worth)
        self._alike = self._places_alike()

    def _places_alike(self) -> list[list[tuple[str, int]]]:
        """Places whose cards no hand tells apart: they may be exchanged once they are seen."""
        kinds: dict[object, list[tuple[str, int]]] = {}
        counts = {"player": self.rules.book.cards.player}
        counts["community"] = self.rules.book.cards.community
        for place, count in counts.items():
            for number in range(count):
                hands = [
                    name
                    for name, hand in self.rules.book.hands.items()
                    for text in hand.cards
                    if text.partition(":")[0] == place
                    and number < int(text.partition(":")[2] or count)
                ]
                kinds.setdefault(tuple(hands), []).append((place, number))
        return list(kinds.values())

    def _best(self, place: int, own: Cards, board: Cards, said: Said) -> Fraction:
        seen = {("player", n): card for n, card in enumerate(own)}
        seen |= {("community", n): card for n, card in enumerate(board)}
        for alike in self._alike:
            there = [each for each in alike if each in seen]
            seen |= dict(zip(there, sorted(seen[each] for each in there), strict=True))
        own = tuple(seen["player", n] for n in range(len(own)))
        board = tuple(seen["community", n] for n in range(len(board)))
        return self._worth_of(place, own, board, said)

    def value(self) -> Fraction:
        """The expected net in units of one required wager."""
        return self._best(0, (), (), ()) / STAKE

    def values(self, place: int, own: Cards, board: Cards, said: Said) -> dict[str, Fraction]:
        """What every word is worth at the decision that stands at this step."""
        decision = self.steps[place]
        assert isinstance(decision, Decision)
        return {
            word: self._best(place + 1, own, board, (*said, word)) / STAKE
            for word in decision.answers
            if self._may(decision, word, own, board)
        }

    def _worth(self, place: int, own: Cards, board: Cards, said: Said) -> Fraction:
        if place == len(self.steps):
            return Fraction(self._net(own, board, said))
        step = self.steps[place]
        if isinstance(step, Decision):
            if "fold" in said or not self.is_asked(place, said):
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

    def is_asked(self, place: int, said: Said) -> bool:
        """As the engine has it: after what was said, is the question at this step put?"""
        decisions = [step for step in self.steps if isinstance(step, Decision)]
        given = answers_given(decisions, self.rules.required, said)
        return any(one.decision is self.steps[place] and one.action is None for one in given)

    def _may(self, decision: Decision, word: str, own: Cards, board: Cards) -> bool:
        least = decision.only_with.get(word)
        if least is None:
            return True
        ranking = ranking_of(self.rules.book, least.hand)
        held: list[Card] = []
        for text in self.rules.book.hands[least.hand].cards:
            place, _, first = text.partition(":")
            cards = own if place == "player" else board
            held += cards[: int(first)] if first else cards
        return ranking.value_of(held) >= ranking.least(least.at_least, least.of)

    def _net(self, own: Cards, board: Cards, said: Said) -> int:
        seat = PlayedSeat(1, "p", own, dict.fromkeys(self.rules.required, STAKE), said)
        return settle(CompletedRound((seat,), board), self.rules).seats[0].net
