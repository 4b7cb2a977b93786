"""What everybody at the table holds: the named hands of the rulebook, evaluated when asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias, cast

import msgspec

from croupier.cards import RANKS, Card, mask_of
from croupier.ranking.hands import CATEGORY_NAMES, pack
from croupier.ranking.plain import best_cards, value_of
from croupier.ranking.small import (
    THREE_CARD_NAMES,
    TWO_CARD_NAMES,
    three_card_value,
    two_card_value,
)
from croupier.rounds.completed import CompletedRound, PlayedSeat
from croupier.rulebooks.rankings import names_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Hand, Rulebook

__all__ = [
    "HandPlan",
    "Hands",
    "Held",
    "hands_of_seat",
    "hands_of_table",
    "least_value",
    "plans_of",
]


class Held(msgspec.Struct, frozen=True, gc=False):
    """A hand's category by name, and its value (values of one ranking compare as integers)."""

    name: str
    value: int


class HandPlan:
    """A hand of the rulebook with its places taken apart, ready to be looked up quickly."""

    def __init__(self, name: str, hand: Hand, book: Rulebook) -> None:
        self.name = name
        self.names = names_of(book, hand.ranking)
        """What hands of its ranking are called, the lowest first."""
        self.ranking = hand.ranking
        self.ace_low = hand.ace_low
        self.places = tuple([_parse_place(place) for place in hand.cards])
        self.own_places = _Places([place for place in self.places if place[0] == "player"])
        self.shared_places = _Places([place for place in self.places if place[0] != "player"])
        self.own = bool(self.own_places.places)
        self.is_five_card = hand.ranking == "five_card"
        self.small = _SMALL.setdefault((hand.ranking, hand.ace_low), {})
        self.written = _WRITTEN[hand.ranking]


def plans_of(rules: Rules) -> dict[str, HandPlan]:
    """The hands of the rulebook in force, taken apart once."""
    plans = rules.prepared.get(HandPlan)
    if plans is None:
        made = {name: HandPlan(name, hand, rules.book) for name, hand in rules.book.hands.items()}
        plans = rules.prepared[HandPlan] = made
    return cast(dict[str, HandPlan], plans)


def least_value(plan: HandPlan, at_least: str, of: str) -> int:
    """The lowest value of a hand that is at least this, `pair` `4` for instance."""
    if at_least not in plan.names:
        return 0
    return pack(plan.names.index(at_least), [RANKS.index(rank) for rank in of])


_SMALL: Final[dict[tuple[str, bool], dict[int, Held]]] = {}
"""Hands of two or three cards evaluated before, by their mask: there are 23,426."""


_DECIDING: Final = {
    "two_pair": 3,
    "straight": 1,
    "full_house": 2,
    "four_of_a_kind": 2,
    "straight_flush": 1,
    "royal_flush": 1,
    "mini_royal": 1,
}
"""How many ranks decide between two hands of a category, whatever the hand's size."""
_AS_RANKS: Final = str.maketrans("0123456789abc", RANKS)


class _Written(dict[int, str]):
    """Hands of one ranking by their value, written as the journal keeps them."""

    def __init__(self, names: tuple[str, ...], size: int) -> None:
        counts = {"high_card": size, "flush": size, "pair": size - 1, "three_of_a_kind": size - 2}
        self._categories = [(name, (_DECIDING | counts).get(name, 0)) for name in names]

    def __missing__(self, value: int) -> str:
        name, count = self._categories[value >> 20]
        # A value has four bits a rank: its hexadecimal digits are the ranks.
        ranks = f"{value & 0xFFFFF:05x}"[:count].translate(_AS_RANKS)
        made = self[value] = f"{name} {ranks}"
        return made


_WRITTEN: Final = {
    "five_card": _Written(CATEGORY_NAMES, 5),
    "three_card": _Written(THREE_CARD_NAMES, 3),
    "two_card": _Written(TWO_CARD_NAMES, 2),
    "cards": _Written(("",), 0),
}

_Place: TypeAlias = tuple[str, int | None]
"""Where cards lie, and how many of the first of them are meant (None: all)."""


def _parse_place(text: str) -> _Place:
    name, _, count = text.partition(":")
    return name, int(count) if count else None


class _Places:
    """Places whose cards count together; `name` is short, to look the cards' mask up by."""

    def __init__(self, places: list[_Place]) -> None:
        self.places = tuple(places)
        self.name = " ".join([f"{name}:{count or ''}" for name, count in places])


class Hands(dict[str, Held]):
    """Cards by place, and by name the hands made of them: each is evaluated when it is asked for
    the first time. A seat's hands stand on the table's."""

    __slots__ = ("_cards", "_masks", "_named", "_plans", "_ranks", "table")

    def __init__(
        self,
        plans: Mapping[str, HandPlan],
        cards: dict[str, tuple[Card, ...]],
        table: Hands | None = None,
    ) -> None:
        self._plans = plans
        self._cards = cards
        self._masks: dict[str, int] = {}
        self._named: dict[str, tuple[Card, ...]] = {}
        self._ranks: dict[str, tuple[int, ...]] = {}
        self.table = table

    def place(self, place: _Place) -> tuple[Card, ...]:
        name, count = place
        cards = self._cards.get(name)
        if cards is None:
            return self.table.place(place) if self.table is not None else ()
        return cards[:count]

    def _mask(self, places: _Places) -> int:
        mask = self._masks.get(places.name)
        if mask is None:
            mask = 0
            for place in places.places:
                mask |= mask_of(self.place(place))
            self._masks[places.name] = mask
        return mask

    def cards(self, name: str) -> tuple[Card, ...]:
        """The cards of a named hand in the order its rulebook lists the places."""
        cards = self._named.get(name)
        if cards is None:
            cards = ()
            for place in self._plans[name].places:
                cards += self.place(place)
            self._named[name] = cards
        return cards

    def ranks(self, name: str) -> tuple[int, ...]:
        """The ranks of a named hand's cards, lowest first."""
        ranks = self._ranks.get(name)
        if ranks is None:
            ranks = self._ranks[name] = tuple(sorted([card % 13 for card in self.cards(name)]))
        return ranks

    def __missing__(self, name: str) -> Held:
        plan = self._plans[name]
        if self.table is None:
            held = self._evaluate(plan, self)
        else:
            held = self._evaluate(plan, self.table) if plan.own else self.table[name]
        self[name] = held
        return held

    def written(self, name: str) -> str:
        """What the hand is worth, for the journal: its category and the ranks that decide between
        two of them, `two_pair 62A`."""
        return self._plans[name].written[self[name].value]

    def best(self, name: str) -> tuple[Card, ...]:
        """The five cards that make a five-card hand, named one by one."""
        return best_cards(self[name].value, self.cards(name))

    def _evaluate(self, plan: HandPlan, shared: Hands) -> Held:
        if plan.is_five_card:
            own = self._masks.get(plan.own_places.name)
            if own is None:
                own = self._mask(plan.own_places)
            theirs = shared._masks.get(plan.shared_places.name)
            if theirs is None:
                theirs = shared._mask(plan.shared_places)
            value = value_of(own | theirs)
            return Held(CATEGORY_NAMES[value >> 20], value)
        mask = mask_of(self.cards(plan.name))
        held = plan.small.get(mask)
        if held is None:
            held = plan.small[mask] = self._small(plan)
        return held

    def _small(self, plan: HandPlan) -> Held:
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
