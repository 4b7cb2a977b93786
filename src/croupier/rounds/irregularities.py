"""Irregularities: which accidents can have happened now, and the consequences of one.

The rulebook defines each accident (`[irregularities]`); no rule of a particular document is written
here.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.errors import BadCards, BadRequest, Refusal, shown, suggest
from croupier.rounds.card_entry import known_cards
from croupier.rounds.commands import MOST_CARDS, Report
from croupier.rounds.dealing import deal_order, dealer_waits, irregularity_clause
from croupier.rounds.declaration import CREW, FLOOR
from croupier.rounds.events import (
    HandsVoided,
    HandVoided,
    IrregularityNoted,
    RoundEvent,
    RoundVoided,
    WagersVoided,
)
from croupier.rounds.evolving import is_asked
from croupier.rounds.round_flow import Ask, flow_of, lines_look_at
from croupier.rounds.state import Round, SeatInRound
from croupier.rulebooks.decks import check_in_deck, one_too_many
from croupier.rulebooks.equipment import dealing_name, order_name
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Irregularity, Rulebook, VersusPaytable


class PossibleIrregularity(msgspec.Struct, frozen=True):
    """An irregularity that can have happened now: `words` says what follows, `asks` lists the
    fields of `Report` that it needs, `by` the roles that may report it."""

    kind: str
    label: str
    words: str
    clause: str
    asks: tuple[Literal["cards", "seat", "held"], ...] = ()
    least_cards: int = 0
    most_cards: int = 0
    by: tuple[str, ...] = CREW
    voids: bool = False
    """Whether it makes a hand, wagers or the round void."""


def irregularities_now(state: Round, rules: Rules) -> tuple[PossibleIrregularity, ...]:
    """Return the irregularities that can have happened in this state, in the rulebook's order:
    `decide` accepts each of them with some cards and some seat, and no others."""
    return tuple(
        _as_asked(name, accident, state, rules)
        for name, accident in possible_irregularities(state, rules).items()
    )


def _as_asked(
    name: str, accident: Irregularity, state: Round, rules: Rules
) -> PossibleIrregularity:
    asks: list[Literal["cards", "seat", "held"]] = []
    least = most = 0
    if "card" in accident.asks:
        least = most = 1
    elif "cards" in accident.asks:
        least, most = max(1, 2 - len(state.set_aside)), MOST_CARDS
    if most:
        asks.append("cards")
    if "seat" in accident.asks:
        asks.append("seat")
    if accident.counts:
        asks.append("held")
    return PossibleIrregularity(
        kind=name,
        label=_capital(accident.title),
        words=_capital(consequence(accident, rules.book)) + ".",
        clause=irregularity_clause(accident, rules),
        asks=tuple(asks),
        least_cards=least,
        most_cards=most,
        by=FLOOR if accident.needs_floor else CREW,
        voids=accident.effect != "goes_on",
    )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def consequence(accident: Irregularity, book: Rulebook) -> str:
    """Return what becomes of the round, in a few words."""
    named = ", ".join(book.wagers[name].title for name in (*accident.saves, *accident.returns))
    match accident.effect:
        case "goes_on":
            out = "the card is out, and the round goes on"
            words = out if accident.card == "set_aside" else "the round goes on"
        case "void":
            words = "the round is void"
            if named:
                words += f", except for {named} [{accident.saves_clause}]"
        case "void_hand":
            words = "that hand is void"
        case "void_wagers":
            words = f"{named} is void"
    return f"{words}; a floorperson decides" if accident.needs_floor else words


def possible_irregularities(state: Round, rules: Rules) -> dict[str, Irregularity]:
    """Return the irregularities that can have happened in this state, by name."""
    return {
        name: accident
        for name, accident in rules.book.irregularities.items()
        if _impossible(state, accident, rules) is None
    }


def report(state: Round, command: Report, rules: Rules, by: str) -> tuple[RoundEvent, ...]:
    """Return the events of a reported accident: the report itself and its consequences."""
    if command.kind not in rules.book.irregularities:
        raise suggest("irregularity", command.kind, rules.book.irregularities)
    tag = _meant_here(state, command.kind, rules)
    accident = rules.book.irregularities[tag]
    clause = irregularity_clause(accident, rules)
    reason = _impossible(state, accident, rules)
    if reason is not None:
        raise Refusal(f"{accident.title}: {reason}", code="not_now", clause=clause)
    _check_cards(state, command, accident, clause, rules)
    _check_seat(state, command, accident, clause)
    _check_held(command, accident, rules, clause)
    noted = IrregularityNoted(
        tag,
        by,
        clause,
        accident.deck,
        command.cards,
        accident.card == "set_aside",
        command.seat,
        command.note,
        command.held,
    )
    return (noted, *_effects(state, command, accident, rules, by))


def _meant_here(state: Round, tag: str, rules: Rules) -> str:
    """Return the accident reported, or the equivalent one at a table that deals differently: for
    instance a card face up in a board that is dealt by hand from the automated shoe (B26)."""
    accidents = rules.book.irregularities
    if _not_here(state, accidents[tag], rules) is None:
        return tag
    meant = [
        name
        for name, accident in accidents.items()
        if tag in accident.also and _not_here(state, accident, rules) is None
    ]
    return meant[0] if meant else tag


# -- when it can have happened ---------------------------------------------------------------------


def _moments(state: Round) -> set[str]:
    """Return the moments that the round is in. The deal is one command, so an accident during it
    may also be reported right after it, before anybody has acted."""
    match state.phase:
        case "over":
            return {"between"}
        case "betting":
            return {"betting"}
        case "closed":
            return {"dealing"}
    if any(seat.settled for seat in state.seats):
        return {"settling"}
    fresh = state.step == 0 and not any(seat.actions for seat in state.seats)
    return {"playing", "dealing"} if fresh else {"playing"}


def _impossible(state: Round, accident: Irregularity, rules: Rules) -> str | None:
    """Return why this cannot have happened now, or None if it can."""
    return _not_here(state, accident, rules) or _not_now(state, accident, rules)


def _not_here(state: Round, accident: Irregularity, rules: Rules) -> str | None:
    """Return why this cannot happen at this table, or None if it can."""
    names_cards = not {"card", "cards"}.isdisjoint(accident.asks)
    if state.source == "virtual" and (accident.physical or names_cards):
        return "the cards come from a virtual deck, which cannot do that"
    if accident.dealt_by and dealing_name(rules) not in accident.dealt_by:
        ways = " or ".join(rules.book.dealing[way].title for way in accident.dealt_by)
        return f"this table does not deal so: {ways}"
    if accident.orders and order_name(rules) not in accident.orders:
        return "this table's machine deals the whole board"
    if "shuffler" in accident.needs and rules.options.get("shuffler") is False:
        return "no shuffler is used at this table"
    if "counting_shuffler" in accident.needs and not _counts(rules):
        return "no device that counts the cards is used at this table"
    if "two_decks" in accident.needs and rules.options.get("decks") != 2:
        return "no second deck is at this table"
    if accident.returns and rules.offered.isdisjoint(accident.returns):
        return "no wager of this table depends on it"
    return None


def _counts(rules: Rules) -> bool:
    """Return whether a device counts the deck: the shuffler with every shuffle, or a shoe that
    shuffles by itself."""
    itself = rules.options.get("self_shuffling") is True and dealing_name(rules) == "automated_shoe"
    return rules.options.get("shuffler_counts") is True or itself


def _not_now(state: Round, accident: Irregularity, rules: Rules) -> str | None:
    moments = _moments(state)
    if not moments.intersection(accident.when):
        if "settling" in moments:
            return "a seat is settled already; what is wrong there is put right by a correction"
        return "it cannot have happened now"
    if state.phase == "over":
        is_stub = accident.only == "stub_left"
        return (
            "no card has been dealt that a stub was left of"
            if is_stub and not state.drawn
            else None
        )
    if state.void and accident.effect != "goes_on" and "settling" not in moments:
        return "the hands are void already"
    is_first = not state.set_aside or state.void
    if accident.asks == ("card",) and accident.effect == "goes_on" and not is_first:
        return "another was found before in this round, so report more than one"
    return _WORDS[accident.only] if not _still(state, accident.only, rules) else None


_WORDS = {
    "deck_in_use": "no more cards come from the deck in this round",
    "stub_left": "cards are still to come from the deck",
    "undealt": "this round's cards are out already",
    "undecided": "every player has decided",
    "board_hidden": "the board lies open as it should",
    "unasked": "the first question has been put",
}


def _still(state: Round, only: str, rules: Rules) -> bool:
    """Return whether the round is at a point where the accident can happen."""
    match only:
        case "deck_in_use":
            waits = dealer_waits(rules) and not state.dealer_shown and state.phase != "settling"
            return "dealing" in _moments(state) or waits or _is_drawn_from(state, rules)
        case "stub_left":
            return not _is_drawn_from(state, rules)
        case "undealt":
            return state.phase in ("betting", "closed")
        case "undecided":
            asks = [s for s in flow_of(rules).steps[state.step :] if isinstance(s, Ask)]
            return any(is_asked(seat, ask.decision) for ask in asks for seat in state.seats)
        case "board_hidden":
            return state.exposed == 0
        case "unasked":
            return state.step == 0 and any(_is_unasked(seat) for seat in state.seats)
    return True


def _is_drawn_from(state: Round, rules: Rules) -> bool:
    """Return whether a reveal still to come takes cards from the deck."""
    numbers = [seat.number for seat in state.seats]
    return any(
        not isinstance(step, Ask) and deal_order(rules, numbers, step.reveal.name)
        for step in flow_of(rules).steps[state.step :]
    )


def _is_unasked(seat: SeatInRound) -> bool:
    return not (seat.actions or seat.left or seat.void)


# -- completeness of the report --------------------------------------------------------------------


def _check_cards(
    state: Round, command: Report, accident: Irregularity, clause: str, rules: Rules
) -> None:
    cards = command.cards
    if not {"card", "cards"} & set(accident.asks):
        if cards:
            raise BadCards(f"no card is named for this: {accident.title}", clause=clause)
        return
    if "card" in accident.asks and len(cards) != 1:
        raise BadCards(f"name the card: {accident.title}", clause=clause)
    if "cards" in accident.asks and (not cards or len(cards) + len(state.set_aside) < 2):
        raise BadCards(f"name two cards or more: {accident.title}", clause=clause)
    check_in_deck(cards, rules.book)
    twice = one_too_many(cards, rules.book)
    if twice is not None:
        raise BadCards(f"{twice} is named twice", clause=clause)
    lying = one_too_many((*cards, *known_cards(state)), rules.book)
    if lying is not None:
        raise BadCards(f"{lying} lies on the table already", clause=clause)


def _check_seat(state: Round, command: Report, accident: Irregularity, clause: str) -> None:
    if not command.seat and "seat" not in accident.asks:
        return
    seat = state.seat(command.seat)
    if seat is None or state.phase == "over":
        raise Refusal(
            f"seat {shown(command.seat)} has no cards in this round",
            code="seat_closed",
            clause=clause,
        )
    if accident.effect == "void_hand" and seat.void:
        raise Refusal(
            f"the hand of seat {seat.number} is void already", code="not_now", clause=clause
        )
    if accident.only == "unasked" and not _is_unasked(seat):
        raise Refusal(f"seat {seat.number} has answered already", code="not_now", clause=clause)


def _check_held(command: Report, accident: Irregularity, rules: Rules, clause: str) -> None:
    if command.held is None:
        return
    right = flow_of(rules).right_numbers.get(command.kind)
    if right is None:
        raise BadRequest(f"this takes no number of cards: {accident.title}", clause=clause)
    if command.held == right:
        raise BadRequest(f"{right} cards are the right number: {accident.title}", clause=clause)


# -- consequences ----------------------------------------------------------------------------------


def _effects(
    state: Round, command: Report, accident: Irregularity, rules: Rules, by: str
) -> tuple[RoundEvent, ...]:
    is_settled = state.phase == "over" or any(seat.settled for seat in state.seats)
    if accident.effect == "goes_on" or is_settled:  # what is settled stands (MD-48)
        return ()
    clause = irregularity_clause(accident, rules)
    if accident.effect == "void_wagers":
        return (WagersVoided(accident.returns, clause),)
    void = RoundVoided(accident.title, by, clause)
    if accident.effect == "void_hand":
        others = [s for s in state.seats if s.number != command.seat and not s.void]
        return (HandVoided(command.seat, clause),) if others else (void,)
    saves = tuple([name for name in accident.saves if _needs_no_dealer(name, rules)])
    if _saved(state, saves):
        return (HandsVoided(accident.title, clause, saves, accident.saves_clause),)
    return (void,)


def _saved(state: Round, saves: tuple[str, ...]) -> bool:
    """Return whether any seat has a wager that is settled although the hands are void."""
    lives = set(saves).difference(state.void_wagers)
    return any(not seat.void and not lives.isdisjoint(seat.wagers) for seat in state.seats)


def _needs_no_dealer(name: str, rules: Rules) -> bool:
    """Return whether the wager can be settled without the dealer's hand, which is void: a paytable
    with a line that looks at it cannot pay (MD-41). Rulebooks never save wagers against the
    dealer."""
    settles = rules.book.wagers[name].settles
    return not (isinstance(settles, VersusPaytable) and lines_look_at(settles, rules, "dealer"))
