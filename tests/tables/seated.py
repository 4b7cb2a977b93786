"""A table in memory to play test rounds on, told as a dealer would tell them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from croupier import progressives
from croupier.cards import DECK, Card, parse_cards
from croupier.errors import CroupierError
from croupier.progressives import Link
from croupier.rounds.commands import (
    Act,
    CloseBets,
    Collect,
    CountChips,
    Deal,
    OpenBetting,
    PlaceWagers,
    RevealCards,
    Settle,
    ShowDealer,
    ValidateProgressive,
)
from croupier.rounds.dealing import whole_order
from croupier.rounds.declaration import Actor, to_json
from croupier.rounds.events import SeatSettled
from croupier.rounds.state import LineRecord, Round, SeatInRound
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, progressive_wager, rules_for, submission_of
from croupier.runtime.session import TableSession
from croupier.tables.commands import BuyIn, OpenTable, TableCommand, TakeSeat
from croupier.tables.deciding import open_table
from croupier.tables.events import TableEvent
from croupier.tables.evolving import evolve
from croupier.tables.state import Table
from tests.rounds.small_games import GAMES as SMALL_GAMES

HARBOUR = (Path(__file__).parents[2] / "examples" / "harbour-holdem.toml").read_text("utf-8")
OWN_GAMES = {"harbour-holdem": HARBOUR, **SMALL_GAMES}
BOOKS = ("md-uth", "ma-uth", "md-jackpot", "md-wpt", "md-235", "harbour-holdem")

DEALER = Actor("dealer", "dee")
FLOOR = Actor("floorperson", "flo")
OPERATOR = Actor("operator", "olga")
SOME_DECK = tuple(Random(6).sample(DECK, 52))
NAMES = ("ann", "ben", "cat", "dan", "eve", "fay")


class Game(NamedTuple):
    """A rulebook with an operator's choices, as the journal keeps them."""

    rulebook: str
    rulebook_text: str
    submission: str

    @property
    def rules(self) -> Rules:
        return rules_for(self.rulebook, self.rulebook_text, self.submission)

    def __repr__(self) -> str:
        options = json.loads(self.submission).get("options", {})
        return " ".join([self.rulebook, *map(str, options.values())])


def game(rulebook: str, *, rate: str = "0.05", **told: Any) -> Game:
    """With a rate for every meter and one stake of the progressive, whatever else is told."""
    text = OWN_GAMES.get(rulebook, "")
    bare = rules_for(rulebook, text, json.dumps(told))
    if progressive_wager(bare.book) in bare.offered:
        stakes = bare.stakes.get("progressive", (100,))
        terms = {"stakes": [str(stakes[0] // 100)]}
        terms["meters"] = {name: {"rate": rate} for name in bare.resets}  # type: ignore[assignment]
        told["progressive"] = terms | told.get("progressive", {})
    return Game(rulebook, text, json.dumps(told))


def every_way(rulebook: str) -> list[Game]:
    """The rulebook under each of its ways of dealing, and each order of a way that has several."""
    if rulebook in OWN_GAMES:
        return [game(rulebook)]
    book = load_rulebook(rulebook).default
    games = []
    for name, way in book.dealing.items():
        options: dict[str, Any] = {"dealing": name}
        if "shuffler" in book.options:
            options["shuffler"] = True
        if book.positions.per_player == "submission":
            options["adjacent_boxes"] = 2
        offered = [
            wager
            for wager, terms in book.wagers.items()
            if terms.role == "optional" and name in (terms.dealt_by or (name,))
        ]
        games += [
            game(rulebook, offered=offered, options=options | order)
            for order in ([{"deal_order": o} for o in way.variants] or [{}])
        ]
    return games


def open_link(table: str, rules: Rules, submission: str, link: str = "pot") -> Link | None:
    """The link of a table that offers a progressive, opened for it."""
    if progressive_wager(rules.book) not in rules.offered:
        return None
    opened = None
    command = progressives.OpenLink(
        link=link,
        table=progressives.table_terms(table, rules),
        meters=progressives.meter_terms(rules, submission_of(submission)),
        by="olga",
    )
    for event in progressives.decide(None, command):
        opened = progressives.evolve(opened, event)
    return opened


def opened(played: Game, source: str = "virtual", inventory: int = 10**8) -> Table:
    command = OpenTable("one", *_paper(played), source, inventory, care=False)  # type: ignore[arg-type]
    (event,) = open_table(command, OPERATOR)
    return evolve(None, event)[0]


def _paper(played: Game) -> tuple[str, str, str]:
    return played.rulebook, played.submission, played.rulebook_text


def deck_for(
    rules: Rules,
    seats: Iterable[int],
    hands: Mapping[int, str],
    *,
    dealer: str = "",
    board: str = "",
    box: str = "",
) -> tuple[Card, ...]:
    """A deck that deals these cards to these places, whichever way the table deals."""
    wanted = {("player", seat): list(parse_cards(hand)) for seat, hand in hands.items()}
    wanted["dealer", 0] = list(parse_cards(dealer))
    wanted["community", 0] = list(parse_cards(board))
    wanted["box", 0] = list(parse_cards(box))
    named = {card for cards in wanted.values() for card in cards}
    others = [card for card in DECK if card not in named]
    deck = []
    for _, delivery in whole_order(rules, tuple(seats)):
        mine = wanted.get((delivery.place, delivery.seat), [])
        deck += [mine.pop(0) if mine else others.pop() for _ in range(delivery.count)]
    assert not any(wanted.values()), f"not dealt: {wanted}"
    return (*deck, *others)


def for_player(table: Table, command: TableCommand) -> Actor:
    """Who gives it: with virtual cards a player moves his chips himself, else the dealer does for
    him what he asks."""
    player = getattr(command, "player", None)
    return Actor("player", player) if player and table.source == "virtual" else DEALER


class Sitting:
    """People at a table with a dealer. Amounts in dollars, seats by number."""

    def __init__(
        self,
        rulebook: str,
        *seats: int,
        source: str = "virtual",
        money: int = 10_000,
        linked: bool = True,
        **told: Any,
    ) -> None:
        played = game(rulebook, **told)
        self.rules = played.rules
        link = open_link("one", self.rules, played.submission) if linked else None
        self.running = TableSession(opened(played, source), link)
        self.events: list[TableEvent] = []
        for seat in seats or (1,):
            player = NAMES[seat - 1]
            self.do(TakeSeat(player, seat), DEALER)
            self.do(BuyIn(player, money * 100), DEALER)

    @property
    def table(self) -> Table:
        return self.running.table

    @property
    def round(self) -> Round:
        return self.running.table.round

    @property
    def link(self) -> Link:
        assert self.running.link is not None
        return self.running.link

    def do(self, command: TableCommand, actor: Actor = DEALER) -> tuple[TableEvent, ...]:
        if actor is DEALER:
            actor = for_player(self.table, command)
        events = self.running.do(command, actor)
        self.events += events
        return events

    def refused(self, command: TableCommand, actor: Actor = DEALER) -> CroupierError:
        """The refusal; the table and its link are as they were."""
        before = to_json(self.table), self.running.link
        if actor is DEALER:
            actor = for_player(self.table, command)
        try:
            self.running.do(command, actor)
        except CroupierError as error:
            assert (to_json(self.table), self.running.link) == before
            return error
        raise AssertionError(f"{command} by {actor} was carried out, but should have been refused")

    def seat(self, number: int) -> SeatInRound:
        seat = self.round.seat(number)
        assert seat is not None
        return seat

    def rack(self, number: int) -> int:
        return self.table.rack(NAMES[number - 1])

    def line(self, number: int, wager: str) -> LineRecord:
        return next(line for line in self.seat(number).lines if line.wager == wager)

    def open(self, hands: Mapping[int, str] | None = None, **cards: str) -> None:
        """Open the bets, with a deck for the seats of `hands` where cards are virtual."""
        number = self.round.number + 1
        if self.table.source == "live":
            self.do(OpenBetting(number, "live"))
            return
        deck = deck_for(self.rules, hands, hands, **cards) if hands else SOME_DECK
        self.do(OpenBetting(number, "virtual", "sealed", "salt", deck))

    def bet(self, seat: int, player: str = "", **wagers: int) -> None:
        self.do(self.bets(seat, player, **wagers))

    def bets(self, seat: int, player: str = "", **wagers: int) -> PlaceWagers:
        """The command; without amounts $10 on every required wager."""
        placed = {name: dollars * 100 for name, dollars in wagers.items()}
        return PlaceWagers(seat, player or NAMES[seat - 1], self.least() | placed)

    def least(self) -> dict[str, int]:
        return dict.fromkeys(self.rules.required, 1000)

    def say(self, seat: int, action: str) -> None:
        self.do(self.says(seat, action))

    def says(self, seat: int, action: str) -> Act:
        seated = self.round.seat(seat)
        return Act(seat, seated.player if seated else NAMES[seat - 1], action)

    def deal(self) -> None:
        """Close the bets, count the progressive's chips, deal."""
        self.do(CloseBets())
        if not self.round.counted:
            chips = sum("progressive" in seat.wagers for seat in self.round.seats)
            self.do(CountChips(chips))
        self.do(Deal())

    def go(self) -> None:
        """The dealer goes on until a player is asked, the settlement begins or is over."""
        steps: dict[str, TableCommand] = {"revealing": RevealCards(), "showdown": ShowDealer()}
        while self.round.phase in steps:
            self.do(steps[self.round.phase])

    def everyone(self, action: str) -> None:
        """Everyone who is asked now says the same; then the dealer goes on."""
        step = self.round.step
        while self.round.phase == "deciding" and self.round.step == step:
            self.say(self.round.turn, action)
        self.go()

    def settle(self, *, validate: bool = True) -> list[int]:
        """Settle seat by seat; the order of the seats."""
        order: list[int] = []
        while self.round.phase == "settling":
            if self.round.claim is not None:
                if not validate:
                    return order
                self.do(ValidateProgressive(self.round.claim.seat), FLOOR)
                continue
            events = self.do(Settle())
            order += [event.seat for event in events if isinstance(event, SeatSettled)]
        return order

    def play_out(self) -> list[int]:
        """Everybody declines whatever is still to be asked; the round is played to its end."""
        self.go()
        while self.round.phase == "deciding":
            decision = self.rules.book.decisions
            asked = [d for d in decision if d.name == self.asked()]
            self.everyone(asked[0].otherwise)
        order = self.settle()
        self.do(Collect())
        return order

    def asked(self) -> str:
        """The name of the question put now."""
        from croupier.rounds.round_flow import Ask, flow_of

        step = flow_of(self.rules).steps[self.round.step]
        assert isinstance(step, Ask)
        return step.decision.name
