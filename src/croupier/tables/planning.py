"""Plan a command: its events at the table, the money they move, and the commands to its link.

A plan is complete before anything changes, so both streams can be written in one transaction.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from croupier import progressives
from croupier.deck_care.commands import CountStub, ShuffleDeck
from croupier.errors import BadRequest, Refusal, plain
from croupier.progressives import Link
from croupier.rounds import events as round_events
from croupier.rounds.card_entry import check_asked_for
from croupier.rounds.commands import (
    Act,
    LeaveRound,
    PlaceCoupon,
    PlaceWagers,
    Settle,
    TakeBack,
    ValidateProgressive,
)
from croupier.rounds.deciding import can_settle
from croupier.rounds.declaration import FLOOR, SOFTWARE, Actor, tag_of
from croupier.rounds.payment import denial_words
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import Round
from croupier.rulebooks.kept_rules import own_text
from croupier.rulebooks.rules import Rules, progressive_wager, submission_of
from croupier.submissions.approvals import link_approval
from croupier.tables.commands import BuyIn, CashOut, ColorUp, Correct, OpenTable, TableCommand, Tip
from croupier.tables.deciding import decide, open_table
from croupier.tables.duty import check_acts_in_person
from croupier.tables.events import ROUND_ENDS, TableClosed, TableEvent
from croupier.tables.evolving import Move, evolve, next_entry
from croupier.tables.people_and_money import check_correction, check_correction_amount
from croupier.tables.state import Table, rules_of
from croupier.tables.two_people import (
    Controls,
    Wait,
    check_controls,
    check_opener,
    check_stands_still,
    large_payout,
    second_person,
    to_account,
    void_by_dealer,
)

_CHIPS: Final = frozenset(
    {
        *(PlaceWagers, PlaceCoupon, TakeBack, Act, LeaveRound),
        *(BuyIn, ColorUp, Tip, CashOut),
    }
)
"""Commands that move a player's chips at the player's request."""


def check_chips(table: Table, command: TableCommand, actor: Actor, rules: Rules) -> None:
    """Refuse to move a player's chips for them with virtual cards; at a live table the dealer does
    so at the player's request.

    Exceptions: a staff member who has taken a player's money buys in for them; software declines
    when time is up, and returns the chips of absent players; the floor returns the chips of a
    player who has left the seat, and decides that a player has left the round.
    """
    if isinstance(command, PlaceCoupon) and table.by_people_only and actor.role == "player":
        raise Refusal(
            "at a live table the dealer looks at a coupon and lays it: hand it to the dealer",
            code="not_yours",
            clause=command.role_clause(rules),
        )
    if isinstance(command, Tip) and table.by_people_only and actor.role == "dealer":
        _check_seated(table, command)
    if table.source != "virtual" or actor.role == "player" or type(command) not in _CHIPS:
        return
    if actor.role not in command.declared.by:
        return  # `decide` refuses that role
    if isinstance(command, CashOut) and actor.role in FLOOR and not table.is_seated(command.player):
        return
    if isinstance(command, LeaveRound) and actor.role in FLOOR:
        return
    if isinstance(command, BuyIn) and actor.name != SOFTWARE:
        return
    if actor.name == SOFTWARE:
        if isinstance(command, CashOut):
            return
        if isinstance(command, Act) and _declines(table.round, command, rules):
            return
    raise Refusal(
        f"with virtual cards nobody but the player moves a player's chips: the {actor.role} may "
        f"not {command.doing()}",
        code="not_yours",
        clause=command.role_clause(rules),
    )


def _check_seated(table: Table, command: Tip) -> None:
    if not table.is_seated(command.player):
        raise Refusal(
            f"{plain(command.player)} has left the seat: nobody tips the dealers for them",
            code="not_seated",
        )


def _declines(state: Round, command: Act, rules: Rules) -> bool:
    steps = flow_of(rules).steps
    step = steps[state.step] if state.step < len(steps) else None
    return not isinstance(step, Ask) or command.action == step.decision.otherwise


class LinkChange(NamedTuple):
    """A command for a link, its events, and the money that moved."""

    command: progressives.Command
    events: tuple[progressives.Event, ...]
    transfers: tuple[progressives.MeterTransfer, ...]


class CommandPlan(msgspec.Struct, frozen=True, gc=False):
    """The effects of a command on the table and its link."""

    command: TableCommand
    actor: Actor
    meters: dict[str, int]
    """The meter readings that the command used."""
    events: tuple[TableEvent, ...]
    moves: tuple[list[Move], ...]
    """The money that each event moves."""
    table: Table
    link_changes: tuple[LinkChange, ...]
    link: Link | None
    ends_round: bool = False
    wait: Wait | None = None
    """Set if the command waits for a second person: only the proposal was planned."""
    on_screen: tuple[str, ...] = ()
    """The clauses of the duties on the screen of the person who gave the command."""


def plan(
    table: Table,
    link: Link | None,
    command: TableCommand,
    actor: Actor,
    at: int = 0,
    rules: Rules | None = None,
    controls: Controls | None = None,
) -> CommandPlan:
    """Return what the command would lead to. Pure; a refusal raises.

    `at` is in seconds since 1970. Pass the table's `rules` to save looking them up. `controls` are
    the limits up to which one person acts alone; without them every command takes effect at
    once."""
    if rules is None:
        rules = rules_of(table)
    meters = _reading(table, link) if type(command) is ValidateProgressive else {}
    # Checked here, not in `decide`: older journals replay by the rules of the documents alone.
    if (table.strict or actor.role != "player") and type(command) in _CHIPS:
        check_chips(table, command, actor, rules)
    if table.strict:
        check_acts_in_person(table, command, actor)
        if isinstance(command, CountStub | ShuffleDeck) and command.count is not None:
            command = replace(command, twice=True)
    if table.pending:
        check_stands_still(table, command)
    wait = None
    if controls is not None and actor.role in command.declared.by:
        check_controls(table, command, actor, controls)
        wait = second_person(table, command, actor, controls)
        if isinstance(command, CashOut | Correct) and to_account(table, command, actor, controls):
            command = replace(command, account=True)
    events = decide(table, command, actor, meters, rules, at, wait)
    if table.source == "live" and isinstance(command, Settle):
        _check_cards(table, command, actor, rules)
    if wait is None and table.strict:
        wait = void_by_dealer(table, actor, events) or large_payout(actor, events, controls)
        if wait is not None:
            events = decide(table, command, actor, meters, rules, at, wait)
    return _planned(table, link, command, actor, meters, events, rules, wait)


def as_confirmed(table: Table, link: Link | None, made: CommandPlan, at: int) -> CommandPlan:
    """Return what a command that waits for a second person leads to once it is confirmed."""
    if made.wait is None:
        return made
    command, actor, meters, rules = made.command, made.actor, made.meters, rules_of(table)
    events = decide(table, command, actor, meters, rules, at)
    return _planned(table, link, command, actor, meters, events, rules, made.wait)


def _planned(
    table: Table,
    link: Link | None,
    command: TableCommand,
    actor: Actor,
    meters: dict[str, int],
    events: tuple[TableEvent, ...],
    rules: Rules,
    wait: Wait | None,
) -> CommandPlan:
    """Return the plan, with the money that the events move and their commands to the link."""
    moves: list[list[Move]] = []
    link_changes: list[LinkChange] = []
    version, ends = table.version + 1, False
    for event in events:
        before = table
        ends = ends or type(event) in ROUND_ENDS
        table, made = evolve(table, event, rules, version)
        moves.append(made)
        if link is not None and type(event) in _ASKS:
            for order in _asks(before, event, rules, link, actor):
                change, link = plan_for_link(link, order)
                link_changes.append(change)
    return CommandPlan(
        command, actor, meters, events, tuple(moves), table, tuple(link_changes), link, ends, wait
    )


def _check_cards(table: Table, command: Settle, actor: Actor, rules: Rules) -> None:
    """Refuse to settle before a live dealer has entered every card that the table asks for
    (MD-31)."""
    if actor.role in command.declared.by and can_settle(table.round, rules):
        check_asked_for(table.round, rules, command.seat)


def check_correction_of(then: Table, correction: Correct, earlier: int, link: Link | None) -> None:
    """Refuse a correction of something that was not in the round, or by more than it could have won
    or lost. `then` is the table when the round was over, `earlier` the total of earlier
    corrections."""
    check_correction(then.round, correction)
    meters = link.shown() if link is not None else {}
    check_correction_amount(then.round, correction, earlier, rules_of(then), meters)


def _reading(table: Table, link: Link | None) -> dict[str, int]:
    """Return the reading of the meter that pays the claim."""
    claim = table.round.claim
    if link is None or claim is None or not claim.meter:
        return {}
    return {claim.meter: link.shown()[claim.meter]}


def check_foreseeable(command: TableCommand) -> None:
    """Refuse to preview a command that turns cards: only decisions can be previewed."""
    if not command.declared.foreseen:
        raise BadRequest(
            f"{tag_of(command)} cannot be foreseen: only reports, counts and the floor's decisions "
            "can"
        )


def plan_for_link(link: Link | None, command: progressives.Command) -> tuple[LinkChange, Link]:
    """Return the effects of a command on a link, and the link afterwards."""
    events = progressives.decide(link, command)
    transfers: list[progressives.MeterTransfer] = []
    for event in events:
        after = progressives.evolve(link, event)
        transfers += progressives.transfers(link, after, event)
        link = after
    assert link is not None, "a command for a link has events"
    return LinkChange(command, tuple(events), tuple(transfers)), link


def plan_opening(
    command: OpenTable,
    actor: Actor,
    before: Table | None = None,
    link: Link | None = None,
    *,
    with_link: bool = True,
    money: bool = False,
) -> CommandPlan:
    """Plan the opening of a table, for the first time or again. A table with a progressive joins
    its link; the first one opens the link. If the journal holds `money`, every table is strict, and
    a second person signs the house's own rules before anybody bets on them."""
    if money or (before is not None and before.strict):
        command = replace(command, strict=True)  # a strict table stays strict
    if money and own_text(command.rulebook, command.rulebook_text):
        command = replace(command, signed=True)
    (event,) = open_table(command, actor, before)
    check_opener(command, before)
    table, made = evolve(next_entry(before), event)
    rules = rules_of(table)
    changes: tuple[LinkChange, ...] = ()
    if with_link and progressive_wager(rules.book) in rules.offered:
        change, link = plan_for_link(link, _joining(table, link, rules, actor))
        changes = (change,)
    return CommandPlan(command, actor, {}, (event,), (made,), table, changes, link)


def _joining(table: Table, link: Link | None, rules: Rules, actor: Actor) -> progressives.Command:
    terms = progressives.table_terms(table.id, rules)
    submission = submission_of(table.submission)
    if link is not None:
        approval = link_approval(submission)
        return progressives.JoinTable(table=terms, by=actor.name, approval=approval)
    meters = progressives.meter_terms(rules, submission)
    return progressives.OpenLink(link=table.link, table=terms, meters=meters, by=actor.name)


_ASKS = frozenset(
    {
        round_events.BetsClosed,
        round_events.ChipsCounted,
        round_events.ProgressivePaid,
        round_events.ProgressiveRefused,
        round_events.RoundVoided,
        round_events.HandsVoided,
        round_events.HandVoided,
        round_events.WagersVoided,
        round_events.CardsCollected,
        TableClosed,
    }
)


def _asks(
    table: Table, event: TableEvent, rules: Rules, link: Link, actor: Actor
) -> tuple[progressives.Command, ...]:
    member = link.members.get(table.id)
    if member is not None and isinstance(event, TableClosed):
        return (progressives.LeaveTable(table=table.id, by=actor.name),)
    opened = member.round if member is not None else None
    is_open = opened is not None and opened.number == table.round.number
    return asks_of_link(table, event, rules, opened.seats if opened and is_open else ())


def asks_of_link(
    table: Table, event: TableEvent, rules: Rules, contributed: Collection[int]
) -> tuple[progressives.Command, ...]:
    """Return the commands to the link that follow from an event in a round. `contributed` are the
    seats that have contributed to the meters in the round in play."""
    match event:
        case round_events.BetsClosed(chips_to_count=0) | round_events.ChipsCounted():
            return _contribution(table, rules)
        case round_events.ProgressivePaid() if event.line.from_meter:
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
        case round_events.ProgressiveRefused() if (
            event.seat in contributed and event.line.result == "void"
        ):
            words = denial_words(event.ground, event.reason)
            return (_reversal(table, words, event.seat),)
        case round_events.RoundVoided() if contributed:
            return (_reversal(table, event.reason),)
        case round_events.HandsVoided() if contributed:
            saved = flow_of(rules).progressive in event.saves
            return () if saved else (_reversal(table, event.reason),)
        case round_events.WagersVoided() if contributed:
            is_void = flow_of(rules).progressive in event.wagers
            return (_reversal(table, "the wager is void"),) if is_void else ()
        case round_events.HandVoided() if event.seat in contributed:
            return (_reversal(table, f"the hand of seat {event.seat} is void", event.seat),)
        case round_events.CardsCollected() if contributed:
            return (progressives.FinishRound(table=table.id, round=table.round.number),)
    return ()


def _reversal(table: Table, reason: str, *seats: int) -> progressives.Command:
    """Return the command that takes back the contributions of these seats, or of all seats if none
    is named: their wagers are void."""
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
