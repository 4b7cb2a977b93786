"""5.H(1): at an idle table the cards lie face down, or face up where a player asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.deck_care.commands import LayOut
from croupier.errors import Refusal
from croupier.ledger.journal import open_journal
from croupier.ledger.verification.verify import verify
from croupier.rounds.declaration import Actor
from croupier.runtime.house import House
from croupier.runtime.software_staff import software_step
from croupier.tables.commands import AskFaceUp, GiveUpSeat, OpenTable
from croupier.tables.state import rules_of
from croupier.tables.work import work
from croupier.web.tables.demo import submission_for

ANN, DEALER = Actor("player", "ann"), Actor("dealer", "dee")
OPERATOR = Actor("operator", "olga")


def _idle(house: House) -> None:
    """A live table whose deck was opened and whose players have left."""
    terms = submission_for("md-uth")
    house.do("t", OpenTable("t", "md-uth", terms, source="live", inventory=10**8), OPERATOR)
    while house.table("t").round.phase != "betting":
        table = house.table("t")
        step = software_step(table, rules_of(table), (), house.now(), lambda left, n: left[:n])
        assert step is not None
        house.do("t", step[1], step[0])
    for seat, player in house.table("t").seats.items():
        house.do("t", GiveUpSeat(player, seat), Actor("player", player))
    assert house.table("t").round.phase == "over"


def _waits(house: House) -> LayOut:
    table = house.table("t")
    (step,) = [s for s in work(table, rules_of(table), house.now()) if s.step == "lay_out"]
    assert isinstance(step.command, LayOut)
    assert step.clause == "5.H(1)"
    return step.command


@pytest.mark.parametrize("spread_first", [True, False])
def test_5_H_1_a_player_asks_and_the_dealer_turns_the_cards_up(
    tmp_path: Path, spread_first: bool
) -> None:
    with open_journal(tmp_path / "j.db") as journal:
        house = House(journal)
        _idle(house)
        assert _waits(house) == LayOut()
        if spread_first:
            house.do("t", LayOut(), DEALER)
        house.do("t", AskFaceUp("ann"), ANN)
        assert _waits(house) == LayOut(face_up=True, player="ann")
        with pytest.raises(Refusal, match="ann has asked already"):
            house.do("t", AskFaceUp("ben"), Actor("player", "ben"))
        house.do("t", _waits(house), DEALER)
        table = house.table("t")
        assert table.care is not None
        assert {deck.face_up for deck in table.care.decks} == {True}
        assert table.face_up_for == ""
        with pytest.raises(Refusal, match="no cards lie idle"):
            house.do("t", AskFaceUp("ann"), ANN)
        assert verify(journal).valid


def test_5_H_1_nobody_asks_for_somebody_else_nor_during_a_round(tmp_path: Path) -> None:
    with open_journal(tmp_path / "j.db") as journal:
        house = House(journal)
        virtual = OpenTable("v", "md-uth", submission_for("md-uth"), inventory=10**8)
        house.do("v", virtual, OPERATOR)
        with pytest.raises(Refusal, match="no cards lie idle") as caught:
            house.do("v", AskFaceUp("ann"), ANN)
        assert caught.value.clause == "5.H(1)"
        _idle(house)
        with pytest.raises(Refusal) as refused:
            house.do("t", AskFaceUp("ben"), ANN)
        assert refused.value.code == "not_yours"
