"""The change that each event makes to a round. Pure: the same events always give the same state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from croupier.rounds.commands import (
    CommitRandomness,
    EnterCards,
    OpenBetting,
    ReplaceCards,
    RevealRandomness,
)
from croupier.rounds.events import (
    Acted,
    AnswerTakenBack,
    BetsClosed,
    CardsCollected,
    CardsDealt,
    ChipCountDecided,
    ChipCountDiffers,
    ChipRecountOrdered,
    ChipsCounted,
    CouponPlaced,
    DealerShown,
    DeckMixed,
    EnvyPaid,
    HandsVoided,
    HandVoided,
    IrregularityNoted,
    PlayerLeft,
    ProgressivePaid,
    ProgressiveRefused,
    ProgressiveWon,
    Revealed,
    RoundEvent,
    RoundVoided,
    SeatSettled,
    WagerReturned,
    WagersPlaced,
    WagersTakenBack,
    WagersVoided,
)
from croupier.rounds.players_randomness import deck_in_play
from croupier.rounds.round_flow import Ask, RoundFlow, answers_given, flow_of, is_open
from croupier.rounds.state import AddedRandomness, LastBets, LineRecord, Round, SeatInRound
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import TAKE_BACK, Decision


def evolve(state: Round, event: RoundEvent, rules: Rules) -> Round:
    """Return the round after the event."""
    return CHANGES[type(event)](state, event, flow_of(rules))


def is_asked(seat: SeatInRound, decision: Decision) -> bool:
    """Return whether the question is still open for this seat. An earlier bet on the wager or a
    fold has answered it."""
    if seat.folded or seat.left or seat.void:
        return False
    return is_open(decision, seat.wagers, seat.decided, seat.taken_back)


def _seats_with(state: Round, was: SeatInRound, changed: SeatInRound) -> tuple[SeatInRound, ...]:
    seats, place = state.seats, was.number - 1  # its place at a full table
    if place >= len(seats) or seats[place] is not was:
        place = seats.index(was)
    return (*seats[:place], changed, *seats[place + 1 :])


def _with_seat(state: Round, was: SeatInRound, changed: SeatInRound, **more: Any) -> Round:
    return replace(state, seats=_seats_with(state, was, changed), **more)


def _seat(state: Round, number: int) -> SeatInRound:
    seat = state.seat(number)
    assert seat is not None, f"no seat {number} in the round"
    return seat


def _opened(before: Round, event: OpenBetting, flow: RoundFlow) -> Round:
    is_live = event.source == "live"
    last = [LastBets(s.number, s.player, s.wagers) for s in before.seats] if is_live else ()
    return Round(
        number=event.number,
        phase="betting",
        source=event.source,
        commitment=event.commitment,
        salt=event.salt,
        deck=event.deck,
        looked=flow.first_look,
        last=tuple(last),
    )


def _placed(state: Round, event: WagersPlaced, _: RoundFlow) -> Round:
    seat = state.seat(event.seat)
    if seat is None:
        seats = (*state.seats, SeatInRound(event.seat, event.player, event.wagers))
        if state.seats and state.seats[-1].number > event.seat:
            seats = tuple(sorted(seats, key=lambda seat: seat.number))
        return replace(state, seats=seats)
    return _with_seat(state, seat, replace(seat, wagers=seat.wagers | event.wagers))


def _coupon_placed(state: Round, event: CouponPlaced, _: RoundFlow) -> Round:
    seat = _seat(state, event.seat)
    return _with_seat(state, seat, replace(seat, coupon=event.cents, coupon_number=event.number))


def _taken_back(state: Round, event: WagersTakenBack | WagerReturned, flow: RoundFlow) -> Round:
    seat = _seat(state, event.seat)
    left = {name: cents for name, cents in seat.wagers.items() if name not in event.wagers}
    if left:
        stays = flow.coupon_on in left
        coupon = seat.coupon if stays else 0
        number = seat.coupon_number if stays else ""
        changed = replace(seat, wagers=left, coupon=coupon, coupon_number=number)
        return _with_seat(state, seat, changed)
    return replace(state, seats=tuple([s for s in state.seats if s.number != event.seat]))


def _committed(state: Round, event: CommitRandomness, _: RoundFlow) -> Round:
    added = AddedRandomness(event.seat, event.player, event.commitment)
    return replace(state, added=(*state.added, added))


def _value_revealed(state: Round, event: RevealRandomness, _: RoundFlow) -> Round:
    added = [
        replace(share, value=event.value) if share.seat == event.seat else share
        for share in state.added
    ]
    return replace(state, added=tuple(added))


def _mixed(state: Round, _: DeckMixed, __: RoundFlow) -> Round:
    return replace(state, mixed=deck_in_play(state))


def _closed(state: Round, event: BetsClosed, _: RoundFlow) -> Round:
    return replace(state, phase="closed", counted=not event.chips_to_count)


def _counted(state: Round, _: ChipsCounted, __: RoundFlow) -> Round:
    return replace(state, counted=True)


def _count_differs(state: Round, event: ChipCountDiffers, _: RoundFlow) -> Round:
    return replace(state, differing_chips=event.chips)


def _recount_ordered(state: Round, _: ChipRecountOrdered, __: RoundFlow) -> Round:
    return replace(state, differing_chips=None)


def _count_decided(state: Round, _: ChipCountDecided, __: RoundFlow) -> Round:
    return replace(state, differing_chips=None)


def _dealt(state: Round, event: CardsDealt, flow: RoundFlow) -> Round:
    seats = tuple([replace(s, cards=event.seats.get(s.number, ())) for s in state.seats])
    return _go_on(
        replace(
            state,
            seats=seats,
            drawn=event.drawn,
            dealer=event.dealer,
            community=event.community,
            box=event.box,
            burned=event.burned,
            discarded=event.discarded,
        ),
        flow,
    )


def _entered(state: Round, event: EnterCards, _: RoundFlow) -> Round:
    if event.place == "player":
        seat = _seat(state, event.seat)
        return _with_seat(state, seat, replace(seat, cards=event.cards))
    if event.place == "community":
        return replace(state, community=state.community + event.cards)
    if event.place == "burn":
        return replace(state, burned=state.burned + event.cards)
    if event.place == "dealer":
        return replace(state, dealer=state.dealer + event.cards)
    return replace(state, box=event.cards)


def _replaced(state: Round, event: ReplaceCards, _: RoundFlow) -> Round:
    if event.place == "player":
        seat = _seat(state, event.seat)
        return _with_seat(state, seat, replace(seat, cards=event.cards))
    return replace(state, **{_PLACES[event.place]: event.cards})


_PLACES = {"community": "community", "burn": "burned", "dealer": "dealer", "box": "box"}


def _answer_taken_back(state: Round, event: AnswerTakenBack, flow: RoundFlow) -> Round:
    """Return the round with the seat's answer taken back. It is the seat's turn again at once, or
    later if an earlier seat is being asked now."""
    seat = _seat(state, event.seat)
    is_back = event.action == TAKE_BACK
    decided, back = seat.decided, seat.taken_back
    if is_back:
        back = {name: clause for name, clause in back.items() if name != event.wager}
    else:
        decided = {name: cents for name, cents in decided.items() if name != event.wager}
    changed = replace(
        seat,
        decided=decided,
        taken_back=back,
        actions=seat.actions[:-1],
        folded=seat.folded and event.action != "fold",
    )
    seats = _seats_with(state, seat, changed)
    is_asking = state.phase == "deciding" and state.step == event.step
    turn = min(event.seat, state.turn) if is_asking else event.seat
    answered = tuple(
        [
            later.number
            for later in seats
            if later.number > turn and event.step in answered_steps(later, flow)
        ]
    )
    return replace(
        state, seats=seats, phase="deciding", step=event.step, turn=turn, answered=answered
    )


def answered_steps(seat: SeatInRound, flow: RoundFlow) -> list[int]:
    """Return the indexes of the round's questions that the seat has answered."""
    asks = [(n, step.decision) for n, step in enumerate(flow.steps) if isinstance(step, Ask)]
    answers = answers_given([decision for _, decision in asks], seat.wagers, seat.actions)
    return [asks[answer.place][0] for answer in answers if answer.action is not None]


def _acted(state: Round, event: Acted, flow: RoundFlow) -> Round:
    seat = _seat(state, event.seat)
    actions = (*seat.actions, event.action)
    if event.action == TAKE_BACK:
        back = seat.taken_back | {event.wager: event.clause}
        changed = replace(seat, actions=actions, taken_back=back)
    elif event.wager:
        decided = seat.decided | {event.wager: event.cents}
        changed = replace(seat, actions=actions, decided=decided)
    else:
        changed = replace(seat, actions=actions, folded=seat.folded or event.action == "fold")
    return _next_asked(state, _seats_with(state, seat, changed), flow, event.seat)


def _next_asked(state: Round, seats: tuple[SeatInRound, ...], flow: RoundFlow, after: int) -> Round:
    """Move to the next seat clockwise with an open question, or to the next step of the round."""
    step = flow.steps[state.step]
    assert isinstance(step, Ask)
    decision, done = step.decision, state.answered
    wager = decision.wager
    for seat in seats:
        number = seat.number
        if number <= after or seat.folded or wager in seat.decided or number in done:
            continue  # a quick test that settles most seats
        if is_asked(seat, decision):
            return replace(state, seats=seats, phase="deciding", turn=number)
    return _go_on(replace(state, seats=seats, step=state.step + 1, turn=0, answered=()), flow)


def _go_on(state: Round, flow: RoundFlow) -> Round:
    """Move on to the next open question, reveal or showdown."""
    if state.step >= len(flow.steps):
        shows = flow.has_dealer and not state.void
        return replace(state, phase="showdown" if shows else "settling")
    if not isinstance(flow.steps[state.step], Ask):
        return replace(state, phase="revealing")
    if state.void:
        return _go_on(replace(state, step=state.step + 1), flow)
    return _next_asked(state, state.seats, flow, 0)


def _revealed(state: Round, event: Revealed, flow: RoundFlow) -> Round:
    step = flow.steps[state.step]
    assert not isinstance(step, Ask)
    turned = replace(
        state,
        step=state.step + 1,
        drawn=state.drawn + event.drawn,
        community=state.community + event.community,
        exposed=state.exposed + step.reveal.community,
        looked=state.looked + step.reveal.player,
        dealer=state.dealer + event.dealer,
        dealer_up=state.dealer_up + step.reveal.dealer,
        burned=state.burned + event.burned,
        box=state.box + event.box,
        discarded=state.discarded + event.discarded,
    )
    return _go_on(turned, flow)


def _dealer_shown(state: Round, event: DealerShown, _: RoundFlow) -> Round:
    return replace(
        state,
        phase="settling",
        dealer=event.cards,
        dealer_shown=True,
        dealer_hand=event.hand,
        dealer_holds=event.holds,
        qualifies=event.qualifies,
    )


def _seat_settled(state: Round, event: SeatSettled, _: RoundFlow) -> Round:
    was = _seat(state, event.seat)
    seat = replace(
        was, hand=event.hand, holds=event.holds, lines=event.lines, shown=True, settled=True
    )
    seats = _seats_with(state, was, seat)
    # Seat 1 is settled last: once it is, all are.
    if state.claim is None and seats[0].settled and all(seat.settled for seat in seats):
        return replace(state, seats=seats, phase="collecting")
    return replace(state, seats=seats, phase="settling")


def _unless_waiting(state: Round) -> Round:
    if state.claim is None and all(seat.settled for seat in state.seats):
        return replace(state, phase="collecting")
    return state


def _won(state: Round, event: ProgressiveWon, _: RoundFlow) -> Round:
    return replace(state, claim=event.claim, phase="settling")


def _claim_answered(
    state: Round, event: ProgressivePaid | ProgressiveRefused, _: RoundFlow
) -> Round:
    seat = _seat(state, event.seat)
    denied = isinstance(event, ProgressiveRefused) and not event.envy_stands
    returned = (event.line.wager,) if event.line.result == "void" else ()
    changed = replace(seat, lines=(*seat.lines, event.line), denied=denied, returned=returned)
    return _unless_waiting(_with_seat(state, seat, changed, claim=None))


def _envy_paid(state: Round, event: EnvyPaid, _: RoundFlow) -> Round:
    return replace(
        state, seats=tuple([_with_envy(seat, event.lines.get(seat.number)) for seat in state.seats])
    )


def _with_envy(seat: SeatInRound, line: LineRecord | None) -> SeatInRound:
    return seat if line is None else replace(seat, lines=(*seat.lines, line))


def _collected(state: Round, _: CardsCollected, __: RoundFlow) -> Round:
    return replace(state, phase="over")


def _left(state: Round, event: PlayerLeft, flow: RoundFlow) -> Round:
    seat = _seat(state, event.seat)
    gone = _with_seat(state, seat, replace(seat, left=True, abandoned=event.abandoned))
    if gone.phase == "deciding" and gone.turn == event.seat:
        return _next_asked(gone, gone.seats, flow, event.seat)
    return gone


def _noted(state: Round, event: IrregularityNoted, flow: RoundFlow) -> Round:
    right = flow.right_numbers.get(event.kind)
    if right is not None:
        if event.held is None:
            return replace(state, untold=state.untold + 1)
        return replace(state, extra=state.extra + event.held - right)
    if not event.set_aside:
        return state
    return replace(state, set_aside=state.set_aside + event.cards)


def _hands_voided(state: Round, event: HandsVoided, flow: RoundFlow) -> Round:
    """Return the round with all hands void: nobody is asked any more, and the rest of the board is
    turned up for the saved wagers."""
    void = replace(state, void=True, void_by=event.clause, saves=event.saves, turn=0)
    return _go_on(void, flow)


def _hand_voided(state: Round, event: HandVoided, flow: RoundFlow) -> Round:
    seat = _seat(state, event.seat)
    out = _with_seat(state, seat, replace(seat, void=event.clause))
    if out.phase == "deciding" and out.turn == event.seat:
        return _next_asked(out, out.seats, flow, event.seat)
    return out


def _wagers_voided(state: Round, event: WagersVoided, _: RoundFlow) -> Round:
    return replace(state, void_wagers=state.void_wagers | dict.fromkeys(event.wagers, event.clause))


def _voided(state: Round, _: RoundVoided, __: RoundFlow) -> Round:
    return replace(state, phase="over", void=True, claim=None, turn=0)


CHANGES: Final[dict[type, Callable[..., Round]]] = {
    OpenBetting: _opened,
    WagersPlaced: _placed,
    WagersTakenBack: _taken_back,
    WagerReturned: _taken_back,
    CouponPlaced: _coupon_placed,
    CommitRandomness: _committed,
    BetsClosed: _closed,
    RevealRandomness: _value_revealed,
    DeckMixed: _mixed,
    ChipsCounted: _counted,
    ChipCountDecided: _count_decided,
    ChipCountDiffers: _count_differs,
    ChipRecountOrdered: _recount_ordered,
    CardsDealt: _dealt,
    EnterCards: _entered,
    ReplaceCards: _replaced,
    Acted: _acted,
    AnswerTakenBack: _answer_taken_back,
    Revealed: _revealed,
    DealerShown: _dealer_shown,
    SeatSettled: _seat_settled,
    ProgressiveWon: _won,
    ProgressivePaid: _claim_answered,
    ProgressiveRefused: _claim_answered,
    EnvyPaid: _envy_paid,
    CardsCollected: _collected,
    PlayerLeft: _left,
    IrregularityNoted: _noted,
    HandsVoided: _hands_voided,
    HandVoided: _hand_voided,
    WagersVoided: _wagers_voided,
    RoundVoided: _voided,
}
