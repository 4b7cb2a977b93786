"""A table without its people, for those who do not sit at it in a house with money: seat numbers in
place of names, no chips before players, and of what happens only what lies on the felt."""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from croupier.errors import CroupierError
from croupier.rounds import events as of_rounds
from croupier.rounds.state import Round
from croupier.tables import events as of_tables
from croupier.tables.events import TableEvent
from croupier.tables.state import Table

ON_THE_FELT: Final = (
    *(of_rounds.OpenBetting, of_rounds.WagersPlaced, of_rounds.WagersTakenBack),
    *(of_rounds.CouponPlaced, of_rounds.CommitRandomness, of_rounds.RevealRandomness),
    *(of_rounds.WagerReturned, of_rounds.BetsClosed, of_rounds.ChipsCounted, of_rounds.DeckMixed),
    *(of_rounds.CardsDealt, of_rounds.EnterCards, of_rounds.ReplaceCards, of_rounds.Acted),
    *(of_rounds.AnswerTakenBack, of_rounds.Revealed, of_rounds.DealerShown),
    *(of_rounds.SeatSettled, of_rounds.ProgressiveWon, of_rounds.ProgressivePaid),
    *(of_rounds.EnvyPaid, of_rounds.CardsCollected, of_rounds.PlayerLeft),
    *(of_rounds.HandVoided, of_rounds.WagersVoided, of_rounds.RoundVoided),
    *(of_tables.TakeSeat, of_tables.GiveUpSeat),
)
"""What anybody who walks past sees. Everything else is between the house and its players: money in
and out, calls, people on duty, the reasons that staff write."""


def seat_label(number: int) -> str:
    return f"seat {number}"


def sits_at(table: Table, name: str) -> bool:
    """Has this person a seat here, or a hand in the round?"""
    return bool(name) and (
        name in table.seats.values() or any(seat.player == name for seat in table.round.seats)
    )


def veiled(table: Table) -> Table:
    money = {name: cents for name, cents in table.money.items() if name.partition(":")[0] != "rack"}
    return replace(
        table,
        seats={number: seat_label(number) for number in table.seats},
        money=money,
        round=_veiled_round(table.round),
        face_up_for="",
        staff={},
        calls=(),
        count=None,
        pending=(),
    )


def _veiled_round(state: Round) -> Round:
    return replace(
        state,
        seats=tuple([replace(seat, player=seat_label(seat.number)) for seat in state.seats]),
        added=tuple([replace(one, player=seat_label(one.seat)) for one in state.added]),
    )


def veiled_event(event: TableEvent) -> TableEvent | None:
    """Return the event as this person may see it, or None if they may not see it."""
    match event:
        case (
            of_rounds.WagersPlaced()
            | of_rounds.CouponPlaced()
            | of_rounds.CommitRandomness()
            | of_rounds.RevealRandomness()
            | of_tables.TakeSeat()
        ):
            return replace(event, player=seat_label(event.seat))
        case of_tables.GiveUpSeat():
            return replace(event, player=seat_label(event.seat), reason="")
        case of_rounds.ProgressivePaid():
            return replace(event, validated_by="a floorperson")
        case of_rounds.RoundVoided():
            return replace(event, by="the house", reason="no reason is shown here")
        case _:
            return event if isinstance(event, ON_THE_FELT) else None


def unnamed(error: CroupierError, table: Table) -> CroupierError:
    """The refusal without the names of people at the table."""
    labels = {name: seat_label(number) for number, name in table.seats.items()}
    labels |= {seat.player: seat_label(seat.number) for seat in table.round.seats}
    labels |= {name: f"the {role}" for role, name in table.staff.items() if name}
    if labels:
        named = "|".join(re.escape(name) for name in sorted(labels, key=len, reverse=True))
        words = re.sub(rf"(?<!\w)(?:{named})(?!\w)", lambda found: labels[found[0]], str(error))
        error.args = (words, *error.args[1:])
    return error
