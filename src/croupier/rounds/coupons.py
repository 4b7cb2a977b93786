"""Match play coupons (Massachusetts 6(a), MA-29): laid beside chips and never counted as chips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from croupier.errors import BadAmount, Refusal, RuleBroken
from croupier.money import dollars
from croupier.rounds.commands import PlaceCoupon
from croupier.rounds.events import CouponPlaced
from croupier.rounds.state import LineRecord, SeatInRound
from croupier.rulebooks.rules import Rules

MATCH_PLAY: Final = "match_play"
"""The name on a coupon's line, in place of a wager's name."""


def takes_coupons(rules: Rules) -> bool:
    """Return whether the document allows coupons and the operator takes them."""
    return bool(rules.book.procedure.coupon_on) and rules.options.get("match_play") is True


def place_coupon(seat: SeatInRound | None, command: PlaceCoupon, rules: Rules) -> CouponPlaced:
    """Return the event of laying a coupon worth no more than the chips beside it. With amount 0,
    the coupon there goes back to the player."""
    on, clause = rules.book.procedure.coupon_on, rules.book.procedure.coupon_clause
    if not on:
        raise RuleBroken("this document knows chips and plaques, and no coupons")
    if not takes_coupons(rules):
        raise RuleBroken(
            "the submission does not say that match play coupons are taken (options.match_play)",
            clause=clause,
        )
    title = rules.book.wagers[on].title
    chips = seat.wagers.get(on, 0) if seat is not None else 0
    if not command.amount:
        if seat is None or not seat.coupon:
            raise Refusal("no coupon lies there", code="nothing_there", clause=clause)
        return CouponPlaced(seat.number, seat.player, 0, "", clause)
    if command.amount < 0:
        raise BadAmount(f"a coupon has a value: {dollars(command.amount)} is not a value")
    if command.amount > chips:
        raise RuleBroken(
            f"a coupon of {dollars(command.amount)} lies beside {dollars(chips)} in chips on the "
            f"{title}: it takes at least as much in chips",
            clause=clause,
        )
    number = " ".join(command.number.split())
    return CouponPlaced(command.seat, command.player, command.amount, number, clause)


def check_coupon_covered(seat: SeatInRound | None, wagers: dict[str, int], rules: Rules) -> None:
    """Refuse to reduce the chips on the wager below the value of the coupon beside them."""
    on = rules.book.procedure.coupon_on
    if seat is not None and seat.coupon and wagers.get(on, seat.coupon) < seat.coupon:
        raise RuleBroken(
            f"a coupon of {dollars(seat.coupon)} lies beside the {rules.book.wagers[on].title}: "
            "take it back first",
            clause=rules.book.procedure.coupon_clause,
        )


def coupon_line(seat: SeatInRound, lines: Sequence[LineRecord], rules: Rules) -> LineRecord | None:
    """Return the coupon's line, or None without a coupon. It follows the wager it lies beside: on a
    win it is paid even money and taken, on a loss it is taken, otherwise it goes back."""
    on = rules.book.procedure.coupon_on
    led = next((line for line in lines if line.wager == on), None)
    if not seat.coupon or led is None:
        return None
    won = led.result == "win"
    return LineRecord(
        MATCH_PLAY,
        0,
        led.result,
        seat.coupon if won else 0,
        rules.book.procedure.coupon_clause,
        replace(led.reason, follows=on),
        "1 to 1" if won else "",
        coupon=seat.coupon,
    )
