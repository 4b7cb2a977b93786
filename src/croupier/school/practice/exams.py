"""An exam of 100 hands and its certificate: dealt from the seed, priced, scored, on any machine."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

import msgspec

from croupier import __version__
from croupier.errors import BadRequest, Refusal
from croupier.ledger.machine_key import MachineKey
from croupier.money import format_cents
from croupier.rulebooks.kept_rules import reference_to
from croupier.school.certificates import FORMAT, Certificate, Score, Unchecked, issue
from croupier.school.practice.hands import GAMES, SUBMISSION, Hand
from croupier.school.practice.pricing import Priced, price
from croupier.school.practice.spots import values_at
from croupier.school.progress_store import Kind

__all__ = ["EXAMS", "EXAM_HANDS", "KIND", "Exam", "certified", "exam_answered", "recomputed"]

KIND: Final = "practice exam"
EXAM_HANDS: Final = 100
PASS: Final = Fraction(9, 10)
"""So many of the decisions must have cost nothing."""


class Exam(msgspec.Struct, frozen=True):
    """`answers` has a list for each hand, the last of them for the hand in play; `priced` has what
    every answer cost, in their order. Nobody is told before the end."""

    game: str
    seed: str
    began_at: str
    answers: tuple[tuple[str, ...], ...] = ((),)
    decisions: int = 0
    right: int = 0
    cost: str = "0"
    results_cents: int = 0
    ended_at: str = ""
    certificate: str = ""

    @property
    def number(self) -> int:
        return len(self.answers)

    @property
    def hand(self) -> Hand:
        return Hand(self.game, self.seed, self.number, self.answers[-1])

    @property
    def is_over(self) -> bool:
        return bool(self.ended_at)


EXAMS: Final = Kind("practice exam", Exam)


def exam_answered(exam: Exam, priced: Priced, now: str) -> Exam:
    """The question that is asked now, answered; after the last hand the exam has ended."""
    changed = msgspec.structs.replace(
        exam,
        answers=(*exam.answers[:-1], (*exam.answers[-1], priced.said)),
        decisions=exam.decisions + 1,
        right=exam.right + priced.is_right,
        cost=str(Fraction(exam.cost) + priced.cost),
    )
    return past_hands(changed, now)


def past_hands(exam: Exam, now: str) -> Exam:
    """On to the next hand that asks something, or to the end."""
    while not exam.is_over and (hand := exam.hand).is_over:
        results = exam.results_cents + hand.result_cents
        if exam.number == EXAM_HANDS:
            exam = msgspec.structs.replace(exam, results_cents=results, ended_at=now)
        else:
            answers = (*exam.answers, ())
            exam = msgspec.structs.replace(exam, results_cents=results, answers=answers)
    return exam


def check_exam_turn(exam: Exam, number: int, place: int) -> None:
    if exam.is_over or (number, place) != (exam.number, len(exam.answers[-1])):
        raise Refusal(
            f"hand {number}, question {place + 1} of the exam is not asked now: it has been "
            "answered; an answer counts once",
            code="already_done",
        )


def certified(exam: Exam, person: str, key: MachineKey) -> Certificate:
    """Of an exam that has ended."""
    if not exam.is_over:
        raise Refusal("the exam has not ended: there is no certificate yet", code="not_now")
    hand = Hand(exam.game, exam.seed, 1)
    told = (exam.decisions, exam.right, Fraction(exam.cost), exam.results_cents)
    return issue(
        Certificate(
            FORMAT,
            KIND,
            f"{hand.rules.book.title}: {EXAM_HANDS} hands",
            person,
            exam.began_at,
            exam.ended_at,
            exam.seed,
            terms_of(exam.game),
            exam.answers,
            _score(*told, hand.unit_cents),
            __version__,
        ),
        key,
    )


def terms_of(game: str) -> dict[str, str]:
    return {
        "game": game,
        "rules": reference_to(game),
        "submission": SUBMISSION,
        "hands": str(EXAM_HANDS),
    }


def _score(
    decisions: int, right: int, cost: Fraction, results_cents: int, unit_cents: int
) -> Score:
    accuracy = Fraction(right, decisions) if decisions else Fraction(1)
    return {
        "hands": str(EXAM_HANDS),
        "decisions": str(decisions),
        "right": str(right),
        "accuracy": str(accuracy),
        "lost_to_mistakes": format_cents(round(cost * unit_cents)),
        "lost_to_mistakes_exact": str(cost * unit_cents / 100),
        "result": format_cents(results_cents),
        "passed": "yes" if accuracy >= PASS else "no",
    }


def recomputed(certificate: Certificate) -> Score:
    """Every hand dealt and every answer priced again."""
    game = certificate.terms.get("game", "")
    if game not in GAMES:
        raise Unchecked(f"this program has no game {game!r}")
    if certificate.terms != terms_of(game):
        raise Unchecked(
            "it was taken by other rules than this program's: check it with Croupier "
            f"{certificate.program}"
        )
    if len(certificate.answers) != EXAM_HANDS:
        raise BadRequest(f"{len(certificate.answers)} hands are answered, not {EXAM_HANDS}")
    decisions, right, cost, results = 0, 0, Fraction(0), 0
    unit = 1
    for number, answers in enumerate(certificate.answers, 1):
        hand = Hand(game, certificate.seed, number)
        unit = hand.unit_cents
        for priced in _priced(hand, answers):
            decisions, right = decisions + 1, right + priced.is_right
            cost += priced.cost
        if not hand.is_over:
            raise BadRequest(f"hand {number} is not answered to its end")
        results += hand.result_cents
    return _score(decisions, right, cost, results, unit)


def _priced(hand: Hand, answers: Iterable[str]) -> Iterable[Priced]:
    for said in answers:
        values = {} if hand.is_over else values_at(hand)
        if said in values:
            yield price(hand, values, said)
        hand.say(said)
