"""Assessment of procedure: at a rehearsal table the dealer names the next step, and at the end the
journal shows what they did and confirmed.

The chosen step is judged against the work that waits. A step that is not due is given to the
engine: its refusal says why, with the clause.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.deck_care.commands import HandleDeck
from croupier.deck_care.state import Care
from croupier.errors import BadRequest, CroupierError, Refusal, shown, suggest
from croupier.ledger.entries import stamp
from croupier.ledger.history.past_rounds import chapter_up_to, played, standing
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import (
    Attempt,
    attempts_stream,
    table_record,
    table_stream,
)
from croupier.rounds.declaration import Actor, from_json
from croupier.rounds.events import IrregularityNoted
from croupier.rounds.irregularities import irregularities_now
from croupier.rulebooks.equipment import dealing_name
from croupier.rulebooks.rules import Rules
from croupier.runtime import clock
from croupier.runtime.session import TableSession
from croupier.school.drills.draws import Draws
from croupier.school.drills.positions import Position, walk
from croupier.school.drills.procedure import people_in_words
from croupier.school.progress_store import ProgressStore, RecordType
from croupier.tables.commands import TableCommand
from croupier.tables.duty import is_on_duty
from croupier.tables.events import TableEvent
from croupier.tables.state import Table, rules_of
from croupier.tables.step_duties import confirmed
from croupier.tables.work import WorkStep, step_of, work

Task: TypeAlias = Literal["deck", "round", "accident"]
TASKS: Final[dict[Task, str]] = {
    "deck": "Open a deck: from its arrival until it can be dealt",
    "round": "Deal a whole round: from the opening of the bets to the collected cards",
    "accident": "Deal a round in which something goes wrong",
}
REPORT: Final = "Report what went wrong"
"""The menu entry, beside the steps, for reporting an irregularity."""


class Noted(msgspec.Struct, frozen=True):
    """A choice or a request of the dealer. `due` is the step that was waiting instead."""

    at: str
    chosen: str
    kind: Literal["right", "forgotten", "out_of_order", "somebody_else", "refused"]
    words: str = ""
    clause: str = ""
    due: str = ""
    due_clause: str = ""


class Assessment(msgspec.Struct, frozen=True):
    """`version`: the table's version at the start; `attempts`: the version of its stream of refused
    attempts."""

    id: str
    table: str
    rulebook: str
    task: Task
    began_at: str
    version: int
    attempts: int
    round: int
    noted: tuple[Noted, ...] = ()
    ended_at: str = ""
    accident: str = ""
    """The irregularity of this round, and the table version at which it happened."""
    accident_at: int = 0


ASSESSMENT: Final = RecordType("dealer assessment", Assessment)


class DoneStep(msgspec.Struct, frozen=True):
    """A command that the dealer gave and the engine accepted, with the duties confirmed with it."""

    at: str
    label: str
    clause: str
    duties: tuple[tuple[str, str], ...]
    """Pairs of words and clause."""


class AssessmentForm(msgspec.Struct, frozen=True):
    """`menu`: everything that can be chosen. `happens`: the irregularity, if there is one. After
    the end also the steps done, the mistakes, and the score in percent."""

    id: str
    table: str
    rulebook: str
    task: Task
    words: str
    page: str
    menu: tuple[str, ...]
    right: int
    mistakes: tuple[Noted, ...]
    done: tuple[DoneStep, ...]
    happens: str = ""
    is_complete: bool = False
    ended_at: str = ""
    score: int | None = None
    left: tuple[str, ...] = ()
    """Steps that were still waiting when the dealer stopped."""


MOST_NOTED: Final = 300


class Assessments:
    """Assessments of all dealers. Its methods block: call them in a thread."""

    def __init__(
        self, store: ProgressStore, journal: Journal, now: Callable[[], datetime] = clock.now
    ) -> None:
        self._store = store
        self._journal = journal
        self._now = now

    def begin(self, person: str, table: Table, task: str) -> AssessmentForm:
        if task not in TASKS:
            raise suggest("task", task, TASKS)
        id_ = secrets.token_hex(8)
        made = Assessment(
            id_,
            table.id,
            table.rulebook,
            task,
            stamp(self._now()),
            table.version,
            self._journal.head(attempts_stream(table.id)).version,
            table.round.number,
        )
        self._store.put(person, ASSESSMENT, id_, made)
        return form_of(self._journal, person, made, table, self._now())

    def look(self, person: str, id_: str, table: Table) -> AssessmentForm:
        """Return the current state; the irregularity happens as soon as it can."""
        made = self._found(person, id_, table)
        if made.task == "accident" and not made.accident and not made.ended_at:
            accident = accident_for(made, table)
            if accident:
                made = self._change(
                    person,
                    id_,
                    lambda assessment: replace(
                        assessment, accident=accident, accident_at=table.version
                    ),
                )
        return form_of(self._journal, person, made, table, self._now())

    def choose(self, person: str, role: str, id_: str, table: Table, label: str) -> Noted:
        """Judge whether this step comes next, and record the choice once."""
        actor = Actor("dealer", person)
        if role != "dealer":
            raise Refusal("a dealer is assessed here", code="wrong_role")
        made = self._found(person, id_, table)
        if label not in menu(made, rules_of(table)):
            raise BadRequest(f"{shown(label)} is not one of the steps")
        noted = self._judged(made, table, actor, label)

        def added(assessment: Assessment) -> Assessment:
            if assessment.ended_at:
                raise Refusal("this assessment has ended", code="already_answered")
            if len(assessment.noted) >= MOST_NOTED:
                raise Refusal("too much was tried: finish, and begin another", code="over_limit")
            return replace(assessment, noted=(*assessment.noted, noted))

        self._change(person, id_, added)
        return noted

    def finish(self, person: str, id_: str, table: Table) -> AssessmentForm:
        self._found(person, id_, table)
        made = self._change(
            person,
            id_,
            lambda assessment: (
                assessment
                if assessment.ended_at
                else replace(assessment, ended_at=stamp(self._now()))
            ),
        )
        return form_of(self._journal, person, made, table, self._now())

    def of_person(self, person: str) -> list[Assessment]:
        return [kept.record for kept in self._store.of_person(person, ASSESSMENT)]

    # -- helpers ------------------------------------------------------------------------------

    def _found(self, person: str, id_: str, table: Table) -> Assessment:
        """Return the assessment, which must belong to this table."""
        made = self._store.get(person, ASSESSMENT, id_)
        if made is None:
            raise Refusal(f"no assessment {shown(id_)} is yours", code="nothing_there")
        if made.table != table.id:
            raise Refusal(
                f"this assessment is at table {made.table}, not at {shown(table.id)}",
                code="nothing_there",
            )
        return made

    def _change(
        self, person: str, id_: str, change: Callable[[Assessment], Assessment]
    ) -> Assessment:
        def changed(assessment: Assessment | None) -> Assessment:
            if assessment is None:
                raise Refusal(f"no assessment {shown(id_)} is yours", code="nothing_there")
            return change(assessment)

        return self._store.change(person, ASSESSMENT, id_, changed)

    def _judged(self, made: Assessment, table: Table, actor: Actor, label: str) -> Noted:
        if label != REPORT:
            return judged(table, actor, label, self._now())
        events = events_since(self._journal, made)
        has_happened = bool(made.accident) and not was_reported(events, made.accident)
        return report_judged(table, actor, self._now(), has_happened=has_happened)


# -- judging a chosen step ------------------------------------------------------------------------


def menu(made: Assessment, rules: Rules) -> tuple[str, ...]:
    """Return everything that can be chosen, sorted by name so that the order gives nothing away."""
    extra = (REPORT,) if made.task == "accident" else ()
    return tuple(sorted({*_order(rules), *extra}))


def waiting_for(table: Table, actor: Actor, now: datetime) -> list[WorkStep]:
    """Return the steps that this dealer may do now, the next one first."""
    steps = work(table, rules_of(table), int(now.timestamp()))
    return [step for step in steps if _is_mine(step, table, actor)]


def judged(table: Table, actor: Actor, label: str, now: datetime) -> Noted:
    """Judge a step, chosen by its label."""
    rules, at = rules_of(table), stamp(now)
    mine = waiting_for(table, actor, now)
    if any(step.label == label for step in mine):
        return Noted(at, label, "right")
    due = mine[0] if mine else None
    steps = work(table, rules, int(now.timestamp()))
    known = next((step for step in steps if step.label == label), None)
    example = _example(label, rules)
    step, command = (known, known.command) if known else (example.steps[0], example.command)
    if "dealer" not in step.by:
        words = f"that is for {people_in_words(step.by).lower()}"
        return Noted(at, label, "somebody_else", words, step.clause, *_named(due))
    refusal = _refused(table, command, actor, int(now.timestamp()))
    is_later = due is not None and _comes_later(label, due.label, rules)
    words = refusal.message if refusal is not None else "nothing asks for it now"
    clause = (refusal.clause if refusal is not None else "") or ""
    mistake: Literal["forgotten", "out_of_order"] = "forgotten" if is_later else "out_of_order"
    return Noted(at, label, mistake, words, clause, *_named(due))


def report_judged(table: Table, actor: Actor, now: datetime, *, has_happened: bool) -> Noted:
    """Judge a report. `has_happened`: there is an irregularity that nobody has reported yet."""
    if has_happened:
        return Noted(stamp(now), REPORT, "right")
    mine = waiting_for(table, actor, now)
    words = f"nothing has gone wrong in round {table.round.number}"
    return Noted(stamp(now), REPORT, "out_of_order", words, "", *_named(mine[0] if mine else None))


# -- helpers --------------------------------------------------------------------------------------


def _named(due: WorkStep | None) -> tuple[str, str]:
    return (due.label, due.clause) if due is not None else ("", "")


def _is_mine(step: WorkStep, table: Table, actor: Actor) -> bool:
    return "dealer" in step.by and is_on_duty(table, step.command, actor.role, actor.name)


def _order(rules: Rules) -> tuple[str, ...]:
    """Return all steps of a table with this way of dealing, in order of first occurrence."""
    walked = walk(rules.book.id, dealing_name(rules) or "", 0)
    labels = [at.steps[0].label for at in walked if at.steps[0].step != "enter_cards"]
    return tuple(dict.fromkeys(labels))


def _comes_later(chosen: str, due: str, rules: Rules) -> bool:
    order = _order(rules)
    return chosen in order and due in order and order.index(chosen) > order.index(due)


def _example(label: str, rules: Rules) -> Position:
    """Return a moment at which this step was next."""
    walked = walk(rules.book.id, dealing_name(rules) or "", 0)
    return next(at for at in walked if at.steps[0].label == label)


def _refused(table: Table, command: TableCommand, actor: Actor, at: int) -> CroupierError | None:
    try:
        TableSession(table).plan(command, actor, at)
    except CroupierError as error:
        return error
    return None


# -- the irregularity of an assessed round --------------------------------------------------------


def accident_for(made: Assessment, table: Table) -> str:
    """Draw an irregularity that can happen now and be reported until the hands are settled; empty
    before the cards are dealt."""
    if table.round.phase not in ("deciding", "revealing"):
        return ""
    known = rules_of(table).book.irregularities
    possible = [
        irregularity.kind
        for irregularity in irregularities_now(table.round, rules_of(table))
        if "dealer" in irregularity.by
        and "playing" in known[irregularity.kind].when
        and not known[irregularity.kind].only
    ]
    return Draws(f"accident {made.id}").pick(possible) if possible else ""


def was_reported(events: Sequence[TableEvent], irregularity: str) -> bool:
    return any(
        isinstance(event, IrregularityNoted) and event.kind == irregularity for event in events
    )


def wrong_reports(made: Assessment, events: Sequence[TableEvent], rules: Rules) -> Iterator[Noted]:
    """Yield a mistake for each report of an irregularity that did not happen."""
    for event in events:
        if isinstance(event, IrregularityNoted) and event.kind != made.accident:
            title = rules.book.irregularities[event.kind].title
            words = f"reported: {title}; that has not happened"
            yield Noted("", REPORT, "out_of_order", words, event.clause)


def in_words(made: Assessment, rules: Rules) -> str:
    accident = rules.book.irregularities[made.accident]
    return f"{accident.title[:1].upper()}{accident.title[1:]}."


# -- the result -----------------------------------------------------------------------------------


def events_since(journal: Journal, made: Assessment) -> list[TableEvent]:
    """Return everything that has happened at the table since the assessment began."""
    entries = journal.read(table_stream(made.table), made.version)
    return [event for entry in entries for event in table_record(entry).events]


def form_of(
    journal: Journal, person: str, made: Assessment, table: Table, now: datetime
) -> AssessmentForm:
    rules, events = rules_of(table), events_since(journal, made)
    mistakes = [note for note in made.noted if note.kind != "right"]
    mistakes += _refusals(journal, person, made)
    mistakes += wrong_reports(made, events, rules)
    right = sum(note.kind == "right" for note in made.noted)
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
    """Return the labels of the steps that were still waiting."""
    labels = dict.fromkeys(step.label for step in waiting_for(table, actor, now))
    return (*((REPORT,) if unreported else ()), *labels) or ("The task itself",)


def _refusals(journal: Journal, person: str, made: Assessment) -> Iterator[Noted]:
    """Yield the dealer's refused commands: a wrong count, a card that lies elsewhere."""
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
        duty_lines = confirmed(
            record.command,
            record.by,
            before,
            rules_of(before),
            at,
            record.events,
            on_screen=record.on_screen,
        )
        duties = tuple((duty.words, duty.clause) for duty in duty_lines)
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
