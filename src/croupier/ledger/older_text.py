"""Texts of the journal that were written before their records got new fields.

Records grow only by fields with defaults. An entry of an older Croupier lacks them, is read with
the defaults, and stays as it was written.
"""

from __future__ import annotations

from typing import Any

import msgspec


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


def is_state_of(written: bytes, read: msgspec.Struct, state: msgspec.Struct) -> bool:
    """Is a snapshot, as it was `written` and `read` again, this state, but for fields that came
    later? They may follow from events that the older Croupier did not look at."""
    return _is_same(msgspec.json.decode(written), read, state)


def _is_same(raw: Any, read: Any, state: Any) -> bool:
    if isinstance(read, msgspec.Struct) and isinstance(raw, dict):
        config = type(read).__struct_config__
        return type(read) is type(state) and all(
            _is_same(raw.get(name), getattr(read, name), getattr(state, name))
            for name in read.__struct_fields__
            if name in raw or config.omit_defaults
        )
    if isinstance(read, tuple) and isinstance(state, tuple) and isinstance(raw, list):
        return len(read) == len(state) == len(raw) and all(map(_is_same, raw, read, state))
    if isinstance(read, dict) and isinstance(state, dict) and isinstance(raw, dict):
        return read.keys() == state.keys() and all(
            _is_same(raw.get(str(name)), read[name], state[name]) for name in read
        )
    return bool(read == state)
