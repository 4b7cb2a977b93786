"""The care of the decks at a table in a journal: names, times, refusals, and the audit."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from croupier.deck_care import commands as c
from croupier.deck_care import events as did
from croupier.deck_care.state import Care, Deck, with_ages_at
from croupier.errors import Refusal
from croupier.ledger.journal import open_journal
from croupier.ledger.records.table_entries import attempts_stream, table_record
from croupier.ledger.verification.verify import verify
from croupier.rounds import commands as r
from croupier.rounds.declaration import Actor
from croupier.rulebooks.bundled import read_bundled
from croupier.runtime.house import House
from croupier.runtime.session import TableSession
from croupier.tables import deciding
from croupier.tables.commands import Assign, BuyIn, CloseTable, OpenTable, TakeSeat
from croupier.tables.planning import plan_opening
from croupier.tables.state import rules_of
from tests.tables.cared_for import ANN, DAN, FLO, CaredFor

START = datetime(2026, 11, 15, 10, tzinfo=UTC)
STEPS = ("inspect", "verify", "spread", "view", "turn", "wash", "stack")


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


def live(table: str = "T1", **options: object) -> OpenTable:
    terms = json.dumps({"options": options, "offered": []})
    return OpenTable(table, "md-uth", terms, source="live", inventory=10**8)


def opened(house: House) -> None:
    house.do("T1", live(dealing="manual_shoe"), FLO)
    house.do("T1", TakeSeat("Ann", 1), ANN)
    house.do("T1", BuyIn("Ann", 10**5), ANN)


def prepared(house: House) -> None:
    house.do("T1", c.ReceiveDeck("red", 2), FLO)
    for step in STEPS:
        by = FLO if step == "verify" else DAN
        player = "Ann" if step == "view" else None
        house.do("T1", c.HandleDeck(step, player=player), by)  # type: ignore[arg-type]
    house.do("T1", c.ShuffleDeck("hand"), DAN)
    house.do("T1", c.CutDeck(17), DAN)


def dealt(house: House) -> None:
    house.open_betting("T1", DAN)
    house.do("T1", r.PlaceWagers(1, "Ann", {"ante": 1000, "blind": 1000}), ANN)
    house.do("T1", r.CloseBets(), DAN)
    house.do("T1", r.Deal(), DAN)


def test_every_step_is_in_the_journal_with_name_and_time(tmp_path: Path) -> None:
    clock = Clock()
    with open_journal(str(tmp_path / "house.db")) as store:
        house = House(store, clock=clock)
        opened(house)
        with pytest.raises(Refusal) as refused:
            house.open_betting("T1", DAN)
        assert (refused.value.code, refused.value.clause) == ("care_due", "4.A")
        assert [entry.kind for entry in store.read(attempts_stream("T1"))] == ["refused"]
        assert [step.name for step in house.next_steps("T1")] == ["receive"]
        prepared(house)
        clock.now += timedelta(minutes=10)
        dealt(house)
        found = [
            (event, record.by)
            for record in map(table_record, store.read("table:T1"))
            for event in record.events
        ]
        (by,) = [
            by
            for event, by in found
            if isinstance(event, did.DeckHandled) and event.step == "verify"
        ]
        assert str(by) == "floorperson Flo"
        taken = next(event for event, _ in found if isinstance(event, did.DeckTaken))
        assert taken.at == int(clock.now.timestamp())
        house.do("T1", r.VoidRound("enough"), FLO)
        house.do("T1", CloseTable(), FLO)
        assert verify(store).valid
        # Another process reads the same.
        assert House(store).table("T1").care == house.table("T1").care


def test_hours_are_counted_in_the_journal_too_and_clocks_set_back_do_not_help(
    tmp_path: Path,
) -> None:
    clock = Clock()
    with open_journal(str(tmp_path / "house.db")) as store:
        house = House(store, clock=clock)
        opened(house)
        prepared(house)
        for _ in range(2):
            clock.now += timedelta(hours=3)
            dealt(house)
            house.do("T1", r.VoidRound("enough"), FLO)
            house.do("T1", c.ShuffleDeck("hand"), DAN)
            clock.now -= timedelta(hours=7)
            house.do("T1", c.CutDeck(20), DAN)
        clock.now += timedelta(hours=2)
        with pytest.raises(Refusal) as refused:
            house.open_betting("T1", DAN)
        assert refused.value.clause == "3.C(2)"
        assert [step.name for step in House(store, clock=clock).next_steps("T1")] == ["remove"]
        assert verify(store).valid


def test_a_round_from_a_deck_that_was_not_ready_is_found_by_the_audit(tmp_path: Path) -> None:
    """A journal written by software that asks nothing: the rules refuse what stands there."""
    with open_journal(str(tmp_path / "house.db")) as store, pytest.MonkeyPatch.context() as patch:
        house = House(store, clock=Clock())
        opened(house)
        house.do("T1", c.ReceiveDeck("red", 2), FLO)
        patch.setattr(deciding, "check_round", lambda *_: None)
        dealt(house)
        patch.undo()
        found = verify(store)
        assert not found.valid
        assert "looks at every card" in found.differences[0].message


def test_time_is_added_up_from_record_to_record() -> None:
    care = Care("hand", (Deck("red"),))
    for at, age in ((100, 0), (160, 60), (40, 60), (50, 70), (1000, 1020), (999, 1020)):
        care = with_ages_at(care, at)
        assert (care.clock, care.decks[0].age) == (at, age)


def test_virtual_tables_and_tables_whose_decks_are_not_kept_ask_for_nothing() -> None:
    virtual = CaredFor("md-uth").running
    assert virtual.table.care is not None
    for command in (
        OpenTable("one", "md-uth"),
        OpenTable("one", "md-uth", source="live", care=False),
    ):
        running = TableSession(plan_opening(command, FLO, with_link=False).table)
        assert running.table.care is None
        with pytest.raises(Refusal) as refused:
            running.do(c.ReceiveDeck("red", 2), DAN)
        assert refused.value.code == "care_not_kept"


def test_a_wager_that_the_other_way_of_dealing_cannot_serve_is_withdrawn_and_comes_back() -> None:
    table = CaredFor("md-uth", dealing="automated_shoe", deal_order="dealer_last")
    terms = json.loads(table.table.submission) | {"offered": ["trips", "six_card_bonus"]}
    opening = OpenTable("one", "md-uth", json.dumps(terms), source="live")
    table.running = TableSession(plan_opening(opening, FLO, with_link=False).table)
    table.do(c.MarkOutOfOrder("shoe", "sign"))
    (event,) = table.do(c.ChangeDealing("manual_shoe"), FLO)
    assert isinstance(event, did.DealingChanged)
    assert event.withdrawn == ("six_card_bonus",)
    assert table.rules.offered == {"trips"}
    table.do(c.RepairDevice("shoe"), FLO)
    table.do(c.ChangeDealing("automated_shoe"), FLO)
    assert table.table.submission == opening.submission
    assert rules_of(table.table).options["deal_order"] == "dealer_last"


def test_a_wager_that_needs_a_withdrawn_one_is_withdrawn_with_it() -> None:
    """In an own rulebook Ultimate Pairs goes with the Six Card Bonus only."""
    text = read_bundled("md-uth", "game.toml")
    own, pairs = text.index("[wagers.ultimate_pairs]"), 'needs = ["ante", "blind"]'
    needing = 'needs = ["ante", "blind", "six_card_bonus"]'
    changed = text[:own] + text[own:].replace(pairs, needing, 1)
    offered = ["trips", "six_card_bonus", "ultimate_pairs"]
    options = {"dealing": "automated_shoe", "deal_order": "dealer_last"}
    terms = json.dumps({"options": options, "offered": offered})
    opening = OpenTable("one", "md-uth", terms, changed, source="live")
    table = CaredFor("md-uth", seated=False)
    table.running = TableSession(plan_opening(opening, FLO, with_link=False).table)
    table.do(c.MarkOutOfOrder("shoe", "sign"))
    (event,) = table.do(c.ChangeDealing("manual_shoe"), FLO)
    assert isinstance(event, did.DealingChanged)
    assert event.withdrawn == ("six_card_bonus", "ultimate_pairs")
    assert table.rules.offered == {"trips"}


@pytest.mark.parametrize("rulebook", ["md-uth", "md-235", "md-jackpot", "md-wpt"])
def test_4_A_only_the_floorperson_assigned_to_this_table_verifies(rulebook: str) -> None:
    table = CaredFor(rulebook)
    table.do(Assign("floorperson", "Fred"), FLO)
    table.do(c.ReceiveDeck("red", table.book.cover_cards))
    table.do(c.HandleDeck("inspect"))
    assert table.refused(c.HandleDeck("verify"), FLO) == ("not_on_duty", "4.A")
    assert table.refused(c.HandleDeck("verify"), DAN) == ("wrong_role", "4.A")
    table.do(c.HandleDeck("verify"), Actor("floorperson", "Fred"))


def test_4_A_an_operator_verifies_where_a_floorperson_is_assigned() -> None:
    table = CaredFor("md-uth")
    table.do(Assign("floorperson", "Fred"), FLO)
    table.do(c.ReceiveDeck("red", table.book.cover_cards))
    table.do(c.HandleDeck("inspect"))
    table.do(c.HandleDeck("verify"), Actor("operator", "Olga"))


def test_a_floorperson_does_not_verify_his_own_inspection() -> None:
    table = CaredFor("md-uth")
    table.do(c.ReceiveDeck("red", 2))
    table.do(c.HandleDeck("inspect"))
    assert table.refused(c.HandleDeck("verify"), Actor("floorperson", "Dan")) == (
        "not_yours",
        "4.A",
    )


def test_a_player_looks_for_himself_only() -> None:
    table = CaredFor("md-uth")
    table.open_deck("view")
    assert table.refused(c.HandleDeck("view", player="Ann"), Actor("player", "Bob"))[0] == (
        "not_yours"
    )
    table.do(c.HandleDeck("view", player="Ann"), ANN)


def test_two_decks_without_a_working_shuffler_become_one() -> None:
    table = CaredFor("md-uth", dealing="manual_shoe", shuffler=True, decks=2)
    table.two_decks()
    table.do(c.MarkOutOfOrder("shuffler", "covered"))
    assert table.refused(c.ShuffleDeck("hand"))[0] in ("care_due", "needs_shuffler")
    assert "remove" in table.names()
    table.prepare()
    assert len(table.care.decks) == 1
    table.deal()
