"""Certificates of exams: the seed, the answers, the score, and a hash over everything.

Nothing in a certificate has to be taken on trust. The seed deals the same exam on any machine, the
answers can be scored again, and hash and signature show that the house issued it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime
from typing import Final, Literal

import msgspec

from croupier.errors import BadData, CroupierError, plain, suggest
from croupier.ledger.signatures.machine_key import MachineKey, is_signed

FORMAT: Final = 1
MOST_BYTES: Final = 4_000_000

Score = dict[str, str]
"""The score by name; numbers are written exactly: `97`, `97/100`, `-12.50`."""


class Certificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`terms` holds everything besides the seed that the questions depend on: the rules and their
    hash, the wagers, the number of questions. `answers` has one list of answers for each
    question."""

    croupier_certificate: int
    kind: str
    title: str
    person: str
    began_at: str
    ended_at: str
    seed: str
    terms: dict[str, str]
    answers: tuple[tuple[str, ...], ...]
    score: Score
    program: str
    hash: str = ""
    key: str = ""
    """The public key of the machine that signed it."""
    signature: str = ""


Recompute = Callable[[Certificate], Score]
"""Deals the exam again and scores the answers; raises if an answer was impossible."""


class Verdict(msgspec.Struct, frozen=True):
    """`unchecked`: why this program cannot deal that exam again, so that the score stays
    unchecked."""

    verdict: Literal["valid", "forged", "unchecked"]
    reasons: tuple[str, ...]
    signed_by: str
    score: Score
    """The recomputed score."""


class Unchecked(CroupierError):
    """Raised by a `Recompute` that lacks what the certificate depends on, such as other rules."""

    code = "cannot_be_checked"


def issue(certificate: Certificate, key: MachineKey) -> Certificate:
    """Return the certificate with its hash and signature."""
    sealed = hash_of(certificate)
    return msgspec.structs.replace(
        certificate, hash=sealed, key=key.public, signature=key.sign(_signed_text(sealed))
    )


def hash_of(certificate: Certificate) -> str:
    """Return the SHA-256 of the certificate as compact JSON with sorted names, without hash, key,
    and signature."""
    fields = msgspec.to_builtins(certificate)
    for name in ("hash", "key", "signature"):
        del fields[name]
    return hashlib.sha256(msgspec.json.encode(fields, order="sorted")).hexdigest()


def commitment_to(seed: str) -> str:
    """Return the hash shown before the first question, so that the house cannot change the seed
    later."""
    return hashlib.sha256(f"croupier exam 1\n{seed}\n".encode()).hexdigest()


def text(certificate: Certificate) -> str:
    """Return the file that the candidate receives."""
    return msgspec.json.format(msgspec.json.encode(certificate), indent=2).decode() + "\n"


def read(data: bytes) -> Certificate:
    if len(data) > MOST_BYTES:
        raise BadData(f"no certificate has more than {MOST_BYTES:,} bytes")
    try:
        certificate = msgspec.json.decode(data, type=Certificate)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadData(f"this is not a certificate: {error}") from None
    if certificate.croupier_certificate != FORMAT:
        form = certificate.croupier_certificate
        raise BadData(f"a certificate of form {form}: this program reads form {FORMAT}")
    return certificate


def check(
    certificate: Certificate,
    recompute: Mapping[str, Recompute],
    keys: Collection[str] = (),
) -> Verdict:
    """Check a certificate: valid, or the reasons why not. `keys`: the trusted issuers; any if
    empty."""
    if certificate.kind not in recompute:
        raise suggest("kind of certificate", certificate.kind, recompute)
    reasons = list(altered(certificate, keys))
    try:
        score = recompute[certificate.kind](certificate)
    except Unchecked as error:
        verdict: Literal["forged", "unchecked"] = "forged" if reasons else "unchecked"
        return Verdict(verdict, (*reasons, error.message), certificate.key, {})
    except CroupierError as error:
        reasons.append(f"these answers cannot have been given: {error.message}")
        return Verdict("forged", tuple(reasons), certificate.key, {})
    reasons += _wrong_scores(certificate.score, score)
    return Verdict("forged" if reasons else "valid", tuple(reasons), certificate.key, score)


def altered(certificate: Certificate, keys: Collection[str] = ()) -> tuple[str, ...]:
    """Yield faults that are visible without dealing the exam again: hash, signature, times."""
    return tuple(_altered(certificate, keys))


def _altered(certificate: Certificate, keys: Collection[str]) -> Iterator[str]:
    expected = hash_of(certificate)
    if certificate.hash != expected:
        yield f"it was altered: its hash is {expected}, not {plain(certificate.hash, 80)}"
    if not certificate.signature:
        yield "nobody has signed it"
    elif not is_signed(_signed_text(certificate.hash), certificate.signature, certificate.key):
        yield f"the signature is not by the key {plain(certificate.key, 80)}"
    if keys and certificate.key not in keys:
        yield f"it is signed by {plain(certificate.key, 80)}, which is not a key you trust"
    try:
        if datetime.fromisoformat(certificate.ended_at) < datetime.fromisoformat(
            certificate.began_at
        ):
            yield f"it ended at {certificate.ended_at}, before it began at {certificate.began_at}"
    except (ValueError, TypeError):
        yield "its times are no times"


def _wrong_scores(said: Score, recomputed: Score) -> Iterator[str]:
    for name in sorted(said.keys() | recomputed.keys()):
        if said.get(name) != recomputed.get(name):
            claimed = plain(said[name]) if name in said else "missing"
            right = recomputed.get(name, "not part of this exam")
            yield f"{plain(name)} is {claimed}; the answers come to {right}"


def _signed_text(sealed: str) -> bytes:
    return f"croupier certificate {FORMAT}\n{sealed}\n".encode("utf-8", "replace")
