"""A table brought into any state at once: views of a round played here in memory, sent to the page
over a live connection that leads nowhere. The pages, the rules and every sentence are the real
ones; only nobody waits for a dealer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import msgspec
from playwright.sync_api import Page, WebSocketRoute

from croupier.randomness.shuffling import Seeded
from croupier.rounds import commands as cmd
from croupier.rounds.actions import legal_actions
from croupier.rounds.declaration import Actor
from croupier.runtime.dealer import DEALER, FLOOR, dealer_command
from croupier.runtime.journal_session import JournalSession
from croupier.runtime.session import TableSession
from croupier.tables.commands import BuyIn, OpenTable, TakeSeat
from croupier.web.tables.demo import DEMO_TABLES, OPERATOR, submission_for
from croupier.web.tables.views import NOBODY, Onlooker, table_form

__all__ = ["ALL_GAMES", "PlayedRound", "StagedTable", "states_of"]

ALL_GAMES: Final = tuple(DEMO_TABLES)
YOU: Final = "guest-4711"
SEAT: Final = 3
OTHERS: Final = ("guest-12", "Maximiliane", "guest-90210", "Bo", "Jean-Baptiste", "guest-7")
BET: Final = 2500
RACK: Final = 1_000_000
SEEDS: Final = 6
"""Rounds that are played to find the one with the longest settlement."""


class PlayedRound:
    """A round of a full table at which everybody makes every bet."""

    def __init__(self, running: TableSession | JournalSession) -> None:
        self.running = running
        self.views: list[tuple[str, dict[str, Any]]] = []
        self._play()

    def see(self, state: str, who: Onlooker | None = None) -> None:
        link = self.running.link
        form = table_form(
            self.running.table,
            who or Onlooker("player", YOU),
            meters=link.shown() if link is not None else {},
        )
        self.views.append((state, json.loads(msgspec.json.encode(form))))

    def _play(self) -> None:
        do, rules = self.running.do, self.running.rules
        seats = range(1, rules.book.positions.most + 1)
        others = iter(OTHERS)
        names = {seat: YOU if seat == SEAT else next(others) for seat in seats}
        self.see("watching", NOBODY)
        for seat in (SEAT, *(seat for seat in seats if seat != SEAT)):
            who = Actor("player", names[seat])
            do(TakeSeat(names[seat], seat), who)
            do(BuyIn(names[seat], RACK), who)
            if seat == SEAT:
                do(cmd.OpenBetting(), DEALER)
                self.see("seated")
        for seat, name in names.items():
            do(cmd.PlaceWagers(seat, name, self._bets()), Actor("player", name))
        self.see("bets")
        do(cmd.CloseBets(), DEALER)
        while self.running.table.round.phase != "over":
            self._go_on(names)
        self.see("over")
        do(cmd.OpenBetting(), DEALER)
        self.see("next")

    def _bets(self) -> dict[str, int]:
        rules = self.running.rules
        return {
            name: rules.stakes[name][0] if name in rules.stakes else BET
            for name, wager in rules.book.wagers.items()
            if wager.role == "required" or name in rules.offered
        }

    def _go_on(self, names: dict[int, str]) -> None:
        do, rules = self.running.do, self.running.rules
        state = self.running.table.round
        if state.phase == "deciding":
            if state.turn == SEAT:
                self.see(f"decides-{self._decision()}")
            name = names[state.turn]
            said = self._answer(state.turn, name)
            do(cmd.Act(state.turn, name, said), Actor("player", name))
            return
        if state.claim is not None:
            self.see("claim")
            do(cmd.ValidateProgressive(state.claim.seat), FLOOR)
            return
        command = dealer_command(self.running.table, rules)
        assert command is not None, "a virtual table's dealer always goes on"
        if state.phase == "collecting":
            self.see("settled")
        do(command, DEALER)

    def _answer(self, seat: int, name: str) -> str:
        """Check as long as that is possible, so that every question comes; then the dearest."""
        rules = self.running.rules
        may = legal_actions(self.running.table.round, rules, seat, name)
        said = {one.action: one.cents for one in may if one.do == "say"}
        if "check" in said and self._decision() != rules.book.decisions[-1].name:
            return "check"
        return max(said, key=said.__getitem__)

    def _decision(self) -> str:
        return table_form(self.running.table, NOBODY, meters={}).round.decision

    @property
    def length(self) -> int:
        """Letters of my settlement."""
        view = dict(self.views)["settled"]
        mine = next(seat for seat in view["round"]["seats"] if seat["number"] == SEAT)
        return sum(len(line["words"]) for line in mine["lines"])


@cache
def states_of(game: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    """The states of a round in their order, with the view that player has of each."""
    command = OpenTable(game, game, submission_for(game), inventory=10**9)
    rounds = [
        PlayedRound(TableSession.opened(command, OPERATOR, draw=Seeded(f"{game} {seed}")))
        for seed in range(SEEDS)
    ]
    return tuple(max(rounds, key=lambda one: one.length).views)


class StagedTable:
    """The page of a game's table, which shows whatever it is told."""

    def __init__(self, page: Page, game: str) -> None:
        self.page, self.game = page, game
        self._live: WebSocketRoute | None = None
        self._seq = 0
        page.route(re.compile(r"/api/v1/me$"), lambda route: route.fulfill(json=_PERSON))
        page.route_web_socket(re.compile(r"/live"), self._join)
        self._first: dict[str, Any] | None = None

    def _join(self, live: WebSocketRoute) -> None:
        self._live = live
        if self._first is not None:
            self._send(self._first)

    def _send(self, view: dict[str, Any]) -> None:
        assert self._live is not None
        self._seq += 1
        words = {"version": self._seq, "kind": "", "words": [f"state {self._seq}"], "seat": None}
        shown = {**view, "version": self._seq}
        self._live.send(json.dumps({"seq": self._seq, "view": shown, "happened": [words]}))

    def open(self) -> None:
        self._first = states_of(self.game)[0][1]
        self.page.goto(f"/tables/{self.game}")
        self.page.locator(".felt[data-phase]").wait_for()

    def walk(self, *wanted: str) -> Iterator[str]:
        """Through the states of a round, or those that are wanted, in their order: each as soon as
        the page shows it."""
        self.open()
        for state, view in states_of(self.game):
            if wanted and state not in wanted:
                continue
            self._send(view)
            self.page.locator("#voice", has_text=f"state {self._seq}").wait_for(state="attached")
            yield state


_PERSON: Final = {"name": YOU, "role": "player", "guest": True, "csrf": "x", "demo": True}
