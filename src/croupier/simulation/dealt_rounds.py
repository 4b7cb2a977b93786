"""A single round from a shuffled deck, without a table: for demonstrations and examples."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from croupier.cards import Card
from croupier.rounds.round_flow import answers_given
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision

GiveAnswer: TypeAlias = Callable[[Decision, PlayedSeat, CompletedRound, Rules], str]
"""Return a seat's answer to a question. `seat.actions` holds its earlier answers. The function gets
the whole round and must look only at the cards the seat may see."""


def dealt_round(
    rules: Rules, chance: random.Random, placed: Sequence[Mapping[str, int]], answer: GiveAnswer
) -> CompletedRound:
    """Deal a round from a shuffled deck with these wagers (in cents) at each seat, and make every
    decision."""
    deck = list(cards_of(rules.book.deck))
    chance.shuffle(deck)
    counts = rules.book.cards

    def take(count: int) -> tuple[Card, ...]:
        taken, deck[:] = tuple(deck[:count]), deck[count:]
        return taken

    holdings = [take(counts.player) for _ in placed]
    dealer, community, box = take(counts.dealer), take(counts.community), take(counts.box)
    dealt = CompletedRound(
        seats=tuple(
            PlayedSeat(number, f"seat {number}", cards, wagers, ())
            for number, (cards, wagers) in enumerate(zip(holdings, placed, strict=True), start=1)
        ),
        community=community,
        dealer=dealer,
        box=box,
    )
    return replace(
        dealt, seats=tuple([_played(seat, dealt, rules, answer) for seat in dealt.seats])
    )


def _played(
    seat: PlayedSeat, dealt: CompletedRound, rules: Rules, answer: GiveAnswer
) -> PlayedSeat:
    """Return the seat with every question answered."""
    while True:
        questions = answers_given(rules.book.decisions, seat.wagers, seat.actions)
        decision = next(
            (question.decision for question in questions if question.action is None), None
        )
        if decision is None:
            return seat
        said = answer(decision, seat, dealt, rules)
        seat = replace(seat, actions=(*seat.actions, said))
