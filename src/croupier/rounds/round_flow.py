"""How a round goes on, by its rulebook: questions and reveals in their order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from croupier.rounds.dealing import dealing_in_force
from croupier.rounds.wager_cards import looks_at
from croupier.rulebooks.rules import Rules, progressive_wager
from croupier.rulebooks.schema import Decision, HighestHand, Reveal, Rulebook, VersusDealer

__all__ = ["Ask", "RoundFlow", "Show", "flow_of"]


class Ask(NamedTuple):
    """The dealer asks every player who has not answered with a bet yet."""

    decision: Decision


class Show(NamedTuple):
    """Cards are turned up: community cards, one of each player's, or the dealer's first."""

    reveal: Reveal


class RoundFlow:
    """A rulebook in force, taken apart once for the engine."""

    def __init__(self, rules: Rules) -> None:
        book = rules.book
        self.steps: tuple[Ask | Show, ...] = tuple(_steps(book))
        self.first_look = _first_look(book)
        """How many of their own cards players may look at before the first question."""
        self.has_dealer = book.dealer is not None
        self.turns_up = any(reveal.dealer for reveal in book.reveals)
        """Are cards of the dealer's turned up before his hand is shown?"""
        self.coupon_on = book.procedure.coupon_on
        self.dealing = dealing_in_force(rules)
        self.lawful: set[tuple[tuple[str, int], ...]] = set()
        """First bets of a seat that were found lawful: most players repeat theirs."""
        self.progressive = progressive_wager(book)
        self.taken_before_deal = frozenset(
            name for name, wager in book.wagers.items() if wager.taken_before_deal
        )
        self.decided_by_fold = frozenset(
            name
            for name, wager in book.wagers.items()
            if isinstance(wager.settles, VersusDealer) or wager.after_fold == "loses"
        )
        """Wagers that a fold decides, whatever the cards: for these a folded hand is mucked."""
        self.on_every_hand = frozenset(
            name for name, wager in book.wagers.items() if isinstance(wager.settles, HighestHand)
        )
        self.off_board = frozenset(
            name for name in book.wagers if not looks_at(name, rules, "community")
        )
        """Wagers that need no community card."""
        self.right_numbers = {
            name: book.cards.player if accident.counts == "hand" else book.cards.box
            for name, accident in book.irregularities.items()
            if accident.counts
        }
        """By the irregularity that reports another number: how many cards belong there."""
        self.wagers_on_box = frozenset(
            name
            for name, wager in book.wagers.items()
            if (hand := getattr(wager.settles, "hand", None)) is not None
            and any(place.startswith("box") for place in book.hands[hand].cards)
        )


def _steps(book: Rulebook) -> Iterator[Ask | Show]:
    community, looked, dealer = 0, _first_look(book), 0
    reveals = list(book.reveals)
    for decision in book.decisions:
        while reveals and (
            community < decision.sees_community
            or looked < decision.sees_player
            or dealer < decision.sees_dealer
        ):
            reveal = reveals.pop(0)
            community += reveal.community
            looked += reveal.player
            dealer += reveal.dealer
            yield Show(reveal)
        yield Ask(decision)
    yield from map(Show, reveals)


def _first_look(book: Rulebook) -> int:
    turned_later = sum(reveal.player for reveal in book.reveals)
    return book.cards.player - turned_later


def flow_of(rules: Rules) -> RoundFlow:
    flow = rules.prepared.get(RoundFlow)
    if flow is None:
        flow = rules.prepared[RoundFlow] = RoundFlow(rules)
    return flow  # type: ignore[return-value]
