"""Rounds that cost the house much: a search of lucky deals, each settled by the engine.

Which deal costs the most depends on all wagers together. The search tries the deals of
`lucky_deals` with every raise as large as the cards allow, so every round it returns can be dealt;
it does not prove that no other round costs more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import nlargest
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

from croupier.cards import Card
from croupier.errors import CroupierError
from croupier.rounds.legality import stakes_of
from croupier.rounds.payout_limits import lucky_deals
from croupier.rounds.round_flow import is_open, too_weak
from croupier.rounds.settlement import Settling
from croupier.rounds.state import CompletedRound, LineRecord, PlayedSeat, Stakes
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rules import Rules

_TABLES_TRIED: Final = 12
_HANDS_TRIED: Final = 1200


class CostlyRound(NamedTuple):
    """A round, what its seats win from the house in cents, and the lines of each seat."""

    cents: int
    played: CompletedRound
    lines: tuple[tuple[LineRecord, ...], ...]


def costly_round(
    rules: Rules, wagers: Mapping[str, int], meters: Mapping[str, int], seats: int = 1
) -> CostlyRound | None:
    """Return the costliest round that the search finds with these wagers on every seat, or None if
    no deal can be settled."""
    search = _Search(rules, wagers, meters)
    deals = [(search.net(played), number, played) for number, played in enumerate(search.deals())]
    best = nlargest(_TABLES_TRIED if seats > 1 else 1, deals, key=lambda deal: deal[:2])
    rounds = [search.settled(search.filled(played, seats)) for _, _, played in best]
    return max(rounds, key=lambda each: each.cents, default=None)


class _Search:
    """A search for one rulebook with the same wagers on every seat."""

    def __init__(self, rules: Rules, wagers: Mapping[str, int], meters: Mapping[str, int]) -> None:
        self.rules, self.wagers, self.meters = rules, dict(wagers), dict(meters)
        self.deck = cards_of(rules.book.deck)
        self._stakes: dict[tuple[str, ...], Stakes] = {}

    def deals(self) -> Iterator[CompletedRound]:
        """Yield rounds of one seat, played to their end."""
        for dealt in lucky_deals(self.rules):
            played = self._with_box(dealt)
            yield self._with_seats(played, [played.seats[0].cards])

    def _with_box(self, played: CompletedRound) -> CompletedRound:
        used = {*played.community, *played.dealer, *played.seats[0].cards}
        left = [card for card in reversed(self.deck) if card not in used]
        return CompletedRound(
            played.seats, played.community, played.dealer, tuple(left[: self.rules.book.cards.box])
        )

    def _with_seats(self, played: CompletedRound, hands: list[tuple[Card, ...]]) -> CompletedRound:
        seats = []
        for number, cards in enumerate(hands, 1):
            seat = PlayedSeat(number, f"player {number}", cards, self.wagers, ())
            said = self._boldest(seat, played)
            seats.append(PlayedSeat(number, seat.player, cards, self.wagers, said))
        return CompletedRound(tuple(seats), played.community, played.dealer, played.box)

    def _boldest(self, seat: PlayedSeat, played: CompletedRound) -> tuple[str, ...]:
        """Return answers that put down the largest bet the cards allow on every wager decided in
        play."""
        said: list[str] = []
        down: set[str] = set()
        decisions = self.rules.book.decisions
        for place, decision in enumerate(decisions):
            if not is_open(decision, self.wagers, down, ()):
                continue
            weak = too_weak(decision, seat, played, self.rules)
            bets = {word: most for word, most in decision.bets.items() if word not in weak}
            later = [
                most
                for following in decisions[place + 1 :]
                if following.wager == decision.wager and decision.otherwise != "fold"
                for most in following.bets.values()
            ]
            if bets and max(bets.values()) >= max(later, default=0):
                said.append(max(bets, key=lambda word: bets[word]))
                down.add(decision.wager)
            else:
                said.append(decision.otherwise)
        return tuple(said)

    def _settling(self, played: CompletedRound) -> Settling:
        stakes = []
        for seat in played.seats:
            if seat.actions not in self._stakes:
                self._stakes[seat.actions] = stakes_of(seat, played, self.rules)
            stakes.append(self._stakes[seat.actions])
        return Settling(played, self.rules, stakes)

    def net(self, played: CompletedRound) -> int:
        """Return the net of the first seat."""
        return sum(line.net for line in self._settling(played).lines(0, dict(self.meters)))

    def settled(self, played: CompletedRound) -> CostlyRound:
        """Return the round with every seat settled in order, Envy Bonuses included."""
        settling, meters = self._settling(played), dict(self.meters)
        lines: dict[int, list[LineRecord]] = {}
        for place in reversed(range(len(played.seats))):
            lines[place] = settling.lines(place, meters)
        for place, line in settling.envy():
            lines[place].append(line)
        cents = sum(line.net for of_seat in lines.values() for line in of_seat)
        ordered = tuple(tuple(lines[place]) for place in range(len(played.seats)))
        return CostlyRound(cents, played, ordered)

    def filled(self, played: CompletedRound, seats: int) -> CompletedRound:
        """Return the round with more seats, each in turn holding the costliest of the hands
        left."""
        hands = [played.seats[0].cards]
        used = {*played.community, *played.dealer, *played.box, *hands[0]}
        by_cost = self._by_cost(played, used) if seats > 1 else []
        for cards in by_cost:
            if len(hands) == seats:
                break
            if used.isdisjoint(cards):
                hands.append(cards)
                used |= {*cards}
        return self._with_seats(played, hands)

    def _by_cost(self, played: CompletedRound, used: set[Card]) -> list[tuple[Card, ...]]:
        count = self.rules.book.cards.player
        left = [card for card in sorted(self.deck, key=lambda card: -card.rank) if card not in used]
        while len(left) > count and comb(len(left), count) > _HANDS_TRIED:
            left.pop()
        costs = {}
        for cards in combinations(left, count):
            try:
                costs[cards] = self.net(self._with_seats(played, [cards]))
            except CroupierError:
                continue
        return sorted(costs, key=lambda cards: -costs[cards])
