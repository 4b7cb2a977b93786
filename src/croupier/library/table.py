"""A table opened and run from Python, in memory or in a journal.

People sit, bet and answer. The dealer and the floorperson are software and continue by themselves
until a person has to act. `do` gives every other command.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from copy import copy
from itertools import groupby
from typing import Any, Final, Literal, Protocol, get_args

from croupier.cards import Card
from croupier.errors import BadRequest, CroupierError, Refusal, plain, shown, suggest
from croupier.ledger.history.past_rounds import face_down, round_moments
from croupier.ledger.journal import Journal, open_journal
from croupier.library.figures import ActionValues, valued
from croupier.library.rounds import written_command
from croupier.library.rulebook import AnyRulebook, AnySubmission, Rulebook, load_rulebook, recalled
from croupier.library.settling import SettledRound, moneys, settled_so_far
from croupier.library.views import LegalAction, TableView, asked_seat, decision_of, table_view
from croupier.mathematics.questions.situation import Situation
from croupier.money import Amount, Money, parse_cents
from croupier.randomness.shuffling import Seeded, Source, from_system
from croupier.rounds.actions import legal_actions, refused_bets
from croupier.rounds.commands import Act, CloseBets, OpenBetting, PlaceWagers
from croupier.rounds.declaration import ROLES, SOFTWARE, Actor
from croupier.rounds.legality import smallest_wagers
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
from croupier.simulation.run_setting import with_progressive
from croupier.tables.command_input import checked_actor, checked_command
from croupier.tables.commands import BuyIn, CashOut, GiveUpSeat, OpenTable, TableCommand, TakeSeat
from croupier.tables.events import TableEvent
from croupier.tables.evolving import evolve, next_entry
from croupier.tables.sentences import describe_event
from croupier.tables.state import Table as State

OPERATOR: Final = Actor("operator", SOFTWARE)
INVENTORY: Final = 1_000_000
_SOFTWARE: Final = Automation()


class InJournal(Protocol):
    """A journal as `croupier.open_journal` returns it."""

    @property
    def ledger(self) -> Journal: ...


class Table:
    """A table with its people, their money and the round in play.

    `Table.open("md-uth")` opens one in memory; with `journal` it is kept in a journal. A command
    that the rules do not allow raises a `CroupierError` with `code` and `clause`, and changes
    nothing.
    """

    def __init__(
        self, session: TableSession | JournalSession, chance: Source = from_system
    ) -> None:
        """`chance` is the source of random bytes for players who answer at random."""
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
        """Open a table.

        The same `seed` deals the same cards; without one they come from the operating system. With
        `cards="live"` the dealer enters the cards, and `care` turns on the care of the decks that
        the document requires. If the submission says nothing about the progressive, each of its
        meters takes 10% of a stake.
        """
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
        """Return a table of the journal in its current state."""
        return cls(JournalSession(journal.ledger, name))

    def copy(self) -> Table:
        """Return an independent table in the same state, to look ahead with.

        The copy is always in memory, even if this table is in a journal. It deals the same cards:
        the deck of the round in play is the same, and after a seed those of the rounds that follow.
        """
        if isinstance(self.session, TableSession):
            session = self.session.copy()
        else:
            session = TableSession(self.session.table, self.session.link)
        table = Table(session, copy(self._chance))
        table._round = [*self._played_so_far()]
        return table

    def __copy__(self) -> Table:
        return self.copy()

    def __deepcopy__(self, _: object) -> Table:
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., Table], tuple[object, ...]]:
        """Pickle a table in memory whole; pickle only the location of one in a journal."""
        if isinstance(self.session, JournalSession):
            return _table_of_journal, (self.session.journal.name, self.name)
        return _table_in_memory, (self.session, self._chance, self._round)

    # -- the state --------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The whole state for the house, face-down cards included. People get a `view`."""
        return self.session.table

    @property
    def rules(self) -> Rules:
        """The rules in force, as the engine reads them."""
        return self.session.rules

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook with the operator's choices in force."""
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
        """The name of the table."""
        return self.state.id

    @property
    def phase(self) -> Phase:
        """`over` between rounds, then `betting` to `collecting`."""
        return self.state.round.phase

    @property
    def round_number(self) -> int:
        """The number of the round in play, or of the last one; 0 before the first."""
        return self.state.round.number

    @property
    def seats(self) -> dict[int, str]:
        """The players by the number of their seat."""
        return dict(self.state.seats)

    @property
    def to_act(self) -> str | None:
        """The player whose answer the table waits for; None if there is none."""
        seat = asked_seat(self.state.round)
        return None if seat is None else seat.player

    @property
    def decision(self) -> Decision | None:
        """The decision that this player has to answer; None if there is none."""
        return decision_of(self.state.round, self.rules)

    @property
    def meters(self) -> dict[str, Money]:
        """The reading of each progressive meter."""
        link = self.session.link
        return {} if link is None else moneys(link.shown())

    def chips(self, player: str) -> Money:
        """Return the chips in front of a player, without the wagers on the layout."""
        return Money.of_cents(self.state.rack(player))

    # -- what people do ---------------------------------------------------------------------------

    def sit(self, player: str, seat: int | None = None, *, buy_in: Amount = 0) -> None:
        """Take a seat, by default the first free one, and buy chips."""
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
        """Buy chips."""
        self._give(BuyIn(player, parse_cents(amount)), Actor("player", player))

    def cash_out(self, player: str, amount: Amount | None = None) -> None:
        """Take chips off the table: all of them, or this amount."""
        cents = None if amount is None else parse_cents(amount)
        self._give(CashOut(player, cents), Actor("player", player))

    def leave(self, player: str) -> None:
        """Give up the seat. The player keeps the chips until they cash them out."""
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
        """Place wagers, in place of those already there: `table.bet("ann", ante=10, blind=10)`.

        Between rounds the dealer first opens the bets of the next one. They stay open if the bet is
        then refused.
        """
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
        """Answer the dealer: `check`, `4x`, `fold`. Then the dealer continues."""
        where = seat or self._asked_or_own_seat(player)
        self._give(Act(where, player, action), Actor("player", player))
        self._go_on()

    def legal_actions(self, player: str, *, seat: int | None = None) -> tuple[LegalAction, ...]:
        """Return everything that the player may do now; anything else is refused."""
        where = seat or self._asked_or_own_seat(player)
        choices = legal_actions(self.state.round, self.rules, where, player)
        return tuple([LegalAction.of(choice) for choice in choices])

    def action_values(self) -> ActionValues:
        """Return the exact value of each answer, from what the player to act sees."""
        state, rules = self.state, self.rules
        seat, decision = asked_seat(state.round), decision_of(state.round, rules)
        if seat is None or decision is None:
            raise Refusal("nobody is asked anything now", code="not_now")
        weak = refused_bets(state.round, rules, seat.number)
        allowed = tuple([answer for answer in decision.answers if answer not in weak])
        return valued(rules, _situation(state, seat, decision, rules), allowed)

    # -- the house --------------------------------------------------------------------------------

    def deal(self) -> None:
        """Close the bets. The dealer continues until a player has to act or the round is over."""
        if self.phase == "betting":
            self._give(CloseBets(), DEALER)
        self._go_on()

    def play(
        self, strategy: str | TableStrategy = "optimal", wagers: Mapping[str, Amount] | None = None
    ) -> SettledRound:
        """Have software play this round to its end, or a whole one.

        Players who have not bet place `wagers`, or the minimum of every wager on offer, and buy in
        if their chips would not last. All answer by the strategy: `optimal`, `random`, `first`, a
        shipped or saved one by its name, or an object of your own with `action(seen)`.
        """
        rules = self.rules
        if isinstance(strategy, str):
            strategy = strategy_by_name(rules, strategy, self._chance)
        bets = {wager: _cents(wager, amount) for wager, amount in (wagers or {}).items()}
        state = self.state
        names = {*state.seats.values(), *[seat.player for seat in state.round.seats]}
        player = StrategyPlayer(strategy, bets or smallest_wagers(rules))
        self._go_on(Automation(players=dict.fromkeys(sorted(names), player)), at_least_one=True)
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
        """Give any command and return the events in words.

        `table.do("void_round", reason="fire alarm", by="floorperson:flo")`: fields are written as
        the API writes them. `duties` are the clauses of the duties that you showed to this person,
        for the journal.
        """
        actor = _actor(by)
        if isinstance(command, str):
            command = written_command(command, fields, actor)
        if isinstance(command, OpenBetting) and command != OpenBetting():
            raise BadRequest("the deck of a round is for the house to draw: write OpenBetting()")
        if isinstance(self.session, JournalSession):
            shown_to_them = Expected(duties=tuple(duties))
            made = self.session.carry_out(command, actor, expected=shown_to_them).plan
            assert made is not None, "nothing is repeated without a request key"
            sealed = made.table.round.phase != "over"
            events = [face_down(event) if sealed else event for event in made.events]
            return tuple([line for event in events for line in describe_event(event, made.table)])
        before = self.state
        results = self._give(command, actor)
        return tuple(_in_words(before, results, sealed=self.phase != "over"))

    def _give(self, command: TableCommand, actor: Actor) -> tuple[TableEvent, ...]:
        """Carry out a command from outside, after checking its types."""
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
        """Have software act until a person has to act or the round is over."""
        while at_least_one or self.phase != "over":
            at_least_one = False
            step = automation.next_command(self.state, self.rules, at=self.session.now())
            if step is None:
                return
            self._carry_out(step[1], step[0])

    # -- views and stories ------------------------------------------------------------------------

    def view(self, player: str = "", *, role: Audience = "player") -> TableView:
        """Return the table as this player sees it; without a name, as an onlooker sees it. `role`
        is that of the viewer, such as `dealer`, `floorperson` or `surveillance`."""
        if role not in get_args(Audience):
            raise suggest("role of a viewer", role, get_args(Audience))
        state, rules = self.state, self.rules
        racks = {
            account.removeprefix("rack:"): Money.of_cents(cents)
            for account, cents in state.money.items()
            if account.startswith("rack:")
        }
        viewer = Viewer(role, player)
        return table_view(state.round, viewer, rules, state.id, racks, self.meters)

    @property
    def settlement(self) -> SettledRound | None:
        """The seats of this round that are settled so far; None before the first."""
        return settled_so_far(self.state.round, self.rules, self.meters)

    def story(self) -> tuple[str, ...]:
        """Return the round so far in words. Cards stay face down until it is over."""
        played = self.state.round  # read once: others may open the next round meanwhile
        sealed = played.phase != "over"
        if isinstance(self.session, TableSession):
            return tuple(
                [
                    line
                    for before, events in self._round
                    for line in _in_words(before, events, sealed=sealed)
                ]
            )
        if not played.number:
            return ()
        moments = round_moments(self.session.journal, self.session.name, played.number)
        return tuple(
            [
                line
                for moment in moments
                for line in describe_event(
                    face_down(moment.event) if sealed else moment.event, moment.after
                )
            ]
        )

    def _played_so_far(self) -> list[tuple[State, tuple[TableEvent, ...]]]:
        """Return the commands of this round: the table before each, and its events."""
        if isinstance(self.session, TableSession):
            return self._round
        number = self.state.round.number
        moments = round_moments(self.session.journal, self.session.name, number) if number else ()
        commands: list[tuple[State, tuple[TableEvent, ...]]] = []
        for _, group in groupby(moments, key=lambda moment: moment.entry.version):
            first, *rest = group
            assert first.before is not None, "a round begins at a table that is open"
            events = (first.event, *(moment.event for moment in rest))
            commands.append((first.before, events))
        return commands

    def __repr__(self) -> str:
        player = self.to_act
        waiting = f"{player} is asked" if player else self.phase
        return f"<Table {self.name}: {self.rulebook.id}, round {self.round_number}, {waiting}>"

    def _repr_html_(self) -> str:
        return self.view()._repr_html_()

    def _asked_or_own_seat(self, player: str) -> int:
        """Return the player's seat to act, or else their first seat: a player with several seats
        acts for one after the other."""
        seat = asked_seat(self.state.round)
        is_theirs = seat is not None and seat.player == player
        return seat.number if seat is not None and is_theirs else self._seat_of(player)

    def _seat_of(self, player: str) -> int:
        for number, name in self.state.seats.items():
            if name == player:
                return number
        raise Refusal(f"{plain(player)} has no seat at this table", code="not_seated")


def _stated(book: Rulebook) -> Rulebook:
    """Return the rulebook with the terms of its progressive stated: a table cannot open without
    them."""
    if book.submission.progressive != ProgressiveTerms():
        return book
    return book.choosing(with_progressive(book.submission, book.rules))


def _situation(state: State, seat: SeatInRound, decision: Decision, rules: Rules) -> Situation:
    """Return the situation with the cards that the player sees. They come from the view, so advice
    uses nothing else."""
    seen = view(state.round, Viewer("player", seat.player), rules)
    own = next(held for held in seen.seats if held.number == seat.number)
    cards = tuple([card for card in own.cards if card is not None])
    community = tuple([card for card in seen.community if card is not None])
    dealer = tuple([card for card in seen.dealer if card is not None])
    known: tuple[Card, ...] = ()
    if rules.book.dealer is None:
        others = [card for held in seen.seats if held is not own for card in held.cards]
        known = tuple([card for card in others if card is not None])
    return Situation(cards, community, known, decision.name, seat.actions, dealer)


def _cents(wager: str, amount: Amount) -> int:
    try:
        return parse_cents(amount)
    except CroupierError as error:
        raise error.within(plain(wager)) from None


def _in_words(before: State, events: tuple[TableEvent, ...], *, sealed: bool) -> Iterator[str]:
    state: State | None = next_entry(before)
    for event in events:
        state, _ = evolve(state, event)
        yield from describe_event(face_down(event) if sealed else event, state)


def _actor(by: str | Actor) -> Actor:
    if isinstance(by, Actor):
        return by
    if not isinstance(by, str):
        raise BadRequest(f"{shown(by)}: write who acts as ROLE:NAME, as in dealer:dan")
    written, _, name = by.partition(":")
    for role in ROLES:
        if role == written:
            return Actor(role, name or SOFTWARE)
    raise suggest("role", written, ROLES)


def _table_in_memory(
    session: TableSession, chance: Source, events: list[tuple[State, tuple[TableEvent, ...]]]
) -> Table:
    table = Table(session, chance)
    table._round = events  # noqa: SLF001 - this is its own pickle
    return table


def _table_of_journal(journal: str, name: str) -> Table:
    return Table(JournalSession(open_journal(journal), name))
