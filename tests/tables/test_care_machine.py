"""Anything done with the cards in any order, under any clock: what must hold all the same.

An independent witness follows the journal's events and knows nothing of stages. No round is dealt
from a deck that is not verified, shuffled, cut where it must be, and within its hours; two decks
never meet in the discard rack; and from wherever people have got to, the prompts lead back to play.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from croupier.cards import DECK
from croupier.deck_care import commands as c
from croupier.deck_care import events as did
from croupier.errors import CroupierError
from croupier.rounds import commands as r
from croupier.rounds import events as dealt
from croupier.rounds.declaration import Actor
from croupier.rulebooks.loader import load_rulebook
from croupier.tables.commands import CloseTable, GiveUpSeat, TableCommand, TakeSeat
from croupier.tables.planning import plan
from tests.tables.cared_for import ANN, DAN, FLO, CaredFor

TABLES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("md-uth", {"dealing": "manual_shoe"}),
    ("md-uth", {"dealing": "hand", "shuffler": True, "decks": 2}),
    ("md-uth", {"dealing": "automated_shoe", "deal_order": "community_first", "shuffler": True}),
    (
        "md-uth",
        {"dealing": "automated_shoe", "shuffler": True, "decks": 2, "shuffler_counts": True},
    ),
    ("md-235", {"dealing": "manual_shoe", "shuffler": True, "decks": 2}),
    ("md-jackpot", {"dealing": "hand"}),
    ("md-wpt", {"dealing": "automated_shoe", "self_shuffling": True}),
    ("ma-uth", {"dealing": "automated_shoe", "shuffler": True, "decks": 2}),
    ("ma-uth", {"dealing": "manual_shoe"}),
)
OPENING = ["inspect", "verify", "spread", "view", "turn", "wash", "stack"]

backs = st.sampled_from(["", "red", "blue", "green"])
devices = st.sampled_from(["shuffler", "shoe"])
KINDS = st.sampled_from(
    sorted({kind for book, _ in TABLES for kind in load_rulebook(book).default.irregularities})
)
CARDS = st.sampled_from([(), (), DECK[-1:], DECK[-2:]])
COMMANDS: st.SearchStrategy[TableCommand] = st.one_of(
    st.builds(c.ReceiveDeck, backs, st.sampled_from([1, 2]), st.booleans()),
    st.builds(c.HandleDeck, st.sampled_from(OPENING), backs, st.sampled_from([None, "Ann"])),
    st.builds(c.LoadDeck, backs),
    st.builds(
        c.ShuffleDeck, st.sampled_from(["hand", "device"]), backs, st.sampled_from([None, 52, 51])
    ),
    st.builds(c.CutDeck, st.none() | st.integers(5, 55), backs),
    st.builds(c.OrderShuffle, st.sampled_from(["", "seen"]), backs),
    st.builds(c.OrderRecut, st.sampled_from(["", "seen"]), backs),
    st.builds(c.RemoveDeck, backs, st.sampled_from(["", "marked"])),
    st.builds(c.LayOut, st.booleans(), st.sampled_from([None, "Ann"])),
    st.builds(c.CountStub, st.integers(28, 46), st.booleans()),
    st.builds(c.ReportMalfunction, devices),
    st.builds(c.MarkOutOfOrder, devices, st.sampled_from(["covered", "sign"])),
    st.builds(c.RepairDevice, devices),
    st.builds(c.ChangeDealing, st.sampled_from(["manual_shoe", "hand", "automated_shoe"])),
    st.builds(TakeSeat, st.just("Ann"), st.just(1)),
    st.builds(GiveUpSeat, st.just("Ann"), st.just(1)),
    st.builds(r.Report, KINDS, CARDS, st.sampled_from([0, 0, 1])),
)


class Witness:
    """What the events alone say about each deck."""

    def __init__(self) -> None:
        self.decks: dict[str, dict[str, Any]] = {}
        self.rack: set[str] = set()
        self.machine: set[str] = set()
        self.last = self.used = ""
        self.clock: int | None = None
        self.rounds = 0
        self.counted = False

    def hear(self, event: Any, table: CaredFor) -> None:
        at = getattr(event, "at", None)
        if at is not None:
            for deck in self.decks.values():
                deck["age"] += max(0, at - (self.clock or at))
            self.clock = at
        match event:
            case did.DeckReceived():
                steps = list(OPENING) if event.prepared else []
                self.decks[event.back] = {
                    "steps": steps, "mixed": event.prepared, "by": "hand", "cut": 0, "age": 0
                }  # fmt: skip
            case did.DeckHandled():
                done = self.decks[event.back]["steps"]
                done.append(event.step)
                assert done == OPENING[: len(done)]
            case did.DeckLoaded():
                self.machine.add(event.back)
                self.rack.discard(event.back)
            case did.DeckShuffled():
                deck = self.decks[event.back]
                assert deck["steps"] == OPENING
                deck |= {"mixed": event.count in (None, 52), "by": event.how, "cut": 0}
                self.rack.discard(event.back)
            case did.DeckCut():
                assert event.depth is None or event.depth >= 10
                self.decks[event.back]["cut"] = event.depth or 10
            case did.ShuffleOrdered():
                self.decks[event.back]["mixed"] = False
            case did.RecutOrdered():
                self.decks[event.back]["cut"] = 0
            case did.DeckRemoved():
                del self.decks[event.back]
                # A new deck with the same back is another deck.
                self.last = "" if self.last == event.back else self.last
                self.rack.discard(event.back)
                self.machine.discard(event.back)
            case did.CardsLaidOut():
                for deck in self.decks.values():
                    if len(deck["steps"]) > 4:
                        # Face down there is nothing to turn over.
                        deck["steps"] = ["inspect", "verify", "spread"]
                        deck["mixed"] = False
                        if not event.face_up:
                            deck["steps"] = FaceDown(deck["steps"])
                self.rack.clear()
                self.machine.clear()
            case did.MalfunctionReported(device="shuffler") | did.DeviceMarked(device="shuffler"):
                self.machine.clear()
            case did.DeckTaken():
                self._taken(event, table)
            case did.StubCounted():
                self.counted = True
                self.rounds = 0
            case r.OpenBetting():
                self.counted = False
            case dealt.CardsCollected() | dealt.RoundVoided() if self.used:
                if isinstance(event, dealt.CardsCollected) and not self.counted:
                    self.rounds += 1
                if self.used in self.decks:
                    self.decks[self.used] |= {"mixed": False, "cut": 0}
                    assert not self.rack, "two decks in the discard rack"
                    self.rack.add(self.used)
                self.used = ""

    def _taken(self, event: did.DeckTaken, table: CaredFor) -> None:
        deck = self.decks[event.back]
        assert deck["steps"] == OPENING
        assert deck["mixed"], "dealt from a deck that was not shuffled"
        waived = table.rules.options.get("self_shuffling") is True
        assert deck["by"] == "device" or deck["cut"] >= 10 or waived, "not cut"
        life = table.book.life.get(str(table.rules.options.get("dealing")))
        assert life is None or deck["age"] < life.hours * 3600, "beyond its hours"
        if len(self.decks) == 2:
            (other,) = set(self.decks) - {event.back}
            assert event.back != self.last, "the same deck twice running"
            assert other in self.machine
        self.machine.discard(event.back)
        self.rack.discard(event.back)
        self.used = self.last = event.back


class FaceDown(list[str]):
    """Steps of cards that were laid out face down: after the look they are washed at once."""

    def append(self, step: str) -> None:
        super().append(step)
        if step == "view":
            super().append("turn")


class CareMachine(RuleBasedStateMachine):
    @initialize(config=st.sampled_from(TABLES))
    def open(self, config: tuple[str, dict[str, Any]]) -> None:
        name, options = config
        self.it = CaredFor(name, **options)
        self.witness = Witness()
        self.heard = 0

    def _listen(self) -> None:
        for event in self.it.events[self.heard :]:
            self.witness.hear(event, self.it)
        self.heard = len(self.it.events)

    @rule(command=COMMANDS, actor=st.sampled_from([DAN, DAN, FLO, FLO, ANN]))
    def anything(self, command: TableCommand, actor: Actor) -> None:
        before = self.it.table
        if isinstance(command, r.Report) and actor != DAN:
            return
        try:
            self.it.do(command, actor)
        except CroupierError:
            assert self.it.table == before
        self._listen()

    @rule(
        seconds=st.one_of(
            st.integers(-40_000, 40_000), st.sampled_from([14_399, 14_400, 28_800, 60])
        )
    )
    def the_clock_jumps(self, seconds: int) -> None:
        self.it.at += seconds

    @rule(times=st.integers(1, 25), every=st.booleans())
    def prompts_are_followed(self, times: int, every: bool) -> None:
        for _ in range(times):
            step = (self.it.first("") if every else None) or self.it.first()
            if step is not None:
                self.it.follow(step)
        self._listen()

    @precondition(lambda self: self.it.table.round.phase == "over")
    @rule()
    def bets_are_opened(self) -> None:
        if not self.it.table.seats:
            self.it.sit()
        if self.it.first() is None:
            self.it.open_betting()
            self.it.bet()
        else:
            code, clause = self.it.refused(r.OpenBetting(self.it.table.round.number + 1, "live"))
            assert code == "care_due"
            assert clause
        self._listen()

    @precondition(lambda self: self.it.table.round.phase == "closed")
    @rule()
    def cards_are_dealt(self) -> None:
        if self.it.first() is None:
            self.it.do(r.Deal())
        else:
            assert self.it.refused(r.Deal())[0] == "care_due"
        self._listen()

    @precondition(lambda self: self.it.table.round.phase == "deciding")
    @rule(stop=st.sampled_from(["settling", "over", "over"]))
    def the_round_is_played(self, stop: str) -> None:
        self.it.play_on(stop)
        self._listen()

    @precondition(lambda self: self.it.table.round.phase != "over")
    @rule()
    def the_round_is_void(self) -> None:
        if not any(seat.settled for seat in self.it.table.round.seats):
            self.it.do(r.VoidRound("a disturbance"), FLO)
        self._listen()

    @invariant()
    def the_first_prompt_can_be_followed(self) -> None:
        if not hasattr(self, "it"):
            return
        step = self.it.first()
        assert len(self.it.care.decks) <= 2
        assert self.witness.rounds <= 5, "more than five rounds without a count"
        if step is None or step.name in ("view", "change_dealing"):
            return
        actor = {"dealer": DAN, "floorperson": FLO}[step.by[0]]
        plan(self.it.table, None, self.it.command(step), actor, self.it.at)

    def teardown(self) -> None:
        """No dead end: a round can be dealt from here, and the table closed."""
        if not hasattr(self, "it"):
            return
        if self.it.table.round.phase not in ("over", "betting", "closed"):
            self.it.play_on()
        if self.it.table.round.phase != "over":
            self.it.do(r.VoidRound("the end"), FLO)
        self.it.prepare()
        if not self.it.table.seats:
            self.it.sit()
        self.it.prepare()
        self.it.deal()
        self.it.play_on()
        self._listen()
        self.it.do(CloseTable(), FLO)


def test_whatever_is_done_with_the_cards() -> None:
    run_state_machine_as_test(
        CareMachine, settings=settings(max_examples=150, stateful_step_count=40, deadline=None)
    )


@pytest.mark.full
def test_whatever_is_done_with_the_cards_for_long() -> None:
    run_state_machine_as_test(
        CareMachine, settings=settings(max_examples=1500, stateful_step_count=80, deadline=None)
    )
