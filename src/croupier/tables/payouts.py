"""What the dealer pays and takes at each seat, as amounts and as chips.

The lines of the settlement say how a player's money changes; a dealer needs to know which chips to
put down and which to take. A progressive's stake was collected before the deal, so its winner is
given that back as well.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from croupier.money import dollars
from croupier.rounds.round_flow import flow_of
from croupier.rounds.state import LineRecord, Round, SeatInRound
from croupier.rulebooks.rules import Rules

__all__ = ["CHIPS", "LinePayout", "SeatPayout", "chips_of", "chips_words", "payouts"]

CHIPS: Final[dict[int, str]] = {
    100_000: "yellow",
    50_000: "purple",
    10_000: "black",
    2_500: "green",
    500: "red",
    100: "white",
}
"""The colors of chips in casinos of the United States by their worth in cents, largest first."""

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class LinePayout(NamedTuple):
    """What changes hands for one wager. `takes` is a stake that the dealer collects."""

    wager: str
    pays: int
    takes: int
    from_meter: str
    clause: str


class SeatPayout(NamedTuple):
    seat: int
    player: str
    pays: int
    """In chips from the inventory; what a meter pays is apart."""
    takes: int
    lines: tuple[LinePayout, ...]


def chips_of(cents: int) -> dict[int, int]:
    """The fewest chips for an amount, largest first; what is less than a dollar is left over."""
    chips = {}
    for worth in CHIPS:
        count, cents = divmod(cents, worth)
        if count:
            chips[worth] = count
    return chips


def chips_words(cents: int) -> str:
    """`one green, four red`; cents are paid in coin."""
    parts = [f"{_number(count)} {CHIPS[worth]}" for worth, count in chips_of(cents).items()]
    coins = cents % 100
    if coins:
        parts.append(f"{dollars(coins)} in coin")
    return ", ".join(parts)


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def payouts(state: Round, rules: Rules) -> tuple[SeatPayout, ...]:
    """The seats that are settled, in the order in which they are paid: from the dealer's right."""
    before = flow_of(rules).taken_before_deal
    return tuple([_seat(seat, before) for seat in reversed(state.seats) if seat.lines])


def _seat(seat: SeatInRound, before: frozenset[str]) -> SeatPayout:
    lines = tuple([_line(line, gone=line.wager in before) for line in seat.lines])
    from_rack = [line.pays for line in lines if not line.from_meter]
    takes = sum([line.takes for line in lines])
    return SeatPayout(seat.number, seat.player, sum(from_rack), takes, lines)


def _line(line: LineRecord, *, gone: bool) -> LinePayout:
    """`gone`: the stake does not lie on the layout any more."""
    pays, takes = max(line.net, 0), max(-line.net, 0)
    if gone:
        pays, takes = line.stake + line.net, 0
    elif line.stake_lost and line.result == "win":
        pays, takes = line.winnings, line.stake
    return LinePayout(line.wager, pays, takes, line.from_meter, line.clause)
