"""Rounds that show a win, a loss, a tie and a fold, dealt from numbered seeds and settled."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from croupier.cards import format_cards
from croupier.errors import Unsolvable
from croupier.reports.mathematics_report.record import ExampleLine, ExampleRound
from croupier.rounds.explaining import explanation, holdings_of, line_title
from croupier.rounds.legality import smallest_wagers
from croupier.rounds.round_flow import too_weak
from croupier.rounds.settlement import Settlement, settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision
from croupier.runtime.players import TableStrategy, TurnView, strategy_by_name
from croupier.simulation.dealt_rounds import GiveAnswer, dealt_round

__all__ = ["KINDS", "examples_of"]

KINDS: Final = ("win", "loss", "tie", "fold")
_MOST_DEALT: Final = 4_000
_BEST_DEALT: Final = 150
"""The best play takes longer to ask, so it is asked for the first deals only."""


def examples_of(rules: Rules) -> tuple[ExampleRound, ...]:
    """The first deal of each kind under the best play; quick answers pick the deals to try.

    Where no solver knows the best play, the examples are played by the quick answers."""
    try:
        best: GiveAnswer | None = _answers_of(strategy_by_name(rules, "optimal"))
    except Unsolvable:
        best = None
    wagers = smallest_wagers(rules)
    found: dict[str, ExampleRound] = {}
    wanted = [kind for kind in KINDS if kind != "fold" or _can_fold(rules)]
    for number in range(1, _MOST_DEALT + 1):
        tried = (_first, _last, *((best,) if best and number <= _BEST_DEALT else ()))
        for quick in tried:
            kind = _kind(*_played(rules, number, wagers, quick), rules)
            if kind in found or kind not in wanted:
                continue
            played, settlement = _played(rules, number, wagers, best or quick)
            if _kind(played, settlement, rules) == kind:
                found[kind] = _example(kind, played, settlement, rules)
        if len(found) == len(wanted):
            break
    return tuple(found[kind] for kind in wanted if kind in found)


def _can_fold(rules: Rules) -> bool:
    return any(decision.otherwise == "fold" for decision in rules.book.decisions)


def _played(
    rules: Rules, number: int, wagers: Mapping[str, int], answer: GiveAnswer
) -> tuple[CompletedRound, Settlement]:
    played = dealt_round(rules, random.Random(f"example {number}"), [wagers], answer)
    return played, settle(played, rules)


def _first(decision: Decision, seat: PlayedSeat, dealt: CompletedRound, rules: Rules) -> str:
    """The first bet that the hand allows."""
    weak = too_weak(decision, seat, dealt, rules)
    return next((bet for bet in decision.bets if bet not in weak), decision.otherwise)


def _last(decision: Decision, seat: PlayedSeat, dealt: CompletedRound, rules: Rules) -> str:  # noqa: ARG001
    return decision.otherwise


def _answers_of(strategy: TableStrategy) -> GiveAnswer:
    def answer(decision: Decision, seat: PlayedSeat, dealt: CompletedRound, rules: Rules) -> str:
        seen = TurnView(
            seat.cards[: decision.sees_player],
            dealt.community[: decision.sees_community],
            decision,
            seat.actions,
            dealt.dealer[: decision.sees_dealer],
            too_weak(decision, seat, dealt, rules),
        )
        return strategy.action(seen)

    return answer


def _kind(played: CompletedRound, settlement: Settlement, rules: Rules) -> str:
    """What became of the wagers of the main game together."""
    (seat,) = settlement.seats
    if "fold" in played.seats[0].actions:
        return "fold"
    dealer = settlement.dealer
    if dealer is not None and dealer.value == seat.value:
        return "tie"
    book = rules.book
    main = [
        line.net
        for line in seat.lines
        if line.wager in book.wagers and book.wagers[line.wager].role != "optional"
    ]
    net = sum(main)
    if net == 0:
        return "tie" if dealer is None else ""
    return "win" if net > 0 else "loss"


def _example(
    kind: str, played: CompletedRound, settlement: Settlement, rules: Rules
) -> ExampleRound:
    (seat,), (outcome,) = played.seats, settlement.seats
    hands, dealer = holdings_of(outcome, settlement), settlement.dealer
    qualifies = dealer is None or rules.book.dealer is None or dealer.qualifies
    shown = "" if dealer is None else dealer.words
    return ExampleRound(
        shows=kind,
        cards=format_cards(seat.cards),
        community=format_cards(played.community),
        dealer=format_cards(played.dealer),
        dealer_hand=shown if qualifies else f"{shown}, does not qualify",
        player_hand=outcome.words,
        said=", ".join(seat.actions),
        net_cents=outcome.net,
        lines=tuple(
            ExampleLine(
                wager=line_title(line.wager, rules.book),
                stake_cents=line.stake,
                result=line.result,
                net_cents=line.net,
                words=explanation(line, rules, hands),
                clause=line.clause,
            )
            for line in outcome.lines
        ),
    )
