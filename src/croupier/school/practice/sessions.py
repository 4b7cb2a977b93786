"""Practice as it is kept: hands of a secret seed, the answers to the one in play, the score so far.

The seed stays with the server. A client is shown what the player sees and says which hand and which
question an answer is for, so nothing counts twice.
"""

from __future__ import annotations

import secrets
from typing import Final

import msgspec

from croupier.errors import Refusal
from croupier.school.practice.game_figures import MOST_HANDS
from croupier.school.practice.hands import Hand
from croupier.school.practice.pricing import Priced
from croupier.school.practice.scoring import PlayedHand, played
from croupier.school.progress_store import Kind

__all__ = ["SESSIONS", "Session", "answered", "begun", "check_turn", "fresh_seed", "next_hand"]


class Session(msgspec.Struct, frozen=True):
    """`number` is the hand in play, from 1; `answers` and `decisions` are of that hand. `hands` are
    those that are over; the last of them may still lie on the table."""

    game: str
    seed: str
    began_at: str
    number: int = 1
    answers: tuple[str, ...] = ()
    decisions: tuple[Priced, ...] = ()
    hands: tuple[PlayedHand, ...] = ()
    length: int = MOST_HANDS

    @property
    def hand(self) -> Hand:
        return Hand(self.game, self.seed, self.number, self.answers)

    @property
    def is_hand_over(self) -> bool:
        return len(self.hands) == self.number

    @property
    def is_over(self) -> bool:
        return len(self.hands) >= self.length


SESSIONS: Final = Kind("practice session", Session)


def fresh_seed() -> str:
    return secrets.token_hex(16)


def begun(game: str, began_at: str, seed: str | None = None, length: int = MOST_HANDS) -> Session:
    """At its first question. A hand that asks nothing is over at once and is counted."""
    return _past_hands_without_questions(
        Session(game, fresh_seed() if seed is None else seed, began_at, length=length)
    )


def check_turn(session: Session, number: int, place: int) -> None:
    """Is this the question that is asked now? `place` counts the answers of the hand before it."""
    if (number, place) != (session.number, len(session.answers)) or session.is_hand_over:
        raise Refusal(
            f"hand {number}, question {place + 1} is not asked now: it has been answered, or "
            f"another page of yours has gone on. Hand {session.number} is on the table",
            code="already_done",
        )


def answered(session: Session, priced: Priced) -> Session:
    """The question that is asked now, answered."""
    answers, decisions = (*session.answers, priced.said), (*session.decisions, priced)
    hand = Hand(session.game, session.seed, session.number, answers)
    hands = session.hands
    if hand.is_over:
        hands = (*hands, played(decisions, hand.result_cents, hand.unit_cents))
    return msgspec.structs.replace(session, answers=answers, decisions=decisions, hands=hands)


def next_hand(session: Session, number: int) -> Session:
    """After hand `number`, which is over."""
    if number != session.number or not session.is_hand_over:
        raise Refusal(
            f"hand {number} is not the one to go on from: hand {session.number} is on the table",
            code="already_done" if number < session.number else "not_now",
        )
    if session.is_over:
        raise Refusal(f"these were all {session.length} hands: begin anew", code="not_now")
    moved = msgspec.structs.replace(session, number=session.number + 1, answers=(), decisions=())
    return _past_hands_without_questions(moved)


def _past_hands_without_questions(session: Session) -> Session:
    hand = session.hand
    if not hand.is_over:
        return session
    done = played((), hand.result_cents, hand.unit_cents)
    return msgspec.structs.replace(session, hands=(*session.hands, done))
