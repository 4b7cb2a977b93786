"""A table as one person may see it. Every byte about a table that leaves the server is made here,
from `rounds.views.view`; no card comes from anywhere else."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.cards import DECK
from croupier.errors import Refusal
from croupier.ledger.records.table_entries import public
from croupier.money import format_cents
from croupier.rounds import events as round_events
from croupier.rounds.actions import (
    Choice,
    dealer_actions,
    floor_actions,
    legal_actions,
    refused_bets,
)
from croupier.rounds.deciding import standing
from croupier.rounds.explaining import Holdings, sentence, sentences_after_story, story
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import Claim, LineRecord, Round, SeatInRound
from croupier.rounds.views import (
    RoundView,
    SeatView,
    Viewer,
    lying_at,
    turned_up,
    view,
    winning_cards,
)
from croupier.rulebooks.duties import duties_of
from croupier.rulebooks.rules import Rules
from croupier.runtime.dealer import PaceName
from croupier.tables.commands import MoreTime
from croupier.tables.deciding import check_more_time
from croupier.tables.events import TableEvent
from croupier.tables.sentences import describe_event
from croupier.tables.state import Table, extensions, is_waited_for, rules_of
from croupier.tables.step_duties import players_part
from croupier.web.accounts.roles import PersonRole
from croupier.web.accounts.trial import is_rehearsal
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
_encode: Final = msgspec.json.Encoder().encode
MOST_KEPT: Final = 100


class Onlooker(msgspec.Struct, frozen=True):
    """Who looks at a table, and as what."""

    role: PersonRole | None = None
    name: str = ""
    after_the_round: bool = False
    """For the floor, the operator, auditors and surveillance, of a round that is over: every card,
    folded hands too."""
    private: bool = False
    """In a house with money, of a stranger or a player: others' names and chips are shown only at a
    table where they sit themselves."""

    def is_kept_out(self, table: Table) -> bool:
        """Do they see seats only, and no people?"""
        return self.private and not sits_at(table, self.name)

    @property
    def viewer(self) -> Viewer:
        """Staff see what lies face up. An auditor reads finished rounds, not others' cards."""
        if self.after_the_round:
            return Viewer("surveillance")
        if self.role is None or self.role == "player":
            return Viewer("player", self.name)
        return Viewer("dealer" if self.role == "dealer" else "floorperson")

    @property
    def plays(self) -> bool:
        return self.role == "player"


NOBODY: Final = Onlooker()


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
    """A table about to be shown to several people: what is the same for all is made once."""

    def __init__(
        self,
        table: Table,
        meters: Mapping[str, int],
        ready: Collection[int] = (),
        clock: ClockForm | None = None,
        dealt_by: str = "software",
        away: Collection[str] = (),
        pace: PaceName = "casino",
    ) -> None:
        self._pace = pace
        self._table, self._ready, self._clock, self._dealt_by = table, ready, clock, dealt_by
        rules = self._rules = rules_of(table)
        most = rules.book.positions.most
        self._seats = tuple([_seat(table, number, ready, away) for number in range(1, most + 1)])
        self._cents, self._meters = meters, money_forms(meters)
        self._asked = _asked(table, rules)
        self._part = _part(table, rules)
        self._paid = [_Paid.to_all(seat, rules, table.round) for seat in table.round.seats]
        self._written: _Written | None = None
        self._away = away
        self._veiled: Shown | None = None

    def _for(self, who: Onlooker) -> Shown:
        """The table itself, or the same without its people."""
        if not who.is_kept_out(self._table):
            return self
        if self._veiled is None:
            table = self._table
            away = [seat_label(n) for n, name in table.seats.items() if name in self._away]
            told = self._ready, self._clock, self._dealt_by, away, self._pace
            self._veiled = Shown(veiled(table), self._cents, *told)
        return self._veiled

    def to(self, who: Onlooker) -> TableForm:
        if (seen := self._for(who)) is not self:
            may = tuple(_actions(self._table, self._rules, who, self._ready)) if who.plays else ()
            return replace(seen.to(NOBODY), me=_me(self._table, who), actions=may)
        table, rules, role = self._table, self._rules, who.role
        is_staff = role in ("floorperson", "operator")
        return TableForm(
            id=table.id,
            version=table.version,
            rulebook=table.rulebook,
            title=rules.book.title,
            jurisdiction=rules.book.jurisdiction,
            is_open=table.is_open,
            source=table.source,
            dealt_by=self._dealt_by,
            me=_me(table, who),
            seats=self._seats,
            meters=self._meters,
            round=self._round(who),
            actions=tuple(_actions(table, rules, who, self._ready)) if who.plays else (),
            dealer_actions=dealer_actions(table.round, rules) if role == "dealer" else (),
            floor_actions=floor_actions(table.round, rules) if is_staff else (),
            clock=self._clock,
            rehearsal=is_rehearsal(table.id),
            pace=self._pace,
            part=self._part,
        )

    def _round(self, who: Onlooker) -> RoundForm:
        seen = view(self._table.round, who.viewer, self._rules)
        seats = [
            _seat_in_round(seat, self._paid_to(place, seat), self._ready, self._winning(seat, seen))
            for place, seat in enumerate(seen.seats)
        ]
        return RoundForm(
            number=seen.number,
            phase=seen.phase,
            decision=self._asked,
            turn=seen.turn,
            commitment=seen.commitment,
            seats=tuple(seats),
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

    def text(self, who: Onlooker, choices: Choices) -> bytes:
        """`to(who)` as JSON. What everybody sees is written once, as a stranger sees it; of his own
        are only who he is, the seats he plays, and what he may do."""
        written, table, rules = self._for(who).as_written(), self._table, self._rules
        if not who.plays:
            does = dealer_actions(table.round, rules) if who.role == "dealer" else ()
            is_staff = who.role in ("floorperson", "operator")
            may = floor_actions(table.round, rules) if is_staff else ()
            return written.text(b"null", written.seats, b"[]", _encode(does), _encode(may))
        is_here = self._for(who) is self
        seats = self._with_own(who, written.seats) if is_here else written.seats
        actions = choices.of(table, rules, who, self._ready)
        return written.text(_encode(_me(table, who)), seats, actions, b"[]", b"[]")

    def as_written(self) -> _Written:
        if self._written is None:
            self._written = _Written(self.to(NOBODY))
        return self._written

    def _with_own(self, who: Onlooker, strangers: list[bytes]) -> list[bytes]:
        """Other seats look the same to everybody, so his are looked at alone."""
        state = self._table.round
        places = [place for place, seat in enumerate(state.seats) if seat.player == who.name]
        if not places:
            return strangers
        own = replace(state, seats=tuple([state.seats[place] for place in places]))
        seats = list(strangers)
        seen = view(own, who.viewer, self._rules)
        for place, seat in zip(places, seen.seats, strict=True):
            paid, winning = self._paid_to(place, seat), self._winning(seat, seen)
            seats[place] = _encode(_seat_in_round(seat, paid, self._ready, winning))
        return seats

    def _winning(self, seat: SeatView, seen: RoundView) -> tuple[str, ...]:
        won = winning_cards(seat, seen, self._rules) if seat.lines else ()
        return tuple([_CARDS[card] for card in won])

    def _paid_to(self, place: int, seat: SeatView) -> _Paid:
        """What was paid at a seat, to somebody who may know more of its hands than a stranger."""
        paid, state = self._paid[place], self._table.round
        if seat.holds == paid.hands.player:
            return paid
        return _Paid.of(state.seats[place], self._rules, Holdings(seat.holds, state.dealer_holds))


class _Written:
    """The JSON of a table as a stranger sees it, open where people see different things."""

    def __init__(self, form: TableForm) -> None:
        self.seats = [_encode(seat) for seat in form.round.seats]
        whole = _encode(replace(form, round=replace(form.round, seats=())))
        self._start, rest = _cut(whole, b'"me":null')
        self._middle, rest = _cut(rest, b'"seats":[]')
        self._rest, self._end = _cut(rest, b'"actions":[],"dealer_actions":[],"floor_actions":[]')

    def text(
        self, me: bytes, seats: list[bytes], actions: bytes, dealer: bytes, floor: bytes
    ) -> bytes:
        return b'%b"me":%b%b"seats":[%b]%b"actions":%b,"dealer_actions":%b,"floor_actions":%b%b' % (
            *(self._start, me, self._middle, b",".join(seats), self._rest),
            *(actions, dealer, floor, self._end),
        )


def _cut(text: bytes, mark: bytes) -> tuple[bytes, bytes]:
    """No name or sentence can look like the mark: inside a string its quotes are escaped."""
    before, found, after = text.partition(mark)
    assert found, mark
    return before, after


class _Paid(NamedTuple):
    """What lies and what was paid at a seat, and why, as far as the hands may be known."""

    wagers: dict[str, str]
    net: str | None
    lines: tuple[LineForm, ...]
    hands: Holdings
    story: str

    @staticmethod
    def to_all(seat: SeatInRound, rules: Rules, state: Round) -> _Paid:
        """For everybody: a hand that was given up is not named."""
        holds = seat.holds if seat.holds and turned_up(state, seat, rules) else {}
        return _Paid.of(seat, rules, Holdings(holds, state.dealer_holds))

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


class Choices:
    """What the people at one table may do, written, and kept while nothing has changed that it
    follows from: when one bets, the others' choices stay as they are."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[tuple[Any, ...], bytes]] = {}

    def of(self, table: Table, rules: Rules, who: Onlooker, ready: Collection[int]) -> bytes:
        state, name = table.round, who.name
        mine = tuple([seat for seat in state.seats if seat.player == name])
        asked = state.step if any(seat.number == state.turn for seat in mine) else None
        said = [number in ready for number, player in table.seats.items() if player == name]
        said += [seat.number in ready for seat in mine]
        waited_for = is_waited_for(table, name), extensions(table)
        spots = _spots(table, rules, name)
        follows_from = (
            *(state.phase, asked, table.is_open, table.rack(name), spots, said, mine),
            *(waited_for, table.care, table.face_up_for),
        )
        kept = self._kept.get(name)
        if kept is not None and kept[0] == follows_from:
            return kept[1]
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        text = _encode(_actions(table, rules, who, ready))
        self._kept[name] = follows_from, text
        return text


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


def _asked(table: Table, rules: Rules) -> str:
    if table.round.phase != "deciding":
        return ""
    step = flow_of(rules).steps[table.round.step]
    assert isinstance(step, Ask)
    return step.decision.name


_Key: TypeAlias = tuple[str, str, str, str, str, int]
_PARTS: Final[dict[_Key, tuple[int, ...]]] = {}
_MOST_PARTS: Final = 4096


def _part(table: Table, rules: Rules) -> tuple[int, ...]:
    """Memoized in a round, where it depends on the step alone; between rounds on the decks, too."""
    state = table.round
    if state.phase == "over":
        return _part_now(table, rules)
    terms = (table.rulebook, table.rulebook_text, table.submission)
    key = (*terms, table.source, state.phase, state.step)
    part = _PARTS.get(key)
    if part is None:
        if len(_PARTS) >= _MOST_PARTS:
            _PARTS.clear()
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


# -- what the asker may do ------------------------------------------------------------------------


def _actions(table: Table, rules: Rules, who: Onlooker, ready: Collection[int]) -> list[ActionForm]:
    if not table.is_open:
        return []
    actions = []
    rack = table.rack(who.name)
    for number in _spots(table, rules, who.name):
        for choice in legal_actions(table.round, rules, number, who.name):
            if choice.do != "coupon" or not table.by_people_only:  # there the dealer lays it
                actions.append(_action(choice, number, rack))
        held = table.round.seat(number)
        if held is not None and held.player == who.name:
            actions += _refused(table.round, rules, number)
        if (
            table.round.phase == "betting"
            and held is not None
            and held.player == who.name
            and number not in ready
            and standing(held, rules)
        ):
            actions.append(ActionForm("ready", number))
    return actions + _about_time(table, rules, who, ready) + _about_decks(table, rules, who)


def _refused(state: Round, rules: Rules, number: int) -> list[ActionForm]:
    """What cannot be said with this hand, for whoever holds it: others are not to know that."""
    weak = refused_bets(state, rules, number)
    return [ActionForm("cannot_say", number, action=said, why=why) for said, why in weak.items()]


def _about_decks(table: Table, rules: Rules, who: Onlooker) -> list[ActionForm]:
    """A deck spread for the first player to look at, and idle cards that lie face down."""
    care, book = table.care, rules.book.care
    if care is None or book is None or table.round.phase != "over":
        return []
    actions = []
    own = next((number for number, name in table.seats.items() if name == who.name), 0)
    for deck in care.decks if own and not care.idle else ():
        if deck.stage == "spread":
            clause = book.opening["view"].clause
            actions.append(ActionForm("view_deck", own, action=deck.back, clause=clause))
    if care.lies_face_down and not table.face_up_for:
        actions.append(ActionForm("ask_face_up", own, clause=book.idle.clause))
    return actions


def _about_time(
    table: Table, rules: Rules, who: Onlooker, ready: Collection[int]
) -> list[ActionForm]:
    """Where others wait: to sit a round out, and to have more time."""
    state = table.round
    if state.phase not in ("betting", "deciding") or not is_waited_for(table, who.name):
        return []
    actions = []
    own = [number for number, name in table.seats.items() if name == who.name]
    asked = own if state.phase == "betting" else [state.turn]
    for number in asked:
        if state.phase == "betting" and number not in ready and state.seat(number) is None:
            actions.append(ActionForm("sit_out", number))
        try:
            check_more_time(table, MoreTime(who.name, number), rules)
        except Refusal:
            continue
        actions.append(ActionForm("more_time", number))
    return actions


def _spots(table: Table, rules: Rules, player: str) -> list[int]:
    """One's own seat, and while bets are open the free boxes that one may play as well."""
    own = [number for number, name in table.seats.items() if name == player]
    if table.round.phase == "over":
        return []
    in_round = [seat.number for seat in table.round.seats if seat.player == player]
    if not own:
        return in_round if table.round.phase != "betting" else []
    boxes: list[int] = []
    more = rules.options.get("adjacent_boxes")
    if table.round.phase == "betting" and isinstance(more, int) and more > 1:
        taken = {*table.seats, *(seat.number for seat in table.round.seats)}
        boxes = [n for n in range(1, rules.book.positions.most + 1) if n not in taken]
    return sorted({*own, *in_round, *boxes})


def _action(choice: Choice, seat: int, rack: int) -> ActionForm:
    needed = choice.cents if choice.do == "say" else 0
    if choice.do == "place":
        needed = min(choice.stakes) if choice.stakes else choice.least
    return ActionForm(
        do=choice.do,
        seat=seat,
        wager=choice.wager,
        action=choice.action,
        cost=format_cents(choice.cents) if choice.do == "say" else None,
        least=format_cents(choice.least) if choice.do == "place" else None,
        most=None if choice.most is None else format_cents(choice.most),
        stakes=tuple([format_cents(stake) for stake in choice.stakes]),
        clause=choice.clause,
        affordable=needed <= rack,
    )


def happened(event: TableEvent, after: Table, *, veil: bool = False) -> HappenedForm | None:
    """The event in words, or nothing for what only the books need. `veil`: for those who do not sit
    at a table of the house."""
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
    kind = str(type(event).__struct_config__.tag)
    seat = getattr(event, "seat", None) or None
    if isinstance(event, round_events.ProgressiveWon):
        seat = event.claim.seat
    return HappenedForm(after.version, kind, tuple(words), seat)
