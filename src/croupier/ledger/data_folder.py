"""Locations of journals and of this machine's key, as set in the environment, and their
permissions."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from croupier.errors import BadRequest, plain

DATABASE: Final = "CROUPIER_DATABASE"
DATABASE_FILE: Final = "CROUPIER_DATABASE_FILE"
MOST_URL: Final = 4096


def data_folder() -> Path:
    """Return `CROUPIER_DATA_DIR`, else the platform's folder for application data."""
    if named := os.environ.get("CROUPIER_DATA_DIR"):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", Path.home())) / "croupier"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "croupier"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "croupier"


def default_journal() -> Path:
    return data_folder() / "journal.db"


def default_key() -> Path:
    """Return `CROUPIER_KEY_FILE`, else a file in the data folder: never inside a journal's
    database."""
    named = os.environ.get("CROUPIER_KEY_FILE")
    return Path(named) if named else data_folder() / "machine.key"


def named_journal(named: str | None) -> str | None:
    """Return the journal named by the argument, else by `CROUPIER_DATABASE` or in the file that
    `CROUPIER_DATABASE_FILE` names. A URL in either may hold a password, because other users can
    read neither."""
    if named is not None:
        return named
    in_environment, file = os.environ.get(DATABASE), os.environ.get(DATABASE_FILE)
    if in_environment and file:
        raise BadRequest(f"{DATABASE} and {DATABASE_FILE} both name a database: set one of them")
    return database_in(Path(file)) if file else in_environment or None


def database_in(file: Path) -> str:
    """Return the URL or path that is the only line of a file."""
    try:
        with file.open(encoding="utf-8") as opened:
            text = opened.read(MOST_URL + 1)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise BadRequest(f"{plain(file, 200)} cannot be read: {reason}") from None
    line = text.strip()
    if not line or "\n" in line or len(line) > MOST_URL:  # never shown: it may be a password
        raise BadRequest(
            f"{plain(file, 200)} has one line, the database: postgresql://… or the path of a file"
        )
    return line


def journal_to_write(named: str | None) -> str:
    """Return the journal named by the argument or the environment, else the one in the data folder,
    which is created if needed."""
    if (there := named_journal(named)) is not None:
        return there
    path = default_journal()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadRequest(f"{plain(path.parent, 200)} cannot be made: {error.strerror}") from None
    return str(path)


def opener_for_owner(path: str, flags: int) -> int:
    """Opener for `open`: only the owner can read and write the file. The permissions of an existing
    file are tightened."""
    number = os.open(path, flags, 0o600)
    if os.name == "posix":
        with suppress(PermissionError):  # another user owns it and decides on its permissions
            os.fchmod(number, 0o600)
    return number


def close_to_others(path: Path) -> None:
    """Remove all permissions on a database and the files that SQLite keeps beside it for users
    outside the owner and the group: older files were created with the umask. The group keeps its
    permissions, because an operator may let backups read."""
    for end in ("", "-wal", "-shm"):
        with suppress(OSError):
            file = path.with_name(path.name + end)
            mode = file.stat().st_mode & 0o777
            if mode & 0o007:
                file.chmod(mode & 0o770)
