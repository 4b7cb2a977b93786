"""What is sealed of a round, held against what it was when it was opened."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.ledger.entries import (
    Entry,
)
from croupier.ledger.machine_key import is_public_key
from croupier.ledger.sealing import RoundSeal, is_key_of, sealed_part
from croupier.ledger.table_entries import (
    TableRecord,
    shown_text,
    tells_no_secret,
)
from croupier.ledger.verification.comparing import same
from croupier.rounds.events import RoundVoided
from croupier.tables.state import Table

__all__ = ["SealedRound"]


class SealedRound:
    """What is sealed of the round in play."""

    def __init__(self) -> None:
        self._seal: RoundSeal | None = None
        self._shut: list[int] = []

    @property
    def is_shut(self) -> bool:
        """Some of its entries could not be opened."""
        return bool(self._shut)

    def read(self, entry: Entry) -> None:
        if entry.shut:
            self._shut.append(entry.version)
        self._seal = self._seal or (sealed_part(entry.stored).seal if entry.stored else None)

    def compare(self, record: TableRecord, entry: Entry, after: Table) -> Iterator[str]:
        if entry.shut or self._seal is None or after.round.phase == "over":
            return
        if not entry.stored:
            if not tells_no_secret(record, after):
                yield "what it tells lay face down: it should be sealed"
            return
        part = sealed_part(entry.stored)
        shown = shown_text(record, after, part)
        yield from same("what stands in the clear", entry.stored.decode(), shown.decode())
        place = (after.round.number, after.began)
        yield from same("the round it is sealed for", (part.round, part.of), place)

    def end(self, record: TableRecord) -> Iterator[str]:
        if self._seal is None:
            yield from same("the key of the round", record.opens, "")
            return
        is_void = any(isinstance(event, RoundVoided) for event in record.events)
        if not record.opens:
            if not (self._shut and is_void):
                yield "the round is over, and the key to its cards is not told"
            return
        key = bytes.fromhex(record.opens) if is_public_key(record.opens) else b""
        if not is_key_of(self._seal, key):
            yield "the key that it tells is not the one that the round was opened with"
        elif self._shut:
            places = ", ".join(map(str, self._shut[:10]))
            yield f"what is sealed in entries {places} cannot be opened with the key of the round"
