"""Commands and events of a link."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from croupier.progressives.links import LinkGame
from croupier.progressives.meters import LinkMeterTerms
from croupier.progressives.table_terms import TableTerms


class _Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


# Commands ---------------------------------------------------------------------------------------


class OpenLink(_Message, frozen=True, tag="open_link"):
    """Open a link for its first table, with the terms of every meter."""

    link: str
    table: TableTerms
    meters: dict[str, LinkMeterTerms]
    by: str
    validate_all: bool = True


class JoinTable(_Message, frozen=True, tag="join_table"):
    """Add a table to the link. `approval` is the regulator's, if another game title joins and a
    document does not allow it."""

    table: TableTerms
    by: str
    approval: str = ""


class LeaveTable(_Message, frozen=True, tag="leave_table"):
    table: str
    by: str


class Contribute(_Message, frozen=True, tag="contribute"):
    """The wagers accepted when the table's betting was locked: pairs of seat and cents."""

    table: str
    round: int
    stakes: tuple[tuple[int, int], ...]


class ReverseRound(_Message, frozen=True, tag="reverse_round"):
    """Take back the contributions of a void round, or of some of its seats."""

    table: str
    round: int
    reason: str
    seats: tuple[int, ...] = ()
    """The void seats; if empty, every seat of the round."""
    by: str = ""


class Award(_Message, frozen=True, tag="award"):
    """Pay this seat from a meter, now that it is its turn.

    `expected_cents` is the amount shown to the player. If another table has changed the meter
    since, the award is refused and nothing is paid.
    """

    table: str
    round: int
    seat: int
    hand: str
    validated_by: str = ""
    expected_cents: int | None = None


class FinishRound(_Message, frozen=True, tag="finish_round"):
    table: str
    round: int


class ChangeTerms(_Message, frozen=True, tag="change_terms"):
    """Change a meter's rate or reset amount from now on. The reading of the meter stays."""

    meter: str
    reason: str
    by: str
    rate_millionths: int | None = None
    reset_cents: int | None = None


class MoveTo(_Message, frozen=True, tag="move_to"):
    """The money goes to a meter of another link."""

    link: str
    meter: str


class Stated(_Message, frozen=True, tag="stated"):
    """The money goes where these words state."""

    words: str


class CloseLink(_Message, frozen=True, tag="close_link"):
    """Close the link; `goes` states where the money of each meter goes."""

    goes: dict[str, MoveTo | Stated]
    reason: str
    by: str


class ReceiveMoney(_Message, frozen=True, tag="receive_money"):
    """The receiving side of `MoveTo`: recorded together with the closing."""

    meter: str
    microcents: int
    from_link: str
    from_meter: str
    by: str


Command: TypeAlias = (
    OpenLink
    | JoinTable
    | LeaveTable
    | Contribute
    | ReverseRound
    | Award
    | FinishRound
    | ChangeTerms
    | CloseLink
    | ReceiveMoney
)


# Events -----------------------------------------------------------------------------------------


class LinkOpened(_Message, frozen=True, tag="link_opened"):
    link: str
    game: LinkGame
    meters: dict[str, LinkMeterTerms]
    validate_all: bool
    by: str


class TableJoined(_Message, frozen=True, tag="table_joined"):
    table: TableTerms
    by: str
    approval: str = ""


class TableLeft(_Message, frozen=True, tag="table_left"):
    table: str
    by: str


class Contributed(_Message, frozen=True, tag="contributed"):
    """`microcents` is what each meter received."""

    table: str
    round: int
    stakes: tuple[tuple[int, int], ...]
    rates: dict[str, int]
    microcents: dict[str, int]


class RoundReversed(_Message, frozen=True, tag="round_reversed"):
    """`microcents` is exactly what the seats contributed; `made_good` is the part of it that has
    since been paid to a winner, and that the house pays in."""

    table: str
    round: int
    seats: tuple[int, ...]
    microcents: dict[str, int]
    made_good: dict[str, int]
    reason: str
    by: str = ""


class Awarded(_Message, frozen=True, tag="awarded"):
    """An award from a meter. An award of 100 percent and its reset are one event, so nobody reads
    the meter in between."""

    table: str
    round: int
    seat: int
    hand: str
    meter: str
    percent: int
    cents: int
    reset_cents: int
    clause: str
    validated_by: str


class RoundFinished(_Message, frozen=True, tag="round_finished"):
    table: str
    round: int


class TermsChanged(_Message, frozen=True, tag="terms_changed"):
    meter: str
    terms: LinkMeterTerms
    reason: str
    by: str


class Moved(_Message, frozen=True):
    microcents: int
    to: MoveTo | Stated


class LinkClosed(_Message, frozen=True, tag="link_closed"):
    goes: dict[str, Moved]
    reason: str
    by: str


class MoneyReceived(_Message, frozen=True, tag="money_received"):
    meter: str
    microcents: int
    from_link: str
    from_meter: str
    by: str


Event: TypeAlias = (
    LinkOpened
    | TableJoined
    | TableLeft
    | Contributed
    | RoundReversed
    | Awarded
    | RoundFinished
    | TermsChanged
    | LinkClosed
    | MoneyReceived
)
