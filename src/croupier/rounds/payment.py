"""Settlement at the table: the dealer pays and collects, seat by seat; a floorperson validates or
denies a progressive; the Envy Bonus comes last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import Refusal, shown
from croupier.money import MeterShare, Pays
from croupier.rounds.card_entry import check_known
from croupier.rounds.commands import DenialGround, RefuseProgressive
from croupier.rounds.coupons import coupon_line
from croupier.rounds.events import (
    EnvyPaid,
    ProgressivePaid,
    ProgressiveRefused,
    ProgressiveWon,
    RoundEvent,
    SeatSettled,
)
from croupier.rounds.evolving import evolve
from croupier.rounds.round_flow import (
    answers_given,
    as_played,
    completed,
    flow_of,
    is_lost,
    too_weak,
)
from croupier.rounds.settlement import Settling, dealer_shows
from croupier.rounds.state import (
    Claim,
    LineRecord,
    Reason,
    ReasonCode,
    Round,
    SeatInRound,
    live_stakes,
)
from croupier.rulebooks.rules import Rules


class Denial(NamedTuple):
    """A ground for denying a progressive. `words` is what a floorperson picks. `returned`: no wager
    was accepted, so the chip goes back (MD-57). `hand_stands`: only the wager is denied, so the
    hand may still bring others their Envy Bonus (MD-31)."""

    words: str
    returned: bool
    hand_stands: bool
    phrases: tuple[str, ...]
    """Beginnings of a free-text reason that mean the same."""


DENIALS: Final[Mapping[DenialGround, Denial]] = {
    "light_off": Denial(
        "the light was off",
        returned=True,
        hand_stands=True,
        phrases=("light was off", "light was not on", "light off", "no light"),
    ),
    "late_bet": Denial(
        "the bet came after no more bets",
        returned=True,
        hand_stands=True,
        phrases=("bet came after no more bets", "bet was late", "late bet"),
    ),
    "hand_does_not_win": Denial(
        "the hand does not win",
        returned=False,
        hand_stands=False,
        phrases=("hand does not win", "hand does not qualify"),
    ),
    "other": Denial("another reason", returned=False, hand_stands=True, phrases=()),
}


def named_denial(command: RefuseProgressive) -> RefuseProgressive:
    """Return the denial with the ground that its words name, or `other` if they name none."""
    said = command.reason.strip().casefold().removeprefix("the ")
    if not said or command.ground is not None:
        return command
    named = [
        ground
        for ground, denial in DENIALS.items()
        if any(_begins(said, phrase) for phrase in denial.phrases)
    ]
    return replace(command, ground=named[0] if named else "other")


def _begins(said: str, phrase: str) -> bool:
    """Return whether the text is the phrase, alone or followed by punctuation and more words."""
    return said.startswith(phrase) and not said[len(phrase) :].lstrip().strip(".")[:1].isalnum()


def check_denial(command: RefuseProgressive) -> None:
    """Refuse a denial without a reason."""
    if command.reason.strip() or command.ground not in (None, "other"):
        return
    listed = ", ".join(denial.words for ground, denial in DENIALS.items() if ground != "other")
    raise Refusal(
        f"say why the progressive is denied: {listed}, or another reason in words",
        code="no_reason",
    )


def denial_words(ground: str, reason: str) -> str:
    """Return the ground picked in words, with the remarks added to it."""
    picked = next(
        (denial.words for name, denial in DENIALS.items() if name == ground != "other"), ""
    )
    added = reason.strip()
    if not picked or added.casefold().startswith(picked):
        return added
    return f"{picked}: {added}" if added else picked


def lets_envy_stand(ground: DenialGround, rules: Rules) -> bool:
    """Return whether the hand still brings others the Envy Bonus after this denial. It does not if
    the holder must have bet, because the progressive is denied."""
    must_bet = rules.options.get("envy_holder_must_bet") is True
    return DENIALS[ground].hand_stands and not must_bet


def pays_envy(hand: str, rules: Rules) -> bool:
    """Return whether the hand has a line in an Envy table that goes with the progressive in
    force."""
    envy = rules.book.envy
    if envy is None:
        return False
    table_id = rules.chosen[getattr(rules.book.wagers[envy.on].settles, "paytable", "")]
    tables = [rules.book.paytables[family].get(table_id) for family in envy.tables.values()]
    return any(line.hand == hand for table in tables if table is not None for line in table.lines)


def _void_lines(state: Round, seat: SeatInRound) -> tuple[LineRecord, ...]:
    """Return the lines of the wagers that come back because they are void."""
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
    """Return the line of a wager that the player took back: the chips are gone from the table, so
    nothing else can happen to them."""
    return LineRecord(name, cents, "push", 0, seat.taken_back[name], Reason("taken_back"))


def dealer_outcome(state: Round, cards: tuple[Card, ...], rules: Rules) -> tuple[str, bool, str]:
    """Return the dealer's announced hand, whether it qualifies, and its value as the journal writes
    it."""
    turned = replace(state, dealer=cards, seats=())
    check_known(turned, rules)
    return dealer_shows(completed(turned, rules), rules)


def settle_next(
    state: Round, rules: Rules, meters: Mapping[str, int], *, every: bool = False, down_to: int = 0
) -> tuple[RoundEvent, ...]:
    """Settle the next seat counterclockwise, the seats down to one, or all until one has to wait;
    after the last seat, pay the Envy Bonus."""
    waiting = [seat for seat in state.seats if not seat.settled]
    if down_to and all(seat.number != down_to for seat in waiting):
        raise Refusal(
            f"no wager of seat {shown(down_to)} waits to be settled",
            code="nothing_there",
            clause=rules.book.procedure.settles,
        )
    check_known(state, rules, down_to)
    ending = _SettlingRound(state, rules)
    events: list[RoundEvent] = []
    while waiting:
        settled, claim = ending.settle(waiting.pop(), meters)
        events.append(settled)
        if claim is not None:
            return (*events, ProgressiveWon(claim))
        if not every and settled.seat <= (down_to or settled.seat):
            break
    return tuple(events) if waiting else (*events, *ending.envy(state))


class _SettlingRound:
    """A round at its settlement. Void hands and wagers are excluded: they bring nobody a bonus and
    come back."""

    def __init__(self, state: Round, rules: Rules) -> None:
        self._state, self._rules = state, rules
        # The stakes were checked command by command. Only the questions that a player who left did
        # not answer still have to be resolved.
        live, stakes = [], []
        for seat in state.seats:
            mine = live_stakes(state, seat)
            if mine:
                live.append(seat)
                stakes.append(mine)
        self._places = {seat.number: place for place, seat in enumerate(live)}
        counts = rules.book.cards
        board_is_out = len(state.community) == counts.community
        self._announced = (
            {seat.number for seat in live if len(seat.cards) == counts.player}
            if board_is_out
            else set()
        )
        """Seats whose hands can be named: the board is complete and the hand was not mucked."""
        played = completed(state, rules, live)
        for place, seat in enumerate(live):
            if seat.left:
                said = played.seats[place].actions
                stakes[place].folded = not state.void and "fold" in said
        # A void hand is not compared, but it still counts as dealt (MA-28).
        dealt = len(state.seats)
        self._settling = Settling(played, rules, stakes, dealt) if live else None

    def settle(
        self, seat: SeatInRound, meters: Mapping[str, int]
    ) -> tuple[SeatSettled, Claim | None]:
        """Return the seat's lines, including a coupon's, and a progressive claim if there is
        one."""
        settled, claim = self._settle(seat, meters)
        if self._state.source == "live":
            settled = replace(settled, lines=_with_doubts(self._state, seat, settled, self._rules))
        if seat.coupon:
            line = coupon_line(seat, settled.lines, self._rules)
            if line is not None:
                settled = replace(settled, lines=(*settled.lines, line))
        return settled, claim

    def _settle(
        self, seat: SeatInRound, meters: Mapping[str, int]
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
        self, place: int, number: int, meters: Mapping[str, int]
    ) -> tuple[list[LineRecord], Claim | None]:
        """Return the lines, with a progressive that waits for a floorperson as a claim instead."""
        assert self._settling is not None
        progressive = flow_of(self._rules).progressive
        lines, claim = [], None
        # The award is read from the meter at its validation, so the readings do not change here.
        for line in self._settling.lines(place, {**self._rules.resets, **meters}):
            is_won = line.wager == progressive and line.result == "win"
            if is_won and _needs_floor(line, self._rules):
                claim = _claim(number, line, self._settling.pays(place, line.wager))
            else:
                lines.append(line)
        return lines, claim

    def envy(self, state: Round) -> tuple[RoundEvent, ...]:
        """Return the event that pays the Envy Bonuses. An abandoned hand and one that a floorperson
        did not let stand bring none."""
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
    """Return the lines, marked where the hand was too weak for the answer: a live table takes a bet
    before the cards are known."""
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
    """Return whether a floorperson must validate the win: by a clause of the document, or because a
    meter pays."""
    return bool(rules.book.wagers[line.wager].validated_clause or line.from_meter)


def _claim(number: int, line: LineRecord, pays: Pays | None) -> Claim:
    claim = Claim(number, line.stake, line.pays, line.clause, line.reason)
    if isinstance(pays, MeterShare):
        return replace(claim, meter=pays.meter, percent=pays.percent)
    return replace(claim, cents=line.net + line.stake)


def pay_progressive(
    state: Round, rules: Rules, meters: Mapping[str, int], by: str
) -> tuple[RoundEvent, ...]:
    """Return the events of paying the award, read from the meter at the winner's turn."""
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
    """Return the events of denying a progressive. Older journals name no ground: there the wager is
    lost, and the hand brings nobody an Envy Bonus."""
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
