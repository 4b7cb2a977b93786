"""What goes wrong in an assessed round, and whether it was reported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.rounds.events import IrregularityNoted
from croupier.rounds.irregularities import irregularities_now
from croupier.rulebooks.rules import Rules
from croupier.school.assessments.assessment import REPORT, Assessment, Noted
from croupier.school.drills.draws import Draws
from croupier.tables.events import TableEvent
from croupier.tables.state import Table, rules_of

__all__ = ["accident_for", "in_words", "was_reported", "wrong_reports"]


def accident_for(made: Assessment, table: Table) -> str:
    """One that can happen now and be reported until the hands are settled, drawn from the
    assessment; nothing before the cards are out."""
    if table.round.phase not in ("deciding", "revealing"):
        return ""
    known = rules_of(table).book.irregularities
    possible = [
        one.kind
        for one in irregularities_now(table.round, rules_of(table))
        if "dealer" in one.by and "playing" in known[one.kind].when and not known[one.kind].only
    ]
    return Draws(f"accident {made.id}").pick(possible) if possible else ""


def was_reported(events: Sequence[TableEvent], kind: str) -> bool:
    return any(isinstance(event, IrregularityNoted) and event.kind == kind for event in events)


def wrong_reports(made: Assessment, events: Sequence[TableEvent], rules: Rules) -> Iterator[Noted]:
    """What was reported and has not happened."""
    for event in events:
        if isinstance(event, IrregularityNoted) and event.kind != made.accident:
            title = rules.book.irregularities[event.kind].title
            words = f"reported: {title}; that has not happened"
            yield Noted("", REPORT, "out_of_order", words, event.clause)


def in_words(made: Assessment, rules: Rules) -> str:
    accident = rules.book.irregularities[made.accident]
    return f"{accident.title[:1].upper()}{accident.title[1:]}."
