"""A small table that plays by itself, for tests of what is written about it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Literal

from croupier.cards import DECK
from croupier.ledger.history.past_rounds import corrections, finished_round
from croupier.rounds.actions import dealer_actions
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
from croupier.rounds.declaration import Actor
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission
from croupier.runtime.house import House
from croupier.tables.commands import BuyIn, Correct, OpenTable, TableCommand, TakeSeat
from croupier.tables.state import Table, rules_of
from tests.tables.live import accident, live_command

DAN = Actor("dealer", "Dan")
FLO = Actor("floorperson", "Flo")


def terms(rulebook: str) -> str:
    """A submission with a progressive whose meters grow."""
    meters = put_in_force(load_rulebook(rulebook), Submission()).resets
    stake = "5" if rulebook == "ma-uth" else "1"
    rates = {meter: {"rate": "0.05"} for meter in meters}
    return json.dumps({"progressive": {"stakes": [stake], "meters": rates}})


def open_table(
    house: House,
    table: str,
    rulebook: str,
    players: int = 2,
    link: str = "",
    source: Literal["virtual", "live"] = "virtual",
) -> None:
    submission = terms(rulebook)
    command = OpenTable(
        table, rulebook, submission, source=source, inventory=1_000_000, link=link, care=False
    )
    house.do(table, command, FLO)
    for seat in range(1, players + 1):
        house.do(table, TakeSeat(f"p{seat}", seat), DAN)
        house.do(table, BuyIn(f"p{seat}", 500_000), Actor("player", f"p{seat}"))


def next_command(table: Table, draw: Random) -> tuple[TableCommand, Actor]:
    """What somebody does next in the round in play; betting must have been opened. Where cards are
    live, something goes wrong now and then."""
    rules, played = rules_of(table), table.round
    if table.source == "live":
        deck = draw.sample(DECK, 52)
        wrong = None
        if draw.random() < 0.06:
            wrong = accident(played, rules, deck, draw.randrange(100), FLO.name)
        if wrong is not None:
            return wrong, FLO
        for tag in dealer_actions(played, rules):
            told = live_command(tag, played, rules, deck)
            if told is not None:
                return told, DAN
    match played.phase:
        case "betting":
            for seat, player in table.seats.items():
                if played.seat(seat) is None:
                    wagers = dict.fromkeys(rules.required, 1000)
                    if "progressive" in rules.stakes:
                        wagers["progressive"] = rules.stakes["progressive"][0]
                    return PlaceWagers(seat, player, wagers), Actor("player", player)
            return CloseBets(), DAN
        case "closed":
            return (Deal() if played.counted else CountChips(len(played.seats))), DAN
        case "deciding":
            step = flow_of(rules).steps[played.step]
            assert isinstance(step, Ask)
            said = draw.choice([*step.decision.bets, step.decision.otherwise])
            player = table.seats[played.turn]
            return Act(played.turn, player, said), Actor("player", player)
        case "revealing":
            return RevealCards(), DAN
        case "showdown":
            return ShowDealer(), DAN
        case "settling" if played.claim is not None:
            return ValidateProgressive(played.claim.seat), FLO
        case "settling":
            return Settle(), DAN
    return Collect(), DAN


def _correction(house: House, table: str, draw: Random) -> Iterator[TableCommand]:
    """Some past round is put right, in favor of a player or against."""
    number = draw.randint(1, house.table(table).round.number)
    seats = finished_round(house.journal, table, number).seats
    if not seats:
        return
    seat, cents = draw.choice(seats), draw.choice([500, 100, 100])
    wager = draw.choice(list(seat.wagers))
    earlier = sum(
        before.event.cents
        for before in corrections(house.journal, table, number)
        if (before.event.seat, before.event.wager) == (seat.number, wager)
    )
    if earlier + sum(line.net for line in seat.lines if line.wager == wager) > 0:
        cents = -cents  # never beyond what the wager could have come to
    yield Correct(number, seat.number, seat.player, wager, cents, "it was miscounted")


def play(house: House, table: str, rounds: int, draw: Random) -> Iterator[Table]:
    """So many rounds; the table after every command."""
    last = house.table(table).round.number + rounds
    while (state := house.table(table)).round.number < last or state.round.phase != "over":
        if state.round.phase == "over":
            if state.source == "live" and state.round.seats and draw.random() < 0.3:
                for told in _correction(house, table, draw):
                    house.do(table, told, FLO)
            for player in state.seats.values():
                if state.rack(player) < 100_000:
                    house.do(table, BuyIn(player, 500_000), Actor("player", player))
            house.open_betting(table, DAN)
        else:
            house.do(table, *next_command(state, draw))
        yield house.table(table)
