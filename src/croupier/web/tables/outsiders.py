"""A table without its people, for those who do not sit there in a house with money: seat numbers
replace names, players' chips are hidden, and only events on the felt are shown."""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from croupier.errors import CroupierError
from croupier.rounds import commands as round_commands
from croupier.rounds import events as round_events
from croupier.rounds.state import Round
from croupier.tables import commands as table_commands
from croupier.tables.events import TableEvent
from croupier.tables.state import Table

ON_THE_FELT: Final = (
    *(round_commands.OpenBetting, round_events.WagersPlaced, round_events.WagersTakenBack),
    *(round_events.CouponPlaced, round_commands.CommitRandomness, round_commands.RevealRandomness),
    *(
        round_events.WagerReturned,
        round_events.BetsClosed,
        round_events.ChipsCounted,
        round_events.DeckMixed,
    ),
    *(
        round_events.CardsDealt,
        round_commands.EnterCards,
        round_commands.ReplaceCards,
        round_events.Acted,
    ),
    *(round_events.AnswerTakenBack, round_events.Revealed, round_events.DealerShown),
    *(round_events.SeatSettled, round_events.ProgressiveWon, round_events.ProgressivePaid),
    *(round_events.EnvyPaid, round_events.CardsCollected, round_events.PlayerLeft),
    *(round_events.HandVoided, round_events.WagersVoided, round_events.RoundVoided),
    *(table_commands.TakeSeat, table_commands.GiveUpSeat),
)
"""Events that any passer-by sees. The rest stays between the house and its players: money in and
out, calls, people on duty, reasons written by staff."""


def seat_label(number: int) -> str:
    return f"seat {number}"


def sits_at(table: Table, name: str) -> bool:
    """Return whether this person has a seat here or a hand in the round."""
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
        added=tuple([replace(more, player=seat_label(more.seat)) for more in state.added]),
    )


def veiled_event(event: TableEvent) -> TableEvent | None:
    """Return the event as someone who does not sit at the table may see it, or None if they may
    not."""
    match event:
        case (
            round_events.WagersPlaced()
            | round_events.CouponPlaced()
            | round_commands.CommitRandomness()
            | round_commands.RevealRandomness()
            | table_commands.TakeSeat()
        ):
            return replace(event, player=seat_label(event.seat))
        case table_commands.GiveUpSeat():
            return replace(event, player=seat_label(event.seat), reason="")
        case round_events.ProgressivePaid():
            return replace(event, validated_by="a floorperson")
        case round_events.RoundVoided():
            return replace(event, by="the house", reason="no reason is shown here")
        case _:
            return event if isinstance(event, ON_THE_FELT) else None


def unnamed(error: CroupierError, table: Table) -> CroupierError:
    """Replace the names of people at the table in a refusal, and return it."""
    labels = {name: seat_label(number) for number, name in table.seats.items()}
    labels |= {seat.player: seat_label(seat.number) for seat in table.round.seats}
    labels |= {name: f"the {role}" for role, name in table.staff.items() if name}
    if labels:
        named = "|".join(re.escape(name) for name in sorted(labels, key=len, reverse=True))
        words = re.sub(rf"(?<!\w)(?:{named})(?!\w)", lambda match: labels[match[0]], str(error))
        error.args = (words, *error.args[1:])
    return error
