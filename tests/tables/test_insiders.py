"""Roads by which one person once made money alone: terms changed under a table, invented people,
passwords handed on, small sums between large ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from croupier.cards import parse_cards
from croupier.cashier import Deposit
from croupier.errors import CroupierError
from croupier.ledger.entries import stamp
from croupier.ledger.history.floor_records import cashier_uses, moved_alone, recent_uses
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.records.people_accounts import ByWhom, record_change
from croupier.ledger.verification.verify import verify
from croupier.rounds import commands as r
from croupier.rounds.declaration import Actor
from croupier.runtime.cashier_session import CashierSession
from croupier.runtime.house import House
from croupier.runtime.house_terms import limit_changes, set_house_limits
from croupier.runtime.journal_session import JournalSession
from croupier.tables.commands import (
    Assign,
    BuyIn,
    CashOut,
    CloseTable,
    Confirm,
    Correct,
    Decline,
    Fill,
    GiveUpSeat,
    OpenTable,
    ReopenRound,
    SignCount,
    TableCommand,
    TakeSeat,
    Tip,
)
from tests.tables.test_money_matrix import CLEO, CORA, FLOAT, players_money, real_table
from tests.tables.test_two_people import AUDREY, DAN, FLO, FRED, OLGA, refused
from tests.tables.test_voids_by_dealers import APPROVAL, APPROVED

ANY_TIME = ""
LIVE_UTH = json.dumps(APPROVED)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.db") as opened:
        yield opened


def live(store: Journal) -> House:
    house = real_table(store, "live")
    house.do("T1", Assign("dealer", "Dan"), FLO)
    return house


def made_by(store: Journal, maker: str, *names: str, role: str = "floorperson") -> None:
    for name in names:
        record_change(store, "person_added", name, ByWhom("operator", maker), role=role)


# -- terms changed under a table ------------------------------------------------------------------


@pytest.mark.parametrize(("was", "becomes"), [("virtual", "live"), ("live", "virtual")])
def test_chips_never_change_between_an_account_and_cash(
    store: Journal, was: Any, becomes: Any
) -> None:
    house = real_table(store, was)
    house.do("T1", CloseTable(), FLO)
    opening = OpenTable("T1", "casino-holdem", source=becomes)
    assert refused(house, opening, FLO) == "wrong_source"
    house.do("T1", OpenTable("T1", "casino-holdem", source=was), FLO)
    assert house.table("T1").strict, "what the house opened stays the house's"
    if was == "virtual":
        for command in (BuyIn("p1", 100), CashOut("p1", 100)):
            assert refused(house, command, FLO) in ("account_only", "not_yours")


def test_a_closed_table_does_not_begin_its_limits_again(store: Journal) -> None:
    house = live(store)
    for _ in range(2):
        house.do("T1", BuyIn("p1", 500_000), DAN)
    for seat in (1, 2):
        house.do("T1", GiveUpSeat(f"p{seat}", seat), Actor("player", f"p{seat}"))
    house.do("T1", CloseTable(), FLO)
    house.do("T1", OpenTable("T1", "casino-holdem", source="live"), FLO)
    house.do("T1", Assign("dealer", "Dan"), FLO)
    house.do("T1", TakeSeat("p1", 1), DAN)
    house.do("T1", BuyIn("p1", 1), DAN)
    assert len(house.table("T1").pending) == 1


def test_yesterday_counts_no_more(store: Journal) -> None:
    house = live(store)
    house.do("T1", BuyIn("p1", 900_000), DAN)
    now = datetime.now(UTC)
    today, tomorrow = (stamp(now + timedelta(days=days, seconds=9)) for days in (-1, 0))
    assert moved_alone(store, "T1", today).buy_ins == {"p1": 900_000}
    assert moved_alone(store, "T1", tomorrow).buy_ins == {}


@pytest.mark.parametrize(("hours", "waits"), [(23, True), (25, False)])
def test_a_limit_counts_one_day(store: Journal, hours: int, waits: bool) -> None:
    live(store).do("T1", BuyIn("p1", 900_000), DAN)
    CashierSession(store, "p3").carry_out(Deposit(900_000), CLEO)
    then = datetime.now(UTC) + timedelta(hours=hours)
    session = JournalSession(store, "T1", clock=lambda: then)
    session.do(BuyIn("p1", 200_000), DAN)
    assert bool(session.table.pending) is waits
    account = CashierSession(store, "p3", clock=lambda: then)
    assert account.carry_out(Deposit(200_000), CLEO).waits is waits


def test_a_round_is_corrected_by_its_own_rules(store: Journal) -> None:
    """Not by those of a table that was opened again with other paytables, or as another game."""
    house = real_table(store, "virtual")
    house.do("T1", ReopenRound(2, "a dispute"), AUDREY)
    for seat in (1, 2):
        house.do("T1", GiveUpSeat(f"p{seat}", seat), Actor("player", f"p{seat}"))
    house.do("T1", CloseTable(), FLO)
    house.do("T1", OpenTable("T1", "three-card-poker", source="virtual"), FLO)
    assert refused(house, Correct(2, 1, "p1", "ante", 99_999_999, "x"), FLO) == "over_limit"
    assert refused(house, Correct(2, 1, "p1", "play", 100, "x"), FLO) == "nothing_there"


def test_rules_of_the_house_take_two_people_before_anybody_bets(store: Journal) -> None:
    house = real_table(store, "virtual")
    text = files("croupier.rulebooks").joinpath("games/casino-holdem/game.toml").read_text("utf-8")
    own = text.replace('id = "casino-holdem"', 'id = "friendly"', 1)
    assert own != text
    house.do("T2", OpenTable("T2", "friendly", rulebook_text=own, strict=True), FLO)
    house.do("T2", TakeSeat("p3", 1), Actor("player", "p3"))
    for actor in (DAN, Actor("dealer", "software")):
        with pytest.raises(CroupierError) as refusal:
            house.do("T2", r.OpenBetting(), actor)
        assert refusal.value.code == "count_unsigned"
    with pytest.raises(CroupierError):
        house.do("T2", SignCount(), FLO)
    house.do("T2", SignCount(), FRED)
    house.do("T2", r.OpenBetting(), DAN)
    assert verify(store).valid


@pytest.mark.parametrize("source", ["live", "virtual"])
def test_beside_money_every_table_is_the_houses(store: Journal, source: Any) -> None:
    """Also one that somebody opens from the command line or the library without saying so."""
    house = real_table(store, source)
    house.do("T2", OpenTable("T2", "casino-holdem", source=source), FLO)
    house.do("T2", Fill(50_000), FLO)
    assert [pending.why for pending in house.table("T2").pending] == ["a fill takes two people"]
    text = files("croupier.rulebooks").joinpath("games/casino-holdem/game.toml").read_text("utf-8")
    own = text.replace('id = "casino-holdem"', 'id = "friendly"', 1)
    house.do("T3", OpenTable("T3", "friendly", rulebook_text=own, source=source), FLO)
    count = house.table("T3").count
    assert count is not None
    assert count.waits, "a second person reads the rules"


# -- where nobody has an account yet --------------------------------------------------------------


def without_accounts(store: Journal, source: Any) -> House:
    house = House(store)
    house.do("T1", OpenTable("T1", "casino-holdem", source=source, strict=True), FLO)
    house.do("T1", TakeSeat("p1", 1), DAN)
    return house


def test_a_player_makes_no_account_from_nothing(store: Journal) -> None:
    house, player = without_accounts(store, "virtual"), Actor("player", "p1")
    for cents in range(999_900, 999_905):
        house.do("T1", BuyIn("p1", cents), player)
    house.do("T1", CashOut("p1", account=True), player)
    assert CashierSession(store, "p1").held.cents == 999_900
    assert len(house.table("T1").pending) == 4
    assert verify(store).valid


def test_at_a_live_table_only_the_dealer_on_duty_takes_money(store: Journal) -> None:
    house = without_accounts(store, "live")
    for actor in (DAN, FLO, OLGA, Actor("player", "p1")):
        assert refused(house, BuyIn("p1", 100), actor) == "not_on_duty"
    house.do("T1", Assign("dealer", "Dan"), FLO)
    house.do("T1", BuyIn("p1", 100), DAN)


def test_what_the_house_opened_stays_the_houses(store: Journal) -> None:
    house = without_accounts(store, "virtual")
    house.do("T1", CloseTable(), FLO)
    house.do("T1", OpenTable("T1", "casino-holdem"), FLO)
    house.do("T1", Fill(50_000), FLO)
    assert len(house.table("T1").pending) == 1


# -- invented people ------------------------------------------------------------------------------


def test_an_invented_player_is_no_second_limit(store: Journal) -> None:
    house, before = live(store), players_money(store)
    for number in range(9):
        for name in (f"x{number}", f"X{number}"):
            house.do("T1", TakeSeat(name, 3), DAN)
            house.do("T1", BuyIn(name, 900_000), DAN)
            house.do("T1", GiveUpSeat(name, 3), DAN)
    assert players_money(store) - before <= 5_000_000
    whys = {pending.why for pending in house.table("T1").pending}
    assert any("buys in for up to $10,000" in why for why in whys)
    assert any("buys players in for up to $50,000" in why for why in whys)


def test_a_name_that_an_operator_made_up_is_no_second_person_by_any_number_of_steps(
    store: Journal,
) -> None:
    made_by(store, "Olga", "Omar", role="operator")
    made_by(store, "Omar", "Pup")
    house = live(store)
    house.do("T1", Fill(50_000), OLGA)
    (waiting,) = house.table("T1").pending
    omar, pup = Actor("operator", "Omar"), Actor("floorperson", "Pup")
    for person in (omar, pup):
        assert refused(house, Confirm(waiting.number), person) == "not_independent"
    record_change(store, "password_set", "Omar", ByWhom("operator", "Omar"))
    record_change(store, "password_set", "Pup", ByWhom("operator", "omar"))
    for person in (omar, pup):
        assert refused(house, Confirm(waiting.number), person) == "not_independent"
    record_change(store, "password_set", "Pup", ByWhom("console", "root"))
    house.do("T1", Confirm(waiting.number), pup)


def test_the_second_signature_under_a_count_is_independent_too(store: Journal) -> None:
    made_by(store, "Olga", "Pup", role="dealer")
    house = House(store)
    house.do("T1", OpenTable("T1", "casino-holdem", source="live", float=FLOAT, strict=True), OLGA)
    assert refused(house, SignCount(dict(FLOAT)), Actor("dealer", "Pup")) == "not_independent"
    house.do("T1", SignCount(dict(FLOAT)), DAN)


@pytest.mark.parametrize("cashier", ["Pup", "Olga", "OLGA", "Friend"])
def test_whoever_made_an_account_handles_no_money_of_it_under_any_name(
    store: Journal, cashier: str
) -> None:
    made_by(store, "Olga", "friend", role="player")
    made_by(store, "Olga", "Pup", role="cashier")
    with pytest.raises(CroupierError) as refusal:
        CashierSession(store, "friend").carry_out(Deposit(1000), Actor("cashier", cashier))
    assert refusal.value.code in ("not_independent", "not_yours")
    CashierSession(store, "friend").carry_out(Deposit(1000), CLEO)


# -- between proposing and confirming -------------------------------------------------------------


def test_what_was_proposed_is_checked_again_when_it_is_confirmed(store: Journal) -> None:
    """The dealer who proposed to buy somebody in is not on duty any more."""
    house = live(store)
    house.do("T1", BuyIn("p1", 5_000_000), DAN)
    (waiting,) = house.table("T1").pending
    for other in ("Dee", ""):
        house.do("T1", Assign("dealer", other), FLO)
        assert refused(house, Confirm(waiting.number), FLO) == "not_on_duty"


def test_what_is_due_to_a_player_who_has_left_goes_to_their_account(store: Journal) -> None:
    house = real_table(store, "virtual")
    house.do("T1", ReopenRound(2, "a dispute"), AUDREY)
    house.do("T1", GiveUpSeat("p1", 1), Actor("player", "p1"))
    house.do("T1", CashOut("p1", account=True), Actor("player", "p1"))
    held, cash = CashierSession(store, "p1").held.cents, store.balances("patron:")
    for wager in ("ante", "call", "aa"):
        try:
            house.do("T1", Correct(2, 1, "p1", wager, 100, "a dispute"), FLO)
        except CroupierError:
            continue
    assert CashierSession(store, "p1").held.cents > held
    assert store.balances("patron:") == cash
    assert verify(store).valid


def test_a_dealer_takes_no_chips_of_a_player_who_has_left(store: Journal) -> None:
    """At a live table chips may stay behind: no cash and no tip is made of them."""
    house = live(store)
    house.do("T1", BuyIn("p1", 300_000), DAN)
    house.do("T1", Tip("p1", 500), DAN)
    house.do("T1", GiveUpSeat("p1", 1), DAN)
    cash = store.balances("patron:")
    assert refused(house, Tip("p1", 299_500), DAN) == "not_seated"
    house.do("T1", CashOut("p1"), DAN)
    assert CashierSession(store, "p1").held.cents == 1_199_500
    assert store.balances("patron:") == cash
    assert verify(store).valid


def dealt(store: Journal, dealer: Actor = DAN, bets_on_meter: int = 0, **more: Any) -> House:
    """Dan pays a friend a royal flush that he has typed: $10,000 on a Blind of $20, and $80."""
    house, terms = House(store), json.dumps(APPROVED | more)
    house.do("T1", OpenTable("T1", "md-uth", terms, source="live", care=False, strict=True), OLGA)
    house.do("T1", Assign("dealer", dealer.name), OLGA)
    house.do("T1", TakeSeat("p1", 1), dealer)
    house.do("T1", BuyIn("p1", 100_000), dealer)
    house.do("T1", r.OpenBetting(), dealer)
    bets = {"ante": 2000, "blind": 2000} | ({"progressive": bets_on_meter} if bets_on_meter else {})
    given: list[TableCommand] = [r.PlaceWagers(1, "p1", bets), r.CloseBets()]
    given += [r.CountChips(1)] if bets_on_meter else []
    given += [r.Deal(), r.Act(1, "p1", "4x")]
    for command in given:
        house.do("T1", command, dealer)
    for board in ("Qs Js Ts", "2c 3d"):
        house.do("T1", r.RevealCards(parse_cards(board)), dealer)
    house.do("T1", r.ShowDealer(parse_cards("4h 5c")), dealer)
    house.do("T1", r.EnterCards("player", parse_cards("As Ks"), 1), dealer)
    return house


def test_the_floor_looks_at_the_cards_before_much_is_paid(store: Journal) -> None:
    house = dealt(store)
    before = players_money(store)
    house.do("T1", r.Settle(), DAN)
    (waiting,) = house.table("T1").pending
    assert players_money(store) == before
    assert "the dealer alone pays up to $10,000" in waiting.why
    for command in (r.Settle(), r.Collect(), r.ReplaceCards("player", parse_cards("Ah Kd"), 1)):
        assert refused(house, command, DAN) == "waits_for_floor"
    assert refused(house, Confirm(waiting.number), DAN) == "not_yours"
    house.do("T1", Decline(waiting.number, "the king is a queen"), FLO)
    house.do("T1", r.Settle(), DAN)
    house.do("T1", Confirm(house.table("T1").pending[0].number), FLO)
    assert players_money(store) > before + 1_000_000
    house.do("T1", r.Collect(), DAN)
    assert verify(store).valid
    uses = recent_uses(store, "T1").since(ANY_TIME, house.table("T1").version)
    confirmed, again, declined, proposed, _ = [(use.by, use.words) for use in uses]
    for by, words in (proposed, again):
        assert by == "Dan"
        assert "the dealer alone pays up to $10,000" in words
    assert declined == ("Flo", f"Flo declines number {waiting.number}: the king is a queen")
    assert confirmed[0] == "Flo"
    assert "as the second person" in confirmed[1]


@pytest.mark.parametrize("role", ["floorperson", "operator"])
def test_the_floor_alone_turns_no_chips_of_a_live_table_into_cash(
    store: Journal, role: Any
) -> None:
    """Those of a person with an account go back to it; those of others take two people."""
    house, floor = live(store), Actor(role, "Ivy")
    record_change(store, "person_added", "p4", ByWhom("console", "root"), role="player")
    for seat, player in ((3, "guest"), (4, "p4")):
        house.do("T1", TakeSeat(player, seat), DAN)
    for player in ("p1", "guest", "p4"):
        house.do("T1", BuyIn(player, 300_000), DAN)
    house.do("T1", GiveUpSeat("p1", 1, "gone for an hour"), floor)
    cash = store.balances("patron:")
    assert refused(house, CashOut("p1", account=True), DAN) == "wrong_source"
    for player in ("p1", "guest"):
        house.do("T1", CashOut(player), floor)
    assert store.balances("patron:") == cash
    first, second = house.table("T1").pending
    assert refused(house, Confirm(second.number), floor) == "not_yours"
    for pending in (first, second):
        house.do("T1", Confirm(pending.number), DAN)
    assert CashierSession(store, "p1").held.cents == 1_200_000
    assert store.balances("patron:").get("patron:guest", 0) == cash["patron:guest"] + 300_000
    uses = recent_uses(store, "T1").since(ANY_TIME, house.table("T1").version)
    assert [use.by for use in uses][:4] == ["Dan", "Dan", "Ivy", "Ivy"]
    assert verify(store).valid


def test_a_large_award_is_validated_by_nobody_who_could_have_typed_the_cards(
    store: Journal,
) -> None:
    """An operator deals under the name of a dealer whom the operator made, and validates."""
    made_by(store, "Olga", "Puppet", role="dealer")
    puppet = Actor("dealer", "Puppet")
    meter = {"progressive": {"stakes": ["1"], "meters": {"main": {"rate": "0.05"}}}}
    approvals = dict.fromkeys(("layout", "boxes", "shoe", "progressive"), APPROVAL)
    house = dealt(store, puppet, 100, offered=["progressive"], approvals=approvals, **meter)
    set_house_limits(store, "house", payout=2_000_000)
    house.do("T1", r.Settle(), puppet)
    assert house.table("T1").round.claim is not None
    set_house_limits(store, "house", payout=100_000)
    before = players_money(store)
    assert refused(house, r.ValidateProgressive(1), OLGA) == "not_independent"
    house.do("T1", Assign("dealer", "Dan"), OLGA)
    assert refused(house, r.ValidateProgressive(1), OLGA) == "not_independent"
    assert players_money(store) == before
    house.do("T1", r.ValidateProgressive(1), FLO)
    assert players_money(store) > before
    uses = recent_uses(store, "T1").since(ANY_TIME, house.table("T1").version)
    assert uses[0].by == "Flo"
    assert verify(store).valid


# -- the board ------------------------------------------------------------------------------------


def test_many_small_sums_push_no_large_one_off_the_board(store: Journal) -> None:
    house = live(store)
    house.do("T1", BuyIn("p1", 700_000), DAN)
    for _ in range(220):
        house.do("T1", BuyIn("p2", 1), DAN)
    uses = recent_uses(store, "T1").since(ANY_TIME, house.table("T1").version)
    assert len(uses) == 221
    assert "$7,000" in uses[-1].words


def test_the_board_shows_cashiers_and_changed_limits(store: Journal) -> None:
    session = CashierSession(store, "p1")
    session.carry_out(Deposit(2_000_000), CORA)
    session.carry_out(Deposit(500), CLEO)
    set_house_limits(store, "house", correction=12_300)
    proposed, taken = sorted(cashier_uses(store, ANY_TIME), key=lambda use: use.entry)
    assert "waits for a second cashier" in proposed.words
    assert "Cleo takes a deposit of $5 for the account of p1" in taken.words
    (change,) = limit_changes(store, ANY_TIME)
    assert "correction $123" in change.words
    assert cashier_uses(store, stamp(datetime.now(UTC) + timedelta(seconds=9))) == []
