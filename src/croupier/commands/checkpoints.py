"""Signed checkpoints of a journal: `checkpoint`, `prove`, and `verify --proof`."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
from rich.text import Text

from croupier.commands.journal import opened
from croupier.commands.output import console, print_json, print_refusal_object
from croupier.commands.stderr import print_error
from croupier.errors import BadData, BadRequest, plain
from croupier.ledger.checkpoints.checkpoints import Checkpoint, checkpoint_records, take_checkpoint
from croupier.ledger.checkpoints.kept import keep_checkpoint, kept_checkpoints, public_keys
from croupier.ledger.checkpoints.proofs import (
    ProvedRound,
    RoundProof,
    check_proof,
    prove_round,
)
from croupier.ledger.faults import Conflict, ProofFailed
from croupier.ledger.journal import Journal
from croupier.ledger.signatures.machine_key import machine_key
from croupier.money import format_cents
from croupier.reports.round_proof import MOST_PDF, attached_proof, is_pdf, write_proof
from croupier.rounds.state import LineRecord

__all__ = ["checked_proof", "proved", "taken"]


def taken(journal: str | None, *, to: str | None, every: bool, as_json: bool) -> int:
    with opened(journal) as store:
        made = _take(store)
        if made is None:
            raise BadRequest(f"{store.name} has no entries to sign")
        found = [one.checkpoint for one in checkpoint_records(store)] if every else [made]
        refused = list(store.refused.values())
    for one in found:
        if to is not None:
            keep_checkpoint(one, to)
        _tell(one, as_json=as_json)
    for error in refused:
        print_error(f"not signed: {error}")
    return 1 if refused else 0


def _take(store: Journal) -> Checkpoint | None:
    key = machine_key()
    while True:
        try:
            return take_checkpoint(store, key)
        except Conflict:
            continue


def _tell(checkpoint: Checkpoint, *, as_json: bool) -> None:
    if as_json:
        print_json(msgspec.to_builtins(checkpoint))
        return
    out = console()
    out.print(f"{checkpoint.size:,} entries at {checkpoint.at}")
    for name in ("root", "key", "signature"):
        out.print(f"  {name:9} {getattr(checkpoint, name)}", soft_wrap=True, highlight=False)


def proved(journal: str | None, table: str, number: int, *, to: Path | None) -> int:
    with opened(journal) as store:
        proof = prove_round(store, table, number)
        if to is not None:
            write_proof(store, proof, to)
            return 0
    sys.stdout.write(proof.to_json().decode() + "\n")
    return 0


def checked_proof(file: str, *, keys: list[str], since: str | None, as_json: bool) -> int:
    trusted = set(public_keys(keys))
    if since is not None:
        trusted |= {one.key for one in kept_checkpoints(since)}
    if not trusted:
        raise BadRequest(
            "say which public key you trust: --key, or --since with a checkpoint that you kept; "
            "the key in the proof itself proves nothing"
        )
    try:
        found = check_proof(_proof_in(_read(file)), frozenset(trusted))
    except ProofFailed as error:
        if as_json:
            print_refusal_object(error, print_json)
        print_error(f"the proof does not hold: {error.message}")
        return 1
    _tell_proof(found, as_json=as_json)
    return 0


def _line(line: LineRecord) -> dict[str, str]:
    """As `settle` writes it."""
    stake, net = format_cents(line.stake), format_cents(line.net)
    return {
        "wager": line.wager,
        "stake": stake,
        "result": line.result,
        "net": net,
        "clause": line.clause,
    }


def _proof_in(text: bytes) -> RoundProof:
    """As JSON, or attached to a PDF."""
    return RoundProof.from_json(attached_proof(text) if is_pdf(text) else text)


def _read(file: str) -> bytes:
    try:
        with sys.stdin.buffer if file == "-" else Path(file).open("rb") as opened:
            text = opened.read(MOST_PDF + 1)
    except OSError as error:
        raise BadRequest(f"{plain(file, 200)} cannot be read: {error.strerror}") from None
    if len(text) > MOST_PDF:
        raise BadData(f"{plain(file, 200)} has more than {MOST_PDF:,} bytes: it is no proof")
    return text


def _tell_proof(found: ProvedRound, *, as_json: bool) -> None:
    nets = {seat: format_cents(net) for seat, net in found.nets.items()}
    lines = {seat: [_line(line) for line in settled] for seat, settled in found.lines.items()}
    if as_json:
        print_json(msgspec.to_builtins(found) | {"valid": True, "nets": nets, "lines": lines})
        return
    out = console()
    out.print(
        Text.assemble(
            ("The proof holds:", "green"),
            f" round {found.round} of table {found.table}, {found.began[:19]} to "
            f"{found.ended[:19]} UTC, {found.entries} entries",
        )
    )
    for seat, net in nets.items():
        out.print(f"  seat {seat}: {net}")
        for line in lines[seat]:
            stake, change = f"${line['stake']}", f"{line['result']} {line['net']}"
            out.print(f"    {line['wager']:18} {stake:>10}  {change:20} {line['clause']}")
    if found.deck is not None:
        values = f", mixed with {found.deck.values} players' values" if found.deck.values else ""
        out.print(
            f"Its {found.deck.dealt} cards are the first of the deck sealed before the bets{values}"
            f" (seal {found.deck.seal[:16]}…)."
        )
    out.print(
        f"It was signed at {found.checkpoint.at} among {found.checkpoint.size:,} entries.",
        style="dim",
    )
