"""Seats, money, corrections and limits at a table: the events of each of these commands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from croupier.errors import BadAmount, BadRequest, Refusal, RuleBroken, plain, shown, suggest
from croupier.money import MOST_CENTS, dollars, format_cents
from croupier.rounds import commands as round_commands
from croupier.rounds.coupons import MATCH_PLAY
from croupier.rounds.deciding import decide as decide_round
from croupier.rounds.declaration import Actor
from croupier.rounds.explaining import line_title
from croupier.rounds.payout_limits import net_bounds
from croupier.rounds.state import Round
from croupier.rulebooks.clock import MOST_EXTENSIONS
from croupier.rulebooks.rules import Rules, rules_for, submission_of
from croupier.rulebooks.submission import Limits
from croupier.submissions.findings import limit_findings, payout_limit_findings
from croupier.tables.chip_counts import (
    check_adds_up,
    closing_count,
    slip_for,
)
from croupier.tables.commands import (
    AskFaceUp,
    BuyIn,
    CashOut,
    ChangeLimits,
    CloseTable,
    ColorUp,
    Correct,
    Credit,
    EmptyDrop,
    Fill,
    GiveUpSeat,
    MoreTime,
    ReopenRound,
    TakeSeat,
    Tip,
)
from croupier.tables.events import (
    CashedOut,
    Corrected,
    DropEmptied,
    LimitsChanged,
    TableClosed,
    TableEvent,
)
from croupier.tables.state import Table, extensions, is_waited_for, rules_of

Events = tuple[TableEvent, ...]


def check_name_of(thing: str, name: str) -> None:
    if not (0 < len(name) <= 60 and name.isprintable()) or ":" in name or " " in name[:1]:
        raise BadRequest(
            f"{shown(name)} cannot name a {thing}: write 1 to 60 printable characters, no colon"
        )


def check_amount(cents: int, title: str, least: int = 1) -> None:
    if not least <= cents <= MOST_CENTS:
        raise BadAmount(f"{title}: {dollars(cents)} is not an amount that can change hands")


def close_table(table: Table, command: CloseTable, rules: Rules, actor: Actor, *_: Any) -> Events:
    """Close the table. During a round all bets are returned first; once settlement has begun, the
    round must be finished."""
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


def correct(table: Table, command: Correct, rules: Rules, actor: Actor, *_: Any) -> Events:
    last = table.round.number - (table.round.phase != "over")
    if not 1 <= command.round <= last:
        played = f"rounds 1 to {last} are finished" if last else "no round is finished yet"
        raise Refusal(f"round {shown(command.round)} cannot be corrected: {played}", code="not_now")
    check_name_of("player", command.player)
    if not command.reason.strip():
        raise Refusal("say why the round is corrected", code="no_reason")
    lines = (*rules.book.wagers, *rules.book.bonuses, "envy", MATCH_PLAY)
    if command.wager not in lines and table.began > table.opened:
        raise suggest(
            "wager", command.wager, lines
        )  # rounds before the last opening may have had other wagers
    check_amount(abs(command.amount), "a correction")
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
    """Refuse a sum that the wager could not have won or lost. `earlier` is the total of earlier
    corrections to it, in cents; `rules` and `meters` are those of the round."""
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


def take_seat(table: Table, command: TakeSeat, rules: Rules, *_: Any) -> Events:
    check_name_of("player", command.player)
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


def give_up_seat(table: Table, command: GiveUpSeat, rules: Rules, *_: Any) -> Events:
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
        # Nobody is left to bet. An empty table has no round in play; its cards are spread for the
        # next player.
        void = round_commands.VoidRound("nobody is left at the table")
        return (command, *decide_round(table.round, void, rules, by=command.player))
    return (command,)


def ask_face_up(table: Table, command: AskFaceUp, rules: Rules, *_: Any) -> Events:
    check_name_of("player", command.player)
    clause = command.role_clause(rules)
    if table.care is None or not table.care.lies_face_down or table.round.phase != "over":
        raise Refusal("no cards lie idle and face down here", code="not_now", clause=clause)
    if table.face_up_for:
        raise Refusal(
            f"{plain(table.face_up_for)} has asked already", code="already_done", clause=clause
        )
    return (command,)


def more_time(table: Table, command: MoreTime, rules: Rules, *_: Any) -> Events:
    check_more_time(table, command, rules)
    return (command,)


def buy_in(table: Table, command: BuyIn, rules: Rules, *_: Any) -> Events:
    check_amount(command.amount, "a buy-in")
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
    check_amount(cents, title)
    if cents > table.rack(player):
        raise Refusal(
            f"{plain(player)} has {dollars(table.rack(player))} on the table, not {dollars(cents)}",
            code="not_enough_money",
        )


def cash_out(table: Table, command: CashOut, *_: Any) -> Events:
    cents = table.rack(command.player) if command.amount is None else command.amount
    if not cents and command.amount is None:
        raise Refusal(f"{plain(command.player)} has no chips on the table", code="not_enough_money")
    _on_rack(table, command.player, cents, "a cash-out")
    _account_is_used(table, command)
    return (CashedOut(command.player, cents, command.account),)


def tip(table: Table, command: Tip, *_: Any) -> Events:
    _on_rack(table, command.player, command.amount, "a tip")
    return (command,)


def color_up(table: Table, command: ColorUp, *_: Any) -> Events:
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


def fill(table: Table, command: Fill, *_: Any) -> Events:
    check_amount(command.amount, "a fill")
    check_adds_up(command.chips, command.amount, "the fill")
    return (command, *slip_for(table, command)[1])


def credit(table: Table, command: Credit, *_: Any) -> Events:
    check_amount(command.amount, "a credit")
    check_adds_up(command.chips, command.amount, "the credit")
    numbered = slip_for(table, command)[1]
    there = table.money.get("inventory", 0)
    if command.amount > there:
        raise Refusal(f"the inventory holds {dollars(there)}", code="not_enough_money")
    return (command, *numbered)


def empty_drop(table: Table, command: EmptyDrop, *_: Any) -> Events:
    slip, numbered = slip_for(table, command)
    drop, tips = table.money.get("drop", 0), table.money.get("tips", 0)
    if not drop and not tips:
        raise Refusal("the drop box and the tip box are empty", code="nothing_there")
    check_adds_up(command.chips, drop + tips, "what the boxes hold")
    return (DropEmptied(drop, tips, slip), *numbered)


def reopen_round(table: Table, command: ReopenRound, *_: Any) -> Events:
    last = table.round.number - (table.round.phase != "over")
    if command.round > last:
        raise Refusal(f"round {command.round} is not finished", code="not_now")
    if command.round in table.reopened:
        raise Refusal(f"round {command.round} is open to corrections already", code="already_done")
    if not command.reason.strip():
        raise Refusal("say why the round is opened to corrections", code="no_reason")
    return (command,)


def check_more_time(table: Table, command: MoreTime, rules: Rules) -> None:
    """Refuse if no clock runs for the player, or if it was extended often enough."""
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


# -- limits ----------------------------------------------------------------------------------------


def change_limits(
    table: Table, command: ChangeLimits, _: Rules, actor: Actor, *__: Any
) -> tuple[TableEvent, ...]:
    if table.round.phase != "over":
        raise Refusal(
            "a round is being played: limits change between rounds, so that every player bets "
            "under the same ones",
            code="not_now",
        )
    if not command.minimum and not command.maximum:
        raise Refusal("say which limit is new", code="nothing_there")
    rules = rules_of(table)
    low, high = _followed(rules, command.minimum), _followed(rules, command.maximum)
    terms = _with_limits(table.submission, rules, low, high)
    _check(table, rules, terms)
    usual = table.care.usual_terms if table.care is not None else ""
    usual = _with_limits(usual, rules, low, high) if usual else ""
    return (LimitsChanged(terms, actor.name, usual),)


def _followed(rules: Rules, stated: Mapping[str, int]) -> dict[str, int]:
    """Return the limits with those of wagers that must equal another, unless they are stated
    themselves."""
    for name, cents in stated.items():
        if name not in rules.book.wagers:
            raise suggest("wager", name, rules.book.wagers)
        if cents <= 0:
            raise RuleBroken(
                f"{rules.book.wagers[name].title}: a limit is more than $0", code="bad_limits"
            )
    followers = {
        name: stated[wager.equals]
        for name, wager in rules.book.wagers.items()
        if wager.equals in stated and wager.role == "required"
    }
    return followers | dict(stated)


def _with_limits(text: str, rules: Rules, low: Mapping[str, int], high: Mapping[str, int]) -> str:
    terms = submission_of(text)
    limits = dict(terms.limits)
    for name in {**low, **high}:
        before = limits.get(name, Limits())
        limits[name] = Limits(
            minimum=format_cents(low[name]) if name in low else before.minimum,
            maximum=format_cents(high[name]) if name in high else before.maximum,
        )
    options = dict(terms.options)
    first = rules.required[0]
    if first in low and rules.options.get("minimum_wager") is not None:
        options["minimum_wager"] = format_cents(low[first])  # the same limit under another name
    return msgspec.json.encode(replace(terms, limits=limits, options=options)).decode()


def _check(table: Table, before: Rules, text: str) -> None:
    """Refuse limits that change nothing, or that break a rule of the document that the old limits
    kept."""
    after = rules_for(table.rulebook, table.rulebook_text, text)
    if after.limits == before.limits:
        raise Refusal("the limits are these already", code="already_done")
    terms = submission_of(table.submission)
    known = {*limit_findings(before, terms), *payout_limit_findings(before)}
    for finding in limit_findings(after, submission_of(text)):
        if finding.severity == "error" and finding not in known:
            words = _in_words(finding.message, after)
            raise RuleBroken(words, clause=finding.clause, code="bad_limits")
    for finding in payout_limit_findings(after):
        if finding.severity == "error" and finding not in known:
            raise RuleBroken(
                "the table's payout limit does not fit these limits: "
                f"{_in_words(finding.message, after)}. "
                "Take another minimum, or close the table and open it on a submission with such a "
                "payout limit",
                clause=finding.clause,
                code="bad_limits",
            )


def _in_words(message: str, rules: Rules) -> str:
    """Replace the submission's field names in a finding with the titles of wagers and terms."""
    wagers = rules.book.wagers.items()
    titles = {f"limits.{name}": wager.title for name, wager in wagers}
    titles |= {f"options.{name}": f"the {name.replace('_', ' ')}" for name in rules.book.options}
    return re.sub(r"\b(?:limits|options)\.\w+", lambda at: titles.get(at[0], at[0]), message)
