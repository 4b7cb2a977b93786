"""The hands held at the table: the named hands of the rulebook, evaluated on first use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias, cast
from weakref import WeakKeyDictionary

import msgspec

from croupier.cards import Card, mask_of
from croupier.ranking.by_categories import ByCategories
from croupier.ranking.plain import value_of
from croupier.ranking.ranking import Ranking
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook


class Held(msgspec.Struct, frozen=True, gc=False):
    """A hand's category and its value (values of one ranking compare as integers)."""

    name: str
    value: int


class HandPlan:
    """A hand of the rulebook with its places parsed for quick lookup."""

    def __init__(self, name: str, book: Rulebook) -> None:
        hand = book.hands[name]
        self.name = name
        self.ranking = ranking_of(book, name)
        self.places = tuple([_parse_place(place) for place in hand.cards])
        self.own_places = _Places([place for place in self.places if place[0] == "player"])
        self.shared_places = _Places([place for place in self.places if place[0] != "player"])
        self.own = bool(self.own_places.places)
        self.names = self.ranking.names
        self.written = self.ranking.written
        counts = [getattr(book.cards, place) if n is None else n for place, n in self.places]
        self.is_usual = isinstance(self.ranking, ByCategories) and self.ranking.is_usual
        self.is_usual = self.is_usual and sum(counts) <= 7
        self.once = self.ranking.copies == 1
        self.small = _SMALL.setdefault(self.ranking, {}) if sum(counts) <= 3 else None


def plans_of(rules: Rules) -> dict[str, HandPlan]:
    """Return the hands of the rulebook in force, each parsed once."""
    plans = rules.prepared.get(HandPlan)
    if plans is None:
        made = {name: HandPlan(name, rules.book) for name in rules.book.hands}
        plans = rules.prepared[HandPlan] = made
    return cast(dict[str, HandPlan], plans)


def least_value(plan: HandPlan, at_least: str, of: str) -> int:
    """Return the lowest value of a hand that is at least this, for instance `pair` and `4`."""
    return plan.ranking.least(at_least, of)


_SMALL: Final[WeakKeyDictionary[Ranking, dict[int, Held]]] = WeakKeyDictionary()
"""Cache of hands of up to three cards by mask: there are 23,426."""


_Place: TypeAlias = tuple[str, int | None]
"""A place of cards and the number of its first cards to use (None: all)."""


def _parse_place(text: str) -> _Place:
    name, _, count = text.partition(":")
    return name, int(count) if count else None


class _Places:
    """Places whose cards count together. `name` is a short key for looking up the cards' mask."""

    def __init__(self, places: list[_Place]) -> None:
        self.places = tuple(places)
        self.name = " ".join([f"{name}:{count or ''}" for name, count in places])


class Hands(dict[str, Held]):
    """Cards by place, and the hands made of them by name. A hand is evaluated on first use. A
    seat's hands share the table's cards."""

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
        """Return the cards of a named hand in the order in which the rulebook lists the places."""
        cards = self._named.get(name)
        if cards is None:
            cards = ()
            for place in self._plans[name].places:
                cards += self.place(place)
            self._named[name] = cards
        return cards

    def ranks(self, name: str) -> tuple[int, ...]:
        """Return the ranks of a named hand's cards, lowest first."""
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
        """Return the hand as the journal writes it: its category and the ranks that decide between
        two such hands, as in `two_pair 62A`."""
        return self._plans[name].written[self[name].value]

    def best(self, name: str) -> tuple[Card, ...]:
        """Return the cards that make the hand."""
        return self._plans[name].ranking.best_cards(self[name].value, self.cards(name))

    def words(self, name: str) -> str:
        """Return the hand as a dealer announces it."""
        return self._plans[name].ranking.words[self[name].value]

    def _evaluate(self, plan: HandPlan, shared: Hands) -> Held:
        if plan.is_usual:
            own = self._masks.get(plan.own_places.name)
            if own is None:
                own = self._mask(plan.own_places)
            theirs = shared._masks.get(plan.shared_places.name)
            if theirs is None:
                theirs = shared._mask(plan.shared_places)
            value = value_of(own | theirs)
            return Held(plan.names[value >> 20], value)
        cards = self.cards(plan.name)
        if not plan.once:
            value = plan.ranking.value_of(cards)
        elif plan.small is None:
            value = plan.ranking.value_of_mask(mask_of(cards))
        else:
            return self._small(plan, plan.small, mask_of(cards))
        return Held(plan.names[value >> 20], value)

    def _small(self, plan: HandPlan, known: dict[int, Held], mask: int) -> Held:
        held = known.get(mask)
        if held is None:
            value = plan.ranking.value_of_mask(mask)
            held = known[mask] = Held(plan.names[value >> 20], value)
        return held


def hands_of_table(plans: Mapping[str, HandPlan], played: CompletedRound) -> Hands:
    """Return the hands of the board, the dealer and the box."""
    return Hands(
        plans,
        {"community": played.community, "dealer": played.dealer, "box": played.box},
    )


def hands_of_seat(plans: Mapping[str, HandPlan], table: Hands, seat: PlayedSeat) -> Hands:
    """Return the hands of a seat's own cards together with the table's."""
    return Hands(plans, {"player": seat.cards}, table)
