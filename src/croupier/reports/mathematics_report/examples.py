"""Example rounds: a win, a loss, a tie, and a fold, dealt from numbered seeds and settled."""

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

KINDS: Final = ("win", "loss", "tie", "fold")
_MOST_DEALT: Final = 4_000
_BEST_DEALT: Final = 150
"""The best play takes longer to compute, so only the first deals ask for it."""


def examples_of(rules: Rules) -> tuple[ExampleRound, ...]:
    """Return the first deal of each result under the best play; fast answers select the deals to
    try. Without a solver, the fast answers play the examples."""
    try:
        best: GiveAnswer | None = _answers_of(strategy_by_name(rules, "optimal"))
    except Unsolvable:
        best = None
    wagers = smallest_wagers(rules)
    examples: dict[str, ExampleRound] = {}
    wanted = [result for result in KINDS if result != "fold" or _can_fold(rules)]
    for number in range(1, _MOST_DEALT + 1):
        tried = (_first, _last, *((best,) if best and number <= _BEST_DEALT else ()))
        for quick in tried:
            result = _kind(*_played(rules, number, wagers, quick), rules)
            if result in examples or result not in wanted:
                continue
            played, settlement = _played(rules, number, wagers, best or quick)
            if _kind(played, settlement, rules) == result:
                examples[result] = _example(result, played, settlement, rules)
        if len(examples) == len(wanted):
            break
    return tuple(examples[result] for result in wanted if result in examples)


def _can_fold(rules: Rules) -> bool:
    return any(decision.otherwise == "fold" for decision in rules.book.decisions)


def _played(
    rules: Rules, number: int, wagers: Mapping[str, int], answer: GiveAnswer
) -> tuple[CompletedRound, Settlement]:
    played = dealt_round(rules, random.Random(f"example {number}"), [wagers], answer)
    return played, settle(played, rules)


def _first(decision: Decision, seat: PlayedSeat, dealt: CompletedRound, rules: Rules) -> str:
    """Return the first bet that the hand allows."""
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
    """Return the combined result of the main game's wagers."""
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
    result: str, played: CompletedRound, settlement: Settlement, rules: Rules
) -> ExampleRound:
    (seat,), (outcome,) = played.seats, settlement.seats
    hands, dealer = holdings_of(outcome, settlement), settlement.dealer
    qualifies = dealer is None or rules.book.dealer is None or dealer.qualifies
    shown = "" if dealer is None else dealer.words
    return ExampleRound(
        shows=result,
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
