"""Replays of the streams other than tables, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator

from croupier import progressives
from croupier.cashier import FromTable, ToTable
from croupier.errors import CroupierError, plain
from croupier.ledger.checkpoints.pruning import pruned_up_to
from croupier.ledger.entries import (
    Entry,
    Transfer,
    seconds,
)
from croupier.ledger.journal import ConsistentView, Journal
from croupier.ledger.records.cashier_entries import (
    account_of_stream,
    account_record,
    account_text,
    account_transfers,
    balance_of,
)
from croupier.ledger.records.table_entries import (
    Attempt,
    LinkRecord,
    Pointer,
    link_record,
)
from croupier.ledger.rules_texts import rules_text
from croupier.ledger.verification.comparing import (
    Award,
    AwardKey,
    Books,
    RequestIndex,
    check_snapshot,
    refused,
    same,
    same_text,
    shown_value,
)
from croupier.progressives import Link
from croupier.rounds.declaration import FLOOR, from_json, to_json


class Replay:
    """Replay of a stream whose entries are only chained, and move no money."""

    _is_lost = False
    """An entry could not be replayed, so later entries have no known state before them."""

    def lose(self) -> None:
        self._is_lost = True

    def miss(self) -> None:
        """Note that an entry is missing or cannot be read."""
        self.lose()

    def differs(self, entry: Entry) -> Iterator[str]:
        """Yield what is wrong with the entry."""
        try:
            yield from self._compare(entry)
        except CroupierError as error:
            self.lose()
            yield refused(error)
        except Exception as error:
            self.lose()
            yield f"what is written here cannot have happened ({plain(repr(error), 200)})"

    def _compare(self, entry: Entry) -> Iterator[str]:
        """Check that the entry moves no money: only play at a table, commands to a link and the
        cashier do."""
        yield from same("the transfers", entry.transfers, ())
        seconds(entry.at)

    def ended(self) -> Iterator[str]:
        yield from ()


class CorrectionsReplay(Replay):
    def __init__(self, stream: str, books: Books) -> None:
        self._pointed = books.pointed.setdefault(stream.removeprefix("corrections:"), [])

    def _compare(self, entry: Entry) -> Iterator[str]:
        pointer: Pointer = from_json(entry.body, Pointer)
        self._pointed.append(pointer)
        yield from same_text(entry, to_json(pointer))
        yield from same("the kind", entry.kind, "corrected")
        yield from super()._compare(entry)


class AttemptsReplay(Replay):
    def __init__(self, journal: Journal, stream: str, books: Books) -> None:
        self._books = books
        self._pruned = pruned_up_to(journal).get(stream, 0)

    def _compare(self, entry: Entry) -> Iterator[str]:
        if entry.is_pruned:
            self._books.pruned[entry.stream] = entry.version
            if entry.version > self._pruned:
                yield "its text is gone, and no rule took it"
            return
        attempt: Attempt = from_json(entry.body, Attempt)
        yield from same_text(entry, to_json(attempt))
        yield from same("the kind", entry.kind, "refused")
        yield from super()._compare(entry)


class RulesReplay(Replay):
    """Replay of the rulebooks. A rulebook whose text was changed has another hash, and no table
    refers to it any more."""

    def _compare(self, entry: Entry) -> Iterator[str]:
        yield from same_text(entry, to_json(rules_text(entry)))
        yield from same("the kind", entry.kind, "rulebook")
        yield from super()._compare(entry)


class AccountReplay(Replay):
    """Replay of a player's account with the cashier: each balance follows from the previous one."""

    def __init__(
        self, journal: Journal, stream: str, picture: ConsistentView, books: Books
    ) -> None:
        self._books = books
        self._stream = stream
        self._person = account_of_stream(stream)
        self._requests = RequestIndex(
            journal,
            stream,
            picture.requested.get(stream, 0),
            lambda entry: account_record(entry).request,
        )

    def lose(self) -> None:
        super().lose()
        self._books.unknown.add(self._stream)

    def miss(self) -> None:
        self.lose()
        self._requests.skips = True

    def _compare(self, entry: Entry) -> Iterator[str]:
        try:
            record = account_record(entry)
        except CroupierError:
            self.miss()
            raise
        command, person, seen = record.command, self._person, self._books.held
        self._requests.note(record.request, entry.version)
        yield from same_text(entry, account_text(record))
        yield from same("the kind", entry.kind, command.__struct_config__.tag)
        yield from same("the transfers", entry.transfers, account_transfers(person, record))
        seconds(entry.at)
        if isinstance(command, ToTable | FromTable):
            self._books.draw(person, command, by_account=True)
        else:
            if record.by.role not in command.declared.by:
                yield f"a {record.by.role} keeps no accounts: {shown_value(record.by)}"
            yield from _other_hands(record.by.name, person)
        expected = record.balance if self._is_lost else balance_of(seen.get(person, 0), record)
        seen[person] = record.balance
        yield from same("the balance", record.balance, expected)

    def ended(self) -> Iterator[str]:
        yield from self._requests.ended()


def _other_hands(cashier: str, person: str) -> Iterator[str]:
    if cashier == person:
        yield f"{plain(person)} was the cashier of their own account"


class LinkReplay(Replay):
    def __init__(
        self, journal: Journal, stream: str, picture: ConsistentView, books: Books
    ) -> None:
        self._books = books
        self._stream = stream
        self._link: Link | None = None
        self._requests = RequestIndex(
            journal, stream, picture.requested.get(stream, 0), _link_request
        )
        self._snapshot = journal.snapshot(stream)

    def lose(self) -> None:
        super().lose()
        self._books.unknown.add(self._stream)

    def miss(self) -> None:
        self.lose()
        self._requests.skips = True

    def ended(self) -> Iterator[str]:
        yield from self._requests.ended()

    def _compare(self, entry: Entry) -> Iterator[str]:
        try:
            record = link_record(entry)
        except CroupierError:
            self.miss()
            raise
        command = record.command
        self._requests.note(record.request, entry.version)
        yield from _signed(record)
        yield from same_text(entry, to_json(record))
        yield from same("the kind", entry.kind, command.__struct_config__.tag)
        self._books.ask(self._stream.removeprefix("link:"), command, was_told=True)
        seconds(entry.at)
        for event in record.events:
            if isinstance(event, progressives.Awarded):
                key = AwardKey(event.table, event.round, event.seat)
                self._books.awards[key] = Award(event.cents)
        if self._is_lost:
            return
        try:
            expected = tuple(progressives.decide(self._link, command))
        except CroupierError as error:
            yield f"the rules refuse what is written here: {error.message}"
        else:
            yield from same("the events", record.events, expected)
        made: list[Transfer] = []
        for event in record.events:
            before, self._link = self._link, progressives.evolve(self._link, event)
            if isinstance(event, progressives.Awarded) and before is not None:
                key = AwardKey(event.table, event.round, event.seat)
                self._books.awards[key] = Award(event.cents, before.shown()[event.meter])
            moved = progressives.transfers(before, self._link, event)
            made += [Transfer(*move) for move in moved]
        yield from same("the transfers", entry.transfers, tuple(made))
        after = self._link
        assert after is not None, "an entry has events"
        yield from check_snapshot(
            self._snapshot,
            entry.version,
            lambda body: progressives.from_json(body) == after,
        )


def _link_request(entry: Entry) -> str:
    return link_record(entry).request


def _signed(record: LinkRecord) -> Iterator[str]:
    """Check that a person's command to a link is recorded under the name of somebody who may give
    it."""
    if record.by is None:
        return
    if record.by.role not in FLOOR:
        yield f"a {record.by.role} gives a link no commands: {shown_value(record.by)}"
    yield from same("who told it", getattr(record.command, "by", ""), record.by.name)
