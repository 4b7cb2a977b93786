"""What a step asks of the people who do it, and what they have confirmed with a command.

A duty belongs to a step. Whoever gives the command that does the step confirms its duties under his
name: the journal needs no entry of its own for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from croupier.care.commands import CountStub, MarkOutOfOrder, RemoveDeck
from croupier.care.next_steps import expired_by, stub_expected
from croupier.rounds.commands import Report
from croupier.rounds.declaration import Actor, is_software, tag_of
from croupier.rounds.events import ProgressiveWon
from croupier.rounds.guidance import handles_cards, moments_now
from croupier.rulebooks.duties import Duty, Step, duties_of
from croupier.rulebooks.rules import Rules, submission_of
from croupier.tables.commands import OpenTable, TableCommand
from croupier.tables.state import Table
from croupier.tables.work import WorkStep, step_of

__all__ = ["asked", "confirmed"]

_DO_NOTHING: Final = frozenset({"report_malfunction", "repair_device", "leave_round", "void_round"})
"""They belong to a step without doing what it asks for."""


def asked(step: WorkStep, table: Table, rules: Rules, role: str) -> tuple[Duty, ...]:
    """What to tell this person with a step that waits: his own duties there, and those of the
    people who may do it. Folded hands are dealt with meanwhile."""
    roles = {role, *step.by}
    found = [duty for duty in _at(step.step, table, rules) if duty.role in roles]
    now = moments_now(table.round, rules)
    if len(now) > 1 and step.step == now[0].step:
        found += [duty for duty in _at("fold", table, rules) if duty.role == role]
    return tuple(duty for duty in found if duty.step != "report")


def confirmed(
    command: TableCommand, actor: Actor, table: Table, rules: Rules, events: Iterable[object] = ()
) -> tuple[Duty, ...]:
    """The duties that the actor has done with this command; `table` as it was before. Software does
    no duties."""
    step = step_of(command)
    if step is None or is_software(actor.name) or tag_of(command) in _DO_NOTHING:
        return ()
    # A fold is an answer; what it asks of the dealer he has done when he goes on.
    found = list(_done("ask" if step == "fold" else step, command, actor, table, rules))
    if any(isinstance(event, ProgressiveWon) for event in events):
        # The dealer has looked at hand and light, and calls the floor.
        found += _done("validate", command, actor, table, rules)
    if isinstance(command, OpenTable):
        for part in _WITH_OPENING:
            found += _done(part, command, actor, table, rules)
        found += _approved(command, rules)
    folds = any(seat.folded and not seat.settled for seat in table.round.seats)
    if folds and step == ("show_dealer" if rules.book.dealer is not None else "settle"):
        found += _done("fold", command, actor, table, rules)
    return tuple(found)


_WITH_OPENING: Final[tuple[Step, ...]] = ("felt", "sign", "meters")
"""What whoever opens a table has before him, and answers for from then on."""


def _approved(opening: OpenTable, rules: Rules) -> Iterator[Duty]:
    """Asked for by the operator and given by the authority that his submission names."""
    named = submission_of(opening.submission).approvals
    clauses = {one.clause for one in rules.book.approvals if one.name in named}
    for duty in duties_of(rules, step="approvals"):
        if duty.clause in clauses:
            yield duty


def _done(
    step: Step, command: TableCommand, actor: Actor, table: Table, rules: Rules
) -> Iterator[Duty]:
    there = _at(step, table, rules)
    mine = [duty for duty in there if actor.role in (duty.role, duty.second)]
    if not mine and actor.role != "player":
        # Staff may stand in for the person whose duty it is.
        mine = [duty for duty in there if duty.role in command.declared.by]
    for duty in mine:
        if _is_due(duty, command, table, rules):
            yield duty


def _at(step: str, table: Table, rules: Rules) -> tuple[Duty, ...]:
    if table.source == "virtual" and handles_cards(step):
        return ()
    now = moments_now(table.round, rules)[0]
    at = now.at if now.step == step else ""
    return duties_of(rules, step=step, at=at or None)


def _is_due(duty: Duty, command: TableCommand, table: Table, rules: Rules) -> bool:
    """Whether the occasion for this duty was there."""
    match command:
        case Report(kind=kind):
            return kind in duty.kind
        case CountStub():
            return not duty.kind or _found_by(command, table, rules) in duty.kind
        case RemoveDeck(back=back):
            return duty.clause in _why_removed(back, table, rules)
        case MarkOutOfOrder(how=how):
            return duty.clause != _other_mark(how, rules)
    has_wager = any(duty.wager in seat.wagers for seat in table.round.seats)
    return not duty.kind and (duty.step not in _BY_WAGER or not duty.wager or has_wager)


_BY_WAGER: Final = frozenset({"fold", "settle", "count_chips"})
"""Steps at which a duty about a wager needs somebody who has made it."""


def _found_by(count: CountStub, table: Table, rules: Rules) -> str:
    if count.count == stub_expected(table.round, rules):
        return ""
    return "stub_misdealt" if count.misdealt else "stub_wrong"


def _why_removed(back: str, table: Table, rules: Rules) -> tuple[str, ...]:
    """The clauses by which the deck had to go."""
    decks = table.care.decks if table.care is not None else ()
    named = [deck for deck in decks if back in ("", deck.back)]
    return tuple(why for deck in named for why in (deck.condemned_by, expired_by(deck, rules)))


def _other_mark(how: str, rules: Rules) -> str:
    """The clause of the mark that was not chosen."""
    care = rules.book.care
    if care is None:
        return ""
    return care.sign_clause if how == "covered" else care.covered_clause
