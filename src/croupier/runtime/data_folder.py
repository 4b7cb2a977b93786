"""Where tables and journals are kept by default."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["data_folder", "default_journal"]


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
