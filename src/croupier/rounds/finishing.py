"""The end of a round: known cards, the dealer's hand, settlement seat by seat, the progressive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import BadCards, BadRequest, Refusal
from croupier.money import MeterShare
from croupier.rounds.completed import CompletedRound, PlayedSeat
from croupier.rounds.events import (
    EnvyPaid,
    ProgressivePaid,
    ProgressiveRefused,
    ProgressiveWon,
    RoundEvent,
    SeatSettled,
)
from croupier.rounds.evolving import evolve
from croupier.rounds.legality import Stakes, stakes_of
from croupier.rounds.script import script_of
from croupier.rounds.settlement import SettledLine, Settling, dealer_holds
from croupier.rounds.state import Claim, LineRecord, Round, SeatInRound
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision

__all__ = [
    "check_entry",
    "completed",
    "dealer_outcome",
    "known_cards",
    "missing_cards",
    "pay_progressive",
    "record_of",
    "refuse_progressive",
    "settle_next",
]


def known_cards(state: Round) -> Iterator[Card]:
    """Every card known, in the order it is picked up: hands from the dealer's right, his own, the
    board, the box, then burns."""
    for seat in reversed(state.seats):
        yield from seat.cards
    for place in (state.dealer, state.community, state.box, state.burned, state.discarded):
        yield from place


def check_entry(
    state: Round, place: str, number: int, cards: tuple[Card, ...], rules: Rules
) -> None:
    """May a live dealer enter these cards here? Counts, places and cards seen twice."""
    if state.source != "live":
        raise Refusal("the cards come from the sealed deck: none can be named", code="sealed_deck")
    counts = rules.book.cards
    seat = state.seat(number)
    if place == "player" and seat is None:
        raise BadRequest(f"seat {number} has no cards in this round")
    wanted = {
        "player": counts.player if seat is None or not seat.cards else 0,
        "dealer": 0 if state.dealer else counts.dealer,
        "community": counts.community - len(state.community),
        "box": 0 if state.box else counts.box,
        "burn": 52,
    }.get(place)
    if wanted is None:
        raise BadRequest(f"{place!r} is not a place: player, dealer, community, box or burn")
    where = f"seat {number}" if place == "player" else place
    in_parts = place in ("community", "burn")
    if not cards or len(cards) > wanted or (len(cards) != wanted and not in_parts):
        raise BadCards(
            f"{where}: {len(cards)} entered, but {wanted} are to be entered there",
            clause=counts.clause,
        )
    known = set(known_cards(state))
    for card in cards:
        if card in known or cards.count(card) > 1:
            raise BadCards(
                f"{where}: {card} has been seen in this round already",
                clause=rules.book.decks_clause or None,
            )


def missing_cards(state: Round, rules: Rules) -> list[str]:
    """The places whose cards a live dealer has not entered yet."""
    counts = rules.book.cards
    missing = [f"seat {seat.number}" for seat in state.seats if len(seat.cards) != counts.player]
    if len(state.community) != counts.community:
        missing.append("the board")
    if len(state.dealer) != counts.dealer:
        missing.append("the dealer")
    on_box = script_of(rules).wagers_on_box
    if not state.box and any(not on_box.isdisjoint(seat.wagers) for seat in state.seats):
        missing.append("the bonus box")
    return missing


def _all_known(state: Round, rules: Rules) -> None:
    missing = missing_cards(state, rules)
    if missing:
        raise Refusal(
            f"enter the cards of {', '.join(missing)} first",
            code="cards_missing",
            clause=rules.book.cards.clause,
        )


def completed(state: Round, rules: Rules) -> CompletedRound:
    """The round as the settlement takes it; questions that a player left open are declined."""
    return CompletedRound(
        seats=tuple(
            [
                PlayedSeat(seat.number, seat.player, seat.cards, seat.wagers, _said(seat, rules))
                for seat in state.seats
            ]
        ),
        community=state.community,
        dealer=state.dealer,
        box=state.box,
    )


def _said(seat: SeatInRound, rules: Rules) -> tuple[str, ...]:
    if not seat.left or seat.folded:
        return seat.actions
    said = list(seat.actions)
    actions: list[tuple[Decision, str]] = []
    for decision in rules.book.decisions:
        if any(a in d.bets for d, a in actions if d.wager == decision.wager):
            continue
        action = said.pop(0) if said else decision.otherwise
        actions.append((decision, action))
        if action == "fold":
            break
    return tuple([action for _, action in actions])


def dealer_outcome(state: Round, cards: tuple[Card, ...], rules: Rules) -> tuple[str, bool]:
    """What the dealer announces, and whether it qualifies."""
    shown = replace(state, dealer=cards, seats=())
    _all_known(shown, rules)
    return dealer_holds(completed(shown, rules), rules)


def record_of(line: SettledLine) -> LineRecord:
    pays = line.line.pays if line.line is not None and line.result == "win" else None
    return LineRecord(
        line.wager,
        line.stake,
        line.result,
        line.net,
        line.clause,
        line.pays,
        line.limited_by,
        line.forgone,
        pays.meter if isinstance(pays, MeterShare) else "",
    )


def settle_next(
    state: Round, rules: Rules, meters: Mapping[str, int], *, every: bool
) -> tuple[RoundEvent, ...]:
    """The next seat counterclockwise, or all until one has to wait; then the Envy Bonus."""
    _all_known(state, rules)
    settling = _settling(state, rules)
    readings = {**rules.resets, **meters}
    waiting = [place for place, seat in enumerate(state.seats) if not seat.settled]
    events: list[RoundEvent] = []
    while waiting:
        place = waiting.pop()
        settled, claim = _settle_seat(settling, place, state.seats[place], rules, readings)
        events.append(settled)
        if claim is not None:
            return (*events, ProgressiveWon(claim))
        if not every:
            break
    return tuple(events) if waiting else (*events, *_envy(state, settling))


def _settling(state: Round, rules: Rules) -> Settling:
    """What was checked command by command is not checked again; only what a player who left has
    not answered still has to be worked out."""
    played = completed(state, rules)
    stakes = [
        stakes_of(said, rules) if seat.left else _stakes(seat)
        for seat, said in zip(state.seats, played.seats, strict=True)
    ]
    return Settling(played, rules, stakes)


def _stakes(seat: SeatInRound) -> Stakes:
    stakes = Stakes(seat.wagers)
    stakes.update(seat.decided)
    stakes.folded = seat.folded
    return stakes


def _settle_seat(
    settling: Settling, place: int, seat: SeatInRound, rules: Rules, meters: dict[str, int]
) -> tuple[SeatSettled, Claim | None]:
    hand = settling.hand(place)
    if seat.abandoned:
        clause = rules.book.procedure.abandoned
        stakes = seat.wagers | seat.decided
        lost = [LineRecord(name, cents, "lose", -cents, clause) for name, cents in stakes.items()]
        return SeatSettled(seat.number, hand, tuple(lost)), None
    # An award is read from the meter when it is validated: here the readings stay as they are.
    lines = settling.lines(place, dict(meters))
    progressive = script_of(rules).progressive
    records, claim = [], None
    for line in lines:
        if line.wager == progressive and line.result == "win" and _needs_floor(line, rules):
            claim = _claim(seat.number, line)
        else:
            records.append(record_of(line))
    return SeatSettled(seat.number, hand, tuple(records)), claim


def _needs_floor(line: SettledLine, rules: Rules) -> bool:
    """A floorperson validates what the document says, and every payment from a meter."""
    assert line.line is not None
    validated = rules.book.wagers[line.wager].validated_clause
    return bool(validated) or isinstance(line.line.pays, MeterShare)


def _claim(number: int, line: SettledLine) -> Claim:
    assert line.line is not None
    pays = line.line.pays
    claim = Claim(number, line.stake, line.line.hand, line.pays, line.clause)
    if isinstance(pays, MeterShare):
        return replace(claim, meter=pays.meter, percent=pays.percent)
    return replace(claim, cents=line.net + line.stake)


def pay_progressive(
    state: Round, rules: Rules, meters: Mapping[str, int], by: str
) -> tuple[RoundEvent, ...]:
    """The award, read from the meter at the winner's turn."""
    claim, progressive = state.claim, script_of(rules).progressive
    assert claim is not None
    assert progressive is not None
    received = claim.cents
    if claim.meter:
        reading = meters.get(claim.meter, rules.resets[claim.meter])
        received = MeterShare(claim.meter, claim.percent).award(reading)
    line = LineRecord(
        progressive,
        claim.stake,
        "win",
        received - claim.stake,
        claim.clause,
        claim.pays,
        from_meter=claim.meter,
    )
    return _after_claim(state, rules, ProgressivePaid(claim.seat, line, by))


def refuse_progressive(state: Round, rules: Rules, by: str, reason: str) -> tuple[RoundEvent, ...]:
    claim, progressive = state.claim, script_of(rules).progressive
    assert claim is not None
    assert progressive is not None
    clause = rules.book.wagers[progressive].validated_clause or claim.clause
    line = LineRecord(progressive, claim.stake, "lose", -claim.stake, clause)
    return _after_claim(state, rules, ProgressiveRefused(claim.seat, line, by, reason))


def _after_claim(
    state: Round, rules: Rules, answer: ProgressivePaid | ProgressiveRefused
) -> tuple[RoundEvent, ...]:
    after = evolve(state, answer, rules)
    if after.phase != "collecting":
        return (answer,)
    return (answer, *_envy(after, _settling(after, rules)))


def _envy(state: Round, settling: Settling) -> tuple[RoundEvent, ...]:
    lines = {
        state.seats[place].number: record_of(line)
        for place, line in settling.envy()
        if not state.seats[place].abandoned
    }
    return (EnvyPaid(lines),) if lines else ()
