"""Proofs that a round is in a journal, for anyone who has the public key.

A proof has the entries of the round, the hash before them, and the path from the last of them up to
the root of a signed checkpoint. The chain ties the other entries to the last. The check recomputes
the deck from the entries: the seal, the players' values, and every card dealt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from croupier.cards import Card
from croupier.errors import BadData, BadRequest, CroupierError, plain
from croupier.ledger.checkpoints.checkpoints import (
    Checkpoint,
    CheckpointRecord,
    checkpoint_records,
    leaves,
    path_to,
    root_by_path,
)
from croupier.ledger.entries import Chapter, Entry, StreamHead, Transfer
from croupier.ledger.faults import ProofFailed
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import table_record, table_stream
from croupier.ledger.signatures.chain import GENESIS, check_chain
from croupier.ledger.signatures.sealing import is_sealed, opened_with, sealed_part, told_key
from croupier.randomness.mixing import Contribution, is_value_of, mixed_order
from croupier.randomness.shuffling import matches_seal
from croupier.rounds.commands import CommitRandomness, OpenBetting, RevealRandomness
from croupier.rounds.events import (
    CardsDealt,
    EnvyPaid,
    ProgressivePaid,
    ProgressiveRefused,
    Revealed,
    RoundVoided,
    SeatSettled,
)
from croupier.rounds.state import LineRecord
from croupier.tables.events import TableEvent, ends_round

FORM: Final = "croupier proof 1"
_encode: Final = msgspec.json.Encoder().encode


class ProvedEntry(msgspec.Struct, frozen=True):
    """An entry as the journal stores it."""

    version: int
    """The entry's number."""
    at: str
    """The time of writing, in UTC."""
    kind: str
    """The name of the command."""
    body: str
    """The entry as JSON."""
    transfers: tuple[Transfer, ...]
    """The transfers that it made."""
    hash: str
    """The hash of the entry."""


class RoundProof(msgspec.Struct, frozen=True):
    """A proof that a finished round is in the journal and was signed."""

    form: str
    """The format of the proof, with its version."""
    table: str
    """The name of the table."""
    round: int
    """The number of the round."""
    previous: str
    """The hash of the entry before the round."""
    entries: tuple[ProvedEntry, ...]
    """The entries of the round, as the journal stores them."""
    place: int
    """The index of the last entry's leaf in the tree, from 0."""
    path: tuple[str, ...]
    """The hashes from that leaf up to the root."""
    checkpoint: Checkpoint
    """The signed checkpoint that the path leads to."""

    def to_json(self) -> bytes:
        """Return the proof as the file that `croupier prove` writes."""
        return _encode(self)

    @classmethod
    def from_json(cls, text: bytes) -> RoundProof:
        """Read a proof from a file that `croupier prove` wrote."""
        try:
            return msgspec.json.decode(text, type=cls)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise BadData(
                f"this is not a proof of a round: {plain(error, 200)}; `croupier prove` writes one"
            ) from None


class ProvedRound(msgspec.Struct, frozen=True):
    """The facts that a proof establishes."""

    table: str
    round: int
    began: str
    ended: str
    entries: int
    nets: dict[int, int]
    """Each seat's net result of the round, in cents; empty if it was voided."""
    checkpoint: Checkpoint
    deck: ProvedDeck | None = None
    """The deck, recomputed; None if the cards were shuffled by hand."""
    lines: dict[int, tuple[LineRecord, ...]] = {}
    """The result of every wager, by seat."""


def prove_round(journal: Journal, table: str, number: int) -> RoundProof:
    """Return the proof of a round against the first checkpoint that covers all of it."""
    chapter = _chapter(journal, table, number)
    place, record = _place(journal, chapter.stream, chapter.last)
    before = next(journal.read(chapter.stream, chapter.first - 2, chapter.first - 1), None)
    path = path_to(place, _hashes(journal, record))
    return RoundProof(
        FORM,
        table,
        number,
        GENESIS if before is None else before.hash,
        tuple(map(_proved, journal.read(chapter.stream, chapter.first - 1, chapter.last))),
        place,
        tuple(step.hex() for step in path),
        record.checkpoint,
    )


def _chapter(journal: Journal, table: str, number: int) -> Chapter:
    chapter = journal.chapter(table_stream(table), number)
    if chapter is None:
        raise BadRequest(f"table {plain(table)} has no finished round {number} in this journal")
    return chapter


def _place(journal: Journal, stream: str, version: int) -> tuple[int, CheckpointRecord]:
    """Return the leaf index of an entry, and the first checkpoint that covers it."""
    size = 0
    for record in checkpoint_records(journal):
        for span in record.spans:
            if span.stream == stream and span.first <= version <= span.last:
                return size + version - span.first, record
            size += span.last - span.first + 1
    raise BadRequest(
        "the round is not signed yet: `croupier checkpoint` signs all that the journal has"
    )


def _hashes(journal: Journal, up_to: CheckpointRecord) -> Iterator[bytes]:
    for record in checkpoint_records(journal):
        for leaf in leaves(journal, record.spans):
            yield bytes.fromhex(leaf.hash)
        if record == up_to:
            return


def _proved(entry: Entry) -> ProvedEntry:
    body = entry.text.decode()
    return ProvedEntry(entry.version, entry.at, entry.kind, body, entry.transfers, entry.hash)


def check_proof(proof: RoundProof, keys: frozenset[str]) -> ProvedRound:
    """Check a proof and return what it establishes; raises `ProofFailed` if anything does not hold.
    `keys`: the public keys that the reader trusts."""
    checkpoint = proof.checkpoint
    if proof.form != FORM:
        raise BadData(f"this is no {FORM}: {plain(proof.form)}")
    if checkpoint.key not in keys:
        raise ProofFailed(f"it is signed with the key {plain(checkpoint.key, 64)}, not with yours")
    if not checkpoint.is_signed:
        raise ProofFailed("its checkpoint is not signed by its key")
    entries = _chained(proof)
    try:
        path = [bytes.fromhex(step) for step in proof.path]
        root = root_by_path(bytes.fromhex(entries[-1].hash), proof.place, checkpoint.size, path)
    except ValueError:
        root = None
    if root is None or root.hex() != checkpoint.root:
        raise ProofFailed("its path does not lead from the last entry to the signed root")
    return _shown(proof, entries)


def _chained(proof: RoundProof) -> list[Entry]:
    if not proof.entries:
        raise ProofFailed("it has no entries")
    stream, first = table_stream(proof.table), proof.entries[0].version
    entries = [
        Entry(
            stream,
            proved.version,
            proved.at,
            proved.kind,
            proved.body.encode(),
            proved.transfers,
            proved.hash,
        )
        for proved in proof.entries
    ]
    try:
        check_chain(entries, StreamHead(first - 1, proof.previous))
    except CroupierError as error:
        raise ProofFailed(error.message) from None
    return entries


def _shown(proof: RoundProof, entries: list[Entry]) -> ProvedRound:
    """Check that the entries are the whole round that the proof names, and return its facts."""
    key = told_key(entries[-1])
    opened = [
        opened_with(sealed_entry, sealed_part(sealed_entry.body), key)
        if is_sealed(sealed_entry.body)
        else sealed_entry
        for sealed_entry in entries
    ]
    if any(sealed_entry.shut for sealed_entry in opened):
        raise ProofFailed(
            "its sealed part cannot be opened with the key that the end of the round publishes"
        )
    records = [table_record(entry) for entry in opened]
    opening, closing = records[0].events, records[-1].events
    if not (isinstance(opening[0], OpenBetting) and opening[0].number == proof.round):
        raise ProofFailed(f"its first entry does not open round {proof.round}")
    if not any(map(ends_round, closing)):
        raise ProofFailed(f"its last entry does not end round {proof.round}")
    events = [event for record in records for event in record.events]
    lines = lines_of(events)
    return ProvedRound(
        proof.table,
        proof.round,
        entries[0].at,
        entries[-1].at,
        len(entries),
        {seat: sum(line.net for line in settled) for seat, settled in lines.items()},
        proof.checkpoint,
        prove_deck(opening[0], events),
        lines,
    )


def lines_of(events: Sequence[TableEvent]) -> dict[int, tuple[LineRecord, ...]]:
    """Return the result of every wager by seat, or nothing if the round was voided."""
    by_seat: dict[int, tuple[LineRecord, ...]] = {}
    for event in events:
        lines: dict[int, tuple[LineRecord, ...]] = {}
        match event:
            case SeatSettled():
                lines = {event.seat: event.lines}
            case ProgressivePaid() | ProgressiveRefused():
                lines = {event.seat: (event.line,)}
            case EnvyPaid():
                lines = {seat: (line,) for seat, line in event.lines.items()}
            case RoundVoided():
                return {}
        for seat, settled in lines.items():
            by_seat[seat] = (*by_seat.get(seat, ()), *settled)
    return dict(sorted(by_seat.items()))


# -- the deck of a proved round --------------------------------------------------------------------


class ProvedDeck(msgspec.Struct, frozen=True):
    """The deck of a proved round. `seal`: public before the bets; `values`: the number of players'
    values mixed in; `dealt`: the number of cards dealt from it."""

    seal: str
    values: int
    dealt: int


def prove_deck(opening: OpenBetting, events: Iterable[TableEvent]) -> ProvedDeck | None:
    """Recompute the deck and compare every card dealt; raises `ProofFailed` if something differs.
    None if no deck was sealed because the cards were shuffled by hand."""
    if opening.source == "live" or not opening.commitment:
        return None
    seal, salt, order = opening.commitment, opening.salt, opening.deck
    if not matches_seal(seal, salt, order):
        raise ProofFailed("its salt and order do not open the seal that stood before the bets")
    added: dict[int, Contribution] = {}
    deck: tuple[Card, ...] = ()
    top = 0
    for event in events:
        match event:
            case CommitRandomness():
                added[event.seat] = Contribution(event.seat, event.commitment, "")
            case RevealRandomness():
                added[event.seat] = _with_value(added.get(event.seat), event)
            case CardsDealt() | Revealed():
                if not deck:
                    deck = mixed_order(seal, salt, order, added.values()) if added else order
                _check_cards(event, deck[top : top + event.drawn])
                top += event.drawn
            case _:
                continue
    return ProvedDeck(seal, sum(bool(contribution.value) for contribution in added.values()), top)


def _with_value(committed: Contribution | None, reveal: RevealRandomness) -> Contribution:
    if committed is None or not is_value_of(committed.commitment, reveal.value):
        raise ProofFailed(f"the value of seat {reveal.seat} is not what it committed to")
    return committed._replace(value=reveal.value)


def _check_cards(event: CardsDealt | Revealed, due: tuple[Card, ...]) -> None:
    places = [event.community, event.burned, event.dealer, event.box, event.discarded]
    if isinstance(event, CardsDealt):
        places += event.seats.values()
    if sorted(card for place in places for card in place) != sorted(due):
        raise ProofFailed(
            f"the {event.drawn} cards that it deals are not the next {event.drawn} of its deck"
        )
