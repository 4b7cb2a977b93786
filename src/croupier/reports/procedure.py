"""The procedure of a round for its dealer: the duties of each step, and the steps of the
program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from croupier.rounds.round_flow import Ask, flow_of
from croupier.rulebooks.duties import Step, duties_of
from croupier.rulebooks.equipment import dealing_in_force
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Procedure


class Told(NamedTuple):
    step: str
    words: str
    clause: str


def procedure_of(rules: Rules) -> Iterator[Told]:
    """Return the round in order: the dealer's duties, with the program's steps between them."""
    way, procedure = dealing_in_force(rules), rules.book.procedure
    yield from _told(rules, "Before the round", "open_betting")
    close = "No more bets"
    words = "Announce it; nothing is placed or taken back after."
    yield from _told(rules, close, "close_bets", Told(close, words, way.closes_bets))
    if way.counts_chips and flow_of(rules).progressive in rules.offered:
        words = "Count the progressive's chips against the wagers accepted."
        yield from _told(rules, close, "count_chips", Told(close, words, way.counts_chips))
    deal = Told("Deal", f"Deal the cards: {way.title}.", way.clause)
    yield from _told(rules, "Deal", "deal", deal)
    yield from _played(rules)
    yield from _told(rules, "The stub, when its count is due", "count_stub")
    yield from _ending(rules, procedure)


def _ending(rules: Rules, procedure: Procedure) -> Iterator[Told]:
    if rules.book.dealer is not None:
        name = "Your hand"
        shown = Told(name, "Show your cards and announce the hand.", procedure.shows_dealer)
        yield from _told(rules, name, "show_dealer", shown)
    settled = Told("Settle", "Seat by seat from your right, counterclockwise.", procedure.settles)
    yield from _told(rules, "Settle", "settle", settled)
    yield from _told(rules, "A progressive is won", "validate")
    yield from _told(rules, "The award is validated", "award")
    words = "Pick the cards up so that every hand can be laid out again."
    yield from _told(rules, "Collect", "collect", Told("Collect", words, procedure.collects))


def _played(rules: Rules) -> Iterator[Told]:
    """Yield questions and reveals; what applies to every question comes with the first."""
    is_first = True
    for step in flow_of(rules).steps:
        if not isinstance(step, Ask):
            name = f"Turn up: {step.reveal.name}"
            turned = Told(name, "Turn the cards face up.", step.reveal.clause)
            yield from _told(rules, name, "reveal", turned, at=step.reveal.name)
            continue
        decision = step.decision
        said = " or ".join(decision.answers)
        name = f"Decision: {decision.name.replace('_', ' ')}"
        words = f"Ask from your left, clockwise, everyone without this bet: {said}."
        yield Told(name, words, decision.clause)
        for duty in duties_of(rules, role="dealer", step="ask", at=decision.name):
            if is_first or duty.at:
                yield Told(name, duty.words, duty.clause)
        if decision.otherwise == "fold":
            yield from _told(rules, f"{name}: a fold", "fold")
        is_first = False


def _told(
    rules: Rules, name: str, step: Step, engine: Told | None = None, *, at: str | None = None
) -> Iterator[Told]:
    """Yield the dealer's duties at a step, after what the program asks for, unless a duty says
    it."""
    duties = duties_of(rules, role="dealer", step=step, at=at)
    if engine is not None and engine.clause not in {duty.clause for duty in duties}:
        yield engine
    for duty in duties:
        yield Told(name, duty.words, duty.clause)
