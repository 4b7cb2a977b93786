"""When something goes wrong: which accidents can have happened now, and what follows from one.

The rulebook says what each means (`[irregularities]`); nothing here knows a document.
"""

from __future__ import annotations

from croupier.cards import Card
from croupier.errors import BadCards, Refusal, shown, suggest
from croupier.rounds.commands import Report
from croupier.rounds.dealing import dealing_in_force
from croupier.rounds.events import (
    HandsVoided,
    HandVoided,
    IrregularityNoted,
    RoundEvent,
    RoundVoided,
    WagersVoided,
)
from croupier.rounds.finishing import known_cards
from croupier.rounds.state import Round
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Irregularity

__all__ = ["possible_irregularities", "report"]


def possible_irregularities(state: Round, rules: Rules) -> dict[str, Irregularity]:
    """Those that can have happened in this state, by name."""
    return {
        name: accident
        for name, accident in rules.book.irregularities.items()
        if _impossible(state, accident, rules) is None
    }


def _moment(state: Round) -> str:
    """Where the round stands: betting, dealing, playing, between rounds, or too late for any."""
    if any(seat.settled for seat in state.seats) and state.phase != "over":
        return ""
    match state.phase:
        case "over":
            return "between"
        case "betting":
            return "betting"
        case "closed":
            return "dealing"
        case "collecting":
            return ""
    return "playing"


def _impossible(state: Round, accident: Irregularity, rules: Rules) -> str | None:
    """Why this cannot have happened now, or nothing if it can."""
    moment = _moment(state)
    is_dealing = moment == "playing" and not any(seat.actions for seat in state.seats)
    moments = {moment, "dealing"} if is_dealing and state.exposed == 0 else {moment}
    if state.void and state.phase != "over":
        return "the hands are void already"
    if not moments & set(accident.when):
        return f"{accident.title} cannot have happened now"
    if accident.by_hand and state.source == "virtual" and moment not in ("between", "betting"):
        return "the cards come from a virtual deck, which cannot do that"
    ways = {name for name, way in rules.book.dealing.items() if way == dealing_in_force(rules)}
    if accident.dealt_by and not ways & set(accident.dealt_by):
        return f"the cards are not dealt by {' or '.join(accident.dealt_by)}"
    return None


def report(state: Round, command: Report, rules: Rules) -> tuple[RoundEvent, ...]:
    """The accident, noted, and what follows from it."""
    accident = rules.book.irregularities.get(command.kind)
    if accident is None:
        raise suggest("irregularity", command.kind, rules.book.irregularities)
    reason = _impossible(state, accident, rules)
    if reason is not None:
        raise Refusal(reason, code="not_now", clause=accident.clause)
    _check_cards(state, command, accident)
    if "seat" in accident.asks and state.seat(command.seat) is None:
        raise Refusal(
            f"seat {shown(command.seat)} has no cards in this round",
            code="seat_closed",
            clause=accident.clause,
        )
    noted = IrregularityNoted(
        command.kind,
        command.by,
        accident.clause,
        accident.deck,
        command.cards,
        accident.card == "set_aside",
        command.seat,
        command.note,
    )
    return (noted, *_effects(state, command, accident))


def _check_cards(state: Round, command: Report, accident: Irregularity) -> None:
    wanted = {"card": range(1, 2), "cards": range(2, 53)}
    for asked in accident.asks:
        if asked in wanted and len(command.cards) not in wanted[asked]:
            many = "the card" if asked == "card" else "two cards or more"
            raise BadCards(f"name {many}: {accident.title}", clause=accident.clause)
    if command.cards and not {"card", "cards"} & set(accident.asks):
        raise BadCards(f"no card is named for this: {accident.title}", clause=accident.clause)
    if accident.card == "set_aside":
        _not_seen(state, command.cards, accident)


def _not_seen(state: Round, cards: tuple[Card, ...], accident: Irregularity) -> None:
    known = set(known_cards(state))
    for card in cards:
        if card in known:
            raise BadCards(f"{card} lies on the table already", clause=accident.clause)


def _effects(state: Round, command: Report, accident: Irregularity) -> tuple[RoundEvent, ...]:
    if accident.effect == "goes_on" or _moment(state) == "between":
        return ()
    if accident.effect == "void_hand":
        return (HandVoided(command.seat, accident.clause),)
    if accident.effect == "void_wagers":
        return (WagersVoided(accident.returns, accident.clause),)
    is_saved = any(not set(accident.saves).isdisjoint(seat.wagers) for seat in state.seats)
    if is_saved:
        return (
            HandsVoided(accident.title, accident.clause, accident.saves, accident.saves_clause),
        )
    return (RoundVoided(accident.title, command.by, accident.clause),)
