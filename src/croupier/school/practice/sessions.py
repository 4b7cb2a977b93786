"""Practice as it is kept: hands of a secret seed, the answers to the one in play, the score so far.

The seed stays with the server. A client is shown what the player sees and says which hand and which
question an answer is for, so nothing counts twice. There are five modes of one thing: `play` (whole
hands), `daily` (one hand, the same for everybody on a day), `exam` (100 hands, nothing told before
the end), `flash` (single questions of a street) and `leaks` (single questions in situations that
are due).
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from croupier.errors import Refusal, suggest
from croupier.ledger.entries import stamp
from croupier.school.practice.game_figures import MOST_HANDS
from croupier.school.practice.hands import Hand
from croupier.school.practice.pricing import Priced
from croupier.school.practice.scoring import PlayedHand, played
from croupier.school.practice.spots import Spot
from croupier.school.progress_store import Kind

__all__ = [
    "EXAM_HANDS",
    "MODES",
    "SESSIONS",
    "Mode",
    "Session",
    "answered",
    "begun",
    "check_turn",
    "checked_mode",
    "daily_seed",
    "fresh_seed",
    "key_of",
    "next_hand",
    "with_spot",
]

Mode: TypeAlias = Literal["play", "daily", "exam", "flash", "leaks"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
EXAM_HANDS: Final = 100
_LENGTHS: Final[dict[Mode, int]] = {
    "play": MOST_HANDS,
    "daily": 1,
    "exam": EXAM_HANDS,
    "flash": 1000,
    "leaks": 1000,
}


class Session(msgspec.Struct, frozen=True):
    """`number` is the hand in play, from 1; `answers` and `decisions` are of that hand. `hands` are
    those that are over; the last of them may still lie on the table. Of a single question, `dealt`
    is the hand of the seed and `start` what was answered before."""

    game: str
    mode: Mode
    seed: str
    began_at: str
    number: int = 1
    answers: tuple[str, ...] = ()
    decisions: tuple[Priced, ...] = ()
    hands: tuple[PlayedHand, ...] = ()
    past: tuple[tuple[str, ...], ...] = ()
    """The answers of the hands before this one."""
    street: str = ""
    dealt: int = 0
    start: tuple[str, ...] = ()
    ended_at: str = ""
    certificate: str = ""

    @property
    def is_single(self) -> bool:
        """One question at a time."""
        return self.mode in ("flash", "leaks")

    @property
    def length(self) -> int:
        return _LENGTHS[self.mode]

    @property
    def hand(self) -> Hand:
        return self._hand(self.answers)

    def _hand(self, answers: tuple[str, ...]) -> Hand:
        said = (*self.start, *answers)
        return Hand(self.game, self.seed, self.dealt or self.number, said)

    @property
    def is_hand_over(self) -> bool:
        return len(self.hands) == self.number

    @property
    def is_over(self) -> bool:
        return len(self.hands) >= self.length

    @property
    def all_answers(self) -> tuple[tuple[str, ...], ...]:
        return (*self.past, self.answers)

    def after(self, priced: Priced) -> Session:
        """The question that is asked now, answered."""
        answers, decisions = (*self.answers, priced.said), (*self.decisions, priced)
        hands = self.hands
        if self.is_single:
            hands = (*hands, PlayedHand(0, 1, int(priced.is_right), str(priced.cost), "0"))
        elif (hand := self._hand(answers)).is_over:
            hands = (*hands, played(decisions, hand.result_cents, hand.unit_cents))
        return msgspec.structs.replace(self, answers=answers, decisions=decisions, hands=hands)


SESSIONS: Final = Kind("practice session", Session)


def checked_mode(mode: str) -> Mode:
    for known in MODES:
        if mode == known:
            return known
    raise suggest("mode", mode, MODES)


def key_of(game: str, mode: Mode, day: str = "") -> str:
    """Where a session is kept; a daily hand is one of its day."""
    return f"{game}/{mode}/{day}" if mode == "daily" else f"{game}/{mode}"


def fresh_seed() -> str:
    return secrets.token_hex(16)


def daily_seed(day: str) -> str:
    return f"daily {day}"


def begun(
    game: str, mode: Mode, now: datetime, *, spot: Spot | None = None, street: str = ""
) -> Session:
    """At its first question. A hand that asks nothing is over at once and is counted."""
    at = stamp(now)
    seed = daily_seed(at[:10]) if mode == "daily" else fresh_seed()
    session = Session(game, mode, seed, at, street=street)
    if spot is not None:
        return with_spot(session, spot)
    return _settled(session, at)


def with_spot(session: Session, spot: Spot) -> Session:
    """The question of a spot, in place of the hand in play."""
    return msgspec.structs.replace(
        session, seed=spot.seed, dealt=spot.number, start=spot.answers, answers=(), decisions=()
    )


def check_turn(session: Session, number: int, place: int) -> None:
    """Is this the question that is asked now? `place` counts the answers of the hand before it."""
    if (number, place) != (session.number, len(session.answers)) or session.is_hand_over:
        raise Refusal(
            f"hand {number}, question {place + 1} is not asked now: it has been answered, or "
            f"another page of yours has gone on. Hand {session.number} is on the table",
            code="already_done",
        )


def answered(session: Session, priced: Priced, now: datetime) -> Session:
    """In an exam the next hand comes at once, and after the last one it has ended."""
    return _settled(session.after(priced), stamp(now))


def next_hand(session: Session, number: int, now: datetime, spot: Spot | None = None) -> Session:
    """After hand `number`, which is over."""
    if number != session.number or not session.is_hand_over:
        raise Refusal(
            f"hand {number} is not the one to go on from: hand {session.number} is on the table",
            code="already_done" if number < session.number else "not_now",
        )
    if session.is_over:
        raise Refusal(f"these were all {session.length} hands: begin anew", code="not_now")
    moved = _moved(session)
    return _settled(moved, stamp(now)) if spot is None else with_spot(moved, spot)


def _moved(session: Session) -> Session:
    past = session.all_answers if session.mode == "exam" else ()
    return msgspec.structs.replace(
        session, number=session.number + 1, answers=(), decisions=(), past=past
    )


def _settled(session: Session, at: str) -> Session:
    """Past what nobody is asked about: hands without a question, and in an exam those that are
    over."""
    while not session.ended_at:
        if not session.is_hand_over and not session.is_single and (hand := session.hand).is_over:
            done = played((), hand.result_cents, hand.unit_cents)
            session = msgspec.structs.replace(session, hands=(*session.hands, done))
        if session.is_over:
            return msgspec.structs.replace(session, ended_at=at)
        if session.mode != "exam" or not session.is_hand_over:
            return session
        session = _moved(session)
    return session
