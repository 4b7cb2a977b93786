"""Every duty of a player is told on the table page: in the rules, and at the seat when due."""

from __future__ import annotations

import json

import pytest

from croupier.rulebooks.duties import all_duties
from croupier.rulebooks.rules import rules_for
from croupier.web.tables.rulesheet import rules_form
from tests.web.kit import GAMES

SAID_AT = {"bet", "view", "lay_out", "ask", "close_bets"}
"""The steps of a player: `players_part` says at which moment each is on their screen."""


@pytest.mark.parametrize("game", GAMES)
def test_each_duty_of_a_player_is_reached(game: str) -> None:
    wanted = {duty.clause for duty in all_duties(game) if duty.role == "player"}
    told = set()
    for way in rules_for(game, "", "{}").book.dealing:
        options = {"dealing": way, "shuffler": True}
        form = rules_form(rules_for(game, "", json.dumps({"options": options})))
        told |= {duty.clause for duty in form.duties}
        assert {duty.step for duty in form.duties} <= SAID_AT
    assert told == wanted
