"""Amounts and chips that the dealer pays and takes at each seat.

Settlement lines state how a player's money changes; a dealer needs to know which chips to put down
and which to take. A progressive's stake was collected before the deal, so its winner also gets the
stake back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier.money import dollars
from croupier.rounds.card_entry import (
    cards_to_enter,
    is_mucked,
    missing_down_to,
    next_to_settle,
)
from croupier.rounds.events import SeatSettled
from croupier.rounds.payment import settle_next
from croupier.rounds.round_flow import flow_of
from croupier.rounds.state import LineRecord, Reason, Round, SeatInRound, live_stakes
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import VersusDealer, Wager

CHIPS: Final[dict[int, str]] = {
    100_000: "yellow",
    50_000: "purple",
    10_000: "black",
    2_500: "green",
    500: "red",
    100: "white",
}
"""Chip colors in United States casinos by value in cents, highest first."""

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class LinePayout(NamedTuple):
    """The chips that change hands for one wager. `takes` is a stake that the dealer collects."""

    wager: str
    pays: int
    takes: int
    from_meter: str
    clause: str


class SeatPayout(NamedTuple):
    seat: int
    player: str
    pays: int
    """Chips from the inventory, in cents, without what a meter pays."""
    takes: int
    lines: tuple[LinePayout, ...]


def chips_of(cents: int) -> dict[int, int]:
    """Return the fewest chips for an amount, highest first; less than a dollar is left over."""
    chips = {}
    for worth in CHIPS:
        count, cents = divmod(cents, worth)
        if count:
            chips[worth] = count
    return chips


def chips_words(cents: int) -> str:
    """Format an amount as chips: `one green, four red`; cents are paid in coin."""
    parts = [f"{_number(count)} {CHIPS[worth]}" for worth, count in chips_of(cents).items()]
    coins = cents % 100
    if coins:
        parts.append(f"{dollars(coins)} in coin")
    return ", ".join(parts)


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def payout(seat: SeatInRound, rules: Rules) -> SeatPayout:
    """Return what changes hands at a settled seat."""
    return _seat(seat, flow_of(rules).taken_before_deal)


def foreseen(state: Round, rules: Rules, meters: Mapping[str, int]) -> SeatInRound | None:
    """Return the next seat to settle in a live round with its lines computed; None before its cards
    are entered. A progressive that a floorperson validates has no line yet."""
    if state.source != "live" or state.phase != "settling" or state.claim is not None:
        return None
    number, down_to = next_to_settle(state, rules)
    seat = state.seat(number)
    if seat is None or missing_down_to(state, rules, down_to):
        return None
    for event in settle_next(state, rules, meters, down_to=down_to):
        if isinstance(event, SeatSettled) and event.seat == number:
            return replace(seat, lines=event.lines, hand=event.hand, holds=event.holds)
    return None


class FoldedSeat(NamedTuple):
    """The stakes to take from a seat as soon as it folds. With `cards_too` the hand is mucked; it
    stays if a wager still in play depends on it."""

    seat: SeatInRound
    cards_too: bool


def taken_at_fold(state: Round, rules: Rules) -> Iterator[FoldedSeat]:
    """Yield folded seats that are not settled, with a line for each wager that the fold has
    lost."""
    flow = flow_of(rules)
    asked_for = {hand.seat for hand in cards_to_enter(state, rules)}
    for seat in reversed(state.seats):
        if not seat.folded or seat.settled or seat.void or state.void:
            continue
        stakes = live_stakes(state, seat)
        down = flow.decided_by_fold - flow.taken_before_deal - stakes.taken_back.keys()
        lines = [
            LineRecord(name, cents, "lose", -cents, clause, Reason("folded"))
            for name, cents in stakes.items()
            if name in down and (clause := _lost_by_fold(rules.book.wagers[name]))
        ]
        cards_too = is_mucked(state, seat, rules) and seat.number not in asked_for
        yield FoldedSeat(replace(seat, lines=tuple(lines)), cards_too)


def _lost_by_fold(wager: Wager) -> str:
    """Return the clause by which the dealer takes the wager; empty if the wager is returned."""
    if isinstance(wager.settles, VersusDealer):
        return wager.settles.folded.clause if wager.settles.folded.do == "collect" else ""
    return wager.after_fold_clause or wager.clause


def _seat(seat: SeatInRound, before: frozenset[str]) -> SeatPayout:
    lines = tuple([_line(line, gone=line.wager in before) for line in seat.lines])
    from_rack = [line.pays for line in lines if not line.from_meter]
    takes = sum([line.takes for line in lines])
    return SeatPayout(seat.number, seat.player, sum(from_rack), takes, lines)


def _line(line: LineRecord, *, gone: bool) -> LinePayout:
    """Return the payout of a line. With `gone` the stake is no longer on the layout."""
    pays, takes = max(line.net, 0), max(-line.net, 0)
    if gone:
        pays, takes = line.stake + line.net, 0
    elif line.stake_lost and line.result == "win":
        pays, takes = line.winnings, line.stake
    return LinePayout(line.wager, pays, takes, line.from_meter, line.clause)
