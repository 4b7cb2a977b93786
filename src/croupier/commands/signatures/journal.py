"""The signatures of the commands that read a journal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from croupier.commands.signatures.common import AsJson, Journal

__all__ = ["export", "recall", "replay", "verify"]


def verify(*, journal: Journal = None, json: AsJson = False) -> int:
    """Walk a whole journal: every chain, every round played again, every cent.

    Says where the first difference of each stream is, and ends with 1 if there is one."""
    from croupier.commands import journal as command

    return command.verified(journal, as_json=json)


def replay(table: str, number: int, *, journal: Journal = None, json: AsJson = False) -> int:
    """Tell a past round: cards, decisions, payments, and the clause behind each.

    Parameters
    ----------
    table
        The table's name.
    number
        The round's number at that table.
    """
    from croupier.commands import journal as command

    return command.replayed(journal, table, number, as_json=json)


def recall(
    table: str | None = None,
    *,
    player: str | None = None,
    seat: int | None = None,
    hand: str | None = None,
    dealer: str | None = None,
    meter: str | None = None,
    since: str | None = None,
    until: str | None = None,
    limit: int = 20,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Find past rounds by table, player, seat, hand or time; the newest first.

    Parameters
    ----------
    table
        Rounds at this table only.
    player
        Rounds this person played in.
    seat
        Rounds in which this seat was played.
    hand
        Rounds in which a player held it: straight_flush, full_house, …
    dealer
        Rounds in which the dealer held it.
    meter
        Rounds in which this meter of a progressive paid.
    since
        Not before this time (UTC): 2026-11-15 or 2026-11-15T18:00.
    until
        Not after this time.
    limit
        At most so many.
    """
    from croupier.commands import journal as command

    marks = {
        "player": player,
        "seat": None if seat is None else str(seat),
        "hand": hand,
        "dealer": dealer,
        "meter": meter,
    }
    return command.recalled(
        journal, table=table, marks=marks, since=since, until=until, limit=limit, as_json=json
    )


def export(
    table: str | None = None,
    *,
    form: Annotated[Literal["jsonl", "csv"], Parameter(name="--format")] = "jsonl",
    to: Path | None = None,
    journal: Journal = None,
) -> int:
    """Write a journal out for a regulator: every entry as JSON Lines, or every wager as CSV.

    Parameters
    ----------
    table
        This table only; all of them when left out.
    form
        jsonl: every entry with its hash and transfers. csv: a row for each wager settled.
    to
        The file to write; standard output when left out.
    """
    from croupier.commands import journal as command

    return command.export(journal, table=table, form=form, to=to)
