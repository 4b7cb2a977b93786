"""Two people decide the same thing: the first is heard, the second is told who was first."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.deck_care.commands import MarkOutOfOrder, OrderRecut, RepairDevice
from croupier.ledger.records.table_entries import Attempt, attempts_stream
from croupier.rounds.commands import RefuseProgressive, Report, ValidateProgressive, VoidRound
from croupier.rounds.declaration import Command, from_json
from croupier.runtime.journal_session import same_decision
from croupier.tables.commands import Correct
from tests.web.conftest import Server
from tests.web.kit import Caller

UTH = "md-uth"


def _correct(**told: Any) -> Correct:
    plain: dict[str, Any] = {"round": 1, "seat": 1, "player": "ann", "wager": "ante"}
    return Correct(**(plain | {"amount": 500, "reason": "paid short"} | told))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (ValidateProgressive(1), RefuseProgressive(1, "a card is missing"), True),
        (ValidateProgressive(1), ValidateProgressive(2), False),
        (Report("too_many_cards", seat=1), VoidRound("misdeal"), True),
        (MarkOutOfOrder("shoe", "sign"), RepairDevice("shoe"), True),
        (MarkOutOfOrder("shoe", "sign"), RepairDevice("shuffler"), False),
        (_correct(), _correct(amount=700), True),
        (_correct(), _correct(seat=2), False),
        (_correct(), OrderRecut("too shallow"), False),
    ],
)
def test_which_commands_are_the_same_decision(one: Command, other: Command, same: bool) -> None:
    assert same_decision(one, other) is same
    assert same_decision(other, one) is same


def _round_in_play(server: Server) -> Caller:
    ann = server.guest()
    ann.sit(UTH, 1)
    ann.bet(UTH, 1)
    ann.ready(UTH, 1)
    ann.until(UTH, "deciding")
    return ann


def test_the_second_of_two_floorpersons_is_told_who_was_first(server: Server) -> None:
    ann = _round_in_play(server)
    flo, fred = server.staff("floorperson", "Flo"), server.staff("floorperson", "Fred")
    seen = flo.view(UTH)["version"]
    flo.do(UTH, meant={"seen": seen}, type="void_round", reason="a card was exposed")
    before = ann.view(UTH)["me"]["rack"]
    told = fred.refused(UTH, 409, "stale", meant={"seen": seen}, type="void_round", reason="me too")
    assert told["message"].startswith("already decided by Flo: Void the round")
    assert ann.view(UTH)["me"]["rack"] == before
    (entry,) = server.pit.journal.read(attempts_stream(UTH))
    attempt: Attempt = from_json(entry.body, Attempt)
    assert (attempt.by.name, attempt.code) == ("Fred", "stale")


def test_another_decision_on_an_older_screen_is_heard(server: Server) -> None:
    """Only the same question makes a screen stale: a buy-in meanwhile does not."""
    ann = _round_in_play(server)
    flo = server.staff("floorperson", "Flo")
    seen = flo.view(UTH)["version"]
    ann.do(UTH, type="buy_in", amount="20.00")
    flo.do(UTH, meant={"seen": seen}, type="void_round", reason="a card was exposed")


def test_rounds_are_found_by_player_and_time(server: Server) -> None:
    ann = _round_in_play(server)
    ann.do(UTH, type="act", seat=1, action="4x")
    ann.until_round(UTH, lambda state: state["number"] == 2)
    flo = server.staff("floorperson", "Flo")
    path = f"/tables/{UTH}/rounds"

    def numbers(query: str) -> list[int]:
        return [card["number"] for card in flo.get(f"{path}?{query}")["rounds"]]

    (card,) = flo.get(path)["rounds"]
    assert numbers(f"player={ann.name}") == [1]
    assert numbers("player=nobody") == []
    assert numbers(f"since={card['ended']}&until={card['ended']}") == [1]
    assert numbers("until=2020-01-01T00:00:00Z") == []
    for nonsense in ("yesterday", "2026-11-15T18:00:00"):
        found = flo.call("GET", f"{path}?since={nonsense}")
        assert found.status == 400
        assert "is not a time" in found.body["message"]


def test_a_replay_ends_with_what_was_corrected(server: Server) -> None:
    ann, flo = _round_in_play(server), server.staff("floorperson", "Flo")
    ann.do(UTH, type="act", seat=1, action="4x")
    ann.until_round(UTH, lambda state: state["number"] == 2)
    flo.do(
        UTH,
        type="correct",
        round=1,
        seat=1,
        player=ann.name,
        wager="blind",
        amount="5.00",
        reason="paid short",
    )
    (told,) = flo.get(f"/tables/{UTH}/rounds/1")["corrections"]
    assert told["by"] == "floorperson Flo"
    assert "paid short" in " ".join(told["words"])
