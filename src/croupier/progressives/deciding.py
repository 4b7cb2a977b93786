"""Decide a command to a link: return events, or refuse and leave the link unchanged.

Pure. The journal appends the events only if the link has not changed since it was read
(`unique(stream, version)`), so any number of tables may share a link: if two tables hit 100 percent
one after the other, the second is decided on the meter after the first, and gets the reset amount.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec.structs import astuple, replace

from croupier.errors import suggest
from croupier.money import MeterShare, dollars
from croupier.progressives.evolving import evolve
from croupier.progressives.joining import check_link
from croupier.progressives.links import Link, LinkGame, Member, OpenRound
from croupier.progressives.messages import (
    Award,
    Awarded,
    ChangeTerms,
    CloseLink,
    Command,
    Contribute,
    Contributed,
    Event,
    FinishRound,
    JoinTable,
    LeaveTable,
    LinkClosed,
    LinkOpened,
    MoneyReceived,
    Moved,
    MoveTo,
    OpenLink,
    ReceiveMoney,
    ReverseRound,
    RoundFinished,
    RoundReversed,
    Stated,
    TableJoined,
    TableLeft,
    TermsChanged,
)
from croupier.progressives.meters import MICRO, LinkMeter
from croupier.progressives.refusals import LinkRefusal
from croupier.progressives.table_terms import Floor

_NAME: Final = re.compile(r"\w[\w .'+#-]{0,59}")
_MOST_MICROCENTS: Final = 2**63 - 1
"""The most that a journal can store: about 92 billion dollars."""


def decide(link: Link | None, command: Command) -> tuple[Event, ...]:
    """Return the events to record. `link` is None before it is opened."""
    if isinstance(command, OpenLink):
        if link is not None:
            raise LinkRefusal(f"link {link.id} is open already", code="already_open")
        return _checked(None, _open(command))
    if link is None:
        raise LinkRefusal("there is no such link: it has not been opened", code="not_open")
    if link.closed:
        raise LinkRefusal(f"link {link.id} is closed", code="closed")
    match command:
        case JoinTable():
            return _join(link, command)
        case LeaveTable():
            return _leave(link, command)
        case Contribute():
            return _checked(link, _contribute(link, command))
        case ReverseRound():
            return _checked(link, _reverse(link, command))
        case Award():
            return _checked(link, _award(link, command))
        case FinishRound():
            _open_round(link, command.table, command.round)
            return (RoundFinished(table=command.table, round=command.round),)
        case ChangeTerms():
            return _change(link, command)
        case CloseLink():
            return _close(link, command)
        case ReceiveMoney():
            return _checked(link, _receive(link, command))


def _checked(link: Link | None, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the events, after checking that none leaves a meter negative, unexplained or too large
    to store."""
    for event in events:
        before = {} if link is None else link.meters
        link = evolve(link, event)
        for name, meter in link.meters.items():
            if meter is not before.get(name):
                _check_meter(name, meter)
    return events


def _check_meter(name: str, meter: LinkMeter) -> None:
    account = meter.explain()
    assert account.reading == account.explained, f"meter {name} is not explained"
    assert account.reading >= 0, f"meter {name} would be negative"
    if max(astuple(account)) > _MOST_MICROCENTS:
        raise LinkRefusal(
            f"meter {name} would hold more money than can be written down", code="too_much"
        )


# Opening, joining, leaving ----------------------------------------------------------------------


def _open(command: OpenLink) -> tuple[Event, ...]:
    table = command.table
    _named("link", command.link)
    _named("table", table.table)
    _signed(command.by, "opened")
    for name in (*command.meters, *table.floors):
        if name not in table.floors:
            raise suggest("meter", name, table.floors)
        if name not in command.meters:
            raise LinkRefusal(
                f"the terms of meter {name} are missing",
                clause=table.floors[name].clause,
                code="terms_missing",
            )
    for name, terms in command.meters.items():
        _check_floor(name, "initial", terms.seed_cents, table.floors[name])
        _check_floor(name, "reset", terms.reset_cents, table.floors[name])
        _check_rate(name, terms.rate_millionths, table.clauses.meter)
    if any(stake <= 0 for stake in table.stakes) or not table.stakes:
        raise LinkRefusal(
            "the progressive wager must be more than $0",
            clause=table.clauses.stakes,
            code="bad_stake",
        )
    game = LinkGame(
        rulebook=table.rulebook,
        figures=table.figures,
        cards=table.cards,
        stakes=table.stakes,
        decks=table.decks,
        floors=table.floors,
        clauses=table.clauses,
    )
    return (
        LinkOpened(
            link=command.link,
            game=game,
            meters=command.meters,
            validate_all=command.validate_all,
            by=command.by,
        ),
        TableJoined(table=table, by=command.by),
    )


def _check_floor(meter: str, words: str, cents: int, floor: Floor) -> None:
    """Refuse an initial or reset amount below the document's minimum (md-uth 12.D(3)(b))."""
    if cents < floor.cents:
        raise LinkRefusal(
            f"the {words} amount of meter {meter} is {dollars(cents)}, but must be at least "
            f"{dollars(floor.cents)}",
            clause=floor.clause,
            code="below_minimum",
        )


def _check_rate(meter: str, millionths: int, clause: str) -> None:
    """Refuse a rate below 0 or above the whole stake (MD-28). The documents set no bounds."""
    if not 0 <= millionths <= MICRO:
        raise LinkRefusal(
            f"the rate of meter {meter} must be a share of the stake from 0 to 1",
            clause=clause,
            code="bad_rate",
        )


def _join(link: Link, command: JoinTable) -> tuple[Event, ...]:
    table = command.table
    _named("table", table.table)
    _signed(command.by, "let onto the link")
    if table.table in link.members:
        raise LinkRefusal(
            f"table {table.table} is on link {link.id} already", code="already_joined"
        )
    check_link(link, table, command.approval)
    return (TableJoined(table=table, by=command.by, approval=command.approval),)


def _leave(link: Link, command: LeaveTable) -> tuple[Event, ...]:
    member = _member(link, command.table)
    _signed(command.by, "taken off the link")
    if member.round is not None:
        raise LinkRefusal(
            f"table {command.table} has round {member.round.number} open: finish it first",
            code="round_open",
        )
    return (TableLeft(table=command.table, by=command.by),)


# A round ----------------------------------------------------------------------------------------


def _contribute(link: Link, command: Contribute) -> tuple[Event, ...]:
    """Return the contribution, added when bets are locked, before any award of the round
    (8.C(2)-(4), MD-28)."""
    member = _member(link, command.table)
    clauses = member.terms.clauses
    last = link.last_rounds.get(command.table, 0)
    if command.round <= last:
        raise LinkRefusal(
            f"table {command.table}: the wagers of round {command.round} come too late, betting "
            f"was locked in round {last}",
            clause=clauses.late,
            code="late_wager",
        )
    if member.round is not None:
        raise LinkRefusal(
            f"table {command.table} has round {member.round.number} open: finish it first",
            code="round_open",
        )
    stakes = tuple(sorted(command.stakes))
    for seat, stake in stakes:
        if not 1 <= seat <= member.terms.seats:
            raise LinkRefusal(
                f"seat {seat}: table {command.table} has seats 1 to {member.terms.seats}",
                code="unknown_seat",
            )
        if stake not in link.game.stakes:
            amounts = " or ".join(dollars(amount) for amount in link.game.stakes)
            raise LinkRefusal(
                f"seat {seat}: the progressive wager is {amounts}, not {dollars(stake)}",
                clause=clauses.stakes,
                code="bad_stake",
            )
    if len(dict(stakes)) != len(stakes):
        raise LinkRefusal(
            f"table {command.table}: one wager for each seat",
            clause=clauses.stakes,
            code="two_wagers",
        )
    if not stakes:
        return ()
    total = sum(stake for _, stake in stakes)
    rates = {name: meter.terms.rate_millionths for name, meter in link.meters.items()}
    return (
        Contributed(
            table=command.table,
            round=command.round,
            stakes=stakes,
            rates=rates,
            microcents={name: total * rate for name, rate in rates.items()},
        ),
    )


def _reverse(link: Link, command: ReverseRound) -> tuple[Event, ...]:
    """Return the reversal of a void round's contribution: its wagers are returned, so the
    contribution leaves the meters (MD-42, A23)."""
    opened = _open_round(link, command.table, command.round)
    clauses = link.members[command.table].terms.clauses
    if not command.reason.strip():
        raise LinkRefusal("say why the contribution is taken back", code="reason_missing")
    seats = tuple(sorted(set(command.seats or opened.seats)))
    for seat in seats:
        if seat in opened.awarded:
            raise LinkRefusal(
                f"seat {seat} has been paid from a meter in round {command.round}: its wager is "
                "settled and cannot be void",
                clause=clauses.turn,
                code="award_stands",
            )
        if seat not in opened.seats:
            raise LinkRefusal(
                f"seat {seat} has no contribution left in round {command.round}", code="no_wager"
            )
    contributed = {name: opened.contributed(name, seats) for name in link.meters}
    return (
        RoundReversed(
            table=command.table,
            round=command.round,
            seats=seats,
            microcents=contributed,
            made_good={
                name: _paid_away(meter, opened.emptied[name], contributed[name])
                for name, meter in link.meters.items()
            },
            reason=command.reason,
            by=command.by,
        ),
    )


def _paid_away(meter: LinkMeter, emptied_then: int, contributed: int) -> int:
    """Return what the house must pay in for a reversal.

    If the meter has been emptied since, a winner has the contribution. Taking it from the meter
    again would leave less than the reset amount that the submission promises. Otherwise the house
    pays only what the meter does not hold.
    """
    return (
        contributed if meter.times_emptied != emptied_then else max(0, contributed - meter.reading)
    )


def _award(link: Link, command: Award) -> tuple[Event, ...]:
    member = _member(link, command.table)
    clauses = member.terms.clauses
    opened = member.round
    if opened is None or opened.number != command.round or command.seat not in opened.seats:
        raise LinkRefusal(
            f"table {command.table}, seat {command.seat}: no progressive wager was accepted in "
            f"round {command.round}, so none is paid",
            clause=clauses.light,
            code="no_wager",
        )
    line = member.terms.lines.get(command.hand)
    if line is None:
        raise suggest("hand paid from a meter", command.hand, member.terms.lines)
    _check_turn(command, member, opened)
    if not command.validated_by.strip() and (link.validate_all or clauses.validation):
        raise LinkRefusal(
            f"table {command.table}, seat {command.seat}: a floorperson or above validates a "
            "progressive payout before it is paid",
            clause=clauses.validation,
            code="not_validated",
        )
    meter = link.meters[line.meter]
    cents = MeterShare(line.meter, line.percent).award(meter.shown_cents)
    if command.expected_cents is not None and command.expected_cents != cents:
        raise LinkRefusal(
            f"meter {line.meter} has moved: this award is {dollars(cents)}, not "
            f"{dollars(command.expected_cents)}",
            clause=clauses.turn,
            code="meter_moved",
        )
    return (
        Awarded(
            table=command.table,
            round=command.round,
            seat=command.seat,
            hand=command.hand,
            meter=line.meter,
            percent=line.percent,
            cents=cents,
            reset_cents=meter.terms.reset_cents if line.percent == 100 else 0,
            clause=line.clause,
            validated_by=command.validated_by,
        ),
    )


def _check_turn(command: Award, member: Member, opened: OpenRound) -> None:
    """Refuse a second payout for a wager, and an award out of turn: seats are paid
    counterclockwise, highest number first (MD-27)."""
    clauses = member.terms.clauses
    if command.seat in opened.awarded:
        raise LinkRefusal(
            f"table {command.table}, seat {command.seat} has been paid in round {command.round}",
            clause=clauses.once or member.terms.lines[command.hand].clause,
            code="already_awarded",
        )
    if any(seat < command.seat for seat in opened.awarded):
        raise LinkRefusal(
            f"table {command.table}: the turn of seat {command.seat} is over, seat "
            f"{min(opened.awarded)} has been paid",
            clause=clauses.turn,
            code="out_of_turn",
        )


# Terms, closing ---------------------------------------------------------------------------------


def _change(link: Link, command: ChangeTerms) -> tuple[Event, ...]:
    meter = _meter(link, command.meter)
    _signed(command.by, "changed")
    if not command.reason.strip():
        raise LinkRefusal("say why the terms change", code="reason_missing")
    terms = meter.terms
    if command.rate_millionths is not None:
        _check_rate(command.meter, command.rate_millionths, link.game.clauses.meter)
        terms = replace(terms, rate_millionths=command.rate_millionths)
    if command.reset_cents is not None:
        _check_floor(command.meter, "reset", command.reset_cents, link.game.floors[command.meter])
        for member in link.members.values():
            floor = member.terms.floors[command.meter]
            _check_floor(command.meter, "reset", command.reset_cents, floor)
        terms = replace(terms, reset_cents=command.reset_cents)
    if terms == meter.terms:
        raise LinkRefusal(f"the terms of meter {command.meter} are these already", code="no_change")
    return (TermsChanged(meter=command.meter, terms=terms, reason=command.reason, by=command.by),)


def _close(link: Link, command: CloseLink) -> tuple[Event, ...]:
    _signed(command.by, "closed")
    if not command.reason.strip():
        raise LinkRefusal("say why the link is closed", code="reason_missing")
    if link.members:
        raise LinkRefusal(
            f"link {link.id} still has tables: {', '.join(sorted(link.members))}",
            code="tables_remain",
        )
    for name in command.goes:
        _meter(link, name)
    for name in link.meters:
        _check_destination(link, name, command.goes)
    goes = {
        name: Moved(microcents=meter.reading, to=command.goes[name])
        for name, meter in link.meters.items()
    }
    return (LinkClosed(goes=goes, reason=command.reason, by=command.by),)


def _check_destination(link: Link, name: str, goes: Mapping[str, MoveTo | Stated]) -> None:
    to = goes.get(name)
    if isinstance(to, MoveTo) and to.link != link.id:
        _named("link", to.link)
        _named("meter", to.meter)
    elif not (isinstance(to, Stated) and to.words.strip()):
        raise LinkRefusal(
            f"meter {name} shows {dollars(link.meters[name].shown_cents)}: say to which other link "
            "it moves or what else becomes of it",
            clause=link.game.clauses.meter,
            code="unexplained",
        )


def _receive(link: Link, command: ReceiveMoney) -> tuple[Event, ...]:
    _meter(link, command.meter)
    _named("link", command.from_link)
    _named("meter", command.from_meter)
    _signed(command.by, "received")
    source = f"{command.from_link}:{command.from_meter}"
    if source in link.received or command.from_link == link.id:
        raise LinkRefusal(f"the money of {source} is here already", code="already_received")
    if command.microcents < 0:
        raise LinkRefusal("an amount below 0 cannot be received", code="bad_amount")
    return (
        MoneyReceived(
            meter=command.meter,
            microcents=command.microcents,
            from_link=command.from_link,
            from_meter=command.from_meter,
            by=command.by,
        ),
    )


# Looking up -------------------------------------------------------------------------------------


def _member(link: Link, table: str) -> Member:
    member = link.members.get(table)
    if member is None:
        raise LinkRefusal(f"table {table} is not on link {link.id}", code="unknown_table")
    return member


def _open_round(link: Link, table: str, number: int) -> OpenRound:
    opened = _member(link, table).round
    if opened is None or opened.number != number:
        raise LinkRefusal(f"table {table} has no round {number} open", code="no_round")
    return opened


def _meter(link: Link, name: str) -> LinkMeter:
    meter = link.meters.get(name)
    if meter is None:
        raise suggest("meter", name, link.meters)
    return meter


def _named(noun: str, name: str) -> None:
    """Refuse an unusable name. Names become part of account names, which are separated by
    colons."""
    if _NAME.fullmatch(name) is None:
        raise LinkRefusal(
            f"{name[:60]!r} is not a name for a {noun}: letters, digits, spaces and . ' + # - only",
            code="bad_name",
        )


def _signed(by: str, done: str) -> None:
    if not by.strip():
        raise LinkRefusal(f"say by whom it is {done}", code="name_missing")
