"""Texts of the journal that were written before their records got new fields.

Records grow only by fields with defaults. An entry of an older Croupier lacks them, is read with
the defaults, and stays as it was written.
"""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["is_text_of"]


def is_text_of(written: bytes, anew: bytes) -> bool:
    """Is `written` what was read and written `anew`, but for fields that came later?"""
    if written == anew:
        return True
    found, wanted = msgspec.json.decode(written), msgspec.json.decode(anew)
    return msgspec.json.encode(found) == written and _is_part(found, wanted)


def _is_part(found: Any, wanted: Any) -> bool:
    if isinstance(found, dict) and isinstance(wanted, dict):
        names = iter(wanted)
        return all(name in names and _is_part(part, wanted[name]) for name, part in found.items())
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(_is_part, found, wanted))
    return type(found) is type(wanted) and bool(found == wanted)
