"""Solved results on disk, under a key made of the rules they were solved for.

A file begins with the checksum of the rest; a file that does not match is ignored and written
again. An empty or unwritable folder only costs time. Beyond the limit, the least recently used
files are deleted.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from croupier import __version__
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:  # results are read without numpy, which takes longer to load than they do
    import numpy as np
    from numpy.typing import NDArray

FORMAT: Final = 4
LIMIT_VARIABLE: Final = "CROUPIER_CACHE_MB"
USUAL_LIMIT: Final = 1024
"""Megabytes: about thirty variants of a game with their arrays."""
_SUM: Final = 64
_NAME: Final = re.compile(r"[0-9a-f]{64}\.(json|npz)")
_kept: Final = ContextVar("kept", default=True)


@contextmanager
def keeping_nothing() -> Iterator[None]:
    """Write no new results within this context: for one of many games that are looked at once."""
    token = _kept.set(False)
    try:
        yield
    finally:
        _kept.reset(token)


def cache_folder() -> Path:
    """Return `CROUPIER_CACHE_DIR`, or the platform's folder for caches."""
    if named := os.environ.get("CROUPIER_CACHE_DIR"):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "croupier" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "croupier"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "croupier"


def cache_limit() -> int:
    """Return the limit in bytes. A nonsensical value in the environment counts as none."""
    text = os.environ.get(LIMIT_VARIABLE, "")
    return (int(text) if text.isascii() and text.isdigit() else USUAL_LIMIT) << 20


class CacheUse(msgspec.Struct, frozen=True):
    folder: str
    files: int
    bytes: int
    limit_bytes: int


def cache_use() -> CacheUse:
    kept = _kept_files()
    return CacheUse(str(cache_folder()), len(kept), sum(file.size for file in kept), cache_limit())


def clear_cache() -> int:
    """Delete all results and return how many files were deleted; other files stay."""
    return sum(_removed(file.path) for file in _kept_files())


class _KeptFile(NamedTuple):
    used: float
    size: int
    path: Path


def _kept_files() -> list[_KeptFile]:
    files = []
    with suppress(OSError):
        for path in cache_folder().iterdir():
            if _NAME.fullmatch(path.name):
                with suppress(OSError):
                    stat = path.stat()
                    files.append(_KeptFile(stat.st_atime, stat.st_size, path))
    return sorted(files)


def _removed(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _keep_within_limit(but: str) -> None:
    """Delete the least recently used files; `but`, the file just written, always stays."""
    kept, limit = _kept_files(), cache_limit()
    left = sum(file.size for file in kept)
    for file in kept:
        if left <= limit:
            return
        if file.path.name != but and _removed(file.path):
            left -= file.size


def key_of(rules: Rules, *parts: object) -> str:
    """Return a key for a question: the rules that can matter, and the program's own version."""
    question = (
        FORMAT,
        __version__,
        rules.book,
        dict(rules.chosen),
        dict(rules.resets),
        {name: list(stakes) for name, stakes in rules.stakes.items()},
        parts,
        *(() if rules.takes_first else ("last",)),
    )
    text = msgspec.json.encode(question, order="sorted", enc_hook=str)
    return hashlib.sha256(text).hexdigest()


def read_result(key: str) -> dict[str, object] | None:
    data = _read(f"{key}.json")
    if data is None:
        return None
    try:
        return msgspec.json.decode(data, type=dict[str, object])
    except msgspec.MsgspecError:
        return None


def write_result(key: str, result: dict[str, object]) -> None:
    _write(f"{key}.json", msgspec.json.encode(result))


def read_arrays(key: str) -> dict[str, NDArray[np.generic]] | None:
    data = _read(f"{key}.npz")
    if data is None:
        return None
    import numpy as np

    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except (OSError, ValueError, KeyError):
        return None


def write_arrays(key: str, arrays: dict[str, NDArray[np.generic]]) -> None:
    if not _kept.get():
        return  # do not assemble fifteen megabytes in vain
    import numpy as np

    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    _write(f"{key}.npz", buffer.getvalue())


def _read(name: str) -> bytes | None:
    try:
        path = cache_folder() / name
        data = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):  # the time of the last use decides which files go
        os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))
    body = data[_SUM:]
    return body if hashlib.sha256(body).hexdigest().encode() == data[:_SUM] else None


def _write(name: str, body: bytes) -> None:
    """Write the whole file or nothing: a reader never meets half a file."""
    if not _kept.get():
        return
    folder = cache_folder()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(hashlib.sha256(body).hexdigest().encode())
            file.write(body)
        os.replace(file.name, folder / name)
        _keep_within_limit(name)
