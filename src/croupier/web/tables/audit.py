"""The journal for people who read everything and change nothing. Every function here blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

import msgspec

from croupier.cashier import CASHIER_COMMANDS
from croupier.errors import BadAmount, BadRequest, shown
from croupier.ledger.checkpoints.checkpoints import CHECKPOINTS, checkpoint_record
from croupier.ledger.checkpoints.pruning import PRUNED
from croupier.ledger.entries import Chapter, Entry
from croupier.ledger.history.past_rounds import (
    Moment,
    chapter_up_to,
    duties_on_record,
    entry_moments,
    withheld,
)
from croupier.ledger.history.search import KINDS, SECRET, Place, ReadEntry, Sought, label_of, search
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import (
    Attempt,
    attempts_stream,
    corrections_stream,
    face_up,
    link_stream,
    masked,
    table_record,
    table_stream,
)
from croupier.ledger.rules_texts import RULES, rules_text
from croupier.ledger.signatures.chain import GENESIS, hash_of
from croupier.money import dollars, format_cents, parse_cents
from croupier.progressives import LINK_COMMANDS
from croupier.reports.exports import last_finished, other_entry, table_entry
from croupier.rounds.declaration import from_json
from croupier.rulebooks.duties import Duty
from croupier.tables.command_fields import CommandField, command_fields
from croupier.tables.commands import COMMANDS
from croupier.tables.sentences import describe_event
from croupier.tables.state import Table
from croupier.tables.step_duties import OnRecord
from croupier.web.server.problems import NotThere

MOST_ATTEMPTS: Final = 1000
"""Number of a table's latest refused attempts that are counted."""
_PLAIN: Final = ("type", "player", "seat", "by", "submission", "rulebook_text", "program")
_COMMANDS: Final = {**COMMANDS, **LINK_COMMANDS, **CASHIER_COMMANDS}

Current: TypeAlias = Callable[[str], Table | None]
"""Returns the current state of a table by its name, or None."""


class EntryRow(msgspec.Struct, frozen=True):
    """One journal entry in a list. `about` summarizes the command. `round` is the entry's round, 0
    between rounds. `in_play` means that the round is not over."""

    stream: str
    version: int
    at: str
    type: str
    label: str
    role: str
    name: str
    about: str
    round: int
    clauses: tuple[str, ...]
    moved: str
    in_play: bool
    refused: str
    """The reason, if the entry is a refused attempt."""


class EntriesForm(msgspec.Struct, frozen=True):
    """A page of entries. `before` is the value that requests the next page, None at the beginning
    of the journal. `back_to` is how far back the search went, even if it matched nothing."""

    entries: tuple[EntryRow, ...]
    before: str | None
    back_to: str


class ConfirmedDuty(msgspec.Struct, frozen=True):
    clause: str
    words: str


class OpenedEntry(msgspec.Struct, frozen=True):
    """One complete entry. `words` describes what happened. `holds` means that the hash matches the
    contents and the previous entry. While the round is in play, `hash` and `previous` are empty:
    from the rest of the entry, anyone could try hidden cards until they match the hash. `newest` is
    the last version of the stream."""

    row: EntryRow
    words: tuple[str, ...]
    request: str
    transfers: tuple[Any, ...]
    command: Any
    events: tuple[Any, ...]
    hash: str
    previous: str
    holds: bool
    newest: int
    duties: tuple[ConfirmedDuty, ...] = ()
    """Duties that the person confirmed with the command."""
    shown: tuple[ConfirmedDuty, ...] = ()
    """Duties shown on the screens of people other than the one who gave the command."""


class AttemptCount(msgspec.Struct, frozen=True):
    """How often the same command was refused to the same person for the same reason."""

    table: str
    role: str
    name: str
    type: str
    label: str
    code: str
    message: str
    clause: str
    times: int
    first: str
    last: str
    version: int
    """Version of the latest of these attempts in its stream."""


class AttemptsForm(msgspec.Struct, frozen=True):
    """Counted refusals. `left_out` is the number of older attempts not counted."""

    attempts: tuple[AttemptCount, ...]
    left_out: int


# -- search ----------------------------------------------------------------------------------------


def streams_of(journal: Journal, table: str, stream: str, current: Current) -> tuple[str, ...]:
    """Return the streams to search: the named stream, or the streams of the named table and of its
    link."""
    if stream:
        return (stream,)
    if not table:
        return ()
    if not journal.head(table_stream(table)).version:
        raise NotThere(f"there is no table {shown(table)}")
    own = (table_stream(table), attempts_stream(table), corrections_stream(table))
    now = current(table)
    return own if now is None or not now.link else (*own, link_stream(now.link))


def rounds_of(journal: Journal, table: str, number: int, current: Current) -> Sought:
    """Return the range of entries of one round of a table."""
    if not table:
        raise BadRequest("name the table whose round it is")
    stream = table_stream(table)
    chapter = journal.chapter(stream, number)
    if chapter is not None:
        return Sought(streams=(stream,), first=chapter.first, last=chapter.last)
    now = current(table)
    if now is None or now.round.number != number:
        raise NotThere(f"table {shown(table)} has no round {number}")
    return Sought(streams=(stream,), first=now.began, last=now.version)


def found_entries(
    journal: Journal, sought: Sought, before: str, limit: int, current: Current
) -> EntriesForm:
    for entry_kind in sought.kinds:
        if entry_kind not in KINDS:
            raise BadRequest(
                f"{shown(entry_kind)} is not a kind of stream: take {', '.join(KINDS)}"
            )
    page = search(journal, sought, Place.parse(before) if before else None, limit)
    places = _Rounds(journal, current)
    rows = tuple([_row(entry, places.of(entry.entry)) for entry in page.found])
    return EntriesForm(rows, str(page.before) if page.before is not None else None, page.back_to)


class _Rounds:
    """The round number of each entry. Asking from the newest entry to the oldest is fast."""

    def __init__(self, journal: Journal, current: Current) -> None:
        self._journal = journal
        self._current = current
        self._last: dict[str, Chapter | None] = {}

    def of(self, entry: Entry) -> int:
        tag, _, name = entry.stream.partition(":")
        if tag != "table":
            return 0
        now = self._current(name)
        if now is not None and now.round.phase != "over" and entry.version >= now.began:
            return now.round.number
        chapter = self._chapter(entry)
        return chapter.number if chapter is not None and entry.version <= chapter.last else 0

    def _chapter(self, entry: Entry) -> Chapter | None:
        stream, version = entry.stream, entry.version
        held = self._last.get(stream)
        if held is not None and held.first > version:  # usually the previous round
            held = self._journal.chapter(stream, held.number - 1)
        if held is None or held.first > version:
            held = chapter_up_to(self._journal, stream, version)
        self._last[stream] = held
        return held


def _row(read: ReadEntry, number: int) -> EntryRow:
    entry = read.entry
    about = _about(read.command, read.tag)
    message = str(read.data.get("message", "")) if entry.stream.startswith("attempts:") else ""
    return EntryRow(
        stream=entry.stream,
        version=entry.version,
        at=entry.at,
        type=read.tag,
        label=label_of(read.tag),
        role=read.role,
        name=read.name,
        about=masked(about) if read.is_open else about,
        round=number or int(read.data.get("round") or read.command.get("round") or 0),
        clauses=read.clauses,
        moved=format_cents(read.cents) if read.cents else "",
        in_play=read.is_open and number > 0,
        refused=masked(message) if read.is_open else message,
    )


def _about(command: dict[str, Any], tag: str = "") -> str:
    """Summarize a command, labeled as its form is, or an event as far as words allow."""
    parts = [f"seat {command['seat']}"] if command.get("seat") else []
    parts += [str(command["player"])] if command.get("player") else []
    entry_type = _COMMANDS.get(tag)
    fields = (
        {field.name: field for field in command_fields(entry_type)}
        if entry_type is not None
        else {}
    )
    for name, value in command.items():
        if name in _PLAIN or name in SECRET or value in ("", [], {}, None, 0):
            continue
        words = _said(value, fields.get(name), name)
        if words:
            parts.append(words)
    return ", ".join(parts)[:200]


def _said(value: Any, field: CommandField | None, name: str) -> str:
    label = field.label.removesuffix(" in dollars") if field is not None else _in_words(name)
    if value is True:
        return label
    if name.endswith("cents") and isinstance(value, int):
        return f"{label.removesuffix('cents').strip() or 'amount'} {dollars(value)}"
    if isinstance(value, dict):
        return f"{label}: {_listing(value, field)}" if field is not None else ""
    if isinstance(value, list):
        flat = [str(part) for part in value if not isinstance(part, dict | list)]
        return f"{label}: {', '.join(map(_in_words, flat))}" if flat else ""
    text = str(value)
    if field is None:
        return f"{label}: {_in_words(text) if name == 'hand' else text}"
    if field.kind == "money":
        return f"{label}: {_dollars(value)}"
    is_name = bool(field.list) and not field.free
    return f"{label}: {field.choice_labels.get(text, _in_words(text) if is_name else text)}"


def _listing(value: dict[str, Any], field: CommandField) -> str:
    if field.kind == "chips":
        return ", ".join(f"{count} × {_dollars(worth)}" for worth, count in value.items())
    if field.kind == "amounts":
        return ", ".join(f"{_in_words(name)} {_dollars(cents)}" for name, cents in value.items())
    return ", ".join(f"{name} {words}" for name, words in value.items())


def _dollars(amount: object) -> str:
    """Format an amount in dollars, or return it as text: a refused command may hold anything
    there."""
    try:
        return dollars(parse_cents(amount))
    except BadAmount:
        return str(amount)


def _in_words(name: str) -> str:
    """Return a name in words: `six_card_bonus` as "six card bonus"."""
    return name.replace("_", " ")


# -- one entry -------------------------------------------------------------------------------------


def opened(journal: Journal, stream: str, version: int, current: Current) -> OpenedEntry:
    entry_opened = list(journal.read(stream, max(0, version - 2), version))
    if not entry_opened or entry_opened[-1].version != version or version < 1:
        raise NotThere(f"{shown(stream)} has no entry {version}")
    entry, previous = entry_opened[-1], entry_opened[0].hash if version > 1 else GENESIS
    number = _Rounds(journal, current).of(entry)
    is_table = stream.startswith("table:")
    shown_entry = _table_parts(journal, entry) if is_table else _other_parts(journal, entry)
    words, form, is_open, (confirmed, shown_to_others) = shown_entry
    return OpenedEntry(
        row=_row(ReadEntry(entry, is_open=is_open), number),
        words=words,
        request=table_record(entry).request if is_table else "",
        transfers=tuple(_listed(form["transfers"])),
        command=form.get("command"),
        events=tuple(_listed(form.get("events", ()))),
        hash="" if is_open and is_table else entry.hash,
        previous="" if is_open and is_table else previous,
        holds=entry.hash == _hash(previous, entry),
        newest=journal.head(stream).version,
        duties=_duties(confirmed),
        shown=_duties(shown_to_others),
    )


def _duties(some: Iterable[Duty]) -> tuple[ConfirmedDuty, ...]:
    return tuple([ConfirmedDuty(duty.clause, duty.words) for duty in some])


def _listed(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list) else ()


def _hash(previous: str, entry: Entry) -> str:
    e = entry
    return hash_of(previous, e.stream, e.version, e.at, e.kind, e.text, e.transfers)


_Parts: TypeAlias = tuple[tuple[str, ...], dict[str, object], bool, OnRecord]
"""Words, the exported entry, whether its round is in play, and its duties."""


def _table_parts(journal: Journal, entry: Entry) -> _Parts:
    finished = last_finished(journal, entry.stream.partition(":")[2])
    happened = entry_moments(journal, entry.stream, entry.version)
    if not happened:
        raise NotThere("too much happened between two rounds here to show one entry of it")
    is_open = happened[-1].after.round.number > finished
    words = [line for moment in happened for line in _words(moment, finished)]
    return tuple(words), table_entry(happened, finished), is_open, duties_on_record(happened[0])


def _words(moment: Moment, finished: int) -> list[str]:
    words = describe_event(withheld(moment, finished), moment.after)
    if moment.after.round.number <= finished:
        return words
    return [masked(line, face_up(moment.after)) for line in words]


def _other_parts(journal: Journal, entry: Entry) -> _Parts:
    table = table_stream(entry.stream.partition(":")[2])
    last = next(journal.chapters(table, limit=1), None)
    ended = last.ended if last is not None else ""
    form = other_entry(entry, ended)
    is_open = entry.stream.startswith("attempts:") and entry.at >= ended
    words = [f"refused: {form['message']}"] if "message" in form else []
    words += [_event_words(event) for event in _listed(form.get("events"))]
    words += _own_words(entry)
    if entry.stream.startswith("corrections:"):
        words.append(f"round {form.get('round')} was corrected by entry {form.get('entry')}")
    if entry.stream.startswith(("people:", "program:")):
        read = ReadEntry(entry)
        words.append(_event_words(read.command or {"type": entry.kind, **read.data}))
    return tuple(words), form, is_open, OnRecord()


def _own_words(entry: Entry) -> list[str]:
    """Describe an entry of a stream that belongs to no table."""
    if entry.stream == RULES:
        rules = rules_text(entry)
        return [f"the rulebook {rules.rulebook}, to which tables refer as sha256:{rules.hash}"]
    if entry.stream == CHECKPOINTS:
        signed = checkpoint_record(entry).checkpoint
        return [f"{signed.size:,} entries were signed with the key {signed.key}"]
    if entry.stream == PRUNED:
        return ["refused attempts of long ago lost their text"]
    return ["it has lost its text by rule"] if entry.is_pruned else []


def _event_words(event: dict[str, Any]) -> str:
    tag = _in_words(str(event.get("type", "")))
    about = _about({k: v for k, v in event.items() if k != "type"})
    return f"{tag}: {about}" if about else tag


# -- refused attempts ------------------------------------------------------------------------------


def attempts(journal: Journal, table: str = "") -> AttemptsForm:
    """Count refused attempts by person, command and reason, latest first."""
    counted: dict[tuple[str, ...], AttemptCount] = {}
    left_out = 0
    streams = (f"attempts:{table}",) if table else journal.streams("attempts:")
    for stream in streams:
        head = journal.head(stream).version
        left_out += max(0, head - MOST_ATTEMPTS)
        for entry in journal.read(stream, max(0, head - MOST_ATTEMPTS), head):
            if not entry.is_pruned:
                _count(entry, counted)
    latest = sorted(counted.values(), key=lambda attempt: attempt.last, reverse=True)
    return AttemptsForm(tuple(latest), left_out)


def _count(entry: Entry, counted: dict[tuple[str, ...], AttemptCount]) -> None:
    attempt: Attempt = from_json(entry.body, Attempt)
    table, tag = entry.stream.partition(":")[2], ReadEntry(entry).tag
    by = attempt.by
    key = (table, by.role, by.name, tag, attempt.code, attempt.clause or "")
    held = counted.get(key)
    counted[key] = AttemptCount(
        *(table, by.role, by.name, tag, label_of(tag), attempt.code),
        message=masked(attempt.message),
        clause=attempt.clause or "",
        times=attempt.times + (held.times if held is not None else 0),
        first=held.first if held is not None else entry.at,
        last=entry.at,
        version=entry.version,
    )
