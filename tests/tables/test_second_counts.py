"""At a table of the house a count that differs is counted again before it has effects."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.deck_care import commands as c
from croupier.deck_care import events as did
from croupier.deck_care.deciding import check_round
from croupier.errors import BadRequest, Refusal
from croupier.rounds import commands as r
from croupier.rounds.declaration import Actor
from croupier.rounds.events import RoundVoided
from croupier.tables.command_input import command_from_json
from croupier.tables.commands import Confirm, TableCommand
from croupier.tables.deciding import decide
from croupier.tables.planning import plan
from croupier.tables.sentences import describe_plan
from croupier.tables.step_duties import confirmed
from tests.tables.care_procedure import at_the_count
from tests.tables.cared_for import DAN, FLO, CaredFor

WRONG = [
    ("md-uth", "8.G"),
    ("md-jackpot", "8.G"),
    ("md-wpt", "8.G"),
    ("md-235", "8.F"),
    ("ma-uth", "7(g)(2)"),
]
DEE = Actor("dealer", "Dee")


def _of_the_house(table: CaredFor) -> CaredFor:
    table.running.table = replace(table.running.table, strict=True)
    return table


def _nobody_settles(table: CaredFor) -> None:
    with pytest.raises(Refusal, match="count again") as refused:
        check_round(table.table, r.Settle(every=True), table.rules, table.at)
    assert refused.value.code == "care_due"


def _counting_shuffler(doc: str) -> CaredFor:
    table = CaredFor(doc, dealing="manual_shoe", shuffler=True, shuffler_counts=True)
    _of_the_house(table)
    table.open_deck("shuffle")
    return table


@pytest.mark.parametrize(("doc", "clause"), WRONG)
def test_a_stub_count_that_differs_is_counted_again(doc: str, clause: str) -> None:
    """32 typed for 33: it is on record with who and how many, and nothing is void."""
    table = _of_the_house(at_the_count(doc, "manual_shoe"))
    right = table.right_stub()
    (event,) = table.do(c.CountStub(right - 1))
    assert isinstance(event, did.CountDiffers)
    assert (event.by, event.count, event.expected) == ("Dan", right - 1, right)
    assert event.clause == clause
    assert not table.table.round.void
    _nobody_settles(table)
    step = table.first("settlement")
    assert step is not None
    assert step.name == "count_stub"
    assert f"Dan counted {right - 1} cards" in step.words
    assert str(right) not in step.words.replace(str(right - 1), ""), "nobody is told what fits"
    (counted,) = table.do(c.CountStub(right), DEE)
    assert isinstance(counted, did.StubCounted)
    assert table.deck().differing is None
    table.play_on()
    assert not table.table.round.void


def test_8_G_a_count_that_differs_is_no_duty_done_before_a_floorperson_confirms_it() -> None:
    """Until then nobody has declared hands void or taken a deck away."""
    table = CaredFor("md-uth", dealing="manual_shoe")
    for _ in range(4):
        table.prepare()
        table.round()
    table.prepare()
    table.deal()
    table.play_on("settling")
    _of_the_house(table)
    count, clauses = c.CountStub(table.right_stub() - 1), []

    def give(command: TableCommand, actor: Actor) -> None:
        before, events = table.table, table.do(command, actor)
        done = confirmed(command, actor, before, table.rules, table.at, events)
        clauses.append({duty.clause for duty in done})

    give(count, DAN)
    give(count, DEE)
    (waits,) = table.table.pending
    give(Confirm(waits.number), FLO)
    assert table.table.round.void
    assert clauses[:2] == [set(), set()]
    assert {"8.G", "8.G(2)"} <= clauses[2]


def test_what_would_follow_a_first_count_is_no_void_round() -> None:
    table = _of_the_house(at_the_count("md-uth", "hand"))
    command = c.CountStub(table.right_stub() + 1, misdealt=True)
    made = plan(table.table, None, command, DAN, table.at)
    (words,) = describe_plan(made)
    assert "they are counted again" in words
    assert "void" not in words


def test_a_count_that_nobody_asked_for_blocks_the_settlement_too() -> None:
    """The stub is due every five rounds; counted in the first and wrong, it is counted again."""
    table = _of_the_house(at_the_count("md-uth", "manual_shoe"))
    assert table.first("settlement") is None
    table.do(c.CountStub(table.right_stub() + 2))
    _nobody_settles(table)


def test_a_new_round_begins_without_the_old_count() -> None:
    table = _of_the_house(at_the_count("md-uth", "manual_shoe"))
    table.do(c.CountStub(1))
    table.do(r.VoidRound("the fire alarm"), Actor("floorperson", "Flo"))
    assert table.deck().differing is None


@pytest.mark.parametrize("doc", ["md-uth", "md-235", "ma-uth"])
def test_5_E_a_shufflers_count_that_differs_is_read_again(doc: str) -> None:
    table = _counting_shuffler(doc)
    (event,) = table.do(c.ShuffleDeck("device", count=51))
    assert isinstance(event, did.CountDiffers)
    assert (event.count, event.expected) == (51, 52)
    assert table.deck().stage == "stacked"
    assert table.names()[0] == "shuffle"
    assert "counted 51 cards" in table.steps()[0].words
    (again, *_) = table.do(c.ShuffleDeck("device", count=51))
    assert isinstance(again, did.DeckShuffled)
    assert again.then == "condemned"
    assert table.names() == ["remove"]


def test_5_E_a_count_that_is_right_the_second_time_costs_nothing() -> None:
    table = _counting_shuffler("md-uth")
    table.do(c.ShuffleDeck("device", count=25))
    (event,) = table.do(c.ShuffleDeck("device", count=52))
    assert isinstance(event, did.DeckShuffled)
    assert event.then == "ready"
    assert table.deck().differing is None


def test_what_older_journals_hold_means_the_same() -> None:
    """A command without the house's field voids with one count, at a table of the house too."""
    table = _of_the_house(at_the_count("md-uth", "manual_shoe"))
    events = decide(table.table, c.CountStub(table.right_stub() - 1), DAN, at=table.at)
    assert isinstance(events[-1], RoundVoided)


def test_nobody_says_that_once_is_enough() -> None:
    with pytest.raises(BadRequest, match="twice"):
        command_from_json(b'{"type": "count_stub", "count": 32, "twice": false}', DAN)
