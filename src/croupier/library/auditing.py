"""Journals for auditors and operators: checkpoints, proofs of rounds, exports, shifts, repairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.errors import BadData, BadRequest, plain, suggest
from croupier.ledger import journal as ledger
from croupier.ledger.checkpoints.checkpoints import Checkpoint, checkpoint_records, take_checkpoint
from croupier.ledger.checkpoints.kept import keep_checkpoint, kept_checkpoints, public_keys
from croupier.ledger.checkpoints.proofs import ProvedRound, RoundProof
from croupier.ledger.checkpoints.proofs import check_proof as proved
from croupier.ledger.faults import Conflict
from croupier.ledger.signatures.machine_key import machine_key
from croupier.library.journals import Journal, open_journal
from croupier.library.record import Record
from croupier.money import format_cents
from croupier.reports.round_proof import MOST_PDF, attached_proof, is_pdf
from croupier.rounds.state import LineRecord

if TYPE_CHECKING:
    from croupier.ledger.checkpoints.pruning import Pruned
    from croupier.ledger.maintenance.adopting import Adopted
    from croupier.ledger.maintenance.reindex import Reindexed
    from croupier.reports.exports import Form, Part
    from croupier.reports.shift import ShiftReport

SomeJournal = Journal | str | Path
"""An open journal or its location: a SQLite file, or postgresql://…."""


@contextmanager
def _store(journal: SomeJournal) -> Iterator[ledger.Journal]:
    if isinstance(journal, Journal):
        yield journal.ledger
        return
    with open_journal(journal, make=False) as opened:
        yield opened.ledger


def _check_table(store: ledger.Journal, table: str | None) -> None:
    names = tuple(name.removeprefix("table:") for name in store.streams("table:"))
    if table is not None and table not in names:
        raise suggest("table", table, names)


# -- checkpoints and proofs -----------------------------------------------------------------------


class SignedCheckpoints(Record, frozen=True):
    """Checkpoints of a journal, and the streams that could not be signed."""

    checkpoints: tuple[Checkpoint, ...]
    """The checkpoints that were signed."""
    refused: tuple[str, ...]
    """Why some streams could not be signed."""

    def to_dict(self) -> dict[str, Any]:
        """Return the last checkpoint, which is the one that was just signed."""
        return dict(msgspec.to_builtins(self.checkpoints[-1]))


class ProofCheck(Record, frozen=True):
    """The contents of a proof that holds."""

    round: ProvedRound
    """The round that the proof shows."""

    def to_dict(self) -> dict[str, Any]:
        shown: dict[str, Any] = msgspec.to_builtins(self.round)
        nets = {seat: format_cents(net) for seat, net in self.round.nets.items()}
        return shown | {"valid": True, "nets": nets, "lines": self.lines}

    @property
    def lines(self) -> dict[int, list[dict[str, str]]]:
        """The result of every wager by seat, as `settle` writes it."""
        return {
            seat: [_line_object(line) for line in lines] for seat, lines in self.round.lines.items()
        }


def _line_object(line: LineRecord) -> dict[str, str]:
    return {
        "wager": line.wager,
        "stake": format_cents(line.stake),
        "result": line.result,
        "net": format_cents(line.net),
        "clause": line.clause,
    }


def checkpoint(
    journal: SomeJournal, *, to: str | None = None, every: bool = False
) -> SignedCheckpoints:
    """Sign the current state of a journal with the key of this machine, and return the checkpoint;
    with `every`, all checkpoints of the journal. `to` keeps them in a file, a folder or another
    database."""
    with _store(journal) as store:
        made = _take(store)
        if made is None:
            raise BadRequest(f"{store.name} has no entries to sign")
        kept = [each.checkpoint for each in checkpoint_records(store)] if every else [made]
        refused = tuple([str(error) for error in store.refused.values()])
    for each in kept if to is not None else ():
        keep_checkpoint(each, str(to))
    return SignedCheckpoints(tuple(kept), refused)


def _take(store: ledger.Journal) -> Checkpoint | None:
    key = machine_key()
    while True:
        try:
            return take_checkpoint(store, key)
        except Conflict:
            continue


def prove(
    journal: SomeJournal, table: str, number: int, to: str | Path | None = None
) -> RoundProof:
    """Return a proof that a finished round is in the journal and was signed. `to` is the file to
    write: JSON, or a page with the proof attached if it ends in .pdf."""
    if isinstance(journal, Journal):
        return journal.prove(table, number, to)
    with open_journal(journal, make=False) as opened:
        return opened.prove(table, number, to)


def check_proof(
    file: str | Path | bytes, *, keys: Iterable[str] = (), since: str | None = None
) -> ProofCheck:
    """Check the proof of one round, JSON or PDF, without its journal. `keys` are the public keys
    that you trust (or files with them), `since` checkpoints that you kept. A proof that does not
    hold raises `ProofFailed`."""
    trusted = set(public_keys([keys] if isinstance(keys, str) else list(keys)))
    if since is not None:
        trusted |= {each.key for each in kept_checkpoints(since)}
    if not trusted:
        raise BadRequest(
            "say which public key you trust (--key), or name a checkpoint that you kept (--since): "
            "the key in the proof itself proves nothing"
        )
    text = file if isinstance(file, bytes) else _read(Path(file))
    proof = RoundProof.from_json(attached_proof(text) if is_pdf(text) else text)
    return ProofCheck(proved(proof, frozenset(trusted)))


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            text = opened.read(MOST_PDF + 1)
    except OSError as error:
        raise BadRequest(f"{plain(file, 200)} cannot be read: {error.strerror}") from None
    if len(text) > MOST_PDF:
        raise BadData(f"{plain(file, 200)} has more than {MOST_PDF:,} bytes: it is not a proof")
    return text


# -- what a journal says --------------------------------------------------------------------------


class Shift(Record, frozen=True):
    """A shift in figures, by table and dealer."""

    report: ShiftReport
    """The whole report."""

    def to_dict(self) -> dict[str, Any]:
        return dict(msgspec.to_builtins(self.report))


def export(
    journal: SomeJournal,
    *,
    table: str | None = None,
    form: Form = "jsonl",
    part: Part | None = None,
) -> Iterator[str]:
    """Write a journal out for a regulator, line by line: every entry as JSON Lines, or every wager
    as CSV. `part` chooses others: `entries`, `wagers`, `transfers`, `attempts`, `tables`,
    `links`."""
    from croupier.reports.exports import export_lines

    with _store(journal) as store:
        _check_table(store, table)
        yield from export_lines(store, form, part, table)


def shift(
    journal: SomeJournal,
    since: datetime,
    until: datetime | None = None,
    *,
    table: str | None = None,
) -> Shift:
    """Return a shift in figures: drop, win and hold, fills, credits and tips, rounds and pace. A
    time without a zone is UTC; `until` defaults to now."""
    from croupier.reports.shift import shift_report

    begin, end = (
        at.replace(tzinfo=UTC) if at.tzinfo is None else at
        for at in (since, until or datetime.now(UTC))
    )
    with _store(journal) as store:
        _check_table(store, table)
        return Shift(shift_report(store, begin, end, table))


# -- repairs --------------------------------------------------------------------------------------


class Reindexing(Record, frozen=True):
    """The amount of data that was rebuilt from the entries."""

    result: Reindexed
    """The counts of what was rebuilt."""

    def to_dict(self) -> dict[str, Any]:
        return dict(msgspec.to_builtins(self.result))


class Pruning(Record, frozen=True):
    """The amount of data that was emptied."""

    result: Pruned
    """The counts of what was emptied."""

    def to_dict(self) -> dict[str, Any]:
        return dict(msgspec.to_builtins(self.result))


class Adoption(Record, frozen=True):
    """Whether this machine now vouches for a journal, or the differences that prevent it."""

    result: Adopted
    """What was adopted, or the differences."""

    def __bool__(self) -> bool:
        return not self.result.differences

    def to_dict(self) -> dict[str, Any]:
        return dict(msgspec.to_builtins(self.result))


def reindex(
    journal: SomeJournal,
    *,
    even_if_cut: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Reindexing:
    """Rebuild the index of rounds, balances, requests and snapshots from the entries. A broken
    chain raises `ChainBroken` and nothing is changed. `even_if_cut` goes on even if the old index
    mentions entries that are missing. `progress` is called with the number of entries read."""
    from croupier.ledger.maintenance.reindex import reindex as rebuild

    with _store(journal) as store:
        return Reindexing(rebuild(store, progress, even_if_cut=even_if_cut))


def prune(journal: SomeJournal, days: int) -> Pruning:
    """Empty the refused attempts that were signed at least this many days before the last
    checkpoint."""
    from croupier.ledger.checkpoints.pruning import prune_attempts

    with _store(journal) as store:
        return Pruning(prune_attempts(store, days))


def adopt(journal: SomeJournal, *, since: str | None = None) -> Adoption:
    """Let this machine's key vouch for a journal that was moved here, after verifying it. `since`
    names checkpoints kept elsewhere that the journal must continue."""
    from croupier.ledger.maintenance.adopting import adopt as vouch

    kept = kept_checkpoints(since) if since is not None else ()
    with _store(journal) as store:
        return Adoption(vouch(store, kept))
