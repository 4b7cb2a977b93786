"""Which cards a person may have seen, worked out from the journal's events alone.

Nothing here asks `rounds.views`: what lies where follows from the events and from the documents'
words on who looks at what. The leak tests compare every frame with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from croupier.cards import DECK, Card
from croupier.rounds import commands as cmd
from croupier.rounds import events as did
from croupier.tables.events import TableEvent

CARD = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][cdhs](?![A-Za-z0-9])")

_CARDS = {str(card): card for card in DECK}
_RANKS = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
]
_SUITS = ("clubs", "diamonds", "hearts", "spades")
IN_WORDS = re.compile(rf"\b({'|'.join(_RANKS)}) of ({'|'.join(_SUITS)})\b", re.IGNORECASE)


class Sight:
    """One table as it goes on: `may_see(player)` after every event."""

    def __init__(self, looked_first: int, *, folds: bool = True) -> None:
        self._looked_first = looked_first
        self._folds = folds
        self._open: set[Card] = set()
        self._hands: dict[int, tuple[Card, ...]] = {}
        self._players: dict[int, str] = {}
        self._looked = looked_first
        self._folded: set[int] = set()
        self._bets: set[int] = set()
        self._dealt = did.CardsDealt(0)
        self._deck: tuple[Card, ...] = ()

    def take_in(self, event: TableEvent) -> None:
        match event:
            case cmd.OpenBetting():
                self.__init__(self._looked_first, folds=self._folds)  # type: ignore[misc]
                self._deck = event.deck
            case did.WagersPlaced():
                self._players[event.seat] = event.player
            case did.CardsDealt():
                self._dealt, self._hands = event, event.seats
            case did.Acted():
                self._bets.add(event.seat) if event.cents else None
                if event.action == "fold":
                    self._folded.add(event.seat)
            case did.PlayerLeft():
                # Whatever he is still asked is declined for him: without a bet he has folded,
                # where the game knows a fold.
                if self._folds and event.seat not in self._bets:
                    self._folded.add(event.seat)
            case did.Revealed():
                self._reveal(event)
            case did.DealerShown():
                self._open |= set(event.cards)
            case did.SeatSettled():
                self._open |= set(self._dealt.box)
                if event.seat not in self._folded or _won(event.lines):
                    self._open |= set(self._hands.get(event.seat, ()))
            case did.ProgressiveWon():
                self._open |= set(self._hands.get(event.claim.seat, ()))
            case did.ProgressivePaid():
                self._open |= set(self._hands.get(event.seat, ()))
            case did.EnvyPaid():
                for seat in event.lines:
                    self._open |= set(self._hands.get(seat, ()))
            case did.CardsCollected() | did.RoundVoided():
                self._open |= set(self._deck)

    def _reveal(self, event: did.Revealed) -> None:
        """Community cards; at 235 Stud the third card of every player; a card of the dealer's."""
        if event.name.startswith("dealer's first card"):
            self._open |= set(self._dealt.dealer[:1])
            return
        if "third" in event.name:
            self._looked += 1
            for cards in self._hands.values():
                self._open |= set(cards[self._looked_first : self._looked])
        already = [card for card in self._dealt.community if card in self._open]
        if self._dealt.community:
            turned = {"flop": 3, "turn and river": 5, "turn": 4, "river": 5}
            turned |= {"first card": 1, "second card": 2}
            count = turned.get(event.name, len(self._dealt.community))
            self._open |= set(self._dealt.community[: max(count, len(already))])
        else:
            self._open |= set(event.community)

    def may_see(self, player: str | None) -> frozenset[Card]:
        own = [
            card
            for seat, cards in self._hands.items()
            if player is not None and self._players.get(seat) == player
            for card in cards[: self._looked]
        ]
        return frozenset([*self._open, *own])


def _won(lines: Iterable[Any]) -> bool:
    return any(line.result == "win" for line in lines)


def cards_in(text: str) -> set[Card]:
    """Every card that a text names, wherever it stands."""
    named = [
        "23456789TJQKA"[_RANKS.index(rank.lower())] + suit[0].lower()
        for rank, suit in IN_WORDS.findall(text)
    ]
    return {_CARDS[name] for name in (*CARD.findall(text), *named)}


Allowed = dict[int, frozenset[Card]]


def check_frame(text: str, allowed: Allowed, who: str) -> int:
    """Gives how many cards were seen."""
    frame = json.loads(text)
    for one in frame["happened"]:
        check_told(json.dumps(one), one["version"], allowed, who)
    return check_view(json.dumps(frame["view"]), frame["seq"], allowed, who)


def check_view(text: str, version: int, allowed: Allowed, who: str) -> int:
    """No card that this person may not see at this version."""
    seen = cards_in(text)
    hidden = seen - allowed[version]
    assert not hidden, f"{who} was shown {hidden} in {text}"
    return len(seen)


def check_told(text: str, version: int, allowed: Allowed, who: str) -> None:
    """No card that was not open to this person when it happened."""
    hidden = cards_in(text) - allowed[version]
    assert not hidden, f"{who} was told {hidden} in {text}"
