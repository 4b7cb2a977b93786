"""Who may do what: a person of the wrong role is told who may, and by which clause."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from croupier.cards import Card
from croupier.deck_care import commands as c
from croupier.errors import CroupierError
from croupier.rounds import commands as r
from croupier.rounds.commands import RoundCommand
from croupier.rounds.declaration import Actor, wrong_role
from croupier.rulebooks.rules import rules_for
from croupier.tables import commands as t
from croupier.tables.commands import TableCommand
from croupier.tables.deciding import check_actor

ANN = Actor("player", "Ann")
DAN = Actor("dealer", "Dan")
FLO = Actor("floorperson", "Flo")
OLGA = Actor("operator", "Olga")

OF_THE_DEALER: list[tuple[TableCommand, str, str]] = [
    (c.HandleDeck("inspect"), "4.A", "3(a)"),
    (c.ShuffleDeck("hand"), "5.A", "4(a)"),
    (c.CutDeck(20), "5.F", "4(c)"),
    (c.CountStub(33), "8.E", "7(g)"),
    (r.CloseBets(), "8.C(1)", "7(b)"),
    (r.Deal(), "8.A", "7(a)"),
    (r.Settle(), "11.H(2)(d)", "9(h)"),
    (r.Collect(), "11.K", "9(i)"),
]


def refusal(command: TableCommand, actor: Actor, book: str = "md-uth") -> CroupierError:
    rules = rules_for(book, "", '{"options": {"dealing": "manual_shoe"}}')
    with pytest.raises(CroupierError) as refused:
        check_actor(actor, command, rules)
    assert refused.value.code == "wrong_role"
    return refused.value


@pytest.mark.parametrize(("command", "maryland", "massachusetts"), OF_THE_DEALER, ids=str)
def test_what_the_dealer_does_is_refused_to_others_by_its_clause(
    command: TableCommand, maryland: str, massachusetts: str
) -> None:
    for actor in (ANN, FLO, OLGA):
        if actor.role not in command.declared.by:
            assert refusal(command, actor).clause == maryland
            assert refusal(command, actor, "ma-uth").clause == massachusetts


@pytest.mark.parametrize(
    ("command", "clause"),
    [
        (c.OrderShuffle("seen"), "5.A(3)"),
        (c.OrderRecut("seen"), "5.G"),
        (r.ValidateProgressive(1), "11.J(2)(c)"),
        (r.RuleAbandoned(1), "7.C(2)"),
        (c.RepairDevice("shuffler"), "13.J"),
    ],
    ids=str,
)
def test_what_a_floorperson_decides_is_refused_to_the_dealer(
    command: TableCommand, clause: str
) -> None:
    refused = refusal(command, DAN)
    assert refused.clause == clause
    assert refused.message.endswith("that takes a floorperson")


def test_it_is_told_in_words() -> None:
    assert refusal(r.Deal(), ANN).message == "a player may not deal the cards: that takes a dealer"
    bets = refusal(r.PlaceWagers(1, "Ann", {}), OLGA)
    assert bets.message == "an operator may not place wagers: that takes a player or a dealer"
    assert bets.clause == "7.C"
    opening = refusal(t.OpenTable("T1", "md-uth"), DAN)
    assert opening.message == "a dealer may not open a table: that takes a floorperson"


def test_there_are_words_for_everything_that_can_be_asked() -> None:
    for command in {*get_args(TableCommand), *get_args(RoundCommand)}:
        blank = msgspec.structs.fields(command)
        values = {field.name: _some(field.name) for field in blank if field.required}
        told = wrong_role("player", command(**values), ("dealer",), None)
        assert told.message.startswith("a player may not ")


def _some(name: str) -> object:
    return {"step": "wash", "cards": (Card.parse("As"),)}.get(name, 1)


def test_a_report_for_which_no_document_has_a_word_has_no_clause() -> None:
    assert refusal(r.Report("an_earthquake"), ANN).clause is None
