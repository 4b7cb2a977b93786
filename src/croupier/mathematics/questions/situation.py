"""The situation of a player at a decision, and the advice for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from croupier.cards import RANKS, Card
from croupier.errors import BadCards, Unsolvable
from croupier.rulebooks.rules import Rules


class Situation(NamedTuple):
    """What a player sees at a decision. `decision` is its name; by default the first decision on
    this number of cards. `known` are other players' cards that lie face up, `dealer` the dealer's.
    `said` are the earlier answers in order; by default those of the best play."""

    own: Sequence[Card]
    community: Sequence[Card] = ()
    known: Sequence[Card] = ()
    decision: str = ""
    said: Sequence[str] | None = None
    dealer: Sequence[Card] = ()


class Advice(NamedTuple):
    """The value of every legal action: the expected net of the round in units of one required
    wager, with the best play afterwards."""

    decision: str
    values: dict[str, Fraction]
    best: str


def check_seen(rules: Rules, seen: Situation) -> None:
    """Refuse cards that the deck does not hold, or holds fewer times, and a dealer's card in a game
    that turns none up before the players have answered."""
    deck = rules.book.deck
    cards = [*seen.own, *seen.community, *seen.known, *seen.dealer]
    for card in cards:
        if RANKS[card.rank] not in deck.ranks:
            raise BadCards(
                f"{card} is not in the deck of this game, which has the ranks {deck.ranks}",
                clause=deck.clause or None,
            )
        if cards.count(card) > deck.copies:
            times = "twice: a deck holds it once"
            if deck.copies > 1:
                times = f"{cards.count(card)} times: {deck.copies} decks hold it {deck.copies}"
            raise BadCards(f"{card} is given {times}")
    most = max((decision.sees_dealer for decision in rules.book.decisions), default=0)
    if len(seen.dealer) > most:
        shown = f"{most} of the dealer's cards" if most else "no dealer's card"
        raise BadCards(f"{shown} may be seen before a decision in this game: leave out the others")


class Player(ABC):
    """A player of one game: the best play, or a written strategy."""

    rulebook: str

    @abstractmethod
    def answer(self, seen: Situation) -> str:
        """Return the answer to the decision."""

    def answers(self, situations: Iterable[Situation]) -> list[str]:
        """Return the answers to many decisions."""
        return [self.answer(seen) for seen in situations]

    def action(self, cards: Sequence[Card], community: Sequence[Card] = ()) -> str:
        return self.answer(Situation(cards, community))

    def save(self, path: Path) -> None:
        raise Unsolvable(
            f"the best play of {self.rulebook} cannot be saved in a file ({path.name})"
        )


class AdvisedPlayer(Player):
    """The best play: the solver's advice, decision by decision."""

    def __init__(self, rulebook: str, advise: Callable[[Situation], Advice]) -> None:
        self.rulebook, self._advise = rulebook, advise

    def answer(self, seen: Situation) -> str:
        return self._advise(seen).best
