"""Is the step that the dealer chose the one that comes next?

It is held against the work that waits. A step that is not due is given to the engine, whose refusal
says why, by which clause; and what was due instead stands beside it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from croupier.errors import CroupierError
from croupier.ledger.entries import stamp
from croupier.rounds.declaration import Actor
from croupier.rulebooks.equipment import dealing_name
from croupier.rulebooks.rules import Rules
from croupier.runtime.session import TableSession
from croupier.school.assessments.assessment import REPORT, Assessment, Noted
from croupier.school.drills.positions import Position, walk
from croupier.school.drills.procedure import people_in_words
from croupier.tables.commands import TableCommand
from croupier.tables.duty import is_on_duty
from croupier.tables.state import Table, rules_of
from croupier.tables.work import WorkStep, work

__all__ = ["judged", "menu", "report_judged", "waiting_for"]


def menu(made: Assessment, rules: Rules) -> tuple[str, ...]:
    """Everything that can be chosen, by name, so that the order gives nothing away."""
    extra = (REPORT,) if made.task == "accident" else ()
    return tuple(sorted({*_order(rules), *extra}))


def waiting_for(table: Table, actor: Actor, now: datetime) -> list[WorkStep]:
    """The steps that this dealer may do now, the first one first."""
    steps = work(table, rules_of(table), int(now.timestamp()))
    return [step for step in steps if _is_mine(step, table, actor)]


def judged(table: Table, actor: Actor, label: str, now: datetime) -> Noted:
    """A step, chosen by its label."""
    rules, told = rules_of(table), stamp(now)
    mine = waiting_for(table, actor, now)
    if any(step.label == label for step in mine):
        return Noted(told, label, "right")
    due = mine[0] if mine else None
    steps = work(table, rules, int(now.timestamp()))
    known = next((step for step in steps if step.label == label), None)
    example = _example(label, rules)
    step, command = (known, known.command) if known else (example.steps[0], example.command)
    if "dealer" not in step.by:
        words = f"that is for {people_in_words(step.by).lower()}"
        return Noted(told, label, "somebody_else", words, step.clause, *_named(due))
    refusal = _refused(table, command, actor, int(now.timestamp()))
    is_later = due is not None and _comes_later(label, due.label, rules)
    words = refusal.message if refusal is not None else "nothing asks for it now"
    clause = (refusal.clause if refusal is not None else "") or ""
    kind: Literal["forgotten", "out_of_order"] = "forgotten" if is_later else "out_of_order"
    return Noted(told, label, kind, words, clause, *_named(due))


def report_judged(table: Table, actor: Actor, now: datetime, *, has_happened: bool) -> Noted:
    """`has_happened`: something went wrong that nobody has reported yet."""
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
    """All steps of a table that deals so, in the order in which they come for the first time."""
    walked = walk(rules.book.id, dealing_name(rules) or "", 0)
    labels = [at.steps[0].label for at in walked if at.steps[0].step != "enter_cards"]
    return tuple(dict.fromkeys(labels))


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
