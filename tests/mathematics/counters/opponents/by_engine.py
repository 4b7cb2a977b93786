"""The slow way: every deal of a small deck, compared by the ranking and settled by the engine, and
every decision taken as well as can be. Nothing of `mathematics` is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations

from croupier.cards import Card, mask_of
from croupier.rounds.round_flow import too_weak
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules

STAKE = 6000  # cents: halves, thirds and quarters of it are whole

Cards = tuple[Card, ...]


class VersusByEngine:
    def __init__(self, rules: Rules) -> None:
        self.rules, self.book = rules, rules.book
        self.decision = rules.book.decisions[0]
        self.deck = cards_of(rules.book.deck)
        self._own = [name for name, hand in self.book.hands.items() if hand.cards == ("player",)]
        self._nets: dict[tuple[tuple[int, ...], int, str], int] = {}
        self._values: dict[str, dict[int, int]] = {name: {} for name in self.book.hands}

    def value(self) -> Fraction:
        """The expected net in units of one required wager."""
        nets = self.nets
        return Fraction(sum(net * n for net, n in nets.items()), sum(nets.values()) * STAKE)

    @cached_property
    def nets(self) -> dict[int, int]:
        """In how many deals the round comes to each net, in cents; of equally good words the first
        is said."""
        kinds: Counter[Cards] = Counter()
        for own in combinations(self.deck, self.book.cards.player):
            # No suit is better than another, so hands that exchanging suits makes alike are.
            kinds[min(_exchanged(own))] += 1
        found: Counter[int] = Counter()
        for own, times in kinds.items():
            left = [card for card in self.deck if card not in own]
            for up in combinations(left, self.decision.sees_dealer):
                met = self.met(own, up)
                sums = {word: self._sum(nets) for word, nets in met.items()}
                for net, count in met[max(sums, key=lambda word: sums[word])].items():
                    found[net] += times * count
        return dict(sorted(found.items()))

    def values(self, own: Cards, up: Cards) -> dict[str, Fraction]:
        """What every word is worth that may be said."""
        return {
            word: Fraction(self._sum(nets), nets.total() * STAKE)
            for word, nets in self.met(own, up).items()
        }

    def _sum(self, nets: Counter[int]) -> int:
        return sum(net * count for net, count in nets.items())

    def met(self, own: Cards, up: Cards) -> dict[str, Counter[int]]:
        """For every word that may be said how many of the dealer's hands lead to each net."""
        left = [card for card in self.deck if card not in own and card not in up]
        hands: Counter[int] = Counter()
        examples: dict[int, Cards] = {}
        for more in combinations(left, self.book.cards.dealer - len(up)):
            value = self._value("theirs", (*up, *more))
            hands[value] += 1
            examples[value] = (*up, *more)
        found: dict[str, Counter[int]] = {}
        for word in self._words(own):
            nets = found[word] = Counter()
            for value, count in hands.items():
                nets[self._net(own, examples[value], word)] += count
        return found

    def _words(self, own: Cards) -> Iterator[str]:
        seat = PlayedSeat(1, "p", own, dict.fromkeys(self.rules.required, STAKE), ())
        weak = too_weak(self.decision, seat, CompletedRound((seat,)), self.rules)
        yield from (word for word in self.decision.answers if word not in weak)

    def _net(self, own: Cards, theirs: Cards, word: str) -> int:
        """By the engine; hands of the same values settle alike."""
        own_values = tuple(self._value(name, own) for name in self._own)
        key = own_values, self._value("theirs", theirs), word
        if key not in self._nets:
            wagers = dict.fromkeys(self.rules.required, STAKE)
            seat = PlayedSeat(1, "p", own, wagers, (word,))
            settled = settle(CompletedRound((seat,), dealer=theirs), self.rules)
            self._nets[key] = settled.seats[0].net
        return self._nets[key]

    def _value(self, name: str, cards: Cards) -> int:
        known, mask = self._values[name], mask_of(cards)
        if mask not in known:
            known[mask] = ranking_of(self.book, name).value_of(cards)
        return known[mask]


def _exchanged(cards: Cards) -> Iterator[Cards]:
    for suits in permutations(range(4)):
        yield tuple(sorted(Card(13 * suits[card.suit] + card.rank) for card in cards))
