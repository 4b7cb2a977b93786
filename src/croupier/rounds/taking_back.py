"""Correct a live dealer's slip, in a card or an answer, before anything is final.

Nothing is deleted: the original entry stays in the journal, and a correction is added.
"""

from __future__ import annotations

from croupier.cards import Card
from croupier.errors import BadCards, BadRequest, Refusal, shown
from croupier.rounds.card_entry import check_faces, known_cards
from croupier.rounds.commands import ReplaceCards, TakeBackAnswer
from croupier.rounds.events import AnswerTakenBack, DealerShown, RoundEvent
from croupier.rounds.evolving import answered_steps, evolve
from croupier.rounds.payment import dealer_outcome
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import Round, SeatInRound
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import TAKE_BACK

_IN_PLAY = ("deciding", "revealing", "showdown", "settling")


def replace_cards(state: Round, command: ReplaceCards, rules: Rules) -> tuple[RoundEvent, ...]:
    """Return the events that correct entered cards. A dealer's hand that was already announced is
    announced again."""
    if state.source != "live":
        raise Refusal("the cards come from the sealed deck: none was typed", code="sealed_deck")
    if state.phase not in _IN_PLAY:
        raise Refusal(
            "cards are corrected between the deal and the settlement of their seat", code="not_now"
        )
    there, where = _lying(state, command)
    _check_not_final(state, command, where)
    _check_faces(state, command, there, where, rules)
    after = evolve(state, command, rules)
    if not state.dealer_shown or command.place not in ("dealer", "community"):
        return (command,)
    hand, qualifies, holds = dealer_outcome(after, after.dealer, rules)
    clause = rules.book.procedure.shows_dealer
    return (command, DealerShown(after.dealer, hand, qualifies, clause, holds))


def _lying(state: Round, command: ReplaceCards) -> tuple[tuple[Card, ...], str]:
    """Return the cards entered at the place, and the place in words."""
    if command.place == "player":
        seat = state.seat(command.seat)
        if seat is None:
            raise BadRequest(f"seat {shown(command.seat)} has no cards in this round")
        return seat.cards, f"seat {seat.number}"
    if command.seat:
        raise BadRequest(f"{command.place}: no seat belongs to it")
    places = {
        "dealer": state.dealer,
        "community": state.community,
        "box": state.box,
        "burn": state.burned,
    }
    return places[command.place], command.place


def _check_not_final(state: Round, command: ReplaceCards, where: str) -> None:
    is_own = command.place == "player"
    settled = [
        s.number for s in state.seats if s.settled and (not is_own or s.number == command.seat)
    ]
    if settled:
        raise Refusal(
            f"{where}: seat {settled[0]} is settled with these cards; what is wrong is put right "
            "by a correction",
            code="not_now",
        )


def _check_faces(
    state: Round, command: ReplaceCards, there: tuple[Card, ...], where: str, rules: Rules
) -> None:
    cards, clause = command.cards, rules.book.cards.clause
    if not there:
        raise Refusal(f"{where}: no card is entered there yet", code="nothing_there")
    if len(cards) != len(there):
        raise BadCards(f"{where}: {len(there)} cards lie there, not {len(cards)}", clause=clause)
    if cards == there:
        raise Refusal(f"{where}: these cards are entered already", code="already_done")
    elsewhere = list(known_cards(state))
    for card in there:
        elsewhere.remove(card)
    check_faces(cards, elsewhere, where, rules)


def take_back_answer(state: Round, command: TakeBackAnswer, rules: Rules) -> tuple[RoundEvent, ...]:
    """Return the event that takes the seat's last answer back, with the amount it put down."""
    if state.source != "live":
        raise Refusal(
            "with virtual cards players answer for themselves: an answer stands", code="sealed_deck"
        )
    seat = state.seat(command.seat)
    if seat is None or state.phase not in _IN_PLAY:
        raise Refusal(f"seat {shown(command.seat)} has no answer in play", code="not_now")
    last, ask = _last_answer(state, seat, rules)
    decision, action = ask.decision, seat.actions[-1]
    wager, cents = "", 0
    if action in decision.bets:
        wager = decision.wager
        cents = seat.decided[wager]
    elif action == TAKE_BACK:
        wager = decision.takes_back
        cents = -(seat.wagers | seat.decided)[wager]
    return (AnswerTakenBack(seat.number, last, decision.name, action, wager, cents),)


def _last_answer(state: Round, seat: SeatInRound, rules: Rules) -> tuple[int, Ask]:
    flow = flow_of(rules)
    answered = answered_steps(seat, flow)
    clause = rules.book.decisions[0].clause if rules.book.decisions else None
    if not answered or seat.left or seat.void or state.void:
        raise Refusal(
            f"seat {seat.number} has no answer that could be taken back",
            code="nothing_there",
            clause=clause,
        )
    last, ask = answered[-1], flow.steps[answered[-1]]
    assert isinstance(ask, Ask)
    passed = flow.steps[last + 1 : state.step]
    if state.dealer_shown or any(not isinstance(step, Ask) for step in passed):
        raise Refusal(
            f"cards were turned up after seat {seat.number}'s answer: it stands",
            code="not_now",
            clause=ask.decision.clause,
        )
    if any(s.settled for s in state.seats) or any(
        max(answered_steps(each, flow), default=0) > last for each in state.seats
    ):
        raise Refusal(
            f"the round has gone on from seat {seat.number}'s answer: it stands",
            code="not_now",
            clause=ask.decision.clause,
        )
    return last, ask
