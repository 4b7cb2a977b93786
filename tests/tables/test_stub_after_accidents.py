"""The count of the stub after an accident: whatever lies elsewhere is not missing from the deck."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards import DECK, Card
from croupier.deck_care import commands as c
from croupier.deck_care.events import StubCounted
from croupier.deck_care.next_steps import stub_expected
from croupier.rounds import commands as r
from croupier.rounds.actions import dealer_actions, legal_actions
from croupier.rounds.card_entry import known_cards, missing_cards
from croupier.rounds.irregularities import irregularities_now
from croupier.tables.commands import BuyIn, TakeSeat
from tests.tables.cared_for import DAN, FLO, CaredFor
from tests.tables.live import live_command


@dataclass(frozen=True)
class Dealt:
    """How many cards a document deals, and by which clause a right count lets the round go on."""

    doc: str
    way: str
    each: int
    others: int
    clause: str
    order: str = ""
    offered: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.doc}-{self.way}{self.order and '-'}{self.order}"


WAYS = [
    Dealt("md-uth", "manual_shoe", 2, 7, "8.F"),
    Dealt("md-uth", "hand", 2, 9, "9.D"),
    Dealt("md-uth", "automated_shoe", 2, 11, "10.D", offered=("six_card_bonus", "trips")),
    Dealt("md-uth", "automated_shoe", 2, 7, "10.D", order="dealer_last"),
    Dealt("md-uth", "automated_shoe", 2, 7, "10.D", order="community_first"),
    Dealt("ma-uth", "manual_shoe", 2, 9, "7(g)(1)"),
    Dealt("ma-uth", "automated_shoe", 2, 7, "7(g)(1)"),
    Dealt("md-wpt", "manual_shoe", 2, 7, "8.F"),
    Dealt("md-wpt", "hand", 2, 9, "9.D"),
    Dealt("md-wpt", "automated_shoe", 2, 7, "10.D", order="community_last"),
    Dealt("md-wpt", "automated_shoe", 2, 7, "10.D", order="community_first"),
    Dealt("md-jackpot", "manual_shoe", 2, 7, "8.F"),
    Dealt("md-jackpot", "hand", 2, 7, "9.D"),
    Dealt("md-jackpot", "automated_shoe", 2, 7, "10.D"),
    Dealt("md-jackpot", "automated_shoe", 2, 7, "10.D", order="dealer_last"),
    Dealt("md-235", "manual_shoe", 3, 2, "8.E"),
    Dealt("md-235", "hand", 3, 2, "9.F"),
    Dealt("md-235", "automated_shoe", 3, 2, "10.F", order="community_last"),
    Dealt("md-235", "automated_shoe", 3, 3, "10.F", order="community_first"),
]


def _way(doc: str, way: str) -> Dealt:
    return next(dealt for dealt in WAYS if (dealt.doc, dealt.way) == (doc, way))


class Accidents(CaredFor):
    """A table of three players at which things go wrong; `off` counts what left the stub."""

    def __init__(self, dealt: Dealt) -> None:
        options: dict[str, Any] = {"dealing": dealt.way}
        if dealt.order:
            options["deal_order"] = dealt.order
        if dealt.way != "manual_shoe":
            options["shuffler"] = True
        super().__init__(dealt.doc, offered=dealt.offered, **options)
        for seat, name in ((2, "Bob"), (3, "Cid")):
            self.do(TakeSeat(name, seat))
            self.do(BuyIn(name, 10**6))
        self.prepare()
        self.open_betting()
        wagers = dict.fromkeys((*self.rules.required, *dealt.offered), 1000)
        for seat, name in self.table.seats.items():
            self.do(r.PlaceWagers(seat, name, wagers))
        self.do(r.CloseBets())
        self.off = 3 * dealt.each + dealt.others
        self.right = {"hand": dealt.each, "box": 4}

    def unseen(self) -> Iterator[Card]:
        known = set(known_cards(self.table.round))
        return iter([card for card in DECK if card not in known])

    def step(self) -> None:
        """What comes next, as briefly as it can be done."""
        state = self.table.round
        if state.phase == "deciding":
            seat = state.seat(state.turn)
            assert seat is not None
            said = legal_actions(state, self.rules, seat.number, seat.player)
            self.do(r.Act(seat.number, seat.player, said[0].action))
            return
        (tag, *_) = dealer_actions(state, self.rules)
        command = r.Deal() if tag == "deal" else live_command(tag, state, self.rules, DECK)
        self.do(command)

    def happens(self, choice: int, more: int) -> bool:
        """One of the accidents that can have happened now and leaves the round in play."""
        state = self.table.round
        found = [x for x in irregularities_now(state, self.rules) if "goes on" in x.words]
        found += [x for x in irregularities_now(state, self.rules) if "held" in x.asks]
        if not found:
            return False
        told = found[choice % len(found)]
        unseen = self.unseen()
        cards = tuple(next(unseen) for _ in range(told.least_cards))
        free = [seat.number for seat in state.seats if not seat.void]
        if "seat" in told.asks and len(free) < 2:
            return False
        seat = free[choice % len(free)] if "seat" in told.asks else 0
        held = None
        if "held" in told.asks:
            where = self.rules.book.irregularities[told.kind].counts
            held = self.right[where] + more
            self.off += more
        self.off += len(cards)
        self.do(r.Report(told.kind, cards, seat, held=held), FLO)
        if self.table.round.phase == "closed":
            self.prepare()
        return True


@pytest.mark.parametrize("dealt", WAYS, ids=str)
@settings(max_examples=15)
@given(data=st.data())
def test_the_stub_is_52_less_what_really_lies_elsewhere(dealt: Dealt, data: st.DataObject) -> None:
    table = Accidents(dealt)
    while table.table.round.phase not in ("settling", "over"):
        if data.draw(st.booleans()):
            choice, more = data.draw(st.integers(0, 20)), data.draw(st.sampled_from((-1, 1, 2)))
            table.happens(choice, more)
        table.step()
    assert table.table.round.phase == "settling", "nothing of this voids a round"
    assert stub_expected(table.table.round, table.rules) == 52 - table.off
    (event,) = table.do(c.CountStub(52 - table.off))
    assert isinstance(event, StubCounted)
    assert event.clause == dealt.clause


@pytest.mark.parametrize("wrong", [-1, 1])
@pytest.mark.parametrize("dealt", WAYS, ids=str)
def test_another_count_still_voids_the_round_and_condemns_the_deck(
    dealt: Dealt, wrong: int
) -> None:
    table = Accidents(dealt)
    table.step()
    assert table.happens(0, 1)
    while table.table.round.phase != "settling":
        table.step()
    table.do(c.CountStub(52 - table.off + wrong))
    assert table.table.round.void
    assert "remove" in table.names()


def _to_settling(table: Accidents) -> None:
    while table.table.round.phase != "settling":
        table.step()


def _is_right(table: Accidents, count: int) -> bool:
    (first, *rest) = table.do(c.CountStub(count))
    assert isinstance(first, StubCounted)
    return not rest


def test_14_d_a_void_hand_s_extra_card_is_not_missing() -> None:
    """Told or not told: the stub is short by the card that lies in the void hand."""
    dealt = _way("ma-uth", "manual_shoe")
    for told in (3, None):
        table = Accidents(dealt)
        table.step()
        table.do(r.Report("wrong_count", seat=2, held=told))
        _to_settling(table)
        assert _is_right(table, 52 - table.off - 1)
    table = Accidents(dealt)
    table.step()
    table.do(r.Report("wrong_count", seat=2, held=3))
    _to_settling(table)
    assert not _is_right(table, 52 - table.off), "the extra card is not in the stub as well"


def test_14_d_a_number_that_is_right_or_belongs_nowhere_is_refused() -> None:
    table = Accidents(_way("ma-uth", "manual_shoe"))
    table.step()
    assert table.refused(r.Report("wrong_count", seat=2, held=2)) == ("bad_request", "14(d)")
    card = (next(table.unseen()),)
    told = r.Report("one_card_face_up", card, held=3)
    assert table.refused(told) == ("bad_request", "14(b)")


def test_13_E_a_box_with_five_cards_is_not_missing_one() -> None:
    """MD-46: only the Six Card Bonus comes back, and the deck is whole."""
    table = Accidents(_way("md-uth", "automated_shoe"))
    table.step()
    table.do(r.Report("box_wrong_count", held=5))
    _to_settling(table)
    assert _is_right(table, 52 - table.off - 1)
    while missing_cards(table.table.round, table.rules):
        table.do(live_command("enter_cards", table.table.round, table.rules, DECK))
    table.do(r.Settle(every=True), DAN)
    seat = table.table.round.seat(1)
    assert seat is not None
    assert {x.wager: x.result for x in seat.lines}["six_card_bonus"] == "void"
