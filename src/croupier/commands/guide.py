"""`croupier guide`: a round as the dealer is told it, step by step, with the clauses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rich.text import Text

from croupier.commands.output import console, print_json, styled
from croupier.errors import suggest
from croupier.rounds.dealing import dealing_in_force
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rulebooks.duties import Step, duties_of
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.schema import Procedure
from croupier.rulebooks.submission import Submission

__all__ = ["run"]


class Told(NamedTuple):
    step: str
    words: str
    clause: str


def run(rulebook: str, *, dealing: str | None, as_json: bool) -> int:
    rules = _rules(rulebook, dealing)
    told, way = list(_sheet(rules)), dealing_in_force(rules).title
    if as_json:
        steps = [told_one._asdict() for told_one in told]
        print_json({"rulebook": rules.book.id, "dealing": way, "steps": steps})
        return 0
    out = console()
    title, where = rules.book.title, rules.book.jurisdiction
    out.print(styled("[bold]{title}[/] ({where}), dealt: {way}", title=title, where=where, way=way))
    last = ""
    for step, words, clause in told:
        if step != last:
            out.print(styled("\n[bold]{step}[/]", step=step))
        last = step
        out.print(Text(f"  {words} ") + Text(clause, style="dim"))
    return 0


def _rules(rulebook: str, dealing: str | None) -> Rules:
    """Everything offered that this way of dealing can serve."""
    file = open_rulebook(rulebook)
    if dealing is None:
        return put_in_force(file, Submission())
    if dealing not in file.default.dealing:
        raise suggest("way of dealing", dealing, file.default.dealing)
    offered = tuple(
        name
        for name, wager in file.default.wagers.items()
        if wager.role == "optional" and (not wager.dealt_by or dealing in wager.dealt_by)
    )
    return put_in_force(file, Submission(offered=offered, options={"dealing": dealing}))


def _sheet(rules: Rules) -> Iterator[Told]:
    """The round in its order: the dealer's duties, and the steps of the program between them."""
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
    words = "Pick the cards up so that every hand can be laid out again."
    yield from _told(rules, "Collect", "collect", Told("Collect", words, procedure.collects))


def _played(rules: Rules) -> Iterator[Told]:
    """Questions and reveals; what holds for every question is told with the first."""
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
    """The dealer's duties at a step; before them what the program asks for, unless one says it."""
    duties = duties_of(rules, role="dealer", step=step, at=at)
    if engine is not None and engine.clause not in {duty.clause for duty in duties}:
        yield engine
    for duty in duties:
        yield Told(name, duty.words, duty.clause)
