"""Replay of a table: the rules decide every command again, in the state before it."""

from __future__ import annotations

from collections.abc import Iterator

from croupier import progressives
from croupier.errors import CroupierError
from croupier.ledger.differences import Difference
from croupier.ledger.entries import (
    Entry,
    seconds,
)
from croupier.ledger.history.past_rounds import finished_round, standing
from croupier.ledger.journal import ConsistentView, Journal
from croupier.ledger.records.cashier_entries import table_move
from croupier.ledger.records.table_entries import (
    Pointer,
    TableRecord,
    chapter_of,
    ledger_transfers,
    record_text,
    shown_text,
    table_record,
    tells_no_secret,
)
from croupier.ledger.signatures.machine_key import is_public_key
from croupier.ledger.signatures.sealing import RoundSeal, is_key_of, sealed_part
from croupier.ledger.verification.comparing import (
    AwardKey,
    Books,
    RequestIndex,
    RoundIndex,
    check_snapshot,
    refused,
    same,
    same_text,
    shown_value,
)
from croupier.ledger.verification.replays import Replay
from croupier.money import dollars
from croupier.randomness.shuffling import matches_seal
from croupier.rounds.commands import OpenBetting, VoidRound
from croupier.rounds.declaration import from_json, tag_of, to_json
from croupier.rounds.events import ProgressivePaid, RoundVoided
from croupier.tables.commands import OpenTable
from croupier.tables.deciding import decide, open_table
from croupier.tables.events import Corrected, TableEvent, ends_round
from croupier.tables.evolving import evolve, next_entry
from croupier.tables.people_and_money import check_correction
from croupier.tables.planning import asks_of_link
from croupier.tables.state import Table, rules_of


class TableReplay(Replay):
    def __init__(
        self, journal: Journal, stream: str, picture: ConsistentView, books: Books
    ) -> None:
        self._books = books
        self._journal = journal
        self._stream = stream
        self._head = picture.heads[stream].version
        self._table: Table | None = None
        self._began = ""
        self._given: set[int] = set()
        """The seats that contributed to the meters in this round."""
        self._index = RoundIndex(journal, stream, self._head, picture.indexed.get(stream, 0))
        self._requests = RequestIndex(
            journal,
            stream,
            picture.requested.get(stream, 0),
            lambda entry: table_record(entry).request,
        )
        self._snapshot = journal.snapshot(stream)
        self._sealed = SealedRound()

    def lose(self) -> None:
        super().lose()
        self._sealed = SealedRound()
        self._index.skips = True
        self._books.unknown.add(self._stream)

    def miss(self) -> None:
        self.lose()
        self._requests.skips = True

    def _compare(self, entry: Entry) -> Iterator[str]:
        try:
            record = table_record(entry)
        except CroupierError:
            self.miss()
            raise
        self._requests.note(record.request, entry.version)
        if not entry.shut:
            yield from same_text(entry, record_text(record))
        yield from same("the kind", entry.kind, tag_of(record.command))
        yield from self._corrections(record, entry.version)
        if self._is_lost and not self._found_again(record, entry.version):
            return
        self._sealed.read(entry)
        if not self._sealed.is_shut or isinstance(record.command, VoidRound):
            yield from self._decided(record, seconds(entry.at))
        yield from self._played(record, entry)
        yield from self._unsealed(record, entry)

    def _unsealed(self, record: TableRecord, entry: Entry) -> Iterator[str]:
        """Check that the part stored in the clear during the round is the public part, and that the
        round's end publishes the key to the rest."""
        assert self._table is not None
        yield from self._sealed.compare(record, entry, self._table)
        if self._table.round.phase == "over":
            yield from self._sealed.end(record)
            if self._sealed.is_shut:
                number = self._table.round.number
                words = f"round {number} was declared void without the key to its cards"
                self._books.notes.append(Difference(self._stream, entry.version, words))
            self._sealed = SealedRound()

    def _found_again(self, record: TableRecord, version: int) -> bool:
        """Resume the replay at an entry that opens a round, because every round stores the state of
        the table when it opened; return whether it worked."""
        if not isinstance(record.command, OpenBetting):
            return False
        try:
            self._table = standing(self._journal, self._stream, version)
        except Exception:
            return False
        self._is_lost = False
        return True

    def _played(self, record: TableRecord, entry: Entry) -> Iterator[str]:
        table = next_entry(self._table)
        moves = []
        reading: dict[str, int] = {}
        for event in record.events:
            if isinstance(event, ProgressivePaid) and event.line.from_meter:
                reading |= self._awarded(event, table, record.meters)
                yield from self._paid(event, table)
            if isinstance(event, OpenBetting):
                self._began = entry.at
                yield from () if entry.shut else _check_seal(event)
            if table is not None:
                self._tell_link(table, event)
                moved = table_move(event, table.id, entry.version)
                if moved is not None:
                    self._books.draw(*moved, by_account=False)
            table, made = evolve(table, event)
            moves += made
        assert table is not None, "an entry has events"
        self._table = table
        yield from same("what the meters showed", record.meters, reading)
        yield from same("the transfers", entry.transfers, ledger_transfers(table.id, moves))
        if any(map(ends_round, record.events)):
            self._books.rounds += 1
            expected = chapter_of(
                table.id, table.round, table.began, entry.version, self._began, entry.at
            )
            yield from self._index.compare(expected)
        yield from check_snapshot(
            self._snapshot,
            entry.version,
            lambda body: from_json(body, Table) == table,
        )

    def _tell_link(self, table: Table, event: TableEvent) -> None:
        """Note the commands that the event sends to the meters; the link's own journal must have
        them."""
        for command in asks_of_link(table, event, rules_of(table), self._given):
            self._books.ask(table.link, command, was_told=False)
            match command:
                case progressives.Contribute():
                    self._given = {seat for seat, _ in command.stakes}
                case progressives.ReverseRound():
                    self._given = self._given - set(command.seats or self._given)
                case progressives.FinishRound():
                    self._given = set()

    def _decided(self, record: TableRecord, at: int) -> Iterator[str]:
        """Check that deciding the command again gives the same events byte for byte."""
        try:
            expected = self._decide(record, at)
        except CroupierError as error:
            clause = f" [{error.clause}]" if error.clause else ""
            yield f"the rules refuse what is written here: {error.message}{clause}"
            return
        if to_json(record.events) == to_json(expected):
            return
        for written, due in zip(record.events, expected, strict=False):
            yield from same("the event", written, due)
        for event in expected[len(record.events) :]:
            yield f"{shown_value(event)} is missing"
        for event in record.events[len(expected) :]:
            yield f"{shown_value(event)} is written, but the rules give nothing more"

    def _decide(self, record: TableRecord, at: int) -> tuple[TableEvent, ...]:
        command = record.command
        if isinstance(command, OpenTable):
            return open_table(command, record.by, self._table)
        if self._table is None:
            raise CroupierError("the table has not been opened")
        return decide(self._table, command, record.by, record.meters, at=at, wait=record.wait)

    def _paid(self, event: ProgressivePaid, table: Table | None) -> Iterator[str]:
        """Check that the link's own journal has the award, to the cent."""
        assert table is not None
        award = self._books.awards.pop(_award_key(event, table), None)
        paid = event.line.net + event.line.stake
        if award is None:
            yield f"seat {event.seat} was paid from a meter that paid nothing to it"
        elif award.cents != paid:
            gave = dollars(award.cents)
            yield f"seat {event.seat} got {dollars(paid)} from a meter that paid {gave}"

    def _awarded(
        self, event: ProgressivePaid, table: Table | None, written: dict[str, int]
    ) -> dict[str, int]:
        """Return the meter's reading at the time of the award, from the link's own journal."""
        assert table is not None
        award = self._books.awards.get(_award_key(event, table))
        if award is None:
            return {}
        meter = event.line.from_meter
        return {meter: written.get(meter, 0) if award.reading is None else award.reading}

    def _corrections(self, record: TableRecord, version: int) -> Iterator[str]:
        table = self._stream.removeprefix("table:")
        for event in record.events:
            if not isinstance(event, Corrected):
                continue
            self._books.corrected.setdefault(table, []).append(Pointer(event.round, version))
            if self._table is not None and event.round == self._table.round.number:
                continue  # checked when the command is decided again
            try:
                check_correction(finished_round(self._journal, table, event.round), event)
            except CroupierError as error:
                yield refused(error)
            except Exception:
                yield f"round {event.round}, which is corrected here, cannot be played"

    def ended(self) -> Iterator[str]:
        if self._sealed.is_shut and self._table is not None:
            words = (
                f"round {self._table.round.number} is in play: its cards are sealed until its end"
            )
            self._books.notes.append(Difference(self._stream, self._head, words))
        yield from self._index.ended()
        yield from self._requests.ended()


def _award_key(event: ProgressivePaid, table: Table) -> AwardKey:
    return AwardKey(table.id, table.round.number, event.seat)


def _check_seal(event: OpenBetting) -> Iterator[str]:
    if event.commitment and not matches_seal(event.commitment, event.salt, event.deck):
        yield "the deck is not the one that the commitment was made for"


# -- sealed rounds ---------------------------------------------------------------------------------


class SealedRound:
    """The sealed part of the round in play."""

    def __init__(self) -> None:
        self._seal: RoundSeal | None = None
        self._shut: list[int] = []

    @property
    def is_shut(self) -> bool:
        """Whether some of its entries could not be opened."""
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
                yield "it shows what lay face down: it should be sealed"
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
            yield "the key that it publishes is not the one that the round was opened with"
        elif self._shut:
            places = ", ".join(map(str, self._shut[:10]))
            yield f"what is sealed in entries {places} cannot be opened with the key of the round"
