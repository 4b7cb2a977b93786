"""Nobody moves a player's chips at a virtual table but the player, and the document."""

from __future__ import annotations

import pytest

from croupier.errors import Refusal
from croupier.rounds.commands import Act, CloseBets, Deal, OpenBetting, PlaceWagers, TakeBack
from croupier.rounds.declaration import Actor
from croupier.runtime import dealer as software
from croupier.tables.commands import BuyIn, CashOut, ColorUp, TableCommand, Tip
from tests.tables.seated import DEALER, FLOOR, NAMES, SOME_DECK, Sitting

ANN = NAMES[0]
DAN = Actor("dealer", "Dan")  # not the dealer whom `Sitting` has do what players ask
BET = PlaceWagers(1, ANN, {"ante": 1000, "blind": 1000})
MOVES: list[TableCommand] = [
    BET,
    TakeBack(1, ANN),
    ColorUp(ANN, {500: 2}, {1000: 1}),
    Tip(ANN, 500),
]


def test_whoever_has_taken_the_money_buys_in_for_a_player() -> None:
    """A dealer or a floorperson; the software takes no money."""
    table = _betting("virtual")
    before = table.table.rack(ANN)
    for who in (DAN, FLOOR):
        table.do(BuyIn(ANN, 1000), who)
    assert table.table.rack(ANN) == before + 2000
    with pytest.raises(Refusal, match="nobody but the player"):
        table.do(BuyIn(ANN, 1000), software.DEALER)


def _betting(source: str) -> Sitting:
    table = Sitting("md-uth", 1, source=source, offered=())
    table.open()
    table.do(BET)
    return table


@pytest.mark.parametrize("command", [*MOVES, CashOut(ANN, 500)], ids=str)
@pytest.mark.parametrize("by", [DAN, Actor("dealer", "software")], ids=str)
def test_7_A_with_virtual_cards_no_dealer_moves_a_player_s_chips(
    command: TableCommand, by: Actor
) -> None:
    table = _betting("virtual")
    if by.name == "software" and isinstance(command, CashOut):
        table.do(command, by)  # a player who is away gets his chips back
        return
    refused = table.refused(command, by)
    assert refused.code == "not_yours"
    assert "nobody but the player" in refused.message


@pytest.mark.parametrize("command", [*MOVES, CashOut(ANN, 500)], ids=str)
def test_7_A_with_live_cards_the_dealer_does_what_a_player_asks(command: TableCommand) -> None:
    table = _betting("live")
    table.do(command, DAN)


def test_7_A_a_floorperson_takes_no_chips_off_a_virtual_table() -> None:
    table = _betting("virtual")
    assert table.refused(CashOut(ANN, 500), FLOOR).code == "not_yours"


def test_11_B_with_virtual_cards_only_the_clock_answers_for_a_player() -> None:
    """A person never does; the software declines and never raises."""
    table = _betting("virtual")
    table.do(CloseBets())
    table.do(Deal())
    for by, action in ((DAN, "check"), (DAN, "4x"), (software.DEALER, "4x")):
        assert table.refused(Act(1, ANN, action), by).code == "not_yours"
    table.do(Act(1, ANN, "check"), software.DEALER)
    assert table.seat(1).actions == ("check",)


def test_11_B_with_live_cards_the_dealer_puts_the_answer_down() -> None:
    table = _betting("live")
    table.do(CloseBets())
    table.do(Deal())
    table.do(Act(1, ANN, "4x"), DAN)
    assert table.seat(1).decided == {"play": 4000}


def test_the_round_itself_stays_the_dealer_s() -> None:
    table = Sitting("md-uth", 1, offered=())
    table.do(OpenBetting(1, "virtual", "sealed", "salt", SOME_DECK), DEALER)
