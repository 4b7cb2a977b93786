"""The order in which cards leave the deck, according to the rulebook's way of dealing.

A way of dealing is a list of steps in the rulebook file. For the seats in the round the steps
become deliveries: n cards to a place, from the top of the deck. Cards that leave the deck only with
a reveal (a burn, a flop dealt from a shoe) are listed under the reveal's name.

The deck and these deliveries determine every hand. Nothing is random here, so the same deck dealt
twice gives the same round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, cast

from croupier.cards import Card
from croupier.errors import BadCards, BadRequest, RuleBroken, shown, suggest
from croupier.rulebooks.equipment import dealing_in_force, dealing_name, order_name
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import DealStep, Irregularity

DEAL: Final = "deal"
"""The moment at which all cards leave the deck that do not wait for a reveal."""


class Delivery(NamedTuple):
    """Consecutive cards from the deck that go to the same place."""

    place: str
    """`player`, `dealer`, `community`, `box`, `burn` or `discard`."""
    seat: int
    """The player's seat; 0 for every other place."""
    count: int  # type: ignore[assignment] # the dealer's word, although it hides `tuple.count`
    clause: str


class Dealt(NamedTuple):
    """The cards of a deck by place, in the order dealt."""

    players: Mapping[int, tuple[Card, ...]]
    dealer: tuple[Card, ...]
    community: tuple[Card, ...]
    box: tuple[Card, ...]
    burned: tuple[Card, ...]
    discarded: tuple[Card, ...]
    stub: tuple[Card, ...]
    """The cards left, from which later deliveries of the same round come."""


def deal_order(rules: Rules, seats: Sequence[int], at: str = DEAL) -> tuple[Delivery, ...]:
    """Return the deliveries at the deal, or at the reveal named by `at`, in the order the cards
    leave the deck.

    Seats are served from the dealer's left, seat 1 first, in whatever order they are listed.
    """
    plan = _plan(rules)
    key = at, tuple(seats)
    order = plan.orders.get(key)
    if order is None:
        order = plan.orders[key] = plan.expand(key[1], at)
    return order


def whole_order(rules: Rules, seats: Sequence[int]) -> tuple[tuple[str, Delivery], ...]:
    """Return every delivery of a round with its moment: the deal, then the reveals."""
    moments = (DEAL, *(reveal.name for reveal in rules.book.reveals))
    return tuple((at, delivery) for at in moments for delivery in deal_order(rules, seats, at))


def dealt(deck: Sequence[Card], order: Sequence[Delivery]) -> Dealt:
    """Deal the cards of a deck (or of a stub) in this order, from the top."""
    needed = sum([delivery.count for delivery in order])
    if needed > len(deck):
        raise BadCards(f"{needed} cards are to be dealt, but {len(deck)} are left")
    players: dict[int, tuple[Card, ...]] = {}
    places: dict[str, tuple[Card, ...]] = {}
    top = 0
    for place, seat, count, _ in order:
        cards = tuple(deck[top : top + count])
        top += count
        if place == "player":
            players[seat] = players.get(seat, ()) + cards
        else:
            places[place] = places.get(place, ()) + cards
    there = places.get
    return Dealt(
        players=players,
        dealer=there("dealer", ()),
        community=there("community", ()),
        box=there("box", ()),
        burned=there("burn", ()),
        discarded=there("discard", ()),
        stub=tuple(deck[top:]),
    )


def dealer_waits(rules: Rules) -> bool:
    """Return whether the dealer's cards stay in the machine until every player has acted."""
    return any(step.waits for step in _plan(rules).steps)


class _Plan:
    """The steps in force, and a cache of the deliveries computed for sets of seats."""

    def __init__(self, rules: Rules) -> None:
        dealing, order = dealing_in_force(rules), order_name(rules)
        steps = dealing.variants[order].order if order else dealing.order
        self.book = rules.book
        self.steps = tuple(
            step for step in steps if not step.needs_wager or step.needs_wager in rules.offered
        )
        self.orders: dict[tuple[str, tuple[int, ...]], tuple[Delivery, ...]] = {}

    def expand(self, seats: tuple[int, ...], at: str) -> tuple[Delivery, ...]:
        moments = (DEAL, *(reveal.name for reveal in self.book.reveals))
        if at not in moments:
            raise suggest("reveal", at, moments)
        self._check(seats)
        order: list[Delivery] = []
        for step in self.steps:
            if step.at == at:
                for delivery in _served(step, sorted(seats)):
                    _append(order, delivery)
        return tuple(order)

    def _check(self, seats: tuple[int, ...]) -> None:
        positions = self.book.positions
        if not seats:
            raise BadRequest("cards are dealt to at least one seat")
        for seat in seats:
            if not 1 <= seat <= positions.most:
                raise RuleBroken(
                    f"seat {shown(seat)}: seats are numbered 1 to {positions.most}",
                    clause=positions.clause,
                )
        if len(set(seats)) != len(seats):
            twice = next(seat for seat in seats if seats.count(seat) > 1)
            raise BadRequest(f"seat {twice} is given twice")


def _plan(rules: Rules) -> _Plan:
    plan = rules.prepared.get(_Plan)
    if plan is None:
        plan = rules.prepared[_Plan] = _Plan(rules)
    return cast(_Plan, plan)


def _served(step: DealStep, seats: Sequence[int]) -> Iterator[Delivery]:
    for _ in range(step.times):
        for place in step.to:
            if place == "players":
                for seat in seats:
                    yield Delivery("player", seat, step.cards, step.clause)
            else:
                yield Delivery(place, 0, step.cards, step.clause)


def _append(order: list[Delivery], new: Delivery) -> None:
    """Add a delivery, merged into the last one if both go to the same place by the same clause."""
    if order and order[-1] == new._replace(count=order[-1].count):
        new = new._replace(count=order.pop().count + new.count)
    order.append(new)


def irregularity_clause(irregularity: Irregularity, rules: Rules) -> str:
    """Return the irregularity's clause for this table's way of dealing, which may have one of its
    own."""
    return irregularity.clause_by.get(dealing_name(rules), irregularity.clause)
