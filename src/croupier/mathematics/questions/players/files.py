"""Files with a way to play: a line that says what they are, a line with the SHA-256 of the rest,
and the rest, a compressed archive of arrays. A file that was damaged or cut short is refused."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.errors import BadData, plain

_MAGIC: Final = b"croupier strategy 1\n"


def write_player(
    path: Path, about: Mapping[str, object], arrays: dict[str, npt.NDArray[Any]]
) -> None:
    """`about` says which way to play the arrays are."""
    encoded = np.frombuffer(msgspec.json.encode(about), np.uint8)
    buffer = io.BytesIO()
    save: Any = np.savez_compressed  # its stub takes the names of arrays for options
    save(buffer, about=encoded, **arrays)
    body = buffer.getvalue()
    try:
        path.write_bytes(_MAGIC + sha256(body).hexdigest().encode() + b"\n" + body)
    except OSError as error:
        raise BadData(f"{plain(path, 200)} cannot be written: {error.strerror}") from None


def read_player(path: Path) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """What `write_player` wrote."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadData(f"{plain(path, 200)} cannot be read: {error.strerror}") from None
    if not content.startswith(_MAGIC):
        raise BadData(f"{plain(path, 200)} is not a strategy that Croupier saved")
    written, _, body = content[len(_MAGIC) :].partition(b"\n")
    if sha256(body).hexdigest().encode() != written:
        raise BadData(
            f"{plain(path, 200)} is damaged: its checksum does not match; save the strategy again"
        )
    try:
        with np.load(io.BytesIO(body), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        return msgspec.json.decode(arrays["about"].tobytes(), type=dict[str, Any]), arrays
    except (KeyError, ValueError, TypeError, zipfile.BadZipFile, msgspec.MsgspecError) as error:
        raise of_other_version(path, error) from None


def of_other_version(path: Path, error: Exception) -> BadData:
    return BadData(f"{plain(path, 200)} is not a strategy of this version: {error}")
