"""`croupier certificate`: deals an exam again and says whether its certificate is true."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from croupier.commands.output import console, print_json
from croupier.errors import BadData, BadRequest, plain
from croupier.ledger.signatures.machine_key import is_public_key
from croupier.school.certificate_kinds import KINDS
from croupier.school.certificates import MOST_BYTES, Certificate, Verdict, check, read

__all__ = ["run"]


def run(file: Path, *, keys: Sequence[str], as_json: bool) -> int:
    for key in keys:
        if not is_public_key(key):
            raise BadRequest(f"--key {plain(key)}: a public key has 64 hexadecimal digits")
    certificate = read(_bytes_of(file))
    found = check(certificate, KINDS, keys)
    if as_json:
        print_json(found)
    else:
        _draw(certificate, found)
    return 0 if found.verdict == "valid" else 1


def _bytes_of(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadData(f"{plain(file, 200)} cannot be read: {error.strerror}") from None


def _draw(certificate: Certificate, found: Verdict) -> None:
    out = console()
    out.print(Text(f"{certificate.title}, {certificate.person}", "bold"))
    out.print(f"From {certificate.began_at} to {certificate.ended_at}.")
    drawn = Table("", "says", "recomputed", box=None, pad_edge=False)
    for name, said in certificate.score.items():
        drawn.add_row(name.replace("_", " "), said, found.score.get(name, ""))
    out.print(drawn)
    style = {"valid": "bold green", "forged": "bold red", "unchecked": "bold yellow"}
    out.print(Text(_TOLD[found.verdict], style[found.verdict]))
    for reason in found.reasons:
        out.print(f"- {reason}")
    if found.signed_by:
        out.print(f"Signed by {found.signed_by}: compare it with the key that the house names.")


_TOLD = {
    "valid": "Valid: seed, answers, score, hash and signature agree.",
    "forged": "Forged or altered:",
    "unchecked": "Cannot be checked here:",
}
