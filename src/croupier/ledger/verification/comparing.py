"""What is written beside what the rules give, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from croupier.errors import BadData, CroupierError, plain
from croupier.ledger.entries import (
    Entry,
    Snapshot,
)
from croupier.ledger.older_text import is_text_of
from croupier.rounds.declaration import to_json

__all__ = ["check_snapshot", "refused", "same", "same_text", "told"]


def same(what: str, written: object, expected: object) -> Iterator[str]:
    if written != expected:
        yield f"{what}: {told(written)} is written, but the rules give {told(expected)}"


def same_text(entry: Entry, anew: bytes) -> Iterator[str]:
    if not is_text_of(entry.body, anew):
        yield from same("the text", entry.body.decode(), anew.decode())


def told(value: object) -> str:
    return plain(to_json(value).decode(), 400)


def refused(error: CroupierError) -> str:
    clause = f" [{error.clause}]" if error.clause else ""
    return f"the rules refuse what is written here: {error.message}{clause}"


def check_snapshot(
    snapshot: Snapshot | None, version: int, is_state: Callable[[bytes], bool]
) -> Iterator[str]:
    if snapshot is None or snapshot.version != version:
        return
    try:
        is_right = is_state(snapshot.body)
    except BadData:
        is_right = False
    if not is_right:
        yield "the snapshot kept for this entry is not the state after it"
