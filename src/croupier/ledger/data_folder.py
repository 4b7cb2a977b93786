"""Where journals and the key of this machine are kept by default, and who may read them."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from croupier.errors import BadRequest, plain

__all__ = [
    "close_to_others",
    "data_folder",
    "default_journal",
    "default_key",
    "journal_to_write",
    "opener_for_owner",
]


def data_folder() -> Path:
    """`CROUPIER_DATA_DIR`, else the platform's folder for application data."""
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
    """`CROUPIER_KEY_FILE`, else a file in the data folder: never inside a journal's database."""
    named = os.environ.get("CROUPIER_KEY_FILE")
    return Path(named) if named else data_folder() / "machine.key"


def journal_to_write(named: str | None) -> str:
    """The journal named, else the one in the data folder, which is made when it is not there."""
    if named is not None:
        return named
    path = default_journal()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadRequest(f"{plain(path.parent, 200)} cannot be made: {error.strerror}") from None
    return str(path)


def opener_for_owner(path: str, flags: int) -> int:
    """For `open`: only the owner reads and writes the file. An older one that others could read is
    tightened."""
    number = os.open(path, flags, 0o600)
    if os.name == "posix":
        with suppress(PermissionError):  # it belongs to somebody else, who keeps it as it is
            os.fchmod(number, 0o600)
    return number


def close_to_others(path: Path) -> None:
    """Take every right to a database and the files that SQLite keeps beside it from those who are
    neither the owner nor of the group: older ones were made by the umask. The group stays, since an
    operator may let their backups read."""
    for end in ("", "-wal", "-shm"):
        with suppress(OSError):
            file = path.with_name(path.name + end)
            mode = file.stat().st_mode & 0o777
            if mode & 0o007:
                file.chmod(mode & 0o770)
