"""A settled line leaves the player with his stake and its net, wherever the chips come from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from croupier.rounds.events import SeatSettled
from croupier.rounds.state import LineRecord, Reason, Round, SeatInRound
from croupier.tables.evolving import MOVES, balances_after
from croupier.tables.state import Table, rules_of

TABLE = Table("T1", "md-uth")
RULES = rules_of(TABLE)
NAMES = ("ante", "blind", "play", "trips", "progressive")


@st.composite
def lines(draw: st.DrawFn) -> list[LineRecord]:
    found = []
    for name in draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True)):
        stake = draw(st.integers(1, 100_000))
        net = draw(st.integers(-stake, 10 * stake))
        meter = "main" if name == "progressive" and draw(st.booleans()) else ""
        reason = Reason("hand_paid")
        found.append(LineRecord(name, stake, "win", net, "", reason, from_meter=meter))
    return found


@given(lines(), st.integers(0, 2_000_000))
def test_stake_and_net_reach_the_player_and_nothing_stays_on_the_layout(
    settled: list[LineRecord], inventory: int
) -> None:
    lying = sum(line.stake for line in settled if line.wager != "progressive")
    money = {"inventory": inventory, "layout:3": lying, "rack:ann": 500}
    money = {account: cents for account, cents in money.items() if cents}
    seats = (SeatInRound(3, "ann", {line.wager: line.stake for line in settled}),)
    table = Table("T1", "md-uth", round=Round(1, "settling", seats), money=money)
    made = MOVES[SeatSettled](table, SeatSettled(3, "pair", tuple(settled)), RULES)
    after = balances_after(money, made)
    due = sum(line.stake + line.net for line in settled)
    awarded = sum(line.stake + line.net for line in settled if line.from_meter)
    from_cage = sum(move.cents for move in made if move.source == "cage")
    assert after.get("rack:ann", 0) == 500 + due
    assert "layout:3" not in after
    assert sum(move.cents for move in made if move.source == "award") == awarded
    assert after.get("inventory", 0) == inventory + lying - (due - awarded) + from_cage
    assert from_cage == 0 or "inventory" not in after
