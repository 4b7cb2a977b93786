"""Certificates of practice exams: dealt from their seed, priced, and scored again on any
machine."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from croupier import __version__
from croupier.errors import BadRequest, Refusal
from croupier.ledger.signatures.machine_key import MachineKey
from croupier.money import format_cents
from croupier.rulebooks.kept_rules import reference_to
from croupier.school.certificates import FORMAT, Certificate, Score, Unchecked, issue
from croupier.school.practice.hands import GAMES, SUBMISSION, Hand
from croupier.school.practice.pricing import Priced, price
from croupier.school.practice.scoring import PlayedHand, played
from croupier.school.practice.sessions import EXAM_HANDS, Session
from croupier.school.practice.spots import values_at
from croupier.school.progress_store import RecordType

KIND: Final = "practice exam"
PASS: Final = Fraction(9, 10)
"""The share of decisions that must have cost nothing."""

CERTIFICATES: Final = RecordType("certificate", Certificate)


def certified(exam: Session, person: str, key: MachineKey) -> Certificate:
    """Return the certificate of a finished exam."""
    if exam.mode != "exam" or not exam.ended_at:
        raise Refusal("the exam has not ended: there is no certificate yet", code="not_now")
    hand = Hand(exam.game, exam.seed, 1)
    return issue(
        Certificate(
            FORMAT,
            KIND,
            f"{hand.rules.book.title}: {EXAM_HANDS} hands",
            person,
            exam.began_at,
            exam.ended_at,
            exam.seed,
            _terms_of(exam.game),
            exam.all_answers,
            _score(exam.hands, hand.unit_cents),
            __version__,
        ),
        key,
    )


def _terms_of(game: str) -> dict[str, str]:
    return {
        "game": game,
        "rules": reference_to(game),
        "submission": SUBMISSION,
        "hands": str(EXAM_HANDS),
    }


def _score(hands: Iterable[PlayedHand], unit_cents: int) -> Score:
    listed = list(hands)
    decisions, right = sum(hand.decisions for hand in listed), sum(hand.right for hand in listed)
    cost = sum((Fraction(hand.cost) for hand in listed), Fraction(0)) * unit_cents
    accuracy = Fraction(right, decisions) if decisions else Fraction(1)
    return {
        "hands": str(len(listed)),
        "decisions": str(decisions),
        "right": str(right),
        "accuracy": str(accuracy),
        "lost_to_mistakes": format_cents(round(cost)),
        "lost_to_mistakes_exact": str(cost / 100),
        "result": format_cents(sum(hand.result_cents for hand in listed)),
        "passed": "yes" if accuracy >= PASS else "no",
    }


def recomputed(certificate: Certificate) -> Score:
    """Deal every hand and price every answer again."""
    game = certificate.terms.get("game", "")
    if game not in GAMES:
        raise Unchecked(f"this program has no game {game!r}")
    if certificate.terms != _terms_of(game):
        raise Unchecked(
            "it was taken by other rules than this program's: check it with Croupier "
            f"{certificate.program}"
        )
    if len(certificate.answers) != EXAM_HANDS:
        raise BadRequest(f"{len(certificate.answers)} hands are answered, not {EXAM_HANDS}")
    hands, unit = [], 1
    for number, answers in enumerate(certificate.answers, 1):
        hand = Hand(game, certificate.seed, number)
        unit = hand.unit_cents
        decisions = [_priced(hand, said) for said in answers]
        if not hand.is_over:
            raise BadRequest(f"hand {number} is not answered to its end")
        hands.append(played(decisions, hand.result_cents, unit))
    return _score(hands, unit)


def _priced(hand: Hand, said: str) -> Priced:
    hand.check(said)
    priced = price(hand, values_at(hand), said)
    hand.say(said)
    return priced
