"""A player's account with the cashier: each command is planned, appended to the journal, and only
then reported."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from threading import RLock
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from croupier.cashier import CashierCommand, Deposit, balance_after
from croupier.errors import BadRequest, CroupierError, Refusal, plain
from croupier.ledger.entries import Addition, Entry, NewEntry, stamp
from croupier.ledger.faults import Conflict, Repeated
from croupier.ledger.history.floor_records import deposited_alone
from croupier.ledger.journal import Journal
from croupier.ledger.records.cashier_entries import (
    AccountRecord,
    HeldAccount,
    account_entry,
    account_of_stream,
    account_record,
    account_stream,
    read_account,
)
from croupier.ledger.records.people_accounts import check_independent, check_no_maker
from croupier.ledger.records.table_entries import Asker, attempts_stream
from croupier.rounds.declaration import Actor, to_json, wrong_role
from croupier.runtime.attempts import attempt_log
from croupier.runtime.clock import now
from croupier.runtime.house_terms import check_takes_money, house_limits
from croupier.tables.two_people import same_person

TRIES: Final = 50
DEPOSITS: Final = "house:deposits"
"""Deposits into several accounts share a limit. Each deposit by a single cashier adds an entry
here, so if two processes take one at the same moment, one is written and the other conflicts and
checks the limit again."""
_ONE_AT_A_TIME: Final = RLock()
"""Avoids conflicts between threads of one process."""


class _Taken(msgspec.Struct, frozen=True):
    """Points to a deposit: its account, and its entry there."""

    account: str
    entry: int


class AccountResult(NamedTuple):
    """The account's balance afterwards; `repeated` means that the command was done before under the
    same key."""

    cents: int
    version: int
    repeated: bool = False
    waits: bool = False
    """No money has moved: a second person must confirm entry `version`."""


def account_holders(journal: Journal) -> tuple[str, ...]:
    return tuple(account_of_stream(stream) for stream in journal.streams(account_stream("")))


class CashierSession:
    """The account of one person."""

    def __init__(
        self, journal: Journal, person: str, *, clock: Callable[[], datetime] = now
    ) -> None:
        self.person = person
        self._journal = journal
        self._stream = account_stream(person)
        self._clock = clock

    @property
    def held(self) -> HeldAccount:
        return read_account(self._journal, self.person)

    def latest(self, most: int) -> Iterator[tuple[Entry, AccountRecord]]:
        """Yield the last entries, newest first."""
        version = self._journal.head(self._stream).version
        for entry in reversed(list(self._journal.read(self._stream, max(0, version - most)))):
            yield entry, account_record(entry)

    def carry_out(
        self, command: CashierCommand, actor: Actor, request: str | None = None
    ) -> AccountResult:
        """Carry out a command. On return it is on disk; a refusal is recorded as an attempt."""
        for _ in range(TRIES):
            try:
                with _ONE_AT_A_TIME:
                    return self._try(command, actor, request)
            except (Repeated, Conflict):
                continue
            except BadRequest as refusal:
                self._record_attempt(command, actor, refusal)
                raise
        raise Conflict(f"the account of {self.person} is too busy: try again")

    def _try(self, command: CashierCommand, actor: Actor, request: str | None) -> AccountResult:
        if request is not None:
            entries = self._journal.answered(self._stream, request)
            if entries is not None:
                return _answered(command, entries)
        if actor.role not in command.declared.by:
            raise wrong_role(actor.role, command, command.declared.by, None)
        if same_person(actor.name, self.person):
            raise Refusal(
                f"{plain(actor.name)} cannot be the cashier of their own account: another cashier "
                "does it",
                code="not_yours",
            )
        check_takes_money(self._journal)
        check_no_maker(self._journal, actor.name, self.person)
        held, taken = self.held, self._journal.head(DEPOSITS).version
        waits = not command.confirms and self._needs_second(command)
        if command.confirms:
            self._check_confirms(command, actor)
        after = balance_after(held.cents, command)
        balance = held.cents if waits else after
        record = AccountRecord(command, actor, balance, request or "", waits)
        entry = account_entry(self.person, record)
        additions = [Addition(self._stream, held.version, (entry,), request=request)]
        if isinstance(command, Deposit) and not waits and not command.confirms:
            pointer = _Taken(self.person, held.version + 1)
            additions.append(Addition(DEPOSITS, taken, (NewEntry("deposit", to_json(pointer)),)))
        self._journal.add(*additions, at=self._clock())
        return AccountResult(record.balance, held.version + 1, waits=waits)

    def _needs_second(self, command: CashierCommand) -> bool:
        """Return whether this command exceeds what single people may take or pay for an account in
        a day."""
        limits = house_limits(self._journal)
        limit = limits.deposit if isinstance(command, Deposit) else limits.pay_out
        alone = command.amount
        for _, record in self._last_day():
            before = record.command
            if type(before) is type(command) and not record.waits and not before.confirms:
                alone += before.amount
        if alone > limit or not isinstance(command, Deposit):
            return alone > limit
        return deposited_alone(self._journal, self._since()) + command.amount > limits.deposits

    def _check_confirms(self, command: CashierCommand, actor: Actor) -> None:
        """Refuse unless the command confirms what another cashier proposed in the last day."""
        proposal = next(
            (record for number, record in self.pending() if number == command.confirms), None
        )
        if proposal is None:
            raise Refusal(
                f"entry {command.confirms} does not wait for a second person (a proposal waits for "
                "a day)",
                code="nothing_there",
            )
        if replace(command, confirms=0) != proposal.command:
            raise Refusal(f"entry {command.confirms} says something else", code="not_equal")
        first = proposal.by.name
        if same_person(first, actor.name):
            raise Refusal(
                f"{plain(first)} proposed it: the second person is somebody else",
                code="not_yours",
            )
        check_independent(self._journal, first, actor.name)

    def pending(self) -> Iterator[tuple[int, AccountRecord]]:
        """Yield the proposals that wait for a second person, each with its entry number."""
        records = list(self._last_day())
        done = {getattr(record.command, "confirms", 0) for _, record in records}
        for entry, record in records:
            if record.waits and entry.version not in done:
                yield entry.version, record

    def _last_day(self) -> Iterator[tuple[Entry, AccountRecord]]:
        for entry in self._journal.since(self._stream, self._since()):
            yield entry, account_record(entry)

    def _since(self) -> str:
        return stamp(self._clock() - timedelta(days=1))

    def _record_attempt(
        self, command: CashierCommand, actor: Actor, refusal: CroupierError
    ) -> None:
        asker, text = Asker(actor.role, actor.name), to_json(command.outside())
        log = attempt_log(self._journal)
        log.record(attempts_stream(self._stream), text, asker, refusal, self._clock)


def _answered(command: CashierCommand, entries: tuple[Entry, ...]) -> AccountResult:
    record = account_record(entries[-1])
    if record.command != command:
        raise Refusal(
            "this request key was used for another command: take a new one for each",
            code="key_reused",
        )
    return AccountResult(record.balance, entries[-1].version, repeated=True, waits=record.waits)
