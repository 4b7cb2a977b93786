"""The signatures of the commands on journals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from croupier.commands.signatures.common import (
    AsJson,
    Clustered,
    Journal,
    Repeated,
    documented,
    unwrapped,
)

__all__ = [
    "checkpoint",
    "export",
    "journal",
    "prove",
    "recall",
    "reindex",
    "replay",
    "verify",
]

AsEvery = Annotated[
    bool, Parameter(name="--all", negative=(), help="All checkpoints of the journal.")
]

journal = App(name="journal", help="Work on a whole journal: shift reports, pruning, adoption.")


@documented
def verify(
    *,
    since: str | None = None,
    proof: str | None = None,
    key: Repeated = None,
    read_only: Annotated[bool, Parameter(negative=())] = False,
    jobs: int | None = None,
    cluster: Clustered = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Walk a whole journal: every chain, every command given again, every cent, every checkpoint.

    Lists everything that differs, and ends with one line: `whole and anchored` (exit code 0),
    `whole, not anchored` (3) with what is missing, or `differs` (1). Anchored: checkpoints signed
    with a trusted key cover every entry. This machine's own key is trusted unless you name another.

    Parameters
    ----------
    since
        Checkpoints that were kept elsewhere: a file, a folder or postgresql://…. The journal must
        go on from each of them.
    proof
        Check this proof of one round, which `croupier prove` wrote (JSON or PDF), and no journal.
    key
        The public key that checkpoints must be signed with, or a file that has it.
    jobs
        So many processes walk the streams; left out, as many as there are processors if the journal
        is large.
    read_only
        Write nothing, not even beside the file; so it is on read-only media in any case.
    """
    from croupier.commands import checkpoints
    from croupier.commands import journal as command

    if proof is not None:
        return checkpoints.checked_proof(proof, keys=key or [], since=since, as_json=json)
    return command.verified(
        journal,
        since=since,
        keys=key or [],
        read_only=read_only,
        jobs=jobs,
        cluster=cluster,
        as_json=json,
    )


@documented
def checkpoint(
    *, to: str | None = None, every: AsEvery = False, journal: Journal = None, json: AsJson = False
) -> int:
    """Sign what the journal has now, and print the checkpoint, to be kept elsewhere.

    Whoever keeps it can prove later that nothing before it was changed, cut off or put in:
    `croupier verify --since`.

    Parameters
    ----------
    to
        Keep it there as well: a file (it grows by a line), a folder, or postgresql://… for another
        database.
    """
    from croupier.commands import checkpoints

    return checkpoints.taken(journal, to=to, every=every, as_json=json)


@documented
def prove(table: str, number: int, *, to: Path | None = None, journal: Journal = None) -> int:
    """Write a proof that a round is in the journal and was signed.

    It is JSON; to a file that ends in .pdf it is a page that tells the round, with the proof
    attached. `croupier verify --proof FILE --key KEY` checks either without the journal.

    Parameters
    ----------
    table
        The table's name.
    number
        The round's number at that table.
    to
        The file to write; standard output when left out.
    """
    from croupier.commands import checkpoints

    return checkpoints.proved(journal, table, number, to=to)


@documented
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


@documented
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


@documented
def export(
    table: str | None = None,
    *,
    form: Annotated[Literal["jsonl", "csv"], Parameter(name="--format")] = "jsonl",
    part: Annotated[
        Literal["entries", "wagers", "transfers", "attempts", "tables", "links"] | None,
        Parameter(name="--what"),
    ] = None,
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
    part
        entries: of tables, then of links, refused attempts and corrections. wagers: what was
        settled. transfers: every cent moved. attempts, tables, links: these entries only.
    to
        The file to write; standard output when left out.
    """
    from croupier.commands import journal as command

    return command.export(journal, table=table, form=form, part=part, to=to)


@documented
def reindex(
    *,
    even_if_cut: Annotated[bool, Parameter(negative=())] = False,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Make anew what follows from the entries: the index of rounds, balances, requests, snapshots.

    The entries themselves stay as they are. If their chain does not hold, nothing is touched, and
    the command ends with 1. Nobody can write meanwhile.

    Parameters
    ----------
    even_if_cut
        Also where the old index speaks of entries that are missing: it may be their only trace.
    """
    from croupier.commands import journal as command

    return command.reindexed(journal, even_if_cut=even_if_cut, as_json=json)


@journal.command(name="shift")
def journal_shift(
    table: str | None = None,
    *,
    since: str,
    until: str | None = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """A shift in figures, by table and dealer.

    Drop, win and hold, fills, credits and tips, rounds and how many of them an hour.

    Parameters
    ----------
    table
        This table only; all of them when left out.
    since
        When the shift began, as in 2026-11-15T18:00; without a zone it is UTC.
    until
        When it ended; now when left out.
    """
    from croupier.commands import journal as command

    return command.shift(journal, since=since, until=until, table=table, as_json=json)


journal_shift.__doc__ = unwrapped(journal_shift.__doc__ or "")


@journal.command(name="prune")
def journal_prune(*, days: int, journal: Journal = None, json: AsJson = False) -> int:
    """Empty refused attempts that were signed this many days before the last checkpoint.

    Their times and hashes stay, so that checkpoints prove that they were there. Signed times are
    counted, not the clock: setting it forward erases nothing.

    Parameters
    ----------
    days
        How many days lie between the two checkpoints; 30 at least.
    """
    from croupier.commands import journal as command

    return command.pruned(journal, days=days, as_json=json)


journal_prune.__doc__ = unwrapped(journal_prune.__doc__ or "")


@journal.command(name="adopt")
def journal_adopt(
    *, since: str | None = None, journal: Journal = None, json: AsJson = False
) -> int:
    """Write on in a journal that was moved here from a machine with another key.

    It is verified first; where anything differs, nothing is changed and the command ends with 1.
    Then the key of this machine vouches for all its entries, and the journal says since when. Stop
    every server of the journal before.

    Parameters
    ----------
    since
        Checkpoints kept elsewhere (a file, a folder, or postgresql://…) that it must go on from.
    """
    from croupier.commands import journal as command

    return command.adopted(journal, since=since, as_json=json)


journal_adopt.__doc__ = unwrapped(journal_adopt.__doc__ or "")
