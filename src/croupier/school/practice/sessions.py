"""Practice sessions: hands of a secret seed, the answers of the current hand, the score.

The seed stays on the server. A client sees what the player sees and names the hand and question
that an answer belongs to, so nothing counts twice. There are five modes: `play` (whole hands),
`daily` (one hand, the same for everybody on a day), `exam` (100 hands, no feedback before the end),
`flash` (single questions of a street), and `leaks` (single questions in situations that are due).
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
from croupier.school.progress_store import RecordType

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
    """`number` is the current hand, from 1, with its `answers` and `decisions`. `hands` are
    finished; the last may still lie on the table. For a single question, `dealt` is the hand of the
    seed and `start` the answers before it."""

    game: str
    mode: Mode
    seed: str
    began_at: str
    number: int = 1
    answers: tuple[str, ...] = ()
    decisions: tuple[Priced, ...] = ()
    hands: tuple[PlayedHand, ...] = ()
    past: tuple[tuple[str, ...], ...] = ()
    """The answers of the earlier hands."""
    street: str = ""
    dealt: int = 0
    start: tuple[str, ...] = ()
    ended_at: str = ""
    certificate: str = ""

    @property
    def is_single(self) -> bool:
        """Whether the mode asks single questions."""
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
        """Return the session after this answer."""
        answers, decisions = (*self.answers, priced.said), (*self.decisions, priced)
        hands = self.hands
        if self.is_single:
            hands = (*hands, PlayedHand(0, 1, int(priced.is_right), str(priced.cost), "0"))
        elif (hand := self._hand(answers)).is_over:
            hands = (*hands, played(decisions, hand.result_cents, hand.unit_cents))
        return msgspec.structs.replace(self, answers=answers, decisions=decisions, hands=hands)


SESSIONS: Final = RecordType("practice session", Session)


def checked_mode(mode: str) -> Mode:
    for known in MODES:
        if mode == known:
            return known
    raise suggest("mode", mode, MODES)


def key_of(game: str, mode: Mode, day: str = "") -> str:
    """Return the storage key; a daily hand has one for each day."""
    return f"{game}/{mode}/{day}" if mode == "daily" else f"{game}/{mode}"


def fresh_seed() -> str:
    return secrets.token_hex(16)


def daily_seed(day: str) -> str:
    return f"daily {day}"


def begun(
    game: str, mode: Mode, now: datetime, *, spot: Spot | None = None, street: str = ""
) -> Session:
    """Return a new session at its first question. A hand without a question is over at once and
    counts."""
    at = stamp(now)
    seed = daily_seed(at[:10]) if mode == "daily" else fresh_seed()
    session = Session(game, mode, seed, at, street=street)
    if spot is not None:
        return with_spot(session, spot)
    return _settled(session, at)


def with_spot(session: Session, spot: Spot) -> Session:
    """Return the session with this spot in place of the current hand."""
    return msgspec.structs.replace(
        session, seed=spot.seed, dealt=spot.number, start=spot.answers, answers=(), decisions=()
    )


def check_turn(session: Session, number: int, place: int) -> None:
    """Refuse an answer to anything but the current question. `place` is the number of answers given
    before in this hand."""
    if (number, place) != (session.number, len(session.answers)) or session.is_hand_over:
        raise Refusal(
            f"hand {number}, question {place + 1} is not asked now: it has been answered, or "
            f"another page of yours has gone on. Hand {session.number} is on the table",
            code="already_done",
        )


def answered(session: Session, priced: Priced, now: datetime) -> Session:
    """Return the session after an answer. In an exam the next hand follows at once."""
    return _settled(session.after(priced), stamp(now))


def next_hand(session: Session, number: int, now: datetime, spot: Spot | None = None) -> Session:
    """Return the session at the hand after `number`, which must be over."""
    if number != session.number or not session.is_hand_over:
        raise Refusal(
            f"hand {number} is not the one to go on from: hand {session.number} is on the table",
            code="already_done" if number < session.number else "not_now",
        )
    if session.is_over:
        raise Refusal(f"these were all {session.length} hands: begin again", code="not_now")
    moved = _moved(session)
    return _settled(moved, stamp(now)) if spot is None else with_spot(moved, spot)


def _moved(session: Session) -> Session:
    past = session.all_answers if session.mode == "exam" else ()
    return msgspec.structs.replace(
        session, number=session.number + 1, answers=(), decisions=(), past=past
    )


def _settled(session: Session, at: str) -> Session:
    """Skip hands without a question, and in an exam finished hands."""
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
