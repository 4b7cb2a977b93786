"""A table that is opened and driven from Python, in memory or in a journal.

People sit, bet and answer; the dealer and the floorperson are software and go on by themselves
until a person is asked. Whoever wants to give every command himself uses `do`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, Literal, Protocol, get_args

from croupier.cards import Card, cards_in, format_cards
from croupier.errors import BadRequest, CroupierError, Refusal, plain, shown, suggest
from croupier.ledger.journal import Journal
from croupier.ledger.past_rounds import face_down, round_moments
from croupier.library.figures import ActionValues, valued
from croupier.library.rulebook import AnyRulebook, AnySubmission, Rulebook, load_rulebook, recalled
from croupier.library.settling import SettledRound, settled_so_far
from croupier.library.views import LegalAction, SeatView, TableView
from croupier.mathematics.questions.advice.situation import Situation
from croupier.money import parse_cents
from croupier.randomness.shuffling import Seeded, Source, from_system
from croupier.rounds.actions import legal_actions, refused_bets
from croupier.rounds.commands import Act, CloseBets, OpenBetting, PlaceWagers
from croupier.rounds.declaration import ROLES, SOFTWARE, Actor
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import Phase, SeatInRound
from croupier.rounds.views import Audience, Viewer, view
from croupier.rulebooks.kept_rules import own_text
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision
from croupier.rulebooks.submission import ProgressiveTerms
from croupier.runtime.automation import Automation, StrategyPlayer
from croupier.runtime.dealer import DEALER
from croupier.runtime.journal_session import Expected, JournalSession
from croupier.runtime.players import TableStrategy, strategy_by_name
from croupier.runtime.session import TableSession
from croupier.runtime.smallest_wagers import smallest_wagers
from croupier.simulation.run_setting import with_progressive
from croupier.tables.command_input import checked_actor, checked_command, command_from_data
from croupier.tables.commands import BuyIn, CashOut, GiveUpSeat, OpenTable, TableCommand, TakeSeat
from croupier.tables.events import TableEvent
from croupier.tables.evolving import evolve, next_entry
from croupier.tables.sentences import describe_event
from croupier.tables.state import Table as State

__all__ = ["Amount", "Table"]

Amount = str | int
"""Dollars: `"7.50"` or 10. Never a float."""

OPERATOR: Final = Actor("operator", SOFTWARE)
INVENTORY: Final = 1_000_000
_SOFTWARE: Final = Automation()


class InJournal(Protocol):
    """What `open_journal` gives."""

    @property
    def ledger(self) -> Journal: ...


class Table:
    """`Table.open("md-uth")` opens one in memory; with `journal` it lives in a journal.

    What the rules do not allow raises a `CroupierError` with `code` and `clause`, and nothing has
    changed.
    """

    def __init__(
        self, session: TableSession | JournalSession, chance: Source = from_system
    ) -> None:
        """`chance` is what players draw from who answer at random."""
        self.session = session
        self._chance = chance
        self._round: list[tuple[State, tuple[TableEvent, ...]]] = []
        self._book: Rulebook | None = None

    @classmethod
    def open(
        cls,
        rulebook: AnyRulebook,
        submission: AnySubmission = None,
        *,
        name: str = "table",
        journal: InJournal | None = None,
        seed: int | str | None = None,
        cards: Literal["virtual", "live"] = "virtual",
        care: bool = True,
        inventory: Amount = INVENTORY,
        link: str = "",
    ) -> Table:
        """Open a table. `seed` repeats the cards of a virtual deck; without it they come from the
        operating system. `journal` is what `open_journal` gives. With `cards="live"` the dealer
        enters them, and `care` has the decks looked after as the document says. Where nothing is
        said about the progressive, each of its meters takes 10% of a stake."""
        book = _stated(load_rulebook(rulebook, submission))
        command = OpenTable(
            name,
            book.id,
            book.submission_json,
            book.text,
            cards,
            parse_cents(inventory),
            link,
            care,
        )
        checked_command(command)
        draw = from_system if seed is None else Seeded(seed)
        chance = from_system if seed is None else Seeded(f"{seed}/players")
        if journal is None:
            return cls(TableSession.opened(command, OPERATOR, draw=draw), chance)
        session = JournalSession(journal.ledger, name, draw=draw)
        session.do(command, OPERATOR)
        return cls(session, chance)

    @classmethod
    def resumed(cls, journal: InJournal, name: str) -> Table:
        """A table of the journal, from where it stands."""
        return cls(JournalSession(journal.ledger, name))

    # -- how it stands ----------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """Everything, face-down cards included: for the house. People get a `view`."""
        return self.session.table

    @property
    def rules(self) -> Rules:
        return self.session.rules

    @property
    def rulebook(self) -> Rulebook:
        if self._book is None:
            state = self.state
            self._book = recalled(
                state.rulebook,
                own_text(state.rulebook, state.rulebook_text),
                state.submission,
            )
        return self._book

    @property
    def name(self) -> str:
        return self.state.id

    @property
    def phase(self) -> Phase:
        """`over` between rounds, then `betting` … `collecting`."""
        return self.state.round.phase

    @property
    def round_number(self) -> int:
        return self.state.round.number

    @property
    def seats(self) -> dict[int, str]:
        return dict(self.state.seats)

    @property
    def asked(self) -> str | None:
        """The player whose answer the table waits for."""
        seat = _asked_seat(self.state)
        return None if seat is None else seat.player

    @property
    def decision(self) -> Decision | None:
        """What he is asked."""
        return _decision(self.state, self.rules)

    @property
    def meters_cents(self) -> dict[str, int]:
        link = self.session.link
        return {} if link is None else link.shown()

    def chips_cents(self, player: str) -> int:
        """What lies in front of a player, without the wagers on the layout."""
        return self.state.rack(player)

    # -- what people do ---------------------------------------------------------------------------

    def sit(self, player: str, seat: int | None = None, *, buy_in: Amount = 0) -> None:
        """Take a seat (the first free one), and chips for so many dollars."""
        state = self.state
        if seat is None:
            free = [n for n in range(1, self.rules.book.positions.most + 1) if n not in state.seats]
            if not free:
                raise Refusal("every seat is taken", code="seat_taken")
            seat = free[0]
        cents = parse_cents(buy_in)
        self._give(TakeSeat(player, seat), Actor("player", player))
        if cents:
            self._give(BuyIn(player, cents), Actor("player", player))

    def buy_in(self, player: str, amount: Amount) -> None:
        self._give(BuyIn(player, parse_cents(amount)), Actor("player", player))

    def cash_out(self, player: str, amount: Amount | None = None) -> None:
        """Take chips off the table: so many dollars, or all of them."""
        cents = None if amount is None else parse_cents(amount)
        self._give(CashOut(player, cents), Actor("player", player))

    def leave(self, player: str) -> None:
        """Give up the seat. The chips stay his until they are cashed out."""
        self._give(GiveUpSeat(player, self._seat_of(player)), Actor("player", player))

    def bet(
        self,
        player: str,
        wagers: Mapping[str, Amount] | None = None,
        /,
        *,
        seat: int | None = None,
        **more: Amount,
    ) -> None:
        """Place wagers, in place of what lies there: `table.bet("ann", ante=10, blind=10)`. Between
        rounds the dealer opens the bets of the next one first; they stay open if the bet is then
        refused."""
        amounts = {**(wagers or {}), **more}
        command = PlaceWagers(
            seat or self._seat_of(player),
            player,
            {wager: _cents(wager, amount) for wager, amount in amounts.items()},
        )
        if self.phase == "over":
            self._give(OpenBetting(), DEALER)
        self._give(command, Actor("player", player))

    def act(self, player: str, action: str, *, seat: int | None = None) -> None:
        """Answer the dealer: `check`, `4x`, `fold`. Then the dealer goes on."""
        where = seat or self._asked_or_own_seat(player)
        self._give(Act(where, player, action), Actor("player", player))
        self._go_on()

    def legal_actions(self, player: str, *, seat: int | None = None) -> tuple[LegalAction, ...]:
        """Everything that the player may do now; whatever else he tries is refused."""
        where = seat or self._asked_or_own_seat(player)
        found = legal_actions(self.state.round, self.rules, where, player)
        return tuple([LegalAction.of(choice) for choice in found])

    def action_values(self) -> ActionValues:
        """The exact value of every answer to what is asked now, from what the asked player sees."""
        state, rules = self.state, self.rules
        seat, decision = _asked_seat(state), _decision(state, rules)
        if seat is None or decision is None:
            raise Refusal("nobody is asked anything now", code="not_now")
        weak = refused_bets(state.round, rules, seat.number)
        allowed = tuple([said for said in decision.answers if said not in weak])
        return valued(rules, _situation(state, seat, decision, rules), allowed)

    # -- what the house does ----------------------------------------------------------------------

    def deal(self) -> None:
        """No more bets; then the dealer goes on until a player is asked or the round is over."""
        if self.phase == "betting":
            self._give(CloseBets(), DEALER)
        self._go_on()

    def play(
        self, strategy: str | TableStrategy = "optimal", wagers: Mapping[str, Amount] | None = None
    ) -> SettledRound:
        """This round to its end by software, or a whole one: whoever has not bet places `wagers`
        (without them the least of everything on offer), buying in where his chips would not last,
        and everybody answers by the strategy: `optimal`, `random`, `first`, a shipped or saved one,
        or an object of your own."""
        rules = self.rules
        if isinstance(strategy, str):
            strategy = strategy_by_name(rules, strategy, self._chance)
        bets = {wager: _cents(wager, amount) for wager, amount in (wagers or {}).items()}
        state = self.state
        names = {*state.seats.values(), *[seat.player for seat in state.round.seats]}
        one = StrategyPlayer(strategy, bets or smallest_wagers(rules))
        self._go_on(Automation(players=dict.fromkeys(sorted(names), one)), at_least_one=True)
        settled = self.settlement
        if settled is None or self.phase != "over":
            raise Refusal("the round waits for something that software cannot do", code="not_now")
        return settled

    def do(
        self,
        command: TableCommand | str,
        *,
        by: str | Actor = "dealer",
        duties: Collection[str] = (),
        **fields: Any,
    ) -> tuple[str, ...]:
        """Give any command: `table.do("void_round", reason="fire alarm", by="floorperson:flo")`.
        Fields are written as the API writes them. `duties`: the clauses of the duties that you
        showed to the person, for the journal. Return what happened, in words."""
        actor = _actor(by)
        given = _command(command, fields, actor) if isinstance(command, str) else command
        if isinstance(given, OpenBetting) and given != OpenBetting():
            raise BadRequest("the deck of a round is for the house to draw: write OpenBetting()")
        if isinstance(self.session, JournalSession):
            shown_to_them = Expected(duties=tuple(duties))
            made = self.session.carry_out(given, actor, expected=shown_to_them).plan
            assert made is not None, "nothing is repeated without a request key"
            sealed = made.table.round.phase != "over"
            events = [face_down(event) if sealed else event for event in made.events]
            return tuple([line for event in events for line in describe_event(event, made.table)])
        before = self.state
        return tuple(_told(before, self._give(given, actor), sealed=self.phase != "over"))

    def _give(self, command: TableCommand, actor: Actor) -> tuple[TableEvent, ...]:
        """What somebody asks for."""
        return self._carry_out(checked_command(command), checked_actor(actor))

    def _carry_out(self, command: TableCommand, actor: Actor) -> tuple[TableEvent, ...]:
        if isinstance(self.session, JournalSession):
            return self.session.do(command, actor)
        before = self.session.table
        events = self.session.do(command, actor)
        if isinstance(events[0], OpenBetting):
            self._round = [(before, events)]
        elif before.round.phase != "over":
            self._round.append((before, events))
        return events

    def _go_on(self, automation: Automation = _SOFTWARE, *, at_least_one: bool = False) -> None:
        """What software does, until it is for people to act or the round is over."""
        while at_least_one or self.phase != "over":
            at_least_one = False
            step = automation.next_command(self.state, self.rules, at=self.session.now())
            if step is None:
                return
            self._carry_out(step[1], step[0])

    # -- what is seen and told --------------------------------------------------------------------

    def view(self, player: str = "", *, role: Audience = "player") -> TableView:
        """The table as this player sees it, or an onlooker, or somebody in another role
        (`dealer`, `floorperson`, `surveillance`)."""
        if role not in get_args(Audience):
            raise suggest("role of a viewer", role, get_args(Audience))
        state, rules = self.state, self.rules
        seat, decision = _asked_seat(state), _decision(state, rules)
        racks = {a.removeprefix("rack:"): c for a, c in state.money.items() if a[:5] == "rack:"}
        seen = view(state.round, Viewer(role, player), rules)
        return TableView(
            table=state.id,
            rulebook=rules.book.id,
            title=rules.book.title,
            viewer=player or role,
            round=seen.number,
            phase=seen.phase,
            asked="" if seat is None else seat.player,
            turn=0 if seat is None else seat.number,
            decision="" if decision is None else decision.name,
            community=seen.community,
            dealer=seen.dealer,
            dealer_hand=seen.dealer_hand,
            box=seen.box,
            seats=tuple([SeatView.of(one) for one in seen.seats]),
            chips_cents=racks,
            meters_cents=self.meters_cents,
            commitment=seen.commitment,
            salt=seen.salt,
            deck=seen.deck,
            added=seen.added,
        )

    @property
    def settlement(self) -> SettledRound | None:
        """The seats of this round that are settled, with the reason of every line; nothing before
        the first."""
        return settled_so_far(self.state.round, self.rules, self.meters_cents)

    def story(self) -> tuple[str, ...]:
        """The round so far in words. While it is played, the cards lie face down here too."""
        played = self.state.round  # looked at once: others may open the next round meanwhile
        sealed = played.phase != "over"
        if isinstance(self.session, TableSession):
            told = [list(_told(before, events, sealed=sealed)) for before, events in self._round]
            return tuple([line for lines in told for line in lines])
        if not played.number:
            return ()
        moments = round_moments(self.session.journal, self.session.name, played.number)
        events = [(face_down(one.event) if sealed else one.event, one.after) for one in moments]
        return tuple([line for event, after in events for line in describe_event(event, after)])

    def __repr__(self) -> str:
        asked = self.asked
        waiting = f"{asked} is asked" if asked else self.phase
        return f"<Table {self.name}: {self.rulebook.id}, round {self.round_number}, {waiting}>"

    def _repr_html_(self) -> str:
        return self.view()._repr_html_()

    def _asked_or_own_seat(self, player: str) -> int:
        """Whoever plays several boxes is asked for one after the other."""
        asked = _asked_seat(self.state)
        is_his = asked is not None and asked.player == player
        return asked.number if asked is not None and is_his else self._seat_of(player)

    def _seat_of(self, player: str) -> int:
        for number, name in self.state.seats.items():
            if name == player:
                return number
        raise Refusal(f"{plain(player)} has no seat at this table", code="not_seated")


def _stated(book: Rulebook) -> Rulebook:
    """A table cannot open before the terms of its progressive are stated."""
    if book.submission.progressive != ProgressiveTerms():
        return book
    return book.choosing(with_progressive(book.submission, book.rules))


def _asked_seat(state: State) -> SeatInRound | None:
    played = state.round
    return played.seat(played.turn) if played.phase == "deciding" else None


def _decision(state: State, rules: Rules) -> Decision | None:
    if state.round.phase != "deciding":
        return None
    step = flow_of(rules).steps[state.round.step]
    assert isinstance(step, Ask)
    return step.decision


def _situation(state: State, seat: SeatInRound, decision: Decision, rules: Rules) -> Situation:
    """What the player sees: asked of the view, so that advice rests on nothing else."""
    seen = view(state.round, Viewer("player", seat.player), rules)
    own = next(one for one in seen.seats if one.number == seat.number)
    cards = tuple([card for card in own.cards if card is not None])
    community = tuple([card for card in seen.community if card is not None])
    dealer = tuple([card for card in seen.dealer if card is not None])
    known: tuple[Card, ...] = ()
    if rules.book.dealer is None:
        others = [card for one in seen.seats if one.number != seat.number for card in one.cards]
        known = tuple([card for card in others if card is not None])
    return Situation(cards, community, known, decision.name, seat.actions, dealer)


def _cents(wager: str, amount: Amount) -> int:
    try:
        return parse_cents(amount)
    except CroupierError as error:
        raise error.within(plain(wager)) from None


def _told(before: State, events: tuple[TableEvent, ...], *, sealed: bool) -> Iterator[str]:
    state: State | None = next_entry(before)
    for event in events:
        state, _ = evolve(state, event)
        yield from describe_event(face_down(event) if sealed else event, state)


def _actor(by: str | Actor) -> Actor:
    if isinstance(by, Actor):
        return by
    if not isinstance(by, str):
        raise BadRequest(f"{shown(by)}: write who acts as ROLE:NAME, as in dealer:dan")
    role, _, name = by.partition(":")
    for known in ROLES:
        if role == known:
            return Actor(known, name or SOFTWARE)
    raise suggest("role", role, ROLES)


def _command(tag: str, fields: Mapping[str, Any], actor: Actor) -> TableCommand:
    given = {"type": tag, **fields}
    cards = given.get("cards", "")
    try:
        if isinstance(cards, str):
            given |= {"cards": [str(card) for card in cards_in(cards)]} if cards else {}
        else:
            given["cards"] = format_cards(cards).split()
        return command_from_data(given, actor)
    except TypeError as error:
        raise BadRequest(f"{tag} cannot be read: {error}") from None
