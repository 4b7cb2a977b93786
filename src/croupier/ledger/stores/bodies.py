"""Bodies of entries as SQLite stores them: compressed, with a dictionary of common text.

A compressed body is a BLOB: the number of its dictionary, then raw DEFLATE data. Short bodies are
TEXT, and so are those that version 0.2.0 wrote, and all on PostgreSQL, which compresses long rows
by itself. Hashes and MACs are over the text, never over the stored form.
"""

from __future__ import annotations

import zlib
from importlib.resources import files
from typing import Any, Final

from sqlalchemy import Dialect, Text, TypeDecorator
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine

SHORT: Final = 512
"""Shorter bodies are not compressed: it would cost more time than it saves space."""
MOST_BYTES: Final = 256 * 2**20
"""The longest body accepted: a damaged or forged one must not fill the memory."""
_NUMBER: Final = b"\x01"
_PHRASES: Final = files(__package__).joinpath("bodies-1.txt").read_bytes()
"""The dictionary. It must never change, because bodies were compressed with it. A better one would
be a second file with its own number."""
_COMPRESSOR: Final = zlib.compressobj(6, zlib.DEFLATED, -14, 5, zdict=_PHRASES)


def packed(body: bytes) -> bytes | str:
    """Return the body in the form that SQLite stores."""
    if len(body) < SHORT:
        return body.decode()
    compressor = _COMPRESSOR.copy()
    return _NUMBER + compressor.compress(body) + compressor.flush()


def unpacked(stored: bytes) -> bytes:
    """Return the body from a BLOB. `ValueError` if no journal wrote it."""
    decompressor = zlib.decompressobj(-15, _PHRASES)
    try:
        body = decompressor.decompress(stored[1:], MOST_BYTES)
    except zlib.error as error:
        raise ValueError(f"{error}") from None
    if stored[:1] != _NUMBER or not decompressor.eof or decompressor.unused_data:
        raise ValueError("it is not a compressed body")
    return body


def text_of(stored: Any) -> Any:
    """Return the text of a stored body; anything else is returned unchanged."""
    if type(stored) is bytes:
        try:
            return unpacked(stored).decode()
        except ValueError:
            return stored
    return stored


class Body(TypeDecorator[str]):
    """The column: text outside the database, compressed in SQLite."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> Any:
        return packed(value.encode()) if value and dialect.name == "sqlite" else value

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:  # noqa: ARG002
        return text_of(value)

    def coerce_compared_value(self, op: Any, value: Any) -> TypeEngine[Any]:  # noqa: ARG002
        return Text()


class BodyText(FunctionElement[str]):
    """The text of a body inside a query, for searching. On SQLite the function `body_text`, defined
    on our connections, returns it."""

    inherit_cache = True
    name = "body_text"
    type = Text()


@compiles(BodyText)
def _as_stored(element: BodyText, compiler: Any, **options: Any) -> str:
    return str(compiler.process(element.clauses, **options))


@compiles(BodyText, "sqlite")
def _by_function(element: BodyText, compiler: Any, **options: Any) -> str:
    return f"body_text({compiler.process(element.clauses, **options)})"
