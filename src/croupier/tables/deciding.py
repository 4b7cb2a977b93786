"""Decide a command at a table: check the actor and the money, and return the events that follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

import msgspec
from msgspec.structs import replace

from croupier.deck_care.commands import CareCommand
from croupier.deck_care.deciding import check_round, decide_care, deck_for_round
from croupier.errors import BadRequest, Refusal, RuleBroken, plain, shown
from croupier.money import dollars
from croupier.rounds import commands as round_commands
from croupier.rounds.chip_count import count_for_floor
from croupier.rounds.coupons import takes_coupons
from croupier.rounds.dealing import irregularity_clause
from croupier.rounds.deciding import decide as decide_round
from croupier.rounds.declaration import Actor, Command, wrong_role
from croupier.rounds.events import Acted, AnswerTakenBack, WagersPlaced
from croupier.rounds.legality import check_boxes
from croupier.rulebooks.rules import Rules, at_a_table, rules_for, submission_of
from croupier.submissions.approvals import missing_approvals
from croupier.tables.chip_counts import (
    check_count_signed,
    opening_count,
    sign_count,
)
from croupier.tables.commands import (
    COMMANDS,
    AnswerCall,
    AskFaceUp,
    Assign,
    BuyIn,
    CallFloor,
    CashOut,
    ChangeLimits,
    CloseTable,
    ColorUp,
    Confirm,
    Correct,
    Credit,
    Decline,
    EmptyDrop,
    Fill,
    GiveUpSeat,
    MoreTime,
    OpenTable,
    ReopenRound,
    SignCount,
    TableCommand,
    TakeSeat,
    Tip,
)
from croupier.tables.duty import answer_call, assign, call_floor, check_on_duty
from croupier.tables.events import (
    Confirmed,
    Corrected,
    TableEvent,
    TableOpened,
    TableStands,
)
from croupier.tables.evolving import chips_needed
from croupier.tables.people_and_money import (
    ask_face_up,
    buy_in,
    cash_out,
    change_limits,
    check_amount,
    check_name_of,
    close_table,
    color_up,
    correct,
    credit,
    empty_drop,
    fill,
    give_up_seat,
    more_time,
    reopen_round,
    take_seat,
    tip,
)
from croupier.tables.state import Table, rules_of
from croupier.tables.two_people import Wait, decline, propose, read_command, to_confirm

Events = tuple[TableEvent, ...]
Meters = Mapping[str, int] | None
_AT_A_CLOSED_TABLE: Final = frozenset(
    {
        *(CashOut, GiveUpSeat, EmptyDrop, Correct, SignCount, AnswerCall),
        *(Confirm, Decline, ReopenRound),
    }
)
_NAMES_PLAYER: Final = frozenset(
    form for form in COMMANDS.values() if "player" in form.__struct_fields__
)


def open_table(command: OpenTable, actor: Actor, before: Table | None = None) -> Events:
    """Return the event that opens a table, for the first time or again under new terms."""
    check_actor(actor, command, None)
    if before is not None and before.is_open:
        raise Refusal(f"table {before.id} is open already", code="already_done")
    _stream_name("table", command.table)
    if command.link:
        _stream_name("link", command.link)
    check_amount(command.inventory, "the inventory", least=0)
    count, inventory = opening_count(command, actor, before)
    check_amount(inventory, "the inventory", least=0)
    terms = command.submission
    rules = rules_for(command.rulebook, command.rulebook_text, terms)
    if command.strict:
        terms = _named_wagers(terms, rules)
        rules = rules_for(command.rulebook, command.rulebook_text, terms)
        _approved(command, rules)
        _coupons_looked_at(command, rules)
    return (
        TableOpened(
            command.table,
            command.rulebook,
            terms,
            command.rulebook_text,
            command.source,
            inventory,
            command.link or command.table,
            command.care and command.source == "live" and rules.book.care is not None,
            count,
            command.strict,
            command.program,
        ),
    )


def _named_wagers(submission: str, rules: Rules) -> str:
    """Return the submission with its offered wagers stated. A strict table offers no wager that its
    submission had to name but did not."""
    stated = submission_of(submission)
    if stated.offered is not None:
        return submission
    return msgspec.json.encode(at_a_table(stated, rules.book)).decode()


def _coupons_looked_at(command: OpenTable, rules: Rules) -> None:
    """Refuse match play coupons with virtual cards: nobody inspects the paper, so a player's word
    would be money."""
    if command.source == "virtual" and takes_coupons(rules):
        raise RuleBroken(
            "match play coupons are taken at live tables only, where a dealer looks at them: leave "
            "options.match_play out, or open the table with live cards",
            clause=rules.book.procedure.coupon_clause,
        )


def _approved(command: OpenTable, rules: Rules) -> None:
    """Refuse to open without the required approvals, each with number, date and authority."""
    missing = missing_approvals(rules, submission_of(command.submission), command.source)
    if missing:
        listed = "; ".join(
            f"{approval.name} ({approval.words}) [{approval.clause}]" for approval in missing
        )
        raise Refusal(
            f"table {command.table} does not open without the regulator's approval of {listed}: "
            "the submission names each with number, date and authority",
            code="approval_missing",
            clause=missing[0].clause,
        )


def decide(
    table: Table,
    command: TableCommand,
    actor: Actor,
    meters: Mapping[str, int] | None = None,
    rules: Rules | None = None,
    at: int = 0,
    wait: Wait | None = None,
) -> Events:
    """Return the events of a legal command. `meters` are the progressive's readings now, `rules`
    the table's rules if the caller has them, `at` the time in seconds since 1970. With `wait`, a
    legal command is only proposed."""
    if type(command) is OpenTable:
        return open_table(command, actor, table)
    if rules is None:
        rules = rules_of(table)
    check_actor(actor, command, rules)
    form = type(command)
    if not table.is_open and form not in _AT_A_CLOSED_TABLE:
        raise Refusal(f"table {table.id} is closed", code="table_closed")
    if table.staff:
        check_on_duty(table, command, actor)
    if table.count is not None:
        check_count_signed(table, command)
    if wait is not None:
        decide(table, command, actor, meters, rules, at)
        return (propose(table, command, actor, at, wait),)
    if table.care is None:
        return _DECIDES[form](table, command, rules, actor, at, meters)
    check_round(table, command, rules, at)
    events = _DECIDES[form](table, command, rules, actor, at, meters)
    if form is round_commands.Deal:
        events += deck_for_round(table, actor.name, at, rules)
    return events


def _confirm(
    table: Table, command: Confirm, rules: Rules, actor: Actor, at: int, meters: Meters
) -> Events:
    """Return the events of the proposed command, if it is still legal."""
    pending = to_confirm(table, command.number, actor)
    proposed = read_command(pending.command)
    first = Actor(pending.role, pending.name)
    events = decide(table, proposed, first, meters, rules, at)
    signed = [
        replace(event, second=actor.name) if isinstance(event, Corrected) else event
        for event in events
    ]
    return (Confirmed(command.number, actor.name), *signed)


def check_actor(actor: Actor, command: TableCommand, rules: Rules | None) -> None:
    """Refuse roles that may not give the command, and players who act for somebody else."""
    allowed = command.declared.by
    if actor.role not in allowed:
        raise wrong_role(actor.role, command, allowed, command.role_clause(rules))
    form = type(command)
    if form in _NAMES_PLAYER and actor.role == "player":
        player = getattr(command, "player", None)
        if player is not None and player != actor.name:
            raise Refusal(f"{plain(actor.name)} cannot act for {plain(player)}", code="not_yours")
    if isinstance(command, BuyIn) and command.account and actor.role != "player":
        raise Refusal(
            f"nobody but {plain(command.player)} spends what the cashier holds for "
            f"{plain(command.player)}",
            code="not_yours",
        )
    if form is round_commands.Report:
        _takes_a_floorperson(actor, command, rules)


def _takes_a_floorperson(actor: Actor, command: Command, rules: Rules | None) -> None:
    """Refuse a dealer's report of an irregularity that a floorperson must decide. Dealers report
    most of them."""
    if rules is None or not isinstance(command, round_commands.Report) or actor.role != "dealer":
        return
    accident = rules.book.irregularities.get(command.kind)
    if accident is not None and accident.needs_floor:
        raise Refusal(
            f"a dealer cannot decide this ({accident.title}): it takes a floorperson",
            code="wrong_role",
            clause=irregularity_clause(accident, rules),
        )


def _in_round(
    table: Table, command: Any, rules: Rules, actor: Actor, _: int, meters: Meters
) -> Events:
    return decide_round(table.round, command, rules, meters, actor.name)


def _care(
    table: Table, command: CareCommand, rules: Rules, actor: Actor, at: int, _: Meters
) -> Events:
    return decide_care(table, command, actor, rules, at)


def _open_betting(
    table: Table, command: round_commands.OpenBetting, rules: Rules, *_: Any
) -> Events:
    if command.source != table.source:
        raise Refusal(f"this table's cards are {table.source}", code="wrong_source")
    if not table.seats:
        raise Refusal("nobody is seated", code="no_players")
    events = decide_round(table.round, command, rules)
    terms = table.submission if table.care is not None or table.new_limits else ""
    standing = TableStands(
        table.seats,
        table.money,
        table.opened,
        table.care,
        terms,
        table.staff,
        table.calls,
        table.last_call,
        table.count,
        table.slips,
        table.pending,
        table.reopened,
    )
    return (*events, standing)


def _place(table: Table, command: round_commands.PlaceWagers, rules: Rules, *_: Any) -> Events:
    if table.seats.get(command.seat) != command.player:
        _seated(table, command, rules)
    events = decide_round(table.round, command, rules)
    event = events[0]
    assert isinstance(event, WagersPlaced)
    _affordable(table, command.player, chips_needed(table, event))
    return events


def _act(table: Table, command: round_commands.Act, rules: Rules, *_: Any) -> Events:
    events = decide_round(table.round, command, rules)
    event = events[0]
    assert isinstance(event, Acted)
    if event.cents:
        _affordable(table, command.player, event.cents)
    return events


def _take_back_answer(
    table: Table, command: round_commands.TakeBackAnswer, rules: Rules, *_: Any
) -> Events:
    """Take back an answer. If its bet had been withdrawn, the player must still have the chips to
    restore it."""
    events = decide_round(table.round, command, rules)
    event, seat = events[0], table.round.seat(command.seat)
    assert isinstance(event, AnswerTakenBack)
    assert seat is not None
    _affordable(table, seat.player, -event.cents)
    return events


def _repeat(table: Table, command: round_commands.RepeatWagers, rules: Rules, *_: Any) -> Events:
    """Repeat the last round's wagers of seated players who have enough chips, unless somebody else
    has taken the position."""
    left = {player: table.rack(player) for player in table.seats.values()}
    placed: list[WagersPlaced] = []
    for event in decide_round(table.round, command, rules):
        assert isinstance(event, WagersPlaced)
        cents = sum(event.wagers.values())
        sits = table.seats.get(event.seat, event.player) == event.player
        if sits and cents <= left.get(event.player, 0):
            left[event.player] -= cents
            placed.append(event)
    if not placed:
        raise Refusal(
            "nobody who bet in the last round has the chips for it", code="not_enough_money"
        )
    return tuple(placed)


def _answer_all(table: Table, command: round_commands.AnswerAll, rules: Rules, *_: Any) -> Events:
    events = decide_round(table.round, command, rules)
    needed: dict[str, int] = {}
    for event in events:
        assert isinstance(event, Acted)
        seat = table.round.seat(event.seat)
        assert seat is not None
        needed[seat.player] = needed.get(seat.player, 0) + event.cents
        _affordable(table, seat.player, needed[seat.player])
    return events


def _count_chips(
    table: Table, command: round_commands.CountChips, rules: Rules, actor: Actor, *_: Any
) -> Events:
    """Count the progressive's chips. At a strict table a count that differs calls the floor
    (8.C(3)); elsewhere it is refused, as rehearsals expect."""
    if table.strict:
        return count_for_floor(table.round, command, rules, actor.name)
    return decide_round(table.round, command, rules)


def _coupon(table: Table, command: round_commands.PlaceCoupon, rules: Rules, *_: Any) -> Events:
    if table.seats.get(command.seat) != command.player:
        _seated(table, command, rules)
    return decide_round(table.round, command, rules)


def _commit(
    table: Table, command: round_commands.CommitRandomness, rules: Rules, *_: Any
) -> Events:
    if table.seats.get(command.seat) != command.player:
        raise Refusal(
            f"{plain(command.player)} does not sit at seat {command.seat}: randomness is added "
            "from one's own seat",
            code="not_seated",
        )
    return decide_round(table.round, command, rules)


def _seated(
    table: Table, command: round_commands.PlaceWagers | round_commands.PlaceCoupon, rules: Rules
) -> None:
    """Refuse bets of players who are not seated, except at their own seat or an empty one beside
    it."""
    player, holder = command.player, table.seats.get(command.seat)
    clause = rules.book.procedure.seated or None
    if not table.is_seated(player):
        raise Refusal(
            f"{plain(player)} is not seated at this table", code="not_seated", clause=clause
        )
    if holder is not None and holder != player:
        raise Refusal(f"seat {command.seat} is {plain(holder)}'s", code="seat_taken", clause=clause)
    if holder is None and table.round.phase == "betting":
        own = {number for number, name in table.seats.items() if name == player}
        played = {seat.number for seat in table.round.seats if seat.player == player}
        check_boxes(player, sorted(own | played | {command.seat}), rules)


def _affordable(table: Table, player: str, cents: int) -> None:
    if cents > 0 and cents > table.rack(player):
        raise Refusal(
            f"{plain(player)} has {dollars(table.rack(player))} on the table, but this takes "
            f"{dollars(cents)}: buy in for more",
            code="not_enough_money",
        )


def can_name_table(name: str) -> bool:
    """Return whether the name is valid for a table, and so for its streams in the journal."""
    try:
        _stream_name("table", name)
    except BadRequest:
        return False
    return True


def _stream_name(thing: str, name: str) -> None:
    check_name_of(thing, name)
    if " " in name:
        raise BadRequest(f"{shown(name)} cannot name a {thing}: write it without spaces")


_DECIDES: Final[dict[type, Callable[..., Events]]] = {
    **dict.fromkeys(get_args(round_commands.RoundCommand), _in_round),
    **dict.fromkeys(get_args(CareCommand), _care),
    round_commands.OpenBetting: _open_betting,
    round_commands.PlaceWagers: _place,
    round_commands.Act: _act,
    round_commands.AnswerAll: _answer_all,
    round_commands.CountChips: _count_chips,
    round_commands.PlaceCoupon: _coupon,
    round_commands.CommitRandomness: _commit,
    round_commands.RepeatWagers: _repeat,
    round_commands.TakeBackAnswer: _take_back_answer,
    AnswerCall: answer_call,
    AskFaceUp: ask_face_up,
    Assign: assign,
    BuyIn: buy_in,
    CallFloor: call_floor,
    CashOut: cash_out,
    ChangeLimits: change_limits,
    CloseTable: close_table,
    ColorUp: color_up,
    Confirm: _confirm,
    Correct: correct,
    Credit: credit,
    Decline: decline,
    EmptyDrop: empty_drop,
    Fill: fill,
    GiveUpSeat: give_up_seat,
    MoreTime: more_time,
    ReopenRound: reopen_round,
    SignCount: sign_count,
    TakeSeat: take_seat,
    Tip: tip,
}
"""The function that decides each command, called with the table, the command, the rules, the actor,
the time and the meters' readings."""
