"""What a person sees of a table and may do at it, as records."""

from __future__ import annotations

from typing import Any

from croupier.cards import Card
from croupier.library import html
from croupier.library.record import Record
from croupier.money import dollars, format_cents
from croupier.rounds.actions import Choice
from croupier.rounds.views import RoundView, SeatView

__all__ = ["LegalAction", "TableView"]


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


class TableView(Record, frozen=True):
    """The table as one person may see it: a card that he may not see is None, here already.

    `asked` is the player whose answer the table waits for, `chips_cents` what lies in front of
    everybody.
    """

    table: str
    rulebook: str
    title: str
    viewer: str
    round: RoundView
    asked: str
    decision: str
    chips_cents: dict[str, int]
    meters_cents: dict[str, int]

    @property
    def phase(self) -> str:
        return self.round.phase

    @property
    def community(self) -> tuple[Card | None, ...]:
        return self.round.community

    @property
    def dealer(self) -> tuple[Card | None, ...]:
        return self.round.dealer

    @property
    def seats(self) -> tuple[SeatView, ...]:
        return self.round.seats

    def seat(self, number: int) -> SeatView:
        found = [seat for seat in self.round.seats if seat.number == number]
        if not found:
            raise KeyError(number)
        return found[0]

    def to_dict(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "rulebook": self.rulebook,
            "viewer": self.viewer,
            "round": self.round.number,
            "phase": self.phase,
            "asked": self.asked or None,
            "decision": self.decision or None,
            "community": _names(self.community),
            "dealer": _names(self.dealer),
            "box": _names(self.round.box),
            "seats": [_seat_object(seat) for seat in self.seats],
            "chips": _money(self.chips_cents),
            "meters": _money(self.meters_cents),
            "commitment": self.round.commitment,
        }

    def __repr__(self) -> str:
        asked = f", {self.asked} is asked: {self.decision}" if self.asked else ""
        return f"<TableView {self.table}: round {self.round.number}, {self.phase}{asked}>"

    def _repr_html_(self) -> str:
        rows: list[tuple[object, ...]] = []
        if self.community:
            rows.append(("community", html.cards(self.community), "", ""))
        if self.dealer:
            rows.append(("dealer", html.cards(self.dealer), self.round.dealer_hand, ""))
        rows += [self._seat_row(seat) for seat in self.seats]
        waiting = f"{self.asked} is asked: {self.decision}" if self.asked else self.phase
        chips = ", ".join(f"{name} {dollars(cents)}" for name, cents in self.chips_cents.items())
        return html.page(
            f"{self.title}, table {self.table}, round {self.round.number}",
            html.grid(("", "cards", "", "on the layout"), rows),
            html.note(f"{waiting}. Chips: {chips or 'none'}."),
        )

    def _seat_row(self, seat: SeatView) -> tuple[object, ...]:
        name = f"seat {seat.number}, {seat.player}"
        bets = ", ".join(f"{wager} {dollars(cents)}" for wager, cents in seat.wagers.items())
        said = seat.hand.replace("_", " ") or ", ".join(seat.actions)
        mark = html.strong(name) if seat.number == self.round.turn else name
        return mark, html.cards(seat.cards), said, bets


def _names(cards: tuple[Card | None, ...]) -> list[str | None]:
    return [None if card is None else str(card) for card in cards]


def _money(amounts: dict[str, int]) -> dict[str, str]:
    return {name: format_cents(cents) for name, cents in amounts.items()}


def _seat_object(seat: SeatView) -> dict[str, Any]:
    return {
        "seat": seat.number,
        "player": seat.player,
        "cards": _names(seat.cards),
        "wagers": _money(seat.wagers),
        "actions": list(seat.actions),
        "folded": seat.folded,
        "hand": seat.hand or None,
    }
