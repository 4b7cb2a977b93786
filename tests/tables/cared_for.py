"""A live table whose decks are cared for, and people who do what the prompts say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from croupier.cards import DECK, Card
from croupier.deck_care import commands as c
from croupier.deck_care.devices import can_machine_shuffle, machine_counts, usable_ways
from croupier.deck_care.next_steps import NextStep, next_steps, stub_expected
from croupier.deck_care.state import Care, Deck
from croupier.errors import CroupierError
from croupier.rounds import commands as r
from croupier.rounds.actions import legal_actions
from croupier.rounds.card_entry import known_cards
from croupier.rounds.declaration import Actor
from croupier.rounds.round_flow import flow_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import CareRules
from croupier.runtime.session import TableSession
from croupier.tables.commands import BuyIn, GiveUpSeat, OpenTable, TableCommand, TakeSeat
from croupier.tables.events import TableEvent
from croupier.tables.planning import plan, plan_opening
from croupier.tables.state import Table, rules_of

DAN = Actor("dealer", "Dan")
FLO = Actor("floorperson", "Flo")
ANN = Actor("player", "Ann")
BACKS = ("red", "blue", "green", "black", "white")


class CaredFor:
    """`at` is what the clock shows. Amounts in dollars."""

    def __init__(
        self,
        rulebook: str,
        *,
        seated: bool = True,
        offered: tuple[str, ...] = (),
        paytables: dict[str, str] | None = None,
        **options: Any,
    ) -> None:
        stated = {"options": options, "offered": offered}
        terms = json.dumps(stated | ({"paytables": paytables} if paytables else {}))
        opening = OpenTable("one", rulebook, terms, source="live", inventory=10**8)
        opened = plan_opening(opening, FLO, with_link=False)
        self.running = TableSession(opened.table)
        self.at = 1_000_000
        self.events: list[TableEvent] = []
        if seated:
            self.sit()

    @property
    def table(self) -> Table:
        return self.running.table

    @property
    def rules(self) -> Rules:
        return rules_of(self.table)

    @property
    def care(self) -> Care:
        assert self.table.care is not None
        return self.table.care

    @property
    def book(self) -> CareRules:
        assert self.rules.book.care is not None
        return self.rules.book.care

    def deck(self, back: str = "red") -> Deck:
        found = self.care.deck(back)
        assert found is not None
        return found

    def do(self, command: TableCommand, actor: Actor = DAN) -> tuple[TableEvent, ...]:
        events = self.running.do(command, actor, self.at)
        self.events += events
        return events

    def refused(self, command: TableCommand, actor: Actor = DAN) -> tuple[str, str | None]:
        """Code and clause of the refusal; the table is as it was."""
        before = self.table
        try:
            plan(before, None, command, actor, self.at)
        except CroupierError as error:
            return error.code, error.clause
        raise AssertionError(f"{command} was not refused")

    def pass_hours(self, hours: float) -> None:
        self.at += round(hours * 3600)

    def sit(self) -> None:
        self.do(TakeSeat("Ann", 1))
        self.do(BuyIn("Ann", 10**6))

    def leave(self) -> None:
        self.do(GiveUpSeat("Ann", 1))

    # The prompts -----------------------------------------------------------------------------

    def steps(self) -> tuple[NextStep, ...]:
        return next_steps(self.table, self.rules, self.at)

    def names(self) -> list[str]:
        return [step.name for step in self.steps()]

    def first(self, blocks: str = "round") -> NextStep | None:
        return next((step for step in self.steps() if step.blocks == blocks), None)

    def follow(self, step: NextStep) -> None:
        """Do what a prompt asks for, by the first of those who may."""
        actor = {"dealer": DAN, "floorperson": FLO}[step.by[0]]
        if step.name == "view" and not self.table.is_seated("Ann"):
            self.sit()
        if step.name == "change_dealing" and self.table.round.phase != "over":
            self.do(r.VoidRound("the device is out of order"), FLO)
        self.do(self.command(step), actor)

    def command(self, step: NextStep) -> TableCommand:
        match step.name:
            case "receive":
                used = {deck.back for deck in self.care.decks}
                back = next(back for back in BACKS if back not in used)
                return c.ReceiveDeck(back, self.book.cover_cards)
            case "load":
                return c.LoadDeck(step.back)
            case "shuffle":
                by_device = can_machine_shuffle(self.care, self.rules)
                counted = 52 if machine_counts(self.care, self.rules) else None
                return c.ShuffleDeck("device" if by_device else "hand", step.back, counted)
            case "cut":
                return c.CutDeck(20, step.back)
            case "remove":
                return c.RemoveDeck(step.back)
            case "lay_out":
                return c.LayOut()
            case "count_stub":
                return c.CountStub(self.right_stub())
            case "mark":
                return c.MarkOutOfOrder(step.device, "sign")  # type: ignore[arg-type]
            case "change_dealing":
                return c.ChangeDealing(usable_ways(self.care, self.rules)[0])
            case "view":
                return c.HandleDeck("view", step.back, "Ann")
        return c.HandleDeck(step.name, step.back)

    def prepare(self) -> None:
        """Every step until a round may be dealt."""
        for _ in range(60):
            step = self.first()
            if step is None:
                return
            self.follow(step)
        raise AssertionError(f"no end to it: {self.steps()}")

    def two_decks(self) -> None:
        """Both decks at the table and opened."""
        self.do(c.ReceiveDeck("red", self.book.cover_cards))
        self.do(c.ReceiveDeck("blue", self.book.cover_cards))
        self.prepare()

    def open_deck(self, up_to: str) -> None:
        """Follow the prompts until this one is the next."""
        for _ in range(60):
            step = self.first()
            assert step is not None
            if step.name == up_to:
                return
            self.follow(step)
        raise AssertionError(f"{up_to} never came")

    # Rounds ----------------------------------------------------------------------------------

    def open_betting(self) -> None:
        self.do(r.OpenBetting(self.table.round.number + 1, "live"))

    def bet(self) -> None:
        wagers = dict.fromkeys(self.rules.required, 1000)
        self.do(r.PlaceWagers(1, "Ann", wagers))
        self.do(r.CloseBets())

    def deal(self) -> None:
        self.open_betting()
        self.bet()
        self.do(r.Deal())

    def play_on(self, stop: str = "over") -> None:
        """With what the deck brings, until the round is over or about to be settled."""
        known = set(known_cards(self.table.round))
        deck = iter([card for card in DECK if card not in known])
        while self.table.round.phase not in ("over", stop):
            self._go_on(deck)

    def _go_on(self, deck: Iterator[Card]) -> None:
        state, counts = self.table.round, self.rules.book.cards

        def take(count: int) -> tuple[Card, ...]:
            return tuple(next(deck) for _ in range(count))

        if state.phase == "deciding":
            said = [x.action for x in legal_actions(state, self.rules, 1, "Ann") if x.do == "say"]
            self.do(r.Act(1, "Ann", said[0]))
        elif state.phase == "revealing":
            show = flow_of(self.rules).steps[state.step]
            self.do(r.RevealCards(take(show.reveal.community)))  # type: ignore[union-attr]
        elif state.phase == "showdown":
            if len(state.community) < counts.community:
                self.do(r.EnterCards("community", take(counts.community)))
            self.do(r.ShowDealer(take(counts.dealer)))
        elif state.phase == "settling":
            seat = state.seat(1)
            assert seat is not None
            if len(seat.cards) < counts.player:
                self.do(r.EnterCards("player", take(counts.player), 1))
            due = self.first("settlement")
            if due is not None:
                self.follow(due)
                return
            self.do(r.Settle(every=True))
        else:
            self.do(r.Collect())

    def round(self) -> None:
        self.prepare()
        self.deal()
        self.play_on()

    def right_stub(self) -> int:
        expected = stub_expected(self.table.round, self.rules)
        assert expected is not None
        return expected
