"""What a seat has down."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.rounds.state import Round, SeatInRound

__all__ = ["Stakes", "live_stakes"]


class Stakes(dict[str, int]):
    """What a seat has bet on each wager, in cents; `folded` tells whether it gave up, `taken_back`
    has the wagers that came back when the player asked for them, with the clause."""

    folded = False
    taken_back: Mapping[str, str] = {}


def live_stakes(state: Round, seat: SeatInRound) -> Stakes:
    """What the seat is settled for: everything down, but for wagers and hands that are void."""
    if not state.void and not state.void_wagers and not seat.void:
        stakes = Stakes(seat.wagers)
        stakes.update(seat.decided)
        for name in seat.returned:
            del stakes[name]
        stakes.folded = seat.folded
        if seat.taken_back:
            stakes.taken_back = seat.taken_back
        return stakes
    stakes = Stakes()
    if seat.void:
        return stakes
    for name, cents in (*seat.wagers.items(), *seat.decided.items()):
        if name in state.void_wagers or name in seat.returned:
            continue
        if not state.void or name in state.saves:
            stakes[name] = cents
    stakes.folded = seat.folded and not state.void
    if seat.taken_back:
        stakes.taken_back = seat.taken_back
    return stakes
