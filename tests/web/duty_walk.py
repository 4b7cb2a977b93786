"""An evening at a live table of each kind, and everybody's screens before each command.

What is shown is read off the forms that the pages draw (`/work`, `/floor`, the table's view, the
page where a table is opened), never from the functions that fill them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from croupier.cards import DECK, Card, parse_cards
from croupier.deck_care import commands as c
from croupier.deck_care.state import Device
from croupier.errors import CroupierError
from croupier.rounds import commands as r
from croupier.rounds.actions import legal_actions
from croupier.rounds.card_entry import cards_to_enter
from croupier.rounds.declaration import Actor
from croupier.rounds.irregularities import irregularities_now
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.duties import Duty, all_duties, duties_of
from croupier.rulebooks.equipment import AUTOMATED
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.schema import Rulebook
from croupier.submissions.uploads import operator_duties
from croupier.tables import commands as t
from croupier.tables.commands import TableCommand
from croupier.tables.step_duties import confirmed
from croupier.tables.work import work
from croupier.web.accounts.people import Person
from croupier.web.tables.floor import floor_table_form
from croupier.web.tables.rulesheet import DutyForm, rules_form
from croupier.web.tables.table_watch import Watched
from croupier.web.tables.views import Onlooker, table_form
from croupier.web.tables.work import work_form
from tests.tables.cared_for import ANN, DAN, FLO, CaredFor

OLGA = Actor("operator", "Olga")
STAFF = (DAN, FLO, OLGA)
PLAYERS = {1: "Ann", 2: "Bob", 3: "Cay"}
ROYAL = parse_cards("As Ks Qs Js Ts")


class Way(NamedTuple):
    """A way of dealing with its order and the devices at the table."""

    document: str
    dealing: str
    order: str
    options: dict[str, Any]

    def __str__(self) -> str:
        devices = " ".join(name for name, value in self.options.items() if value)
        return f"{self.document} {self.dealing} {self.order} {devices}".replace("  ", " ").strip()


DEVICES: tuple[dict[str, Any], ...] = (
    {},
    {"shuffler": True},
    {"shuffler": True, "decks": 2},
    {"shuffler": True, "shuffler_counts": True},
    {"shuffler": True, "shuffler_counts": True, "decks": 2},
    {"self_shuffling": True},
    {"electronic_version": True},
)


def every_way() -> list[Way]:
    """All ways of dealing of all documents, each with all devices that its document knows."""
    found = []
    for document in DOCUMENTS:
        book = load_rulebook(document).default
        for way, devices in product(book.dealing.items(), DEVICES):
            if not devices.keys() <= book.options.keys():
                continue
            if "self_shuffling" in devices and way[0] != AUTOMATED:
                continue
            for order in way[1].variants or ("",):
                found.append(Way(document, way[0], order, devices))
    return found


def offered(book: Rulebook, dealing: str) -> tuple[str, ...]:
    """Every wager that this way of dealing can serve."""
    return tuple(
        name
        for name, wager in book.wagers.items()
        if wager.role == "optional" and (not wager.dealt_by or dealing in wager.dealt_by)
    )


class Screens(NamedTuple):
    """(page, step, clause, words) of everything that the screens of a person show."""

    rows: set[tuple[str, str, str, str]]

    def show(self, duty: Duty, *, page: str = "") -> bool:
        return any(
            (clause, words) == (duty.clause, duty.words) and page in ("", where)
            for where, _, clause, words in self.rows
        )


class Evening(CaredFor):
    """Looks at every screen before each command, and at what each command would confirm."""

    def __init__(self, way: Way) -> None:
        self.way = way
        self.shown: set[tuple[str, Duty]] = set()
        """Page and duty, shown to the person whose duty it is."""
        self.confirmed: set[tuple[str, Duty]] = set()
        self.faults: list[str] = []
        self.given: list[tuple[TableCommand, Actor]] = []
        order = {"deal_order": way.order} if way.order else {}
        options = {"dealing": way.dealing, **order, **way.options}
        wagers = offered(load_rulebook(way.document).default, way.dealing)
        self._seen: set[frozenset[tuple[str, ...]]] = set()
        self._sheets: dict[str, tuple[DutyForm, ...]] = {}
        envy = {"progressive": "J"} if way.document == "md-wpt" else None  # the others have none
        super().__init__(way.document, seated=False, offered=wagers, paytables=envy, **options)
        self._open_page()

    @property
    def _players_duties(self) -> tuple[DutyForm, ...]:
        terms = self.table.submission
        if terms not in self._sheets:
            self._sheets[terms] = rules_form(self.rules).duties
        return self._sheets[terms]

    # What the screens show ---------------------------------------------------------------------

    def screens(self, actor: Actor) -> Screens:
        if actor.role == "player":
            return Screens(set(self._table_page(actor)))
        rows = set(self._work(actor))
        if actor.role in ("floorperson", "operator"):
            rows |= set(self._floor(actor))
        return Screens(rows)

    def _table_page(self, actor: Actor) -> Iterator[tuple[str, str, str, str]]:
        view = table_form(self.table, Onlooker("player", actor.name), meters={})
        for place in view.part:
            duty = self._players_duties[place]
            yield "table", duty.step, duty.clause, duty.words

    def _work(self, actor: Actor) -> Iterator[tuple[str, str, str, str]]:
        form = work_form(self.table, self.rules, Person(actor.name, actor.role), self.at)
        home = "dealer_console" if actor.role == "dealer" else "floor"
        for step in form.steps:
            is_care = step.command["type"] in _CARE
            pages = (home, "deck_board") if is_care else (home,)
            for duty, page in product(step.duties, pages):
                yield page, step.step, duty.clause, duty.words
        for accident in form.irregularities:
            for duty in accident.duties:
                yield home, f"report {accident.kind}", duty.clause, duty.words
        for duty in form.duties:
            yield home, "betting", duty.clause, duty.words

    def _floor(self, actor: Actor) -> Iterator[tuple[str, str, str, str]]:
        watched = Watched(defaultdict(str), "", "", 0, "", None)
        steps = work(self.table, self.rules, self.at)
        meters = dict(self.rules.resets)
        row = floor_table_form(
            *(self.table, self.rules, meters, steps, watched),
            role=actor.role,
            by_software=False,
            alone=True,
        )
        for step, duties in row.duties.items():
            for duty in duties:
                yield "floor", step, duty.clause, duty.words

    def _open_page(self) -> None:
        forms = {(form.screen, form.clause, form.words) for form in operator_duties(self.rules)}
        for duty in duties_of(self.rules):
            if (duty.screen, duty.clause, duty.words) in forms:
                self.shown.add((duty.screen, duty))

    # What is confirmed -------------------------------------------------------------------------

    def do(self, command: TableCommand, actor: Actor = DAN) -> Any:
        self.look(command, actor)
        events = super().do(command, actor)
        self.given.append((command, actor))
        return events

    def look(self, command: TableCommand, actor: Actor) -> None:
        """Note what everybody sees; nobody can confirm anything that is not on their screen."""
        people = [*STAFF, ANN]
        seen = {person: self.screens(person) for person in people}
        given = [(command, actor)]
        rows = frozenset((who.role, *row) for who, screens in seen.items() for row in screens.rows)
        if rows not in self._seen:
            self._seen.add(rows)
            self._note(seen)
            given += self._possible(people)
        self._check(given, seen)

    def _note(self, seen: dict[Actor, Screens]) -> None:
        for duty in duties_of(self.rules):
            for person, screens in seen.items():
                if person.role == duty.role and screens.show(duty, page=duty.screen):
                    self.shown.add((duty.screen, duty))

    def _check(self, given: list[tuple[TableCommand, Actor]], seen: dict[Actor, Screens]) -> None:
        for command, person in given:
            done = confirmed(command, person, self.table, self.rules, self.at)
            screens = seen.get(person) or self.screens(person)
            for duty in done:
                if not screens.show(duty):
                    self.faults.append(f"{self.way}: {person} {command} confirms {duty}")
                if person.role == duty.role:
                    self.confirmed.add((duty.screen, duty))

    def _possible(self, people: list[Actor]) -> Iterator[tuple[TableCommand, Actor]]:
        """Whatever anybody could give now, taken or refused."""
        given: list[TableCommand] = [x.command for x in work(self.table, self.rules, self.at)]
        given += [r.Report(x.kind) for x in irregularities_now(self.table.round, self.rules)]
        given += [c.OrderShuffle("x"), c.OrderRecut("x"), r.RuleAbandoned(1)]
        given += [r.Settle(), r.Collect(), r.CloseBets(), c.RemoveDeck("red")]
        given += [c.CountStub(1), c.CountStub(1, misdealt=True)]
        given += [c.MarkOutOfOrder("shuffler", "covered"), c.ReceiveDeck("green", 2, prepared=True)]
        given += [t.CallFloor("x"), t.AskFaceUp("Ann"), c.HandleDeck("view", player="Ann")]
        given += [r.Act(1, "Ann", said) for said in ("fold", "check", *self._bets)]
        given += [r.PlaceWagers(1, "Ann", dict.fromkeys(self.stakes, 1))]
        given += [t.Correct(1, 1, "Ann", "ante", 100, "x")]
        for command, person in product(given, people):
            if person.role in command.declared.by:
                yield command, person

    @property
    def _bets(self) -> list[str]:
        """What a player can say that puts chips down, at any decision."""
        said = {said for decision in self.rules.book.decisions for said in decision.answers}
        return sorted(said - {"check", "fold"})

    # An evening --------------------------------------------------------------------------------

    @property
    def stakes(self) -> dict[str, int]:
        wagers = dict.fromkeys(self.rules.required, 1000)
        for name in sorted(self.rules.offered - set(self.rules.required)):
            only = self.rules.book.wagers[name].stakes
            wagers[name] = int(only[0]) * 100 if only else 500
        return wagers

    def run(self) -> None:
        self.idle()
        self.prepare()
        self.follow_all("receive")
        self.prepare()
        self.play(abandons=True)
        self.prepare()
        self.play(sides=False)
        for _ in range(4):
            self.prepare()
            self.play()
        self.orders()
        self.condemned()
        self.prepare()
        self.pass_hours(9)
        self.prepare()
        for device in ("shuffler", "shoe"):
            self.broken(device)

    def idle(self) -> None:
        """Nobody plays: the cards lie spread, and the next player looks at them."""
        for seat, name in PLAYERS.items():
            self.do(t.TakeSeat(name, seat))
            self.do(t.BuyIn(name, 10**6))
        self.prepare()
        for seat, name in PLAYERS.items():
            self.do(t.GiveUpSeat(name, seat))
        self.follow_all("lay_out")
        for seat, name in PLAYERS.items():
            self.do(t.TakeSeat(name, seat))
            self.do(t.BuyIn(name, 10**6))

    def follow_all(self, name: str) -> None:
        for step in self.steps():
            if step.name == name:
                self.follow(step)

    def play(self, *, abandons: bool = False, sides: bool = True) -> None:
        """Ann has a royal flush and plays it. Bob and Cay fold, Cay with every side wager. Wagers
        of the progressive are counted, an award is validated, an Envy Bonus paid. Without side
        wagers nothing keeps a folded hand on the table."""
        self.deal_royal(self.stakes if sides else dict.fromkeys(self.rules.required, 1000))
        if abandons:
            self.do(r.LeaveRound(2, "Bob"))
        while self.table.round.phase != "over":
            self.go_on()

    def deal_royal(self, stakes: dict[str, int] | None = None) -> None:
        stakes = self.stakes if stakes is None else stakes
        counts = self.rules.book.cards
        self.open_betting()
        self.do(r.PlaceWagers(1, "Ann", stakes), ANN)
        self.do(r.PlaceWagers(2, "Bob", dict.fromkeys(self.rules.required, 1000)))
        self.do(r.PlaceWagers(3, "Cay", stakes))
        self.do(r.CloseBets())
        if not self.table.round.counted:
            self.do(r.CountChips(2))
        self.do(r.Deal())
        others = [card for card in DECK if card not in ROYAL]
        plain = [card for first in range(5) for card in others[first::5]]  # no pairs in a row
        self._royal, on_board = ROYAL[: counts.player], ROYAL[counts.player :]
        self._board = [*on_board, *plain][: counts.community]
        self._rest = iter([card for card in plain if card not in self._board])

    def go_on(self) -> None:
        """The next step of the round."""
        state, book = self.table.round, self.rules.book
        if state.claim is not None:
            self.do(t.CallFloor("a progressive"))
            self.do(r.ValidateProgressive(state.claim.seat), FLO)
        elif state.phase == "deciding":
            self._answer()
        elif state.phase == "revealing":
            step = flow_of(self.rules).steps[state.step]
            assert not isinstance(step, Ask)
            count = step.reveal.community
            self.do(r.RevealCards(tuple(self._board[:count])))
            del self._board[:count]
        elif state.phase == "showdown":
            self.do(r.ShowDealer(self._take(book.cards.dealer)))
        elif state.phase == "settling":
            due = self.first("settlement")
            missing = cards_to_enter(state, self.rules)
            if due is not None:
                self.follow(due)
            elif missing:
                place, seat, count = missing[0]
                cards = self._royal if seat == 1 else self._take(count)
                self.do(r.EnterCards(place, cards, seat))
            else:
                self.do(r.Settle(every=state.number % 2 == 0))
        else:
            self.do(r.Collect())

    def _take(self, count: int) -> tuple[Card, ...]:
        return tuple(next(self._rest) for _ in range(count))

    def _answer(self) -> None:
        state = self.table.round
        seat, player = state.turn, PLAYERS[state.turn]
        said = [x.action for x in legal_actions(state, self.rules, seat, player) if x.do == "say"]
        weak = [action for action in ("fold", "check") if action in said and seat > 1]
        self.do(r.Act(seat, player, (weak or said)[0]), ANN if seat == 1 else DAN)

    def orders(self) -> None:
        self.prepare()
        self.attempt(c.OrderRecut("it was not deep enough"), FLO)
        self.prepare()
        self.attempt(c.OrderShuffle("to be sure"), FLO)
        self.prepare()

    def condemned(self) -> None:
        """A counting shuffler shows a wrong number."""
        self.play()
        for step in self.steps():
            if step.name == "shuffle":
                self.attempt(c.ShuffleDeck("device", step.back, 51))
        self.prepare()

    def broken(self, device: Device) -> None:
        self.prepare()
        if self.attempt(c.ReportMalfunction(device)):
            self.prepare()

    def attempt(self, command: TableCommand, actor: Actor = DAN) -> bool:
        try:
            self.do(command, actor)
        except CroupierError:
            return False
        return True


_CARE = frozenset(
    {
        *("receive_deck", "handle_deck", "load_deck", "shuffle_deck", "cut_deck", "count_stub"),
        *("lay_out", "remove_deck", "mark_out_of_order", "change_dealing"),
    }
)
"""`CARE` of floor/decks-page.js: the steps that the deck board shows."""


def unmet(document: str, evenings: list[Evening]) -> list[Duty]:
    """The duties that nobody saw on the screen where they belong."""
    shown = {(duty.clause, duty.role, duty.step) for x in evenings for _, duty in x.shown}
    return [d for d in all_duties(document) if (d.clause, d.role, d.step) not in shown]
