"""A round that has been played to its end, as the settlement takes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from croupier.cards import Card, cards_in
from croupier.errors import BadAmount, CroupierError, plain, shown
from croupier.money import parse_cents
from croupier.rulebooks.decoding import read_json as read_request
from croupier.rulebooks.submission import Amount

__all__ = ["CompletedRound", "PlayedSeat", "RoundRequest", "SeatRequest", "read_request"]


class PlayedSeat(msgspec.Struct, frozen=True, gc=False):
    """One betting position: its cards in the order dealt, what was bet, what was decided.

    `wagers` holds what went down before the deal, in cents; what is decided in play follows from
    `actions`.
    """

    number: int
    player: str
    cards: tuple[Card, ...]
    wagers: Mapping[str, int]
    actions: tuple[str, ...]


class CompletedRound(msgspec.Struct, frozen=True):
    """Community cards in order of exposure; `box` are the Six Card Bonus cards."""

    seats: tuple[PlayedSeat, ...]
    community: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
    box: tuple[Card, ...] = ()


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: int
    cards: str
    wagers: dict[str, Amount]
    actions: tuple[str, ...] = ()
    player: str | None = None


class RoundRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of `croupier settle`, as the contract writes it."""

    rulebook: str
    seats: tuple[SeatRequest, ...]
    submission: msgspec.Raw = msgspec.Raw(b"{}")
    meters: dict[str, Amount] | None = None
    community: str = ""
    dealer: str | None = None
    bonus_cards: str | None = None

    def round(self) -> CompletedRound:
        return CompletedRound(
            seats=tuple([_seat(seat) for seat in self.seats]),
            community=_cards(self.community, "community"),
            dealer=_cards(self.dealer or "", "dealer"),
            box=_cards(self.bonus_cards or "", "bonus_cards"),
        )

    def meters_in_cents(self) -> dict[str, int]:
        meters = {
            name: _amount(value, f"meter {shown(name)}")
            for name, value in (self.meters or {}).items()
        }
        for name, cents in meters.items():
            if cents < 0:
                raise BadAmount(f"meter {shown(name)}: a meter never shows less than 0.00")
        return meters


def _seat(seat: SeatRequest) -> PlayedSeat:
    where = f"seat {shown(seat.seat)}"
    return PlayedSeat(
        number=seat.seat,
        player=f"seat {seat.seat}" if seat.player is None else seat.player,
        cards=_cards(seat.cards, where),
        wagers={name: _amount(value, where, name) for name, value in seat.wagers.items()},
        actions=seat.actions,
    )


def _cards(text: str, where: str) -> tuple[Card, ...]:
    """A card named twice is left to `legality`, which knows the clause it breaks."""
    try:
        return cards_in(text)
    except CroupierError as error:
        raise error.within(where) from None


def _amount(value: Amount, where: str, wager: str = "") -> int:
    try:
        return parse_cents(value)
    except CroupierError as error:
        raise error.within(f"{where}: {plain(wager)}" if wager else where) from None


def all_cards(played: CompletedRound) -> Iterable[tuple[str, Card]]:
    """Every card of the round with the place it lies in."""
    for place, cards in (
        ("the board", played.community),
        ("the dealer's hand", played.dealer),
        ("the bonus box", played.box),
    ):
        for card in cards:
            yield place, card
    for seat in played.seats:
        for card in seat.cards:
            yield f"seat {seat.number}", card
