"""Procedure on the console, assessed: at a rehearsal table the dealer says himself what comes
next, and what he has done and confirmed is read from the journal at the end."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Final

from msgspec.structs import replace

from croupier.errors import BadRequest, Refusal, shown, suggest
from croupier.ledger.entries import stamp
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import attempts_stream
from croupier.rounds.declaration import Actor
from croupier.runtime import clock
from croupier.school.assessments.accidents import accident_for, was_reported
from croupier.school.assessments.assessment import (
    ASSESSMENT,
    REPORT,
    TASKS,
    Assessment,
    AssessmentForm,
    Noted,
)
from croupier.school.assessments.judging import judged, menu, report_judged
from croupier.school.assessments.results import events_since, form_of
from croupier.school.progress_store import ProgressStore
from croupier.tables.state import Table, rules_of

__all__ = ["Assessments"]

MOST_NOTED: Final = 300


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
        return form_of(self._journal, person, made, table, self._now())

    def look(self, person: str, id_: str, table: Table) -> AssessmentForm:
        """How it stands; the accident happens as soon as it can."""
        made = self._found(person, id_, table)
        if made.task == "accident" and not made.accident and not made.ended_at:
            kind = accident_for(made, table)
            if kind:
                made = self._change(
                    person, id_, lambda one: replace(one, accident=kind, accident_at=table.version)
                )
        return form_of(self._journal, person, made, table, self._now())

    def choose(self, person: str, role: str, id_: str, table: Table, label: str) -> Noted:
        """Is this what comes next? Noted, and counted once for each choice."""
        actor = Actor("dealer", person)
        if role != "dealer":
            raise Refusal("a dealer is assessed here", code="wrong_role")
        made = self._found(person, id_, table)
        if label not in menu(made, rules_of(table)):
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
        self._found(person, id_, table)
        made = self._change(
            person,
            id_,
            lambda one: one if one.ended_at else replace(one, ended_at=stamp(self._now())),
        )
        return form_of(self._journal, person, made, table, self._now())

    def of_person(self, person: str) -> list[Assessment]:
        return [kept.record for kept in self._store.of_person(person, ASSESSMENT)]

    # -- helpers ------------------------------------------------------------------------------

    def _found(self, person: str, id_: str, table: Table) -> Assessment:
        """Another table, where another step is due, does not count."""
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
        def changed(one: Assessment | None) -> Assessment:
            if one is None:
                raise Refusal(f"no assessment {shown(id_)} is yours", code="nothing_there")
            return change(one)

        return self._store.change(person, ASSESSMENT, id_, changed)

    def _judged(self, made: Assessment, table: Table, actor: Actor, label: str) -> Noted:
        if label != REPORT:
            return judged(table, actor, label, self._now())
        events = events_since(self._journal, made)
        has_happened = bool(made.accident) and not was_reported(events, made.accident)
        return report_judged(table, actor, self._now(), has_happened=has_happened)
