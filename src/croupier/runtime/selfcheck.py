"""Identify the installed program: compare its files with its wheel's record, and log its versions
in the journal."""

from __future__ import annotations

import base64
import hashlib
import platform
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Final

import msgspec

from croupier.ledger.entries import Addition, NewEntry
from croupier.ledger.faults import Conflict
from croupier.ledger.journal import Journal

PACKAGE: Final = Path(__file__).parents[1]
DISTRIBUTION: Final = "croupier"
_IGNORED: Final = frozenset({".pyc", ".nbi", ".nbc", ".o"})
"""Files that Python and the compiler write beside the program."""


class SelfCheck(msgspec.Struct, frozen=True):
    """`state` is `whole`, `differs`, or `unrecorded` if the program was not installed from a
    wheel."""

    state: str
    version: str
    files: int
    digest: str
    """Digest of all files and their names: equal digests mean equal installations."""
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


def check_installation(package: Path = PACKAGE) -> SelfCheck:
    digest, hashes = package_digest(package)
    recorded = _recorded(package)
    version = _version()
    if not recorded:
        return SelfCheck("unrecorded", version, len(hashes), digest)
    changed = [
        name for name, digest_now in hashes.items() if recorded.get(name, digest_now) != digest_now
    ]
    missing = [name for name in recorded if name not in hashes]
    added = [name for name in hashes if name not in recorded]
    state = "differs" if changed or missing or added else "whole"
    parts = (tuple(sorted(changed)), tuple(sorted(missing)), tuple(sorted(added)))
    return SelfCheck(state, version, len(hashes), digest, *parts)


def package_digest(package: Path = PACKAGE) -> tuple[str, dict[str, str]]:
    """Return one hash over all files, and the hash of each file in the format of a wheel's
    record."""
    hashes: dict[str, str] = {}
    whole = hashlib.sha256()
    for path in sorted(package.rglob("*")):
        if not path.is_file() or path.suffix in _IGNORED:
            continue
        name = path.relative_to(package.parent).as_posix()
        raw = hashlib.sha256(path.read_bytes()).digest()
        hashes[name] = base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
        whole.update(f"{name}\0{hashes[name]}\n".encode())
    return whole.hexdigest(), hashes


def _recorded(package: Path) -> dict[str, str]:
    """Return the hashes of the wheel's RECORD; empty if the program runs from its sources."""
    try:
        files = metadata.distribution(DISTRIBUTION).files or []
    except metadata.PackageNotFoundError:
        return {}
    return {
        file.as_posix(): file.hash.value
        for file in files
        if file.hash is not None
        and file.hash.mode == "sha256"
        and file.parts[:1] == (package.name,)
        and Path(str(file.locate())).resolve().is_relative_to(package.resolve())
    }


def _version() -> str:
    from croupier import __version__

    return __version__


PROGRAMS: Final = "program:versions"


def note_program(journal: Journal, checked: SelfCheck) -> bool:
    """Record the program in the journal unless the last entry is the same. Return whether it
    differed."""
    program = {
        "version": checked.version,
        "digest": checked.digest,
        "state": checked.state,
        "python": platform.python_version(),
    }
    body = msgspec.json.encode(program)
    for _ in range(20):
        head = journal.head(PROGRAMS).version
        last = next(iter(journal.read(PROGRAMS, head - 1)), None) if head else None
        if last is not None and last.body == body:
            return False
        try:
            entry = NewEntry("started", body)
            journal.add(Addition(PROGRAMS, head, (entry,)), at=datetime.now(UTC))
        except Conflict:
            continue
        return True
    return False
