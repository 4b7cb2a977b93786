"""Views of a table: what a person sees, and what they may do."""

from __future__ import annotations

from typing import Any

from croupier.cards import Card
from croupier.library import html
from croupier.library.record import Record
from croupier.library.settling import moneys
from croupier.money import Money
from croupier.rounds import views as rounds_views
from croupier.rounds.actions import Choice
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import AddedRandomness, Phase, Round, SeatInRound
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision


class LegalAction(Record, frozen=True):
    """A legal action of a player."""

    do: str
    """`place` a wager, `take_back` one, lay a `coupon`, `say` an answer, or `leave`."""
    wager: str
    """The wager concerned; empty if there is none."""
    action: str
    """The answer to `say`: `4x`, `check`, `fold`."""
    cost: Money
    """The amount that the answer puts down; below zero if it brings chips back."""
    least: Money
    """The least that can be placed."""
    most: Money | None
    """The most that can be placed; None if nothing limits it."""
    stakes: tuple[Money, ...]
    """The only stakes that the wager takes, if they are fixed."""
    clause: str
    """The clause that allows it."""

    @classmethod
    def of(cls, choice: Choice) -> LegalAction:
        return cls(
            choice.do,
            choice.wager,
            choice.action,
            Money.of_cents(choice.cents),
            Money.of_cents(choice.least),
            None if choice.most is None else Money.of_cents(choice.most),
            tuple([Money.of_cents(stake) for stake in choice.stakes]),
            choice.clause,
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "do": self.do,
            "wager": self.wager,
            "action": self.action,
            "cost": self.cost.text,
            "least": self.least.text,
            "most": None if self.most is None else self.most.text,
            "stakes": [stake.text for stake in self.stakes],
            "clause": self.clause,
        }

    def __repr__(self) -> str:
        words = " ".join(filter(None, (self.do, self.action or self.wager)))
        cost = f" ({self.cost})" if self.cost else ""
        clause = f" [{self.clause}]" if self.clause else ""
        return f"<{words}{cost}{clause}>"


class SeatView(Record, frozen=True):
    """A betting position in the round, as the viewer sees it."""

    seat: int
    """The number of the seat."""
    player: str
    """The name of the player."""
    cards: tuple[Card | None, ...]
    """The cards; None for one that the viewer may not see."""
    wagers: dict[str, Money]
    """The chips on each wager."""
    actions: tuple[str, ...]
    """The answers given, in order."""
    folded: bool
    """Whether the player has folded."""
    hand: str
    """The hand's key; empty until the cards are turned up."""

    @classmethod
    def of(cls, seat: rounds_views.SeatView) -> SeatView:
        return cls(
            seat.number,
            seat.player,
            seat.cards,
            moneys(seat.wagers),
            seat.actions,
            seat.folded,
            seat.hand,
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "player": self.player,
            "cards": _names(self.cards),
            "wagers": _texts(self.wagers),
            "actions": list(self.actions),
            "folded": self.folded,
            "hand": self.hand or None,
        }


class TableView(Record, frozen=True):
    """The table as one person may see it. Cards that they may not see are None."""

    table: str
    """The name of the table."""
    rulebook: str
    """The id of the rulebook."""
    title: str
    """The game's name."""
    viewer: str
    """The player, or the role, whose view this is."""
    round: int
    """The number of the round."""
    phase: Phase
    """`over` between rounds, then `betting` to `collecting`."""
    to_act: str
    """The player whose answer the table waits for; empty if there is none."""
    turn: int
    """The seat of that player; 0 if there is none."""
    decision: str
    """The name of the decision; empty if there is none."""
    community: tuple[Card | None, ...]
    """The community cards."""
    dealer: tuple[Card | None, ...]
    """The dealer's cards."""
    dealer_hand: str
    """The key of the dealer's hand, once it is shown."""
    box: tuple[Card | None, ...]
    """The bonus cards in the box, if the game has them."""
    seats: tuple[SeatView, ...]
    """The betting positions of the round."""
    chips: dict[str, Money]
    """The chips in front of each player, without the wagers."""
    meters: dict[str, Money]
    """The reading of each progressive meter."""
    commitment: str
    """The seal of a virtual deck: a hash of `salt` and `deck`."""
    salt: str
    """The salt that opens the seal; empty until the round is over."""
    deck: tuple[Card, ...]
    """The order of the whole deck; empty until the round is over."""
    added: tuple[AddedRandomness, ...] = ()
    """The randomness that players add to the deck."""

    def seat(self, number: int) -> SeatView:
        """Return the seat with this number; a `KeyError` if it is not in the round."""
        for seat in self.seats:
            if seat.seat == number:
                return seat
        raise KeyError(number)

    def to_dict(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "rulebook": self.rulebook,
            "viewer": self.viewer,
            "round": self.round,
            "phase": self.phase,
            "asked": self.to_act or None,
            "decision": self.decision or None,
            "community": _names(self.community),
            "dealer": _names(self.dealer),
            "box": _names(self.box),
            "seats": [seat.to_dict() for seat in self.seats],
            "chips": _texts(self.chips),
            "meters": _texts(self.meters),
            "commitment": self.commitment,
        }

    def __repr__(self) -> str:
        waiting = f", {self.to_act} is asked: {self.decision}" if self.to_act else ""
        return f"<TableView {self.table}: round {self.round}, {self.phase}{waiting}>"

    def _repr_html_(self) -> str:
        rows: list[tuple[object, ...]] = []
        if self.community:
            rows.append(("community", html.cards(self.community), "", ""))
        if self.dealer:
            rows.append(("dealer", html.cards(self.dealer), self.dealer_hand, ""))
        rows += [self._seat_row(seat) for seat in self.seats]
        waiting = f"{self.to_act} is asked: {self.decision}" if self.to_act else self.phase
        chips = ", ".join(f"{name} {money}" for name, money in self.chips.items())
        return html.page(
            f"{self.title}, table {self.table}, round {self.round}",
            html.grid(("", "cards", "", "on the layout"), rows),
            html.note(f"{waiting}. Chips: {chips or 'none'}."),
        )

    def _seat_row(self, seat: SeatView) -> tuple[object, ...]:
        name = f"seat {seat.seat}, {seat.player}"
        bets = ", ".join(f"{wager} {money}" for wager, money in seat.wagers.items())
        said = seat.hand.replace("_", " ") or ", ".join(seat.actions)
        mark = html.strong(name) if seat.seat == self.turn else name
        return mark, html.cards(seat.cards), said, bets


def _names(cards: tuple[Card | None, ...]) -> list[str | None]:
    return [None if card is None else str(card) for card in cards]


def _texts(amounts: dict[str, Money]) -> dict[str, str]:
    return {name: money.text for name, money in amounts.items()}


def table_view(
    played: Round,
    viewer: rounds_views.Viewer,
    rules: Rules,
    table: str,
    chips: dict[str, Money],
    meters: dict[str, Money],
) -> TableView:
    """Return the round at a table as this viewer sees it."""
    seat, decision = asked_seat(played), decision_of(played, rules)
    seen = rounds_views.view(played, viewer, rules)
    return TableView(
        table=table,
        rulebook=rules.book.id,
        title=rules.book.title,
        viewer=viewer.player or viewer.audience,
        round=seen.number,
        phase=seen.phase,
        to_act="" if seat is None else seat.player,
        turn=0 if seat is None else seat.number,
        decision="" if decision is None else decision.name,
        community=seen.community,
        dealer=seen.dealer,
        dealer_hand=seen.dealer_hand,
        box=seen.box,
        seats=tuple([SeatView.of(seat_view) for seat_view in seen.seats]),
        chips=chips,
        meters=meters,
        commitment=seen.commitment,
        salt=seen.salt,
        deck=seen.deck,
        added=seen.added,
    )


def asked_seat(played: Round) -> SeatInRound | None:
    """Return the seat whose answer the round waits for."""
    return played.seat(played.turn) if played.phase == "deciding" else None


def decision_of(played: Round, rules: Rules) -> Decision | None:
    """Return the decision that this seat has to answer."""
    if played.phase != "deciding":
        return None
    step = flow_of(rules).steps[played.step]
    assert isinstance(step, Ask)
    return step.decision
