"""What everybody at the table holds: the named hands of the rulebook, evaluated when asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from croupier.cards import Card, mask_of
from croupier.ranking.hands import CATEGORY_NAMES
from croupier.ranking.plain import best_cards, value_of
from croupier.ranking.small import (
    THREE_CARD_NAMES,
    TWO_CARD_NAMES,
    three_card_value,
    two_card_value,
)
from croupier.rounds.completed import CompletedRound, PlayedSeat
from croupier.rulebooks.schema import Hand

__all__ = ["HandPlan", "Hands", "Held", "hands_of_seat", "hands_of_table"]


class Held(NamedTuple):
    """A hand's category by name, and its value (values of one ranking compare as integers)."""

    name: str
    value: int


class HandPlan:
    """A hand of the rulebook with its places taken apart, ready to be looked up quickly."""

    def __init__(self, name: str, hand: Hand) -> None:
        self.name = name
        self.ranking = hand.ranking
        self.ace_low = hand.ace_low
        self.places = hand.cards
        self.own_places = tuple([place for place in hand.cards if place.startswith("player")])
        self.shared_places = tuple([place for place in hand.cards if place not in self.own_places])
        self.own = bool(self.own_places)


class Hands:
    """Cards by place, and the hands made of them so far. A seat's stand on the table's."""

    __slots__ = ("_cards", "_held", "_masks", "_named", "_plans", "_ranks", "table")

    def __init__(
        self,
        plans: Mapping[str, HandPlan],
        cards: dict[str, tuple[Card, ...]],
        table: Hands | None = None,
    ) -> None:
        self._plans = plans
        self._cards = cards
        self._held: dict[str, Held] = {}
        self._masks: dict[tuple[str, ...], int] = {}
        self._named: dict[str, tuple[Card, ...]] = {}
        self._ranks: dict[str, tuple[int, ...]] = {}
        self.table = table

    def _place(self, place: str) -> tuple[Card, ...]:
        name, _, count = place.partition(":")
        cards = self._cards.get(name)
        if cards is None:
            return self.table._place(place) if self.table is not None else ()
        return cards[: int(count)] if count else cards

    def _mask(self, places: tuple[str, ...]) -> int:
        mask = self._masks.get(places)
        if mask is None:
            mask = 0
            for place in places:
                mask |= mask_of(self._place(place))
            self._masks[places] = mask
        return mask

    def cards(self, name: str) -> tuple[Card, ...]:
        """The cards of a named hand in the order its rulebook lists the places."""
        cards = self._named.get(name)
        if cards is None:
            places = self._plans[name].places
            cards = tuple([card for place in places for card in self._place(place)])
            self._named[name] = cards
        return cards

    def ranks(self, name: str) -> tuple[int, ...]:
        """The ranks of a named hand's cards, lowest first."""
        ranks = self._ranks.get(name)
        if ranks is None:
            ranks = self._ranks[name] = tuple(sorted([card % 13 for card in self.cards(name)]))
        return ranks

    def held(self, name: str) -> Held:
        held = self._held.get(name)
        if held is None:
            plan = self._plans[name]
            if self.table is not None and not plan.own:
                return self.table.held(name)
            held = self._held[name] = self._evaluate(plan)
        return held

    def best(self, name: str) -> tuple[Card, ...]:
        """The five cards that make a five-card hand, named one by one."""
        return best_cards(self.held(name).value, self.cards(name))

    def _evaluate(self, plan: HandPlan) -> Held:
        if plan.ranking == "five_card":
            shared = self if self.table is None else self.table
            value = value_of(self._mask(plan.own_places) | shared._mask(plan.shared_places))
            return Held(CATEGORY_NAMES[value >> 20], value)
        if plan.ranking == "three_card":
            value = three_card_value(self.cards(plan.name), ace_low=plan.ace_low)
            return Held(THREE_CARD_NAMES[value >> 20], value)
        if plan.ranking == "two_card":
            value = two_card_value(self.cards(plan.name), ace_low=plan.ace_low)
            return Held(TWO_CARD_NAMES[value >> 20], value)
        return Held("", 0)


def hands_of_table(plans: Mapping[str, HandPlan], played: CompletedRound) -> Hands:
    """The board, the dealer and the box."""
    return Hands(
        plans,
        {"community": played.community, "dealer": played.dealer, "box": played.box},
    )


def hands_of_seat(plans: Mapping[str, HandPlan], table: Hands, seat: PlayedSeat) -> Hands:
    """A seat's own cards together with the table's."""
    return Hands(plans, {"player": seat.cards}, table)
