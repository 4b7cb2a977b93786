"""The count of the progressive's chips on the layout, compared with the wagers that its system
accepted."""

from __future__ import annotations

from croupier.errors import BadRequest, Refusal, shown
from croupier.rounds.commands import CountChips, DecideChipCount, RecountChips
from croupier.rounds.events import (
    ChipCountDecided,
    ChipCountDiffers,
    ChipRecountOrdered,
    ChipsCounted,
    RoundEvent,
    WagerReturned,
)
from croupier.rounds.round_flow import flow_of
from croupier.rounds.state import Round
from croupier.rulebooks.rules import Rules


def count_chips(state: Round, command: CountChips, rules: Rules) -> tuple[RoundEvent, ...]:
    """Return the event of a count that equals the wagers accepted; refuse any other. Nothing is
    dealt until a floorperson decides about a difference."""
    clause, stakes = _due(state, rules)
    if command.chips != len(stakes):
        raise Refusal(
            f"{command.chips} wagers' chips lie on the layout, but the progressive system accepted "
            f"{len(stakes)}: nothing is dealt until a floorperson has found the reason",
            code="count_differs",
            clause=clause or None,
        )
    return (ChipsCounted(command.chips, sum(stakes.values()), clause),)


def count_for_floor(
    state: Round, command: CountChips, rules: Rules, by: str
) -> tuple[RoundEvent, ...]:
    """Return the events of a count. A count that differs is recorded and calls the floor; after it
    the dealer cannot count again until a floorperson acts."""
    clause, stakes = _due(state, rules)
    if state.differing_chips is not None:
        raise Refusal(
            f"{state.differing_chips} wagers' chips were counted, and the progressive system "
            f"accepted {len(stakes)}: a floorperson decides, or has them counted again",
            code="waits_for_floor",
            clause=clause or None,
        )
    if command.chips == len(stakes):
        return count_chips(state, command, rules)
    return (ChipCountDiffers(command.chips, len(stakes), by, clause),)


def order_recount(state: Round, _: RecountChips, rules: Rules, by: str) -> tuple[RoundEvent, ...]:
    clause, __ = _due(state, rules)
    if state.differing_chips is None:
        raise Refusal(
            "no count of the progressive's chips differs",
            code="nothing_there",
            clause=clause or None,
        )
    return (ChipRecountOrdered(by, clause),)


def decide_count(
    state: Round, command: DecideChipCount, rules: Rules, by: str
) -> tuple[RoundEvent, ...]:
    """Return the events of a floorperson's decision. A chip without a light is no bet and goes back
    to its player; a wager without a chip is no bet either and is removed from the system
    (MD-57)."""
    clause, stakes = _due(state, rules)
    _check(state, command, stakes, clause)
    progressive = flow_of(rules).progressive
    assert progressive is not None
    returned: list[RoundEvent] = []
    if command.chips < len(stakes):
        why = "no chip lay there for the progressive"
        returned = [
            WagerReturned(seat, (progressive,), why, clause) for seat in sorted(command.seats)
        ]
        stakes = {seat: cents for seat, cents in stakes.items() if seat not in command.seats}
    accepted = len(_due(state, rules)[1])
    decided = ChipCountDecided(
        command.chips, accepted, tuple(sorted(command.seats)), command.reason, by, clause
    )
    counted = ChipsCounted(len(stakes), sum(stakes.values()), clause)
    return (decided, *returned, counted)


def _due(state: Round, rules: Rules) -> tuple[str, dict[int, int]]:
    """Return the clause that requires the count, and the wagers accepted, in cents by seat. Refuse
    if no count is due."""
    clause = flow_of(rules).dealing.counts_chips
    if state.phase != "closed":
        raise Refusal(
            "the progressive's chips are counted when the bets are closed, before the deal",
            code="not_now",
            clause=clause or None,
        )
    if state.counted:
        raise Refusal("there is nothing left to count", code="already_done")
    progressive = flow_of(rules).progressive or ""
    return clause, {
        seat.number: seat.wagers[progressive] for seat in state.seats if progressive in seat.wagers
    }


def _check(state: Round, command: DecideChipCount, stakes: dict[int, int], clause: str) -> None:
    differ = command.chips - len(stakes)
    if not command.reason.strip():
        raise Refusal("say what was found", code="no_reason", clause=clause or None)
    if not differ:
        raise Refusal(
            f"{command.chips} chips are what the system accepted: the dealer counts them",
            code="not_needed",
            clause=clause or None,
        )
    if len(set(command.seats)) != len(command.seats) or len(command.seats) != abs(differ):
        raise BadRequest(
            f"{abs(differ)} wagers differ: name as many seats, each once", clause=clause or None
        )
    for number in command.seats:
        seat = state.seat(number)
        if seat is None:
            raise Refusal(
                f"seat {shown(number)} has no wager in this round",
                code="seat_closed",
                clause=clause or None,
            )
        if (number in stakes) == (differ > 0):
            has = "has a light, so its chip" if differ > 0 else "has no light, so no wager there"
            raise BadRequest(
                f"seat {number} {has} is not the one that differs", clause=clause or None
            )
