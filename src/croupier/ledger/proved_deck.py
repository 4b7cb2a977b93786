"""The deck of a proved round, computed again from its entries: the seal, what players added, and
every card that left it. It takes neither the journal nor the rulebook."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from croupier.cards import Card
from croupier.ledger.faults import ProofFailed
from croupier.randomness.mixing import Contribution, is_value_of, mixed_order
from croupier.randomness.shuffling import matches_seal
from croupier.rounds.commands import CommitRandomness, OpenBetting, RevealRandomness
from croupier.rounds.events import CardsDealt, Revealed
from croupier.tables.events import TableEvent

__all__ = ["ProvedDeck", "prove_deck"]


class ProvedDeck(msgspec.Struct, frozen=True):
    """`seal` was public before the bets; `values`: how many players' values it was mixed with;
    `dealt`: how many cards left it."""

    seal: str
    values: int
    dealt: int


def prove_deck(opening: OpenBetting, events: Iterable[TableEvent]) -> ProvedDeck | None:
    """Raises `ProofFailed` where something does not follow. Nothing where no deck was sealed: the
    cards were shuffled by hand."""
    if opening.source == "live" or not opening.commitment:
        return None
    seal, salt, order = opening.commitment, opening.salt, opening.deck
    if not matches_seal(seal, salt, order):
        raise ProofFailed("its salt and order do not open the seal that stood before the bets")
    added: dict[int, Contribution] = {}
    deck: tuple[Card, ...] = ()
    top = 0
    for event in events:
        match event:
            case CommitRandomness():
                added[event.seat] = Contribution(event.seat, event.commitment, "")
            case RevealRandomness():
                added[event.seat] = _with_value(added.get(event.seat), event)
            case CardsDealt() | Revealed():
                if not deck:
                    deck = mixed_order(seal, salt, order, added.values()) if added else order
                _check_cards(event, deck[top : top + event.drawn])
                top += event.drawn
            case _:
                continue
    return ProvedDeck(seal, sum(bool(one.value) for one in added.values()), top)


def _with_value(committed: Contribution | None, told: RevealRandomness) -> Contribution:
    if committed is None or not is_value_of(committed.commitment, told.value):
        raise ProofFailed(f"the value of seat {told.seat} is not what it committed to")
    return committed._replace(value=told.value)


def _check_cards(event: CardsDealt | Revealed, due: tuple[Card, ...]) -> None:
    places = [event.community, event.burned, event.dealer, event.box, event.discarded]
    if isinstance(event, CardsDealt):
        places += event.seats.values()
    if sorted(card for place in places for card in place) != sorted(due):
        raise ProofFailed(
            f"the {event.drawn} cards that it deals are not the next {event.drawn} of its deck"
        )
