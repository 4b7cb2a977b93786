"""A table as one person may see it. Every byte about a table that leaves the server is made here,
from `rounds.views.view`; no card comes from anywhere else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.cards import DECK
from croupier.ledger.records.table_entries import public
from croupier.money import format_cents
from croupier.rounds import events as round_events
from croupier.rounds.actions import (
    dealer_actions,
    floor_actions,
)
from croupier.rounds.explaining import Holdings, sentence, sentences_after_story, story
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import Claim, LineRecord, SeatInRound
from croupier.rounds.views import (
    RoundView,
    SeatView,
    Viewer,
    lying_at,
    own_seats,
    public_view,
    seen_by,
    view,
    winning_cards,
)
from croupier.rulebooks.duties import duties_of
from croupier.rulebooks.rules import Rules
from croupier.runtime.dealer import PaceName
from croupier.tables.events import TableEvent
from croupier.tables.sentences import describe_event
from croupier.tables.state import Table, extensions, rules_of
from croupier.tables.step_duties import players_part
from croupier.web.accounts.roles import PersonRole
from croupier.web.accounts.trial import is_rehearsal
from croupier.web.server.memo import Memo
from croupier.web.tables.choices import actions_of, free_boxes, spots_of
from croupier.web.tables.encoded_views import EMPTY, EncodedView, PersonalView, to_json
from croupier.web.tables.forms import (
    ActionForm,
    ClaimForm,
    ClockForm,
    HappenedForm,
    LineForm,
    MeForm,
    RoundForm,
    SeatForm,
    SeatInRoundForm,
    TableForm,
)
from croupier.web.tables.outsiders import seat_label, sits_at, veiled, veiled_event

_CARDS: Final = tuple(str(card) for card in DECK)
MOST_KEPT: Final = 100


class Onlooker(msgspec.Struct, frozen=True):
    """A person who looks at a table, and their role."""

    role: PersonRole | None = None
    name: str = ""
    after_the_round: bool = False
    """Show every card of a finished round, folded hands included: for the floor, the operator,
    auditors and surveillance."""
    private: bool = False
    """True for strangers and players in a house with money: others' names and chips are shown to
    them only at a table where they sit themselves."""

    def is_kept_out(self, table: Table) -> bool:
        """Return whether this person sees only seats at the table, and no people."""
        return self.private and not sits_at(table, self.name)

    @property
    def viewer(self) -> Viewer:
        """The viewer of the cards that this person is. Staff see face-up cards. An auditor reads
        finished rounds, not others' cards."""
        if self.after_the_round:
            return Viewer("surveillance")
        if self.role is None or self.role == "player":
            return Viewer("player", self.name)
        return Viewer("dealer" if self.role == "dealer" else "floorperson")

    @property
    def plays(self) -> bool:
        return self.role == "player"


NOBODY: Final = Onlooker()
_NO_ROUND: Final = RoundForm(0, "", "", 0, "", (), (), (), "", None, (), None, False)


def table_form(
    table: Table,
    who: Onlooker,
    *,
    meters: Mapping[str, int],
    ready: Collection[int] = (),
    clock: ClockForm | None = None,
    dealt_by: str = "software",
) -> TableForm:
    return Shown(table, meters, ready, clock, dealt_by).to(who)


class Shown:
    """A table about to be shown to several people. What everyone sees is computed and encoded once;
    `kept` holds parts that did not change since the table was last shown."""

    def __init__(
        self,
        table: Table,
        meters: Mapping[str, int],
        ready: Collection[int] = (),
        clock: ClockForm | None = None,
        dealt_by: str = "software",
        away: Collection[str] = (),
        pace: PaceName = "casino",
        kept: KeptViews | None = None,
    ) -> None:
        self.table, self.away, self.pace = table, away, pace
        self._ready, self._clock, self._dealt_by = ready, clock, dealt_by
        self._cents = meters
        self._rules = rules_of(table)
        self._kept = KeptViews() if kept is None else kept
        self._public: RoundView | None = None
        self._encoded: EncodedView | None = None
        self._places: _Places | None = None
        self._anonymous: Shown | None = None

    def _for(self, who: Onlooker) -> Shown:
        """Return this view or, for someone who is kept out, the same without its people."""
        if not who.is_kept_out(self.table):
            return self
        if self._anonymous is None:
            table = self.table
            away = [seat_label(n) for n, name in table.seats.items() if name in self.away]
            more = self._ready, self._clock, self._dealt_by, away, self.pace
            self._anonymous = Shown(veiled(table), self._cents, *more, self._kept.anonymous)
        return self._anonymous

    # -- as a form, for one person ------------------------------------------------------------

    def to(self, who: Onlooker) -> TableForm:
        if (seen := self._for(who)) is not self:
            may = (
                tuple(actions_of(self.table, self._rules, who.name, self._ready))
                if who.plays
                else ()
            )
            return replace(seen.to(NOBODY), me=_me(self.table, who), actions=may)
        table, rules, state = self.table, self._rules, self.table.round
        seen_round = seen_by(who.viewer, self._public_view(), state, rules)
        if who.after_the_round:
            seen_round = view(state, who.viewer, rules)
        seats = tuple(
            [
                self._seat_form(place, seat, seen_round)
                for place, seat in enumerate(seen_round.seats)
            ]
        )
        numbers = range(1, rules.book.positions.most + 1)
        return replace(
            self._form(),
            me=_me(table, who),
            seats=tuple([_seat(table, number, self._ready, self.away) for number in numbers]),
            round=replace(self._round_form(seen_round), seats=tuple(seats)),
            actions=self._choices(who),
            dealer_actions=self._dealer_actions(who),
            floor_actions=self._floor_actions(who),
        )

    def _form(self) -> TableForm:
        """Return the table without its seats, its round, and what depends on the onlooker."""
        table, rules = self.table, self._rules
        return TableForm(
            id=table.id,
            version=table.version,
            rulebook=table.rulebook,
            title=rules.book.title,
            jurisdiction=rules.book.jurisdiction,
            is_open=table.is_open,
            source=table.source,
            dealt_by=self._dealt_by,
            me=None,
            seats=(),
            meters=money_forms(self._cents),
            round=_NO_ROUND,
            actions=(),
            dealer_actions=(),
            floor_actions=(),
            clock=self._clock,
            rehearsal=is_rehearsal(table.id),
            pace=self.pace,
            part=_part(table, rules),
        )

    def _public_view(self) -> RoundView:
        if self._public is None:
            self._public = public_view(self.table.round, self._rules)
        return self._public

    def _round_form(self, seen: RoundView) -> RoundForm:
        """Return the round without its seats."""
        return RoundForm(
            number=seen.number,
            phase=seen.phase,
            decision=_decision_name(self.table, self._rules),
            turn=seen.turn,
            commitment=seen.commitment,
            seats=(),
            community=_cards(seen.community),
            dealer=_cards(seen.dealer),
            dealer_hand=seen.dealer_hand,
            qualifies=seen.qualifies,
            box=_cards(seen.box),
            claim=None if seen.claim is None else _claim(seen.claim),
            void=seen.void,
            salt=seen.salt,
            order=tuple([_CARDS[card] for card in seen.deck]),
            set_aside=tuple([_CARDS[card] for card in seen.set_aside]),
            added=seen.added,
            odds=seen.odds,
        )

    def _seat_form(self, place: int, seat: SeatView, seen: RoundView) -> SeatInRoundForm:
        won = winning_cards(seat, seen, self._rules) if seat.lines else ()
        winning = tuple([_CARDS[card] for card in won])
        return _seat_in_round(seat, self._paid_to(place, seat), self._ready, winning)

    def _paid_to(self, place: int, seat: SeatView) -> _Paid:
        """Return the wagers and results of a seat, in words for someone who may know more of its
        hands than a stranger. The words are cached until the seat changes."""
        state, key = self.table.round, (place, bool(seat.holds))
        follows_from = state.seats[place], seat.holds, state.dealer_holds
        known = self._kept.paid.get(key)
        if known is None or known[0] != follows_from:
            hands = Holdings(seat.holds, state.dealer_holds)
            paid = _Paid.of(state.seats[place], self._rules, hands)
            known = self._kept.paid[key] = follows_from, paid
        return known[1]

    def _choices(self, who: Onlooker) -> tuple[ActionForm, ...]:
        if not who.plays:
            return ()
        return tuple(actions_of(self.table, self._rules, who.name, self._ready))

    def _dealer_actions(self, who: Onlooker) -> tuple[str, ...]:
        return dealer_actions(self.table.round, self._rules) if who.role == "dealer" else ()

    def _floor_actions(self, who: Onlooker) -> tuple[str, ...]:
        is_staff = who.role in ("floorperson", "operator")
        return floor_actions(self.table.round, self._rules) if is_staff else ()

    # -- encoded, for the whole audience ------------------------------------------------------

    def view_of(self, who: Onlooker) -> PersonalView:
        """Return `to(who)` as JSON: the common part, encoded once, and this person's own parts (who
        they are, the seats they play, and what they may do)."""
        shown = self._for(who)
        common = shown.encoded()
        if not who.plays:
            does, may = self._dealer_actions(who), self._floor_actions(who)
            return PersonalView(common, common.hands, actions=(EMPTY, to_json(does), to_json(may)))
        if self._places is None:
            self._places = _Places(self.table, self._rules)
        own = self._places.of(who.name)
        hands = self._hands_with_own(who, own, common.hands) if shown is self else common.hands
        return PersonalView(
            common,
            hands,
            self._kept.me(self.table, who, own),
            (self._own_actions(who, own, self._places.extensions), EMPTY, EMPTY),
        )

    def _own_actions(self, who: Onlooker, own: _Own, more_time: int) -> bytes:
        return self._kept.actions(self.table, self._rules, who.name, self._ready, own, more_time)

    def encoded(self) -> EncodedView:
        """Return the table as a stranger sees it."""
        if self._encoded is None:
            seen = self._public_view()
            numbers = range(1, self._rules.book.positions.most + 1)
            self._encoded = EncodedView(
                self._form(),
                self._round_form(seen),
                tuple([self._kept.seat(self.table, n, self._ready, self.away) for n in numbers]),
                tuple([self._hand(place, seat, seen) for place, seat in enumerate(seen.seats)]),
            )
        return self._encoded

    def _hand(self, place: int, seat: SeatView, seen: RoundView, *, is_own: bool = False) -> bytes:
        """Return a seat of the round as JSON, cached until it looks different."""
        lying = (seen.community, seen.dealer, seen.box) if seat.lines else None
        follows_from = seat, self._paid_to(place, seat), seat.number in self._ready, lying
        known = self._kept.hands.get((place, is_own))
        if known is None or known[0] != follows_from:
            text = to_json(self._seat_form(place, seat, seen))
            known = self._kept.hands[place, is_own] = follows_from, text
        return known[1]

    def _hands_with_own(
        self, who: Onlooker, own: _Own, strangers: tuple[bytes, ...]
    ) -> tuple[bytes, ...]:
        """Return the hands with the player's own replaced; other seats look the same to
        everyone."""
        if not own.places:
            return strangers
        seen, hands = self._public_view(), list(strangers)
        for place, seat in own_seats(self.table.round, who.viewer, self._rules).items():
            if seat != seen.seats[place]:
                hands[place] = self._hand(place, seat, seen, is_own=True)
        return tuple(hands)


class _Own(NamedTuple):
    """Where a player is at a table."""

    rack: int
    seats: tuple[int, ...]
    places: tuple[int, ...]
    """Indexes of their seats in the round."""
    hands: tuple[SeatInRound, ...]
    spots: tuple[int, ...]
    """Seats and boxes where they may play now."""
    with_others: bool


class _Places:
    """Who sits and plays where, looked up once for the whole audience."""

    def __init__(self, table: Table, rules: Rules) -> None:
        state = self._state = table.round
        self._table = table
        self._boxes = free_boxes(table, rules)
        self._seats, self._places = (
            defaultdict[str, list[int]](list),
            defaultdict[str, list[int]](list),
        )
        for number, name in table.seats.items():
            self._seats[name].append(number)
        for place, seat in enumerate(state.seats):
            self._places[seat.player].append(place)
        playing = [seat.player for seat in state.seats if not seat.left]
        self._here = {*table.seats.values(), *(playing if state.phase != "over" else ())}
        self.extensions = extensions(table)

    def of(self, name: str) -> _Own:
        seats, places = tuple(self._seats.get(name, ())), tuple(self._places.get(name, ()))
        hands = tuple([self._state.seats[place] for place in places])
        in_round = [seat.number for seat in hands]
        spots = spots_of(self._state.phase, seats, in_round, self._boxes)
        with_others = len(self._here) > (name in self._here)
        return _Own(self._table.rack(name), seats, places, hands, tuple(spots), with_others)


class KeptViews:
    """The encoded parts of a table's views, cached while the state behind them is the same."""

    def __init__(self) -> None:
        self.paid: dict[tuple[int, bool], tuple[tuple[Any, ...], _Paid]] = {}
        """By index in the round, and whether its hands may be named."""
        self.hands: dict[tuple[int, bool], tuple[tuple[Any, ...], bytes]] = {}
        """By index in the round, and whether it is the view of the seat's own player."""
        self._seats: dict[int, tuple[tuple[Any, ...], bytes]] = {}
        self._actions: Memo[str, tuple[tuple[Any, ...], bytes]] = Memo(MOST_KEPT)
        self._me: Memo[str, tuple[tuple[Any, ...], bytes]] = Memo(MOST_KEPT)
        self._anonymous: KeptViews | None = None

    @property
    def anonymous(self) -> KeptViews:
        """The cache for the same table without its people."""
        if self._anonymous is None:
            self._anonymous = KeptViews()
        return self._anonymous

    def seat(
        self, table: Table, number: int, ready: Collection[int], away: Collection[str]
    ) -> bytes:
        player = table.seats.get(number)
        sits_out = number in ready and table.round.seat(number) is None
        key = player, table.rack(player) if player else 0, sits_out, player in away
        known = self._seats.get(number)
        if known is None or known[0] != key:
            known = self._seats[number] = key, to_json(_seat(table, number, ready, away))
        return known[1]

    def me(self, table: Table, who: Onlooker, own: _Own) -> bytes:
        key = own.rack, own.seats, table.round.phase == "over" or [s.number for s in own.hands]
        known = self._me.get(who.name)
        if known is None or known[0] != key:
            known = self._me[who.name] = key, to_json(_me(table, who))
        return known[1]

    def actions(
        self,
        table: Table,
        rules: Rules,
        name: str,
        ready: Collection[int],
        own: _Own,
        more_time: int,
    ) -> bytes:
        """Return what a player may do, cached: one person's bet leaves the others' choices
        unchanged."""
        state = table.round
        in_round = [seat.number for seat in own.hands]
        step = state.step if state.turn in in_round else None
        is_ready = [number in ready for number in (*own.seats, *in_round)]
        key = (
            *(own, state.phase, step, table.is_open, is_ready, more_time),
            *(table.care, table.face_up_for),
        )
        known = self._actions.get(name)
        if known is None or known[0] != key:
            known = self._actions[name] = key, to_json(actions_of(table, rules, name, ready))
        return known[1]


class _Paid(NamedTuple):
    """A seat's wagers, its results, and the reasons, as far as the hands may be known."""

    wagers: dict[str, str]
    net: str | None
    lines: tuple[LineForm, ...]
    hands: Holdings
    story: str

    @staticmethod
    def of(seat: SeatInRound, rules: Rules, hands: Holdings) -> _Paid:
        lines, folded = seat.lines, seat.folded
        shorter = sentences_after_story(lines, rules, hands, folded=folded)
        return _Paid(
            money_forms(lying_at(seat)),
            format_cents(sum([line.net for line in lines])) if lines else None,
            tuple(
                [
                    _line(line, rules, hands, short)
                    for line, short in zip(lines, shorter, strict=True)
                ]
            ),
            hands,
            story(lines, rules, hands, folded=folded) if lines else "",
        )


def money_forms(amounts: Mapping[str, int]) -> dict[str, str]:
    return {name: format_cents(cents) for name, cents in amounts.items()}


def _me(table: Table, who: Onlooker) -> MeForm | None:
    if not who.plays:
        return None
    mine = {number for number, player in table.seats.items() if player == who.name}
    if table.round.phase != "over":
        mine |= {seat.number for seat in table.round.seats if seat.player == who.name}
    return MeForm(who.name, format_cents(table.rack(who.name)), tuple(sorted(mine)))


def _seat(table: Table, number: int, ready: Collection[int], away: Collection[str]) -> SeatForm:
    player = table.seats.get(number)
    is_veiled = player == seat_label(number)
    rack = "" if is_veiled else format_cents(table.rack(player)) if player else "0.00"
    sits_out = number in ready and table.round.seat(number) is None
    return SeatForm(number, player, rack, sits_out, player in away)


def _decision_name(table: Table, rules: Rules) -> str:
    if table.round.phase != "deciding":
        return ""
    step = flow_of(rules).steps[table.round.step]
    assert isinstance(step, Ask)
    return step.decision.name


_Key: TypeAlias = tuple[str, str, str, str, str, int]
_PARTS: Final[Memo[_Key, tuple[int, ...]]] = Memo(4096)


def _part(table: Table, rules: Rules) -> tuple[int, ...]:
    """Return the players' duties now. During a round they depend only on the step and are memoized;
    between rounds they depend on the decks, too."""
    state = table.round
    if state.phase == "over":
        return _part_now(table, rules)
    terms = (table.rulebook, table.rulebook_text, table.submission)
    key = (*terms, table.source, state.phase, state.step)
    part = _PARTS.get(key)
    if part is None:
        part = _PARTS[key] = _part_now(table, rules)
    return part


def _part_now(table: Table, rules: Rules) -> tuple[int, ...]:
    now, every = players_part(table, rules), duties_of(rules, role="player")
    return tuple([place for place, duty in enumerate(every) if duty in now])


def _cards(places: tuple[int | None, ...]) -> tuple[str | None, ...]:
    return tuple([None if card is None else _CARDS[card] for card in places])


def _claim(claim: Claim) -> ClaimForm:
    return ClaimForm(claim.seat, claim.hand, claim.pays, claim.clause, claim.meter)


def _seat_in_round(
    seat: SeatView, paid: _Paid, ready: Collection[int], winning: tuple[str, ...]
) -> SeatInRoundForm:
    return SeatInRoundForm(
        number=seat.number,
        player=seat.player,
        wagers=paid.wagers,
        actions=seat.actions,
        cards=_cards(seat.cards),
        folded=seat.folded,
        left=seat.left,
        ready=seat.number in ready,
        hand=seat.hand,
        net=paid.net,
        lines=paid.lines,
        coupon=format_cents(seat.coupon) if seat.coupon else "",
        story=paid.story,
        winning=winning,
    )


def _line(line: LineRecord, rules: Rules, hands: Holdings, short: str) -> LineForm:
    return LineForm(
        wager=line.wager,
        stake=format_cents(line.stake),
        result=line.result,
        net=format_cents(line.net),
        clause=line.clause,
        pays=line.pays,
        words=sentence(line, rules, hands),
        short=short,
    )


def happened(event: TableEvent, after: Table, *, veil: bool = False) -> HappenedForm | None:
    """Return the event in words, or None if only the books need it. `veil`: for people who do not
    sit at a table of a house with money."""
    if veil:
        seen = veiled_event(event)
        if seen is None:
            return None
        event, after = seen, veiled(after)
    words = describe_event(public(event, after), after)
    if not words:
        return None
    if isinstance(event, round_events.CardsCollected):
        words = ["the cards are collected"]
    tag = str(type(event).__struct_config__.tag)
    seat = getattr(event, "seat", None) or None
    if isinstance(event, round_events.ProgressiveWon):
        seat = event.claim.seat
    return HappenedForm(after.version, tag, tuple(words), seat)
