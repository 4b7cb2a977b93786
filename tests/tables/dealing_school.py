"""A small table that plays by itself, for tests of what is written about it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

from croupier.rounds.commands import (
    Act,
    CloseBets,
    Collect,
    CountChips,
    Deal,
    PlaceWagers,
    RevealCards,
    Settle,
    ShowDealer,
    ValidateProgressive,
)
from croupier.rounds.script import Ask, script_of
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission
from croupier.tables.commands import Actor, BuyIn, OpenTable, TableCommand, TakeSeat
from croupier.tables.house import House
from croupier.tables.state import Table, rules_of

DAN = Actor("dealer", "Dan")
FLO = Actor("floorperson", "Flo")


def terms(rulebook: str) -> str:
    """A submission with a progressive whose meters grow."""
    meters = put_in_force(load_rulebook(rulebook), Submission()).resets
    stake = "5" if rulebook == "ma-uth" else "1"
    rates = {meter: {"rate": "0.05"} for meter in meters}
    return json.dumps({"progressive": {"stakes": [stake], "meters": rates}})


def open_table(house: House, table: str, rulebook: str, players: int = 2, link: str = "") -> None:
    submission = terms(rulebook)
    house.do(table, OpenTable(table, rulebook, submission, inventory=1_000_000, link=link), FLO)
    for seat in range(1, players + 1):
        house.do(table, TakeSeat(f"p{seat}", seat), DAN)
        house.do(table, BuyIn(f"p{seat}", 500_000), DAN)


def next_command(table: Table, draw: Random) -> tuple[TableCommand, Actor]:
    """What somebody does next in the round in play; betting must have been opened."""
    rules, played = rules_of(table), table.round
    match played.phase:
        case "betting":
            for seat, player in table.seats.items():
                if played.seat(seat) is None:
                    stake = rules.stakes["progressive"][0]
                    wagers = dict.fromkeys(rules.required, 1000) | {"progressive": stake}
                    return PlaceWagers(seat, player, wagers), Actor("player", player)
            return CloseBets(), DAN
        case "closed":
            return (Deal() if played.counted else CountChips(len(played.seats))), DAN
        case "deciding":
            step = script_of(rules).steps[played.step]
            assert isinstance(step, Ask)
            said = draw.choice([*step.decision.bets, step.decision.otherwise])
            player = table.seats[played.turn]
            return Act(played.turn, player, said), Actor("player", player)
        case "revealing":
            return RevealCards(), DAN
        case "showdown":
            return ShowDealer(), DAN
        case "settling" if played.claim is not None:
            return ValidateProgressive(played.claim.seat, FLO.name), FLO
        case "settling":
            return Settle(), DAN
    return Collect(), DAN


def play(house: House, table: str, rounds: int, draw: Random) -> Iterator[Table]:
    """So many rounds; the table after every command."""
    last = house.table(table).round.number + rounds
    while (state := house.table(table)).round.number < last or state.round.phase != "over":
        if state.round.phase == "over":
            for player in state.seats.values():
                if state.rack(player) < 100_000:
                    house.do(table, BuyIn(player, 500_000), DAN)
            house.open_betting(table, DAN)
        else:
            house.do(table, *next_command(state, draw))
        yield house.table(table)
