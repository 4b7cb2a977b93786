"""Rehearsal: run a scenario through the engine line by line and record the result of each line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from croupier import progressives
from croupier.cards import Card
from croupier.deck_care.deck_sentences import hours_and_minutes
from croupier.errors import CroupierError
from croupier.money import dollars
from croupier.progressives import Awarded, Link
from croupier.randomness.shuffling import Seeded, shuffle
from croupier.rounds import commands as round_commands
from croupier.rounds import events as round_events
from croupier.rounds.declaration import wrong_role
from croupier.rulebooks.decks import cards_of
from croupier.runtime.session import TableSession, next_round
from croupier.scenarios.deck_order import stacked, topped
from croupier.scenarios.scenario import (
    Expect,
    ExpectForeseen,
    ExpectLinkRefusal,
    ExpectRefusal,
    GiveCommands,
    LineError,
    NewRound,
    OpenLinked,
    Scenario,
    ScenarioStep,
    Situation,
    TellLink,
    Wait,
)
from croupier.tables import commands as table_commands
from croupier.tables import events as table_events
from croupier.tables.planning import CommandPlan, plan_for_link, plan_opening
from croupier.tables.sentences import (
    describe_event,
    describe_link_event,
    describe_money,
    describe_plan,
    meter_lines,
)
from croupier.tables.state import Table

_EXPECT: Final = re.compile(
    r"(\s*(?:at\s+\S+\s*:\s*)?expect\s+)[^#\r\n]*?(\s*(?:#.*)?[\r\n]*)$", re.IGNORECASE
)
Verdict: TypeAlias = Literal["ok", "failed", "not run"]


@dataclass
class LineResult:
    """The result of a line: its verdict, why it failed, and every event in words."""

    line: int
    text: str
    verdict: Verdict = "ok"
    message: str = ""
    code: str = ""
    clause: str = ""
    events_in_words: list[str] = field(default_factory=list)
    expected: str = ""
    """The words that an `expect` line should have had."""

    def fail(self, message: str, error: CroupierError | None = None) -> None:
        self.verdict, self.message = "failed", message
        if error is not None:
            self.code, self.clause = error.code, error.clause or ""


@dataclass(frozen=True)
class Rehearsal:
    source: str
    results: tuple[LineResult, ...]
    wrong: tuple[str, ...]
    """The faults found by the checks at the end: money that does not add up, an unfinished
    round."""
    ends: str
    rounds: int

    @property
    def holds(self) -> bool:
        return not self.wrong and all(result.verdict == "ok" for result in self.results)

    def playthrough(self) -> str:
        """Return the whole session in words: each line, and below it what happened."""
        lines = []
        for result in self.results:
            mark = "" if result.verdict == "ok" else f"  <-- {result.verdict.upper()}"
            if result.text.lower().startswith("round"):
                lines.append("")
            lines.append(f"> {result.text}{mark}")
            lines += [f"    {words}" for words in result.events_in_words]
            if result.message and result.verdict != "ok":
                lines.append(f"    {result.message}")
        lines += ["", self.ends, *(f"WRONG: {fault}" for fault in self.wrong)]
        return "\n".join(lines) + "\n"


def rehearse(scenario: Scenario) -> Rehearsal:
    """Run a scenario. Raises BadScenario if a line makes no sense at the table as it is then."""
    return _Run(scenario).run()


def with_answers(rehearsal: Rehearsal, text: str) -> str:
    """Return the scenario's text with every `?` in its expectations replaced by the actual
    value."""
    lines = text.splitlines(keepends=True)
    for result in rehearsal.results:
        if result.expected and "?" in result.text:
            raw = lines[result.line - 1]
            match = re.match(
                r"(\s*(?:at\s+\S+\s*:\s*)?expect\s+)[^#\r\n]*?(\s*(?:#.*)?[\r\n]*)$",
                raw,
                re.IGNORECASE,
            )
            if match is not None:
                lines[result.line - 1] = f"{match[1]}{result.expected}{match[2]}"
    return "".join(lines)


class _Run:
    """A rehearsal in progress: the table's session, and the results of the lines up to now."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.audit = _Audit()
        self.results: list[LineResult] = []
        self.stopped = False
        self.at = 0
        """Seconds since the session began; only lines with a time span advance it."""
        first = LineResult(scenario.first.number, scenario.first.text)
        self.results.append(first)
        try:
            opened = plan_opening(scenario.opening, scenario.operator, with_link=scenario.with_link)
        except CroupierError as error:
            raise scenario.refuse(
                scenario.first, f"the table cannot open on these terms: {error.message}"
            ) from None
        self.session = TableSession(opened.table, opened.link, keep_rounds=True)
        self.sessions = {"": self.session}
        """The sessions by linked table; the scenario's own table has the empty name."""
        self.audits = {"": self.audit}
        self._tell(opened, first)

    def run(self) -> Rehearsal:
        steps = self.scenario.steps
        for place, step in enumerate(steps):
            at = f"at {step.line.table}: " if step.line.table else ""
            result = LineResult(step.line.number, f"{at}{step.line.text}")
            self.results.append(result)
            if self.stopped:
                result.verdict = "not run"
                continue
            try:
                self._go_to(step.line.table)
                self._step(step, steps[place + 1 :], result)
            except LineError as error:
                raise self.scenario.refuse(step.line, str(error)) from None
        wrong: list[str] = []
        for name in () if self.stopped else self.sessions:
            self._go_to(name)
            at = f"table {name}: " if name else ""
            outcome = self.audit.wrong(self.session.table, self.session.link)
            wrong += [f"{at}{fault}" for fault in outcome]
        self._go_to("")
        table, link = self.session.table, self.session.link
        ends = describe_money(table, link)
        number = table.round.number
        return Rehearsal(self.scenario.source, tuple(self.results), tuple(wrong), ends, number)

    def _go_to(self, name: str) -> None:
        """Switch to the table that a line names. The link keeps the state in which the previous
        table left it."""
        link = self.session.link
        self.session, self.audit = self.sessions[name], self.audits[name]
        self.session.link = link

    def _step(self, step: ScenarioStep, after: Sequence[ScenarioStep], result: LineResult) -> None:
        match step:
            case GiveCommands():
                self._give(step, result)
            case NewRound():
                self._give(self._round(step, after), result)
            case Expect():
                self._expect(step, result)
            case ExpectForeseen():
                self._foreseen(step, result)
            case ExpectRefusal():
                self._refusal(step, result)
            case OpenLinked():
                self._open_linked(step, result)
            case TellLink():
                self._tell_link(step, result)
            case ExpectLinkRefusal():
                self._link_refusal(step, result)
            case Wait():
                self.at += step.seconds
                result.events_in_words.append(
                    f"{hours_and_minutes(self.at)} since the session began"
                )

    def _open_linked(self, step: OpenLinked, result: LineResult) -> None:
        own, link = self.scenario.opening, self.session.link
        command = replace(own, table=step.table, link=own.link or own.table)
        try:
            opened = plan_opening(command, self.scenario.operator, None, link)
        except CroupierError as error:
            self.stopped = True
            result.fail(f"refused: {_told(error)}", error)
            return
        self.session.link = opened.link
        self.sessions[step.table] = TableSession(opened.table, opened.link, keep_rounds=True)
        self.audits[step.table] = _Audit()
        self._go_to(step.table)
        self._tell(opened, result)

    def _link_events(self, step: TellLink) -> tuple[tuple[progressives.Event, ...], Link]:
        actor = step.who.actor(self.session.table)
        if actor.role not in step.command.declared.by:
            raise wrong_role(actor.role, step.command, step.command.declared.by, None)
        change, link = plan_for_link(self.session.link, step.command.message(actor.name))
        return change.events, link

    def _tell_link(self, step: TellLink, result: LineResult) -> None:
        try:
            events, self.session.link = self._link_events(step)
        except CroupierError as error:
            self.stopped = True
            result.fail(f"refused: {_told(error)}", error)
            return
        link = self.session.link
        result.events_in_words += [
            line for event in events for line in describe_link_event(event, link)
        ]

    def _link_refusal(self, step: ExpectLinkRefusal, result: LineResult) -> None:
        try:
            self._link_events(step.given)
        except CroupierError as error:
            self._refused_as(error, step.code, step.clause, result)
            return
        result.fail("this was not refused (and was not carried out)")

    def _give(self, step: GiveCommands, result: LineResult) -> None:
        try:
            for made in self._plans(self.session, step):
                self._tell(made, result)
        except CroupierError as error:
            self.stopped = True
            result.fail(f"refused: {_told(error)}", error)

    def _plans(self, session: TableSession, step: GiveCommands) -> Iterator[CommandPlan]:
        """Yield the commands of a line, each carried out in the session before the next is made."""
        for make in step.makes:
            made = session.plan(make(session.table), step.who.actor(session.table), self.at)
            session.adopt(made)
            yield made

    def _tell(self, made: CommandPlan, result: LineResult) -> None:
        self.audit.add(made)
        for event in made.events:
            result.events_in_words += describe_event(event, made.table)
        result.events_in_words += meter_lines(made)
        if made.ends_round:
            result.events_in_words.append(describe_money(made.table, made.link))

    def _expect(self, step: Expect, result: LineResult) -> None:
        session = self.session
        outcome = step.check(Situation(session.table, session.rules, session.link, self.at))
        result.expected = outcome.words if outcome.fills else ""
        if not outcome.holds:
            result.fail(f"found: {outcome.words}")

    def _foreseen(self, step: ExpectForeseen, result: LineResult) -> None:
        words: list[str] = []
        table, who = self.session.table, step.given.who
        try:
            for make in step.given.makes:
                words += describe_plan(self.session.foresee(make(table), who.actor(table), self.at))
        except CroupierError as error:
            result.fail(f"refused: {_told(error)}", error)
            return
        result.events_in_words += [f"foreseen: {line.strip()}" for line in words]
        if step.words.lower() not in " / ".join(words).lower():
            result.fail("found: " + " / ".join(line.strip() for line in words))

    def _refusal(self, step: ExpectRefusal, result: LineResult) -> None:
        """Check that a line is refused. Its commands go to a copy of the session, so they are not
        carried out even if they are accepted."""
        try:
            for _ in self._plans(self.session.copy(), step.given):
                pass
        except CroupierError as error:
            self._refused_as(error, step.code, step.clause, result)
            return
        result.fail("this was not refused (and was not carried out)")

    def _refused_as(self, error: CroupierError, code: str, clause: str, result: LineResult) -> None:
        result.events_in_words.append(f"refused, {error.code}: {_told(error)}")
        if error.code != code:
            result.fail(f"refused as {error.code}, not as {code}: {_told(error)}", error)
        elif clause and error.clause != clause:
            by = error.clause or "no clause"
            result.fail(f"refused by {by}, not by {clause}: {error.message}", error)

    def _round(self, step: NewRound, after: Sequence[ScenarioStep]) -> GiveCommands:
        table = self.session.table
        number = table.round.number + 1
        order = None if table.source == "live" else self._deck(step, number, after)
        opening = next_round(table, Seeded(f"seal of round {number}"), order)
        return GiveCommands(step.line, step.who, (lambda _: opening,))

    def _deck(self, step: NewRound, number: int, after: Sequence[ScenarioStep]) -> tuple[Card, ...]:
        rules = self.scenario.rules
        if step.top:
            return topped(step.top, rules)
        if not step.named:
            return shuffle(Seeded(step.seed or str(number)), cards_of(rules.book.deck))
        table = self._at_the_deal(step, number, after)
        seats = [seat.number for seat in table.round.seats]
        if not seats:
            return topped(step.cards(), rules)
        named: dict[tuple[str, int], dict[int, Card]] = {}
        line = step.line
        try:
            for line, who, place, first, cards in step.named:  # noqa: B007
                seat = who.position(table) if who is not None else 0
                spot = named.setdefault((place, seat), {})
                for i, card in enumerate(cards, first):
                    if i in spot:
                        raise LineError(f"{spot[i]} lies there already, where {card} is to lie")
                    spot[i] = card
                stacked(named, self.scenario.rules, seats)
        except LineError as error:
            raise self.scenario.refuse(line, str(error)) from None
        return stacked(named, self.scenario.rules, seats)

    def _at_the_deal(self, step: NewRound, number: int, after: Sequence[ScenarioStep]) -> Table:
        """Return the table just before the cards are dealt, which shows who is dealt in. Lines that
        are refused on the way are skipped."""
        session = self.session.copy()
        opening = round_commands.OpenBetting(number, deck=cards_of(self.scenario.rules.book.deck))
        first = GiveCommands(step.line, step.who, (lambda _: opening,))
        here = [seat for seat in after if seat.line.table == step.line.table]
        for steps in (first, *_given_in_round(here)):
            for make in steps.makes:
                try:
                    command = make(session.table)
                    if isinstance(command, round_commands.Deal):
                        return session.table
                    session.do(command, steps.who.actor(session.table), self.at)
                except (CroupierError, LineError):
                    continue
        return session.table


def _given_in_round(steps: Sequence[ScenarioStep]) -> Iterator[GiveCommands]:
    for step in steps:
        if isinstance(step, NewRound):
            return
        if isinstance(step, GiveCommands):
            yield step


def _told(error: CroupierError) -> str:
    return error.message + (f" [{error.clause}]" if error.clause else "")


def _link_events(made: CommandPlan) -> Iterator[progressives.Event]:
    return (event for change in made.link_changes for event in change.events)


class _Audit:
    """An independent account of the money: from what people brought, took and won, not from
    balances."""

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
                outside = ("cage", "patron", "cashier", "count", "award")
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


def _gains(event: table_events.TableEvent, table: Table) -> Iterator[tuple[str, int]]:
    """Yield each player's change in money at this table from the event, apart from wagers
    placed."""
    match event:
        case table_commands.BuyIn():
            yield event.player, event.amount
        case table_commands.Tip():
            yield event.player, -event.amount
        case table_events.Corrected() if not event.away:
            yield event.player, event.cents
        case table_events.CashedOut():
            yield event.player, -event.cents
        case round_events.SeatSettled():
            yield _player(table, event.seat), sum(line.net for line in event.lines)
        case round_events.ProgressivePaid() | round_events.ProgressiveRefused():
            yield _player(table, event.seat), event.line.net
        case round_events.EnvyPaid():
            for number, line in event.lines.items():
                yield _player(table, number), line.net


def _player(table: Table, number: int) -> str:
    seat = table.round.seat(number)
    assert seat is not None
    return seat.player
