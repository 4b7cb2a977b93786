"""Settlement requests in the contract's form: one line of JSON in, one line of JSON out."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from croupier.cards import Card, cards_in, format_cards
from croupier.errors import BadAmount, CroupierError, plain, shown, suggest
from croupier.money import format_cents, parse_cents
from croupier.rounds.explaining import Holdings, explanation, holdings_of
from croupier.rounds.settlement import DealerOutcome, SeatOutcome, Settlement, settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.decoding import read_json
from croupier.rulebooks.loader import RulebookFile, load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Amount, Submission

_KEPT_RULES = 256


class RequestSettler:
    """A settler of single requests that caches the rules of the submissions it has seen."""

    def __init__(self, rulebooks: Mapping[str, RulebookFile] | None = None) -> None:
        self._own = dict(rulebooks or {})
        self._rules: dict[tuple[str, bytes], Rules] = {}

    def settle(self, request: RoundRequest) -> tuple[CompletedRound, Rules, Settlement]:
        rules = self.rules(request.rulebook, bytes(request.submission))
        played = request.round()
        return played, rules, settle(played, rules, request.meters_in_cents())

    def settle_line(self, line: bytes | str) -> dict[str, object]:
        """Return the answer to one line. Raise an error if it cannot be settled."""
        request = read_json(line, RoundRequest)
        _, rules, settlement = self.settle(request)
        return settlement_object(settlement, rules)

    def rules(self, rulebook: str, submission: bytes) -> Rules:
        key = (rulebook, submission)
        if key not in self._rules:
            if len(self._rules) >= _KEPT_RULES:
                self._rules.clear()
            self._rules[key] = self._put_in_force(rulebook, submission)
        return self._rules[key]

    def _put_in_force(self, rulebook: str, text: bytes) -> Rules:
        file = self._own.get(rulebook)
        if file is None:
            if rulebook not in BUNDLED:
                raise suggest("rulebook", rulebook, (*BUNDLED, *self._own))
            file = load_rulebook(rulebook)
        try:
            submission = Submission() if text == b"null" else read_json(text, Submission)
            return put_in_force(file, submission)
        except CroupierError as error:
            raise error.within("submission") from None


def error_object(error: CroupierError) -> dict[str, object]:
    return {"error": {"code": error.code, "message": error.message, "clause": error.clause}}


def settlement_object(settlement: Settlement, rules: Rules) -> dict[str, object]:
    """Return the settlement in the contract's form, with an explanation of each line."""
    dealer = settlement.dealer
    return {
        "rulebook": rules.book.id,
        "dealer": None if dealer is None else _dealer(dealer),
        "seats": [_seat(seat, holdings_of(seat, settlement), rules) for seat in settlement.seats],
        "meters": {name: format_cents(cents) for name, cents in settlement.meters.items()},
    }


def _dealer(dealer: DealerOutcome) -> dict[str, object]:
    return {
        "hand": dealer.hand,
        "best": format_cards(dealer.best),
        "qualifies": dealer.qualifies,
    }


def _seat(seat: SeatOutcome, hands: Holdings, rules: Rules) -> dict[str, object]:
    return {
        "seat": seat.seat,
        "hand": seat.hand,
        "best": format_cards(seat.best),
        "net": format_cents(seat.net),
        "lines": [
            {
                "wager": line.wager,
                "stake": format_cents(line.stake),
                "result": line.result,
                "net": format_cents(line.net),
                "clause": line.clause,
                "explanation": explanation(line, rules, hands),
            }
            for line in seat.lines
        ],
    }


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat of a completed round, for `settle`."""

    seat: int
    """The number of the seat."""
    cards: str
    """The player's own cards in the order dealt."""
    wagers: dict[str, Amount]
    """The wagers placed before the deal, in dollars."""
    actions: tuple[str, ...] = ()
    """The answers given, in order."""
    player: str | None = None
    """The player's name."""


class RoundRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of `croupier settle` in the contract's form."""

    rulebook: str
    seats: tuple[SeatRequest, ...]
    submission: msgspec.Raw = msgspec.Raw(b"{}")
    meters: dict[str, Amount] | None = None
    community: str = ""
    dealer: str | None = None
    bonus_cards: str | None = None

    def round(self) -> CompletedRound:
        return CompletedRound(
            seats=tuple([_played_seat(seat) for seat in self.seats]),
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


def _played_seat(seat: SeatRequest) -> PlayedSeat:
    where = f"seat {shown(seat.seat)}"
    return PlayedSeat(
        number=seat.seat,
        player=f"seat {seat.seat}" if seat.player is None else seat.player,
        cards=_cards(seat.cards, where),
        wagers={name: _amount(value, where, name) for name, value in seat.wagers.items()},
        actions=seat.actions,
    )


def _cards(text: str, where: str) -> tuple[Card, ...]:
    """Parse cards. A card named twice is left to `legality`, which knows the clause it breaks."""
    try:
        return cards_in(text)
    except CroupierError as error:
        raise error.within(where) from None


def _amount(value: Amount, where: str, wager: str = "") -> int:
    try:
        return parse_cents(value)
    except CroupierError as error:
        raise error.within(f"{where}: {plain(wager)}" if wager else where) from None
