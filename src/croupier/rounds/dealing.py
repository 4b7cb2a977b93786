"""The order in which cards leave the deck, as the rulebook's way of dealing has it.

A way of dealing is a list of steps in the rulebook file. For the seats in the round the steps
become deliveries: n cards to a place, from the top of the deck. Cards that leave the deck only with
a reveal (a burn, a flop dealt from a shoe) go by the reveal's name.

The deck and these deliveries decide who holds which card. Nothing is drawn at random here, so the
same deck dealt twice is the same round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, cast

from croupier.cards import Card
from croupier.errors import BadCards, BadRequest, RuleBroken, shown, suggest
from croupier.rulebooks.equipment import dealing_in_force, dealing_name, order_name
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import DealStep, Irregularity

DEAL: Final = "deal"
"""The moment at which every card leaves the deck that does not wait for a reveal."""


class Delivery(NamedTuple):
    """Cards that leave the deck one after the other for the same place."""

    place: str
    """`player`, `dealer`, `community`, `box`, `burn` or `discard`."""
    seat: int
    """The player's; 0 for every other place."""
    count: int  # type: ignore[assignment] # what a dealer calls it, before what a tuple does
    clause: str


class Dealt(NamedTuple):
    """Where the cards of a deck went, each place in the order it was served."""

    players: Mapping[int, tuple[Card, ...]]
    dealer: tuple[Card, ...]
    community: tuple[Card, ...]
    box: tuple[Card, ...]
    burned: tuple[Card, ...]
    discarded: tuple[Card, ...]
    stub: tuple[Card, ...]
    """What is left: the cards that later deliveries of the same round come from."""


def deal_order(rules: Rules, seats: Sequence[int], at: str = DEAL) -> tuple[Delivery, ...]:
    """The deliveries at the deal, or with the reveal named by `at`, as the cards leave the deck.

    Seats are served from the dealer's left, seat 1 first, however they are listed.
    """
    plan = _plan(rules)
    key = at, tuple(seats)
    order = plan.orders.get(key)
    if order is None:
        order = plan.orders[key] = plan.expand(key[1], at)
    return order


def whole_order(rules: Rules, seats: Sequence[int]) -> tuple[tuple[str, Delivery], ...]:
    """Every delivery of a round with the moment it happens at: the deal, then the reveals."""
    moments = (DEAL, *(reveal.name for reveal in rules.book.reveals))
    return tuple((at, delivery) for at in moments for delivery in deal_order(rules, seats, at))


def dealt(deck: Sequence[Card], order: Sequence[Delivery]) -> Dealt:
    """The cards of a deck (or of a stub) given out in this order, the first card first."""
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
    """Whether the dealer's cards stay in the machine until every player has acted."""
    return any(step.waits for step in _plan(rules).steps)


class _Plan:
    """The steps in force, and the deliveries they came to for seats that were asked about."""

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
    """Cards that follow others to the same place by the same clause are one delivery with them."""
    if order and order[-1] == new._replace(count=order[-1].count):
        new = new._replace(count=order.pop().count + new.count)
    order.append(new)


def irregularity_clause(irregularity: Irregularity, rules: Rules) -> str:
    """The clause for the way this table deals: a stub is counted by another one in each."""
    return irregularity.clause_by.get(dealing_name(rules), irregularity.clause)
