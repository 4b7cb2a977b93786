"""Tables in a journal: written before they are true, resumed, shared, done once, tried in vain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from croupier.errors import CroupierError, Refusal, RuleBroken, UnknownName
from croupier.ledger.entries import Mark
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.records.table_entries import Attempt, attempts_stream, table_stream
from croupier.ledger.verification.checks import check_balances, check_streams
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
from croupier.rounds.declaration import Actor, from_json, to_json
from croupier.runtime.house import House
from croupier.tables.commands import BuyIn, CloseTable, OpenTable, TableCommand, TakeSeat, Tip
from tests.tables.seated import DEALER, FLOOR, OPERATOR, deck_for, game

ANN = Actor("player", "ann")
BETS = {"ante": 1000, "blind": 1000}
PAPERS = game("md-uth", options={"dealing": "manual_shoe"}, offered=["trips", "progressive"])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def store(path: Path) -> Iterator[Journal]:
    with open_journal(path) as opened:
        yield opened


def opening(table: str = "one", link: str = "") -> OpenTable:
    return OpenTable(table, "md-uth", PAPERS.submission, inventory=10**8, link=link)


def house(store: Journal, *tables: str, link: str = "") -> House:
    """Tables with Ann at seat 1 and $5,000 before her."""
    made = House(store)
    for table in tables:
        made.do(table, opening(table, link), OPERATOR)
        made.do(table, TakeSeat("ann", 1), ANN)
        made.do(table, BuyIn("ann", 500_000), ANN)
    return made


def check_books(store: Journal, *houses: House) -> None:
    """The ledger and every table agree to the cent; nothing was made and the chain is whole."""
    check_streams(store)
    balances = check_balances(store)
    assert sum(balances.values()) == 0
    for some in houses:
        for name in some.tables():
            prefix = f"table:{name}:"
            inside = {
                account.removeprefix(prefix): cents
                for account, cents in balances.items()
                if account.startswith(prefix) and cents
            }
            assert inside == some.table(name).money
            link = some.link(some.table(name).link)
            assert link is not None
            for meter, cents in link.shown().items():
                assert balances[f"meter:{link.id}:{meter}"] == cents
                account = link.explain(meter)
                assert account.reading == account.explained
            assert balances.get(f"award:{name}", 0) == 0


def play(made: House, table: str, *, progressive: bool = False, royal: bool = False) -> None:
    """A round up to its settlement."""
    seats = {1: "Ah Kh"} if royal else {1: "2c 7d"}
    deck = deck_for(PAPERS.rules, seats, seats, dealer="8c 9s", board="Qh Jh Th 3c 4d")
    number = made.table(table).round.number + 1
    made.do(table, OpenBetting(number, "virtual", "sealed", "salt", deck), DEALER)
    wagers = BETS | ({"progressive": 100} if progressive else {})
    made.do(table, PlaceWagers(1, "ann", wagers), ANN)
    made.do(table, CloseBets(), DEALER)
    if progressive:
        made.do(table, CountChips(1), DEALER)
    made.do(table, Deal(), DEALER)
    made.do(table, Act(1, "ann", "4x"), ANN)
    made.do(table, RevealCards(), DEALER)
    made.do(table, RevealCards(), DEALER)
    made.do(table, ShowDealer(), DEALER)
    made.do(table, Settle(), DEALER)


def attempts(store: Journal, table: str = "one") -> list[Attempt]:
    return [from_json(entry.body, Attempt) for entry in store.read(attempts_stream(table))]


# -- refusals -------------------------------------------------------------------------------------


def test_what_was_refused_is_recorded_and_changes_nothing(store: Journal) -> None:
    made = house(store, "one")
    made.open_betting("one", DEALER)
    before = to_json(made.table("one")), store.head(table_stream("one"))
    tries: list[tuple[Any, Actor, str, str | None]] = [
        (PlaceWagers(1, "ann", {"ante": 10**12, "blind": 10**12}), ANN, "not_enough_money", None),
        (PlaceWagers(2, "zoe", BETS), Actor("player", "zoe"), "not_seated", "7.C"),
        (CloseBets(), ANN, "wrong_role", "8.C(1)"),
        (Deal(), DEALER, "not_now", None),
        (ValidateProgressive(1), DEALER, "wrong_role", "11.J(2)(c)"),
        (Tip("ann", 10**9), ANN, "not_enough_money", None),
        (PlaceWagers(1, "ann", {"trips": 500}), ANN, "rule_broken", "7.F(2)"),
        (TakeSeat("ann", 2), ANN, "already_done", None),
    ]
    for command, actor, code, _ in tries:
        with pytest.raises((Refusal, RuleBroken)) as refusal:
            made.do("one", command, actor)
        assert refusal.value.code == code
    assert (to_json(made.table("one")), store.head(table_stream("one"))) == before
    recorded = attempts(store)
    assert [(from_json(x.command, TableCommand), str(x.by), x.code) for x in recorded] == [
        (command, str(actor), code) for command, actor, code, _ in tries
    ]
    assert [x.clause for x in recorded] == [clause for *_, clause in tries]
    check_books(store, made)


def test_an_unknown_table_is_named_with_its_neighbor(store: Journal) -> None:
    made = house(store, "one")
    with pytest.raises(UnknownName, match="one"):
        made.do("onne", CloseBets(), DEALER)
    assert store.streams("attempts:") == ()


def test_a_table_that_is_open_is_not_opened_again(store: Journal) -> None:
    made = house(store, "one")
    with pytest.raises(Refusal):
        made.do("one", opening(), OPERATOR)
    assert [x.code for x in attempts(store)] == ["already_done"]


# -- resuming -------------------------------------------------------------------------------------


def test_a_round_goes_on_in_the_middle_after_reopening(path: Path) -> None:
    """At every step of a round the process is gone, and another takes over."""
    with open_journal(path) as first:
        house(first, "one")
    deck = deck_for(PAPERS.rules, {1: ""}, {1: "Ah Kh"}, dealer="8c 9s", board="Qh Jh Th 3c 4d")
    steps: list[tuple[Any, Actor]] = [
        (OpenBetting(1, "virtual", "sealed", "salt", deck), DEALER),
        (PlaceWagers(1, "ann", BETS | {"progressive": 100}), ANN),
        (CloseBets(), DEALER),
        (CountChips(1), DEALER),
        (Deal(), DEALER),
        (Act(1, "ann", "check"), ANN),
        (RevealCards(), DEALER),
        (Act(1, "ann", "2x"), ANN),
        (RevealCards(), DEALER),
        (ShowDealer(), DEALER),
        (Settle(), DEALER),
        (ValidateProgressive(1), FLOOR),
        (Collect(), DEALER),
    ]
    states: list[bytes] = []
    for command, actor in steps:
        with open_journal(path) as store:
            made = House(store)
            if states:
                assert to_json(made.table("one")) == states[-1]
            made.do("one", command, actor)
            states.append(to_json(made.table("one")))
    with open_journal(path) as store:
        made = House(store)
        assert to_json(made.table("one")) == states[-1]
        assert made.table("one").round.phase == "over"
        check_books(store, made)


def test_two_houses_on_one_journal_take_turns(store: Journal) -> None:
    """Each finds out that the other has gone on: by a conflict, and before it refuses."""
    left = house(store, "one")
    right = House(store)
    assert right.table("one").rack("ann") == 500_000
    left.open_betting("one", DEALER)
    right.do("one", PlaceWagers(1, "ann", BETS), ANN)  # right has seen no round yet
    left.do("one", CloseBets(), DEALER)  # left has seen no wager yet
    right.do("one", Deal(), DEALER)
    assert to_json(left.table("one")) == to_json(right.table("one"))
    assert left.table("one").round.phase == "deciding"
    assert attempts(store) == [], "nothing was refused because a house was late"
    check_books(store, left, right)


def test_a_house_joins_a_link_that_another_has_moved(store: Journal) -> None:
    left = house(store, "one", link="pot")
    right = House(store)
    right.do("two", opening("two", "pot"), OPERATOR)
    left.do("one", Tip("ann", 100), ANN)
    play(left, "one", progressive=True)
    right.do("three", opening("three", "pot"), OPERATOR)
    link = left.link("pot")
    assert link is not None
    assert set(link.members) == {"one", "two", "three"}


def test_a_house_that_opens_a_journal_knows_the_links_of_its_tables(store: Journal) -> None:
    """Also where the table offers its progressive no more: closing it has to leave the link."""
    house(store, "one", link="pot")
    later = House(store)
    later.session("one").load()
    held = later.links.known("pot")
    assert held is not None
    assert held.version == store.head("link:pot").version
    later.do("one", CloseTable(), FLOOR)
    link = later.link("pot")
    assert link is not None
    assert "one" not in link.members


def test_many_threads_act_at_one_table(store: Journal) -> None:
    houses = [house(store, "one"), House(store), House(store)]
    ready = Barrier(len(houses))

    def tips(mine: House) -> None:
        ready.wait()
        for _ in range(8):
            mine.do("one", Tip("ann", 100), ANN)

    threads = [Thread(target=tips, args=(mine,)) for mine in houses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert houses[0].table("one").money["tips"] == 24 * 100
    check_books(store, *houses)


# -- done once ------------------------------------------------------------------------------------


def test_a_request_that_arrives_twice_is_done_once(store: Journal) -> None:
    left, right = house(store, "one"), House(store)
    first = left.do("one", Tip("ann", 500), ANN, request="tip-1")
    again = left.do("one", Tip("ann", 500), ANN, request="tip-1")
    elsewhere = right.do("one", Tip("ann", 500), ANN, request="tip-1")
    assert first == again == elsewhere
    assert left.table("one").money["tips"] == 500
    left.do("one", Tip("ann", 500), ANN, request="tip-2")
    assert right.table("one").money["tips"] == 1000


def test_one_request_in_two_threads_is_done_once(store: Journal) -> None:
    houses = [house(store, "one"), House(store)]
    ready = Barrier(2)
    answers: list[Any] = []

    def asks(mine: House) -> None:
        ready.wait()
        answers.append(mine.do("one", BuyIn("ann", 700), ANN, request="buy-1"))

    threads = [Thread(target=asks, args=(mine,)) for mine in houses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 2
    assert answers[0] == answers[1]
    assert houses[0].table("one").rack("ann") == 500_700


# -- chapters, snapshots, closing -----------------------------------------------------------------


def test_a_round_becomes_a_chapter_with_its_marks(store: Journal) -> None:
    made = house(store, "one")
    for royal in (False, True):
        play(made, "one", progressive=True, royal=royal)
        if royal:
            made.do("one", ValidateProgressive(1), FLOOR)
        made.do("one", Collect(), DEALER)
    first, second = (store.chapter(table_stream("one"), number) for number in (1, 2))
    assert first is not None
    assert second is not None
    assert first.last < second.first
    kinds = [entry.kind for entry in store.read(table_stream("one"), second.first - 1)]
    assert (kinds[0], kinds[-1]) == ("open_betting", "collect")
    assert {Mark("player", "ann"), Mark("seat", "1"), Mark("hand", "royal_flush")} <= {
        *second.marks
    }
    assert Mark("meter", "main") in second.marks
    assert Mark("meter", "main") not in first.marks
    assert Mark("void", "no") in second.marks


def test_a_table_with_many_rounds_opens_from_its_snapshot(path: Path) -> None:
    with open_journal(path) as store:
        made = house(store, "one")
        for _ in range(21):
            play(made, "one")
            made.do("one", Collect(), DEALER)
        snapshot = store.snapshot(table_stream("one"))
        assert snapshot is not None
        live = to_json(made.table("one"))
        assert to_json(House(store).table("one")) == live
        check_books(store, made)


def test_a_closed_table_leaves_its_link_and_comes_back(store: Journal) -> None:
    made = house(store, "one", "two", link="pot")
    play(made, "one", progressive=True)
    made.do("one", Collect(), DEALER)
    made.do("one", CloseTable(), FLOOR)
    link = made.link("pot")
    assert link is not None
    assert set(link.members) == {"two"}
    made.do("one", opening("one", "pot"), OPERATOR)
    assert made.table("one").rack("ann") > 0
    play(made, "one", progressive=True)
    made.do("one", Collect(), DEALER)
    check_books(store, made)


# -- two tables, one meter ------------------------------------------------------------------------


@pytest.mark.clause("md-uth", "12.D(4)")
def test_two_tables_that_hit_at_once_never_pay_a_meter_twice(path: Path) -> None:
    """Each thread with a house and a store of its own, as two processes would have."""
    for _ in range(3):
        database = path.with_name(f"{_}.db")
        with open_journal(database) as left, open_journal(database) as right:
            houses = {"one": house(left, "one", link="pot"), "two": house(right, "two", link="pot")}
            for name, mine in houses.items():
                play(mine, name, progressive=True, royal=True)
            ready = Barrier(2)
            failed: list[BaseException] = []

            def validate(
                name: str, mine: House, ready: Barrier = ready, failed: list[Any] = failed
            ) -> None:
                try:
                    ready.wait()
                    mine.do(name, ValidateProgressive(1), FLOOR)
                    mine.do(name, Collect(), DEALER)
                except CroupierError as error:
                    failed.append(error)

            threads = [Thread(target=validate, args=pair) for pair in houses.items()]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert failed == []
            paid = sorted(
                line.net + line.stake
                for name, mine in houses.items()
                for line in mine.table(name).round.seats[0].lines
                if line.from_meter
            )
            reset = PAPERS.rules.resets["main"]
            rate = float(json.loads(PAPERS.submission)["progressive"]["meters"]["main"]["rate"])
            grown = reset + int(2 * 100 * rate)
            assert paid == [reset, grown], "the second gets what the first left: the reset amount"
            link = houses["one"].link("pot")
            assert link is not None
            assert link.shown() == {"main": reset}
            assert link.explain("main").awarded == sum(paid) * 10**6
            check_books(left, *houses.values())
