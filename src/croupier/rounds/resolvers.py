"""Resolvers: the general ways to settle a wager, among which a rulebook chooses.

A resolver looks at one wager of one seat and returns what becomes of it. It is built once from the
rulebook and then used for every round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.money import Fixed, For, MeterShare, Pays, Push, To, parse_pays
from croupier.rounds.held_hands import Hands
from croupier.rounds.paytable_lines import PaidLine, PaidTable, Test, matcher, pattern_named
from croupier.rounds.state import LineRecord, Reason, ReasonCode, Result, Stakes
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    AllWon,
    EitherHandBeaten,
    Follows,
    HighestHand,
    Outcome,
    Showdown,
    VersusDealer,
    VersusPaytable,
    Wager,
)


class Ruling(msgspec.Struct, frozen=True, eq=False):
    """The result of a wager before money is counted: `pays` says how much on a win.

    A resolver has only a few rulings and returns the same objects again and again.
    """

    result: Result
    clause: str
    reason: Reason
    pays: Pays | None = None
    stake_stays: bool = True
    written: dict[int, LineRecord] = {}
    """Cache of the lines that the settlement made of this ruling, by stake."""


class SettlingTable(msgspec.Struct, frozen=True):
    """The state that all seats share while a round is settled."""

    hands: Hands
    seats: tuple[Hands, ...]
    qualifies: bool
    dealer_value: int
    """The value of the dealer's hand; 0 if there is no dealer."""
    dealt: int
    """The number of players' hands dealt, including those that became void later."""
    common: dict[object, Ruling]
    """Rulings that are the same for every seat."""


class SettlingSeat(msgspec.Struct, frozen=True):
    """A seat being settled, with the rulings made so far."""

    hands: Hands
    stakes: Stakes
    rulings: dict[str, Ruling]


Resolve: TypeAlias = Callable[[SettlingSeat, SettlingTable], Ruling]


def resolver_of(name: str, rules: Rules) -> Resolve:
    """Return the resolver of a wager, wrapped in its rulebook's rules for a fold and for a wager
    taken back."""
    wager = rules.book.wagers[name]
    resolve = _unless_folded(wager, _resolver(wager, rules))
    clauses = {d.clause for d in rules.book.decisions if d.takes_back == name}
    if not clauses:
        return resolve
    returned = {clause: Ruling("push", clause, Reason("taken_back")) for clause in clauses}

    def unless_taken_back(seat: SettlingSeat, table: SettlingTable) -> Ruling:
        clause = seat.stakes.taken_back.get(name)
        return resolve(seat, table) if clause is None else returned[clause]

    return unless_taken_back


def _unless_folded(wager: Wager, resolve: Resolve) -> Resolve:
    if wager.after_fold == "stands":
        return resolve
    gone = Ruling("lose", wager.after_fold_clause or wager.clause, Reason("folded"))
    return lambda seat, table: gone if seat.stakes.folded else resolve(seat, table)


def _resolver(wager: Wager, rules: Rules) -> Resolve:
    match wager.settles:
        case VersusDealer():
            return _versus_dealer(wager.settles, rules)
        case VersusPaytable():
            return _versus_paytable(wager.settles, rules)
        case EitherHandBeaten():
            return _either_hand_beaten(wager.settles, rules)
        case HighestHand():
            return _highest_hand(wager.settles, rules)
        case AllWon():
            return _all_won(wager.settles, rules)
        case Follows():
            return _follows(wager.settles)


def _table(rules: Rules, family: str, table_id: str | None = None) -> PaidTable:
    return PaidTable(rules.paytable(family, table_id), rules.book.patterns)


class _Wins(dict[PaidLine, Ruling]):
    """The ruling for each line of a paytable, created on first use."""

    def __init__(self, reason: Reason, *, stake_stays: bool = True) -> None:
        self._reason = reason
        self._stake_stays = stake_stays

    def __missing__(self, line: PaidLine) -> Ruling:
        result: Result = "push" if isinstance(line.pays, Push) else "win"
        reason = replace(self._reason, line=line.hand)
        made = self[line] = Ruling(result, line.clause, reason, line.pays, self._stake_stays)
        return made


Judge: TypeAlias = Callable[[Hands], Ruling] | Ruling
"""The result of a comparison: always the same ruling, or one that depends on the hand."""


def _versus_dealer(settles: VersusDealer, rules: Rules) -> Resolve:
    assert rules.book.dealer is not None
    own = settles.hand
    given_up: Result = "lose" if settles.folded.do == "collect" else "push"
    folded = Ruling(given_up, settles.folded.clause, Reason("folded"))
    qualified = _showdown(settles.qualified, settles.qualified, own, rules)
    unqualified = _showdown(settles.unqualified or settles.qualified, settles.qualified, own, rules)

    def resolve(seat: SettlingSeat, table: SettlingTable) -> Ruling:
        if seat.stakes.folded:
            return folded
        mine, theirs = seat.hands[own].value, table.dealer_value
        judges = qualified if table.qualifies else unqualified
        judge = judges[0] if mine > theirs else judges[1] if mine == theirs else judges[2]
        return judge if isinstance(judge, Ruling) else judge(seat.hands)

    return resolve


def _showdown(
    showdown: Showdown, qualified: Showdown, own: str, rules: Rules
) -> tuple[Judge, Judge, Judge]:
    codes: tuple[ReasonCode, ...] = ("beat_dealer", "tied_dealer", "lost_to_dealer")
    # The dealer's hand is the reason if even a higher hand only gets its stake back, or if the
    # outcome differs from that against a dealer who qualifies.
    waived = showdown.higher.do == "return"
    outcomes = (showdown.higher, showdown.equal, showdown.lower)
    usual = (qualified.higher, qualified.equal, qualified.lower)
    higher, equal, lower = (
        _judge(
            outcome,
            "dealer_did_not_qualify"
            if (waived and outcome.do == "return") or _differs(outcome, usual_outcome)
            else code,
            own,
            rules,
        )
        for outcome, usual_outcome, code in zip(outcomes, usual, codes, strict=True)
    )
    return higher, equal, lower


def _differs(outcome: Outcome, usual: Outcome) -> bool:
    """Return whether the outcome does something else with the wager than the usual one. A paytable
    without a line for a bad beat falls through to its last outcome, so only that one is
    compared."""
    if outcome.do == usual.do:
        return outcome.do == "pay" and outcome.paytable != usual.paytable
    last = usual.otherwise if usual.otherwise is not None else usual
    return outcome.do != last.do


def _judge(outcome: Outcome, code: ReasonCode, own: str, rules: Rules) -> Judge:
    if outcome.do == "collect":
        return _collect(outcome, Reason(code, own), rules)
    if outcome.do == "return":
        return Ruling("push", outcome.clause, Reason(code, own))
    reason = Reason(code, own, outcome.paytable)
    table = _table(rules, outcome.paytable)
    unpaid = _unpaid(outcome.otherwise, reason, table.clause, rules)
    won = _Wins(reason, stake_stays=outcome.stake_stays)
    ready = {
        category: unpaid if line is None else won[line] for category, line in table.at_once.items()
    }

    def pay(hands: Hands) -> Ruling:
        judge = ready.get(hands[own].name)
        if judge is None:
            line = table.line(hands, own)
            judge = unpaid if line is None else won[line]
        return judge if isinstance(judge, Ruling) else judge(hands)

    return pay


def _unpaid(otherwise: Outcome | None, reason: Reason, clause: str, rules: Rules) -> Judge:
    """Return the ruling for a hand without a line in the paytable."""
    if otherwise is None:
        return Ruling("lose", clause, reason)
    if otherwise.do == "pay":
        return _judge(otherwise, reason.code, reason.hand, rules)
    if otherwise.do == "collect":
        return _collect(otherwise, reason, rules)
    return Ruling("push", otherwise.clause, reason)


def _collect(outcome: Outcome, reason: Reason, rules: Rules) -> Judge:
    own = reason.hand
    lost = Ruling("lose", outcome.clause, reason)
    apart = [
        (matcher(pattern_named(name, rules.book.patterns)), Ruling("lose", clause, reason))
        for name, clause in outcome.clause_on.items()
    ]

    if not apart:
        return lost

    def collect(hands: Hands) -> Ruling:
        for test, ruling in apart:
            if test is None or test(hands, own):
                return ruling
        return lost

    return collect


def _versus_paytable(settles: VersusPaytable, rules: Rules) -> Resolve:
    own = settles.hand
    table = PaidTable(rules.paytable(settles.paytable), rules.book.patterns, settles.tested_first)
    returned = _returned(settles.returns, rules)
    reason = Reason("hand_paid", own, settles.paytable)
    lost = Ruling("lose", settles.lost, replace(reason, code="below_paytable"))
    pushed = Ruling("push", table.clause, replace(reason, code="hand_returned"))
    won = _Wins(reason)
    ready = {
        category: lost if line is None else won[line]
        for category, line in table.at_once.items()
        if line is not None or returned is None
    }

    def resolve(seat: SettlingSeat, _: SettlingTable) -> Ruling:
        ruling = ready.get(seat.hands[own].name)
        if ruling is not None:
            return ruling
        line = table.line(seat.hands, own)
        if line is not None:
            return won[line]
        return pushed if returned is not None and returned(seat.hands, own) else lost

    return resolve


def _returned(names: tuple[str, ...], rules: Rules) -> Test | None:
    """Return a test for the hands that push although the table does not list them, or None if there
    are none."""
    matchers = [matcher(pattern_named(name, rules.book.patterns)) for name in names]
    tests = [test for test in matchers if test is not None]
    return (lambda hands, own: any(test(hands, own) for test in tests)) if tests else None


def _either_hand_beaten(settles: EitherHandBeaten, rules: Rules) -> Resolve:
    assert rules.book.dealer is not None
    own, against = settles.hand, rules.book.dealer.hand
    table = _table(rules, settles.paytable)
    player_only = settles.loser == "player_only"
    lost = Ruling("lose", settles.lost, Reason("no_bad_beat", own, settles.paytable))
    mine_beaten = _Wins(Reason("bad_beat", own, settles.paytable))
    theirs_beaten = _Wins(Reason("bad_beat", against, settles.paytable))

    def resolve(seat: SettlingSeat, shared: SettlingTable) -> Ruling:
        mine, theirs = seat.hands[own].value, shared.dealer_value
        if mine == theirs or (player_only and mine > theirs):
            return lost
        beaten, won = (own, mine_beaten) if mine < theirs else (against, theirs_beaten)
        line = table.line(seat.hands, beaten)
        return lost if line is None else won[line]

    return resolve


def _highest_hand(settles: HighestHand, rules: Rules) -> Resolve:
    own = settles.hand
    dealer = rules.book.dealer
    tables = {
        int(hands): _table(rules, settles.paytable, hands)
        for hands in rules.book.paytables[settles.paytable]
    }
    returned = _returned(settles.returns, rules)
    reasons: dict[int, Reason] = {
        count: Reason("best_hand_paid", own, settles.paytable, str(count)) for count in tables
    }
    won = {count: _Wins(reason) for count, reason in reasons.items()}
    lost = {
        count: Ruling("lose", settles.lost, replace(reason, code="best_hand_unpaid"))
        for count, reason in reasons.items()
    }
    pushed = {
        count: Ruling("push", table.clause, replace(reasons[count], code="best_hand_returned"))
        for count, table in tables.items()
    }

    def resolve(_: SettlingSeat, shared: SettlingTable) -> Ruling:
        ruling = shared.common.get(resolve)
        if ruling is None:
            ruling = shared.common[resolve] = resolve_for_all(shared)
        return ruling

    def resolve_for_all(shared: SettlingTable) -> Ruling:
        best = max(shared.seats, key=lambda hands: hands[own].value)
        name, count = own, shared.dealt
        if dealer is not None:
            count += 1
            if shared.dealer_value > best[own].value:
                name = dealer.hand
        table = tables[count]
        line = table.line(best, name)
        if line is not None:
            return won[count][line]
        return pushed[count] if returned is not None and returned(best, name) else lost[count]

    return resolve


def _all_won(settles: AllWon, rules: Rules) -> Resolve:
    line = PaidLine(rules.paytable(settles.paytable).lines[0], "all of them won")
    won = _Wins(Reason("all_won", table=settles.paytable))[line]
    lost = Ruling("lose", settles.lost, Reason("not_all_won", table=settles.paytable))

    def resolve(seat: SettlingSeat, _: SettlingTable) -> Ruling:
        for name in settles.wagers:
            if seat.rulings[name].result != "win":
                return lost
        return won

    return resolve


def _follows(settles: Follows) -> Resolve:
    pays = parse_pays(settles.pays) if settles.pays else None
    following: dict[Ruling, Ruling] = {}

    def resolve(seat: SettlingSeat, _: SettlingTable) -> Ruling:
        led = seat.rulings[settles.wager]
        if led not in following:
            following[led] = follow(led)
        return following[led]

    def follow(led: Ruling) -> Ruling:
        paid = pays if led.result == "win" and pays is not None else led.pays
        clause = settles.lost if led.result == "lose" else led.clause
        reason = replace(led.reason, follows=settles.wager)
        return Ruling(led.result, clause, reason, paid, led.stake_stays)

    return resolve


def net_of(
    ruling: Ruling,
    stake: int,
    meters: dict[str, int],
    resets: Mapping[str, int],
    *,
    taken_before_deal: bool,
) -> int:
    """Return the change in the player's money from the wager. A share of a meter is deducted from
    the meter at once."""
    if ruling.result == "lose":
        return -stake
    pays = ruling.pays
    if ruling.result == "push" or pays is None:
        return 0
    gone = stake if taken_before_deal or not ruling.stake_stays else 0
    match pays:
        case To():
            # Odds "to" return the stake even if the chip is already in the tray (MD-22).
            return pays.winnings(stake) - (0 if ruling.stake_stays else stake)
        case For():
            return pays.winnings(stake)
        case Fixed():
            return pays.cents - gone
        case MeterShare():
            award = pays.award(meters[pays.meter])
            meters[pays.meter] = (
                resets[pays.meter] if pays.percent == 100 else meters[pays.meter] - award
            )
            return award - gone
        case Push():
            return 0
