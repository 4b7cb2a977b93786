"""`croupier backup`, `restore`, `selfcheck`: for whoever runs the server."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from croupier.commands.journal import opened
from croupier.commands.output import print_json
from croupier.ledger.backups import Backup, back_up, restore
from croupier.mathematics.cache import cache_use, clear_cache
from croupier.runtime.selfcheck import check_installation

__all__ = ["backed_up", "cached", "checked", "restored"]

MOST_NAMED = 20


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


def restored(file: Path, *, database: str, as_json: bool) -> int:
    return _told(restore(file, database), "restored to", as_json=as_json)


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
