"""A table of a journal: a command is planned, appended to the journal, and only then adopted.

A session knows only what was written: a draft is a value, and only `adopt` changes the session.
Several processes may run one table. If a write conflicts, another process was first; the session
then reads the new entries and tries again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from threading import RLock
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from croupier import __version__, progressives
from croupier.deck_care.next_steps import NextStep, next_steps
from croupier.errors import BadData, BadRequest, CroupierError, Refusal, plain, suggest
from croupier.ledger.entries import (
    Addition,
    Chapter,
    Entry,
    Fence,
    NewEntry,
    Write,
    seconds,
    stamp,
)
from croupier.ledger.faults import Conflict, Repeated
from croupier.ledger.history.floor_records import moved_alone
from croupier.ledger.history.past_rounds import Moment, corrections, played, table_after
from croupier.ledger.journal import Journal
from croupier.ledger.records.cashier_entries import read_account, table_additions
from croupier.ledger.records.people_accounts import check_independent, is_registered_player
from croupier.ledger.records.table_entries import (
    Asker,
    Pointer,
    TableRecord,
    attempts_stream,
    chapter_of,
    corrections_stream,
    face_up,
    link_entry,
    link_stream,
    masked,
    record_of,
    sealed_body,
    table_entry,
    table_record,
    table_stream,
)
from croupier.ledger.rules_texts import rules_addition
from croupier.ledger.signatures.sealing import new_round_key
from croupier.progressives import Link
from croupier.randomness.shuffling import Source, from_system
from croupier.rounds.commands import RefuseProgressive, Settle, ValidateProgressive, VoidRound
from croupier.rounds.declaration import (
    Actor,
    Command,
    from_json,
    is_person,
    is_software,
    tag_of,
    to_json,
)
from croupier.rounds.payment import named_denial
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rulebooks.kept_rules import adopt_rules, draft_rules, is_reference
from croupier.rulebooks.rules import Rules
from croupier.runtime.attempts import attempt_log
from croupier.runtime.clock import now
from croupier.runtime.house_terms import holds_money, house_limits
from croupier.runtime.links import HeldLink, Links
from croupier.runtime.session import COMPLETED_BY_HOUSE, as_recorded, check_name
from croupier.tables.command_input import checked_actor, checked_command
from croupier.tables.commands import (
    BuyIn,
    CashOut,
    Confirm,
    Correct,
    OpenTable,
    SignCount,
    TableCommand,
)
from croupier.tables.deciding import can_name_table
from croupier.tables.events import Corrected, TableEvent
from croupier.tables.evolving import evolve, next_entry
from croupier.tables.planning import (
    CommandPlan,
    as_confirmed,
    check_correction_of,
    check_foreseeable,
    plan,
    plan_opening,
)
from croupier.tables.state import Table, rules_of
from croupier.tables.two_people import (
    CONTROLLED,
    Controls,
    MovedAlone,
    correction_in,
    to_confirm,
)

_DECIDES: Final = {
    "validate_progressive": "the progressive",
    "refuse_progressive": "the progressive",
    "report": "the round",
    "void_round": "the round",
    "report_malfunction": "the device",
    "mark_out_of_order": "the device",
    "repair_device": "the device",
    "order_shuffle": "the deck",
    "order_recut": "the deck",
}
"""Commands that decide the same question; any other command decides a question of its own."""

_ABOUT: Final = ("round", "seat", "player", "wager", "back", "step", "device", "number")
"""Fields that identify the subject of a decision."""


def same_decision(command: Command, earlier: Command) -> bool:
    """Return whether two commands take the same decision. If so, the second person may not have
    known of the first decision, and must look again. All reports count as one decision, because the
    first may have voided the hands."""
    first, second = tag_of(command), tag_of(earlier)
    question = _DECIDES.get(first, first)
    if question != _DECIDES.get(second, second):
        return False
    return question == "the round" or _about(command, earlier)


def _about(command: Command, earlier: Command) -> bool:
    """Return whether the commands agree on every field that both state."""
    for name in _ABOUT:
        mine, others = getattr(command, name, None), getattr(earlier, name, None)
        if mine and others and mine != others:
            return False
    return True


SNAPSHOT_EVERY: Final = 20
LINK_SNAPSHOT_EVERY: Final = 200
TRIES: Final = 50

_OPENING: Final = tag_of(OpenTable)

Clock = Callable[[], datetime]


class StaleCommand(CroupierError):
    """The command was meant for an earlier state of the table. It is recorded as an attempt if a
    staff member gave it; players often press a moment too late."""

    code = "stale"


class Expected(NamedTuple):
    """The state of the table that the person saw when they gave a command, and the duties on their
    screen."""

    round: int = 0
    decision: str = ""
    version: int = 0
    """If given, the command is refused after any change of the table."""
    seen: int = 0
    """The version on the screen: the command is refused if somebody has taken the same decision
    since."""
    duties: tuple[str, ...] = ()
    """The clauses of the duties on the screen. No other duty is recorded as confirmed with the
    command."""

    def check(self, table: Table) -> None:
        state = table.round
        if self.version and self.version != table.version:
            raise StaleCommand("the table has changed meanwhile")
        if self.round and self.round != state.number:
            raise StaleCommand(
                f"this was meant for round {self.round}, but round {state.number} is in play"
            )
        if self.decision and state.phase == "deciding":
            step = flow_of(rules_of(table)).steps[state.step]
            assert isinstance(step, Ask)
            if step.decision.name != self.decision:
                raise StaleCommand(
                    f"the {self.decision} decision is over: {step.decision.name} is asked now"
                )


ANYTHING: Final = Expected()


class KnownTable(msgspec.Struct, frozen=True):
    """A table as it is written in the journal."""

    table: Table
    began_at: str = ""
    """When its last round began."""
    key: bytes = b""
    """The key of the round in play, if this process opened it."""
    shut: bool = False
    """The cards of the round in play are sealed with a key that this process does not have."""


class Draft(NamedTuple):
    """A planned command that is not written yet."""

    plan: CommandPlan
    write: Write
    moments: list[Moment]
    after: KnownTable
    link: HeldLink | None
    """The link afterwards, if this command or a draft before it changed it."""


class CommandResult(NamedTuple):
    """The result of a command; `repeated` means that it had been done before under the same key,
    and was not planned again."""

    events: tuple[TableEvent, ...]
    repeated: bool = False
    plan: CommandPlan | None = None


class JournalSession:
    """One table of a journal, thread-safe. With `keep_news`, `take_news` returns everything that
    happened at the table, including commands from other processes."""

    def __init__(
        self,
        journal: Journal,
        name: str,
        *,
        links: Links | None = None,
        clock: Clock = now,
        draw: Source = from_system,
        keep_news: bool = False,
    ) -> None:
        self.journal = journal
        self.name = name
        self.stream = table_stream(name)
        self.links = links or Links(journal)
        self._clock = clock
        self._draw = draw
        self.known: KnownTable | None = None
        """The table as this session last saw it; None before the first read. Set only from what was
        written."""
        self._news: list[Moment] | None = [] if keep_news else None
        self._lock = RLock()
        self.lease: Callable[[], int] | None = None
        """Returns the token of the lease under which software deals this table; None if no other
        process could deal it."""

    # -- how it stands ----------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The table as it is in the journal now."""
        with self._lock:
            self.catch_up()
            return self._loaded().table

    @property
    def rules(self) -> Rules:
        return rules_of(self._loaded().table)

    @property
    def link(self) -> Link | None:
        held = self.links.read(self._loaded().table.link)
        return None if held is None else held.link

    def now(self) -> int:
        """Return the time in seconds since 1970, for rules about hours."""
        return seconds(self._clock())

    def next_steps(self) -> tuple[NextStep, ...]:
        """Return what must be done with the decks now, by whom and by which clause."""
        table = self.table
        return next_steps(table, rules_of(table), self.now())

    def load(self) -> KnownTable:
        """Read the table if this session has not seen it yet."""
        with self._lock:
            return self._loaded()

    def catch_up(self) -> None:
        """Read the entries that are new since the last read."""
        with self._lock:
            known = self._loaded()
            moments = list(played(self._read_on(known.table.version), known.table))
            for moment in moments:
                opens = moment.after.began == moment.entry.version
                began = moment.entry.at if opens else known.began_at
                known = _seen(known, moment.after, began, moment.entry)
            self.known = known
            if self._news is not None:
                self._news += moments

    def take_news(self) -> list[Moment]:
        """Return what has happened since the last call, in order."""
        with self._lock:
            if self._news is None:
                return []
            news, self._news = self._news, []
            return news

    def _read_on(self, after: int) -> Iterator[Entry]:
        for entry in self.journal.read(self.stream, after=after):
            self.journal.remember(entry)
            if entry.kind == _OPENING:  # another process may have brought the rules
                self.journal.learn_rules()
            yield entry

    def _loaded(self) -> KnownTable:
        if self.known is None:
            known = self._load()
            if known is None:
                names = (name.removeprefix("table:") for name in self.journal.streams("table:"))
                raise suggest("table", self.name, names)
            self.links.get(known.table.link)  # even if the table no longer offers its progressive
            self.known = known
        return self.known

    def _load(self) -> KnownTable | None:
        snapshot = self.journal.snapshot(self.stream)
        known = None
        if snapshot is not None:
            with suppress(BadData):  # without a snapshot, reading takes longer
                known = KnownTable(from_json(snapshot.body, Table))
        for entry in self._read_on(known.table.version if known else 0):
            table = next_entry(known.table if known else None)
            for event in table_record(entry).events:
                table, _ = evolve(table, event)
            assert table is not None, "an entry has events"
            began = entry.at if table.began == entry.version or known is None else known.began_at
            known = _seen(known, table, began, entry)
        return known

    # -- planning, appending, adopting ------------------------------------------------------

    def draft(
        self,
        command: TableCommand,
        actor: Actor,
        request: str | None = None,
        expected: Expected = ANYTHING,
        *,
        on: Draft | None = None,
    ) -> Draft:
        """Plan a command on the known table, or on a draft that is to be written before it.
        Refusals raise. The session does not change until `adopt`, once the draft is written."""
        known = on.after if on is not None else self.known
        if known is not None:
            expected.check(known.table)
            _check_open(known, command)
        if isinstance(command, OpenTable):
            text = draft_rules(command.rulebook, command.rulebook_text)
            command = replace(command, rulebook_text=text, program=__version__)
        held = self._held_link(command, known, on)
        at = self._clock()
        made = self._plan(command, actor, known, held, seconds(at))
        if is_person(actor.name):
            made = replace(made, on_screen=expected.duties)
        return self._drafted(made, known, held, request, at, on)

    def can_draft(
        self, command: TableCommand, expected: Expected = ANYTHING, on: Draft | None = None
    ) -> bool:
        """Return whether everything that the command needs is known, so that the journal need not
        be read."""
        known = on.after if on is not None else self.known
        if known is None or _is_read_first(command, known.table):
            return False
        return not expected.seen or expected.seen >= known.table.version

    def adopt(self, draft: Draft) -> None:
        """Apply a draft that has been written."""
        self.known = draft.after
        if isinstance(draft.plan.command, OpenTable):
            adopt_rules(draft.plan.command.rulebook_text)
        if self._news is not None:
            self._news += draft.moments
        if draft.link is not None:
            self.links.adopt(draft.link.link.id, draft.link)

    def do(
        self,
        command: TableCommand,
        actor: Actor,
        request: str | None = None,
        expected: Expected = ANYTHING,
    ) -> tuple[TableEvent, ...]:
        """Carry out a command. On return its events are on disk."""
        return self.carry_out(command, actor, request, expected).events

    def carry_out(
        self,
        command: TableCommand,
        actor: Actor,
        request: str | None = None,
        expected: Expected = ANYTHING,
    ) -> CommandResult:
        """Carry out a command, and report whether it was done before. `request` is a key chosen by
        the client: a command that arrives twice with the same key is done once."""
        command, actor = checked_command(command), checked_actor(actor)
        with self._lock:
            for _ in range(TRIES):
                try:
                    return self._try(command, actor, request, expected)
                except Repeated:
                    continue
                except Conflict:
                    self._look_again(command)
                except BadData:
                    raise  # not a refusal: stored or submitted data cannot be read
                except (StaleCommand, BadRequest) as refusal:
                    # Another process may have changed the table so that the command is legal now.
                    if not self._is_current(command):
                        self._look_again(command)
                        continue
                    if not isinstance(refusal, StaleCommand) or _is_of_staff(actor):
                        asker = Asker(actor.role, actor.name)
                        self.record_attempt(command, asker, refusal)
                    raise
            raise Conflict(f"table {self.name} is too busy: try again")

    def foresee(self, command: TableCommand, actor: Actor) -> CommandPlan:
        """Plan a report or a floorperson's decision for the person who confirms it. Nothing is
        written, not even a refused attempt."""
        command, actor = checked_command(command), checked_actor(actor)
        check_foreseeable(command)
        with self._lock:
            self.catch_up()
            known = self._loaded()
            held = self.links.read(known.table.link)
            made = self._plan(command, actor, known, held, self.now())
            link = held.link if held is not None else None
            return as_confirmed(known.table, link, made, self.now())

    def _try(
        self,
        command: TableCommand,
        actor: Actor,
        request: str | None,
        expected: Expected,
    ) -> CommandResult:
        if request is not None:
            entries = self.journal.answered(self.stream, request)
            if entries is not None:
                return self._answered(command, entries)
        if isinstance(command, OpenTable):
            check_name(command, self.name)
            if self.known is None:
                self.known = self._load()
        else:
            self._check_undecided(command, self._loaded(), expected)
        draft = self.draft(command, actor, request, expected)
        self.journal.add(*draft.write.additions, at=draft.write.at, fence=draft.write.fence)
        self.adopt(draft)
        return CommandResult(draft.plan.events, plan=draft.plan)

    def _check_undecided(
        self, command: TableCommand, known: KnownTable, expected: Expected
    ) -> None:
        """Refuse if anybody has taken the same decision since the person looked."""
        if not expected.seen or expected.seen >= known.table.version:
            return
        for entry in self.journal.read(self.stream, expected.seen, known.table.version):
            record = table_record(entry)
            if same_decision(record.command, command):
                raise StaleCommand(
                    f"already decided by {plain(record.by.name)}: {record.command.declared.label} "
                    f"(entry {entry.version}); look at the table again",
                    clause=command.role_clause(rules_of(known.table)),
                )

    def _answered(self, command: TableCommand, entries: tuple[Entry, ...]) -> CommandResult:
        """Return the answer to a command that was done before; refuse if the key was used for
        another command."""
        records = [table_record(entry) for entry in entries]
        if not any(_is_asked(record, command) for record in records):
            raise Refusal(
                "this request key was used for another command: take a new one for each",
                code="key_reused",
            )
        self.catch_up()
        events = tuple([event for record in records for event in record.events])
        return CommandResult(events, repeated=True)

    def _held_link(
        self, command: TableCommand, known: KnownTable | None, on: Draft | None
    ) -> HeldLink | None:
        if on is not None and on.link is not None:
            return on.link
        if isinstance(command, OpenTable):
            return self.links.get(command.link or command.table)
        assert known is not None, "a table begins by being opened"
        return self.links.known(known.table.link)

    def _plan(
        self,
        command: TableCommand,
        actor: Actor,
        known: KnownTable | None,
        held: HeldLink | None,
        at: int,
    ) -> CommandPlan:
        link = held.link if held is not None else None
        if isinstance(command, OpenTable):
            before = known.table if known is not None else None
            return plan_opening(command, actor, before, link, money=holds_money(self.journal))
        assert known is not None, "a table begins by being opened"
        table = known.table
        controls = self._controls(command, table, at)
        recorded: TableCommand = command
        if type(command) in COMPLETED_BY_HOUSE:
            recorded = as_recorded(command, table, self._draw)
        made = plan(table, link, recorded, actor, at, None, controls)
        if isinstance(command, Confirm | Correct | SignCount):
            self._check_by_journal(table, command, actor, link)
        elif isinstance(command, ValidateProgressive) and controls is not None:
            self._check_award(table, made, controls)
        return made

    def _check_award(self, table: Table, made: CommandPlan, controls: Controls) -> None:
        """Refuse a large award from a meter if the person who validates it is not independent of a
        dealer who could have typed the cards."""
        moves = (move for moved in made.moves for move in moved)
        award = sum(move.cents for move in moves if move.target.startswith("rack:"))
        if award > controls.limits.payout:
            of_round = map(table_record, self.journal.read(self.stream, after=table.began - 1))
            dealers = {record.by.name for record in of_round if record.by.role == "dealer"}
            for dealer in sorted(filter(is_person, dealers)):
                check_independent(self.journal, dealer, made.actor.name)

    def _check_by_journal(
        self, table: Table, command: Confirm | Correct | SignCount, actor: Actor, link: Link | None
    ) -> None:
        """Refuse what only the journal reveals: two names for one person, and sums over the
        bounds."""
        if isinstance(command, Confirm):
            first = to_confirm(table, command.number, actor).name
            check_independent(self.journal, first, actor.name)
        elif isinstance(command, SignCount) and table.count is not None:
            check_independent(self.journal, table.count.by, actor.name)
        correction = correction_in(table, command)
        if correction is not None:
            then = table_after(self.journal, table.id, correction.round)
            earlier = self._corrected_before(correction)
            check_correction_of(then, correction, earlier, link)

    def _corrected_before(self, correction: Correct) -> int:
        """Return the total of earlier corrections to this wager of the round, in cents."""
        return sum(
            before.event.cents
            for before in corrections(self.journal, self.name, correction.round)
            if (before.event.seat, before.event.wager) == (correction.seat, correction.wager)
        )

    def _controls(self, command: TableCommand, table: Table, at: int) -> Controls | None:
        """Return the limits on what one person may do alone, if they concern the command."""
        if not _is_read_first(command, table):
            return None
        alone = MovedAlone()
        if table.strict and isinstance(command, BuyIn | Correct):
            since = stamp(datetime.fromtimestamp(at, UTC) - timedelta(days=1))
            alone = moved_alone(self.journal, self.name, since)
        limits, money = house_limits(self.journal), holds_money(self.journal)
        return Controls(limits, money, alone, self._has_account(command))

    def _has_account(self, command: TableCommand) -> bool:
        """Return whether the player who takes chips off the table has an account."""
        if not isinstance(command, CashOut):
            return False
        held = read_account(self.journal, command.player)
        return held.version > 0 or is_registered_player(self.journal, command.player)

    def _drafted(
        self,
        made: CommandPlan,
        known: KnownTable | None,
        held: HeldLink | None,
        request: str | None,
        at: datetime,
        on: Draft | None,
    ) -> Draft:
        """Return the entries that the plan writes into the journal."""
        table, time = made.table, stamp(at)
        began = time if table.began == table.version or known is None else known.began_at
        key = self._round_key(known) if made.ends_round else None
        clear = table_entry(made, request, key.hex() if key is not None else "")
        after, entry = self._stored(made, known, request, clear, began)
        addition = Addition(
            self.stream,
            table.version - 1,
            (entry,),
            chapters=_chapters(made, began, time),
            snapshot=to_json(table) if _is_due(made) else None,
            request=request,
        )
        additions = [addition]
        link = on.link if on is not None else None
        if made.link_changes:
            assert made.link is not None
            seen = held.version if held is not None else 0
            link = HeldLink(made.link, seen + len(made.link_changes))
            additions.append(_link_addition(made, seen, link))
        additions += self._corrections(made)
        additions += table_additions(self.journal, made)
        if isinstance(made.command, OpenTable):
            rules = rules_addition(*self.journal.rules_there(), made.command)
            additions += [rules] if rules is not None else []
        shown = Entry(self.stream, table.version, time, clear.kind, clear.body, clear.transfers, "")
        moments = _moments(made, known, shown)
        write = Write(tuple(additions), at, request or "", self._fence(made.actor))
        return Draft(made, write, moments, after, link)

    def _stored(
        self,
        made: CommandPlan,
        known: KnownTable | None,
        request: str | None,
        entry: NewEntry,
        began: str,
    ) -> tuple[KnownTable, NewEntry]:
        """Return what this session knows after the plan, and the entry as stored: sealed if it
        contains what nobody may know yet. A round gets its key with the entry that opens it."""
        table = made.table
        if table.round.phase == "over":
            return KnownTable(table, began), entry
        opens = table.began == table.version
        key = new_round_key() if opens else self._round_key(known)
        after = KnownTable(table, began, key or b"", known is not None and known.shut)
        if key is None:
            return after, entry
        seal = self.journal.keys.seal(self.stream, table.version, key) if opens else None
        body = sealed_body(record_of(made, request), table, key, seal)
        return after, entry if body is None else replace(entry, body=body)

    def _round_key(self, known: KnownTable | None) -> bytes | None:
        """Return the key of the round in play; None if no round is in play, or if it was opened
        before rounds were sealed."""
        if known is None or known.table.round.phase == "over" or known.shut:
            return None
        table = known.table
        return known.key or self.journal.keys.key(self.stream, table.round.number, table.began)

    def _fence(self, actor: Actor) -> Fence | None:
        """Return the lease that must still be held to write the command. Only software's commands
        need one: any process may write a person's command."""
        if self.lease is None or not is_software(actor.name):
            return None
        return Fence(self.name, self.lease())

    def _corrections(self, made: CommandPlan) -> list[Addition]:
        """Return the index entries for corrections of past rounds."""
        pointers = [
            NewEntry("corrected", to_json(Pointer(event.round, made.table.version)))
            for event in made.events
            if isinstance(event, Corrected)
        ]
        if not pointers:
            return []
        stream = corrections_stream(self.name)
        return [Addition(stream, self.journal.head(stream).version, tuple(pointers))]

    def _look_again(self, command: TableCommand) -> None:
        """Read what others have written, at the table and on the link that the command needs."""
        if self.known is not None or self.journal.head(self.stream).version:
            self.catch_up()
        self.links.read(self._link_name(command))

    def _is_current(self, command: TableCommand) -> bool:
        """Return whether this process knows the latest state of the table and its link."""
        version = self.known.table.version if self.known is not None else 0
        if self.journal.head(self.stream).version != version:
            return False
        return self.links.is_current(self._link_name(command))

    def _link_name(self, command: TableCommand) -> str:
        if isinstance(command, OpenTable):
            return command.link or command.table
        return self.known.table.link if self.known is not None else self.name

    def record_attempt(self, command: TableCommand, asker: Asker, refusal: CroupierError) -> None:
        """Record a refused attempt in a separate stream, because nothing happened at the table. For
        a table that does not exist, only attempts to open it by a permitted role are recorded."""
        if self.known is None and not (
            isinstance(command, OpenTable)
            and asker.role in command.declared.by
            and can_name_table(self.name)
        ):
            return
        command_text = to_json(command.outside())
        table = self.known.table if self.known is not None else None
        if table is not None and table.round.phase != "over":
            # A reader of the disk must not learn which cards lie face down.
            visible = face_up(table)
            command_text = masked(command_text.decode(), visible).encode()
            message = masked(refusal.message, visible)
            refusal = CroupierError(message, code=refusal.code, clause=refusal.clause)
        log = attempt_log(self.journal)
        log.record(attempts_stream(self.name), command_text, asker, refusal, self._clock)


def _seen(known: KnownTable | None, table: Table, began: str, entry: Entry) -> KnownTable:
    """Return the known table after this entry."""
    if table.round.phase == "over":
        return KnownTable(table, began)
    is_same = known is not None and known.table.began == table.began
    key = known.key if known is not None and is_same else b""
    shut = known.shut if known is not None and is_same else False
    return KnownTable(table, began, key, shut or entry.shut)


def _check_open(known: KnownTable, command: TableCommand) -> None:
    """Refuse to play on a round whose card key is missing: a person must void it."""
    if known.shut and not isinstance(command, VoidRound | OpenTable):
        raise Refusal(
            f"the cards of round {known.table.round.number} are sealed with a key that is not "
            "here: put the key of the machine back (CROUPIER_KEY_FILE) and start again, or have a "
            "floorperson declare the round void",
            code="sealed",
        )


def _is_read_first(command: TableCommand, table: Table) -> bool:
    """Return whether the command is checked against the journal, not only against the table."""
    if isinstance(command, Settle | ValidateProgressive):
        return table.by_people_only
    return isinstance(command, (OpenTable, Confirm, SignCount, *CONTROLLED))


def _is_of_staff(actor: Actor) -> bool:
    return actor.role != "player" and not is_software(actor.name)


def _is_asked(record: TableRecord, command: TableCommand) -> bool:
    """Return whether the record is of this command. Fields filled in by the house are ignored."""
    done, filled = record.command, command.declared.filled
    if type(done) is not type(command):
        return False
    same = {name: getattr(command, name) for name in filled}
    if isinstance(command, RefuseProgressive):
        command = named_denial(command)
    if isinstance(command, CashOut):
        same["account"] = command.account  # a cash-out by the floor goes to the account anyway
    if isinstance(done, OpenTable) and isinstance(command, OpenTable):
        same["strict"] = command.strict
        if not command.rulebook_text:
            same["rulebook_text"] = ""
        elif is_reference(done.rulebook_text):
            text = draft_rules(command.rulebook, command.rulebook_text)
            command = replace(command, rulebook_text=text)
    return (replace(done, **same) if same else done) == command


def _moments(made: CommandPlan, known: KnownTable | None, entry: Entry) -> list[Moment]:
    """Return the planned events as a reader of the journal will see them."""
    if len(made.events) == 1:
        before = next_entry(known.table) if known is not None else None
        return [Moment(entry, made.events[0], made.actor, before, made.table, made.moves[0])]
    state = next_entry(known.table) if known is not None else None
    moments = []
    for event in made.events:
        before = state
        state, moves = evolve(before, event)
        moments.append(Moment(entry, event, made.actor, before, state, moves))
    return moments


def _link_addition(made: CommandPlan, seen: int, link: HeldLink) -> Addition:
    entries = tuple([link_entry(change) for change in made.link_changes])
    is_due = link.version // LINK_SNAPSHOT_EVERY > seen // LINK_SNAPSHOT_EVERY
    body = progressives.to_json(link.link) if is_due else None
    return Addition(link_stream(link.link.id), seen, entries, snapshot=body)


def _is_due(made: CommandPlan) -> bool:
    """Return whether a snapshot is due: every 20 rounds, at the end of a round."""
    is_due = made.table.round.number % SNAPSHOT_EVERY == 0
    return is_due and made.ends_round


def _chapters(made: CommandPlan, began: str, ended: str) -> tuple[Chapter, ...]:
    """Return the round that ends with this plan, if one does."""
    table = made.table
    if not made.ends_round:
        return ()
    return (chapter_of(table.id, table.round, table.began, table.version, began, ended),)
