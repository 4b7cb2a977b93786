"""The places of the cards that a reading shoe reads: each goes to the next place in the order of
dealing.

A reading shoe sees every card that leaves it and knows nothing of the game. The place of a card
follows from the way of dealing in force and from the cards already known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from croupier.errors import Refusal
from croupier.rounds.commands import CardPlace
from croupier.rounds.dealing import Delivery, deal_order
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import Round
from croupier.rulebooks.rules import Rules


class ShoePlace(NamedTuple):
    """A place that cards are dealt to; `seat` is 0 unless the place is a player's."""

    place: CardPlace
    seat: int = 0


_READS = ("deciding", "revealing", "showdown", "settling")


def places_for(
    count: int, state: Round, rules: Rules, waiting: Mapping[ShoePlace, int]
) -> tuple[ShoePlace, ...]:
    """Return the places of the next `count` cards. `waiting` counts the cards that were read but
    not yet entered because their hand is not complete."""
    if state.source != "live":
        raise Refusal("the cards come from the sealed deck: none can be named", code="sealed_deck")
    if state.phase not in _READS:
        raise Refusal("no card is read now: the dealer confirms the deal first", code="not_now")
    places = tuple(_open_places(state, rules, waiting))
    if len(places) < count:
        left = f"{len(places)} more" if places else "no more"
        raise Refusal(
            f"{count} read, but by the order of dealing {left} can have come out now",
            code="not_now",
            clause=flow_of(rules).dealing.clause,
        )
    return places[:count]


def place_words(place: ShoePlace) -> str:
    words = {"community": "the board", "box": "the bonus box", "burn": "a burn"}
    return f"seat {place.seat}" if place.seat else words.get(place.place, f"the {place.place}")


def _open_places(
    state: Round, rules: Rules, waiting: Mapping[ShoePlace, int]
) -> Iterator[ShoePlace]:
    """Yield the places of the cards dealt so far that are not yet known, once for each card."""
    known = _known(state)
    known.update(waiting)
    for delivery in _until_now(state, rules):
        place = _place(delivery)
        for _ in range(delivery.count):
            if known[place]:
                known[place] -= 1
            else:
                yield place


def _until_now(state: Round, rules: Rules) -> Iterator[Delivery]:
    """Yield the deliveries of the deal, and of every reveal made or being made."""
    seats = [seat.number for seat in state.seats]
    yield from deal_order(rules, seats)
    until = state.step + (1 if state.phase == "revealing" else 0)
    for step in flow_of(rules).steps[:until]:
        if not isinstance(step, Ask):
            yield from deal_order(rules, seats, step.reveal.name)


def _place(delivery: Delivery) -> ShoePlace:
    """Return the place of a delivery. A card laid aside unseen is entered as a burn."""
    named: dict[str, CardPlace] = {
        "player": "player",
        "dealer": "dealer",
        "community": "community",
        "box": "box",
    }
    return ShoePlace(named.get(delivery.place, "burn"), delivery.seat)


def _known(state: Round) -> Counter[ShoePlace]:
    known = Counter({ShoePlace("player", seat.number): len(seat.cards) for seat in state.seats})
    known[ShoePlace("dealer")] = len(state.dealer)
    known[ShoePlace("community")] = len(state.community)
    known[ShoePlace("box")] = len(state.box)
    known[ShoePlace("burn")] = len(state.burned)
    return known
