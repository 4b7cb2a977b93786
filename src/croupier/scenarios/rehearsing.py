"""Running a scenario through the engine, line by line, and what came of every line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from croupier import progressives
from croupier.cards import DECK, Card
from croupier.care.deck_sentences import hours_and_minutes
from croupier.errors import CroupierError
from croupier.money import dollars
from croupier.progressives import Awarded, Link
from croupier.randomness.shuffling import Seeded, shuffle
from croupier.rounds import commands as of_rounds
from croupier.rounds import events as of_rounds_events
from croupier.rounds.state import Round
from croupier.runtime.chance import next_round
from croupier.scenarios.stacking import stacked, topped
from croupier.scenarios.steps import (
    Expect,
    ExpectForeseen,
    ExpectRefusal,
    Misread,
    NewRound,
    Order,
    Scenario,
    Scene,
    Step,
    Wait,
    Who,
)
from croupier.tables import events as of_tables
from croupier.tables.commands import Correct, TableCommand
from croupier.tables.deciding import check_correction
from croupier.tables.planning import CommandPlan, check_foreseeable, plan, plan_opening
from croupier.tables.sentences import (
    describe_event,
    describe_link_event,
    describe_money,
    describe_plan,
)
from croupier.tables.state import Table, rules_of

__all__ = ["Outcome", "Rehearsal", "Verdict", "filled_in", "rehearse"]

Verdict: TypeAlias = Literal["ok", "failed", "not run"]


@dataclass
class Outcome:
    """What came of a line: how it went, why not, and everything that happened."""

    line: int
    text: str
    verdict: Verdict = "ok"
    message: str = ""
    code: str = ""
    clause: str = ""
    told: list[str] = field(default_factory=list)
    found: str = ""
    """What an `expect` line should have said."""

    def fail(self, message: str, error: CroupierError | None = None) -> None:
        self.verdict, self.message = "failed", message
        if error is not None:
            self.code, self.clause = error.code, error.clause or ""


@dataclass(frozen=True)
class Rehearsal:
    source: str
    outcomes: tuple[Outcome, ...]
    wrong: tuple[str, ...]
    """What the checks at the end found: money, an unfinished round."""
    ends: str
    rounds: int

    @property
    def holds(self) -> bool:
        return not self.wrong and all(outcome.verdict == "ok" for outcome in self.outcomes)

    def playthrough(self) -> str:
        """The whole session in words: each line, and below it what happened."""
        lines = []
        for outcome in self.outcomes:
            mark = "" if outcome.verdict == "ok" else f"  <-- {outcome.verdict.upper()}"
            if outcome.text.lower().startswith("round"):
                lines.append("")
            lines.append(f"> {outcome.text}{mark}")
            lines += [f"    {told}" for told in outcome.told]
            if outcome.message and outcome.verdict != "ok":
                lines.append(f"    {outcome.message}")
        lines += ["", self.ends, *(f"WRONG: {what}" for what in self.wrong)]
        return "\n".join(lines) + "\n"


def rehearse(scenario: Scenario) -> Rehearsal:
    """Raises BadScenario where a line makes no sense at the table as it stands then."""
    return _Rehearsing(scenario).run()


def filled_in(rehearsal: Rehearsal, text: str) -> str:
    """The scenario's text with every `?` of its expectations replaced by what was found."""
    lines = text.splitlines(keepends=True)
    for outcome in rehearsal.outcomes:
        if outcome.found and "?" in outcome.text:
            raw = lines[outcome.line - 1]
            match = re.match(r"(\s*expect\s+)[^#\r\n]*?(\s*(?:#.*)?[\r\n]*)$", raw, re.IGNORECASE)
            if match is not None:
                lines[outcome.line - 1] = f"{match[1]}{outcome.found}{match[2]}"
    return "".join(lines)


class _Rehearsing:
    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.audit = _Audit()
        self.outcomes: list[Outcome] = []
        self.stopped = False
        self.at = 0
        """Seconds since the session began: time passes where a line says so."""
        self.finished: dict[int, Round] = {}
        first = Outcome(scenario.first.number, scenario.first.text)
        self.outcomes.append(first)
        try:
            opened = plan_opening(scenario.opening, scenario.operator, with_link=scenario.with_link)
        except CroupierError as error:
            raise scenario.refuse(
                scenario.first, f"the table cannot open on these terms: {error.message}"
            ) from None
        self.table: Table = opened.table
        self.link: Link | None = opened.link
        self._take(opened, first)

    def run(self) -> Rehearsal:
        steps = self.scenario.steps
        for place, step in enumerate(steps):
            outcome = Outcome(step.line.number, step.line.text)
            self.outcomes.append(outcome)
            if self.stopped:
                outcome.verdict = "not run"
                continue
            try:
                self._step(step, steps[place + 1 :], outcome)
            except Misread as error:
                raise self.scenario.refuse(step.line, str(error)) from None
        wrong = () if self.stopped else tuple(self.audit.wrong(self.table, self.link))
        ends = describe_money(self.table, self.link)
        number = self.table.round.number
        return Rehearsal(self.scenario.source, tuple(self.outcomes), wrong, ends, number)

    def _step(self, step: Step, after: Sequence[Step], outcome: Outcome) -> None:
        match step:
            case Order():
                self._order(step, outcome)
            case NewRound():
                self._round(step, after, outcome)
            case Expect():
                self._expect(step, outcome)
            case ExpectForeseen():
                self._foreseen(step, outcome)
            case ExpectRefusal():
                self._refusal(step, outcome)
            case Wait():
                self.at += step.seconds
                outcome.told.append(f"{hours_and_minutes(self.at)} since the session began")

    def _order(self, order: Order, outcome: Outcome) -> None:
        for make in order.makes:
            self._do(make(self.table), order.who, outcome)
            if self.stopped:
                return

    def _do(self, command: TableCommand, who: Who, outcome: Outcome) -> None:
        try:
            made = self._plan(command, who)
        except CroupierError as error:
            self.stopped = True
            outcome.fail(f"refused: {_told(error)}", error)
            return
        self._take(made, outcome)

    def _take(self, made: CommandPlan, outcome: Outcome) -> None:
        self.table, self.link = made.table, made.link
        self.audit.add(made)
        for event in made.events:
            outcome.told += describe_event(event, made.table)
        if made.link is not None:
            for link_event in _link_events(made):
                outcome.told += describe_link_event(link_event, made.link)
        if any(map(of_tables.ends_round, made.events)):
            self.finished[self.table.round.number] = self.table.round
            outcome.told.append(describe_money(self.table, self.link))

    def _expect(self, step: Expect, outcome: Outcome) -> None:
        found = step.check(Scene(self.table, rules_of(self.table), self.link, self.at))
        outcome.found = found.words if found.fills else ""
        if not found.holds:
            outcome.fail(f"found: {found.words}")

    def _foreseen(self, step: ExpectForeseen, outcome: Outcome) -> None:
        told: list[str] = []
        try:
            for make in step.order.makes:
                command = make(self.table)
                check_foreseeable(command)
                told += describe_plan(self._plan(command, step.order.who))
        except CroupierError as error:
            outcome.fail(f"refused: {_told(error)}", error)
            return
        outcome.told += [f"foreseen: {line.strip()}" for line in told]
        if step.words.lower() not in " / ".join(told).lower():
            outcome.fail("found: " + " / ".join(line.strip() for line in told))

    def _plan(self, command: TableCommand, who: Who) -> CommandPlan:
        """What follows, with older rounds at hand for whoever corrects one."""
        made = plan(self.table, self.link, command, who.actor(self.table), self.at)
        if isinstance(command, Correct) and command.round in self.finished:
            check_correction(self.finished[command.round], command)
        return made

    def _refusal(self, step: ExpectRefusal, outcome: Outcome) -> None:
        order, table, link = step.order, self.table, self.link
        try:
            for make in order.makes:
                command = make(table)
                made = plan(table, link, command, order.who.actor(table), self.at)
                if isinstance(command, Correct) and command.round in self.finished:
                    check_correction(self.finished[command.round], command)
                table, link = made.table, made.link
        except CroupierError as error:
            outcome.told.append(f"refused, {error.code}: {_told(error)}")
            if error.code != step.code:
                outcome.fail(f"refused as {error.code}, not as {step.code}: {_told(error)}", error)
            elif step.clause and error.clause != step.clause:
                by = error.clause or "no clause"
                outcome.fail(f"refused by {by}, not by {step.clause}: {error.message}", error)
            return
        outcome.fail("this was not refused (and was not carried out)")

    def _round(self, step: NewRound, after: Sequence[Step], outcome: Outcome) -> None:
        number = self.table.round.number + 1
        live = self.table.source == "live"
        order = None if live else self._deck(step, number, after)
        command = next_round(self.table, Seeded(f"seal of round {number}"), order)
        self._do(command, step.who, outcome)

    def _deck(self, step: NewRound, number: int, after: Sequence[Step]) -> tuple[Card, ...]:
        if step.top:
            return topped(step.top)
        if not step.named:
            return shuffle(Seeded(step.seed or str(number)))
        table = self._at_the_deal(step, number, after)
        seats = [seat.number for seat in table.round.seats]
        if not seats:
            return topped(step.cards())
        named: dict[tuple[str, int], dict[int, Card]] = {}
        line = step.line
        try:
            for line, who, place, first, cards in step.named:  # noqa: B007
                seat = who.position(table) if who is not None else 0
                spot = named.setdefault((place, seat), {})
                for i, card in enumerate(cards, first):
                    if i in spot:
                        raise Misread(f"{spot[i]} lies there already, where {card} is to lie")
                    spot[i] = card
                stacked(named, self.scenario.rules, seats)
        except Misread as error:
            raise self.scenario.refuse(line, str(error)) from None
        return stacked(named, self.scenario.rules, seats)

    def _at_the_deal(self, step: NewRound, number: int, after: Sequence[Step]) -> Table:
        """The table just before the cards are dealt, if all goes as written: who is dealt in."""
        table, link = self.table, self.link
        opening = Order(step.line, step.who, (lambda _: of_rounds.OpenBetting(number, deck=DECK),))
        for order in (opening, *_orders_of_round(after)):
            for make in order.makes:
                try:
                    command = make(table)
                    if isinstance(command, of_rounds.Deal):
                        return table
                    made = plan(table, link, command, order.who.actor(table))
                except (CroupierError, Misread):
                    continue
                table, link = made.table, made.link
        return table


def _orders_of_round(steps: Sequence[Step]) -> Iterator[Order]:
    for step in steps:
        if isinstance(step, NewRound):
            return
        if isinstance(step, Order):
            yield step


def _told(error: CroupierError) -> str:
    return error.message + (f" [{error.clause}]" if error.clause else "")


def _link_events(made: CommandPlan) -> Iterator[progressives.Event]:
    return (event for change in made.link_changes for event in change.events)


class _Audit:
    """The money followed on its own: from what people brought, took and won, not from balances."""

    def __init__(self) -> None:
        self.owed: dict[str, int] = {}
        self.brought = 0
        self.awards = 0
        self.paid_by_meters = 0

    def add(self, made: CommandPlan) -> None:
        for event, moves in zip(made.events, made.moves, strict=True):
            for player, cents in _gains(event, made.table):
                self.owed[player] = self.owed.get(player, 0) + cents
            for move in moves:
                outside = ("cage", "patron", "count", "award")
                if move.source.partition(":")[0] in outside:
                    self.brought += move.cents
                if move.target.partition(":")[0] in outside:
                    self.brought -= move.cents
                self.awards += move.cents * (move.source == "award")
        for link_event in _link_events(made):
            if isinstance(link_event, Awarded):
                self.paid_by_meters += link_event.cents

    def wrong(self, table: Table, link: Link | None) -> Iterator[str]:
        if table.round.phase != "over":
            yield f"round {table.round.number} is not finished: the cards are not collected"
            return
        for account, cents in table.money.items():
            if account.startswith("layout:"):
                yield f"{dollars(cents)} still lies at seat {account.removeprefix('layout:')}"
        for player, owed in self.owed.items():
            if table.rack(player) != owed:
                yield (
                    f"{player} has {dollars(table.rack(player))}, but brought, took and won "
                    f"{dollars(owed)} in all"
                )
        here = sum(table.money.values())
        if here != self.brought:
            yield f"{dollars(here)} is at the table, but {dollars(self.brought)} came and stayed"
        if link is None:
            return
        if self.awards != self.paid_by_meters:
            yield (
                f"players got {dollars(self.awards)} from meters that paid "
                f"{dollars(self.paid_by_meters)}"
            )
        for name in link.meters:
            explained = link.explain(name)
            if explained.explained != explained.reading:
                yield f"the {name} meter shows what nothing explains"


def _gains(event: of_tables.TableEvent, table: Table) -> Iterator[tuple[str, int]]:
    """By how much the event makes somebody richer at this table, wagers apart."""
    match event:
        case of_tables.BuyIn():
            yield event.player, event.amount
        case of_tables.Tip():
            yield event.player, -event.amount
        case of_tables.Corrected() if not event.away:
            yield event.player, event.cents
        case of_tables.CashedOut():
            yield event.player, -event.cents
        case of_rounds_events.SeatSettled():
            yield _player(table, event.seat), sum(line.net for line in event.lines)
        case of_rounds_events.ProgressivePaid() | of_rounds_events.ProgressiveRefused():
            yield _player(table, event.seat), event.line.net
        case of_rounds_events.EnvyPaid():
            for number, line in event.lines.items():
                yield _player(table, number), line.net


def _player(table: Table, number: int) -> str:
    seat = table.round.seat(number)
    assert seat is not None
    return seat.player
