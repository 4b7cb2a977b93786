"""A table in play together with the progressive it is linked to: one command, one plan.

A plan is worked out whole before anything changes, so that a store can write both streams in one
transaction, or nobody has noticed anything.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from croupier import progressives
from croupier.care.commands import CountStub, ShuffleDeck
from croupier.errors import BadRequest
from croupier.progressives import Link
from croupier.rounds import events as of_rounds
from croupier.rounds.commands import (
    RefuseProgressive,
    Report,
    RuleAbandoned,
    Settle,
    ValidateProgressive,
    VoidRound,
)
from croupier.rounds.round_flow import flow_of
from croupier.rulebooks.rules import Rules, progressive_wager, submission_of
from croupier.tables.commands import Actor, CloseTable, Correct, OpenTable, TableCommand
from croupier.tables.deciding import decide, open_table
from croupier.tables.events import TableClosed, TableEvent
from croupier.tables.evolving import evolve
from croupier.tables.money import Move
from croupier.tables.state import Table, rules_of

__all__ = [
    "Happening",
    "LinkHappening",
    "Plan",
    "check_foreseeable",
    "plan",
    "plan_opening",
]


class Happening(NamedTuple):
    event: TableEvent
    moves: list[Move]


class LinkHappening(NamedTuple):
    event: progressives.Event
    transfers: tuple[progressives.Transfer, ...]


class Plan(msgspec.Struct, frozen=True):
    """What a command leads to at the table and on its link."""

    events: tuple[TableEvent, ...]
    moves: tuple[list[Move], ...]
    """For each event the money it moves."""
    table: Table
    link_happenings: tuple[LinkHappening, ...]
    link: Link | None

    @property
    def happenings(self) -> tuple[Happening, ...]:
        return tuple(map(Happening, self.events, self.moves))


def plan(
    table: Table,
    link: Link | None,
    command: TableCommand,
    actor: Actor,
    at: int = 0,
    rules: Rules | None = None,
) -> Plan:
    """Pure: what would happen, `at` in seconds since 1970. A refusal raises, and nothing has.
    `rules` are the table's own, for whoever has them at hand."""
    if rules is None:
        rules = rules_of(table)
    meters = link.shown() if link is not None and type(command) in _READS_METERS else None
    moves: list[list[Move]] = []
    link_happenings: list[LinkHappening] = []
    events = decide(table, command, actor, meters, rules, at)
    for event in events:
        before = table
        table, made = evolve(table, event, rules)
        moves.append(made)
        if link is not None and type(event) in _ASKS:
            for asked in _asks_of_link(before, event, rules, link, actor):
                followed, link = _answered(link, asked)
                link_happenings += followed
    return Plan(events, tuple(moves), table, tuple(link_happenings), link)


def check_foreseeable(command: TableCommand) -> None:
    """Decisions can be looked at beforehand; what turns up cards cannot."""
    if not isinstance(command, _DECISIONS):
        raise BadRequest(
            f"{type(command).__struct_config__.tag} cannot be foreseen: only reports, counts and "
            "the floor's decisions can"
        )


_COUNTS = (CountStub, ShuffleDeck)
_DECISIONS = (Report, VoidRound, RuleAbandoned, RefuseProgressive, Correct, CloseTable, *_COUNTS)


def _answered(
    link: Link | None, asked: progressives.Command
) -> tuple[list[LinkHappening], Link | None]:
    """What the link does when it is asked, and how it stands then."""
    followed = []
    for event in progressives.decide(link, asked):
        after = progressives.evolve(link, event)
        followed.append(LinkHappening(event, progressives.transfers(link, after, event)))
        link = after
    return followed, link


def plan_opening(
    command: OpenTable,
    actor: Actor,
    before: Table | None = None,
    link: Link | None = None,
    *,
    with_link: bool = True,
) -> Plan:
    """A table opens, for the first time or again. If it offers a progressive it joins its link, or
    opens the link as the first table on it."""
    (event,) = open_table(command, actor, before)
    table, made = evolve(before, event)
    rules = rules_of(table)
    link_happenings: list[LinkHappening] = []
    if with_link and progressive_wager(rules.book) in rules.offered:
        link_happenings, link = _answered(link, _joining(table, link, rules, actor))
    return Plan((event,), (made,), table, tuple(link_happenings), link)


def _joining(table: Table, link: Link | None, rules: Rules, actor: Actor) -> progressives.Command:
    terms = progressives.table_terms(table.id, rules)
    if link is not None:
        return progressives.JoinTable(table=terms, by=actor.name)
    meters = progressives.meter_terms(rules, submission_of(table.submission))
    return progressives.OpenLink(link=table.link, table=terms, meters=meters, by=actor.name)


_READS_METERS = frozenset({Settle, ValidateProgressive})
_ASKS = frozenset(
    {
        of_rounds.BetsClosed,
        of_rounds.ChipsCounted,
        of_rounds.ProgressivePaid,
        of_rounds.RoundVoided,
        of_rounds.HandsVoided,
        of_rounds.HandVoided,
        of_rounds.WagersVoided,
        of_rounds.CardsCollected,
        TableClosed,
    }
)


def _asks_of_link(
    table: Table, event: TableEvent, rules: Rules, link: Link, actor: Actor
) -> tuple[progressives.Command, ...]:
    """What the event at the table means for the meters."""
    match event:
        case of_rounds.BetsClosed(chips_to_count=0) | of_rounds.ChipsCounted():
            return _contribution(table, rules)
        case of_rounds.ProgressivePaid() if event.line.from_meter:
            claim = table.round.claim
            assert claim is not None
            return (
                progressives.Award(
                    table=table.id,
                    round=table.round.number,
                    seat=event.seat,
                    hand=claim.hand,
                    validated_by=event.validated_by,
                    expected_cents=event.line.net + event.line.stake,
                ),
            )
        case of_rounds.RoundVoided() if _has_given(table, link):
            return (_reversal(table, event.reason),)
        case of_rounds.HandsVoided() if _has_given(table, link):
            saved = flow_of(rules).progressive in event.saves
            return () if saved else (_reversal(table, event.reason),)
        case of_rounds.WagersVoided() if _has_given(table, link):
            is_void = flow_of(rules).progressive in event.wagers
            return (_reversal(table, "the wager is void"),) if is_void else ()
        case of_rounds.HandVoided() if _has_given(table, link, event.seat):
            return (_reversal(table, f"the hand of seat {event.seat} is void", event.seat),)
        case of_rounds.CardsCollected() if _has_given(table, link):
            return (progressives.FinishRound(table=table.id, round=table.round.number),)
        case TableClosed() if table.id in link.members:
            return (progressives.LeaveTable(table=table.id, by=actor.name),)
    return ()


def _reversal(table: Table, reason: str, *seats: int) -> progressives.Command:
    """What these seats gave to the meters comes back with their wagers; no seat named: all."""
    number = table.round.number
    return progressives.ReverseRound(table=table.id, round=number, reason=reason, seats=seats)


def _contribution(table: Table, rules: Rules) -> tuple[progressives.Command, ...]:
    name = flow_of(rules).progressive
    stakes = tuple(
        [(s.number, s.wagers[name]) for s in table.round.seats if name and name in s.wagers]
    )
    if not stakes:
        return ()
    return (progressives.Contribute(table=table.id, round=table.round.number, stakes=stakes),)


def _has_given(table: Table, link: Link, seat: int = 0) -> bool:
    """Has the table (or this seat) fed the meters in the round in play?"""
    member = link.members.get(table.id)
    if member is None or member.round is None or member.round.number != table.round.number:
        return False
    return not seat or seat in member.round.seats
