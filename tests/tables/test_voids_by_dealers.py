"""A dealer voids nothing, by whichever road: what they report or count waits for the floor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.cards import DECK
from croupier.deck_care import commands as c
from croupier.errors import CroupierError
from croupier.ledger.history.floor_records import recent_voids
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.records.table_entries import attempts_stream
from croupier.ledger.verification.verify import verify
from croupier.rounds import commands as r
from croupier.rounds.declaration import Actor
from croupier.rounds.events import IrregularityNoted, RoundVoided
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.loader import load_rulebook
from croupier.runtime.house import House
from croupier.runtime.journal_session import Expected
from croupier.tables.commands import (
    Assign,
    BuyIn,
    CallFloor,
    Confirm,
    Decline,
    OpenTable,
    TableCommand,
    TakeSeat,
)
from croupier.tables.events import Confirmed, Proposed, TableEvent
from croupier.tables.sentences import describe_plan
from croupier.tables.state import Table, rules_of
from croupier.tables.work import work
from tests.tables.care_procedure import at_the_count
from tests.tables.cared_for import ANN, DAN, FLO, CaredFor

FRED = Actor("floorperson", "Fred")
APPROVAL = {"number": "A-1", "date": "2026-11-15", "authority": "Commission"}
TERMS = {"offered": [], "options": {"dealing": "manual_shoe"}}
APPROVED = TERMS | {"approvals": dict.fromkeys(("layout", "boxes", "shoe"), APPROVAL)}


class Dealt:
    """A live table of the house in a journal: Ann has bet, and the cards are dealt."""

    def __init__(self, journal: Journal) -> None:
        self.journal, self.house = journal, House(journal)
        self.on_screen: tuple[str, ...] = ()
        opening = OpenTable(
            "T1", "md-uth", json.dumps(APPROVED), source="live", care=False, strict=True
        )
        self.do(opening, Actor("operator", "Olga"))
        self.do(Assign("dealer", "Dan"), FLO)
        self.do(TakeSeat("Ann", 1), DAN)
        self.do(BuyIn("Ann", 100_000), DAN)
        self.deal()

    def deal(self) -> None:
        self.do(r.OpenBetting(), DAN)
        self.do(r.PlaceWagers(1, "Ann", {"ante": 1000, "blind": 1000}), DAN)
        self.do(r.CloseBets(), DAN)
        self.do(r.Deal(), DAN)

    @property
    def table(self) -> Table:
        return self.house.table("T1")

    def do(self, command: TableCommand, actor: Actor) -> tuple[TableEvent, ...]:
        return self.house.do("T1", command, actor, None, Expected(duties=self.on_screen))

    def refused(self, command: TableCommand, actor: Actor) -> str:
        before, tried = self.table, self.journal.head(attempts_stream("T1")).version
        with pytest.raises(CroupierError) as refusal:
            self.do(command, actor)
        assert self.table == before
        assert self.journal.head(attempts_stream("T1")).version == tried + 1
        return refusal.value.code

    def misdeal(self) -> int:
        """Dan reports one, and it waits under this number."""
        (proposed,) = self.do(r.Report("wrong_count", note="three cards"), DAN)
        assert isinstance(proposed, Proposed)
        return proposed.number


@pytest.fixture
def dealt(tmp_path: Path) -> Iterator[Dealt]:
    with open_journal(tmp_path / "journal.db") as journal:
        yield Dealt(journal)
        assert verify(journal).differences == ()


def test_13_E_a_misdeal_reported_by_a_dealer_is_void_when_the_floor_confirms_it(
    dealt: Dealt,
) -> None:
    number = dealt.misdeal()
    assert not dealt.table.round.void
    assert dealt.table.rack("Ann") == 98_000, "nothing has moved"
    for person in (DAN, Actor("dealer", "Dee")):
        assert dealt.refused(Confirm(number), person) in ("not_yours", "not_on_duty")
    events = dealt.do(Confirm(number), FLO)
    assert [type(event) for event in events] == [Confirmed, IrregularityNoted, RoundVoided]
    assert dealt.table.rack("Ann") == 100_000
    (void,) = recent_voids(dealt.journal, "T1").since("", dealt.table.version)
    assert (void.by, void.role, void.second, void.clause) == ("Dan", "dealer", "Flo", "13.E")
    assert (void.what, void.cents, void.round) == ("round", 2000, 1)
    assert void.reason.endswith("wrong number of cards: three cards")


def test_what_would_follow_is_shown_to_the_dealer_and_to_the_floor(dealt: Dealt) -> None:
    report = r.Report("wrong_count")
    words = " ".join(describe_plan(dealt.house.foresee("T1", report, DAN)))
    assert "Ann gets $20" in words
    assert "this waits for a floorperson to confirm it" in words
    number = dealt.misdeal()
    words = " ".join(describe_plan(dealt.house.foresee("T1", Confirm(number), FLO)))
    assert "Ann gets $20" in words
    assert "void" in words
    assert dealt.table.pending, "looking changes nothing"


def test_the_round_stands_still_until_the_floor_has_decided(dealt: Dealt) -> None:
    number = dealt.misdeal()
    (step, *others) = work(dealt.table, rules_of(dealt.table), 0)
    assert (step.command, step.by) == (Confirm(number), ("floorperson", "operator"))
    assert "wrong number of cards" in step.words
    assert others == [], "nothing else is to be done in the round"
    assert dealt.refused(r.Act(1, "Ann", "check"), DAN) == "waits_for_floor"
    assert dealt.refused(r.RevealCards(DECK[:3]), DAN) == "waits_for_floor"
    assert dealt.refused(r.Report("wrong_count", note="three cards"), DAN) == "already_done"
    dealt.do(CallFloor("please come"), DAN)
    dealt.do(Decline(number, "two cards lie there"), FLO)
    dealt.do(r.Act(1, "Ann", "check"), DAN)
    dealt.do(r.RevealCards(DECK[:3]), DAN)


def test_what_was_reported_in_one_round_voids_no_other(dealt: Dealt) -> None:
    number = dealt.misdeal()
    dealt.do(r.VoidRound("the fire alarm"), FLO)
    assert dealt.refused(Confirm(number), FRED) == "not_now"
    dealt.deal()
    assert dealt.refused(Confirm(number), FRED) == "not_now"
    dealt.do(r.Act(1, "Ann", "check"), DAN)
    dealt.do(Decline(number, "that round is over"), FRED)
    assert dealt.table.pending == ()


def test_a_floorperson_who_reports_confirms_alone(dealt: Dealt) -> None:
    *_, void = dealt.do(r.Report("wrong_count"), FLO)
    assert isinstance(void, RoundVoided)


def test_what_voids_nothing_is_the_dealers(dealt: Dealt) -> None:
    """13.A: one card face up is set aside, and the round goes on."""
    (noted,) = dealt.do(r.Report("one_card_face_up", (DECK[0],)), DAN)
    assert isinstance(noted, IrregularityNoted)


@pytest.mark.parametrize("doc", DOCUMENTS)
def test_a_second_count_that_differs_waits_for_the_floor(doc: str) -> None:
    """Not even the right number, typed a third time, gets past it."""
    table = at_the_count(doc, "manual_shoe")
    table.running.table = replace(table.running.table, strict=True)
    right = table.right_stub()
    table.do(c.CountStub(right - 1))
    (proposed,) = table.do(c.CountStub(right - 1))
    assert isinstance(proposed, Proposed)
    assert not table.table.round.void
    assert table.refused(c.CountStub(right))[0] == "waits_for_floor"
    assert table.refused(r.Settle(every=True))[0] in ("waits_for_floor", "cards_missing")
    events = table.do(Confirm(proposed.number), FLO)
    assert isinstance(events[-1], RoundVoided)
    assert table.table.rack("Ann") == 10**6
    assert table.names() == ["remove"]


ROADS = [
    (doc, kind)
    for doc in DOCUMENTS
    for kind in ("several_cards_face_up", "wrong_count", "dealer_card_exposed", "shoe_jam")
    if kind in load_rulebook(doc).default.irregularities
]


@pytest.mark.parametrize(("doc", "kind"), ROADS)
def test_no_report_of_a_dealer_voids_a_round(doc: str, kind: str) -> None:
    """Of every document, whatever is void by it."""
    table = CaredFor(doc, dealing="automated_shoe" if kind == "shoe_jam" else "manual_shoe")
    table.prepare()
    table.deal()
    table.running.table = replace(table.running.table, strict=True)
    asks = table.rules.book.irregularities[kind].asks
    cards = DECK[:2] if "cards" in asks else ()
    report = r.Report(kind, cards, 1 if "seat" in asks else 0)
    assert [type(event) for event in table.do(report)] == [Proposed]
    assert not table.table.round.void
    assert table.table.rack("Ann") < 10**6
    assert table.refused(Confirm(table.table.pending[0].number), ANN)[0] == "wrong_role"
