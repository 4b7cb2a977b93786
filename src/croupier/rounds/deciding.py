"""Decide what a command does to a round: its events, or a refusal that names the clause.

Pure. The table has already checked who may give the command and whether the money is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import BadCards, CroupierError, Refusal, RuleBroken, plain, shown
from croupier.rounds.card_entry import check_entry, known_cards, needs_board
from croupier.rounds.chip_count import count_chips, decide_count, order_recount
from croupier.rounds.commands import (
    Act,
    AnswerAll,
    CloseBets,
    Collect,
    CommitRandomness,
    CountChips,
    Deal,
    DecideChipCount,
    EnterCards,
    LeaveRound,
    OpenBetting,
    PlaceCoupon,
    PlaceWagers,
    RecountChips,
    RefuseProgressive,
    RepeatWagers,
    ReplaceCards,
    Report,
    RevealCards,
    RevealRandomness,
    RoundCommand,
    RuleAbandoned,
    Settle,
    ShowDealer,
    TakeBack,
    TakeBackAnswer,
    ValidateProgressive,
    VoidRound,
)
from croupier.rounds.coupons import check_coupon_covered, place_coupon
from croupier.rounds.dealing import deal_order, dealt
from croupier.rounds.events import (
    Acted,
    BetsClosed,
    CardsCollected,
    CardsDealt,
    DealerShown,
    PlayerLeft,
    Revealed,
    RoundEvent,
    RoundVoided,
    WagerReturned,
    WagersPlaced,
    WagersTakenBack,
)
from croupier.rounds.evolving import evolve
from croupier.rounds.irregularities import report
from croupier.rounds.legality import check_boxes, check_wager
from croupier.rounds.payment import (
    check_denial,
    dealer_outcome,
    pay_progressive,
    refuse_progressive,
    settle_next,
)
from croupier.rounds.players_randomness import commit, deck_in_play, mixing, reveal
from croupier.rounds.round_flow import Ask, as_played, cannot_be_said, check_allowed, flow_of
from croupier.rounds.state import Round, SeatInRound
from croupier.rounds.taking_back import replace_cards, take_back_answer
from croupier.rulebooks.decks import check_whole_deck
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import TAKE_BACK, Reveal

Meters = Mapping[str, int]
Events = tuple[RoundEvent, ...]


def decide(
    state: Round,
    command: RoundCommand,
    rules: Rules,
    meters: Meters | None = None,
    by: str = "",
) -> Events:
    """Return the events of a legal command. `meters` are the current readings, in cents; `by` is
    the name that signs decisions."""
    return _DECIDES[type(command)](state, command, rules, meters or {}, by)


def _not_now(state: Round, doing: str, clause: str = "") -> Refusal:
    return Refusal(
        f"{doing} is not possible now: {_WHERE[state.phase]}", code="not_now", clause=clause or None
    )


_WHERE = {
    "betting": "the bets are open",
    "closed": "the bets are closed and the cards are not dealt yet",
    "deciding": "a player is being asked",
    "revealing": "the next cards are to be turned up",
    "showdown": "the dealer's cards are to be shown",
    "settling": "the wagers are being settled",
    "collecting": "the wagers are settled and the cards are to be collected",
    "over": "no round is being played",
}


def _open(state: Round, command: OpenBetting, rules: Rules, *_: Any) -> Events:
    if state.phase != "over":
        raise _not_now(state, "opening a round")
    if command.number != state.number + 1:
        raise Refusal(f"the next round is number {state.number + 1}", code="bad_number")
    if command.source == "virtual":
        check_whole_deck(command.deck, rules.book)
    return (command,)


def _place(state: Round, command: PlaceWagers, rules: Rules, *_: Any) -> Events:
    if state.phase != "betting":
        raise _not_now(state, "placing a wager", rules.book.procedure.late_bets)
    number, player = command.seat, command.player
    positions = rules.book.positions
    if not 1 <= number <= positions.most:
        raise RuleBroken(
            f"seat {shown(number)}: seats are numbered 1 to {positions.most}",
            clause=positions.clause,
        )
    seat = state.seat(number)
    if seat is not None and seat.player != player:
        raise Refusal(f"seat {number} is {plain(seat.player)}'s in this round", code="seat_taken")
    if not command.wagers:
        raise Refusal("no wager is named", code="nothing_placed")
    lawful, bets = flow_of(rules).lawful, tuple(command.wagers.items())
    if seat is not None or bets not in lawful:
        _check_wagers(number, command.wagers, seat, rules)
        check_coupon_covered(seat, command.wagers, rules)
    if seat is None:
        if len(lawful) < _MOST_REMEMBERED:
            lawful.add(bets)
        mine = [held.number for held in state.seats if held.player == player]
        if mine:
            check_boxes(player, [*mine, number], rules)
    return (WagersPlaced(number, player, command.wagers),)


_MOST_REMEMBERED: Final = 1000


def _check_wagers(
    number: int, wagers: Mapping[str, int], seat: SeatInRound | None, rules: Rules
) -> None:
    placed = wagers if seat is None else {**seat.wagers, **wagers}
    try:
        for name, cents in wagers.items():
            check_wager(name, cents, placed, rules)
    except CroupierError as error:
        raise error.within(f"seat {number}") from None


def _coupon(state: Round, command: PlaceCoupon, rules: Rules, *_: Any) -> Events:
    if state.phase != "betting":
        raise _not_now(state, "laying a coupon", rules.book.procedure.late_bets)
    seat = state.seat(command.seat)
    if seat is not None:
        _own_seat(state, command.seat, command.player)
    return (place_coupon(seat, command, rules),)


def _commit(state: Round, command: CommitRandomness, *_: Any) -> Events:
    return commit(state, command)


def _reveal_value(state: Round, command: RevealRandomness, *_: Any) -> Events:
    return reveal(state, command)


def _own_seat(state: Round, number: int, player: str) -> SeatInRound:
    seat = state.seat(number)
    if seat is None:
        raise Refusal(f"seat {shown(number)} has no wager in this round", code="seat_closed")
    if seat.player != player:
        raise Refusal(
            f"seat {number} is {plain(seat.player)}'s, not {plain(player)}'s", code="not_yours"
        )
    return seat


def _take_back(state: Round, command: TakeBack, rules: Rules, *_: Any) -> Events:
    if state.phase != "betting":
        raise _not_now(state, "taking a wager back", rules.book.procedure.late_bets)
    seat = _own_seat(state, command.seat, command.player)
    names = tuple(dict.fromkeys(command.wagers)) or tuple(seat.wagers)
    for name in names:
        if name not in seat.wagers:
            raise Refusal(f"seat {seat.number} has nothing on {shown(name)}", code="nothing_there")
    left = {name: cents for name, cents in seat.wagers.items() if name not in names}
    wagers = rules.book.wagers
    for name in left:
        for needed in wagers[name].needs:
            if needed not in left:
                raise RuleBroken(
                    f"{wagers[name].title} needs {wagers[needed].title} as well: take both back",
                    clause=wagers[name].needs_clause or None,
                )
    return (WagersTakenBack(seat.number, names),)


def standing(seat: SeatInRound, rules: Rules) -> tuple[str, ...]:
    """Return the wagers of a seat that stand when the bets are closed: all, or none of them.

    Cards are dealt only to players who placed the required wagers, in equal amounts if the document
    requires it.
    """
    wagers = rules.book.wagers
    for name in rules.required:
        equal = wagers[name].equals
        if name not in seat.wagers or (equal and seat.wagers[name] != seat.wagers.get(equal)):
            return ()
    return tuple(seat.wagers)


def _close(state: Round, _: CloseBets, rules: Rules, *__: Any) -> Events:
    flow = flow_of(rules)
    dealing = flow.dealing
    if state.phase != "betting":
        raise _not_now(state, "closing the bets", dealing.closes_bets)
    stands = [seat for seat in state.seats if standing(seat, rules)]
    if not stands:
        required = ", ".join(rules.book.wagers[name].title for name in rules.required)
        raise Refusal(
            f"nobody has placed the required wagers ({required})",
            code="no_bets",
            clause=rules.book.required_clause,
        )
    returned = [
        WagerReturned(
            seat.number,
            tuple(seat.wagers),
            "the required wagers are missing or not equal",
            rules.book.required_clause,
        )
        for seat in state.seats
        if seat not in stands
    ]
    progressive = flow.progressive
    chips = sum([progressive in seat.wagers for seat in stands]) if dealing.counts_chips else 0
    numbers = tuple([seat.number for seat in stands])
    return (*returned, BetsClosed(dealing.closes_bets, numbers, chips))


def _count(state: Round, command: CountChips, rules: Rules, *_: Any) -> Events:
    return count_chips(state, command, rules)


def _decide_count(
    state: Round, command: DecideChipCount, rules: Rules, _: Meters, by: str
) -> Events:
    return decide_count(state, command, rules, by)


def _recount(state: Round, command: RecountChips, rules: Rules, _: Meters, by: str) -> Events:
    return order_recount(state, command, rules, by)


def _deal(state: Round, _: Deal, rules: Rules, *__: Any) -> Events:
    if state.phase != "closed":
        raise _not_now(state, "dealing")
    if not state.counted:
        raise Refusal(
            "the progressive's chips are not counted yet",
            code="not_now",
            clause=flow_of(rules).dealing.counts_chips or None,
        )
    order = deal_order(rules, [seat.number for seat in state.seats])
    drawn = sum([delivery.count for delivery in order])
    if state.source == "live":
        return (CardsDealt(drawn),)
    out = dealt(deck_in_play(state), order)
    return (
        *mixing(state),
        CardsDealt(
            drawn,
            dict(out.players),
            out.dealer,
            out.community,
            out.box,
            out.burned,
            out.discarded,
        ),
    )


def _enter(state: Round, command: EnterCards, rules: Rules, *_: Any) -> Events:
    if state.phase not in ("deciding", "revealing", "showdown", "settling"):
        raise _not_now(state, "entering cards")
    check_entry(state, command.place, command.seat, command.cards, rules)
    return (command,)


def _replace(state: Round, command: ReplaceCards, rules: Rules, *_: Any) -> Events:
    return replace_cards(state, command, rules)


def _take_back_answer(state: Round, command: TakeBackAnswer, rules: Rules, *_: Any) -> Events:
    return take_back_answer(state, command, rules)


def _repeat(state: Round, _: RepeatWagers, rules: Rules, *__: Any) -> Events:
    """Repeat the bets of every seat of the last round that has not bet yet. The table checks whose
    chips are enough."""
    if state.phase != "betting":
        raise _not_now(state, "placing a wager", rules.book.procedure.late_bets)
    _only_live(state, "players place their own bets")
    placed: list[RoundEvent] = []
    after = state
    for last in state.last:
        if after.seat(last.seat) is not None:
            continue
        try:
            events = _place(after, PlaceWagers(last.seat, last.player, last.wagers), rules)
        except CroupierError:
            continue  # the terms have changed: the player bets again
        placed += events
        after = evolve(after, events[0], rules)
    if not placed:
        raise Refusal("nobody has bets of the last round to repeat", code="nothing_there")
    return tuple(placed)


def _answer_all(state: Round, command: AnswerAll, rules: Rules, *_: Any) -> Events:
    _only_live(state, "players answer for themselves")
    said: list[RoundEvent] = []
    after, step = state, state.step
    while not said or (after.phase == "deciding" and after.step == step):
        seat = after.seat(after.turn)
        player = seat.player if seat is not None else ""
        events = _act(after, Act(after.turn, player, command.action), rules)
        said += events
        after = evolve(after, events[0], rules)
    return tuple(said)


def _only_live(state: Round, why: str) -> None:
    if state.source != "live":
        raise Refusal(f"with virtual cards {why}", code="not_yours")


def _act(state: Round, command: Act, rules: Rules, *_: Any) -> Events:
    if state.phase != "deciding":
        raise _not_now(state, "a decision")
    step = flow_of(rules).steps[state.step]
    assert isinstance(step, Ask)
    decision = step.decision
    seat = _own_seat(state, command.seat, command.player)
    if state.turn != seat.number:
        raise Refusal(
            f"it is seat {state.turn}'s turn, not seat {seat.number}'s",
            code="out_of_turn",
            clause=decision.clause,
        )
    action = command.action
    if action in decision.bets:
        if decision.only_with:
            check_allowed(decision, action, *as_played(state, seat), rules)
        cents = seat.wagers[decision.multiple_of] * decision.bets[action]
        return (Acted(seat.number, decision.name, action, decision.clause, decision.wager, cents),)
    if action == TAKE_BACK and decision.takes_back:
        name = decision.takes_back
        cents = -(seat.wagers | seat.decided)[name]
        return (Acted(seat.number, decision.name, action, decision.clause, name, cents),)
    if action == decision.otherwise:
        return (Acted(seat.number, decision.name, action, decision.clause),)
    raise cannot_be_said(decision, action)


def _reveal(state: Round, command: RevealCards, rules: Rules, *_: Any) -> Events:
    if state.phase != "revealing":
        raise _not_now(state, "turning cards up")
    step = flow_of(rules).steps[state.step]
    assert not isinstance(step, Ask)
    turned = step.reveal
    order = deal_order(rules, [seat.number for seat in state.seats], turned.name)
    drawn = sum([delivery.count for delivery in order])
    if state.source == "virtual":
        _no_cards(command.cards)
        out = dealt(deck_in_play(state)[state.drawn : state.drawn + drawn], order)
        return (
            Revealed(
                *(turned.name, turned.clause, drawn),
                *(out.community, out.burned, out.dealer, out.box, out.discarded),
            ),
        )
    board, dealer = _turned_up(state, command.cards, turned)
    if board:
        check_entry(state, "community", 0, board, rules)
    if dealer:
        check_entry(replace(state, community=state.community + board), "dealer", 0, dealer, rules)
    return (Revealed(turned.name, turned.clause, drawn, board, dealer=dealer),)


def _turned_up(
    state: Round, cards: tuple[Card, ...], reveal: Reveal
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Split the cards that a live dealer names into the board's, first, and the dealer's own. Cards
    entered before are not named again."""
    board = max(0, state.exposed + reveal.community - len(state.community))
    dealer = max(0, state.dealer_up + reveal.dealer - len(state.dealer))
    if len(cards) != board + dealer:
        wanted = [f"{board} community cards"] if board or not dealer else []
        wanted += [f"{dealer} of the dealer's cards"] if dealer else []
        raise BadCards(
            f"{len(cards)} cards are named, but {' and '.join(wanted)} are to be turned up",
            clause=reveal.clause,
        )
    return cards[:board], cards[board:]


def _no_cards(cards: tuple[Card, ...]) -> None:
    if cards:
        raise Refusal("the cards come from the sealed deck: none can be named", code="sealed_deck")


def _show_dealer(state: Round, command: ShowDealer, rules: Rules, *_: Any) -> Events:
    clause = rules.book.procedure.shows_dealer
    if state.phase != "showdown":
        raise _not_now(state, "showing the dealer's hand", clause)
    missing = rules.book.cards.dealer - len(state.dealer)
    if state.source == "virtual" or not missing:
        _no_cards(command.cards)
    elif len(command.cards) != missing:
        raise BadCards(
            f"dealer: {len(command.cards)} entered, but {missing} are to be entered there",
            clause=rules.book.cards.clause,
        )
    else:
        check_entry(state, "dealer", 0, command.cards, rules)
    cards = state.dealer + command.cards
    hand, qualifies, holds = dealer_outcome(state, cards, rules)
    return (DealerShown(cards, hand, qualifies, clause, holds),)


def can_settle(state: Round, rules: Rules) -> bool:
    """Return whether wagers may be settled: after the last reveal and the dealer's hand. After an
    accident, they may also be settled before the board is complete, if no wager left looks at
    it."""
    if state.phase == "revealing" and state.void:
        return not needs_board(state, rules)
    return state.phase == "settling"


def _settle(state: Round, command: Settle, rules: Rules, meters: Meters, _: str) -> Events:
    if not can_settle(state, rules):
        raise _not_now(state, "settling", rules.book.procedure.settles)
    if state.claim is not None:
        raise Refusal(
            f"seat {state.claim.seat} has won the progressive: a floorperson validates it first",
            code="awaits_floor",
            clause=_validation(rules),
        )
    return settle_next(state, rules, meters, every=command.every, down_to=command.seat)


def _validation(rules: Rules) -> str | None:
    progressive = flow_of(rules).progressive
    return (rules.book.wagers[progressive].validated_clause or None) if progressive else None


def _claimed(state: Round, seat: int, rules: Rules) -> None:
    if state.claim is None or state.claim.seat != seat:
        raise Refusal(
            f"seat {shown(seat)} has no progressive to validate",
            code="no_claim",
            clause=_validation(rules),
        )


def _validate(
    state: Round, command: ValidateProgressive, rules: Rules, meters: Meters, by: str
) -> Events:
    _claimed(state, command.seat, rules)
    return pay_progressive(state, rules, meters, by)


def _refuse(state: Round, command: RefuseProgressive, rules: Rules, _: Meters, by: str) -> Events:
    _claimed(state, command.seat, rules)
    check_denial(command)
    return refuse_progressive(state, rules, by, command.reason, command.ground)


def _collect(state: Round, _: Collect, rules: Rules, *__: Any) -> Events:
    clause = rules.book.procedure.collects
    if state.phase != "collecting":
        raise _not_now(state, "collecting the cards", clause)
    return (CardsCollected(known_cards(state), clause),)


def _leave(state: Round, command: LeaveRound, rules: Rules, *_: Any) -> Events:
    seat = _own_seat(state, command.seat, command.player)
    if state.phase == "betting":
        return (WagersTakenBack(seat.number, tuple(seat.wagers)),)
    if state.phase not in ("closed", "deciding", "revealing", "showdown", "settling"):
        raise _not_now(state, "leaving the round")
    if seat.left:
        raise Refusal(f"{plain(seat.player)} has left already", code="already_done")
    return (PlayerLeft(seat.number, clause=rules.book.procedure.stays),)


def _abandon(state: Round, command: RuleAbandoned, rules: Rules, *_: Any) -> Events:
    seat = state.seat(command.seat)
    clause = rules.book.procedure.abandoned
    if not clause:
        raise Refusal(
            "this document knows no abandoned wagers: those of a player who left are settled",
            code="no_such_rule",
        )
    if state.phase == "over" or seat is None or not is_abandonable(seat):
        raise Refusal(
            f"seat {shown(command.seat)} holds no wagers of a player who left",
            code="not_now",
            clause=clause,
        )
    return (PlayerLeft(seat.number, abandoned=True, clause=clause),)


def is_abandonable(seat: SeatInRound) -> bool:
    """Return whether the player has left wagers behind that nobody has ruled on."""
    return seat.left and not seat.abandoned and not seat.settled


def _void(state: Round, command: VoidRound, _: Rules, __: Meters, by: str) -> Events:
    if state.phase == "over":
        raise Refusal("no round is being played", code="not_now")
    if any(seat.settled for seat in state.seats):
        raise Refusal(
            f"seat {next(s.number for s in state.seats if s.settled)} is settled already: what is "
            "wrong there is put right by a correction, not by voiding the round",
            code="not_now",
        )
    if not command.reason.strip():
        raise Refusal("say why the round is void", code="no_reason")
    return (RoundVoided(command.reason, by, command.clause),)


def _report(state: Round, command: Report, rules: Rules, _: Meters, by: str) -> Events:
    return report(state, command, rules, by)


_DECIDES: Final[dict[type, Callable[..., Events]]] = {
    OpenBetting: _open,
    PlaceWagers: _place,
    TakeBack: _take_back,
    RepeatWagers: _repeat,
    PlaceCoupon: _coupon,
    CommitRandomness: _commit,
    RevealRandomness: _reveal_value,
    CloseBets: _close,
    CountChips: _count,
    Deal: _deal,
    EnterCards: _enter,
    ReplaceCards: _replace,
    Act: _act,
    AnswerAll: _answer_all,
    TakeBackAnswer: _take_back_answer,
    RevealCards: _reveal,
    ShowDealer: _show_dealer,
    Settle: _settle,
    Collect: _collect,
    LeaveRound: _leave,
    RuleAbandoned: _abandon,
    DecideChipCount: _decide_count,
    RecountChips: _recount,
    ValidateProgressive: _validate,
    RefuseProgressive: _refuse,
    Report: _report,
    VoidRound: _void,
}
"""The function that decides each command; it gets the state, the command, the rules, the meters'
readings and the name of the person giving it."""
