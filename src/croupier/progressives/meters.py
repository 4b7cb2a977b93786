"""One meter: its exact reading, and the source of every part of a cent.

A stake is whole cents and a contribution rate has at most six decimals, so each contribution is a
whole number of micro-cents (10⁻⁶ cent) and is never rounded. Players see whole cents.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

import msgspec

from croupier.errors import BadAmount, shown
from croupier.money import dollars

MICRO: Final = 10**6
"""Micro-cents in a cent; also the millionths in a rate of 1."""

_RATE: Final = re.compile(r"([01])(?:\.([0-9]{1,6}))?")

Column: TypeAlias = Literal[
    "seeded", "received", "contributed", "reversed", "made_good", "awarded", "reset", "moved_out"
]
_TAKES: Final = ("reversed", "awarded", "moved_out")


class LinkMeterTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A meter's seed, reset amount and contribution rate."""

    seed_cents: int
    reset_cents: int
    rate_millionths: int

    def __str__(self) -> str:
        return (
            f"seed {dollars(self.seed_cents)}, reset {dollars(self.reset_cents)}, "
            f"rate {self.rate_millionths / 10_000:g}%"
        )


def rate_millionths(rate: object) -> int:
    """Read a contribution rate such as `"0.25"`. Floats and a seventh decimal are refused."""
    match = _RATE.fullmatch(str(rate)) if isinstance(rate, str | int) else None
    if match is not None and not isinstance(rate, bool):
        millionths = int(match[1]) * MICRO + int((match[2] or "").ljust(6, "0"))
        if millionths <= MICRO:
            return millionths
    raise BadAmount(
        f'{shown(rate)} is not a rate of progression: write a share of the stake from "0" to "1" '
        'with at most six decimals, as in "0.25"'
    )


class MeterTotals(msgspec.Struct, frozen=True):
    """Every part of a cent on a meter, in micro-cents.

    reading = seeded + received + contributed + made_good + reset - reversed - awarded - moved_out
    """

    seeded: int
    received: int
    contributed: int
    reversed: int
    made_good: int
    awarded: int
    reset: int
    moved_out: int
    reading: int

    @property
    def explained(self) -> int:
        """The reading that follows from the meter's movements."""
        came = self.seeded + self.received + self.contributed + self.made_good + self.reset
        return came - self.reversed - self.awarded - self.moved_out

    @property
    def shown_cents(self) -> int:
        return self.explained // MICRO


class LinkMeter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reading and, kept separately, the totals of what changed it; all in micro-cents."""

    terms: LinkMeterTerms
    reading: int = 0
    seeded: int = 0
    """Paid in by the house at the opening."""
    received: int = 0
    """Received from a link that was closed."""
    contributed: int = 0
    reversed: int = 0
    """Contributions of void rounds, taken back."""
    made_good: int = 0
    """Paid in by the house because reversed contributions had already been paid to winners."""
    awarded: int = 0
    reset: int = 0
    """Paid in by the house after awards of 100 percent."""
    moved_out: int = 0
    times_emptied: int = 0

    @property
    def shown_cents(self) -> int:
        """The amount that players see: whole cents, rounded down."""
        return self.reading // MICRO

    def explain(self) -> MeterTotals:
        return MeterTotals(
            seeded=self.seeded,
            received=self.received,
            contributed=self.contributed,
            reversed=self.reversed,
            made_good=self.made_good,
            awarded=self.awarded,
            reset=self.reset,
            moved_out=self.moved_out,
            reading=self.reading,
        )

    def with_entry(self, column: Column, microcents: int) -> LinkMeter:
        """Return the meter after one entry: the column grows, and the reading rises or falls with
        it."""
        change = -microcents if column in _TAKES else microcents
        return msgspec.structs.replace(
            self,
            reading=self.reading + change,
            **{column: getattr(self, column) + microcents},
        )

    def after_full_award(self, award_cents: int, reset_cents: int) -> LinkMeter:
        """Return the meter after an award of 100 percent: the reset amount plus the remaining part
        of a cent."""
        meter = self.with_entry("awarded", award_cents * MICRO)
        meter = meter.with_entry("reset", reset_cents * MICRO)
        return msgspec.structs.replace(meter, times_emptied=meter.times_emptied + 1)


def opened_meter(terms: LinkMeterTerms) -> LinkMeter:
    return LinkMeter(terms).with_entry("seeded", terms.seed_cents * MICRO)
