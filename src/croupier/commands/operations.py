"""`croupier backup`, `restore`, `selfcheck`, `health`: for operators of the server."""

from __future__ import annotations

import http.client
import ssl
import sys
import time
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier.commands.journal import opened
from croupier.commands.output import print_json
from croupier.errors import BadRequest
from croupier.ledger.data_folder import named_journal
from croupier.ledger.maintenance.backups import Backup, back_up, restore
from croupier.mathematics.cache import cache_use, clear_cache
from croupier.runtime.selfcheck import check_installation

__all__ = ["asked", "backed_up", "cached", "checked", "restored"]

MOST_NAMED = 20
ASK_SECONDS: Final = 4.0
MOST_ANSWER: Final = 64 * 1024


def backed_up(file: Path, *, journal: str | None, as_json: bool) -> int:
    with opened(journal) as store:
        return _told(back_up(store, file), "copied to", as_json=as_json)


def cached(*, clear: bool, as_json: bool) -> int:
    removed = clear_cache() if clear else 0
    use = cache_use()
    if as_json:
        print_json({**msgspec.to_builtins(use), "removed": removed})
        return 0
    if clear:
        sys.stdout.write(f"{removed:,} results removed.\n")
    sys.stdout.write(
        f"{use.files:,} solved results take {use.bytes / 2**20:,.1f} MB of "
        f"{use.limit_bytes / 2**20:,.0f} in {use.folder}.\n"
    )
    return 0


def restored(file: Path, *, database: str | None, as_json: bool) -> int:
    target = named_journal(database)
    if target is None:
        raise BadRequest("name an empty database with --to, or with CROUPIER_DATABASE_FILE")
    return _told(restore(file, target), "restored to", as_json=as_json)


def asked(
    host: str, port: int, *, tls_cert: Path | None, wait_seconds: float, as_json: bool
) -> int:
    """Is the server ready? Asked again until the time is over."""
    trusted = _trusting(tls_cert) if tls_cert is not None else None
    end = time.monotonic() + wait_seconds
    while True:
        is_ready, words = _ready(host, port, trusted)
        left = end - time.monotonic()
        if is_ready or left <= 0:
            break
        time.sleep(min(left, 0.5))
    if as_json:
        print_json({"ready": is_ready, "words": words})
    else:
        sys.stdout.write(f"{'Ready' if is_ready else 'Not ready'}: {words}.\n")
    return 0 if is_ready else 1


def _trusting(cert: Path) -> ssl.SSLContext:
    """Whatever name the certificate is for, the server is asked at its own address: it has to show
    this very certificate."""
    found = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    found.check_hostname = False
    found.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    try:
        found.load_verify_locations(cert)
    except (OSError, ssl.SSLError) as error:
        raise BadRequest(f"{cert} is no certificate: {error.strerror or error}") from None
    return found


def _ready(host: str, port: int, trusted: ssl.SSLContext | None) -> tuple[bool, str]:
    link: http.client.HTTPConnection = (
        http.client.HTTPConnection(host, port, timeout=ASK_SECONDS)
        if trusted is None
        else http.client.HTTPSConnection(host, port, timeout=ASK_SECONDS, context=trusted)
    )
    try:
        link.request("GET", "/api/v1/ready")
        answer = link.getresponse()
        body: Any = msgspec.json.decode(answer.read(MOST_ANSWER))
        words = body.get("words") or body.get("message") or "no reason given"
    except (OSError, http.client.HTTPException, msgspec.DecodeError, AttributeError) as error:
        return False, f"{host}:{port} does not answer as Croupier does ({error})"
    finally:
        link.close()
    return answer.status == 200, str(words).rstrip(".")


def _told(found: Backup, done: str, *, as_json: bool) -> int:
    if as_json:
        print_json(msgspec.to_builtins(found))
    elif found.valid:
        sys.stdout.write(
            f"{found.entries:,} entries of {found.streams} streams {done} {found.file}, verified.\n"
        )
    else:
        sys.stdout.write(
            f"Nothing was {done.partition(' ')[0]}: the journal does not verify. "
            "`croupier verify` tells every difference.\n"
        )
    return 0 if found.valid else 1


def checked(*, as_json: bool) -> int:
    found = check_installation()
    if as_json:
        print_json(msgspec.to_builtins(found))
    elif found.state == "unrecorded":
        sys.stdout.write(
            f"Croupier {found.version} runs from its sources: there is no record to compare "
            f"{found.files} files with. Their hash is {found.digest}.\n"
        )
    elif found.state == "whole":
        sys.stdout.write(
            f"Croupier {found.version} is as it was installed: {found.files} files, "
            f"hash {found.digest}.\n"
        )
    else:
        sys.stdout.write(f"Croupier {found.version} is not as it was installed:\n")
        for what in ("changed", "missing", "added"):
            names = getattr(found, what)
            for name in names[:MOST_NAMED]:
                sys.stdout.write(f"  {what} {name}\n")
            if len(names) > MOST_NAMED:
                sys.stdout.write(f"  … {len(names) - MOST_NAMED} more {what}\n")
    return 1 if found.state == "differs" else 0
