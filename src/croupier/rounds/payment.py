"""The dealer pays and collects: seat by seat, then what a floorperson validates, then the Envy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import Refusal, shown
from croupier.money import MeterShare, Pays
from croupier.rounds.card_entry import check_known
from croupier.rounds.commands import DenialGround
from croupier.rounds.completed import CompletedRound, PlayedSeat
from croupier.rounds.coupons import coupon_line
from croupier.rounds.denials import DENIALS, lets_envy_stand
from croupier.rounds.events import (
    EnvyPaid,
    ProgressivePaid,
    ProgressiveRefused,
    ProgressiveWon,
    RoundEvent,
    SeatSettled,
)
from croupier.rounds.evolving import evolve
from croupier.rounds.questions import answers_given, answers_of, is_lost, too_weak
from croupier.rounds.round_flow import flow_of
from croupier.rounds.settlement import Settling, dealer_shows
from croupier.rounds.stakes import live_stakes
from croupier.rounds.state import Claim, LineRecord, Reason, ReasonCode, Round, SeatInRound
from croupier.rulebooks.rules import Rules

__all__ = [
    "as_played",
    "completed",
    "dealer_outcome",
    "pay_progressive",
    "refuse_progressive",
    "settle_next",
]


def _void_lines(state: Round, seat: SeatInRound) -> tuple[LineRecord, ...]:
    """What comes back, by which clause."""
    lives = live_stakes(state, seat)
    code: ReasonCode = (
        "hand_void" if seat.void else "all_hands_void" if state.void_by else "wager_void"
    )
    reason = Reason(code)
    return tuple(
        [
            _taken_back(seat, name, cents)
            if name in seat.taken_back
            else LineRecord(
                *(name, cents, "void", 0),
                seat.void or state.void_by or state.void_wagers[name],
                reason,
            )
            for name, cents in (*seat.wagers.items(), *seat.decided.items())
            if name not in lives
        ]
    )


def _taken_back(seat: SeatInRound, name: str, cents: int) -> LineRecord:
    """The chips went back when the player asked for them; nothing can happen to them any more."""
    return LineRecord(name, cents, "push", 0, seat.taken_back[name], Reason("taken_back"))


def as_played(state: Round, seat: SeatInRound) -> tuple[PlayedSeat, CompletedRound]:
    """The seat and the round as far as they are known now."""
    mine = PlayedSeat(seat.number, seat.player, seat.cards, seat.wagers, seat.actions)
    return mine, CompletedRound((mine,), state.community, state.dealer, state.box)


def completed(
    state: Round, rules: Rules, seats: Sequence[SeatInRound] | None = None
) -> CompletedRound:
    """The round as the settlement takes it, with these of its seats; questions that a player left
    open are declined."""
    return CompletedRound(
        seats=tuple(
            [
                PlayedSeat(
                    seat.number,
                    seat.player,
                    seat.cards,
                    seat.wagers,
                    answers_of(seat, rules),
                )
                for seat in (state.seats if seats is None else seats)
            ]
        ),
        community=state.community,
        dealer=state.dealer,
        box=state.box,
    )


def dealer_outcome(state: Round, cards: tuple[Card, ...], rules: Rules) -> tuple[str, bool, str]:
    """What the dealer announces, whether it qualifies, and what it is worth."""
    turned = replace(state, dealer=cards, seats=())
    check_known(turned, rules)
    return dealer_shows(completed(turned, rules), rules)


def settle_next(
    state: Round, rules: Rules, meters: Mapping[str, int], *, every: bool = False, down_to: int = 0
) -> tuple[RoundEvent, ...]:
    """The next seat counterclockwise, those down to a seat, or all until one has to wait; then the
    Envy Bonus."""
    waiting = [seat for seat in state.seats if not seat.settled]
    if down_to and all(seat.number != down_to for seat in waiting):
        raise Refusal(
            f"no wager of seat {shown(down_to)} waits to be settled",
            code="nothing_there",
            clause=rules.book.procedure.settles,
        )
    check_known(state, rules, down_to)
    ending = _SettlingRound(state, rules)
    readings = {**rules.resets, **meters}
    events: list[RoundEvent] = []
    while waiting:
        settled, claim = ending.settle(waiting.pop(), readings)
        events.append(settled)
        if claim is not None:
            return (*events, ProgressiveWon(claim))
        if not every and settled.seat <= (down_to or settled.seat):
            break
    return tuple(events) if waiting else (*events, *ending.envy(state))


class _SettlingRound:
    """A round at its settlement. Hands and wagers that are void are out of it: they bring nobody
    anything and come back."""

    def __init__(self, state: Round, rules: Rules) -> None:
        self._state, self._rules = state, rules
        # What was checked command by command is not checked again; only what a player who left has
        # not answered still has to be worked out.
        live, stakes = [], []
        for seat in state.seats:
            mine = live_stakes(state, seat)
            if mine:
                live.append(seat)
                stakes.append(mine)
        self._places = {seat.number: place for place, seat in enumerate(live)}
        counts = rules.book.cards
        board_is_out = len(state.community) == counts.community
        self._announced = frozenset(
            seat.number for seat in live if board_is_out and len(seat.cards) == counts.player
        )
        """Hands that can be named: not one that was mucked, and none without the board."""
        played = completed(state, rules, live)
        for seat, mine, said in zip(live, stakes, played.seats, strict=True):
            if seat.left:
                mine.folded = not state.void and "fold" in said.actions
        # A void hand is out of the comparison, but it was dealt (MA-28).
        dealt = len(state.seats)
        self._settling = Settling(played, rules, stakes, dealt) if live else None

    def settle(self, seat: SeatInRound, meters: dict[str, int]) -> tuple[SeatSettled, Claim | None]:
        """The seat's lines; a coupon beside them follows its wager."""
        settled, claim = self._settle(seat, meters)
        if self._state.source == "live":
            settled = replace(settled, lines=_with_doubts(self._state, seat, settled, self._rules))
        if seat.coupon:
            line = coupon_line(seat, settled.lines, self._rules)
            if line is not None:
                settled = replace(settled, lines=(*settled.lines, line))
        return settled, claim

    def _settle(
        self, seat: SeatInRound, meters: dict[str, int]
    ) -> tuple[SeatSettled, Claim | None]:
        state = self._state
        void = _void_lines(state, seat) if state.void or state.void_wagers or seat.void else ()
        if self._settling is None or seat.number not in self._places:
            return SeatSettled(seat.number, "", void), None
        place = self._places[seat.number]
        announced = seat.number in self._announced
        hand = self._settling.hand(place) if announced else ""
        if seat.left and is_lost(state, seat, self._rules):
            clause = self._rules.book.procedure.abandoned
            reason = Reason("abandoned" if seat.abandoned else "left_undecided")
            lost = [
                _taken_back(seat, name, cents)
                if name in seat.taken_back
                else LineRecord(name, cents, "lose", -cents, clause, reason)
                for name, cents in live_stakes(state, seat).items()
            ]
            return SeatSettled(seat.number, hand, (*lost, *void)), None
        holds = self._settling.holds(place) if announced else {}
        written = self._settling.written_lines(place)
        if written is not None:
            lines = written + void if void else written
            return SeatSettled(seat.number, hand, lines, holds), None
        worked_out, claim = self._lines(place, seat.number, meters)
        return SeatSettled(seat.number, hand, (*worked_out, *void), holds), claim

    def _lines(
        self, place: int, number: int, meters: dict[str, int]
    ) -> tuple[list[LineRecord], Claim | None]:
        """The lines, without a progressive that waits for a floorperson."""
        assert self._settling is not None
        progressive = flow_of(self._rules).progressive
        lines, claim = [], None
        # An award is read from the meter when it is validated: here the readings stay as they are.
        for line in self._settling.lines(place, dict(meters)):
            is_won = line.wager == progressive and line.result == "win"
            if is_won and _needs_floor(line, self._rules):
                claim = _claim(number, line, self._settling.pays(place, line.wager))
            else:
                lines.append(line)
        return lines, claim

    def envy(self, state: Round) -> tuple[RoundEvent, ...]:
        """Neither a hand that a floorperson did not let stand nor an abandoned one brings an
        Envy."""
        if self._settling is None or not self._settling.envy():
            return ()
        numbers = {place: number for number, place in self._places.items()}
        out = [
            s.number
            for s in state.seats
            if s.denied
            or s.number not in self._announced
            or (s.left and is_lost(state, s, self._rules))
        ]
        lines = {
            numbers[place]: line
            for place, line in self._settling.envy(
                frozenset(self._places[number] for number in out if number in self._places)
            )
            if not is_lost(state, _held(state, numbers[place]), self._rules)
        }
        return (EnvyPaid(lines),) if lines else ()


def _with_doubts(
    state: Round, seat: SeatInRound, settled: SeatSettled, rules: Rules
) -> tuple[LineRecord, ...]:
    """A live table takes a bet before the cards are known. Where they turn out too weak for what
    was said, the line says so."""
    doubted: dict[str, str] = {}
    for _, decision, action in answers_given(rules.book.decisions, seat.wagers, seat.actions):
        if action is not None and action in too_weak(decision, *as_played(state, seat), rules):
            doubted[decision.wager] = action
    return tuple(
        [
            replace(line, too_weak_for=doubted[line.wager]) if line.wager in doubted else line
            for line in settled.lines
        ]
        if doubted
        else settled.lines
    )


def _held(state: Round, number: int) -> SeatInRound:
    seat = state.seat(number)
    assert seat is not None
    return seat


def _needs_floor(line: LineRecord, rules: Rules) -> bool:
    """A floorperson validates what the document says, and every payment from a meter."""
    return bool(rules.book.wagers[line.wager].validated_clause or line.from_meter)


def _claim(number: int, line: LineRecord, pays: Pays | None) -> Claim:
    claim = Claim(number, line.stake, line.pays, line.clause, line.reason)
    if isinstance(pays, MeterShare):
        return replace(claim, meter=pays.meter, percent=pays.percent)
    return replace(claim, cents=line.net + line.stake)


def pay_progressive(
    state: Round, rules: Rules, meters: Mapping[str, int], by: str
) -> tuple[RoundEvent, ...]:
    """The award, read from the meter at the winner's turn."""
    claim, progressive = state.claim, flow_of(rules).progressive
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
        claim.reason,
        claim.pays,
        from_meter=claim.meter,
    )
    return _after_claim(state, rules, ProgressivePaid(claim.seat, line, by))


def refuse_progressive(
    state: Round, rules: Rules, by: str, reason: str, ground: DenialGround | None
) -> tuple[RoundEvent, ...]:
    """Journals from before denials had grounds have none: the wager is lost, and the hand brings
    nobody an Envy Bonus."""
    claim, progressive = state.claim, flow_of(rules).progressive
    assert claim is not None
    assert progressive is not None
    clause = rules.book.wagers[progressive].validated_clause or claim.clause
    why = Reason("not_confirmed", line=claim.reason.line)
    line = LineRecord(progressive, claim.stake, "lose", -claim.stake, clause, why)
    if ground is None:
        return _after_claim(state, rules, ProgressiveRefused(claim.seat, line, by, reason))
    if DENIALS[ground].returned:
        terms = rules.book.progressive
        clause = (terms.late if ground == "late_bet" else terms.accepted) or claim.clause
        why = Reason("not_accepted", line=claim.reason.line)
        line = LineRecord(progressive, claim.stake, "void", 0, clause, why)
    stands = lets_envy_stand(ground, rules)
    denied = ProgressiveRefused(claim.seat, line, by, reason, ground, stands)
    return _after_claim(state, rules, denied)


def _after_claim(
    state: Round, rules: Rules, answer: ProgressivePaid | ProgressiveRefused
) -> tuple[RoundEvent, ...]:
    after = evolve(state, answer, rules)
    if after.phase != "collecting":
        return (answer,)
    return (answer, *_SettlingRound(after, rules).envy(after))
