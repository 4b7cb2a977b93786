"""Rounds settled: typed records with the sentence and the clause of every line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from croupier.cards import Card, format_cards
from croupier.errors import BadRequest
from croupier.library import html
from croupier.library.record import Record
from croupier.library.rulebook import AnyRulebook, AnySubmission, Rulebook, load_rulebook
from croupier.money import dollars, format_cents
from croupier.rounds.card_entry import missing_cards
from croupier.rounds.explaining import Holdings, explanation, holdings_of, line_title
from croupier.rounds.round_flow import completed
from croupier.rounds.settle_requests import RoundRequest, SeatRequest
from croupier.rounds.settlement import DealerOutcome, SeatOutcome, Settling
from croupier.rounds.state import LineRecord, PlayedSeat, Round, SeatInRound, live_stakes
from croupier.rulebooks.decoding import read_json
from croupier.rulebooks.rules import Rules

__all__ = ["DealerHand", "SettledRound", "SettledSeat", "SettledWager", "settle", "settled_so_far"]

SomeCards: TypeAlias = str | Iterable[Card]
"""`"As Kd"`, or cards."""


class SettledWager(Record, frozen=True):
    """What became of one wager, by which clause and why."""

    wager: str
    title: str
    stake_cents: int
    result: str
    net_cents: int
    clause: str
    explanation: str

    def to_dict(self) -> dict[str, Any]:
        return {
            "wager": self.wager,
            "stake": format_cents(self.stake_cents),
            "result": self.result,
            "net": format_cents(self.net_cents),
            "clause": self.clause,
            "explanation": self.explanation,
        }


class SettledSeat(Record, frozen=True):
    """A seat and all its wagers. `hand` is the name in the contract, `words` what people say."""

    seat: int
    player: str
    cards: tuple[Card, ...]
    actions: tuple[str, ...]
    hand: str
    words: str
    best: tuple[Card, ...]
    lines: tuple[SettledWager, ...]

    @property
    def net_cents(self) -> int:
        return sum([line.net_cents for line in self.lines])

    def __getitem__(self, wager: str) -> SettledWager:
        found = [line for line in self.lines if line.wager == wager]
        if not found:
            raise KeyError(wager)
        return found[0]

    def to_dict(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "hand": self.hand,
            "best": format_cards(self.best),
            "net": format_cents(self.net_cents),
            "lines": [line.to_dict() for line in self.lines],
        }


class DealerHand(Record, frozen=True):
    cards: tuple[Card, ...]
    hand: str
    words: str
    best: tuple[Card, ...]
    qualifies: bool

    def to_dict(self) -> dict[str, Any]:
        return {"hand": self.hand, "best": format_cards(self.best), "qualifies": self.qualifies}


class SettledRound(Record, frozen=True):
    """A settlement: `round.seats[0].net_cents`, `round.seat(1)["blind"].explanation`."""

    rulebook: str
    title: str
    community: tuple[Card, ...]
    dealer: DealerHand | None
    seats: tuple[SettledSeat, ...]
    meters_cents: dict[str, int]

    def seat(self, number: int) -> SettledSeat:
        found = [seat for seat in self.seats if seat.seat == number]
        if not found:
            raise KeyError(number)
        return found[0]

    def to_dict(self) -> dict[str, Any]:
        return {
            "rulebook": self.rulebook,
            "dealer": None if self.dealer is None else self.dealer.to_dict(),
            "seats": [seat.to_dict() for seat in self.seats],
            "meters": {name: format_cents(cents) for name, cents in self.meters_cents.items()},
        }

    def __repr__(self) -> str:
        seats = ", ".join(f"seat {seat.seat} {_signed(seat.net_cents)}" for seat in self.seats)
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
        if self.meters_cents:
            meters = [f"{name} {dollars(cents)}" for name, cents in self.meters_cents.items()]
            parts.append(html.note(f"Meters after the round: {', '.join(meters)}"))
        return html.page(f"{self.title} ({self.rulebook})", *parts)

    def _dealer_words(self) -> str:
        assert self.dealer is not None
        return self.dealer.words + ("" if self.dealer.qualifies else ", does not qualify")

    def _seat_html(self, seat: SettledSeat) -> list[object]:
        name = html.strong(f"Seat {seat.seat}, {seat.player}")
        head = f"<div>{name} {html.cards(seat.cards)} {seat.words} {html.net(seat.net_cents)}</div>"
        rows = [
            (
                line.title,
                dollars(line.stake_cents),
                line.result,
                html.net(line.net_cents),
                line.explanation,
                line.clause,
            )
            for line in seat.lines
        ]
        columns = ("wager", "stake", "", "net", "why", "clause")
        return [html.Markup(head), html.grid(columns, rows, right=(1, 3))]


def _signed(cents: int) -> str:
    return ("+" if cents > 0 else "") + dollars(cents)


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
    meters: Mapping[str, str | int] | None = None,
    submission: AnySubmission = None,
) -> SettledRound:
    """Settle a completed round: the contract's object, or its parts by name.

    Amounts are dollars, `"7.50"` or 10; a float is refused. Whatever the rules forbid raises, with
    `code` and `clause`.
    """
    told = dict(played or {})
    book = load_rulebook(rulebook or told.get("rulebook") or _no_rulebook(), submission)
    told["rulebook"] = book.id
    if seats:
        told["seats"] = [_seat_object(seat) for seat in seats]
    given = {"dealer": dealer, "community": community, "bonus_cards": bonus_cards}
    told |= {place: _text(cards) for place, cards in given.items() if cards}
    if meters is not None:
        told["meters"] = dict(meters)
    if "submission" not in told:
        told["submission"] = msgspec.Raw(book.submission_json.encode())
    return _settled(book, read_json(_encoded(told), RoundRequest))


def _no_rulebook() -> str:
    raise BadRequest('name the rulebook, as in settle(rulebook="md-uth", seats=[…])')


def _seat_object(seat: SeatRequest | Mapping[str, Any]) -> dict[str, Any]:
    told = msgspec.structs.asdict(seat) if isinstance(seat, SeatRequest) else dict(seat)
    if not isinstance(told.get("cards", ""), str):
        told["cards"] = _text(told["cards"])
    return told


def _text(cards: SomeCards) -> str:
    return cards if isinstance(cards, str) else format_cards(cards)


def _encoded(told: dict[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(told)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadRequest(f"this round cannot be written as JSON: {error}") from None


def _settled(book: Rulebook, request: RoundRequest) -> SettledRound:
    played, rules, settlement = book.settler.settle(request)
    seats = zip(settlement.seats, played.seats, strict=True)
    return SettledRound(
        rules.book.id,
        rules.book.title,
        played.community,
        _dealer_hand(played.dealer, settlement.dealer),
        tuple([_seat(one, seat, holdings_of(one, settlement), rules) for one, seat in seats]),
        settlement.meters,
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
    return SettledWager(line.wager, title, line.stake, line.result, line.net, line.clause, words)


def _dealer_hand(cards: tuple[Card, ...], dealer: DealerOutcome | None) -> DealerHand | None:
    if dealer is None:
        return None
    return DealerHand(cards, dealer.hand, dealer.words, dealer.best, dealer.qualifies)


# -- rounds at a table ----------------------------------------------------------------------------


def settled_so_far(
    state: Round, rules: Rules, meters_cents: Mapping[str, int]
) -> SettledRound | None:
    """The seats of a round in play (or over) that are settled; nothing before the first."""
    seats = [seat for seat in state.seats if seat.lines]
    if not seats:
        return None
    hands = _hands(state, rules)
    return SettledRound(
        rules.book.id,
        rules.book.title,
        state.community,
        _dealer_hand(state.dealer, None if hands is None else hands.dealer),
        tuple([_told(state, seat, rules, hands) for seat in seats]),
        dict(meters_cents),
    )


def _hands(state: Round, rules: Rules) -> Settling | None:
    """What everybody holds; nothing where hands are void or cards are missing."""
    if state.void or state.void_by or any(seat.void for seat in state.seats):
        return None
    if missing_cards(state, rules):
        return None
    stakes = [live_stakes(state, seat) for seat in state.seats]
    return Settling(completed(state, rules), rules, stakes)


def _told(state: Round, seat: SeatInRound, rules: Rules, hands: Settling | None) -> SettledSeat:
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
