"""`croupier verify`, `checkpoint` and `prove`: verification, signatures and proofs of a journal."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

import croupier
from croupier.commands.journal import counting, opened, print_differences
from croupier.commands.options import AsJson, Clustered, Flag, Journal, Repeated, documented
from croupier.commands.output import (
    console,
    print_error,
    print_json,
    print_record,
    print_refusal_object,
)
from croupier.errors import BadRequest

if TYPE_CHECKING:
    from croupier.ledger.journal import Journal as Store
    from croupier.library.auditing import ProofCheck
    from croupier.library.journals import Verification

AsEvery = Annotated[
    bool, Parameter(name="--all", negative=(), help="All checkpoints of the journal.")
]

EXIT_CODES: Final = {"anchored": 0, "differs": 1, "unanchored": 3}
MANY_ENTRIES: Final = 50_000
"""The number of entries from which it is worth starting more processes."""
_STYLES: Final = {"anchored": "bold green", "unanchored": "bold yellow", "differs": "bold red"}


@documented
def verify(
    *,
    since: str | None = None,
    proof: str | None = None,
    key: Repeated = None,
    read_only: Flag = False,
    jobs: int | None = None,
    cluster: Clustered = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Check a whole journal, or the proof of one round. Every chain is walked, every command given
    again, every cent and every checkpoint checked. It lists everything that differs, and ends with
    one line: `whole and anchored` (exit code 0), `whole, not anchored` (3) with what is missing, or
    `differs` (1). Anchored: checkpoints signed with a trusted key cover every entry. This machine's
    own key is trusted unless you name another.

    Parameters
    ----------
    since
        Checkpoints that were kept elsewhere: a file, a folder or postgresql://…. The journal must
        go on from each of them.
    proof
        Check this proof of one round, which `croupier prove` wrote (JSON or PDF), and no journal.
    key
        The public key that checkpoints must be signed with, or a file that has it. Repeatable.
    jobs
        How many processes walk the streams; by default as many as there are processors if the
        journal is large.
    read_only
        Write nothing, not even beside the file; that is so on read-only media in any case.
    """
    if proof is not None:
        return _check_proof(proof, key or [], since, as_json=json)
    if jobs is not None and jobs < 1:
        raise BadRequest(f"--jobs {jobs}: the least is one process")
    from croupier.ledger.checkpoints.kept import kept_checkpoints, public_keys
    from croupier.workers import using

    kept = kept_checkpoints(since) if since is not None else ()
    trusted = public_keys(key or [])
    with (
        using(cluster),
        opened(journal, read_only=read_only, signs=False) as store,
        counting("entries verified") as count,
    ):
        verification = croupier.Journal(store).verify(
            count, kept, trusted, jobs or _usual_jobs(store)
        )
    if json:
        print_record(verification)
    else:
        _print_verification(verification, store.name)
    return EXIT_CODES[verification.verdict]


def _usual_jobs(store: Store) -> int:
    versions = store.versions()
    if sum(versions.values()) < MANY_ENTRIES:
        return 1
    return max(1, min(os.cpu_count() or 1, len(versions)))


def _print_verification(verification: Verification, name: str) -> None:
    from rich.text import Text

    out = console()
    out.print(
        f"{name}: {verification.entries:,} entries in {verification.streams} streams, "
        f"{verification.rounds:,} rounds"
    )
    for note in verification.notes:
        out.print(Text.assemble(("note", "yellow"), f" {note.stream}: {note.message}"))
    if verification.valid:
        out.print(
            "Every chain holds, every round plays again to the same end, every settlement, "
            "transfer and balance agrees."
        )
    print_differences(verification.differences)
    if verification.signed.checkpoints:
        out.print(verification.signed_words)
    out.print(verification.conclusion, style=_STYLES[verification.verdict], soft_wrap=True)


def _check_proof(file: str, keys: list[str], since: str | None, *, as_json: bool) -> int:
    from croupier.ledger.faults import ProofFailed

    try:
        checked = croupier.check_proof(file, keys=keys, since=since)
    except ProofFailed as error:
        if as_json:
            print_refusal_object(error)
        print_error(f"the proof does not hold: {error.message}")
        return 1
    if as_json:
        print_record(checked)
    else:
        _print_proof(checked)
    return 0


def _print_proof(checked: ProofCheck) -> None:
    from rich.text import Text

    from croupier.money import format_cents

    out, played = console(), checked.round
    out.print(
        Text.assemble(
            ("The proof holds:", "green"),
            f" round {played.round} of table {played.table}, {played.began[:19]} to "
            f"{played.ended[:19]} UTC, {played.entries} entries",
        )
    )
    for seat, net in played.nets.items():
        out.print(f"  seat {seat}: {format_cents(net)}")
        for line in checked.lines.get(seat, ()):
            stake, change = f"${line['stake']}", f"{line['result']} {line['net']}"
            out.print(f"    {line['wager']:18} {stake:>10}  {change:20} {line['clause']}")
    if played.deck is not None:
        count = played.deck.values
        values = f", mixed with {count} players' values" if count else ""
        out.print(
            f"Its {played.deck.dealt} cards are the first of the deck sealed before the bets"
            f"{values} (seal {played.deck.seal[:16]}…)."
        )
    out.print(
        f"It was signed at {played.checkpoint.at} among {played.checkpoint.size:,} entries.",
        style="dim",
    )


@documented
def checkpoint(
    *, to: str | None = None, every: AsEvery = False, journal: Journal = None, json: AsJson = False
) -> int:
    """Sign what the journal has now, to be kept elsewhere. A person who keeps the printed
    checkpoint can prove later that nothing before it was changed, cut off or put in: `croupier
    verify --since`.

    Parameters
    ----------
    to
        Keep it there as well: a file (it grows by a line), a folder, or postgresql://… for another
        database.
    """
    with opened(journal) as store:
        signed = croupier.checkpoint(croupier.Journal(store), to=to, every=every)
    out = console()
    for each in signed.checkpoints:
        if json:
            print_json(each)
            continue
        out.print(f"{each.size:,} entries at {each.at}")
        for name in ("root", "key", "signature"):
            out.print(f"  {name:9} {getattr(each, name)}", soft_wrap=True)
    for reason in signed.refused:
        print_error(f"not signed: {reason}")
    return 1 if signed.refused else 0


@documented
def prove(table: str, number: int, *, to: Path | None = None, journal: Journal = None) -> int:
    """Write a proof that a round is in the journal and was signed. It is JSON; to a file that ends
    in .pdf it is a page about the round, with the proof attached. `croupier verify --proof
    FILE --key KEY` checks either without the journal.

    Parameters
    ----------
    table
        The table's name.
    number
        The round's number at that table.
    to
        The file to write; by default standard output.
    """
    with opened(journal) as store:
        proof = croupier.Journal(store).prove(table, number, to)
    if to is None:
        sys.stdout.write(proof.to_json().decode() + "\n")
    return 0
