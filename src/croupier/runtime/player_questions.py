"""The question a player must answer, from what that player sees, and its exact solution."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from croupier.cards import DECK, RANKS, Card
from croupier.errors import CroupierError, Refusal, Unsolvable
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.views import RoundView, Viewer, view
from croupier.rulebooks.rules import Rules, rules_for
from croupier.tables.state import Table, rules_of

if TYPE_CHECKING:
    from croupier.mathematics.questions.situation import Situation

ExactValues = dict[str, tuple[int, int]]
"""Value of each action as numerator and denominator, which are easier to serialize than
fractions."""


class Played(NamedTuple):
    """The rules of a table, as the journal keeps them."""

    rulebook: str
    rulebook_text: str
    submission: str


class Question(NamedTuple):
    """What a player sees at a decision, and the rules in force."""

    rulebook: str
    rulebook_text: str
    submission: str
    decision: str
    own: tuple[int, ...]
    community: tuple[int, ...]
    known: tuple[int, ...] = ()
    """Other players' cards that lie face up."""
    said: tuple[str, ...] = ()
    """The answers given so far."""
    dealer: tuple[int, ...] = ()
    """The dealer's cards that lie face up."""


def question_for(table: Table, number: int) -> Question:
    """Return the question for the seat whose turn it is; refuse any other seat."""
    state, rules = table.round, rules_of(table)
    seat = state.seat(number)
    if state.phase != "deciding" or state.turn != number or seat is None:
        raise Refusal(f"seat {number} is not asked now", code="out_of_turn")
    step = flow_of(rules).steps[state.step]
    assert isinstance(step, Ask)
    # Taken from the view, so that advice uses only what the player sees.
    seen = view(state, Viewer("player", seat.player), rules)
    return Question(
        table.rulebook,
        table.rulebook_text,
        table.submission,
        step.decision.name,
        tuple([int(card) for card in seat.cards[: state.looked]]),
        tuple([int(card) for card in state.community[: state.exposed]]),
        _known(seen, number) if rules.book.dealer is None else (),
        seat.actions,
        tuple([int(card) for card in seen.dealer if card is not None]),
    )


def _known(seen: RoundView, number: int) -> tuple[int, ...]:
    """Return other players' cards that lie face up."""
    others = [seat for seat in seen.seats if seat.number != number]
    return tuple([int(c) for seat in others for c in seat.cards if c is not None])


def answer(question: Question) -> ExactValues:
    """Return the exact value of each action. Loads the solvers, and may solve the game first, so
    run it in another process."""
    from croupier.mathematics.questions.registry import advise

    values = advise(_rules(question), _situation(question)).values
    return {said: (value.numerator, value.denominator) for said, value in values.items()}


_prepared: Final[set[type]] = set()
"""Solvers already prepared in this process."""


def prepare(played: Played) -> bool:
    """Have the game's solver compile its code by asking it at every decision; return True. Return
    False if it is prepared already, or if no solver supports the game. Run it in another
    process."""
    from croupier.mathematics.game.course import seen_at
    from croupier.mathematics.questions.registry import advise, solver_for
    from croupier.mathematics.questions.situation import Situation

    rules = rules_for(*played)
    try:
        solver = type(solver_for(rules))
    except Unsolvable:
        return False
    if solver in _prepared:
        return False
    for decision, (own, shown) in zip(rules.book.decisions, seen_at(rules.book), strict=True):
        deck = (card for card in DECK if RANKS[card.rank] in rules.book.deck.ranks)
        hands = [list(islice(deck, count)) for count in (own, shown, decision.sees_dealer)]
        with suppress(CroupierError):
            advise(rules, Situation(hands[0], hands[1], (), decision.name, None, hands[2]))
    _prepared.add(solver)
    return True


def beaten_dealers(question: Question) -> tuple[int, int, int]:
    """Return the number of deals in which the player's hand beats the dealer's, the number of ties,
    and the total; zeros if they are not counted. Loads the solvers."""
    from croupier.mathematics.questions.registry import showdown

    return showdown(_rules(question), _situation(question)) or (0, 0, 0)


def _rules(question: Question) -> Rules:
    return rules_for(question.rulebook, question.rulebook_text, question.submission)


def _situation(question: Question) -> Situation:
    from croupier.mathematics.questions.situation import Situation

    own, community, known, dealer = (
        [Card(card) for card in cards]
        for cards in (question.own, question.community, question.known, question.dealer)
    )
    if len(own) < _rules(question).book.cards.player:
        known = []  # others' cards are turned up only with the last of the player's own
    return Situation(own, community, known, question.decision, question.said, dealer)
