"""Procedure on the console, assessed: at a rehearsal table the dealer says himself what comes next.

What he chooses is held against the work that waits. A step that is not due is given to the engine,
whose refusal says why, by which clause; and what was due instead stands beside it. What he has done
and confirmed is read from the journal at the end.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.care.commands import HandleDeck
from croupier.care.state import Care
from croupier.errors import BadRequest, CroupierError, Refusal, shown, suggest
from croupier.ledger.entries import stamp
from croupier.ledger.journal import Journal
from croupier.ledger.past_rounds import chapter_up_to, played, standing
from croupier.ledger.table_entries import Attempt, attempts_stream, table_record, table_stream
from croupier.rounds.declaration import Actor
from croupier.rounds.events import IrregularityNoted
from croupier.rounds.irregularities import irregularities_now
from croupier.rounds.records import from_json
from croupier.rulebooks.equipment import dealing_name
from croupier.rulebooks.rules import Rules
from croupier.runtime import clock
from croupier.runtime.session import TableSession
from croupier.school.drills.draws import Draws
from croupier.school.drills.positions import Position, walk
from croupier.school.drills.procedure import people_in_words
from croupier.school.progress_store import Kind, ProgressStore
from croupier.tables.commands import TableCommand
from croupier.tables.duty import is_on_duty
from croupier.tables.events import TableEvent
from croupier.tables.state import Table, rules_of
from croupier.tables.step_duties import confirmed
from croupier.tables.work import WorkStep, step_of, work

__all__ = ["ASSESSMENT", "TASKS", "Assessment", "AssessmentForm", "Assessments", "Task"]

Task: TypeAlias = Literal["deck", "round", "accident"]
TASKS: Final[dict[Task, str]] = {
    "deck": "Open a deck: from its arrival until it can be dealt",
    "round": "Deal a whole round: from the opening of the bets to the collected cards",
    "accident": "Deal a round in which something goes wrong",
}
_REPORT: Final = "Report what went wrong"
MOST_NOTED: Final = 300


class Noted(msgspec.Struct, frozen=True):
    """Something that was chosen or asked for. `due` is what waited for him instead."""

    at: str
    chosen: str
    kind: Literal["right", "forgotten", "out_of_order", "somebody_else", "refused"]
    words: str = ""
    clause: str = ""
    due: str = ""
    due_clause: str = ""


class Assessment(msgspec.Struct, frozen=True):
    """`version`: the table's when it began; `attempts`: that of its refused attempts."""

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
    """The irregularity that happens in this round, and from when on."""
    accident_at: int = 0


ASSESSMENT: Final = Kind("dealer assessment", Assessment)


class DoneStep(msgspec.Struct, frozen=True):
    """A command that he gave and the engine took, with the duties that he confirmed by it."""

    at: str
    label: str
    clause: str
    duties: tuple[tuple[str, str], ...]
    """Words and clause."""


class AssessmentForm(msgspec.Struct, frozen=True):
    """`menu`: everything that can be chosen. `happens`: what went wrong, where something did. At
    the end the steps that were done, the mistakes and the score in percent."""

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
    """What still waited for him when he stopped."""


class Assessments:
    """Blocking: for a thread."""

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
        return self._form(person, made, table)

    def look(self, person: str, id_: str, table: Table) -> AssessmentForm:
        """How it stands; the accident happens as soon as it can."""
        made = self._found(person, id_)
        if made.task == "accident" and not made.accident and not made.ended_at:
            kind = self._accident(made, table)
            if kind:
                made = self._change(
                    person, id_, lambda one: replace(one, accident=kind, accident_at=table.version)
                )
        return self._form(person, made, table)

    def choose(self, person: str, role: str, id_: str, table: Table, label: str) -> Noted:
        """Is this what comes next? Noted, and counted once for each choice."""
        actor = Actor("dealer", person)
        if role != "dealer":
            raise Refusal("a dealer is assessed here", code="wrong_role")
        made = self._found(person, id_)
        if label not in _menu(made, rules_of(table)):
            raise BadRequest(f"{shown(label)} is no step that can be chosen")
        noted = self._judged(made, table, actor, label)

        def added(one: Assessment) -> Assessment:
            if one.ended_at:
                raise Refusal("this assessment has ended", code="already_answered")
            if len(one.noted) >= MOST_NOTED:
                raise Refusal("too much was tried: finish, and begin another", code="over_limit")
            return replace(one, noted=(*one.noted, noted))

        self._change(person, id_, added)
        return noted

    def finish(self, person: str, id_: str, table: Table) -> AssessmentForm:
        made = self._change(
            person,
            id_,
            lambda one: one if one.ended_at else replace(one, ended_at=stamp(self._now())),
        )
        return self._form(person, made, table)

    def of_person(self, person: str) -> list[Assessment]:
        return [kept.record for kept in self._store.of_person(person, ASSESSMENT)]

    # -- helpers ------------------------------------------------------------------------------

    def _found(self, person: str, id_: str) -> Assessment:
        made = self._store.get(person, ASSESSMENT, id_)
        if made is None:
            raise Refusal(f"no assessment {shown(id_)} is yours", code="nothing_there")
        return made

    def _change(
        self, person: str, id_: str, change: Callable[[Assessment], Assessment]
    ) -> Assessment:
        def changed(one: Assessment | None) -> Assessment:
            if one is None:
                raise Refusal(f"no assessment {shown(id_)} is yours", code="nothing_there")
            return change(one)

        return self._store.change(person, ASSESSMENT, id_, changed)

    def _judged(self, made: Assessment, table: Table, actor: Actor, label: str) -> Noted:
        rules, at = rules_of(table), int(self._now().timestamp())
        steps = work(table, rules, at)
        mine = [step for step in steps if _is_mine(step, table, actor)]
        due = mine[0] if mine else None
        told = stamp(self._now())
        if label == _REPORT:
            return self._report_judged(made, table, told, due)
        if any(step.label == label for step in mine):
            return Noted(told, label, "right")
        waits_for_me = (due.label, due.clause) if due is not None else ("", "")
        known = next((step for step in steps if step.label == label), None)
        example = _example(label, rules)
        step, command = (known, known.command) if known else (example.steps[0], example.command)
        if "dealer" not in step.by:
            words = f"that is for {people_in_words(step.by).lower()}"
            return Noted(told, label, "somebody_else", words, step.clause, *waits_for_me)
        refusal = _refused(table, command, actor, at)
        is_later = due is not None and _comes_later(label, due.label, rules)
        words = refusal.message if refusal is not None else "nothing asks for it now"
        clause = (refusal.clause if refusal is not None else "") or ""
        kind: Literal["forgotten", "out_of_order"] = "forgotten" if is_later else "out_of_order"
        return Noted(told, label, kind, words, clause, *waits_for_me)

    def _report_judged(
        self, made: Assessment, table: Table, told: str, due: WorkStep | None
    ) -> Noted:
        if made.accident and not _was_reported(self._events(made), made.accident):
            return Noted(told, _REPORT, "right")
        waits = (due.label, due.clause) if due is not None else ("", "")
        words = f"nothing has gone wrong in round {table.round.number}"
        return Noted(told, _REPORT, "out_of_order", words, "", *waits)

    def _accident(self, made: Assessment, table: Table) -> str:
        """One that can happen now and be reported until the hands are settled, drawn from the
        assessment; not before the cards are out."""
        if table.round.phase not in ("deciding", "revealing"):
            return ""
        known = rules_of(table).book.irregularities
        possible = [
            one.kind
            for one in irregularities_now(table.round, rules_of(table))
            if "dealer" in one.by and "playing" in known[one.kind].when and not known[one.kind].only
        ]
        return Draws(f"accident {made.id}").pick(possible) if possible else ""

    def _events(self, made: Assessment) -> list[TableEvent]:
        entries = self._journal.read(table_stream(made.table), made.version)
        return [event for entry in entries for event in table_record(entry).events]

    def _form(self, person: str, made: Assessment, table: Table) -> AssessmentForm:
        rules = rules_of(table)
        events = self._events(made)
        mistakes = [one for one in made.noted if one.kind != "right"]
        mistakes += self._refusals(person, made)
        mistakes += _wrong_reports(made, events, rules)
        right = sum(one.kind == "right" for one in made.noted)
        complete = _is_complete(made, table, events)
        unreported = made.accident and not _was_reported(events, made.accident)
        score = None
        left: tuple[str, ...] = ()
        if made.ended_at:
            if not complete:
                at = int(self._now().timestamp())
                actor = Actor("dealer", person)
                waiting = [step for step in work(table, rules, at) if _is_mine(step, table, actor)]
                left = tuple(dict.fromkeys(step.label for step in waiting))
                left = (*((_REPORT,) if unreported else ()), *left) or ("The task itself",)
            missed = len(mistakes) + len(left)
            score = 100 * right // (right + missed) if right + missed else 0
        return AssessmentForm(
            made.id,
            made.table,
            made.rulebook,
            made.task,
            TASKS[made.task],
            f"/tables/{made.table}/deal?assessment={made.id}",
            _menu(made, rules),
            right,
            tuple(mistakes),
            tuple(self._done(person, made)) if made.ended_at else (),
            _happens(made, rules) if unreported else "",
            complete,
            made.ended_at,
            score,
            left,
        )

    def _refusals(self, person: str, made: Assessment) -> Iterator[Noted]:
        """What he sent and the engine refused: a wrong count, a card that lies elsewhere."""
        for entry in self._journal.read(attempts_stream(made.table), made.attempts):
            attempt: Attempt = from_json(entry.body, Attempt)
            if attempt.by.name != person or (made.ended_at and entry.at > made.ended_at):
                continue
            tag = str(msgspec.json.decode(attempt.command).get("type", ""))
            label = tag.replace("_", " ").capitalize()
            yield Noted(entry.at, label, "refused", attempt.message, attempt.clause or "")

    def _done(self, person: str, made: Assessment) -> Iterator[DoneStep]:
        stream, version = table_stream(made.table), made.version
        chapter = chapter_up_to(self._journal, stream, version)
        after = chapter.first - 1 if chapter is not None else 0
        state = None if chapter is None else standing(self._journal, stream, chapter.first)
        for moment in played(self._journal.read(stream, after), state):
            entry = moment.entry
            if entry.version <= version:
                continue
            version = entry.version
            record = table_record(entry)
            if record.by.name != person or (made.ended_at and entry.at > made.ended_at):
                continue
            before = moment.before if moment.before is not None else moment.after
            found = confirmed(record.command, record.by, before, rules_of(before), record.events)
            duties = tuple((duty.words, duty.clause) for duty in found)
            yield DoneStep(
                entry.at, _label(record.command), _clause(record.command, before), duties
            )


def _label(command: TableCommand) -> str:
    is_deck = isinstance(command, HandleDeck)
    return command.doing().capitalize() if is_deck else command.declared.label


def _clause(command: TableCommand, table: Table) -> str:
    waits = work(table, rules_of(table), 0)
    mine = step_of(command)
    return next((step.clause for step in waits if step.step == mine), "")


def _is_mine(step: WorkStep, table: Table, actor: Actor) -> bool:
    return "dealer" in step.by and is_on_duty(table, step.command, actor.role, actor.name)


def _order(rules: Rules) -> tuple[str, ...]:
    """All steps of a table that deals so, in the order in which they come for the first time."""
    walked = walk(rules.book.id, dealing_name(rules) or "", 0)
    labels = [at.steps[0].label for at in walked if at.steps[0].step != "enter_cards"]
    return tuple(dict.fromkeys(labels))


def _menu(made: Assessment, rules: Rules) -> tuple[str, ...]:
    """By name, so that the order gives nothing away."""
    extra = (_REPORT,) if made.task == "accident" else ()
    return tuple(sorted({*_order(rules), *extra}))


def _comes_later(chosen: str, due: str, rules: Rules) -> bool:
    order = _order(rules)
    return chosen in order and due in order and order.index(chosen) > order.index(due)


def _example(label: str, rules: Rules) -> Position:
    """A moment at which this step was the next."""
    walked = walk(rules.book.id, dealing_name(rules) or "", 0)
    return next(at for at in walked if at.steps[0].label == label)


def _refused(table: Table, command: TableCommand, actor: Actor, at: int) -> CroupierError | None:
    try:
        TableSession(table).plan(command, actor, at)
    except CroupierError as error:
        return error
    return None


def _was_reported(events: list[TableEvent], kind: str) -> bool:
    return any(isinstance(event, IrregularityNoted) and event.kind == kind for event in events)


def _wrong_reports(made: Assessment, events: list[TableEvent], rules: Rules) -> Iterator[Noted]:
    """What was reported and has not happened."""
    for event in events:
        if isinstance(event, IrregularityNoted) and event.kind != made.accident:
            title = rules.book.irregularities[event.kind].title
            words = f"reported: {title}; that has not happened"
            yield Noted("", _REPORT, "out_of_order", words, event.clause)


def _happens(made: Assessment, rules: Rules) -> str:
    accident = rules.book.irregularities[made.accident]
    return f"{accident.title[:1].upper()}{accident.title[1:]}."


def _is_complete(made: Assessment, table: Table, events: list[TableEvent]) -> bool:
    match made.task:
        case "deck":
            return _is_ready(table.care)
        case "round":
            return table.round.number > made.round and table.round.phase == "over"
        case "accident":
            is_over = table.round.phase == "over" and table.round.number > made.round
            return bool(made.accident) and _was_reported(events, made.accident) and is_over


def _is_ready(care: Care | None) -> bool:
    return care is None or any(deck.stage == "ready" for deck in care.decks)
