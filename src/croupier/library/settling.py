"""Settled rounds: every line with its clause and the reason in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from croupier.cards import Card, format_cards
from croupier.errors import BadRequest
from croupier.library import html
from croupier.library.record import Record
from croupier.library.rulebook import AnyRulebook, AnySubmission, Rulebook, load_rulebook
from croupier.money import Amount, Money
from croupier.rounds.card_entry import missing_cards
from croupier.rounds.explaining import Holdings, explanation, holdings_of, line_title
from croupier.rounds.round_flow import completed
from croupier.rounds.settle_requests import RoundRequest, SeatRequest
from croupier.rounds.settlement import DealerOutcome, SeatOutcome, Settling
from croupier.rounds.state import LineRecord, PlayedSeat, Result, Round, SeatInRound, live_stakes
from croupier.rulebooks.decoding import read_json
from croupier.rulebooks.rules import Rules

SomeCards: TypeAlias = str | Iterable[Card]
"""Cards as text, `"As Kd"`, or as `Card` objects."""


class SettledWager(Record, frozen=True):
    """The result of one wager, with the clause and the reason."""

    wager: str
    """The wager's name in the rulebook: `ante`."""
    title: str
    """The wager's name for people: `Ante`."""
    stake: Money
    """The chips that lay on the wager."""
    result: Result
    """`win`, `lose`, `push` or `void`."""
    net: Money
    """The change in the player's money: the winnings, or minus the lost stake."""
    clause: str
    """The clause that decides the line."""
    explanation: str
    """The reason in a sentence."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "wager": self.wager,
            "stake": self.stake.text,
            "result": self.result,
            "net": self.net.text,
            "clause": self.clause,
            "explanation": self.explanation,
        }


class SettledSeat(Record, frozen=True):
    """A seat and all its wagers: `seat["blind"]` is the line of one wager."""

    seat: int
    """The number of the seat."""
    player: str
    """The name of the player."""
    cards: tuple[Card, ...]
    """The player's own cards."""
    actions: tuple[str, ...]
    """The answers given, in order: `("check", "2x")`."""
    hand: str
    """The hand's key in the contract: `full_house`."""
    words: str
    """The hand as the dealer announces it: `a full house, aces over twos`."""
    best: tuple[Card, ...]
    """The cards that make the hand."""
    lines: tuple[SettledWager, ...]
    """A line for each wager, in the order of settlement."""

    @property
    def net(self) -> Money:
        """The change in the player's money over all wagers."""
        return Money.of_cents(sum([line.net.cents for line in self.lines]))

    def __getitem__(self, wager: str) -> SettledWager:
        for line in self.lines:
            if line.wager == wager:
                return line
        raise KeyError(wager)

    def to_dict(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "hand": self.hand,
            "best": format_cards(self.best),
            "net": self.net.text,
            "lines": [line.to_dict() for line in self.lines],
        }


class DealerHand(Record, frozen=True):
    """The dealer's hand."""

    cards: tuple[Card, ...]
    """The dealer's own cards."""
    hand: str
    """The hand's key in the contract."""
    words: str
    """The hand as the dealer announces it."""
    best: tuple[Card, ...]
    """The cards that make the hand."""
    qualifies: bool
    """Whether the hand is good enough to play."""

    def to_dict(self) -> dict[str, Any]:
        return {"hand": self.hand, "best": format_cards(self.best), "qualifies": self.qualifies}


class SettledRound(Record, frozen=True):
    """A settled round: `settled.seats[0].net`, `settled.seat(1)["blind"].explanation`."""

    rulebook: str
    """The id of the rulebook."""
    title: str
    """The game's name."""
    community: tuple[Card, ...]
    """The community cards in order of exposure."""
    dealer: DealerHand | None
    """The dealer's hand; None in a game without one."""
    seats: tuple[SettledSeat, ...]
    """The seats in the order given."""
    meters: dict[str, Money]
    """The reading of each progressive meter after the last payment."""

    def seat(self, number: int) -> SettledSeat:
        """Return the seat with this number; a `KeyError` if it is not in the round."""
        for seat in self.seats:
            if seat.seat == number:
                return seat
        raise KeyError(number)

    def to_dict(self) -> dict[str, Any]:
        return {
            "rulebook": self.rulebook,
            "dealer": None if self.dealer is None else self.dealer.to_dict(),
            "seats": [seat.to_dict() for seat in self.seats],
            "meters": {name: money.text for name, money in self.meters.items()},
        }

    def __repr__(self) -> str:
        seats = ", ".join(f"seat {seat.seat} {seat.net:+}" for seat in self.seats)
        return f"<SettledRound {self.rulebook}: {seats}>"

    def _repr_html_(self) -> str:
        parts: list[object] = []
        if self.community:
            parts.append(html.Markup(f"<div>Community {html.cards(self.community)}</div>"))
        if self.dealer is not None:
            cards = html.cards(self.dealer.cards)
            parts.append(html.Markup(f"<div>Dealer {cards} {self._dealer_words()}</div>"))
        for seat in self.seats:
            parts += self._seat_html(seat)
        if self.meters:
            meters = [f"{name} {money}" for name, money in self.meters.items()]
            parts.append(html.note(f"Meters after the round: {', '.join(meters)}"))
        return html.page(f"{self.title} ({self.rulebook})", *parts)

    def _dealer_words(self) -> str:
        assert self.dealer is not None
        return self.dealer.words + ("" if self.dealer.qualifies else ", does not qualify")

    def _seat_html(self, seat: SettledSeat) -> list[object]:
        name = html.strong(f"Seat {seat.seat}, {seat.player}")
        head = f"<div>{name} {html.cards(seat.cards)} {seat.words} {html.net(seat.net.cents)}</div>"
        rows = [
            (
                line.title,
                line.stake,
                line.result,
                html.net(line.net.cents),
                line.explanation,
                line.clause,
            )
            for line in seat.lines
        ]
        columns = ("wager", "stake", "", "net", "why", "clause")
        return [html.Markup(head), html.grid(columns, rows, right=(1, 3))]


# -- completed rounds -----------------------------------------------------------------------------


def settle(
    played: Mapping[str, Any] | None = None,
    /,
    *,
    rulebook: AnyRulebook | None = None,
    seats: Sequence[SeatRequest | Mapping[str, Any]] = (),
    dealer: SomeCards | None = None,
    community: SomeCards = "",
    bonus_cards: SomeCards | None = None,
    meters: Mapping[str, Amount] | None = None,
    submission: AnySubmission = None,
) -> SettledRound:
    """Settle a completed round: the contract's object, or its parts by name.

    Amounts are dollars, `"7.50"` or 10; a float is refused. A round that the rules forbid raises an
    error with `code` and `clause`.
    """
    request = dict(played or {})
    book = load_rulebook(rulebook or request.get("rulebook") or _no_rulebook(), submission)
    request["rulebook"] = book.id
    if seats:
        request["seats"] = [_seat_object(seat) for seat in seats]
    places = {"dealer": dealer, "community": community, "bonus_cards": bonus_cards}
    request |= {place: _text(cards) for place, cards in places.items() if cards}
    if meters is not None:
        request["meters"] = dict(meters)
    if "submission" not in request:
        request["submission"] = msgspec.Raw(book.submission_json.encode())
    return _settled(book, read_json(_encoded(request), RoundRequest))


def _no_rulebook() -> str:
    raise BadRequest('name the rulebook, as in settle(rulebook="md-uth", seats=[…])')


def _seat_object(seat: SeatRequest | Mapping[str, Any]) -> dict[str, Any]:
    fields = msgspec.structs.asdict(seat) if isinstance(seat, SeatRequest) else dict(seat)
    if not isinstance(fields.get("cards", ""), str):
        fields["cards"] = _text(fields["cards"])
    return fields


def _text(cards: SomeCards) -> str:
    return cards if isinstance(cards, str) else format_cards(cards)


def _encoded(request: dict[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(request, enc_hook=_amount_as_text)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadRequest(f"this round cannot be written as JSON: {error}") from None


def _amount_as_text(value: object) -> str:
    if isinstance(value, Money):
        return value.text
    raise TypeError(f"a {type(value).__name__} is not part of a round")


def _settled(book: Rulebook, request: RoundRequest) -> SettledRound:
    played, rules, settlement = book.settler.settle(request)
    seats = zip(settlement.seats, played.seats, strict=True)
    return SettledRound(
        rules.book.id,
        rules.book.title,
        played.community,
        _dealer_hand(played.dealer, settlement.dealer),
        tuple(
            [
                _seat(outcome, seat, holdings_of(outcome, settlement), rules)
                for outcome, seat in seats
            ]
        ),
        moneys(settlement.meters),
    )


def _seat(outcome: SeatOutcome, seat: PlayedSeat, hands: Holdings, rules: Rules) -> SettledSeat:
    return SettledSeat(
        seat.number,
        seat.player,
        seat.cards,
        seat.actions,
        outcome.hand,
        outcome.words,
        outcome.best,
        tuple([_wager(line, rules, hands) for line in outcome.lines]),
    )


def _wager(line: LineRecord, rules: Rules, hands: Holdings) -> SettledWager:
    title = line_title(line.wager, rules.book)
    words = explanation(line, rules, hands)
    return SettledWager(
        line.wager,
        title,
        Money.of_cents(line.stake),
        line.result,
        Money.of_cents(line.net),
        line.clause,
        words,
    )


def moneys(cents: Mapping[str, int]) -> dict[str, Money]:
    """Return amounts in cents by name, as `Money`."""
    return {name: Money.of_cents(amount) for name, amount in cents.items()}


def _dealer_hand(cards: tuple[Card, ...], dealer: DealerOutcome | None) -> DealerHand | None:
    if dealer is None:
        return None
    return DealerHand(cards, dealer.hand, dealer.words, dealer.best, dealer.qualifies)


# -- rounds at a table ----------------------------------------------------------------------------


def settled_so_far(state: Round, rules: Rules, meters: Mapping[str, Money]) -> SettledRound | None:
    """Return the seats of a round that are settled so far; None before the first."""
    seats = [seat for seat in state.seats if seat.lines]
    if not seats:
        return None
    hands = _hands(state, rules)
    return SettledRound(
        rules.book.id,
        rules.book.title,
        state.community,
        _dealer_hand(state.dealer, None if hands is None else hands.dealer),
        tuple([_settled_seat(state, seat, rules, hands) for seat in seats]),
        dict(meters),
    )


def _hands(state: Round, rules: Rules) -> Settling | None:
    """Return all hands of the round; None if hands are void or cards are missing."""
    if state.void or state.void_by or any(seat.void for seat in state.seats):
        return None
    if missing_cards(state, rules):
        return None
    stakes = [live_stakes(state, seat) for seat in state.seats]
    return Settling(completed(state, rules), rules, stakes)


def _settled_seat(
    state: Round, seat: SeatInRound, rules: Rules, hands: Settling | None
) -> SettledSeat:
    known = Holdings.at(state, seat.number)
    is_known = hands is not None and bool(seat.cards)
    outcome = hands.outcome(state.seats.index(seat), []) if hands and is_known else None
    return SettledSeat(
        seat.number,
        seat.player,
        seat.cards,
        seat.actions,
        seat.hand,
        "" if outcome is None else outcome.words,
        () if outcome is None else outcome.best,
        tuple([_wager(line, rules, known) for line in seat.lines]),
    )
