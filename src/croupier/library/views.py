"""What a person sees of a table and may do at it, as records."""

from __future__ import annotations

from typing import Any

from croupier.cards import Card
from croupier.library import html
from croupier.library.record import Record
from croupier.money import dollars, format_cents
from croupier.rounds import views as rounds_views
from croupier.rounds.actions import Choice
from croupier.rounds.state import AddedRandomness

__all__ = ["LegalAction", "SeatView", "TableView"]


class LegalAction(Record, frozen=True):
    """`do` is `place` (a wager of `least_cents` to `most_cents`, or one of `stakes_cents`),
    `take_back`, `say` (an answer, which puts `cost_cents` down) or `leave`."""

    do: str
    wager: str
    action: str
    cost_cents: int
    least_cents: int
    most_cents: int | None
    stakes_cents: tuple[int, ...]
    clause: str

    @classmethod
    def of(cls, choice: Choice) -> LegalAction:
        return cls(
            choice.do,
            choice.wager,
            choice.action,
            choice.cents,
            choice.least,
            choice.most,
            choice.stakes,
            choice.clause,
        )

    def to_dict(self) -> dict[str, Any]:
        most = self.most_cents
        return {
            "do": self.do,
            "wager": self.wager,
            "action": self.action,
            "cost": format_cents(self.cost_cents),
            "least": format_cents(self.least_cents),
            "most": None if most is None else format_cents(most),
            "stakes": [format_cents(stake) for stake in self.stakes_cents],
            "clause": self.clause,
        }

    def __repr__(self) -> str:
        what = " ".join(filter(None, (self.do, self.action or self.wager)))
        cost = f" ({dollars(self.cost_cents)})" if self.cost_cents else ""
        clause = f" [{self.clause}]" if self.clause else ""
        return f"<{what}{cost}{clause}>"


class SeatView(Record, frozen=True):
    """A betting position in the round; `hand` is known once the cards are turned up."""

    seat: int
    player: str
    cards: tuple[Card | None, ...]
    wagers_cents: dict[str, int]
    actions: tuple[str, ...]
    folded: bool
    hand: str

    @classmethod
    def of(cls, seat: rounds_views.SeatView) -> SeatView:
        return cls(
            seat.number,
            seat.player,
            seat.cards,
            seat.wagers,
            seat.actions,
            seat.folded,
            seat.hand,
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "player": self.player,
            "cards": _names(self.cards),
            "wagers": _money(self.wagers_cents),
            "actions": list(self.actions),
            "folded": self.folded,
            "hand": self.hand or None,
        }


class TableView(Record, frozen=True):
    """The table as one person may see it: a card that he may not see is None, here already.

    `asked` is the player whose answer the table waits for, `turn` his seat, `decision` what he is
    asked; `chips_cents` is what lies in front of everybody. `commitment` seals the deck of a
    virtual table; `salt` and `deck` open the seal when the round is over. `added` is the randomness
    that players add to it.
    """

    table: str
    rulebook: str
    title: str
    viewer: str
    round: int
    phase: str
    asked: str
    turn: int
    decision: str
    community: tuple[Card | None, ...]
    dealer: tuple[Card | None, ...]
    dealer_hand: str
    box: tuple[Card | None, ...]
    seats: tuple[SeatView, ...]
    chips_cents: dict[str, int]
    meters_cents: dict[str, int]
    commitment: str
    salt: str
    deck: tuple[Card, ...]
    added: tuple[AddedRandomness, ...] = ()

    def seat(self, number: int) -> SeatView:
        found = [seat for seat in self.seats if seat.seat == number]
        if not found:
            raise KeyError(number)
        return found[0]

    def to_dict(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "rulebook": self.rulebook,
            "viewer": self.viewer,
            "round": self.round,
            "phase": self.phase,
            "asked": self.asked or None,
            "decision": self.decision or None,
            "community": _names(self.community),
            "dealer": _names(self.dealer),
            "box": _names(self.box),
            "seats": [seat.to_dict() for seat in self.seats],
            "chips": _money(self.chips_cents),
            "meters": _money(self.meters_cents),
            "commitment": self.commitment,
        }

    def __repr__(self) -> str:
        asked = f", {self.asked} is asked: {self.decision}" if self.asked else ""
        return f"<TableView {self.table}: round {self.round}, {self.phase}{asked}>"

    def _repr_html_(self) -> str:
        rows: list[tuple[object, ...]] = []
        if self.community:
            rows.append(("community", html.cards(self.community), "", ""))
        if self.dealer:
            rows.append(("dealer", html.cards(self.dealer), self.dealer_hand, ""))
        rows += [self._seat_row(seat) for seat in self.seats]
        waiting = f"{self.asked} is asked: {self.decision}" if self.asked else self.phase
        chips = ", ".join(f"{name} {dollars(cents)}" for name, cents in self.chips_cents.items())
        return html.page(
            f"{self.title}, table {self.table}, round {self.round}",
            html.grid(("", "cards", "", "on the layout"), rows),
            html.note(f"{waiting}. Chips: {chips or 'none'}."),
        )

    def _seat_row(self, seat: SeatView) -> tuple[object, ...]:
        name = f"seat {seat.seat}, {seat.player}"
        bets = ", ".join(f"{wager} {dollars(cents)}" for wager, cents in seat.wagers_cents.items())
        said = seat.hand.replace("_", " ") or ", ".join(seat.actions)
        mark = html.strong(name) if seat.seat == self.turn else name
        return mark, html.cards(seat.cards), said, bets


def _names(cards: tuple[Card | None, ...]) -> list[str | None]:
    return [None if card is None else str(card) for card in cards]


def _money(amounts: dict[str, int]) -> dict[str, str]:
    return {name: format_cents(cents) for name, cents in amounts.items()}
