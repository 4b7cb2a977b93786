"""The clock of a table: how long players have to bet and to answer.

No document has a clock. It is the operator's choice; without one there is no time limit. A player
who does not answer in time declines, and their wagers stay in play (MD-37).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from croupier.errors import BadRequest

LEAST_SECONDS: Final = 10
MOST_SECONDS: Final = 600
MOST_EXTENSIONS: Final = 3
"""How many times the time for an answer may be extended."""


class ClockTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A submission's clock, in seconds: from the first bet to "no more bets", for an answer, and
    how much more time a player who asks for it gets."""

    betting: int | None = None
    decision: int | None = None
    extension: int | None = None


class Clock(NamedTuple):
    """The clock in force, in seconds; `betting` or `decision` is None if there is none."""

    betting: int | None
    decision: int | None
    extension: int


def clock_faults(terms: ClockTerms) -> Iterator[str]:
    """Return what is wrong with the clock of a submission."""
    stated = {name: getattr(terms, name) for name in ClockTerms.__struct_fields__}
    for name, seconds in stated.items():
        if seconds is not None and not LEAST_SECONDS <= seconds <= MOST_SECONDS:
            yield (
                f"clock.{name} is {seconds} seconds, but must be {LEAST_SECONDS} to {MOST_SECONDS}"
            )
    runs = terms.betting is not None or terms.decision is not None
    if runs and terms.extension is None:
        yield (
            "clock.extension is left out: players may ask for more time, so say how many seconds "
            "they get"
        )
    if not runs and terms.extension is not None:
        yield "clock.extension has nothing to extend: state clock.betting or clock.decision"


def clock_in_force(terms: ClockTerms) -> Clock | None:
    """Return the clock in force; None if there is no time limit."""
    for fault in clock_faults(terms):
        raise BadRequest(fault)
    if terms.extension is None:
        return None
    return Clock(terms.betting, terms.decision, terms.extension)
