"""What the journal says of an assessment: what was done and confirmed, what was refused, whether
the task is complete; and all of it as its page is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec

from croupier.deck_care.commands import HandleDeck
from croupier.deck_care.state import Care
from croupier.ledger.history.past_rounds import chapter_up_to, played, standing
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import (
    Attempt,
    attempts_stream,
    table_record,
    table_stream,
)
from croupier.rounds.declaration import Actor
from croupier.rounds.records import from_json
from croupier.school.assessments.accidents import in_words, was_reported, wrong_reports
from croupier.school.assessments.assessment import (
    REPORT,
    TASKS,
    Assessment,
    AssessmentForm,
    DoneStep,
    Noted,
)
from croupier.school.assessments.judging import menu, waiting_for
from croupier.tables.commands import TableCommand
from croupier.tables.events import TableEvent
from croupier.tables.state import Table, rules_of
from croupier.tables.step_duties import confirmed
from croupier.tables.work import step_of, work

__all__ = ["events_since", "form_of"]


def events_since(journal: Journal, made: Assessment) -> list[TableEvent]:
    """Everything that has happened at the table since it began."""
    entries = journal.read(table_stream(made.table), made.version)
    return [event for entry in entries for event in table_record(entry).events]


def form_of(
    journal: Journal, person: str, made: Assessment, table: Table, now: datetime
) -> AssessmentForm:
    rules, events = rules_of(table), events_since(journal, made)
    mistakes = [one for one in made.noted if one.kind != "right"]
    mistakes += _refusals(journal, person, made)
    mistakes += wrong_reports(made, events, rules)
    right = sum(one.kind == "right" for one in made.noted)
    complete = _is_complete(made, table, events)
    unreported = bool(made.accident) and not was_reported(events, made.accident)
    score = None
    left: tuple[str, ...] = ()
    if made.ended_at:
        left = () if complete else _left(table, Actor("dealer", person), now, unreported=unreported)
        missed = len(mistakes) + len(left)
        score = 100 * right // (right + missed) if right + missed else 0
    return AssessmentForm(
        made.id,
        made.table,
        made.rulebook,
        made.task,
        TASKS[made.task],
        f"/tables/{made.table}/deal?assessment={made.id}",
        menu(made, rules),
        right,
        tuple(mistakes),
        tuple(_done(journal, person, made)) if made.ended_at else (),
        in_words(made, rules) if unreported else "",
        complete,
        made.ended_at,
        score,
        left,
    )


def _left(table: Table, actor: Actor, now: datetime, *, unreported: bool) -> tuple[str, ...]:
    """What still waited for him."""
    labels = dict.fromkeys(step.label for step in waiting_for(table, actor, now))
    return (*((REPORT,) if unreported else ()), *labels) or ("The task itself",)


def _refusals(journal: Journal, person: str, made: Assessment) -> Iterator[Noted]:
    """What he sent and the engine refused: a wrong count, a card that lies elsewhere."""
    for entry in journal.read(attempts_stream(made.table), made.attempts):
        attempt: Attempt = from_json(entry.body, Attempt)
        if attempt.by.name != person or (made.ended_at and entry.at > made.ended_at):
            continue
        tag = str(msgspec.json.decode(attempt.command).get("type", ""))
        label = tag.replace("_", " ").capitalize()
        yield Noted(entry.at, label, "refused", attempt.message, attempt.clause or "")


def _done(journal: Journal, person: str, made: Assessment) -> Iterator[DoneStep]:
    stream, version = table_stream(made.table), made.version
    chapter = chapter_up_to(journal, stream, version)
    after = chapter.first - 1 if chapter is not None else 0
    state = None if chapter is None else standing(journal, stream, chapter.first)
    for moment in played(journal.read(stream, after), state):
        entry = moment.entry
        if entry.version <= version:
            continue
        version = entry.version
        record = table_record(entry)
        if record.by.name != person or (made.ended_at and entry.at > made.ended_at):
            continue
        before = moment.before if moment.before is not None else moment.after
        at = int(datetime.fromisoformat(entry.at).timestamp())
        found = confirmed(
            record.command,
            record.by,
            before,
            rules_of(before),
            at,
            record.events,
            on_screen=record.on_screen,
        )
        duties = tuple((duty.words, duty.clause) for duty in found)
        yield DoneStep(entry.at, _label(record.command), _clause(record.command, before), duties)


def _label(command: TableCommand) -> str:
    is_deck = isinstance(command, HandleDeck)
    return command.doing().capitalize() if is_deck else command.declared.label


def _clause(command: TableCommand, table: Table) -> str:
    waits = work(table, rules_of(table), 0)
    mine = step_of(command)
    return next((step.clause for step in waits if step.step == mine), "")


def _is_complete(made: Assessment, table: Table, events: Sequence[TableEvent]) -> bool:
    is_over = table.round.phase == "over" and table.round.number > made.round
    match made.task:
        case "deck":
            return _is_ready(table.care)
        case "round":
            return is_over
        case "accident":
            return bool(made.accident) and was_reported(events, made.accident) and is_over


def _is_ready(care: Care | None) -> bool:
    return care is None or any(deck.stage == "ready" for deck in care.decks)
