"""What a command leads to at a table: who may give it, is the money there, which events follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

import msgspec
from msgspec.structs import replace

from croupier.deck_care.commands import CareCommand
from croupier.deck_care.deciding import check_round, decide_care, deck_for_round
from croupier.errors import BadAmount, BadRequest, Refusal, RuleBroken, plain, shown, suggest
from croupier.money import MOST_CENTS, dollars
from croupier.rounds import commands as round_commands
from croupier.rounds.chip_count import count_for_floor
from croupier.rounds.coupons import MATCH_PLAY, takes_coupons
from croupier.rounds.dealing import irregularity_clause
from croupier.rounds.deciding import decide as decide_round
from croupier.rounds.declaration import Actor, Command, wrong_role
from croupier.rounds.events import Acted, AnswerTakenBack, WagersPlaced
from croupier.rounds.explaining import line_title
from croupier.rounds.legality import check_boxes
from croupier.rounds.payout_limits import net_bounds
from croupier.rounds.state import Round
from croupier.rulebooks.clock import MOST_EXTENSIONS
from croupier.rulebooks.rules import Rules, at_a_table, rules_for, submission_of
from croupier.submissions.approvals import missing_approvals
from croupier.tables.chip_counts import (
    check_adds_up,
    check_count_signed,
    closing_count,
    opening_count,
    sign_count,
    slip_for,
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
    ColourUp,
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
    CashedOut,
    Confirmed,
    Corrected,
    DropEmptied,
    TableClosed,
    TableEvent,
    TableOpened,
    TableStands,
)
from croupier.tables.evolving import chips_needed
from croupier.tables.limits import change_limits
from croupier.tables.state import Table, extensions, is_waited_for, rules_of
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
    """The event that opens a table, for the first time or again under new terms."""
    check_actor(actor, command, None)
    if before is not None and before.is_open:
        raise Refusal(f"table {before.id} is open already", code="already_done")
    _stream_name("table", command.table)
    if command.link:
        _stream_name("link", command.link)
    _amount(command.inventory, "the inventory", least=0)
    count, inventory = opening_count(command, actor, before)
    _amount(inventory, "the inventory", least=0)
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
    """A table that opens by the book offers no wager that its submission had to name and did
    not."""
    stated = submission_of(submission)
    if stated.offered is not None:
        return submission
    return msgspec.json.encode(at_a_table(stated, rules.book)).decode()


def _coupons_looked_at(command: OpenTable, rules: Rules) -> None:
    """A coupon is paper that a dealer takes: with virtual cards a player's word would be money."""
    if command.source == "virtual" and takes_coupons(rules):
        raise RuleBroken(
            "match play coupons are taken at live tables only, where a dealer looks at them: leave "
            "options.match_play out, or open the table with live cards",
            clause=rules.book.procedure.coupon_clause,
        )


def _approved(command: OpenTable, rules: Rules) -> None:
    """What the regulator must have approved is named with number, date and authority."""
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
    """The events of a legal command. `meters` are the progressive's readings now, `rules` the
    table's rules if the caller has them, `at` the time in seconds since 1970. With `wait` the
    command is only proposed, if it is legal."""
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
    """What was proposed happens now, if it is still legal."""
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
    """Only the roles that the document names may give a command; players only for themselves."""
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
    """A dealer reports most irregularities; some need a floorperson to decide."""
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
    """A bet that was taken back goes down again, if its chips are still there."""
    events = decide_round(table.round, command, rules)
    event, seat = events[0], table.round.seat(command.seat)
    assert isinstance(event, AnswerTakenBack)
    assert seat is not None
    _affordable(table, seat.player, -event.cents)
    return events


def _repeat(table: Table, command: round_commands.RepeatWagers, rules: Rules, *_: Any) -> Events:
    """Only those who still sit there and whose chips are enough."""
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
    """At a table of the house a count that differs calls the floor (8.C(3)). Elsewhere it is
    refused, as rehearsals expect it."""
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
    """Only seated players bet: at their own seat, or at an empty one beside it."""
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


def _name(thing: str, name: str) -> None:
    if not (0 < len(name) <= 60 and name.isprintable()) or ":" in name or " " in name[:1]:
        raise BadRequest(
            f"{shown(name)} cannot name a {thing}: write 1 to 60 printable characters, no colon"
        )


def can_name_table(name: str) -> bool:
    """Could a table go by this name? Then its streams in the journal can, too."""
    try:
        _stream_name("table", name)
    except BadRequest:
        return False
    return True


def _stream_name(thing: str, name: str) -> None:
    _name(thing, name)
    if " " in name:
        raise BadRequest(f"{shown(name)} cannot name a {thing}: write it without spaces")


def _amount(cents: int, title: str, least: int = 1) -> None:
    if not least <= cents <= MOST_CENTS:
        raise BadAmount(f"{title}: {dollars(cents)} is not an amount that can change hands")


def _close(table: Table, command: CloseTable, rules: Rules, actor: Actor, *_: Any) -> Events:
    """During a round all bets go back first; once settlement has begun the round is finished."""
    reason = command.void_reason
    if table.round.phase == "over":
        if reason:
            raise Refusal("no round is being played that could be void", code="not_now")
        return (TableClosed(command.reason.strip(), closing_count(table, command, actor)),)
    if not reason.strip():
        raise Refusal(
            "a round is being played: finish it, or say for what reason it is void", code="not_now"
        )
    if command.chips:
        raise Refusal(
            "chips are counted when no round is being played: close the table without a count, or "
            "finish the round first",
            code="not_now",
        )
    void = round_commands.VoidRound(reason)
    closed = TableClosed(command.reason.strip())
    return (*decide_round(table.round, void, rules, by=actor.name), closed)


def _correct(table: Table, command: Correct, rules: Rules, actor: Actor, *_: Any) -> Events:
    last = table.round.number - (table.round.phase != "over")
    if not 1 <= command.round <= last:
        played = f"rounds 1 to {last} are finished" if last else "no round is finished yet"
        raise Refusal(f"round {shown(command.round)} cannot be corrected: {played}", code="not_now")
    _name("player", command.player)
    if not command.reason.strip():
        raise Refusal("say why the round is corrected", code="no_reason")
    lines = (*rules.book.wagers, *rules.book.bonuses, "envy", MATCH_PLAY)
    if command.wager not in lines and table.began > table.opened:
        raise suggest("wager", command.wager, lines)  # a round of before had other rules
    _amount(abs(command.amount), "a correction")
    if command.round == table.round.number:
        check_correction(table.round, command)
    rack = table.rack(command.player)
    away = not table.is_seated(command.player) and not rack
    if command.amount < 0 and -command.amount > rack:
        raise Refusal(
            f"{plain(command.player)} has {dollars(rack)} on the table, and "
            f"{dollars(-command.amount)} is to be taken back",
            code="not_enough_money",
        )
    return (
        Corrected(
            command.round,
            command.seat,
            command.player,
            command.wager,
            command.amount,
            command.reason,
            actor.name,
            away,
            account=away and command.account,
        ),
    )


def check_correction(played: Round, command: Correct | Corrected) -> None:
    """Refuse to correct a wager that was not in the round."""
    seat = played.seat(command.seat)
    where = f"round {played.number}, seat {shown(command.seat)}"
    if seat is None:
        raise Refusal(f"{where}: nobody played there", code="seat_closed")
    if seat.player != command.player:
        raise Refusal(
            f"{where}: {plain(seat.player)} played there, not {plain(command.player)}",
            code="not_yours",
        )
    placed = {*seat.wagers, *seat.decided, *(line.wager for line in seat.lines), "envy"}
    if command.wager not in placed:
        raise Refusal(f"{where}: nothing was on {shown(command.wager)}", code="nothing_there")


def check_correction_amount(
    played: Round, command: Correct, earlier: int, rules: Rules, meters: Mapping[str, int]
) -> None:
    """Refuse a sum that the wager could not have won or lost. `earlier`: what was added to it
    before, in cents; `rules` and `meters`: those of the round."""
    seat = played.seat(command.seat)
    assert seat is not None, "check_correction has looked"
    low, high = net_bounds(played, seat, command.wager, rules, meters)
    settled = sum(line.net for line in seat.lines if line.wager == command.wager)
    after = settled + earlier + command.amount
    if not low <= after <= high:
        title = line_title(command.wager, rules.book)
        raise Refusal(
            f"round {played.number}, seat {command.seat}: with this correction the {title} would "
            f"come to {dollars(after)}, and it could come to between {dollars(low)} and "
            f"{dollars(high)}",
            code="over_limit",
        )


def _take_seat(table: Table, command: TakeSeat, rules: Rules, *_: Any) -> Events:
    _name("player", command.player)
    positions = rules.book.positions
    if not 1 <= command.seat <= positions.most:
        raise RuleBroken(
            f"seat {shown(command.seat)}: seats are numbered 1 to {positions.most}",
            clause=positions.clause,
        )
    if command.seat in table.seats:
        raise Refusal(
            f"seat {command.seat} is {plain(table.seats[command.seat])}'s: take a free one",
            code="seat_taken",
        )
    if table.is_seated(command.player):
        raise Refusal(f"{plain(command.player)} is seated already", code="already_done")
    in_round = table.round.seat(command.seat)
    if in_round is not None and table.round.phase != "over":
        raise Refusal(f"seat {command.seat} has wagers in the round in play", code="seat_taken")
    return (command,)


def _give_up(table: Table, command: GiveUpSeat, rules: Rules, *_: Any) -> Events:
    if table.seats.get(command.seat) != command.player:
        raise Refusal(f"seat {command.seat} is not {plain(command.player)}'s", code="not_yours")
    if table.round.phase != "over" and any(
        seat.player == command.player and not seat.settled and not seat.left
        for seat in table.round.seats
    ):
        raise Refusal(
            f"{plain(command.player)} has wagers in the round in play: take them back or leave the "
            "round first",
            code="in_round",
            clause=rules.book.procedure.stays or None,
        )
    if table.round.phase == "betting" and not table.round.seats and len(table.seats) == 1:
        # Nobody is left to bet. An empty table has no round in play: its cards are spread for the
        # next player.
        void = round_commands.VoidRound("nobody is left at the table")
        return (command, *decide_round(table.round, void, rules, by=command.player))
    return (command,)


def _ask_face_up(table: Table, command: AskFaceUp, rules: Rules, *_: Any) -> Events:
    _name("player", command.player)
    clause = command.role_clause(rules)
    if table.care is None or not table.care.lies_face_down or table.round.phase != "over":
        raise Refusal("no cards lie idle and face down here", code="not_now", clause=clause)
    if table.face_up_for:
        raise Refusal(
            f"{plain(table.face_up_for)} has asked already", code="already_done", clause=clause
        )
    return (command,)


def _more_time(table: Table, command: MoreTime, rules: Rules, *_: Any) -> Events:
    check_more_time(table, command, rules)
    return (command,)


def _buy_in(table: Table, command: BuyIn, rules: Rules, *_: Any) -> Events:
    _amount(command.amount, "a buy-in")
    if not table.is_seated(command.player):
        raise Refusal(
            f"{plain(command.player)} is not seated at this table: take a seat first",
            code="not_seated",
            clause=rules.book.procedure.seated or None,
        )
    _account_is_used(table, command)
    return (command,)


def _account_is_used(table: Table, command: BuyIn | CashOut) -> None:
    goes_back = table.strict and isinstance(command, CashOut)
    if command.account and table.source != "virtual" and not goes_back:
        raise Refusal(
            "accounts with the cashier are for tables with virtual cards: here the dealer takes "
            "cash and gives chips",
            code="wrong_source",
        )


def _on_rack(table: Table, player: str, cents: int, title: str) -> None:
    _amount(cents, title)
    if cents > table.rack(player):
        raise Refusal(
            f"{plain(player)} has {dollars(table.rack(player))} on the table, not {dollars(cents)}",
            code="not_enough_money",
        )


def _cash_out(table: Table, command: CashOut, *_: Any) -> Events:
    cents = table.rack(command.player) if command.amount is None else command.amount
    if not cents and command.amount is None:
        raise Refusal(f"{plain(command.player)} has no chips on the table", code="not_enough_money")
    _on_rack(table, command.player, cents, "a cash-out")
    _account_is_used(table, command)
    return (CashedOut(command.player, cents, command.account),)


def _tip(table: Table, command: Tip, *_: Any) -> Events:
    _on_rack(table, command.player, command.amount, "a tip")
    return (command,)


def _colour_up(table: Table, command: ColourUp, *_: Any) -> Events:
    for chips in (command.gives, command.gets):
        if not chips or any(value <= 0 or count <= 0 for value, count in chips.items()):
            raise BadAmount("chips are exchanged by value and number, both more than 0")
    gives = sum(value * count for value, count in command.gives.items())
    got = sum(value * count for value, count in command.gets.items())
    _on_rack(table, command.player, gives, "a color-up")
    if gives != got:
        raise Refusal(
            f"{dollars(gives)} in chips cannot be changed into {dollars(got)}", code="not_equal"
        )
    return (command,)


def _fill(table: Table, command: Fill, *_: Any) -> Events:
    _amount(command.amount, "a fill")
    check_adds_up(command.chips, command.amount, "the fill")
    return (command, *slip_for(table, command)[1])


def _credit(table: Table, command: Credit, *_: Any) -> Events:
    _amount(command.amount, "a credit")
    check_adds_up(command.chips, command.amount, "the credit")
    numbered = slip_for(table, command)[1]
    there = table.money.get("inventory", 0)
    if command.amount > there:
        raise Refusal(f"the inventory holds {dollars(there)}", code="not_enough_money")
    return (command, *numbered)


def _empty_drop(table: Table, command: EmptyDrop, *_: Any) -> Events:
    slip, numbered = slip_for(table, command)
    drop, tips = table.money.get("drop", 0), table.money.get("tips", 0)
    if not drop and not tips:
        raise Refusal("the drop box and the tip box are empty", code="nothing_there")
    check_adds_up(command.chips, drop + tips, "what the boxes hold")
    return (DropEmptied(drop, tips, slip), *numbered)


def _reopen(table: Table, command: ReopenRound, *_: Any) -> Events:
    last = table.round.number - (table.round.phase != "over")
    if command.round > last:
        raise Refusal(f"round {command.round} is not finished", code="not_now")
    if command.round in table.reopened:
        raise Refusal(f"round {command.round} is open to corrections already", code="already_done")
    if not command.reason.strip():
        raise Refusal("say why the round is opened to corrections", code="no_reason")
    return (command,)


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
    AskFaceUp: _ask_face_up,
    Assign: assign,
    BuyIn: _buy_in,
    CallFloor: call_floor,
    CashOut: _cash_out,
    ChangeLimits: change_limits,
    CloseTable: _close,
    ColourUp: _colour_up,
    Confirm: _confirm,
    Correct: _correct,
    Credit: _credit,
    Decline: decline,
    EmptyDrop: _empty_drop,
    Fill: _fill,
    GiveUpSeat: _give_up,
    MoreTime: _more_time,
    ReopenRound: _reopen,
    SignCount: sign_count,
    TakeSeat: _take_seat,
    Tip: _tip,
}
"""What decides each command, called with the table, the command, the rules, who gives it, the time
and the meters' readings."""


def check_more_time(table: Table, command: MoreTime, rules: Rules) -> None:
    """Refuse where no clock runs for the player, or where it was put back often enough."""
    state, clock = table.round, rules.clock
    clocks = {"betting": clock and clock.betting, "deciding": clock and clock.decision}
    if clock is None or not clocks.get(state.phase, True):
        raise Refusal("no clock runs here: take your time", code="no_clock")
    if state.phase not in clocks:
        raise Refusal("nobody is asked anything now", code="not_now")
    if state.phase == "betting":
        theirs = table.seats.get(command.seat)
    else:
        if command.seat != state.turn:
            raise Refusal(f"seat {state.turn} is asked now, not {command.seat}", code="not_now")
        seat = state.seat(command.seat)
        theirs = seat.player if seat is not None else None
    if theirs != command.player:
        raise Refusal(f"seat {command.seat} is not {plain(command.player)}'s", code="not_yours")
    if not is_waited_for(table, command.player):
        raise Refusal("nobody waits for you: no clock runs", code="no_clock")
    if extensions(table) >= MOST_EXTENSIONS:
        raise Refusal(
            f"more time was given {MOST_EXTENSIONS} times already: after that a player who does "
            "not answer declines",
            code="over_limit",
        )
