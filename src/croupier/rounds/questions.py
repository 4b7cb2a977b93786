"""Which of the round's questions are put to a seat, and what it may answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from croupier.errors import RuleBroken, shown
from croupier.rounds.completed import CompletedRound, PlayedSeat
from croupier.rounds.hand_words import least_in_words, or_better
from croupier.rounds.held_hands import hands_of_seat, hands_of_table, least_value, plans_of
from croupier.rounds.state import Round, SeatInRound
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import TAKE_BACK, Decision

__all__ = [
    "Answer",
    "answers_given",
    "answers_of",
    "cannot_be_said",
    "check_allowed",
    "is_lost",
    "is_open",
    "too_weak",
]


class Answer(NamedTuple):
    """A question that is put to a seat, and what it says; None: nothing yet."""

    place: int
    """Among the rulebook's decisions."""
    decision: Decision
    action: str | None


def is_open(
    decision: Decision, placed: Collection[str], decided: Collection[str], back: Collection[str]
) -> bool:
    """Is the question still to be asked where these wagers were placed, put down in play and taken
    back? A bet answers every question about the same wager."""
    if decision.wager in decided:
        return False
    name = decision.takes_back
    return not name or (name not in back and (name in placed or name in decided))


def answers_given(
    decisions: Iterable[Decision], placed: Collection[str], said: Iterable[str]
) -> Iterator[Answer]:
    """The questions that a seat with these wagers is asked, with what it says in turn. Nothing is
    asked after a fold."""
    words = iter(said)
    decided: set[str] = set()
    back: set[str] = set()
    for place, decision in enumerate(decisions):
        if not is_open(decision, placed, decided, back):
            continue
        action = next(words, None)
        yield Answer(place, decision, action)
        if action == "fold":
            return
        if action in decision.bets:
            decided.add(decision.wager)
        elif action == TAKE_BACK and decision.takes_back:
            back.add(decision.takes_back)


def answers_of(seat: SeatInRound, rules: Rules) -> tuple[str, ...]:
    """What the seat has said; what a player who left was still to be asked, they have declined."""
    if not seat.left or seat.folded:
        return seat.actions
    said: list[str] = []
    for answer in answers_given(rules.book.decisions, seat.wagers, seat.actions):
        said.append(answer.action or answer.decision.otherwise)
        if said[-1] == "fold":
            break
    return tuple(said)


def is_lost(state: Round, seat: SeatInRound, rules: Rules) -> bool:
    """Are all wagers of the seat lost with the player who left them: by a floorperson's ruling, or
    because they left a question open and the rulebook has that lose them (MD-37)?"""
    if seat.abandoned or not seat.left or state.void:
        return seat.abandoned
    undecided = len(answers_of(seat, rules)) > len(seat.actions)
    return undecided and rules.book.procedure.left_undecided == "loses"


def cannot_be_said(decision: Decision, action: str) -> RuleBroken:
    """The refusal of a word that the question does not know."""
    return RuleBroken(
        f"{shown(action)} cannot be said at the {decision.name} decision: say "
        f"{' or '.join(decision.answers)}",
        clause=decision.clause,
    )


def check_allowed(
    decision: Decision, action: str, seat: PlayedSeat, played: CompletedRound, rules: Rules
) -> None:
    """Refuse a bet that takes a better hand than the seat has, where its cards are known."""
    weak = too_weak(decision, seat, played, rules).get(action)
    if weak is not None:
        raise RuleBroken(weak, clause=decision.only_with[action].clause or decision.clause)


def too_weak(
    decision: Decision, seat: PlayedSeat, played: CompletedRound, rules: Rules
) -> Mapping[str, str]:
    """The bets that the seat's hand does not allow, each with the reason in a sentence. Cards that
    are not known yet forbid nothing."""
    if not decision.only_with:
        return {}
    plans, counts = plans_of(rules), rules.book.cards
    hands = hands_of_seat(plans, hands_of_table(plans, played), seat)
    found = {}
    for action, least in decision.only_with.items():
        plan = plans[least.hand]
        is_known = all(
            len(hands.place(place)) == (place[1] or getattr(counts, place[0]))
            for place in plan.places
        )
        if is_known and hands[least.hand].value < least_value(plan, least.at_least, least.of):
            found[action] = f"{action} takes {or_better(least_in_words(least))}"
    return found
